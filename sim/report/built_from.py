# SPDX-License-Identifier: Apache-2.0
"""built_from.py: the sources that a build replays as C text on stdout, a sum (tb/formal/subject.py) and their commit. A run writes them down, so
that its verdict can be told from one about the sources that are there now (evidence.py). And the blocks of which it is proved, in each configuration,
that reference model and RTL are equal in every step: what a replay without RTL leans on. Run from the repository root."""
from __future__ import annotations

import json
import re
import sys
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tb/formal"), str(ROOT / "tb/flow")]
import origin  # noqa: E402
import proved  # noqa: E402
import subject  # noqa: E402
from blocks import blocks, parameters, words_of  # noqa: E402
from tools import program  # noqa: E402

PROVED = Path("tb/formal/proved")


def dates(blamed: str) -> dict[str, str]:
    """From git blame --line-porcelain: of each line the day of the commit that wrote it."""
    found, day = {}, ""
    for line in blamed.splitlines():
        if line.startswith("committer-time "):
            day = datetime.fromtimestamp(int(line.split()[1]), timezone.utc).strftime("%Y-%m-%d")
        elif line.startswith("\t"):
            found[line[1:]] = day
    return found


def proofs(listed: Path) -> list[tuple[str, str, str, str, bool]]:
    """Block, its parameters, configuration, the day on which that was recorded ("" if git does not know), and whether the sources are still those."""
    found = proved.read(listed)
    stale, written = {*proved.changed(found)}, dates(origin.git("blame", "--line-porcelain", "--", str(listed)))
    has = {target: {proof for of, proof in found if of == target} for target, _ in found}
    day = {target: written.get(f"{target}\t{proof}", "") for target, proof in found if proved.OF.fullmatch(proof)}
    return [(name, words_of(parameters(block, listed.name)), listed.name, day.get(name, ""), name not in stale)
            for name, block in sorted(blocks().items()) if "step" in has.get(name, ()) and any(re.match("reset: ", proof) for proof in has[name])]


def _main() -> int:
    print(f'/* made from RTL, models and what is proved of them */\n#include <stddef.h>\n\n#include "cli/built_from.h"\n\n'
          f"const char built_from_sources[] = {json.dumps(subject.digest_replayed())};\nconst char built_from_commit[] = {json.dumps(origin.commit())};")
    rows = [row for listed in sorted(PROVED.iterdir()) for row in proofs(listed)]
    print("const built_from_proof built_from_proofs[] = {")
    for *texts, current in rows:
        print(f"    {{{', '.join(json.dumps(text) for text in texts)}, {str(current).lower()}}},")
    print("    {0}};")
    return 0


if __name__ == "__main__":
    program(_main)
