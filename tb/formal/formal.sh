#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# formal.sh [OPTION...] [BLOCK...]: proves for every block (default: all) that one step of the C model and one step of the RTL
# give equal outputs and equal registers, from every state under every input, and that the rules of tb/blocks/BLOCK/properties.h
# hold of the RTL. Prints a table. Run from the repository root.
# doc/verification/proofs.md.
#   --config C       geometry, one of rtl/configs (default fermi)
#   --rtl DIR        take the RTL from here instead of rtl (with its folders common, sm, chip)
#   --models DIR     take the C models from here instead of cmodel
#   --seconds N      so long for one question to the prover (default 300)
#   --page FILE      write the results into this page, between its marks
#   --build DIR      where the tools are built (default build/CONFIG)
#   --out DIR        where to work (default build/formal)
# Exit 0 nothing failed (what is open is in the table), 1 a proof failed, 2 usage or a tool or file is missing, 130 interrupted.
set -euo pipefail
. synth_scripts/synth.sh 2>/dev/null || { echo "formal.sh: no synth_scripts/synth.sh here; run it from the repository root" >&2; exit 2; }
. tb/formal/formal_targets.sh

die() { echo "formal.sh: $*" >&2; exit 2; }

# ---- command line -----------------------------------------------------------------------------

config=fermi rtl=rtl models=cmodel seconds=300 page='' build='' out=build/formal
while [ $# -gt 0 ]; do
    case $1 in
    --config | --rtl | --models | --page | --seconds | --build | --out)
        [ $# -gt 1 ] || die "$1 wants a value"
        declare "${1#--}=$2"; shift 2 ;;
    -h | --help) sed -n '4,15s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "unknown option $1; formal.sh --help" ;;
    *) break ;;
    esac
done
[ -f "rtl/configs/$config" ] || die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "--seconds wants a number, not '$seconds'"
for tool in yosys jq make gcc g++ verilator clang-14 llvm-link-14 opt-14; do
    command -v $tool >/dev/null || die "$tool is missing; 'make setup' installs it"
done
[ -f /usr/include/llvm-c-14/llvm-c/Core.h ] || die "LLVM's C headers are missing; 'make setup' installs llvm-14-dev"
command -v berkeley-abc >/dev/null || command -v yosys-abc >/dev/null || die "berkeley-abc is missing; 'make setup' installs it with yosys"
[ -d "$rtl/common" ] || die "no RTL in $rtl"
[ -d "$models/sm" ] || die "no models in $models"
blocks=("$@")
[ $# -gt 0 ] || mapfile -t blocks < <(synth_blocks)
for block in "${blocks[@]}"; do
    [[ " $(synth_blocks | xargs) " == *" $block "* ]] || die "no block '$block'; there are: $(synth_blocks | xargs)"
done
build=${build:-build/$config}
targets=()
for block in "${blocks[@]}"; do
    targets+=("$block")
    part=$(part_of "$block")
    if [ -n "$part" ] && [[ " ${blocks[*]} " != *" $part "* ]]; then targets+=("$part"); fi
    if [ "$block" = vf_domain ]; then targets+=(vf_domain_mem); fi
done
mkdir -p "$out"
trap 'exit 130' INT TERM
make --no-print-directory "CONFIG=$config" "B=$build" "$build/formal.tools" >"$out/make.log" 2>&1 ||
    die "the tools do not build: $(tail -n 1 "$out/make.log"); all of it in $out/make.log"

export FORMAL_CONFIG=$config FORMAL_OUT=$out FORMAL_RTL=$rtl FORMAL_MODELS=$models FORMAL_SECONDS=$seconds FORMAL_TOOLS=$build/formal FORMAL_BUILD=$build
start=$SECONDS
if [ ${#targets[@]} -gt 0 ]; then
    printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} tb/formal/formal_block.sh {} || exit 2
fi
if [ -t 2 ]; then printf '\r\033[K' >&2; fi

# ---- the table --------------------------------------------------------------------------------

has_invariant() { [ -f "tb/blocks/$(stem_of "$1")/invariant.h" ]; } # TARGET

# A proof by parts is one only with that of its parts.
verdict() { # TARGET: "STATUS SECONDS TEXT"
    local part
    part=$(part_of "$(stem_of "$1")")
    if [ -n "$part" ] && ! grep -q '^proved' "$out/$part/result"; then
        sed "s/^proved \\([0-9]*\\) \\(.*\\)/open \\1 \\2, but $part is not proved/" "$out/$1/result"
    else
        cat "$out/$1/result"
    fi
}

for target in "${targets[@]}"; do
    read -r status took text <<<"$(verdict "$target")"
    states="any state" size="full size" rules_size="full size"
    if has_invariant "$target"; then states=invariant; fi
    if [ -n "$(part_of "$target")" ]; then size="full size, by parts" rules_size="two SMs"; fi
    jq -n --arg block "$target" --arg status "$status" --arg text "$text" --argjson seconds "$took" --arg states "$states" \
        --arg params "$(params_of "$target")" --arg bound "$size" \
        '{block: $block, proof: "step", status: $status, bound: $bound, states: $states, params: $params, seconds: $seconds, text: $text}'
    jq -R --arg block "$target" --arg params "$(params_of "$target")" --arg bound "$rules_size" 'split("\t") |
        {block: $block, proof: "\(.[3]): \(.[4])", status: .[0], bound: $bound,
         states: (if .[2] == "EVERY" then "any state" else "reset" end), params: $params, seconds: (.[1] | tonumber), text: ""}' "$out/$target/rules"
done >"$out/proofs"
jq -s --arg config "$config" --arg tool "clang 14 IR, Yosys $(yosys -V | awk '{ print $2 }'), ABC" \
    '{tool: $tool, config: $config, blocks: .}' "$out/proofs" >"$out/status.json.tmp"
mv "$out/status.json.tmp" "$out/status.json"

# The results between the marks of a page.
write_page() { # FILE
    local table=$out/table.md
    { echo "In \`$config\` ($(jq -r .tool "$out/status.json")):"
      echo
      echo '| block | parameters | size | from | step | seconds | |'
      echo '|---|---|---|---|---|---|---|'
      jq -r '.blocks[] | select(.proof == "step") |
          "| `\(.block)` | \(.params) | \(.bound) | \(.states) | \(.status) | \(.seconds) | \(.text) |"' "$out/status.json"
      echo
      echo '| block | rule of the RTL | size | from | |'
      echo '|---|---|---|---|---|'
      jq -r '.blocks[] | select(.proof != "step") | "| `\(.block)` | \(.proof) | \(.bound) | \(.states) | \(.status) |"' "$out/status.json"; } >"$table"
    grep -q '^<!-- results -->$' "$1" && grep -q '^<!-- end of results -->$' "$1" || die "$1 has no lines '<!-- results -->' and '<!-- end of results -->'"
    sed -e "/^<!-- results -->\$/r $table" -e '/^<!-- results -->$/,/^<!-- end of results -->$/{/^<!--/!d}' "$1" >"$1.tmp"
    mv "$1.tmp" "$1"
}
[ -z "$page" ] || write_page "$page"

printf '%-18s %-10s %-8s %8s  %s\n' block from status seconds proof
jq -r '.blocks[] | [.block, .states, .status, .seconds, .proof + (if .text == "" then "" else ": " + .text end)] | @tsv' "$out/status.json" |
    awk -F'\t' '{ printf "%-18s %-10s %-8s %8s  %s\n", $1, $2, $3, $4, substr($5, 1, 160) }'
echo "$(jq '[.blocks[] | select(.status == "proved")] | length' "$out/status.json") of $(jq '.blocks | length' "$out/status.json") proved in $config, $((SECONDS - start)) s"
! jq -e 'any(.blocks[]; .status == "failed")' "$out/status.json" >/dev/null
