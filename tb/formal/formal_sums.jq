# SPDX-License-Identifier: Apache-2.0
#
# The counts that a block is made of (rtl/common/warp_sum.sv), each as a circuit of its own.
#   jq -r -f formal_sums.jq DESIGN.json                           their names, a line each
#   jq --arg sum NAME -f formal_sums.jq DESIGN.json               that one, ports bit by bit
# Labels as in tb/formal/words.c: a warp's bits stand together.

if $ARGS.named.sum == null then
    .modules | keys[] | select(test("^[$]paramod.*warp_sum"))
else
    .modules[$ARGS.named.sum] as $m
    | ([$m.ports | to_entries[] | .key as $port | .value.direction as $direction | .value.bits | to_entries[]
        | {port: $port, direction: $direction, bit: .key, net: .value, narrow: ($port | IN("ones_i", "twos_i") | not)}]
      | sort_by(.narrow, .bit, .port) | to_entries
      | map(.value + {label: "\(if .value.direction == "input" then "i\(.key + 100000 | tostring | .[1:])." else "" end)\(.value.port)[\(.value.bit)]"})) as $bits
    | {creator: "formal_sums.jq", modules: {sum: {
        ports: ($bits | map({key: .label, value: {direction, bits: [.net]}}) | from_entries), cells: $m.cells, netnames: {}}}}
end
