// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of gwde have to reach (doc/blocks/gwde.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, gwde, expr)

`default_nettype none

module gwde_cover #(
  parameter int NumSms    = 15,
  parameter int Fill      = 0,
  parameter int RrAdvance = 0,
  parameter int OddLimit  = 0,
  parameter int NumWarps  = 48,
  parameter int RegUnits  = 1024,
  parameter int SmemUnits = 384
);
  int   parts;  // SMs that are ready
  logic in_turn;

  assign parts   = $countones(gwde.ready);
  assign in_turn = Fill == 0 && NumSms > 1;

  // Kernel starts
  `P(Start_taken, gwde.start)
  `P(Start_ignored_left, gwde.start_i && gwde.some_left)
  `P(Start_ignored_resident, gwde.start_i && !gwde.some_left && gwde.holds != '0)
  `P(Start_of_nothing, gwde.start && gwde.grid_i == '0)
  `P(GWDE_2_too_many_warps, gwde.start && 32'(gwde.warps_i) > NumWarps)
  `P(GWDE_2_too_many_registers, gwde.start && 32'(gwde.regs_i) > RegUnits)
  `P(GWDE_2_too_much_shared_memory, gwde.start && 32'(gwde.smem_i) > SmemUnits)
  `P(Start_after_too_big, gwde.start && gwde.too_big_q)

  // GWDE-2: which resource ends the count of the CTAs that fit, or the slots
  `P(GWDE_2_counts, gwde.more)
  `P(GWDE_2_warps_only, !gwde.more && 32'(gwde.sum_warps_q) > NumWarps && 32'(gwde.sum_regs_q) <= RegUnits && 32'(gwde.sum_smem_q) <= SmemUnits)
  `P(GWDE_2_registers_only, !gwde.more && 32'(gwde.sum_warps_q) <= NumWarps && 32'(gwde.sum_regs_q) > RegUnits && 32'(gwde.sum_smem_q) <= SmemUnits)
  `P(GWDE_2_shared_memory_only, !gwde.more && 32'(gwde.sum_warps_q) <= NumWarps && 32'(gwde.sum_regs_q) <= RegUnits && 32'(gwde.sum_smem_q) > SmemUnits)
  `P(GWDE_2_slots_only, !gwde.more && 32'(gwde.sum_warps_q) <= NumWarps && 32'(gwde.sum_regs_q) <= RegUnits && 32'(gwde.sum_smem_q) <= SmemUnits)

  // GWDE-1: who takes part
  `P(GWDE_1_nobody, gwde.some_left && parts == 0)
  `P(GWDE_1_one, parts == 1)
  `P(GWDE_1_all, parts == NumSms)
  `P(GWDE_1_last_cta, gwde.launch && gwde.left_q == 32'd1)
  `P(GWDE_1_in_a_row, gwde.launch && gwde.start_valid_q)
  `P(GWDE_2_does_not_fit, (gwde.req_i & gwde.below & ~gwde.fits) != '0 && gwde.some_left)
  `P(GWDE_3_at_the_limit, (gwde.req_i & ~gwde.below & gwde.fits) != '0 && gwde.some_left)
  `P(GWDE_4_not_asked, (~gwde.req_i & gwde.below & gwde.fits) != '0 && gwde.some_left)
  // GWDE-A1: the turn goes on, passes SMs that do not take part, and comes round
  `P(GWDE_A1_in_turn, in_turn && gwde.launch && gwde.ready[gwde.ptr_q])
  `P(GWDE_A1_passes_some, in_turn && gwde.launch && !gwde.ready[gwde.ptr_q] && gwde.ahead != '0)
  `P(GWDE_A1_comes_round, in_turn && gwde.some_ready && gwde.ahead == '0)
  `P(GWDE_A1_last_sm, in_turn && gwde.grant[NumSms-1])
  `P(GWDE_A1_every_cycle_without_launch, in_turn && RrAdvance == 1 && !gwde.launch && gwde.some_left)
  // GWDE-A3: depth first there is one that waits, and one that gets all
  `P(GWDE_A3_depth_first, Fill == 1 && parts > 1)

  // Denied, with each reason; and an SM that is not, because something returns or it has no turn yet
  `P(Denied_exhausted, (gwde.req_i & gwde.denied_o) != '0 && !gwde.some_left)
  `P(Denied_full, (gwde.req_i & gwde.denied_o) != '0 && gwde.some_left)
  `P(Not_denied_due, (gwde.req_i & ~gwde.fits & gwde.due) != '0 && gwde.some_left)
  `P(Not_denied_turn, NumSms > 1 && (gwde.ready & ~gwde.grant & ~gwde.denied_o) != '0)
  `P(Not_denied_counting, (gwde.req_i & ~gwde.fits & ~gwde.due) != '0 && gwde.some_left && gwde.more)
  // What is ready in the cycle after may not ask any more, or be above its limit
  `P(GWDE_4_asks_no_more, (gwde.grant & ~gwde.req_i) != '0)
  `P(GWDE_3_limit_fell, (gwde.grant & gwde.req_i & ~gwde.below) != '0)
  `P(Turn_waits, in_turn && RrAdvance == 1 && gwde.still_q)
  // A CTA may finish in the cycle of its launch
  `P(Done_with_launch, (gwde.cta_start_o & gwde.cta_done_i) != '0)

  // BCS: kernels in pairs, each reason for a kernel without
  `P(BCS_2_in_pairs, gwde.start && gwde.u_bcs.pairs_i)
  `P(BCS_2_one_dimension, gwde.start && gwde.bcs_i && !gwde.two_d_i && gwde.room_for_two)
  `P(BCS_A2_no_room_for_two, gwde.start && gwde.bcs_i && gwde.two_d_i && !gwde.room_for_two && !gwde.exceeds)
  // Pairs: on the SM whose turn it is and on another; the second one against limit, request and its neighbours
  `P(BCS_1_first, (gwde.grant & gwde.opens) != '0)
  `P(BCS_1_second, gwde.second)
  `P(BCS_1_second_not_asked, (gwde.serve & ~gwde.req_i) != '0)
  `P(BCS_1_second_above_the_limit, gwde.second && (gwde.serve & ~gwde.below) != '0)
  `P(BCS_1_others_wait, NumSms > 1 && gwde.second && (gwde.req_i & gwde.below & gwde.fits & ~gwde.serve) != '0)
  `P(BCS_1_second_is_last, gwde.second && gwde.left_q == 32'd1)
  `P(BCS_1_no_room_for_two, gwde.first && (gwde.req_i & gwde.below & ~gwde.fits) != '0)
  `P(BCS_A4_alone, gwde.pairs && gwde.launch && !gwde.first && !gwde.second)
  `P(BCS_3_finished_not_returned, gwde.pairs && gwde.gen_sm[0].u_sm.returning_q != '0 && !gwde.due[0])
  `P(BCS_6_denied_half_done, gwde.pairs && gwde.denied_o[0] && gwde.some_left && gwde.gen_sm[0].u_sm.returning_q != '0)
  // BCS-A2: an odd limit, and one of 1
  `P(BCS_A2_odd_limit, gwde.first && gwde.gen_sm[0].limit[0] && gwde.gen_sm[0].limit != 1 && gwde.req_i[0])
  `P(BCS_A2_limit_of_one, gwde.first && gwde.gen_sm[0].limit == 1 && gwde.grant[0])
  `P(BCS_A2_alone_in_the_last_place, OddLimit == 2 && gwde.first && gwde.launch && gwde.launch_alone)
  `P(BCS_A2_waits_for_a_pair, OddLimit == 2 && gwde.first && (gwde.req_i & gwde.fits & ~gwde.whole & gwde.due) != '0)
  `P(Idle_again, gwde.idle_o && gwde.cta_q != '0)
endmodule

bind gwde gwde_cover #(.NumSms(NumSms), .Fill(Fill), .RrAdvance(RrAdvance), .OddLimit(OddLimit),
    .NumWarps(NumWarps), .RegUnits(RegUnits), .SmemUnits(SmemUnits)) u_cover ();

`undef P
`default_nettype wire
