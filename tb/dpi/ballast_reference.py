# SPDX-License-Identifier: Apache-2.0
"""The reference models for benches in Python: of any block, by its name, through ctypes on libballast_reference. <ballast/reference.h>
says what each function does.

  model = Model("lcs", NumSlots=4)        the functions, with a pin by its name
  Scoreboard(dut, "lcs").start()          for cocotb: compares the block `dut` with its model at every rising edge

Needs Python 3.9 and nothing else; Scoreboard needs cocotb 2. BALLAST_REFERENCE names the library where the loader does not find it.
"""
from __future__ import annotations

import ctypes
import os

WORD = 64
ONES = (1 << WORD) - 1


class Refused(Exception):
    """What cannot be done: one line that says what and where."""


def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(os.environ.get("BALLAST_REFERENCE", "libballast_reference.so.0"))
    library.ballast_reference_pin.restype = library.ballast_reference_why.restype = ctypes.c_char_p
    library.ballast_reference_get.restype = ctypes.c_uint64
    library.ballast_reference_put.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64]
    library.ballast_reference_put.restype = library.ballast_reference_close.restype = None
    return library


class Model:
    """The reference model of a block. A value is a number of any width; `element` is that of an array."""

    def __init__(self, block: str, **parameters: int):
        self._words: dict[str, int] = {}  # of what is connected, the first one
        self._lib = _library()
        values = " ".join(f"{name}={value}" for name, value in parameters.items())
        self._handle = self._lib.ballast_reference_open(block.encode(), values.encode())
        if not self._handle:
            raise Refused(self.why())

    def pins(self) -> list[str]:
        """All inputs, outputs and registers, by their names in the RTL."""
        names: list[str] = []
        while (name := self._lib.ballast_reference_pin(self._handle, len(names))) is not None:
            names.append(name.decode())
        return names

    def width(self, pin: str) -> int:
        return self._lib.ballast_reference_width(self._handle, pin.encode())

    def elements(self, pin: str) -> int:
        return self._lib.ballast_reference_elements(self._handle, pin.encode())

    def connect(self, pin: str, width: int) -> None:
        """`width`: bits in the RTL, of an array those of an element."""
        word = self._lib.ballast_reference_connect(self._handle, pin.encode(), width)
        if word < 0:
            raise Refused(self.why())
        self._words[pin] = word

    def _places(self, pin: str, element: int) -> range:
        first = self._words[pin] + element
        return range(first, first + (self.width(pin) + WORD - 1) // WORD)

    def put(self, pin: str, value: int, known: int = -1, element: int = 0) -> None:
        """What the RTL shows in this cycle; `known` has 0 for a bit that is X or Z."""
        for n, word in enumerate(self._places(pin, element)):
            self._lib.ballast_reference_put(self._handle, word, value >> WORD * n & ONES, known >> WORD * n & ONES)

    def _counted(self, count: int) -> int:
        if count < 0:
            raise Refused(self.why())
        return count

    def cycle(self, rst_n: int = 1) -> int:
        """Ends the cycle: how many signals differ."""
        return self._counted(self._lib.ballast_reference_cycle(self._handle, rst_n))

    def step(self, rst_n: int = 1) -> int:
        """Ends a cycle without RTL: only inputs were put. How many of them are beyond their range."""
        return self._counted(self._lib.ballast_reference_step(self._handle, rst_n))

    def get(self, pin: str, element: int = 0) -> int:
        """The model's value: of an output that of the last cycle, of a register that after it."""
        return sum(self._lib.ballast_reference_get(self._handle, word) << WORD * n for n, word in enumerate(self._places(pin, element)))

    def why(self) -> str:
        """One line on the last call that had something to say."""
        return self._lib.ballast_reference_why(self._handle).decode()

    def close(self) -> None:
        self._lib.ballast_reference_close(self._handle)
        self._handle = 0


def _bits(value: object) -> tuple[int, int]:
    """A value of cocotb as (value, known)."""
    text = str(value)
    if set(text) <= {"0", "1"}:
        return int(text, 2), -1
    return int("".join("01"[bit == "1"] for bit in text), 2), int("".join("01"[bit in "01"] for bit in text), 2)


class Scoreboard:
    """Compares every output and every register of the block `dut` at every rising edge of its clock, or of `clock` where it has none.
    The first difference ends the test with the line that says what differs. `cycles`: how many were compared with rst_ni 1.

    What is read at a rising edge must be what was there before it. Icarus does so; a simulator that shows an edge after registers have
    followed does not."""

    def __init__(self, dut: object, block: str, clock: object = None, **parameters: int):
        from cocotb.handle import ArrayObject

        self.model, self.cycles = Model(block, **parameters), 0
        self._clock = dut.clk_i if clock is None else clock
        self._reset = getattr(dut, "rst_ni", None)
        self._seen = []  # (pin, element, where cocotb reads it)
        for pin in self.model.pins():
            handle = getattr(dut, pin)
            parts = [handle[n] for n in range(len(handle))] if isinstance(handle, ArrayObject) else [handle]  # not in the order of list()
            if len(parts) != self.model.elements(pin):
                raise Refused(f"ballast {block}: {pin} has {len(parts)} elements in the RTL, {self.model.elements(pin)} in the model")
            self.model.connect(pin, len(parts[0]))
            self._seen += [(pin, element, part) for element, part in enumerate(parts)]

    def start(self) -> Scoreboard:
        import cocotb

        cocotb.start_soon(self._run())
        return self

    async def _run(self) -> None:
        from cocotb.triggers import RisingEdge

        while True:
            await RisingEdge(self._clock)
            self.sample()

    def sample(self) -> None:
        """A rising edge."""
        for pin, element, handle in self._seen:
            value, known = _bits(handle.value)
            self.model.put(pin, value, known, element)
        rst_n = int(self._reset is None or str(self._reset.value) == "1")
        if self.model.cycle(rst_n):
            raise AssertionError(self.model.why())
        self.cycles += rst_n
