# SPDX-License-Identifier: Apache-2.0
#
# One step of a block's RTL as a circuit without registers: the present values of the registers are inputs, the next ones
# outputs, bit by bit under the labels of `bits` (tb/formal/words.c).
#   jq -n -L synth_scripts --arg top STEM --slurpfile rtl RTL.json --rawfile bits BITS -f formal_cut.jq
# Where the list has parts ("sm[3].takes.nmax_i[0]"), they are boxes without contents in the RTL: what goes into one is an output,
# what comes out an input, and so are the registers inside.

include "gates_registers";

# "perfsat.state_q" is the RTL's register "u_perfsat.state_q", "sm[3].perfsat.state_q" is "gen_sm[3].u_sm.u_perfsat.state_q".
def instances: if endswith("]") then "gen_\(.).u_\(split("[")[0])" else "u_\(.)" end;
def rtl_name: split(".") | [.[:-1][] | instances] + .[-1:] | join(".");

# {signal, bit, next}: "i00012.inst_q[3][7]" or "inst_q[3].next[7]"
def parsed: sub("^i[0-9]+[.]"; "") | capture("^(?<signal>.*?)(?<next>[.]next)?\\[(?<bit>[0-9]+)\\]$") | .bit |= tonumber | .next |= (. != null);

# Array subtraction that does not take the product of both lengths.
def without(list): (reduce list[] as $x ({}; .[$x | tostring] = true)) as $known | map(select($known[tostring] | not));

# ... and of a part {part, way, name}
def with_part: . + ((.signal | capture("^(?<part>.*)[.](?<way>takes|gives)[.](?<name>.*)$")) // {part: null});

$rtl[0].modules[$top] as $block
| (reduce ($block | registers)[] as $r ({}; .[$r.full] = $r.bits)) as $registers
| ($block | rtl_flops | map({key: (.q | tostring), value: .d}) | from_entries) as $next
| [$bits | split("\n")[] | select(. != "") | split(" ") | select(.[0] | IN("in", "out", "next")) | {kind: .[0], label: .[3]} + (.[3] | parsed | with_part)] as $all
| ([$all[] | select(.part) | .part] | unique | map({key: ., value: ($block.cells[instances] // error("formal_cut: the RTL has no part \(.)"))}) | from_entries) as $parts
| ($parts | with_entries(.key |= instances)) as $boxes
| ([$block.ports[].bits[], $block.netnames[].bits[] | numbers] | max + 1) as $new
# A vector with bits per SM comes in as many pieces: sm[1].limit_o. One wider than 64 bits comes in words: comp_i[1], bit 3 is
# bit 67 of comp_i.
| ([$all[] | select(.part | not) | .signal | capture("^sm\\[(?<sm>[0-9]+)\\]") | .sm | tonumber] | (max // 0) + 1) as $sms
| def bits_of: .signal as $s
    | if $s | test("^sm\\[[0-9]+\\][.][a-z0-9_]+_[io]$") then ($s | capture("^sm\\[(?<sm>[0-9]+)\\][.](?<port>.*)$")) as $piece
        | $block.ports[$piece.port].bits as $bits | $bits[($piece.sm | tonumber) * ($bits | length) / $sms + .bit]
      elif $s | test("_[io]\\[[0-9]+\\]$") then ($s | capture("^(?<port>.*)\\[(?<word>[0-9]+)\\]$")) as $w
        | $block.ports[$w.port].bits[($w.word | tonumber) * 64 + .bit]
      elif $s | test("_[io]$") or . == "rst_ni" then $block.ports[$s].bits[.bit]
      else ($registers[$s | rtl_name] // error("formal_cut: the RTL has no register \($s)"))[.bit] end;
  # A register inside of a part is nowhere in the RTL that is left.
  def inside: .part == null and (.signal | test("_[io]$") | not) and ((.signal | split(".")[0]) as $field | $parts[$field] != null);
  def wire: "\(.signal)\(if .next then ".next" else "" end)[\(.bit)]";
  ($all | to_entries | map(.value + {index: .key}) | map(select(.kind == "in" and (inside or (.part and .next)))
      | {key: wire, value: ($new + .index)}) | from_entries) as $wires
| def net:
    if inside then if .next then $wires[.signal |= sub("^(?<part>[^.]*)[.]"; "\(.part).gives.") | wire] else $wires[wire] end
    elif .part and .way == "gives" and .next then $wires[wire]
    elif .part and (.name | test("_[io]$") or . == "rst_ni") then .bit as $bit | $parts[.part].connections[.name] | if . then .[$bit] else null end
    elif .part then $wires[.signal = "\(.part).\(.name)" | wire]
    elif .kind == "next" then bits_of | tostring | $next[.] // "none"
    else bits_of end;
([$all[] | select(.kind != "in" or .signal != "rst_ni" or $block.ports.rst_ni != null) | . + {net: net}]) as $nets
| ($nets | map(select(.net == null) | .label)) as $missing
| ($block.ports | to_entries | map(select(.value.direction == "input" and .key != "clk_i") | .value.bits[])
    | without($nets | map(select(.kind == "in") | .net))) as $strangers
| ($next | keys | without($all | map(select(.kind == "next" and .part == null and (inside | not)) | bits_of))) as $unlisted
| ([$parts[] | .port_directions as $way | .connections | to_entries[] | select(.key != "clk_i") | {way: $way[.key], bit: .value[]}]) as $pins
| (([$pins[] | select(.way == "output") | .bit] | without([$nets[] | select(.part and .way == "gives") | .net]))
    + ([$pins[] | select(.way == "input") | .bit] | without([$nets[] | select(.part and .way == "takes") | .net]))) as $unknown
| if $missing != [] then error("formal_cut: the RTL has no \($missing[0])")
  elif ($nets | map(select(.net == "none") | .label)) as $none | $none != [] then error("formal_cut: \($nets | map(select(.net == "none"))[0].label) is no register")
  elif $strangers != [] or $unlisted != [] then error("formal_cut: the RTL has inputs or registers that are not in the port list")
  elif $unknown != [] then error("formal_cut: a part in the RTL has ports that are not in its port list")
  elif any($parts[]; .connections.clk_i != $block.ports.clk_i.bits) then error("formal_cut: a part in the RTL has another clock")
  elif [$parts[].type] | unique | length > 1 then error("formal_cut: the parts in the RTL are not of one kind")
  else {creator: "formal_cut.jq", modules: {step: {
    ports: ($nets | map({key: .label, value: {direction: (if .kind == "in" then "input" else "output" end), bits: [.net]}}) | from_entries),
    cells: ($block.cells | with_entries(select(.value.type != "$dff" and $boxes[.key] == null))), netnames: {}}}} end
