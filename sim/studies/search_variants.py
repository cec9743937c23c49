# SPDX-License-Identifier: Apache-2.0
"""A searching policy as it is and with other parameters: what each set costs on all recorded kernels, and what it brings in closed loop.

  search_variants.py BALLAST OBJECT OBJECT:PARAMETER=VALUE,... [--kernels FILE,...] [--generations 10]
  search_variants.py BALLAST OBJECT --begun [--kernels FILE,...] [--generations 10]

The first object is what the others are compared with. `families` is the worst cost of a limit that was chosen among recordings, in percent, and how many
families have more than 2 %. `begun otherwise` is how many have that of all searches with another warmup, 1 to 7 slices: what is left of a good
number then is not chance. Behind it are mean and worst of the speed of the papers' kernels in the simulator, in percent of that with as many CTAs
as fit, and how many kernels are slower and faster than with the first object by more than a point, with the one that loses most.

--begun: what is chance. The speed of each kernel, and the lowest and highest of all searches with another warmup; of kernels that these move by more than
a point, and of the mean of all.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import search_policies as study

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb" / "flow"))
from tools import in_parallel, program

MOST_COST = 2.0  # percent: what a limit may cost
WARMUPS = range(1, 8)
POINT = 1.0


def with_option(policy: str, option: str) -> str:
    return f"{policy}{',' if ':' in policy else ':'}{option}"


def family_costs(ballast: str, objects: Sequence[str], manifest: Path) -> list[list[float]]:
    """Of each object the costs on all families."""
    found: dict[str, list[float]] = {}

    def one(family: tuple[str, list[Path], int | None]) -> None:
        found[family[0]] = [float(row["cost"]) for row in study.family_table(ballast, list(objects), *family[1:])[1]]

    families = study.families(manifest)
    in_parallel(one, families)
    return [list(column) for column in zip(*(found[name] for name, _, _ in families), strict=True)]


def kernel_speeds(ballast: str, objects: Sequence[str], kernels: Sequence[Path], generations: int) -> dict[str, list[float]]:
    """By kernel, the speed with each object."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as work:
        lab = study.Lab(ballast, list(objects), generations, Path(work))

        def one(path: Path) -> None:
            base, kernel = lab.prepare(path)
            cycles = [float(study.rows_of([*base, "--policy", policy, str(kernel)])[0]["cycles"]) for policy in ("static", *objects)]
            found[name_of(path)] = [100 * cycles[0] / own for own in cycles[1:]]
            print(f"{len(found)} of {len(kernels)} kernels", file=sys.stderr)

        in_parallel(one, kernels)
    return found


def beyond(costs: Sequence[float]) -> int:
    return sum(cost > MOST_COST for cost in costs)


def parameters_of(policy: str) -> str:
    return policy.partition(":")[2] or "as it is"


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def row(name: str, costs: Sequence[float], begun: Sequence[float], speeds: Sequence[float], first: dict[str, float]) -> str:
    change = {kernel: own - before for (kernel, before), own in zip(first.items(), speeds, strict=True)}
    least = min(change, key=lambda kernel: change[kernel])
    lost = f"{change[least]:.1f} ({least})" if change[least] < -POINT else "-"
    return (f"{name:30}{max(costs):6.1f} {beyond(costs):3} of {len(costs)} {beyond(begun):8} of {len(begun)} {sum(speeds) / len(speeds):10.1f}{min(speeds):8.1f}"
            f"{sum(one < -POINT for one in change.values()):8}{sum(one > POINT for one in change.values()):8}  {lost}")


def chance(speeds: dict[str, list[float]]) -> list[str]:
    """Of each kernel the speed as it is, and of the searches that begin otherwise."""

    def line(name: str, own: float, others: Sequence[float]) -> str:
        return f"{name:22}{own:10.1f}{min(others):10.1f}{max(others):8.1f}"

    lines = [f"{'kernel':22}{'as it is':>10}{'lowest':>10}{'highest':>8}"]
    for name, (own, *others) in sorted(speeds.items()):
        if max(own, *others) - min(own, *others) > POINT:
            lines.append(line(name, own, others))
    own, *others = (sum(column) / len(speeds) for column in zip(*speeds.values(), strict=True))
    return [*lines, "", line(f"mean of {len(speeds)}", own, others)]


def main() -> int:
    parser = argparse.ArgumentParser(description="A searching policy with other parameters.")
    parser.add_argument("ballast")
    parser.add_argument("objects", nargs="+")
    parser.add_argument("--manifest", type=Path, default=Path("vectors/MANIFEST.csv"))
    parser.add_argument("--kernels", type=study.files, default=study.kernel_files())
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--begun", action="store_true")
    options = parser.parse_args()
    if options.begun:
        policy, *more = options.objects
        if more:
            parser.error("--begun takes one object")
        begin = [policy, *(with_option(policy, f"warmup={slices}") for slices in WARMUPS)]
        print("\n".join(chance(kernel_speeds(options.ballast, begin, options.kernels, options.generations))))
        return 0
    if len(options.objects) < 2:
        parser.error("name an object, and one to compare with it")
    costs = family_costs(options.ballast, options.objects, options.manifest)
    begun = [family_costs(options.ballast, [with_option(policy, f"warmup={slices}") for slices in WARMUPS], options.manifest) for policy in options.objects]
    speeds = kernel_speeds(options.ballast, options.objects, options.kernels, options.generations)
    names = [name_of(path) for path in options.kernels]
    first = {name: speeds[name][0] for name in names}
    print(f"{'parameters':30}{'families':>12}{'begun otherwise':>18}{'mean':>11}{'worst':>8}{'slower':>8}{'faster':>8}  of {len(names)} kernels")
    for n, policy in enumerate(options.objects):
        print(row(parameters_of(policy), costs[n], [cost for column in begun[n] for cost in column], [speeds[name][n] for name in names], first))
    return 0


if __name__ == "__main__":
    program(main)
