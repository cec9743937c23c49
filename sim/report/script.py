# SPDX-License-Identifier: Apache-2.0
"""script.py SCRIPT.js: the report's script as C text on stdout, with the SHA-256 by which the page's Content-Security-Policy lets it run, and no other."""
from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from pathlib import Path


def c_text(script: str) -> str:
    """Of ASCII, json's strings are C's."""
    if not script.isascii() or "</" in script or re.search(r"\?\?[=/'()!<>-]", script):
        sys.exit("script.py: the script is to be ASCII, without </ and without what C may take for a trigraph")
    return "\n".join(f"    {json.dumps(line)}" for line in script.splitlines(keepends=True))


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("script.py: name the script")
    script = Path(sys.argv[1]).read_text(encoding="utf-8")
    checksum = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    print(f'/* made of {sys.argv[1]} */\n#include "report/sections.h"\n\nconst char report_script_sum[] = "{checksum}";\n'
          f"const char report_script[] =\n{c_text(script)};")
    return 0


if __name__ == "__main__":
    sys.exit(main())
