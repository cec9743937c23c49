// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of bcs have to reach (doc/blocks/bcs.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, bcs, expr)

`default_nettype none

module bcs_cover #(
  parameter int PairRowWrap = 1
);
  logic taken, rows;

  assign taken = bcs.take_i && !bcs.start_i;
  assign rows  = PairRowWrap == 0;

  // BCS-2: kernels with and without pairs
  `P(BCS_2_start_with_pairs, bcs.start_i && bcs.pairs_i)
  `P(BCS_2_start_without, bcs.start_i && !bcs.pairs_i && bcs.on_q)
  `P(BCS_2_taken_without, taken && !bcs.on_q)
  `P(Start_and_take, bcs.start_i && bcs.take_i)
  `P(Start_in_a_pair, bcs.start_i && bcs.second_o)
  // BCS-1: pairs, one after the other, and with a pause between their CTAs
  `P(BCS_1_opens, taken && bcs.first_o && !bcs.alone_i)
  `P(BCS_1_second, taken && bcs.second_o)
  `P(BCS_1_second_waits, !bcs.take_i && bcs.second_o)
  `P(BCS_1_second_is_last, taken && bcs.second_o && bcs.last_i)
  // BCS-A4, BCS-A1, BCS-A2: each reason to go alone
  `P(BCS_A4_grid_end, taken && bcs.alone_o && !bcs.odd_q && bcs.last_i)
  `P(BCS_A2_one_place, taken && bcs.first_o && bcs.alone_i)
  `P(BCS_A2_neighbour, taken && bcs.alone_o && bcs.odd_q)
  `P(BCS_A2_pairs_again, taken && bcs.first_o && bcs.split_q && !bcs.odd_q)
  `P(Alone_of_a_second, taken && bcs.second_o && bcs.alone_i)
  `P(BCS_A1_row_end_alone, rows && taken && bcs.alone_o && bcs.row_end && !bcs.odd_q)
  `P(BCS_A1_row_end_second, rows && taken && bcs.second_o && bcs.row_end)
  `P(BCS_A1_row_end_neighbour, rows && taken && bcs.alone_o && bcs.row_end && bcs.odd_q)
  `P(BCS_A1_row_of_one, rows && taken && bcs.row_end && bcs.width_q == 32'd1)
  `P(BCS_A1_no_width, rows && taken && bcs.width_q == '0)
endmodule

bind bcs bcs_cover #(.PairRowWrap(PairRowWrap)) u_cover ();

`undef P
`default_nettype wire
