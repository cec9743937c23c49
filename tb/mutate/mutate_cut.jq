# SPDX-License-Identifier: Apache-2.0
#
# A block with its mutants, cut at its flip-flops: registers become inputs of their names, "REGISTER.next" are outputs.
#   jq -n -L synth_scripts --arg top STEM --slurpfile rtl RTL.json -f mutate_cut.jq

include "gates_registers";

$rtl[0].modules[$top] as $block
| ($block | registers) as $registers
| (if $block.ports.clk_i then $block | rtl_flops else [] end) as $flops
| ($flops | map({key: (.q | tostring), value: .d}) | from_entries) as $next
| ([$registers[].bits[] | tostring]) as $named
| (if ($named | length) != ($named | unique | length) then error("a flip-flop of \($top) has two names") else . end)
| ([$flops[] | select(.q | tostring | IN($named[]) | not)]) as $unnamed
| (if $unnamed != [] then error("\($unnamed | length) flip-flops of \($top) have no name that ends in _q") else . end)
| {creator: "mutate_cut.jq", modules: {($top): {
    ports: ([$block.ports | to_entries[] | select(.key != "clk_i")]
      + [$registers[] | {key: .full, value: {direction: "input", bits: .bits}}]
      + [$registers[] | {key: "\(.full).next", value: {direction: "output", bits: [.bits[] | $next[tostring]
          // error("a register bit of \($top) is no flip-flop")]}}] | from_entries),
    cells: ($block.cells | with_entries(select(.value.type != "$dff"))), netnames: {}}}}
