# SPDX-License-Identifier: Apache-2.0
"""evidence.py RUN BUILD: what stands behind a run's report, as RUN/evidence.csv: for lockstep, proofs, mutation, coverage and area what was found, when,
of which commit, and whether what it was found of has changed since. `ballast run` and `ballast report` call it. doc/use/report.md

  current   its sources are known, and they are those that are there now
  stale     some of them have changed since
  unknown   nobody knows of which sources it is: that is never called current
  missing   there is no result

What BUILD has comes before what the repository has recorded. A recorded table without sums of sources is at best unknown.
"""
from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tb/flow"), str(ROOT / "tb/formal")]
import origin  # noqa: E402
import pages  # noqa: E402
import proved  # noqa: E402
import sources  # noqa: E402
import subject  # noqa: E402
from blocks import Block, blocks  # noqa: E402
from tools import Failure, program, whole  # noqa: E402

CURRENT, STALE, UNKNOWN, MISSING = "current", "stale", "unknown", "missing"
COLUMNS = ("item", "state", "finished", "commit", "words", "page", "got", "of")
LISTED = 6  # names of what has changed
CONFIG = "fermi"  # of what the repository has recorded
PROVED, BASELINE = Path("tb/formal/proved") / CONFIG, Path("synth_scripts/area/area_baseline.json")
MUTATE, COVER = Path("doc/verification/mutate.md"), Path("doc/verification/cover.md")


@dataclass(frozen=True)
class Evidence:
    words: str
    state: str = UNKNOWN
    finished: str = ""
    commit: str = ""
    got: int | str = ""  # so many equal, proved, killed, reached; square micrometres
    of: int | str = ""   # of so many; sizes

    def counted(self, got: int, of: int) -> Evidence:
        return replace(self, got=got, of=of)


@dataclass(frozen=True)
class Where:
    """`started`: the folder in which the run's own relative names count."""

    run: Path
    build: Path
    started: Path = field(default_factory=Path.cwd)


# ---- what is there --------------------------------------------------------------------------------

def _json(path: Path) -> dict[str, Any]:
    """{} if there is none. A damaged one is a Failure."""
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Failure(f"{path} is damaged: no JSON object")
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _text(found: dict[str, Any], key: str) -> str:
    return found[key] if isinstance(found.get(key), str) else ""


def _names(names: Iterable[str]) -> str:
    ordered = sorted({*names})
    more = f" and {len(ordered) - LISTED} more" if len(ordered) > LISTED else ""
    return ", ".join(ordered[:LISTED]) + more


def judged(words: str, known: Iterable[tuple[str, bool | None]], found: dict[str, Any]) -> Evidence:
    """`known`: of each result its part, and whether the sources are the same, None: nobody knows."""
    known = list(known)
    changed = [name for name, same in known if same is False]
    unknown = [name for name, same in known if same is None]
    state = STALE if changed else UNKNOWN if unknown or not known else CURRENT
    told = [words, *([f"changed since: {_names(changed)}"] if changed else []),
            *([f"of unknown sources: {_names(unknown)}"] if unknown and not changed else [])]
    return Evidence("; ".join(told), state, _text(found, "finished"), _text(found, "commit"))


def _same(found: dict[str, Any], name: str, digest: Callable[[Block], str]) -> bool | None:
    """Whether the sums of sources that a flow has written down name this block, and as it is now."""
    taken = found.get("sources")
    was = taken.get(name) if isinstance(taken, dict) else None
    if not isinstance(was, str):
        return None
    return name in blocks() and digest(blocks()[name]) == was


# ---- what git knows -------------------------------------------------------------------------------

def _committed(*words: str) -> dict[str, str]:
    """When and by which commit a recorded result came, as far as git knows."""
    commit, _, seconds = origin.git("log", "-1", "--format=%h %ct", "--abbrev=8", *words).strip().partition(" ")
    when = datetime.fromtimestamp(int(seconds), timezone.utc).strftime(origin.FORM) if seconds.isdigit() else ""
    return {"finished": when, "commit": commit}


def _changed_since(commit: str) -> set[Path]:
    """Files that have other text than then: comments do not count."""
    names = origin.git("diff", "--name-only", "--no-renames", commit, "--", "rtl", "cmodel", "tb/blocks").splitlines()
    then = origin.texts(commit, names)
    now = {name: Path(name).read_text(errors="replace") if Path(name).is_file() else "" for name in names}
    return {Path(name) for name in names if sources.what_counts(then[name]) != sources.what_counts(now[name])}


def _of_page(page: Path, name: str, words: str, found: set[str]) -> Evidence:
    """A table of a page, with the rows of these blocks. It has no sums, and a row may be older than the table: what has changed since the table came is stale,
    the rest is not known."""
    mark = next((table["sum"] for table in pages.TABLE.finditer(page.read_text()) if table["name"] == name), None)
    of = _committed(f"-Ssum {mark}", "--", str(page)) if mark else {}
    changed = _changed_since(of["commit"]) if of.get("commit") else set()
    known = [(one, False if changed & {*subject.measured(blocks()[one])} else None) for one in found if one in blocks()]
    told = judged(words, known, of)
    return told if told.state == STALE else Evidence(f"{words}; the table does not say of which sources", UNKNOWN, told.finished, told.commit)


# ---- the five of them ------------------------------------------------------------------------------

def _recordings_same(where: Where) -> bool | None:
    """Whether the recordings are those that were replayed; None if they are not there to look at, or the run did not write them down."""
    rows = _rows(where.run / "recordings.csv")
    paths = [where.started / row["recording"] for row in rows]
    if not rows or not all(path.is_file() for path in paths):
        return None
    return all(hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"] for path, row in zip(paths, rows, strict=True))


def lockstep(where: Where) -> Evidence:
    run, verdicts = _json(where.run / "run.json"), Counter(row["verdict"] for row in _rows(where.run / "verdicts.csv"))
    good, total = verdicts["pass"], verdicts.total()
    was = _text(run, "sources")
    known = [("RTL or reference models", was == subject.digest_replayed() if was else None), ("recordings", _recordings_same(where))]
    return judged(f"{good} of {total} replays equal", known, run).counted(good, total)


def proofs(where: Where) -> Evidence:
    found = _json(where.build / "formal/status.json")
    rows = found.get("blocks") if isinstance(found.get("blocks"), list) else []
    if rows:
        good = sum(row.get("status") == "proved" for row in rows)
        known = [(row["block"], _same(found, row.get("of", row["block"]), subject.digest)) for row in rows]
        return judged(f"{good} of {len(rows)} proved", known, found).counted(good, len(rows))
    listed = proved.read(PROVED)
    if not listed:
        return Evidence("none recorded; make formal", MISSING)
    changed = {*proved.changed(listed)}
    return judged(f"{len(proved.proofs(listed))} recorded as proved", [(target, target not in changed) for target, _ in listed], _committed("--", str(PROVED)))


def _score(rows: list[tuple[int, int]]) -> tuple[str, int, int]:
    killed, survived = map(sum, zip(*rows, strict=True))
    return f"{killed} of {killed + survived} mutants killed", killed, killed + survived


def mutation(where: Where) -> Evidence:
    found = _json(where.build / "mutate/status.json")
    rows = found.get("blocks") or []
    if rows:
        known = [(row["block"], _same(found, row["block"], subject.digest_measured)) for row in rows]
        words, *counts = _score([(row["killed"], row["survived"]) for row in rows])
        return judged(words, known, found).counted(*counts)
    cells = [re.split(r" *\| *", line.strip("| ")) for line in pages.lines(MUTATE, "mutants") if line.startswith("| `")]
    if not cells:
        return Evidence("not measured; make mutate", MISSING)
    words, *counts = _score([(int(row[2]), int(row[4])) for row in cells])
    return _of_page(MUTATE, "mutants", words, {row[0].strip("`") for row in cells}).counted(*counts)


def coverage(where: Where) -> Evidence:
    found = _json(where.build / "cover/status.json")
    rows = found.get("blocks") or []
    if rows:
        kinds = [row[kind]["whole"] for row in rows for kind in ("line", "functional")]
        hit, total = (sum(one[key] for one in kinds) for key in ("hit", "total"))
        words = f"{hit} of {total} lines and points reached"
        # Of a cell of rtl/common there is no sum: it is in those of the blocks that have it.
        return judged(words, [(row["block"], _same(found, row["block"], subject.digest_measured)) for row in rows if row["block"] in blocks()], found).counted(hit, total)
    table = [line.split() for line in pages.lines(COVER)]
    cells = [row for row in table if len(row) == 8 and row[0] in blocks()]
    if not cells:
        return Evidence("not measured; make cover", MISSING)
    hit, total = (sum(int(row[6].split("/")[n]) for row in cells if "/" in row[6]) for n in (0, 1))
    return _of_page(COVER, "results", f"{hit} of {total} functional points reached", {row[0] for row in cells}).counted(hit, total)


def area(where: Where) -> Evidence:
    found = _json(where.build / "area/area.json")
    recorded = not found.get("rows")
    if recorded:
        found = _json(BASELINE) | _committed("--", str(BASELINE))
    rows = found.get("rows") or []

    def same(row: dict[str, Any]) -> bool | None:
        name = max((one for one in blocks() if row["block"] == one or row["block"].startswith(f"{one}_")), key=len, default="")
        if not name or not isinstance(row.get("sources"), str):
            return None
        rtl = {*blocks()[name].sources, *sources.packages(blocks()[name].sources)}
        return sources.digest({str(file): file for file in rtl}) == row["sources"]
    if not rows:
        return Evidence("not measured; make area", MISSING)
    verdicts = Counter(row.get("verdict", "") for row in rows)
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()) if verdict not in ("", "none"))
    words = f"{len(rows)} sizes {'recorded' if recorded else 'measured'}{f', against the baseline {told}' if told else ''}"
    return judged(words, [(f"{row['block']} ({row['config']})", same(row)) for row in rows], found).counted(sum(row["ge"] for row in rows), len(rows))


ITEMS: dict[str, tuple[Callable[[Where], Evidence], str]] = {
    "lockstep": (lockstep, "doc/use/report.md"), "proofs": (proofs, "doc/verification/proofs.md"), "mutation": (mutation, str(MUTATE)),
    "coverage": (coverage, str(COVER)), "area_ge": (area, "doc/use/area.md")}


def looked_at(item: Callable[[Where], Evidence], where: Where) -> Evidence:
    """What cannot be read says nothing of the rest."""
    try:
        return item(where)
    except Failure as failure:
        return Evidence(f"not to be read: {failure}")
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return Evidence("not to be read: its file has another form")


def write(where: Where) -> None:
    with whole(where.run / "evidence.csv") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for name, (item, page) in ITEMS.items():
            found = looked_at(item, where)
            rows.writerow([name, found.state, found.finished, found.commit, found.words, page, found.got, found.of])


def _main() -> int:
    if len(sys.argv) != 3:
        raise Failure("usage: evidence.py RUN BUILD")
    where = Where(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    os.chdir(ROOT)
    write(where)
    return 0


if __name__ == "__main__":
    program(_main)
