#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_sysc.sh [BUILD_DIR]: builds the SystemC bench and holds it against ballast: short runs, planted faults, the VCD, bad input.
# Prints a line per check, "ok - name" or "not ok - name: why"; exit status 1 if any failed. Run from the repository root.
set -uo pipefail

usage=2
bad=3

die() { echo "test_sysc.sh: $*" >&2; exit 2; }

build=${1:-build/fermi}
bench=$build/sysc/ballast-sc
ballast=$build/ballast
sound=vectors/fma.n6.blt
[ -f vectors/MANIFEST.csv ] || die "no vectors/MANIFEST.csv here; run it from the repository root"
work=$(mktemp -d)
mutant=$build/test/sysc.mutant # below the build, where make knows the blocks
rm -rf "$mutant"
trap 'rm -rf "$work" "$mutant"' EXIT
build_bench() { # ARGUMENT...: of make
    make -s --no-print-directory "-j$(nproc)" "CONFIG=$(basename "$build")" "B=$build" "$@" >"$work/make" 2>&1 ||
        { tail -n 20 "$work/make"; die "the bench does not build"; }
}
build_bench "$ballast" "$bench" "$build/sysc/example"
source tb/report.sh

run() { # PROGRAM ARGUMENT...: fills $status, $work/stdout, $work/stderr; -o of the last ARGUMENTs is the caller's
    timeout 30 "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
}

# ---- the same as ballast ---------------------------------------------------------------------

run tb/systemc/sysc.sh --build "$build" --out "$work/short" --cycles 3000
report "five policies and two chips: verdicts and logs are those of ballast" \
    "$([ $status -eq 0 ] && [ "$(grep -c ' pass *equal$' "$work/stdout")" -eq 14 ] || cat "$work/stdout" "$work/stderr")"

cat >"$work/liar" <<END
#!/bin/sh
"$PWD/$bench" "\$@"
status=\$?
for log in "$work"/liar.out/sysc/*.rtl.jsonl; do sed -i 's/"cycle":/"cycle": /' "\$log"; done
exit \$status
END
chmod +x "$work/liar"
run tb/systemc/sysc.sh --build "$build" --out "$work/liar.out" --cycles 3000 --bench "$work/liar"
report "a log that differs in one space is noticed" \
    "$([ $status -eq 1 ] && grep -q 'rtl.jsonl differs' "$work/stdout" && grep -q ': NOT equal' "$work/stdout" || cat "$work/stdout" "$work/stderr")"

# ---- planted faults ----------------------------------------------------------------------------

# Without the table's speed, the folder and the program's name; ballast is told the block that the bench has alone.
words() { sed -E -e '/^recording +mode/d' -e '/^fma/s/ +[0-9.]+$//' -e "s#$work/faults.(bench|ballast)#OUT#g" -e "s#($bench|$ballast) #PROGRAM #g" "$1"; }

faulty() { # NAME HEADLINE COMMAND ARGUMENT...: the same report of both, with these words in it
    local name=$1 headline=$2 side why=
    shift 2
    for side in bench ballast; do
        rm -rf "$work/faults.$side"
        run "${!side}" "$@" --out "$work/faults.$side" "$sound"
        cat "$work/stdout" "$work/stderr" >"$work/said.$side"
        [ $status -eq 1 ] || why="exit status $status of $side: $(cat "$work/stderr")"
    done
    [ -n "$why" ] || why=$(grep -qF "$headline" "$work/said.bench" || echo "'$headline' is not in: $(head -n 6 "$work/said.bench")")
    [ -n "$why" ] || why=$(diff <(words "$work/said.bench") <(words "$work/said.ballast"))
    [ -n "$why" ] || why=$(cd "$work/faults.bench" && for log in *.log *.jsonl *.state; do cmp "$log" "../faults.ballast/$log"; done 2>&1)
    report "$name" "$why"
}

governor=(lockstep --sm 0 --block sm_governor --set sm_governor.policy=perfsat)
faulty "a fault in a register of the RTL: cycle and name as ballast says them" "cycle 501 (cycle 500 of the run)
  register perfsat.limit_q after" "${governor[@]}" --inject 'rtl:sm_governor.perfsat.limit_q[1]@500'
faulty "a fault in a register of the model" "register lcs.inst_q[3] after" \
    "${governor[@]}" --set sm_governor.policy=lcs --inject 'model:sm_governor.lcs.inst_q[3][0]@700'
faulty "a fault in an output of the RTL" "output limit_o in this cycle" "${governor[@]}" --inject 'rtl:sm_governor.limit_o[0]@900'
faulty "a fault in a part of a chip" "register sm[2].dyncta.limit_q after" \
    chip --block ballast_chip_top --set ballast_chip_top.policy=dyncta --inject 'rtl:ballast_chip_top.sm[2].dyncta.limit_q[1]@700'
faulty "the same fault in both sides goes on, to the next" "cycle 601 (cycle 600 of the run)" \
    "${governor[@]}" --set sm_governor.policy=lcs --inject 'rtl:sm_governor.lcs.inst_q[3][4]@500' \
    --inject 'model:sm_governor.lcs.inst_q[3][4]@500' --inject 'model:sm_governor.limit_o[0]@600'
# ---- an RTL that is really another one ---------------------------------------------------------

# Faults are planted into what the checker has sampled; this one comes through the port.
sed 's/assign pause_soft_o = in_dyncta;/assign pause_soft_o = in_dyncta || (in_lcs \&\& kernel_start_i);/' rtl/sm/sm_governor.sv >"$work/sm_governor.sv"
mkdir -p "$mutant"
cp -a "$build/sysc/run" "$mutant"
build_bench "SYSC=$mutant" SYSC_VARIANTS=sm_governor "sm_governor_SV=$work/sm_governor.sv" "$mutant/ballast-sc"
run "$mutant/ballast-sc" lockstep --sm 0 --set sm_governor.policy=lcs --out "$work/out" vectors/bfs.n4.blt
report "a wrong output of the RTL is found" "$(! cmp -s rtl/sm/sm_governor.sv "$work/sm_governor.sv" && [ $status -eq 1 ] &&
    grep -qF '  output pause_soft_o in this cycle' "$work/stdout" || head -n 5 "$work/stdout" "$work/stderr")"


# ---- the VCD ---------------------------------------------------------------------------------

# Values of a signal in the order of time: "time value". Of several scopes the one named, "" for the top.
values() { # FILE SCOPE SIGNAL
    awk -v scope="$2" -v name="$3" '
        $1 == "$scope" { at = $3 == "SystemC" ? "" : $3 }
        $1 == "$upscope" { at = "" }
        $1 == "$var" && at == scope && $5 == name { id = $4 }
        /^#/ { time = substr($1, 2) }
        /^b/ && id != "" && $2 == id { value = 0; for (i = 2; i <= length($1); i++) value = 2 * value + substr($1, i, 1); print time + 0, value }
        /^[01]/ && id != "" && substr($1, 2) == id { print time + 0, substr($1, 1, 1) }' "$1"
}

run "$bench" --vcd "$work/run.vcd" family --log --set sm_governor.policy=perfsat --max-cycles 120000 --out "$work/vcd" vectors/pathlong.n?.blt
report "a VCD of a run is written" "$([ $status -eq 0 ] && [ -s "$work/run.vcd" ] || cat "$work/stderr")"
logged=$(sed -nE 's/^cycle [0-9]+ .*limit ([0-9]+)( -> ([0-9]+))?.*/\3/p' "$work/vcd/pathlong.sm0.model.log" | grep . | uniq | xargs)
for side in rtl model; do
    drawn=$(values "$work/run.vcd" $side limit_o | awk '{ print $2 }' | uniq | xargs)
    # The first are reset and the kernel's start.
    report "its limits of the $side are those of the log" "$([ -n "$logged" ] && [[ " $drawn " = *" $logged "* ]] || echo "VCD $drawn, log $logged")"
done
report "both sides' limits change at the same times" "$(diff <(values "$work/run.vcd" rtl limit_o) <(values "$work/run.vcd" model limit_o))"
report "the limit changes in the cycle of the log" "$(
    # A decision of cycle c, counted as the recording does, shows after the edge that ends the cycle: 3 ns into its 4 ns.
    read -r cycle to < <(sed -nE 's/^cycle ([0-9]+) .*limit ([0-9]+) -> ([0-9]+).*/\1 \2 \3/p' "$work/vcd/pathlong.sm0.model.log" | awk '$2 != $3 { print $1, $3; exit }')
    time=$(values "$work/run.vcd" rtl limit_o | awk -v to="$to" '$2 == to { print $1; exit }')
    at=$(values "$work/run.vcd" '' cycle | awk -v time="$time" '$1 <= time { n = $2 } END { print n }')
    [ -n "$time" ] && [ "$at" = "$cycle" ] || echo "log: cycle $cycle, VCD: cycle $at (time $time)")"
if command -v vcd2fst >/dev/null; then
    vcd2fst "$work/run.vcd" "$work/run.fst" >"$work/said" 2>&1
    report "GTKWave's tools read it" "$([ -s "$work/run.fst" ] || cat "$work/said")"
fi

run "$bench" --vcd "$work/part.vcd" --from 1000 --to 1009 lockstep --sm 0 --out "$work/vcd" "$sound"
rises=$(values "$work/part.vcd" '' clk_i | awk '$2 == 1 && low { n++ } { low = !$2 } END { print n }')
cycles=$(values "$work/part.vcd" '' cycle | wc -l)
report "a window holds its cycles and no others" \
    "$([ $status -eq 0 ] && [ "$rises" -eq 10 ] && [ "$cycles" -eq 10 ] || echo "$rises clocks, $cycles cycles; $(cat "$work/stderr")")"

run "$bench" --vcd "$work/fault.vcd" --from 490 lockstep --sm 0 --out "$work/vcd" --inject 'rtl:sm_governor.limit_o[0]@500' "$sound"
drawn=$(values "$work/fault.vcd" '' mismatch | awk '{ print $2 }' | xargs)
report "a mismatch shows in the VCD, once and at the end" "$([ $status -eq 1 ] && [ "$drawn" = "0 1" ] || echo "exit status $status, mismatch $drawn")"

# ---- bad input -------------------------------------------------------------------------------

# GNU argp adds "Try ... --help" to its own complaints.
stderr_lines() { awk '/^Try `/ { exit } { n++ } END { print n + 0 }' "$work/stderr"; }

refused() { # NAME STATUS WORD ARGUMENT...
    local name=$1 want=$2 word=$3 why=
    shift 3
    rm -f "$work"/x.vcd*
    run "$bench" "$@"
    if [ $status -ne "$want" ]; then why="exit status $status instead of $want: $(cat "$work/stderr")"
    elif [ "$(stderr_lines)" -ne 1 ]; then why="$(stderr_lines) lines on stderr: $(cat "$work/stderr")"
    elif ! head -n 1 "$work/stderr" | grep -qF -- "$word"; then why="'$word' is not in: $(cat "$work/stderr")"
    elif compgen -G "$work/x.vcd*" >/dev/null; then why="left behind: $(compgen -G "$work/x.vcd*")"
    fi
    report "$name" "$why"
}

out=(--out "$work/out")
head -c 3000 "$sound" >"$work/cut.blt"
refused "a damaged recording" $bad cut.blt lockstep "${out[@]}" "$work/cut.blt"
refused "a missing recording" $bad none.blt lockstep "${out[@]}" "$work/none.blt"
refused "an unknown option" $usage no-such --no-such lockstep
refused "an unknown option of a command" $usage no-such lockstep --no-such "${out[@]}" "$sound"
refused "an unknown command" $usage "no command 'blocks'" blocks
refused "no command" $usage "name a command"
refused "an unknown block" $usage perfsat lockstep --block perfsat "${out[@]}" "$sound"
refused "two blocks in one simulation" $usage "one block in a run" chip --block ballast_chip_top,sm_governor "${out[@]}" "$sound"
refused "an unknown policy" $usage nopolicy lockstep --set sm_governor.policy=nopolicy "${out[@]}" "$sound"
refused "a VCD in a folder that is not there" $bad /none/x.vcd --vcd "$work/none/x.vcd" lockstep "${out[@]}" "$sound"
refused "a window without a VCD" $usage "only with --vcd" --from 3 lockstep "${out[@]}" "$sound"
refused "a window that ends before it begins" $usage "before --from" --vcd "$work/x.vcd" --from 3 --to 2 lockstep "${out[@]}" "$sound"
refused "a window behind the end of the run" $bad "no cycle 99999" --vcd "$work/x.vcd" --from 99999 lockstep --sm 0 "${out[@]}" "$sound"

full() { (trap '' XFSZ && ulimit -f 64 && "$bench" --vcd "$work/x.vcd" lockstep --sm 0 "${out[@]}" "$sound"); }
full >"$work/stdout" 2>"$work/stderr" </dev/null
status=$?
report "a VCD on a full disk" \
    "$([ $status -eq $bad ] && [ "$(stderr_lines)" -eq 1 ] && grep -q 'x.vcd: cannot write' "$work/stderr" && ! compgen -G "$work/x.vcd*" >/dev/null ||
    echo "exit status $status: $(cat "$work/stderr"); $(ls "$work" | grep x.vcd)")"

run timeout --signal=INT 1 "$bench" --vcd "$work/x.vcd" --to 2000 family --max-laps 1000000 "${out[@]}" vectors/chase.n?.blt
report "an interrupt ends the simulation, the VCD is whole" \
    "$([ "$(grep -c 'stopped by a signal' "$work/stderr")" -eq 1 ] && tail -n 1 "$work/x.vcd" | grep -q '^#' &&
    ! compgen -G "$work/x.vcd.part*" >/dev/null || cat "$work/stderr")"

# ---- for other people's platforms ----------------------------------------------------------------

run "$build/sysc/example"
report "the example of doc/use/systemc.md: RTL and model decide the same, 6 CTAs" "$([ $status -eq 0 ] &&
    [ "$(sed -n 's/^rtl //p' "$work/stdout")" = "$(sed -n 's/^model //p' "$work/stdout")" ] && grep -q '^rtl .*-> 6' "$work/stdout" || cat "$work/stdout" "$work/stderr")"

cat >"$work/both.cpp" <<END
#include "blocks/ballast_chip/sc.h"
#include "blocks/sm_governor/sc.h"
using chip = ballast_chip_model_sc<Vballast_top>;
using sm = sm_governor_model_sc<sm_governor_sc>;
END
root=$(verilator --getenv VERILATOR_ROOT)/include
run g++ -std=gnu++17 -fsyntax-only -w -DVM_SC=1 \
    -Icmodel -Itb -Isim "-I$root" "-I$root/vltstd" "-I$build/sysc/sm_governor" "-I$build/sysc/ballast_chip_top" "$work/both.cpp"
report "both headers in one program" "$([ $status -eq 0 ] || head -n 5 "$work/stderr")"

exit $failed
