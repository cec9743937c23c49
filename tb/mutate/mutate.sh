#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate.sh [OPTION...] [BLOCK...]: how strong are the tests? Makes mutants of the blocks (default: all), runs each through the
# recordings and the block's tests, and proves equivalent what nothing kills, or names it. Run from the repository root. It goes
# on where it was interrupted. doc/verification/mutate.md.
#   --config C        geometry, one of rtl/configs (default fermi)
#   --mutants N       so many per block (default 200, 40 of ballast, whose tests are slow)
#   --seed N          other mutants (default 1)
#   --recording FILE  replay this recording only, again for more ("none": no recordings; default: all of vectors/MANIFEST.csv)
#   --skip TEXT       leave out the tests whose name contains TEXT, to see what they are worth
#   --seconds N       so long for one question to the prover (default 60)
#   --build DIR       where the ballast command is built (default build/CONFIG)
#   --out DIR         where to work (default build/mutate)
# Exit 0 at least 99 % of what is not equivalent is killed in every block, 1 not so, 2 usage or a tool or file is missing, 130
# interrupted.
set -euo pipefail
. synth_scripts/synth.sh 2>/dev/null || { echo "mutate.sh: no synth_scripts/synth.sh here; run it from the repository root" >&2; exit 2; }

die() { echo "mutate.sh: $*" >&2; exit 2; }

jobs=${JOBS:-$(nproc)}
bar=99 # percent

# A target is a block, or a block with other parameters: the memory's VF domain; the chip's own module with three SMs, since the
# chip of full size is put together from the others.
targets_of() { case $1 in vf_domain) echo "vf_domain vf_domain_mem" ;; ballast_chip) echo ballast_chip_top ;; *) echo "$1" ;; esac; } # BLOCK
stem_of() { awk -v v="$1" '$1 == "variant" && $2 == v { print $3 }' "$objects_file"; }                          # VARIANT
params_of() { sed -n "s/^variant $1 [a-z_]* \"\(.*\)\"$/\1/p" "$objects_file"; }                                 # VARIANT
# A block that is put together from others: theirs are its mutants, but for its own logic and wiring.
has_parts() { grep -q '^#define BLOCK_PARTS(P) *[^ ]' "tb/blocks/$1/ports.h" || [ "$1" = ballast_chip ]; } # STEM
mutants_of() { case $1 in ballast_chip_top) echo 40 ;; *) echo 200 ;; esac; } # TARGET

# Variants of the same parameters are the same RTL.
same_as() { # TARGET: variants
    local v stem want
    stem=$(stem_of "$1") want=$(params_of "$1" | tr ' ' '\n' | sort | xargs)
    while read -r v; do
        if [ "$(params_of "$v" | tr ' ' '\n' | sort | xargs)" = "$want" ]; then echo "$v"; fi
    done < <(awk -v s="$stem" '$1 == "variant" && $3 == s { print $2 }' "$objects_file")
}

newer() { # FILE OTHER...: FILE is there and not older than the others
    local file=$1 other
    shift
    [ -e "$file" ] || return 1
    for other in "$@"; do [ ! "$other" -nt "$file" ] || return 1; done
}

run_tool() { # LOG COMMAND...: what went wrong is told in one line
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null || { echo "mutate.sh: $(basename "$1") failed: $(grep -m1 -iE 'error|mutate:' "$log" || tail -n 1 "$log"); all of it in $log" >&2; return 2; }
}

# ---- mutants -----------------------------------------------------------------------------------

read_block() { # TARGET: Yosys commands
    local stem
    stem=$(stem_of "$1")
    # shellcheck disable=SC2046
    synth_read "$stem" $(params_of "$1")
    echo "setattr -set keep 1 w:*_q w:*_q[*] %u; proc"
    has_parts "$stem" || echo flatten
    echo opt_clean
}

# DIR/mutants: a line per mutant; DIR/core.aag: the block with all of them.
make_mutants() { # TARGET DIR
    local stem key=$2/key dir=$2
    stem=$(stem_of "$1")
    # 1: raise it when the commands below change.
    { cat rtl/common/*.sv rtl/sm/*.sv rtl/chip/*.sv synth_scripts/{synth.sh,mutate_cut.jq,gates_registers.jq}; params_of "$1"; echo "1 $mutants $seed"; } |
        sha256sum >"$key.new"
    if cmp -s "$key.new" "$key" && [ -s "$dir/core.aag" ]; then return 0; fi
    rm -rf "$dir/core.aag" "$key" "$dir"/{kills*,proofs,took}/*
    worked=1
    { read_block "$1"
      echo "cd $stem; select -set own c:* t:\$dff %d; cd ..; mutate -list $([ "$mutants" -gt 0 ] && echo "$mutants" || mutants_of "$1") -seed $seed -o $dir/list @own"; } >"$dir/list.ys"
    run_tool "$dir/list.log" yosys -q -s "$dir/list.ys" || return 2
    # The clock has no mutants: everything here is cut at the flip-flops.
    grep -v -- '-port clk_i ' "$dir/list" >"$dir/mutants.tmp" || { echo "mutate.sh: $1: Yosys finds nothing to mutate" >&2; return 2; }
    { read_block "$1"
      awk '{ print $0 " -ctrl mut_" NR " 1 1" }' "$dir/mutants.tmp"
      echo "flatten; opt_clean; write_json $dir/rtl.json"; } >"$dir/rtl.ys"
    run_tool "$dir/rtl.log" yosys -q -s "$dir/rtl.ys" || return 2
    jq -n -L synth_scripts --arg top "$stem" --slurpfile rtl "$dir/rtl.json" -f tb/mutate/mutate_cut.jq >"$dir/cut.json" 2>"$dir/cut.log" ||
        { echo "mutate.sh: $1: $(sed 's/^jq: error ([^)]*): //' "$dir/cut.log" | head -n 1)" >&2; return 2; }
    run_tool "$dir/aig.log" yosys -q -p "read_json $dir/cut.json; opt -full; techmap; opt -fast; aigmap; opt_clean; setundef -zero
        write_aiger -ascii -symbols $dir/core.tmp" || return 2
    mv "$dir/mutants.tmp" "$dir/mutants"
    mv "$dir/core.tmp" "$dir/core.aag"
    mv "$key.new" "$key"
}

# ---- programs ----------------------------------------------------------------------------------

tests_of() { ls "tb/blocks/$(stem_of "$1")"/test_*.c tb/engine/test_lockstep.c | xargs -n1 basename | sed 's/\.c$//'; } # TARGET
object_of() { ls "$build"/plain/tb/{blocks/,}*/"$1".o 2>/dev/null; } # TEST

# DIR/ballast and DIR/test_*: the netlist where the RTL was.
link() { # TARGET DIR
    local dir=$2 v stem list=() own=() test program
    stem=$(stem_of "$1")
    mapfile -t list < <(tr ' ' '\n' <<<"$shims")
    for v in $(same_as "$1"); do
        # shellcheck disable=SC2086
        run_tool "$dir/compile.log" $compile "-DVARIANT=$v" "-DSTEM=$stem" "-DCLOCKED=$(grep -c '^#define BLOCK_CLOCKED 1' "tb/blocks/$stem/ports.h")" \
            "-DVARIANT_PARAMS=\"$(params_of "$v")\"" -c tb/mutate/mutant_block.c -o "$dir/$v.o" || return 2
        own+=("$dir/$v.o")
        mapfile -t list < <(printf '%s\n' "${list[@]}" | grep -v "/rtl/$v/shim.o$")
    done
    for program in ballast $(tests_of "$1"); do
        if [ "$program" = ballast ]; then test="$build/plain/sim/cli/main.o $build/plain/tb/mutate/watch_run.o"
        else test="$(object_of "$program") $build/plain/tb/mutate/campaign.o -Wl,--wrap=_cmocka_run_group_tests -lcmocka"; fi
        # shellcheck disable=SC2046,SC2086
        if newer "$dir/$program" $(tr ' ' '\n' <<<"$test" | grep '\.o$') $build/mutate.a "${list[@]}" tb/mutate/mutant_block.c; then continue; fi
        # shellcheck disable=SC2086
        run_tool "$dir/link.log" g++ -fno-lto -o "$dir/$program.tmp" "${own[@]}" "${list[@]}" $test "$build/mutate.a" $libs -lcmocka || return 2
        mv "$dir/$program.tmp" "$dir/$program"
    done
}

# ---- vectors -----------------------------------------------------------------------------------

families() { # kernels of the manifest
    tail -n +2 vectors/MANIFEST.csv | cut -d, -f2 | sort -u
}

# "recording FILE", "family KERNEL POLICY", "test PROGRAM", one a line. The votes and the domains see nothing of a recording.
vectors_of() { # TARGET
    local file kernel policy
    tests_of "$1" | sed 's/^/test /'
    case $1 in vf_* | ballast_chip*) return 0 ;; esac
    for file in $recordings; do echo "recording $file"; done
    [ "$1" = sm_governor ] && [ -z "$chosen" ] || return 0
    for kernel in $(families); do
        for policy in static perfsat lcs equalizer dyncta; do echo "family $kernel $policy"; done
    done
}

vector_file() { echo "$1" | sed 's#[ /]#.#g'; }

run_vector() { # TARGET DIR KIND ARGUMENT...
    local target=$1 dir=$2 kind=$3 result program=ballast blocks
    shift 3
    result=$dir/$kills/$(vector_file "$kind $*")
    if [ "$kind" = test ]; then program=$1; fi
    if newer "$result" "$dir/$program" "$dir/core.aag"; then return 0; fi
    worked=1
    blocks=$(synth_needs "$(stem_of "$target")" | tr ' ' ','),$target
    export MUTATE_NETLIST=$dir/core.aag
    case $kind in
    recording)
        MUTATE_WATCH=$result.raw run_tool "$result.log" "$dir/ballast" lockstep --out "$result.run" --block "${blocks#,}" "$1" || return 2
        sed "s|\$|,$(basename "$1" .blt)|" "$result.raw" | reorder >"$result.tmp" ;;
    family)
        # A policy that never says that it is done: as long as doc/use/policies.md says.
        MUTATE_WATCH=$result.raw run_tool "$result.log" "$dir/ballast" family --out "$result.run" --block "${blocks#,}" \
            $(case $2 in equalizer | dyncta) echo "--max-cycles 262144" ;; esac) --set "sm_governor.policy=$2" vectors/"$1".n*.blt || return 2
        sed "s|\$|,$1 as $2|" "$result.raw" | reorder >"$result.tmp" ;;
    test)
        # The random bus is compared in every cycle, as recordings are: who differs is found.
        MUTATE_RESULT=$result.raw MUTATE_SKIP=$skip MUTATE_COMPARED=$([ "$1" != test_lockstep ] || echo twins_agree_on_random_input) \
            run_tool "$result.log" "$dir/$1" || return 2
        sed "s|,|,-,$1: |" "$result.raw" >"$result.tmp" ;;
    esac
    rm -rf "$result.run" "$result.raw" "$result.log"
    if grep -q '^0,' "$result.tmp"; then
        echo "mutate.sh: $target: the netlist without a mutant is not the model on $*, see $result.tmp" >&2
        return 2
    fi
    mv "$result.tmp" "$result"
}
reorder() { cat; } # MUTANT,CYCLE,VECTOR as it is

# ---- survivors ---------------------------------------------------------------------------------

# Where registers are never: the block and the mutant, each as its outputs where the block's invariant holds (doc/verification/proofs.md,
# which shows that it holds in every run). The model's side of stepir's circuits is not read.
has_invariant() { [ -f "tb/blocks/$1/invariant.h" ]; } # STEM
prove_in_runs() { # TARGET DIR MUTANT WORK: one line; exit status as of gates_prove.sh
    local work=$4 model=$2/model side
    for side in 0 "$3"; do
        mkdir -p "$work/$side"
        cp "$model/bits" "$model/step.ll" "$work/$side"
        awk -v mutant="$side" -f tb/mutate/mutate_step.awk "$model/bits" "$2/core.aag" >"$work/$side/rtl.aag" 2>"$work/step.log" || { cat "$work/step.log" >&2; return 2; }
        run_tool "$work/stepir.log" "$build/formal/stepir" blif "$work/$side" || return 2
    done
    mkdir -p "$work/runs"
    synth_scripts/gates/gates_prove.sh "$work/0/gold.blif" "$work/$3/gold.blif" "$work/runs" "$seconds" block mutant
}

# DIR/proofs/N: "equivalent HOW" or "open WHY", for every mutant that nothing kills.
prove() { # TARGET DIR MUTANT
    local dir=$2 work=$2/proofs/$3.work text status=0 stem
    stem=$(stem_of "$1")
    if newer "$dir/proofs/$3" "$dir/core.aag"; then return 0; fi
    worked=1
    mkdir -p "$work"
    run_tool "$work/blif.log" "$build/mutant_blif" "$dir/core.aag" "$3" "$work/gold.blif" "$work/gate.blif" || return 2
    if [ "$(sed -n 's/^\.outputs *//p' "$work/gold.blif")" = "" ]; then
        echo "equivalent nothing reads it" >"$dir/proofs/$3.tmp"
    else
        text=$(synth_scripts/gates/gates_prove.sh "$work/gold.blif" "$work/gate.blif" "$work" "$seconds" block mutant) || status=$?
        if [ $status -eq 0 ]; then text="in every state: $text"
        elif [ $status -ne 2 ] && has_invariant "$stem"; then
            status=0
            text=$(prove_in_runs "$1" "$dir" "$3" "$work") || status=$?
            if [ $status -eq 0 ]; then text="in every run: $text"; fi
        fi
        case $status in
        0) echo "equivalent $text" ;;
        1 | 3) echo "open $text" ;;
        *) return 2 ;;
        esac >"$dir/proofs/$3.tmp"
    fi
    rm -rf "$work"
    mv "$dir/proofs/$3.tmp" "$dir/proofs/$3"
}

# What prove_in_runs reads of the model: the invariant.
make_model() { # TARGET DIR
    local stem model=$2/model
    stem=$(stem_of "$1")
    has_invariant "$stem" || return 0
    if newer "$model/step.ll" tb/blocks/*/invariant.h cmodel/*/*.[ch] "$2/key"; then return 0; fi
    mkdir -p "$model"
    rm -f "$model/step.ll"
    tb/formal/formal_block.sh --model "$stem" "$(params_of "$1")" "$model" "$build/formal" || return 2
}

# ---- for xargs: a step of one target -------------------------------------------------------------

if [ "${1:-}" = --step ]; then # STEP TARGET [ARGUMENT...]
    kills=kills
    eval "$MUTATE_STATE"
    step=$2 target=$3
    arguments="${*:4}" began=$(date +%s.%N)
    shift 3
    mkdir -p "$out/$target"/{$kills,proofs,took}
    case $step in
    make) make_mutants "$target" "$out/$target" && make_model "$target" "$out/$target" && link "$target" "$out/$target" || exit 255 ;;
    vector) run_vector "$target" "$out/$target" "$@" || exit 255 ;;
    prove) prove "$target" "$out/$target" "$1" || exit 255 ;;
    esac
    # How long each step took, for the table; one that had nothing to do leaves the old time.
    took=$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
    file=$out/$target/took/$(vector_file "$step $arguments")
    if [ ! -e "$file" ] || [ -n "${worked:-}" ]; then echo "$took" >"$file"; fi
    if [ -t 2 ]; then printf '\r\033[K%s: %s %s' "$target" "$step" "$*" >&2; fi
    exit 0
fi

# ---- command line --------------------------------------------------------------------------------

config=fermi mutants=0 seed=1 skip='' seconds=60 build='' out=build/mutate recordings='' chosen=''
while [ $# -gt 0 ]; do
    case $1 in
    --recording)
        [ $# -gt 1 ] || die "$1 wants a value"
        [ "$2" = none ] || [ -r "$2" ] || die "no recording $2"
        chosen=1
        [ "$2" = none ] || recordings+=" $2"
        shift 2 ;;
    --config | --mutants | --seed | --skip | --seconds | --build | --out)
        [ $# -gt 1 ] || die "$1 wants a value"
        declare "${1#--}=$2"; shift 2 ;;
    -h | --help) sed -n '4,18s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "unknown option $1; mutate.sh --help" ;;
    *) break ;;
    esac
done
for number in mutants seed seconds; do
    [[ ${!number} =~ ^[0-9]{1,6}$ ]] || die "--$number wants a number, not '${!number}'"
done
[ -f "rtl/configs/$config" ] || die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
for tool in yosys jq make gcc g++; do
    command -v $tool >/dev/null || die "$tool is missing; 'make setup' installs it"
done
command -v berkeley-abc >/dev/null || command -v yosys-abc >/dev/null || die "berkeley-abc is missing; 'make setup' installs it with yosys"
blocks=("$@")
[ $# -gt 0 ] || mapfile -t blocks < <(synth_blocks)
for block in "${blocks[@]}"; do
    [[ " $(synth_blocks | xargs) " == *" $block "* ]] || die "no block '$block'; there are: $(synth_blocks | xargs)"
done
[ -n "$chosen" ] || recordings=$(tail -n +2 vectors/MANIFEST.csv | cut -d, -f1 | sed 's#^#vectors/#' | xargs)
build=${build:-build/$config}
mkdir -p "$out"

make --no-print-directory -j"$jobs" "CONFIG=$config" "B=$build" "$build/mutate.objects" "$build/formal.tools" >"$out/make.log" 2>&1 ||
    die "what the mutants run in does not build: $(grep -m1 -E 'error|\*\*\*' "$out/make.log"); all of it in $out/make.log"
objects_file=$build/mutate.objects
# shellcheck source=/dev/null
. <(grep -E '^(shims|compile|libs)=' "$objects_file")
trap 'echo "mutate.sh: interrupted; the same command goes on from here" >&2; exit 130' INT TERM
# What a campaign with tests left out finds is kept apart.
kills=kills
[ -z "$skip" ] || kills=kills.$(cksum <<<"$skip" | cut -d' ' -f1)
MUTATE_STATE=$(declare -p config mutants seed skip seconds build out recordings chosen objects_file shims compile libs kills)
export MUTATE_STATE

each() { # STEP: with the targets and arguments of standard input, some at a time; what fails ends all
    xargs -P "$jobs" -L1 tb/mutate/mutate.sh --step "$1" || exit 2
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

targets=()
for block in "${blocks[@]}"; do
    for target in $(targets_of "$block"); do targets+=("$target"); done
done
start=$SECONDS
printf '%s\n' "${targets[@]}" | each make
for target in "${targets[@]}"; do vectors_of "$target" | sed "s/^/$target /"; done | each vector

# ---- what came of it -------------------------------------------------------------------------------

# DIR/kills.csv: vector,kind,mutant,cycle (- for tests, where the verdict is the test's).
collect() { # TARGET DIR
    local dir=$2 vector file
    while read -r vector; do
        file=$dir/$kills/$(vector_file "$vector")
        awk -F, -v kind="${vector%% *}" '{ print $3 "," kind "," $1 "," $2 }' "$file"
    done < <(vectors_of "$1") >"$dir/kills.csv.tmp"
    mv "$dir/kills.csv.tmp" "$dir/kills.csv"
    awk -F, -v n="$(wc -l <"$dir/mutants")" '{ killed[$3] = 1 } END { for (m = 1; m <= n; m++) if (!(m in killed)) print m }' "$dir/kills.csv" >"$dir/survivors"
}

for target in "${targets[@]}"; do
    collect "$target" "$out/$target"
    sed "s/^/$target /" "$out/$target/survivors"
done | each prove

# A line of the list of mutants: what, where.
describe() { # TARGET DIR MUTANT
    sed -n "${3}p" "$2/mutants" | awk '{
        for (i = 1; i < NF; i++) { if ($i == "-src") src = src (src ? " " : "") $(i + 1); else if ($i ~ /^-/) v[substr($i, 2)] = $(i + 1) }
        how["inv"] = "inverted"; how["const0"] = "stuck at 0"; how["const1"] = "stuck at 1"
        how["cnot0"] = "inverted while bit " v["ctrlbit"] " is 0"; how["cnot1"] = "inverted while bit " v["ctrlbit"] " is 1"
        printf "cell %s, port %s, bit %s %s%s; %s", v["cell"], v["port"], v["portbit"], how[v["mode"]], v["wire"] ? " (" v["wire"] "[" v["wirebit"] "])" : "", src }'
}

fail=0
printf '%-18s %8s %8s %10s %9s %7s %8s\n' block mutants killed equivalent survived score seconds
for target in "${targets[@]}"; do
    dir=$out/$target
    total=$(wc -l <"$dir/mutants")
    survived=0 equivalent=0
    while read -r m; do
        read -r verdict text <"$dir/proofs/$m"
        if [ "$verdict" = equivalent ]; then equivalent=$((equivalent + 1)); else survived=$((survived + 1)); fi
        echo "$target,$m,$verdict,$(describe "$target" "$dir" "$m" | tr , ';'),$(tr , ';' <<<"$text")"
    done <"$dir/survivors" >"$dir/survivors.csv.tmp"
    mv "$dir/survivors.csv.tmp" "$dir/survivors.csv"
    killed=$((total - survived - equivalent))
    took=$(cat "$dir"/took/* 2>/dev/null | awk '{ s += $1 } END { printf "%d", s }')
    printf '%-18s %8d %8d %10d %9d %6s%% %8d\n' "$target" "$total" $killed $equivalent $survived \
        "$(awk -v k=$killed -v s=$survived 'BEGIN { printf "%.1f", k + s ? 100 * k / (k + s) : 100 }')" "$took"
    if [ $((killed * 100)) -lt $(((killed + survived) * bar)) ]; then fail=1; fi
    jq -n --arg block "$target" --arg params "$(params_of "$target")" --argjson mutants "$total" --argjson killed $killed --argjson survived $survived \
        --argjson equivalent $equivalent --argjson seconds "$took" \
        '{block: $block, mutants: $mutants, killed: $killed, survived: $survived, equivalent: $equivalent, seconds: $seconds, params: $params}' >"$dir/status.json"
done
for target in "${targets[@]}"; do cat "$out/$target/status.json"; done |
    jq -s --arg tool "Yosys $(yosys -V | awk '{ print $2 }') mutate" --arg config "$config" --argjson seed "$seed" --argjson bar $bar \
        '{tool: $tool, config: $config, seed: $seed, bar: $bar, blocks: .}' >"$out/status.json.tmp"
mv "$out/status.json.tmp" "$out/status.json"

# The matrix, one line per kill, and by vector what it is worth.
{ echo 'block,vector,kind,mutant,cycle'
  for target in "${targets[@]}"; do sed "s/^/$target,/" "$out/$target/kills.csv"; done; } >"$out/kills.csv.tmp"
mv "$out/kills.csv.tmp" "$out/kills.csv"
{ echo 'block,mutant,verdict,where,why'; for target in "${targets[@]}"; do cat "$out/$target/survivors.csv"; done; } >"$out/survivors.csv.tmp"
mv "$out/survivors.csv.tmp" "$out/survivors.csv"
sed 1d "$out/kills.csv" | awk -f tb/mutate/mutate_cover.awk >"$out/vectors.csv.tmp"
mv "$out/vectors.csv.tmp" "$out/vectors.csv"
awk -F, 'NR > 1 { n[$3]++; if ($6 == "") needed[$3]++; alone[$3] += $5 > 0 }
    END { for (kind in n) printf "%s: %d kill something, %d kill what nothing else kills, %d are enough to kill all that this campaign killed\n", kind, n[kind], alone[kind], needed[kind] }' "$out/vectors.csv"

while IFS=, read -r block m verdict where why; do
    if [ "$verdict" = open ]; then echo "$block: survived: mutant $m: $where ($why)"; fi
done < <(sed 1d "$out/survivors.csv")
echo "$((SECONDS - start)) s; $out/status.json, kills.csv, vectors.csv, survivors.csv"
exit $fail
