# SPDX-License-Identifier: Apache-2.0
"""test_sysc.py [BUILD_DIR]: builds the SystemC bench and holds it against ballast: short runs, planted faults, the VCD, bad
input."""
from __future__ import annotations

import itertools
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
from planted import Planted, expect  # noqa: E402

SOUND = "vectors/fma.n6.blt"
GOVERNOR = ["lockstep", "--sm", "0", "--block", "sm_governor", "--set", "sm_governor.policy=perfsat"]
LCS = [*GOVERNOR[:-1], "sm_governor.policy=lcs"]

# What is planted, words of the report, the command.
FAULTS = [
    ("a fault in a register of the RTL: cycle and name as ballast says them",
     ["cycle 501 (cycle 500 of the run)", "  register perfsat.limit_q after"],
     [*GOVERNOR, "--inject", "rtl:sm_governor.perfsat.limit_q[1]@500"]),
    ("a fault in a register of the model", ["register lcs.inst_q[3] after"],
     [*LCS, "--inject", "model:sm_governor.lcs.inst_q[3][0]@700"]),
    ("a fault in an output of the RTL", ["output limit_o in this cycle"],
     [*GOVERNOR, "--inject", "rtl:sm_governor.limit_o[0]@900"]),
    ("a fault in a part of a chip", ["register sm[2].dyncta.limit_q after"],
     ["chip", "--block", "chip_governor_top", "--set", "chip_governor_top.policy=dyncta",
      "--inject", "rtl:chip_governor_top.sm[2].dyncta.limit_q[1]@700"]),
    ("the same fault in both sides goes on, to the next", ["cycle 601 (cycle 600 of the run)"],
     [*LCS, "--inject", "rtl:sm_governor.lcs.inst_q[3][4]@500", "--inject", "model:sm_governor.lcs.inst_q[3][4]@500",
      "--inject", "model:sm_governor.limit_o[0]@600"]),
]


class Benches(Planted):
    """The bench and ballast."""

    def __enter__(self) -> Benches:
        super().__enter__()
        self.ballast, self.bench = self.build / "test/ballast", self.build / "sysc/ballast-sc"
        self.mutant = self.build / "test/sysc.mutant"  # below the build, where make knows the blocks
        self.vcd = self.work / "x.vcd"
        return self

    def make(self, *words: object) -> None:
        settings = (f"CONFIG={self.build.name}", f"B={self.build}", "SYSC_OPT=-O0")
        self.command(0, "make", "-s", "--no-print-directory", "-j2", *settings, *words)

    def play(self, status: int, *words: object) -> None:
        self.command(status, self.bench, *words, seconds=120)

    def errors(self) -> list[str]:
        """GNU argp adds "Try ... --help" to its own complaints."""
        return list(itertools.takewhile(lambda line: not line.startswith("Try `"), self.said.splitlines()))

    def no_vcd(self) -> None:
        left = list(self.work.glob("x.vcd*"))
        expect(not left, f"left behind: {left}")


def asked_for() -> int:
    """How many replays the rooms' targets name, counted without the flow's reader of them."""
    return sum(1 + line.partition("policy=")[2].count(",") for path in Path("tb/blocks").glob("*/targets")
               for line in path.read_text().splitlines() if line.startswith("sysc "))


# ---- the same as ballast ---------------------------------------------------------------------

def as_ballast(test: Benches) -> None:
    test.make(test.ballast, test.bench, *(test.build / f"sysc/{block}/example" for block in ("sm_governor", "ballast_chip")))
    with test.case("every replay of the rooms: verdicts and logs are those of ballast"):
        test.run(0, "--cycles", 3000)
        wanted = asked_for()
        expect(len(re.findall(" pass *equal$", test.said, re.M)) == wanted > 0, f"not {wanted} replays that pass and are equal")
        cycles = re.findall(r"^\S+ +\S+ +\S+ +\S+ +(\d+) ", test.said, re.M)
        expect(set(cycles) == {"3000", "6000"}, "not 3000 cycles of each SM and recording")
    liar = test.work / "liar"
    logs = test.out / "sysc"
    for name, text, status, words in [
            ("a log that differs in one space is noticed", f"sed -i 's/:/: /' {logs}/*.rtl.jsonl", 1, "rtl.jsonl differs"),
            ("a log too many is noticed", f"touch {logs}/more.log", 1, "other logs"),
            ("a log that is missing is noticed", f"rm {logs}/*.model.log", 1, "model.log differs"),
            ("another exit status is noticed", "status=1", 1, "exit status 1, with ballast 0"),
            ("another verdict is noticed", "echo more", 1, "verdict differs"),
            ("a bench that is killed is no answer", "kill -9 $$", 2, "^sysc.py: .*signal 9")]:
        with test.case(name):
            liar.write_text(f'#!/bin/sh\n"{test.bench.resolve()}" "$@"\nstatus=$?\n{text}\nexit $status\n')
            liar.chmod(0o755)
            test.run(status, "--cycles", 300, "--bench", liar)
            test.says(words)
            test.says(": NOT equal|^sysc.py: ")
    for name, arguments, words in [("a bench that is not there", ["--bench", test.work / "none"], "none is no program"),
                                   ("no number of cycles", ["--cycles", "x"], "'x'"),
                                   ("an unknown argument", ["--no-such"], "--no-such")]:
        with test.case(name):
            test.run(2, *arguments)
            test.one_line(words)


# ---- planted faults --------------------------------------------------------------------------

def planted_faults(test: Benches) -> None:
    for name, words, command in FAULTS:
        with test.case(name):
            said, logs = [], []
            for side in (test.bench, test.ballast):
                out = test.work / "faults"
                shutil.rmtree(out, ignore_errors=True)
                test.command(1, side, *command, "--out", out, SOUND, seconds=120)
                for word in words:
                    expect(word in test.said, f"'{word}' is not in what {side} says")
                # Without the table's speed and the program's name; ballast is told the block that the bench has alone.
                lines = [re.sub(" +[0-9.]+$", "", line) if line.startswith("fma") else line for line in test.said.splitlines()
                         if not re.match("recording +mode", line)]
                said.append("\n".join(lines).replace(f"{side} ", "PROGRAM "))
                files = [file for file in out.iterdir() if file.suffix in (".log", ".jsonl", ".state")]
                logs.append({file.name: file.read_bytes() for file in files})
            expect(said[0] == said[1], "ballast says something else")
            expect(logs[0] == logs[1], "logs or states differ")
    # Faults are planted into what the checker has sampled; this one comes through the port.
    with test.case("a wrong output of the RTL is found"):
        sv = test.work / "sm_governor.sv"
        text = Path("rtl/sm/sm_governor.sv").read_text()
        wrong = text.replace("assign pause_soft_o = in_dyncta;", "assign pause_soft_o = in_dyncta || (in_lcs && kernel_start_i);")
        expect(wrong != text, "the fault does not fit")
        sv.write_text(wrong)
        shutil.rmtree(test.mutant, ignore_errors=True)
        shutil.copytree(test.build / "sysc/run", test.mutant / "run")
        test.make(f"SYSC={test.mutant}", "SYSC_VARIANTS=sm_governor", f"sm_governor_SV={sv}", test.mutant / "ballast-sc")
        test.command(1, test.mutant / "ballast-sc", "lockstep", "--sm", 0, "--set", "sm_governor.policy=lcs",
                         "--out", test.work / "mutant", "vectors/bfs.n4.blt")
        test.says("^  output pause_soft_o in this cycle")
    shutil.rmtree(test.mutant, ignore_errors=True)


# ---- the VCD ---------------------------------------------------------------------------------

def values(file: Path, scope: str, name: str) -> list[tuple[int, int]]:
    """(time, value) of a signal; of several scopes the one named, "" for the top."""
    found, at, ident, now = [], "", None, 0
    for line in file.read_text().splitlines():
        words = line.split()
        if words[:1] == ["$scope"]:
            at = "" if words[2] == "SystemC" else words[2]
        elif words[:1] == ["$upscope"]:
            at = ""
        elif words[:1] == ["$var"] and (at, words[4]) == (scope, name):
            ident = words[3]
        elif line.startswith("#"):
            now = int(words[0][1:])
        elif line.startswith("b") and len(words) == 2 and words[1] == ident:
            found.append((now, int(words[0][1:], 2)))
        elif line[:1] in ("0", "1") and line[1:] == ident:
            found.append((now, int(line[0])))
    return found


def only_changes(numbers: list[int]) -> list[int]:
    return [number for number, _ in itertools.groupby(numbers)]


def the_vcd(test: Benches) -> None:
    vcd, out = test.work / "run.vcd", test.work / "vcd"
    with test.case("a VCD of a run is written"):
        test.play(0, "--vcd", vcd, "family", "--log", "--set", "sm_governor.policy=perfsat", "--max-cycles", 120000,
                    "--out", out, *sorted(Path("vectors").glob("pathlong.n?.blt")))
        expect(vcd.stat().st_size, "an empty file")
    log = (out / "pathlong.sm0.model.log").read_text()
    logged = only_changes([int(to) for to in re.findall(r"(?m)^cycle \d+ .*limit \d+ -> (\d+)", log)])
    limits = {side: values(vcd, side, "limit_o") for side in ("rtl", "model")}
    for side, drawn in limits.items():
        with test.case(f"its limits of the {side} are those of the log"):
            # The first are reset and the kernel's start.
            text = f" {' '.join(map(str, only_changes([value for _, value in drawn])))} "
            expect(logged and f" {' '.join(map(str, logged))} " in text, f"VCD {text}, log {logged}")
    with test.case("both sides' limits change at the same times"):
        expect(limits["rtl"] == limits["model"], "they do not")
    with test.case("the limit changes in the cycle of the log"):
        # A decision of cycle c, counted as the recording does, shows after the edge that ends the cycle: 3 ns into its 4 ns.
        moves = re.findall(r"(?m)^cycle (\d+) .*limit (\d+) -> (\d+)", log)
        cycle, to = next((int(cycle), int(to)) for cycle, before, to in moves if before != to)
        time_of = next(at for at, value in limits["rtl"] if value == to)
        drawn = [value for at, value in values(vcd, "", "cycle") if at <= time_of][-1]
        expect(drawn == cycle, f"log: cycle {cycle}, VCD: cycle {drawn} (time {time_of})")
    if shutil.which("vcd2fst"):
        with test.case("GTKWave's tools read it"):
            test.command(0, "vcd2fst", vcd, test.work / "run.fst")
            expect((test.work / "run.fst").stat().st_size, "an empty file")
    with test.case("a window holds its cycles and no others"):
        part = test.work / "part.vcd"
        test.play(0, "--vcd", part, "--from", 1000, "--to", 1009, "lockstep", "--sm", 0, "--out", out, SOUND)
        clock = [value for _, value in values(part, "", "clk_i")]
        rises = sum(now == 1 and before == 0 for before, now in itertools.pairwise(clock))
        cycles = len(values(part, "", "cycle"))
        expect(rises == cycles == 10, f"{rises} clocks, {cycles} cycles")
    with test.case("a mismatch shows in the VCD, once and at the end"):
        fault = test.work / "fault.vcd"
        test.play(1, "--vcd", fault, "--from", 490, "lockstep", "--sm", 0, "--out", out,
                    "--inject", "rtl:sm_governor.limit_o[0]@500", SOUND)
        drawn = [value for _, value in values(fault, "", "mismatch")]
        expect(drawn == [0, 1], f"mismatch {drawn}")


# ---- bad input -------------------------------------------------------------------------------

def bad_input(test: Benches) -> None:
    cut = test.work / "cut.blt"
    cut.write_bytes(Path(SOUND).read_bytes()[:3000])
    none, vcd, out = test.work / "none.blt", test.vcd, ["--out", test.work / "bad"]
    usage, bad = 2, 3
    for name, status, word, arguments in [
            ("a damaged recording", bad, "cut.blt", ["lockstep", *out, cut]),
            ("a missing recording", bad, "none.blt", ["lockstep", *out, none]),
            ("an unknown option", usage, "no-such", ["--no-such", "lockstep"]),
            ("an unknown option of a command", usage, "no-such", ["lockstep", "--no-such", *out, SOUND]),
            ("an unknown command", usage, "no command 'blocks'", ["blocks"]),
            ("no command", usage, "name a command", []),
            ("an unknown block", usage, "perfsat", ["lockstep", "--block", "perfsat", *out, SOUND]),
            ("two blocks in one simulation", usage, "one block in a run",
             ["chip", "--block", "chip_governor_top,sm_governor", *out, SOUND]),
            ("an unknown policy", usage, "nopolicy", ["lockstep", "--set", "sm_governor.policy=nopolicy", *out, SOUND]),
            ("a VCD in a folder that is not there", bad, "/none/x.vcd",
             ["--vcd", test.work / "none/x.vcd", "lockstep", *out, SOUND]),
            ("a window without a VCD", usage, "only with --vcd", ["--from", 3, "lockstep", *out, SOUND]),
            ("a window that ends before it begins", usage, "before --from",
             ["--vcd", vcd, "--from", 3, "--to", 2, "lockstep", *out, SOUND]),
            ("a window behind the end of the run", bad, "no cycle 99999",
             ["--vcd", vcd, "--from", 99999, "lockstep", "--sm", 0, *out, SOUND])]:
        with test.case(name):
            test.command(status, "sh", "-c", 'exec "$@" 2>&1 >/dev/null', "sh", test.bench, *arguments, seconds=120)
            expect(len(test.errors()) == 1 and word in test.errors()[0], f"not one line with '{word}' on standard error")
            test.no_vcd()
    with test.case("a VCD on a full disk"):
        test.command(bad, "bash", "-c", 'trap "" XFSZ && ulimit -f 64 && exec "$@" 2>&1 >/dev/null', "bash", test.bench,
                         "--vcd", vcd, "lockstep", "--sm", 0, *out, SOUND)
        expect(len(test.errors()) == 1 and "x.vcd: cannot write" in test.said, "not one line about it")
        test.no_vcd()
    with test.case("an interrupt ends the simulation, the VCD is whole"):
        test.command(124, "timeout", "--signal=INT", 2, test.bench, "--vcd", vcd, "--to", 2000, "family",
                         "--max-laps", 1000000, *out, *sorted(Path("vectors").glob("chase.n?.blt")))
        expect(test.said.count("stopped by a signal") == 1, "does not say it once")
        expect(vcd.read_text().splitlines()[-1].startswith("#"), "the VCD ends amid a time")
        expect(not list(test.work.glob("x.vcd.part*")), "a part is left behind")


# ---- for other people's platforms ------------------------------------------------------------

def for_others(test: Benches) -> None:
    with test.case("the example of doc/use/systemc.md: RTL and model decide the same, 6 CTAs"):
        test.command(0, test.build / "sysc/sm_governor/example")
        rtl, model = (re.findall(f"(?m)^{side} (.*)", test.said) for side in ("rtl", "model"))
        expect(rtl and rtl == model, "they do not")
        test.says("^rtl .*-> 6")
    with test.case("a chip whose software starts a kernel over the bus: RTL and model are over in the same cycle, all CTAs launched"):
        test.command(0, test.build / "sysc/ballast_chip/example")
        rtl, model = (re.findall(f"(?m)^{side}: (.*)", test.said) for side in ("rtl", "model"))
        expect(len(rtl) == 1 and rtl == model, "they are not")
        test.says("^rtl: 40 CTAs launched")
    with test.case("both headers in one program"):
        both = test.work / "both.cpp"
        both.write_text('#include "blocks/chip_governor/sc.h"\n#include "blocks/sm_governor/sc.h"\n'
                        "using chip = chip_governor_model_sc<Vchip_governor_top>;\nusing sm = sm_governor_model_sc<sm_governor_sc>;\n")
        test.command(0, "verilator", "--getenv", "VERILATOR_ROOT")
        root = f"{test.said.strip()}/include"
        made = test.build / "sysc"
        folders = ["cmodel", "tb", "sim", root, f"{root}/vltstd", made / "sm_governor", made / "chip_governor_top"]
        words = [f"-I{folder}" for folder in folders]
        test.command(0, "g++", "-std=gnu++17", "-fsyntax-only", "-w", "-DVM_SC=1", *words, both)


if __name__ == "__main__":
    Benches.main("tb/systemc/sysc.py", as_ballast, planted_faults, the_vcd, bad_input, for_others)
