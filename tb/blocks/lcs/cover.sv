// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of lcs have to reach (doc/blocks/lcs.md). tb/cover reads the names and comments.
`include "cover.svh"

`define AT(state) (lcs.state_q == ballast_pkg::LcsSt``state)
`define TO(state) (lcs.state_d == ballast_pkg::LcsSt``state)
`define ARC(from, to) `POINT(Arc_``from``_``to, lcs, !lcs.start && `AT(from) && `TO(to))

`default_nettype none

module lcs_cover #(
  parameter int RoundMode  = 0,
  parameter int IssueWidth = 2,
  parameter int CountW     = 20
);
  logic stays, decides, taken;
  logic [31:0] active;

  assign stays   = lcs.state_d == lcs.state_q;
  assign decides = lcs.decided_d && !lcs.decided_q;
  assign taken   = lcs.enable_i && !lcs.start && lcs.measures && lcs.half == '0;
  assign active  = 32'(lcs.all_of(lcs.active_of));

  // States
  `POINT(State_Idle, lcs, `AT(Idle))
  `POINT(State_Monitor, lcs, `AT(Monitor))
  `POINT(State_Gather, lcs, `AT(Gather))
  `POINT(State_Divide, lcs, `AT(Divide))
  `POINT(State_Throttle, lcs, `AT(Throttle))
  `POINT(State_Lazy, lcs, `AT(Lazy))

  // Arcs without a kernel start
  `ARC(Monitor, Gather)
  `POINT(LCS_6_arc_Monitor_Throttle, lcs, !lcs.start && `AT(Monitor) && `TO(Throttle))  // by the broadcast
  `ARC(Gather, Divide)
  `ARC(Divide, Throttle)
  `ARC(Throttle, Lazy)
  // A further slot, a further subtraction, more CTAs than T_new
  `POINT(Stay_Gather, lcs, lcs.enable_i && !lcs.start && `AT(Gather) && stays)
  `POINT(Stay_Divide, lcs, lcs.enable_i && !lcs.start && `AT(Divide) && stays)
  `POINT(Stay_Throttle, lcs, lcs.enable_i && !lcs.start && `AT(Throttle) && stays)

  // LCS-5: a kernel start from each state
  `POINT(Start_Idle, lcs, lcs.start && `AT(Idle))
  `POINT(Start_Monitor, lcs, lcs.start && `AT(Monitor))
  `POINT(Start_Gather, lcs, lcs.start && `AT(Gather))
  `POINT(Start_Divide, lcs, lcs.start && `AT(Divide))
  `POINT(Start_Throttle, lcs, lcs.start && `AT(Throttle))
  `POINT(Start_Lazy, lcs, lcs.start && `AT(Lazy))
  `POINT(Start_to_Idle, lcs, lcs.start && `TO(Idle))        // nmax 0: nothing could run
  `POINT(LCS_7_start_to_Lazy, lcs, lcs.start && `TO(Lazy))  // nmax 1: nothing to decide
  `POINT(Start_to_Monitor, lcs, lcs.start && `TO(Monitor))

  // No other arc exists.
  logic legal;
  always_comb begin : p_legal
    case (lcs.state_q)
      ballast_pkg::LcsStMonitor:  legal = stays || `TO(Gather) || (`TO(Throttle) && lcs.listen_i);
      ballast_pkg::LcsStGather:   legal = stays || `TO(Divide);
      ballast_pkg::LcsStDivide:   legal = stays || `TO(Throttle);
      ballast_pkg::LcsStThrottle: legal = stays || `TO(Lazy);
      default:                    legal = stays;
    endcase
  end
  `NEVER(NoOtherArc, lcs, !lcs.start && !legal)

  // LCS-1: what is counted
  `POINT(LCS_1_nothing, lcs, taken && lcs.issue_valid_i == '0)
  `POINT(LCS_1_one_lane, lcs, taken && $onehot(lcs.issue_valid_i))
  `POINT(LCS_1_all_lanes, lcs, taken && &lcs.issue_valid_i)
  `POINT(LCS_1_all_of_one_cta, lcs, lcs.enable_i && 32'(lcs.step_q[0]) == IssueWidth)
  `POINT(LCS_1_with_first_done, lcs, taken && lcs.cta_done_i != '0 && lcs.issue_valid_i != '0)
  `POINT(LCS_1_several_done, lcs, taken && lcs.cta_done_i != '0 && !$onehot(lcs.cta_done_i))
  // The cycle after the first finish is not heard: neither its instructions nor another finish
  `POINT(LCS_1_after_first_done, lcs, lcs.enable_i && lcs.finish_q && lcs.issue_valid_i != '0)
  `POINT(LCS_1_done_after_first, lcs, lcs.enable_i && lcs.finish_q && lcs.cta_done_i != '0)
  // A count that is half full freezes all of them, exactly there; two more cycles have counted on the way
  `POINT(LCS_1_frozen, lcs, lcs.enable_i && `AT(Monitor) && lcs.half != '0 && lcs.issue_valid_i != '0)
  `POINT(LCS_1_not_yet_half, lcs, lcs.enable_i && `AT(Monitor) && 64'(lcs.inst_q[0]) == (64'd1 << (CountW - 1)) - 1)
  `POINT(LCS_1_just_half, lcs, lcs.enable_i && `AT(Monitor) && 64'(lcs.inst_q[0]) == 64'd1 << (CountW - 1))
  `POINT(LCS_1_counts_over_half, lcs, lcs.enable_i && lcs.half[0] && lcs.step_q[0] != '0)

  // LCS-2: the sum and its maximum, a slot against the maximum so far
  `POINT(LCS_2_slot_is_maximum, lcs, `AT(Gather) && lcs.picked_q > lcs.max_q)
  `POINT(LCS_2_slot_equals_maximum, lcs, `AT(Gather) && lcs.picked_q == lcs.max_q && lcs.max_q != '0)
  `POINT(LCS_2_slot_below_maximum, lcs, `AT(Gather) && lcs.picked_q < lcs.max_q)
  `POINT(LCS_2_maximum_fits, lcs, `AT(Divide) && lcs.max_q != '0 && 64'(lcs.sum_q) > 64'(lcs.max_q))
  `POINT(LCS_2_maximum_fits_exactly, lcs, `AT(Divide) && lcs.max_q != '0 && 64'(lcs.sum_q) == 64'(lcs.max_q))
  `POINT(LCS_2_maximum_one_too_large, lcs, `AT(Divide) && lcs.max_q > 1 && 64'(lcs.sum_q) + 1 == 64'(lcs.max_q))
  `POINT(LCS_2_nothing_left, lcs, `AT(Divide) && lcs.max_q != '0 && lcs.sum_q == '0)

  // LCS-A1: rounding, by mode: without a rest, with a rest, and a rest around one half
  `POINT(LCS_A1_floor_rest, lcs, decides && RoundMode == 0 && lcs.sum_q != '0)
  `POINT(LCS_A1_floor_exact, lcs, decides && RoundMode == 0 && lcs.sum_q == '0 && lcs.max_q != '0)
  `POINT(LCS_A1_ceil_rest, lcs, decides && RoundMode == 1 && lcs.sum_q != '0)
  `POINT(LCS_A1_ceil_exact, lcs, decides && RoundMode == 1 && lcs.sum_q == '0 && lcs.max_q != '0)
  `POINT(LCS_A1_nearest_below, lcs, decides && RoundMode == 2 && 64'(lcs.sum_q) * 2 + 1 == 64'(lcs.max_q))
  `POINT(LCS_A1_nearest_half, lcs, decides && RoundMode == 2 && lcs.max_q != '0 &&
         64'(lcs.sum_q) * 2 == 64'(lcs.max_q))
  `POINT(LCS_A1_nearest_above, lcs, decides && RoundMode == 2 && 64'(lcs.sum_q) * 2 == 64'(lcs.max_q) + 1)

  // LCS-7: T_new at its bounds, and between them
  `POINT(LCS_7_t_new_1, lcs, decides && lcs.limit_d == 1)
  `POINT(LCS_7_t_new_nmax, lcs, decides && lcs.limit_d == lcs.nmax_q && lcs.max_q != '0)
  `POINT(LCS_7_t_new_between, lcs, decides && lcs.limit_d > 1 && lcs.limit_d < lcs.nmax_q)
  `POINT(LCS_7_nothing_issued, lcs, decides && lcs.max_q == '0)

  // LCS-6: the broadcast, and T_new brought within 1..nmax
  `POINT(LCS_6_waits, lcs, lcs.enable_i && `AT(Monitor) && lcs.listen_i && !lcs.bcast_valid_i)
  `POINT(LCS_6_ignores_own_done, lcs, lcs.enable_i && `AT(Monitor) && lcs.listen_i && lcs.cta_done_i != '0)
  `POINT(LCS_6_hears_0, lcs, `AT(Monitor) && !lcs.start && `TO(Throttle) && lcs.bcast_limit_i == '0)
  `POINT(LCS_6_hears_less, lcs, `AT(Monitor) && !lcs.start && `TO(Throttle) && lcs.bcast_limit_i != '0 &&
         lcs.bcast_limit_i < lcs.nmax_q)
  `POINT(LCS_6_hears_nmax, lcs, `AT(Monitor) && !lcs.start && `TO(Throttle) && lcs.bcast_limit_i == lcs.nmax_q)
  `POINT(LCS_6_hears_more, lcs, `AT(Monitor) && !lcs.start && `TO(Throttle) && lcs.bcast_limit_i > lcs.nmax_q)
  `POINT(LCS_6_not_heard_later, lcs, lcs.enable_i && lcs.done_o && lcs.listen_i && lcs.bcast_valid_i)

  // LCS-3, LCS-4: CTAs that are active against the limit while it throttles
  `POINT(LCS_4_one_too_many, lcs, lcs.enable_i && `AT(Throttle) && active == 32'(lcs.limit_q) + 1)
  `POINT(LCS_4_at_limit, lcs, lcs.enable_i && `AT(Throttle) && active == 32'(lcs.limit_q))
  `POINT(LCS_4_below_limit, lcs, lcs.enable_i && `AT(Throttle) && active < 32'(lcs.limit_q))
  `POINT(LCS_A6_pauses, lcs, lcs.pause_o && `AT(Throttle))      // Throttle 1
  `POINT(LCS_A6_drains, lcs, !lcs.pause_o && `AT(Throttle))     // Throttle 0

  // T_new waits for the enable; a kernel starts in the cycle that tells it
  `POINT(LCS_6_told, lcs, lcs.t_new_valid_o && !lcs.start)
  `POINT(LCS_6_told_at_start, lcs, lcs.t_new_valid_o && lcs.start)
  `POINT(Disabled_decided, lcs, !lcs.enable_i && lcs.decided_q)

  // Enable: events that are missed
  `POINT(Disabled_start, lcs, !lcs.enable_i && lcs.kernel_start_i)
  `POINT(Disabled_monitor, lcs, !lcs.enable_i && `AT(Monitor) && lcs.cta_done_i != '0)
  `POINT(Disabled_gather, lcs, !lcs.enable_i && `AT(Gather))
  `POINT(Disabled_divide, lcs, !lcs.enable_i && `AT(Divide))
endmodule

bind lcs lcs_cover #(.RoundMode(RoundMode), .IssueWidth(IssueWidth), .CountW(CountW)) u_cover ();

`undef AT
`undef TO
`undef ARC
`default_nettype wire
