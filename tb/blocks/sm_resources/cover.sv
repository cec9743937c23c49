// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of sm_resources have to reach (doc/blocks/sm_resources.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, sm_resources, expr)

`default_nettype none

module sm_resources_cover #(
  parameter int NumSlots = 8
);
  logic slot, warps, regs, smem;  // each of the four resources, alone

  assign slot  = sm_resources.free != '0;
  assign warps = sm_resources.warps_i <= sm_resources.warps_q;
  assign regs  = sm_resources.regs_i <= sm_resources.regs_q;
  assign smem  = sm_resources.smem_i <= sm_resources.smem_q;

  // GWDE-2: each of the four resources is the one that does not suffice
  `P(GWDE_2_slots_only, sm_resources.take_i && !slot && warps && regs && smem)
  `P(GWDE_2_warps_only, sm_resources.take_i && slot && !warps && regs && smem)
  `P(GWDE_2_registers_only, sm_resources.take_i && slot && warps && !regs && smem)
  `P(GWDE_2_shared_memory_only, sm_resources.take_i && slot && warps && regs && !smem)
  // GWDE-2: exact fits, of which nothing remains, and those that miss by one
  `P(GWDE_2_exact_warps, sm_resources.take && sm_resources.warps_i == sm_resources.warps_q)
  `P(GWDE_2_exact_registers, sm_resources.take && sm_resources.regs_i == sm_resources.regs_q)
  `P(GWDE_2_exact_shared_memory, sm_resources.take && sm_resources.smem_i == sm_resources.smem_q)
  `P(GWDE_2_one_warp_short, 32'(sm_resources.warps_i) == 32'(sm_resources.warps_q) + 1)
  `P(GWDE_2_one_register_unit_short, 32'(sm_resources.regs_i) == 32'(sm_resources.regs_q) + 1)
  `P(GWDE_2_one_shared_memory_unit_short, 32'(sm_resources.smem_i) == 32'(sm_resources.smem_q) + 1)
  `P(GWDE_2_last_slot, sm_resources.take && 32'(sm_resources.count_q) == NumSlots - 1)
  `P(Take_without_room, sm_resources.take_i && !sm_resources.fits_o)
  `P(Take_nothing_needed, sm_resources.take && sm_resources.regs_i == '0 && sm_resources.smem_i == '0)

  // Returns: one, several at once, with a launch, from a full SM, the last CTA
  `P(Return_one, sm_resources.back && sm_resources.returning_q == '0 && sm_resources.returning_d == '0)
  `P(Return_several, NumSlots > 1 && $countones(sm_resources.due) > 1)
  `P(Return_waits, NumSlots > 1 && sm_resources.returning_q != '0 && (sm_resources.cta_done_i & sm_resources.active_o) != '0)
  `P(Return_with_launch, sm_resources.take && sm_resources.back)
  `P(Return_while_full, sm_resources.back && !slot)
  `P(Return_last, sm_resources.back && 32'(sm_resources.count_q) == 1 && !sm_resources.take)
  `P(Launch_into_a_gap, sm_resources.take && (sm_resources.held_q & ~(sm_resources.first_open - 1'b1)) != '0)
  `P(Done_of_an_empty_slot, (sm_resources.cta_done_i & ~sm_resources.held_q) != '0)
  // Pairs: each kind of CTA, a partner that waits, and what does not fit because of pairs alone
  `P(BCS_1_first, sm_resources.take && sm_resources.whole && !sm_resources.second)
  `P(BCS_1_second, sm_resources.take && sm_resources.second)
  `P(BCS_A4_alone, sm_resources.take && sm_resources.pair_i && !sm_resources.whole && !sm_resources.second)
  `P(BCS_A4_alone_in_the_last_slot, NumSlots % 2 == 1 && sm_resources.pair_i && sm_resources.take && sm_resources.first_open[NumSlots-1])
  `P(BCS_1_exact_warps, NumSlots > 1 && sm_resources.whole && sm_resources.fits_o &&
     32'(sm_resources.ask_warps) == 32'(sm_resources.warps_q))
  `P(BCS_1_room_for_one_only, sm_resources.whole && sm_resources.open != '0 && !sm_resources.fits_o && warps && regs && smem)
  `P(BCS_1_no_pair_of_slots, sm_resources.whole && sm_resources.open == '0 && slot)
  `P(BCS_3_lower_waits, NumSlots > 1 && sm_resources.pair_i && (sm_resources.finished & sm_resources.waits & sm_resources.even) != '0)
  `P(BCS_3_upper_waits, NumSlots > 1 && sm_resources.pair_i && (sm_resources.finished & sm_resources.waits & ~sm_resources.even) != '0)
  `P(BCS_3_waits_beside_a_return, NumSlots > 3 && sm_resources.pair_i && sm_resources.back && (sm_resources.finished & sm_resources.waits) != '0)
  `P(BCS_3_done_while_second_comes, NumSlots > 1 && sm_resources.second && sm_resources.take && (sm_resources.finished & (sm_resources.behind >> 1)) != '0)
  `P(BCS_3_both_at_once, NumSlots > 1 && sm_resources.pair_i &&
     (sm_resources.cta_done_i & (sm_resources.cta_done_i >> 1) & sm_resources.even & sm_resources.active_o) != '0)
  `P(Done_twice, NumSlots > 1 && (sm_resources.cta_done_i & sm_resources.returning_q) != '0)
endmodule

bind sm_resources sm_resources_cover #(.NumSlots(NumSlots)) u_cover ();

`undef P
`default_nettype wire
