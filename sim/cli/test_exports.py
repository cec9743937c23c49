# SPDX-License-Identifier: Apache-2.0
"""What `ballast export` writes: the recording itself in each form, and the decisions for Perfetto.

  python3 sim/cli/test_exports.py BALLAST

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import csv
import filecmp
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect
from refusals import make_files


def changes(path: Path) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """What a VCD says of each signal: module, name: cycle and value, in order."""
    names: dict[str, tuple[str, str]] = {}
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    module, cycle = "", 0
    for line in path.read_text().splitlines():
        words = line.split()
        if words[0] == "$scope":
            module = words[2]
        elif words[0] == "$var":
            names[words[3]] = (module, words[4])
        elif line[0] == "#":
            cycle = int(line[1:])
        elif line[0] in "b01":
            value, code = (words[0][1:], words[1]) if line[0] == "b" else (line[0], line[1:])
            found.setdefault(names[code], []).append((cycle, value))
    return found


def exports(test: Planted, ballast: Ballast) -> None:
    out, text = test.work / "exported", (test.work / "raw/ker.csv").read_text()
    ballast.passes("import --dir {work}/raw --out {work}/tiny.blt")
    with test.case("export: what is imported from it is the same recording"):
        for form, name in (("raw", "cyc.bin"), ("csv", "warps.csv")):
            shutil.rmtree(out, ignore_errors=True)
            ballast.passes(f"export --to {form} --out {{work}}/exported {{work}}/tiny.blt")
            expect({path.name for path in out.iterdir() if path.suffix != ".lock"} >= {"ker.csv", "cta.csv", name}, f"other files: {list(out.iterdir())}")
            ballast.passes("import --dir {work}/exported --format 2 --out {work}/again.blt")
            expect(filecmp.cmp(test.work / "tiny.blt", test.work / "again.blt", shallow=False), f"another recording by {form}")
    with test.case("export: not beside a recording in the other form, which an import would read with it"):
        for form, name in (("raw", "warps.csv"), ("csv", "cyc.bin"), ("csv", "cyc.bin.xz")):
            mixed = test.work / f"mixed_{name}"
            mixed.mkdir()
            (mixed / name).write_text("of another recording\n")
            ballast.run(f"export --to {form} --out {mixed} {{work}}/tiny.blt")
            ballast.says(3, f"{mixed}/{name}: of another recording")
            expect({path.name for path in mixed.iterdir() if path.suffix != ".lock"} == {name}, "something is left")
    with test.case("export: another state is another recording"):
        lines = (out / "warps.csv").read_text()
        (out / "warps.csv").write_text(re.sub(r",(issued_alu|wait_mem|no_inst|barrier|wait_alu|issued_mem)$", ",8", lines, count=1, flags=re.M))
        ballast.passes("import --dir {work}/exported --out {work}/again.blt")
        expect(not filecmp.cmp(test.work / "tiny.blt", test.work / "again.blt", shallow=False), "the same recording")
    with test.case("export: a VCD has the launches and exits of the table"):
        ballast.passes("export --to csv --out {work}/exported vectors/hotspot.n2.blt")
        ballast.passes("export --to vcd --out {work}/hotspot.vcd vectors/hotspot.n2.blt")
        found = changes(test.work / "hotspot.vcd")
        with (out / "cta.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        for sm in ("0", "1"):
            for event, name in (("launch", "cta_start"), ("done", "cta_done")):
                wanted = sorted((int(row["cycle"]), int(row["slot"])) for row in rows if row["sm"] == sm and row["event"] == event)
                said = sorted((cycle, slot) for cycle, value in found[f"sm{sm}", name] for slot in range(8) if int(value, 2) >> slot & 1)
                expect(said == wanted, f"{name} of SM {sm}")
        expect(len(found) == 2 * (6 + 48), f"{len(found)} signals")
    with test.case("export: a VCD becomes the recording again"):
        ballast.passes("export --to vcd --out {work}/again.vcd --ker {work}/again.csv {work}/tiny.blt")
        (test.work / "again.blt").unlink()
        ballast.passes("import {work}/again.vcd --map doc/use/exported.map --ker {work}/again.csv --out {work}/again.blt")
        expect(filecmp.cmp(test.work / "tiny.blt", test.work / "again.blt", shallow=False), "another recording")
    with test.case("export: Perfetto gets decisions as slices, limits as tracks, SMs as threads"):
        ballast.run("family --log vectors/hotspot.n*.blt")
        log = next(iter(test.out.glob("*.model.jsonl")))
        records = [json.loads(line) for line in log.read_text().splitlines()]
        shutil.copy(log, test.work / "log.jsonl")
        ballast.passes("export --to perfetto --every 64 --out {work}/shown.json {work}/log.jsonl vectors/hotspot.n2.blt")
        events = json.loads((test.work / "shown.json").read_text())["traceEvents"]
        slices = [event for event in events if event["ph"] == "X" and event["pid"] == 1]
        expect([event["ts"] for event in slices] == [record["cycle"] for record in records], "other decisions")
        expect(all(event["args"] == record for event, record in zip(slices, records, strict=True)), "other words")
        limits = [(event["ts"], event["args"]["value"]) for event in events if event["ph"] == "C" and event["name"] == "SM0 limit"]
        expect(limits == [(record["cycle"], record["after"]["limit"]) for record in records if "limit" in record["after"]], "other limits")
        threads = {(event["pid"], event["args"]["name"]) for event in events if event["name"] == "thread_name"}
        expect(threads == {(1, "SM0"), (2, "SM0"), (2, "SM1")}, f"threads {threads}")
        moves = [(record["cycle"], f"limit {record['before']['limit']} -> {record['after']['limit']}") for record in records
                 if record["event"] != "kernel_start" and record["before"].get("limit") not in (None, record["after"].get("limit"))]
        marks = [(event["ts"], event["name"]) for event in events if event["ph"] == "i"]
        expect(moves and marks == moves and all(event["tid"] == 1 and event["s"] == "t" for event in events if event["ph"] == "i"), f"{marks}, wanted {moves}")
        issued = sum(event["args"]["value"] for event in events if event["name"] == "SM0 instructions per cycle")
        expect(issued > 0 and text, "no instructions")


def of_a_run(test: Planted, ballast: Ballast) -> None:
    (test.work / "small.csv").write_text("file,kernel,program\n" + "".join(
        f"{'../' * 9}{Path('vectors').resolve()}/hotspot.n{n}.blt,hotspot,\n" for n in (1, 2, 8)))
    ballast.passes("run --max-cycles 30000 {work}/small.csv")
    with test.case("export: Perfetto gets all decisions of a run, a process per log"):
        logs = sorted(test.out.glob("*.model.jsonl"))
        shutil.rmtree(run := test.work / "run", ignore_errors=True)
        shutil.copytree(test.out, run, ignore=shutil.ignore_patterns("*.fst"))
        ballast.passes("export --to perfetto --out {work}/run.json {work}/run")
        events = json.loads((test.work / "run.json").read_text())["traceEvents"]
        names = [event["args"]["name"] for event in events if event["name"] == "process_name"]
        expect(names == [log.name for log in logs] and len(names) > 8, f"{names}")
        for pid, log in enumerate(logs, 1):
            records = [json.loads(line) for line in (run / log.name).read_text().splitlines()]
            slices = [event["args"] for event in events if event["ph"] == "X" and event["pid"] == pid]
            key = "cycle", "where", "event", "words"
            expect(sorted(str([one[name] for name in key]) for one in slices) == sorted(str([one[name] for name in key]) for one in records), f"{log.name}")
            levels = [f"level {one['before']['level']} -> {one['after']['level']}" for one in records if one["event"] != "kernel_start" and
                      "level" in one["before"] and one["before"]["level"] != one["after"].get("level", one["before"]["level"])]
            marks = [event["name"] for event in events if event["ph"] == "i" and event["pid"] == pid and event["name"].startswith("level")]
            expect(marks == levels, f"{log.name}: {marks}, wanted {levels}")
        expect(any(event["name"].startswith("level") for event in events if event["ph"] == "i"), "no level moves: the test looks at nothing")
    with test.case("export: a folder without decisions: one line"):
        ballast.run("export --to perfetto --out {work}/none.json vectors")
        ballast.says(3, "vectors: no decision log in this folder")
        expect(not (test.work / "none.json").exists(), "a file without decisions is left")


def main() -> int:
    with Planted("", sys.argv[1]) as test:
        ballast = Ballast(test, sys.argv[1])
        ballast.names |= make_files(test.work)
        exports(test, ballast)
        of_a_run(test, ballast)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
