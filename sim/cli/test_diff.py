# SPDX-License-Identifier: Apache-2.0
"""What `ballast diff` says of two runs: a run and a copy of it with planted changes. Each is found, with what was before and after, and
nothing else is.

  python3 sim/cli/test_diff.py BALLAST           all cases
  python3 sim/cli/test_diff.py BALLAST --page    and the example of doc/use/diff.md anew

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect
from refusals import BAD, USAGE

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import pages  # noqa: E402

SAME, CHANGED = 0, 1
PAGE, NAME = Path("doc/use/diff.md"), "example"
PROOFS: list[dict[str, object]] = [{"block": "lcs", "proof": "step", "status": "proved", "bound": "full size", "states": "invariant", "seconds": 12},
          {"block": "lcs", "proof": "LCS-2: 1 <= limit", "status": "proved", "bound": "full size", "states": "reset", "seconds": 1},
          {"block": "scout", "proof": "step", "status": "open", "bound": "full size", "states": "invariant", "seconds": 300}]
BUILT = {
    "area/area.csv":
        "config,block,parameters,flip_flops,cells,ge,area,lut4,ice40_flip_flops,ice40_carries,depth,ns,fo4,kind,start,end,verdict,why,library\n"
        "fermi,lcs,NumSlots=8,338,3062,4462,107084,933,338,25,25,3.88,39.1,reg-reg,a,b,same,,effort\n"
        "fermi,scout,NumSlots=8,143,2807,3530,84720,700,143,20,20,3.10,31.0,reg-reg,a,b,same,,effort\n",
    "formal/status.json": json.dumps({"tool": "a prover", "config": "fermi", "blocks": PROOFS}, indent=2) + "\n",
    "gates/fermi/gates.csv":
        "netlist,cells,flip_flops,register_bits,constant_bits,recording,cycles,lockstep,proof,proof_seconds\n"
        "lcs,3062,338,338,0,fma.n6,21590,pass,proved,7\n"
        "scout,2807,143,143,0,fma.n6,21590,pass,proved,4\n",
}
AREA, STATUS, GATES = (f"build/{name}" for name in BUILT)
LOG = "run/hotspot.dyncta.sm0.model.jsonl"
Change = tuple[str, str, str, str]
Edit = Callable[[Path], None]


# ---- what is planted ----------------------------------------------------------------------------------

def text(file: str, old: str, new: str) -> Edit:
    """In the first place where it stands."""
    def edit(root: Path) -> None:
        was = (root / file).read_text()
        expect(old in was, f"'{old}' is not in {file}")
        (root / file).write_text(was.replace(old, new, 1))
    return edit


def cell(file: str, key: str, column: str, new: str) -> Edit:
    """Of the row that begins with `key`."""
    def edit(root: Path) -> None:
        with (root / file).open(newline="") as table:
            rows = list(csv.reader(table))
        found = [row for row in rows if ",".join(row).startswith(key)]
        expect(len(found) == 1, f"{len(found)} rows '{key}' in {file}")
        found[0][rows[0].index(column)] = new
        with (root / file).open("w", newline="") as table:
            csv.writer(table, lineterminator="\n").writerows(rows)
    return edit


def without(file: str, begin: str) -> Edit:
    """Lines that begin so."""
    def edit(root: Path) -> None:
        lines = (root / file).read_text().splitlines(keepends=True)
        (root / file).write_text("".join(line for line in lines if not line.startswith(begin)))
        expect((root / file).read_text() != "".join(lines), f"no line '{begin}' in {file}")
    return edit


def line(file: str, number: int, new: str | None = None) -> Edit:
    """Line `number`, from 0, becomes another or goes."""
    def edit(root: Path) -> None:
        lines = (root / file).read_text().splitlines(keepends=True)
        lines[number:number + 1] = [] if new is None else [new]
        (root / file).write_text("".join(lines))
    return edit


def more(file: str, new: str) -> Edit:
    def edit(root: Path) -> None:
        with (root / file).open("a") as to:
            to.write(new)
    return edit


def gone(file: str) -> Edit:
    def edit(root: Path) -> None:
        (root / file).unlink()
    return edit


def without_column(file: str, column: str) -> Edit:
    def edit(root: Path) -> None:
        with (root / file).open(newline="") as table:
            rows = list(csv.DictReader(table))
        with (root / file).open("w", newline="") as table:
            to = csv.DictWriter(table, [name for name in rows[0] if name != column], extrasaction="ignore", lineterminator="\n")
            to.writeheader()
            to.writerows(rows)
    return edit


FIRST = '{"cycle":1,"where":"SM0","sm":0,"instance":"sm_governor","block":"sm_governor","rule":"DYN-1","event":"kernel_start",'
EXTRA = FIRST.replace("1,", "9,", 1) + '"inputs":{},"before":{},"after":{},"words":"one more"}\n'
SAMPLE = "@2049 SM0 DYN-2: sample 1: idle 1174 > 16, memory 229: limit 1 -> 2"
LAST = "@4097 SM0 DYN-2: sample 2: idle 757 > 16, memory 390: limit 2 -> 3"

# Name: what is planted in the second run, and what is said of it.
PLANTED: dict[str, tuple[Edit, list[Change]]] = {
    "a verdict": (cell("run/verdicts.csv", "hotspot.n2,open,1", "verdict", "MISMATCH"),
                  [("verdict", "hotspot.n2 open SM 1: verdict", "pass", "MISMATCH")]),
    "a number beside a verdict": (cell("run/verdicts.csv", "hotspot.n2,open,1", "cycles", "3999"),
                                  [("verdict", "hotspot.n2 open SM 1: cycles", "4200", "3999")]),
    "the last column of a verdict": (cell("run/verdicts.csv", "hotspot.n2,open,1", "why", "a, \"b\""),
                                     [("verdict", "hotspot.n2 open SM 1: why", "", 'a, "b"')]),
    "a verdict gone": (without("run/verdicts.csv", "hotspot.n8,open,0"), [("verdict", "hotspot.n8 open SM 0", "verdict pass", "gone")]),
    "a verdict added": (more("run/verdicts.csv", "fma.n1,open,0,12-blocks,1,1,pass,3,0,\n"),
                        [("verdict", "fma.n1 open SM 0", "none", "added: verdict pass")]),
    "two rows of one name": (more("run/verdicts.csv", "hotspot.n8,open,0,12-blocks,1,1,pass,3,0,\n"),
                             [("verdict", "hotspot.n8 open SM 0", "none", "added: verdict pass")]),
    "a limit": (cell("run/policies.csv", "hotspot", "perfsat_limit", "3"), [("choice", "hotspot: perfsat_limit", "2", "3")]),
    "a speed": (cell("run/policies.csv", "hotspot", "lcs_percent", "100.1"), [("choice", "hotspot: lcs_percent", "100.0", "100.1")]),
    "a cycle of a search": (cell("run/policies.csv", "hotspot", "scout_cycle", "3"), [("choice", "hotspot: scout_cycle", "2", "3")]),
    "the same number otherwise written": (cell("run/policies.csv", "hotspot", "lcs_percent", "100.00"),
                                          [("choice", "hotspot: lcs_percent", "100.0", "100.00")]),
    "a column gone": (without_column("run/policies.csv", "scout_settled"),
                      [("choice", "policies.csv: column scout_settled", "there", "gone")]),
    "moves of a replay": (cell("run/runs.csv", "hotspot,dyncta", "moves", "5"), [("replay", "hotspot dyncta: moves", "2", "5")]),
    "a kernel's words": (cell("run/kernels.csv", "hotspot", "words", "other"), [("run", "hotspot: words", "h", "other")]),
    "a cost": (cell("run/regret.csv", "hotspot,perfsat", "cost", "24.0"), [("regret", "hotspot perfsat: cost", "23.0", "24.0")]),
    "a stall": (cell("run/stalls.csv", "hotspot,2", "idle", "2149"), [("stall", "hotspot limit 2: idle", "2148", "2149")]),
    "a prediction": (cell("run/model.csv", "hotspot,2", "model_ipc", "1.3"), [("prediction", "hotspot limit 2: model_ipc", "1.3588", "1.3")]),
    "predictions gone": (gone("run/model.csv"), [("prediction", "model.csv", "3 rows", "gone")]),
    "another manifest": (text("run/run.json", "small.csv", "other.csv"), [("run", "run.json: manifest", "small.csv", "other.csv")]),
    "another speed": (text("run/run.json", '"seconds": 1', '"seconds": 2'), []),
    "another commit": (text("run/run.json", "01234567", "76543210"), []),
    "other sources": (text("run/run.json", "0123456789ab", "ba9876543210"), []),
    "proofs of another time, commit and sources": (text(STATUS, '"config"', '"finished": "2026", "commit": "0", "sources": {"lcs": "0"}, "config"'), []),
    "another time": (text("run/run.json", "2026-01-05", "2026-01-06"), []),
    "a decision removed": (line(LOG, 1), [("decision", "hotspot.dyncta.sm0: decisions", "3", "2"),
                                          ("decision", "hotspot.dyncta.sm0: decision 2", SAMPLE, LAST)]),
    "the last decision removed": (line(LOG, 2), [("decision", "hotspot.dyncta.sm0: decisions", "3", "2"),
                                                 ("decision", "hotspot.dyncta.sm0: decision 3", LAST, "none")]),
    "a decision added": (more(LOG, EXTRA), [("decision", "hotspot.dyncta.sm0: decisions", "3", "4"),
                                            ("decision", "hotspot.dyncta.sm0: decision 4", "none", "@9 SM0 DYN-1: one more")]),
    "a decision changed": (text(LOG, "limit 1 -> 2", "limit 1 -> 3"),
                           [("decision", "hotspot.dyncta.sm0: decision 2", SAMPLE, SAMPLE.replace("-> 2", "-> 3"))]),
    "a log gone": (gone(LOG), [("decision", "hotspot.dyncta.sm0", "3 decisions", "gone")]),
    "an empty log": (lambda root: (root / LOG).write_text(""),
                     [("decision", "hotspot.dyncta.sm0: decisions", "3", "0"),
                      ("decision", "hotspot.dyncta.sm0: decision 1", "@1 SM0 DYN-1: kernel start: dyncta, Nmax 3", "none")]),
    "an area": (cell(AREA, "fermi,lcs", "ge", "4463"), [("area", "fermi lcs: ge", "4462", "4463")]),
    "parameters of an area": (cell(AREA, "fermi,lcs", "parameters", "NumSlots=9"), [("area", "fermi lcs: parameters", "NumSlots=8", "NumSlots=9")]),
    "a row of area gone": (without(AREA, "fermi,scout"), [("area", "fermi scout", "ge 3530", "gone")]),
    "no area": (gone(AREA), [("area", "area/area.csv", "2 rows", "gone")]),
    "a proof that is open now": (text(STATUS, '"proved"', '"open"'), [("proof", "lcs step: status", "proved", "open")]),
    "the bound of a proof": (text(STATUS, "full size", "8 warps"), [("proof", "lcs step: bound", "full size", "8 warps")]),
    "seconds of a proof": (text(STATUS, '"seconds": 12', '"seconds": 13'), []),
    "another prover": (text(STATUS, "a prover", "provers"), [("proof", "formal/status.json: tool", "a prover", "provers")]),
    "a rule gone": (lambda root: (root / STATUS).write_text(json.dumps({"tool": "a prover", "config": "fermi", "blocks": [PROOFS[0], PROOFS[2]]}) + "\n"),
                    [("proof", "lcs LCS-2: 1 <= limit", "status proved", "gone")]),
    "no proofs": (gone(STATUS), [("proof", "formal/status.json", "3 rows", "gone")]),
    "a netlist": (cell(GATES, "scout", "proof", "open"), [("netlist", "scout: proof", "proved", "open")]),
    "seconds of a netlist": (cell(GATES, "scout", "proof_seconds", "5"), []),
    "no netlists": (gone(GATES), [("netlist", "gates/fermi/gates.csv", "2 rows", "gone")]),
    "rows in another order": (lambda root: (root / AREA).write_text("".join(BUILT["area/area.csv"].splitlines(keepends=True)[i] for i in (0, 2, 1))), []),
}


# ---- the two runs -------------------------------------------------------------------------------------

class Runs:
    """before/run, before/build, and after/run, after/build, in the test's folder, from which the command is called."""

    def __init__(self, test: Planted, program: str):
        self.test, self.program = test, Path(program).resolve()
        self.before, self.after = test.work / "before", test.work / "after"
        ballast = Ballast(test, program)
        manifest = test.work / "small.csv"
        manifest.write_text("file,kernel,program\n" + "".join(f"hotspot.n{n}.blt,hotspot,h\n" for n in (1, 2, 8)))
        for n in (1, 2, 8):
            shutil.copy(f"vectors/hotspot.n{n}.blt", test.work)
        ballast.run("run --max-cycles 4200 --out {work}/before/run {work}/small.csv")
        expect(ballast.status == 0, f"no run: exit status {ballast.status}")
        for path in (self.before / "run").iterdir():
            if path.suffix not in (".csv", ".json") and not path.name.endswith(".model.jsonl"):
                path.unlink()  # waveforms and pictures: they are not compared, and copies of them take time
        head = self.before / "run/run.json"
        found = json.loads(head.read_text()) | {"finished": "2026-01-05 09:30 UTC", "manifest": "small.csv", "seconds": 1, "commit": "01234567", "sources": "0123456789ab"}
        head.write_text(json.dumps(found, indent=1) + "\n")
        for name, content in BUILT.items():
            path = self.before / "build" / name
            path.parent.mkdir(parents=True)
            path.write_text(content)

    def plant(self, *edits: Edit) -> None:
        shutil.rmtree(self.after, ignore_errors=True)
        shutil.copytree(self.before, self.after)
        for edit in edits:
            edit(self.after)

    def diff(self, status: int, *words: object, first: str = "before", second: str = "after") -> None:
        self.test.command(status, self.program, "diff", "--build-a", f"{first}/build", "--build-b", f"{second}/build", *words,
                          f"{first}/run", f"{second}/run", cwd=self.test.work)

    def changes(self, status: int, first: str = "before", second: str = "after") -> list[Change]:
        """As the CSV file has them; the text says the same."""
        path = self.test.work / "changes.csv"
        path.unlink(missing_ok=True)
        self.diff(status, "--csv", path, first=first, second=second)
        with path.open(newline="") as file:
            head, *rows = csv.reader(file)
        expect(head == ["kind", "what", "before", "after"], f"columns {head}")
        for row in rows:
            expect(len(row) == 4 and all(value in self.test.said for value in row), f"{row} is not in the text")
        expect(re.search(rf"^{len(rows)} changes?(:|$)", self.test.said, re.M), f"the sum is not {len(rows)}")
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def refused(self, *what: str) -> None:
        """One line that has all this."""
        self.diff(BAD)
        self.test.one_line("^ballast: ")
        for word in what:
            expect(word in self.test.said, f"'{word}' is not in its line")


def back(change: Change) -> Change:
    """The same seen from the other side: what is gone was added."""
    kind, what, before, after = change
    if after == "gone" and before == "there":
        return kind, what, "none", "added"
    if after == "gone":
        return kind, what, "none", f"added: {before}"
    if before == "none" and after.startswith("added: "):
        return kind, what, after.removeprefix("added: "), "gone"
    return kind, what, after, before


# ---- cases --------------------------------------------------------------------------------------------

def planted(test: Planted, runs: Runs) -> None:
    with test.case("the same run: nothing has changed"):
        runs.plant()
        expect(runs.changes(SAME) == [], "something has")
        test.says(r"^before: before/run, finished 2026-01-05 09:30 UTC, of 01234567, area, proofs and netlists from before/build$")
        test.says(r"^compared: kernels 1, verdicts 15, .* decision logs 35, .* areas 2, proofs 3, netlists 2$")
    for name, (edit, wanted) in PLANTED.items():
        with test.case(f"planted: {name}"):
            runs.plant(edit)
            found = runs.changes(CHANGED if wanted else SAME)
            expect(found == wanted, f"it says {found}")
            turned = runs.changes(CHANGED if wanted else SAME, "after", "before")
            expect(sorted(turned) == sorted(map(back, wanted)), f"the other way round it says {turned}")
    with test.case("planted: a number that the words of a decision leave out"):
        runs.plant(text(LOG, '"idle":1174', '"idle":1175'))
        (kind, what, before, after), *others = runs.changes(CHANGED)
        expect((kind, what, others) == ("decision", "hotspot.dyncta.sm0: decision 2", []), f"{kind} {what} {others}")
        expect(json.loads(before)["inputs"]["idle"] == 1174 and json.loads(after)["inputs"]["idle"] == 1175, f"{before} {after}")
    with test.case("every field of every table counts, but for seconds and what is in two files"):
        every_field(runs)
    for field in ("status", "bound", "states"):
        with test.case(f"every proof counts: its {field}"):
            for i, proof in enumerate(PROOFS):
                rows = [one | {field: "0x"} if one is proof else one for one in PROOFS]
                runs.plant(lambda root, rows=rows: (root / STATUS).write_text(json.dumps({"tool": "a prover", "config": "fermi", "blocks": rows}) + "\n"))
                expect(runs.changes(CHANGED) == [("proof", f"{proof['block']} {proof['proof']}: {field}", PROOFS[i][field], "0x")], test.said)
    with test.case("a field that only the other proofs have"):
        runs.plant(text(STATUS, '"seconds": 12', '"text": "by parts", "seconds": 12'))
        expect(runs.changes(CHANGED) == [("proof", "formal/status.json: column text", "none", "added")], test.said)
    with test.case("two configurations of netlists, one of which only one build has"):
        runs.plant(lambda root: shutil.copytree(root / "build/gates/fermi", root / "build/gates/volta") and None)
        expect(runs.changes(CHANGED) == [("netlist", "gates/volta/gates.csv", "none", "added: 2 rows")], test.said)
    with test.case("folders whose names are patterns"):
        runs.plant(cell(GATES, "scout", "proof", "open"))
        shutil.copytree(runs.before, odd := test.work / "[b]*")
        shutil.copytree(runs.after, test.work / "[a]?")
        expect(runs.changes(CHANGED, "[b]*", "[a]?") == [("netlist", "scout: proof", "proved", "open")], test.said)
        shutil.rmtree(odd)
    with test.case("all at once: the sum counts by kind"):
        runs.plant(*EXAMPLE)
        expect(len(runs.changes(CHANGED)) == 10, test.said)
        test.says(r"^10 changes: 2 verdicts, 1 choice, 3 decisions, 1 regret, 1 area, 1 proof, 1 netlist$")


def every_field(runs: Runs) -> None:
    """One after the other, in the first row of each table."""
    left_out = {("gates/fermi/gates.csv", "proof_seconds"), *(("model.csv", name) for name in ("static", "perfsat", "lcs", "equalizer", "dyncta", "scout"))}
    keys = {"verdicts.csv": 3, "runs.csv": 2, "regret.csv": 2, "stalls.csv": 2, "model.csv": 2, "kernels.csv": 1, "policies.csv": 1,
            "area/area.csv": 2, "gates/fermi/gates.csv": 1}
    for name, num in keys.items():
        file = f"{'build' if '/' in name else 'run'}/{name}"
        with (runs.before / file).open(newline="") as table:
            head, first = next(rows := csv.reader(table)), next(rows)
        for at, column in enumerate(head):
            if name == "area/area.csv" and column == "block":
                continue
            key = (",".join(first[:num]) + ("," if num < len(first) else ""))
            runs.plant(cell(file, key, column, "0x"))
            status = SAME if (name, column) in left_out else CHANGED
            found = runs.changes(status)
            if at >= num and status == CHANGED:
                expect([change[1:] for change in found] == [(found[0][1], first[at], "0x")] and found[0][1].endswith(f": {column}"), f"{name} {column}: {found}")
            elif status == CHANGED:
                expect(len(found) == 2 and found[0][3] == "gone" and found[1][2] == "none", f"{name} {column}: {found}")


def refused(test: Planted, runs: Runs) -> None:
    damaged = {
        "no finished run": (gone("run/run.json"), ["after/run/run.json: there is no finished run", "'ballast run --out'"]),
        "run.json is no JSON": (lambda root: (root / "run/run.json").write_text("{\n"), ["after/run/run.json: no JSON object", "'make run'"]),
        "no verdicts": (gone("run/verdicts.csv"), ["after/run/verdicts.csv: No such file", "'make run'"]),
        "no policies of a run that has kernels": (gone("run/policies.csv"), ["after/run/policies.csv: No such file"]),
        "no costs": (gone("run/regret.csv"), ["after/run/regret.csv: No such file"]),
        "an empty table": (lambda root: (root / "run/stalls.csv").write_text(""), ["after/run/stalls.csv: it is empty"]),
        "a column of the key gone": (without_column("run/verdicts.csv", "mode"), ['after/run/verdicts.csv: line 1: no column "mode"']),
        "a column twice": (text("run/verdicts.csv", "cycles", "blocks"), ['after/run/verdicts.csv: line 1: column "blocks" is there twice']),
        "a field too few": (text("run/verdicts.csv", ",pass,3,0,\n", ",pass,3,0\n"), ["after/run/verdicts.csv: line 2: 9 fields, but 10 columns", "'make run'"]),
        "a table cut off": (lambda root: os.truncate(root / "run/regret.csv", (root / "run/regret.csv").stat().st_size - 2),
                            ["after/run/regret.csv: its last line is cut off"]),
        "a log cut off": (lambda root: os.truncate(root / LOG, (root / LOG).stat().st_size - 5), [f"after/{LOG}: its last line is cut off", "'make run'"]),
        "a log with a line that is no decision": (line(LOG, 1, '{"cycle":2}\n'), [f"after/{LOG}: line 2: no decision"]),
        "a log with half a record": (line(LOG, 2, FIRST + "\n"), [f"after/{LOG}: line 3: no decision"]),
        "a log with a zero byte": (more(LOG, "\0\n"), [f"after/{LOG}: it is no text"]),
        "a damaged log that only one has": (lambda root: (root / "run/x.model.jsonl").write_text("x\n"), ["after/run/x.model.jsonl: line 1: no decision"]),
        "a folder for a table": (lambda root: ((root / "run/stalls.csv").unlink(), (root / "run/stalls.csv").mkdir()) and None,
                                 ["after/run/stalls.csv: Is a directory"]),
        "a FIFO for a log": (lambda root: ((root / LOG).unlink(), os.mkfifo(root / LOG)) and None, [f"after/{LOG}: "]),
        "a FIFO for an optional table": (lambda root: ((root / AREA).unlink(), os.mkfifo(root / AREA)) and None, [f"after/{AREA}: ", "'make area'"]),
        "a link to nowhere": (lambda root: ((root / AREA).unlink(), (root / AREA).symlink_to("nowhere")) and None, [f"after/{AREA}: No such file"]),
        "a run that is not moved to its place yet": (lambda root: ((root / "run/unfinished").mkdir(), (root / "run/unfinished/.files").write_text("")) and None,
                                                     ["after/run: ", "ballast report --out after/run"]),
        "proofs without a list": (text(STATUS, '"blocks"', '"block"'), [f"after/{STATUS}: no JSON object with an array \"blocks\"", "'make formal'"]),
        "a proof without status": (text(STATUS, '"status"', '"state"'), [f"after/{STATUS}: a proof without block, proof or status"]),
        "a netlist with a field too many": (more(GATES, "x,1,1,1,1,1,1,1,1,1,1\n"), [f"after/{GATES}: line 4: 11 fields", "'make gates'"]),
        "netlists in a file": (lambda root: (shutil.rmtree(root / "build/gates"), (root / "build/gates").write_text("")) and None,
                               ["after/build/gates: Not a directory", "'make gates'"]),
        "no build": (lambda root: shutil.rmtree(root / "build"), ["after/build: ", "name the folder"]),
    }
    for name, (edit, what) in damaged.items():
        with test.case(f"damaged: {name}: one line"):
            runs.plant(edit)
            runs.refused(*what)


def usage(test: Planted, runs: Runs) -> None:
    runs.plant()
    for name, words, what in (("one run", ["before/run"], "two runs are compared, not 1"), ("three runs", ["before/run"] * 3, "not 3"),
                              ("one build", ["--build-a", "before/build", "before/run", "after/run"], "--build-a without --build-b"),
                              ("the other build", ["--build-b", "before/build", "before/run", "after/run"], "--build-b without --build-a")):
        with test.case(f"usage: {name}"):
            test.command(USAGE, runs.program, "diff", *words, cwd=test.work)
            test.one_line(what)
    with test.case("without builds: it says what is not compared"):
        runs.plant(gone(AREA), text(STATUS, '"proved"', '"open"'))
        test.command(SAME, runs.program, "diff", "before/run", "after/run", cwd=test.work)
        test.says("^area, proofs and netlists are not compared; --build-a and --build-b name their folders$")


def full_disk(test: Planted, runs: Runs) -> None:
    path = test.work / "full.csv"
    runs.plant(*EXAMPLE)
    with test.case("--csv /dev/full: one line, and no other word"):
        runs.diff(BAD, "--csv", "/dev/full")
        test.one_line("^ballast: /dev/full: cannot write ")
    with test.case("--csv on a full disk: the old file stays, whole"):
        path.write_text("of last time\n")
        test.command(BAD, sys.executable, "-c", "import os, resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\nos.execv(sys.argv[1], sys.argv[1:])",
                     runs.program, "diff", "--csv", path, "before/run", "after/run", cwd=test.work)
        test.one_line(f"^ballast: {path}: cannot write ")
        expect(path.read_text() == "of last time\n" and not list(test.work.glob("*.tmp")), "another file")
    with test.case("--csv: the file is replaced also where nothing has changed"):
        runs.plant()
        runs.diff(SAME, "--csv", path)
        expect(path.read_text() == "kind,what,before,after\n", path.read_text())
    with test.case("a run that may only be read is compared, and nothing is written into it"):
        files = {one: one.stat().st_mtime_ns for one in runs.after.rglob("*")}
        runs.diff(SAME)
        expect({one: one.stat().st_mtime_ns for one in runs.after.rglob("*")} == files, "another file")


# ---- the page -----------------------------------------------------------------------------------------

EXAMPLE = [text("run/run.json", "2026-01-05", "2026-01-06"), text("run/run.json", "01234567", "89abcdef"), cell("run/verdicts.csv", "hotspot.n2,open,1", "verdict", "MISMATCH"),
           without("run/verdicts.csv", "hotspot.n8,open,0"), cell("run/policies.csv", "hotspot", "perfsat_limit", "3"), line(LOG, 1),
           gone("run/hotspot.n1.sm1.model.jsonl"), cell("run/regret.csv", "hotspot,perfsat", "cost", "24.0"),
           cell(AREA, "fermi,lcs", "ge", "4550"), text(STATUS, '"proved"', '"open"'), cell(GATES, "scout", "lockstep", "fail")]


def page(test: Planted, runs: Runs) -> None:
    runs.plant(*EXAMPLE)
    runs.diff(CHANGED, "--csv", "changes.csv")
    command = "ballast diff --build-a before/build --build-b after/build --csv changes.csv before/run after/run"
    said = [f"    {one}".rstrip() for one in (f"$ {command}", *test.said.splitlines())]
    if "--page" in sys.argv:
        pages.write(PAGE, said, "python3 sim/cli/test_diff.py build/fermi/ballast --page", NAME)
    with test.case(f"{PAGE} shows what the command says"):
        expect(pages.lines(PAGE, NAME) == said, "another example; 'python3 sim/cli/test_diff.py build/fermi/ballast --page' writes it")


def main() -> int:
    with Planted("", sys.argv[1]) as test:
        runs = Runs(test, sys.argv[1])
        for part in (planted, refused, usage, full_disk, page):
            part(test, runs)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
