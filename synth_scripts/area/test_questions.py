#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a policy and a chip cost, by hand, and curves through points whose curve is known. Run from the repository root. Last line "N passed, N failed"."""
from __future__ import annotations

import sys
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import area  # noqa: E402
import area_libraries  # noqa: E402
import baseline  # noqa: E402
import cells  # noqa: E402
import fits  # noqa: E402
import latency  # noqa: E402
import measure  # noqa: E402
import policies  # noqa: E402
import sm  # noqa: E402
from blocks import blocks, configuration, configurations, parameters, words_of  # noqa: E402
from planted import Planted, expect, refused  # noqa: E402

CONFIG = "fermi"


def rows_of(ff: int, ge: int) -> dict[str, dict]:
    """Every block with as many flip-flops and GE, and longer paths from block to block; the parameters of the configuration."""
    return {name: {"config": CONFIG, "block": name, "flip_flops": ff, "ge": ge, "fo4": 10 + place, "kind": "reg-reg", "start": f"{name}.a", "end": "b",
                   "parameters": words_of(dict(sorted(parameters(one, CONFIG).items())))} for place, (name, one) in enumerate(sorted(blocks().items()))}


def of_policies(test: Planted) -> None:
    rows = rows_of(3, 50)
    with test.case("a policy is its blocks together, with the slowest one's path"):
        found = policies.costs(list(rows.values()))
        expect({row["policy"] for row in found} == policies.all_of(CONFIG).keys() and len(found) > 3, str(found))
        for row in found:
            names = row["blocks"].split()
            expect((row["flip_flops"], row["ge"]) == (3 * len(names), 50 * len(names)), str(row))
            expect(row["fo4"] == rows[row["slowest"]]["fo4"] == max(rows[name]["fo4"] for name in names), str(row))
    with test.case("a policy of which a block was not measured has no row"):
        missing = policies.all_of(CONFIG)["lcs"][0]
        found = policies.costs([row for name, row in rows.items() if name != missing])
        expect({row["policy"] for row in found} == {policy for policy, names in policies.all_of(CONFIG).items() if missing not in names}, str(found))
    with test.case("the table has a row per policy, a column per configuration"):
        lines = policies.page(policies.costs([*rows.values(), *(row | {"config": "kepler", "ge": 70} for row in rows.values())]))
        expect(lines[0] == "| policy | blocks | fermi | kepler |" and len(lines) == 2 + len(policies.all_of(CONFIG)), str(lines))
        expect(any("| lcs | `lcs`, `cta_throttle` | 6, 100, " in line and "| 6, 140, " in line for line in lines), str(lines))
    with test.case("a line that says it otherwise: refused"):
        for text in ("lcs", "lcs:", ":lcs", "lcs:nosuch", "lcs:lcs+", "lcs:lcs,"):
            refused(lambda text=text: policies.parsed(text, "tb/blocks/x"), "tb/blocks/x/targets: policies is not POLICY:BLOCK+BLOCK")


def of_latency(test: Planted) -> None:
    shown = ["| block | fermi, before | now | kepler, before | now | hopper, before | now |", "|---|---|---|---|---|---|---|",
             "| lcs | 1, 2, 3.0 | old | 4, 5, 6.0 | old | 7, 8, 9.0 | old |", "| none | 1, 2, 3.0 | old | 4, 5, 6.0 | old | 7, 8, 9.0 | old |", "", "Above: old"]
    rows = [{"config": config, "block": block, "flip_flops": 260, "ge": 3692, "fo4": fo4}
            for block, config, fo4 in (("lcs", "fermi", 24.96), ("lcs", "hopper", 25.06), ("lcs", "volta", 9), ("vf_vote", "fermi", 25))]
    with test.case("what latency gives: what was measured is put in, what was before stays, and what was not measured"):
        lines = latency.page(rows, shown)
        expect(lines[:2] == shown[:2] and lines[3] == shown[3], str(lines))
        expect(lines[2] == "| lcs | 1, 2, 3.0 | 260, 3692, 25.0 | 4, 5, 6.0 | old | 7, 8, 9.0 | 260, 3692, 25.1 |", lines[2])
        expect(lines[-1] == "Above 25 FO4 in some configuration: `lcs` (9.0 to 25.1).", lines[-1])
        expect(latency.page(rows[:1], shown)[-1] == "Above 25 FO4 in some configuration: none.", "a block that is not")


def of_chips(test: Planted) -> None:
    rows = rows_of(3, 50)
    with test.case("a chip: SMs times the governor, the rest once or twice; the slowest block and its path"):
        (chip,) = sm.chips(list(rows.values()))
        sms = configuration(CONFIG)["NumSms"]
        rest = len(sm._count(0)) + 1  # vf_domain is there twice
        expect(chip["sms"] == sms and chip["flip_flops"] == 3 * (sms + rest) and chip["ge"] == 50 * (sms + rest), str(chip))
        expect(chip["fo4"] == max(rows[name]["fo4"] for name in sm._count(1)) and chip["start"] == f"{chip['block']}.a", str(chip))
        expect(sm.page([chip])[-1].startswith(f"| fermi | {sms} | {chip['flip_flops']} | {chip['ge']} | "), str(sm.page([chip])))
    with test.case("a chip of which a block was not measured has no row"):
        expect(sm.chips([row for name, row in rows.items() if name != "vf_vote"]) == [], "a row")


def measured_once(test: Planted) -> None:
    one, other = (blocks()[name] for name in ("lcs", "gwde"))
    jobs = [measure.Job("volta", "lcs", one, {"NumSlots": 32}), measure.Job("hopper", "lcs", one, {"NumSlots": 32}),
            measure.Job("fermi", "lcs", one, {"NumSlots": 8}), measure.Job("hopper", "gwde", other, {"NumSlots": 32})]
    measured = []

    def row(job: measure.Job, *_: object) -> dict:
        measured.append(job)
        return {"config": job.label, "block": job.name, "ge": len(measured)}

    with test.case("a block with the same parameters in two configurations is measured once, and has a row in both"):
        with mock.patch.object(measure, "row", row):
            rows = measure.rows(jobs, None, 1.0, test.work, lambda finished: None)
        expect([(found["config"], found["block"]) for found in rows] == [(job.label, job.name) for job in jobs], str(rows))
        expect(len(measured) == 3 and rows[0]["ge"] == rows[1]["ge"] and len({found["ge"] for found in rows}) == 3, str(rows))
    with test.case("the table has every configuration of the RTL"):
        expect({config for config, _ in area.places()} == set(configurations()), str(area.places()))


def of_libraries(test: Planted) -> None:
    def row(config: str, name: str, ge: int, fo4: float) -> dict:
        return {"config": config, "block": name, "ge": ge, "fo4": fo4}

    with test.case("beside another library: a table for each configuration, with the ratios of its own rows"):
        own = {(one["config"], one["block"]): one for one in (row("fermi", "lcs", 100, 10), row("fermi", "gwde", 400, 30), row("volta", "lcs", 90, 12))}
        lines = area_libraries.beside(own, [row("fermi", "lcs", 200, 5), row("fermi", "gwde", 50, 60), row("volta", "lcs", 30, 24)], "other")
        at = lines.index("In `volta`:")
        expect("| `lcs` | 100 | 200 | 0.50 | 10.0 | 5.0 | 2.00 |" in lines[:at] and "| `lcs` | 90 | 30 | 3.00 | 12.0 | 24.0 | 0.50 |" in lines[at:], str(lines))
        expect("| mean | | | 2.00 | | | 1.00 |" in lines[:at] and "| least, most | | | 0.50, 8.00 | | | 0.50, 2.00 |" in lines[:at], str(lines))
    with test.case("a row that the baseline lacks, or has of other parameters: refused"):
        (job,) = [one for one in area_libraries.jobs([CONFIG]) if one.name == "lcs"]
        library = cells.library([cells.BUILT_IN], test.work)
        known = {"config": CONFIG, "block": "lcs", "parameters": words_of(job.params), "sources": job.sources}
        used = baseline.used_tools(library)
        for change, word in (({}, ""), ({"parameters": "NumSlots=1"}, "lcs (fermi)"), ({"sources": "0"}, "lcs (fermi)"), ({"config": "volta"}, "lcs (fermi)")):
            with mock.patch.object(baseline, "read", lambda change=change: {"tools": used, "rows": [known | change]}):
                if word:
                    refused(lambda: area_libraries.recorded([job], test.work), word)
                else:
                    expect(list(area_libraries.recorded([job], test.work)) == [(CONFIG, "lcs")], "not found")
        with mock.patch.object(baseline, "read", lambda: {"tools": used | {"recipe": "0"}, "rows": [known]}):
            refused(lambda: area_libraries.recorded([job], test.work), "is of other tools")


def curves(test: Planted) -> None:
    with test.case("curves: each form is found, with its numbers and no error"):
        for form, value in fits.FORMS.items():
            one = fits.fit([(n, 7 + 3 * value(n)) for n in (4, 8, 16, 32)])
            expect(one and one.form == form and abs(one.a - 7) < 1e-6 and abs(one.b - 3) < 1e-6 and one.error < 1e-6 and one.between < 1e-6, f"{form}: {one}")
            expect(abs(one.at(64) - 7 - 3 * value(64)) < 1e-6, f"{form} at 64: {one.at(64)}")
    with test.case("a constant, and zeros: no error"):
        for level in (5.0, 0.0):
            one = fits.fit([(n, level) for n in (4, 8, 16)])
            expect(one and one.error < 1e-6 and abs(one.b) < 1e-9, str(one))
    with test.case("a point off the line: its error, and the one that its neighbours see"):
        one = fits._fit([(0, 10), (1, 12), (2, 10)], "n")
        expect(abs(one.error - 100 * (4 / 3) / 12) < 1e-6 and abs(one.between - 100 * 2 / 12) < 1e-6, str(one))
        # Of four points the one that is further off counts: at 1 the others say 10 (of 10), at 2 they say 10 (of 13).
        far = fits._fit([(0, 10), (1, 10), (2, 13), (3, 10)], "n")
        expect(abs(far.between - 100 * 3 / 13) < 1e-6, str(far))
    with test.case("two points are no curve"):
        expect(fits.fit([(1, 1), (2, 2)]) is None and fits.fits([{"name": "N", "value": n, "block": "b", "flip_flops": n, "ge": n, "fo4": n} for n in (1, 2)]) == [], "one")
    with test.case("a policy over a parameter: a block without it is that of the configuration"):
        base = rows_of(3, 50)
        names = policies.all_of(CONFIG)["perfsat"]
        with_slots = [name for name in names if "NumSlots" in blocks()[name].parameters]
        expect(0 < len(with_slots) < len(names), str(names))
        scaled = [base[name] | {"name": "NumSlots", "value": n, "ge": 50 * n, "parameters": f"NumSlots={n}"} for n in (2, 4, 6) for name in with_slots]
        others = [base[name] | {"name": "NumWarps", "value": 48} for name in names if name not in with_slots]
        found = {row["value"]: row["ge"] for row in fits.with_policies(scaled + others, CONFIG) if (row["name"], row["block"]) == ("NumSlots", "policy perfsat")}
        expect(found == {n: 50 * n * len(with_slots) + 50 * len(others) for n in (2, 4, 6)}, str(found))
        (one,) = (row for row in fits.fits(fits.with_policies(scaled + others, CONFIG)) if (row["of"], row["quantity"]) == ("policy perfsat", "ge"))
        expect((one["name"], one["a"], one["b"], one["form"], one["points"]) == ("NumSlots", 50 * len(others), 50 * len(with_slots), "n", 3), str(one))
        at_home = [base[name] | {"name": "NumSlots", "value": 8, "ge": 1} for name in with_slots]
        both = [(row["name"], row["block"], row["value"], row["ge"]) for row in fits.with_policies([*scaled, *others, *at_home], CONFIG)]
        expect(("NumSlots", "policy perfsat", 2, 100 * len(with_slots) + 50 * len(others)) in both, f"another value than that of the point: {both}")
        expect(not any(one[:2] == ("NumWarps", "policy static") for one in both), "a policy over a parameter that none of its blocks has")
        lacking = fits.with_policies(scaled, CONFIG)
        expect(not any(row["block"] == "policy perfsat" for row in lacking), "a policy of which a block was not measured")
    with test.case("its line: a + b n, errors in parentheses"):
        (line,) = [one for one in fits.lines(fits.fits([{"name": "N", "value": n, "block": "b", "flip_flops": 3, "ge": 7 - n, "fo4": 2.0 * n} for n in (1, 2, 4)])) if " b " in one]
        expect("3 (0, 0)" in line and "7 - 1 n (0, 0)" in line and "0 + 2 n (0, 0)" in line, line)


if __name__ == "__main__":
    Planted.main("", of_policies, of_latency, of_chips, measured_once, of_libraries, curves)
