# SPDX-License-Identifier: Apache-2.0
"""The page of coverage: one HTML file, no script, nothing fetched. It looks as the report of a run (sim/report/style.c)."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from counts import KINDS, RECORDINGS, SUITES, WHOLE, Covered, Point, Signal
from tools import Failure

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Ballast: coverage of the RTL</title>
<style>
"""

# What the report of a run has no use for.
OWN_STYLE = """.hole>*,.hole{background:var(--move)}td.m{white-space:normal;min-width:16rem}
.src td{padding:0 .5rem;border:0;white-space:pre;font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:.78rem}
.src td.l{color:var(--soft);text-align:right}.src .hole td{background:var(--move)}
.full{color:var(--good)}.part{color:var(--bad);font-weight:600}
@media print{.src td{white-space:pre-wrap;padding:0 .2rem}}
"""

LEGEND = (
    "<p>By recordings and tests together, without what is excluded. Written by <code>make cover</code>; "
    "doc/verification/cover.md says how to read it. "
    "Lines: statements and branches of the RTL. Toggle: bits of its signals that have both risen and fallen. Functional: the "
    "points of tb/blocks/&lt;block&gt;/cover.sv, named after the rules of doc/papers/papers.md.</p></section>\n")


def report_style() -> str:
    """The text of the C string report_style."""
    path = Path("sim/report/style.c")
    text = path.read_text() if path.is_file() else ""
    literals = re.findall(r'"(?:[^"\\]|\\.)*"', text.partition("report_style[] =")[2])
    if not literals:
        raise Failure(f"{path}: has no report_style, which the page takes its look from")
    return "".join(ast.literal_eval(literal) for literal in literals)


# ---- pieces ----------------------------------------------------------------------------------

def number(value: int) -> str:
    """1234567 with narrow spaces between groups of three."""
    return f"{value:,}".replace(",", "\u202f")


def cell(text: str, kind: str = "") -> str:
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def head(text: str) -> str:
    return f'<th scope="row">{text}</th>'


def row(*cells: str, hole: bool = False, ident: str = "") -> str:
    attributes = (f' id="{ident}"' if ident else "") + (' class="hole"' if hole else "")
    return f"<tr{attributes}>{''.join(cells)}</tr>\n"


def column(name: str) -> str:
    """One that begins with > is of numbers."""
    return f'<th scope="col" class="n">{name[1:]}</th>' if name.startswith(">") else f'<th scope="col">{name}</th>'


def table(ident: str, caption: str, names: list[str], rows: Iterable[str]) -> str:
    """A box that scrolls by itself."""
    return (f'<div class="scroll" tabindex="0"><table id="{ident}"><caption><span>{caption}</span></caption>\n'
            f"<thead><tr>{''.join(map(column, names))}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody></table></div>\n")


def details(summary: str, content: str) -> str:
    return f"<details><summary>{summary}</summary>\n{content}</details>\n"


def where(block: Covered, of: Point | Signal) -> str:
    place = f"{block.file_of(of)}:{of.line}"
    return cell(place if block.file_of(of) == block.cover.path else f'<a href="#{block.name}-{of.line}">{place}</a>')


# ---- all blocks ------------------------------------------------------------------------------

def figure(block: Covered, kind: str, suite: int) -> str:
    one = block.figure(kind, suite)
    if not one.total:
        return cell("–", "n")
    state = " full" if one.hit == one.total else " part" if suite == WHOLE and kind != "toggle" else ""
    return cell(f"{one.hit}/{one.total}" if kind == "functional" else f"{one.percent:.1f}", f"n{state}")


def overview(blocks: list[Covered]) -> str:
    names = ["block", ">line %, recordings", ">line %, all", ">toggle %, recordings", ">toggle %, all", ">functional, recordings",
             ">functional, all", ">excluded points", ">excluded bits"]
    rows = []
    for block in blocks:
        excluded = {kind: block.figure(kind, WHOLE).excluded for kind in KINDS}
        rows.append(row(head(f'<a href="#{block.name}">{block.name}</a>'),
                        *(figure(block, kind, suite) for kind in KINDS for suite in SUITES),
                        cell(number(excluded["line"] + excluded["functional"]), "n"), cell(number(excluded["toggle"]), "n")))
    caption = ("Recordings: the replay of all recordings alone. All: recordings and tests. "
               "Percentages and totals without what is excluded.")
    return f'<section id="overview"><h2>All blocks</h2>\n{table("overview-table", caption, names, rows)}</section>\n'


def verdict(blocks: list[Covered]) -> str:
    holes = sum(len(block.holes()) for block in blocks)
    points = sum(block.figure(kind, WHOLE).total for block in blocks for kind in ("functional", "line"))
    text = f"{holes} of {points} lines and points are not reached." if holes else f"All {points} lines and points are reached."
    return f'<section class="verdict{" bad" if holes else ""}" id="verdict"><strong>{text}</strong>{LEGEND}'


# ---- a block ---------------------------------------------------------------------------------

def holes(block: Covered) -> str:
    rows = [row(cell(point.kind), head(escape(point.name)), where(block, point), cell(escape(block.what(point)), "m"), hole=True)
            for point in block.holes()]
    if not rows:
        return '<p class="pass">No hole: every line, branch and functional point that is not excluded has been reached.</p>\n'
    caption = "What neither recordings nor tests have reached."
    return table(f"{block.name}-holes", caption, ["kind", "name", "where", "what"], rows)


def exclusions(block: Covered) -> str:
    rows = [row(f'<th scope="row" style="white-space:normal">{escape(one.rule)}</th>', cell(number(one.points), "n"),
                cell(escape(one.reason), "m"), cell(f"{block.excluded_in}:{one.line}")) for one in block.exclusions]
    return table(f"{block.name}-excluded", "Excluded: what cannot be reached, and why.",
                 ["excluded", ">points or bits", "reason", "where"], rows) if rows else ""


def toggles(block: Covered) -> str:
    rows = [row(head(escape(signal.name)), cell(bits, "m"), where(block, signal))
            for signal in block.signals.values() if (bits := signal.holes(WHOLE))]
    return details("Bits that have not risen and fallen", table(
        f"{block.name}-toggles", "From recordings and tests together.", ["signal", "bits", "where"], rows)) if rows else ""


def points(block: Covered) -> str:
    rows = [row(head(escape(point.name)), *(cell(number(point.hits[suite]), "n") for suite in SUITES), where(block, point),
                cell(escape(block.what(point)), "m"), hole=not point.hits[RECORDINGS]) for point in block.of_kind("functional")]
    caption = "In how many cycles each point has been seen; a row is marked when no recording shows it."
    return details("All functional points", table(
        f"{block.name}-points", caption, ["point", ">recordings", ">all", "where", "what"], rows)) if rows else ""


def lines_of(point: Point) -> set[int]:
    """Its own line and "12-14,16"."""
    found = {point.line}
    for part in filter(None, point.lines.split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def source(block: Covered) -> str:
    on_line: dict[int, list[Point]] = {}
    for point in block.of_kind("line"):
        for line in lines_of(point):
            on_line.setdefault(line, []).append(point)
    rows = []
    for line, text in enumerate(block.rtl.text, 1):
        here = on_line.get(line, [])
        counts = [number(min(point.hits[suite] for point in here)) if here else "" for suite in SUITES]
        rows.append(row(cell(str(line), "l"), *(cell(count, "l") for count in counts), cell(escape(text)),
                        hole=any(point.is_hole() for point in here), ident=f"{block.name}-{line}"))
    caption = "How often each line was executed; of several branches on it the least."
    counted = table(f"{block.name}-source", caption, [">line", ">recordings", ">all", "source"], rows)
    return details(f"{block.rtl.path} with counts", f'<div class="src">{counted}</div>')


def section(block: Covered) -> str:
    content = "".join(part(block) for part in (holes, exclusions, toggles, points, source))
    return f'<section class="kernel" id="{block.name}"><h2>{block.name}</h2>\n{content}</section>\n'


def page(blocks: list[Covered]) -> str:
    links = "".join(f'<li><a href="#{block.name}">{block.name}</a></li>\n' for block in blocks)
    return (f"{HEAD}{report_style()}{OWN_STYLE}</style>\n</head>\n<body>\n"
            f"<header><h1>Ballast: coverage of the RTL</h1></header>\n<main>\n{verdict(blocks)}"
            f'<nav aria-label="Contents"><ul>\n{links}</ul></nav>\n{overview(blocks)}'
            f"{''.join(map(section, blocks))}</main>\n</body>\n</html>\n")
