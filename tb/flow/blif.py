# SPDX-License-Identifier: Apache-2.0
"""Combinational circuits as BLIF files. The large ones have a hundred megabytes: what is about their labels alone leaves the gates as text.

A file that is missing or cut short is a tools.ToolFailed: a gate that is cut short would be the constant 0.
"""
from __future__ import annotations

import re
from pathlib import Path

import tools

HEAD = (".model", ".inputs", ".outputs")


def lines(path: Path) -> list[list[str]]:
    """The words of each line, continued lines joined."""
    return [line.split() for line in _text(path).replace("\\\n", " ").splitlines() if line.strip()]


def labels(path: Path, what: str) -> list[str]:
    """The labels of '.inputs' or '.outputs'."""
    return [label for found in _statement(what).findall(_text(path)) for label in found.replace("\\\n", " ").split()[1:]]


def only(path: Path, outputs: list[str], to: Path) -> Path:
    """The circuit with these outputs alone."""
    first = [f".outputs {' '.join(outputs)}"]
    to.write_text(_statement(".outputs").sub(lambda _: first.pop() if first else "", _text(path)))
    return to


def zeros(like: Path, to: Path) -> Path:
    """A circuit with the same inputs and outputs, which are all 0."""
    outputs = labels(like, ".outputs")
    return write(to, [[".model", "zeros"], [".inputs", *labels(like, ".inputs")], [".outputs", *outputs], *([".names", name] for name in outputs)])


def with_values(path: Path, values: dict[str, str], to: Path) -> Path:
    """The circuit with these inputs set: still inputs, that nothing reads."""
    found = lines(path)[:-1]
    head = [words for words in found if words[0] in HEAD]
    body = [words for words in found if words[0] not in HEAD]
    for label, value in values.items():
        head += [[".names", f"{label}.set"], *([["1"]] if value == "1" else [])]
    return write(to, [*head, *([f"{word}.set" if word in values else word for word in words] for words in body)])


def write(to: Path, found: list[list[str]]) -> Path:
    to.write_text("".join(f"{' '.join(words)}\n" for words in [*found, [".end"]]))
    return to


def _text(path: Path) -> str:
    """A file that is whole: its last line is .end, and the one before does not go on."""
    try:
        text = path.read_text()
    except OSError:
        raise tools.ToolFailed(f"{path}: no circuit here") from None
    end = text[-100:].split("\n")
    while end and not end[-1].strip():
        end.pop()
    if not end or end[-1].split() != [".end"] or (len(end) > 1 and end[-2].endswith("\\")):
        raise tools.ToolFailed(f"{path}: the circuit is cut short")
    return text


def _statement(what: str) -> re.Pattern[str]:
    """Such a statement, with the lines in which it goes on, but for its last end of line."""
    return re.compile(rf"^[ \t]*{re.escape(what)}(?=[\s\\])(?:[^\n]*\\\n)*[^\n]*", re.M)
