# SPDX-License-Identifier: Apache-2.0
"""doc/use/search_policy.md: rows of its tables measured again, and what the page says of them.

  test_search_policies.py BALLAST BUILD_DIR
"""
from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import search_policies as study
import search_variants as variants

import pages

PAGE = Path("doc/use/search_policy.md")
SCOUT = f"{sys.argv.pop()}/policy/scout.so"
BALLAST = sys.argv.pop()
FAMILIES = [name for name, _, _ in study.families(Path("vectors/MANIFEST.csv"))]
SLOWER = 2.0  # percent: what the policy may lose


def table(name: str) -> list[list[str]]:
    return [line.split() for line in pages.lines(PAGE, name)]


def costs(name: str) -> dict[str, list[float]]:
    """By recorded kernel: what each policy's limit costs, in percent."""
    return {row[0]: [float(cell) for cell in row[3::3]] for row in table(name)[1:]}


def part(name: str, first: str) -> list[list[str]]:
    """The lines of a page's table below the title that begins with `first`, to the next empty line."""
    lines = table(name)
    begin = next(i for i, line in enumerate(lines) if line[:1] == [first])
    rest = lines[begin + 1:]
    return rest[:next((i for i, line in enumerate(rest) if not line), len(rest))]


def summary() -> dict[str, tuple[float, float, int]]:
    return {row[0]: (float(row[1]), float(row[2]), int(row[3])) for row in part("kernels", "policy")}


class Page(unittest.TestCase):
    def test_a_family_is_measured_again(self) -> None:
        chosen = {name: (paths, launch) for name, paths, launch in study.families(Path("vectors/MANIFEST.csv"))}
        for name in ("bfs.launch12", "fma"):
            head, rows = study.family_table(BALLAST, [*study.BUILT_IN, SCOUT], *chosen[name])
            again = [cell for row in rows for cell in (row["cost"], f"@{row['limit']}", row["settled"] or "moving")]
            self.assertEqual(next(row for row in table("families") if row[0] == name), [name, head["nmax"], head["best"], *again])

    def test_a_kernel_is_measured_again(self) -> None:
        path = Path("sim/kernels/lcs/BLK.kernel")
        with tempfile.TemporaryDirectory() as work:
            speeds = study.Lab(BALLAST, [SCOUT], 10, Path(work)).measure(path)
        again = [cell for speed, limit in speeds.values() for cell in (f"{speed:.1f}", f"@{limit}")]
        self.assertEqual(next(row for row in part("kernels", "kernel") if row[0] == "lcs/BLK"), ["lcs/BLK", *again])

    def test_noise_is_measured_again(self) -> None:
        chosen = {name: (paths, launch) for name, paths, launch in study.families(Path("vectors/MANIFEST.csv"))}
        noise, column = 2, 1 + 4 * study.NOISES.index(2)
        for name in ("hotspot", "bfs.launch15"):
            runs = study.disturbed(BALLAST, SCOUT, noise, *chosen[name])
            still = study.disturbed(BALLAST, SCOUT, 0, *chosen[name])[0][0]
            row = next(row for row in table("noise") if row[0] == name)
            self.assertEqual(row[column:column + 4], [str(sum(limit != still for limit, _ in runs)), "of", str(len(runs)),
                                                      f"{max(cost for _, cost in runs):.1f}"])

    def test_seeds_differ_and_noise_counts(self) -> None:
        chosen = {name: (paths, launch) for name, paths, launch in study.families(Path("vectors/MANIFEST.csv"))}
        self.assertGreater(len(set(study.disturbed(BALLAST, SCOUT, 10, *chosen["chase"]))), 1)

    def test_every_family_and_kernel_has_its_row(self) -> None:
        self.assertEqual([row[0] for row in table("families")[1:]], FAMILIES)
        self.assertEqual([row[0] for row in table("noise")[1:-1]], FAMILIES)
        self.assertEqual([row[0] for row in part("kernels", "kernel")], [f"{path.parent.name}/{path.stem}" for path in study.kernel_files()])

    def test_every_family_within_two_percent(self) -> None:
        for name in ("families", "volta"):
            with self.subTest(name):
                self.assertEqual({family for family, cells in costs(name).items() if cells[-1] > SLOWER}, set())

    def test_no_kernel_loses_more_and_no_policy_is_faster_in_the_mean(self) -> None:
        found = summary()
        mean, worst, slower = found.pop("scout")
        self.assertEqual(slower, 0)
        self.assertGreaterEqual(worst, 100 - SLOWER)
        self.assertTrue(all(other[0] < mean for name, other in found.items() if name != "best" and ":" not in name), found)

    def test_levels_of_a_kernel_are_measured_again(self) -> None:
        path = Path("sim/kernels/equalizer/lavaMD-1.kernel")
        with tempfile.TemporaryDirectory() as work:
            found = study.Lab(BALLAST, [SCOUT], 10, Path(work)).levels(path)
        again = [f"{cell:.1f}" for one in study.all_three(found) for cell in one]
        self.assertEqual(next(row for row in part("vf", "kernel") if row[0] == "equalizer/lavaMD-1"), ["equalizer/lavaMD-1", *again])

    def test_levels_every_kernel_has_its_row_and_the_means_are_theirs(self) -> None:
        rows = part("vf", "kernel")
        self.assertEqual([row[0] for row in rows], [f"{path.parent.name}/{path.stem}" for path in study.kernel_files()])
        mean = next(row for row in table("vf") if row[:2] == ["mean,", "all"])
        for column, cell in enumerate(mean[2:], 1):
            self.assertAlmostEqual(float(cell), study.geometric([float(row[column]) for row in rows]), delta=0.11)

    def test_levels_mean_and_worst_product_are_lower_than_equalizers(self) -> None:
        for name in ("mean, perfsat", "mean, equalizer", "mean, lcs", "mean, all", "worst"):
            words = name.split()
            cells = [float(cell) for cell in next(row for row in table("vf") if row[:len(words)] == words)[len(words):]]
            if name != "worst":  # the page names the kernel
                self.assertLess(cells[5], cells[2], name)
            self.assertLess(cells[11], cells[8], name)

    def test_variants_first_row_is_that_of_the_other_tables(self) -> None:
        own, speed = [cells[-1] for cells in costs("families").values()], summary()
        rows = {row[0]: row[1:] for row in table("variants")[1:]}
        self.assertEqual(table("variants")[1][:6], ["as", "it", "is", f"{max(own):.1f}", str(variants.beyond(own)), "of"])
        self.assertEqual(table("variants")[1][-5:], [f"{speed['scout'][0]:.1f}", f"{speed['scout'][1]:.1f}", "0", "0", "-"])
        self.assertEqual(float(rows["doubt=0"][7]), speed["scout:doubt=0"][0])

    def test_a_set_of_parameters_is_measured_again(self) -> None:
        own = variants.family_costs(BALLAST, [SCOUT, f"{SCOUT}:settle=1,doubt=0"], Path("vectors/MANIFEST.csv"))[1]
        row = next(row for row in table("variants") if row[0] == "settle=1,doubt=0")
        self.assertEqual(row[1:5], [f"{max(own):.1f}", str(variants.beyond(own)), "of", str(len(FAMILIES))])

    def test_a_kernel_is_measured_again_with_other_parameters(self) -> None:
        path = Path("sim/kernels/lcs/MADD.kernel")
        found = variants.kernel_speeds(BALLAST, [SCOUT, f"{SCOUT}:settle=1"], [path], 10)
        self.assertEqual(list(found), ["lcs/MADD"])
        self.assertEqual(f"{found['lcs/MADD'][0]:.1f}", next(row for row in part("kernels", "kernel") if row[0] == "lcs/MADD")[-2])
        self.assertNotEqual(*found["lcs/MADD"])

    def test_no_parameters_reach_every_family_without_a_slower_kernel(self) -> None:
        reached = [row for row in table("variants")[2:] if row[2] == "0"]
        self.assertGreater(len(reached), 0)
        self.assertTrue(all(int(row[-3 - (row[-1] != "-")]) > 0 for row in reached), reached)

    def test_chance_has_the_speeds_of_the_other_table(self) -> None:
        speeds = {row[0]: row[-2] for row in part("kernels", "kernel")}
        rows = part("chance", "kernel")
        self.assertGreater(len(rows), 0)
        for name, own, low, high in rows:
            self.assertEqual(own, speeds[name], name)
            self.assertLessEqual(float(low), float(high), name)
        mean = next(row for row in table("chance") if row[:2] == ["mean", "of"])
        self.assertEqual(mean[3], f"{summary()['scout'][0]:.1f}")

    def test_a_search_that_begins_otherwise_is_measured_again(self) -> None:
        begun = [SCOUT, f"{SCOUT}:warmup=5"]
        own, other = variants.kernel_speeds(BALLAST, begun, [Path("sim/kernels/lcs/LBM.kernel")], 10)["lcs/LBM"]
        _, said, low, high = next(row for row in part("chance", "kernel") if row[0] == "lcs/LBM")
        self.assertEqual(said, f"{own:.1f}")
        self.assertNotEqual(own, other)
        self.assertTrue(float(low) <= round(other, 1) <= float(high), other)

    def test_the_best_limit_is_the_fastest_of_all(self) -> None:
        self.assertEqual(max(summary().values())[0], summary()["best"][0])


class Variants(unittest.TestCase):
    def test_a_row(self) -> None:
        row = variants.row("x=1", [0.0, 2.0, 2.1], [2.1, 0.0, 3.0, 1.0], [99.0, 110.0, 120.0, 98.0], {"a": 101.5, "b": 108.5, "c": 121.0, "d": 98.0})
        self.assertEqual(row.split(), "x=1 2.1 1 of 3 2 of 4 106.8 98.0 1 1 -2.5 (a)".split())

    def test_a_row_that_is_as_fast(self) -> None:
        row = variants.row("x=1", [0.0], [0.0], [99.0, 98.0], {"a": 100.0, "b": 97.0})
        self.assertEqual(row.split(), "x=1 0.0 0 of 1 0 of 1 98.5 98.0 0 0 -".split())

    def test_chance(self) -> None:
        lines = variants.chance({"b": [100.0, 99.0, 102.0], "a": [100.0, 100.9, 100.0], "c": [110.0, 108.0, 109.0]})
        self.assertEqual([line.split() for line in lines],
                         [["kernel", "as", "it", "is", "lowest", "highest"], ["b", "100.0", "99.0", "102.0"], ["c", "110.0", "108.0", "109.0"], [],
                          ["mean", "of", "3", "103.3", "102.6", "103.7"]])

    def test_options_follow_the_first_ones(self) -> None:
        self.assertEqual([variants.with_option(one, "c=3") for one in ("x.so", "x.so:a=1,b=2")], ["x.so:c=3", "x.so:a=1,b=2,c=3"])
        self.assertEqual([variants.parameters_of(one) for one in ("x.so", "x.so:a=1,b=2")], ["as it is", "a=1,b=2"])


class Wrong(unittest.TestCase):
    def fails(self, *words: str) -> str:
        done = subprocess.run([sys.executable, "sim/studies/search_policies.py", *words], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_a_kernel_that_does_not_exist(self) -> None:
        self.assertIn("no kernel 'nowhere.kernel'", self.fails("kernels", BALLAST, SCOUT, "--kernels", "nowhere.kernel"))

    def test_an_object_that_does_not_exist(self) -> None:
        self.assertIn("nowhere.so", self.fails("kernels", BALLAST, "./nowhere.so", "--kernels", "sim/kernels/lcs/BLK.kernel"))

    def test_options_that_the_block_does_not_have(self) -> None:
        for wrong in ("margin=8", "vf=2", "noise=51", "slice=1000", "window=", "back", "speed=2"):
            said = subprocess.run([BALLAST, "sim", "--policy", f"{SCOUT}:{wrong}", "sim/kernels/lcs/BLK.kernel"], capture_output=True, text=True,
                                  check=False)
            self.assertEqual((said.returncode, said.stdout), (3, ""), wrong)
            self.assertIn(f"'{wrong}' is no parameter of scout", said.stderr)

    def test_nothing_to_compare_with(self) -> None:
        done = subprocess.run([sys.executable, "sim/studies/search_variants.py", BALLAST, SCOUT], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("one to compare with it", done.stderr)

    def test_chance_of_two_objects(self) -> None:
        done = subprocess.run([sys.executable, "sim/studies/search_variants.py", BALLAST, SCOUT, SCOUT, "--begun"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--begun takes one object", done.stderr)

    def test_a_table_without_its_rows_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as work:
            fake = Path(work, "fake")
            fake.write_text("#!/bin/sh\necho 'x, SM 0: limits 1 to 8, the fewest: 2 (PS-E4)'\n")
            fake.chmod(0o755)
            with self.assertRaises(study.Failure), contextlib.redirect_stdout(io.StringIO()):
                study.family_table(str(fake), ["all", SCOUT], [Path("vectors/fma.n1.blt")], None)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
