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
  parameter int IssueWidth = 2
);
  logic stays, decides;

  assign stays   = lcs.state_d == lcs.state_q;
  assign decides = lcs.t_new_valid_o;

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
  `POINT(LCS_1_nothing, lcs, lcs.counting && lcs.step == '0)
  `POINT(LCS_1_one_lane, lcs, lcs.counting && $onehot(lcs.issue_valid_i))
  `POINT(LCS_1_all_lanes, lcs, lcs.counting && &lcs.issue_valid_i)
  `POINT(LCS_1_all_of_one_cta, lcs, lcs.counting && lcs.step[$clog2(IssueWidth+1)-1:0] ==
         ($clog2(IssueWidth+1))'(IssueWidth))
  `POINT(LCS_1_with_first_done, lcs, lcs.counting && lcs.cta_done_i != '0 && lcs.step != '0)
  `POINT(LCS_1_several_done, lcs, lcs.counting && lcs.cta_done_i != '0 && !$onehot(lcs.cta_done_i))
  // A count without room freezes all of them, exactly where it has none
  `POINT(LCS_1_saturated, lcs, lcs.enable_i && `AT(Monitor) && lcs.full != '0 && lcs.step != '0)
  `POINT(LCS_1_room_left, lcs, lcs.enable_i && `AT(Monitor) && lcs.inst_q[0] == lcs.Room)
  `POINT(LCS_1_no_room_left, lcs, lcs.enable_i && `AT(Monitor) && lcs.inst_q[0] == lcs.Room + 1)

  // LCS-2: the sum and its maximum, a slot against the maximum so far
  `POINT(LCS_2_slot_is_maximum, lcs, `AT(Gather) && lcs.picked > lcs.max_q)
  `POINT(LCS_2_slot_equals_maximum, lcs, `AT(Gather) && lcs.picked == lcs.max_q && lcs.max_q != '0)
  `POINT(LCS_2_slot_below_maximum, lcs, `AT(Gather) && lcs.picked < lcs.max_q)
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
  `POINT(LCS_7_t_new_1, lcs, decides && lcs.t_new_o == 1)
  `POINT(LCS_7_t_new_nmax, lcs, decides && lcs.t_new_o == lcs.nmax_q && lcs.max_q != '0)
  `POINT(LCS_7_t_new_between, lcs, decides && lcs.t_new_o > 1 && lcs.t_new_o < lcs.nmax_q)
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
  `POINT(LCS_4_one_too_many, lcs, lcs.enable_i && `AT(Throttle) && $countones(lcs.cta_active_i) == 32'(lcs.limit_q) + 1)
  `POINT(LCS_4_at_limit, lcs, lcs.enable_i && `AT(Throttle) && $countones(lcs.cta_active_i) == 32'(lcs.limit_q))
  `POINT(LCS_4_below_limit, lcs, lcs.enable_i && `AT(Throttle) && $countones(lcs.cta_active_i) < 32'(lcs.limit_q))
  `POINT(LCS_A6_pauses, lcs, lcs.pause_o && `AT(Throttle))      // Throttle 1
  `POINT(LCS_A6_drains, lcs, !lcs.pause_o && `AT(Throttle))     // Throttle 0

  // Enable: events that are missed
  `POINT(Disabled_start, lcs, !lcs.enable_i && lcs.kernel_start_i)
  `POINT(Disabled_monitor, lcs, !lcs.enable_i && `AT(Monitor) && lcs.cta_done_i != '0)
  `POINT(Disabled_gather, lcs, !lcs.enable_i && `AT(Gather))
  `POINT(Disabled_divide, lcs, !lcs.enable_i && `AT(Divide))
endmodule

bind lcs lcs_cover #(.RoundMode(RoundMode), .IssueWidth(IssueWidth)) u_cover ();

`undef AT
`undef TO
`undef ARC
`default_nettype wire
