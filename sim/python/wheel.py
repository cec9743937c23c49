# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel of the Python package: its sources, the shared library, and what a wheel says of itself. The same inputs give the same bytes.

  python3 sim/python/wheel.py --library build/fermi/python/libballast_kit.so --version 0.1.0 WHEEL

Run from the repository root.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb" / "flow"))
from tools import program, whole

HERE = Path(__file__).resolve().parent
TIME = (2020, 1, 1, 0, 0, 0)
METADATA = """Metadata-Version: 2.1
Name: ballast
Version: {version}
Summary: Ballast's reference models of GPU throttling blocks, recordings of SM activity, decision logs, replays and the activity simulator
License: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.9
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
Requires-Dist: pandas; extra == "arrays"
"""
WHEEL = """Wheel-Version: 1.0
Generator: sim/python/wheel.py ({version})
Root-Is-Purelib: false
Tag: {tag}
"""


def contents(library: Path, version: str, tag: str) -> dict[str, bytes]:
    """By their names in the wheel."""
    info = f"ballast-{version}.dist-info"
    files = {f"ballast/{path.name}": path.read_bytes() for path in sorted((HERE / "ballast").iterdir()) if path.is_file()}
    files[f"ballast/{library.name}"] = library.read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(version=version, tag=tag).encode()
    files[f"{info}/LICENSE"] = Path("LICENSE").read_bytes()
    rows = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for name, data in files.items()]
    files[f"{info}/RECORD"] = "".join([*rows, f"{info}/RECORD,,\n"]).encode()
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("wheel", type=Path)
    args = parser.parse_args()
    tag = args.wheel.stem.split("-", 2)[2]
    files = contents(args.library, args.version, tag)
    with whole(args.wheel, binary=True) as file, zipfile.ZipFile(file, "w") as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    program(main)
