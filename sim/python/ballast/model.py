# SPDX-License-Identifier: Apache-2.0
"""The reference models of the blocks, one cycle at a time."""
from __future__ import annotations

import ctypes
import json
import sys
import weakref
from typing import Any, Dict, Iterator, List, Mapping, MutableMapping, NamedTuple, Optional, Tuple, Union

from ._library import Error, UnknownName, encoded, error_buffer, number, quick, text_of

Value = Union[int, str]
_MOST_PARAMETER = 1 << 20


class Port(NamedTuple):
    """An input, output or register of a block, as its page has it (doc/blocks), without the suffix of the RTL."""

    name: str
    kind: str  # "in", "out" or "state"
    width: int  # bits
    offset: int  # of the field in the struct of its kind, bytes
    size: int  # of the field, bytes
    setting: bool  # an input that software sets
    values: Tuple[str, ...]  # the names of its values; empty for a plain number


def blocks() -> List[str]:
    """The names of all blocks."""
    names: List[str] = []
    while (name := quick.kit_block(len(names))) is not None:
        names.append(name.decode())
    return sorted(names)


def _unknown(block: str, what: str, name: object, there: Any) -> UnknownName:
    return UnknownName(f"{block} has no {what} '{str(name)[:60]}'; there are {', '.join(there) or 'none'}")


class Values(MutableMapping[str, int]):
    """Registers, inputs or outputs by name: numbers from 0 on. A value with names may be set by its name, too."""

    def __init__(self, block: str, what: str, ports: Dict[str, Port], buffer: Any):
        self._block, self._what, self._ports, self._buffer = block, what, ports, buffer

    def _port(self, name: object) -> Port:
        port = self._ports.get(name) if isinstance(name, str) else None
        if port is None:
            raise _unknown(self._block, self._what, name, self._ports)
        return port

    def __getitem__(self, name: str) -> int:
        port = self._port(name)
        return int.from_bytes(self._buffer[port.offset:port.offset + port.size], sys.byteorder)

    def __setitem__(self, name: str, value: Value) -> None:
        port = self._port(name)
        if isinstance(value, str):
            if value not in port.values:
                raise Error(f"{self._block}: {name} has no value '{value[:60]}'; there are {', '.join(port.values) or 'numbers'}")
            value = port.values.index(value)
        data = number(value, f"{self._block}: {name}", (1 << port.width) - 1).to_bytes(port.size, sys.byteorder)
        self._buffer[port.offset:port.offset + port.size] = data

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"{self._block}: a block does not lose its {self._what} '{name}'")

    def __iter__(self) -> Iterator[str]:
        return iter(self._ports)

    def __len__(self) -> int:
        return len(self._ports)

    def text(self, name: str) -> str:
        """The name of a value, or its number in decimal."""
        values, value = self._port(name).values, self[name]
        return values[value] if value < len(values) else str(value)

    def __repr__(self) -> str:
        return f"<{self._block} {self._what}: {', '.join(f'{name} {self.text(name)}' for name in self)}>"


class Model:
    """The reference model of a block: what the RTL does, bit by bit.

    >>> m = Model("perfsat", num_slots=8)
    >>> m.step(kernel_start=1, nmax=6)["limit"], m.step()["limit"]
    (0, 3)

    Parameters are those of the block's page, spelt as there (NumSlots) or as here (num_slots); the others have their defaults.
    A model begins as after reset. `state` has its registers, readable and settable; `ports` all its ports by kind and name."""

    def __init__(self, block: str, **parameters: int):
        name = encoded(block, "block")
        if block not in blocks():
            raise UnknownName(f"there is no block '{str(block)[:60]}'; there are {', '.join(blocks())}")
        self.block = block
        self._open(name, "")
        if parameters:
            self._open(name, self._spelt(parameters))
        self._buffers = {kind: ctypes.create_string_buffer(max(size, 1)) for kind, size in self._sizes.items()}
        self.state = Values(block, "register", self.ports["state"], self._buffers["state"])
        self._inputs = Values(block, "input", self.ports["in"], self._buffers["in"])
        self._outputs = Values(block, "output", self.ports["out"], self._buffers["out"])
        quick.kit_model_defaults(self._model, self._buffers["in"])
        self.reset()

    def _open(self, name: bytes, parameters: str) -> None:
        err = error_buffer()
        model = quick.kit_model_open(name, parameters.encode(), err)
        if not model:
            raise Error(text_of(err))
        self._model = model
        self._free = weakref.finalize(self, quick.kit_model_close, model)
        table = json.loads(quick.kit_model_table(model))
        self.parameters: Dict[str, int] = table["parameters"]
        self._sizes: Dict[str, int] = table["sizes"]
        self.ports: Dict[str, Dict[str, Port]] = {kind: {} for kind in self._sizes}
        for one in table["ports"]:
            port = Port(**{**one, "values": tuple(one["values"])})
            self.ports[port.kind][port.name] = port

    def _spelt(self, parameters: Mapping[str, int]) -> str:
        """For C, in the RTL's spelling."""
        known = {name.lower(): name for name in self.parameters}
        words = {}
        for name, value in parameters.items():
            rtl = known.get(name.replace("_", "").lower())
            if rtl is None:
                raise _unknown(self.block, "parameter", name, self.parameters)
            words[rtl] = number(value, f"{self.block}: parameter {name}", _MOST_PARAMETER)
        return " ".join(f"{name}={value}" for name, value in words.items())

    def __reduce__(self) -> Any:
        raise TypeError(f"{self.block}: a model is not copied; make another one, and set its state")

    def reset(self) -> None:
        """All registers as after reset; settings stay."""
        quick.kit_model_reset(self._model, self._buffers["state"])

    def step(self, inputs: Optional[Mapping[str, Value]] = None, **named: Value) -> Dict[str, int]:
        """One cycle: the inputs in it, by name, to the outputs in it; `state` is then that after its edge. An input that is not given is 0,
        a setting (enable, for example) what it was last: at first its default. Names that are none of Python's, such as sm[3].vote, go into
        the mapping. What is refused changes nothing."""
        before = self._buffers["in"].raw
        try:
            return self._step({**(inputs or {}), **named})
        except BaseException:
            self._buffers["in"].raw = before
            raise

    def _step(self, inputs: Mapping[str, Value]) -> Dict[str, int]:
        for name, port in self.ports["in"].items():
            if not port.setting:
                self._inputs[name] = 0
        for name, value in inputs.items():
            self._inputs[name] = value
        err = error_buffer()
        if not quick.kit_model_step(self._model, self._buffers["state"], self._buffers["in"], self._buffers["out"], err):
            raise Error(text_of(err))
        return dict(self._outputs)
