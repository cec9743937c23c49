// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Words of the cover files (tb/blocks/<block>/cover.sv). A cover module is bound into its block and names the
// block's signals by the block's name. One point per line; what it means is the comment above it or behind it.
// No function in a point: Verilator 5.006 evaluates it too late. An `assign` or `always_comb` does it.

// A point of a clocked block, looked at before each rising edge that no reset takes.
`define POINT(name, block, expr) \
  name: cover property (@(posedge block.clk_i) disable iff (!block.rst_ni) (expr));
// What must never be: it ends the run like any other assertion.
`define NEVER(name, block, expr) \
  name: assert property (@(posedge block.clk_i) disable iff (!block.rst_ni) !(expr));
// The same of a block without a clock: whenever its inputs have settled to something new.
`define POINT_NOW(name, expr) \
  always_comb begin name: cover (expr); end
