# SPDX-License-Identifier: Apache-2.0
"""test_fuzz.py BUILD_DIR [more]: that fuzzing finds what is there to be found.

Faults are planted in a copy of the tree (a tie, a counter that is half full too early, a register without reset, a length
that nobody checks) and have to be found in seconds; found ones have to come back when their recording is replayed; the code
as it is has to hold for a few seconds; the archives of inputs have to be whole. With `more` also plants in other blocks."""
from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
import corpus  # noqa: E402
from fuzz import choose  # noqa: E402
from planted import Planted, expect, wait_for  # noqa: E402


@dataclass(frozen=True)
class Plant:
    name: str
    program: str  # fuzz_PROGRAM
    begin: bool   # with the inputs that are kept
    file: str
    old: str      # a regular expression
    new: str
    found: str    # words of the finding

    @property
    def target(self) -> str:
        return self.program.rpartition("=")[2]


PLANTS = [
    Plant("a vote's tie (RTL)", "vf_vote_plurality", True, "rtl/chip/vf_vote.sv",
          "comp_vs_mem = comp_count_q > mem_count_q", "comp_vs_mem = comp_count_q >= mem_count_q", "_o: model|assertion"),
    Plant("a counter that is half full too early (model)", "lcs_narrow", False, "cmodel/sm/lcs.c",
          r"s->inst\[slot\] >> \(cfg->count_w - 1\)", "s->inst[slot] >> (cfg->count_w - 2)", r"step_q\[[0-9]\]: model"),
    Plant("a register without reset (RTL)", "eq_counters_first", False, "rtl/sm/eq_counters.sv",
          r"(if \(!rst_ni\) begin\n(?:.*\n)*?) *cycle_q *<= CycleW.*\n", r"\1", "cycle_q: model"),
    Plant("a length that nobody checks (reader)", "files --kind=parts", True, "sim/recording/decode.c",
          r"\(size_t\)\(at->event_end - at->event\) < n", "at->event_end == NULL",
          "AddressSanitizer: (use-after-poison|heap-buffer-overflow)"),
]
MORE = [
    Plant("a comparison with the sample before (model)", "perfsat_narrow", False, "cmodel/sm/perfsat.c",
          r"if \(cur != s->prev\)", "if (cur > s->prev)", "_q: model"),
    Plant("a threshold that is met (RTL)", "eq_decision_small", False, "rtl/sm/eq_decision.sv",
          r"if \(n_mem > wcta\) begin", "if (n_mem >= wcta) begin", "_o: model|assertion"),
]


class Fuzzing(Planted):
    def __enter__(self) -> Fuzzing:
        super().__enter__()
        self.fuzz = self.build / "fuzz"
        self.tree = self.fuzz / "planted"
        self.store = self.work / "store"
        self.env = {"FUZZ_STORE": str(self.store)}
        self.plants = PLANTS + (MORE if sys.argv[2:] == ["more"] else [])
        return self

    def run(self, status: int, *words: object, script: Path = Path("tb/fuzz/fuzz.py"), **more) -> None:
        self.command(status, sys.executable, script.resolve(), self.build, *words, env=self.env, **more)

    def programs(self) -> list[Path]:
        return [self.fuzz / f"fuzz_{plant.program.split()[0]}" for plant in self.plants]

    def kept(self, name: str) -> Path:
        """The inputs that are kept of a target."""
        target = choose([name])[0]
        corpus.unpack(target.archive, name, self.work / "kept" / name)
        return self.work / "kept" / name

    def search(self, program: Path, words: list[str], begin: Path | None, seconds: int, longest: int) -> None:
        """Lets a fuzzing program look until it finds something; on a loaded machine longer, so that it has had its time."""
        empty = self.work / "empty"
        shutil.rmtree(empty, ignore_errors=True)
        empty.mkdir()
        command = [program, *words, "-seed=1", f"-max_total_time={seconds}", f"-max_len={longest}", "-len_control=10",
                   "-rss_limit_mb=512", f"-artifact_prefix={self.work}/", empty, *([begin] if begin else [])]
        said, start = self.work / "search", os.times()
        while True:
            with open(said, "w") as file:
                subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                               timeout=120, check=False)
            self.said = said.read_text(errors="replace")
            now = os.times()
            busy = now.children_user - start.children_user
            if re.search("FOUND|ERROR", self.said) or busy >= seconds / 2 or now.elapsed - start.elapsed > 10 * seconds:
                return


def usage(test: Fuzzing) -> None:
    test.command(0, "make", "--no-print-directory", "-j2", f"CONFIG={test.build.name}", f"B={test.build}", *test.programs())
    for name, words, said in [
            ("a name that is none", ["programs", "nothing"], "no block, variant or kind of file 'nothing'"),
            ("no number of seconds", ["run", "x", "lcs"], "'x' is no number of seconds"),
            ("no seconds at all", ["run"], "'' is no number of seconds"),
            ("an unknown action", ["dance"], "'dance'"),
            ("a program that is not built", ["run", "3", "lcs_ceil"], "is not there; run: make fuzz BLOCKS=lcs_ceil")]:
        with test.case(name):
            test.run(2, *words)
            test.one_line(re.escape(said))


# One flipped bit on one side: found, and the printed line finds the same with the ordinary command.
def replayed(test: Fuzzing) -> None:
    for variant, fault, port in [("lcs_narrow", "rtl:lcs_narrow.sum_q[3]@70", "sum_q"),
                                 ("vf_vote_plurality", "model:vf_vote_plurality.comp_count_q[1]@30", "comp_count_q")]:
        with test.case(f"found and replayed: {fault}"):
            ballast = test.build / "test/ballast"
            test.search(test.fuzz / f"fuzz_{variant}", [f"--inject={fault}", f"--findings={test.work}/{variant}",
                           f"--program={ballast}"], test.kept(variant), 30, 512)
            test.says(f"FOUND {variant}: .* {port}: model")
            line = re.search(rf"^  ({re.escape(str(ballast))} (?:lockstep|chip) .*)", test.said, re.M)
            expect(line, "no line to replay it")
            test.command(1, "sh", "-c", f"{line[1]} --out '{test.work}/replay'")
            test.says(f"MISMATCH in {variant}")
            test.says(port)


def runs(test: Fuzzing) -> None:
    with test.case("blocks and reader hold for a few seconds"):
        test.run(0, "run", 3, "lcs", "vf_vote", "parts")
        expect(len(re.findall(" ok$", test.said, re.M)) == 3, "not three targets")
    with test.case("an interrupted run keeps what it found"):
        log = test.store / "inputs/lcs_narrow.log"
        log.unlink(missing_ok=True)
        with open(test.work / "interrupt", "w") as said:
            process = subprocess.Popen([sys.executable, "tb/fuzz/fuzz.py", str(test.build), "run", "60", "lcs_narrow"],
                                       stdout=said, stderr=subprocess.STDOUT, env=os.environ | test.env)
        wait_for("its first inputs", lambda: log.is_file() and "INITED" in log.read_text(errors="replace") or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        status = process.wait(60)
        test.said = (test.work / "interrupt").read_text()
        expect(status == 130, f"exit status {status}")
        test.says("interrupted; the inputs found so far are in ")
        expect(any((test.store / "inputs/lcs_narrow").iterdir()), "nothing was kept")


# Programs in a build of their own that end at once, each in its way.
def dying(test: Fuzzing) -> None:
    build = test.work / "dying"
    (build / "fuzz").mkdir(parents=True)
    for name, text, status, said in [
            ("a program that is killed has not passed", "kill -9 $$", 2, "ended with -9 and found nothing"),
            ("a program that runs no input has not passed", "exit 0", 2, "not a single input was run"),
            ("a finding fails the run", "echo 'FOUND lcs_narrow: here'; exit 77", 1, "^FOUND lcs_narrow: here$")]:
        with test.case(name):
            program = build / "fuzz/fuzz_lcs_narrow"
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
            test.command(status, sys.executable, "tb/fuzz/fuzz.py", build, "run", 1, "lcs", env=test.env)
            test.says(said)


# In a copy of the tree without its code.
def archives(test: Fuzzing) -> None:
    tree = test.work / "archives"
    for folder in ("rtl", "tb"):
        shutil.copytree(folder, tree / folder)
    archive = tree / "tb/blocks/lcs/corpus.tar.xz"
    whole = archive.read_bytes()
    script = tree / "tb/fuzz/fuzz.py"
    unpacked = test.work / "store/corpus"
    with test.case("every input is unpacked, and the same inputs pack to the same bytes"):
        test.run(0, "unpack", script=script, cwd=tree)
        expect("lcs_narrow" in (unpacked / "targets").read_text().split(), "lcs_narrow is not among the targets")
        for target in choose([]):
            inputs = corpus.inputs_of(sorted((unpacked / target.name).iterdir()))
            expect(inputs and inputs == corpus.read(target.archive)[target.name], f"{target.name}: other inputs")
            again = test.work / f"{target.name}.tar.xz"
            corpus.write(again, target.name, inputs)
            expect(again.read_bytes() == target.archive.read_bytes(), f"{target.name}: other bytes")
    with test.case("a target's new inputs leave those of others"):
        corpus.write(archive, "lcs_ceil", corpus.inputs_of([script]))
        expect(sorted(corpus.read(archive)) == ["lcs_ceil", "lcs_narrow"], "they do not")
        corpus.write(archive, "lcs_ceil", {})
        expect(archive.read_bytes() == whole, "other bytes after taking them out again")
    with tarfile.open(test.work / "wrong.tar.xz", "w:xz") as tar:
        tar.add("Makefile", "lcs_narrow/00b791930b2e238ff264ec87dbfe32785d14f826")
    flipped = whole[:900] + bytes([whole[900] ^ 4]) + whole[901:]
    for name, data in [("ends early", whole[:-100]), ("is empty", b""), ("has a flipped bit", flipped),
                       ("is something else", b"else"), ("holds other inputs", (test.work / "wrong.tar.xz").read_bytes())]:
        with test.case(f"an archive that {name} is refused"):
            archive.write_bytes(data)
            test.run(2, "unpack", script=script, cwd=tree)
            test.one_line(r"tb/blocks/lcs/corpus.tar.xz: .*from git again$")
    with test.case("a missing archive: its target has no inputs"):
        archive.unlink()
        test.run(0, "unpack", script=script, cwd=tree)
        expect(not any((unpacked / "lcs_narrow").iterdir()), "it has some")


# Only sources are copied by name; what was built of the others comes along and need not be built again.
def copy_tree(test: Fuzzing) -> None:
    tree, build = test.tree, test.build
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("cmodel", "rtl", "sim", "synth_scripts", "tb"):
        shutil.copytree(folder, tree / folder)
    shutil.copy2("Makefile", tree)
    for folder in (*(build / "fuzz" / name for name in ("cov", "san", "rtl")), build / "verilator", Path("build/opt")):
        shutil.copytree(folder, tree / folder)
    for variant in (plant.target for plant in test.plants if (build / "rtl" / plant.target).is_dir()):
        shutil.copytree(build / "rtl" / variant, tree / build / "rtl" / variant)
    shutil.copy2(build / "blocks.mk", tree / build)


def planted(test: Fuzzing) -> None:
    with test.case("the plants fit, and are built"):
        copy_tree(test)
        for plant in test.plants:
            path = test.tree / plant.file
            before = path.read_text()
            after = re.sub(plant.old, plant.new, before)
            expect(after != before, f"nothing was planted: {plant.file} has changed")
            path.write_text(after)
        test.command(0, "make", "-C", test.tree, "--no-print-directory", "-j2", *test.programs())
    for plant, program in zip(test.plants, test.programs(), strict=True):
        with test.case(f"planted: {plant.name}"):
            begin = test.kept(plant.target) if plant.begin else None
            longest = 4096 if plant.program.startswith("files") else 512
            test.search(test.tree / program, plant.program.split()[1:], begin, 40, longest)
            test.says("FOUND|ERROR")
            test.says(plant.found)
    shutil.rmtree(test.tree, ignore_errors=True)


if __name__ == "__main__":
    Fuzzing.main("tb/fuzz/fuzz.py", usage, replayed, runs, dying, archives, planted)
