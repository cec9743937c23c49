#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gates.sh [OPTION...] [BLOCK...]: synthesizes the blocks (default: all) onto OSU 0.18 cells, runs the netlists through the
# lockstep engine against the C models on recordings, and proves each netlist equal to its RTL. Prints a table. Run from the
# repository root. doc/verification/gates.md.
#   --config C        geometry, one of rtl/configs (default fermi)
#   --csv FILE        the table as CSV, too
#   --netlist FILE    check this netlist of library cells instead of making one (one BLOCK)
#   --recording FILE  replay this recording (default vectors/fma.n6.blt)
#   --build DIR       where the ballast command is built (default build/CONFIG)
#   --out DIR         where to work (default build/gates/CONFIG)
# Exit 0 all pass, 1 a netlist differs or is not proved, 2 usage or a tool or file is missing.
set -euo pipefail
. synth_scripts/synth.sh 2>/dev/null || { echo "gates.sh: no synth_scripts/synth.sh here; run it from the repository root" >&2; exit 2; }

die() { echo "gates.sh: $*" >&2; exit 2; }

export GATES_LIBERTY=${GATES_LIBERTY:-$synth_osu018}
jobs=${JOBS:-$(nproc)}

# A target is a netlist: its name, the block, the parameters. The memory's VF domain is a block with another parameter; the
# netlist of the chip's own module has the name that its variants have, since "ballast_chip" is put together from parts.
name_of() { if [ "$1" = ballast_chip ]; then echo ballast_chip_top; else echo "$1"; fi; } # BLOCK
stem_of() { case $1 in ballast_chip_top) echo ballast_chip ;; vf_domain_mem) echo vf_domain ;; *) echo "$1" ;; esac; } # TARGET
params_of() { # TARGET
    local params
    params=$(synth_params "$(stem_of "$1")" "$config")
    if [ "$1" = vf_domain_mem ]; then params+=" Domain=1"; fi
    echo "${params# }"
}

# The blocks that the engine runs besides: those whose outputs it reads; for what sees no recording, the chip around it.
needs_of() { # TARGET
    case $1 in
    vf_vote | vf_domain | vf_domain_mem) echo "sm_governor vf_vote vf_domain vf_domain_mem" ;;
    *) synth_needs "$(stem_of "$1")" ;;
    esac
}

# ---- one netlist ---------------------------------------------------------------------------

yosys_run() { # LOG COMMANDS
    yosys -q -p "$2" >"$1" 2>&1 || { echo "gates.sh: Yosys failed: $(grep -m1 ERROR "$1" || tail -n 1 "$1"); all of it in $1" >&2; return 2; }
}

make_netlist() { # TARGET DIR
    local stem
    stem=$(stem_of "$1")
    # The names of nets that have two stay: purging them last would take the registers whose output is a port.
    # shellcheck disable=SC2046
    { synth_read "$stem" $(params_of "$1")
      synth_map "$stem" "$GATES_LIBERTY" | sed 's/^opt_clean -purge$/opt_clean/'
      echo "write_verilog -noattr $2/netlist.v.tmp"; } >"$2/synth.ys"
    yosys -q -s "$2/synth.ys" >"$2/synth.log" 2>&1 || { echo "gates.sh: $1: Yosys failed: $(grep -m1 ERROR "$2/synth.log" || tail -n 1 "$2/synth.log")" >&2; return 2; }
    mv "$2/netlist.v.tmp" "$2/netlist.v"
}

# What Verilator compiles and what the proof compares.
take_apart() { # TARGET DIR
    local stem side
    stem=$(stem_of "$1")
    # shellcheck disable=SC2046
    yosys_run "$2/rtl.log" "$(synth_read "$stem" $(params_of "$1")); setattr -set keep 1 w:*_q w:*_q[*] %u; proc; flatten; opt_clean; write_json $2/rtl.json" || return 2
    yosys_run "$2/net.log" "read_liberty -lib -ignore_miss_func $GATES_LIBERTY; read_verilog $2/netlist.v; hierarchy -check -top $stem; check -assert
        write_json $2/net.json; rename $stem ${stem}_netlist; write_verilog -noattr -selected $2/core.v" || return 2
    for side in account gold gate raw; do
        jq -n -L synth_scripts --arg top "$stem" --arg side $side --slurpfile rtl "$2/rtl.json" --slurpfile net "$2/net.json" \
            --slurpfile lib "$out/cells.json" -f synth_scripts/gates/gates_cut.jq >"$2/$side.json" 2>"$2/cut.log" ||
            { echo "gates.sh: $1: $(sed 's/^jq: error ([^)]*): //' "$2/cut.log" | head -n 1)" >&2; return 1; }
    done
    check_account "$1" "$2" || return 1
    jq -r -n -L synth_scripts --arg top "$stem" --slurpfile rtl "$2/rtl.json" --slurpfile net "$2/net.json" \
        -f synth_scripts/gates/gates_wrap.jq >"$2/wrap.v"
}

# Every flip-flop is a register of the RTL, every register bit a flip-flop or a constant, every cell has a model.
check_account() { # TARGET DIR
    local bad
    bad=$(jq -r --slurpfile models "$out/models.json" '
        (.strangers[0] // empty | "flip-flop \(.) is no register of the RTL"),
        (select(.unnamed > 0) | "\(.unnamed) flip-flops of the RTL have no name that ends in _q"),
        (.types | keys[] | select(. as $t | $models[0] | index($t) | not) | "there is no model of cell \(.)")' \
        "$2/account.json")
    [ -z "$bad" ] || { echo "gates.sh: $1: $(head -n 1 <<<"$bad")" >&2; return 1; }
}

compile() { # TARGET DIR
    local stem root
    stem=$(stem_of "$1")
    root=$(verilator --getenv VERILATOR_ROOT)/include
    rm -rf "$2/cpp"
    verilator --cc -Wno-fatal -Wno-lint -O3 --x-assign unique --x-initial unique --top-module "$stem" --prefix "V${1}_netlist" \
        --Mdir "$2/cpp" "$2/wrap.v" "$2/core.v" "$out/cells.v" >"$2/verilator.log" 2>&1 ||
        { echo "gates.sh: $1: Verilator failed: $(grep -m1 '%Error' "$2/verilator.log")" >&2; return 2; }
    (cd "$2/cpp" && for f in V*_netlist.cpp V*_netlist__*.cpp; do echo "#include \"$f\""; done >verilated_all.inc)
    g++ -std=gnu++17 -O1 -w "-I$2/cpp" "-I$root" "-I$root/vltstd" -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVM_TRACE_FST=0 \
        -DVM_TRACE_VCD=0 -DVL_USER_STOP -DVL_PRINTF=rtl_printf -include tb/shim/rtl_printf.h -D_GNU_SOURCE \
        -D_FILE_OFFSET_BITS=64 -Icmodel -Itb -Isim "-DBLOCK_PORTS=\"blocks/$stem/ports.h\"" "-DVARIANT=${1}_netlist" \
        "-DGATE=$1" "-DVARIANT_PARAMS=\"$(params_of "$1")\"" -c synth_scripts/gates/gate_shim.cpp -o "$2/shim.o" \
        >"$2/compile.log" 2>&1 || { echo "gates.sh: $1: the compiler failed: $(grep -m1 'error' "$2/compile.log"); all of it in $2/compile.log" >&2; return 2; }
}

prove() { # TARGET DIR: one line into DIR/proof, "ok ..." or "FAIL ..."
    local text status=0 start=$SECONDS
    yosys_run "$2/gold.log" "read_json $2/gold.json; techmap; opt_clean; aigmap; opt_clean; setundef -zero; write_blif $2/gold.blif" || return 2
    yosys_run "$2/gate.log" "read_liberty -ignore_miss_func $GATES_LIBERTY; read_json $2/gate.json; hierarchy -check -top gate
        flatten; opt_clean; aigmap; opt_clean; write_blif $2/gate.blif" || return 2
    mkdir -p "$2/prove"
    text=$(synth_scripts/gates/gates_prove.sh "$2/gold.blif" "$2/gate.blif" "$2/prove") || status=$?
    [ $status -ne 2 ] || return 2
    if [ $status -eq 0 ] && [ "$(jq .register_bits "$2/account.json")" -gt 0 ]; then reset_known "$2" || { status=1; text="reset leaves a register unknown"; }; fi
    if [ $status -eq 0 ]; then text="ok $text"; else text="FAIL $text"; fi
    echo "$text; $((SECONDS - start)) s" >"$2/proof"
}

# With rst_ni at 0 every next state of the RTL is a constant, whatever it holds: so both sides are equal after an edge in reset,
# where the induction begins.
reset_known() { # DIR
    jq '.modules.raw |= (.ports.rst_ni.bits[0] as $rst | .ports |= del(.rst_ni) |
        .cells |= map_values(.connections |= map_values(map(if . == $rst then "0" else . end))))' "$1/raw.json" >"$1/reset.json"
    yosys_run "$1/raw.log" "read_json $1/reset.json; opt -full; write_json $1/reset.out.json" || return 2
    jq -e '[.modules.raw.ports | to_entries[] | select(.key | endswith(".next")) | .value.bits[]] | length > 0 and all(. == "0" or . == "1")' \
        "$1/reset.out.json" >/dev/null
}

replay() { # TARGET DIR: one line into DIR/lockstep, "ok CYCLES ..." or "FAIL ..."
    local command=lockstep block=$1 needs status=0 start=$SECONDS
    needs=$(needs_of "$1")
    case $1 in
    ballast_chip_top) command=chip ;;
    vf_*) command=chip block=ballast_chip needs= ;;
    esac
    rm -rf "$2/run"
    "$out/ballast" $command --out "$2/run" --block "$(tr ' ' ',' <<<"$needs $block" | sed 's/^,//')" "$recording" \
        >"$2/replay.log" 2>&1 || status=$?
    if [ $status -eq 0 ]; then
        # A recording has a line per SM.
        awk -v s=$((SECONDS - start)) '$2 == "open" || $2 == "chip" { cycles += $5; n++; ok += $7 == "pass" }
            END { if (n && ok == n && cycles) print "ok", cycles, s; else print "FAIL 0 the run says nothing" }' "$2/replay.log" >"$2/lockstep"
    elif [ $status -eq 1 ]; then
        # "MISMATCH in lcs on SM0, cycle 286 (...)", then the signal and the values of both sides.
        awk '/^MISMATCH in/ && !n { sub(/ \(cycle.*/, ""); text = $0; n = NR } n && NR == n + 1 { sub(/^ +/, ""); text = text ": " $0 }
            /^ballast: .* differs after reset/ && !n { sub(/^ballast: /, ""); sub(/ +$/, ""); text = $0; n = NR - 9 }
            $2 == "open" || $2 == "chip" { cycles += $5 }
            n && NR > n + 1 && NR < n + 4 { sub(/^ +/, ""); gsub(/ +/, " "); text = text ", " $0 }
            END { print "FAIL", cycles + 0, n ? text : "the replay failed" }' "$2/replay.log" >"$2/lockstep"
    else
        echo "gates.sh: $1: the replay failed: $(tail -n 1 "$2/replay.log")" >&2
        return 2
    fi
}

# ---- for xargs: a step of one target ---------------------------------------------------------

if [ "${1:-}" = --step ]; then # STEP TARGET
    config=$GATES_CONFIG out=$GATES_OUT recording=$GATES_RECORDING
    dir=$out/$3
    case $2 in
    build)
        if [ -n "$GATES_NETLIST" ] && [ "$3" = "$GATES_TARGET" ]; then cp "$GATES_NETLIST" "$dir/netlist.v"; else make_netlist "$3" "$dir" || exit 255; fi
        take_apart "$3" "$dir" && compile "$3" "$dir" || { status=$?; [ $status -eq 1 ] || exit 255; echo FAIL >"$dir/refused"; } ;;
    check) [ -f "$dir/refused" ] || { prove "$3" "$dir" && replay "$3" "$dir"; } || exit 255 ;;
    esac
    if [ -t 2 ]; then printf '\r\033[K%s: %s done' "$3" "$2" >&2; fi
    exit 0
fi

# ---- command line -----------------------------------------------------------------------------

config=fermi csv='' netlist='' recording=vectors/fma.n6.blt build='' out=''
while [ $# -gt 0 ]; do
    case $1 in
    --config | --csv | --netlist | --recording | --build | --out)
        [ $# -gt 1 ] || die "$1 wants a value"
        declare "${1#--}=$2"; shift 2 ;;
    -h | --help) sed -n '4,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "unknown option $1; gates.sh --help" ;;
    *) break ;;
    esac
done
[ -f "rtl/configs/$config" ] || die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
for tool in yosys verilator g++ jq make; do
    command -v $tool >/dev/null || die "$tool is missing; 'make setup' installs it"
done
command -v berkeley-abc >/dev/null || command -v yosys-abc >/dev/null || die "berkeley-abc is missing; 'make setup' installs it with yosys"
[ -r "$GATES_LIBERTY" ] || die "no cell library $GATES_LIBERTY; 'make setup' installs it (qflow-tech-osu018)"
[ -r "$recording" ] || die "no recording $recording"
blocks=("$@")
[ $# -gt 0 ] || mapfile -t blocks < <(synth_blocks)
for block in "${blocks[@]}"; do
    [[ " $(synth_blocks | xargs) " == *" $block "* ]] || die "no block '$block'; there are: $(synth_blocks | xargs)"
done
[ -z "$netlist" ] || [ ${#blocks[@]} -eq 1 ] || die "--netlist is of one block; name that block and no other"
[ -z "$netlist" ] || [ -r "$netlist" ] || die "no netlist $netlist"

targets=()
for block in "${blocks[@]}"; do
    targets+=("$(name_of "$block")")
    if [ "$block" = vf_domain ] && [ -z "$netlist" ]; then targets+=(vf_domain_mem); fi
done
out=${out:-build/gates/$config}
build=${build:-build/$config}
mkdir -p "$out"
export GATES_CONFIG=$config GATES_OUT=$out GATES_NETLIST=$netlist GATES_TARGET=${targets[0]} GATES_RECORDING=$recording
start=$SECONDS

each() { # STEP: of every target, some at a time; what stops one stops all
    printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} synth_scripts/gates/gates.sh --step "$1" {} || exit 2
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# ---- the cells' models, from the library ----------------------------------------------------------

# Yosys drops the enable of a three-state cell: such a cell has no model here.
yosys_run "$out/cells.log" "read_liberty -ignore_miss_func $GATES_LIBERTY; write_json $out/cells.json; write_verilog -noattr $out/cells.v" || exit 2
awk '/^[ \t]*cell *\(/ { cell = $0; sub(/.*\( *"?/, "", cell); sub(/"? *\).*/, "", cell) } /three_state/ { print cell }' "$GATES_LIBERTY" | sort -u >"$out/three_state"
jq --rawfile skip "$out/three_state" '[.modules | keys[]] - ($skip | split("\n"))' "$out/cells.json" >"$out/models.json"

for target in "${targets[@]}"; do
    mkdir -p "$out/$target"
    rm -f "$out/$target"/{refused,proof,lockstep}
done
each build

# ---- the ballast command with netlists in it ---------------------------------------------------

good=() others=() chip=
for target in "${targets[@]}"; do
    [ -f "$out/$target/refused" ] || good+=("$target")
    case $target in vf_*) chip=1 ;; esac
done
for target in "${good[@]}"; do
    for need in $(needs_of "$target"); do
        [[ " ${good[*]} ${others[*]} " == *" $need "* ]] || others+=("$need")
    done
done

registry() { # blocks before those that need them
    local v
    echo '/* made by gates.sh */'
    echo '#include "engine/block.h"'
    for v in "$@"; do echo "extern const block ${v}_block;"; done
    echo 'const block *const block_registry[] = {'
    for v in "$@"; do echo "    &${v}_block,"; done
    echo '    NULL};'
}

link() {
    local order=() v flags="-D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Icmodel -Itb -Isim -std=c11 -O1 -w"
    make --no-print-directory "CONFIG=$config" "B=$build" "GATES_RTL=${others[*]}" "$build/gates.objects" >"$out/make.log" 2>&1 ||
        die "the ballast command does not build: $(tail -n 1 "$out/make.log"); all of it in $out/make.log"
    for v in stall_classifier eq_counters eq_decision perfsat lcs cta_throttle dyncta sm_governor vf_vote vf_domain vf_domain_mem ballast_chip_top; do
        if [[ " ${good[*]} ${others[*]} " == *" $v "* ]]; then order+=("$v"); fi
    done
    local objects=("${good[@]/%//shim.o}")
    objects=("${objects[@]/#/$out/}")
    if [ -n "$chip" ]; then
        order+=(ballast_chip)
        gcc $flags "-DVARIANT_PARAMS=\"$(tr '\n' ' ' <"rtl/configs/$config" | sed 's/ $//')\"" -c tb/shim/chip_rtl.c -o "$out/chip.o"
        objects+=("$out/chip.o")
    fi
    registry "${order[@]}" >"$out/registry.c"
    gcc $flags -c "$out/registry.c" -o "$out/registry.o"
    gcc $flags -c synth_scripts/gates/gate_reproduce.c -o "$out/reproduce.o"
    # shellcheck disable=SC2046
    g++ -flto=auto -o "$out/ballast.tmp" "${objects[@]}" "$out/registry.o" "$out/reproduce.o" $(cat "$build/gates.objects") >"$out/link.log" 2>&1 ||
        die "the ballast command does not link: $(tail -n 1 "$out/link.log"); all of it in $out/link.log"
    mv "$out/ballast.tmp" "$out/ballast"
}

[ ${#good[@]} -eq 0 ] || link
each check

# ---- the table --------------------------------------------------------------------------------

row() { # TARGET: block,cells,flip-flops,register bits,constant,recording,cycles,lockstep,proof,seconds
    local dir=$out/$1 lock proof counts
    if [ -f "$dir/refused" ]; then echo "$1,-,-,-,-,-,0,refused,refused,0"; return; fi
    read -r lock <"$dir/lockstep"
    read -r proof <"$dir/proof"
    counts=$(jq -r '"\(.cells),\(.flip_flops),\(.register_bits),\(.constant | length)"' "$dir/account.json")
    # shellcheck disable=SC2086
    set -- "$1" $lock
    echo "$1,$counts,$(basename "$recording" .blt),$3,$([ "$2" = ok ] && echo pass || echo MISMATCH),$([ "${proof%% *}" = ok ] && echo proved || echo FAIL),$(sed 's/.*; \([0-9]*\) s$/\1/' <<<"$proof")"
}

{ echo 'netlist,cells,flip_flops,register_bits,constant_bits,recording,cycles,lockstep,proof,proof_seconds'
  for target in "${targets[@]}"; do row "$target"; done; } >"$out/gates.csv.tmp"
mv "$out/gates.csv.tmp" "$out/gates.csv"
if [ -n "$csv" ]; then cp "$out/gates.csv" "$csv.tmp" && mv "$csv.tmp" "$csv"; fi
awk -F, '{ printf "%-18s %7s %10s %9s %9s %-12s %8s %-9s %-8s %7s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 }' \
    <(sed '1s/.*/netlist,cells,flip-flops,registers,constant,recording,cycles,lockstep,proof,seconds/' "$out/gates.csv")
fail=0
for target in "${targets[@]}"; do
    dir=$out/$target
    if [ -f "$dir/refused" ]; then fail=1; continue; fi
    if ! grep -q '^ok' "$dir/lockstep"; then echo "$target: lockstep: $(cut -d' ' -f3- "$dir/lockstep") ($dir/run)"; fail=1; fi
    if ! grep -q '^ok' "$dir/proof"; then echo "$target: proof: $(cut -d' ' -f2- "$dir/proof")"; fail=1; fi
done
echo "${#targets[@]} netlists, $((SECONDS - start)) s, on $(basename "$GATES_LIBERTY" .lib)"
exit $fail
