# SPDX-License-Identifier: Apache-2.0
"""Runs make targets of the committed tree on bare systems: for each a chroot with make and git alone, made by debootstrap.

  python3 sim/env/portability.py [--systems bookworm,trixie] [TARGET...]        (default: run; as root)

The systems are kept in build/portability/SYSTEM.tar; each run begins with a fresh copy. What each target said goes into
build/portability/SYSTEM.TARGET.log. Exit status 0 all targets passed on all systems, 1 some did not, 2 it could not be tried.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import tools
from tools import Failure

OUT = Path("build/portability")
NAMES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
MIRROR = "http://deb.debian.org/debian"
HOURS = 2
# Mounts are those of this process alone: they go with it, however it ends.
INSIDE = """\
mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --make-rslave "$1/dev" &&
exec chroot "$1" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin make -C /root/ballast "$2"
"""


def bare(system: str) -> Path:
    """The archive of a bare system."""
    archive, made = OUT / f"{system}.tar", OUT / f"{system}.new"
    if archive.is_file():
        return archive
    print(f"portability: {system}: debootstrap", flush=True)
    shutil.rmtree(made, ignore_errors=True)
    tools.run(["debootstrap", "--variant=minbase", "--include=make,git,ca-certificates", system, made, MIRROR],
              log=OUT / f"{system}.debootstrap.log")
    tools.run(["tar", "-C", made, "-cf", f"{archive}.new", "."])
    Path(f"{archive}.new").replace(archive)
    shutil.rmtree(made)
    return archive


def fresh(system: str) -> Path:
    """A copy of the bare system with a clone of the committed tree."""
    archive, root = bare(system), OUT / system
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    tools.run(["tar", "-C", root, "-xf", archive])
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    tools.run(["git", "clone", "-q", "--no-local", ".", root / "root/ballast"])
    return root


def attempt(system: str, root: Path, target: str) -> str:
    """How a target ended."""
    log, start = OUT / f"{system}.{target}.log", time.monotonic()
    try:
        said = tools.run(["unshare", "--mount", "sh", "-c", INSIDE, "sh", root.resolve(), target], log=log, seconds=HOURS * 3600).stdout
        ended = "passed"
    except tools.ToolFailed as failure:
        said, ended = failure.output, f"failed: {failure}"
    last = next((line for line in reversed(said.splitlines()) if " passed, " in line), "no summary")
    return f"{ended}, {time.monotonic() - start:.0f} s: {last.strip()}"


def main() -> int:
    parser = tools.Options(prog="portability.py", description="Runs make targets of the committed tree on bare systems.",
                           formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--systems", default=",".join(NAMES), help="releases of Debian")
    parser.add_argument("target", nargs="*", default=["run"])
    given = parser.parse_args()
    if os.getuid() != 0:
        raise Failure("portability.py: a chroot needs root")
    tools.need("debootstrap", "unshare", "chroot", "tar", "git")
    tools.hold(OUT)
    ends = []
    for system in re.split("[ ,]+", given.systems.strip()):
        root = fresh(system)
        for target in given.target:
            ends.append(attempt(system, root, target))
            print(f"{NAMES.get(system, system)}: make {target}: {ends[-1]}", flush=True)
        shutil.rmtree(root)
    return int(not ends or not all(end.startswith("passed,") for end in ends))


if __name__ == "__main__":
    tools.program(main)
