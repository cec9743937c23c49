# SPDX-License-Identifier: Apache-2.0
#
# The face that the RTL shows to the lockstep engine, put on a netlist: a module with the block's name, ports and register
# names, in named blocks where the RTL has instances, around the netlist (module NAME_netlist). The engine's shim then
# compiles as for RTL.
#   jq -r -n --arg top STEM --slurpfile rtl RTL.json --slurpfile net NETLIST.json -f gates_wrap.jq


include "gates_registers";

def escaped: if test("[^A-Za-z0-9_$]") then "\\\(.) " else . end;
def range: if . == 1 then "" else "[\(. - 1):0] " end;

# {path: [instances], name, element or null, width, full name}, in the order of the RTL.
def register($full):
    (capture("^(?<path>.*[.])?(?<name>[A-Za-z0-9_]+_q)(\\[(?<element>[0-9]+)\\])?$")
        // error("gates_wrap.jq: register name '\($full)' is not understood"))
    | {path: ((.path // "") | split(".")[:-1]), name, element: (.element | if . then tonumber else null end), full: $full};

# A register that synthesis removed reads 0 (gates_cut.jq).
def source: if $net[0].modules[$top].netnames[.full] then "u_netlist.\(.full | escaped)" else "0" end;

def declaration: # of the elements of one register
    .[0] as $first
    | if $first.element == null then
        "  wire \($first.width | range)\($first.name) /*verilator public_flat_rd*/ = \($first | source);"
      else
        "  wire \($first.width | range)\($first.name) [\(length)] /*verilator public_flat_rd*/;",
        (.[] | "  assign \(.name)[\(.element)] = \(source);")
      end;

def scopes($depth): # registers below here
    (map(select(.path | length == $depth)) | group_by(.name)[] | sort_by(.element) | declaration),
    (map(select(.path | length > $depth)) | group_by(.path[$depth])[]
        | "  if (1) begin : \(.[0].path[$depth] | escaped)", scopes($depth + 1), "  end");

$rtl[0].modules[$top] as $block
| $net[0].modules[$top].ports as $ports
| [$block.netnames | to_entries[] | select(.key | is_register) | .value.bits as $bits | .key as $full
    | .key | register($full) | .width = ($bits | length)] as $registers
| "// Made by gates.sh: the netlist of \($top) with the RTL's ports and registers.",
  "module \($top)(",
  ([$ports | to_entries[] | "  \(.value.direction) wire \(.value.bits | length | range)\(.key)"] | join(",\n")),
  ");",
  "  \($top)_netlist u_netlist (",
  ([$ports | keys_unsorted[] | "    .\(.)(\(.))"] | join(",\n")),
  "  );",
  ($registers | scopes(0)),
  "endmodule"
