# SPDX-License-Identifier: Apache-2.0
#
# OpenSTA: the delay of an inverter that drives four like it, driven by one that does the same. Set before: library, netlist (a
# chain s0 .. s7 of inverters from port a, each with three more at its output: fo4.py writes it), output (their pin). Prints
# "fo4 NS". In the last two stages the slew is the chain's own; one of them rises, one falls.

read_liberty $library
set_cmd_units -time ns
read_verilog $netlist
link_design fo4
create_clock -period 100 -name clk
set_input_delay 0 -clock clk [get_ports a]
set_output_delay 0 -clock clk [get_ports y]
set path [lindex [find_timing_paths -from [get_ports a] -to [get_ports y]] 0]
foreach point [get_property $path points] {
    set arrival([get_property [get_property $point pin] full_name]) [get_property $point arrival]
}
puts [format "fo4 %.6f" [expr {($arrival(s7/$output) - $arrival(s5/$output)) / 2}]]
exit
