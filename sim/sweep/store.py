# SPDX-License-Identifier: Apache-2.0
"""The store: what points gave, in one SQLite file. doc/use/sweep.md has the schema.

A result is one transaction in a write-ahead log: it is there as a whole or not at all, whatever ends the program.
"""
from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from study import BAD, Point
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


class Store:
    def __init__(self, path: Path, write: bool):
        self.path, self.write = path, write
        if not write and not path.is_file():
            raise Failure(f"{path}: there is no store; 'ballast sweep STUDY.toml' makes one", BAD)
        with self.told():
            self.db = sqlite3.connect(path, isolation_level=None, timeout=60) if write else self._read_only()
            magic, version, tables = (self.db.execute(text).fetchone()[0] for text in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master"))
            if tables == 0 and write:
                self.db.execute("PRAGMA journal_mode = WAL")
                self.db.executescript(SCHEMA)
            elif (magic, version) != (MAGIC, VERSION):
                raise Failure(f"{path}: {'a store of another version' if magic == MAGIC else 'no store of sweeps'}; give another file with --store", BAD)
            elif write and self.db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("its pages do not fit together")
            self.db.execute(f"PRAGMA {'synchronous = NORMAL' if write else 'temp_store = MEMORY'}")

    def _read_only(self) -> sqlite3.Connection:
        name = f"{self.path.resolve().as_uri()}?mode=ro"
        db = sqlite3.connect(name, uri=True, isolation_level=None, timeout=60)
        try:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:  # in a folder that cannot be written there is no room for the index of its log: nobody writes there
            log = self.path.with_name(f"{self.path.name}-wal")
            if os.access(self.path.parent, os.W_OK) or log.exists() and log.stat().st_size:
                raise
            db.close()
            db = sqlite3.connect(f"{name}&immutable=1", uri=True, isolation_level=None)
        return db

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        with self.told():
            self.db.close()

    @contextmanager
    def told(self, asked: str | None = None) -> Iterator[None]:
        """What SQLite has to say, as one line. `asked`: SQL of the user's, which may be what is wrong."""
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning) as error:
            name = getattr(error, "sqlite_errorname", "")
            if asked and name in ("", "SQLITE_ERROR", "SQLITE_READONLY"):
                raise Failure(f"'{asked}': {error}") from None
            if name == "SQLITE_FULL":
                raise Failure(f"{self.path}: the disk is full; all that was stored before is there, the same command goes on", BAD) from None
            if name in ("", "SQLITE_CORRUPT", "SQLITE_NOTADB"):
                raise Failure(f"{self.path}: damaged ({error}); move it away, and a sweep makes a new one, or repair it with 'sqlite3 {self.path} .recover'", BAD) from None
            hint = "; is there room on the disk?" if name.startswith("SQLITE_IOERR") else ""
            raise Failure(f"{self.path}: cannot be {'written' if self.write else 'read'}: {error}{hint}", BAD) from None

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        with self.told():
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.execute("COMMIT")
            finally:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")

    def ask(self, text: str, **values: object) -> list[tuple]:
        with self.told():
            return self.db.execute(text, values).fetchall()

    def enter(self, study: str, points: Iterable[Point], program: str) -> None:
        """The study has these points, and no others. Those that failed are to be tried again."""
        with self.all_or_nothing():
            self.db.executemany("INSERT OR IGNORE INTO point (key, command, program) VALUES (?, ?, ?)", ((point.key, str(point), program) for point in points))
            for table in ("member", "axis"):
                self.db.execute(f"DELETE FROM {table} WHERE study = ?", [study])
            ids = dict(self.db.execute("SELECT key, id FROM point"))
            self.db.executemany("INSERT INTO member VALUES (?, ?, ?)", ((study, ids[point.key], number) for number, point in enumerate(points)))
            self.db.execute("UPDATE point SET status = NULL WHERE status = 'failed' AND id IN (SELECT point FROM member WHERE study = ?)", [study])
            axes = ((study, ids[point.key], name, label) for point in points for name, label in point.labels.items())
            self.db.executemany("INSERT INTO axis VALUES (?, ?, ?, ?)", axes)

    def finished(self) -> dict[str, str]:
        """The status of each point that has one."""
        return dict(self.ask("SELECT key, status FROM point WHERE status IS NOT NULL"))

    def count(self, study: str) -> tuple[int, int, int]:
        """Of its points: done, failed, and those that are left."""
        [counts] = self.ask("SELECT total(status IS 'done'), total(status IS 'failed'), total(status IS NULL) FROM member JOIN point ON id = point WHERE study = :study", study=study)
        return tuple(map(int, counts))

    def put(self, results: Iterable[Result]) -> None:
        """What is done stays as it is: the same result may come again from a shard."""
        with self.all_or_nothing():
            for one in results:
                found = self.db.execute("UPDATE point SET status = ?, tries = ?, seconds = ?, finished = ?, host = ?, said = ? "
                                        "WHERE key = ? AND status IS NOT 'done' RETURNING id", [*one[1:-1], one.key]).fetchall()
                self.db.executemany("INSERT OR REPLACE INTO value VALUES (?, ?, ?, ?)",
                                    ((point, at, name, value) for point, in found for at, line in enumerate(one.lines, 1) for name, value in line.items()))
