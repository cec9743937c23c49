#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pictures.sh BALLAST DIR [BLOCK...]: the pictures DIR/<block>_waveform.png: each block's view of the replay that its line "picture
# [RECORDINGS [CYCLES]]" names. Without BLOCKs all of them.
set -euo pipefail

die() { echo "pictures.sh: $*" >&2; exit 1; }

[ $# -ge 2 ] || { echo "usage: pictures.sh BALLAST DIR [BLOCK...]" >&2; exit 2; }
ballast=$1
dir=$2
shift 2
here=$(dirname "$0")
views=$here/../../tb/blocks
most=60000 # bytes: they are in the repository

[ -d "$dir" ] || die "$dir: no such directory"
if [ $# -eq 0 ]; then
    mapfile -t pictured < <(grep -l '^picture\>' "$views"/*/view | xargs -n 1 dirname | xargs -n 1 basename)
    set -- "${pictured[@]}"
fi
for block in "$@"; do
    grep -qs '^picture\>' "$views/$block/view" || die "$views/$block/view has no line 'picture [RECORDINGS [CYCLES]]'"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

for block in "$@"; do
    read -r _ recordings last < <(grep '^picture\>' "$views/$block/view")
    # shellcheck disable=SC2086
    view=$("$ballast" waves --views "$views" --out "$work" ${last:+--max-cycles "$last"} "$block" $recordings </dev/null)
    "$here/picture.sh" "$view" "$work/$block.png" >/dev/null </dev/null
    size=$(stat -c %s "$work/$block.png")
    [ "$size" -le "$most" ] || die "${block}_waveform.png would have $size bytes, more than $most"
    mv "$work/$block.png" "$dir/${block}_waveform.png"
    echo "$dir/${block}_waveform.png"
done
