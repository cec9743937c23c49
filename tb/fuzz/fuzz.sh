#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh BUILD_DIR programs [TARGET...]         the programs that the targets need, for make
# fuzz.sh BUILD_DIR run SECONDS [TARGET...]      fuzzes each target so long; 1: something was found
# fuzz.sh BUILD_DIR update [TARGET...]           takes new inputs over into tb/fuzz/corpus, the fewest that reach the same
#
# A TARGET is a block (its variant of tb/fuzz/targets), a variant or a kind of file (tb/fuzz/files.h); without any all of
# them. What a run adds to the inputs lies in BUILD_DIR/fuzz/inputs, what it found in BUILD_DIR/fuzz/findings; Ctrl-C keeps
# both. Run from the repository root.
set -euo pipefail

die() { echo "fuzz.sh: $*" >&2; exit 2; }

build=${1:?usage: fuzz.sh BUILD_DIR programs|run|update ...}
action=${2:?usage: fuzz.sh BUILD_DIR programs|run|update ...}
shift 2
[ -f tb/fuzz/targets ] || die "no tb/fuzz/targets here; run it from the repository root"

fuzz=$build/fuzz
store=${FUZZ_STORE:-$fuzz} # of inputs and findings; the tests have their own
corpus=tb/fuzz/corpus
kinds=(trace parts import kernel gpu workload manifest)
mapfile -t variants < <(sed 's/ *#.*//; /^$/d' tb/fuzz/targets)
most_bytes=14000       # of a target's inputs in the repository ...
most_bytes_parts=60000 # ... and of recordings: it takes whole ones to get everywhere in their reader

is_kind() { [[ " ${kinds[*]} " = *" $1 "* ]]; }

variant_of() { # NAME: its variant in the list, or itself if it is a variant of a block
    local v
    for v in "${variants[@]}"; do
        if [[ $v = "$1" || $v = "$1"_* && -f tb/blocks/$1/ports.h ]]; then echo "$v"; return; fi
    done
    [ -f "$fuzz/fuzz_$1" ] || grep -qs "^VARIANTS += $1\$" "$build/blocks.mk" ||
        die "no block, variant or kind of file '$1'; there are: ${variants[*]} ${kinds[*]}"
    echo "$1"
}

choose() { # [NAME...]: sets targets
    local name v
    targets=()
    [ $# -gt 0 ] || set -- "${variants[@]}" "${kinds[@]}"
    for name in "$@"; do
        if is_kind "$name"; then targets+=("$name"); continue; fi
        v=$(variant_of "$name") || exit 2
        targets+=("$v")
    done
}

# ---- one target --------------------------------------------------------------------------

command_of() { # TARGET: sets program and own options
    if is_kind "$1"; then
        program=("$fuzz/fuzz_files" "--kind=$1")
        options=(-max_len=4096 -rss_limit_mb=512)
    else
        program=("$fuzz/fuzz_$1" "--findings=$store/findings/$1" "--program=$build/ballast")
        options=(-max_len=512 -rss_limit_mb=512)
    fi
    options+=(-timeout=20)
    [ -x "${program[0]}" ] || die "${program[0]} is not there; run: make fuzz BLOCKS=$1"
}

# The keys of the text files, in quotes as libFuzzer takes them.
write_words() { # KIND FILE
    local sources=()
    case $1 in
        kernel) sources=(sim/analytic/kernel_file.c) ;;
        gpu) sources=(sim/analytic/gpu_file.c cmodel/analytic/ipp_keys.c) ;;
        workload) sources=(sim/gpu/workload_file.c) ;;
        manifest) sources=(sim/cli/manifest.c) ;;
        import) sources=(sim/recording/raw_tables.c) ;;
        *) return 1 ;;
    esac
    grep -oh '"[a-z][a-z_0-9]*"' "${sources[@]}" | sort -u >"$2"
}

last_of() { grep -aE '^#[0-9]+.* cov: ' "$1" | tail -n 1 || true; } # LOG
field_of() { sed -nE "s/.* $2: ([^ ]+).*/\1/p" <<<"$1"; }           # LINE NAME

progress() { # TARGET LOG PID: on a terminal, until the program ends
    local line
    while kill -0 "$3" 2>/dev/null; do
        sleep 2
        line=$(last_of "$2")
        [ ! -t 1 ] || [ -z "$line" ] || printf '\r%-18s %s\e[K' "$1" "${line:0:100}"
    done
    [ ! -t 1 ] || printf '\r\e[K'
}

report_finding() { # TARGET LOG
    local artifact small
    artifact=$(sed -nE 's/.*Test unit written to (.*)/\1/p' "$2" | tail -n 1)
    echo "FOUND by $1; all of it: $2"
    grep -aE '^FOUND|ERROR: |runtime error|SUMMARY' "$2" | head -n 4 || true
    [ -n "$artifact" ] || return 0
    small=$artifact.small
    "${program[@]}" -minimize_crash=1 -max_total_time=10 "-exact_artifact_path=$small" "$artifact" >"$small.log" 2>&1 || true
    if [ -s "$small" ]; then artifact=$small; else rm -f "$small"; fi
    # Once more, so that the recording is that of the small input.
    "${program[@]}" "$artifact" >"$small.log" 2>&1 || true
    echo "  replay the input:    ${program[*]} $artifact"
    grep -aE '^  [^ ]*ballast (lockstep|chip) ' "$small.log" | sed 's/^ */  replay in lockstep:  /' || true
}

summary() { # TARGET LOG SECONDS WORD
    local line
    line=$(last_of "$2")
    printf '%-18s %5d s %9s inputs %7s/s  coverage %5s  features %6s  corpus %s  %s\n' "$1" "$3" \
        "$(sed -nE 's/^#([0-9]+).*/\1/p' <<<"$line")" \
        "$(sed -nE 's/^stat::average_exec_per_sec: *([0-9]+)/\1/p' "$2")" "$(field_of "$line" cov)" "$(field_of "$line" ft)" \
        "$(field_of "$line" corp)" "$4"
}

fuzz_one() { # TARGET SECONDS: 1 when something was found
    local own=$store/inputs/$1 log=$store/inputs/$1.log status=0 started=$SECONDS words=()
    command_of "$1"
    mkdir -p "$own" "$store/findings" "$corpus/$1"
    if write_words "$1" "$store/inputs/$1.words"; then words=("-dict=$store/inputs/$1.words"); fi
    "${program[@]}" "${options[@]}" "${words[@]}" "-max_total_time=$2" -len_control=10 -print_final_stats=1 \
        "-artifact_prefix=$store/findings/$1-" "$own" "$corpus/$1" >"$log" 2>&1 &
    child=$!
    progress "$1" "$log" "$child"
    wait "$child" || status=$?
    child=
    case $status in
        0) summary "$1" "$log" $((SECONDS - started)) "ok" ;;
        *) summary "$1" "$log" $((SECONDS - started)) "FOUND"; report_finding "$1" "$log"; return 1 ;;
    esac
}

stop() {
    trap - INT TERM
    if [ -n "${child:-}" ]; then
        kill -INT "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    fi
    echo
    echo "interrupted; the inputs found so far are in $store/inputs: make fuzz-update keeps them"
    exit 130
}

run() { # SECONDS [TARGET...]
    local seconds=$1 found=0 t
    shift
    [[ $seconds =~ ^[1-9][0-9]*$ ]] || die "'$seconds' is no number of seconds"
    choose "$@"
    child=
    trap stop INT TERM
    for t in "${targets[@]}"; do fuzz_one "$t" "$seconds" || found=1; done
    return $found
}

# ---- keeping inputs ------------------------------------------------------------------------

update_one() { # TARGET
    local merged bytes=0 size file kept=0 most=$most_bytes
    [ "$1" != parts ] || most=$most_bytes_parts
    command_of "$1"
    merged=$store/inputs/$1.merged
    rm -rf "$merged"
    mkdir -p "$merged" "$corpus/$1" "$store/inputs/$1"
    "${program[@]}" "${options[@]}" -merge=1 -set_cover_merge=1 "$merged" "$corpus/$1" "$store/inputs/$1" \
        >"$store/inputs/$1.merge.log" 2>&1 || die "merging $1 has failed; see $store/inputs/$1.merge.log"
    rm -f "$corpus/$1"/*
    while read -r size file; do # small ones first: what does not fit is what says least per byte
        [ $((bytes + size)) -le "$most" ] || break
        cp "$merged/$file" "$corpus/$1/"
        bytes=$((bytes + size))
        kept=$((kept + 1))
    done < <(find "$merged" -type f -printf '%s %f\n' | sort -n)
    printf '%-18s %4d inputs, %6d bytes in %s\n' "$1" "$kept" "$bytes" "$corpus/$1"
    rm -rf "$merged"
}

case $action in
    programs)
        choose "$@"
        for t in "${targets[@]}"; do if is_kind "$t"; then echo "$fuzz/fuzz_files"; else echo "$fuzz/fuzz_$t"; fi; done | sort -u
        ;;
    run) run "$@" ;;
    update)
        choose "$@"
        for t in "${targets[@]}"; do update_one "$t"; done
        ;;
    *) die "unknown action '$action'" ;;
esac
