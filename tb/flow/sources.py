# SPDX-License-Identifier: Apache-2.0
"""What a recorded result is about: a sum over source files, so that a result of sources that have changed since can be told from one of those
that are there. Comments and white space do not count. Run from the repository root.
"""
from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def packages(rtl: Iterable[Path]) -> set[Path]:
    """The files of rtl/common, packages and macros, that these name."""
    texts = "".join(file.read_text() for file in rtl)
    return {file for file in Path("rtl/common").glob("*.sv") if re.search(rf"\b{file.stem}\b", texts)}


def what_counts(text: str) -> str:
    return " ".join(COMMENT.sub(" ", text).split())


def digest(files: Mapping[str, Path]) -> str:
    """Of files by the names under which they count."""
    texts = {name: what_counts(file.read_text()) for name, file in files.items()}
    return hashlib.sha256("".join(f"{name}\n{texts[name]}\n" for name in sorted(texts)).encode()).hexdigest()[:12]
