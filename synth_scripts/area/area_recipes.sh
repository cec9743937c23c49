#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# area_recipes.sh [--config CONFIG] [BLOCK...]: the recipe of synth.sh beside others, over some blocks (default: five with different
# work in them): area in NAND2 and longest path in FO4 of each, and the means over the blocks, the recipe of synth.sh as 1. The
# table of doc/use/area.md that says why the recipe is what it is.
set -euo pipefail

area_me=area_recipes.sh
if [ ! -f synth_scripts/synth.sh ] || [ ! -d rtl/configs ]; then
    echo "$area_me: no rtl/configs here; run it from the repository root" >&2
    exit 2
fi
source synth_scripts/synth.sh
source synth_scripts/area/area_lib.sh

config=fermi blocks=()
while [ $# -gt 0 ]; do
    case $1 in
    --config) [ $# -gt 1 ] || area_die "--config needs a value"; config=$2; shift ;;
    -*) area_die "unknown option '$1'; there is --config" ;;
    *) blocks+=("$1") ;;
    esac
    shift
done
[ ${#blocks[@]} -gt 0 ] || blocks=(cta_throttle eq_counters lcs perfsat stall_classifier)
[ -f "rtl/configs/$config" ] || area_die "no configuration '$config'; there are: $(ls rtl/configs | xargs)"
[ -r "$synth_osu018" ] || area_die "$synth_osu018: no such liberty; 'make setup' installs qflow-tech-osu018"
for block in "${blocks[@]}"; do
    [ -n "$(synth_file "$block")" ] || area_die "no block '$block'; there are: $(synth_blocks | xargs)"
done
area_need_tools

work=$(mktemp -d)
export TMPDIR=$work # of Yosys and abc, too
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export AREA_LIBERTY=$synth_osu018 AREA_ICE40=
area_facts "$AREA_LIBERTY" "$work"

cat >"$work/adders.v" <<'V'
(* techmap_celltype = "$fa" *)
module adder (A, B, C, X, Y);
  parameter WIDTH = 1;
  input [WIDTH-1:0] A, B, C;
  output [WIDTH-1:0] X, Y;
  genvar i;
  generate for (i = 0; i < WIDTH; i = i + 1) begin : bits
    FAX1 cell (.A(A[i]), .B(B[i]), .C(C[i]), .YC(X[i]), .YS(Y[i]));
  end endgenerate
endmodule
V
names=() words=()
# A recipe: its name, what it is, options of synth, commands between synth and dfflibmap, options of abc.
recipe() { # NAME WORDS SYNTH BETWEEN ABC
    names+=("$1")
    words+=("$2")
    cat >"$work/$1.recipe" <<SH
synth_map() {
    printf '%s\n' "synth -flatten $3 -top \$1" "$4" "dfflibmap -liberty \$2" "abc -liberty \$2 $5" "opt_clean -purge"
}
SH
}
constr="-D 1 -constr synth_scripts/synth.constr"
recipe chosen "synth.sh" -noabc "" "$constr -script +$synth_abc"
# Yosys' own scripts for abc, without `&fraig -x`, which does not end on stall_classifier.
own="strash;scorr;dc2;strash;&get,-n;&dch,-f;&nf;&put"
recipe yosys "Yosys' own: synth, abc" "" "" "-script +$own"
recipe sized "Yosys' own with synth.constr: buffers, sizes" "" "" "-constr synth_scripts/synth.constr -script +$own;buffer;upsize;dnsize"
recipe no-constr "chosen without synth.constr" -noabc "" "-D 1 -script +$synth_abc"
recipe twice "chosen after synth's own generic abc" "" "" "$constr -script +$synth_abc"
recipe no-balance "chosen without 'if -g'" -noabc "" "$constr -script +${synth_abc/if,-g,-K,6;strash;/}"
recipe fanout-10 "chosen with buffer -c alone (10 readers)" -noabc "" "$constr -script +${synth_abc/,-N,3/}"
recipe amap "chosen with amap, for area" -noabc "" "$constr -script +${synth_abc/map,-B,0.5/amap,-m}"
recipe nf "chosen with &nf, and six readers: between area and delay" -noabc "" \
    "$constr -script +$(sed 's/map,-B,0.5/\&get,-n;\&nf;\&put/; s/-N,3/-N,6/' <<<"$synth_abc")"
recipe map-less "chosen with map -B 0.9 and six readers" -noabc "" "$constr -script +$(sed 's/0[.]5/0.9/; s/-N,3/-N,6/' <<<"$synth_abc")"
recipe adders "chosen with the library's full adders" -noabc \
    "extract_fa -fa; techmap -map $work/adders.v; techmap; opt -fast; splitnets" "$constr -script +$synth_abc"
recipe names "chosen, wires inside renamed: no change at all" -noabc "rename -enumerate -pattern w%" "$constr -script +$synth_abc"

for name in "${names[@]}"; do
    for block in "${blocks[@]}"; do echo "$name.$block $block $(synth_params "$block" "$config")" | sed 's/ *$//'; done
done >"$work/jobs"
export AREA_RECIPES=$work
area_run_jobs "$work"

pairs=()
for i in "${!names[@]}"; do pairs+=("${names[i]}" "${words[i]}"); done
for name in "${names[@]}"; do
    for block in "${blocks[@]}"; do cat "$work/$name.$block.json"; done
done | jq -r -s -L synth_scripts 'include "area_words";
    def mean(f): (map(f | log) | add / length | exp);
    . as $rows | ([$rows[].block] | unique) as $blocks
    | ([$rows[] | select(.config == "chosen")] | map({key: .block, value: .}) | from_entries) as $base
    | "NAND2 FO4   \($blocks | map(pad(18)) | join(""))    area  path  recipe",
    ($ARGS.positional | _nwise(2)) as [$name, $words]
    | [$rows[] | select(.config == $name)] as $mine
    | "\($name | fill(11)) \([$blocks[] as $b | $mine[] | select(.block == $b) | "\(.nand2 | pad(11)) \(.fo4 | fixed(1) | pad(6))"] | join(""))  "
      + "\($mine | mean(.area_um2 / $base[.block].area_um2) | fixed(2) | pad(6))"
      + "\($mine | mean(.ns / $base[.block].ns) | fixed(2) | pad(6))  \($words)"' \
    --args "${pairs[@]}"
