#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pictures.sh BALLAST DIR [BLOCK...]: the pictures DIR/<block>_waveform.png of pictures.csv: each block's view of a replay
# made for it. Without BLOCKs all of them.
set -euo pipefail

die() { echo "pictures.sh: $*" >&2; exit 1; }

[ $# -ge 2 ] || { echo "usage: pictures.sh BALLAST DIR [BLOCK...]" >&2; exit 2; }
ballast=$1
dir=$2
shift 2
here=$(dirname "$0")
table=$here/pictures.csv
most=60000 # bytes: they are in the repository

[ -d "$dir" ] || die "$dir: no such directory"
for block in "$@"; do
    grep -q "^$block," "$table" || die "$table has no block '$block'"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

while IFS=, read -r block recordings last; do
    [ "$block" != block ] || continue
    if [ $# -gt 0 ] && [[ " $* " != *" $block "* ]]; then continue; fi
    # shellcheck disable=SC2086
    view=$("$ballast" waves --views "$here/../../tb/blocks" --out "$work" ${last:+--max-cycles "$last"} "$block" $recordings </dev/null)
    "$here/picture.sh" "$view" "$work/$block.png" >/dev/null </dev/null
    size=$(stat -c %s "$work/$block.png")
    [ "$size" -le "$most" ] || die "${block}_waveform.png would have $size bytes, more than $most"
    mv "$work/$block.png" "$dir/${block}_waveform.png"
    echo "$dir/${block}_waveform.png"
done <"$table"
