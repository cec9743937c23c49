#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# formal_sum.sh TREE.blif SUM.blif WORK [SECONDS]: proves that the tree of adders of rtl/common/warp_sum.sv is the sum that
# simulators take, both as circuits bit by bit under the labels of formal_sums.jq. Prints one line. Exit 0 proved, 1 they
# differ, 2 an error, 3 undecided.
#
# A solver does not see that two differently built sums of a hundred bits are equal. It does see, in less than a second, that
# one bit more in a set makes a circuit's result larger by the bit's weight, for little changes. So by induction over the bits
# that are set: with none set the two are equal; each grows by the same with each bit; hence they are always equal. And with
# on_i 0 they are equal whatever is set.
set -euo pipefail

tree=${1:?} sum=${2:?} work=${3:?} seconds=${4:-120}
abc=$(command -v berkeley-abc || command -v yosys-abc || true)
[ -n "$abc" ] || { echo "formal_sum.sh: neither berkeley-abc nor yosys-abc is there; 'make setup' installs it" >&2; exit 2; }

labels() { sed -e ':a;/\\$/N;s/\\\n//;ta' "$tree" | awk -v what=".$1" '$1 == what { for (i = 2; i <= NF; i++) print $i; exit }'; } # inputs | outputs
mapfile -t inputs < <(labels inputs)
mapfile -t outputs < <(labels outputs | sort -t '[' -k 2 -n)
[ ${#inputs[@]} -gt 0 ] && [ ${#outputs[@]} -gt 0 ] || { echo "formal_sum.sh: $tree has no inputs or no outputs" >&2; exit 2; }

# SIDE.blif with some inputs fixed ("LABEL=0", "LABEL=1", or a pattern of labels), and a constant power of two added to the sum.
circuit() { # FILE SIDE_BLIF WEIGHT FIXED...
    local file=$1 side=$2 weight=$3 label fix value free=() wires=() consts=() i
    shift 3
    for label in "${inputs[@]}"; do
        value=
        # the patterns are patterns
        # shellcheck disable=SC2053
        for fix in "$@"; do if [[ $label == ${fix%=*} ]]; then value=${fix#*=}; fi; done
        case $value in
        '') wires+=("$label=$label") ;;
        *) wires+=("$label=const$value") ;;
        esac
        free+=("$label")
    done
    for i in "${!outputs[@]}"; do wires+=("${outputs[i]}=r$i"); done
    { echo ".model top"
      echo ".inputs ${free[*]}"
      echo ".outputs ${outputs[*]}"
      printf '.names const0\n.names const1\n1\n'
      echo ".subckt side ${wires[*]}"
      # a ripple of half adders from the bit of the weight upwards
      local carry=''
      for i in "${!outputs[@]}"; do
          if [ "$weight" -eq $((1 << i)) ]; then carry=const1; fi
          if [ -z "$carry" ]; then
              printf '.names r%d %s\n1 1\n' "$i" "${outputs[i]}"
          else
              printf '.names r%d %s %s\n01 1\n10 1\n.names r%d %s c%d\n11 1\n' "$i" "$carry" "${outputs[i]}" "$i" "$carry" "$i"
              carry=c$i
          fi
      done
      echo ".end"
      sed 's/^\.model .*/.model side/' "$side"; } >"$file"
}

equal() { # WHAT: gold.blif and gate.blif; ends when they are not
    local status=0
    timeout "$seconds" "$abc" -c "cec -T $seconds $work/gold.blif $work/gate.blif" </dev/null >"$work/cec.log" 2>&1 || status=$?
    if grep -q "Networks are equivalent" "$work/cec.log"; then return 0; fi
    if grep -q "NOT EQUIVALENT" "$work/cec.log"; then echo "$1: not so"; exit 1; fi
    if [ $status -ne 124 ] && ! grep -q "UNDECIDED" "$work/cec.log"; then
        echo "formal_sum.sh: ABC cannot compare $tree and $sum, see $work/cec.log" >&2
        exit 2
    fi
    echo "undecided: $1"
    exit 3
}

mkdir -p "$work"
circuit "$work/gold.blif" "$sum" 0 '*.on_i\[0\]=0'
circuit "$work/gate.blif" "$tree" 0 '*.on_i\[0\]=0'
equal "with on_i 0 tree and sum are equal"
circuit "$work/gold.blif" "$sum" 0 '*.ones_i\[*=0' '*.twos_i\[*=0'
circuit "$work/gate.blif" "$tree" 0 '*.ones_i\[*=0' '*.twos_i\[*=0'
equal "with no bit set tree and sum are equal"

# Twos = 0: the second set is not looked at.
twos=0
if [ "$(sed -e ':a;/\\$/N;s/\\\n//;ta' "$sum" | grep -c '^\.names.*\.twos_i\[')" -ne 0 ]; then twos=2; fi
bits=0
for label in "${inputs[@]}"; do
    case $label in
    *.ones_i\[*) weight=1 ;;
    *.twos_i\[*) weight=$twos ;;
    *) continue ;;
    esac
    bits=$((bits + 1))
    name=${label#*.}
    pattern=${label//\[/\\[}
    for side in "$tree" "$sum"; do
        circuit "$work/gold.blif" "$side" 0 '*.on_i\[0\]=1' "$pattern=1"
        circuit "$work/gate.blif" "$side" "$weight" '*.on_i\[0\]=1' "$pattern=0"
        equal "$name adds $weight to the $(basename "$side" .blif)"
    done
done
[ $bits -gt 0 ] || { echo "formal_sum.sh: $tree has no sets" >&2; exit 2; }
echo "$bits bits, by induction over those that are set"
