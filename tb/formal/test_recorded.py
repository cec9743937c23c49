# SPDX-License-Identifier: Apache-2.0
"""What is written down of proofs: the list of what was proved, the sources that it was about, the page's tables, and what an interrupted
run has proved. No tool runs here.

  python3 tb/formal/test_recorded.py

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import formal
import kept
import page
import pages
import proved
import prove
import prover
import subject
from blocks import block
from circuits import Setup
from planted import Planted, expect, refused
from prover import FAILED, OPEN, PROVED, Answer


def lists(test: Planted) -> None:
    """The list of what was proved: what is lost, what is kept."""
    path = test.work / "proved"
    rows = [{"block": "a", "of": "lcs", "proof": "step", "status": PROVED}, {"block": "a", "of": "lcs", "proof": "r", "status": OPEN}]
    sources = f"of lcs {subject.digest(block('lcs'))}"
    path.unlink(missing_ok=True)
    with test.case("without a list nothing is lost"):
        expect(proved.lost(proved.read(path), rows) == [], "something")
    with test.case("what is open or gone is lost; of other blocks nothing is"):
        path.write_text("a\tr\na\tstep\na\tgone\nb\tstep\n")
        expect(proved.lost(proved.read(path), rows) == ["a r", "a gone"], str(proved.lost(proved.read(path), rows)))
        expect(proved.lost(proved.read(path), []) == [], "something")
    with test.case("recorded is what is proved, and other blocks' lines stay"):
        proved.record(path, rows)
        expect(path.read_text() == f"a\t{sources}\na\tstep\nb\tstep\n", path.read_text())
    with test.case("what sources were proved is no proof, and is not lost"):
        expect(proved.lost(proved.read(path), rows[:1]) == [] and proved.proofs(proved.read(path)) == [("a", "step"), ("b", "step")], "it is")
    for title, of, want in (("the same sources", sources, ["b"]), ("other sources", "of lcs 0123456789ab", ["a", "b"]),
                            ("a block that is gone", sources.replace("lcs", "none"), ["a", "b"]), ("sources of nothing", "of lcs", ["a", "b"])):
        with test.case(f"proved of {title}: changed are {' and '.join(want)}"):
            path.write_text(f"a\t{of}\na\tstep\nb\tstep\n")
            expect(proved.changed(proved.read(path)) == want, str(proved.changed(proved.read(path))))
    with test.case("what is open alone has no sources"):
        proved.record(path, rows[1:])
        expect(path.read_text() == "b\tstep\n", path.read_text())
    for name, text in (("empty", ""), ("cut short", "vf_vote\tstep\nvf_vote\tEQ-1"), ("no list", "hello\n"), ("of no block", "\tstep\n"),
                       ("of no proof", "a\t\n"), ("of one such line", "a\tstep\nhello\n")):
        with test.case(f"a list that is {name}: refused"):
            path.write_text(text)
            refused(lambda: proved.lost(proved.read(path), rows), "damaged")


def subjects(test: Planted) -> None:
    """The sum over what a proof is about."""
    rooms = test.work / "rooms"
    shutil.copytree("tb/blocks", rooms / "blocks", ignore=shutil.ignore_patterns("*.xz", "*.c"))
    of = block("sm_governor")
    same = subject.digest(of)

    def anew() -> str:
        subject.digest.cache_clear()
        return subject.digest(of, rooms)
    with test.case("a copy has the sum of what it is a copy of"):
        expect(anew() == same, "another one")
    for title, name, text, changes in (("a rule", "sm_governor/properties.h", "#define MORE 1\n", True), ("a part's port list", "lcs/ports.h", "#define MORE 1\n", True),
                                       ("another block", "vf_vote/properties.h", "#define MORE 1\n", False), ("a comment", "lcs/ports.h", "/* more */\n\n", False)):
        with test.case(f"{title}: {'another' if changes else 'the same'} sum"):
            file = rooms / "blocks" / name
            text = file.read_text() + text
            before, _ = file.read_text(), file.write_text(text)
            expect((anew() != same) == changes, "not so")
            file.write_text(before)
    with test.case("RTL and models of a block, of its parts and what they need are in it"):
        names = {str(path) for path in subject.sources(of)}
        expect(names >= {"rtl/sm/sm_governor.sv", "rtl/sm/lcs.sv", "rtl/common/ballast_pkg.sv", "cmodel/sm/sm_governor.c", "cmodel/sm/lcs.c",
                         "cmodel/sm/lcs.h", "cmodel/common/encodings.h", "tb/blocks/perfsat/invariant.h"}, str(sorted(names)))
        expect(not any("vf_vote" in name or "draw.h" in name or "perfsat/history.h" in name for name in names), str(sorted(names)))


def kept_proofs(test: Planted) -> None:
    """What an interrupted run has proved is taken for the same circuits alone, and nothing else is."""
    folder, gold, gate = test.work / "kept", test.work / "kept.gold", test.work / "kept.gate"
    good = Answer(PROVED, "5 outputs, 5 by SAT, 0 by BDD")

    def asked(found: Answer = good, files: tuple[Path, ...] = (gold, gate)) -> tuple[Answer, int]:
        job = mock.Mock(return_value=found)
        return kept.Kept(folder).answer(files, job), job.call_count

    def fresh() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        gold.write_text("one")
        gate.write_text("other")
    with test.case("the same circuits: asked once"):
        fresh()
        expect(asked() == (good, 1) and asked(Answer(OPEN, "x")) == (good, 0), "not so")
    with test.case("the seconds of the run before count, of every question"):
        fresh()
        asked()
        next(folder.iterdir()).write_text(f"proved in 70 s: {good.text}\n")
        twice = prover.worst([asked()[0], asked()[0]])
        expect(twice.earlier == 140 and prove._proof(time.monotonic(), twice).seconds == 140, f"{twice.earlier} seconds")
    for name, change in (("a circuit is another one", lambda: gate.write_text("othes")), ("the other one is", lambda: gold.write_text("onE")),
                         ("they change places", lambda: (gold.write_text("other"), gate.write_text("one"))),
                         ("what is between them moves", lambda: (gold.write_text("oneo"), gate.write_text("ther"))),
                         ("the file is empty", lambda: next(folder.iterdir()).write_text("")),
                         ("the file is half", lambda: next(folder.iterdir()).write_text("proved in 3 s: 5 outp")),
                         ("the file has another word", lambda: next(folder.iterdir()).write_text("open: 5 outputs\n")),
                         ("the file has two lines", lambda: next(folder.iterdir()).write_text("proved in 1 s: 1\nproved in 1 s: 2\n"))):
        with test.case(f"{name}: asked"):
            fresh()
            asked()
            change()
            expect(asked(Answer(FAILED, "x")) == (Answer(FAILED, "x"), 1), "taken")
    with test.case("one circuit more, or the same prover changed: asked"):
        fresh()
        asked()
        expect(asked(Answer(OPEN, "x"), files=(gold, gate, gold))[1] == 1, "taken")
        kept._provers.cache_clear()
        with mock.patch.object(kept, "_PROVERS", (*kept._PROVERS, gold)):
            expect(asked(Answer(OPEN, "x"))[1] == 1, "taken")
        kept._provers.cache_clear()
    for found in (Answer(OPEN, "x"), Answer(FAILED, "x")):
        with test.case(f"{found.status} is not kept"):
            fresh()
            expect(asked(found)[1] == 1 and asked(good) == (good, 1), "kept")
    with test.case("a circuit that is not there is asked about"):
        fresh()
        gold.unlink()
        expect(asked(Answer(OPEN, "x")) == (Answer(OPEN, "x"), 1) and not folder.exists(), "not asked")
    for changed in ("gold", "gate", "free_gold", "free_gate"):
        with test.case(f"a proof's circuits are all that it is about: another {changed}"):
            fresh()
            sides = {name: test.work / f"{name}.blif" for name in ("gold", "gate", "free_gold", "free_gate")}
            for path in sides.values():
                path.write_text(".model m\n.outputs o\n.end\n")
            setup = Setup("fermi", Path("build/fermi"), test.work, kept=kept.Kept(folder))

            def solve(said: Answer, sides: dict[str, Path] = sides, setup: Setup = setup) -> Answer:
                with mock.patch.object(prover, "equal", return_value=said):
                    return prove._solve(sides["gold"], sides["gate"], test.work, setup, ("a", "b"), 1, (sides["free_gold"], sides["free_gate"]))
            expect(solve(good) == good and solve(Answer(OPEN, "x")) == good, "not kept")
            sides[changed].write_text(".model n\n.outputs o\n.end\n")
            expect(solve(Answer(OPEN, "x")).status == OPEN, "taken")
    with test.case("without a folder nothing is kept"):
        fresh()
        expect(kept.Kept().answer((gold, gate), lambda: good) == good and not folder.exists(), "kept")


def told(test: Planted) -> None:
    """The page's tables: the rows of what was proved now, beside those that stay."""
    path = test.work / "page.md"

    def rows(name: str, step: str = PROVED, *rules: str, base: bool = True) -> list[dict]:
        common = {"block": name, "params": "A=1", "base": base, "bound": "full size", "states": "reset", "seconds": 1, "text": "t"}
        return [common | {"proof": "step", "status": step}, *(common | {"proof": f"R{n}: r", "status": one} for n, one in enumerate(rules))]

    def write(found: list[dict], everything: bool, config: str = "fermi", tool: str = "T") -> list[str]:
        page.update(path, config, tool, found, everything, ["perfsat", "none"])
        expect(not pages.wrong(path, path.read_text()), "not as written")
        return pages.lines(path, config)

    def fresh(config: str = "fermi") -> None:
        path.write_text(f"<!-- {config} -->\n<!-- end of {config} -->\n")
    for config, row in (("fermi", "| `lcs` | R0: r | full size | reset | proved |"), ("kepler", "| `lcs` | 1 of 2 | R1: r: open |")):
        with test.case(f"{config}: rows of one block take the place of its old ones, others stay, all are counted"):
            fresh(config)
            write([*rows("vf_vote", OPEN), *rows("perfsat", PROVED, FAILED)], True, config)
            found = write([*rows("lcs", PROVED, PROVED, OPEN), *rows("perfsat", PROVED, PROVED)], False, config)
            expect(found[0] == f"In `{config}` (T), 4 of 6 proved:", found[0])
            expect([line.split("`")[1] for line in found if "| A=1 |" in line] == ["lcs", "perfsat", "vf_vote"], str(found))
            expect(row in found and not any(FAILED in line for line in found), str(found))
    with test.case("a variant's rules are counted, behind its block"):
        fresh()
        found = write([*rows("lcs_ceil", PROVED, PROVED, base=False), *rows("lcs"), *rows("lcs_narrow", base=False)], True)
        expect([line.split("`")[1] for line in found if "| A=1 |" in line] == ["lcs", "lcs_ceil", "lcs_narrow"], str(found))
        expect("| `lcs_ceil` | 1 of 1 |  |" in found and found[0].endswith(" 4 of 4 proved:"), str(found))
    with test.case("so are those of a part that is no block's variant"):
        found = write([*rows("lcs_ceil.sm", PROVED, PROVED, PROVED, base=False), *rows("lcs", PROVED, OPEN)], True)
        expect("| `lcs_ceil.sm` | 2 of 2 |  |" in found and found[0].endswith(" 4 of 5 proved:"), str(found))
    with test.case("how long a step took is read back, from its row alone"):
        write([*rows("lcs", PROVED, PROVED), {**rows("perfsat")[0], "seconds": 421}], True)
        expect(page.seconds(path, "fermi") == {"lcs": 1, "perfsat": 421} and page.seconds(path, "hopper") == {}, str(page.seconds(path, "fermi")))
        path.write_text(path.read_text().replace("421", "long"))
        expect(page.seconds(path, "fermi") == {"lcs": 1}, "not a number")
    with test.case("below the tables: what has no row, and whose sources have changed"):
        found = write([*rows("lcs"), *rows("perfsat")], True, "fermi")
        expect(found[-1] == "Proved of sources that have changed since, or of unknown ones: `perfsat`." and found[-3].startswith("Not proved: ")
               and "`vf_vote`" in found[-3] and "`perfsat`" not in found[-3] and "`lcs_narrow`" in found[-3], str(found[-3:]))
        page.renew(path, "fermi", ["lcs"])
        again = pages.lines(path, "fermi")
        expect(again[:-1] == found[:-1] and again[-1].endswith(": `lcs`."), str(again[-3:]))
        page.renew(path, "fermi", [])
        expect(pages.lines(path, "fermi") == found[:-2] and not pages.wrong(path, path.read_text()), "the same line stays")
    with test.case("all blocks and variants: no other row stays"):
        expect(not any(line.startswith("| `lcs") for line in write(rows("perfsat"), True)), "one stays")
    with test.case("rows of other tools stay alone: refused"):
        before = path.read_text()
        refused(lambda: write(rows("lcs"), False, tool="U"), "does not begin with 'In `fermi` (U)'")
        expect(path.read_text() == before and write(rows("lcs"), True, tool="U")[0].startswith("In `fermi` (U), 1 of 1"), "written")


def chosen(test: Planted) -> None:
    """What the command line names."""
    def names(*given: str, variants: bool = False) -> list[str]:
        return [target.name for target in formal.choose(list(given), "fermi", variants)]
    for given, want in ((("lcs",), ["lcs"]), (("lcs_ceil",), ["lcs_ceil"]), (("lcs_ceil", "lcs", "lcs_ceil"), ["lcs", "lcs_ceil"])):
        with test.case(f"{' '.join(given)}: {' and '.join(want)}"):
            expect(names(*given) == want, str(names(*given)))
    with test.case("with variants each is there once; nothing named is all"):
        expect("lcs_ceil" in names(variants=True) and names("lcs", "lcs_ceil", variants=True) == names("lcs", variants=True), "not so")
        expect({"lcs", "chip_governor"} < {*names()} and "lcs_ceil" not in names(), str(names()))
    with test.case("a name that nothing has: refused"):
        refused(lambda: names("lcs", "lcs_none"), "no block 'lcs_none', and no variant")


def as_it_ends(test: Planted) -> None:
    """A run that is interrupted has written what was proved with all that it stands on."""
    rooms, path = test.work / "ends", test.work / "ends.md"
    listed = rooms / "formal/proved/fermi"
    shutil.copytree("tb/blocks", rooms / "blocks", ignore=shutil.ignore_patterns("*.xz", "*.c"))
    setup = Setup("fermi", Path("build/fermi"), test.work, rooms=rooms)
    chip, governor, part = (formal.choose([name], "fermi", False)[0] for name in ("chip_governor", "sm_governor", "lcs"))
    parts_of = {chip: [governor], governor: [part], part: []}
    good = prove.Proof(PROVED, "t")

    def recorder(old: str = "", blocks: tuple[str, ...] = ("x",)) -> formal.Recorder:
        path.write_text("<!-- fermi -->\n<!-- end of fermi -->\n")
        listed.parent.mkdir(parents=True, exist_ok=True)
        listed.write_text("perfsat\tstep\nlcs\tstep\nlcs\tgone\n")
        if old:
            row = {"block": "perfsat", "params": "A=1", "base": True, "bound": "full size", "states": "reset", "seconds": 1, "text": "t", "proof": "step"}
            page.update(path, "fermi", old, [row | {"status": PROVED}], True, [])
        return formal.Recorder(setup, argparse.Namespace(record=True, page=path, block=[*blocks], variants=True), parts_of)

    def written() -> tuple[set[str], set[str]]:
        """In the list, and in the page."""
        return ({target for target, proof in proved.read(listed) if proof == "step"},
                {line.split("`")[1] for line in pages.lines(path, "fermi") if line.startswith("| `")})
    for title, order, after in (("parts first", (part, governor, chip), ({"lcs"}, {"lcs", "sm_governor"}, {"lcs", "sm_governor", "chip_governor"})),
                                ("the whole first", (chip, part, governor), (set(), {"lcs"}, {"lcs", "sm_governor", "chip_governor"}))):
        with test.case(f"{title}: each is written when all of it has ended, others stay"):
            recording = recorder()
            for target, names in zip(order, after, strict=True):
                recording.end(target, good)
                expect(written() == ({"perfsat", "lcs", *names}, names), f"{target.name}: {written()}")
            expect(proved.lost(recording.before, recording.all()) == ["lcs gone"], "what was lost since the beginning is not told")
    with test.case("a part that is open keeps what stands on it from the list, not from the page"):
        recording = recorder()
        for target, proof in ((part, prove.Proof(OPEN, "t")), (governor, good)):
            recording.end(target, proof)
        expect(written() == ({"perfsat"}, {"lcs", "sm_governor"}), str(written()))
    with test.case("a table of other tools stays until all is proved"):
        recording = recorder("U", ())
        recording.end(part, good)
        expect(written() == ({"perfsat", "lcs"}, {"perfsat"}), str(written()))
        recording.all()
        expect("perfsat" not in written()[1] and "lcs" in written()[1], str(written()))
    with test.case("beside a table of other tools some blocks are not even asked about"):
        refused(lambda: recorder("U"), "use those tools")


def parts_proved_before(test: Planted) -> None:
    """A part is taken as proved where the page tells so of all of it, with its parameters, of its sources as they are, by the same tools."""
    rooms, path = test.work / "before", test.work / "before.md"
    listed = rooms / "formal/proved/fermi"
    shutil.copytree("tb/blocks", rooms / "blocks", ignore=shutil.ignore_patterns("*.xz", "*.c"))
    listed.parent.mkdir(parents=True)
    setup = Setup("fermi", Path("build/fermi"), test.work, rooms=rooms)
    governor, part = (formal.choose([name], "fermi", False)[0] for name in ("sm_governor", "lcs"))
    parts_of: dict[formal.Target, list[formal.Target]] = {governor: [part], part: []}

    def rows(status: str = PROVED, rule: str = PROVED, params: str = formal.words_of(part.params)) -> list[dict]:
        common = {"block": "lcs", "of": "lcs", "params": params, "base": True, "bound": "full size", "states": "reset", "seconds": 1, "text": "t"}
        return [common | {"proof": "step", "status": status}, common | {"proof": "R: r", "status": rule}]

    def taken(found: list[dict], asked: list[formal.Target] | None = None, of: str = "", tool: str = formal.tool()) -> set[str]:
        path.write_text("<!-- fermi -->\n<!-- end of fermi -->\n")
        page.update(path, "fermi", tool, found, True, [])
        sources = of or f"of lcs {subject.digest(block('lcs'))}"
        listed.write_text("other\tstep\n" if of == "none" else f"lcs\t{sources}\nlcs\tstep\n")
        return {*formal.proved_before(path, setup, asked or [governor], parts_of)}
    with test.case("all of it is proved: taken"):
        expect(taken(rows()) == {"lcs"}, "not taken")
    for title, found in (("its step is open", rows(OPEN)), ("a rule is open", rows(rule=OPEN)), ("a rule has failed", rows(rule=FAILED)),
                         ("it has other parameters", rows(params="NumSlots=9"))):
        with test.case(f"{title}: not taken"):
            expect(taken(found) == set(), "taken")
    with test.case("who asks for it gets it proved"):
        expect(taken(rows(), [governor, part]) == set(), "taken")
    for title, of in (("its sources have changed", "of lcs 0123456789ab"), ("nobody knows of which sources it is", "none")):
        with test.case(f"{title}: not taken"):
            expect(taken(rows(), of=of) == set(), "taken")
    with test.case("of other tools: refused"):
        refused(lambda: taken(rows(), tool="U"), "use those tools")
    with test.case("what stands on it says so, and has the only new row"):
        taken(rows())
        recording = formal.Recorder(setup, argparse.Namespace(record=True, page=path, block=["x"], variants=False), parts_of,
                                    formal.proved_before(path, setup, [governor], parts_of))
        recording.end(governor, prove.Proof(PROVED, "t"))
        written = [line for line in pages.lines(path, "fermi") if line.startswith("| `") and " | full size | " in line]
        expect([row["block"] for row in recording.all()] == ["sm_governor"] and sum("t, proved before: lcs" in line for line in written) == 1, str(written))


if __name__ == "__main__":
    Planted.main("", lists, subjects, told, kept_proofs, chosen, as_it_ends, parts_proved_before)
