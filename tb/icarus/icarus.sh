#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# icarus.sh [OPTION...] [BLOCK...]: runs blocks (default: all) in lockstep with their C models in Icarus Verilog, which has X:
# on recordings and on random stimulus. Prints a table. Run from the repository root. doc/verification/icarus.md.
#   --config C        geometry, one of rtl/configs (default fermi)
#   --recording FILE  replay SM 0 of this recording, whole, instead of the choice below
#   --cycles N        the first N cycles of every run
#   --random N        random runs of N cycles instead (seeds 1 and 2)
#   --build DIR       where ballast.vpi is built (default build/CONFIG)
#   --out DIR         where to work (default DIR/icarus/run)
#   --with FILE       this file instead of the one of the same name in rtl/
# BLOCK may be a variant, as 'ballast blocks' lists them. Exit 0 all pass, 1 a block differs or is X, 2 usage or a tool or file
# is missing, 130 interrupted.
set -euo pipefail

die() { echo "icarus.sh: $*" >&2; exit 2; }

# ---- for xargs: one run ------------------------------------------------------------------------

# The row, and what differs: "MISMATCH in lcs on SM0, cycle 286 (...)", then the signal and the values of both sides.
row() { # VARIANT STIMULUS WORDS SECONDS STATUS
    awk -v block="$1" -v stimulus="$2" -v words="$3" -v s="$4" -v status="$5" '
        $2 ~ /^(open|family|chip|random)$/ { end = NF - ($(NF - 1) == "(open)"); cycles += $(end - 4) }
        /^MISMATCH in/ && !n { sub(/ \(cycle.*/, ""); text = $0; n = NR }
        n && NR > n && NR < n + 4 { sub(/^ +/, ""); gsub(/ +/, " "); text = text (NR == n + 1 ? ": " : ", ") $0 }
        /^ballast: .* (after reset|does not settle)/ && !n { sub(/^ballast: /, ""); sub(/ +$/, ""); text = $0; n = NR - 9 }
        END {
            split(words, w, "=")
            printf "%-18s %-10s %-14s %9d %-9s %10.0f\n", block, w[2] ? w[2] : "-", stimulus, cycles, status ? "MISMATCH" : "pass", cycles / s
            if (status) printf "! %s\n", text ? text : "model and RTL differ"
        }'
}

if [ "${1:-}" = --step ]; then # NUMBER VARIANT COMMAND SETTING STIMULUS CYCLES ARGUMENT...
    shift
    number=$1 variant=$2 command=$3 setting=$4 stimulus=$5 cycles=$6 status=0
    shift 6
    dir=$ICARUS_OUT/$number.$variant
    rm -rf "$dir" && mkdir -p "$dir"
    blocks=$(tb/icarus/design.sh --config "$ICARUS_CONFIG" --build "$ICARUS_BUILD" ${ICARUS_WITH:+--with "$ICARUS_WITH"} "$variant" "$dir/design") || exit 255
    settings=()
    if [ "$setting" != - ]; then settings=(--set "$setting"); fi
    start=$(date +%s.%N)
    "$dir/design" "$command" --block "$blocks" "${settings[@]}" --max-cycles "$cycles" --out "$dir" "$@" >"$dir/said" 2>&1 || status=$?
    seconds=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    case $status in
    0 | 1) row "$variant" "$stimulus" "${setting#-}" "$seconds" $status <"$dir/said" >"$dir/row" ;;
    130) exit 255 ;;
    *) echo "icarus.sh: $variant: $(tail -n 1 "$dir/said")" >&2; exit 255 ;;
    esac
    if [ -t 2 ]; then printf '\r\033[K%s done' "$variant" >&2; fi
    exit 0
fi

# ---- command line --------------------------------------------------------------------------------

config=fermi recording='' cycles='' random='' build='' out='' with=''
while [ $# -gt 0 ]; do
    case $1 in
    --config | --recording | --cycles | --random | --build | --out | --with)
        [ $# -gt 1 ] || die "$1 wants a value"
        declare "${1#--}=$2"; shift 2 ;;
    -h | --help) sed -n '4,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "unknown option $1; icarus.sh --help" ;;
    *) break ;;
    esac
done
[ -f "rtl/configs/$config" ] || die "no configuration '$config' here; run it from the repository root, with one of rtl/configs"
[ -z "$recording" ] || [ -r "$recording" ] || die "no recording $recording"
for number in "$cycles" "$random"; do [[ $number =~ ^[0-9]*$ ]] || die "'$number' is no number of cycles"; done
command -v vvp >/dev/null || die "iverilog is missing; 'make setup' installs it"
build=${build:-build/$config}
out=${out:-$build/icarus/run}
mkdir -p "$out" || die "cannot make $out; choose another with --out"
# The fourth domain of the table is the memory's; a chip with few SMs has short epochs.
all=(stall_classifier perfsat lcs eq_counters eq_decision cta_throttle dyncta sm_governor vf_vote vf_domain vf_domain_mem ballast_chip_top ballast_chip_bcast ballast_chip)
blocks=("$@")
[ $# -gt 0 ] || blocks=("${all[@]}")
export ICARUS_CONFIG=$config ICARUS_BUILD=$build ICARUS_OUT=$out ICARUS_WITH=$with

# ---- what runs: VARIANT COMMAND SETTING STIMULUS CYCLES ARGUMENT... ------------------------------------

policies() { echo static perfsat lcs equalizer dyncta; }

random_runs() { # VARIANT CYCLES
    echo "$1 random - random.1 $2 --seed 1"
    echo "$1 random - random.2 $2 --seed 2"
}

given_recording() { # VARIANT
    local policy name
    name=$(basename "$recording" .blt)
    case $1 in
    vf_*) random_runs "$1" 100000 ;;
    ballast_chip*) echo "$1 chip - $name 0 $recording" ;;
    sm_governor*) for policy in $(policies); do echo "$1 lockstep $1.policy=$policy $name 0 --sm 0 $recording"; done ;;
    *) echo "$1 lockstep - $name 0 --sm 0 $recording" ;;
    esac
}

chosen() { # VARIANT: what makes the block decide, at its speed a few seconds each; a chip's cycles are those of 15 SMs
    local policy
    case $1 in
    perfsat*) echo "$1 family - pathlong 0 $(echo vectors/pathlong.n?.blt)" ;;
    dyncta* | cta_throttle*) echo "$1 family - chase 300000 $(echo vectors/chase.n?.blt)" ;;
    sm_governor*) for policy in $(policies); do echo "$1 family $1.policy=$policy pathlong 200000 $(echo vectors/pathlong.n?.blt)"; done ;;
    vf_*) random_runs "$1" 100000; return ;;
    ballast_chip) for policy in equalizer perfsat; do echo "$1 chip $1.policy=$policy pathfinder.n8 9000 vectors/pathfinder.n8.blt"; done ;;
    # Not lcs: with LCS's broadcast Icarus does not settle (doc/verification/icarus.md).
    ballast_*) for policy in equalizer lcs; do echo "$1 chip $1.policy=$policy bfs.n4 30000 vectors/bfs.n4.blt"; done ;;
    *) echo "$1 lockstep - bfs.n4 0 --sm 0 vectors/bfs.n4.blt" ;;
    esac
    case $1 in
    ballast_chip) random_runs "$1" 5000 ;;
    ballast_*) random_runs "$1" 20000 ;;
    *) random_runs "$1" 50000 ;;
    esac
}

runs() {
    local block
    for block in "${blocks[@]}"; do
        if [ -n "$random" ]; then random_runs "$block" "$random"
        elif [ -n "$recording" ]; then given_recording "$block"
        else chosen "$block"
        fi
    done | awk -v cycles="$cycles" '{ if (cycles != "" && ($5 == 0 || $5 > cycles + 0)) $5 = cycles; print NR, $0 }'
}

# ---- the table -------------------------------------------------------------------------------------

start=$SECONDS
[ -f "$build/icarus/ballast.vpi" ] || die "no $build/icarus/ballast.vpi; 'make icarus' builds it"
rm -rf "${out:?}"/[0-9]*.*
trap 'exit 130' INT TERM
runs >"$out/runs"
xargs -P "${JOBS:-$(nproc)}" -L 1 tb/icarus/icarus.sh --step <"$out/runs" 2>"$out/said" || {
    [ ! -t 2 ] || printf '\r\033[K' >&2
    said=$(grep -vE '^xargs|^$' "$out/said" | head -n 1)
    [ -n "$said" ] || exit 130
    echo "$said" >&2
    exit 2
}
[ ! -t 2 ] || printf '\r\033[K' >&2

printf '%-18s %-10s %-14s %9s %-9s %10s\n' block policy stimulus cycles verdict cycles/s
fail=0 n=0
while read -r number variant _; do
    row=$out/$number.$variant/row
    grep -v '^!' "$row"
    n=$((n + 1))
    if grep '^!' "$row" >>"$out/said"; then
        fail=1
        echo "  $(sed -n 's/^! //p' "$row")"
    fi
done <"$out/runs"
echo "$n runs in Icarus, $((SECONDS - start)) s$([ $fail = 0 ] && echo ': all pass' || echo ': NOT all pass'); what they said: $out"
exit $fail
