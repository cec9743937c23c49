# SPDX-License-Identifier: Apache-2.0
"""ballast trend, of stores of sweeps: what each program gave, by date. doc/use/sweep.md

  trend.py BALLAST STORE.sqlite... [--study NAME] [--rows NAME] [--value NAME] [--csv FILE]

sim/cli/cmd_trend.c starts it where it is given stores.
"""
from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from store import reading  # noqa: E402
from study import BAD  # noqa: E402
from table import print_text, put_csv, text_of  # noqa: E402
from tools import Failure, Options, program, whole  # noqa: E402

# The points of a study that a program ran: commands that the study has now. Of one that was run with several files the last.
STATE = """
CREATE TEMP TABLE state AS
WITH mine AS (SELECT m.study, p.command, a.value AS of FROM member m JOIN point p ON p.id = m.point
              LEFT JOIN axis a ON a.study = m.study AND a.point = m.point AND a.name = :rows WHERE :study IS NULL OR m.study = :study)
SELECT mine.study, p.program, p.id, mine.of, p.status, p.seconds, p.finished FROM mine JOIN point p ON p.command = mine.command
WHERE p.status IS NOT NULL AND p.id IN (SELECT max(id) FROM point WHERE status IS NOT NULL GROUP BY program, command)
"""
RUNS = "SELECT study, program, max(finished), sum(status = 'done'), sum(status = 'failed'), round(sum(seconds), 1) FROM state GROUP BY study, program ORDER BY min(id)"
MEANS = """
SELECT s.study, s.program, coalesce(s.of, r.value, '') AS of, avg(v.value), count(*) FROM state s
JOIN value v ON v.point = s.id AND v.name = :value AND typeof(v.value) IN ('integer', 'real')
LEFT JOIN value r ON r.point = v.point AND r.line = v.line AND r.name = :rows GROUP BY 1, 2, 3 ORDER BY 3
"""

def runs_of(path: Path, given: argparse.Namespace) -> tuple[list[tuple[object, ...]], dict[tuple[object, ...], tuple[float, int]]]:
    """Store, study, program, when, done, failed, seconds; and of each the means by row."""
    with reading(path) as db:
        db.execute("PRAGMA temp_store = MEMORY")
        db.execute(STATE, {"rows": given.rows, "study": given.study})
        runs = [(str(path), *row) for row in db.execute(RUNS)]
        means = {(str(path), study, of_program, str(row)): (mean, count)
                 for study, of_program, row, mean, count in db.execute(MEANS, {"rows": given.rows, "value": given.value})}
    if not runs:
        raise Failure(f"{path}: no point of {f'study {given.study!r}' if given.study else 'any study'} has been run", BAD)
    return runs, means


def main() -> int:
    parser = Options(prog="ballast trend")
    parser.add_argument("ballast", type=os.path.realpath)
    parser.add_argument("store", type=Path, nargs="+")
    parser.add_argument("--study")
    parser.add_argument("-r", "--rows")
    parser.add_argument("-v", "--value", default="cost_percent")
    parser.add_argument("-c", "--csv", type=Path)
    given = parser.parse_args()
    asked, given.rows = given.rows, given.rows or "policy"
    runs, means = [], {}
    for path in given.store:
        of_store = runs_of(path, given)
        runs += of_store[0]
        means |= of_store[1]
    runs.sort(key=lambda run: (run[1], run[3]))
    rows = list(dict.fromkeys(key[3] for key in sorted(means)))
    if asked and not any(rows):
        raise Failure(f"no point has an axis or a column '{asked}' beside {given.value}")
    head = ["store", "study", "program", "finished", "done", "failed", "seconds"]
    if given.csv:
        with whole(given.csv) as file:
            put_csv(file, ([*head, *(f"{row} {what}".strip() for row in rows for what in ("mean", "lines"))],
                           [(*run, *(one for row in rows for one in means.get((*run[:3], row), (None, None)))) for run in runs]))
    print_text(([*head, *(row or given.value for row in rows)],
                [(*run, *("{} ({})".format(*map(text_of, means[(*run[:3], row)])) if (*run[:3], row) in means else "-" for row in rows)) for run in runs]))
    if rows:
        print(f"mean {given.value}{f' of each {given.rows}' * any(rows)} (of so many lines; two means compare only if they are of as many)")
    return 0


if __name__ == "__main__":
    sys.argv[0] = "ballast trend"
    program(main)
