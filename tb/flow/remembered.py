# SPDX-License-Identifier: Apache-2.0
"""In the place of `yosys.run`, for a test that asks about files of which it changes one at a time: what Yosys has made of the same commands
and files is remembered as long as the test runs. What was made is found again by the commands, by all that is in the files that they
read, and by the Yosys that would run.
"""
from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import yosys


def _read(commands: list[str]) -> list[Path] | None:
    """The files that commands name and do not write; None where these may name others."""
    written = yosys.written(commands)
    found = [path for path in map(Path, " ".join(commands).split()) if path.is_file() and path not in written]
    return None if any(b"`include" in path.read_bytes() for path in found) else found


@lru_cache
def _program(path: str, size: int, time: int) -> str:
    """The sum of a program: `size` and `time` tell whether it is another one by now."""
    del size, time
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class Remembered:
    def __init__(self, run: Callable[..., None] = yosys.run):
        self.run, self.known = run, {}
        self.asked = self.found = 0  # how often; how often Yosys did not have to run

    def _key(self, commands: list[str]) -> str | None:
        program, files = shutil.which("yosys"), _read(commands)
        if program is None or files is None:
            return None
        status = Path(program).stat()
        sums = [(str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]
        return repr((_program(program, status.st_size, status.st_mtime_ns), commands, sums))

    def __call__(self, commands: list[str], script: Path, seconds: float | None = None, env: dict[str, str] | None = None) -> None:
        left = [script, script.with_suffix(".log"), *yosys.written(commands)]
        key = None if env else self._key(commands)
        self.asked += 1
        if key in self.known:
            self.found += 1
            script.parent.mkdir(parents=True, exist_ok=True)
            for path, text in zip(left, self.known[key], strict=True):
                path.write_bytes(text)
            return
        self.run(commands, script, seconds, env)
        if key is not None:
            self.known[key] = [path.read_bytes() for path in left]
