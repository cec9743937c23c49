#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_mutate.sh [BUILD_DIR]: does mutate.sh find what it is there to find? A small campaign meets the bar; a test that is switched
# off, a mutant that is none, a netlist that is not the block, bad input. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.."

source tb/test_cases.sh
mutate() { run_script mutate.sh "$@"; } # STATUS ARGUMENT...
counts() { jq -e ".blocks[] | select(.block == \"$1\") | $2" "$work/out/status.json" >/dev/null; } # BLOCK CONDITION

mutate 0 --mutants 40 --recording vectors/fma.n6.blt eq_decision vf_domain && says '^eq_decision .* 100.0%'
verdict "a small campaign meets the bar"
counts eq_decision '.mutants == 40 and .killed + .equivalent == 40 and .survived == 0 and .killed > 20'
verdict "status.json has the same"
counts eq_decision '.equivalent > 0' && grep -q '^eq_decision,[0-9]*,equivalent,.*in every state' "$work/out/survivors.csv"
verdict "a mutant that is none is proved equivalent"
head -n 1 "$work/out/kills.csv" | grep -qx 'block,vector,kind,mutant,cycle' && grep -q '^eq_decision,fma.n6,recording,[0-9]*,[0-9]*$' "$work/out/kills.csv"
verdict "the matrix says which vector kills which mutant, a recording in which cycle"

# The screening says that a recording kills a mutant in a cycle; the same replay as that mutant must differ there.
IFS=, read -r mutant cycle < <(awk -F, '$1 == "eq_decision" && $3 == "recording" && $5 > 0 { print $4 "," $5; exit }' "$work/out/kills.csv")
MUTATE_NETLIST=$work/out/eq_decision/core.aag MUTATE_SELECT=$mutant "$work/out/eq_decision/ballast" lockstep --out "$work/run" --block eq_counters,eq_decision \
    vectors/fma.n6.blt >"$work/said" 2>&1
[ $? -eq 1 ] && says "MISMATCH in eq_decision on SM0, cycle $((cycle + 1)) |MISMATCH in eq_decision on SM0, cycle $cycle "
verdict "a replay as that mutant differs in that cycle"

cp "$work/out/kills.csv" "$work/kills"
mutate 0 --mutants 40 --recording vectors/fma.n6.blt eq_decision vf_domain && cmp -s "$work/kills" "$work/out/kills.csv" && says '^[0-9] s; '
verdict "what is done is not done again"

mutate 1 --mutants 40 --recording none --skip t vf_domain &&
    says "^vf_domain: survived: mutant [0-9]+: cell [^;]*; port [^;]*; bit [0-9]+ [^;]*; rtl/chip/vf_domain.sv:[0-9]+"
verdict "tests switched off: mutants survive, named by cell, port, bit and line"

# A netlist that is not the block: an inverted output.
awk 'NR == 1 { i = $3; o = $5 } NR == 2 + i { $1 = $1 % 2 ? $1 - 1 : $1 + 1 } { print }' "$work/out/vf_domain/core.aag" >"$work/bad" &&
    cp "$work/bad" "$work/out/vf_domain/core.aag" && mutate 2 --mutants 40 --recording none vf_domain && says "fails without a mutant"
verdict "a netlist that is not the block is refused"

mutate 2 nosuchblock && one_line && says "no block 'nosuchblock'; there are: "
verdict "an unknown block: one line"
mutate 2 --config nosuchconfig && one_line && says "no configuration 'nosuchconfig'; there are: "
verdict "an unknown configuration: one line"
mutate 2 --mutants many lcs && one_line && says "wants a number, not 'many'"
verdict "no number: one line"
mutate 2 --recording "$work/none.blt" lcs && one_line && says 'no recording'
verdict "a missing recording: one line"
mkdir "$work/bin"
for tool in bash dirname sed awk grep ls basename xargs nproc cat tr; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
PATH=$work/bin mutate 2 lcs && one_line && says 'yosys is missing'
verdict "a missing tool: one line"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
