# SPDX-License-Identifier: Apache-2.0
"""Answers: kept from run to run, counted beside ABC's, printed and written into the page."""
from __future__ import annotations

import argparse
import hashlib
import json
import threading
from pathlib import Path
from typing import Any

import cadical
import pages
import solver
import tools
from blocks import Target
from questions import Question
from solver import DIFFERS, OPEN, PROVED, UNCHECKED, Answer

COMMAND = "make formal-cross"
Row = dict[str, Any]


class Answers:
    """Of one target, a line of JSON each in FOLDER/answers. A question whose sum is there is not asked again, unless it was open and there
    is more time now."""

    def __init__(self, folder: Path, rup: Path, seconds: float):
        self.folder, self.rup, self.seconds = folder, rup, seconds
        self.lock = threading.Lock()
        self.file = folder / "answers"
        tools_sum = cadical.version().encode() + Path(__file__).with_name("rup.c").read_bytes()
        self.tools = hashlib.sha256(tools_sum).hexdigest()
        self.known = {}
        for line in self.file.read_text().splitlines() if self.file.is_file() else []:
            try:
                one = json.loads(line)
                self.known[one["sum"]] = (one["seconds"], Answer(one["status"], one["text"], tuple(one["inputs"])))
            except (ValueError, KeyError, TypeError):
                continue  # cut short when a run was ended: it is asked again

    def _keep(self, key: str, name: str, answer: Answer) -> None:
        line = {"sum": key, "name": name, "status": answer.status, "seconds": self.seconds, "text": answer.text,
                "inputs": answer.inputs}
        with self.lock, self.file.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def _ask(self, question: Question, kind: str) -> Answer:
        text, inputs = question.clauses()
        key = hashlib.sha256(f"{self.tools}\n{question.name}\n{text}".encode()).hexdigest()
        seconds, answer = self.known.get(key, (0, Answer(OPEN)))
        if answer.status in (PROVED, DIFFERS) or (answer.status == OPEN and seconds >= self.seconds):
            return answer
        work = self.folder / "work" / f"{kind}{threading.get_ident()}"
        answer = solver.ask(text, inputs, question.differ, work, self.rup, self.seconds)
        self._keep(key, question.name, answer)
        return answer

    def answer(self, question: Question) -> Answer:
        answer = self._ask(question, "first")
        if question.instead is not None and answer.status != PROVED:
            weaker = self._ask(question.instead, "instead")
            return weaker if answer.status == DIFFERS or weaker.status == PROVED else answer
        return answer


# ---- beside ABC's -----------------------------------------------------------------------------------

def of_abc(path: Path, config: str) -> dict[tuple[str, str], bool]:
    """What formal.py proved, by block and proof."""
    try:
        status = json.loads(path.read_text())
        if status["config"] != config:
            raise tools.Failure(f"{path} is of {status['config']}, not of {config}")
        return {(row["block"], row["proof"]): row["status"] == PROVED for row in status["blocks"]}
    except (OSError, ValueError, KeyError):
        raise tools.Failure(f"no results of proofs in {path}; 'make formal' leaves them") from None


def rows_of(target: Target, asked: list[Question], found: list[Answer], abc: dict[tuple[str, str], bool]) -> list[Row]:
    return [{"block": target.name, "kind": question.kind, "output": question.output, "status": answer.status, "text": answer.text,
             "abc": None if question.kind == "front end" else
             abc.get((target.name, question.output if question.kind == "rules" else "step"), False)}
            for question, answer in zip(asked, found, strict=True)]


def _count(rows: list[Row], **wanted: Any) -> int:
    return sum(all(row[key] == value for key, value in wanted.items()) for row in rows)


def table(rows: list[Row], tool: str) -> list[str]:
    lines = [f"With {tool}:", "",
             "| block | question | outputs | proved by CaDiCaL | and by ABC | by ABC alone | differ | unchecked | open for both |",
             "|---|---|---|---|---|---|---|---|---|"]
    for block, kind in dict.fromkeys((row["block"], row["kind"]) for row in rows):
        some = [row for row in rows if (row["block"], row["kind"]) == (block, kind)]
        alone = _count(some, status=OPEN, abc=True)
        both = "not asked" if kind == "front end" else _count(some, status=PROVED, abc=True)
        lines.append(f"| `{block}` | {kind} | {len(some)} | {_count(some, status=PROVED)} | {both} | {alone} | "
                     f"{_count(some, status=DIFFERS)} | {_count(some, status=UNCHECKED)} | {_count(some, status=OPEN) - alone} |")
    return lines


def report(rows: list[Row], given: argparse.Namespace, tool: str, seconds: float) -> int:
    """Prints, writes and judges."""
    with tools.whole(given.out / "status.json") as file:
        json.dump({"tool": tool, "config": given.config, "outputs": rows}, file, indent=1)
        file.write("\n")
    lines = table(rows, tool)
    if given.page:
        pages.write(given.page, [f"In `{given.config}`. {lines[0]}", *lines[1:]], COMMAND)
    print("\n".join(lines))
    for row in rows:
        if row["status"] != PROVED:
            print(f"{row['block']} {row['kind']} {row['output']}: {row['status']} {row['text']}".rstrip())
    print(f"{_count(rows, status=PROVED)} of {len(rows)} proved in {given.config}, {seconds:.0f} s")
    allowed = {PROVED, OPEN} if given.allow_open else {PROVED}
    return int(not rows or not {row["status"] for row in rows} <= allowed)
