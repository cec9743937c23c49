# SPDX-License-Identifier: Apache-2.0
#
# One block's row, from Yosys' `stat -json`, what area_timing.tcl printed, and the facts of the liberty.

def counts(stat): stat.modules | to_entries | if length == 1 then .[0].value.num_cells_by_type
    else error("stat -json has \(length) modules, not one: the hierarchy was not flattened") end;
def known(facts): keys[] | select(facts.cells[.] | not) | error("cell \(.) is not in the liberty: \(facts.liberty)");
def sum_of(f): [to_entries[] | f] | add // 0;

$facts[0] as $f
| counts($cells[0]) as $n
| ($n | sum_of(select($f.cells[.key].latch or (.key | test("LATCH"))) | .value)) as $latches
| if $latches > 0 then error("\($latches) latches; the RTL must not have any, and the liberty gives them no area") else . end
| ($n | [known($f)]) as $checked
| ($n | sum_of(.value * $f.cells[.key].area)) as $area
| [$sta | split("\n")[] | select(startswith("path ")) | split(" ")
    | {kind: .[1], ns: (.[2] | tonumber), depth: (.[3] | tonumber), start: .[4], end: .[5]}] as $paths
| ($paths | max_by(.ns)) as $worst
| {
    config: $config, block: $stem, parameters: $parameters,
    flip_flops: ($n | sum_of(select($f.cells[.key].ff) | .value)),
    cells: ($n | sum_of(.value)),
    nand2: ($area / $f.cells.NAND2X1.area | round),
    area_um2: $area,
    lut4: null, ice40_flip_flops: null, ice40_carries: null,
    depth: $worst.depth, ns: $worst.ns, fo4: ($worst.ns / $f.fo4_ns * 10 | round / 10),
    kind: $worst.kind, start: $worst.start, end: $worst.end,
    paths_ns: ($paths | map({key: .kind, value: .ns}) | from_entries)
  }
| if $ice40[0] then counts($ice40[0]) as $i
    | .lut4 = ($i.SB_LUT4 // 0) | .ice40_carries = ($i.SB_CARRY // 0)
    | .ice40_flip_flops = ($i | sum_of(select(.key | startswith("SB_DFF")) | .value))
  else . end
