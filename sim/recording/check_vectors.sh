#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check_vectors.sh DIR: every recording of DIR/MANIFEST.csv is there and has the digest that the
# manifest gives, and there is no recording besides them. The same for DIR/ctas, if it is there, by its SHA256SUMS.
set -euo pipefail

cd "$1"
awk -F, 'NR == 1 { if ($1 != "file" || $NF != "sha256") exit 1; next } { print $NF "  " $1 }' MANIFEST.csv |
    sha256sum --check --strict --quiet
listed=$(awk -F, 'NR > 1' MANIFEST.csv | wc -l)
present=$(find . -maxdepth 1 -name '*.blt' | wc -l)
if [ "$listed" -ne "$present" ]; then
    echo "check_vectors.sh: $1/MANIFEST.csv lists $listed recordings, there are $present" >&2
    exit 1
fi
if [ -f ctas/SHA256SUMS ]; then
    (cd ctas && sha256sum --check --strict --quiet SHA256SUMS)
fi
echo "$listed recordings intact"
