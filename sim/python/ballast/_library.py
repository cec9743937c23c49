# SPDX-License-Identifier: Apache-2.0
"""The shared library of the package, its structs, and the errors of this package. <kit.h> in the repository says what each function does.

Structs are made of the tables that the library has of itself: nothing here knows an offset.
"""
from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

_CHARS, _BOOL, _POINTER = ctypes.c_char_p, ctypes.c_bool, ctypes.c_void_p
_FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {
    "kit_structs": (_CHARS, []),
    "kit_block": (_CHARS, [ctypes.c_uint]),
    "kit_model_open": (_POINTER, [_CHARS, _CHARS, _CHARS]),
    "kit_model_close": (None, [_POINTER]),
    "kit_model_table": (_CHARS, [_POINTER]),
    "kit_model_reset": (None, [_POINTER, _CHARS]),
    "kit_model_defaults": (None, [_POINTER, _CHARS]),
    "kit_model_step": (_BOOL, [_POINTER, _CHARS, _CHARS, _CHARS, _CHARS]),
    "kit_recording_open": (_POINTER, [_CHARS, _BOOL, _CHARS]),
    "kit_recording_close": (None, [_POINTER]),
    "kit_recording_table": (_CHARS, [_POINTER]),
    "kit_recording_select": (_BOOL, [_POINTER, ctypes.c_uint32, _CHARS]),
    "kit_recording_read": (ctypes.c_int, [_POINTER, _POINTER, ctypes.c_uint64, ctypes.c_uint32, _CHARS]),
    "kit_simulate": (ctypes.c_int, [_POINTER, ctypes.c_int, _BOOL]),
    "kit_play": (ctypes.c_int, [_POINTER, ctypes.c_int, _BOOL]),
}
_NUMBERS = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


class Error(ValueError):
    """What cannot be done: one line that says what, where and why."""


class UnknownName(Error, KeyError):
    """A block, parameter, port or setting that there is not."""

    def __str__(self) -> str:
        return str(self.args[0])


def _load(kind: Callable[[str], Any]) -> Any:
    library = kind(str(Path(__file__).with_name("libballast_kit.so")))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


quick = _load(ctypes.PyDLL)  # holds the interpreter's lock: for calls that end at once, so that no other thread comes between
slow = _load(ctypes.CDLL)
START = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)
STEP = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p)
DESCRIBE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32)
CHIP = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32)


def _member(field: Dict[str, Any]) -> Any:
    special = {"text": ctypes.c_char_p, "bytes": ctypes.c_void_p, "start": START, "step": STEP, "describe": DESCRIBE, "chip": CHIP}
    one = special.get(field["kind"]) or _NUMBERS[field["size"]]
    return one * field["count"] if field["count"] > 1 else one


def struct(name: str, base: type = ctypes.Structure) -> Any:
    """A class for a struct of the library's; a table that does not fit what C's rules give is refused."""
    layout = STRUCTS[name]
    made = type(name, (base,), {"_fields_": [(field["name"], _member(field)) for field in layout["fields"]], "__slots__": ()})
    offsets = [getattr(made, field["name"]).offset for field in layout["fields"]]
    if offsets != [field["offset"] for field in layout["fields"]] or ctypes.sizeof(made) != layout["size"]:
        raise ImportError(f"ballast: the library's table of {name} is not that of a C struct")
    return made


STRUCTS: Dict[str, Any] = json.loads(quick.kit_structs())


def error_buffer() -> Any:
    return ctypes.create_string_buffer(STRUCTS["KIT_ERR"])


def text_of(err: Any) -> str:
    return str(err.value.decode(errors="replace"))


def encoded(text: object, what: str) -> bytes:
    """As C has it: a text without a NUL and without a line's end, which separates the members of a list."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"{what}: a text is wanted, not {type(text).__name__}")
    data = text.encode(errors="surrogateescape") if isinstance(text, str) else text
    if b"\0" in data or b"\n" in data:
        raise Error(f"{what}: has a NUL or a line's end in it")
    return data


def number(value: Any, what: str, most: int) -> int:
    """A whole number from 0 to `most`."""
    try:
        whole = value.__index__()
    except AttributeError:
        raise TypeError(f"{what}: a whole number is wanted, not {type(value).__name__}") from None
    if not 0 <= whole <= most:
        raise Error(f"{what} is {whole if abs(whole) < 1 << 64 else 'a number of more than 64 bits'}, where 0 to {most} are allowed")
    return int(whole)
