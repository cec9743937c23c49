#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# area.sh [--record] [CONFIG...]: generic cells and flip-flops of every block (Yosys synth -flatten), per configuration of
# rtl/configs (default: all), compared with synth_scripts/area_baseline.csv. Fails when a block has more than 5 % more cells
# or any more flip-flops than recorded there. --record rewrites the file.
set -euo pipefail

baseline=synth_scripts/area_baseline.csv
percent=5
# What a paper says a block has: configuration, block, flip-flops, rule.
claims=("fermi eq_counters 56 EQ-5")

die() { echo "area.sh: $*" >&2; exit 2; }

record=
if [ "${1:-}" = --record ]; then record=1; shift; fi
[ -d rtl/configs ] || die "no rtl/configs here; run it from the repository root"
command -v yosys >/dev/null || die "yosys is missing; 'make setup' installs it"
configs=("$@")
[ $# -gt 0 ] || configs=($(ls rtl/configs))
for config in "${configs[@]}"; do
    [ -f "rtl/configs/$config" ] || die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
done
[ -z "$record" ] || [ $# -eq 0 ] || die "--record records all configurations; name none"
[ -n "$record" ] || [ -f "$baseline" ] || die "no $baseline to compare with; make it with --record"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sources=()
for file in rtl/common/*_pkg.sv rtl/common/*.sv rtl/sm/*.sv rtl/chip/*.sv; do
    [ -f "$file" ] || continue
    [[ " ${sources[*]} " == *" $file "* ]] || sources+=("$file")
done

# The configuration's parameters that the module has.
params_of() { # SV CONFIG
    local pair
    for pair in $(cat "rtl/configs/$2"); do
        if grep -Eq "parameter +int +(unsigned +)?${pair%%=*}\b" "$1"; then printf '%s ' "$pair"; fi
    done
}

synth() { # SV CONFIG: prints config,block,parameters,cells,flip-flops
    local block params chparam= pair
    block=$(basename "$1" .sv)
    params=$(params_of "$1" "$2")
    [ "$block" != ballast ] || params=$(sed -E 's/NumSms=[0-9]+/NumSms=1/' <<<"$params")
    for pair in $params; do chparam+=" -set ${pair%%=*} ${pair#*=}"; done
    [ -z "$chparam" ] || chparam="chparam$chparam $block;"
    yosys -q -p "read_verilog -sv ${sources[*]}; $chparam synth -flatten -top $block; tee -o $work/$block.$2 stat" \
        >"$work/$block.$2.log" 2>&1 || { tail -n 5 "$work/$block.$2.log" >&2; die "$1 ($2): Yosys failed, its words are above"; }
    awk -v config="$2" -v block="$block" -v params="${params% }" '
        /Number of cells:/ { cells = $NF }
        $1 ~ /^\$_S?A?L?DFF/ || $1 ~ /^\$_(DFFE|DFFSR|DLATCH|FF|SR)/ { flops += $NF }
        END { printf "%s,%s,%s,%d,%d\n", config, block, params, cells, flops }' "$work/$block.$2"
}

head -n 1 < <(yosys -V) | cut -d' ' -f1-2 >"$work/version"
echo 'config,block,parameters,cells,flip_flops' >"$work/now.csv"
for config in "${configs[@]}"; do
    for file in rtl/sm/*.sv rtl/chip/*.sv; do
        [ -f "$file" ] || continue
        synth "$file" "$config" >>"$work/now.csv"
    done
done

for claim in "${claims[@]}"; do
    read -r config block flops rule <<<"$claim"
    row=$(grep "^$config,$block," "$work/now.csv") || continue
    [ "${row##*,}" -eq "$flops" ] || { echo "area.sh: $block ($config) has ${row##*,} flip-flops, $rule says $flops" >&2; exit 1; }
done

if [ -n "$record" ]; then
    { echo "# SPDX-License-Identifier: Apache-2.0"
      echo "# Made with $(cat "$work/version"), synth -flatten, by synth_scripts/area.sh --record"
      cat "$work/now.csv"; } >"$baseline.tmp"
    mv "$baseline.tmp" "$baseline"
fi

awk -F, -v percent=$percent -v baseline="$baseline" '
    /^#/ || $1 == "config" { next }
    FNR == NR { cells[$1 "," $2 "," $3] = $4; flops[$1 "," $2 "," $3] = $5; next }
    !shown++ { printf "%-8s %-18s %-24s %7s %9s %10s %9s\n", "config", "block", "parameters", "cells", "recorded", "flip-flops", "recorded" }
    {
        key = $1 "," $2 "," $3
        known = key in cells
        printf "%-8s %-18s %-24s %7d %9s %10d %9s\n", $1, $2, $3, $4, known ? cells[key] : "-", $5, known ? flops[key] : "-"
        where = $2 " (" $1 ")"
        if (!known) bad[++n] = where ": not in " baseline
        else {
            if ($4 * 100 > cells[key] * (100 + percent)) bad[++n] = where ": " cells[key] " -> " $4 " cells, more than " percent " % up"
            if ($5 > flops[key]) bad[++n] = where ": " flops[key] " -> " $5 " flip-flops"
        }
    }
    END {
        fflush()
        for (i = 1; i <= n; i++) print "area.sh: " bad[i] > "/dev/stderr"
        if (n) print "area.sh: if that is meant, record it: synth_scripts/area.sh --record" > "/dev/stderr"
        exit n > 0
    }' "$baseline" "$work/now.csv"
