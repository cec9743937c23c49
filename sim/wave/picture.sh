#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# picture.sh SAVE.gtkw OUT.png: what GTKWave shows for a save file, as a picture. Needs no display.
set -euo pipefail

die() { echo "picture.sh: $*" >&2; exit 1; }

[ $# -eq 2 ] || { echo "usage: picture.sh SAVE.gtkw OUT.png" >&2; exit 2; }
save=$1
picture=$2
seconds=${PICTURE_TIMEOUT:-60}

[ -r "$save" ] || die "$save: cannot be read; 'make run' writes save files"
case $picture in *.png) ;; *) die "$picture: the picture is a PNG file, name it so" ;; esac
[ -d "$(dirname "$picture")" ] || die "$(dirname "$picture"): no such directory; make it first"
for tool in Xvfb gtkwave import; do
    command -v "$tool" >/dev/null || die "$tool is missing; 'make setup' installs it"
done
dump=$(sed -n 's/^\[dumpfile\] "\(.*\)"$/\1/p' "$save" | head -n 1)
[ -n "$dump" ] || die "$save: names no waveform ([dumpfile]); take one that 'make run' wrote"
case $dump in /*) ;; *) dump=$(dirname "$save")/$dump ;; esac
[ -r "$dump" ] || die "$save: its waveform $dump cannot be read; write it again with 'make run'"
read -r width height < <(sed -n 's/^\[size\] \([0-9]*\) \([0-9]*\)$/\1 \2/p' "$save" | head -n 1) || true

work=$(mktemp -d)
started=()
cleanup() {
    local pid
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# The server picks a free display and says which.
mkfifo "$work/display"
Xvfb -displayfd 7 -screen 0 "${width:-1600}x${height:-1000}x24" -nolisten tcp 7<>"$work/display" >"$work/xvfb.log" 2>&1 &
started+=($!)
read -r -t 20 number <"$work/display" || die "Xvfb does not start: $(tail -n 1 "$work/xvfb.log")"
export DISPLAY=:$number

# No settings but GTKWave's own, and no folder in its title: a picture looks alike everywhere.
HOME=$work GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1 env -C "$(dirname "$dump")" \
    gtkwave --rcvar 'splash_disable on' --rcvar 'scale_to_time_dimension n' "$(basename "$dump")" "$(realpath "$save")" >"$work/gtkwave.log" 2>&1 &
viewer=$!
started+=("$viewer")

# Ready when there is something to see and two looks in a row see the same.
end=$((SECONDS + seconds))
last=
while :; do
    sleep 0.5
    kill -0 "$viewer" 2>/dev/null || die "GTKWave ended: $(tail -n 1 "$work/gtkwave.log")"
    [ "$SECONDS" -lt "$end" ] || die "GTKWave shows nothing steady within $seconds s; PICTURE_TIMEOUT=SECONDS allows more"
    import -silent -window root -depth 8 "$work/look.png" 2>/dev/null || continue
    look=$(identify -format '%# %k' "$work/look.png")
    if [ "${look##* }" -gt 16 ] && [ "$look" = "$last" ]; then break; fi
    last=$look
done
import -silent -window root -depth 8 -strip PNG8:"$work/look.png"
mv "$work/look.png" "$picture"
echo "$picture"
