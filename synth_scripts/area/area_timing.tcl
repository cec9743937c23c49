# SPDX-License-Identifier: Apache-2.0
#
# OpenSTA: the longest path of each kind through a netlist. Set before: library, netlist, top, load (at each output, in the
# library's unit), driver (the cell in front of each input).
# Prints "path KIND NS DEPTH START END": KIND is reg-reg, in-reg, reg-out, in-out; NS the clock period that the path needs (clock
# to output, cells and setup included); DEPTH its cells, buffers too; a register by its net. No line for a kind that is not there. The last line is
# "end of paths".

read_liberty $library
set_cmd_units -time ns
read_verilog $netlist
link_design $top

set period 100
if {[llength [get_ports -quiet clk_i]]} {
    create_clock -period $period -name clk [get_ports clk_i]
} else {
    create_clock -period $period -name clk
}
set inputs {}
foreach port [all_inputs] {
    if {[get_property $port full_name] != "clk_i"} { lappend inputs $port }
}
set_input_delay 0 -clock clk $inputs
set_driving_cell -lib_cell $driver $inputs
set_output_delay 0 -clock clk [all_outputs]
set_load $load [all_outputs]

# A port has its own name; of a register the net at its first output that drives something is the name that the RTL knows.
proc name_of {pin} {
    set name [get_property $pin full_name]
    set cell [string range $name 0 [string last / $name]-1]
    foreach other [expr {$cell eq "" ? {} : [get_pins $cell/*]}] {
        if {[get_property $other direction] ne "output"} { continue }
        set net [get_nets -quiet -of_objects $other]
        if {[llength $net]} { return [get_property $net full_name] }
    }
    return $name
}

set clocks {}
set datas {}
if {[llength [get_ports -quiet clk_i]]} {
    set clocks [all_registers -clock_pins]
    set datas [all_registers -data_pins]
}
foreach {kind from to} [list reg-reg $clocks $datas in-reg $inputs $datas reg-out $clocks [all_outputs] in-out $inputs [all_outputs]] {
    if {![llength $from] || ![llength $to]} { continue }
    foreach end [find_timing_paths -from $from -to $to] {
        set points [get_property $end points]
        puts [format "path %s %.4f %d %s %s" $kind [expr {$period - [get_property $end slack]}] [expr {([llength $points] - 2) / 2}] \
            [name_of [get_property $end startpoint]] [name_of [get_property $end endpoint]]]
    }
}
puts "end of paths"
exit
