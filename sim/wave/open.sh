#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# open.sh SAVE.gtkw: opens a GTKWave save file; without a display it says how to get a picture.
set -euo pipefail

die() { echo "open.sh: $*" >&2; exit 1; }

[ $# -eq 1 ] || { echo "usage: open.sh SAVE.gtkw" >&2; exit 2; }
[ -r "$1" ] || die "$1: cannot be read; 'make run' writes save files"
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    printf 'No display here. A picture: %s/picture.sh %q %q\n' "$(dirname "$0")" "$1" "${1%.gtkw}.png"
    exit 0
fi
command -v gtkwave >/dev/null || die "gtkwave is missing; 'make setup' installs it"
echo "gtkwave $1"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
gtkwave --rcvar 'splash_disable on' --rcvar 'scale_to_time_dimension n' "$1" >"$log" 2>&1 || status=$?
# It ends with status 0 here, too.
! grep -q 'Could not initialize GTK' "$log" ||
    die "GTKWave cannot use the display '${DISPLAY:-$WAYLAND_DISPLAY}'; a picture needs none: $(dirname "$0")/picture.sh $1 ${1%.gtkw}.png"
[ $status -eq 0 ] || die "GTKWave ended with status $status: $(grep -v '^$' "$log" | tail -n 1)"
