# SPDX-License-Identifier: Apache-2.0
"""test_trend.py BALLAST: a small run and copies of it with planted numbers, put side by side. Run from the repository root."""
from __future__ import annotations

import csv
import html
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from planted import Planted, expect  # noqa: E402

POLICIES = ("oracle", "static", "perfsat", "lcs", "equalizer", "dyncta", "scout")
EVIDENCE = ("item,state,finished,commit,words,page,got,of\nlockstep,current,,,,,9,9\nproofs,current,,,,,90,100\nmutation,stale,,,,,8,9\n"
            "coverage,unknown,,,,,7,9\narea_ge,current,,,,,123456,12\n")
# Name, when it finished, commit, seconds, evidence: not in the order of their dates.
RUNS = (("c", "2026-03-01 10:00 UTC", "cccccccc", 2.5, EVIDENCE), ("a", "2026-01-01 10:00 UTC", "aaaaaaaa", 10.0, EVIDENCE.replace("90,100", "95,100")),
        ("b", "2026-02-01 10:00 UTC", "", 0, ""))


class Trend:
    def __init__(self, test: Planted, ballast: str):
        self.test, self.ballast, self.runs = test, str(Path(ballast).resolve()), test.work / "runs"
        manifest, one = test.work / "small.csv", test.out
        manifest.write_text("file,kernel,program\n" + "".join(f"{'../' * 9}{Path('vectors').resolve()}/hotspot.n{n}.blt,{kernel},\n"
                                                              for kernel in ("hotspot", "other") for n in (1, 2, 8)))
        test.command(0, ballast, "run", "--max-cycles", 20000, "--out", one, manifest)
        for at, (name, finished, commit, seconds, evidence) in enumerate(RUNS):
            run = self.runs / name
            run.mkdir(parents=True)
            for file in ("verdicts.csv", "regret.csv"):
                shutil.copy(one / file, run)
            head = json.loads((one / "run.json").read_text()) | {"finished": finished, "commit": commit, "seconds": seconds}
            if not seconds:
                head.pop("seconds")
            (run / "run.json").write_text(json.dumps(head) + "\n")
            if evidence:
                (run / "evidence.csv").write_text(evidence)
            rows = (run / "regret.csv").read_text().splitlines()  # each run and each kernel has other costs
            (run / "regret.csv").write_text("".join(f"{row.rpartition(',')[0]},{7.5 * at + 3.25 * n:.2f}\n" if n else f"{row}\n" for n, row in enumerate(rows)))
        verdicts = (self.runs / "a/verdicts.csv").read_text()
        (self.runs / "a/verdicts.csv").write_text(verdicts.replace(",pass,", ",MISMATCH,", 2))

    def look(self, *paths: object, status: int = 0) -> list[dict[str, str]]:
        """As CSV; the table and the page say the same."""
        for name in ("x.csv", "x.html"):
            (self.test.work / name).unlink(missing_ok=True)
        self.test.command(status, self.ballast, "trend", "--csv", "x.csv", "--html", "x.html", *(paths or ("runs",)), cwd=self.test.work)
        if status:
            expect(not (self.test.work / "x.csv").exists() and not (self.test.work / "x.html").exists(), "a table of half the runs")
            return []
        with (self.test.work / "x.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def page(self) -> str:
        return (self.test.work / "x.html").read_text()

    def shown(self) -> list[list[str]]:
        """The rows of the page's table."""
        table = self.page().partition("<tbody>")[2].partition("</tbody>")[0]
        return [[html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in table.split("</tr>")[:-1]]


def wanted(trend: Trend, name: str) -> dict[str, str]:
    """The row of a run by other means."""
    _, finished, commit, seconds, evidence = next(run for run in RUNS if run[0] == name)
    with (trend.runs / name / "verdicts.csv").open() as file:
        verdicts = list(csv.DictReader(file))
    row = {"run": f"runs/{name}", "finished": finished, "commit": commit, "equal": str(sum(one["verdict"] == "pass" for one in verdicts)),
           "replays": str(len(verdicts)), "mcycles_per_s": f"{sum(int(one['cycles']) for one in verdicts) / seconds / 1e6:.3f}" if seconds else "",
           "not_current": "mutants coverage" if evidence else ""}
    found = {one["item"]: one for one in csv.DictReader(evidence.splitlines())}
    for item, got, of in (("proofs", "proved", "proofs"), ("mutation", "killed", "mutants"), ("coverage", "reached", "points"), ("area_ge", "ge", "sizes")):
        row |= {got: found[item]["got"] if found else "", of: found[item]["of"] if found else ""}
    with (trend.runs / name / "regret.csv").open() as file:
        costs = list(csv.DictReader(file))
    for policy in POLICIES:
        own = [float(one["cost"]) for one in costs if one["policy"] == policy]
        row |= {f"{policy}_mean": f"{sum(own) / len(own):.2f}", f"{policy}_worst": f"{max(own):.1f}"}
    return row


def close(one: str, other: str) -> bool:
    """A digit that is rounded may be the next one."""
    try:
        return abs(float(one) - float(other)) < 0.06
    except ValueError:
        return one == other


def sound(test: Planted, trend: Trend) -> None:
    with test.case("the runs of a folder by their dates, each number by other means"):
        rows = trend.look()
        expect([row["run"] for row in rows] == ["runs/a", "runs/b", "runs/c"], f"{[row['run'] for row in rows]}")
        for row in rows:
            other = wanted(trend, row["run"][-1])
            wrong = {key: (row.get(key), value) for key, value in other.items() if not close(row.get(key, "nothing"), value)}
            expect(not wrong and set(row) == set(other), f"{row['run']}: {wrong} {set(row) ^ set(other)}")
    with test.case("the table for readers: what is not there is -, and named"):
        trend.look()
        total = wanted(trend, "a")["replays"]
        test.says(rf"^runs/a +2026-01-01 10:00 UTC +aaaaaaaa +{int(total) - 2}/{total} +95/100 +8/9\* +7/9\* +123456 in 12 ")
        test.says(rf"^runs/b +2026-02-01 10:00 UTC +- +{total}/{total} +- +- +- +- +- ")
        test.says("^runs/b does not have: commit, proofs, mutants, coverage, area, speed$")
        expect("runs/a does not" not in test.said and "runs/c does not" not in test.said, "another run lacks something")
    with test.case("the page: the same rows, the same words, nothing from elsewhere"):
        rows, shown, page = trend.look(), trend.shown(), trend.page()
        expect([row[1:3] for row in shown] == [[row["run"], row["finished"]] for row in rows], f"{shown}")
        for row, line in zip(rows, shown, strict=True):
            costs = [f"{float(row[f'{policy}_mean']):.1f}/{float(row[f'{policy}_worst']):.1f}" for policy in POLICIES]
            expect(all(close(*pair) for one, other in zip(line[10:], costs, strict=True) for pair in zip(one.split("/"), other.split("/"), strict=True)), f"{line}")
            expect(line[4] == f"{row['equal']}/{row['replays']}" and (row["proved"] == "") == (line[5] == "-"), f"{line}")
        expect("runs/b does not have: commit, proofs" in page and "<script" not in page and not re.search(r"(src|href)=\"(?!#)", page), "it is not whole")
        expect(page.count("<circle") == len(POLICIES) * len(rows), f"{page.count('<circle')} points in the picture")
    with test.case("runs one by one, and one twice"):
        rows = trend.look("runs/c", "runs/a", "runs/c")
        expect([row["run"] for row in rows] == ["runs/a", "runs/c", "runs/c"], f"{rows}")
    with test.case("the picture has the means: higher costs are higher up"):
        trend.look()
        dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', trend.page())[:3]  # of one policy
        expect(sorted(dots, key=lambda dot: float(dot[0])) == dots, f"{dots}")
        means = [float(wanted(trend, name)["oracle_mean"]) for name in "abc"]
        heights = [-float(dot[1]) for dot in dots]
        slope = (heights[1] - heights[0]) / (means[1] - means[0])
        expect(slope > 0 and abs((heights[2] - heights[0]) / (means[2] - means[0]) - slope) < 0.05 * slope, f"{heights} of {means}")


DAMAGED = {
    "no verdicts": ("a/verdicts.csv", None, "runs/a/verdicts.csv: No such file"),
    "no costs": ("b/regret.csv", None, "runs/b/regret.csv: No such file"),
    "a table cut off": ("c/regret.csv", lambda text: text[:-3], "runs/c/regret.csv: its last line is cut off"),
    "a cost that is no number": ("a/regret.csv", lambda text: text.replace(",3.25", ",many", 1) if ",3.25" in text else re.sub(r",[\d.]+\n", ",many\n", text, count=1),
                                 "runs/a/regret.csv: a cost that is no number"),
    "cycles that are no number": ("a/verdicts.csv", lambda text: re.sub(r"blocks,\d+,", "blocks,-1,", text, count=1), "runs/a/verdicts.csv: cycles that are no number"),
    "evidence without counts": ("c/evidence.csv", lambda text: text.replace("90,100", "90,", 1), "runs/c/evidence.csv: counts that are no numbers"),
    "evidence of another form": ("c/evidence.csv", lambda text: text.replace("got", "had", 1), 'runs/c/evidence.csv: line 1: no column "got"'),
    "run.json is no JSON": ("b/run.json", lambda text: "{\n", "runs/b/run.json: no JSON object"),
}


def damaged(test: Planted, trend: Trend) -> None:
    for name, (file, change, line) in DAMAGED.items():
        with test.case(f"damaged: {name}: one line"):
            path = trend.runs / file
            kept = path.read_text()
            if change is None:
                path.unlink()
            else:
                path.write_text(change(kept))
                expect(path.read_text() != kept, "nothing was changed")
            try:
                trend.look(status=3)
                test.one_line(re.escape(line))
            finally:
                path.write_text(kept)


def unwritten(test: Planted, trend: Trend) -> None:
    for option in ("--csv", "--html"):
        with test.case(f"{option} where nothing can be written: one line"):
            test.command(3, trend.ballast, "trend", option, "/nowhere/x", trend.runs)
            test.one_line(f"/nowhere/x: cannot write .*{option}")


def main() -> int:
    with Planted("", "") as test:
        trend = Trend(test, sys.argv[1])
        for part in (sound, damaged, unwritten):
            part(test, trend)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
