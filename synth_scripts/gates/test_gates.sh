#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_gates.sh [BUILD_DIR]: does gates.sh find what it is there to find? Faults planted into a netlist, and bad input. Ends with
# "N passed, N failed". The netlists are small ones; about a minute.
set -uo pipefail
cd "$(dirname "$0")/../.."

source tb/test_cases.sh
gates() { run_script gates.sh "$@"; } # STATUS ARGUMENT...

# Both the replay and the proof must object, with the cycle, the signal and the values.
caught() {
    says '^[a-z_]+ .* MISMATCH +FAIL ' && says 'lockstep: MISMATCH in [a-z_]+ on SM[0-9]+, cycle [0-9]+: (register|output) [a-z_]+' &&
        says 'proof: [a-z_]+[][0-9a-z_.]* is [01] in the RTL and [01] in the netlist'
}

gates 0 dyncta && says '^dyncta .* pass +proved '
verdict "a netlist as it comes from synthesis passes"
cp "$work/out/dyncta/netlist.v" "$work/good.v" 2>/dev/null

gates 0 --netlist "$work/good.v" dyncta
verdict "the same netlist from a file passes"

# The first cell with two inputs that reads a bit of the register becomes one of another type.
swap_cell() { # REGISTER
    awk -v RS=');\n' -v reads="[(]$1[[]" '
        BEGIN { n = split("NAND2X1 NOR2X1 AND2X1 OR2X1 AND2X2 OR2X2 XOR2X1 XNOR2X1", type, " ")
                for (i = 1; i <= n; i++) other[type[i]] = type[i + (i % 2 ? 1 : -1)] }
        !done && ($1 in other) && $0 ~ reads { sub($1, other[$1]); done = 1 }
        { printf "%s%s", end, $0; end = RS }
        END { exit !done }' "$work/good.v"
}
swap_cell timer_q >"$work/cell.v" && gates 1 --netlist "$work/cell.v" dyncta && caught
verdict "a cell of another type is caught by replay and proof"

# The data inputs of two flip-flops, exchanged.
awk '/^  DFFPOSX1 / { ff = 1 } ff && /\.D\(/ { n++; line[n] = NR; text[n] = $0; ff = 0 } { all[NR] = $0 }
    END { all[line[1]] = text[n]; all[line[n]] = text[1]; for (i = 1; i <= NR; i++) print all[i]; exit n < 2 }' \
    "$work/good.v" >"$work/nets.v" && gates 1 --netlist "$work/nets.v" dyncta && caught
verdict "two exchanged nets are caught by replay and proof"

awk '/^  DFFPOSX1 / { ff = 1 } ff && !done && /\.D\(/ { sub(/\.D\([^)]*\)/, ".D(1'"'"'b1)"); done = 1 } { print }' \
    "$work/good.v" >"$work/stuck.v" && gates 1 --netlist "$work/stuck.v" dyncta && says 'differs after reset|MISMATCH in' && says 'proof: .* in the RTL and 1 in the netlist'
verdict "a data input stuck at 1 is caught"

# To ABC's report of cones and supports a difference that is nothing but an input is empty, like no difference.
printf '%s\n' '.model m' '.inputs a b' '.outputs x y' '.names a b x' '11 1' '.names y' .end >"$work/gold.blif"
sed 's/^\.names y$/.names a y\n1 1/' "$work/gold.blif" >"$work/gate.blif"
mkdir -p "$work/bare"
synth_scripts/gates/gates_prove.sh "$work/gold.blif" "$work/gate.blif" "$work/bare" >"$work/said" 2>&1
[ $? -eq 1 ] && says '^y is 0 in the RTL and 1 in the netlist'
verdict "a difference that is nothing but an input is one"

awk '/^  DFFPOSX1 / { ff = 1 } ff && !done && /\.CLK\(/ { sub(/\.CLK\([^)]*\)/, ".CLK(rst_ni)"); done = 1 } { print }' \
    "$work/good.v" >"$work/clock.v" && gates 1 --netlist "$work/clock.v" dyncta && says 'not clocked by clk_i'
verdict "a flip-flop with another clock is refused"

sed '0,/DFFPOSX1/s//NOCELL/' "$work/good.v" >"$work/unknown.v" && gates 2 --netlist "$work/unknown.v" dyncta && says 'NOCELL'
verdict "a cell that the library lacks is named"

gates 0 --netlist "$work/good.v" dyncta
"$work/out/ballast" lockstep --out "$work/inject" --block stall_classifier,dyncta --inject 'rtl:dyncta.limit_q[0]@100' \
    vectors/fma.n6.blt >"$work/said" 2>&1
[ $? -eq 2 ] && says 'registers cannot be written'
verdict "writing a netlist's register is refused"

gates 2 nosuchblock && one_line && says "no block 'nosuchblock'; there are: "
verdict "an unknown block: one line"
gates 2 --config nosuchconfig && one_line && says "no configuration 'nosuchconfig'; there are: "
verdict "an unknown configuration: one line"
GATES_LIBERTY=$work/none.lib gates 2 lcs && one_line && says "no cell library $work/none.lib"
verdict "a missing library: one line"
gates 2 --recording "$work/none.blt" lcs && one_line && says 'no recording'
verdict "a missing recording: one line"
gates 2 --netlist "$work/none.v" lcs && one_line && says 'no netlist'
verdict "a missing netlist: one line"
mkdir "$work/bin"
for tool in bash dirname sed awk grep ls basename xargs nproc cat tr; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
PATH=$work/bin gates 2 lcs && one_line && says 'yosys is missing'
verdict "a missing tool: one line"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
