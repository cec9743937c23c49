# SPDX-License-Identifier: Apache-2.0
"""What evidence.py says of results whose sources have changed, in a copy of the repository's sources with a git of its own. Run from the repository
root."""
from __future__ import annotations

import csv
import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tb/flow"), str(ROOT / "tb/formal")]
import evidence  # noqa: E402
import subject  # noqa: E402
from blocks import blocks  # noqa: E402
from planted import Planted, expect  # noqa: E402

FOLDERS = ("rtl", "cmodel", "tb/blocks", "tb/flow", "tb/formal", "sim/report", "doc/verification")
BASELINE = "synth_scripts/area/area_baseline.json"
RTL, MODEL, TEST = "rtl/sm/lcs.sv", "cmodel/sm/lcs.c", "tb/blocks/lcs/test_lcs.c"
GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"]
Items = dict[str, dict[str, str]]


class Copy:
    """A repository in which sources may be changed, a run and a build."""

    def __init__(self, test: Planted):
        self.test, self.root = test, test.work / "copy"
        self.run, self.build, self.recording = test.work / "run", test.work / "built", test.work / "x.blt"
        for name in FOLDERS:
            shutil.copytree(name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        (self.root / BASELINE).parent.mkdir(parents=True)
        shutil.copy(BASELINE, self.root / BASELINE)
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
            test.command(0, *GIT, *words, cwd=self.root)
        self.recording.write_bytes(b"recorded")
        self.keep = {name: (self.root / name).read_text() for name in (RTL, MODEL, TEST, BASELINE)}

    def put(self, file: Path, found: object) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found if isinstance(found, str) else json.dumps(found))

    def results(self) -> None:
        """As the flows leave them, all of the sources that are there."""
        lcs, of = blocks()["lcs"], {"finished": "2026-01-05 09:30 UTC", "commit": "01234567"}
        row = {"block": "lcs", "of": "lcs", "proof": "step", "status": "proved"}
        for folder in (self.run, self.build):
            shutil.rmtree(folder, ignore_errors=True)
        self.put(self.run / "run.json", of | {"sources": subject.digest_replayed()})
        self.put(self.run / "verdicts.csv", "recording,verdict\na,pass\nb,pass\nc,MISMATCH\n")
        self.put(self.run / "recordings.csv", f"recording,sha256\n{self.recording},{hashlib.sha256(b'recorded').hexdigest()}\n")
        self.put(self.build / "formal/status.json", of | {"sources": {"lcs": subject.digest.__wrapped__(lcs)}, "blocks": [row, row | {"status": "open"}]})
        self.put(self.build / "mutate/status.json", of | {"sources": {"lcs": subject.digest_measured(lcs)}, "blocks": [
            {"block": "lcs", "killed": 9, "survived": 1}]})
        figure = {"whole": {"hit": 3, "total": 4}}
        self.put(self.build / "cover/status.json", of | {"sources": {"lcs": subject.digest_measured(lcs)}, "blocks": [
            {"block": "lcs", "line": figure, "functional": figure}, {"block": "warp_sum", "line": figure, "functional": figure}]})
        rows = [row | {"verdict": "same"} for row in json.loads(self.keep[BASELINE])["rows"] if row["block"] == "lcs"]
        self.put(self.build / "area/area.json", of | {"rows": rows})

    def edit(self, name: str, change: Callable[[dict], object]) -> None:
        file = (self.run if name == "run.json" else self.build) / name
        found = json.loads(file.read_text())
        change(found)
        file.write_text(json.dumps(found))

    def look(self) -> Items:
        self.test.command(0, sys.executable, self.root / "sim/report/evidence.py", self.run, self.build)
        expect(not self.test.said, self.test.said)
        with (self.run / "evidence.csv").open(newline="", encoding="utf-8") as file:
            return {row["item"]: row for row in csv.DictReader(file)}

    def restore(self) -> None:
        for name, text in self.keep.items():
            (self.root / name).write_text(text)
        self.recording.write_bytes(b"recorded")
        self.results()


def states(items: Items) -> str:
    """ "lockstep current, proofs stale" of those that are not `current`."""
    return ", ".join(f"{name} {row['state']}" for name, row in items.items() if row["state"] != "current")


def replace(name: str, old: str, new: str) -> Callable[[Copy], None]:
    def edit(copy: Copy) -> None:
        text = (copy.root / name).read_text()
        expect(old in text, f"'{old}' is not in {name}")
        (copy.root / name).write_text(text.replace(old, new, 1))
    return edit


def rewritten(name: str, change: Callable[[dict], object]) -> Callable[[Copy], None]:
    return lambda copy: copy.edit(name, change)


# What is changed behind the results; what is not current then.
PLANTED: dict[str, tuple[Callable[[Copy], object], str]] = {
    "nothing": (lambda copy: None, ""),
    "a comment": (replace(RTL, "endmodule", "// said otherwise\nendmodule"), ""),
    "RTL": (replace(RTL, "endmodule", "logic unused_x;\nendmodule"), "lockstep stale, proofs stale, mutation stale, coverage stale, area_ge stale"),
    "a reference model": (replace(MODEL, "return", "return 1 ?"), "lockstep stale, proofs stale, mutation stale, coverage stale"),
    "a test of the block": (replace(TEST, "#include", "#define OTHER\n#include"), "mutation stale, coverage stale"),
    "RTL of another block": (lambda copy: (copy.root / "rtl/sm/dyncta.sv").open("a").write("`define X\n"), "lockstep stale"),
    "a recording": (lambda copy: copy.recording.write_bytes(b"another"), "lockstep stale"),
    "a recording gone": (lambda copy: copy.recording.unlink(), "lockstep unknown"),
    "a run that does not say of which sources it is": (rewritten("run.json", lambda one: one.pop("sources")), "lockstep unknown"),
    "a run that does not say which recordings it had": (lambda copy: (copy.run / "recordings.csv").unlink(), "lockstep unknown"),
    "proofs without sums": (rewritten("formal/status.json", lambda one: one.pop("sources")), "proofs unknown"),
    "proofs with a sum of something else": (rewritten("formal/status.json", lambda one: one.update(sources={"lcs": 7})), "proofs unknown"),
    "a proof of a block that is gone": (rewritten("formal/status.json", lambda one: (one["blocks"][0].update(of="gone"), one["sources"].update(gone="0"))),
                                        "proofs stale"),
    "mutants without the sum of one block": (rewritten("mutate/status.json", lambda one: one["blocks"].append({"block": "scout", "killed": 1, "survived": 0})),
                                             "mutation unknown"),
    "coverage without sums": (rewritten("cover/status.json", lambda one: one.update(sources={})), "coverage unknown"),
    "a size without its sum": (rewritten("area/area.json", lambda one: one["rows"][0].pop("sources")), "area_ge unknown"),
    "a damaged file": (lambda copy: (copy.build / "area/area.json").write_text("{"), "area_ge unknown"),
    "a file of another form": (lambda copy: (copy.build / "mutate/status.json").write_text('{"blocks": [{"block": 1}]}'), "mutation unknown"),
}


def planted(test: Planted, copy: Copy) -> None:
    for name, (edit, wanted) in PLANTED.items():
        with test.case(f"planted: {name}"):
            copy.restore()
            edit(copy)
            if name.startswith("RTL of"):
                expect((copy.root / "rtl/sm/dyncta.sv").read_text() != Path("rtl/sm/dyncta.sv").read_text(), "nothing was changed")
            found = copy.look()
            expect(states(found) == wanted, f"{states(found)}: {found}")
            shutil.copy("rtl/sm/dyncta.sv", copy.root / "rtl/sm/dyncta.sv")
    copy.restore()


def words(test: Planted, copy: Copy) -> None:
    with test.case("words, dates and commits are those of the results"):
        found = {name: (row["words"], row["finished"], row["commit"]) for name, row in copy.look().items()}
        for name, text in (("lockstep", "2 of 3 replays equal"), ("proofs", "1 of 2 proved"), ("mutation", "9 of 10 mutants killed"),
                           ("coverage", "12 of 16 lines and points reached"), ("area_ge", "sizes measured, against the baseline")):
            expect(text in found[name][0] and found[name][1:] == ("2026-01-05 09:30 UTC", "01234567"), f"{name}: {found[name]}")
    with test.case("counts are those of the words; of area the sum"):
        found = {name: (row["got"], row["of"]) for name, row in copy.look().items()}
        rows = json.loads((copy.build / "area/area.json").read_text())["rows"]
        expect(found == {"lockstep": ("2", "3"), "proofs": ("1", "2"), "mutation": ("9", "10"), "coverage": ("12", "16"),
                         "area_ge": (str(sum(row["ge"] for row in rows)), str(len(rows)))}, str(found))
    with test.case("what has changed is named"):
        replace(RTL, "endmodule", "logic unused_x;\nendmodule")(copy)
        expect(copy.look()["proofs"]["words"].endswith("; changed since: lcs"), str(copy.look()["proofs"]))
        copy.restore()


def recorded(test: Planted, copy: Copy) -> None:
    """Without a build: what the repository has written down."""
    shutil.rmtree(copy.build)
    with test.case("recorded tables without sums are never current"):
        found = copy.look()
        expect(found["mutation"]["state"] == found["coverage"]["state"] == "unknown", str(found))
        expect(found["area_ge"]["state"] in ("current", "stale") and found["proofs"]["state"] in ("current", "stale"), str(found))
        expect(all(found[name]["commit"] and found[name]["finished"] for name in found if name != "lockstep"), f"without date and commit: {found}")
    with test.case("recorded: RTL has changed since"):
        replace(RTL, "endmodule", "logic unused_x;\nendmodule")(copy)
        found = copy.look()
        expect(states({name: found[name] for name in ("proofs", "mutation", "coverage", "area_ge")}) ==
               "proofs stale, mutation stale, coverage stale, area_ge stale", str(found))
        expect(all("lcs" in found[name]["words"] for name in ("mutation", "coverage")), str(found))
    with test.case("without git: no date, and what needs it is not known"):
        shutil.rmtree(copy.root / ".git")
        found = copy.look()
        expect(found["mutation"]["state"] == "unknown" and found["proofs"]["state"] == "stale", str(found))
        expect(not any(found[name]["commit"] for name in ("proofs", "mutation", "coverage", "area_ge")), str(found))
    with test.case("nothing recorded: missing"):
        for name in ("tb/formal/proved", "doc/verification/mutate.md"):
            path = copy.root / name
            shutil.rmtree(path) if path.is_dir() else path.write_text("<!-- mutants -->\n<!-- end of mutants -->\n")
        found = copy.look()
        expect(found["proofs"]["state"] == found["mutation"]["state"] == "missing", str(found))


def nothing_known(test: Planted, copy: Copy) -> None:
    del copy
    with test.case("what is of no known source is not current"):
        for known, want in (((), "unknown"), ((("a", None),), "unknown"), ((("a", True), ("b", None)), "unknown"), ((("a", True),), "current"),
                            ((("a", None), ("b", False)), "stale")):
            expect(evidence.judged("words", known, {}).state == want, f"{known}: {evidence.judged('words', known, {})}")


def usage(test: Planted, copy: Copy) -> None:
    with test.case("usage: one line"):
        test.command(2, sys.executable, "sim/report/evidence.py", copy.run)
        test.one_line("usage: evidence.py RUN BUILD")
    with test.case("a run that cannot be written to: one line"):
        test.command(3, sys.executable, "sim/report/evidence.py", "/dev/null", copy.build)
        test.one_line("/dev/null")


def main() -> int:
    with Planted("", "") as test:
        copy = Copy(test)
        copy.results()
        for part in (planted, words, recorded, nothing_known, usage):
            part(test, copy)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
