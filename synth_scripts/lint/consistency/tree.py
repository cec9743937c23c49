# SPDX-License-Identifier: Apache-2.0
"""The files of a repository, read once.

In: the repository's root. Out: paths from the root and their texts. Whatever is built, fetched or recorded is left out.
"""
from __future__ import annotations

import fnmatch
import functools
import os
from pathlib import Path

NOT_SOURCES = {".git", "build", "__pycache__"}


class Tree:
    def __init__(self, root: Path):
        self.root = root

    @functools.cached_property
    def files(self) -> list[str]:
        """Every file, sorted."""
        found = []
        for folder, folders, names in os.walk(self.root):
            place = Path(folder).relative_to(self.root)
            found += [(place / name).as_posix() for name in names]
            folders[:] = [name for name in folders if name not in NOT_SOURCES]
        return sorted(found)

    @functools.cached_property
    def paths(self) -> set[str]:
        """Every file and every folder that holds one."""
        folders = {parent.as_posix() for name in self.files for parent in Path(name).parents}
        return folders | set(self.files)

    def matching(self, *patterns: str) -> list[str]:
        """The files whose path fits one of the patterns; a `*` also stands for a slash."""
        return [name for name in self.files if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]

    def has(self, path: str) -> bool:
        return path in self.paths

    @functools.cache
    def text(self, path: str) -> str:
        """The text of a file; '' where there is none."""
        file = self.root / path
        return file.read_text(errors="replace") if file.is_file() else ""

    def runs(self, path: str) -> bool:
        """Whether the file is a program: pages call it by its name."""
        return os.access(self.root / path, os.X_OK)

    @functools.cached_property
    def blocks(self) -> dict[str, str]:
        """The module of every block by the block's name."""
        return {Path(name).stem: name for name in self.matching("rtl/sm/*.sv", "rtl/chip/*.sv")}
