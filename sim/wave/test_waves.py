# SPDX-License-Identifier: Apache-2.0
"""test_waves.py BUILD_DIR: waveforms and views of all blocks, read back. What a view names is in the waveform, markers stand
at decisions, the words are those of the decision log, a window holds its cycles only, a size limit ends a file that can be
read, `differs` is 1 where a planted fault is. Run from the repository root."""
from __future__ import annotations

import itertools
import json
import os
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
from planted import Planted, expect  # noqa: E402
from surfer_file import SurferFile  # noqa: E402
from tools import need, run  # noqa: E402

PATHLONG = sorted(Path("vectors").glob("pathlong.n*.blt"))
PATHFINDER = sorted(Path("vectors").glob("pathfinder.n*.blt"))
CHASE = sorted(Path("vectors").glob("chase.n*.blt"))
HOTSPOT = [Path("vectors/hotspot.n2.blt")]
RECORDING = "vectors/pathfinder.n3.blt"
MEGABYTE = 1 << 20
SMS_TOLD = 4  # of a chip's SMs that decide in one cycle

# Cycles to show, and how many decisions these have at least.
BLOCKS = [
    ("perfsat", 300000, 4, PATHLONG), ("stall_classifier", 130000, 3, PATHLONG), ("lcs", 30000, 2, PATHLONG),
    ("dyncta", 12500, 5, CHASE), ("eq_counters", 20000, 4, CHASE), ("eq_decision", 20000, 4, CHASE),
    ("cta_throttle", 20000, 4, CHASE), ("sm_governor", 20000, 4, CHASE), ("vf_vote", 6000, 2, CHASE),
    ("vf_domain", 6000, 2, CHASE), ("chip_governor", 13000, 3, CHASE), ("vf_scout", 28000, 4, PATHFINDER), ("scout", 90000, 5, PATHFINDER),
    ("gwde", 20000, 4, HOTSPOT), ("bcs", 20000, 4, HOTSPOT), ("sm_resources", 20000, 4, HOTSPOT), ("mcke", 20000, 4, HOTSPOT),
    ("cke_resources", 20000, 4, HOTSPOT), ("warp_scheduler", 2000, 1, HOTSPOT), ("ballast_regs", 3000, 4, []),  # random stimulus, as its view says
    ("ballast_chip", 3000, 4, []), ("limit_table", 12500, 4, [Path("vectors/bfs.n4.blt")]),
]

STATES = ["StWait", "StMeasure", "StFirst", "StWeakInc", "StStrongInc", "StWeakDec", "StStrongDec", "StDone"]  # of perfsat

# A fault, a signal, its changes; the waveform begins in cycle 8937.
DIFFERS = [
    ("a register of the RTL, from the next cycle on", "rtl:perfsat.nmax_q[0]@9000", "SM0.perfsat.differs",
     [(8937, "0"), (9001, "1")]),
    ("of the model as well", "model:perfsat.nmax_q[0]@9000", "SM0.perfsat.differs", [(8937, "0"), (9001, "1")]),
    ("an output, in its cycle only", "rtl:perfsat.done_o[0]@9000", "SM0.perfsat.differs",
     [(8937, "0"), (9000, "1"), (9001, "0")]),
    ("not in another block", "rtl:perfsat.nmax_q[0]@9000", "SM0.lcs.differs", [(8937, "0")]),
]

REFUSED = [
    ("unknown block", 2, "no view of a block 'lsc'", ["lsc", RECORDING]),
    ("nothing", 2, "name a block and a recording", []), ("no recording", 2, "lcs: name a recording, too", ["lcs"]),
    ("window backwards", 2, "--wave-from 9 is after --wave-to 8", ["--wave-from", 9, "--wave-to", 8, "lcs", RECORDING]),
    ("window beyond the end", 3, "reaches beyond the end of the run",
     ["--wave-from", 9, "--wave-to", 99999999, "lcs", RECORDING]),
    ("a launch without a family", 2, "only with a family", ["--launch", 1, "lcs", RECORDING]),
    ("no such launch", 3, "has no launch number 99", ["--launch", 99, "lcs", *PATHLONG]),
    ("no size", 2, "--wave-limit", ["--wave-limit", 0, "lcs", RECORDING]),
]
REFUSED_VIEWS = ["value rtl limt_q x", "value in limit_q x", "value both nmax_i x", "value side limit_q x", "value rtl",
                 "vallue rtl limit_q", "why lcs", "differs nothing", "value lcs.rtl limit_q", "groups lcs"]
REFUSED_RUNS = ["random", "random 0", "random x", "decisions x", "open 5", "set " + 100 * "x"]
REFUSED_MAKE = [
    ("unknown block", "no block 'lsc'", {"BLOCK": "lsc"}),
    ("no run", "'make run' writes the views", {"BLOCK": "lcs"}),
    ("no recording", "vectors/nothing.blt: no such recording", {"BLOCK": "lcs", "TRACE": "vectors/nothing.blt"}),
    ("window of nothing", "FROM and TO are cycles of a recording", {"BLOCK": "lcs", "FROM": "1"}),
    ("launch of nothing", "LAUNCH is one of a recording", {"BLOCK": "lcs", "LAUNCH": "1"}),
    ("no number", "FROM=x is no cycle", {"BLOCK": "lcs", "TRACE": RECORDING, "FROM": "x"}),
]


class Waveform:
    """An FST file: `names` with their ranges (limit_q[3:0]), `changes` by name without: [(time, value)]; texts with spaces;
    `enums`: the names of values."""

    def __init__(self, fst: Path):
        scopes, signals, changes, now = [], {}, defaultdict(list), 0
        self.names, self.times, self.enums = set(), [], {}
        for line in run(["fst2vcd", "-e", fst]).stdout.splitlines():
            kind, words = line[:1], line.split()
            if kind in ("b", "s"):
                value, _, code = line[1:].rpartition(" ")
                changes[code].append((now, value.replace(r"\040", " ")))
            elif kind in ("0", "1"):
                changes[line[1:]].append((now, kind))
            elif kind == "#":
                now = int(line[1:])
                self.times.append(now)
            elif words[:1] == ["$scope"]:
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:3] == ["$attrbegin", "misc", "07"] and len(words) > 7:  # name, count, names, values
                self.enums[words[3]] = words[5:5 + int(words[4])], words[5 + int(words[4]):5 + 2 * int(words[4])]
            elif words[:1] == ["$var"]:
                name = ".".join([*scopes, words[4]])
                signals[name] = words[3]
                ranged = words[1] not in ("string", "integer") and int(words[2]) > 1
                self.names.add(f"{name}[{int(words[2]) - 1}:0]" if ranged else name)
        self.changes = {name: changes[code] for name, code in signals.items()}
        self.cycle = {time: int(value, 2) for name, code in signals.items() if re.fullmatch(r"\w+\.cycle", name)
                      for time, value in changes[code]}

    def texts(self, name: str) -> list[str]:
        """'cycle text' of every text, with the recording's number of the cycle."""
        return [f"{self.cycle[time]} {text}" for time, text in self.changes[name] if text]


def signals_of(view: Path) -> set[str]:
    """Of the lines that name a signal: with another name ("+{label} signal") or without."""
    return set(re.findall(r"(?m)^(?:\+\{[^}]*\} )?([A-Za-z][A-Za-z0-9_.]*\.[^ \n]*)$", view.read_text()))


def markers_of(view: Path) -> list[int]:
    times = re.search(r"(?m)^\*[-0-9.]+ [0-9]+ (.*)$", view.read_text())[1]
    return [int(time) for time in times.split() if time != "-1"]


def in_gtkwave(view: Path) -> list[tuple[str, str]]:
    """What stands above the groups: (variable, name), of a heading ("", name)."""
    found = []
    for line in view.read_text().partition("\n@c00200\n")[0].splitlines():
        if signal := re.fullmatch(r"\+\{([^}]*)\} ([^\[]*)(\[\d+:0\])?", line):
            found.append((signal[2], signal[1]))
        elif re.fullmatch(r"-.+", line):
            found.append(("", line[1:]))
    return found


def told_by_log(path: Path, instance: str) -> list[str]:
    """'cycle words' as the records of the log say; of the single SMs of a chip some are told."""
    told = []
    records = [one for one in map(json.loads, path.read_text().splitlines()) if one["instance"] == instance]
    for cycle, group in itertools.groupby(records, lambda one: one["cycle"]):
        words, sms = [], 0
        for one in group:
            of_sm = one["where"] == "chip" and one["sm"] is not None
            sms += of_sm
            if not of_sm or sms <= SMS_TOLD:
                words.append(f"{one['rule']}: {one['words']}")
        told.append(f"{cycle} {'; '.join(words)}{f'; {sms - SMS_TOLD} more SMs' if sms > SMS_TOLD else ''}")
    return told


def first_difference(one: list, other: list) -> str:
    return next((f"{a} and {b}" for a, b in itertools.zip_longest(one, other) if a != b), "")


class Waves:
    def __init__(self, test: Planted):
        self.test, self.ballast = test, test.build / "ballast"

    def waves(self, *arguments: object) -> tuple[Path, Waveform]:
        """The view that 'ballast waves' writes, and its waveform."""
        self.test.command(0, self.ballast, "waves", "--out", self.test.out, *arguments)
        view = Path(next(line for line in self.test.said.splitlines() if line.endswith(".gtkw")))
        return view, Waveform(view.with_suffix(".fst"))

    def block(self, block: str, cycles: int, least: int, recordings: list[Path]) -> None:
        with self.test.case(f"{block}: a view"):
            view, wave = self.waves("--max-cycles", cycles, block, *recordings)
        decisions = [name for name in wave.changes if name.endswith(".decision")]
        with self.test.case(f"{block}: every signal of the view is in the waveform"):
            expect(not (unknown := signals_of(view) - wave.names), f"unknown: {sorted(unknown)[:3]}")
        for side in ("rtl", "model"):
            with self.test.case(f"{block}: signals of side {side}"):
                expect(any(f".{side}." in name for name in signals_of(view)), "none")
        with self.test.case(f"{block}: markers at decisions"):
            decided = {time for name in decisions if ".model." in name for time, text in wave.changes[name] if text}
            expect(len(markers_of(view)) >= least, f"{len(markers_of(view))} markers, at least {least} expected")
            expect(not (stray := set(markers_of(view)) - decided), f"stray: {sorted(stray)[:3]}")
        with self.test.case(f"{block}: the log's words"):
            for name in decisions:
                _, instance, side, _ = name.split(".")
                log = view.with_suffix(f".{side}.jsonl")
                expect(not (differ := first_difference(told_by_log(log, instance), wave.texts(name))), f"{name}: {differ}")
        self.surfer(block, view, wave)
        with self.test.case(f"{block}: the sides never differ"):
            for name in wave.changes:
                expect(not name.endswith(".differs") or wave.changes[name] == [(0, "0")], name)

    def surfer(self, block: str, view: Path, wave: Waveform) -> None:
        """The command file beside the view shows what the view shows."""
        with self.test.case(f"{block}: Surfer's command file has the rows of GTKWave's view, and can be read"):
            file = SurferFile.read(view.with_suffix(".sucl"))
            shown = [(item.variable, item.name) for item in file.items]
            expect(not (differ := first_difference(shown, in_gtkwave(view))), differ)
            names = {name.partition("[")[0] for name in wave.names}
            expect(not (unknown := {item.variable for item in file.items if item.variable} - names), f"unknown: {sorted(unknown)[:3]}")
            expect(all((item.color == "Orange") == (".model." in item.variable) for item in file.items), "another color of the model")
            expect(all(item.color == "Yellow" for item in file.items if ".in." in item.variable), "another color of inputs")
        with self.test.case(f"{block}: Surfer's groups are those of the view, its markers and window, too"):
            text = view.read_text()
            sides = [f"{scope}.{side}" for scope in dict.fromkeys(re.findall(r"(?m)^-([\w]+): all of RTL$", text)) for side in ("rtl", "model", "in")]
            expect([group.partition(".")[2] for group in file.groups] == sides and sides, f"{file.groups}, not {sides}")
            expect(all(any(name.startswith(f"{group}.") for name in wave.names) for group in file.groups), "a scope that is not there")
            expect([time for _, time in file.markers] == markers_of(view), f"{file.markers}")
            first, marker = int(re.search(r"(?m)^\[timestart\] (\d+)$", text)[1]), int(re.search(r"(?m)^\*[-0-9.]+ (\d+)", text)[1])
            window, names = (int(re.search(rf"(?m)^\[{word}\] (\d+)", text)[1]) for word in ("size", "signals_width"))
            span = round(2 ** -float(re.search(r"(?m)^\*([-0-9.]+) ", text)[1]) * (window - names - 70) / 200)
            shown = wave.times[-1] / 2 ** file.zooms
            expect(file.cursors[-1] == marker and abs(file.cursors[0] - (first + span // 2)) <= 2, f"{file.cursors}: marker {marker}, {span} from {first}")
            expect(file.zooms == 0 or span - 1 <= shown < 2 * span + 2, f"{shown} cycles, not {span}")

    def surfer_texts(self) -> None:
        """What would end a command in a text of a view, and files that the reader must refuse."""
        views = self.test.work / "surfer"
        (views / "perfsat").mkdir(parents=True)
        (views / "perfsat/view").write_text("heading one; two # three\nvalue rtl limit_q a;b#c\ngroups perfsat\n")
        with self.test.case("Surfer: a text with ';' and '#'"):
            view, _ = self.waves("--views", views, "--max-cycles", 2000, "perfsat", RECORDING)
            names = [item.name for item in SurferFile.read(view.with_suffix(".sucl")).items]
            expect(names == ["one, two , three", "a,b,c"], f"{names}")
        good = view.with_suffix(".sucl").read_text()
        for name, text, instead in (("a command that there is not", "item_rename", "item_name"), ("a format that there is not", "Unsigned", "Decimal"),
                                    ("another item in focus", "item_focus b_", "item_focus c_"), ("none in focus", "item_focus b_", "item_unfocus"),
                                    ("a text that ends early", "a,b,c", "a;b"), ("a group behind an item", "item_unfocus\nscope", "scope")):
            with self.test.case(f"Surfer: the reader refuses {name}"):
                expect(text in good, "does not fit")
                bad = self.test.work / "bad.sucl"
                bad.write_text(good.replace(text, instead, 1))
                try:
                    SurferFile.read(bad)
                except ValueError:
                    continue
                raise AssertionError("taken")

    def limits(self) -> None:
        """Unset until the first decision; a decision's limit shows in the cycle after it."""
        view, wave = self.waves("perfsat", *PATHLONG)
        number = {cycle: time for time, cycle in wave.cycle.items()}
        for side in ("rtl", "model"):
            with self.test.case(f"limits of side {side} are those of the log"):
                wanted = [(0, 0)]
                for one in map(json.loads, view.with_suffix(f".{side}.jsonl").read_text().splitlines()):
                    if one["instance"] == "perfsat" and one["after"].get("limit", wanted[-1][1]) != wanted[-1][1]:
                        wanted.append((number[one["cycle"]] + 1, one["after"]["limit"]))
                shown = [(time, int(value, 2)) for time, value in wave.changes[f"SM0.perfsat.{side}.limit_q"]]
                expect(len(wanted) > 3 and shown == wanted, f"{shown}, log {wanted}")
        with self.test.case("states have their names"):
            expect(wave.enums["state_names"] == (STATES, [f"{n:03b}" for n in range(len(STATES))]), wave.enums.get("state_names"))

    def window(self) -> None:
        """What a run writes in a window is what it writes there without one: from the first change of each signal on."""
        signal = "SM0.lcs.rtl.inst_q_0"
        _, whole = self.waves("lcs", RECORDING)
        view, part = self.waves("--wave-from", 1000, "--wave-to", 9000, "lcs", RECORDING)
        with self.test.case("window: its cycles only"):
            expect((part.times[0], part.times[-1]) == (1000, 9000), f"{part.times[0]} to {part.times[-1]}")
        with self.test.case("window: values as without"):
            wanted = [change for change in whole.changes[signal] if 1000 < change[0] <= 9000]
            expect(wanted, "none")
            expect(not (differ := first_difference(wanted, part.changes[signal][1:])), differ)
        with self.test.case("window: what was decided before stands at its beginning"):
            words = part.changes["SM0.lcs.rtl.decision"]
            expect(any(time == 1000 and text.startswith("LCS-5: kernel start") for time, text in words), words)
        with self.test.case("window: the view opens on it, without a marker for what was before"):
            expect("\n[timestart] 1000\n" in view.read_text(), "opens elsewhere")
            expect(not markers_of(view), markers_of(view))

    def size_limit(self) -> None:
        signal = "SM0.perfsat.rtl.stalled_q"
        view, part = self.waves("--wave-limit", 1, "perfsat", *PATHLONG)
        size, said = view.with_suffix(".fst").stat().st_size, self.test.said
        with self.test.case("size limit: kept and used"):
            expect(700000 <= size <= MEGABYTE, f"{size} bytes")
        with self.test.case("size limit: one line says how far the file reaches and how to go on"):
            last = part.times[-1]
            expect(part.times[0] == 0 and f" full, shows cycles 0 to {last};" in said, f"{part.times[0]} to {last}: {said}")
            expect(f"--wave-from {last + 1}" in said and said.count("\n") == 2, said)
        with self.test.case("size limit: values as without"):
            _, unlimited = self.waves("--wave-to", last, "perfsat", *PATHLONG)
            expect(part.changes[signal], "none")
            expect(not (differ := first_difference(part.changes[signal], unlimited.changes[signal])), differ)

    def differs(self) -> None:
        for number, (name, fault, signal, changes) in enumerate(DIFFERS):
            with self.test.case(f"differs: {name}"):
                out = self.test.work / f"fault{number}"
                self.test.command(1, self.ballast, "lockstep", "--sm", 0, "--block", "stall_classifier,perfsat,lcs", "--out", out,
                                  "--inject", fault, RECORDING)
                wave = Waveform(next(out.glob("*.mismatch.fst")))
                expect(wave.changes[signal] == changes, wave.changes[signal])

    def refused(self, name: str, status: int, words: str, *command: object, env: dict[str, str] | None = None) -> None:
        with self.test.case(f"refused: {name}"):
            self.test.command(status, *command, env=env)
            lines = [line for line in self.test.said.splitlines() if not line.startswith("Try ")]
            expect(len(lines) == 1 and words in lines[0], f"no '{words}', or more than a line")

    def steady(self, script: Path, view: Path, picture: Path) -> bytes:
        """A picture that comes out twice in a row: on a busy machine one may be taken while GTKWave draws."""
        shots: list[bytes] = []
        while len(shots) < 2 or shots[-1] != shots[-2]:
            expect(len(shots) < 6, "six pictures, and no two are the same")
            self.test.command(0, "bash", script, view, picture)
            shots.append(picture.read_bytes())
        return shots[-1]

    def cycles(self) -> None:
        """GTKWave writes 100000 ns for cycle 100000, not 100 us: in a window and in a picture."""
        fake, picture, plain = self.test.work / "fake", self.test.work / "cycles.png", self.test.work / "plain"
        view = self.test.work / "cycles"
        self.test.command(0, self.ballast, "waves", "--out", view, "--max-cycles", 20000, "perfsat", RECORDING)
        view = next(view.rglob("*.gtkw"))
        fake.mkdir()
        (fake / "gtkwave").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{fake}/said\n')
        (fake / "gtkwave").chmod(0o755)
        with self.test.case("a window counts cycles one by one"):
            self.test.command(0, "sim/wave/open.sh", view, env={"DISPLAY": ":0", "PATH": f"{fake}:{os.environ['PATH']}"})
            expect("--rcvar\nscale_to_time_dimension n\n" in (fake / "said").read_text(), (fake / "said").read_text())
        with self.test.case("a picture does, too: GTKWave's own way gives another one"):
            plain.mkdir()
            script = Path("sim/wave/picture.sh").read_text()
            (plain / "picture.sh").write_text(script.replace(" --rcvar 'scale_to_time_dimension n'", ""))
            expect((plain / "picture.sh").read_text() != script, "nothing was taken away")
            expect(self.steady(Path("sim/wave/picture.sh"), view, picture) != self.steady(plain / "picture.sh", view, picture), "the same picture")

    def all_refused(self) -> None:
        no, views = self.test.work / "no", self.test.work / "views"
        for name, status, words, arguments in REFUSED:
            self.refused(name, status, words, self.ballast, "waves", "--out", no, *arguments)
        with self.test.case("refused: nothing half-written"):
            expect(not (left := [*no.rglob("*.fst*"), *no.rglob("*.gtkw*")]), left)
        (views / "perfsat").mkdir(parents=True)
        for line in REFUSED_VIEWS + REFUSED_RUNS:
            (views / "perfsat/view").write_text(f"{line}\n")
            self.refused(f"view: {line}", 2 if line in REFUSED_RUNS else 3, "perfsat/view:1: ", self.ballast, "waves", "--views", views, "--out", no, "perfsat",
                         RECORDING)
        for name, words, variables in REFUSED_MAKE:
            self.refused(f"make waves: {name}", 1, words, "sim/wave/waves.sh", self.ballast, self.test.work / "run",
                         env={"BLOCK": "", "TRACE": "", "WAVES": str(self.test.work / "waves")} | variables)


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("test_waves.py: name the build folder")
    with Planted("", sys.argv[1]) as test:
        need("fst2vcd")
        waves = Waves(test)
        for block in BLOCKS:
            waves.block(*block)
        waves.surfer_texts()
        waves.limits()
        waves.window()
        waves.size_limit()
        waves.differs()
        waves.cycles()
        waves.all_refused()
    return test.status


if __name__ == "__main__":
    sys.exit(main())
