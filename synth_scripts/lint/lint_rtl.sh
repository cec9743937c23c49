#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reads every block (rtl/sm/*.sv, rtl/chip/*.sv) with every tool that has to read it, with its
# default parameters and with each set in tb/blocks/<block>/variants. Run from the repository root:
#
#   synth_scripts/lint/lint_rtl.sh
#
# Verilator (-Wall --assert), Yosys (check -assert) and Icarus (-Wall) must have nothing to say.

set -u
shopt -s nullglob

fail=0
blocks=0
variants=0

for tool in verilator yosys iverilog; do
    if ! command -v "$tool" >/dev/null; then
        echo "lint_rtl.sh: $tool not found" >&2
        exit 2
    fi
done
if [ ! -f rtl/common/ballast_pkg.sv ]; then
    echo "lint_rtl.sh: run from the repository root (no rtl/common/ballast_pkg.sv here)" >&2
    exit 2
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

sources=(rtl/common/ballast_pkg.sv)
for file in rtl/common/*.sv rtl/sm/*.sv rtl/chip/*.sv; do
    [ "$file" = rtl/common/ballast_pkg.sv ] || sources+=("$file")
done

# check <what> <command ...>: silence and status 0, or what it said.
check() {
    local what=$1 text status
    shift
    text=$("$@" 2>&1)
    status=$?
    if [ $status -ne 0 ] || [ -n "$text" ]; then
        printf '%s: status %d\n%s\n' "$what" "$status" "$text" >&2
        fail=1
    fi
}

# lint <block> <variant> [Param=Value ...]
lint() {
    local top=$1 where="$1 ($2)" param
    local verilator_args=() iverilog_args=() chparam=
    shift 2
    for param in "$@"; do
        if [[ ! $param =~ ^[A-Za-z_][A-Za-z0-9_]*=[0-9]+$ ]]; then
            echo "$where: '$param' is not Param=Value" >&2
            fail=1
            return
        fi
        verilator_args+=("-G$param")
        iverilog_args+=("-P$top.$param")
        chparam+=" -chparam ${param%%=*} ${param#*=}"
    done
    check "verilator $where" verilator --lint-only -Wall --assert -y rtl/common -y rtl/sm \
        -y rtl/chip "${verilator_args[@]}" --top-module "$top" rtl/common/ballast_pkg.sv "$file"
    check "yosys $where" yosys -q -p "read_verilog -sv ${sources[*]}; \
        hierarchy -check -top $top$chparam; proc; check -assert"
    check "iverilog $where" iverilog -g2012 -Wall -o "$scratch/icarus.vvp" -s "$top" "${iverilog_args[@]}" \
        "${sources[@]}"
}

# Yosys 0.23 reads ~W'(x) as (~W)'(x), without a word; ~(W'(x)) is what everybody reads alike. Lines of comments aside.
if grep -nE "[~!-] *[A-Za-z_][A-Za-z0-9_]*'\\(" rtl/*/*.sv | grep -vE '^[^:]*:[0-9]+: *//' | grep -E "[~!] *[A-Za-z_][A-Za-z0-9_]*'\\(|[=(,?:] *- *[A-Za-z_][A-Za-z0-9_]*'\\("; then
    echo "lint_rtl.sh: an operator stands before a cast in the lines above; put the cast in parentheses"
    fail=1
fi

# Icarus 11 counts bits beyond the width of an expression in an always block (issue 1411 of its repository); a signal it counts
# right, and in an assign all is right. What only Verilator reads comes last in a file.
for file in rtl/*/*.sv; do
    if sed '/^`ifdef VERILATOR/,$d' "$file" | grep -nE '\$(countones|countbits|onehot0?)\([^()]*[^A-Za-z0-9_()]' | grep -vE '^[0-9]+: *assign '; then
        echo "lint_rtl.sh: $file counts the bits of an expression in the lines above; count those of a signal"
        fail=1
    fi
done

for file in rtl/sm/*.sv rtl/chip/*.sv; do
    block=$(basename "$file" .sv)
    blocks=$((blocks + 1))
    lint "$block" default
    [ -f "tb/blocks/$block/variants" ] || continue
    while read -r -a words; do
        variants=$((variants + 1))
        lint "$block" "${words[@]}"
    done < <(sed 's/#.*//; /^[[:space:]]*$/d' "tb/blocks/$block/variants")
done

if [ $blocks -eq 0 ]; then
    echo "lint_rtl.sh: no blocks in rtl/sm and rtl/chip" >&2
    exit 2
fi
[ $fail -eq 0 ] && echo "rtl lint: $blocks blocks, $variants variants clean"
exit $fail
