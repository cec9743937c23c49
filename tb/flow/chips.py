# SPDX-License-Identifier: Apache-2.0
"""The chips, read from rtl/configs/NAME. The only way in which a flow learns of a chip.

One file describes one chip for the RTL, for the activity simulator and for the analytic models. It is written in the syntax of
libconfig. All settings are optional:

  rtl        "Param=Value ...": the geometry; the chip is a configuration of the RTL
  like       the name of another chip, whose group `simulator` holds where this one says nothing
  simulator  a machine of the activity simulator; the keys are the members of the struct in sim/gpu/machine.h
  analytic   a GPU of the analytic models; the keys are ANALYTIC below

What follows from another value is computed and must not be said again: name (of the file); sms, warps, slots and schedulers from
rtl; the models' clock, number of SMs and issue cycles from the simulator's machine.

Run from the repository root. As a program it writes the C tables that are compiled in, so that neither the command nor the
library reads a file for the chips that it knows:

  python3 tb/flow/chips.py machines     for sim/gpu
  python3 tb/flow/chips.py gpus         for cmodel/analytic
  python3 tb/flow/chips.py same-sm CONFIG   the configurations with the same SM

Errors are tools.Failure: one line, exit status 2.
"""
from __future__ import annotations

import argparse
import re
from pathlib import Path

from tools import Failure, program

FOLDER = Path("rtl/configs")
MACHINE = Path("sim/gpu/machine.h")
GEOMETRY = {"sms": "NumSms", "warps": "NumWarps", "slots": "NumSlots", "schedulers": "IssueWidth"}
ANALYTIC = {"occupancy": str, "power": str, "note": str, "bandwidth_gb_s": float, "mem_ld": float, "departure_coal": float,
            "departure_uncoal": float}
OPTIONAL = ("l1_infinite", "ibuffer", "collectors", "collector_reads", "reg_banks")

Group = dict[str, "str | int | float | bool | Group"]

_TOKEN = re.compile(r"""(?P<space>\s+|\#[^\n]*|//[^\n]*|/\*.*?\*/)|(?P<name>[A-Za-z*][\w*-]*)|(?P<number>[-+]?[\d.][\w.+-]*)
                        |"(?P<text>[^"\\\n]*)"|(?P<sign>[={};])|(?P<wrong>.)""", re.X | re.S)


class _Parser:
    """The part of libconfig's syntax that chips need: settings that are numbers, texts, truth values or groups."""

    def __init__(self, path: Path):
        self.path, self.text = path, path.read_text()
        self.words = [found for found in _TOKEN.finditer(self.text) if found.lastgroup != "space"]
        self.at = 0

    def kind(self) -> str:
        """Of the next word; empty at the end."""
        return (self.words[self.at].lastgroup or "") if self.at < len(self.words) else ""

    def word(self) -> str:
        return self.words[self.at][self.kind()] if self.kind() else ""

    def fail(self, what: str) -> Failure:
        line = self.text.count("\n", 0, self.words[self.at].start() if self.kind() else len(self.text)) + 1
        return Failure(f"{self.path}:{line}: {what}; write lines like 'sms = 15;'")

    def take(self, kind: str, word: str = "") -> str:
        taken = self.word()
        if self.kind() == "wrong":
            raise self.fail(f"'{taken}' has no place here")
        if self.kind() != kind or (word and taken != word):
            raise self.fail(f"'{word or kind}' is missing before '{taken}'")
        self.at += 1
        return taken

    def value(self) -> str | int | float | bool | Group:
        if self.kind() == "sign" and self.word() == "{":
            self.take("sign")
            group = self.group()
            self.take("sign", "}")
            return group
        if self.kind() == "text":
            return self.take("text")
        if self.kind() == "name" and self.word() in ("true", "false"):
            return self.take("name") == "true"
        number = self.take("number")
        try:
            return float(number) if re.search(r"[.eE]", number) else int(number)
        except ValueError:
            raise self.fail(f"'{number}' is no number") from None

    def group(self) -> Group:
        found: Group = {}
        while self.kind() == "name":
            name = self.take("name")
            if name in found:
                raise self.fail(f"{name} is said twice")
            self.take("sign", "=")
            found[name] = self.value()
            self.take("sign", ";")
        return found

    def whole(self) -> Group:
        found = self.group()
        if self.kind():
            raise self.fail(f"'{self.word()}' has no place here")
        return found


def _read(name: str) -> Group:
    path = FOLDER / name
    if not path.is_file():
        raise Failure(f"no chip '{name}'; there are: {' '.join(names())}")
    chip = _Parser(path).whole()
    kinds = {"rtl": str, "like": str, "simulator": dict, "analytic": dict}
    for key, value in chip.items():
        if key not in kinds:
            raise Failure(f"{path}: {key} is no key of a chip; the keys are {', '.join(kinds)}")
        if not isinstance(value, kinds[key]):
            raise Failure(f"{path}: {key} must be a {'text' if kinds[key] is str else 'group'}")
    return chip


def names() -> list[str]:
    """All chips."""
    if not FOLDER.is_dir():
        raise Failure(f"no {FOLDER} here; run it from the repository root")
    return sorted(path.name for path in FOLDER.iterdir())


def configurations() -> list[str]:
    """The chips that are configurations of the RTL."""
    return [name for name in names() if "rtl" in _read(name)]


def same_sm(name: str) -> list[str]:
    """The configurations whose SM is that of this one, itself among them, in the order of their numbers of SMs."""
    def sm(other: str) -> list[int]:
        return [configuration(other)[key] for key in ("NumWarps", "NumSlots", "IssueWidth")]

    return sorted((other for other in configurations() if sm(other) == sm(name)), key=lambda other: configuration(other)["NumSms"])


def representatives() -> list[str]:
    """Of the configurations with the same SM the one with most of them: what is long to build or to measure takes these."""
    return [name for name in configurations() if name == same_sm(name)[-1]]


def configuration(name: str) -> dict[str, int]:
    """The geometry of a configuration: parameters of the RTL by name."""
    path = FOLDER / name
    chip = _read(name) if path.is_file() else {}
    if "rtl" not in chip:
        raise Failure(f"no configuration '{name}'; there are: {' '.join(configurations())}")
    values = {}
    for word in chip["rtl"].split():
        if not re.fullmatch(r"[A-Za-z_]\w*=\d+", word):
            raise Failure(f"{path}: rtl: '{word}' is not Param=Value")
        key, value = word.split("=")
        values[key] = int(value)
    return values


def _members() -> list[str]:
    """The members of struct machine but its name, in order."""
    found = re.search(r"typedef struct machine \{(.*?)\n\} machine;", MACHINE.read_text(), re.S)
    if not found:
        raise Failure(f"{MACHINE}: has no struct machine")
    body = re.sub(r"/\*.*?\*/", "", found[1], flags=re.S)
    lines = re.findall(r"^ *(?:uint32_t|bool|enum \w+) ([^;]+);", body, re.M)
    return [name.strip() for line in lines for name in line.split(",")]


def _merged(name: str, seen: tuple[str, ...] = ()) -> Group:
    """The group simulator over that of the chip that it is like, and what follows from rtl."""
    chip = _read(name)
    if name in seen:
        raise Failure(f"{FOLDER / name}: like leads back to itself")
    values = _merged(chip["like"], (*seen, name)) if "like" in chip else {}
    own = chip.get("simulator", {})
    if "rtl" in chip:
        geometry = configuration(name)
        for key, parameter in GEOMETRY.items():
            if key in own:
                raise Failure(f"{FOLDER / name}: simulator.{key} follows from {parameter} of rtl; leave it out")
            if parameter not in geometry:
                raise Failure(f"{FOLDER / name}: rtl lacks {parameter}")
            values[key] = geometry[parameter]
    return values | own


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < 2**32


def machine(name: str) -> Group:
    """A machine of the activity simulator, complete, by member of its struct."""
    values = _merged(name)
    members = _members()
    for key in values:
        if key not in members:
            raise Failure(f"{FOLDER / name}: simulator.{key} is no key; the keys are the members of struct machine in {MACHINE}")
        if isinstance(values[key], str) != (key == "scheduler") or (key != "scheduler" and not _is_count(values[key])):
            raise Failure(f"{FOLDER / name}: simulator.{key} must be {'a text' if key == 'scheduler' else 'a whole number'}")
    for key in members:
        if key not in values and key not in OPTIONAL:
            raise Failure(f"{FOLDER / name}: simulator.{key} is missing")
    return {key: values[key] for key in members if key in values}


def analytic(name: str) -> Group:
    """A GPU of the analytic models, complete."""
    path = FOLDER / name
    values = dict(_read(name)["analytic"])
    for key in values:
        if key not in ANALYTIC:
            raise Failure(f"{path}: analytic.{key} is no key; the keys are {', '.join(ANALYTIC)}, the rest follows")
        if not isinstance(values[key], ANALYTIC[key]):
            raise Failure(f"{path}: analytic.{key} must be {'a text' if ANALYTIC[key] is str else 'a number with a point'}")
    for key in ANALYTIC:
        if key not in values:
            raise Failure(f"{path}: analytic.{key} is missing")
    chip = machine(name)
    bandwidth = chip["dram_channels"] * chip["line_bytes"] * chip["memory_mhz"] / chip["dram_interval"] / 1000
    if abs(bandwidth / values["bandwidth_gb_s"] - 1) > 0.01:
        said = values["bandwidth_gb_s"]
        raise Failure(f"{path}: analytic.bandwidth_gb_s is {said}, but the machine's DRAM gives {bandwidth:g}")
    return values | {"num_sms": chip["sms"], "freq_ghz": chip["sm_mhz"] / 1000, "issue_cycles": 1 / chip["schedulers"]}


def _literal(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _initializer(name: str, values: Group) -> str:
    members = ", ".join(f".{key} = {value}" for key, value in values.items())
    return f'    {{.name = "{name}", {members}}},'


def _machines() -> list[str]:
    found = [name for name in names() if "simulator" in _read(name)]
    rows = []
    for name in found:
        values = {key: _literal(value) for key, value in machine(name).items()}
        values["scheduler"] = "SCHEDULE_" + values["scheduler"].strip('"')
        rows.append(_initializer(name, values))
    return ['#include "gpu/machine.h"', "const machine machine_table[] = {", *rows, "};",
            f"const unsigned machine_count = {len(found)};", f'const char machine_names[] = "{", ".join(found)}";']


def _gpus() -> list[str]:
    found = [name for name in names() if "analytic" in _read(name)]
    rows = []
    for name in found:
        values = {key: _literal(value) for key, value in analytic(name).items()}
        top = {key: values.pop(key) for key in ("occupancy", "power", "note", "num_sms")}
        timing = ", ".join(f".{key} = {value}" for key, value in values.items())
        rows.append(_initializer(name, top | {"timing": f"{{{timing}, .warp_size = 32}}"}))
    return ['#include "analytic/gpu_entry_private.h"', "const analytic_gpu_entry analytic_chips[] = {", *rows, "};",
            f"const unsigned analytic_chip_count = {len(found)};"]


def _main() -> None:
    parser = argparse.ArgumentParser(description="Write the C table of the chips that the simulator or the models know.")
    parser.add_argument("table", choices=("machines", "gpus", "same-sm"))
    parser.add_argument("config", nargs="?", default="fermi")
    given = parser.parse_args()
    if given.table == "same-sm":
        print("\n".join(same_sm(given.config)))
        return
    lines = _machines() if given.table == "machines" else _gpus()
    print("\n".join(["/* Made from rtl/configs by tb/flow/chips.py. */", *lines]))


if __name__ == "__main__":
    program(_main)
