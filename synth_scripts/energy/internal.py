# SPDX-License-Identifier: Apache-2.0
"""Internal power of a Liberty file's cells, which is an energy per transition: its tables, read where the input's edge is the quickest. In the
units of the file it is capacitance x voltage squared; half of the capacitance's charge goes with each transition, so energy E is that of 2 E / V^2.
"""
from __future__ import annotations

from dataclasses import dataclass

from liberty import Group

# Points of a straight line between them: load, what is charged. One point is a constant.
Curve = tuple[tuple[float, float], ...]
NOTHING: Curve = ((0.0, 0.0),)
LOAD = "total_output_net_capacitance"


def constant(value: float) -> Curve:
    return ((0.0, value),)


def at(curve: Curve, load: float) -> float:
    """Beyond the first and the last point as there."""
    for (left, low), (right, high) in zip(curve, curve[1:]):
        if load <= right:
            return low + (high - low) * max(0.0, load - left) / (right - left)
    return curve[-1][1]


def mean(curves: list[Curve]) -> Curve:
    loads = sorted({load for curve in curves for load, _ in curve})
    return tuple((load, sum(at(curve, load) for curve in curves) / len(curves)) for load in loads) or NOTHING


def _numbers(texts: list[str]) -> list[float]:
    return [float(word) for word in " ".join(texts).replace(",", " ").split()]


@dataclass(frozen=True)
class Power:
    library: Group

    @property
    def volts(self) -> float:
        return self.library.number("nom_voltage") or 0

    def _table(self, table: Group) -> Curve:
        """Energies over the load at the quickest edge; ValueError for a table that is none."""
        values = _numbers(table.attributes.get("values", []))
        templates = [one for one in self.library.of("power_lut_template") if one.names == table.names]
        if not templates:
            (value,) = values  # a scalar
            return constant(value)
        axes = [[*table.attributes.get(f"index_{axis}", templates[0].attributes.get(f"index_{axis}", []))] for axis in (1, 2)]
        points = [_numbers(axis) for axis in axes]
        variables = [templates[0].value(f"variable_{axis}") for axis in (1, 2)]
        if len(values) != len(points[0]) * max(1, len(points[1])):
            raise ValueError
        if LOAD not in variables:
            return constant(values[0])
        step = len(points[1]) or 1 if variables[0] == LOAD else 1
        loads = points[variables.index(LOAD)]
        return tuple((load, values[place * step]) for place, load in enumerate(loads))

    def curve(self, pin: Group) -> Curve:
        """The capacitance that a transition of this pin charges inside: the mean over all that the file distinguishes, up and down, related pins
        and states. A pin without such tables has none."""
        tables = [table for power in pin.of("internal_power") for table in power.of("rise_power", "fall_power", "power")]
        if not tables:
            return NOTHING
        if not self.volts:
            raise ValueError
        return tuple((load, 2 * energy / self.volts**2) for load, energy in mean([self._table(table) for table in tables]))
