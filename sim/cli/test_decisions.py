# SPDX-License-Identifier: Apache-2.0
"""The decision logs of real recordings as data: every line is a record, the words are those of the log, limits and levels go on from
record to record, every rule and every event is on its block's page.

  python3 sim/cli/test_decisions.py BALLAST

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect

FIELDS = ["cycle", "where", "sm", "instance", "block", "rule", "event", "inputs", "before", "after", "words"]
TEXTS = ("where", "instance", "block", "rule", "event", "words")
SMS_NAMED = 4  # in a line of a chip's log; the others are counted
RARE = {"alone", "broadcast", "denied", "granted", "second", "withdrawn"}  # what recordings do not show

# Name, records at least, command line. Together they have every event but the rare ones. Nobody is on the bus in a recording.
RUNS = [
    ("all blocks", 100, "lockstep --sm 0 --max-cycles 60000 vectors/bfs.n1.blt"),
    ("perfsat", 5, "family vectors/pathlong.n*.blt"),
    ("lcs", 4, "lockstep --block lcs --sm 0 vectors/pathfinder.n8.blt"),
    ("dyncta", 5, "lockstep --block stall_classifier,dyncta --sm 0 vectors/chase.n8.blt"),
    ("cta_throttle", 5, "lockstep --block eq_counters,eq_decision,cta_throttle --sm 0 vectors/chase.n8.blt"),
    *((f"sm_governor, {policy}", 1, f"family --max-laps 2 --block sm_governor --set sm_governor.policy={policy} "
       "--set sm_governor.static_limit=2 vectors/hotspot.n*.blt") for policy in ("static", "perfsat", "lcs", "equalizer", "dyncta")),
    ("sm_governor, two launches of a kernel", 3, "lockstep --block sm_governor --sm 0 vectors/bfs.n4.blt"),
    ("chip", 5, "chip --max-cycles 14000 vectors/chase.n8.blt"),
    ("chip, energy", 5, "chip --max-cycles 14000 --set chip_governor.mode=ENERGY vectors/pathfinder.n8.blt"),
    ("chip, dyncta", 10, "chip --max-cycles 9000 --set chip_governor.policy=dyncta vectors/pathfinder.n8.blt"),
    ("chip, one SM measures", 2, "chip --block chip_governor_bcast --max-cycles 20000 --set chip_governor_bcast.policy=lcs vectors/pathfinder.n8.blt"),
    ("gwde", 20, "chip --block gwde --max-cycles 30000 vectors/chase.n8.blt"),
    ("gwde, pairs", 20, "chip --block gwde --set gwde.bcs=1 --max-cycles 30000 vectors/chase.n8.blt"),
    ("bcs", 5, "chip --block bcs --max-cycles 30000 vectors/chase.n8.blt"),
    ("mcke", 20, "chip --block mcke --max-cycles 30000 vectors/chase.n8.blt"),
    ("ballast_regs, a bus with random accesses", 20, "random --block ballast_regs --max-cycles 4000"),
    ("scout", 2, "family --block scout vectors/pathlong.n*.blt"),
    ("scout, short windows at random", 20, "random --block scout_short --max-cycles 400000"),
    ("limit_table", 50, "lockstep --block limit_table --sm 0 vectors/bfs.n4.blt"),
    ("limit_table, three entries at random", 20, "random --block limit_table_three --max-cycles 100000"),
    ("vf_scout, short windows at random", 20, "random --block vf_scout_short --max-cycles 400000"),
    ("sim", 5, "sim --machine {machine} --side rtl --policy equalizer --log --max-cycles 13000 sim/kernels/recorded/chase.kernel"),
]

# What is done to a sound log: name, what is then said, file, line (0: all), text, other text.
DAMAGES = [
    ("a line that is no JSON", "line 3 is no JSON object", "jsonl", 3, r"}$", ""),
    ("two records on a line", "line 3 is no JSON object", "jsonl", 3, r"$", "{}"),
    ("a field that is missing", "line 1 has the fields", "jsonl", 1, r'"rule":"[^"]*",', ""),
    ("an empty rule", "line 1 has an empty text", "jsonl", 1, r'"rule":"[^"]*"', '"rule":""'),
    ("a number as a text", "line 1 has no number", "jsonl", 1, r'"cycle":([0-9]+)', r'"cycle":"\1"'),
    ("a value that is null", "line 1 has a value", "jsonl", 1, '"limit":0', '"limit":null'),
    ("a limit from elsewhere", "limit of SM 0 of chip_governor is 3, it was left at 0", "jsonl", 1, '"before":{"limit":0', '"before":{"limit":3'),
    ("a limit that is left elsewhere", "limit of SM 0 of chip_governor is", "jsonl", 1, r'"after":{"limit":[0-9]+', '"after":{"limit":9'),
    ("a level from elsewhere", "level of domain memory of chip_governor is low, it was left at normal", "jsonl", 0,
     r'("domain":"memory".*"before":{"level":")normal', r"\1low"),
    ("other words", "the words differ", "jsonl", 2, '"words":"', '"words":"x'),
    ("a record that is missing", "the words differ", "jsonl", -1, r".*\n", ""),
    ("other words in the log", "the words differ", "log", 2, r"$", " and more"),
    ("a rule that no page knows", "does not know PS-99", "jsonl", 1, r'"rule":"[^"]*"', '"rule":"PS-99"'),
    ("an event without a row", "has no event party", "jsonl", 2, r'"event":"[^"]*"', '"event":"party"'),
]

# ---- one log ------------------------------------------------------------------------------------------

def is_whole(value: object) -> bool:
    return type(value) is int and value >= 0  # a bool is none


def wrong_with(record: object) -> str:
    if not isinstance(record, dict):
        return "is no JSON object"
    if list(record) != FIELDS:
        return f"has the fields {' '.join(record)}"
    if not is_whole(record["cycle"]) or not (record["sm"] is None or is_whole(record["sm"])):
        return "has no number where one belongs"
    if not all(isinstance(record[name], str) and record[name] for name in TEXTS):
        return "has an empty text"
    values = [record[name] for name in ("inputs", "before", "after")]
    if not all(isinstance(value, dict) and all(is_whole(one) or isinstance(one, str) for one in value.values()) for value in values):
        return "has a value that is neither number nor text"
    return ""


def records_of(jsonl: str) -> Iterator[object]:
    for line in jsonl.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            yield None


def by_cycle(entries: list[dict], words: Callable[[list[dict]], list[str]]) -> list[str]:
    """The lines of a log that has one for each cycle."""
    groups = [list(same) for _, same in itertools.groupby(sorted(entries, key=itemgetter("cycle")), itemgetter("cycle"))]
    return [f"cycle {group[0]['cycle']} {group[0]['where']} {'; '.join(words(group))}" for group in groups]


def words_told(group: list[dict]) -> list[str]:
    sms = [one["words"] for one in group if one["where"] == "chip" and one["sm"] is not None]
    others = [one["words"] for one in group if one["where"] != "chip" or one["sm"] is None]
    return others + sms[:SMS_NAMED] + ([f"{len(sms) - SMS_NAMED} more SMs"] if len(sms) > SMS_NAMED else [])


def words_logged(group: list[dict]) -> list[str]:
    """Several blocks may have a line each in one cycle."""
    return [one["words"] for one in group]


def broken_chain(records: list[dict], key: str, name: str, start: object) -> list[str]:
    """What follows from record to record: nothing changes behind the log's back."""
    last: dict[str, object] = {}
    wrong = []
    for one in records:
        if name in one["before"]:
            of = key.format(**one)
            if one["before"][name] != last.get(of, start):
                wrong.append(f"cycle {one['cycle']}: {name} of {of} is {one['before'][name]}, it was left at {last.get(of, start)}")
            last[of] = one["after"].get(name)
    return wrong


def findings(log: str, jsonl: str) -> list[str]:
    records = list(records_of(jsonl))
    bad = [f"line {number} {wrong}" for number, record in enumerate(records, 1) if (wrong := wrong_with(record))]
    if bad:
        return bad
    found = broken_chain(records, "SM {sm} of {instance}", "limit", 0)
    found += broken_chain(records, "domain {inputs[domain]} of {instance}", "level", "normal")
    lines = [{"cycle": int(cycle), "where": where, "words": words} for cycle, where, words in re.findall(r"^cycle (\d+) (\S+) (.*)$", log, re.M)]
    told, logged = by_cycle(records, words_told), by_cycle(lines, words_logged)
    found += [f"the words differ: {line}" for line in (*told, *logged) if told.count(line) != logged.count(line)][:1]
    return found + undocumented(records)


def events_of(page: str) -> dict[str, str]:
    """Of a block's page: the rows of its events."""
    section = re.search(r"^## Decision log\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    return dict(re.findall(r"^(?=\| `([^`]*)` \|)(.*)$", section[1] if section else "", re.M))


def undocumented(records: list[dict]) -> list[str]:
    """A rule is a name of the block's page; the event's row names all of its rules."""
    found = []
    for block, event, rule in sorted({(one["block"], one["event"], one["rule"]) for one in records}):
        page = f"doc/blocks/{block}.md"
        rows = events_of(Path(page).read_text())
        named = re.compile(rf"(?<![A-Z0-9-]){re.escape(rule)}(?![0-9a-z])")
        if not named.search(Path(page).read_text()):
            found.append(f"{page} does not know {rule}")
        if event not in rows:
            found.append(f"{page} has no event {event}")
        elif not named.search(rows[event]):
            found.append(f"{page} does not name {rule} for {event}")
    return found


# ---- runs -----------------------------------------------------------------------------------------------

def check_run(test: Planted, ballast: Ballast, name: str, least: int, line: str, seen: set) -> None:
    with test.case(f"{name}: at least {least} records, sound, documented, the same on both sides"):
        ballast.run(line)
        expect(ballast.status == 0, f"exit status {ballast.status}")
        logs = list(test.out.glob("*.model.jsonl"))
        expect(logs, "no log")
        for path in logs:
            jsonl, log = path.read_text(), path.with_suffix(".log").read_text()
            expect(jsonl.count("\n") >= least, f"{path.name}: {jsonl.count(chr(10))} records")
            expect(not findings(log, jsonl), f"{path.name}: {findings(log, jsonl)[:2]}")
            for model in (path, path.with_suffix(".log")):
                expect(model.read_text() == Path(str(model).replace(".model.", ".rtl.")).read_text(), f"{model.name}: the RTL's differs")
            seen |= {(one["block"], one["event"]) for one in map(json.loads, jsonl.splitlines())}


def check_models(test: Planted, ballast: Ballast) -> None:
    """The closed loop writes the same with the models alone; its logs are those of the last run."""
    with test.case("sim, models: the same records and words, no RTL's log"):
        before = {path.name: path.read_text() for path in test.out.glob("*.model.*")}
        ballast.run(RUNS[-1][2].replace("--side rtl", "--side model"))
        expect(ballast.status == 0, f"exit status {ballast.status}")
        expect(before and {path.name: path.read_text() for path in test.out.iterdir()} == before, "other logs")


def check_the_checks(test: Planted, ballast: Ballast) -> None:
    ballast.run("chip --max-cycles 14000 vectors/chase.n8.blt")
    sound = {end: (test.out / f"chase.n8.chip.model.{end}").read_text() for end in ("log", "jsonl")}
    for name, words, end, number, text, other in DAMAGES:
        with test.case(f"found out: {name}"):
            lines = sound[end].splitlines(keepends=True)
            for at in range(len(lines)) if number == 0 else [number - 1 if number > 0 else number]:
                lines[at] = re.sub(text, other, lines[at], count=1)
            broken = {**sound, end: "".join(lines)}
            expect(broken != sound and not findings(**sound), "no damage was done, or the log was not sound")
            expect(any(words in finding for finding in findings(**broken)), f"said: {findings(**broken)[:1]}")


def main() -> int:
    with Planted("", sys.argv[1]) as test:
        ballast = Ballast(test, sys.argv[1])
        seen: set[tuple[str, str]] = set()
        for name, least, line in RUNS:
            check_run(test, ballast, name, least, line, seen)
        check_models(test, ballast)
        with test.case("every event of the blocks' pages was seen"):
            pages = {path.stem: events_of(path.read_text()) for path in Path("doc/blocks").glob("*.md")}
            missing = [(block, event) for block, events in pages.items() for event in events if event not in RARE and (block, event) not in seen]
            expect(pages and not missing, f"missing: {missing}")
        check_the_checks(test, ballast)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
