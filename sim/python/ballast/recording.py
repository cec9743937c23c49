# SPDX-License-Identifier: Apache-2.0
"""Recordings of SM activity (doc/use/trace_format.md)."""
from __future__ import annotations

import array
import collections
import contextlib
import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from ._library import STRUCTS, Error, encoded, error_buffer, number, quick, text_of

Path = Union[str, "os.PathLike[str]"]
_CHUNK = 4096  # cycles at a time
_FIELDS: List[Dict[str, Any]] = STRUCTS["kit_cycle"]["fields"]
_CODES = {1: "B", 4: "I", 8: "Q"}

Cycle: Any = collections.namedtuple("Cycle", [field["name"] for field in _FIELDS])  # type: ignore[misc]
Cycle.__doc__ = """A cycle of a recorded SM. Bit w of ws0 to ws3 is bit 0 to 3 of warp w's state, bit w of `paused` whether it is paused; bit s of cta_active,
cta_start and cta_done is CTA slot s. `issued`: instructions in this cycle; `instructions` and `ctas_done`: in this launch so far. `launch` counts
from 1 on, 0 is before the first. ps_class: the recorder's own class of the cycle, 255 where it has none."""


@dataclass(frozen=True)
class Geometry:
    """Of the recorded chip: warp slots and CTA slots of an SM, SMs, instructions that an SM issues in a cycle at most."""

    warps: int
    slots: int
    sms: int
    issue_width: int


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel. `limit`: the CTA limit in force; nmax: as many CTAs fit on an SM; grid_x: CTAs in a row of a 2-D grid, or 0;
    smem_per_cta: bytes of shared memory."""

    name: str
    start_cycle: int
    limit: int
    nmax: int
    grid_ctas: int
    grid_x: int
    is_2d: int
    threads_per_cta: int
    warps_per_cta: int
    regs_per_thread: int
    smem_per_cta: int


@dataclass(frozen=True)
class RecordedSM:
    """What a recording has of an SM: cycles, the number of the first one, instructions and CTAs that finished."""

    sm: int
    cycles: int
    first_cycle: int
    instructions: int
    ctas_done: int


def path_of(path: Path) -> bytes:
    return encoded(os.fspath(path), "path")


@contextlib.contextmanager
def _opened(path: Path, salvage: bool) -> Iterator[int]:
    err = error_buffer()
    handle = quick.kit_recording_open(path_of(path), bool(salvage), err)
    if not handle:
        raise Error(text_of(err))
    try:
        yield handle
    finally:
        quick.kit_recording_close(handle)


class Recording:
    """A recording. Iterating over it gives the cycles of its first SM; `cycles` those of another one.

    With `salvage` a damaged file is taken as far as it is intact; `damage` then says what is wrong. The file is open only while it is read."""

    def __init__(self, path: Path, salvage: bool = False):
        self.path, self._salvage, self._closed = path, salvage, False
        with _opened(path, salvage) as handle:
            header = json.loads(quick.kit_recording_table(handle).decode(errors="replace"))
        self.kernel: str = header["kernel"]
        self.config: str = header["config"]
        self.recorder: str = header["recorder"]
        self.damage: str = header["damage"]
        self.config_limit: int = header["config_limit"]  # 0: none was configured
        self.bytes: int = header["bytes"]
        self.geometry = Geometry(**header["geometry"])
        self.launches: Tuple[Launch, ...] = tuple(Launch(**one) for one in header["launches"])
        self.sms: Tuple[RecordedSM, ...] = tuple(RecordedSM(**one) for one in header["sms"])

    def close(self) -> None:
        """Nothing more is read of it."""
        self._closed = True

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _of(self, sm: Optional[int]) -> RecordedSM:
        if self._closed:
            raise Error(f"{os.fspath(self.path)}: this recording is closed")
        if sm is None:
            return self.sms[0]
        for one in self.sms:
            if one.sm == number(sm, "sm", 1 << 16):
                return one
        raise Error(f"{os.fspath(self.path)}: has no SM {sm}; there are {', '.join(str(one.sm) for one in self.sms)}")

    def _chunks(self, which: RecordedSM, columns: List[Any], advance: bool) -> Iterator[int]:
        """Fills columns, each chunk behind the one before or in its place; yields how many cycles a chunk has."""
        addresses = (ctypes.c_void_p * len(columns))(*[column.buffer_info()[0] for column in columns])
        err, at, room = error_buffer(), 0, len(columns[0])
        with _opened(self.path, self._salvage) as handle:
            if not quick.kit_recording_select(handle, which.sm, err):
                raise Error(text_of(err))
            while (most := min(_CHUNK, room - at)) and (got := quick.kit_recording_read(handle, addresses, at, most, err)):
                if got < 0:
                    raise Error(text_of(err))
                yield got
                at += got if advance else 0

    @staticmethod
    def _columns(cycles: int) -> List[Any]:
        return [array.array(_CODES[field["size"]], bytes(field["size"])) * cycles for field in _FIELDS]

    def cycles(self, sm: Optional[int] = None) -> Iterator[Any]:
        """The cycles of an SM, each a Cycle."""
        columns = self._columns(_CHUNK)
        for got in self._chunks(self._of(sm), columns, advance=False):
            yield from map(Cycle._make, zip(*(column[:got] for column in columns)))

    def __iter__(self) -> Iterator[Any]:
        return self.cycles()

    def arrays(self, sm: Optional[int] = None) -> Dict[str, Any]:
        """All cycles of an SM, the fields of Cycle by name: arrays of numpy, or of array where there is no numpy. About 75 bytes a cycle."""
        which = self._of(sm)
        columns = self._columns(which.cycles)
        if sum(self._chunks(which, columns, advance=True)) != which.cycles:
            raise Error(f"{os.fspath(self.path)}: has changed since it was opened")
        try:
            import numpy
        except ImportError:
            return dict(zip(Cycle._fields, columns))
        return dict(zip(Cycle._fields, (numpy.frombuffer(column, dtype=f"u{column.itemsize}") for column in columns)))

    def to_pandas(self, sm: Optional[int] = None) -> Any:
        """The same as a DataFrame of pandas, with the number of the cycle as its index."""
        try:
            import pandas
        except ImportError:
            raise Error("to_pandas needs pandas, which is not installed") from None
        return pandas.DataFrame(self.arrays(sm)).set_index("cycle")
