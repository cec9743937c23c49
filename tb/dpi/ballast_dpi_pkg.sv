// SPDX-License-Identifier: Apache-2.0
//
// ballast_dpi_pkg: the reference models for a bench in SystemVerilog. The functions are those of <ballast/reference.h>, which says what
// each does; put and why are for values of four states and for a line of text. Link libballast_reference. A simulator without DPI
// (Icarus) gets the same functions through VPI: ballast_vpi.c.
//
// The modules BLOCK_scoreboard do all that is to be done for a block. A bench that has its own idea of a scoreboard, such as a
// class of UVM, calls, once: ballast_reference_open, then ballast_reference_connect for each input and output; at each rising edge of
// the clock: put for each word of these, then ballast_reference_cycle.

`default_nettype none

package ballast_dpi_pkg;

`ifdef __ICARUS__

  function automatic int ballast_reference_open(input string block_name, input string parameters);
    ballast_reference_open = $ballast_reference_open(block_name, parameters);
  endfunction

  function automatic int ballast_reference_connect(input int handle, input string pin, input int width);
    ballast_reference_connect = $ballast_reference_connect(handle, pin, width);
  endfunction

  function automatic int ballast_reference_elements(input int handle, input string pin);
    ballast_reference_elements = $ballast_reference_elements(handle, pin);
  endfunction

  function automatic int ballast_reference_cycle(input int handle, input int rst_n);
    ballast_reference_cycle = $ballast_reference_cycle(handle, rst_n);
  endfunction

  function automatic int ballast_reference_step(input int handle, input int rst_n);
    ballast_reference_step = $ballast_reference_step(handle, rst_n);
  endfunction

  // What a VPI task fills must be a variable that stays.
  logic [63:0]      got;
  logic [8*512-1:0] line;

  function automatic [63:0] ballast_reference_get(input int handle, input int word);
    $ballast_reference_get(handle, word, got);
    ballast_reference_get = got;
  endfunction

  function automatic [8*512-1:0] why(input int handle);
    $ballast_reference_why(handle, line);
    why = line;
  endfunction

  task automatic ballast_reference_close(input int handle);
    $ballast_reference_close(handle);
  endtask

  task automatic ballast_reference_put(input int handle, input int word, input bit [63:0] value, input bit [63:0] known);
    $ballast_reference_put(handle, word, value, known);
  endtask

`else

  import "DPI-C" function int ballast_reference_open(input string block_name, input string parameters);
  import "DPI-C" function int ballast_reference_connect(input int handle, input string pin, input int width);
  import "DPI-C" function int ballast_reference_elements(input int handle, input string pin);
  import "DPI-C" function int ballast_reference_cycle(input int handle, input int rst_n);
  import "DPI-C" function int ballast_reference_step(input int handle, input int rst_n);
  import "DPI-C" function longint unsigned ballast_reference_get(input int handle, input int word);
  import "DPI-C" function string ballast_reference_why(input int handle);
  import "DPI-C" function void ballast_reference_close(input int handle);
  import "DPI-C" function void ballast_reference_put(input int handle, input int word, input longint unsigned value, input longint unsigned known);

  function automatic string why(input int handle);
    return ballast_reference_why(handle);
  endfunction

`endif

  // A word of four states: v ^ ~v is 1 where v is known, and X, which is 0 in two states, where it is not.
  task automatic put(input int handle, input int word, input logic [63:0] value);
    ballast_reference_put(handle, word, value, value ^ ~value);
  endtask

endpackage

`default_nettype wire
