# SPDX-License-Identifier: Apache-2.0
"""Installs what was built: the command with its data, libraries with headers, RTL with lists for other tools, man pages, completion.

  python3 sim/install/install.py --build build/fermi --version 0.1.0 --prefix /usr/local [--destdir DIR]
  python3 sim/install/install.py --uninstall --prefix /usr/local [--destdir DIR]

PREFIX/share/ballast/installed lists every file; --uninstall removes these, and folders that are empty then. Everything is copied to its
place under another name and renamed there, so that a file is the old one or the new one. What an earlier version has put there and this one
has not goes. Run from the repository root.

Exit 0, 1 nothing is installed there, 2 usage, 3 a file cannot be read or written.
"""
from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import rtl_lists
import scoreboards
import tools

HERE = Path(__file__).resolve().parent
LIST = "share/ballast/installed"
CANNOT = 3


@dataclass(frozen=True)
class Item:
    """A file below PREFIX: a copy, a text, or a link."""

    name: str
    source: Path | None = None
    text: str = ""
    link: str = ""
    mode: int = 0o644


# ---- what there is -----------------------------------------------------------------------------------

def tree(root: Path, pattern: str, to: str) -> Iterator[Item]:
    found = sorted(path for path in root.glob(pattern) if path.is_file())
    if not found:
        raise tools.Failure(f"{root}/{pattern}: nothing there to install", status=CANNOT)
    for path in found:
        yield Item(f"{to}/{path.relative_to(root).as_posix()}", path)


def libraries(build: Path, version: str) -> Iterator[Item]:
    major = version.partition(".")[0]
    for name in ("libballast", "libballast_analytic"):
        yield Item(f"lib/{name}.a", build / f"{name}.a")
    for name in ("libballast", "libballast_analytic", "libballast_reference"):
        yield Item(f"lib/{name}.so.{version}", build / f"{name}.so.{version}", mode=0o755)
        yield Item(f"lib/{name}.so.{major}", link=f"{name}.so.{version}")
        yield Item(f"lib/{name}.so", link=f"{name}.so.{major}")


def filled(name: str, prefix: Path, version: str) -> str:
    return (HERE / name).read_text().replace("@PREFIX@", str(prefix)).replace("@VERSION@", version)


def headers() -> Iterator[Item]:
    """As in cmodel; but what a simulator includes, <ballast/client.h>, is where that name leads from PREFIX/include."""
    for pattern in ("*.h", "*/*.h"):
        for item in tree(Path("cmodel"), pattern, "include/ballast"):
            if not item.name.endswith("_private.h"):
                yield Item(item.name.replace("include/ballast/ballast/", "include/ballast/"), item.source)


def for_builds(prefix: Path, version: str) -> Iterator[Item]:
    for name in ("ballast.pc", "ballast_analytic.pc", "ballast_reference.pc"):
        yield Item(f"lib/pkgconfig/{name}", text=filled(f"{name}.in", prefix, version))
    for name in ("BallastConfig.cmake", "BallastConfigVersion.cmake"):
        yield Item(f"lib/cmake/Ballast/{name}", text=filled(f"{name}.in", prefix, version))
    yield from headers()
    yield Item("include/ballast/reference.h", Path("tb/dpi/reference.h"))


def for_benches() -> Iterator[Item]:
    """Scoreboards of all blocks, and what else benches take."""
    for name, text in scoreboards.files().items():
        yield Item(f"share/ballast/sv/{name}", text=text)
    yield Item("share/ballast/python/ballast_reference.py", Path("tb/dpi/ballast_reference.py"))


def man_pages(ballast: Path) -> Iterator[Item]:
    def said(*words: str) -> str:
        return tools.run([ballast.resolve(), "help", *words]).stdout
    yield Item("share/man/man1/ballast.1", text=said("--man"))
    for command in said("--commands").split():
        yield Item(f"share/man/man1/ballast-{command}.1", text=said("--man", command))


def data(version: str) -> Iterator[Item]:
    """Laid out as the source tree, which sim/files/data_dir.h counts on."""
    share = "share/ballast"
    yield from tree(Path("sim/kernels"), "**/*.kernel", f"{share}/sim/kernels")
    yield from tree(Path("vectors"), "**/*", f"{share}/vectors")
    yield from tree(Path("tb/blocks"), "*/view", f"{share}/tb/blocks")
    yield from (item for pattern in ("*.py", "*.toml") for item in tree(Path("sim/sweep"), pattern, f"{share}/sim/sweep")
                if not item.name.rpartition("/")[2].startswith(("test_", "sweep_fixture")))
    yield Item(f"{share}/tb/flow/tools.py", Path("tb/flow/tools.py"))
    yield from tree(Path("tb/skeleton"), "*.in", f"{share}/tb/skeleton")
    yield from (item for pattern in ("**/*.sv", "registers/*.h", "registers/*.rdl") for item in tree(Path("rtl"), pattern, f"{share}/rtl"))
    for name, text in rtl_lists.lists(Path(), version).items():
        yield Item(f"{share}/{name}", text=text)


def everything(build: Path, prefix: Path, version: str) -> list[Item]:
    return [Item("bin/ballast", build / "ballast", mode=0o755), *libraries(build, version), *for_builds(prefix, version),
            *for_benches(), *man_pages(build / "ballast"), *data(version),
            Item("share/bash-completion/completions/ballast", HERE / "ballast.bash"),
            Item("share/zsh/site-functions/_ballast", HERE / "_ballast")]


# ---- to its place ------------------------------------------------------------------------------------

def place(item: Item, root: Path) -> None:
    path = root / item.name
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        if item.link:
            beside.symlink_to(item.link)
        elif item.source:
            shutil.copyfile(item.source, beside)
        else:
            beside.write_text(item.text)
        if not item.link:
            beside.chmod(item.mode)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def listed(root: Path) -> list[str]:
    """What is installed; nothing if nothing is. No name leads out of root."""
    path = root / LIST
    names = path.read_text().splitlines() if path.is_file() else []
    for name in names:
        if name.startswith("/") or ".." in Path(name).parts:
            raise tools.Failure(f"{path}: '{name}' is not below {root}", status=CANNOT)
    return names


def remove(names: list[str], root: Path) -> None:
    folders = set()
    for name in names:
        (root / name).unlink(missing_ok=True)
        folders |= set(Path(name).parents) - {Path()}
    for folder in sorted(folders, key=lambda path: -len(path.parts)):
        if (root / folder).is_dir() and not any((root / folder).iterdir()):
            (root / folder).rmdir()


def install(items: list[Item], root: Path) -> None:
    """The list comes first, with what was there before, so that an install that is cut off can be removed, too."""
    names, before = [item.name for item in items], listed(root)
    place(Item(LIST, text="".join(f"{name}\n" for name in sorted({*names, *before, LIST}))), root)
    for item in items:
        place(item, root)
    remove(sorted(set(before) - {*names, LIST}), root)
    place(Item(LIST, text="".join(f"{name}\n" for name in sorted([*names, LIST]))), root)


def main() -> int:
    parser = tools.Options(prog="install.py", description="Installs what was built, or removes what was installed.")
    parser.add_argument("--build", type=Path, help="where it was built")
    parser.add_argument("--version", help="of what is installed")
    parser.add_argument("--prefix", type=Path, required=True, help="where it goes")
    parser.add_argument("--destdir", default="", help="in front of the prefix, for what packs it")
    parser.add_argument("--uninstall", action="store_true", help="remove what is installed there")
    given = parser.parse_args()
    if not given.prefix.is_absolute():
        raise tools.Failure(f"--prefix: '{given.prefix}' is not absolute")
    if not given.uninstall and not (given.build and given.version):
        raise tools.Failure("--build and --version say what is installed")
    root = Path(f"{given.destdir}{given.prefix}")
    try:
        if given.uninstall:
            names = listed(root)
            remove(names, root)
            print(f"removed {len(names)} files from {root}" if names else f"{root}: nothing of Ballast is installed there")
            return int(not names)
        items = everything(given.build, given.prefix, given.version)
        install(items, root)
        if not given.destdir and os.geteuid() == 0 and shutil.which("ldconfig"):
            tools.run(["ldconfig"])  # so that the loader finds the shared libraries in /usr/local/lib
        print(f"installed {len(items)} files to {root}; 'make uninstall PREFIX={given.prefix}' removes them")
        return 0
    except OSError as error:
        raise tools.Failure(f"{error.filename or root}: {error.strerror}", status=CANNOT) from None


if __name__ == "__main__":
    tools.program(main)
