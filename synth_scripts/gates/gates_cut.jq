# SPDX-License-Identifier: Apache-2.0
#
# A block cut at its flip-flops, for a proof of one step: the states become inputs, the next states outputs.
#   jq -n --arg top STEM --arg side SIDE --slurpfile rtl RTL.json --slurpfile net NETLIST.json --slurpfile lib CELLS.json \
#     -f gates_cut.jq
# SIDE gate: the netlist. Inputs "state[k]", one per flip-flop; outputs "REGISTER.next", one per register of the RTL.
# SIDE gold: the RTL with the same ports. A register bit reads the net that bears its name in the netlist: a flip-flop's
#            state, or a constant where synthesis found one. So the proof's hypothesis is that the two agree on every
#            register bit, and its claim that they still do after the edge.
# SIDE raw:  the RTL alone, with a state of its own for every register bit, in reset: for the beginning of the induction.
# SIDE account: what the flip-flops of the netlist are.

include "gates_registers";

$rtl[0].modules[$top] as $block
| $net[0].modules[$top] as $netlist
| ($lib[0] | flip_flop_types) as $types
| ($netlist | flops_of($types)) as $flops
| ($block | rtl_flops) as $rtl_flops
| ($block | registers) as $registers
| ($flops | to_entries | map({key: (.value.q | tostring), value: (.value + {state: .key})}) | from_entries) as $driver
| ($registers | map(. as $r | $netlist.netnames[$r.full].bits // ($r.bits | map(null))
    | if length == ($r.bits | length) then . else
        error("register \($r.full) has \($r.bits | length) bits in the RTL and \(length) in the netlist") end
    | to_entries[] | .value as $net | {key: ($r.bits[.key] | tostring), value: {name: "\($r.full)[\(.key)]",
        # A bit without a flip-flop is taken for 0: synthesis removes what nothing reads, and it has to be 0 to pass.
        gone: ($net | type != "string" and $driver[tostring] == null),
        net: ($net | if type == "string" or $driver[tostring] != null then . else "0" end)}})
    | from_entries) as $map  # RTL net -> netlist net
| ($rtl_flops | map(select(.q | type == "number") | select($map[.q | tostring] == null) | .q)) as $unnamed
| (($map | map(.net | tostring)) as $known | $flops | map(select(.q | tostring | IN($known[]) | not) | .cell)) as $strangers
| if $side == "account" then
    {flip_flops: ($flops | length), register_bits: ($map | length),
     constant: [$map[] | select(.net | type == "string") | .name] | sort, gone: [$map[] | select(.gone) | .name] | sort,
     shared: ([$map[] | select(.net | type == "number")] | group_by(.net) | map(select(length > 1) | map(.name) | sort)),
     strangers: $strangers, unnamed: ($unnamed | length),
     cells: ($netlist.cells | length), types: ([$netlist.cells[].type] | group_by(.) | map({key: .[0], value: length}) | from_entries)}
  else
    # BDDs want what is added or compared bit by bit next to each other, a warp's bits together; abc sorts by name.
    # [{key: name, value: {direction, bits: [net]}}], states named for the register.
    # The widest inputs (a bit per warp) come first, then the rest and the states, lowest bits first.
    ([32, ([$block.ports[] | select(.direction == "input") | .bits | length] | max)] | max) as $widest
    | ([$map[] | select(.net | type == "number")] | map({key: (.net | tostring), value: .name}) | from_entries) as $named
    | ([$block.ports | to_entries[] | select(.value.direction == "input" and .key != "clk_i")
         | .key as $port | .value.bits | to_entries[] | {name: "\($port)[\(.key)]", class: (if ($block.ports[$port].bits | length) == $widest then 0 else 1 end), place: .key, port: $port, bit: .key}]
       + [$flops | to_entries[] | $named[.value.q | tostring] as $reg
         | {name: $reg, class: 1, place: ($reg | capture("\\[(?<n>[0-9]+)\\]$").n | tonumber), state: .key}]
       | sort_by(.class, .place, .name) | to_entries
       | map(.value + {name: "i\(.key + 100000 | tostring | .[1:]).\(.value.name)"})) as $inputs
    | ([$registers[] | {key: "\(.full).next", value: .}]) as $nexts
    | (4000000) as $base
    | (def inputs_of($m; state): [$inputs[] | {key: .name, value: {direction: "input",
          bits: [if .state == null then $m.ports[.port].bits[.bit] else (.state | state) end]}}];
       def outputs_of($m): [$m.ports | to_entries[] | select(.value.direction == "output")];
    if $side == "gate" then
        {creator: "gates_cut.jq", modules: {gate: {
          ports: (inputs_of($netlist; $flops[.].q) + outputs_of($netlist)
            + [$nexts[] | {key, value: {direction: "output", bits: [.value.bits[] | $map[tostring].net
                | if type == "string" then . else $driver[tostring].d end]}}] | from_entries),
          cells: ($netlist.cells | with_entries(select($types[.value.type] == null))), netnames: {}}}}
      else
        ($rtl_flops | map({key: (.q | tostring), value: .d}) | from_entries) as $next
        | (if $side == "raw" then {} else
            ($map | with_entries(.value = (.value.net | if type == "string" then . else $driver[tostring].state + $base end))) end) as $renames
        | (def renamed: if type == "string" then . else $renames[tostring] // . end;
          {creator: "gates_cut.jq", modules: {($side): {
            ports: (if $side == "raw"
              then [$block.ports | to_entries[]] + [{key: "state", value: {direction: "input", bits: [$rtl_flops[].q]}}]
              else inputs_of($block; . + $base) + (outputs_of($block) | map(.value.bits |= map(renamed))) end
              + [$nexts[] | {key, value: {direction: "output", bits: [.value.bits[] | $next[tostring] | renamed]}}] | from_entries),
            cells: ($block.cells | with_entries(select(.value.type != "$dff") | .value.connections |= map_values(map(renamed)))),
            netnames: {}}}})
      end)
  end
