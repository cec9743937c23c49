# SPDX-License-Identifier: Apache-2.0
"""A curve through what was measured over one parameter: a + b f(n), with f the one of a few that is nearest at points between others, if these are
left out. For blocks, and for policies as the sum of the blocks that they take (policies.py)."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import policies
from blocks import blocks, parameters, words_of
from measure import Row
from output import rounded

FORMS: dict[str, Callable[[float], float]] = {"n": lambda n: n, "log2 n": math.log2, "n log2 n": lambda n: n * math.log2(n), "n^2": lambda n: n * n}
QUANTITIES = {"flip_flops": "flip-flops", "ge": "GE", "fo4": "FO4"}
COLUMNS = ["name", "of", "quantity", "a", "b", "form", "error_percent", "between_percent", "points"]
Points = list[tuple[int, float]]


@dataclass(frozen=True)
class Fit:
    """`error`: the worst of its points, in percent; `between`: the worst of those between others, each as the others say it."""

    a: float
    b: float
    form: str
    error: float
    between: float

    def at(self, n: float) -> float:
        return self.a + self.b * FORMS[self.form](n)


def _line(points: Points, form: str) -> tuple[float, float]:
    """Least squares."""
    pairs = [(FORMS[form](n), value) for n, value in points]
    x, y = (sum(one) / len(pairs) for one in zip(*pairs))
    b = sum((one - x) * (value - y) for one, value in pairs) / sum((one - x)**2 for one, _ in pairs)
    return y - b * x, b


def _off(have: float, want: float) -> float:
    return 100 * abs(have - want) / want if want else 0 if abs(have) < 1e-9 else 100


def _fit(points: Points, form: str) -> Fit:
    a, b = _line(points, form)
    between = []
    for place in range(1, len(points) - 1):
        n, value = points[place]
        low, step = _line(points[:place] + points[place + 1:], form)
        between.append(_off(low + step * FORMS[form](n), value))
    return Fit(a, b, form, max(_off(a + b * FORMS[form](n), value) for n, value in points), max(between))


def fit(points: Points) -> Fit | None:
    """None with fewer than three points."""
    if len(points) < 3:
        return None
    return min((_fit(points, form) for form in FORMS), key=lambda one: rounded(one.between, 6))


def with_policies(rows: list[Row], config: str) -> list[Row]:
    """The rows, and one per policy at each value; a block without the parameter is what it is in the configuration."""
    base = {row["block"]: row for row in rows if row["parameters"] == words_of(dict(sorted(parameters(blocks()[row["block"]], config).items())))}
    found = list(rows)
    for name, value in dict.fromkeys((row["name"], row["value"]) for row in rows):
        here = {row["block"]: row for row in rows if (row["name"], row["value"]) == (name, value)}
        for policy, names in policies.all_of(config).items():
            one = policies.together(names, base | here) if set(names) & here.keys() else None
            if one:
                found.append({"name": name, "value": value, "block": f"policy {policy}"} | one)
    return found


def fits(rows: list[Row]) -> list[Row]:
    found = []
    for name, block in dict.fromkeys((row["name"], row["block"]) for row in rows):
        curve = sorted((row["value"], row) for row in rows if (row["name"], row["block"]) == (name, block))
        for quantity in QUANTITIES:
            one = fit([(value, row[quantity]) for value, row in curve])
            if one:
                found.append({"name": name, "of": block, "quantity": quantity, "a": rounded(one.a, 3), "b": rounded(one.b, 6), "form": one.form,
                              "error_percent": rounded(one.error, 1), "between_percent": rounded(one.between, 1), "points": len(curve)})
    return found


def _formula(one: Row) -> str:
    if abs(one["b"]) < 1e-5:
        return f"{one['a']:.5g} (0, 0)"
    return f"{one['a']:.4g} {'-' if one['b'] < 0 else '+'} {abs(one['b']):.4g} {one['form']} ({one['error_percent']:g}, {one['between_percent']:g})"


def lines(found: list[Row]) -> list[str]:
    """A row per block and policy."""
    if not found:
        return []
    said = ["", "Curves; in parentheses, in percent: how far the worst point is off, and the worst between others if these alone are known"]
    cells = {(row["name"], row["of"], row["quantity"]): _formula(row) for row in found}
    for name in dict.fromkeys(row["name"] for row in found):
        said += ["", f"{name:<11} {'':<17} " + " ".join(f"{word:<36}" for word in QUANTITIES.values()).rstrip()]
        for block in sorted(dict.fromkeys(row["of"] for row in found if row["name"] == name)):
            said.append(f"{'n':>11} {block:<17} " + " ".join(f"{cells[name, block, quantity]:<36}" for quantity in QUANTITIES).rstrip())
    return said
