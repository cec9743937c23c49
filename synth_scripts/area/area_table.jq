# SPDX-License-Identifier: Apache-2.0
#
# The report on the terminal: the table, the papers' claims, and what a governor is beside its SM. Input: the rows with their
# verdicts. $facts: of the liberty; $tools: of this run; $geometry: configuration -> its line of rtl/configs.
include "area_sm";
include "area_words";

def head: "\("block" | fill(17)) \("FF" | pad(5)) \("cells" | pad(6)) \("NAND2" | pad(6)) \("um2" | pad(7)) \("LUT4" | pad(6)) \("iceFF" | pad(5)) "
    + "\("depth" | pad(5)) \("ns" | pad(6)) \("FO4" | pad(5))  \("baseline" | fill(8))  longest path";
def line: "\(.block | fill(17)) \(.flip_flops | pad(5)) \(.cells | pad(6)) \(.nand2 | pad(6)) \(.area_um2 | pad(7)) \(.lut4 | orminus | pad(6)) "
    + "\(.ice40_flip_flops | orminus | pad(5)) \(.depth | pad(5)) \(.ns | fixed(2) | pad(6)) \(.fo4 | fixed(1) | pad(5))\(if .fo4 > 30 then "!" else " " end) "
    + "\(if .verdict == "none" then "-" else .verdict end | fill(8))  \(.kind) \(.start) -> \(.end)";

# Governors of all SMs, the vote of that many, two domains.
def chip($rows; $config; $sms):
    def size($block): $rows[] | select(.config == $config and .block == $block);
    try ([size("sm_governor"), size("vf_vote"), size("vf_domain")] | if length < 3 then error("") else . end
        | {flip_flops: (.[0].flip_flops * $sms + .[1].flip_flops + 2 * .[2].flip_flops), 
           nand2: (.[0].nand2 * $sms + .[1].nand2 + 2 * .[2].nand2)})
    catch null;

def beside_sm($facts): . as $row
    | sm_storage[.config] as $sm
    | if $sm == null then "  \(.config): area_sm.jq does not know this configuration's SM: no comparison"
      else ($sm | sm_bits) as $bits
        | ([$facts.cells[] | select(.ff) | .area] | min) as $ff
        | (.area_um2 / ($bits * $ff) * 100) as $as_ff
        | (.nand2 / ($bits * 1.5) * 100) as $as_sram
        | "  \(.config | fill(7)) \(.flip_flops | pad(5)) of \($bits | pad(8)) bits: \(.flip_flops / $bits * 100 | fixed(3)) %;"
        + " area \($as_ff | fixed(3)) % of these bits as flip-flops, \($as_sram | fixed(2)) % as 6T cells" end;

. as $rows
| ([.[].config] | reduce .[] as $c ([]; if index([$c]) then . else . + [$c] end)) as $configs
| ($configs[] as $config
    | "\($config): \($geometry[$config] // "")", head, ($rows[] | select(.config == $config) | line), ""),
  "FO4 \($facts.fo4_ns * 1000 | fixed(1)) ps (INVX1 driving four), NAND2X1 \($facts.cells.NAND2X1.area) um2; "
    + "ns and FO4 are the period of the longest path, without wires; ! above 30 FO4",
  (if any($rows[]; .block == "sm_governor") then "",
    "The governor beside the register file, L1 and shared memory of its SM (assumptions: doc/use/area.md):",
    ($rows[] | select(.block == "sm_governor") | beside_sm($facts)) else empty end),
  ([$configs[] as $config | ($geometry[$config] // "" | capture("NumSms=(?<n>[0-9]+)").n | tonumber) as $sms
    | chip($rows; $config; $sms) | select(. != null) | "  \($config | fill(7)) \($sms | pad(4)) SMs: \(.flip_flops) flip-flops, \(.nand2) NAND2"]
    | if length > 0 then "", "A whole chip (N x sm_governor + vf_vote of N + 2 x vf_domain):", .[] else empty end)
