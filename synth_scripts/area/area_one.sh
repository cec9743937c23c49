#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# area_one.sh WORK ROW STEM [NAME=VALUE...]: measures one block with these parameters and writes WORK/ROW.json. A job of area.sh,
# area_scaling.sh and area_recipes.sh, which make WORK: facts.json (cells of the liberty, FO4, load) must be there. AREA_LIBERTY
# names the liberty, AREA_ICE40= (empty) leaves out the iCE40, AREA_RECIPES names a folder with other recipes, AREA_LIMIT the
# seconds that a tool may take. Run from the repository root. After a job that failed (WORK/failed) the others end at once, so that
# the first message is the last.
set -euo pipefail
source synth_scripts/synth.sh
source synth_scripts/area/area_lib.sh

# area_recipes.sh's other recipes, one per first word of the row.
[ -z "${AREA_RECIPES:-}" ] || source "$AREA_RECIPES/${2%%.*}.recipe"

work=$1 row=$2 stem=$3
shift 3
at=$work/$row
limit=${AREA_LIMIT:-900}

[ ! -e "$work/failed" ] || exit 1

fail() { # WHAT...
    ! mkdir "$work/failed" 2>/dev/null || echo "${AREA_TTY:+$'\r\e[K'}$area_me: $stem (${row%%.*}): $*" >&2
    exit 1
}

# A tool with its words in a file; no tool may hang. `timeout` makes a group of its own, abc in it, which Ctrl-C does not reach:
# it is told so.
running=
trap '[ -z "$running" ] || kill "$running" 2>/dev/null; exit 1' INT TERM
tool() { # NAME COMMAND...
    local name=$1 status=0
    shift
    timeout "$limit" "$@" >"$at.$name.log" 2>&1 &
    running=$!
    wait "$running" || status=$?
    running=
    case $status in
    0) ;;
    124) fail "$name did not end within $limit s" ;;
    *) fail "$name failed: $(grep -aE 'ERROR|Error' "$at.$name.log" | head -n 1 || tail -n 1 "$at.$name.log")" ;;
    esac
}

{
    synth_read "$stem" "$@"
    synth_map "$stem" "$AREA_LIBERTY"
    echo "tee -q -o $at.cells.json stat -json"
    echo "write_verilog -noattr -noexpr -nohex $at.v"
} >"$at.ys"
tool yosys yosys -q -s "$at.ys"

# A throttle divides and multiplies by counting (T_new, majority, Algorithm 1); what the parameters alone give is no operator.
{
    synth_read "$stem" "$@"
    printf '%s\n' proc flatten opt_expr opt_clean
    echo "tee -q -o $at.operators select -list t:\$mul t:\$div t:\$divfloor t:\$mod t:\$modfloor t:\$pow"
} >"$at.operators.ys"
tool yosys-operators yosys -q -s "$at.operators.ys"
[ ! -s "$at.operators" ] || fail "a multiplier or divider: $(head -n 1 "$at.operators")"

{
    echo "set library $AREA_LIBERTY"
    echo "set netlist $at.v"
    echo "set top $stem"
    echo "set load $(jq .load_pf "$work/facts.json")"
    echo "source synth_scripts/area/area_timing.tcl"
} >"$at.tcl"
tool sta sta -no_splash -exit "$at.tcl"
# OpenSTA goes on after an error, and ends with status 0.
if grep -q '^Error' "$at.sta.log" || ! grep -q '^path ' "$at.sta.log"; then
    fail "sta found no path: $(grep -m 1 -E '^(Error|Warning)' "$at.sta.log" || echo 'it said nothing')"
fi

if [ -n "${AREA_ICE40-yes}" ]; then
    { synth_read "$stem" "$@"; area_ice40 "$stem"; echo "tee -q -o $at.ice40.json stat -json"; } >"$at.ice40.ys"
    tool yosys-ice40 yosys -q -s "$at.ice40.ys"
else
    echo null >"$at.ice40.json"
fi

jq -n --arg stem "$stem" --arg config "${row%%.*}" --arg parameters "$*" --slurpfile facts "$work/facts.json" \
    --slurpfile cells "$at.cells.json" --slurpfile ice40 "$at.ice40.json" --rawfile sta "$at.sta.log" \
    -f synth_scripts/area/area_row.jq >"$at.tmp" 2>"$at.jq.log" || fail "$(sed 's/^jq: error[^:]*: //' "$at.jq.log" | head -n 1)"
mv "$at.tmp" "$at.json"
rm -f "$at.v"
area_progress "$work" "$stem (${row%%.*})"
