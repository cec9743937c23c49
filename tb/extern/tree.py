# SPDX-License-Identifier: Apache-2.0
"""The tree in which blocks of somebody else's folder are built and verified: a copy of this repository's files, and theirs among them.

  python3 tb/extern/tree.py FOLDER CONFIG

FOLDER has blocks as `ballast new-block` writes them outside of the repository. The tree is FOLDER/build/tree. Each time it is made to be what
both sides say: what has changed is copied, what is gone is removed. A new one takes over what the repository has built. Prints the tree's path.
Nothing is written in the repository. Run from its root.

Errors are tools.Failure: one line, exit status 2.
"""
from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
import tools
from chips import configurations

# What of FOLDER is a block's: the rooms of CONTRIBUTING.md's table.
ROOMS = ("rtl/sm", "rtl/chip", "rtl/registers", "cmodel/sm", "cmodel/chip", "tb/blocks", "doc/blocks")
NOT_OURS = {"build", ".git", ".github", "__pycache__"}
# What a configuration's build has that does not name the tree it is in; the rest is made anew.
BUILT = ("opt", "san", "rtl", "verilator", "command", "formal")


def files_below(root: Path, leave: set[str]) -> dict[str, Path]:
    """By their names from root on."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - leave)
        for name in names:
            path = Path(folder, name)
            if path.is_file():
                found[path.relative_to(root).as_posix()] = path
    return found


def theirs(folder: Path) -> dict[str, Path]:
    found = {}
    for room in ROOMS:
        found |= {f"{room}/{name}": path for name, path in files_below(folder / room, {"__pycache__"}).items()}
    return found


def check(folder: Path, ours: dict[str, Path], own: dict[str, Path]) -> None:
    """Whether the two sides go together."""
    here = Path.cwd().resolve()
    if folder == here or here in folder.parents or folder in here.parents:
        raise tools.Failure(f"EXTERN={folder}: the folder must be outside of the repository, and not around it")
    if " " in str(folder):
        raise tools.Failure(f"EXTERN={folder}: make takes no path with a space in it")
    if not any(name.startswith("tb/blocks/") for name in own):
        raise tools.Failure(f"EXTERN={folder}: there is no block in it; 'ballast new-block NAME' makes one, run in that folder")
    both = sorted(ours.keys() & own.keys())
    if both:
        raise tools.Failure(f"EXTERN={folder}: {both[0]} is a file of Ballast, too; a block needs a name of its own")


def is_same(path: Path, copy: Path) -> bool:
    try:
        there = copy.stat()
    except FileNotFoundError:
        return False
    here = path.stat()
    return (here.st_size, here.st_mtime_ns, here.st_mode & 0o777 | 0o200) == (there.st_size, there.st_mtime_ns, there.st_mode & 0o777)


def place(path: Path, copy: Path) -> None:
    """Whole or not at all, with the same time, which make goes by. It can be written, unlike what may be a repository that cannot."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    beside = copy.with_name(f".{copy.name}.{os.getpid()}")
    try:
        shutil.copy2(path, beside)
        beside.chmod(path.stat().st_mode & 0o777 | 0o200)
        beside.replace(copy)
    finally:
        beside.unlink(missing_ok=True)


def bring_up(tree: Path, wanted: dict[str, Path]) -> None:
    for name, path in wanted.items():
        if not is_same(path, tree / name):
            place(path, tree / name)
    for name, path in files_below(tree, {"build", "__pycache__"}).items():
        if name not in wanted:
            path.unlink()


def take_over(tree: Path, config: str) -> None:
    """What the repository has built already: the same sources, with the same times."""
    built = Path("build", config)
    if (tree / "build").exists() or not built.is_dir():
        return
    (tree / built).mkdir(parents=True)
    for path in (Path("build/chips"), Path("build/opt"), *(built / name for name in BUILT)):
        if path.exists():
            tools.run(["cp", "-a", path, tree / path.parent])


def main() -> int:
    if len(sys.argv) != 3:
        raise tools.Failure("usage: python3 tb/extern/tree.py FOLDER CONFIG")
    folder, config = Path(sys.argv[1]).resolve(), sys.argv[2]
    if not folder.is_dir():
        raise tools.Failure(f"EXTERN={sys.argv[1]}: there is no such folder")
    if config not in configurations():
        raise tools.Failure(f"there is no configuration '{config}'; rtl/configs has {' '.join(configurations())}")
    ours, own = files_below(Path(), NOT_OURS), theirs(folder)
    check(folder, ours, own)
    tree, link = folder / "build/tree", folder / "build" / config
    try:
        bring_up(tree, ours | own)
        take_over(tree, config)
        if not link.is_symlink():
            link.symlink_to(f"tree/build/{config}")
    except OSError as error:
        raise tools.Failure(f"{error.filename or tree}: {error.strerror}") from None
    print(tree)
    return 0


if __name__ == "__main__":
    tools.program(main)
