# SPDX-License-Identifier: Apache-2.0
"""The reader of rtl/configs: every planted fault ends in one line that names it, and what follows from a file is computed.

Run from the repository root, without arguments. Prints a line per failure and "N passed, N failed"; exit status 1 if one failed.
"""
from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHIPS = Path(__file__).with_name("chips.py").resolve()
MACHINE = Path("sim/gpu/machine.h")
FOLDER = Path("rtl/configs")

# File, text, what stands in its place, table, what the line says.
FAULTS = (
    ("fermi", "sm_mhz = 700;", "sm_mhz = 700; sm_mhz = 700;", "machines", "fermi:LINE: sm_mhz is said twice"),
    ("fermi", "sm_mhz = 700;", "sm_mhz = ;", "machines", "fermi:LINE: 'number' is missing before ';'"),
    ("fermi", "sm_mhz = 700;", "sm_mhz 700;", "machines", "fermi:LINE: '=' is missing before '700'"),
    ("fermi", "sm_mhz = 700;", "sm_mhz = 7..0;", "machines", "fermi:LINE: '7..0' is no number"),
    ("fermi", "sm_mhz = 700;", "sm_mhz = 700; @;", "machines", "fermi:LINE: '@' has no place here"),
    ("fermi", "};\n\n#", "}\n\n#", "machines", "';' is missing before 'analytic'"),
    ("fermi", "rtl = \"", "} rtl = \"", "machines", "'}' has no place here"),
    ("fermi", "sm_mhz = 700;", "sm_mhz = -700;", "machines", "simulator.sm_mhz must be a whole number"),
    ("fermi", "sm_mhz = 700;", "sm_mhz = 700.5;", "machines", "simulator.sm_mhz must be a whole number"),
    ("fermi", "sm_mhz = 700;", "sm_mhz = \"700\";", "machines", "simulator.sm_mhz must be a whole number"),
    ("fermi", "scheduler = \"GTO\";", "scheduler = 1;", "machines", "simulator.scheduler must be a text"),
    ("fermi", "sm_mhz = 700;", "", "machines", "simulator.sm_mhz is missing"),
    ("hopper", "sm_mhz", "sm_hz", "machines", "hopper: simulator.sm_hz is no key; the keys are the members of struct machine"),
    ("fermi", "registers = ", "warps = 48; registers = ", "machines", "simulator.warps follows from NumWarps of rtl; leave it out"),
    ("fermi", "registers = ", "sms = 16; registers = ", "machines", "simulator.sms follows from NumSms of rtl; leave it out"),
    ("fermi", " IssueWidth=2", "", "machines", "fermi: rtl lacks IssueWidth"),
    ("fermi", "NumSms=15", "NumSms=many", "machines", "fermi: rtl: 'NumSms=many' is not Param=Value"),
    ("fermi", "rtl = ", "rlt = ", "machines", "fermi: rlt is no key of a chip"),
    ("fermi", "rtl = \"NumWarps=48 NumSlots=8 NumSms=15 IssueWidth=2 RegUnits=1024 SmemUnits=384\"", "rtl = 48", "machines",
     "fermi: rtl must be a text"),
    ("lcs", "like = \"fermi\"", "like = \"lcs\"", "machines", "lcs: like leads back to itself"),
    ("lcs", "like = \"fermi\"", "like = \"none\"", "machines", f"no chip 'none'; there are: {' '.join(sorted(path.name for path in FOLDER.iterdir()))}"),
    ("lcs", "like = \"fermi\";", "", "machines", "lcs: simulator.warps is missing"),
    ("fermi", "bandwidth_gb_s = 177.4", "bandwidth_gb_s = 190.0", "gpus",
     "analytic.bandwidth_gb_s is 190.0, but the machine's DRAM gives 177.408"),
    ("fermi", "dram_interval = 4", "dram_interval = 5", "gpus",
     "analytic.bandwidth_gb_s is 177.4, but the machine's DRAM gives 141.926"),
    ("fermi", "mem_ld = 320.0", "mem_ld = 320", "gpus", "analytic.mem_ld must be a number with a point"),
    ("fermi", "power = \"gtx580\"", "power = 3", "gpus", "analytic.power must be a text"),
    ("fermi", "mem_ld = 320.0;", "", "gpus", "analytic.mem_ld is missing"),
    ("fermi", "mem_ld = 320.0;", "mem_ld = 320.0; num_sms = 15;", "gpus", "analytic.num_sms is no key"),
)
# The configurations with the same SM, fewest SMs first: file, text, what stands in its place, and what is printed then.
SAME_SM = (
    ("fermi", "NumSms=15", "NumSms=15", "volta\nhopper\n"),
    ("volta", "NumSms=80", "NumSms=200", "hopper\nvolta\n"),
    ("volta", "NumSlots=32", "NumSlots=16", "hopper\n"),
    ("kepler", "NumSlots=16", "NumSlots=32", "kepler\nvolta\nhopper\n"),
)
# What follows: file, text, what stands in its place, table, what the table has then.
FOLLOWS = (
    ("fermi", "NumSms=15", "NumSms=30", "machines", '.name = "lcs", .sms = 28, .warps = 48'),
    ("fermi", "NumWarps=48", "NumWarps=40", "machines", '.name = "gtx480", .sms = 15, .warps = 40'),
    ("fermi", "NumSms=15", "NumSms=30", "gpus", ".num_sms = 30"),
    ("fermi", "IssueWidth=2", "IssueWidth=4", "gpus", ".issue_cycles = 0.25"),
    ("fermi", "sm_mhz = 700", "sm_mhz = 1400", "gpus", ".freq_ghz = 1.4"),
    ("lcs", "sms = 28;", "sms = 28; l1_infinite = true;", "machines", ".l1_infinite = true"),
)


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, CHIPS, *words], cwd=root, capture_output=True, text=True, check=False)


def changed(root: Path, file: str, old: str, new: str) -> str:
    """Plants the change; what the file was before."""
    path = root / FOLDER / file
    before = path.read_text()
    if old not in before:
        raise SystemExit(f"test_chips.py: {path.name} has no '{old}' to be changed")
    path.write_text(before.replace(old, new, 1))
    return before


def check(root: Path, case: tuple[str, str, str, str, str], refused: bool) -> str:
    """What is wrong, or nothing."""
    file, old, new, table, says = case
    before = changed(root, file, old, new)
    says = says.replace("LINE", str(before[:before.index(old)].count("\n") + 1))
    done = run(root, table)
    (root / FOLDER / file).write_text(before)
    if refused and (done.returncode != 2 or done.stderr.count("\n") != 1 or says not in done.stderr or done.stdout):
        return f"'{new}' in {file}: status {done.returncode}, {done.stderr.strip()}"
    if not refused and (done.returncode != 0 or says not in done.stdout):
        return f"'{new}' in {file}: no '{says}' in the table; {done.stderr.strip()}"
    return ""


def same_sm(root: Path, case: tuple[str, str, str, str]) -> str:
    """What is wrong, or nothing."""
    file, old, new, says = case
    before = changed(root, file, old, new)
    done = run(root, "same-sm", "hopper")
    (root / FOLDER / file).write_text(before)
    return "" if done.stdout == says else f"'{new}' in {file}: the SM of hopper is also that of {done.stdout.split()}; {done.stderr.strip()}"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(FOLDER, root / FOLDER)
        (root / MACHINE).parent.mkdir(parents=True)
        shutil.copy(MACHINE, root / MACHINE)
        wrong = [check(root, case, True) for case in FAULTS] + [check(root, case, False) for case in FOLLOWS]
        wrong += [same_sm(root, case) for case in SAME_SM]
        wrong += [f"{table}: {run(root, table).stderr}" for table in ("machines", "gpus") if run(root, table).returncode]
        shutil.rmtree(root / FOLDER)
        nothing = run(root, "machines")
        wrong.append("" if nothing.stderr.endswith("no rtl/configs here; run it from the repository root\n") else nothing.stderr)
    failed = [line for line in wrong if line]
    print("\n".join([*failed, f"{len(wrong) - len(failed)} passed, {len(failed)} failed"]))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
