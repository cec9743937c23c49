// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of mcke have to reach (doc/blocks/mcke.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, mcke, expr)

`default_nettype none

module mcke_cover #(
  parameter int NumKernels = 2,
  parameter int NumSms     = 15,
  parameter int NumSlots   = 8
);
  localparam int LimitW = $clog2(NumSlots + 1);

  logic [NumKernels-1:0] own;       // kernels that start with this number
  logic [NumSms-1:0]     open, at_limit, at_quota, no_room, not_home, full;
  logic                  in_turn, several, denied_some, denied_all;

  assign own     = NumKernels'(1) << mcke.kernel_i;
  assign in_turn = mcke.in_turn;
  assign several = $countones(mcke.any) > 1;

  // The SM that comes first for the kernel that was chosen
  logic [NumSms-1:0] kept, at_turn, differ;
  logic [NumKernels-1:0] of_kernel, last_of;
  logic              last_one;

  assign of_kernel = NumKernels'(1) << mcke.kernel_q;
  assign last_one  = (of_kernel & last_of) != '0;
  for (genvar k = 0; k < NumKernels; k++) begin : gen_last
    assign last_of[k] = mcke.left_q[k] == 32'd1;
  end
  for (genvar i = 0; i < NumSms; i++) begin : gen_turn
    logic is_after, below_too;
    assign kept[i]   = mcke.row_q[i];
    assign differ[i] = mcke.after_q[i][0] != mcke.after_q[i][1];
    assign is_after  = (of_kernel & mcke.after_q[i]) != '0;
    if (i == 0) begin : gen_first
      assign below_too  = 1'b0;
      assign at_turn[i] = (of_kernel & mcke.after_q[NumSms-1]) == '0;
    end else begin : gen_other
      assign below_too  = (of_kernel & mcke.after_q[i-1]) != '0;
      assign at_turn[i] = is_after && !below_too;
    end
  end

  // Of kernel 1
  for (genvar i = 0; i < NumSms; i++) begin : gen_sm
    assign open[i]     = mcke.req_i[i] && mcke.some_left[1];
    assign full[i]     = mcke.gen_sm[i].count >= mcke.limit_i[i*LimitW+:LimitW];
    assign at_limit[i] = open[i] && full[i] && mcke.gen_sm[i].below[1] && mcke.gen_sm[i].fits[1];
    assign at_quota[i] = open[i] && !full[i] && !mcke.gen_sm[i].below[1] && mcke.gen_sm[i].fits[1];
    assign no_room[i]  = open[i] && !full[i] && mcke.gen_sm[i].below[1] && !mcke.gen_sm[i].fits[1];
    assign not_home[i] = open[i] && !full[i] && mcke.gen_sm[i].below[1] && mcke.gen_sm[i].fits[1] && !mcke.gen_sm[i].home[1];
  end

  // Kernel starts
  `P(Start_taken, mcke.start != '0)
  `P(CKE_1_start_beside_another, mcke.start != '0 && (~mcke.idle_o & ~mcke.start) != '0)
  `P(Start_all_idle, mcke.start != '0 && mcke.idle_o == '1)
  `P(Start_all_idle_turn, mcke.start != '0 && mcke.idle_o == '1 && mcke.turn_q != '0)
  `P(Start_ignored_left, mcke.start_i && (own & mcke.some_left) != '0)
  `P(Start_ignored_resident, mcke.start_i && (own & ~mcke.some_left & ~mcke.idle_o) != '0)
  `P(Start_of_no_kernel, NumKernels == 3 && mcke.start_i && mcke.kernel_i == '1)
  `P(Start_of_nothing, mcke.start != '0 && mcke.grid_i == '0)
  `P(GWDE_2_too_big, mcke.start != '0 && mcke.exceeds)
  `P(Start_after_too_big, (mcke.start & mcke.too_big_q) != '0)

  // Who takes part: each reason that keeps a kernel from an SM, alone
  `P(GWDE_1_nobody, mcke.some_left != '0 && mcke.any == '0)
  `P(GWDE_2_no_room, no_room != '0)
  `P(GWDE_3_at_the_limit, at_limit != '0)
  `P(CKE_1_at_the_quota, at_quota != '0)
  `P(CKE_2_another_kernels_sm, NumSms > 1 && not_home != '0)
  `P(GWDE_4_not_asked, mcke.some_left != '0 && mcke.req_i == '0)
  `P(GWDE_5_queued, mcke.mode_i == mcke.ModeQueue && (mcke.some_left & ~mcke.open) != '0)
  `P(GWDE_1_last_cta, mcke.launch && last_one)
  `P(GWDE_1_found_too_late, mcke.row != '0 && !mcke.kernel_left)
  `P(GWDE_1_all_have_got_one, NumSms > 1 && kept != '0 && mcke.row == '0)
  `P(GWDE_1_one_has_got_one, NumSms > 1 && mcke.row != '0 && mcke.row != kept)

  // Which kernel, in each mode
  `P(CKE_A1_several_in_turn, in_turn && several)
  `P(CKE_A1_turn_passes_a_kernel, in_turn && !mcke.launch && mcke.any != '0 && !mcke.any[0] && mcke.turn_q == '0)
  `P(CKE_A1_turn_comes_round, in_turn && !mcke.launch && mcke.any != '0 && mcke.later == '0)
  `P(CKE_A1_turn_behind_the_launch, in_turn && mcke.launch && several && mcke.pool_next != mcke.pool_turn)
  `P(CKE_A1_turn_comes_round_behind_it, in_turn && mcke.launch && mcke.any != '0 && mcke.later_next == '0)
  `P(GWDE_5_leftover_first, mcke.mode_i == mcke.ModeLeftover && several)
  `P(GWDE_5_leftover_second, mcke.mode_i == mcke.ModeLeftover && mcke.any != '0 && !mcke.chosen[0] && mcke.some_left[0])
  `P(GWDE_5_queue_second, mcke.mode_i == mcke.ModeQueue && mcke.launch && mcke.kernel_q != '0)
  `P(CKE_2_apart, mcke.mode_i == mcke.ModeApart && mcke.launch)

  // Which SM
  `P(GWDE_A1_in_turn, NumSms > 1 && (mcke.grant & at_turn) != '0)
  `P(GWDE_A1_passes_some, NumSms > 1 && mcke.launch && (mcke.row & at_turn) == '0 && mcke.ahead != '0)
  `P(GWDE_A1_comes_round, NumSms > 1 && mcke.launch && mcke.ahead == '0)
  `P(GWDE_A1_last_sm, NumSms > 1 && mcke.grant[NumSms-1])
  `P(GWDE_A1_kernels_turns_differ, NumSms > 1 && differ != '0 && several)

  // Denied, with each reason; and not denied
  assign denied_all  = mcke.denied_o[NumKernels-1:0] == '1;
  assign denied_some = mcke.denied_o[NumKernels-1:0] != '0 && !denied_all;
  `P(Denied_some, denied_some)
  `P(Denied_all, denied_all && mcke.some_left != '0)
  `P(Denied_full, mcke.denied_o[1] && mcke.some_left[1] && mcke.gen_sm[0].home[1])
  `P(Not_denied_due, mcke.req_i[0] && mcke.some_left[1] && !mcke.gen_sm[0].fits[1] && mcke.gen_sm[0].due && mcke.gen_sm[0].home[1])
  `P(Done_with_launch, (mcke.cta_start_o & mcke.cta_done_i) != '0)

  // An SM that kernels share
  `P(CKE_1_shared, NumSlots > 1 && mcke.holds[0] && mcke.holds[NumSms])
  `P(LCS_A6_drains, NumSlots > 1 && mcke.gen_sm[0].count > mcke.limit_i[0+:LimitW])
  `P(Idle_again, mcke.idle_o == '1 && mcke.turn_q != '0)
endmodule

bind mcke mcke_cover #(.NumKernels(NumKernels), .NumSms(NumSms), .NumSlots(NumSlots)) u_cover ();

`undef P
`default_nettype wire
