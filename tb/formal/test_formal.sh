#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_formal.sh [BUILD_DIR]: does formal.sh find what it is there to find? Faults planted into the RTL, into a model, into an
# invariant and into the translation, and bad input. Ends with "N passed, N failed". Small blocks only; two minutes.
set -uo pipefail
cd "$(dirname "$0")/../.."

source tb/test_cases.sh
formal() { run_script formal.sh "$@"; } # STATUS ARGUMENT...
told() { jq -e "$1" "$work/out/status.json" >/dev/null 2>>"$work/said"; } # FILTER

# A copy of rtl or cmodel with one line changed.
plant() { # TREE FILE SED
    rm -rf "$work/$1"
    cp -r "$1" "$work/$1"
    sed -i "$3" "$work/$1/$2"
    ! cmp -s "$1/$2" "$work/$1/$2" || { echo "the fault does not fit $1/$2" >"$work/said"; return 1; }
}

# The proof fails, and the counterexample makes the same difference in lockstep.
refuted() { # TARGET SIGNAL
    told ".blocks[] | select(.block == \"$1\" and .proof == \"step\") | .status == \"failed\"" &&
        told ".blocks[] | select(.block == \"$1\" and .proof == \"step\") | .text | test(\"^$2: model (?<m>[0-9]+), RTL (?<r>[0-9]+) .*in lockstep: .*expected .model. \")" &&
        jq -e --arg t "$1" '.blocks[] | select(.block == $t and .proof == "step") | .text | capture("model (?<m>[0-9]+), RTL (?<r>[0-9]+) .*model. (?<em>[0-9]+), actual .RTL. (?<ar>[0-9]+)") |
            .m == .em and .r == .ar' "$work/out/status.json" >/dev/null
}

formal 0 eq_decision vf_domain && told '[.blocks[] | select(.proof == "step" and .status == "proved")] | length == 3' &&
    told '[.blocks[] | select(.proof != "step")] | length > 10 and all(.[]; .status == "proved")'
verdict "model and RTL as they are, and the rules of the RTL: proved"

plant rtl chip/vf_domain.sv "s/timer_d = timer_q - TimerW'(1);/timer_d = timer_q - TimerW'(2);/" &&
    formal 1 --rtl "$work/rtl" vf_domain && refuted vf_domain timer_q.next
verdict "a fault in the RTL is refuted; the counterexample fails in lockstep"

plant cmodel chip/vf_domain.c 's/bottleneck ? VF_HIGH/bottleneck ? VF_NORMAL/' &&
    formal 1 --models "$work/cmodel" vf_domain && refuted vf_domain '(comp|mem)_(up|down)_o'
verdict "a fault in the model is refuted; the counterexample fails in lockstep"

plant cmodel sm/eq_decision.c 's/e->n_mem > e->two/e->n_mem >= e->two/' && formal 1 --models "$work/cmodel" eq_decision &&
    told '.blocks[0].status == "failed"'
verdict "a comparison off by one is refuted"

# The fault shows in states within the invariant only: a proof that the invariant made empty would not see it.
plant cmodel sm/dyncta.c 's/s->mem > in->t_mem_h ? -1/s->mem >= in->t_mem_h ? -1/' && formal 1 --models "$work/cmodel" dyncta &&
    refuted dyncta limit_q.next
verdict "a fault behind an invariant is refuted"

plant rtl sm/dyncta.sv "s/      timer_q <= '0;/      timer_q <= TimerW'(1);/" && formal 1 --rtl "$work/rtl" dyncta && refuted dyncta timer_q.next
verdict "a wrong reset value is refuted"

# Rules of the RTL: a transition that is cut short by the next request; a code that is no state and stays.
plant rtl chip/vf_domain.sv "s/    if (busy_o) begin/    if (busy_o \&\& !valid_i) begin/" && formal 1 --rtl "$work/rtl" vf_domain &&
    told '.blocks[] | select(.block == "vf_domain" and (.proof | test("^EQ-14: during a transition no other begins"))) | .status == "failed"' &&
    told '.blocks[] | select(.block == "vf_domain" and (.proof | test("^EQ-9: never up and down"))) | .status == "proved"' &&
    grep -q '^timer_q = ' "$work/out/vf_domain/broken_EQ-14"
verdict "a rule that the RTL breaks is named, with a state in which it does"
plant rtl chip/vf_domain.sv "s/      level_q <= ballast_pkg::VfNormal;/      level_q <= level_d;/" && formal 1 --rtl "$work/rtl" vf_domain &&
    told '.blocks[] | select(.block == "vf_domain" and (.proof | test("^reset: "))) | .status == "failed"'
verdict "a register that reset leaves alone is found"

# The tree of adders beside its sum, for six warps.
sum_circuit() { # NAME OPTION RTL
    yosys -q -p "read_verilog -sv $2 $3/common/warp_sum.sv; chparam -set NumWarps 6 -set SumW 4 -set Twos 1 warp_sum; hierarchy -top warp_sum; proc; opt_clean; write_json $work/$1.json" \
        >"$work/said" 2>&1 || return 1
    jq --arg sum warp_sum -f tb/formal/formal_sums.jq "$work/$1.json" >"$work/$1.bits.json" &&
        yosys -q -p "read_json $work/$1.bits.json; techmap; opt_clean; aigmap; opt_clean; setundef -zero; write_blif $work/$1.blif" >"$work/said" 2>&1
}
sum_circuit tree -DSYNTHESIS rtl && sum_circuit sum -formal rtl &&
    tb/formal/formal_sum.sh "$work/tree.blif" "$work/sum.blif" "$work/sums" >"$work/said" 2>&1 && says '^12 bits, by induction'
verdict "a tree of adders is its sum"
plant rtl common/warp_sum.sv 's/assign n\[At+Rest+Sums+k\] = (n\[X\] & n\[X+1\])/assign n[At+Rest+Sums+k] = (n[X] \& !n[X+1])/' &&
    sum_circuit tree -DSYNTHESIS "$work/rtl" && { tb/formal/formal_sum.sh "$work/tree.blif" "$work/sum.blif" "$work/sums" >"$work/said" 2>&1; [ $? -eq 1 ]; } &&
    says ': not so$'
verdict "a tree with a wrong carry is not"

# An invariant that does not stay: a sample never has idle cycles.
cp -r tb "$work/tb"
cp tb/blocks/dyncta/invariant.h "$work/kept.h"
formal 0 dyncta && cp "$work/out/dyncta/step_words.h" "$work/out/dyncta/bits" "$work/" &&
    sed -i 's/s->timer < cfg->period/s->timer < cfg->period - 1/' "$work/tb/blocks/dyncta/invariant.h" &&
    FORMAL_TB=$work/tb formal 1 dyncta && told '.blocks[0].text | test("invariant_broken")'
verdict "an invariant that does not stay is refuted"

# The translation beside other code: what the compiler made of a model with a fault.
formal 0 dyncta && gcc -D_GNU_SOURCE "-I$work/cmodel" -Icmodel -Itb -Isim "-I$work/out/dyncta" -std=c11 -w -fno-strict-aliasing \
    '-DBLOCK_PORTS="blocks/dyncta/ports.h"' '-DSTEP_INVARIANT="blocks/dyncta/invariant.h"' -O1 -fPIC -shared tb/formal/step.c tb/formal/properties.c \
    "$work/cmodel/sm/dyncta.c" -o "$work/out/dyncta/step.so" &&
    { "$build/formal/stepir" test "$work/out/dyncta" 200000 1 >"$work/said"; [ $? -eq 1 ]; } && says 'is [01] in the translation and not in the compiled step'
verdict "a translation that is not what the compiler makes is seen"

# The chip by parts, small: three SMs with eight warps. `formal.sh ballast_chip` would prove sm_governor, too, for minutes.
echo "NumWarps=8 NumSlots=2 NumSms=3 IssueWidth=1" >"$work/small"
chip() { # RTL MODELS: the result is $work/out/ballast_chip/result
    FORMAL_CONFIG=$(realpath --relative-to=rtl/configs "$work/small") FORMAL_OUT=$work/out FORMAL_RTL=$1 FORMAL_MODELS=$2 FORMAL_SECONDS=300 \
        FORMAL_TOOLS=$build/formal FORMAL_BUILD=$build tb/formal/formal_block.sh ballast_chip >"$work/said" 2>&1 && cp "$work/out/ballast_chip/result" "$work/said"
}
chip rtl cmodel && says '^proved [0-9]* [0-9]* outputs, .* by parts: 3 sm_governor$'
verdict "the chip by parts: proved"
plant rtl chip/ballast_chip.sv 's/kernel_start_i\[i\])/kernel_start_i[0])/' && chip "$work/rtl" cmodel && says '^failed .*sm\[1\].*in lockstep: .*sm\[1\].*expected .model. '
verdict "an SM that gets another's signal is refuted; the counterexample of a whole chip fails in lockstep"
plant rtl chip/ballast_chip.sv 's/HystEpochs     (HystEpochs)/HystEpochs     (HystEpochs + 5)/' && chip "$work/rtl" cmodel && says '^failed .*another circuit than sm_governor alone'
verdict "parts with another parameter are not those that were proved"
plant cmodel chip/ballast_chip.c 's/sm_governor_step(&s->sm\[i\], /sm_governor_step(\&s->sm[0], /' && chip rtl "$work/cmodel" && says '^failed .*sm\[1\].*in lockstep: .*sm\[1\].*expected .model. '
verdict "a model that steps another SM's governor is refuted"

formal 2 nosuchblock && one_line && says "no block 'nosuchblock'; there are: "
verdict "an unknown block: one line"
formal 2 --config nosuchconfig && one_line && says "no configuration 'nosuchconfig'; there are: "
verdict "an unknown configuration: one line"
formal 2 --rtl "$work/none" lcs && one_line && says "no RTL in $work/none"
verdict "a missing RTL: one line"
mkdir "$work/bin"
for tool in bash dirname sed awk grep ls basename xargs nproc cat tr; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
PATH=$work/bin formal 2 lcs && one_line && says 'yosys is missing'
verdict "a missing tool: one line"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
