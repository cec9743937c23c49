#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# picture.sh [--dark] [--width N] [--height N] [--at ID] REPORT.html OUT.png: what a browser shows of a report, from the top
# or of the section with that id (k0: the first kernel). doc/use/report.png:
#   sim/report/picture.sh --height 1240 --at k7 build/run/report.html doc/use/report.png
set -euo pipefail

die() { echo "picture.sh: $1" >&2; exit "${2:-1}"; }

scheme=1 width=1200 height=1600 at=''
while [ $# -gt 0 ]; do
    case $1 in
    --dark) scheme=0; shift ;;
    --width | --height | --at)
        [ $# -ge 2 ] || die "$1 needs a value" 2
        declare "${1#--}=$2"
        shift 2
        ;;
    -*) die "unknown option $1; usage: picture.sh [--dark] [--width N] [--height N] [--at ID] REPORT.html OUT.png" 2 ;;
    *) break ;;
    esac
done
[ $# -eq 2 ] || die "usage: picture.sh [--dark] [--width N] [--height N] [--at ID] REPORT.html OUT.png" 2
[[ $width$height =~ ^[0-9]+$ ]] || die "--width and --height are numbers of pixels" 2
[ -r "$1" ] || die "$1: cannot be read; 'make run' writes it"
case $2 in *.png) ;; *) die "$2: the picture is a PNG file, name it so" 2 ;; esac
[ -z "$at" ] || grep -qE "<section( class=\"[a-z]+\")? id=\"$at\"" "$1" || die "$1: has no section with the id $at"
command -v chromium >/dev/null || die "chromium is missing; 'make setup' installs it"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Headless, a browser does not scroll to a section: the others go from a copy.
{ cat "$1"; [ -z "$at" ] || echo "<style>header,main>:not(#$at){display:none}</style>"; } >"$work/report.html"
timeout "${PICTURE_TIMEOUT:-60}" chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
    --no-first-run --user-data-dir="$work/profile" --blink-settings=preferredColorScheme=$scheme \
    --window-size="$width,$height" --screenshot="$work/picture.png" "file://$work/report.html" >"$work/log" 2>&1 ||
    die "$1: chromium failed: $(tail -n 1 "$work/log")"
[ -s "$work/picture.png" ] || die "$1: chromium made no picture: $(tail -n 1 "$work/log")"
cp "$work/picture.png" "$2.tmp"
mv "$2.tmp" "$2"
