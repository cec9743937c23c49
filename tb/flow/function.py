# SPDX-License-Identifier: Apache-2.0
"""Functions of cells as Liberty writes them: "(!A) + B'", "A1 & A2", "A ^ B". Read into a table of values, so that two ways to write one
function are equal.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

Values = dict[str, int]
Term = Callable[[Values], int]
TOKEN = re.compile(r"\s*([!'&*|+^()]|[^\s!'&*|+^()]+)")


class NoFunction(Exception):
    """What is no function."""


class _Terms:
    """From weak to strong: or, and, exclusive or, not. A blank is an and."""

    def __init__(self, text: str):
        self.tokens = TOKEN.findall(text) + [""]
        self.pins: set[str] = set()

    def take(self, *tokens: str) -> bool:
        if self.tokens[0] in tokens:
            self.tokens.pop(0)
            return True
        return False

    def all(self) -> Term:
        term = self.either()
        if self.tokens != [""]:
            raise NoFunction
        return term

    def either(self) -> Term:
        term = self.both()
        while self.take("|", "+"):
            term = (lambda a, b: lambda v: a(v) | b(v))(term, self.both())
        return term

    def both(self) -> Term:
        term = self.odd()
        while self.take("&", "*") or self.tokens[0] not in ("", ")", "|", "+"):
            term = (lambda a, b: lambda v: a(v) & b(v))(term, self.odd())
        return term

    def odd(self) -> Term:
        term = self.inverted()
        while self.take("^"):
            term = (lambda a, b: lambda v: a(v) ^ b(v))(term, self.inverted())
        return term

    def inverted(self) -> Term:
        if self.take("!"):
            return (lambda a: lambda v: 1 - a(v))(self.inverted())
        term = self.one()
        while self.take("'"):
            term = (lambda a: lambda v: 1 - a(v))(term)
        return term

    def one(self) -> Term:
        if self.take("("):
            term = self.either()
            if not self.take(")"):
                raise NoFunction
            return term
        name = self.tokens.pop(0)
        if not name or not re.fullmatch(r'"?[\w\[\].\\]+"?', name):
            raise NoFunction
        if name in ("0", "1"):
            return lambda v: int(name)
        self.pins.add(name)
        return lambda v: v[name]


def table(text: str) -> tuple[list[str], list[int]]:
    """The pins that a function reads, sorted, and its values, those pins counting up, the first the highest. NoFunction if it is none."""
    terms = _Terms(text)
    term = terms.all()
    pins = sorted(terms.pins)
    if len(pins) > 8:
        raise NoFunction
    return pins, [term(dict(zip(pins, values))) for values in product((0, 1), repeat=len(pins))]
