#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh BALLAST RECORDING...: the whole benchmark: the parts that BALLAST measures itself, then
# Icarus on the same RTL with the same stimulus, then chips of 1 to 132 SMs, then the size of the recordings. Icarus is timed
# as the difference between two runs over the stimulus and one, so that start-up and reading the
# file do not count; its outputs must have the checksum of the C models'.
set -euo pipefail

ballast=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$ballast" bench "$@" | tee "$scratch/ours"

"$ballast" bench --write-hex "$scratch/stimulus.hex" "$1"
read -r cycles hash < <(sed -E 's/cycles=([0-9]+) hash=([0-9a-f]+)/\1 \2/' "$scratch/stimulus.hex.hash")
iverilog -g2012 -P"bench_tb.Depth=$cycles" -o "$scratch/bench.vvp" -s bench_tb rtl/common/*.sv rtl/sm/*.sv tb/icarus/bench_tb.sv

run() { # REPETITIONS -> seconds, output in $scratch/out
    local start end
    start=$(date +%s.%N)
    vvp -N "$scratch/bench.vvp" "+stim=$scratch/stimulus.hex" "+cycles=$cycles" "+rep=$1" >"$scratch/out"
    end=$(date +%s.%N)
    echo "$start $end" | awk '{ print $2 - $1 }'
}

once=$(run 1)
grep -q "hash=$hash" "$scratch/out" || {
    echo "bench.sh: Icarus computed $(cat "$scratch/out"), the models $hash: the RTL disagrees with the models" >&2
    exit 1
}
twice=$(run 2)
lockstep=$(awk '$1 == "(b)" { print $(NF - 3) }' "$scratch/ours")
awk -v n="$cycles" -v once="$once" -v twice="$twice" -v b="$lockstep" 'BEGIN {
    e = 1e-6 * n / (twice - once)
    ratio = b / e
    printf "(e)  %-48s %12.4f   (b)/(e) = %.0f %s 100\n", "Icarus Verilog, the same RTL and stimulus", e, ratio, (ratio >= 100 ? ">=" : "MISSES")
}'

echo
echo "a whole chip: governors, vote, VF domains"
"$ballast" bench-chip "$1"

echo
echo "the activity simulator"
"$ballast" bench-sim

echo
printf '%-24s %12s %12s %9s\n' recording "native" "xz -1 of raw" ratio
for recording in "$@"; do
    "$ballast" bench --write-raw "$scratch/raw" "$recording"
    native=$(stat -c %s "$recording")
    packed=$(xz -1 -c "$scratch/raw" | wc -c)
    awk -v name="$(basename "$recording")" -v n="$native" -v p="$packed" 'BEGIN {
        printf "%-24s %12d %12d %9.2f %s\n", name, n, p, n / p, (n <= p ? "<= 1" : "MISSES 1") }'
done
