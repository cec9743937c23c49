#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# area.sh [--block STEM]... [--out DIR] [--library osu018|osu035|FILE] [--update] [CONFIG...]: what every block costs, in the named
# configurations of rtl/configs (default: all): flip-flops, cells, area, LUTs, longest path. Prints a table and compares with
# synth_scripts/area/area_baseline.json. doc/use/area.md
#
#   --block    only this block; may be repeated. The chip `ballast` is measured with one SM.
#   --out      also DIR/area.csv, DIR/area.json and DIR/area.svg
#   --library  another liberty than osu018: nothing is compared
#   --update   rewrites the baseline, with all blocks in all configurations
#
# Status: 0, also if the baseline is stale (other tools or parameters than recorded); 1 if a block is worse or not in the baseline,
# or a claim does not hold; 2 if it could not be measured.
set -euo pipefail

if [ ! -f synth_scripts/synth.sh ] || [ ! -d rtl/configs ]; then
    echo "area.sh: no rtl/configs here; run it from the repository root" >&2
    exit 2
fi
source synth_scripts/synth.sh
source synth_scripts/area/area_lib.sh

baseline=synth_scripts/area/area_baseline.json
# What a paper says a block has: configuration, block, flip-flops, rule, words.
claims=("fermi eq_counters 56 EQ-5 4 counters of 11 bits and one of 12")
# All policies together may be that much of the SM's storage bits, each counted as a flip-flop of the same library.
overhead_percent=1

blocks=() configs=() out= library=osu018 update=
while [ $# -gt 0 ]; do
    case $1 in
    --block | --out | --library)
        [ $# -gt 1 ] || area_die "$1 needs a value"
        case $1 in --block) blocks+=("$2") ;; --out) out=$2 ;; --library) library=$2 ;; esac
        shift
        ;;
    --update) update=1 ;;
    -*) area_die "unknown option '$1'; there are --block, --out, --library, --update" ;;
    *) configs+=("$1") ;;
    esac
    shift
done

case $library in osu018) liberty=$synth_osu018 ;; osu035) liberty=$synth_osu035 ;; *) liberty=$library ;; esac
[ -r "$liberty" ] || area_die "$liberty: no such liberty; 'make setup' installs qflow-tech-osu018 and qflow-tech-osu035"
area_need_tools
[ -z "$update" ] || [ "$library ${#blocks[@]} ${#configs[@]}" = "osu018 0 0" ] ||
    area_die "--update records all blocks in all configurations; name none"
known=$(synth_blocks)
for block in "${blocks[@]}"; do
    grep -qx "$block" <<<"$known" || area_die "no block '$block'; there are: $(xargs <<<"$known")"
done
[ ${#blocks[@]} -gt 0 ] || mapfile -t blocks <<<"$known"
for config in "${configs[@]}"; do
    [ -f "rtl/configs/$config" ] || area_die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
done
[ ${#configs[@]} -gt 0 ] || mapfile -t configs < <(ls rtl/configs)

mapfile -t blocks < <(printf '%s\n' "${blocks[@]}" | awk '!seen[$0]++')
mapfile -t configs < <(printf '%s\n' "${configs[@]}" | awk '!seen[$0]++')

compare=$baseline
if [ -n "$update" ] || [ "$library" != osu018 ]; then compare=/dev/null; fi
if [ "$compare" = "$baseline" ]; then
    [ -f "$baseline" ] || area_die "no $baseline to compare with; 'make area-update' makes it"
    jq -e '(.tools | type == "object" and length > 0) and (.rows | type == "array" and length > 0) and
        all(.rows[]; (.config, .block, .parameters | type == "string") and (.flip_flops, .area_um2, .fo4, .lut4 | type == "number"))' \
        "$baseline" >/dev/null 2>&1 ||
        area_die "$baseline is damaged: no tools or rows of numbers in it; restore it, or make it anew with 'make area-update'"
fi

work=$(mktemp -d)
export TMPDIR=$work # of Yosys and abc, too
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export AREA_LIBERTY=$liberty
area_facts "$liberty" "$work"
area_tools "$liberty" >"$work/tools.json"

# The large ones first, so that the last job is a short one.
jobs_of() {
    local block config large='ballast_chip|sm_governor' all
    all=$(printf '%s\n' "${blocks[@]}")
    for block in $(grep -xE "$large" <<<"$all") $(grep -vxE "$large" <<<"$all"); do
        for config in "${configs[@]}"; do
            echo "$config.$block $block $(synth_params "$block" "$config")" | sed 's/ *$//'
        done
    done
}
jobs_of >"$work/jobs"
area_run_jobs "$work"

# In the order of the configurations and blocks asked for.
for config in "${configs[@]}"; do
    for block in "${blocks[@]}"; do cat "$work/$config.$block.json"; done
done | jq -s . >"$work/rows.json"
jq --slurpfile base "$compare" --slurpfile tools "$work/tools.json" \
    -f synth_scripts/area/area_verdict.jq "$work/rows.json" >"$work/judged.json"

for config in "${configs[@]}"; do
    jq -n --arg c "$config" --arg g "$(xargs <"rtl/configs/$config")" '{($c): $g}'
done | jq -s add >"$work/geometry.json"
jq -r -L synth_scripts --argjson facts "$(cat "$work/facts.json")" --argjson geometry "$(cat "$work/geometry.json")" \
    -f synth_scripts/area/area_table.jq "$work/judged.json"

status=0
complain() { echo "area.sh: $*" >&2; status=1; }

row_of() { # CONFIG BLOCK FILTER
    jq -r --arg c "$1" --arg b "$2" ".[] | select(.config == \$c and .block == \$b) | $3" "$work/judged.json"
}
first=1
for claim in "${claims[@]}"; do
    read -r config block flops rule words <<<"$claim"
    have=$(row_of "$config" "$block" .flip_flops)
    [ -n "$have" ] || continue
    [ -z "$first" ] || printf '\nWhat papers say:\n'
    first=
    echo "  $rule: $block ($config) has $flops flip-flops, $words: $have here"
    [ "$have" -eq "$flops" ] || complain "$block ($config) has $have flip-flops, $rule says $flops ($words)"
done
while read -r config percent; do
    complain "sm_governor ($config) is $percent % of its SM's storage as flip-flops, the bar is below $overhead_percent %"
done < <(jq -r -L synth_scripts --argjson bar $overhead_percent --argjson facts "$(cat "$work/facts.json")" 'include "area_sm";
    ([$facts.cells[] | select(.ff) | .area] | min) as $ff
    | .[] | select(.block == "sm_governor" and sm_storage[.config]) | [.config, .area_um2 * 100 / ((sm_storage[.config] | sm_bits) * $ff)]
    | select(.[1] >= $bar) | "\(.[0]) \(.[1])"' "$work/judged.json")

# Rows of the baseline whose block or configuration is no more.
gone() { # CONFIGS BLOCKS
    jq -r --arg configs "$1" --arg blocks "$2" '.rows[]
        | select((.config | IN($configs | split("\n")[]) | not) or (.block | IN($blocks | split("\n")[]) | not))
        | "gone: \(.block) (\(.config)): the baseline has it, the repository has not"' "$baseline"
}

# DIR/area.*: complete or as before.
write_files() { # DIR
    local config
    mkdir -p "$1"
    jq --argjson facts "$(jq 'del(.cells)' "$work/facts.json")" --argjson tools "$(cat "$work/tools.json")" \
        '{tools: $tools, liberty: $facts, rows: .}' "$work/judged.json" >"$1/area.json.tmp"
    jq -r '["config", "block", "parameters", "flip_flops", "cells", "nand2", "area_um2", "lut4", "ice40_flip_flops",
        "ice40_carries", "depth", "ns", "fo4", "kind", "start", "end", "verdict", "why"] as $h | $h, (.[] | [.[$h[]]]) | @csv' "$work/judged.json" >"$1/area.csv.tmp"
    jq -r '. as $r | ([$r[].config] | unique) as $c
        | ([$r[].block] | reduce .[] as $b ([]; if index([$b]) then . else . + [$b] end)) as $b
        | (["block"] + $c + $c | join(" ")), ($b[] as $x | [$x] + [("nand2", "fo4") as $k | $c[] as $y
            | first($r[] | select(.block == $x and .config == $y)) | .[$k]] | join(" "))' "$work/judged.json" >"$work/plot.dat"
    gnuplot -e "data='$work/plot.dat'; output='$1/area.svg.tmp'; n=${#configs[@]}" synth_scripts/area/area_plot.gp \
        2>"$work/gnuplot.log" ||
        area_die "the picture cannot be drawn: $(grep -m 1 -v '^ *$' "$work/gnuplot.log")"
    for file in json csv svg; do mv "$1/area.$file.tmp" "$1/area.$file"; done
    printf '\n%s\n' "written: $1/area.csv, $1/area.json, $1/area.svg"
}
[ -z "$out" ] || write_files "$out"

if [ -n "$update" ]; then
    jq -r --slurpfile tools "$work/tools.json" '
        "{\n\"licence\": \"SPDX-License-Identifier: Apache-2.0\",\n\"made_by\": \"make area-update\",\n" +
        "\"tools\": \($tools[0]),\n\"rows\": [",
        (map({config, block, parameters, flip_flops, cells, nand2, area_um2, lut4, fo4} | tojson) | join(",\n")), "]\n}"' \
        "$work/rows.json" >"$baseline.tmp"
    jq -e . "$baseline.tmp" >/dev/null
    mv "$baseline.tmp" "$baseline"
    printf '\nwritten: %s\n' "$baseline"
elif [ "$compare" = "$baseline" ]; then
    stale=$(jq -r '[.[] | select(.verdict == "stale")] | group_by(.why) | .[] | "\(length) of them: \(.[0].why)"' \
        "$work/judged.json")
    printf '\nbaseline: %s\n' "$(jq -r 'group_by(.verdict) | map("\(length) \(.[0].verdict)") | join(", ")' "$work/judged.json")"
    [ -z "$stale" ] || while read -r line; do
        echo "area.sh: stale, not compared, $line; 'make area-update' records this run's" >&2
    done <<<"$stale"
    bad=$(jq -r '.[] | select(.verdict | . == "worse" or . == "new")
            | "\(.verdict): \(.block) (\(.config)): \(.why)"' "$work/judged.json"
        gone "$(ls rtl/configs)" "$known")
    [ -z "$bad" ] || while read -r line; do complain "$line"; done <<<"$bad"
    [ -z "$bad" ] || echo "area.sh: if that is meant, record it: make area-update" >&2
fi
exit $status
