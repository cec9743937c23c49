#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# area_scaling.sh [--config CONFIG] [--out DIR] [NAME=VALUE,VALUE...]...: area and longest path of every block that has parameter NAME,
# for each value, the other parameters as in rtl/configs/CONFIG (default fermi). Without NAME=...: warps, CTA slots, width of the
# counts, issue width and SMs. The chip `ballast` is left out: it is SMs and a vote. --out: also DIR/scaling.csv and DIR/scaling.svg.
# doc/use/area.md
set -euo pipefail

area_me=area_scaling.sh
if [ ! -f synth_scripts/synth.sh ] || [ ! -d rtl/configs ]; then
    echo "$area_me: no rtl/configs here; run it from the repository root" >&2
    exit 2
fi
source synth_scripts/synth.sh
source synth_scripts/area/area_lib.sh

config=fermi out= axes=()
while [ $# -gt 0 ]; do
    case $1 in
    --config | --out)
        [ $# -gt 1 ] || area_die "$1 needs a value"
        case $1 in --config) config=$2 ;; --out) out=$2 ;; esac
        shift
        ;;
    -*) area_die "unknown option '$1'; there are --config and --out" ;;
    *)
        [[ $1 =~ ^[A-Za-z]+=[0-9]+(,[0-9]+)*$ ]] || area_die "'$1' is not NAME=VALUE,VALUE..., such as NumWarps=32,48,64"
        axes+=("$1")
        ;;
    esac
    shift
done
[ -f "rtl/configs/$config" ] || area_die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
[ ${#axes[@]} -gt 0 ] || axes=(NumWarps=32,48,64 NumSlots=8,16,32 CountW=16,24,32 IssueWidth=2,4 NumSms=15,28,132)
[ -r "$synth_osu018" ] || area_die "$synth_osu018: no such liberty; 'make setup' installs qflow-tech-osu018"
area_need_tools

blocks_with() { # NAME
    local block
    for block in $(synth_blocks); do
        if [ "$block" != ballast_chip ] && grep -Eq "parameter +int +(unsigned +)?$1\b" "$(synth_file "$block")"; then echo "$block"; fi
    done
}

params_with() { # STEM NAME VALUE: the configuration's, with this one
    { synth_params "$1" "$config" | tr ' ' '\n' | grep -v "^$2=" || true; echo "$2=$3"; } | sort | xargs
}

work=$(mktemp -d)
export TMPDIR=$work # of Yosys and abc, too
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export AREA_LIBERTY=$synth_osu018 AREA_ICE40=
area_facts "$AREA_LIBERTY" "$work"

# Lines "NAME VALUE BLOCK ROW"; a point that lies on several axes is one row, measured once.
: >"$work/points"
: >"$work/all"
for axis in "${axes[@]}"; do
    name=${axis%%=*}
    blocks=$(blocks_with "$name")
    [ -n "$blocks" ] || area_die "no block has a parameter $name"
    for value in $(tr ',' ' ' <<<"${axis#*=}"); do
        for block in $blocks; do
            params=$(params_with "$block" "$name" "$value")
            row=$(tr ' =' '_-' <<<"$params").$block
            echo "$name $value $block $row" >>"$work/points"
            echo "$row $block $params" >>"$work/all"
        done
    done
done
{ grep ' sm_governor ' "$work/all" || true; grep -v ' sm_governor ' "$work/all" || true; } | awk '!seen[$1]++' >"$work/jobs"
area_run_jobs "$work"

while read -r name value block row; do
    jq -c --arg name "$name" --argjson value "$value" '{name: $name, value: $value} + .' "$work/$row.json"
done <"$work/points" | jq -s . >"$work/rows.json"

echo "$config: $(xargs <"rtl/configs/$config"); one parameter at a time"
jq -r -L synth_scripts 'include "area_words";
    . as $rows | ([.[].name] | reduce .[] as $n ([]; if index([$n]) then . else . + [$n] end))[] as $name
    | [$rows[] | select(.name == $name)] as $axis
    | "", "\($axis[0].name | fill(11)) \("block" | fill(17)) \("FF" | pad(6)) \("cells" | pad(6)) \("NAND2" | pad(7)) "
        + "\("depth" | pad(6)) \("ns" | pad(7)) \("FO4" | pad(6))  longest path",
    ($axis | sort_by([.block, .value])[]
        | "\(.value | pad(10))  \(.block | fill(17)) \(.flip_flops | pad(6)) \(.cells | pad(6)) \(.nand2 | pad(7)) "
          + "\(.depth | pad(6)) \(.ns | fixed(2) | pad(7)) \(.fo4 | fixed(1) | pad(6))  \(.kind) \(.start) -> \(.end)")' \
    "$work/rows.json"

write_files() { # DIR
    mkdir -p "$1"
    jq -r '["name", "value", "block", "parameters", "flip_flops", "cells", "nand2", "area_um2", "depth", "ns", "fo4", "kind", "start", "end"] as $h
        | $h, (.[] | [.[$h[]]]) | @csv' "$work/rows.json" >"$1/scaling.csv.tmp"
    # A data set per curve, its name "NAME:BLOCK"; gnuplot finds it by that.
    jq -r 'group_by([.name, .block])[] | "# \(.[0].name):\(.[0].block)", (sort_by(.value)[] | "\(.value) \(.nand2) \(.fo4)"), "", ""' \
        "$work/rows.json" >"$work/plot.dat"
    local names curves blocks
    names=$(printf '%s\n' "${axes[@]%%=*}" | awk '!seen[$0]++' | xargs)
    curves=$(jq -r '[.[] | "\(.name):\(.block)"] | unique | join(" ")' "$work/rows.json")
    blocks=$(jq -r '[.[].block] | unique | map(select(. == "sm_governor")) + map(select(. != "sm_governor")) | join(" ")' \
        "$work/rows.json")
    gnuplot -e "data='$work/plot.dat'; output='$1/scaling.svg.tmp'; names='$names'; curves='$curves'; blocks='$blocks'" \
        synth_scripts/area/area_scaling.gp 2>"$work/gnuplot.log" ||
        area_die "the picture cannot be drawn: $(grep -m 1 -v '^ *$' "$work/gnuplot.log")"
    for file in csv svg; do mv "$1/scaling.$file.tmp" "$1/scaling.$file"; done
    printf '\n%s\n' "written: $1/scaling.csv, $1/scaling.svg"
}
[ -z "$out" ] || write_files "$out"
