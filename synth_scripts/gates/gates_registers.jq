# SPDX-License-Identifier: Apache-2.0
#
# What the gate-level scripts know of registers and flip-flops in Yosys' JSON.

# Names of registers end in _q (CONTRIBUTING.md); an array's elements are numbered.
def is_register: test("_q(\\[[0-9]+\\])?$");

def registers: # of a module of the RTL, flattened: {full, bits}
    [.netnames | to_entries[] | select(.key | is_register) | {full: .key, bits: .value.bits}];

def rtl_flops: # of the same module, after proc: {q, d} per bit
    .ports.clk_i.bits[0] as $clk
    | [.cells | to_entries[] | select(.value.type | test("dff|dlatch|[$]sr$|[$]mem"))
        | if .value.type != "$dff" or .value.connections.CLK != [$clk] or (.value.parameters.CLK_POLARITY | test("1$") | not) then
            error("gates: the RTL's register \(.key) is a \(.value.type), not a flip-flop at the rising edge of clk_i") else . end
        | .value.connections | [.Q, .D] | transpose[] | {q: .[0], d: .[1]}];

# {TYPE: {clk, d, q}}: the pins of the library's cells that are a flip-flop at the rising edge and nothing else.
def flip_flop_types:
    .modules | with_entries(
        .value as $m
        | ([$m.cells[] | select(.type == "$_DFF_P_")]) as $ff
        | select(($m.cells | length) <= 2 and ($ff | length) == 1)
        | ($m.ports | to_entries | map({key: (.value.bits[0] | tostring), value: .key}) | from_entries) as $pin
        | .value = {clk: $pin[$ff[0].connections.C[0] | tostring], d: $pin[$ff[0].connections.D[0] | tostring],
                    q: $pin[$ff[0].connections.Q[0] | tostring]}
        | select(.value | .clk and .d and .q));

def flops_of($types): # of a netlist: {cell, q, d}
    .ports.clk_i.bits[0] as $clk
    | [.cells | to_entries[] | .key as $name | .value.connections as $c | $types[.value.type] // empty
        | if $c[.clk] != [$clk] then error("gates: flip-flop \($name) is not clocked by clk_i") else . end
        | {cell: $name, q: $c[.q][0], d: $c[.d][0]}];
