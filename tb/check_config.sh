#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check_config.sh CONFIG: a named configuration builds, its twins agree on random input, and its chip passes on
# recordings; on those of each configuration with the same SM, too, which needs no build of its own for that. In a build folder of its own, and without optimization:
# to compile takes longer than to run. Of the variants only those that a chip of this size is put together from: the others are the same in all configurations.
set -euo pipefail

config=${1:?usage: check_config.sh CONFIG}
build=build/$config-base
blocks=$(basename -a -s .sv rtl/sm/*.sv rtl/chip/*.sv)
make --no-print-directory "CONFIG=$config" "B=$build" RTL_QUICK=1 TOGETHER= "COMMAND_VARIANTS=${blocks//$'\n'/ } vf_domain_mem" build
for rtl in rtl/sm/*.sv rtl/chip/*.sv; do
    cycles=100000
    [[ $rtl != rtl/chip/* ]] || cycles=5000 # of up to 132 SMs each
    block=$(basename "$rtl" .sv)
    "$build/ballast" random --out "$build/out" --block "$block" --max-cycles $cycles
done
chip=$(basename "$(dirname tb/blocks/*/shim.c)") # the one that is as large as its configuration
"$build/ballast" lockstep --out "$build/out" vectors/pathfinder.n8.blt
"$build/ballast" chip --out "$build/out" --max-cycles 9000 vectors/srad.n3.blt
"$build/ballast" chip --out "$build/out" --set "$chip.mode=ENERGY" --max-cycles 9000 vectors/hotspot.n8.blt
for same in $(python3 tb/flow/chips.py same-sm "$config"); do
    [ -d "vectors/$same" ] || continue
    mapfile -t unthrottled < <(ls -v "vectors/$same"/*.blt | awk -F'[./]' '{ last[$3] = $0 } END { for (kernel in last) print last[kernel] }')
    "$build/ballast" lockstep --out "$build/out" --max-cycles 1000 "${unthrottled[@]}"
    "$build/ballast" family --out "$build/out" --max-cycles 40000 "${unthrottled[0]%.n*}".n*.blt
    "$build/ballast" chip --out "$build/out" --max-cycles 1000 "${unthrottled[0]}"
done
