# SPDX-License-Identifier: Apache-2.0
"""All policies on all kernels: those that are built in, and shared objects (--policy of `ballast sim` and `ballast family`).

  search_policies.py families BALLAST OBJECT... --manifest vectors/MANIFEST.csv
  search_policies.py kernels BALLAST OBJECT... [--kernels FILE,...] [--generations 10]
  search_policies.py noise BALLAST OBJECT --manifest vectors/MANIFEST.csv
  search_policies.py vf BALLAST OBJECT [--kernels FILE,...] [--generations 10]

families: what the limit costs that each policy chose among the recordings of a kernel, in percent of the time at the best recorded limit.
kernels: the speed of each kernel in the activity simulator, in closed loop, over that with as many CTAs as fit (static), in percent; the search
is part of it, and the limits at the end stand behind the speed. `best` is the fastest fixed limit. A kernel has a grid of so many generations, which
are Nmax CTAs on each SM. Then mean and worst over all kernels. Objects with options (scout.so:back=0) are in the second part alone.
noise: how often the limit is another one when what the policy counts is disturbed. The object takes noise=PERCENT and seed=N.
vf: voltage and frequency. Speed, energy and energy-delay product of each kernel over those with as many CTAs as fit at normal levels, in percent, for
Equalizer and for the object with vf=1, in both modes, and for the object alone, at normal levels. Then geometric means and the worst of all kernels.
"""
from __future__ import annotations

import argparse
import csv
import io
import math
import re
import sys
import tempfile
from pathlib import Path
from typing import Callable, NamedTuple, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb" / "flow"))
from tools import Failure, in_parallel, program, run

# The papers' kernels, on the machine of each paper: a slice with its part of the memory.
FOLDERS = {"perfsat": ("fermi", 5), "equalizer": ("fermi", 5), "lcs": ("lcs", 7)}


# The search is measured as the object that takes options.
BUILT_IN = ["static", "perfsat", "lcs", "equalizer", "dyncta"]


def policies_of(policies: list[str]) -> list[str]:
    return [word for one in policies for word in ("--policy", one)]


def rows_of(command: list[str]) -> list[dict[str, str]]:
    said = run(command).stdout  # a long run says before how far it is
    rows = list(csv.DictReader(io.StringIO(said[max(said.find("workload,"), 0):])))
    if not rows or "policy" not in rows[0]:
        raise Failure(f"{' '.join(command)}: this is no table of policies:\n{said}")
    return rows


# ---- recordings ---------------------------------------------------------------------------


def families(manifest: Path) -> list[tuple[str, list[Path], int | None]]:
    """Name, files, launch. A kernel that has several launches of interest is one family for each, as in the table of `make run`."""
    files: dict[str, list[Path]] = {}
    for row in csv.DictReader(line for line in manifest.read_text().splitlines() if not line.startswith("#")):
        name = row["file"]
        files.setdefault(name.split(".n")[0], []).append(manifest.parent / name)
    launches: dict[str, list[int | None]] = {"bfs": [12, 15], "srad": [1, 2]}
    return [(f"{name}.launch{launch}" if launch else name, sorted(paths), launch)
            for name, paths in sorted(files.items()) if len(paths) > 1 for launch in launches.get(name, [None])]


HEAD = re.compile(r": limits 1 to (?P<nmax>\d+), .*: (?P<best>\d+) \(PS-E4\)")
ROW = re.compile(r"(?P<policy>\S+) +(?P<limit>\d+) +(?P<cost>[\d.]+) % +(?:@(?P<settled>\d+)(?: pass \d+)?|moving) +\d+ +(?:-|[-\d.]+ %)")


def family_table(ballast: str, policies: list[str], paths: list[Path], launch: int | None) -> tuple[re.Match[str], list[re.Match[str]]]:
    where = ["--launch", str(launch)] if launch else []
    with tempfile.TemporaryDirectory() as out:  # families run side by side
        said = run([ballast, "family", *where, "--out", out, *policies_of(policies), *map(str, paths)]).stdout
    head, rows = HEAD.search(said), [row for row in map(ROW.fullmatch, said.splitlines()) if row]
    if not head or len(rows) < len(policies):
        raise Failure(f"{paths[0]}: this is no table of policies:\n{said}")
    return head, rows


def print_families(ballast: str, objects: list[str], manifest: Path) -> None:
    found: dict[str, tuple[re.Match[str], list[re.Match[str]]]] = {}

    def one(family: tuple[str, list[Path], int | None]) -> None:
        found[family[0]] = family_table(ballast, BUILT_IN + objects, *family[1:])

    chosen = families(manifest)
    in_parallel(one, chosen)
    print(f"{'kernel':14} Nmax best " + "".join(f"{row['policy']:>20}" for row in found[chosen[0][0]][1]))
    for name, _, _ in chosen:
        head, rows = found[name]
        cells = (f"{row['cost']} @{row['limit']} {row['settled'] or 'moving':>8}" for row in rows)
        print(f"{name:14} {head['nmax']:>4} {head['best']:>4} " + "".join(f"{cell:>20}" for cell in cells))


# ---- stability ---------------------------------------------------------------------------


NOISES = (0, 1, 2, 5, 10, 20)
SEEDS = range(1, 17)


def disturbed(ballast: str, policy: str, noise: int, paths: list[Path], launch: int | None) -> list[tuple[int, float]]:
    """For each seed: the limit that was chosen, and what it costs in percent."""
    objects = [f"{policy}:noise={noise},seed={seed}" for seed in (SEEDS if noise else SEEDS[:2])]
    return [(int(row["limit"]), float(row["cost"])) for row in family_table(ballast, objects, paths, launch)[1]]


def print_noise(ballast: str, policy: str, manifest: Path) -> None:
    found: dict[str, dict[int, list[tuple[int, float]]]] = {}

    def one(family: tuple[str, list[Path], int | None]) -> None:
        found[family[0]] = {noise: disturbed(ballast, policy, noise, *family[1:]) for noise in NOISES}
        print(f"{len(found)} of {len(chosen)} families", file=sys.stderr)

    chosen = families(manifest)
    in_parallel(one, chosen)
    print(f"{'kernel':14}" + "".join(f"{f'{noise} %':>20}" for noise in NOISES))
    for name, _, _ in chosen:
        still = found[name][0][0][0]
        cells = (f"{sum(limit != still for limit, _ in runs):>3} of {len(runs):>2} {max(cost for _, cost in runs):5.1f}" for runs in found[name].values())
        print(f"{name:14}" + "".join(f"{cell:>20}" for cell in cells))
    print(f"{'moved':14}" + "".join(f"{moved(found, noise):>20}" for noise in NOISES))


def moved(found: dict[str, dict[int, list[tuple[int, float]]]], noise: int) -> str:
    runs = [(limit != rows[0][0][0], cost - rows[0][0][1]) for rows in found.values() for limit, cost in rows[noise]]
    return f"{100 * sum(other for other, _ in runs) / len(runs):.1f} % {sum(cost for _, cost in runs) / len(runs):+.2f}"


# ---- closed loop ---------------------------------------------------------------------------


def kernel_files() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted(Path("sim/kernels", folder).glob("*.kernel"))]


MODES = ("performance", "energy")


class Levels(NamedTuple):
    """In percent of the run at normal levels."""

    speed: float
    energy: float

    @property
    def product(self) -> float:
        return 100 * self.energy / self.speed


def steered(policy: str) -> list[tuple[str, str]]:
    return [*((one, mode) for mode in MODES for one in ("equalizer", f"{policy}:vf=1")), (policy, MODES[0])]


class Lab:
    """The kernels as files of the length that is wanted."""

    def __init__(self, ballast: str, objects: list[str], generations: int, work: Path):
        self.ballast, self.objects, self.generations, self.work = ballast, objects, generations, work

    def cut(self, path: Path, ctas: int) -> Path:
        text, found = re.subn(r"\bblocks = \d+;", f"blocks = {ctas};", re.sub(r"\blaunches = \d+;", "", path.read_text()), count=1)
        if not found:
            raise Failure(f"{path}: no line 'blocks = N;'")
        to = self.work / f"{path.parent.name}.{path.stem}.{ctas}.kernel"
        to.write_text(re.sub(r"\bgrid_x = \d+;", "", text))
        return to

    def prepare(self, path: Path) -> tuple[list[str], Path]:
        """The command without its policies, and the kernel as long as it is wanted."""
        machine, sms = FOLDERS[path.parent.name]
        base = [self.ballast, "sim", "--machine", machine, "--sms", str(sms), "--csv"]
        nmax = int(rows_of([*base, "--policy", "static", "--max-cycles", "10", str(self.cut(path, sms * 64))])[0]["nmax"])
        return base, self.cut(path, sms * nmax * self.generations)

    def levels(self, path: Path) -> list[Levels]:
        """Of each of `steered`."""
        base, kernel = self.prepare(path)
        fixed, *found = (rows_of([*base, "--policy", policy, "--mode", mode, str(kernel)])[0]
                         for policy, mode in [("static", MODES[0]), *steered(self.objects[0])])
        return [Levels(*(100 * of for of in (float(fixed["seconds"]) / float(row["seconds"]), float(row["joules"]) / float(fixed["joules"]))))
                for row in found]

    def measure(self, path: Path) -> dict[str, tuple[float, str]]:
        """By policy, and for `best`: speed over static in percent, and the limits at the end."""
        base, kernel = self.prepare(path)
        rows = rows_of([*base, *policies_of(BUILT_IN + self.objects), str(kernel)])
        most = next(float(row["cycles"]) for row in rows if row["policy"] == "static")
        found = {row["policy"]: (100 * most / float(row["cycles"]), row["least_limit"] if row["least_limit"] == row["most_limit"] else
                                 f"{row['least_limit']}-{row['most_limit']}") for row in rows}
        return {"best": (100 * most / float(rows[0]["fastest_cycles"]), rows[0]["fastest_limit"]), **found}


Measured = TypeVar("Measured")


def measure_all(options: argparse.Namespace, measure: Callable[[Lab, Path], Measured]) -> dict[Path, Measured]:
    found: dict[Path, Measured] = {}
    with tempfile.TemporaryDirectory() as work:
        lab = Lab(options.ballast, options.objects, options.generations, Path(work))

        def one(path: Path) -> None:
            found[path] = measure(lab, path)
            print(f"{len(found)} of {len(options.kernels)} kernels", file=sys.stderr)

        in_parallel(one, options.kernels)
    return {path: found[path] for path in options.kernels}


def print_kernels(found: dict[Path, dict[str, tuple[float, str]]]) -> None:
    titles = [title for title in next(iter(found.values())) if ":" not in title]
    print(f"{'kernel':26}" + "".join(f"{title:>16}" for title in titles))
    for path, speeds in found.items():
        print(f"{path.parent.name + '/' + path.stem:26}" + "".join(f"{f'{speed:.1f} @{limit}':>16}" for speed, limit in (speeds[title] for title in titles)))
    print()


def print_summary(found: dict[Path, dict[str, tuple[float, str]]]) -> None:
    print(f"{'policy':22} {'mean':>7} {'worst':>7}  {'slower by 2 %':>13}  of {len(found)} kernels")
    for title in next(iter(found.values())):
        speeds = [one[title][0] for one in found.values()]
        worst = min(found, key=lambda path: found[path][title][0])
        print(f"{title:22} {sum(speeds) / len(speeds):7.1f} {min(speeds):7.1f}  {sum(speed < 98 for speed in speeds):13}  worst: {worst.stem}")


# ---- voltage and frequency ------------------------------------------------------------------


def geometric(values: list[float]) -> float:
    return math.exp(sum(math.log(value) for value in values) / len(values))


def vf_row(name: str, cells: list[tuple[float, float, float]]) -> str:
    return f"{name:24}" + "".join(f"{speed:9.1f}{energy:7.1f}{product:7.1f}" for speed, energy, product in cells)


def all_three(found: list[Levels]) -> list[tuple[float, float, float]]:
    return [(one.speed, one.energy, one.product) for one in found]


def print_vf(found: dict[Path, list[Levels]]) -> None:
    columns = list(zip(*found.values(), strict=True))
    heads = [*(f"{who}, {mode}" for mode in MODES for who in ("equalizer", "scout")), "scout, normal levels"]
    print(f"{'':24}" + "".join(f"{head:>23}" for head in heads))
    print(f"{'kernel':24}" + f"{'speed':>9}{'energy':>7}{'EDP':>7}" * len(columns))
    for path, rows in found.items():
        print(vf_row(f"{path.parent.name}/{path.stem}", all_three(rows)))
    print()
    folders = list(dict.fromkeys(path.parent.name for path in found))
    for folder in [*folders, ""]:
        of = [rows for path, rows in found.items() if folder in ("", path.parent.name)]
        cells = [tuple(map(geometric, zip(*all_three(list(column)), strict=True))) for column in zip(*of, strict=True)]
        print(vf_row(f"mean, {folder or 'all'}", cells))
    print(vf_row("worst", [(min(one.speed for one in column), max(one.energy for one in column), max(one.product for one in column)) for column in columns]))
    better = [sum(mine.product < theirs.product for mine, theirs in zip(columns[2 * mode + 1], columns[2 * mode], strict=True)) for mode in range(2)]
    print("scout has the lower EDP on " + ", ".join(f"{count} of {len(found)} kernels for {mode}" for count, mode in zip(better, MODES, strict=True)))


def files(text: str) -> list[Path]:
    paths = [Path(one) for one in text.split(",")]
    for path in paths:
        if path.parent.name not in FOLDERS or not path.is_file():
            raise argparse.ArgumentTypeError(f"no kernel '{path}' of {', '.join(FOLDERS)} in sim/kernels")
    return paths


def _main() -> int:
    parser = argparse.ArgumentParser(description="All policies on all kernels.")
    parser.add_argument("table", choices=("families", "kernels", "noise", "vf"))
    parser.add_argument("ballast")
    parser.add_argument("objects", nargs="*")
    parser.add_argument("--manifest", type=Path, default=Path("vectors/MANIFEST.csv"))
    parser.add_argument("--kernels", type=files, default=kernel_files())
    parser.add_argument("--generations", type=int, default=10)
    options = parser.parse_args()
    if options.table == "families":
        print_families(options.ballast, options.objects, options.manifest)
    elif options.table == "noise":
        for policy in options.objects:
            print_noise(options.ballast, policy, options.manifest)
    elif options.table == "vf":
        print_vf(measure_all(options, Lab.levels))
    else:
        found = measure_all(options, Lab.measure)
        print_kernels(found)
        print_summary(found)
    return 0


if __name__ == "__main__":
    program(_main)
