# SPDX-License-Identifier: Apache-2.0
"""test_integration.py [BUILD_DIR]: the example of doc/use/integration.md passes in two simulators and its driver on the reference
model, Yosys reads its SM, and the bench finds each fault that is planted into the chip. Ends with "N passed, N failed"."""
from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "flow")]
import integration
from planted import Planted, expect
from tools import run

RTL, EXAMPLE = Path("rtl"), HERE / "example"
CHIP, REGS = "chip/ballast_chip.sv", "chip/ballast_regs.sv"
DRIVER = "kernel 0: 12 CTAs, kernel 1: 20 CTAs, kernels started: 2, pending: 0\n"

# What is planted, where, a text and what is there instead, and the line of the bench that says so.
FAULTS = [
    ("each kernel has the quota of the other one", REGS, "assign quota_o[k*LimitW+:LimitW] = quota_q[k]",
     "assign quota_o[k*LimitW+:LimitW] = quota_q[NumKernels-1-k]", "FAIL  most CTAs of kernel 0 on an SM at once"),
    ("the registers do not see launches", CHIP, ".start_valid_i (launch)", ".start_valid_i (1'b0)", "FAIL  CTAs launched of kernel 0"),
    ("the dispatcher does not see one SM's CTAs finish", CHIP, "      .req_i         (req),\n      .cta_done_i,",
     "      .req_i         (req),\n      .cta_done_i    (cta_done_i & {1'b1, {(NumSms*NumSlots-1){1'b0}}}),", "FAIL  kernel 0 is over"),
    ("the governors do not hear of a start", CHIP, ".kernel_start_i({NumSms{kernel_start_o}})", ".kernel_start_i({NumSms{1'b0}})",
     "FAIL  limit of SM 1"),
    ("a start is taken while that kernel runs", REGS, "fits  = (chosen & idle_i) != '0", "fits  = chosen != '0",
     "FAIL  a start while that kernel runs is refused"),
    ("the interrupt ignores what is enabled", REGS, "irq_o     = (pending_q & enable_q) != '0", "irq_o     = pending_q == '0", "FAIL  the interrupt"),
]


def as_it_is(test: Planted) -> None:
    with test.case("Icarus: the bench passes"):
        first = integration.in_icarus(RTL, test.work)
        expect(integration.passes(first), "\n".join(first))
    with test.case("Verilator, with assertions: the bench passes and says the same"):
        second = integration.in_verilator(RTL, test.work)
        expect(second == first, "\n".join(second))


def other_tools(test: Planted) -> None:
    with test.case("Yosys reads the example's SM, and finds nothing odd in it"):
        packages = " ".join(map(str, sorted((RTL / "common").glob("*_pkg.sv"))))
        run(["yosys", "-q", "-e", ".", "-p",
             f"read_verilog -sv {packages} {EXAMPLE / 'sm_stub.sv'}; hierarchy -check -top sm_stub; proc; check -assert"])
    with test.case("the driver in C runs both kernels on the reference model"):
        models = [path for folder in integration.FOLDERS for path in sorted(Path("cmodel", folder).glob("*.c"))]
        run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-Icmodel", HERE / "example.c", *models, "-lm",
             "-o", test.work / "driver"])
        said = run([test.work / "driver"], seconds=60).stdout
        expect(said == DRIVER, said)


def faults(test: Planted) -> None:
    for name, file, old, new, line in FAULTS:
        with test.case(f"found: {name}"):
            copy = test.plant("rtl", file, old, new)
            said = integration.in_icarus(copy, test.work)
            expect(not integration.passes(said) and any(one.startswith(line) for one in said), "\n".join(said))
            shutil.rmtree(copy)


if __name__ == "__main__":
    Planted.main("tb/blocks/ballast_chip/integration.py", as_it_is, other_tools, faults)
