# SPDX-License-Identifier: Apache-2.0
"""What an install has for benches of other people, tried as its page says (doc/use/dpi.md): the page's bench in Verilator and in Icarus,
its program in Python, and the scoreboards of all blocks in Icarus. Faults are planted in the RTL, in the scoreboards and in the library;
each has to be found.

  python3 sim/install/test_benches.py BUILD_DIR

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import blocks
import rtl_lists
import tools
from planted import expect
from test_install import Installed

PAGE = Path("doc/use/dpi.md")
CYCLES, RESET = 60, 30  # of random stimulus, before bits are turned over; the one that is in reset
# In the RTL of the page's bench: a counter that goes wrong when the run is told to.
COUNTER = ("inst_q[s] <= count_next;", "inst_q[s] <= count_next ^ CountW'($test$plusargs(\"fault\") && s == 5);")
SAID = r"ballast lcs, cycle \d+: inst_q\[5\] is \d+ in the model, \d+ in the RTL"

# In a scoreboard: what is planted, text, what is there instead, what the simulation says.
IN_SCOREBOARDS = [
    ("an output that is not put", r"    for \(int w = 0; 64 \* w < \$bits\(limit_o\).*\n", "", "limit_o was put 0 times"),
    ("an output that is not connected", r"    word_limit_o = connect.*\n", "    word_limit_o = 9999;\n", "a word was put that there is not"),
    ("an output that is forgotten", r"    word_limit_o = connect.*\n|    for \(int w = 0; 64 \* w < \$bits\(limit_o\).*\n", "", "limit_o is not connected"),
    ("an output in the place of another", r"word_t_new_o \+ w", "word_limit_o + w", r"(limit_o|t_new_o) was put [02] times"),
    ("a cycle that is taken twice", r"(?m)^(    if \()(ballast_reference_cycle\(.*?\)\) != 0)", r"\1\2 || \2", "was put 0 times since the last cycle"),
    ("an output of another width", r"connect\(open, \"limit_o\", \$bits\(limit_o\)\)", 'connect(open, "limit_o", 3)', "limit_o has 3 bits in the RTL, 4 in the model"),
    ("a comparison that is thrown away", r"(?m)^    if \(ballast_reference_cycle\((.*?)\)\) != 0\)", r"    if (ballast_reference_cycle(\1)) == 12345)", None),
]
# In the library: file, text, what is there instead. The scoreboards then miss a bit, or find one that is none.
IN_LIBRARY = [
    ("outputs are not compared", "    compare(r, PORT_OUT, &count);\n", ""),
    ("the lowest output bit is not compared", "if (value == wanted && !unknown)", "if (value >> 1 == wanted >> 1 && !unknown)"),
    ("the model is stepped twice", "    step(r, &count);\n    compare", "    step(r, &count);\n    step(r, &count);\n    compare"),
    ("the model is never reset", "        reset(r);\n        return count;", "        r->started = true;\n        return count;"),
    ("the first difference alone counts in a run", "    return end_cycle(r, count);\n}\n\nint", "    static bool once;\n    const bool first = !once;\n    once |= count;\n"
     "    return end_cycle(r, first ? count : 0);\n}\n\nint"),
]


def block_of(page: str, language: str, number: int = 0) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)
    expect(len(found) > number, f"{PAGE} has no {language} number {number}")
    return found[number]


class Benches(Installed):
    def __enter__(self) -> Benches:
        super().__enter__()
        self.share = self.prefix / "share/ballast"
        self.page = PAGE.read_text()
        self.here = {"PREFIX": str(self.prefix), "LD_LIBRARY_PATH": str(self.prefix / "lib")}
        return self

    def shell(self, status: int, text: str, folder: Path, **env: str) -> None:
        folder.mkdir(exist_ok=True)
        self.command(status, "bash", "-ec", text, cwd=folder, env=self.here | env)

    def vpi(self) -> Path:
        """The folder with the module for Icarus, made as the page says."""
        folder = self.work / "icarus"
        if not (folder / "ballast_vpi.vpi").is_file():
            self.shell(0, 'S=$PREFIX/share/ballast\n' + block_of(self.page, "sh", 1).splitlines()[1], folder)
        return folder

    def icarus(self, bench: str, top: str, *words: str, sv: Path | None = None, library: Path | None = None, plus: str = "") -> None:
        folder = self.vpi()
        (folder / f"{top}.sv").write_text(bench)
        sv = sv or self.share / "sv"
        rtl = [word for room in ("sm", "chip") for word in ("-y", str(self.share / "rtl" / room))]
        self.command(0, "iverilog", "-g2012", "-o", folder / top, "-s", top, *words, "-Y", ".sv", *rtl, "-y", sv, *sorted((self.share / "rtl/common").glob("*.sv")),
                     sv / "ballast_dpi_pkg.sv", folder / f"{top}.sv")
        self.run_icarus(folder / top, library, plus)

    def run_icarus(self, program: Path, library: Path | None = None, plus: str = "") -> None:
        """$fatal ends it with a status of its own."""
        env = self.here | ({"LD_LIBRARY_PATH": str(library)} if library else {})
        try:
            self.command(0, "vvp", f"-M{self.vpi()}", "-mballast_vpi", program, *([plus] if plus else []), env=env)
        except AssertionError:
            expect("FATAL" in self.said, "it ends, and not by $fatal")


# ---- the page's bench ---------------------------------------------------------------------------------

def page(test: Benches) -> None:
    rtl = test.share / "rtl/sm/lcs.sv"
    text = rtl.read_text()
    expect(COUNTER[0] in text, "the fault does not fit")
    rtl.write_text(text.replace(*COUNTER))
    shown = re.search(r"^    (lcs: \d+ cycles compared, 0 with a mismatch)$", test.page, re.M)[1]
    folder = test.work / "verilator"
    folder.mkdir()
    for place in (folder, test.vpi()):
        (place / "lcs_tb.sv").write_text(block_of(test.page, "systemverilog"))
    for name, commands, place, again in (("Verilator", 0, folder, "obj_dir/Vlcs_tb +verilator+error+limit+1000 +fault"),
                                         ("Icarus", 1, test.vpi(), "vvp -M. -mballast_vpi lcs_tb +fault")):
        with test.case(f"{name}: the page's bench and commands say what the page says"):
            test.shell(0, block_of(test.page, "sh", commands), place, MAKEFLAGS="OPT_FAST=-O0")
            expect(test.said.splitlines().count(shown) == 1 and not re.search("(?i)error", test.said), "another end")
        with test.case(f"{name}: a register that goes wrong is told by the bound scoreboard in one line, its outputs by the other one"):
            test.shell(0, again, place)
            expect(len(re.findall(SAID, test.said)) == 1, "not told once")
            expect(len(re.findall(r"ballast lcs, cycle", test.said)) == 2 and re.search(r"cycle \d+: (limit|t_new|t_new_valid|done)_o is", test.said), "not told by both")
            wrong = re.search(r"^lcs: (\d+) cycles compared, (\d+) with a mismatch$", test.said, re.M)
            expect(wrong and 0 < int(wrong[2]) < int(wrong[1]) == 2000, "counted otherwise")
    rtl.write_text(text)
    with test.case("Verilator: the scoreboards of all blocks are without a warning"):
        for block in blocks.blocks().values():
            test.command(0, "verilator", "--lint-only", "--timing", "-Wall", "-F", test.share / "rtl/ballast.f", test.share / "sv/ballast_dpi_pkg.sv",
                         test.share / f"sv/{block.name}_scoreboard.sv", "--top-module", f"{block.name}_scoreboard")
            expect(not test.said, test.said)
    with test.case("Verilator: all scoreboards are bound to a chip at once, without a warning"):
        bound = sorted((test.share / "sv").glob("*_bound.sv"))
        test.command(0, "verilator", "--lint-only", "--timing", "-Wall", "-F", test.share / "rtl/ballast.f", test.share / "sv/ballast_dpi_pkg.sv", *bound,
                     "--top-module", "ballast_chip", "-GNumSms=2")
        expect(not test.said, test.said)


# ---- every block ---------------------------------------------------------------------------------------

def with_range(block: blocks.Block) -> set[str]:
    """Inputs that may not have any value."""
    text = re.sub(r"\\\n", " ", (block.room / "ports.h").read_text())
    return {f"{name}_i" for line in re.findall(r"^#define BLOCK_(?:LANE_)?RANGES\(R\)(.*)$", text, re.M) for name in re.findall(r"R\((\w+)", line)}


def bench_of(block: blocks.Block) -> str:
    """Random inputs; then each bit of each output is turned over in a cycle of its own before the scoreboard sees it."""
    module = rtl_lists.Module.of(block.rtl.read_text())
    ranged = with_range(block)
    ports = [(name, width) for name, width, _ in module.ports if name not in ("clk_i", "rst_ni")]
    inputs, outputs = [name for name, _ in ports if name.endswith("_i")], [name for name, _ in ports if name.endswith("_o")]
    clocked = any(name == "clk_i" for name, _, _ in module.ports)
    parameters = "\n".join(f"  localparam int {name} = {2 if name == 'NumSms' else value};" for name, value, _ in module.parameters)
    given = ", ".join(f".{name}({name})" for name, _, _ in module.parameters)
    declared = "\n".join(f"  {'logic' if name in inputs else 'wire '} {width} {name}{' = 0' if name in inputs else ''};" for name, width in ports)
    places, at = [], "0"
    for name, width in ports:
        if name in outputs:
            bits = f"{width.strip('[]').removesuffix(':0')} + 1" if width else "1"
            places.append(f"  localparam int At_{name} = {at}, Bits_{name} = {bits};")
            at = f"At_{name} + Bits_{name}"
    seen = ", ".join(f".{name}({name} ^ flip[At_{name}+:Bits_{name}])" for name in outputs)
    same = ", ".join(f".{name}({name})" for name in inputs)
    bound_ports = ", ".join(f".{name}({name})" for name, _, _ in module.ports)
    draw = "\n".join(f"      {name} = {'0' if name in ranged else f'{{($bits({name}) / 32 + 1){{$urandom}}}}'};" for name in inputs)
    clock = ".clk_i(clk_i), .rst_ni(rst_ni), " if clocked else ".clk_i(clk_i), "
    return f"""module {block.name}_tb;
{parameters}
  logic clk_i = 0, rst_ni = 0;
{declared}
{chr(10).join(places)}
  localparam int Bits = {at};
  logic [Bits-1:0] flip = 0;
  int cycles, mismatches;

  {block.name} #({given}) u_dut ({bound_ports});
  {block.name}_scoreboard #({given}) u_scoreboard ({clock}{same}, {seen}, .cycles_o(cycles), .mismatches_o(mismatches));
  {f"{block.name}_bound #({given}) u_bound ({bound_ports});" if clocked else ""}

  always #1 clk_i = !clk_i;

  task automatic draw;
    begin
{draw}
    end
  endtask

  initial begin
    repeat (2) @(negedge clk_i);
    for (int n = 0; n < {CYCLES} + Bits; n++) begin
      draw;
      rst_ni = n != {RESET};
      flip = 0;
      if (n >= {CYCLES}) flip[n - {CYCLES}] = 1;
      @(negedge clk_i);
    end
    $display("%0d cycles, %0d mismatches of %0d, bound %0d", cycles, mismatches, Bits, {"u_bound.mismatches_o" if clocked else "0"});
    $finish;
  end
endmodule
"""


def verdict(test: Benches, block: blocks.Block) -> str:
    """'' when the scoreboard has found each bit that was turned over, and nothing else."""
    found = re.search(r"^(\d+) cycles, (\d+) mismatches of (\d+), bound (\d+)$", test.said, re.M)
    if not found:
        return "it does not come to its end"
    cycles, mismatches, bits, bound = map(int, found.groups())
    before = CYCLES - RESET - 1 if block.clocked else CYCLES + 2
    if cycles != before + RESET * block.clocked + bits or mismatches != bits or bound:
        return f"{cycles} cycles, {mismatches} mismatches of {bits}, bound {bound}"
    return "" if test.said.count("ERROR") == 1 and f"ballast {block.name}, cycle {before}: " in test.said else "another first mismatch"


def every_block(test: Benches) -> None:
    for block in blocks.blocks().values():
        with test.case(f"{block.name}: its scoreboards agree, and find each output bit that is turned over"):
            test.icarus(bench_of(block), f"{block.name}_tb", f"-DBALLAST_{block.name.upper()}=u_dut")
            expect(not (why := verdict(test, block)), why)


# ---- planted faults ----------------------------------------------------------------------------------

def in_scoreboards(test: Benches) -> None:
    block, copy = blocks.block("lcs"), test.work / "sv"
    for name, text, instead, words in IN_SCOREBOARDS:
        with test.case(f"planted in a scoreboard: {name}"):
            shutil.copytree(test.share / "sv", copy, dirs_exist_ok=True)
            before = (copy / "lcs_scoreboard.sv").read_text()
            after = re.sub(text, lambda match, to=instead: match.expand(to), before)
            expect(after != before, "the fault does not fit")
            (copy / "lcs_scoreboard.sv").write_text(after)
            test.icarus(bench_of(block), "lcs_tb", "-DBALLAST_LCS=u_dut", sv=copy)
            expect(verdict(test, block), "not found")
            if words:
                test.says(words)


def in_library(test: Benches) -> None:
    """Seen by a block that changes in every cycle."""
    block = blocks.block("eq_counters")
    built, source = Path("build/opt"), Path("tb/dpi/reference.c").read_text()
    names = [*Path("cmodel").glob("[cs]*/*.c"), *(Path("tb/engine", f"{name}.c") for name in ("decision", "port", "ranges", "rtl_name")), *(Path("tb/dpi", f"{name}.c") for name in ("named_model", "pins"))]
    objects = [built / path.with_suffix(".o") for path in names] + [built / f"glue_{name}.o" for name in blocks.blocks()] + [built / "build/models.o"]
    folder = test.work / "library"
    folder.mkdir()
    top = f"{block.name}_tb"
    test.icarus(bench_of(block), top, f"-DBALLAST_{block.name.upper()}=u_dut")
    for name, text, instead in IN_LIBRARY:
        with test.case(f"planted in the library: {name}"):
            expect(text in source, "the fault does not fit")
            (folder / "reference.c").write_text(source.replace(text, instead))
            test.command(0, "cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-fPIC", "-shared", "-fno-strict-aliasing", "-Icmodel", "-Itb", "-Isim", folder / "reference.c",
                         *objects, "-o", folder / "libballast_reference.so.0")
            test.run_icarus(test.vpi() / top, library=folder)
            expect(verdict(test, block), "not found")


# ---- Python ------------------------------------------------------------------------------------------

MISUSE = """
import ballast_reference
from ballast_reference import Model, Refused

def refused(job, words):
    try:
        job()
    except Refused as refusal:
        assert words in str(refusal) and "\\n" not in str(refusal), refusal
    else:
        raise AssertionError(f"taken, no '{words}'")

refused(lambda: Model("lsc"), "there is no block 'lsc'")
refused(lambda: Model("lcs", NumSlot=8), "parameter 'NumSlot=8'")
for value in ("", "x", "8x", "-1", 1 << 21):
    refused(lambda: Model("lcs", NumSlots=value), f"'NumSlots={value}' is not Name=Number")
for wrong in ({"NumSlots": 0}, {"NumSlots": 33}, {"NumSlots": 1 << 20}, {"CountW": 33}, {"IssueWidth": 60}):
    refused(lambda: Model("lcs", **wrong), "no model for these parameters")
m = Model("lcs", NumSlots=4)
refused(lambda: m.connect("nmx_i", 3), "has no pin 'nmx_i'")
refused(lambda: m.connect("nmax_i", 4), "nmax_i has 4 bits in the RTL, 3 in the model")
refused(m.step, "is not connected")
for pin in m.pins():
    m.connect(pin, m.width(pin))
refused(m.cycle, "was put 0 times")
assert (m.elements("inst_q"), m.width("inst_q"), m.elements("no"), m.width("no")) == (4, 20, 0, 0)

def put(**values):
    for pin in m.pins():
        for n in range(m.elements(pin)):
            m.put(pin, values.get(pin, 0), element=n)

put()
assert m.cycle(0) == 0                                   # nothing is known before reset
put(nmax_q=1)
assert m.cycle(0) == 1 and "nmax_q is 0 in the model, 1 in the RTL" in m.why(), m.why()
put(kernel_start_i=1, enable_i=1, nmax_i=5)
assert m.cycle() == 1 and "nmax_i is 5, but at most 4 where it is read" in m.why(), m.why()
put(enable_i=0)
m.put("done_o", 0)
refused(m.cycle, "done_o was put 2 times")
for known, words in ((0b110, "limit_o is 0 in the model, 3'b00x in the RTL"), (0b111, "")):
    n = Model("lcs", NumSlots=4)
    for pin in n.pins():
        n.connect(pin, n.width(pin))
    for cycle in range(2):
        for pin in n.pins():
            for e in range(n.elements(pin)):
                n.put(pin, 0, known if pin == "limit_o" else -1, e)
        differ = n.cycle(cycle)
    assert differ == bool(words) and words in n.why(), n.why()
    n.close()
    assert n.pins() == []
v = Model("vf_vote", NumSms=100)                          # words of more than 64 bits
for pin in v.pins():
    v.connect(pin, v.width(pin))
for pin in v.pins():
    v.put(pin, 1 << 99 | 5 if pin == "comp_i" else 0)
v.step()
assert v.get("comp_i") == 1 << 99 | 5, hex(v.get("comp_i"))
print("all is well")
"""


def python(test: Benches) -> None:
    env = {"PYTHONPATH": str(test.share / "python"), "LD_LIBRARY_PATH": str(test.prefix / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
    with test.case("the page's program in Python: the limits go up to the best one"):
        test.command(0, sys.executable, "-c", block_of(test.page, "python", 2), env=env)
        limits = [int(limit) for limit in re.findall(r"^cycle \d+: limit (\d+)$", test.said, re.M)]
        expect(limits and limits[-1] == 6, f"{limits}")
    with test.case("what cannot be is refused in one line, X and a value beyond its range are differences, wide pins are whole"):
        test.command(0, sys.executable, "-c", MISUSE, env=env)
        expect(test.said == "all is well\n", "another end")


def main() -> int:
    tools.need("iverilog", "vvp", "iverilog-vpi", "verilator")
    with Benches("", sys.argv[1] if len(sys.argv) > 1 else "build/fermi") as test:
        for part in (python, every_block, in_scoreboards, in_library, page):
            part(test)
    return test.status


if __name__ == "__main__":
    tools.program(main)
