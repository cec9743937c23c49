# SPDX-License-Identifier: Apache-2.0
"""Tables that commands write into pages. A table stands between two lines,

  <!-- NAME: COMMAND, sum 0123456789abcdef -->
  <!-- end of NAME -->

and the sum is over all that is between them, and over the command. So a number that was changed by hand shows: `make lint` calls
`wrong` for every page. A first line without command and sum is a place where nothing was written yet.

A flow in Python calls `write`. As a program it writes what it reads from standard input:

  ballast ... | python3 tb/flow/pages.py PAGE NAME COMMAND
"""
from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tools import Failure, program, whole

TABLE = re.compile(r"^<!-- (?P<name>[\w-]+)(?:: (?P<command>[^,\n]+), sum (?P<sum>[0-9a-f]{16}))? -->\n(?P<text>.*?)^<!-- end of (?P=name) -->$",
                   re.M | re.S)
MARK = re.compile(r"^<!-- ((?:end of )?[\w-]+)(?=: | -->)", re.M)
_ALONE = threading.RLock()
_held: set[Path] = set()  # folders that this process holds


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Whoever writes a page from what it says holds it from the reading on: flows run for hours, and two that end together would each put back the
    other's old rows. It waits for other programs and threads. The lock is the folder's, so it leaves no file, and it goes with the program."""
    folder = path.resolve().parent
    with _ALONE, contextlib.ExitStack() as stack:
        if folder not in _held:
            if not folder.is_dir():
                raise Failure(f"no page {path}")
            lock = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX)
            _held.add(folder)
            stack.callback(_held.remove, folder)
        yield


def _sum(command: str, text: str) -> str:
    return hashlib.sha256(f"{command}\n{text}".encode()).hexdigest()[:16]


def _tables(text: str, name: str) -> list[re.Match[str]]:
    return [table for table in TABLE.finditer(text) if table["name"] == name]


def check(path: Path, name: str = "results") -> str:
    """The text of a page that has a place for the table."""
    if not path.is_file():
        raise Failure(f"no page {path}")
    text = path.read_text()
    if len(_tables(text, name)) != 1:
        raise Failure(f"{path} has no lines '<!-- {name} -->' and '<!-- end of {name} -->'")
    return text


def has(path: Path, name: str) -> bool:
    """Whether the page has a place for the table."""
    return path.is_file() and bool(_tables(path.read_text(), name))


def lines(path: Path, name: str = "results") -> list[str]:
    """What was written there."""
    return _tables(check(path, name), name)[0]["text"].splitlines()


def write(path: Path, table: list[str], command: str, name: str = "results") -> None:
    """`command`: what makes the table anew, "make formal-update"."""
    if re.search(r"[,\n]|-->", command) or any("<!-- " in line for line in table):
        raise Failure(f"{path}: neither a command with ',' nor a table with marks can be read back")
    new = "".join(f"{line}\n" for line in table)
    marked = f"<!-- {name}: {command}, sum {_sum(command, new)} -->\n{new}<!-- end of {name} -->"
    with held(path):
        text = check(path, name)
        old = _tables(text, name)[0]
        with whole(path) as file:
            file.write(text[:old.start()] + marked + text[old.end():])


def fits(path: Path, name: str, title: str, rows: Iterable[str], order: Sequence[str]) -> None:
    """Refuses rows measured otherwise (another tool, library, seed) than those of the table that they would leave alone."""
    written = lines(path, name)
    if written[:1] != [title] and any(line.startswith("| `") for line in written) and set(order) - set(rows):
        raise Failure(f"{path}: the table '{name}' begins '{written[0]}', not '{title}': measure all its rows that way, or none")


def update(path: Path, name: str, title: str, head: Sequence[str], rows: Sequence[Sequence[str]], order: Sequence[str], command: str) -> None:
    """A table with a row per thing, whose name is the first word, in `order`. What was not measured now stays, or, where the title is
    another one, there is nothing like that (`fits`); what never was is named below. What is not in `order` goes."""
    strange = [row[0] for row in rows if row[0] not in order]
    if strange:
        raise Failure(f"{path}: the table '{name}' has no place for {strange[0]}")
    with held(path):
        fits(path, name, title, [row[0] for row in rows], order)
        written = lines(path, name)
        old = {line.split("`")[1]: line for line in written if line.startswith("| `")} if written[:1] == [title] else {}
        new = old | {row[0]: f"| `{row[0]}` | {' | '.join(row[1:])} |" for row in rows}
        missing = [f"`{one}`" for one in order if one not in new]
        write(path, [title, "", f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(new[one] for one in order if one in new),
                     *(["", f"Not measured: {', '.join(missing)}."] if missing else [])], command, name)


def wrong(path: str | Path, text: str) -> list[str]:
    """What is wrong with the tables of a page, a line for each."""
    found, seen = [], 0
    for table in TABLE.finditer(text):
        seen += 2
        line = text.count("\n", 0, table.start()) + 1
        if table["sum"] is None:
            found.append(f"{path}:{line}: the table '{table['name']}' does not say which command wrote it")
        elif table["sum"] != _sum(table["command"], table["text"]):
            found.append(f"{path}:{line}: the table '{table['name']}' is not what '{table['command']}' wrote; run that, "
                         "do not change it by hand")
    if len(MARK.findall(text)) != seen:
        found.append(f"{path}: lines '<!-- NAME ... -->' and '<!-- end of NAME -->' that do not belong together")
    return found


def _main() -> int:
    if len(sys.argv) != 4:
        raise Failure("usage: pages.py PAGE NAME COMMAND <TABLE")
    path, name, command = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    check(path, name)
    table = sys.stdin.read().splitlines()
    if not table:
        raise Failure(f"{path}: '{command}' wrote nothing; the table '{name}' stays")
    write(path, table, command, name)
    return 0


if __name__ == "__main__":
    program(_main)
