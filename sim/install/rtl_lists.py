# SPDX-License-Identifier: Apache-2.0
"""The RTL for other people's tools: lists of its files in the order that they want (ballast.f, for FuseSoC ballast.core, for Bender
Bender.yml), and an instance of each block to copy, instances.sv.

  python3 sim/install/rtl_lists.py VERSION OUT        write them below OUT

Run from the repository root.
"""
from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import tools

RTL = "rtl"
ROOMS = ("common", "sm", "chip")  # each uses those before it
NOTE = "Made from what is in rtl by 'make install' and 'make dist'."
LICENSE = "SPDX-License-Identifier: Apache-2.0"


def sources(rtl: Path) -> list[str]:
    """All files under rtl, packages first."""
    found = [path for room in ROOMS for path in sorted((rtl / room).glob("*.sv"))]
    rest = sorted(set(rtl.rglob("*.sv")) - set(found))
    if rest or not found:
        raise tools.Failure(f"{rest[0] if rest else rtl}: not in one of rtl/{{{','.join(ROOMS)}}}")
    return [path.relative_to(rtl).as_posix() for path in sorted(found, key=lambda path: not path.stem.endswith("_pkg"))]


def file_list(files: list[str]) -> str:
    lines = "".join(f"{name}\n" for name in files)
    return f"// {LICENSE}\n//\n// {NOTE} Names are relative to this file: -F ballast.f\n{lines}"


def top(rtl: Path, files: list[str]) -> str:
    """The module in which the most others are, with all that is in these."""
    texts = {Path(name).stem: re.sub(r"//.*", "", (rtl / name).read_text()) for name in files}
    inside = {name: {other for other in texts if re.search(rf"^\s+{other}\s+(#\(|\w+\s*\()", text, re.M)} for name, text in texts.items()}

    def all_inside(name: str) -> set[str]:
        return inside[name].union(*map(all_inside, inside[name]))
    return max(texts, key=lambda name: len(all_inside(name)))


def fusesoc(files: list[str], version: str, top: str) -> str:
    lines = "".join(f"      - {name}\n" for name in files)
    return (f"CAPI=2:\n# {LICENSE}\n#\n# {NOTE}\nname: ::ballast:{version}\ndescription: CTA throttling for GPU SMs (Perf-Sat, LCS, Equalizer)\n\n"
            f"filesets:\n  rtl:\n    file_type: systemVerilogSource\n    files:\n{lines}\n"
            "targets:\n  default:\n    filesets: [rtl]\n  lint:\n    flow: lint\n    flow_options:\n      tool: verilator\n    filesets: [rtl]\n    "
            f"toplevel: {top}\n")


def bender(files: list[str]) -> str:
    lines = "".join(f"  - rtl/{name}\n" for name in files)
    return f"# {LICENSE}\n#\n# {NOTE}\npackage:\n  name: ballast\n\nsources:\n{lines}"


def lists(root: Path, version: str) -> dict[str, str]:
    """All of them, by name, of the tree `root`."""
    rtl = root / RTL
    files = sources(rtl)
    return {f"{RTL}/ballast.f": file_list(files), f"{RTL}/ballast.core": fusesoc(files, version, top(rtl, files)), "Bender.yml": bender(files),
            f"{RTL}/instances.sv": instances(root)}


# ---- instances ---------------------------------------------------------------------------------------

_HEADER = re.compile(r"^module (\w+)(?: #\(\n(.*?)^\))?\s*\(\n(.*?)^\);", re.M | re.S)
_PARAMETER = re.compile(r"parameter\s+(?:\w+\s+)*?(\w+)\s*=\s*([^,/]+?)\s*,?\s*(?://\s*(.*))?$")
_PORT = re.compile(r"(?:input|output)\s+(?:wire|logic)\s*(.*?)\s*(\w+)\s*,?\s*(?://\s*(.*))?$")


def _column(rows: list[tuple[str, str, str]]) -> str:
    """Lines ".name (value),  // comment"."""
    width = max(len(name) for name, _, _ in rows)
    lines = [f"  .{name:<{width}} ({value}){',' if row < len(rows) else ''}" for row, (name, value, _) in enumerate(rows, 1)]
    wide = max(map(len, lines))
    return "\n".join(f"{line:<{wide}}  // {comment}".rstrip() if comment else line for line, (_, _, comment) in zip(lines, rows, strict=True))


@dataclass(frozen=True)
class Module:
    """What a module's header declares: parameters as (name, default, comment), ports as (name, width, comment)."""

    name: str
    parameters: list[tuple[str, str, str]]
    ports: list[tuple[str, str, str]]

    @classmethod
    def of(cls, text: str) -> Module:
        head = _HEADER.search(text)
        if not head:
            raise tools.Failure("no module with a header as in doc/inside/style: 'module NAME #( ... ) ( ... );'")
        ports = [(match[2], match[1], match[3] or "") for line in head[3].splitlines() if (match := _PORT.search(line.strip()))]
        if not ports:
            raise tools.Failure(f"module {head[1]} has no ports")
        return cls(head[1], [match.groups("") for line in (head[2] or "").splitlines() if (match := _PARAMETER.search(line.strip()))], ports)


def instance(text: str) -> str:
    """An instance of the module that the text declares: each parameter with its default, each port on a net of its name."""
    module = Module.of(text)
    ports = [(name, name, " ".join(filter(None, (width, comment)))) for name, width, comment in module.ports]
    given = f" #(\n{_column(module.parameters)}\n)" if module.parameters else ""
    return f"{module.name}{given} u_{module.name} (\n{_column(ports)}\n);\n"


def instances(root: Path) -> str:
    """Of all modules, in the order of the lists."""
    found = [instance((root / "rtl" / name).read_text()) for name in sources(root / "rtl") if not name.endswith("_pkg.sv")]
    return f"// {LICENSE}\n//\n// An instance of each block, to copy: parameters with their defaults, ports with their widths.\n\n" + "\n".join(found)


def main() -> None:
    if len(sys.argv) != 3:
        raise tools.Failure("usage: rtl_lists.py VERSION OUT")
    for name, text in lists(Path(), sys.argv[1]).items():
        with tools.whole(Path(sys.argv[2], name)) as file:
            file.write(text)


if __name__ == "__main__":
    tools.program(main)
