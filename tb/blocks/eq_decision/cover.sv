// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of eq_decision have to reach (doc/blocks/eq_decision.md: Algorithm 1). tb/cover reads the names
// and comments.
`include "cover.svh"

`define P(name, expr) `POINT_NOW(name, expr)
// A comparison's three edges, in the measure that is compared, where no line before has decided.
`define EDGES(name, reached, left, right) \
  `P(name``_one_below, (reached) && 33'(left) + 33'd1 == 33'(right)) \
  `P(name``_exactly_at, (reached) && 33'(left) == 33'(right)) \
  `P(name``_one_above, (reached) && 33'(left) == 33'(right) + 33'd1)

`default_nettype none

module eq_decision_cover #(
  parameter int AvgMode   = 0,
  parameter int Samples   = 32
);
  localparam int Scale = (AvgMode == 0) ? Samples : 1;  // a warp, in the measure

  logic [32:0] mem, alu, active, waiting, wcta;
  logic        line10, line12, line14, line21;  // reached

  assign mem     = 33'(eq_decision.n_mem);
  assign alu     = 33'(eq_decision.n_alu);
  assign active  = 33'(eq_decision.n_active);
  assign waiting = 33'(eq_decision.n_waiting);
  assign wcta    = 33'(eq_decision.wcta);
  assign line10  = !(mem > wcta);
  assign line12  = line10 && !(alu > wcta);
  assign line14  = line12 && !(mem > 33'(2 * Scale));
  assign line21  = line14 && !(2 * waiting > active);

  // Every branch of Algorithm 1
  `P(EQ_7_line7_definitely_mem, eq_decision.branch_o == ballast_pkg::EqDefinitelyMem)
  `P(EQ_7_line10_definitely_comp, eq_decision.branch_o == ballast_pkg::EqDefinitelyComp)
  `P(EQ_8_line12_likely_mem, eq_decision.branch_o == ballast_pkg::EqLikelyMem)
  `P(EQ_7_line14_wait_comp, eq_decision.branch_o == ballast_pkg::EqWaitComp)
  `P(EQ_7_line14_wait_mem, eq_decision.branch_o == ballast_pkg::EqWaitMem)
  `P(EQ_16_line21_idle, eq_decision.branch_o == ballast_pkg::EqIdle)
  `P(EQ_7_none, eq_decision.branch_o == ballast_pkg::EqNone)

  // By each way to measure (AvgMode)
  `P(EQ_A2_exact, AvgMode == 0 && eq_decision.branch_o == ballast_pkg::EqLikelyMem)
  `P(EQ_A2_truncated, AvgMode == 1 && eq_decision.branch_o == ballast_pkg::EqLikelyMem)
  `P(EQ_A2_raw, AvgMode == 2 && eq_decision.branch_o == ballast_pkg::EqLikelyMem)

  // Line 7: X_mem against the warps of a CTA
  `EDGES(EQ_7_line7_xmem_wcta, 1'b1, mem, wcta)
  // Line 10: X_alu against the warps of a CTA
  `EDGES(EQ_7_line10_xalu_wcta, line10, alu, wcta)
  // Line 12: X_mem against two warps (EQ-8)
  `EDGES(EQ_8_line12_xmem_two, line12, mem, 2 * Scale)
  // Line 14: twice the waiting warps against the active ones (EQ-A3)
  `EDGES(EQ_A3_line14_half, line14, 2 * waiting, active)
  // Line 14: X_alu against X_mem: whom one CTA more is for
  `EDGES(EQ_7_line14_xalu_xmem, line14 && 2 * waiting > active, alu, mem)
  // Line 21: no warp active, or just one
  `P(EQ_16_line21_none_active, line21 && active == '0)
  `P(EQ_16_line21_one_active, line21 && active == 33'd1)

  // Both saturated: the memory comes first
  `P(EQ_7_both_saturated, mem > wcta && alu > wcta)
  `P(No_warps_per_cta, wcta == '0)
  `P(No_warps_per_cta_decided, wcta == '0 && mem == 33'd1)
endmodule

bind eq_decision eq_decision_cover #(.AvgMode(AvgMode), .Samples(Samples)) u_cover ();

`undef P
`undef EDGES
`default_nettype wire
