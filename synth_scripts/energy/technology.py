# SPDX-License-Identifier: Apache-2.0
"""From capacitances to joules: what a library's inverter, its voltage and its leakage are. The built-in library is of no technology. It takes
the numbers of one that has a name, of the generation of the GPU whose energy the activity simulator has (GTX 580, 40 nm)."""
from __future__ import annotations

import re
from dataclasses import dataclass

import liberty
from cells import BUILT_IN, Library
from tools import Failure


@dataclass(frozen=True)
class Technology:
    name: str
    femtofarads: float  # of the smallest inverter's input
    volts: float
    nanowatts: float    # of leakage, of a NAND2

    def picojoules(self, units: float) -> float:
        """Of so many inverters' inputs at voltage squared."""
        return units * self.femtofarads * self.volts**2 / 1000

    def leakage(self, ge: float, mhz: float) -> float:
        """pJ in a cycle."""
        return ge * self.nanowatts / mhz / 1000


# NangateOpenCellLibrary_typical.lib, of FreePDK45: pin A of INV_X1, nom_voltage, cell_leakage_power of NAND2_X1.
NANGATE45 = Technology("Nangate45", 1.70023, 1.1, 17.39336)
WATTS = {"1nw": 1, "10nw": 10, "100nw": 100, "1pw": 1e-3, "10pw": 1e-2, "100pw": 0.1, "1uw": 1e3, "1mw": 1e6}


def of(library: Library) -> Technology:
    if library.name == BUILT_IN:
        return NANGATE45
    top = liberty.parsed(library.path, liberty.text(library.path))
    # The constraints' load is that of four inverters, in fF.
    load = re.search(r"^set_load (\S+)$", library.constraints.read_text(), re.M)
    volts = top.number("nom_voltage")
    leakage = library.nand2.group.number("cell_leakage_power") if library.nand2.group else None
    if not volts or load is None:
        raise Failure(f"{library.name}: no nom_voltage in it")
    return Technology(library.name, float(load[1]) / 4, volts, (leakage or 0) * WATTS.get(top.value("leakage_power_unit").lower(), 1))
