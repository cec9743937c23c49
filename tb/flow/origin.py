# SPDX-License-Identifier: Apache-2.0
"""When a result was found, and of which commit: for the files that flows leave. Run from the repository root."""
from __future__ import annotations

import subprocess
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path

import tools

FORM = "%Y-%m-%d %H:%M UTC"  # that of run.json (sim/cli/run_data.c)


@lru_cache
def _known(folder: Path) -> bool:
    """Whether git knows this folder: not an archive, not even one that was unpacked inside of another repository."""
    try:
        return Path(tools.run(["git", "rev-parse", "--show-toplevel"], cwd=folder).stdout.strip()).resolve() == folder.resolve()
    except (tools.ToolFailed, tools.Missing):
        return False


def git(*words: str) -> str:
    """What git says of this repository; "" where it says nothing."""
    try:
        return tools.run(["git", *words]).stdout if _known(Path.cwd()) else ""
    except (tools.ToolFailed, tools.Missing):
        return ""


def texts(commit: str, names: list[str]) -> dict[str, str]:
    """Of these files, as they were then; "" of one that was not there."""
    if not names or not _known(Path.cwd()):
        return {}
    said = subprocess.run(["git", "cat-file", "--batch"], input="".join(f"{commit}:{name}\n" for name in names).encode(), capture_output=True, check=True).stdout
    found, at = {}, 0
    for name in names:
        head, at = said[at:said.index(b"\n", at)].split(), said.index(b"\n", at) + 1
        size = int(head[2]) if head[-1] != b"missing" else -1
        found[name] = said[at:at + max(size, 0)].decode(errors="replace")
        at += size + 1
    return found


def commit() -> str:
    """ "1ff5e1e8", "1ff5e1e8 and changes"; "" if it is not known."""
    head = git("rev-parse", "--short=8", "HEAD").strip()
    return f"{head} and changes" if head and git("status", "--porcelain", "--untracked-files=no") else head


def same(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    """Of sums of sources when a flow began and when it ended: those of what nobody has changed meanwhile. Of the rest it is not known what was
    measured."""
    return {name: value for name, value in before.items() if after.get(name) == value}


def now() -> dict[str, str]:
    return {"finished": datetime.now(timezone.utc).strftime(FORM), "commit": commit()}
