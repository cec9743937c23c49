#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# waves.sh BALLAST OUT: what 'make waves' does. From the environment:
#   BLOCK    block to show
#   TRACE    recordings to replay: one, or a family in quotes ("vectors/pathlong.n*.blt"); none: what 'make run' left in OUT
#   FAMILY   without TRACE: a family of that run (perfsat, stall_classifier)
#   LAUNCH   with a family in TRACE: this kernel launch instead of the longest
#   FROM TO  with TRACE: only these cycles of the run; the cycles before are played, but not written, and the run ends after them
#   WAVES    where what is replayed goes (build/waves)
#   PNG      a picture instead of a window
set -euo pipefail

die() { echo "make waves: $*" >&2; exit 1; }

[ $# -eq 2 ] || { echo "usage: waves.sh BALLAST OUT" >&2; exit 2; }
ballast=$1
out=$2
here=$(dirname "$0")
block=${BLOCK:-perfsat}
views=$here/../../tb/blocks

[ -r "$views/$block/view" ] || die "no block '$block'; blocks: $(ls "$views" | xargs)"
if [ -z "${TRACE:-}" ]; then
    [ -z "${LAUNCH:-}" ] || die "LAUNCH is one of a recording: name it, e.g. TRACE=\"vectors/bfs.n*.blt\""
    [ -z "${FROM:-}${TO:-}" ] || die "FROM and TO are cycles of a recording: name it, e.g. TRACE=vectors/pathfinder.n3.blt"
    save=$out/${FAMILY:+$FAMILY.}$block.gtkw
    [ -r "$save" ] || die "$save is not there; 'make run' writes the views (OUT=DIR where), or name a recording with TRACE="
else
    [ -z "${FAMILY:-}" ] || die "FAMILY is of the last 'make run'; with TRACE name its recordings: TRACE=\"vectors/$FAMILY.n*.blt\""
    for bound in "FROM=${FROM:-0}" "TO=${TO:-0}"; do
        [[ ${bound#*=} =~ ^[0-9]+$ ]] || die "$bound is no cycle; write a number from 0"
    done
    # Words and patterns, as on a command line.
    # shellcheck disable=SC2206
    recordings=($TRACE)
    for recording in "${recordings[@]}"; do
        [ -r "$recording" ] || die "$recording: no such recording"
    done
    said=$("$ballast" waves --views "$views" --out "${WAVES:-build/waves}" ${LAUNCH:+--launch "$LAUNCH"} ${FROM:+--wave-from "$FROM"} ${TO:+--wave-to "$TO"} \
        "$block" "${recordings[@]}") || { status=$?; [ -z "$said" ] || echo "$said"; exit $status; }
    save=${said##*$'\n'}
fi
if [ -n "${PNG:-}" ]; then exec "$here/picture.sh" "$save" "$PNG"; fi
exec "$here/open.sh" "$save"
