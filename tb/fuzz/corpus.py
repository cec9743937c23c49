# SPDX-License-Identifier: Apache-2.0
"""The inputs that fuzzing has kept: an archive per block, tb/blocks/X/corpus.tar.xz, and one per reader of files in tb/fuzz/corpus.

An archive has a folder per target, in it the inputs, each named by its SHA-1. The same inputs give the same bytes. A damaged
archive is a Failure; one that is not there yet holds nothing."""
from __future__ import annotations

import hashlib
import io
import lzma
import os
import shutil
import tarfile
from pathlib import Path

from tools import Failure

Inputs = dict[str, bytes]  # by name


def _read(archive: Path) -> dict[str, Inputs]:
    """All inputs by target."""
    found: dict[str, Inputs] = {}
    with tarfile.open(archive, "r:xz") as tar:
        for member in tar:
            target, _, name = member.name.partition("/")
            data = tar.extractfile(member).read() if member.isfile() else b""
            if hashlib.sha1(data).hexdigest() != name or not target.replace("_", "").isalnum():
                raise Failure(f"{archive}: '{member.name}' is not the input that its name says; take the archive from git again")
            found.setdefault(target, {})[name] = data
    return found


def read(archive: Path) -> dict[str, Inputs]:
    if not archive.exists():
        return {}
    try:
        found = _read(archive)
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError) as error:
        raise Failure(f"{archive}: damaged ({error}); take it from git again") from None
    if not found:
        raise Failure(f"{archive}: has no inputs; take it from git again")
    return found


def write(archive: Path, target: str, inputs: Inputs) -> None:
    """Replaces the inputs of a target; other targets' stay. What has not changed is not written."""
    before = read(archive)
    after = {name: kept for name, kept in (before | {target: inputs}).items() if kept}
    if after == before:
        return
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in sorted((f"{folder}/{name}", data) for folder, kept in after.items() for name, data in kept.items()):
            member = tarfile.TarInfo(name)  # no owner, no time
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    archive.parent.mkdir(parents=True, exist_ok=True)
    beside = archive.with_name(f".{archive.name}.{os.getpid()}")
    beside.write_bytes(lzma.compress(packed.getvalue(), preset=9))
    beside.replace(archive)


def unpack(archive: Path, target: str, folder: Path) -> int:
    """The target's inputs as files of a folder that has nothing else; how many."""
    inputs = read(archive).get(target, {})
    beside = folder.with_name(f".{folder.name}.{os.getpid()}")
    beside.mkdir(parents=True)
    for name, data in inputs.items():
        (beside / name).write_bytes(data)
    shutil.rmtree(folder, ignore_errors=True)
    beside.replace(folder)
    return len(inputs)


def inputs_of(files: list[Path]) -> Inputs:
    data = [file.read_bytes() for file in files]
    return {hashlib.sha1(one).hexdigest(): one for one in data}
