# SPDX-License-Identifier: Apache-2.0
"""What the sources of a block say: its port list, its module, its configuration in the reference model, its page.

In: the texts of the files. Out: lists of names, defaults, ranges and instances. A text that cannot be read that way gives fewer
names, and the checks report what they miss.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from .tree import Tree

KINDS = {"PARAMS": "param", "PARTS": "part", "PART_ARRAYS": "part", "INPUTS": "i", "WIDE_INPUTS": "i", "LANE_INPUTS": "i",
         "OUTPUTS": "o", "LANE_OUTPUTS": "o", "REGISTERS": "q", "REGISTER_ARRAYS": "q"}
RANGE = re.compile(r"\b(\d+)\.\.([\w/]*(?:-1)?\w)")


def plain(text: str) -> str:
    """A C text without its comments, each continued line on one."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S).replace("\\\n", " ")


def arguments(text: str) -> list[str]:
    """The words between the commas of `text` that no parenthesis encloses."""
    words, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            words.append("")
        else:
            words[-1] += letter
    return [word.strip() for word in words]


def calls(text: str) -> list[tuple[str, list[str]]]:
    """Every NAME(argument, ...) of a macro's body, the outermost ones."""
    found, at = [], 0
    while match := re.compile(r"\b(\w+)\(").search(text, at):
        at, depth = match.end(), 1
        while at < len(text) and depth:
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
        found.append((match[1], arguments(text[match.end():at - 1])))
    return found


class Ports:
    """The lists of tb/blocks/BLOCK/ports.h (tb/shim/ports.h says what they hold)."""

    def __init__(self, tree: Tree, block: str):
        self.path = f"tb/blocks/{block}/ports.h"
        self.macros: dict[str, tuple[list[str], str]] = {}
        text = tree.text(self.path)
        for name in re.findall(r'#include "(blocks/\w+/(?:params|bind)\.h)"', text):
            self._define(tree.text(f"tb/{name}"))
        self._define(text)

    def _define(self, text: str) -> None:
        for name, names, body in re.findall(r"^#define (\w+)(?:\(([\w, ]*)\))?(.*)$", plain(text), flags=re.M):
            self.macros[name] = (arguments(names), body)

    def _entries(self, body: str) -> list[list[str]]:
        found = []
        for name, words in calls(body):
            if name not in self.macros:
                found.append(words)
                continue
            names, inner = self.macros[name]
            values = dict(zip(names, words))
            found += self._entries(re.sub(r"\b\w+\b", lambda word: values.get(word[0], word[0]), inner))
        return found

    def expanded(self, words: str, within: frozenset[str] = frozenset()) -> str:
        """An expression with the macros in it written out, and those in them; not one `within` itself, as the preprocessor does."""

        def written_out(name: str) -> str:
            inside = within | {name}
            return self.expanded(self.macros[name][1].strip(), inside) if name in self.macros.keys() - within else name
        return re.sub(r"\b\w+\b", lambda word: written_out(word[0]), words)

    def entries(self, kind: str) -> list[list[str]]:
        """The entries of all lists of a kind: param, part, i, o, q."""
        return [entry for name, of in KINDS.items() if of == kind
                for entry in self._entries(self.macros.get(f"BLOCK_{name}", ([], ""))[1])]

    def _names_in(self, *lists: str) -> set[str]:
        return {entry[0] for name in lists for entry in self._entries(self.macros.get(f"BLOCK_{name}", ([], ""))[1])}

    def lanes(self) -> set[str]:
        """Signals with one field per SM."""
        return self._names_in("LANE_INPUTS", "LANE_OUTPUTS")

    def arrays(self) -> set[str]:
        """Registers of which there are several: NAME, COUNT, WIDTH."""
        return self._names_in("REGISTER_ARRAYS")

    def ranges(self) -> list[list[str]]:
        """Of inputs: name, most, when it is read."""
        return [entry for name in ("RANGES", "LANE_RANGES") for entry in self._entries(self.macros.get(f"BLOCK_{name}", ([], ""))[1])]

    def names(self) -> list[tuple[str, str]]:
        return [(kind, entry[0]) for kind in dict.fromkeys(KINDS.values()) for entry in self.entries(kind)]

    def fields(self) -> dict[str, str]:
        """The field of the configuration that holds a parameter."""
        return {entry[0]: re.sub(r"\s", "", entry[1]) for entry in self.entries("param") if len(entry) > 1}

    @property
    def has_state(self) -> bool:
        return bool(self.entries("q") or self.entries("part"))


@dataclass(frozen=True)
class Parameter:
    default: int
    comment: str


@dataclass(frozen=True)
class Instance:
    module: str
    name: str
    parameters: dict[str, str]


class Module:
    """A module without comments and without what only assertions need."""

    def __init__(self, tree: Tree, path: str):
        text = re.sub(r"^`ifdef VERILATOR.*?^`endif", "", tree.text(path), flags=re.S | re.M)
        self.path = path
        self.design = re.sub(r"//.*", "", text)
        self.header = self.design.partition("\n);")[0]
        self.parameters = {name: Parameter(int(default), comment) for name, default, comment in re.findall(
            r"^\s*parameter +int +(?:unsigned +)?(\w+) *= *(\d+)\s*,?[ ]*(?://(.*))?$", text, flags=re.M)}
        self.all_parameters = re.findall(r"\bparameter +int +(?:unsigned +)?(\w+)", self.header)
        self.constants = dict(re.findall(r"\blocalparam +\w+ +(\w+) *= *(.*?);", self.design))
        self.ports = re.findall(r"^ *(?:input|output) .*?(\w+)[, ]*$", self.header, flags=re.M)
        self.registers = sorted(set(re.findall(r"\b[a-z]\w*_q\b", self.design)))

    def instances(self) -> list[Instance]:
        found = re.findall(r"^ *([a-z]\w*) +(?:#\((.*?)\n *\) *)?(u_\w+) *\(", self.design, flags=re.M | re.S)
        return [Instance(module, name, {call[0]: call[1] for call in re.findall(r"\.(\w+) *\(([^()]*)\)", values)})
                for module, values, name in found]


class Page:
    """The page of a block: its words, and the rows of its parameter table."""

    def __init__(self, tree: Tree, block: str):
        self.path = f"doc/blocks/{block}.md"
        self.text = tree.text(self.path) + "".join(self._written_out(tree.text(self.path)))
        self.rows = dict(reversed(re.findall(r"^\| *`(\w+)` *(\|.*)$", self.text, flags=re.M)))  # of several rows, the first
        # A row `| parameters of [`BLOCK`](BLOCK.md) | ...` stands for all those that the block has under the same name.
        self.delegates = re.findall(r"^\| *parameters of \[?`(\w+)`", self.text, flags=re.M)

    @staticmethod
    def _written_out(text: str) -> list[str]:
        """`ws0_i` .. `ws3_i` as four names."""
        return [f" `{stem}{number}_{suffix}`" for stem, first, last, suffix in
                re.findall(r"`([a-z_]+)(\d+)_[ioq]` \.\. `\1(\d+)_([ioq])`", text) for number in range(int(first), int(last) + 1)]

    def default(self, name: str) -> int | None:
        match = re.match(r"\| *(\d+) *\|", self.rows.get(name, ""))
        return int(match[1]) if match else None


class Model:
    """The configuration of a block in the reference model: fields, defaults, what derives from what."""

    def __init__(self, tree: Tree, block: str):
        room = tree.blocks[block].split("/")[1]
        self.header, self.source = f"cmodel/{room}/{block}.h", f"cmodel/{room}/{block}.c"
        struct = re.search(rf"typedef struct {block}_cfg {{(.*?)^}} {block}_cfg;", tree.text(self.header), flags=re.S | re.M)
        field = r"^ +(\w+) +([\w, ]+);(?:[ ]*/\*(.*?)\*/)?"
        self.fields: dict[str, str] = {}  # comment by name
        self.types: dict[str, str] = {}
        for kind, names, comment in re.findall(field, struct[1] if struct else "", flags=re.S | re.M):
            for name in arguments(names):
                self.fields[name], self.types[name] = comment, kind
        body = self._function(tree.text(self.source), f"{block}_cfg_default")
        self.defaults = dict(re.findall(r"\.(\w+) *= *(\w+)", body))
        self.derived: dict[str, str] = {}
        for statement in self._function(tree.text(self.source), f"{block}_cfg_derive").split(";"):
            *places, value = re.split(r"(?<![=!<>])=(?!=)", statement)
            for place in places:
                match = re.search(r"cfg->([\w.]+)\s*$", place)
                if match:
                    self.derived[match[1]] = " ".join(value.split())

    @staticmethod
    def _function(text: str, name: str) -> str:
        match = re.search(rf"^\w[\w ]*\b{name}\([^)]*\)\n{{(.*?)^}}", text, flags=re.S | re.M)
        return re.sub(r"/\*.*?\*/", "", match[1], flags=re.S) if match else ""


def constants(tree: Tree) -> dict[str, int]:
    """The enumerators and macros of the reference models that are a number or another one's name."""
    texts = (tree.text(name) for name in tree.matching("cmodel/sm/*.h", "cmodel/chip/*.h", "cmodel/common/*.h"))
    words = {name: value for text in texts for name, value in
             re.findall(r"\b([A-Z]\w+) *= *(\w+)", text) + re.findall(r"^#define (\w+) +(\w+)$", text, flags=re.M)}
    numbers = {}
    for name in words:
        value = name
        while value in words:
            value = words[value]
        if value.isdigit():
            numbers[name] = int(value)
    return numbers


def range_of(words: str, numbers: dict[str, int] | None = None) -> str | None:
    """The first range FROM..TO of a sentence, spelled alike in RTL, C and on pages; `numbers` are known by a name."""
    match = RANGE.search(words)
    return f"{match[1]}..{(numbers or {}).get(match[2], match[2])}".replace("_", "").lower() if match else None
