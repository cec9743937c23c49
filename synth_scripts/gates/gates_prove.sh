#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gates_prove.sh GOLD.blif GATE.blif WORK [SECONDS [SIDE SIDE [FREE_GOLD.blif FREE_GATE.blif]]]: proves that two combinational
# circuits with the same inputs and outputs are equal. Prints one line, in which the circuits are called by the two SIDEs. Exit 0
# proved, 1 they differ (inputs for which they do are in WORK/cex), 2 an error, 3 undecided. The FREE circuits have the same
# outputs under fewer conditions: where those are equal, so are the others.
#
# Three ways, all of ABC (Debian: berkeley-abc, Yosys' own companion). SAT sweeping merges what is equal inside both circuits, in
# rounds, since what is merged cheaply makes the rest easier; what it leaves SAT takes output by output, for a bounded time.
# Neither gets through two counts of 48 bits built too differently; binary decision diagrams do where nothing but counts is in
# the way, for a count is a small diagram when a warp's inputs stand together (gates_cut.jq sees to their order).
set -euo pipefail

gold=${1:?} gate=${2:?} work=${3:?} seconds=${4:-600} side_gold=${5:-RTL} side_gate=${6:-netlist} free_gold=${7:-} free_gate=${8:-}
abc=$(command -v berkeley-abc || command -v yosys-abc || true)
[ -n "$abc" ] || { echo "gates_prove.sh: neither berkeley-abc nor yosys-abc is there; 'make setup' installs it" >&2; exit 2; }
conflicts=(50 1000 5000) # of the solver per pair of nodes, by round
one_by_one=30000         # conflicts, when an output is taken alone
nodes=20000000           # of a diagram
group=16                 # outputs that share a diagram

plain() { sed 's/\x1b[^m]*m//g'; }

run_abc() { # LOG COMMANDS
    local status=0
    timeout "$seconds" "$abc" -c "$2" </dev/null >"$1.raw" 2>&1 || status=$?
    plain <"$1.raw" >"$1"
    [ $status -ne 124 ]
}

outputs_of() { # BLIF: names, sorted as ABC sorts them
    sed -e ':a;/\\$/N;s/\\\n//;ta' "$1" | awk '/^\.outputs/ { for (i = 2; i <= NF; i++) print $i }' | LC_ALL=C sort
}

# Random patterns and SAT find a difference fast once there is one.
looks_different() { # SECONDS: whether one is found
    run_abc "$work/differs.log" "cec -T $1 $gold $gate" || true
    grep -q "NOT EQUIVALENT" "$work/differs.log"
}

# Says what differs and ends.
differs() {
    run_abc "$work/cex.log" "miter $gold $gate; strash; sat; write_cex -n $work/cex.bits" || true
    if [ -f "$work/cex.bits" ]; then mv "$work/cex.bits" "$work/cex"; fi
    [ -f "$work/differs.log" ] || looks_different 30 || true
    awk -v gold="$side_gold" -v gate="$side_gate" '/^Verification failed for at least/ { n = $6 }
        /^Output / && !said++ { sub(/:$/, "", $2); printf "%s is %s in the %s and %s in the %s", $2, substr($7, 1, 1), gold, substr($12, 1, 1), gate }
        END { if (!said) printf "the circuits differ"; if (n > 1) printf "; %d outputs or next states differ at least", n }' "$work/differs.log"
    echo
    exit 1
}

# The differences of two circuits after sweeping, as NAME.blif; NAME lists one per output: "N 0" where sweeping made it the
# constant 0, "N 1" where the constant 1, else "N ?". Read from the netlist: in ABC's own report of cones and supports a
# difference that is just an input looks like a constant.
sweep() { # NAME GOLD GATE
    rm -f "$work/$1.blif"
    run_abc "$work/$1.log" "miter -m $2 $3; strash;$(printf ' fraig -C %s;' "${conflicts[@]}") write_blif $work/$1.blif" || {
        ! looks_different 30 || differs
        echo "undecided: SAT sweeping did not end within $seconds s"; exit 3; }
    [ -s "$work/$1.blif" ] || { echo "gates_prove.sh: ABC cannot compare $2 and $3, see $work/$1.log" >&2; exit 2; }
    sed -e ':a;/\\$/N;s/\\\n//;ta' "$work/$1.blif" | awk '
        /^\.outputs/ { for (i = 2; i <= NF; i++) name[n++] = $i }
        /^\./ { constant = ""; if ($1 == ".names" && NF == 2) { constant = $2; value[$2] = 0 } next }
        constant != "" && $1 == "1" { value[constant] = 1 }
        END { for (i = 0; i < n; i++) print i, name[i] in value ? value[name[i]] : "?" }' >"$work/$1"
    [ "$(wc -l <"$work/$1")" -eq "$total" ] || { echo "gates_prove.sh: ABC sees other outputs than $2 has, see $work/$1.log" >&2; exit 2; }
}

# Takes from the list of what is left.
done_with() { # FILE of numbers
    grep -vxFf "$1" "$work/left" >"$work/still" || true
    mv "$work/still" "$work/left"
}

# SAT for what is left, each output alone for a bounded time, all in one run of ABC: "=== N" and what sat says of output N.
alone() { # NAME
    [ -s "$work/left" ] || return 0
    { echo "read_blif $work/$1.blif; strash; write_aiger $work/$1.aig"
      while read -r n; do
          printf 'echo "=== %s"\n&r %s\n&cone -O %s -R 1\n&put\nsat -C %s\n' "$n" "$work/$1.aig" "$n" "$one_by_one"
      done <"$work/left"; } >"$work/alone.abc"
    run_abc "$work/alone.log" "source $work/alone.abc" || true
    awk '/^===/ { n = $2 } /^UNSATISFIABLE/ { print n }' "$work/alone.log" >"$work/alone"
    done_with "$work/alone"
}

# Decision diagrams for what is left. Neighbours share one: the bits of a register do. Exit 1: one is satisfiable.
diagrams() { # NAME
    local first count found=0
    awk -v most=$group 'NR > 1 && $1 == last + 1 && n < most { n++; last = $1; next }
        NR > 1 { print first, n } { first = last = $1; n = 1 } END { if (NR) print first, n }' "$work/left" >"$work/groups"
    while read -r first count; do
        if run_abc "$work/group.log" \
            "read_blif $work/$1.blif; strash; &get; &cone -O $first -R $count; &put; print_stats; orpos; strash; collapse -r -B $nodes; strash; sat" &&
            grep -Eq "i/o = +[0-9]+/ +$count " "$work/group.log"; then # else ABC took other outputs than it was told to
            if grep -q '^UNSATISFIABLE' "$work/group.log"; then
                seq "$first" $((first + count - 1)) >"$work/proved"
                done_with "$work/proved"
            elif grep -q '^SATISFIABLE' "$work/group.log"; then found=1
            fi
        fi
    done <"$work/groups"
    return $found
}

rm -f "$work/cex" "$work/cex.bits" "$work/differs.log" "$work/alone.log"
outputs_of "$gold" >"$work/outputs"
total=$(wc -l <"$work/outputs")
if [ -n "${LOOK_ONLY:-}" ]; then # so long for a difference, where one is expected
    ! looks_different "$LOOK_ONLY" || differs
    echo "no difference found in $LOOK_ONLY s"
    exit 3
fi
sweep swept "$gold" "$gate"
if grep -q ' 1$' "$work/swept"; then differs; fi
sed -n 's/ ?$//p' "$work/swept" >"$work/left"
alone swept
if [ -s "$work/alone.log" ] && grep -q '^SATISFIABLE' "$work/alone.log"; then differs; fi
hard=$(wc -l <"$work/left")
if [ "$hard" -gt 0 ] && [ -n "$free_gold" ]; then
    sweep free "$free_gold" "$free_gate"
    sed -n 's/ 0$//p' "$work/free" >"$work/proved"
    done_with "$work/proved"
    alone free
    diagrams free || true # a difference may lie where the conditions do not hold
fi
diagrams swept || differs

if [ -s "$work/left" ]; then
    ! looks_different 30 || differs # a difference may make a diagram too large
    echo "$(wc -l <"$work/left") of $total outputs undecided: $(while read -r n; do sed -n "$((n + 1))p" "$work/outputs"; done <"$work/left" | xargs)"
    exit 3
fi
echo "$total outputs, $((total - hard)) by SAT, $hard by BDD"
