# SPDX-License-Identifier: Apache-2.0
"""Reads Liberty files, the libraries of cells: groups in groups, with their attributes. A file may be packed with gzip.

Errors: tools.Failure of one line, with the file and the line in it.
"""
from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools import Failure

# A line that ends with a backslash goes on; a value without ';' ends with its line.
TOKEN = re.compile(r'(?P<skip>\s+|\\\s*\n|\\|/\*.*?\*/|//[^\n]*)|(?P<text>"(?:[^"\\]|\\.)*"|[{}();:,]|(?:(?!/[*/])[^\s{}();:,"\\])+)', re.S)


@dataclass
class Group:
    """`cell (INVX1) { area : 16; pin (A) { ... } }`: kind, names, and what is in it; from start to end of the text."""

    kind: str
    names: list[str]
    start: int
    end: int = 0
    attributes: dict[str, list[str]] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    def of(self, *kinds: str) -> Iterator[Group]:
        return (group for group in self.groups if group.kind in kinds)

    def value(self, name: str) -> str:
        """Of an attribute that has one; "" if it is not there."""
        return self.attributes.get(name, [""])[0]

    def number(self, name: str) -> float | None:
        try:
            return float(self.value(name))
        except ValueError:
            return None


def text(path: Path) -> str:
    try:
        raw = path.read_bytes()
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise Failure(f"{path}: packed, and damaged") from None
    except OSError as error:
        raise Failure(f"{path}: cannot be read: {error.strerror}") from None
    return raw.decode("latin-1")


@dataclass
class _Reader:
    path: Path
    text: str
    place: int = 0
    start: int = 0
    token: str = ""
    new_line: bool = False  # stands between the last token and this one

    def fail(self, what: str) -> Failure:
        return Failure(f"{self.path}:{self.text.count(chr(10), 0, self.start) + 1}: {what}")

    def step(self) -> str:
        """The token read last; the next one is in `token`, "" at the end."""
        last, self.token, self.new_line = self.token, "", False
        while self.place < len(self.text):
            found = TOKEN.match(self.text, self.place)
            self.start = self.place
            if not found:
                raise self.fail("this is not Liberty: a comment or a text without an end")
            self.place = found.end()
            if found["text"]:
                self.token = found["text"]
                return last
            self.new_line |= "\n" in found["skip"] and found["skip"][0].isspace()
        self.start = len(self.text)
        return last

    def want(self, token: str, where: str) -> None:
        if self.token != token:
            raise self.fail(f"{where}: '{token}' is missing" if self.token else f"{where}: the file is cut short")
        self.step()

    def words(self, where: str) -> list[str]:
        """What stands in parentheses."""
        self.want("(", where)
        found = []
        while self.token and self.token not in "){}":
            word = self.step()
            if word not in ",;:":
                found.append(word.strip('"'))
        self.want(")", where)
        return found

    def simple(self, where: str) -> str:
        """What stands behind a colon."""
        self.want(":", where)
        found = [self.step()]
        while self.token and self.token not in ";}" and not self.new_line:
            found.append(self.step())
        if self.token == ";":
            self.step()
        return " ".join(found).strip('"')

    def group(self, kind: str, names: list[str], start: int) -> Group:
        """All between its braces; groups within are a stack, not calls, however deep they are."""
        top = Group(kind, names, start)
        stack = [top]
        self.step()
        while stack:
            inner, where = stack[-1], f"{stack[-1].kind} ({', '.join(stack[-1].names)})"
            if self.token == "}":
                inner.end = self.place
                stack.pop()
                if stack:
                    self.step()
            elif self.token == ";":
                self.step()
            elif not self.token or self.token in "{():,":
                raise self.fail(f"{where}: '{self.token}' is out of place" if self.token else f"{where}: the file is cut short")
            else:
                begin, name = self.start, self.step()
                if self.token == ":":
                    inner.attributes[name] = [self.simple(f"{where}: {name}")]
                    continue
                words = self.words(f"{where}: {name}")
                if self.token == "{":
                    stack.append(Group(name, words, begin))
                    inner.groups.append(stack[-1])
                    self.step()
                else:
                    inner.attributes[name] = words
        return top


def parsed(path: Path, content: str) -> Group:
    """The library of a file."""
    reader = _Reader(path, content)
    reader.step()
    start, kind = reader.start, reader.step()
    if kind != "library":
        raise Failure(f"{path}: this is not Liberty: it does not begin with 'library (NAME) {{'")
    names = reader.words("library")
    if reader.token != "{":
        raise reader.fail("library: '{' is missing")
    return reader.group(kind, names, start)
