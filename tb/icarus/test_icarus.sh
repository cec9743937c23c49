#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_icarus.sh BUILD_DIR: every block for a while in Icarus, and RTL with planted faults, each of which has to be found and
# named. Run from the repository root.
set -uo pipefail

build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source tb/report.sh

timeout 300 make "CONFIG=$(basename "$build")" "$build/icarus/ballast.vpi" >"$work/make" 2>&1 || { echo "not ok - the module does not build: $(tail -n 1 "$work/make")"; exit 1; }

run() { # ARGUMENT...: icarus.sh; fills $status, $work/said
    timeout -s KILL 120 tb/icarus/icarus.sh --build "$build" --out "$work/out" "$@" >"$work/said" 2>&1 </dev/null
    status=$?
}

# ---- the blocks as they are ---------------------------------------------------------------------

run --cycles 300
report "every block passes, on recordings and on random stimulus" \
    "$([ $status -eq 0 ] && [ "$(grep -c ' pass ' "$work/said")" -eq "$(wc -l <"$work/out/runs")" ] || cat "$work/said")"
report "all blocks of rtl/ are among them" "$(for sv in rtl/sm/*.sv rtl/chip/*.sv; do
    grep -q "^$(basename "$sv" .sv) " "$work/said" || basename "$sv" .sv; done)"

# ---- planted faults --------------------------------------------------------------------------------

planted() { # NAME WORDS SV SED BLOCK ARGUMENT...: what is said has these words
    local name=$1 words=$2 sv=$3 edit=$4 why=
    shift 4
    sed -E "$edit" "$sv" >"$work/$(basename "$sv")"
    if cmp -s "$sv" "$work/$(basename "$sv")"; then why="the fault is not planted: $edit"; else
        run --with "$work/$(basename "$sv")" --recording vectors/fma.n6.blt --cycles 6000 "$@"
        [ $status -eq 1 ] && grep -qF "$words" "$work/said" || why="exit status $status, no '$words' in: $(cat "$work/said")"
    fi
    report "$name" "$why"
}

planted "a register without a reset is X" "lcs after reset: register max_q bits 31..0 are X" rtl/sm/lcs.sv "/ max_q +<= '0;/d" lcs
planted "a register with a wrong reset value" "lcs differs after reset (--seed 1): nmax_q model 0, RTL 5" rtl/sm/lcs.sv "s/ nmax_q +<= '0;/ nmax_q <= 5;/" lcs
planted "a part of the governor without a reset" "register perfsat.timer_q bits" rtl/sm/perfsat.sv "/ timer_q +<= '0;/d" sm_governor
planted "a signal that nobody drives reaches an output" "output ps_mem_o bit 0 is X" rtl/sm/stall_classifier.sv \
    's/(assign ps_mem_o = .*);/\1 || nobody;/; s/^endmodule/wire nobody;\nendmodule/' stall_classifier
planted "a port that nothing is connected to: its X spread" "num_blocks_q bits 3..0 are X" rtl/sm/sm_governor.sv 's/^( *)\.nmax_i,/\1.nmax_i(),/' sm_governor
planted "a loop without end" "does not settle" rtl/sm/dyncta.sv 's/^endmodule/reg a = 0;\nalways @(a) a <= ~a;\ninitial #1 a = 1;\nendmodule/' dyncta

# ---- the same fault in both simulators ---------------------------------------------------------------

# Verilator's bench of this one block: the C of ballast.vpi, linked without Icarus.
one_bit='s/^( *)limit_q <= limit_d;/\1limit_q <= limit_d ^ LimitW'"'"'(index_q == 3);/'
sed -E "$one_bit" rtl/sm/lcs.sv >"$work/lcs.sv"
headline() { awk '/^MISMATCH/ { n = NR } n && NR < n + 4 { sub(/^ +/, ""); printf "%s|", $0 } n && NR == n + 4 { exit }' "$@"; }

timeout 300 make "CONFIG=$(basename "$build")" "lcs_SV=$work/lcs.sv" ICARUS_VARIANT=lcs \
    "B=$build" "$build/icarus/fault/ballast" >"$work/make" 2>&1
run --with "$work/lcs.sv" --recording vectors/fma.n6.blt lcs
"$build/icarus/fault/ballast" lockstep --block lcs --sm 0 --out "$work/v" vectors/fma.n6.blt >"$work/verilator" 2>&1
report "a logic fault: Icarus and Verilator name the same cycle, register and values" \
    "$([ $status -eq 1 ] && [ -n "$(headline "$work/verilator")" ] && [ "$(headline "$work/verilator")" = "$(headline "$work"/out/1.lcs/said)" ] ||
    { headline "$work/verilator"; headline "$work"/out/1.lcs/said; tail -n 2 "$work/make" "$work/verilator"; })"

# ---- bad input -----------------------------------------------------------------------------------------

refused() { # NAME WORD ARGUMENT...
    local name=$1 word=$2
    shift 2
    run "$@"
    report "$name" "$([ $status -eq 2 ] && [ "$(wc -l <"$work/said")" -eq 1 ] && grep -qF -- "$word" "$work/said" || echo "exit status $status: $(cat "$work/said")")"
}
refused "an unknown block" "no block 'nonesuch'" nonesuch
refused "an unknown option" "--no-such" --no-such
refused "a missing recording" "none.blt" --recording "$work/none.blt"
head -c 3000 vectors/fma.n6.blt >"$work/cut.blt"
refused "a damaged recording" "cut.blt" --recording "$work/cut.blt" lcs
mkdir "$work/bin" # a PATH without Icarus
for tool in bash sed grep awk ls xargs dirname basename mkdir nproc rm; do ln -s "$(command -v $tool)" "$work/bin/"; done
run_without() { PATH=$work/bin "$work/bin/bash" tb/icarus/icarus.sh --build "$build" >"$work/said" 2>&1; }
run_without
report "a machine without iverilog" "$([ $? -eq 2 ] || true; grep -q 'iverilog is missing' "$work/said" || cat "$work/said")"

exit $failed
