# SPDX-License-Identifier: Apache-2.0
"""built_from.py: the sources that a build replays as C text on stdout, a sum (tb/formal/subject.py) and their commit. A run writes them down, so
that its verdict can be told from one about the sources that are there now (evidence.py). Run from the repository root."""
from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tb/formal"), str(ROOT / "tb/flow")]
import origin  # noqa: E402
import subject  # noqa: E402
from tools import program  # noqa: E402


def _main() -> int:
    print(f'/* made from RTL and models */\n#include "cli/built_from.h"\n\nconst char built_from_sources[] = {json.dumps(subject.digest_replayed())};\n'
          f"const char built_from_commit[] = {json.dumps(origin.commit())};")
    return 0


if __name__ == "__main__":
    program(_main)
