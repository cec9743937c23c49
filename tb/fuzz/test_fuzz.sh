#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_fuzz.sh BUILD_DIR [more]: that fuzzing finds what is there to be found. Faults are planted in a copy of the tree (a
# tie, a counter that is full, a register without reset, a length that nobody checks) and have to be found in seconds;
# found ones have to come back when their recording is replayed; and the code as it is has to hold for a few seconds.
# With `more` also plants in every other block. Run from the repository root; the build is there.
set -uo pipefail

build=${1:?usage: test_fuzz.sh BUILD_DIR [more]}
more=${2:-}
. tb/report.sh

planted=$build/fuzz/planted
scratch=$(mktemp -d)
export FUZZ_STORE=$scratch/store
trap 'rm -rf "$scratch" "$planted"' EXIT

# ---- the plants --------------------------------------------------------------------------
# NAME PROGRAM CORPUS|- FILE SED FOUND: what to plant where; CORPUS: inputs to begin with, - for none; words of the finding

plants() {
    cat <<'PLANTS'
a vote's tie (RTL)|vf_vote_plurality|vf_vote_plurality|rtl/chip/vf_vote.sv|s/comp_vs_mem = comp_count_q > mem_count_q/comp_vs_mem = comp_count_q >= mem_count_q/|_o: model|assertion
a counter that is full (model)|lcs_narrow|-|cmodel/sm/lcs.c|s/s->inst\[slot\] > brim/s->inst[slot] > brim + 1/|inst_q\[[0-9]\]: model
a register without reset (RTL)|eq_counters_first|-|rtl/sm/eq_counters.sv|/if (!rst_ni) begin/,/else/{/cycle_q *<= CycleW/d}|cycle_q: model
a length that nobody checks (reader)|files --kind=parts|parts|sim/recording/decode.c|s/(size_t)(at->event_end - at->event) < n/at->event_end == NULL/|AddressSanitizer: (use-after-poison|heap-buffer-overflow)
PLANTS
    [ -n "$more" ] || return 0
    cat <<'PLANTS'
a comparison with the sample before (model)|perfsat_narrow|-|cmodel/sm/perfsat.c|s/if (cur != s->prev)/if (cur > s->prev)/|_q: model
a threshold that is met (RTL)|eq_decision_small|-|rtl/sm/eq_decision.sv|s/if (n_mem > wcta) begin/if (n_mem >= wcta) begin/|_o: model|assertion
PLANTS
}

# Only sources are copied by name; what was built of the others comes along and need not be built again.
copy_tree() {
    rm -rf "$planted"
    mkdir -p "$planted/$build/fuzz" "$planted/$build/rtl"
    cp -rp Makefile cmodel rtl sim synth_scripts tb "$planted/"
    cp -p "$build/blocks.mk" "$planted/$build/"
    cp -rp "$build"/fuzz/{cov,plain,verilator,san,rtl} "$planted/$build/fuzz/"
    local v
    for v in "$@"; do [ ! -d "$build/rtl/$v" ] || cp -rp "$build/rtl/$v" "$planted/$build/rtl/"; done
}

plant_all() {
    local name program corpus file edit found before programs=()
    while IFS='|' read -r name program corpus file edit found; do
        before=$(sha256sum <"$planted/$file")
        sed -i "$edit" "$planted/$file"
        [ "$before" != "$(sha256sum <"$planted/$file")" ] || report "$name" "nothing was planted: $file has changed"
        programs+=("$build/fuzz/fuzz_${program%% *}")
    done < <(plants)
    make -C "$planted" --no-print-directory -j2 "${programs[@]}" >"$scratch/make.log" 2>&1 ||
        report "build with plants" "$(tail -n 3 "$scratch/make.log")"
}

find_planted() {
    local name program corpus file edit found args begin longest log why
    while IFS='|' read -r name program corpus file edit found; do
        read -ra args <<<"$planted/$build/fuzz/fuzz_$program"
        mkdir -p "$scratch/empty" "$scratch/artifacts"
        rm -f "$scratch"/empty/*
        log=$scratch/planted.log
        begin=()
        [ "$corpus" = - ] || begin=("tb/fuzz/corpus/$corpus")
        longest=512
        [ "${program%% *}" != files ] || longest=4096
        timeout 60 "${args[@]}" -seed=1 -max_total_time=40 -max_len=$longest -len_control=10 -rss_limit_mb=512 \
            "-artifact_prefix=$scratch/artifacts/" "$scratch/empty" "${begin[@]}" >"$log" 2>&1 </dev/null
        why=""
        if ! grep -qE "FOUND|ERROR" "$log"; then why="not found in $(grep -ac '^#' "$log") lines of progress"
        elif ! grep -qE "$found" "$log"; then why="found, but not as '$found': $(grep -aE 'FOUND|ERROR' "$log" | head -n 1)"
        fi
        report "planted: $name" "$why"
    done < <(plants)
}

# ---- a finding's recording ----------------------------------------------------------------

# One flipped bit on one side: found, and the printed line finds the same with the ordinary command.
check_replay() { # VARIANT FAULT PORT
    local log=$scratch/inject.log line why=""
    mkdir -p "$scratch/empty"
    timeout 60 "$build/fuzz/fuzz_$1" "--inject=$2" "--findings=$scratch/$1" "--program=$build/ballast" -seed=1 -max_total_time=30 \
        -max_len=512 "-artifact_prefix=$scratch/" "$scratch/empty" "tb/fuzz/corpus/$1" >"$log" 2>&1 </dev/null
    line=$(grep -aE "^  $build/ballast (lockstep|chip) " "$log" | head -n 1)
    if ! grep -qa "FOUND $1: .* $3: model" "$log"; then why="not found"
    elif [ -z "$line" ]; then why="no line to replay it: $(grep -a "No re" "$log")"
    else
        eval "$line --out '$scratch/out'" >"$scratch/replay.log" 2>&1
        [ $? -eq 1 ] || why="the replay passes: $line"
        grep -qa "MISMATCH in $1" "$scratch/replay.log" && grep -qa "$3" "$scratch/replay.log" || why="the replay finds something else: $line"
    fi
    report "found and replayed: $2" "$why"
}

# ---- the run itself ------------------------------------------------------------------------

check_interrupt() {
    local status why=""
    rm -f "$FUZZ_STORE/inputs/lcs_narrow.log"
    tb/fuzz/fuzz.sh "$build" run 60 lcs_narrow >"$scratch/interrupt.log" 2>&1 &
    local pid=$!
    for _ in $(seq 100); do # until it has begun
        ! grep -qa 'INITED' "$FUZZ_STORE/inputs/lcs_narrow.log" 2>/dev/null || break
        sleep 0.2
    done
    kill -TERM $pid # a background job of a script does not get SIGINT; it takes both alike
    wait $pid
    status=$?
    [ $status -eq 130 ] || why="exit status $status"
    grep -q 'interrupted; the inputs found so far are in ' "$scratch/interrupt.log" || why="says nothing"
    [ -n "$(ls "$FUZZ_STORE/inputs/lcs_narrow")" ] || why="nothing was kept"
    report "an interrupted run keeps what it found" "$why"
}

check_usage() {
    local why="" said
    said=$(tb/fuzz/fuzz.sh "$build" programs nothing 2>&1) && why="accepts a block that is not there"
    [ "$(wc -l <<<"$said")" -eq 1 ] && grep -q "no block, variant or kind of file 'nothing'" <<<"$said" || why="says: $said"
    said=$(tb/fuzz/fuzz.sh "$build" run x lcs 2>&1) && why="accepts no number"
    report "wrong names are refused in one line" "$why"
}

check_short_run() {
    local why=""
    tb/fuzz/fuzz.sh "$build" run 3 lcs vf_vote parts >"$scratch/short.log" 2>&1 || why=$(grep -v ' ok$' "$scratch/short.log" | head -n 8)
    report "blocks and reader hold for a few seconds" "$why"
}

mapfile -t programs < <({ plants | cut -d'|' -f2 | sed "s/ .*//; s:^:$build/fuzz/fuzz_:"; } | sort -u)
make --no-print-directory -j2 "${programs[@]}" >"$scratch/make.log" 2>&1 || { report "build" "$(tail -n 3 "$scratch/make.log")"; exit 1; }
check_usage
check_replay lcs_narrow 'rtl:lcs_narrow.sum_q[3]@70' sum_q
check_replay vf_vote_plurality 'model:vf_vote_plurality.comp_count_q[1]@30' comp_count_q
check_short_run
check_interrupt
mapfile -t variants < <(plants | cut -d"|" -f2)
copy_tree "${variants[@]}"
plant_all
find_planted
exit $failed
