#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cover.sh [--config NAME] [--out DIR] --report PROGRAM [BLOCK...]: builds the blocks with counters, replays the recordings
# and runs the tests on them, and writes the report to DIR (build/cover). With BLOCKs only those, their recordings and their
# own tests, into build/cover/part; name those that a block needs, too. Run from the repository root; 'make cover' does.
# Exit status 1 when something that should be reached is not, or a run fails; 2 usage, 3 bad input, 130 interrupted.
set -euo pipefail

usage='usage: cover.sh [--config NAME] [--out DIR] [--tests "NAME..."] [--recordings "FILE..."] --report PROGRAM [BLOCK...]'
die() { echo "cover.sh: $1" >&2; exit "${2:-1}"; }

config=fermi out= report= tests= recordings=
while [ $# -gt 0 ]; do
    case $1 in
    --config | --out | --report | --tests | --recordings)
        [ $# -ge 2 ] || die "$1 needs a value; $usage" 2
        declare "${1#--}=$2"
        shift 2
        ;;
    -*) die "unknown option $1; $usage" 2 ;;
    *) break ;;
    esac
done
[ -f vectors/MANIFEST.csv ] || die "no vectors/MANIFEST.csv here; run it from the repository root" 2
[ -f "rtl/configs/$config" ] || die "no configuration '$config'; there are: $(ls rtl/configs | xargs)" 2
[ -x "$report" ] || die "name the report program with --report; 'make cover' does" 2
for block in "$@"; do
    [ -f "tb/blocks/$block/ports.h" ] || die "there is no block '$block'; there are: $(ls tb/blocks/*/ports.h | xargs -n1 dirname | xargs -n1 basename | xargs)" 2
done
[ -n "$out" ] || { [ $# -eq 0 ] && out=build/cover || out=build/cover/part; }
build=$out/$config
jobs=${JOBS:-$(nproc)}

# All programs that drive the RTL: the blocks' own tests, the engine's, and those of what plays on top of it.
tests_of() { # BLOCK...
    local block
    for block in "$@"; do ls "tb/blocks/$block"/test_*.c; done
    [ $# -gt 0 ] && [ $all = 0 ] || ls tb/engine/test_lockstep.c sim/replay/test_{chip,family,sweep}.c sim/gpu/test_closed_loop.c sim/replay/test_session.c
}

all=0
if [ $# -eq 0 ]; then
    all=1
    set -- $(ls tb/blocks/*/ports.h | xargs -n1 dirname | xargs -n1 basename)
fi
[ -n "$tests" ] || tests=$(tests_of "$@" | xargs -n1 basename -s .c)

# ---- progress --------------------------------------------------------------------------------

say() { # TEXT: one line that is written over and over, on a terminal only
    [ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2
}

set -m # a process group per run: an interrupt ends the programs, too
pids=()
stop() {
    say ''
    for pid in "${pids[@]}"; do kill -- "-$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    exit 130
}
trap stop INT TERM

# ---- build -----------------------------------------------------------------------------------

mkdir -p "$build" "$out/log"
only=
[ $all = 1 ] || only="$*"
: >"$out/log/build.txt"
make -j"$jobs" CONFIG="$config" C="$build" ONLY="$only" "$build/ballast" $(printf "$build/test/%s " $tests) >"$out/log/build.txt" 2>&1 &
pids=($!)
while kill -0 "${pids[0]}" 2>/dev/null; do
    say "building the blocks with counters: $(tail -n 1 "$out/log/build.txt")"
    sleep 0.5
done
wait "${pids[0]}" || { say ''; grep -v '^  \(verilate\|compile\|link\)' "$out/log/build.txt" | head -n 20 >&2; die "the build failed; all of it: $out/log/build.txt"; }

# ---- runs ------------------------------------------------------------------------------------

rm -rf "$out/recordings" "$out/tests" "$out/runs"
mkdir -p "$out/recordings" "$out/tests" "$out/runs"

# One line per run: suite, name, command. The long ones first.
list_runs() {
    local kernel here program
    here=$(realpath --relative-to="$out/runs" vectors)
    if [ $all = 1 ]; then
        for kernel in $(tail -n +2 vectors/MANIFEST.csv | cut -d, -f2 | sort -u); do
            awk -F, -v k="$kernel" -v here="$here" 'NR == 1 || $2 == k { print (NR == 1 ? "" : here "/") $0 }' vectors/MANIFEST.csv >"$out/runs/$kernel.csv"
            echo "recordings $kernel $build/ballast run --out $out/runs/$kernel $out/runs/$kernel.csv"
        done
        for mode in ENERGY PERFORMANCE; do # the chip as one module: the runs above put it together from its blocks
            echo "recordings chip_$mode $build/ballast chip --block ballast_chip_top --set ballast_chip_top.mode=$mode vectors/pathfinder.n8.blt"
        done
    else
        echo "recordings all $build/ballast lockstep --out $out/runs/all ${recordings:-$(echo vectors/*.blt)}"
    fi
    for program in $tests; do echo "tests $program $build/test/$program"; done
}

run_one() { # SUITE NAME COMMAND...
    local suite=$1 name=$2
    shift 2
    if BALLAST_COVERAGE=$out/$suite/$name "$@" >"$out/log/$name.txt" 2>&1; then
        rm -rf "$out/runs/$name" # of a run that fails it has the explanation
    else
        echo "$name" >>"$out/log/failed"
    fi
    echo "$name" >>"$out/log/done"
}

rm -f "$out/log/failed" "$out/log/done"
: >"$out/log/done"
pids=()
mapfile -t runs < <(list_runs)
for line in "${runs[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
        say "$(wc -l <"$out/log/done") of ${#runs[@]} runs: ${line#* }"
        sleep 0.2
    done
    # shellcheck disable=SC2086 # words of a command
    run_one $line &
    pids+=($!)
done
while [ "$(jobs -rp | wc -l)" -gt 0 ]; do
    say "$(wc -l <"$out/log/done") of ${#runs[@]} runs"
    sleep 0.2
done
say ''
if [ -s "$out/log/failed" ]; then
    name=$(head -n 1 "$out/log/failed")
    grep -aE -m 5 "MISMATCH|FAILED|rror" "$out/log/$name.txt" >&2 || tail -n 5 "$out/log/$name.txt" >&2
    die "$(xargs <"$out/log/failed") failed; all of it: $out/log/$name.txt"
fi
rm -rf "$out/runs"

part=()
[ $all = 1 ] || part=("$@")
"$report" --out "$out" "$out/recordings" "$out/tests" "${part[@]}"
