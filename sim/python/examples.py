# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of a page or a notebook, in order and in one namespace, and compares what they print with what stands there.

  python3 sim/python/examples.py [--update] FILE.md|FILE.ipynb

In a page what an example prints is the indented text right after it. --update writes what they print now. Run from the repository root,
with the package where Python finds it. Exit 0, 1 an example prints something else.
"""
from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
import sys
from pathlib import Path
from typing import Callable

Example = Callable[[str], str]  # from a program to what it prints


def runner() -> Example:
    names: dict[str, object] = {"__name__": "__main__"}

    def run(program: str) -> str:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(program, "<example>", "exec"), names)
        return said.getvalue()
    return run


def page(text: str, run: Example) -> str:
    """The page with what its examples print now."""
    def shown(match: re.Match[str]) -> str:
        said = "".join(f"    {line}".rstrip() + "\n" for line in run(match[1]).splitlines())
        return f"```python\n{match[1]}```\n" + (f"\n{said}" if said else "")
    return re.sub(r"^```python\n(.*?)^```\n(?:\n(?: {4}[^\n]*\n|\n(?= {4}))+)?", shown, text, flags=re.M | re.S)


def notebook(text: str, run: Example) -> str:
    """The same of a notebook."""
    book = json.loads(text)
    for count, cell in enumerate((cell for cell in book["cells"] if cell["cell_type"] == "code"), 1):
        said = run("".join(cell["source"])).splitlines(keepends=True)
        cell["execution_count"] = count
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": said}] if said else []
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    *options, name = sys.argv[1:]
    sys.path.pop(0)  # the folder of this program, where the package has no library
    path = Path(name)
    before = path.read_text()
    after = (notebook if path.suffix == ".ipynb" else page)(before, runner())
    if options == ["--update"]:
        path.write_text(after)
    elif before != after:
        lines = itertools.zip_longest(before.splitlines(), after.splitlines(), fillvalue="(the end)")
        line, (old, new) = next((n, pair) for n, pair in enumerate(lines, 1) if pair[0] != pair[1])
        print(f"{path}:{line}: an example prints something else: '{new.strip()}', where '{old.strip()}' stands")
    return int(before != after and options != ["--update"])


if __name__ == "__main__":
    sys.exit(main())
