#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# formal_block.sh TARGET: the proofs of one block, for formal.sh, which says with FORMAL_... where everything is. Leaves in
# FORMAL_OUT/TARGET: result, "proved|failed|open SECONDS TEXT"; rules, a line for each; and what led there.
# formal_block.sh --model STEM PARAMS DIR TOOLS: the step of a C model alone, for mutate.sh: bits and step.ll into DIR.
set -euo pipefail
shopt -s extglob
. synth_scripts/synth.sh
. tb/formal/formal_targets.sh
. tb/formal/formal_circuits.sh

# One line; exit status as of gates_prove.sh.
prove_sums() { # DIR
    local dir=$1 sum side n=0 text status=0 worst=0 names
    names=$(jq -r -f tb/formal/formal_sums.jq "$dir/tree.json")
    [ "$names" = "$(jq -r -f tb/formal/formal_sums.jq "$dir/sum.json")" ] || { echo "formal.sh: $dir: tree.json and sum.json have other sums" >&2; return 2; }
    while [ -n "$names" ] && read -r sum; do
        n=$((n + 1))
        mkdir -p "$dir/sum$n"
        for side in tree sum; do
            jq --arg sum "$sum" -f tb/formal/formal_sums.jq "$dir/$side.json" >"$dir/sum$n/$side.json"
            step "$dir/sum$n/$side.log" yosys -q -p "read_json $dir/sum$n/$side.json; techmap; opt_clean; aigmap; opt_clean; setundef -zero; write_blif $dir/sum$n/$side.blif" || return 2
        done
        text=$(tb/formal/formal_sum.sh "$dir/sum$n/tree.blif" "$dir/sum$n/sum.blif" "$dir/sum$n" "$seconds") || status=$?
        if [ $status -gt $worst ]; then worst=$status; echo "tree of adders $n: $text"; fi
    done <<<"$names"
    if [ $worst -eq 0 ]; then
        case $n in 0) ;; 1) echo ", and a tree of adders equal to its sum" ;; *) echo ", and $n trees of adders equal to their sums" ;; esac
    fi
    return $worst
}

# Whether the translation does what the compiled step does; else one line into DIR/result.
translated() { # TARGET DIR START
    local status=0
    "$tools/stepir" test "$2" 200000 1 >"$2/test.log" 2>&1 || status=$?
    case $status in
    0) return 0 ;;
    1) echo "failed $((SECONDS - $3)) the translation is not what the compiler makes: $(head -n 1 "$2/test.log")" >"$2/result"; return 1 ;;
    *) echo "formal.sh: $1: $(head -n 1 "$2/test.log")" >&2; return 2 ;;
    esac
}

# One line; exit status as of gates_prove.sh.
prove_step() { # DIR
    mkdir -p "$1/prove"
    step "$1/blif.log" "$tools/stepir" blif "$1" || return 2
    synth_scripts/gates/gates_prove.sh "$1/gold.blif" "$1/gate.blif" "$1/prove" "$seconds" RTL "C model" "$1/free_gold.blif" "$1/free_gate.blif"
}

# One line into DIR/result: proved, failed or open; a text.
prove() { # TARGET DIR PARAMS
    local dir=$2 text status=0 start=$SECONDS
    translated "$1" "$dir" $start || { status=$?; [ $status -eq 1 ]; return; }
    text=$(prove_step "$dir") || status=$?
    if [ $status -eq 0 ]; then text+=$(prove_sums "$dir") || { status=$?; text=${text#*BDD}; }; fi
    case $status in
    0) text="proved $((SECONDS - start)) $text" ;;
    1) local shown
       shown=$(counterexample "$1" "$dir" "$3")
       text="failed $((SECONDS - start)) ${shown:-$text}" ;;
    3) text="open $((SECONDS - start)) $text" ;;
    *) return 2 ;;
    esac
    echo "$text" >"$dir/result"
}

# The same by parts: the block around them with free ones, and that they are the block that has a proof of its own. Whether
# that is proved is looked at in the end (verdict of formal.sh).
prove_with_parts() { # TARGET DIR PART COUNT
    local dir=$2 text status=0 start=$SECONDS
    if ! cmp -s "$dir/part/rtl.aag" "$dir/part/inside.aag"; then
        echo "failed 0 $3 in $1 is another circuit than $3 alone: do they have the same parameters?" >"$dir/result"
        return
    fi
    translated "$1" "$dir" $start || { status=$?; [ $status -eq 1 ]; return; }
    text=$(prove_step "$dir") || status=$?
    case $status in
    0) text="proved $((SECONDS - start)) $text, by parts: $4 $3" ;;
    1) text="failed $((SECONDS - start)) by parts: $text" ;;
    3) text="open $((SECONDS - start)) by parts: $text" ;;
    *) return 2 ;;
    esac
    echo "$text" >"$dir/result"
}

# The rules of the block, of its RTL alone. One line each into DIR/rules: a status, seconds, EVERY|STATE|STEP, the rule, the text.
prove_properties() { # DIR
    local dir=$1 n of rule text status=0
    "$tools/stepir" test_properties "$dir" 20000 1 >"$dir/test.log" 2>&1 || {
        echo "formal.sh: $dir: the translation is not what the compiler makes: $(head -n 1 "$dir/test.log")" >&2; return 2; }
    "$tools/stepir" properties "$dir" >"$dir/properties" 2>"$dir/properties.log" || { head -n 1 "$dir/properties.log" >&2; return 2; }
    if ! grep -q '^next' "$dir/bits"; then sed -i 1d "$dir/properties"; fi # no registers: no reset
    prove_broken "$dir" broken || status=$?
    case $status in 0 | 1 | 3) ;; *) return 2 ;; esac
    while IFS=$'\t' read -r n of rule text; do
        local start=$SECONDS one=0
        if [ $status -ne 0 ]; then # which of them?
            "$tools/stepir" properties "$dir" "$n" >/dev/null || return 2
            prove_broken "$dir" "property$n" || one=$?
        fi
        case $one in
        0) printf 'proved' ;;
        1) printf 'failed'; show_broken "$dir" "property$n" "$rule" ;;
        3) printf 'open' ;;
        *) return 2 ;;
        esac
        printf '\t%s\t%s\t%s\t%s\n' $((SECONDS - start)) "$of" "$rule" "$text"
    done <"$dir/properties" >"$dir/rules"
}

prove_broken() { # DIR WORK
    mkdir -p "$1/$2"
    synth_scripts/gates/gates_prove.sh "$1/none.blif" "$1/broken.blif" "$1/$2" "$seconds" rules RTL >"$1/$2/said"
}

# The state and the inputs for which a rule is broken, as a file for DIR/replay.
show_broken() { # DIR WORK RULE
    if [ -s "$1/$2/cex" ]; then "$tools/stepir" show "$1" "$1/$2/cex" >"$1/broken_$3" || true; fi
}

# The block alone, model and Verilated RTL, for one cycle out of a file: DIR/replay.
link_replay() { # TARGET DIR PARAMS
    local target=$1 dir=$2 params=$3 stem root flags source objects=()
    stem=$(stem_of "$1")
    root=$(verilator --getenv VERILATOR_ROOT)/include
    flags="-D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I$models -Icmodel -Itb -Isim -O1 -w"
    rm -rf "$dir/cpp"
    mkdir -p "$dir/models"
    # shellcheck disable=SC2046
    step "$dir/verilator.log" verilator --cc -Wno-fatal -Wno-lint --x-assign unique --x-initial unique --top-module "$stem" --prefix "V$target" \
        --Mdir "$dir/cpp" $(printf -- '-G%s ' $params) -y "$rtl/common" -y "$rtl/sm" -y "$rtl/chip" tb/shim/public.vlt "$rtl"/common/*_pkg.sv \
        "$(ls "$rtl"/*/"$stem".sv)" || return 2
    (cd "$dir/cpp" && for f in V*.cpp; do echo "#include \"$f\""; done >verilated_all.inc)
    # shellcheck disable=SC2086
    step "$dir/shim.log" g++ -std=gnu++17 $flags "-I$dir/cpp" "-I$root" "-I$root/vltstd" -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVM_TRACE_FST=0 \
        -DVM_TRACE_VCD=0 -DVL_USER_STOP -DVL_PRINTF=rtl_printf -include tb/shim/rtl_printf.h "-DBLOCK_PORTS=\"blocks/$stem/ports.h\"" \
        "-DVARIANT=$target" "-DVARIANT_PARAMS=\"$params\"" -c tb/shim/rtl_shim.cpp -o "$dir/shim.o" || return 2
    for source in "$models"/sm/*.c "$models"/chip/*.c; do
        objects+=("$dir/models/$(basename "$source" .c).o")
        step "$dir/gcc.log" gcc -std=c11 $flags -c "$source" -o "${objects[-1]}" || return 2
    done
    # shellcheck disable=SC2086
    step "$dir/gcc.log" gcc -std=c11 $flags "-DVARIANT=$target" -c tb/formal/replay.c -o "$dir/replay.o" || return 2
    step "$dir/replay.log" g++ -flto=auto -o "$dir/replay" "$dir"/{replay,shim}.o "${objects[@]}" "$build"/opt/glue_*.o \
        "$build"/opt/tb/engine/{decision,dut,port,registry}.o "$build"/verilator/{runtime,parts,verilated,verilated_threads}.o
}

# The counterexample as a file of registers and inputs, and what lockstep says to it.
counterexample() { # TARGET DIR PARAMS
    local said status=0
    [ -s "$2/prove/cex" ] && "$tools/stepir" show "$2" "$2/prove/cex" >"$2/counterexample" || return 0
    echo -n "$(sed -n 's/^# //p' "$2/counterexample" | head -n 1) ($2/counterexample)"
    link_replay "$1" "$2" "$3" || return 0
    said=$("$2/replay" "$2/counterexample" | head -n 1) || status=$?
    echo "; in lockstep: $said"
}

# The step at full size by parts. The rules, which look inside of the parts, or a counterexample, of a whole chip with two SMs: what
# differs between SMs shows with two.
run_with_parts() { # TARGET DIR PARAMS PART
    local target=$1 dir=$2 params=$3 part=$4 part_params flat=$2/flat two
    part_params=$(params_of "$part")
    two=${params/NumSms=+([0-9])/NumSms=2}
    mkdir -p "$dir/part"
    # shellcheck disable=SC2086
    { step "$dir/words.log" "$tools/words" "$part" "$part_params" "$dir/part" && elaborate "$part" "$dir/part" $part_params &&
        step "$dir/words.log" "$tools/words" "$target" "$params" "$dir" "$part" "$part_params" sm "$(num_sms)" &&
        compile_with_parts "$target" "$dir" "$part" && elaborate_with_parts "$target" "$dir" "$part" $params &&
        prove_with_parts "$target" "$dir" "$part" "$(num_sms)"; } || return 2
    : >"$dir/rules"
    if grep -q '^failed' "$dir/result"; then
        export LOOK_ONLY=30 # a difference is found fast where there is one
        if prepare "$target" "$flat" "$two" 2>/dev/null && prove "$target" "$flat" "$two" && grep -q '^failed' "$flat/result"; then
            cp "$flat/result" "$dir/result"
        fi
    else
        prepare "$target" "$flat" "$two" && prove_properties "$flat" && cp "$flat/rules" "$dir/rules"
    fi
}

if [ "${1:-}" = --model ]; then # STEM PARAMS DIR TOOLS
    tb=tb models=cmodel
    step "$4/words.log" "$5/words" "$2" "$3" "$4" && compile "$2" "$4"
    exit
fi

tb=${FORMAL_TB:-tb} config=$FORMAL_CONFIG build=$FORMAL_BUILD out=$FORMAL_OUT rtl=$FORMAL_RTL models=$FORMAL_MODELS seconds=$FORMAL_SECONDS tools=$FORMAL_TOOLS
target=$1 dir=$out/$1 stem=$(stem_of "$1")
mkdir -p "$dir"
rm -rf "$dir/result" "$dir/prove" "$dir/counterexample"
params=$(params_of "$target")
part=$(part_of "$stem")
# 255: xargs starts no other
if [ -n "$part" ]; then
    run_with_parts "$target" "$dir" "$params" "$part" || exit 255
else
    { prepare "$stem" "$dir" "$params" && prove "$target" "$dir" "$params" && prove_properties "$dir"; } || exit 255
fi
if [ -t 2 ]; then printf '\r\033[K%s: %s' "$target" "$(cut -d' ' -f1 "$dir/result")" >&2; fi
