#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# design.sh [OPTION...] VARIANT OUT: compiles a block, and the blocks whose outputs it reads, with Icarus into OUT: a program
# that replays with that RTL ('OUT lockstep --block ...', as ballast). Run from the repository root.
#   --config C     geometry, one of rtl/configs (default fermi)
#   --build DIR    where icarus/ballast.vpi is built (default build/CONFIG)
#   --with FILE    this file instead of the one of the same name in rtl/
# Prints the blocks in the order of --block. Exit 0 done, 2 usage, a missing tool or Icarus does not take the RTL.
set -euo pipefail

die() { echo "design.sh: $*" >&2; exit 2; }

config=fermi build='' with=''
while [ $# -gt 0 ]; do
    case $1 in
    --config | --build | --with)
        [ $# -gt 1 ] || die "$1 wants a value"
        declare "${1#--}=$2"; shift 2 ;;
    -*) die "unknown option $1" ;;
    *) break ;;
    esac
done
[ $# -eq 2 ] || die "name a block and the program to make"
variant=$1 out=$2
build=${build:-build/$config}
[ -f rtl/common/ballast_pkg.sv ] || die "no rtl/ here; run it from the repository root"
[ -f "rtl/configs/$config" ] || die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
command -v iverilog >/dev/null && command -v vvp >/dev/null || die "iverilog is missing; 'make setup' installs it"
[ -f "$build/icarus/ballast.vpi" ] || die "no $build/icarus/ballast.vpi; 'make icarus' builds it"
[ -z "$with" ] || [ -f "$with" ] || die "no file $with"

declare -A stem=() params=()
while read -r name _ value; do
    case $name in
    *_BLOCK) stem[${name%_BLOCK}]=$value ;;
    *_PARAMS) params[${name%_PARAMS}]=$value ;;
    esac
done < <(tb/shim/variants.sh "$config")
[ -n "${stem[$variant]:-}" ] || die "no block '$variant'; '$build/ballast blocks' lists them"

blocks=()
for need in $(sed -n 's/^#define BLOCK_NEEDS(N)//p' "tb/blocks/${stem[$variant]}/ports.h" | grep -o 'N([a-z0-9_]*)' | tr -d 'N()'); do
    blocks+=("$need")
done
blocks+=("$variant")

arguments=(-g2012 -L "$PWD/$build/icarus" -m ballast -o "$out")
for block in "${blocks[@]}"; do
    arguments+=(-s "${stem[$block]}")
    for pair in ${params[$block]}; do arguments+=("-P${stem[$block]}.$pair"); done
done
for file in rtl/common/ballast_pkg.sv rtl/common/[!b]*.sv rtl/sm/*.sv rtl/chip/*.sv; do
    if [ -n "$with" ] && [ "$(basename "$with")" = "$(basename "$file")" ]; then file=$with; fi
    arguments+=("$file")
done
said=$(iverilog "${arguments[@]}" 2>&1) || die "Icarus does not take $variant: $(head -n 1 <<<"$said")"
IFS=,
echo "${blocks[*]}"
