// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of sm_resources have to reach (doc/blocks/sm_resources.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, sm_resources, expr)

`default_nettype none

module sm_resources_cover #(
  parameter int NumSlots = 8
);
  logic slot;
  logic pairs;  // a whole pair is looked for

  assign slot  = sm_resources.free != '0;
  assign pairs = sm_resources.pair_i && sm_resources.whole_i;

  // GWDE-2: room for all, for none, exact fits, and a place that is not the resource that is short
  `P(GWDE_2_room, sm_resources.may_i && sm_resources.fits_o)
  `P(GWDE_2_no_room, sm_resources.may_i && slot && !sm_resources.fits_o)
  `P(GWDE_2_no_slot, sm_resources.may_i && !slot)
  `P(GWDE_2_last_one, sm_resources.ready_d && 32'(sm_resources.count_q) + 1 == 32'(sm_resources.most_i))
  `P(GWDE_2_last_slot, sm_resources.take && 32'(sm_resources.count_q) == NumSlots - 1)
  `P(May_not, sm_resources.fits_o && !sm_resources.may_i)
  `P(Cleared, sm_resources.fits_o && sm_resources.may_i && sm_resources.clear_i && !sm_resources.take)
  `P(Ready_and_waits, sm_resources.ready_q && !sm_resources.take_i)
  `P(Take_where_not_ready, sm_resources.take_i && !sm_resources.ready_q)

  // Returns: one, several at once, with a launch, from a full SM, the last CTA
  `P(Return_one, sm_resources.back && sm_resources.returning_q == '0 && sm_resources.returning_d == '0)
  `P(Return_several, NumSlots > 1 && $countones(sm_resources.due) > 1)
  `P(Return_waits, NumSlots > 1 && sm_resources.returning_q != '0 && (sm_resources.cta_done_i & sm_resources.active_o) != '0)
  `P(Return_with_launch, sm_resources.take && sm_resources.back)
  `P(Return_while_full, sm_resources.back && !slot)
  `P(Return_last, sm_resources.back && 32'(sm_resources.count_q) == 1 && !sm_resources.take)
  `P(Launch_into_a_gap, sm_resources.take && (sm_resources.held_q & ~(sm_resources.place - 1'b1)) != '0)
  `P(Done_of_an_empty_slot, (sm_resources.cta_done_i & ~sm_resources.held_q) != '0)
  // Pairs: each kind of CTA, a partner that waits, and what does not fit because of pairs alone
  `P(BCS_1_first, NumSlots > 1 && sm_resources.take && sm_resources.whole_q)
  `P(BCS_1_second, NumSlots > 1 && sm_resources.second_q)
  `P(BCS_A4_alone, sm_resources.take && sm_resources.pair_i && !sm_resources.whole_q)
  `P(BCS_A4_alone_in_the_last_slot, NumSlots % 2 == 1 && sm_resources.pair_i && sm_resources.take && sm_resources.place[NumSlots-1])
  `P(BCS_1_exact_pair, NumSlots > 1 && pairs && sm_resources.ready_d && 32'(sm_resources.count_q) + 2 == 32'(sm_resources.most_i))
  `P(BCS_1_room_for_one_only, NumSlots > 1 && pairs && sm_resources.open != '0 && 32'(sm_resources.count_q) + 1 == 32'(sm_resources.most_i))
  `P(BCS_1_no_pair_of_slots, pairs && sm_resources.open == '0 && slot)
  `P(BCS_3_lower_waits, NumSlots > 1 && sm_resources.pair_q && (sm_resources.finished & sm_resources.waits & sm_resources.even) != '0)
  `P(BCS_3_upper_waits, NumSlots > 1 && sm_resources.pair_q && (sm_resources.finished & sm_resources.waits & ~sm_resources.even) != '0)
  `P(BCS_3_waits_beside_a_return, NumSlots > 2 && sm_resources.pair_q && sm_resources.back && (sm_resources.finished & sm_resources.waits) != '0)
  `P(BCS_3_done_while_second_comes, NumSlots > 1 && sm_resources.second_q && (sm_resources.finished & (sm_resources.place >> 1)) != '0)
  `P(BCS_3_both_at_once, NumSlots > 1 && sm_resources.pair_q &&
     (sm_resources.cta_done_i & (sm_resources.cta_done_i >> 1) & sm_resources.even & sm_resources.active_o) != '0)
  `P(Done_twice, NumSlots > 1 && (sm_resources.cta_done_i & sm_resources.returning_q) != '0)
endmodule

bind sm_resources sm_resources_cover #(.NumSlots(NumSlots)) u_cover ();

`undef P
`default_nettype wire
