# SPDX-License-Identifier: Apache-2.0
"""setup.sh on systems that are not here: what each target asks for, and what it says when the system has it not; where fst.sh finds a writer.

The packages are a list of three, apt-get and apt-cache are scripts. Run from the repository root, without arguments. Prints a line per
failure and "N passed, N failed"; exit status 1 if one failed.
"""
from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
TOOLS = ("bash", "dirname", "id", "flock", "mktemp", "rm", "tail", "find", "env", "touch", "chmod")
WRITER = ("fstapi.c", "fstapi.h", "fastlz.c", "fastlz.h", "lz4.c", "lz4.h")
PACKAGES = """\
compiler            compiler   -  all       everything
simulator           simulator  -  build     RTL
old-solver|solver   old|solver -  area,test logic
cells               /{root}/cells/*.lib -  area,test cells
"""
# apt-get install makes the command of that name; the package of cells has a file.
APT_GET = """\
echo "$*" >>$ROOT/asked
case "$*" in *update*) [ -z "$BROKEN" ] || { echo 'E: no network'; exit 100; }; touch $ROOT/lists/x_Packages; exit 0 ;; esac
for word; do case $word in
  cells) touch $ROOT/cells/a.lib ;;
  compiler | simulator | solver | old) [ -n "$FORGET" ] || { echo 'exit 0' >$ROOT/bin/$word; chmod +x $ROOT/bin/$word; } ;;
esac; done
"""
APT_CACHE = 'case " $OFFERED " in *" $2 "*) printf "  Candidate: 1.0\\n" ;; *) printf "  Candidate: (none)\\n" ;; esac\n'

ALL = "compiler simulator solver cells g++"
# name, arguments, what the system offers, exit status, what is said, what is installed
CASES = (
    ("a target asks for what it needs", "--quiet run", ALL, 0, "setup: installing compiler simulator", {"compiler", "simulator"}),
    ("a library needs no simulator", "--quiet lib", ALL, 0, "setup: installing compiler\n", {"compiler"}),
    ("the second choice", "--quiet area", ALL, 0, "installing compiler simulator solver cells", {"compiler", "simulator", "solver", "cells"}),
    ("what follows a dash is the same target", "--quiet area-update", ALL, 0, "solver cells", {"compiler", "simulator", "solver", "cells"}),
    ("all of it", "", ALL, 0, "installing compiler simulator solver cells", {"compiler", "simulator", "solver", "cells"}),
    ("a target that needs what is not offered", "--quiet area", "compiler simulator g++", 1,
     "setup.sh: this system has no package old-solver or solver, cells, which 'make area' needs", set()),
    ("tests go on without", "--quiet test", "compiler simulator solver g++", 0,
     "setup: this system has no package cells: what needs it does not run", {"compiler", "simulator", "solver"}),
    ("an installation that does nothing", "--quiet run FORGET", ALL, 1, "but compiler simulator still cannot be found", set()),
    ("no network", "--quiet run BROKEN", "compiler", 1, "'apt-get update' failed", set()),
)


def system(root: Path) -> dict[str, str]:
    """A system with the tools of TOOLS alone."""
    for folder in ("bin", "env", "cells", "lists"):
        (root / folder).mkdir()
    for tool in TOOLS:
        (root / "bin" / tool).symlink_to(shutil.which(tool) or tool)
    for name, text in (("apt-get", APT_GET), ("apt-cache", APT_CACHE), ("sudo", '[ "$1" != -n ] || shift; exec "$@"\n')):
        (root / "bin" / name).write_text(f"#!/bin/bash\n{text}")
        (root / "bin" / name).chmod(0o755)
    for script in ("setup.sh", "tools.sh"):
        shutil.copy(HERE / script, root / "env")
    (root / "env/packages").write_text(PACKAGES.replace("/{root}", str(root)))
    return {"PATH": str(root / "bin"), "ROOT": str(root), "TMPDIR": str(root), "BALLAST_APT_LISTS": str(root / "lists")}


def wrong(arguments: str, offered: str, status: int, said: str, installed: set[str]) -> str:
    """What is not as it should be, or nothing."""
    words = [word for word in arguments.split() if not word.isupper()]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        variables = system(root) | {"OFFERED": offered} | {word: "1" for word in arguments.split() if word.isupper()}
        first = subprocess.run([root / "env/setup.sh", *words], env=variables, capture_output=True, text=True, check=False)
        found = {name for name in ("compiler", "simulator", "solver", "old") if (root / "bin" / name).exists()}
        found |= {"cells"} if any((root / "cells").iterdir()) else set()
        text = first.stdout + first.stderr
        if first.returncode != status or said not in text or found != installed:
            return f"exit status {first.returncode}, installed {sorted(found)}, said: {text.strip()}"
        if status:
            return ""
        asked = (root / "asked").read_text()
        again = subprocess.run([root / "env/setup.sh", *words], env=variables, capture_output=True, text=True, check=False)
        quiet = again.returncode == 0 and "installing" not in again.stdout and (root / "asked").read_text() == asked
        return "" if quiet else f"the second time: exit status {again.returncode}, {again.stdout}{again.stderr}"


# name, folders with the parts of the writer that they lack, where the variables point, the folder that is taken or what is said
WRITERS = (
    ("Verilator's own", {"new": (), "old": ()}, {"VERILATOR_ROOT": "new", "DEBIAN_VERILATOR": "old"}, "new/include/gtkwave\n"),
    ("Debian's, where a newer one brings none", {"old": ()}, {"VERILATOR_ROOT": "new", "DEBIAN_VERILATOR": "old"}, "old/include/gtkwave\n"),
    *((f"none without {part}", {"new": (part,), "old": ()}, {"VERILATOR_ROOT": "new", "DEBIAN_VERILATOR": "old"}, "old/include/gtkwave\n")
      for part in WRITER),
    ("the one that is asked for", {"new": (), "other": ()}, {"VERILATOR_ROOT": "new", "FST": "other/include/gtkwave"}, "other/include/gtkwave\n"),
    ("the one that is asked for is half", {"new": (), "other": ("lz4.c",)}, {"VERILATOR_ROOT": "new", "FST": "other/include/gtkwave"}, "has no lz4.c"),
    ("none", {}, {"VERILATOR_ROOT": "new", "DEBIAN_VERILATOR": "old"}, "fst.sh: no FST writer in "),
)


def wrong_writer(lacking: dict[str, tuple[str, ...]], variables: dict[str, str], said: str) -> str:
    """What is not as it should be, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for name, parts in lacking.items():
            (Path(folder) / name / "include/gtkwave").mkdir(parents=True)
            for part in set(WRITER) - set(parts):
                (Path(folder) / name / "include/gtkwave" / part).touch()
        env = {"PATH": "/usr/bin:/bin"} | {name: f"{folder}/{value}" for name, value in variables.items()}
        run = subprocess.run([HERE / "fst.sh"], env=env, capture_output=True, text=True, check=False)
        found = said.endswith("\n")
        right = run.stdout == f"{folder}/{said}" and not run.stderr if found else said in run.stderr and not run.stdout
        return "" if right and run.returncode == (0 if found else 2) else f"exit status {run.returncode}, {run.stdout}{run.stderr}"


def main() -> int:
    failures = 0
    tried = [(name, wrong(*case)) for name, *case in CASES] + [(f"FST writer: {name}", wrong_writer(*case)) for name, *case in WRITERS]
    for name, said in tried:
        failures += bool(said)
        if said:
            print(f"FAIL  {name}: {said}")
    print(f"{len(tried) - failures} passed, {failures} failed")
    return int(failures != 0)


if __name__ == "__main__":
    sys.exit(main())
