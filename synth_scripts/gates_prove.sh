#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gates_prove.sh GOLD.blif GATE.blif WORK [SECONDS [SIDE SIDE [GROUP]]]: proves that two combinational circuits with the same inputs and
# outputs are equal. Prints one line, in which the circuits are called by the two SIDEs. Exit 0 proved, 1 they differ (inputs
# for which they do are in WORK/cex), 2 an error, 3 undecided.
#
# Three ways, all of ABC (Debian: berkeley-abc, Yosys' own companion). SAT sweeping merges what is equal inside both circuits
# and decides nearly everything; what it leaves SAT takes output by output, for a bounded time. Neither gets through two
# differently built counts of 48 bits; binary decision diagrams do, for a count is a small diagram when a warp's inputs stand
# together (gates_cut.jq sees to their order).
set -euo pipefail

gold=${1:?} gate=${2:?} work=${3:?} seconds=${4:-600} side_gold=${5:-RTL} side_gate=${6:-netlist} group=${7:-16} # outputs that share a diagram
abc=$(command -v berkeley-abc || command -v yosys-abc || true)
[ -n "$abc" ] || { echo "gates_prove.sh: neither berkeley-abc nor yosys-abc is there; 'make setup' installs it" >&2; exit 2; }
conflicts=50       # of the solver per pair of nodes
one_by_one=30000    # conflicts, when an output is taken alone
nodes=20000000     # of a diagram

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

# Says what differs and ends. Random patterns and SAT find a difference fast once there is one.
differs() {
    local text="the circuits differ"
    run_abc "$work/cex.log" "miter $gold $gate; strash; sat; write_cex -n $work/cex.bits" || true
    if [ -f "$work/cex.bits" ]; then mv "$work/cex.bits" "$work/cex"; fi
    run_abc "$work/differs.log" "cec -T 30 $gold $gate" || true
    if grep -q "NOT EQUIVALENT" "$work/differs.log"; then
        text=$(awk -v gold="$side_gold" -v gate="$side_gate" '/^Verification failed for at least/ { n = $6 }
            /^Output / && !said++ { sub(/:$/, "", $2); printf "%s is %s in the %s and %s in the %s", $2, substr($7, 1, 1), gold, substr($12, 1, 1), gate }
            END { if (n > 1) printf "; %d outputs or next states differ at least", n }' "$work/differs.log")
    fi
    echo "$text"
    exit 1
}

undecided=
rm -f "$work/cex" "$work/cex.bits"
outputs_of "$gold" >"$work/outputs"
total=$(wc -l <"$work/outputs")
rm -f "$work/left.blif"
run_abc "$work/sweep.log" "miter -m $gold $gate; strash; fraig -C $conflicts; write_blif $work/left.blif" || {
    echo "undecided: SAT sweeping did not end within $seconds s"; exit 3; }
[ -s "$work/left.blif" ] || {
    echo "gates_prove.sh: ABC cannot compare $gold and $gate, see $work/sweep.log" >&2; exit 2; }

# The differences, one per output: "N 0" where sweeping made it the constant 0, "N 1" where the constant 1, else "N ?". Read
# from the netlist: in ABC's own report of cones and supports a difference that is just an input looks like a constant.
sed -e ':a;/\\$/N;s/\\\n//;ta' "$work/left.blif" | awk '
    /^\.outputs/ { for (i = 2; i <= NF; i++) name[n++] = $i }
    /^\./ { constant = ""; if ($1 == ".names" && NF == 2) { constant = $2; value[$2] = 0 } next }
    constant != "" && $1 == "1" { value[constant] = 1 }
    END { for (i = 0; i < n; i++) print i, name[i] in value ? value[name[i]] : "?" }' >"$work/differences"
[ "$(wc -l <"$work/differences")" -eq "$total" ] || {
    echo "gates_prove.sh: ABC sees other outputs than $gold has, see $work/sweep.log" >&2; exit 2; }
if grep -q ' 1$' "$work/differences"; then differs; fi
sed -n 's/ ?$//p' "$work/differences" >"$work/left"

# Alone, each for a bounded time, all in one run of ABC: "=== N" and what sat says of output N.
if [ -s "$work/left" ]; then
    { echo "read_blif $work/left.blif; strash; write_aiger $work/left.aig"
      while read -r n; do
          printf 'echo "=== %s"\n&r %s\n&cone -O %s -R 1\n&put\nsat -C %s\n' "$n" "$work/left.aig" "$n" "$one_by_one"
      done <"$work/left"; } >"$work/alone.abc"
    run_abc "$work/alone.log" "source $work/alone.abc" || true
    if grep -q '^SATISFIABLE' "$work/alone.log"; then differs; fi
    awk '/^===/ { n = $2 } /^UNSATISFIABLE/ { print n }' "$work/alone.log" >"$work/alone"
    grep -vxFf "$work/alone" "$work/left" >"$work/hard" || true
    mv "$work/hard" "$work/left"
fi

# Neighbours share a diagram: the bits of a register do.
awk -v most=$group 'NR > 1 && $1 == last + 1 && n < most { n++; last = $1; next }
    NR > 1 { print first, n } { first = last = $1; n = 1 } END { if (NR) print first, n }' "$work/left" >"$work/groups"
while read -r first count; do
    if ! run_abc "$work/group.log" \
        "read_blif $work/left.blif; strash; &get; &cone -O $first -R $count; &put; print_stats; orpos; strash; collapse -r -B $nodes; strash; sat" ||
        ! grep -Eq "i/o = +[0-9]+/ +$count " "$work/group.log"; then # ABC took other outputs than it was told to
        undecided+=$(sed -n "$((first + 1)),$((first + count))p" "$work/outputs" | xargs)" "
    elif grep -q '^UNSATISFIABLE' "$work/group.log"; then :
    elif grep -q '^SATISFIABLE' "$work/group.log"; then differs
    else undecided+=$(sed -n "$((first + 1)),$((first + count))p" "$work/outputs" | xargs)" "
    fi
done <"$work/groups"

left=$(wc -l <"$work/left")
if [ -n "$undecided" ]; then
    echo "$(wc -w <<<"$undecided") of $total outputs undecided: ${undecided% }"
    exit 3
fi
echo "$total outputs, $((total - left)) by SAT, $left by BDD"
