// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of warp_scheduler have to reach (doc/blocks/warp_scheduler.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, warp_scheduler, expr)

`default_nettype none

module warp_scheduler_cover #(
  parameter int ScaBothStall = 0,
  parameter int ScaNext      = 0
);
  logic runs, lrr, gto, tlv, sca, first_stays, other_place;
  logic [31:0] candidates;

  assign runs        = warp_scheduler.enable_i;
  assign lrr         = runs && warp_scheduler.pick_o && warp_scheduler.policy_i == 2'd0;
  assign gto         = runs && warp_scheduler.pick_o && warp_scheduler.policy_i == 2'd1;
  assign tlv         = runs && warp_scheduler.pick_o && warp_scheduler.policy_i == 2'd2;
  assign sca         = runs && warp_scheduler.pick_o && warp_scheduler.policy_i == 2'd3;
  assign first_stays = warp_scheduler.hold_q && warp_scheduler.last_can;
  assign other_place = warp_scheduler.other_places != '0;
  assign candidates  = $countones(warp_scheduler.can);

  // Who can be picked
  `P(Nobody_ready, runs && warp_scheduler.ready_i == '0)
  `P(One_candidate, runs && candidates == 1)
  `P(Many_candidates, runs && candidates > 4)
  `P(Ready_not_present, runs && (warp_scheduler.ready_i & ~warp_scheduler.present_i) != '0)
  `P(No_such_slot, runs && (warp_scheduler.ready_i & ~warp_scheduler.legal) != '0)
  `P(PAUSE_2_paused_ready, runs && !warp_scheduler.pause_soft_i && (warp_scheduler.ready_i & warp_scheduler.paused_i) != '0)
  `P(PAUSE_2_all_paused, runs && !warp_scheduler.pick_o && (warp_scheduler.ready_i & warp_scheduler.known) != '0)
  `P(PAUSE_4_paused_picked, runs && warp_scheduler.late && warp_scheduler.pick_o)
  `P(PAUSE_4_paused_waits, runs && warp_scheduler.pause_soft_i && !warp_scheduler.late &&
     (warp_scheduler.ready_i & warp_scheduler.known & warp_scheduler.paused_i) != '0)

  // Round robin
  `P(LRR_goes_up, lrr && warp_scheduler.warp_o > warp_scheduler.last_q)
  `P(LRR_around, lrr && warp_scheduler.warp_o < warp_scheduler.last_q)
  `P(LRR_same_again, lrr && warp_scheduler.warp_o == warp_scheduler.last_q)

  // Greedy then oldest
  `P(GTO_1_stays, gto && first_stays && candidates > 1)
  `P(GTO_1_stays_alone, gto && first_stays && candidates == 1)
  `P(GTO_1_not_the_oldest_stays, gto && first_stays && !warp_scheduler.of_oldest[warp_scheduler.last_q])
  `P(GTO_1_oldest, gto && !first_stays && candidates > 1)
  `P(GTO_1_oldest_not_the_lowest_slot, gto && !first_stays && (warp_scheduler.slot_can & ~warp_scheduler.oldest) != '0 &&
     warp_scheduler.oldest > (warp_scheduler.slot_can & ~warp_scheduler.oldest))
  `P(GTO_1_oldest_not_the_highest_slot, gto && !first_stays && warp_scheduler.oldest < (warp_scheduler.slot_can & ~warp_scheduler.oldest))
  `P(GTO_1_lowest_of_several, gto && !first_stays && $countones(warp_scheduler.of_oldest) > 1)
  `P(GTO_1_stall_of_all, gto && !warp_scheduler.hold_q && warp_scheduler.last_can)

  // Two levels
  `P(TLV_in_group, tlv && (warp_scheduler.can & warp_scheduler.fetch_group) != '0 &&
     (warp_scheduler.can & ~warp_scheduler.fetch_group) != '0)
  `P(TLV_around_in_group, tlv && (warp_scheduler.can & warp_scheduler.fetch_group) != '0 &&
     warp_scheduler.warp_o < warp_scheduler.last_q)
  `P(TLV_next_group, tlv && (warp_scheduler.can & warp_scheduler.fetch_group) == '0 && warp_scheduler.warp_o > warp_scheduler.last_q)
  `P(TLV_next_group_around, tlv && (warp_scheduler.can & warp_scheduler.fetch_group) == '0 &&
     warp_scheduler.warp_o < warp_scheduler.last_q)

  // Sequential CTA aware
  `P(SCA_1_takes_turns, sca && warp_scheduler.stays && warp_scheduler.last_can && warp_scheduler.partner_can)
  `P(SCA_1_to_the_even_slot, sca && warp_scheduler.stays && warp_scheduler.partner_can && warp_scheduler.last_slot[0])
  `P(SCA_1_to_the_odd_slot, sca && warp_scheduler.stays && warp_scheduler.partner_can && !warp_scheduler.last_slot[0])
  `P(SCA_A1_alone, sca && warp_scheduler.stays && !warp_scheduler.partner_there)
  `P(SCA_A1_last_has_gone, sca && warp_scheduler.stays && !warp_scheduler.last_there)
  `P(SCA_2_last_stalls, sca && warp_scheduler.hold_q && !warp_scheduler.last_can && warp_scheduler.partner_can)
  `P(SCA_2_partner_stalls, sca && warp_scheduler.hold_q && warp_scheduler.last_can && !warp_scheduler.partner_can &&
     warp_scheduler.partner_there)
  `P(SCA_A2_one_stalls_and_stays, sca && ScaBothStall == 1 && warp_scheduler.stays &&
     ((warp_scheduler.last_there && !warp_scheduler.last_can) || (warp_scheduler.partner_there && !warp_scheduler.partner_can)))
  `P(SCA_3_next_higher, sca && !warp_scheduler.stays && warp_scheduler.moves && ScaNext == 0 && other_place &&
     warp_scheduler.behind != '0)
  `P(SCA_3_around, sca && !warp_scheduler.stays && warp_scheduler.moves && ScaNext == 0 && other_place &&
     warp_scheduler.behind == '0)
  `P(SCA_3_own_group_last, sca && !warp_scheduler.stays && warp_scheduler.moves && !other_place)
  `P(SCA_3_even_slot_first, sca && !warp_scheduler.stays && warp_scheduler.moves && warp_scheduler.searched == warp_scheduler.found)
  `P(SCA_3_odd_slot, sca && !warp_scheduler.stays && warp_scheduler.moves && warp_scheduler.searched != warp_scheduler.found)
  `P(SCA_A3_oldest_group, sca && !warp_scheduler.stays && warp_scheduler.moves && ScaNext == 1 && other_place)
  `P(SCA_4_oldest, sca && warp_scheduler.hold_q && !warp_scheduler.stays && !warp_scheduler.moves)
  `P(SCA_4_stall_of_all, sca && !warp_scheduler.hold_q && warp_scheduler.places != '0)

  // Ages: launches
  `P(Launch_one, runs && $onehot(warp_scheduler.cta_start_i))
  `P(Launch_several, runs && $countones(warp_scheduler.cta_start_i) > 1)
  `P(Launch_and_pick, runs && warp_scheduler.cta_start_i != '0 && warp_scheduler.pick_o)

  // Enable: what is missed
  `P(Disabled_launch, !runs && warp_scheduler.cta_start_i != '0)
  `P(Disabled_ready, !runs && warp_scheduler.ready_i != '0)
endmodule

bind warp_scheduler warp_scheduler_cover #(.ScaBothStall(ScaBothStall), .ScaNext(ScaNext)) u_cover ();

`undef P
`default_nettype wire
