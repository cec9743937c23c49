# SPDX-License-Identifier: Apache-2.0
"""Mutants of a source file, Python or C: one small change each that a reader could have made by mistake.

  negate    a condition is its opposite             swap      and for or, == for !=, < for <=, any for all
  status    proved, open and failed for each other  constant  another number, True for False
  drop      a statement is left out                 return    a function ends without its answer
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    what: str       # "swap == for !="
    line: int
    line_text: str  # of the source, as it is
    text: str       # the whole file


# ---- Python --------------------------------------------------------------------------------------

OPPOSITE = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.In: ast.NotIn,
            ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
OTHER_STATUS = {"PROVED": ("OPEN",), "OPEN": ("PROVED",), "FAILED": ("OPEN", "PROVED")}
OTHER_NAME = {"any": "all", "all": "any", "min": "max", "max": "min"}


# Calls that judge nothing: options and progress, where Python finds modules, folders to write to, what is printed when.
DULL = {"add_argument", "step", "mkdir", "flush"}


def _in_text(node: ast.AST) -> set[ast.AST]:
    """What says something to people only (documentation, messages and their parts), and calls that judge nothing."""
    dull: set[ast.AST] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.JoinedStr):
            dull |= set(ast.walk(one))
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and (one.func.attr in DULL or ast.unparse(one.func) == "sys.path.insert"):
            dull |= set(ast.walk(one))
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            dull |= set(ast.walk(one))
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and getattr(one.value.func, "id", "") == "print":
            dull |= set(ast.walk(one))
        if isinstance(one, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign)):
            for part in [*getattr(one, "decorator_list", ()), getattr(one, "returns", None), getattr(one, "annotation", None),
                         *(argument.annotation for argument in getattr(getattr(one, "args", None), "args", ()))]:
                dull |= set(ast.walk(part)) if part else set()
        if isinstance(one, ast.If) and ast.unparse(one.test) == "__name__ == '__main__'":
            dull |= set(ast.walk(one))
    return dull


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    """What is replaced, what that is, by what text."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield node.test, "negate", f"not ({ast.unparse(node.test)})"
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield test, "negate", f"not ({ast.unparse(test)})"
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPPOSITE:
        other = ast.Compare(node.left, [OPPOSITE[type(node.ops[0])](), *node.ops[1:]], node.comparators)
        yield node, "swap comparison", f"({ast.unparse(other)})"
    if isinstance(node, ast.BoolOp):
        other = ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        yield node, "swap and/or", f"({ast.unparse(other)})"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, "negate", f"({ast.unparse(node.operand)})"
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in OTHER_STATUS.get(node.id, ()):
            yield node, f"status {node.id} for {other}", other
        if node.id in OTHER_NAME:
            yield node, f"swap {node.id}", OTHER_NAME[node.id]
    if isinstance(node, ast.Attribute) and node.attr in OTHER_STATUS:
        for other in OTHER_STATUS[node.attr]:
            yield node, f"status {node.attr} for {other}", f"{ast.unparse(node.value)}.{other}"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, "constant", str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, "constant", str(node.value + 1)
    if isinstance(node, (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)):
        yield node, "drop", "pass"
    if isinstance(node, ast.Return) and node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield node, "return", "return None"


def _replaced(text: str, node: ast.AST, by: str) -> str:
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()
    begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
    return (raw[:begin] + by.encode() + raw[end:]).decode()


def of_python(text: str) -> Iterator[Mutant]:
    tree = ast.parse(text)
    dull, lines = _in_text(tree), text.splitlines()
    for node in ast.walk(tree):
        if node in dull:
            continue
        for old, what, by in _changes(node):
            new = _replaced(text, old, by)
            compile(new, "mutant", "exec")
            yield Mutant(what, old.lineno, lines[old.lineno - 1].strip(), new)


# ---- C ---------------------------------------------------------------------------------------------

C_SWAPS = ((r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"), (r"(?<= )<(?= )", "<="), (r"(?<= )>(?= )", ">="),
           (r"<=", "<"), (r">=", ">"), (r"&=", "="), (r"\|=", "="), (r"(?<=[ (])!(?=[\w(])", ""), (r"\+\+", "--"), (r" \^ ", " & "),
           (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\b0\b", "1"), (r"\b1\b", "0"))
STATEMENT = re.compile(r"^\s+(?!return|static|const|struct|enum|uint|unsigned|int|bool|char|void|size_t|case|default)[\w\[\]>.*-]+ ?(\(.*\)|"
                       r"(\[.*\])? ?[|&^+-]?=.*|\+\+|--);$")


def _code(text: str) -> list[str]:
    """The lines with blanks where comments, strings and the preprocessor are."""
    blank = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.S)
    return ["" if line.lstrip().startswith("#") else line for line in blank.split("\n")]


def of_c(text: str) -> Iterator[Mutant]:
    lines, code = text.split("\n"), _code(text)

    def mutant(number: int, what: str, line: str) -> Mutant:
        return Mutant(what, number + 1, lines[number].strip(), "\n".join([*lines[:number], line, *lines[number + 1:]]))
    for number, (line, plain) in enumerate(zip(lines, code, strict=True)):
        for pattern, by in C_SWAPS:
            for match in re.finditer(pattern, plain):
                yield mutant(number, f"swap {match[0].strip()} for {by.strip() or 'nothing'}", line[:match.start()] + by + line[match.end():])
        if STATEMENT.match(plain):
            yield mutant(number, "drop", re.match(r"\s*", line)[0] + ";")


def mutants(path: Path) -> list[Mutant]:
    text = path.read_text()
    found = of_python(text) if path.suffix == ".py" else of_c(text)
    return sorted({mutant.text: mutant for mutant in found}.values(), key=lambda mutant: (mutant.line, mutant.what))
