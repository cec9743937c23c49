#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# variants.sh CONFIG [BLOCK...]: prints a makefile fragment that names every block variant of a build:
# each block of rtl/sm and rtl/chip as the configuration sets it, and each line of
# tb/blocks/<block>/variants on top of that. Blocks come before those that need them. With BLOCKs only
# those, for a quick build while working on one (make ONLY="perfsat stall_classifier" ...). With BASE=1 in the
# environment no variants of the blocks of rtl/sm.
set -euo pipefail

config=${1:?usage: variants.sh CONFIG [BLOCK...]}
only=" ${*:2} "
[ -f "rtl/configs/$config" ] || { echo "variants.sh: no configuration '$config'; there are: $(ls rtl/configs | xargs)" >&2; exit 2; }
read -r geometry <"rtl/configs/$config"

has_param() { grep -Eq "parameter +int +(unsigned +)?$2\b" "$1"; }

# The configuration's parameters that the module has, overridden by the variant's own.
params_of() { # SV "Name=Value ..."
    local -A value=()
    local pair order=()
    for pair in $geometry; do
        has_param "$1" "${pair%%=*}" || continue
        order+=("${pair%%=*}"); value[${pair%%=*}]=${pair#*=}
    done
    for pair in $2; do
        [ -n "${value[${pair%%=*}]:-}" ] || order+=("${pair%%=*}")
        value[${pair%%=*}]=${pair#*=}
    done
    for pair in "${order[@]}"; do printf '%s=%s ' "$pair" "${value[$pair]}"; done
}

emit() { # STEM VARIANT SV PARAMS
    local list; list=$(params_of "$3" "$4")
    printf 'VARIANTS += %s\n%s_BLOCK := %s\n%s_SV := %s\n%s_PARAMS := %s\n' \
        "$2" "$2" "$1" "$2" "$3" "$2" "${list% }"
}

order() { # stems, needs first
    local sv stem need
    for sv in rtl/sm/*.sv rtl/chip/*.sv; do
        [ -f "$sv" ] || continue
        stem=$(basename "$sv" .sv)
        [ -f "tb/blocks/$stem/ports.h" ] || continue # check_consistency.sh reports it
        echo "$stem $stem"
        for need in $(sed -n 's/^#define BLOCK_NEEDS(N)//p' "tb/blocks/$stem/ports.h" | grep -o 'N([a-z0-9_]*)' | tr -d 'N()'); do
            echo "$need $stem"
        done
    done | tsort
}

for stem in $(order); do
    [[ $only = "  " || $only = *" $stem "* ]] || continue
    sv=$(ls rtl/*/"$stem".sv)
    emit "$stem" "$stem" "$sv" ""
    printf 'BLOCK_NAMES += %s\n' "$stem"
    [ -f "tb/blocks/$stem/variants" ] || continue
    [ -z "${BASE:-}" ] || [[ $sv = rtl/chip/* ]] || continue
    while read -r name params; do
        case $name in ''|'#'*) continue ;; esac
        emit "$stem" "${stem}_$name" "$sv" "$params"
    done <"tb/blocks/$stem/variants"
done
