# SPDX-License-Identifier: Apache-2.0
#
# One step of a block's RTL as a circuit without registers: the present values of the registers are inputs, the next ones
# outputs, bit by bit under the labels of `bits` (tb/formal/words.c).
#   jq -n -L synth_scripts --arg top STEM --slurpfile rtl RTL.json --rawfile bits BITS -f formal_cut.jq

include "gates_registers";

# "perfsat.state_q" is the RTL's register "u_perfsat.state_q", "sm[3].perfsat.state_q" is "gen_sm[3].u_sm.u_perfsat.state_q".
def rtl_name: split(".") | [.[:-1][] | if endswith("]") then "gen_\(.).u_\(split("[")[0])" else "u_\(.)" end] + .[-1:] | join(".");

# {signal, bit, next}: "i00012.inst_q[3][7]" or "inst_q[3].next[7]"
def parsed: sub("^i[0-9]+[.]"; "") | capture("^(?<signal>.*?)(?<next>[.]next)?\\[(?<bit>[0-9]+)\\]$") | .bit |= tonumber | .next |= (. != null);

$rtl[0].modules[$top] as $block
| (reduce ($block | registers)[] as $r ({}; .[$r.full] = $r.bits)) as $registers
| ($block | rtl_flops | map({key: (.q | tostring), value: .d}) | from_entries) as $next
| [$bits | split("\n")[] | select(. != "") | split(" ") | select(.[0] | IN("in", "out", "next")) | {kind: .[0], label: .[3]} + (.[3] | parsed)] as $all
# A vector wider than 64 bits comes in words: comp_i[1], bit 3 is bit 67 of comp_i.
| def bits_of: .signal as $s
    | if $s | test("_[io]\\[[0-9]+\\]$") then ($s | capture("^(?<port>.*)\\[(?<word>[0-9]+)\\]$")) as $w
        | $block.ports[$w.port].bits[($w.word | tonumber) * 64 + .bit]
      elif $s | test("_[io]$") or . == "rst_ni" then $block.ports[$s].bits[.bit]
      else ($registers[$s | rtl_name] // error("formal_cut: the RTL has no register \($s)"))[.bit] end;
([$all[] | select(.kind != "in" or .signal != "rst_ni" or $block.ports.rst_ni != null) | . + {net: bits_of}]) as $nets
| ($nets | map(select(.net == null) | .label)) as $missing
| ($block.ports | to_entries | map(select(.value.direction == "input" and .key != "clk_i") | .value.bits[])
    - ($nets | map(select(.kind == "in") | .net))) as $strangers
| ($next | keys - ($nets | map(select(.kind == "next") | .net | tostring))) as $unlisted
| if $missing != [] then error("formal_cut: the RTL has no \($missing[0])")
  elif $strangers != [] or $unlisted != [] then error("formal_cut: the RTL has inputs or registers that are not in the port list")
  else {creator: "formal_cut.jq", modules: {step: {
    ports: ($nets | map({key: .label, value: {
        direction: (if .kind == "in" then "input" else "output" end),
        bits: [if .kind == "next" then $next[.net | tostring] // error("formal_cut: \(.label) is no register") else .net end]}}) | from_entries),
    cells: ($block.cells | with_entries(select(.value.type != "$dff"))), netnames: {}}}} end
