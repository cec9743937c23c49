# SPDX-License-Identifier: Apache-2.0
"""The store: what points gave, in one SQLite file. doc/use/sweep.md has the schema.

A result is one transaction in a write-ahead log: it is there as a whole or not at all, whatever ends the program.
"""
from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from study import BAD, Point, want
from tools import Failure

MAGIC, VERSION = 0x42537770, 1  # application_id and user_version of the file
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE point (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, command TEXT NOT NULL, program TEXT NOT NULL,
                    status TEXT, tries INTEGER, seconds REAL, finished TEXT, host TEXT, said TEXT);
CREATE TABLE value (point INTEGER NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL, value, PRIMARY KEY (point, line, name)) WITHOUT ROWID;
CREATE TABLE member (study TEXT NOT NULL, point INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (study, point)) WITHOUT ROWID;
CREATE TABLE axis (study TEXT NOT NULL, point INTEGER NOT NULL, name TEXT NOT NULL, value, PRIMARY KEY (study, point, name)) WITHOUT ROWID;
PRAGMA application_id = {MAGIC};
PRAGMA user_version = {VERSION};
COMMIT;
"""
GOES_ON = "; all that was stored before is there, the same command goes on"
DAMAGED = "; move it away, and a sweep makes a new one, or repair it with 'sqlite3 FILE .recover'"
HINTS = {"database or disk is full": GOES_ON, "disk I/O error": f"; is there room on the disk?{GOES_ON}", "file is not a database": DAMAGED, "database disk image is malformed": DAMAGED}
FAILED = "SELECT command, said, tries, finished, host FROM member JOIN point ON id = point WHERE study = :study AND status = 'failed' ORDER BY number"


class Result(NamedTuple):
    key: str
    status: str  # "done" or "failed"
    tries: int
    seconds: float
    finished: str
    host: str
    said: str  # why it failed
    lines: list[dict[str, object]]  # of its table: column to number or text


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else writes into this store. A kill gives it back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(f"{path.name}.lock"), "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"{path}: another sweep writes into it; wait for its end, or give another file with --store") from None
        yield


@contextmanager
def opened(path: Path, write: bool = False) -> Iterator[sqlite3.Connection]:
    """`with db` is a transaction. What SQLite has to say is one line; of a query it is about the user's SQL, if it is not about the file."""
    want(write or path.is_file(), f"{path}: there is no store; 'ballast sweep STUDY.toml' makes one")
    mode = "rwc" if write else "ro"
    if not write and not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists():
        mode += "&immutable=1"  # nobody writes there, and there is no room for the index of a log
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level="IMMEDIATE", timeout=60)) as db:
            magic, version, tables = (db.execute(text).fetchone()[0] for text in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master"))
            if not tables and write:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(SCHEMA)
            want((magic, version) == (MAGIC, VERSION) or not tables and write,
                 f"{path}: {'a store of another version' if magic == MAGIC else 'no store of sweeps'}; give another file with --store")
            if write and db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("its pages do not fit together")
            db.execute(f"PRAGMA {'synchronous = NORMAL' if write else 'temp_store = MEMORY'}")
            yield db
    except (sqlite3.Error, sqlite3.Warning) as error:
        users = not write and getattr(error, "sqlite_errorname", "SQLITE_ERROR") in ("SQLITE_ERROR", "SQLITE_READONLY")
        raise Failure(f"{path}: {error}{HINTS.get(str(error), '')}", 2 if users else BAD) from None


def enter(db: sqlite3.Connection, study: str, points: Iterable[Point], program: str) -> None:
    """The study has these points, and no others. Those that failed are to be tried again."""
    with db:
        for table in ("member", "axis"):
            db.execute(f"DELETE FROM {table} WHERE study = ?", [study])
        db.executemany("INSERT OR IGNORE INTO point (key, command, program) VALUES (?, ?, ?)", ((point.key, str(point), program) for point in points))
        db.executemany("INSERT INTO member SELECT ?, id, ? FROM point WHERE key = ?", ((study, number, point.key) for number, point in enumerate(points)))
        db.executemany("INSERT INTO axis SELECT ?, id, ?, ? FROM point WHERE key = ?",
                       ((study, name, label, point.key) for point in points for name, label in point.labels.items()))
        db.execute("UPDATE point SET status = NULL WHERE status = 'failed' AND id IN (SELECT point FROM member WHERE study = ?)", [study])


def finished(db: sqlite3.Connection) -> dict[str, str]:
    """The status of each point that has one."""
    return dict(db.execute("SELECT key, status FROM point WHERE status IS NOT NULL"))


def count(db: sqlite3.Connection, study: str) -> tuple[int, int, int]:
    """Of its points: done, failed, and those that are left."""
    return db.execute("SELECT count(*) FILTER (WHERE status = 'done'), count(*) FILTER (WHERE status = 'failed'), count(*) FILTER (WHERE status IS NULL) "
                      "FROM member JOIN point ON id = point WHERE study = ?", [study]).fetchone()


def put(db: sqlite3.Connection, results: Iterable[Result]) -> None:
    """What is done stays as it is: the same result may come again from a shard."""
    with db:
        for one in results:
            found = db.execute("UPDATE point SET status = ?, tries = ?, seconds = ?, finished = ?, host = ?, said = ? "
                               "WHERE key = ? AND status IS NOT 'done' RETURNING id", [*one[1:-1], one.key]).fetchall()
            db.executemany("INSERT OR REPLACE INTO value VALUES (?, ?, ?, ?)",
                           ((point, at, name, value) for point, in found for at, line in enumerate(one.lines, 1) for name, value in line.items()))
