# SPDX-License-Identifier: Apache-2.0
"""The shared modules of the flows: every way in which a tool can fail ends as that failure, and files of a block that are wrong
are named.

  python3 tb/flow/test_flow.py

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blocks
import one_edge
import origin
import pages
import planted
import tools
import yosys
from planted import Planted, expect
from remembered import Remembered
from tools import Failure, Missing, Timeout, ToolFailed


def raised(kind: type[Exception], word: str, job) -> Exception:
    """The exception that `job` must raise, with a word that it must say."""
    try:
        job()
    except kind as error:
        expect(word in str(error), f"does not say '{word}': {error}")
        expect("\n" not in str(error), f"more than one line: {error}")
        return error
    raise AssertionError(f"no {kind.__name__}")


def tools_that_fail(test: Planted) -> None:
    with test.case("a tool that is missing"):
        raised(Missing, "make setup", lambda: tools.run(["no-such-tool"]))
        raised(Missing, "no-such-tool", lambda: tools.need("sh", "no-such-tool"))
    with test.case("a tool that ends with an error: its last line and status"):
        script = "echo begin; echo the end >&2; exit 3"
        error = raised(ToolFailed, "exit status 3: the end", lambda: tools.run(["sh", "-c", script]))
        expect(error.code == 3 and "begin" in error.output, "status or output lost")
    with test.case("a status that is accepted is no failure"):
        expect(tools.run(["sh", "-c", "exit 3"], accept=(0, 3)).returncode == 3, "status lost")
    with test.case("a tool that is killed"):
        expect(raised(ToolFailed, "signal 9", lambda: tools.run(["sh", "-c", "kill -9 $$"])).code == -9, "signal lost")
    with test.case("a tool that does not answer in time, with its children"):
        start = time.monotonic()
        raised(Timeout, "no answer in 0.2 s", lambda: tools.run(["sh", "-c", "sleep 30 & sleep 30"], seconds=0.2))
        expect(time.monotonic() - start < 10, "its children were waited for")
    with test.case("more than its processor time is no answer, waiting is not counted"):
        raised(Timeout, "no answer in 1 s of processor time", lambda: tools.run(["sh", "-c", "while :; do :; done"], cpu=1, seconds=100))
        expect(tools.run(["sh", "-c", "sleep 1.5; echo said"], cpu=1).stdout == "said\n", "not waited for")
        with mock.patch.object(tools, "WAIT", 0.2):
            raised(Timeout, "no answer in 0.2 s", lambda: tools.run(["sleep", "30"], cpu=1))
    with test.case("what a tool said is kept"):
        tools.run(["sh", "-c", "echo said"], log=test.work / "log")
        expect((test.work / "log").read_text() == "said\n", "not in the log")


def files_and_jobs(test: Planted) -> None:
    path = test.work / "result"
    with test.case("a file is the old one or the whole new one"):
        path.write_text("old\n")

        def broken() -> None:
            with tools.whole(path) as file:
                file.write("half")
                raise Failure("broken off")
        raised(Failure, "broken off", broken)
        expect(path.read_text() == "old\n" and len(list(test.work.glob(".result*"))) == 0, "half a file")
        with tools.whole(path) as file:
            file.write("new\n")
        expect(path.read_text() == "new\n", "not written")
    with test.case("two jobs of one program write one file at once: the last one to end counts, no half"):
        both = threading.Barrier(2)

        def write(text: str) -> None:
            with tools.whole(path) as file:
                file.write(text)
                both.wait(10)
        tools.in_parallel(write, ["a\n", "b\n"], 2)
        expect(path.read_text() in ("a\n", "b\n") and not list(test.work.glob(".result*")), "neither, or something left")
    with test.case("what is no regular file stays what it is"):
        pipe = test.work / "pipe"
        os.mkfifo(pipe)
        for path in (pipe, test.work):
            raised(Failure, f"{path}: cannot be written: no regular file", lambda path=path: tools.whole(path).__enter__())
        expect(pipe.is_fifo(), "the pipe is gone")
    with test.case("a file that cannot be written"):
        def full() -> None:
            with tools.whole(Path("/dev/full/x")) as file:
                file.write("x")
        raised((Failure, OSError), "/dev/full", full)
    with test.case("one run at a time works in a folder"):
        held = (f"import sys; sys.path.insert(0, 'tb/flow'); from pathlib import Path; import tools\n"
                f"def main():\n    tools.hold(Path('{test.work}/new/held')); tools.run(['true']); print('held', flush=True); sys.stdin.read()\n"
                "tools.program(main)\n")
        with subprocess.Popen([sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            expect(other.stdout.readline() == "held\n", "not held")
            raised(Failure, "held: another run works there; wait for its end, or give another folder with --out",
                   lambda: tools.hold(test.work / "new/held"))
            tools.hold(test.work / "new")
            other.kill()
        for _ in range(2):
            tools.hold(test.work / "new/held")
    with test.case("what a system has not at all is known"):
        for said, has in (("pkg:\n  Installed: (none)\n  Candidate: 1.0-1\n", True), ("pkg:\n  Installed: (none)\n  Candidate: (none)\n", False),
                          ("", False), (None, True)):
            folder = test.work / "apt"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "sh").symlink_to("/bin/sh")
            (folder / "cat").symlink_to("/bin/cat")
            if said is not None:
                (folder / "said").write_text(said)
                (folder / "apt-cache").write_text(f'#!/bin/sh\n[ "$1 $2" = "policy pkg" ] && cat {folder}/said\n')
                (folder / "apt-cache").chmod(0o755)
            with mock.patch.dict(os.environ, {"PATH": str(folder)}):
                expect(tools.offered("pkg") == has, f"{said!r}: not {has}")
    with test.case("a check without its package is named and counts as nothing, one that fails counts"):
        sys.path.insert(0, "tb")
        import run_tests
        tests, said = run_tests.Tests(test.work), io.StringIO()
        absent, present = run_tests.pypi.Package("absent==1", "bin/none"), run_tests.pypi.Package("present==1", ".")
        (test.work / present.name).mkdir()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()), \
             mock.patch.object(run_tests, "offered", lambda package: package != "nosuch"), \
             mock.patch.object(run_tests.pypi.Package, "venv", property(lambda package: test.work / package.name)), \
             mock.patch.object(run_tests.pypi.tools, "run", side_effect=run_tests.ToolFailed("pip failed", output="no network\n")):
            for check in (run_tests.Check("left out", ["false"], package="nosuch"), run_tests.Check("left out, too", ["false"], pypi=absent),
                          run_tests.Check("fails", ["false"], package="is-there"), run_tests.Check("passes", ["true"], pypi=present)):
                tests.one(check)
        expect((tests.passed, tests.failed, tests.left_out) == (1, 1, ["left out", "left out, too"]) and "left out                             not run: " in said.getvalue()
               and "not run: absent==1 cannot be had from PyPI: no network" in said.getvalue(), said.getvalue())
    for long, there, want in ((False, False, "no large==1; LONG=1 has it from PyPI, 200 MB"), (False, True, ""), (True, False, "large==1 cannot be had from PyPI: no network")):
        with test.case(f"a large package of PyPI that is {'' if there else 'not '}there, LONG {long}"), mock.patch.object(run_tests, "LONG", long), \
             mock.patch.object(run_tests.pypi.Package, "venv", property(lambda _, there=there: test.work / ("present==1" if there else "absent==1"))), \
             mock.patch.object(run_tests.pypi.tools, "run", side_effect=run_tests.ToolFailed("pip failed", output="no network\n")), \
             contextlib.redirect_stderr(io.StringIO()):
            lacks = run_tests.Check("large", ["true"], pypi=run_tests.pypi.Package("large==1", "." if there else "bin/none", 200)).lacks()
            expect(lacks == want, lacks)
    with test.case("a source that a check makes, changes or removes is a failure, and named"):
        there, said, copy = run_tests.sources(), io.StringIO(), test.work / "sources"
        expect(("tb/flow/test_flow.py", hashlib.sha256(Path(__file__).read_bytes()).hexdigest()) in there, "not all sources are looked at")
        (copy / "tb/deep").mkdir(parents=True)
        for name in ("tb/deep/same", "tb/deep/changed", "removed"):
            (copy / name).write_text(name)
        with contextlib.redirect_stdout(said), contextlib.chdir(copy):
            before = run_tests.sources()
            counted = [run_tests.left_behind(before)]
            (copy / "tb/deep/changed").write_text("other")
            (copy / "tb/deep/new").write_text("")
            (copy / "removed").unlink()
            counted.append(run_tests.left_behind(before))
        named = [line.partition(":")[0] for line in said.getvalue().splitlines()]
        expect(counted == [0, 1] and named == ["removed", "tb/deep/changed", "tb/deep/new"], f"{counted} {said.getvalue()}")
    with test.case("every test of the tree is run, once"):
        (test.work / "test").mkdir()
        (test.work / "test/programs").write_text("")
        every = {id(check): check for own, shared in run_tests.lanes(str(test.work)) for check in [*own, *shared]}.values()
        there = Counter(str(path) for top in ("sim", "synth_scripts", "tb") for path in Path(top).rglob("test_*.py"))
        listed = Counter(word for check in every for word in check.command if Path(word).match("test_*.py"))
        expect(listed == there, f"not run, twice, or not there: {there - listed} {listed - there}")
    for title, own, memory, room, there in (("memory, where there is enough", {}, test.work, 1, True), ("the disk, where there is not", {}, test.work, 1 << 60, False),
                                            ("the disk, where no memory is mounted", {}, test.work / "none", 1, False), ("TMPDIR, where one is set", {"TMPDIR": "/mine"}, test.work, 1, False)):
        with test.case(f"temporary files of the tests lie in {title}"), mock.patch.dict(os.environ, own), \
                mock.patch.multiple(run_tests, MEMORY=memory, ROOM=room):
            if not own:
                os.environ.pop("TMPDIR", None)
            with run_tests.temporary_files():
                made = os.environ.get("TMPDIR")
                expect((made is not None and made != "/mine") == there and (not there or Path(made).stat().st_mode == 0o41777), str(made))
            expect(not there or not Path(made).exists(), "it is left")
    with test.case("jobs side by side: results in order"):
        expect(tools.in_parallel(lambda n: n * n, range(20), 3) == [n * n for n in range(20)], "another order")
    with test.case("jobs side by side: one that takes long is waited for, and each second said so"):
        seen: list[object] = []
        tools.in_parallel(time.sleep, [0, 2.5], 2, lambda item, _: seen.append(item), lambda: seen.append("idle"))
        expect(seen == [0, "idle", "idle", 2.5], f"{seen}")
    with test.case("a job that fails ends the others"):
        script = ("import sys, time; sys.path.insert(0, 'tb/flow'); import tools\n"
                  "def job(n):\n"
                  "    if n == 0: raise tools.Failure('the first one', 7)\n"
                  "    tools.run(['sleep', '30'])\n"
                  "tools.program(lambda: tools.in_parallel(job, range(2), 2) and 0)\n")
        start = time.monotonic()
        ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        test.said = ended.stderr
        expect(ended.returncode == 7 and time.monotonic() - start < 10, f"exit status {ended.returncode}")
        test.one_line("the first one")


def what_is_read(test: Planted) -> None:
    with test.case("yosys reads a block, those inside it and what they share, in one order"):
        all_blocks = blocks.blocks()
        for name, inside in (("lcs", {"lcs"}), ("chip_governor", {"chip_governor", "sm_governor", "lcs", "vf_vote"})):
            files = [Path(word) for word in yosys.read(all_blocks[name], {})[0].split()[2:]]
            shared, found = {file for file in files if file.parent.name == "common"}, {file.stem for file in files} & set(all_blocks)
            expect(shared == set(Path("rtl/common").glob("*.sv")) and inside <= found, f"{name}: {files}")
            expect(("gwde" in found, "lcs" in found, len(set(files))) == (False, True, len(files)), f"{name}: {files}")


def programs_that_end(test: Planted) -> None:
    head = "import sys, time; sys.path.insert(0, 'tb/flow'); import tools\n"
    with test.case("an interrupt ends what runs: 130"):
        process = subprocess.Popen([sys.executable, "-c", head + "tools.program(lambda: tools.run(['sleep', '31.4159']))"],
                                   stderr=subprocess.PIPE, text=True)
        while subprocess.run(["pgrep", "-f", "sleep 31.4159"], stdout=subprocess.DEVNULL, check=False).returncode and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(2)
        _, test.said = process.communicate(timeout=20)
        expect(process.returncode == 130, f"exit status {process.returncode}")
        test.one_line("interrupted")
        expect(subprocess.run(["pgrep", "-f", "sleep 31.4159"], stdout=subprocess.DEVNULL, check=False).returncode == 1, "the tool goes on")
    with test.case("a closed pipe: ended by SIGPIPE, and nothing to say"):
        reader, writer = os.pipe()
        os.close(reader)
        ended = subprocess.run([sys.executable, "-c", head + "tools.program(lambda: print('x' * 100000))"], stdout=writer,
                               stderr=subprocess.PIPE, text=True, check=False)
        os.close(writer)
        expect((ended.returncode, ended.stderr) == (-signal.SIGPIPE, ""), f"exit status {ended.returncode}: {ended.stderr}")
    with test.case("a full disk: 3 and one line"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = subprocess.run([sys.executable, "-c", head + "tools.program(lambda: print('x' * 100000))"], stdout=full,
                                   stderr=subprocess.PIPE, text=True, check=False)
        test.said = ended.stderr
        expect(ended.returncode == 3, f"exit status {ended.returncode}")
        test.one_line("standard output: cannot write .No space left")
    for what, said in (("Path('/dev/full').write_text('x')", "/dev/full"), ("tools.in_parallel(lambda path: path.write_text('x'), [Path('/dev/full')])", "/dev/full"),
                       ("(lambda _: (lambda: print('x' * 100000))())(open('/dev/null'))", "standard output")):
        with test.case(f"a full disk, {what}: the line says what is full"):
            with open("/dev/full" if said == "standard output" else "/dev/null", "w", encoding="utf-8") as out:
                ended = subprocess.run([sys.executable, "-c", head + f"from pathlib import Path; tools.program(lambda: {what} and 0)"], stdout=out,
                                       stderr=subprocess.PIPE, text=True, check=False)
            test.said = ended.stderr
            expect(ended.returncode == 3, f"exit status {ended.returncode}")
            test.one_line(f"{said}: cannot write .No space left")


# What is wrong in which file of a block: the text that is replaced ("" for a new file), the new one, and the word that says so.
WRONG = [
    ("a block that it needs is not there", "one/ports.h", "N(two)", "N(stall)", "'stall'"),
    ("two blocks need each other", "two/ports.h", "NEEDS(N) ", "NEEDS(N) N(one)", "need each other: "),
    ("a variant's word is no parameter", "one/variants", "", "small NumSlots", "'NumSlots' is not Param=Value"),
    ("a variant's parameter is not the module's", "one/variants", "", "small Slots=2", "has no parameter 'Slots'"),
    ("a flow without a target", "one/targets", "", "mutate", "'mutate' without a target"),
    ("a target's parameter without a value", "one/targets", "", "mutate one NumSlots=", "'NumSlots=' is not Param=Value"),
]


def write_blocks(tree: Path) -> None:
    """A tree of two blocks; the first needs the second."""
    for name, needs in (("one", "N(two)"), ("two", "")):
        for folder in ("rtl/sm", "rtl/configs", f"tb/blocks/{name}"):
            (tree / folder).mkdir(parents=True, exist_ok=True)
        (tree / f"rtl/sm/{name}.sv").write_text(f"module {name} #(\n  parameter int NumSlots = 8\n) ();\nendmodule\n")
        (tree / f"tb/blocks/{name}/ports.h").write_text(f"#define BLOCK_PER_CHIP 0\n#define BLOCK_NEEDS(N) {needs}\n")


def read_blocks() -> None:
    blocks.blocks.cache_clear()
    for one in blocks.blocks().values():
        for own in blocks.variants(one).values():
            blocks.parameters(one, "small", own)
        blocks.targets("mutate", one, "small")


def blocks_that_are_wrong(test: Planted) -> None:
    home = Path.cwd()
    configuration = blocks.configuration
    blocks.configuration = lambda name: {"NumSlots": 4, "NumSms": 3}
    for number, (name, file, old, new, word) in enumerate(WRONG):
        tree = test.work / f"tree{number}"
        write_blocks(tree)
        os.chdir(tree)
        with test.case(name):
            read_blocks()
            expect(list(blocks.blocks()) == ["two", "one"], "not what is needed first")
            path = Path("tb/blocks") / file
            path.write_text(path.read_text().replace(old, new) if old else f"{new}\n")
            raised(Failure, word, read_blocks)
    os.chdir(home)
    blocks.configuration = configuration
    blocks.blocks.cache_clear()


def tables_in_pages(test: Planted) -> None:
    page = test.work / "page.md"
    program = [sys.executable, "tb/flow/pages.py", page]

    def piped(status: int, table: str, *words: str) -> None:
        test.command(status, "sh", "-c", 'text=$1; shift; printf "%s" "$text" | "$@"', "sh", table, *program, *words)

    with test.case("pages: a table is written, read back, and right"):
        page.write_text("before\n<!-- one -->\n<!-- end of one -->\n<!-- two -->\n<!-- end of two -->\nafter\n")
        piped(0, "| 1 |\n| 2 |\n", "one", "make one")
        piped(0, "| 3 |", "two", "make two")
        expect(pages.lines(page, "one") == ["| 1 |", "| 2 |"] and pages.lines(page, "two") == ["| 3 |"], page.read_text())
        expect(not pages.wrong(page, page.read_text()) and page.read_text().endswith("-->\nafter\n"), page.read_text())
    whole = page.read_text()
    with test.case("pages: new rows in the place of old ones, others stay, what is missing is named"):
        def rows(title: str, *new: list[str], order: tuple[str, ...] = ("a", "b", "c")) -> list[str]:
            pages.update(page, "one", title, ["thing", "is"], new, order, "make one")
            expect(not pages.wrong(page, page.read_text()), "not as written")
            return [line for line in pages.lines(page, "one") if "`" in line]
        expect(rows("of x:", ["c", "open"]) == ["| `c` | open |", "Not measured: `a`, `b`."], page.read_text())
        expect(rows("of x:", ["b", "good"], ["a", "bad"]) == ["| `a` | bad |", "| `b` | good |", "| `c` | open |"], page.read_text())
        expect(rows("of x:", ["c", "good"], order=("a", "c")) == ["| `a` | bad |", "| `c` | good |"], page.read_text())
        before = page.read_text()
        raised(Failure, "the table 'one' begins 'of x:', not 'of y:'", lambda: rows("of y:", ["c", "good"]))
        expect(page.read_text() == before, "changed")
        expect(rows("of y:", ["c", "good"], order=("c",)) == ["| `c` | good |"], page.read_text())
        before = page.read_text()
        raised(Failure, "the table 'one' has no place for d", lambda: rows("of y:", ["d", "good"]))
        expect(page.read_text() == before and pages.lines(page, "two") == ["| 3 |"], "changed")
        page.write_text(whole)
    with test.case("pages: who writes a page from what it says has it for itself, from the reading on"):
        rows("of x:", ["b", "bad"])
        before = page.read_text()
        with pages.held(page):
            other = subprocess.Popen([*program, "two", "make two"], stdin=subprocess.PIPE, text=True)
            writes = threading.Thread(target=rows, args=("of x:", ["a", "good"]))
            writes.start()
            other.stdin.write("| 5 |\n")
            other.stdin.close()
            time.sleep(1)
            expect(other.poll() is None and writes.is_alive() and page.read_text() == before, "did not wait")
            rows("of x:", ["b", "good"])
        writes.join(60)
        expect(other.wait(60) == 0 and pages.lines(page, "two") == ["| 5 |"], page.read_text())
        expect([line for line in pages.lines(page, "one") if "`" in line][:2] == ["| `a` | good |", "| `b` | good |"], page.read_text())
        raised(Failure, "no page", lambda: pages.write(test.work / "none/page.md", ["| 1 |"], "make one"))
        page.write_text(whole)
    for name, old, new in (("a number", "| 2 |", "| 4 |"), ("a row that is gone", "| 2 |\n", ""), ("another command", "make one", "make two"),
                           ("a sum", "sum ", "sum 0"), ("a table without an end", "<!-- end of one -->\n", ""),
                           ("an end without a table", "<!-- one: make one", "<!- one: make one")):
        with test.case(f"pages: {name} that was changed by hand is seen"):
            expect(old in whole and pages.wrong(page, whole.replace(old, new, 1)), "not seen")
    test_cases = {"no such table": ("| 1 |", "three", "make three", "has no lines '<!-- three -->'"),
                  "an empty table": ("", "one", "make one", "'make one' wrote nothing; the table 'one' stays"),
                  "a command that cannot be read back": ("| 1 |", "one", "make a,b", "can be read back"),
                  "marks in a table": ("<!-- x -->", "one", "make one", "can be read back")}
    for name, (table, table_name, command, said) in test_cases.items():
        with test.case(f"pages: {name}: one line, and the page stays"):
            piped(2, table, table_name, command)
            test.one_line(said)
            expect(page.read_text() == whole, "another page")


SMALL = """module small #(
  parameter int Slots = 8,  // CTA slots
  parameter int W     = $clog2(Slots + 1)
) (
  input  wire          clk_i,
  input  wire          rst_ni,

  // what it counts
  input  wire  [W-1:0] limit_i,  // only with a start
  output logic [W-1:0] limit_o
);
"""


def modules_around_blocks(test: Planted) -> None:
    """one_edge.py, and the files that Verilator leaves."""
    rtl = test.work / "small.sv"
    rtl.write_text(SMALL)
    with test.case("the module around a block: its parameters and ports, and the outputs from before the edge"):
        text = one_edge.wrapped(rtl)
        for line in ("parameter int Slots = 8,  // CTA slots", "input  wire  edge_i", "input  wire [W-1:0] limit_i", "output logic [W-1:0] limit_was_o",
                     "limit_was_o <= limit_o;", "small #(.Slots(Slots), .W(W)) small (.clk_i(clk), .rst_ni(rst_ni), .limit_i(limit_i), .limit_o(limit_o));"):
            expect(line in text, f"'{line}' is not in:\n{text}")
    with test.case("around a netlist: the parameters have values, and the netlist none"):
        text = one_edge.wrapped(rtl, {"Slots": 5, "W": 3}, netlist=True)
        for line in ("parameter int Slots = 5,  // CTA slots", "parameter int W     = 3", "  small small (.clk_i(clk)"):
            expect(line in text, f"'{line}' is not in:\n{text}")
    with test.case("without a clock there is no edge to keep anything from"):
        rtl.write_text(SMALL.replace("  input  wire          clk_i,\n", ""))
        expect("edge_i" not in one_edge.wrapped(rtl) and "was_o" not in one_edge.wrapped(rtl), "an edge")
    for name, old, new in (("a port of another kind", "output logic [W-1:0] limit_o", "output wire [W-1:0] limit_o"), ("a port without a name", "limit_i,", ","),
                           ("another module", "module small", "module other")):
        with test.case(f"{name} is named"):
            rtl.write_text(SMALL.replace(old, new))
            raised(Failure, "small.sv: ", lambda: one_edge.wrapped(rtl))
    with test.case("a block that is not there is named, and nothing is written"):
        test.command(2, sys.executable, "tb/flow/one_edge.py", test.work / "none.sv", test.work / "none_edge.sv")
        test.one_line("none.sv: cannot be read: No such file")
        expect(not (test.work / "none_edge.sv").exists(), "written")
    with test.case("of every block, all ports are there"):
        for one in blocks.blocks().values():
            kept = one_edge.wrapped(one.rtl).count("_was_o <=")
            outputs = sum(is_output for is_output, _, _ in one_edge.header(one.rtl)[2])
            expect(kept == (outputs if one.clocked else 0) and outputs, f"{one.name}: {kept} of {outputs} outputs are kept")
    with test.case("what Verilator left of a version with more files is not compiled"):
        build = test.work / "build"
        inc = build / "rtl/bcs/verilated_all.inc"
        (inc.parent).mkdir(parents=True)
        for stale in ("Vbcs___024root__DepSet_h00000000__7.cpp", "Vbcs__Old.cpp"):
            (inc.parent / stale).write_text("#error an earlier version\n")
        tools.run(["make", "--no-print-directory", f"B={build}", str(inc)], seconds=300)
        expect("Vbcs.cpp" in inc.read_text() and "__7.cpp" not in inc.read_text() and "Old" not in inc.read_text(), inc.read_text())


def what_is_remembered(test: Planted) -> None:
    """Never what an earlier run made of something else."""
    folder = test.work / "remembered"
    folder.mkdir()
    rtl, design, script = folder / "m.v", folder / "m.json", folder / "m.ys"
    commands = [f"read_verilog {rtl}", f"write_json {design}"]
    remembered = Remembered()

    def made(text: str, others: tuple[str, ...] = ()) -> bytes:
        """What a design of this text becomes, in place of rubbish that lies there."""
        rtl.write_text(text)
        design.write_text("rubbish")
        remembered([*others, *commands], script)
        return design.read_bytes()

    def asked(yosys_ran: bool, what: str) -> None:
        expect(remembered.asked == 1 and remembered.found == 1 - yosys_ran, f"{what}: {remembered.found} of {remembered.asked} remembered")
        remembered.asked = remembered.found = 0

    text = "module m (input a, output b); assign b = a; endmodule\n"
    first = made(text)
    asked(True, "the first time")
    with test.case("the same again is remembered, with what Yosys said and the script"):
        log = script.with_suffix(".log")
        script.unlink(), log.unlink()
        expect(made(text) == first and b"$not" not in first, "another design")
        expect(script.read_text().splitlines() == commands and log.is_file(), "no script, or no log")
        asked(False, "the same")
    with test.case("a file that has changed is read anew, in the same second and of the same length, too"):
        expect(b"$not" in made(text.replace("b = a", "b=~a")), "what was made of the earlier text")
        asked(True, "another text")
        expect(made(text) == first, "what was made of the other text")
        asked(False, "the first text")
    with test.case("other commands are others"):
        made(text, ("log other",))
        asked(True, "other commands")
    with test.case("a file that is only named by a text, or not there, is not remembered"):
        other = folder / "other.v"
        for inside in ("a", "1'b0"):
            other.write_text(f"assign b = {inside};\n")
            expect((b'"0"' in made(text.replace("assign b = a;", f'`include "{other}"'))) == (inside != "a"), f"not {inside}")
            asked(True, "a text with another one inside")
        for _ in range(2):
            raised(ToolFailed, "none.v", lambda: remembered([f"read_verilog {folder}/none.v", f"write_json {design}"], script))
            asked(True, "no file")
    with test.case("another Yosys is asked itself, and what fails is asked again"):
        for _ in range(2):
            with mock.patch.dict(os.environ, test.instead(yosys="exit 3")):
                raised(ToolFailed, "exit status 3", lambda: made(text))
            asked(True, "another Yosys")
        expect(made(text) == first, "another design")
        asked(False, "the Yosys from before")


def a_part_of_the_tests(test: Planted) -> None:
    """What 'make test' leaves for LONG=1, and what it says that a check costs."""
    cases = list(range(14))
    with test.case("some of the cases are from the first to the last, each once; with LONG it is all"):
        for short in range(2, 20):
            with mock.patch.object(planted, "LONG", False):
                found = planted.some(cases, short)
            expect(len(found) == min(short, 14) and found == sorted({*found}) and found[0] == 0 and found[-1] == 13, f"{short}: {found}")
            with mock.patch.object(planted, "LONG", True):
                expect(planted.some(cases, short) == cases, "not all")
    with test.case("LONG is asked for by 'make test LONG=1' alone"):
        for value, want in (("1", True), ("0", False), ("", False), (None, False)):
            env = {key: text for key, text in os.environ.items() if key != "LONG"} | ({} if value is None else {"LONG": value})
            said = subprocess.run([sys.executable, "-c", "import planted; print(planted.LONG)"], env=env, cwd="tb/flow", capture_output=True, text=True, check=True)
            expect(said.stdout == f"{want}\n", f"{value}: {said.stdout}")
    with test.case("what a check used of the processors is that of all that it started"):
        import run_tests
        tests, work = run_tests.Tests(test.work), f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.4: pass'"
        with contextlib.redirect_stdout(io.StringIO()) as said:
            tests.one(run_tests.Check("works", ["sh", "-c", f"{work}; {work}; true"]))
            tests.one(run_tests.Check("fails", ["sh", "-c", "echo 1 passed, 1 failed; exit 3"]))
        expect(0.8 <= tests.used < 3 and (tests.passed, tests.failed) == (2, 1), f"{tests.used} s: {said.getvalue()}")
        for text in ("", "killed\n", "1.5\n"):
            (test.work / "times").write_text(text)
            expect(run_tests.used(test.work / "times") == 0, text)


def where_results_are_from(test: Planted) -> None:
    with test.case("a sum of sources is that of the flow's beginning and of its end, or there is none"):
        expect(origin.same({"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "9", "d": "4"}) == {"a": "1"}, "another is there, or that one is not")
    with test.case("git is asked about its own repository alone, not about one that this tree lies in"):
        outer, inner = test.work / "outer", test.work / "outer/inner"
        inner.mkdir(parents=True)
        origin._known.cache_clear()
        expect(not origin._known(outer), "a folder without git is known")
        subprocess.run(["git", "init", "-q", outer], check=True)
        origin._known.cache_clear()
        expect(origin._known(outer) and not origin._known(inner), "not so")
        origin._known.cache_clear()
    with test.case("texts of files at a commit, and of one that was not there"):
        with contextlib.chdir(outer):
            words = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
            for name, text in (("a", "one\n"), ("empty", ""), ("b", "two: \xe9\n")):
                Path(name).write_text(text)
            subprocess.run([*words, "add", "a", "b", "empty"], check=True)
            subprocess.run([*words, "commit", "-q", "-m", "x"], check=True)
            Path("a").write_text("other\n")
            found = origin.texts("HEAD", ["a", "none", "empty", "b"])
            expect(found == {"a": "one\n", "none": "", "empty": "", "b": "two: \xe9\n"}, str(found))
            expect(origin.commit().endswith(" and changes"), origin.commit())
        origin._known.cache_clear()


if __name__ == "__main__":
    Planted.main("", tools_that_fail, files_and_jobs, what_is_read, programs_that_end, blocks_that_are_wrong, tables_in_pages,
                 modules_around_blocks, what_is_remembered, a_part_of_the_tests, where_results_are_from)
