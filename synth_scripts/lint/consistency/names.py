# SPDX-License-Identifier: Apache-2.0
"""A block is the same block everywhere: every file that it needs is there, and RTL, port list and page name the same things.

In: a Tree. Out: findings, one line each.
"""
from __future__ import annotations

import re
from pathlib import Path

from .sources import Module, Page, Ports
from .tree import Tree

NEEDED = ("cmodel/{room}/{name}.c", "cmodel/{room}/{name}.h", "tb/blocks/{name}/ports.h", "tb/blocks/{name}/bind.h",
          "tb/blocks/{name}/decisions.h", "tb/blocks/{name}/test_{name}.c", "tb/blocks/{name}/view", "doc/blocks/{name}.md")
# Files without which a flow has nothing to do for a block.
WANTED = {"cover.sv": "'make cover' has no points to reach", "properties.h": "'make formal' has no rules to prove"}
PAGES_OF_NO_BLOCK = {"timing"}


def missing(tree: Tree) -> list[str]:
    """What a block lacks."""
    found = [] if tree.blocks else ["no blocks in rtl/sm and rtl/chip"]
    for name, path in tree.blocks.items():
        files = [file.format(room=path.split("/")[1], name=name) for file in NEEDED]
        found += [f"{file} is missing: {path} needs it" for file in files if not tree.has(file)]
        found += [f"tb/blocks/{name}/{file} is missing: {what} of {name}" for file, what in WANTED.items()
                  if not tree.has(f"tb/blocks/{name}/{file}")]
    return found


def unwritten(tree: Tree) -> list[str]:
    """Where the skeleton of a new block still waits for its author."""
    found = []
    for name, path in tree.blocks.items():
        for file in tree.matching(path, f"cmodel/*/{name}.[ch]", f"tb/blocks/{name}/*", f"doc/blocks/{name}.md"):
            lines = enumerate(tree.text(file).splitlines(), 1)
            found += [f"{file}:{number}: write me" for number, line in lines if "write me" in line]
    return found


def unplayable(tree: Tree) -> list[str]:
    """Lines of targets that replay a recording on a variant with other warps or CTA slots than those that were recorded."""
    found = []
    for file in tree.matching("tb/blocks/*/targets"):
        block = file.split("/")[2]
        for variant in re.findall(r"^(\w+) .*\bNum(?:Warps|Slots)=", tree.text(f"tb/blocks/{block}/variants"), flags=re.M):
            found += [f"{file}: '{line}' replays a recording, and {variant} has other warps or CTA slots than the recorded SMs"
                      for line in tree.text(file).splitlines() if re.match(rf"\w+ +{block}_{variant} .*\brecording=", line)]
    return found


def orphans(tree: Tree) -> list[str]:
    """Files and folders of a block that is not there."""
    found = []
    for file in tree.matching("cmodel/sm/*.[ch]", "cmodel/chip/*.[ch]"):
        module = f"rtl/{file.split('/')[1]}/{Path(file).stem}.sv"
        found += [f"{file}: there is no {module}"] if not tree.has(module) else []
    rooms = {name.split("/")[2] for name in tree.matching("tb/blocks/*/*")}
    owners = {f"tb/blocks/{room}/": room for room in rooms} | {page: Path(page).stem for page in tree.matching("doc/blocks/*.md")}
    return found + [f"{file} belongs to no block of rtl/sm or rtl/chip" for file, name in sorted(owners.items())
                    if name not in tree.blocks and name not in PAGES_OF_NO_BLOCK]


def _parameter(name: str, module: Module, ports: Ports, page: Page, inherited: set[str]) -> list[str]:
    of_rtl = module.parameters.get(name)
    if of_rtl is None:
        return [f"{module.path}: has no 'parameter int {name} = NUMBER', which {ports.path} names"]
    if page.default(name) is None:
        if name in inherited and name not in page.rows:
            return []
        return [f"{page.path}: its parameter table has no row '| `{name}` | {of_rtl.default} | ...'"]
    if page.default(name) != of_rtl.default:
        return [f"{page.path}: default of {name} is {page.default(name)}, in {module.path} it is {of_rtl.default}"]
    return []


def _listed(tree: Tree, block: str, module: Module, ports: Ports, page: Page) -> list[str]:
    """What the port list names, RTL and page must know."""
    found = []
    words = set(re.findall(r"\w+", module.design))
    inherited = {name for part in page.delegates if part in tree.blocks for name in Module(tree, tree.blocks[part]).parameters}
    for kind, name in ports.names():
        if kind == "param":
            found += _parameter(name, module, ports, page, inherited)
            continue
        signal = f"u_{name}" if kind == "part" else f"{name}_{kind}"
        what = f"instance {signal}" if kind == "part" else signal
        spellings = (f"`{signal}`", f"`gen_{name}[i].{signal}`") if kind == "part" else (f"`{signal}`",)
        found += [f"{module.path}: has no {what}, which {ports.path} names"] if signal not in words else []
        if not any(spelling in page.text for spelling in spellings):
            found.append(f"{page.path}: says nothing of `{signal}`")
    return found


def _unlisted(tree: Tree, module: Module, ports: Ports) -> list[str]:
    """What the RTL has and the port list does not."""
    listed = set(ports.names())
    found = [f"{ports.path}: lacks parameter {name} of {module.path}" for name in module.all_parameters
             if ("param", name) not in listed]
    for name in module.ports:
        stem, _, kind = name.rpartition("_")
        if name not in ("clk_i", "rst_ni") and (kind, stem) not in listed:
            found.append(f"{ports.path}: lacks port {name} of {module.path}")
    found += [f"{ports.path}: lacks register {name} of {module.path}" for name in module.registers
              if ("q", name.removesuffix("_q")) not in listed]
    for instance in module.instances():
        if Ports(tree, instance.module).has_state and ("part", instance.name.removeprefix("u_")) not in listed:
            found.append(f"{ports.path}: lacks part {instance.name} of {module.path}, which has registers")
    return found


def differing(tree: Tree) -> list[str]:
    """Names of the port list, the RTL and the page that the others do not know; defaults that differ."""
    found = []
    for block, path in tree.blocks.items():
        ports, page = Ports(tree, block), Page(tree, block)
        if tree.has(ports.path) and tree.has(page.path):
            module = Module(tree, path)
            found += _listed(tree, block, module, ports, page) + _unlisted(tree, module, ports)
    return found
