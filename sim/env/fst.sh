#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fst.sh: prints the folder of GTKWave's FST writer in C (fstapi.c and what it includes), with which waveforms are written. Verilator
# brings it, from some version after 5.038 on no more. Then that of Debian's Verilator beside it is taken.
# FST=DIR in the environment names the folder instead. VERILATOR_ROOT is the Verilator in use (default: the command says), DEBIAN_VERILATOR
# where Debian puts its own (default /usr/share/verilator).
#
# Exit 2 when there is none. Makefiles and lint ask this script and look nowhere else.
set -euo pipefail

die() { echo "fst.sh: $*" >&2; exit 2; }

PARTS=(fstapi.c fstapi.h fastlz.c fastlz.h lz4.c lz4.h)
lacks() { # FOLDER: prints the first part that is not there
    for part in "${PARTS[@]}"; do
        [ -f "$1/$part" ] || { echo "$part"; return; }
    done
}

if [ -n "${FST:-}" ]; then
    part=$(lacks "$FST")
    [ -z "$part" ] || die "FST=$FST has no $part"
    echo "$FST"
    exit 0
fi
root=${VERILATOR_ROOT:-$(verilator --getenv VERILATOR_ROOT 2>/dev/null || true)}
for folder in ${root:+"$root/include/gtkwave"} "${DEBIAN_VERILATOR:-/usr/share/verilator}/include/gtkwave"; do
    [ -z "$(lacks "$folder")" ] || continue
    echo "$folder"
    exit 0
done
die "no FST writer in ${root:-Verilator}/include/gtkwave; install Debian's package verilator beside it, or name a folder with fstapi.c: FST=DIR"
