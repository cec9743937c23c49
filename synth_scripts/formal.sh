#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# formal.sh [OPTION...] [BLOCK...]: proves for every block (default: all) that one step of the C model and one step of the RTL
# give equal outputs and equal registers, from every state under every input, and that the rules of tb/BLOCK/BLOCK_properties.h
# hold of the RTL. Prints a table. Run from the repository root.
# doc/proofs.md.
#   --config C       geometry, one of rtl/configs (default fermi)
#   --rtl DIR        take the RTL from here instead of rtl (with its folders common, sm, chip)
#   --models DIR     take the C models from here instead of cmodel
#   --seconds N      so long for one question to the prover (default 300)
#   --page FILE      write the results into this page, between its marks
#   --build DIR      where the tools are built (default build/CONFIG)
#   --out DIR        where to work (default build/formal)
# Exit 0 nothing failed (what is open is in the table), 1 a proof failed, 2 usage or a tool or file is missing, 130 interrupted.
set -euo pipefail
shopt -s extglob
. synth_scripts/synth.sh 2>/dev/null || { echo "formal.sh: no synth_scripts/synth.sh here; run it from the repository root" >&2; exit 2; }

die() { echo "formal.sh: $*" >&2; exit 2; }

# ---- one block -----------------------------------------------------------------------------------

# A target is a block, or a block with another parameter: the memory's VF domain.
num_sms() { grep -o 'NumSms=[0-9]*' "rtl/configs/$config" | cut -d= -f2; }
part_of() { if [ "$1" = ballast ]; then echo sm_governor; fi; } # STEM: what is proved apart from it
stem_of() { case $1 in vf_domain_mem) echo vf_domain ;; *) echo "$1" ;; esac; }
params_of() { # TARGET
    local params
    params=$(synth_params "$(stem_of "$1")" "$config")
    if [ "$1" = vf_domain_mem ]; then params+=" Domain=1"; fi
    if [ "$1" = ballast ]; then params=${params/NumSms=1/NumSms=$(num_sms)}; fi
    echo "${params# }"
}

step() { # LOG COMMAND...: one tool; what it says goes to the log, what went wrong is told in one line
    local log=$1 status=0
    shift
    "$@" >"$log" 2>&1 || status=$?
    [ $status -eq 0 ] || { echo "formal.sh: $(basename "$1"): $(grep -m1 -iE 'error|stepir|words:' "$log" || tail -n 1 "$log"); all of it in $log" >&2; return 2; }
}

# What has the model's step: the file of the block, for one that is made of others theirs, too.
sources_of() { # STEM
    local file
    for file in "$models"/sm/"$1".c "$models"/chip/"$1".c; do
        if [ -f "$file" ]; then echo "$file"; fi
    done
    case $1 in
    sm_governor | ballast) ls "$models"/sm/*.c | grep -v "/$1.c" ;;
    esac
    if [ "$1" = ballast ]; then ls "$models"/chip/*.c | grep -v "/$1.c"; fi
}

c_flags() { # STEM DIR
    local stem=$1
    printf '%s\n' -D_GNU_SOURCE "-I$models" -Icmodel "-I$tb" -Itb -Isim "-I$2" -std=c11 -w -Werror=implicit-function-declaration -fno-strict-aliasing "-DBLOCK_PORTS=\"$stem/${stem}_ports.h\""
    if [ -f "tb/$stem/${stem}_invariant.h" ]; then echo "-DSTEP_INVARIANT=\"$stem/${stem}_invariant.h\""; fi
    if [ -f "tb/$stem/${stem}_properties.h" ]; then echo "-DSTEP_PROPERTIES=\"$stem/${stem}_properties.h\""; fi
}

# FILE.bc of a source, with more flags.
bitcode() { # DIR SOURCE FLAGS...
    local dir=$1 source=$2
    shift 2
    step "$dir/clang.log" clang-14 "$@" -O2 -Xclang -disable-llvm-passes -emit-llvm -c "$source" -o "$dir/$(basename "$source" .c).bc"
}

# step.ll out of all FILE.bc: straight-line code.
straighten() { # DIR
    step "$1/link.log" llvm-link-14 "$1"/*.bc -o "$1/linked" || return 2
    step "$1/opt.log" opt-14 -S -O2 -unroll-threshold=1000000 -inline-threshold=1000000 -vectorize-loops=false \
        -vectorize-slp=false -internalize -internalize-public-api-list=step_words,property_words "$1/linked" -o "$1/step.ll"
}

# step.ll: the step and the properties; step.so: the same, compiled as usual.
compile() { # STEM DIR
    local stem=$1 dir=$2 source flags sources
    mapfile -t flags < <(c_flags "$stem" "$dir")
    mapfile -t sources < <(sources_of "$stem")
    rm -f "$dir"/*.bc
    for source in tb/formal/step.c tb/formal/properties.c "${sources[@]}"; do
        bitcode "$dir" "$source" "${flags[@]}" || return 2
    done
    straighten "$dir" || return 2
    step "$dir/gcc.log" gcc "${flags[@]}" -O1 -fPIC -shared tb/formal/step.c tb/formal/properties.c "${sources[@]}" -o "$dir/step.so"
}

# The same with free parts (tb/formal/part.c): the step only.
compile_with_parts() { # STEM DIR PART
    local stem=$1 dir=$2 part=$3 source flags part_flags
    mapfile -t flags < <(c_flags "$stem" "$dir"; echo -DSTEP_PART)
    mapfile -t part_flags < <(c_flags "$part" "$dir/part"; echo "-I$dir")
    rm -f "$dir"/*.bc
    for source in tb/formal/step.c "$models"/chip/*.c; do
        bitcode "$dir" "$source" "${flags[@]}" || return 2
    done
    bitcode "$dir" tb/formal/part.c "${part_flags[@]}" || return 2
    straighten "$dir" || return 2
    step "$dir/gcc.log" gcc "${part_flags[@]}" -O1 -fPIC -c tb/formal/part.c -o "$dir/part.o" || return 2
    step "$dir/gcc.log" gcc "${flags[@]}" -O1 -fPIC -shared tb/formal/step.c "$models"/chip/*.c "$dir/part.o" -o "$dir/step.so"
}

# AIG of a flattened design's step, under the labels of BITS.
cut_registers() { # TOP DESIGN.json BITS AIG
    jq -n -L synth_scripts --arg top "$1" --slurpfile rtl "$2" --rawfile bits "$3" -f synth_scripts/formal_cut.jq \
        >"$4.json" 2>"$4.log" || { echo "formal.sh: $1: $(sed 's/^jq: error ([^)]*): //' "$4.log" | head -n 1)" >&2; return 2; }
    step "$4.log" yosys -q -p "read_json $4.json; techmap; opt_clean; aigmap; opt_clean; setundef -zero; write_aiger -ascii -symbols $4"
}

read_rtl() { # STEM PARAM...: Yosys commands, with the sums that simulators take
    synth_read "$@" | sed "s# rtl/# $rtl/#g; s/^read_verilog -sv /&-formal /"
    echo "setattr -set keep 1 w:*_q w:*_q[*] %u; proc; opt_clean"
}

# rtl.aag: the RTL's step. warp_sum.sv has its sums twice, as a sum and as the tree of adders that synthesis gets; taken is
# the sum, and prove_sums shows that the tree is equal to it.
elaborate() { # STEM DIR PARAM...
    local stem=$1 dir=$2
    shift 2
    { read_rtl "$stem" "$@"; echo "write_json $dir/sum.json; flatten; opt_clean; write_json $dir/rtl.json"; } >"$dir/rtl.ys"
    { synth_read "$stem" "$@" | sed "s# rtl/# $rtl/#g"; echo "proc; opt_clean; write_json $dir/tree.json"; } >"$dir/tree.ys"
    step "$dir/rtl.log" yosys -q -s "$dir/rtl.ys" || return 2
    step "$dir/tree.log" yosys -q -s "$dir/tree.ys" || return 2
    cut_registers "$stem" "$dir/rtl.json" "$dir/bits" "$dir/rtl.aag"
}

# The same with parts that are boxes without contents; part/inside.aag: the step of one, as it is instantiated here.
elaborate_with_parts() { # STEM DIR PART PARAM...
    local stem=$1 dir=$2 part=$3 type
    shift 3
    { read_rtl "$stem" "$@"; echo "write_json $dir/sum.json; blackbox *$part; flatten; opt_clean; write_json $dir/rtl.json"; } >"$dir/rtl.ys"
    step "$dir/rtl.log" yosys -q -s "$dir/rtl.ys" || return 2
    cut_registers "$stem" "$dir/rtl.json" "$dir/bits" "$dir/rtl.aag" || return 2
    type=$(jq -r --arg top "$stem" --arg part "$part" 'first(.modules[$top].cells[] | .type | select(endswith($part)))' "$dir/rtl.json")
    step "$dir/inside.log" yosys -q -p "read_json $dir/sum.json; hierarchy -top $type; flatten; opt_clean; write_json $dir/part/inside.json" || return 2
    cut_registers "$type" "$dir/part/inside.json" "$dir/part/bits" "$dir/part/inside.aag" 2>/dev/null || rm -f "$dir/part/inside.aag" # it has other registers
}

# One line; exit status as of gates_prove.sh.
prove_sums() { # DIR
    local dir=$1 sum side n=0 text status=0 worst=0 names
    names=$(jq -r -f synth_scripts/formal_sums.jq "$dir/tree.json")
    [ "$names" = "$(jq -r -f synth_scripts/formal_sums.jq "$dir/sum.json")" ] || { echo "formal.sh: $dir: tree.json and sum.json have other sums" >&2; return 2; }
    while [ -n "$names" ] && read -r sum; do
        n=$((n + 1))
        mkdir -p "$dir/sum$n"
        for side in tree sum; do
            jq --arg sum "$sum" -f synth_scripts/formal_sums.jq "$dir/$side.json" >"$dir/sum$n/$side.json"
            step "$dir/sum$n/$side.log" yosys -q -p "read_json $dir/sum$n/$side.json; techmap; opt_clean; aigmap; opt_clean; setundef -zero; write_blif $dir/sum$n/$side.blif" || return 2
        done
        text=$(synth_scripts/formal_sum.sh "$dir/sum$n/tree.blif" "$dir/sum$n/sum.blif" "$dir/sum$n" "$seconds") || status=$?
        if [ $status -gt $worst ]; then worst=$status; echo "tree of adders $n: $text"; fi
    done <<<"$names"
    if [ $worst -eq 0 ] && [ $n -gt 0 ]; then echo ", and $n trees of adders equal to their sums"; fi
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
    synth_scripts/gates_prove.sh "$1/gold.blif" "$1/gate.blif" "$1/prove" "$seconds" RTL "C model" "$1/free_gold.blif" "$1/free_gate.blif"
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

# The same by parts: the block around them with free ones, and that they are the block that has a proof of its own. That proof is
# looked for in the end, by verdicts.
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
    local dir=$1 n of rule text status=0 only=()
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
    synth_scripts/gates_prove.sh "$1/none.blif" "$1/broken.blif" "$1/$2" "$seconds" rules RTL >"$1/$2/said"
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
        -DVM_TRACE_VCD=0 -DVL_USER_STOP -DVL_PRINTF=rtl_printf -include tb/shim/rtl_printf.h "-DBLOCK_PORTS=\"$stem/${stem}_ports.h\"" \
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

prepare() { # STEM DIR PARAMS
    mkdir -p "$2"
    # shellcheck disable=SC2086
    step "$2/words.log" "$tools/words" "$1" "$3" "$2" && compile "$1" "$2" && elaborate "$1" "$2" $3
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

# For mutate.sh: bits and step.ll only, into DIR; the tools are built.
if [ "${1:-}" = --model ]; then # STEM PARAMS DIR TOOLS
    tb=tb models=cmodel
    step "$4/words.log" "$5/words" "$2" "$3" "$4" && compile "$2" "$4"
    exit
fi

if [ "${1:-}" = --target ]; then # for xargs below
    tb=${FORMAL_TB:-tb} config=$FORMAL_CONFIG build=$FORMAL_BUILD out=$FORMAL_OUT rtl=$FORMAL_RTL models=$FORMAL_MODELS seconds=$FORMAL_SECONDS tools=$FORMAL_TOOLS
    target=$2 dir=$out/$2 stem=$(stem_of "$2")
    mkdir -p "$dir"
    rm -rf "$dir/result" "$dir/prove" "$dir/counterexample"
    params=$(params_of "$target")
    part=$(part_of "$stem")
    if [ -n "$part" ]; then
        run_with_parts "$target" "$dir" "$params" "$part" || exit 255
    else
        { prepare "$stem" "$dir" "$params" && prove "$target" "$dir" "$params" && prove_properties "$dir"; } || exit 255
    fi
    if [ -t 2 ]; then printf '\r\033[K%s: %s' "$target" "$(cut -d' ' -f1 "$dir/result")" >&2; fi
    exit 0
fi

# ---- command line -----------------------------------------------------------------------------

config=fermi rtl=rtl models=cmodel seconds=300 page='' build='' out=build/formal
while [ $# -gt 0 ]; do
    case $1 in
    --config | --rtl | --models | --page | --seconds | --build | --out)
        [ $# -gt 1 ] || die "$1 wants a value"
        declare "${1#--}=$2"; shift 2 ;;
    -h | --help) sed -n '4,15s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "unknown option $1; formal.sh --help" ;;
    *) break ;;
    esac
done
[ -f "rtl/configs/$config" ] || die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "--seconds wants a number, not '$seconds'"
for tool in yosys jq make gcc g++ verilator clang-14 llvm-link-14 opt-14; do
    command -v $tool >/dev/null || die "$tool is missing; 'make setup' installs it"
done
[ -f /usr/include/llvm-c-14/llvm-c/Core.h ] || die "LLVM's C headers are missing; 'make setup' installs llvm-14-dev"
command -v berkeley-abc >/dev/null || command -v yosys-abc >/dev/null || die "berkeley-abc is missing; 'make setup' installs it with yosys"
[ -d "$rtl/common" ] || die "no RTL in $rtl"
[ -d "$models/sm" ] || die "no models in $models"
blocks=("$@")
[ $# -gt 0 ] || mapfile -t blocks < <(synth_blocks)
for block in "${blocks[@]}"; do
    [[ " $(synth_blocks | xargs) " == *" $block "* ]] || die "no block '$block'; there are: $(synth_blocks | xargs)"
done
build=${build:-build/$config}
targets=()
for block in "${blocks[@]}"; do
    targets+=("$block")
    part=$(part_of "$block")
    if [ -n "$part" ] && [[ " ${blocks[*]} " != *" $part "* ]]; then targets+=("$part"); fi
    if [ "$block" = vf_domain ]; then targets+=(vf_domain_mem); fi
done
mkdir -p "$out"
trap 'exit 130' INT TERM
make --no-print-directory "CONFIG=$config" "B=$build" "$build/formal.tools" >"$out/make.log" 2>&1 ||
    die "the tools do not build: $(tail -n 1 "$out/make.log"); all of it in $out/make.log"

export FORMAL_CONFIG=$config FORMAL_OUT=$out FORMAL_RTL=$rtl FORMAL_MODELS=$models FORMAL_SECONDS=$seconds FORMAL_TOOLS=$build/formal FORMAL_BUILD=$build
start=$SECONDS
if [ ${#targets[@]} -gt 0 ]; then
    printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} synth_scripts/formal.sh --target {} || exit 2
fi
if [ -t 2 ]; then printf '\r\033[K' >&2; fi

# ---- the table --------------------------------------------------------------------------------

has_invariant() { [ -f "tb/$(stem_of "$1")/$(stem_of "$1")_invariant.h" ]; } # TARGET

# A proof by parts is one only with that of its parts.
verdict() { # TARGET: "STATUS SECONDS TEXT"
    local part
    part=$(part_of "$(stem_of "$1")")
    if [ -n "$part" ] && ! grep -q '^proved' "$out/$part/result"; then
        sed "s/^proved \\([0-9]*\\) \\(.*\\)/open \\1 \\2, but $part is not proved/" "$out/$1/result"
    else
        cat "$out/$1/result"
    fi
}

for target in "${targets[@]}"; do
    read -r status took text <<<"$(verdict "$target")"
    states="any state" size="full size"
    if has_invariant "$target"; then states=invariant; fi
    if [ -n "$(part_of "$target")" ]; then size="two SMs"; fi # of the rules
    jq -n --arg block "$target" --arg status "$status" --arg text "$text" --argjson seconds "$took" --arg states "$states" \
        --arg params "$(params_of "$target")" \
        '{block: $block, proof: "step", status: $status, bound: "full size", states: $states, params: $params, seconds: $seconds, text: $text}'
    jq -R --arg block "$target" --arg params "$(params_of "$target")" --arg bound "$size" 'split("\t") |
        {block: $block, proof: "\(.[3]): \(.[4])", status: .[0], bound: $bound,
         states: (if .[2] == "EVERY" then "any state" else "reset" end), params: $params, seconds: (.[1] | tonumber), text: ""}' "$out/$target/rules"
done >"$out/proofs"
jq -s --arg config "$config" --arg tool "clang 14 IR, Yosys $(yosys -V | awk '{ print $2 }'), ABC" \
    '{tool: $tool, config: $config, blocks: .}' "$out/proofs" >"$out/status.json.tmp"
mv "$out/status.json.tmp" "$out/status.json"

# The results between the marks of a page.
write_page() { # FILE
    local table=$out/table.md
    { echo "In \`$config\` ($(jq -r .tool "$out/status.json")):"
      echo
      echo '| block | parameters | size | from | step | seconds | |'
      echo '|---|---|---|---|---|---|---|'
      jq -r '.blocks[] | select(.proof == "step") |
          "| `\(.block)` | \(.params) | \(.bound) | \(.states) | \(.status) | \(.seconds) | \(.text) |"' "$out/status.json"
      echo
      echo '| block | rule of the RTL | size | from | |'
      echo '|---|---|---|---|---|'
      jq -r '.blocks[] | select(.proof != "step") | "| `\(.block)` | \(.proof) | \(.bound) | \(.states) | \(.status) |"' "$out/status.json"; } >"$table"
    grep -q '^<!-- results -->$' "$1" && grep -q '^<!-- end of results -->$' "$1" || die "$1 has no lines '<!-- results -->' and '<!-- end of results -->'"
    sed -e "/^<!-- results -->\$/r $table" -e '/^<!-- results -->$/,/^<!-- end of results -->$/{/^<!--/!d}' "$1" >"$1.tmp"
    mv "$1.tmp" "$1"
}
[ -z "$page" ] || write_page "$page"

printf '%-18s %-10s %-8s %8s  %s\n' block from status seconds proof
jq -r '.blocks[] | [.block, .states, .status, .seconds, .proof + (if .text == "" then "" else ": " + .text end)] | @tsv' "$out/status.json" |
    awk -F'\t' '{ printf "%-18s %-10s %-8s %8s  %s\n", $1, $2, $3, $4, substr($5, 1, 160) }'
echo "$(jq '[.blocks[] | select(.status == "proved")] | length' "$out/status.json") of $(jq '.blocks | length' "$out/status.json") proved in $config, $((SECONDS - start)) s"
! jq -e 'any(.blocks[]; .status == "failed")' "$out/status.json" >/dev/null
