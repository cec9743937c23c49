# SPDX-License-Identifier: Apache-2.0
"""The built-in library as another one: what synthesis makes of it has to be the same. For tests."""
from __future__ import annotations

import re

import logical_effort

# Cells that would be taken if one of them counted: each is smaller and faster than all others.
TRAPS = """
  cell (AAINV) { area : 0.1; dont_use : true; pin (I) { direction : input; capacitance : 0.1; }
    pin (O) { direction : output; function : "I'"; @ } }
  cell (AANAND) { area : 0.1; is_isolation_cell : true; pin (I) { direction : input; capacitance : 0.1; }
    pin (J) { direction : input; capacitance : 0.1; } pin (O) { direction : output; function : "(I J)'"; @ } }
  cell (AATRI) { area : 0.1; pin (I) { direction : input; capacitance : 0.1; } pin (E) { direction : input; capacitance : 0.1; }
    pin (O) { direction : output; three_state : "E"; function : "I"; @ } }
  cell (AAGATE) { area : 0.1; clock_gating_integrated_cell : "latch_posedge"; pin (I) { direction : input; capacitance : 0.1; }
    pin (O) { direction : output; function : "I"; @ } }
  cell (AASCAN) { area : 0.1; ff (IQ, IQN) { next_state : "I"; clocked_on : "CK"; }
    pin (CK) { direction : input; clock : true; capacitance : 0.1; } pin (I) { direction : input; capacitance : 0.1; }
    pin (O) { direction : output; function : "IQ"; } test_cell () { } }
  cell (AALATCH) { area : 0.1; latch (IQ, IQN) { data_in : "I"; enable : "G"; } pin (G) { direction : input; capacitance : 0.1; }
    pin (I) { direction : input; capacitance : 0.1; } pin (O) { direction : output; function : "IQ"; } }
""".replace("@", 'timing () { related_pin : "I"; cell_rise (straight) { values ("0, 0, 0.1", "0, 0, 0.1", "0, 0, 0.1"); } '
                 'cell_fall (straight) { values ("0, 0, 0.1", "0, 0, 0.1", "0, 0, 0.1"); } '
                 'rise_transition (straight) { values ("0, 0, 0.1", "0, 0, 0.1", "0, 0, 0.1"); } '
                 'fall_transition (straight) { values ("0, 0, 0.1", "0, 0, 0.1", "0, 0, 0.1"); } }')


def renamed(text: str) -> str:
    """NAND2X1 is NAND2_X1, pins have other names, functions other signs."""
    text = re.sub(r"cell \((\w+)X(\d)\)", r"cell (\1_X\2)", text).replace("cell (DFFPOS_X1)", 'cell ("SDFF_X1")')
    pins = {"A": "B1", "B": "A2", "C": "I3", "D": "A0", "S": "Z", "Y": "ZN", "Q": "O", "CLK": "CK"}
    text = re.sub(r'(pin \(|related_pin : "|next_state : "|clocked_on : ")(\w+)', lambda found: found[1] + pins[found[2]], text)
    text = re.sub(r'(?<=function : ")!.*?(?=")', lambda found: re.sub(r"\w", lambda pin: pins[pin[0]], found[0]), text)
    return text.replace(" & ", "*").replace(" | ", "+")


def _times(factor: float, numbers: str) -> str:
    return re.sub(r"\d[\d.e-]*", lambda one: f"{float(one[0]) * factor:.9g}", numbers)


def picoseconds(text: str) -> str:
    text = re.sub(r'(values|index_1) \(([^)]*)', lambda found: f"{found[1]} ({_times(1000, found[2])}", text)
    return text.replace('"1ns"', '"1ps"')


def picofarads(text: str) -> str:
    text = re.sub(r'(capacitance : |index_2 \()([^;)]*)', lambda found: found[1] + _times(0.001, found[2]), text)
    return text.replace("(1, ff)", "(1,pf)")


def library() -> str:
    """All that synthesis does not look at is another one."""
    head, cell, rest = renamed(logical_effort.text()).partition("  cell (")
    return picoseconds(head + TRAPS + cell + rest)
