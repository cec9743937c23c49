# SPDX-License-Identifier: Apache-2.0
"""What texts refer to is there: links and images of pages, paths in pages and comments. Every source has a licence, every Verilated
model is made in the same way.

In: a Tree. Out: findings, one line each.
"""
from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pages

from .tree import Tree

SOURCES = ("*.c", "*.h", "*.cpp", "*.sv", "*.svh", "*.sh", "*.py", "*.vlt", "*.view", "*.mk", "*.jq", "*.awk", "*.tcl", "*.gp",
           "*Makefile", ".ci/run")
LICENSED = SOURCES
SPDX = "SPDX-License-Identifier: "
VERILATOR_ARGS = "tb/shim/verilator.args"
OPTIONS = ("--x-assign unique", "--x-initial unique", "-fno-const-bit-op-tree")
# A call up to the end of its line; of a macro whose argument is --cc or --sc, too.
VERILATED = re.compile(r"""(?<![\w/])verilator["', ]+(?:--cc|--sc|--binary|\$\(1\))[^\n]*""")
# Paths that are no file: what a page describes as history, and examples.
HISTORY = "CHANGELOG.md"
PATH = re.compile(r"(?<![\w/.$~}-])(?:rtl|cmodel|tb|sim|synth_scripts|vectors|doc|\.ci)/[\w./*<>{},$-]*[\w*>}/](?!\?)")
# A word that stands for any name, within a file's name too: test_X.c, tb/blocks/BLOCK, <block>, $name, foo.
PLACEHOLDER = re.compile(r"<\w+>|\$\w+|\$\{\w+\}|(?<![A-Za-z])(?:[A-Z]+|foo|my)(?![A-Za-z])|\.\.\.")
COMMENT = {".c": r"/\*.*?\*/|//[^\n]*", ".py": r'"""(?:.*?)"""|#[ !][^\n]*'}
COMMENT |= dict.fromkeys((".h", ".cpp", ".sv", ".svh", ".vlt"), COMMENT[".c"])


def unlicensed(tree: Tree) -> list[str]:
    return [f"{name}: no SPDX-License-Identifier in its first lines" for name in tree.matching(*LICENSED)
            if not any(SPDX in line for line in tree.text(name).split("\n", 5)[:5])]


def programs(tree: Tree) -> list[str]:
    """A first line that names an interpreter, and the right to be run: each without the other is of no use."""
    return [f"{name}: " + ("can be run, but has no '#!' line" if tree.runs(name) else "has a '#!' line, but cannot be run: chmod +x")
            for name in tree.matching(*LICENSED, ".ci/run") if tree.text(name).startswith("#!") != tree.runs(name)]


def verilated(tree: Tree) -> list[str]:
    """Calls of Verilator that make a model, in makefiles and programs, without the arguments that all have, and what these lack."""
    lacking = [f"{VERILATOR_ARGS}: '{option}' is missing; its comment says why it is there" for option in OPTIONS
               if option not in tree.text(VERILATOR_ARGS).splitlines()]
    return lacking + [f"{name}: a model is Verilated without '-f {VERILATOR_ARGS}'"
                      for name in tree.matching("*Makefile", "*.mk", "*.py", "*.sh")
                      for call in re.findall(VERILATED, tree.text(name)) if VERILATOR_ARGS not in call]


def _prose(text: str) -> str:
    """A page without what is fenced or indented as code."""
    return re.sub(r"^```.*?^```|^ {4,}[^\n]*$", "", text, flags=re.S | re.M)


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ +(.*?)\s*$", _prose(text), flags=re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(tree: Tree) -> list[str]:
    """Links and images of pages that lead nowhere in the repository."""
    found = []
    for page in tree.matching("*.md"):
        for target in re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]*`", "", _prose(tree.text(page)))):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            place = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
            if not tree.has(place):
                found.append(f"{page}: links to {target}, which is not there")
            elif anchor and place.endswith(".md") and anchor not in _anchors(tree.text(place)):
                found.append(f"{page}: links to {target}, which has no such heading")
    return found


def changed_tables(tree: Tree) -> list[str]:
    """Tables between marks that are not what their command wrote."""
    return [finding for page in tree.matching("*.md") for finding in pages.wrong(page, tree.text(page))]


def _alternatives(path: str) -> list[str]:
    """a{b,c} as ab and ac."""
    match = re.search(r"\{([^{}]*,[^{}]*)\}", path)
    if not match:
        return [path]
    return [word for choice in match[1].split(",") for word in _alternatives(path[:match.start()] + choice + path[match.end():])]


def _pattern(name: str) -> re.Pattern:
    """Comments of a file."""
    suffix = Path(name).suffix
    return re.compile(COMMENT.get(suffix, r"(?:^|\s)#[ !#][^\n]*"), flags=re.S | re.M)


def _comments(name: str, text: str) -> str:
    return "\n".join(match[0] for match in _pattern(name).finditer(text))


def code(name: str, text: str) -> str:
    """A text without its comments."""
    return _pattern(name).sub("", text)


def _exists(tree: Tree, path: str) -> bool:
    if tree.has(path):
        return True
    pattern = re.sub(r"\*+", "*", PLACEHOLDER.sub("*", path))
    if "*" not in pattern:
        return False
    shape = re.compile("[^/]*".join(map(re.escape, pattern.split("*"))))
    return any(shape.fullmatch(one) for one in tree.paths)


def lost_paths(tree: Tree) -> list[str]:
    """Paths of the repository in pages and in comments that are not there."""
    found = []
    known: dict[str, bool] = {}
    for name in tree.matching("*.md", *SOURCES):
        if name == HISTORY:
            continue
        text = tree.text(name)
        for written in dict.fromkeys(PATH.findall(text if name.endswith(".md") else _comments(name, text))):
            for path in _alternatives(written.rstrip("./")):
                if path not in known:
                    known[path] = _exists(tree, path)
                if not known[path]:
                    found.append(f"{name}: names {path}, which is not there")
    return found
