# SPDX-License-Identifier: Apache-2.0
#
# OpenSTA: the delay of an inverter that drives four like it, driven by one that does the same. Set before: library, netlist (a
# chain s0 .. s7 of INVX1 from port a, each with three more INVX1 at its output: area.sh writes it). Prints "fo4 NS" and
# "load PF", four inverters' input. In the last two stages the slew is the chain's own; one of them rises, one falls.

read_liberty $library
read_verilog $netlist
link_design fo4
create_clock -period 100 -name clk
set_input_delay 0 -clock clk [get_ports a]
set_output_delay 0 -clock clk [get_ports y]
set path [lindex [find_timing_paths -from [get_ports a] -to [get_ports y]] 0]
foreach point [get_property $path points] {
    set arrival([get_property [get_property $point pin] full_name]) [get_property $point arrival]
}
puts [format "fo4 %.6f" [expr {($arrival(s7/Y) - $arrival(s5/Y)) / 2}]]
puts [format "load %.6f" [expr {4 * [get_property [lindex [get_lib_pins [get_property [lindex [get_libs *] 0] name]/INVX1/A] 0] capacitance]}]]
exit
