#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run_tests.sh BUILD_DIR: runs every check of the project and ends with "N passed, N failed".
# A cmocka program counts as many tests as it has; every other check counts as one.
set -uo pipefail

build=$1
log=$build/test/log
mkdir -p "$log"
rm -f "$log/counts" "$log"/complaints.*
lane=0 # what runs beside other checks complains into a file of its own

count() { # PASSED FAILED
    echo "$1 $2" >>"$log/counts"
}

# What a reader must see of a check that failed, at once and again at the end, where a log is read first.
complain() { # NAME LOG TEXT
    printf 'failed: %s\n%s\n' "$1" "$3" >>"$log/complaints.$lane"
    printf '%s\n  (all of it: %s)\n' "$3" "$2"
}

# A program linked with cmocka: its own counts. One that dies counts as a failure.
run_cmocka() { # PROGRAM
    local name out good bad status
    name=$(basename "$1")
    out=$log/$name.txt
    "$1" >"$out" 2>&1
    status=$?
    good=$(sed -nE 's/^\[  PASSED  \] ([0-9]+) test.*/\1/p' "$out" | tail -1)
    bad=$(sed -nE 's/^\[  FAILED  \] ([0-9]+) test.*/\1/p' "$out" | tail -1)
    good=${good:-0}
    bad=${bad:-0}
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ $status -eq 0 ] && [ "$good" -eq 0 ]; then bad=1; fi
    count "$good" "$bad"
    printf '%-36s %4d passed %4d failed\n' "$name" "$good" "$bad"
    [ "$bad" -eq 0 ] || complain "$name" "$out" "$(grep -vE '^\[( RUN  |       OK|=====)' "$out" | head -60)"
}

run_check() { # NAME COMMAND...
    local name=$1 out start=$SECONDS
    shift
    out=$log/${name// /_}.txt
    if "$@" >"$out" 2>&1 </dev/null; then
        count 1 0
        printf '%-36s    1 passed    0 failed %5d s\n' "$name" $((SECONDS - start))
    else
        count 0 1
        printf '%-36s    0 passed    1 failed %5d s\n' "$name" $((SECONDS - start))
        complain "$name" "$out" "$(grep -v '^ok' "$out" | head -60)"
    fi
}

# The checks run in two lanes side by side. Those that build tools of their own in BUILD_DIR are all in the first, so that no two
# build the same file at once.
lane_1() {
    lane=1
    run_check "SystemC" tb/systemc/test_sysc.sh "$build"
    run_check "Icarus" tb/icarus/test_icarus.sh "$build"
    run_check "proofs test" tb/formal/test_formal.sh "$build"
    run_check "mutants" tb/mutate/test_mutate.sh "$build"
    run_check "fuzzing" tb/fuzz/test_fuzz.sh "$build"
    run_check "coverage" tb/cover/test_cover.sh "$build"
    run_check "gate level" synth_scripts/gates/gates.sh --build "$build" dyncta eq_decision perfsat
    run_check "gate level test" synth_scripts/gates/test_gates.sh "$build"
    run_check "area" synth_scripts/area/area.sh fermi
    run_check "area test" synth_scripts/area/test_area.sh
    run_check "lint C" synth_scripts/lint/lint_c.sh
    touch "$log/lane.$lane"
}

lane_2() {
    local program seed config
    lane=2
    for program in "$build"/test/test_*; do run_cmocka "$program"; done
    run_check "recordings intact" sim/recording/check_vectors.sh vectors
    run_check "all recordings in lockstep" "$build/ballast" run --out "$build/test/run" vectors/MANIFEST.csv
    for seed in 2 77; do # other random registers before reset, other inputs during it
        run_check "random start $seed" "$build/ballast" lockstep --seed "$seed" --max-cycles 6000 --out "$build/test/run" vectors/pathfinder.n3.blt vectors/srad.n3.blt
    done
    run_check "command line" sim/cli/test_commands.sh "$build/ballast"
    run_check "report in a browser" sim/report/test_report.sh "$build/ballast"
    run_check "decision logs" sim/cli/test_decisions.sh "$build/ballast"
    run_check "waveforms" sim/wave/test_waves.sh "$build/ballast"
    for config in rtl/configs/*; do
        [ "build/$(basename "$config")" = "$build" ] || run_check "configuration $(basename "$config")" tb/check_config.sh "$(basename "$config")"
    done
    run_check "consistency" synth_scripts/lint/check_consistency.sh
    run_check "lint RTL" synth_scripts/lint/lint_rtl.sh
    touch "$log/lane.$lane"
}

# Each lane is a process group of its own: an interrupt ends its programs, too.
set -m
rm -f "$log"/lane.*
lane_1 &
lanes=$!
lane_2 &
lanes+=" $!"
trap 'for lane in $lanes; do kill -TERM -- "-$lane" 2>/dev/null; done; exit 130' INT TERM
wait
for lane in 1 2; do
    [ -f "$log/lane.$lane" ] || { count 0 1; echo "failed: lane $lane of the checks did not come to its end" >>"$log/complaints.$lane"; }
done
rm -rf "$build/test/run"

cat "$log"/complaints.* 2>/dev/null
awk '{ passed += $1; failed += $2 } END { printf "%d passed, %d failed\n", passed, failed; exit failed != 0 || !passed }' "$log/counts"
