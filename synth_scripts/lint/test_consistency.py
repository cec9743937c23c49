#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_consistency.py: plants one fault after the other in the texts of the tree; the consistency check must name each.

In: the repository, from its root. Out: a line for each case. Exit 0 all faults were found, 1 not so.
"""
from __future__ import annotations

import functools
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
sys.dont_write_bytecode = True

import lint_rtl  # noqa: E402
from blocks import blocks  # noqa: E402
from check_consistency import CHECKS  # noqa: E402
from consistency import rooms  # noqa: E402
from consistency.tree import Tree  # noqa: E402
from planted import Planted, expect  # noqa: E402

Texts = dict[str, "str | None"]  # None: the file is gone
Change = Callable[[Tree], Texts]


class Changed(Tree):
    """The tree with some other texts."""

    def __init__(self, tree: Tree, texts: Texts):
        super().__init__(tree.root)
        self.under, self.texts = tree, texts

    @functools.cached_property
    def files(self) -> list[str]:
        return sorted({*self.under.files, *self.texts} - {path for path, text in self.texts.items() if text is None})

    def text(self, path: str) -> str:
        return self.texts[path] or "" if path in self.texts else self.under.text(path)


def edit(path: str, pattern: str, new: str) -> Change:
    """Replaces the first match of a pattern, which must be there."""
    def change(tree: Tree) -> Texts:
        text, count = re.subn(pattern, new, tree.text(path), count=1, flags=re.M)
        assert count == 1, f"{path} has no '{pattern}'"
        return {path: text}
    return change


def remove(*paths: str) -> Change:
    """Removes files or folders."""
    return lambda tree: {name: None for name in tree.files if any(name == path or name.startswith(f"{path}/") for path in paths)}


def add(path: str, text: str) -> Change:
    """Adds to a file, or makes it."""
    return lambda tree: {path: tree.text(path) + text}


def unproved(target: str) -> Change:
    """Takes a target out of the table of proofs and out of the list of what was proved."""
    lists = {PROOFS: rf"^\| `{target}` \|.*\n", "tb/formal/proved/fermi": rf"^{target}\t.*\n"}

    def change(tree: Tree) -> Texts:
        found = {path: re.subn(pattern, "", tree.text(path), flags=re.M) for path, pattern in lists.items()}
        assert all(count > 1 for _, count in found.values()), f"nothing is proved of {target}"
        return {path: text for path, (text, _) in found.items()}
    return change


DYNCTA, GOVERNOR, CHIP = "rtl/sm/dyncta.sv", "rtl/sm/sm_governor.sv", "rtl/chip/chip_governor.sv"
PROOFS = "doc/verification/proofs.md"
LIST = "rtl/registers/ballast_regs.csv"
PORTS, PAGE = "tb/blocks/dyncta/ports.h", "doc/blocks/dyncta.md"
# Check, fault, what the finding says.
CASES: list[tuple[str, Change, str]] = [
    ("missing", remove("cmodel/sm/dyncta.c"), "cmodel/sm/dyncta.c is missing: rtl/sm/dyncta.sv needs it"),
    ("missing", remove("tb/blocks/dyncta/view"), "tb/blocks/dyncta/view is missing: rtl/sm/dyncta.sv needs it"),
    ("missing", remove("doc/blocks/dyncta.md"), "doc/blocks/dyncta.md is missing"),
    ("missing", remove("tb/blocks/dyncta/cover.sv"), "'make cover' has no points to reach of dyncta"),
    ("missing", remove("tb/blocks/dyncta/properties.h"), "'make formal' has no rules to prove of dyncta"),
    ("missing", add("rtl/sm/idle.sv", "module idle;\n"), "tb/blocks/idle/ports.h is missing"),
    ("missing", remove("rtl/sm", "rtl/chip"), "no blocks in rtl/sm and rtl/chip"),
    ("unwritten", add(PAGE, "\nwrite me: what it is for\n"), "doc/blocks/dyncta.md:"),
    ("orphans", remove(DYNCTA), "tb/blocks/dyncta/ belongs to no block"),
    ("orphans", remove(DYNCTA), "cmodel/sm/dyncta.h: there is no rtl/sm/dyncta.sv"),
    ("orphans", remove(DYNCTA), "doc/blocks/dyncta.md belongs to no block"),
    ("names", edit(DYNCTA, r"parameter int Period ", "parameter int Span "), "has no 'parameter int Period = NUMBER'"),
    ("names", edit(DYNCTA, r"parameter int Period ", "parameter int Span "), "lacks parameter Span"),
    ("names", edit(DYNCTA, r"Period   = 2048", "Period   = 1024"), "default of Period is 2048, in rtl/sm/dyncta.sv it is 1024"),
    ("names", edit(PAGE, r"^\| `Period`.*\n", ""), "has no row '| `Period` | 2048 | ...'"),
    ("names", edit(PORTS, r"    X\(timer, .*\n", ""), "lacks register timer_q of"),
    ("names", edit(PORTS, r"X\(nmax, ", "X(most, "), "has no most_i, which"),
    ("names", edit(PORTS, r"X\(nmax, ", "X(most, "), "lacks port nmax_i of"),
    ("names", edit(PAGE, r"`sample_end_o`(?s:.*)", ""), "says nothing of `sample_end_o`"),
    ("names", edit("tb/blocks/sm_governor/ports.h", r".*P\(lcs, lcs\).*\n", ""), "lacks part u_lcs of rtl/sm/sm_governor.sv"),
    ("names", edit(GOVERNOR, r"\) u_lcs \(", ") u_lazy ("), "has no instance u_lcs, which"),
    ("names", edit("doc/blocks/stall_classifier.md", r"`ws0_i` \.\. `ws3_i`", "`ws0_i` .. `ws2_i`"), "says nothing of `ws3_i`"),
    ("ranges", edit(PAGE, r"0\.\.NumSlots", "1..NumSlots"), "the range of nmax_i is 1..numslots, in tb/blocks/dyncta/ports.h 0..NumSlots"),
    ("ranges", edit(PAGE, r"only with `enable_i` and", "only with"), "nmax_i is read with kernel_start_i, in"),
    ("ranges", edit(PORTS, r"in->enable && in->kernel_start\)", "1)"), "in tb/blocks/dyncta/ports.h with anything"),
    ("ranges", edit(PORTS, r"R\(nmax, cfg->num_slots", "R(nmax, cfg->period"), "in tb/blocks/dyncta/ports.h 0..Period"),
    ("ranges", edit(PORTS, r"^#define BLOCK_RANGES.*\n", ""), "lacks the range 0..numslots of nmax_i that"),
    ("ranges", edit("tb/blocks/chip_governor/ports.h", r"^#define BLOCK_LANE_RANGES.*\n", ""), "lacks the range 0..numslots of nmax_i that"),
    ("parameters", edit("cmodel/sm/dyncta.c", r"\.period = 2048", ".period = 1024"),
     "default of period is 1024, in rtl/sm/dyncta.sv Period is 2048"),
    ("parameters", edit("cmodel/sm/lcs.c", r"LCS_ROUND_FLOOR,", "LCS_ROUND_CEIL,"),
     "default of round_mode is 1, in rtl/sm/lcs.sv RoundMode is 0"),
    ("parameters", edit("cmodel/sm/dyncta.h", r"default 2048", "default 4096"), "says that the default of period is 4096"),
    ("parameters", edit("cmodel/sm/dyncta.h", r"2\.\.65536", "2..4096"), "range of Period: 2..65536 in rtl/sm/dyncta.sv"),
    ("parameters", edit(PAGE, r"2\.\.65536", "2..100"), "range of Period: "),
    ("parameters", edit("cmodel/sm/dyncta.h", r"uint32_t period;", "uint32_t span;"), "Period is the field period, which"),
    ("parameters", edit(GOVERNOR, r"DynPeriod       = 2048", "DynPeriod       = 1024"),
     "default of DynPeriod is 1024, that of Period of dyncta is 2048"),
    ("parameters", edit(GOVERNOR, r"    \.Settle     \(PsSettle\)\n", "    .Unused(0)\n"),
     "leaves Settle of perfsat at its default"),
    ("parameters", edit(GOVERNOR, r"    \.Settle     \(PsSettle\)\n", "    .Unused(0)\n"), "perfsat has no parameter Unused"),
    ("parameters", edit(GOVERNOR, r"\.RecoverN   \(PsRecoverN\)", ".RecoverN   (PsWeakRevert)"),
     "perfsat.recover_n is to be PsWeakRevert of"),
    ("parameters", edit(GOVERNOR, r"\.RecoverN   \(PsRecoverN\)", ".RecoverN   (PsWeakRevert)"),
     "does not say that PsWeakRevert is `RecoverN` of `perfsat`"),
    ("parameters", edit(GOVERNOR, r"CTA slots, 2\.\.32", "CTA slots, 1..32"),
     "NumSlots may be 1..32, NumSlots of lcs only 2..32"),
    ("parameters", edit(GOVERNOR, r"Epoch / SampleInterval;", "Epoch * SampleInterval;"),
     "default of Samples is 524288, that of Samples of eq_decision is 32"),
    ("parameters", edit("cmodel/sm/sm_governor.c", r"epoch / cfg", "sample_phase / cfg"), "decision.samples is to be Samples of"),
    ("parameters", edit("cmodel/sm/sm_governor.c", r".*cfg->lcs\.issue_width = .*\n", ""),
     "lcs.issue_width is to be IssueWidth of"),
    ("parameters", edit("tb/blocks/sm_governor/params.h", r"perfsat\.tie\b", "perfsat.settle"), "perfsat.tie is to be PsTie of"),
    ("parameters", edit("doc/blocks/sm_governor.md", r"`Period` of `dyncta`", "of `dyncta`"),
     "does not say that DynPeriod is `Period` of `dyncta`"),
    ("parameters", edit("cmodel/chip/chip_governor.c", r"VF_DOMAIN_MEM;", "VF_DOMAIN_SM;"), "mem_domain.domain is to be 1 of"),
    ("parameters", edit("cmodel/chip/chip_governor.c", r".*mem_domain = cfg->sm_domain.*\n", ""),
     "mem_domain.transition is to be Transition of"),
    ("parameters", edit(CHIP, r"PsWeakRevert    = 0", "PsWeakRevert    = 1"),
     "default of PsWeakRevert is 1, that of PsWeakRevert of sm_governor is 0"),
    ("parameters", edit("tb/blocks/chip_governor/ports.h", r"#define BLOCK_DERIVE.*\n", ""), "has no BLOCK_DERIVE"),
    ("widths", edit(PORTS, r"X\(timer, width_of\(cfg->period - 1\)", "X(timer, width_of(cfg->period)"),
     "width of timer_q is width_of(cfg->period)"),
    ("widths", edit(PORTS, r"(#define BLOCK_REGISTERS(?s:.*?)X\(timer, )width_of\(cfg->period - 1\)", r"#define OWN OWN\n\1OWN"),
     "width of timer_q cannot be compared"),
    ("widths", edit("tb/blocks/lcs/ports.h", r"A\(inst, cfg->num_slots, cfg->count_w", "A(inst, cfg->num_slots, cfg->num_slots"),
     "width of inst_q is cfg->num_slots"),
    ("widths", edit("tb/blocks/chip_governor/ports.h", r"L\(req, 1", "L(req, 2"), "width of req_o is 2"),
    ("widths", edit(PORTS, r"X\(timer, width_of\(", "X(timer, bits_of("), "width of timer_q cannot be compared"),
    ("links", add("README.md", "\n[nowhere](doc/nowhere.md)\n"), "README.md: links to doc/nowhere.md, which is not there"),
    ("links", add(PAGE, "\n![none](none.png)\n"), "doc/blocks/dyncta.md: links to none.png"),
    ("links", add(PAGE, "\n[there](lcs.md#no-such-heading)\n"), "links to lcs.md#no-such-heading, which has no such heading"),
    ("paths", add("README.md", "\nSee `tb/engine/nowhere.c`.\n"), "README.md: names tb/engine/nowhere.c, which is not there"),
    ("paths", add("cmodel/sm/dyncta.c", "/* as in sim/nowhere/gone.c */\n"), "cmodel/sm/dyncta.c: names sim/nowhere/gone.c"),
    ("paths", add(DYNCTA, "// doc/blocks/gone.md\n"), "rtl/sm/dyncta.sv: names doc/blocks/gone.md"),
    ("paths", add("README.md", "\n`tb/blocks/BLOCK/nothing_such.h`\n"), "names tb/blocks/BLOCK/nothing_such.h"),
    ("paths", add("README.md", "\n`tb/blocks/dyncta/{ports,portals}.h`\n"), "names tb/blocks/dyncta/portals.h"),
    ("tables", edit(PROOFS, r"^(\| `vf_vote` .*? )(\d+ outputs)", r"\g<1>1\2"), "is not what 'make formal-update' wrote"),
    ("tables", edit(PROOFS, r"\| open \||\| proved \|", "| failed |"), "is not what 'make formal-update' wrote"),
    ("tables", edit(PROOFS, r"^\| `vf_vote` .*\n", ""), "is not what 'make formal-update' wrote"),
    ("tables", edit(PROOFS, r"make formal-update, sum \w+", "make nothing, sum 0123456789abcdef"), "is not what 'make nothing' wrote"),
    ("tables", edit(PROOFS, r": make formal-update, sum \w+", ""), "does not say which command wrote it"),
    ("tables", edit(PROOFS, r", sum \w+", ""), "that do not belong together"),
    ("tables", edit(PROOFS, r"^<!-- end of fermi -->\n", ""), "that do not belong together"),
    ("registers", edit(LIST, r",0x048,", ",0x05C,"), "T_MEM_L has no words of its own at 0x04C"),
    ("registers", edit(LIST, r",0\.\.5,", ",0..6,"), "its table of registers is not what 'make registers' makes of"),
    ("registers", edit(LIST, r"^register,MODE,0x054,,rw", "register,MODE,0x05C,,rw"), "BCS has no words of its own at 0x058"),
    ("registers", edit(LIST, r"^(register,DOMAINS),0x080", r"\1,0x090"), "KERNEL has no words of its own at 0x090"),
    ("registers", edit(LIST, r"^(register,KERNEL),0x090", r"\1,0x084"), "rtl/common/ballast_regs_pkg.sv: is not what 'make registers' makes"),
    ("registers", edit(LIST, r"^(field,NO_CTA,,,,)3:3", r"\g<1>2:2"), "the fields of PENDING do not lie in it side by side"),
    ("registers", edit(LIST, r",w1c,", ",wo,"), "PENDING: a register has an offset 0x000, an access of ro, rw"),
    ("registers", edit(LIST, r"T_MEM_L\.\.DynPeriod", "T_MEM..DynPeriod"), "'T_MEM' is no number, parameter or register"),
    ("registers", edit("rtl/chip/ballast_regs.sv", r"DynPeriod  = 2048", "DynPeriod  = 4096"), "rdl: is not what 'make registers' makes"),
    ("registers", edit("rtl/common/ballast_regs_pkg.sv", r"12'h0C4", "12'h0C8"), "pkg.sv: is not what 'make registers' makes of"),
    ("registers", edit("rtl/registers/ballast_regs_map.h", r"0x0C4u", "0x0C8u"), "map.h: is not what 'make registers' makes of"),
    ("registers", edit("rtl/registers/ballast_regs.rdl", r"woclr", "wclr"), "rdl: is not what 'make registers' makes of"),
    ("registers", edit("doc/blocks/ballast_regs.md", r"^(\| 0x0C4 \| ENABLE \| )", r"\1only "), "its table of registers is not what"),
    ("registers", edit("doc/blocks/ballast_regs.md", r"^<!-- end of registers -->\n", ""), "its table of registers is not what"),
    ("registers", remove(LIST), "there is no rtl/registers/ballast_regs.csv"),
    ("tables", add("README.md", "\n<!-- results: make formal, sum 0123456789abcdef -->\n| 1 |\n<!-- end of results -->\n"),
     "README.md:"),
    ("rooms", add("tb/engine/lockstep.c", '#include "recording/trace.h"\n'), "tb/engine must not know sim/recording"),
    ("rooms", add("cmodel/sm/lcs.c", '#include "analytic/check.h"\n'), "cmodel/sm must not know cmodel/analytic"),
    ("rooms", add("cmodel/analytic/check.c", '#include "sm/lcs.h"\n'), "cmodel/analytic must not know cmodel/sm"),
    ("rooms", add("sim/recording/trace.c", '#include "../gpu/machine.h"\n'), "sim/recording must not know sim/gpu"),
    ("rooms", add("sim/gpu/machine.c", '#include "cli/commands.h"\n'), "sim/gpu must not know sim/cli"),
    ("rooms", add("tb/idle/idle.c", '#include "engine/lockstep.h"\n'), "may include nothing yet"),
    ("blocks", add("tb/engine/lockstep.c", 'const char *one = "dyncta";\n'), "tb/engine/lockstep.c: names a block 1 times"),
    ("blocks", add("tb/formal/new.py", "BLOCKS = ['lcs', 'perfsat']\n"), "tb/formal/new.py: names a block 2 times"),
    ("licences", add("tb/engine/new.c", "int x;\n"), "tb/engine/new.c: no SPDX-License-Identifier"),
    ("unplayable", add("tb/blocks/ballast_chip/targets", "cover ballast_chip_four recording=pathfinder.n8\n"),
     "tb/blocks/ballast_chip/targets: 'cover ballast_chip_four recording=pathfinder.n8' replays a recording, and four has other warps"),
    ("verilated", edit("tb/shim/verilator.args", r"^-fno-const-bit-op-tree\n", ""), "tb/shim/verilator.args: '-fno-const-bit-op-tree' is missing"),
    ("verilated", edit("Makefile", r"--assert -f tb/shim/verilator.args", "--assert -O3"), "Makefile: a model is Verilated without"),
    ("verilated", edit("tb/flow/verilated.py", r'"-f", "tb/shim/verilator.args", *', ""), "tb/flow/verilated.py: a model is Verilated without"),
    ("proofs", edit(PROOFS, r"^\| `perfsat` \| PS-17.*\n", ""), " proofs of perfsat, tb/formal/proved/fermi of "),
    ("proofs", edit(PROOFS, r"^\| `perfsat` \| NumSlots.* proved ", "| `perfsat` | | | | open "), " proofs of perfsat, tb/formal/proved/fermi of "),
    ("proofs", edit("tb/formal/proved/kepler", r"^lcs\tstep\n", ""), "the table 'kepler' tells of "),
    ("proofs", edit(PROOFS, r"\d+ proved:$", "1 proved:"), "the table 'fermi' begins otherwise than"),
    ("proofs", edit(PROOFS, r"^<!-- end of hopper -->", "<!-- end of none -->"), "the table 'hopper' tells of 0 proofs of lcs"),
    ("proofs", unproved("lcs_ceil"), "the table 'fermi' does not end with 'Not proved: `lcs_ceil`."),
    ("proofs", edit("tb/formal/proved/fermi", r"^vf_vote\tof vf_vote \w{12}$", "vf_vote\tof vf_vote 0123456789ab"), "does not end with"),
    ("proofs", edit("tb/formal/proved/fermi", r"^vf_vote\tof vf_vote \w{12}\n", ""), "does not end with"),
    ("programs", edit("tb/flow/tools.py", r"\A", "#!/usr/bin/env python3\n"), "tb/flow/tools.py: has a '#!' line, but cannot be run"),
    ("programs", edit("tb/formal/formal.py", r"^#!.*\n", ""), "tb/formal/formal.py: can be run, but has no '#!' line"),
    ("licences", add("tb/formal/new.py", "import sys\n"), "tb/formal/new.py: no SPDX-License-Identifier"),
]
# What must not be found: each stands for a spelling that is right.
ALLOWED: list[tuple[str, Change]] = [
    ("paths", add("README.md",
     "\n`tb/blocks/X/ports.h`, `tb/blocks/<block>/view`, `tb/blocks/*/bind.h`, `tb/blocks/foo/test_foo.c`\n")),
    ("paths", add("README.md", "\n`cmodel/sm/{lcs,dyncta}.c`, `build/fermi/ballast`, http://example.org/tb/none.c\n")),
    ("links", add("README.md", "\n[page](doc/blocks/lcs.md#ports), [site](https://example.org), `[a](b)`\n")),
    ("blocks", add("tb/engine/lockstep.c", "/* such as dyncta */ int my_dyncta, dyncta_cfg;\n")),
    ("blocks", add("tb/formal/formal.mk", "formal: ## proofs (BLOCKS=lcs)\n# make BLOCKS=lcs\n")),
    ("blocks", add("tb/formal/test_new.py", "BLOCKS = ['lcs']\n")),
    ("rooms", add("sim/gpu/test_new.c", '#include "engine/lockstep.h"\n')),
    ("rooms", add("tb/engine/lockstep.c", '#include "bus/sm_obs.h"\n#include "verilated.h"\n')),
]


def circle(tree: Tree) -> list[str]:
    """What is said of a table of rooms that goes in a circle."""
    rooms.ROOMS["cmodel/common"] = "cmodel/sm"
    try:
        return rooms.crossing(tree)
    finally:
        rooms.ROOMS["cmodel/common"] = ""


class Consistency(Planted):
    def __enter__(self) -> Consistency:
        super().__enter__()
        self.tree = Tree(Path("."))
        start = time.process_time()
        self.before = {check: set(function(self.tree)) for check, function in CHECKS.items()}
        self.spent = time.process_time() - start
        return self

    def findings(self, check: str, change: Change) -> list[str]:
        """What the change alone gives."""
        found = CHECKS[check](Changed(self.tree, change(self.tree)))
        self.said = "\n".join(found)
        return [finding for finding in found if finding not in self.before[check]]

    def elsewhere(self, status: int, said: str, *words: str) -> None:
        """The command in a folder that is no repository, or only a part of one."""
        program = Path(__file__).resolve().with_name("check_consistency.py")
        self.command(status, sys.executable, program, *words, cwd=self.work)
        expect(said in self.said, f"does not say '{said}'")


def texts(test: Consistency) -> None:
    for check, change, said in CASES:
        with test.case(f"{check}: {said}"):
            expect(any(said in finding for finding in test.findings(check, change)), "not found")
    for number, (check, change) in enumerate(ALLOWED):
        with test.case(f"{check}: what is right is left alone, row {number}"):
            found = test.findings(check, change)
            expect(not found, f"found: {found}")
    with test.case("rooms: a circle in the table"):
        expect(any("in a circle" in finding for finding in circle(test.tree)), "not found")
    with test.case("all checks take less than 3 s of processor time"):
        expect(test.spent < 3, f"{test.spent:.1f} s")


CASTS = {"a & ~(W + 1)'(1)": True, "~W'(1)": True, "~32'(1)": True, "(-W'(1))": True, "a ? -(W + 1)'(1) : 0": True,
         "~(W'(1))": False, "b - (W + 1)'(1)": False, "!(b) && c": False, "~4'b0": False}


def casts(test: Consistency) -> None:
    """Of lint_rtl.py: what Yosys 0.23 reads as something else, and says nothing."""
    file = test.work / "cast.sv"
    for text, found in CASTS.items():
        with test.case(f"RTL: {text}: {'refused' if found else 'fine'}"):
            file.write_text(f"assign x = {text};\n")
            expect(bool(lint_rtl.lines_against(file)) == found, str(lint_rtl.lines_against(file)))
    file.unlink()


def points(test: Consistency) -> None:
    """Of lint_rtl.py: functional points of signals that a block has, and of one that it has not."""
    of = next(block for block in blocks().values() if block.has("cover.sv"))
    sources = sorted(Path("rtl").glob("*/*.sv"))
    for title, signal, status in (("its own signals: fine", ".", 0), ("a signal that is not there: refused", ".none_", 1)):
        with test.case(f"functional points of {title}"):
            text = (of.room / "cover.sv").read_text()
            (test.work / "cover.sv").write_text(text.replace(f"{of.name}.", f"{of.name}{signal}"))
            words = lint_rtl.with_cover(SimpleNamespace(name=of.name, rtl=of.rtl, room=test.work), ["-y", "rtl/common"], sources)
            test.command(status, *words)
    (test.work / "cover.sv").unlink()


def command(test: Consistency) -> None:
    with test.case("elsewhere: one line, status 2"):
        test.elsewhere(2, "run it from the repository root")
    for part in ("rtl", "cmodel"):
        shutil.copytree(part, test.work / part)
    for name, status, said, check in (
            ("a copy of rtl and cmodel alone: status 1", 1, "tb/blocks/lcs/bind.h is missing", "missing"),
            ("no such check: one line, status 2", 2, "no check 'nothing'", "nothing"),
            ("nothing found: status 0", 0, "", "licences")):
        with test.case(name):
            test.elsewhere(status, said, check)


if __name__ == "__main__":
    Consistency.main("", texts, casts, points, command)
