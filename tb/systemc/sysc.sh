#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# sysc.sh [OPTION...]: replays recordings in the SystemC bench and with 'ballast', the same block under the same policy, and
# compares verdict, table row and decision logs byte for byte. Prints a table. Run from the repository root. doc/use/systemc.md.
#   --build DIR     where ballast and sysc/ballast-sc are built (default build/fermi)
#   --bench FILE    the bench's program (default DIR/sysc/ballast-sc)
#   --out DIR       where logs and the VCD go (default build/sysc)
#   --cycles N      the first N cycles of each recording (default: all)
# Exit 0 all is equal and passes, 1 something differs, 2 usage or a program is missing.
set -euo pipefail

die() { echo "sysc.sh: $*" >&2; exit 2; }

build=build/fermi bench='' out=build/sysc cycles=0
while [ $# -gt 0 ]; do
    case $1 in
    --build | --bench | --out | --cycles)
        [ $# -gt 1 ] || die "$1 wants a value"
        declare "${1#--}=$2"; shift 2 ;;
    -h | --help) sed -n '4,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) die "unknown argument $1; sysc.sh --help" ;;
    esac
done
bench=${bench:-$build/sysc/ballast-sc}
ballast=$build/ballast
[[ $cycles =~ ^[0-9]+$ ]] || die "--cycles: '$cycles' is no number"
[ -d vectors ] || die "no vectors here; run it from the repository root"
for program in "$ballast" "$bench"; do
    [ -x "$program" ] || die "$program is no program; 'make sysc' builds it"
done
mkdir -p "$out" || die "cannot make $out; choose another with --out"

# block policy command recording...; the chips are those with few SMs (tb/blocks/ballast_chip/variants).
cases() {
    local policy
    for policy in static perfsat lcs equalizer dyncta; do
        echo sm_governor $policy lockstep vectors/hotspot.n2.blt
        echo sm_governor $policy family --max-laps 4 vectors/pathlong.n?.blt
    done
    echo ballast_chip_top equalizer chip vectors/pathfinder.n8.blt
    echo ballast_chip_top perfsat chip --family --max-laps 4 vectors/pathlong.n?.blt
    echo ballast_chip_bcast lcs chip vectors/fma.n6.blt
    echo ballast_chip_bcast dyncta chip vectors/bfs.n4.blt
}

replay() { # PROGRAM NAME ARGUMENT...: into $out/NAME, what it says into NAME.said; the exit status
    local program=$1 name=$2 status=0
    shift 2
    rm -rf "${out:?}/$name"
    "$program" "$@" --out "$out/$name" >"$out/$name.said" 2>&1 || status=$?
    [ $status -lt 2 ] || { echo "sysc.sh: ${program##*/}: $(tail -n 1 "$out/$name.said")" >&2; exit 2; }
    return $status
}

# The table's rows and what else was said, without the speed, the folder and the program's name.
words() { sed -E -e '/^recording +mode/d' -e 's/ +[0-9.]+$//' -e "s#$out/(sysc|c)\\b#OUT#g" -e "s#($bench|$ballast) #ballast #g" "$1"; }

row_of() { awk '$2 ~ /^(open|family|chip)$/ { end = NF - ($(NF - 1) == "(open)"); cycles += $(end - 4); if ($(end - 2) != "pass") bad = $(end - 2) }
    END { print cycles + 0, bad ? bad : "pass" }' "$1"; }

# "equal", or the first that is not.
compare() {
    local file n=0
    cmp -s <(words "$out/sysc.said") <(words "$out/c.said") || { echo "verdict differs"; return; }
    for file in "$out"/c/*.log "$out"/c/*.jsonl; do
        [ -e "$file" ] || continue
        n=$((n + 1))
        cmp -s "$file" "$out/sysc/${file##*/}" || { echo "${file##*/} differs"; return; }
    done
    [ "$n" -eq "$(find "$out/sysc" \( -name '*.log' -o -name '*.jsonl' \) | wc -l)" ] || { echo "other logs"; return; }
    if [ $n -gt 0 ]; then echo equal; else echo "no logs"; fi
}

progress() { if [ -t 2 ]; then printf '\r\033[K%s' "$*" >&2; fi; }

fail=0 first=1 total=0
vcd=$out/sm_governor.vcd
printf '%-14s %-10s %-9s %-14s %9s %9s %-9s %s\n' block policy replay recording cycles decisions verdict logs
while read -r block policy command rest; do
    read -ra files <<<"$rest"
    arguments=(--block "$block" --set "$block.policy=$policy" --max-cycles "$cycles" "${files[@]}")
    recording=$(basename "${files[-1]}" .blt)
    shown=$command
    if [[ " $rest" = *" --family "* ]]; then shown+=-f; fi
    if [[ $shown = family || $shown = *-f ]]; then recording=${recording%%.*}; fi
    progress "$block $policy $recording"
    trace=()
    if [ $first = 1 ]; then trace=(--vcd "$vcd" --to 2000) first=0; fi
    sc=0 c=0
    replay "$bench" sysc "${trace[@]}" "$command" "${arguments[@]}" || sc=$?
    replay "$ballast" c "$command" "${arguments[@]}" || c=$?
    logs=$(compare)
    read -r n verdict <<<"$(row_of "$out/sysc.said")"
    [ "$sc" -eq "$c" ] || logs="exit status $sc, with ballast $c"
    [ "$logs" = equal ] && [ "$verdict" = pass ] && [ "$n" -gt 0 ] || fail=1
    progress
    printf '%-14s %-10s %-9s %-14s %9s %9s %-9s %s\n' "$block" "$policy" "$shown" "$recording" "$n" \
        "$(find "$out/sysc" -name '*.model.log' -exec cat {} + | wc -l)" "$verdict" "$logs"
    total=$((total + 1))
done < <(cases)
echo "$total replays in SystemC and with ballast$([ $fail = 0 ] && echo ': equal' || echo ': NOT equal'); VCD: $vcd"
exit $fail
