# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# One step of a block as circuits: the model's from C by way of LLVM IR (step.ll), the RTL's by Yosys (rtl.aag), under the labels
# of `bits`. Sourced by formal_block.sh, which says where everything is: $models, $rtl, $tb, $tools.

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
    sm_governor | ballast_chip) ls "$models"/sm/*.c | grep -v "/$1.c" ;;
    esac
    if [ "$1" = ballast_chip ]; then ls "$models"/chip/*.c | grep -v "/$1.c"; fi
}

c_flags() { # STEM DIR
    local stem=$1
    printf '%s\n' -D_GNU_SOURCE "-I$models" -Icmodel "-I$tb" -Itb -Isim "-I$2" -std=c11 -w -Werror=implicit-function-declaration -fno-strict-aliasing "-DBLOCK_PORTS=\"blocks/$stem/ports.h\""
    if [ -f "tb/blocks/$stem/invariant.h" ]; then echo "-DSTEP_INVARIANT=\"blocks/$stem/invariant.h\""; fi
    if [ -f "tb/blocks/$stem/properties.h" ]; then echo "-DSTEP_PROPERTIES=\"blocks/$stem/properties.h\""; fi
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
    jq -n -L synth_scripts --arg top "$1" --slurpfile rtl "$2" --rawfile bits "$3" -f tb/formal/formal_cut.jq \
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

prepare() { # STEM DIR PARAMS
    mkdir -p "$2"
    # shellcheck disable=SC2086
    step "$2/words.log" "$tools/words" "$1" "$3" "$2" && compile "$1" "$2" && elaborate "$1" "$2" $3
}
