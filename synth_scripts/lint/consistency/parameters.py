# SPDX-License-Identifier: Apache-2.0
"""A parameter means the same wherever it stands: in the RTL, the reference model, the port list and the page of its block, and in
every block around it, down to the part that it is for.

In: a Tree. Out: findings, one line each.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .sources import Instance, Model, Module, Page, Ports, constants, range_of
from .tree import Tree


@dataclass(frozen=True)
class Sources:
    module: Module
    ports: Ports
    model: Model
    page: Page


def _sources(tree: Tree) -> dict[str, Sources]:
    return {block: Sources(Module(tree, path), Ports(tree, block), Model(tree, block), Page(tree, block))
            for block, path in tree.blocks.items()}


class Values:
    """Defaults in the reference model: of a field of a block's configuration, through the blocks inside."""

    def __init__(self, sources: dict[str, Sources], names: dict[str, int]):
        self.sources = sources
        self.names = names

    def number(self, word: str) -> int | None:
        return int(word) if word.isdigit() else self.names.get(word)

    def default(self, block: str, field: str) -> int | None:
        """None where there is no such field; 0 where the model names no default, as in C."""
        first, _, rest = field.partition(".")
        model = self.sources[block].model
        if first not in model.fields:
            return None
        if rest:
            inner = model.types[first].removesuffix("_cfg")
            return self.default(inner, rest) if inner in self.sources else None
        return self.number(model.defaults.get(first, "0"))

    def place(self, block: str, field: str) -> tuple[Model, str]:
        """The model and the name of a field that may lie in a part."""
        first, _, rest = field.partition(".")
        model = self.sources[block].model
        return self.place(model.types[first].removesuffix("_cfg"), rest) if rest else (model, first)


def _own(block: str, of: Sources, values: Values) -> list[str]:
    """One block: default and range in the RTL, the model and the page."""
    found = []
    for name, field in of.ports.fields().items():
        parameter = of.module.parameters.get(name)
        if parameter is None:
            continue
        default = values.default(block, field)
        if default is None:
            found.append(f"{of.ports.path}: {name} is the field {field}, which {of.model.header} does not have")
            continue
        model, last = values.place(block, field)
        if default != parameter.default:
            found.append(f"{model.source}: default of {last} is {default}, in {of.module.path} {name} is {parameter.default}")
        said = re.search(r"\bdefault (\w+)|\b(\d+) \(default\)", model.fields[last])
        if said and values.number(said[1] or said[2]) not in (None, parameter.default):
            found.append(f"{model.header}: says that the default of {last} is {said[1] or said[2]}, "
                         f"in {of.module.path} {name} is {parameter.default}")
        ranges = {of.module.path: range_of(parameter.comment), of.page.path: range_of(of.page.rows.get(name, ""))}
        if "." not in field:
            ranges[model.header] = range_of(model.fields[last], values.names)
        stated = {path: text for path, text in ranges.items() if text}
        if len(set(stated.values())) > 1:
            found.append(f"range of {name}: " + ", ".join(f"{text} in {path}" for path, text in stated.items()))
    return found


def _within(outer: str, inner: str) -> bool:
    """Whether a range of numbers lies in another one; ranges that end in a name are not compared."""
    ends = re.findall(r"\d+", outer) + re.findall(r"\d+", inner)
    if len(ends) != 4 or not re.fullmatch(r"\d+\.\.\d+", outer) or not re.fullmatch(r"\d+\.\.\d+", inner):
        return True
    low, high, least, most = map(int, ends)
    return least <= low and high <= most


def _value(expression: str, of: Module) -> int | None:
    """What a constant expression of a module is with its defaults."""
    def number(word: re.Match) -> str:
        name = word[0]
        if name in of.parameters:
            return str(of.parameters[name].default)
        return f"({_value(of.constants[name], of)})" if name in of.constants else name

    text = re.sub(r"\b[A-Za-z_]\w*\b", number, expression).replace("/", "//")
    return int(eval(text, {"__builtins__": {}})) if re.fullmatch(r"[\d()+*/ -]+", text) else None  # numbers and operators only


def _same_field(of: Sources, place: str, expression: str, values: Values) -> str | None:
    """None when the model gives the field `place` of a part what the RTL gives its parameter, else what it does instead."""
    fields = of.ports.fields()
    source = fields.get(expression)
    if source == place:
        return None
    instance, _, field = place.partition(".")
    derived = of.model.derived.get(place)
    whole = of.model.derived.get(instance, "")
    if derived is None and whole.startswith("cfg->"):
        derived = f"{whole}.{field}"
    if derived is None:
        return f"never sets it, and {of.ports.path} gives {expression} the field {source}"
    if expression.isdigit():
        return None if values.number(derived) == int(expression) else f"sets it to {derived}"
    text = of.module.constants.get(expression, expression)
    wanted = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: f"cfg->{fields[word[0]]}" if word[0] in fields else word[0], text)
    return None if derived == wanted else f"sets it to {derived} instead of {wanted}"


def _passed(of: Sources, instance: Instance, part: Sources, values: Values) -> list[str]:
    """A part: each of its parameters comes from one of the block around it, under a name that the page explains."""
    found = []
    where = f"{of.module.path}: {instance.name}"
    field = instance.name.removeprefix("u_")
    part_fields = part.ports.fields()
    for name, own in part.module.parameters.items():
        expression = instance.parameters.get(name)
        if expression is None:
            found.append(f"{where} leaves {name} of {instance.module} at its default; pass it on")
            continue
        outer = of.module.parameters.get(expression)
        value = outer.default if outer else _value(of.module.constants.get(expression, expression), of.module)
        if value is None:
            found.append(f"{where}: {name} is '{expression}', which is no parameter, constant or number")
        elif value != own.default and not expression.isdigit():
            found.append(f"{where}: default of {expression} is {value}, that of {name} of {instance.module} is {own.default}")
        if outer and not _within(range_of(outer.comment) or "", range_of(own.comment) or ""):
            found.append(f"{where}: {expression} may be {range_of(outer.comment)}, "
                         f"{name} of {instance.module} only {range_of(own.comment)}")
        said = of.page.rows.get(expression, "") if outer else of.page.text
        explained = re.search(rf"`{name}` of (`\w+` and )*`{instance.module}`", said)
        if expression != name and not expression.isdigit() and not explained:
            found.append(f"{of.page.path}: does not say that {expression} is `{name}` of `{instance.module}`")
        if name in part_fields:
            place = f"{field}.{part_fields[name]}"
            wrong = _same_field(of, place, expression, values)
            if wrong:
                found.append(f"{of.model.source}: {place} is to be {expression} of {of.module.path}; the model {wrong}")
    return found + [f"{where}: {instance.module} has no parameter {name}" for name in instance.parameters
                    if name not in part.module.parameters]


def different(tree: Tree) -> list[str]:
    """Parameters that are not the same everywhere."""
    sources = _sources(tree)
    values = Values(sources, constants(tree))
    found = []
    for block, of in sources.items():
        found += _own(block, of, values)
        for instance in of.module.instances():
            if instance.module in sources:
                found += _passed(of, instance, sources[instance.module], values)
        if of.model.derived and "BLOCK_DERIVE" not in of.ports.macros:
            found.append(f"{of.ports.path}: has no BLOCK_DERIVE, though {of.model.source} has {block}_cfg_derive")
    return found


def _evaluated(text: str, numbers: Callable[[str], int | None]) -> int | None:
    """The value of an expression of numbers, names, + - * / << **, $clog2() and width_of()."""
    def number(word: re.Match) -> str:
        if word[0] in ("clog2", "width_of"):
            return word[0]
        value = numbers(word[0])
        return "none" if value is None else str(value)

    words = re.sub(r"[A-Za-z_][\w.]*", number, re.sub(r"\b(\d+)u\b", r"\1", text.replace("cfg->", "").replace("$", ""))).replace("/", "//")
    if not re.fullmatch(r"(clog2|width_of|<<|[\d()+*/ -])+", words):
        return None
    functions = {"clog2": lambda value: (value - 1).bit_length(), "width_of": lambda value: value.bit_length()}
    return int(eval(words, {"__builtins__": {}}, functions))  # numbers, operators and these two functions only


def _rtl_widths(module: Module) -> dict[str, str]:
    """The width of each port and register, as an expression."""
    found = {}
    declaration = r"^ *(?:input +wire|output +logic|logic) +(?:\[(.*?)-1:0\])? *([a-z][\w, ]*)(?: \[\w+\])?[,;]? *$"
    for width, names in re.findall(declaration, module.design, flags=re.M):
        for name in names.split(","):
            found[name.strip()] = width or "1"
    return found


def _width_finding(of: Sources, entry: list[str], signal: str, rtl: str, in_c: dict[str, int]) -> str | None:
    array = signal.endswith("_q") and entry[0] in of.ports.arrays()  # a port may have the name of one
    listed = of.ports.expanded(entry[2] if array else entry[1])
    fields = {field: name for name, field in of.ports.fields().items()}
    for more in (0, 1, 5):  # the defaults, and two sets of other parameters
        numbers = {name: parameter.default + more for name, parameter in of.module.parameters.items()}

        def of_rtl(word: str) -> int | None:
            return numbers[word] if word in numbers else _evaluated(of.module.constants.get(word, ""), of_rtl)

        wide, wanted = _evaluated(rtl, of_rtl), _evaluated(listed, lambda word: numbers.get(fields.get(word, ""), in_c.get(word)))
        if wide is None or wanted is None:
            return f"{of.ports.path}: width of {signal} cannot be compared: '{listed}' with '{rtl}'"
        if wide != wanted * (numbers["NumSms"] if entry[0] in of.ports.lanes() else 1):
            return f"{of.ports.path}: width of {signal} is {listed}, in {of.module.path} {rtl}"
    return None


def widths(tree: Tree) -> list[str]:
    """Ports and registers that are not as wide in the port list as in the RTL."""
    found, in_c = [], constants(tree)
    for of in _sources(tree).values():
        rtl = _rtl_widths(of.module)
        for kind in "ioq":
            for entry in of.ports.entries(kind):
                signal = f"{entry[0]}_{kind}"
                finding = _width_finding(of, entry, signal, rtl[signal], in_c) if signal in rtl else None
                found += [finding] if finding else []
    return found
