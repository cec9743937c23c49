// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of perfsat have to reach (doc/blocks/perfsat.md: the rows of its table). tb/cover reads the names
// and comments.
`include "cover.svh"

`define AT(state) (perfsat.state_q == ballast_pkg::PerfsatSt``state)
`define TO(state) (perfsat.state_d == ballast_pkg::PerfsatSt``state)
`define ARC(from, to) `POINT(Arc_``from``_``to, perfsat, `AT(from) && `TO(to))
`define SAMPLE(name, expr) `POINT(name, perfsat, sample && (expr))

`default_nettype none

module perfsat_cover #(
  parameter int Tie        = 2,
  parameter int WeakRevert = 0
);
  logic sample, d, h, last, stays, ends;

  assign sample = perfsat.sample_end_o && !`AT(First);  // a sample that is compared
  assign d      = perfsat.direction_q;
  assign h      = perfsat.history_q;
  assign stays  = perfsat.state_d == perfsat.state_q;
  assign ends   = `TO(Done);
  assign last   = perfsat.turn && ends && perfsat.step_on == 1'b0;  // one turn too many

  // States
  `POINT(State_Wait, perfsat, `AT(Wait))
  `POINT(State_Measure, perfsat, `AT(Measure))
  `POINT(State_First, perfsat, `AT(First))
  `POINT(State_WeakInc, perfsat, `AT(WeakInc))
  `POINT(State_StrongInc, perfsat, `AT(StrongInc))
  `POINT(State_WeakDec, perfsat, `AT(WeakDec))
  `POINT(State_StrongDec, perfsat, `AT(StrongDec))
  `POINT(State_Done, perfsat, `AT(Done))

  // PS-18: a kernel start leads from this state to StWait; to StMeasure with a launch, to StDone with nmax 1
  `POINT(Start_Wait, perfsat, perfsat.start && `AT(Wait))
  `POINT(Start_Measure, perfsat, perfsat.start && `AT(Measure))
  `POINT(Start_First, perfsat, perfsat.start && `AT(First))
  `POINT(Start_WeakInc, perfsat, perfsat.start && `AT(WeakInc))
  `POINT(Start_StrongInc, perfsat, perfsat.start && `AT(StrongInc))
  `POINT(Start_WeakDec, perfsat, perfsat.start && `AT(WeakDec))
  `POINT(Start_StrongDec, perfsat, perfsat.start && `AT(StrongDec))
  `POINT(Start_Done, perfsat, perfsat.start && `AT(Done))
  `POINT(Start_to_Wait, perfsat, perfsat.start && `TO(Wait))
  `POINT(Start_to_Measure, perfsat, perfsat.start && `TO(Measure))
  `POINT(PS_17_start_nmax_1, perfsat, perfsat.start && `TO(Done))
  `POINT(Start_nmax_0, perfsat, perfsat.start && perfsat.nmax_i == '0)          // no kernel that could run
  `POINT(PS_5_nmax_odd, perfsat, perfsat.start && perfsat.nmax_i[0])            // half is rounded up
  `POINT(PS_5_nmax_even, perfsat, perfsat.start && !perfsat.nmax_i[0] && perfsat.nmax_i != '0)
  `POINT(PS_18_start_hides_sample, perfsat, perfsat.start && perfsat.run && perfsat.timer_q == 1)

  // Arcs without a kernel start
  `POINT(Arc_Wait_Measure, perfsat, !perfsat.start && `AT(Wait) && `TO(Measure))
  `POINT(Arc_Measure_First, perfsat, !perfsat.start && `AT(Measure) && `TO(First))
  `ARC(First, WeakInc)
  `ARC(WeakInc, WeakDec)
  `ARC(WeakInc, StrongInc)
  `POINT(Arc_WeakInc_Done, perfsat, !perfsat.start && `AT(WeakInc) && `TO(Done))
  `ARC(WeakDec, WeakInc)
  `ARC(WeakDec, StrongDec)
  `POINT(Arc_WeakDec_Done, perfsat, !perfsat.start && `AT(WeakDec) && `TO(Done))
  `ARC(StrongInc, WeakInc)
  `POINT(Arc_StrongInc_Done, perfsat, !perfsat.start && `AT(StrongInc) && `TO(Done))
  `ARC(StrongDec, WeakDec)
  `POINT(Arc_StrongDec_Done, perfsat, !perfsat.start && `AT(StrongDec) && `TO(Done))
  // A sample that leaves the state as it is
  `SAMPLE(Stay_WeakInc, `AT(WeakInc) && stays)
  `SAMPLE(Stay_WeakDec, `AT(WeakDec) && stays)
  `SAMPLE(Stay_StrongInc, `AT(StrongInc) && stays)
  `SAMPLE(Stay_StrongDec, `AT(StrongDec) && stays)

  // No other arc exists.
  logic legal;
  always_comb begin : p_legal
    case (perfsat.state_q)
      ballast_pkg::PerfsatStWait:      legal = stays || `TO(Measure);
      ballast_pkg::PerfsatStMeasure:   legal = stays || `TO(First);
      ballast_pkg::PerfsatStFirst:     legal = stays || `TO(WeakInc);
      ballast_pkg::PerfsatStWeakInc:   legal = stays || `TO(WeakDec) || `TO(StrongInc) || ends;
      ballast_pkg::PerfsatStWeakDec:   legal = stays || `TO(WeakInc) || `TO(StrongDec) || ends;
      ballast_pkg::PerfsatStStrongInc: legal = stays || `TO(WeakInc) || ends;
      ballast_pkg::PerfsatStStrongDec: legal = stays || `TO(WeakDec) || ends;
      default:                         legal = stays;
    endcase
  end
  `NEVER(NoOtherArc, perfsat, !perfsat.start && !legal)

  // The decision table, row by row
  `POINT(PS_8_row0, perfsat, perfsat.sample_end_o && `AT(First))
  `SAMPLE(PS_9_row1, `AT(WeakInc) && !d && !h && perfsat.better)
  `SAMPLE(PS_10_row2, `AT(WeakInc) && !d && !h && !perfsat.better && !ends)
  `SAMPLE(PS_12_row2_turns_end, `AT(WeakInc) && !d && !h && !perfsat.better && ends)    // ToggleLimit exceeded
  `SAMPLE(PS_11_row3, `AT(WeakInc) && !d && h && perfsat.better && !ends)
  `SAMPLE(PS_17_row3_nmax, `AT(WeakInc) && !d && h && perfsat.better && ends)           // N is nmax
  `SAMPLE(PS_11_row4, `AT(WeakInc) && !d && h && !perfsat.better && WeakRevert == 0)
  `SAMPLE(PS_A5_row4_as_row2, `AT(WeakInc) && !d && h && !perfsat.better && WeakRevert == 1 && !ends)
  `SAMPLE(PS_A5_row4_turns_end, `AT(WeakInc) && !d && h && !perfsat.better && WeakRevert == 1 && ends)
  `SAMPLE(PS_11_row5, `AT(WeakDec) && !d && `TO(StrongDec) && perfsat.better)
  `SAMPLE(PS_17_row5_at_1, `AT(WeakDec) && !d && perfsat.better && ends)                // N is 1
  `SAMPLE(PS_A4_row5a, `AT(WeakDec) && !d && !h && perfsat.better && perfsat.history_d) // WdConfirm 2
  `SAMPLE(PS_A4_row5_confirmed, `AT(WeakDec) && !d && h && perfsat.better)              // WdConfirm 2
  `SAMPLE(PS_12_row6, `AT(WeakDec) && !d && !h && !perfsat.better && !ends)
  `SAMPLE(PS_12_row6_turns_end, `AT(WeakDec) && !d && !h && !perfsat.better && ends)
  `SAMPLE(PS_A6_row6_history, `AT(WeakDec) && !d && `TO(WeakInc) && perfsat.history_d)  // ToggleHist 1
  `SAMPLE(PS_11_row6a, `AT(WeakDec) && !d && h && !perfsat.better && WeakRevert == 0)   // WdConfirm 2
  `SAMPLE(PS_A5_row6a_as_row6, `AT(WeakDec) && !d && h && !perfsat.better && WeakRevert == 1)
  `SAMPLE(PS_13_row8, `AT(StrongInc) && perfsat.better && !ends)
  `SAMPLE(PS_17_row8_nmax, `AT(StrongInc) && perfsat.better && ends)
  `SAMPLE(PS_14_row9, `AT(StrongInc) && !perfsat.better && !ends)
  `SAMPLE(PS_16_row9_turns_end, `AT(StrongInc) && !perfsat.better && ends)
  `SAMPLE(PS_15_row10, `AT(WeakInc) && d && !perfsat.better)
  `SAMPLE(PS_16_row11, `AT(WeakInc) && d && perfsat.better && `TO(StrongInc) && !perfsat.step_on)
  `SAMPLE(PS_16_row11_turns_end, `AT(WeakInc) && d && perfsat.better && ends && perfsat.step_back)
  `SAMPLE(PS_A9_row11a, `AT(WeakInc) && d && perfsat.better && perfsat.step_on)         // RecoverN 1
  `SAMPLE(PS_A9_row11a_nmax, `AT(WeakInc) && d && perfsat.advance && ends)
  `SAMPLE(PS_13_row13, `AT(StrongDec) && perfsat.better && !ends)
  `SAMPLE(PS_17_row13_at_1, `AT(StrongDec) && perfsat.better && ends)
  `SAMPLE(PS_14_row14, `AT(StrongDec) && !perfsat.better && !ends)
  `SAMPLE(PS_16_row14_turns_end, `AT(StrongDec) && !perfsat.better && ends)
  `SAMPLE(PS_15_row15, `AT(WeakDec) && d && !perfsat.better)
  `SAMPLE(PS_16_row16, `AT(WeakDec) && d && perfsat.better && `TO(StrongDec) && !perfsat.step_on)
  `SAMPLE(PS_16_row16_turns_end, `AT(WeakDec) && d && perfsat.better && ends && perfsat.step_back)
  `SAMPLE(PS_A9_row16a, `AT(WeakDec) && d && perfsat.better && perfsat.step_on)         // RecoverN 1
  `SAMPLE(PS_A9_row16a_at_1, `AT(WeakDec) && d && perfsat.advance && ends)
  `SAMPLE(PS_A7_turn_not_counted, perfsat.turn && !perfsat.turn_counts)                 // TogglePairs 1
  `SAMPLE(PS_12_turns_at_limit, perfsat.turn && last)
  `SAMPLE(PS_12_turns_below_limit, perfsat.turn && perfsat.turn_counts && !last)

  // PS-4: the count of stalled cycles against the one before, in both directions of the search
  `SAMPLE(PS_4_one_less_upward, perfsat.is_inc && 33'(perfsat.cur) + 33'd1 == 33'(perfsat.prev_q))
  `SAMPLE(PS_4_equal_upward, perfsat.is_inc && perfsat.cur == perfsat.prev_q)
  `SAMPLE(PS_4_one_more_upward, perfsat.is_inc && 33'(perfsat.cur) == 33'(perfsat.prev_q) + 33'd1)
  `SAMPLE(PS_4_one_less_downward, !perfsat.is_inc && 33'(perfsat.cur) + 33'd1 == 33'(perfsat.prev_q))
  `SAMPLE(PS_4_equal_downward, !perfsat.is_inc && perfsat.cur == perfsat.prev_q)
  `SAMPLE(PS_4_one_more_downward, !perfsat.is_inc && 33'(perfsat.cur) == 33'(perfsat.prev_q) + 33'd1)
  `SAMPLE(PS_4_last_cycle_reaches, perfsat.stalls && perfsat.reaches)                   // equal by the last cycle
  // PS-A2: a tie by each value of Tie, in both directions
  `SAMPLE(PS_A2_tie0_upward, Tie == 0 && perfsat.is_inc && perfsat.cur == perfsat.prev_q)
  `SAMPLE(PS_A2_tie0_downward, Tie == 0 && !perfsat.is_inc && perfsat.cur == perfsat.prev_q)
  `SAMPLE(PS_A2_tie1_upward, Tie == 1 && perfsat.is_inc && perfsat.cur == perfsat.prev_q)
  `SAMPLE(PS_A2_tie1_downward, Tie == 1 && !perfsat.is_inc && perfsat.cur == perfsat.prev_q)
  `SAMPLE(PS_A2_tie2_upward, Tie == 2 && perfsat.is_inc && perfsat.cur == perfsat.prev_q)
  `SAMPLE(PS_A2_tie2_downward, Tie == 2 && !perfsat.is_inc && perfsat.cur == perfsat.prev_q)

  // PS-3: what a cycle of a sample is
  `POINT(PS_3_idle, perfsat, perfsat.run && perfsat.ps_class_i == ballast_pkg::PsIdle)
  `POINT(PS_3_scoreboard, perfsat, perfsat.run && perfsat.ps_class_i == ballast_pkg::PsScoreboard)
  `POINT(PS_3_pipeline, perfsat, perfsat.run && perfsat.ps_class_i == ballast_pkg::PsPipeline)
  `POINT(PS_3_active, perfsat, perfsat.run && perfsat.ps_class_i == ballast_pkg::PsActive)
  `SAMPLE(PS_3_no_stall_at_all, perfsat.cur == '0)
  `SAMPLE(PS_3_stalled_throughout, perfsat.cur == perfsat.period_q)

  // PS-6: the period, and where it saturates
  `POINT(PS_6_launch_with_start, perfsat, perfsat.start && perfsat.cta_start)
  `POINT(PS_6_stale_cta, perfsat, !perfsat.start && `AT(Wait) && perfsat.cta_done)      // the previous kernel's
  `POINT(PS_6_several_finish, perfsat, `AT(Measure) && perfsat.cta_done && !$onehot(perfsat.cta_done_i))
  `POINT(PS_6_saturates, perfsat, `AT(Measure) && !perfsat.start && perfsat.enable_i && &perfsat.period_next &&
         33'(perfsat.period_q) + 33'(perfsat.nmax_q) > 33'(perfsat.period_next))
  `POINT(PS_6_saturated, perfsat, `AT(First) && &perfsat.period_q)                      // and is sampled with
  `POINT(PS_A12_waits, perfsat, perfsat.enable_i && perfsat.sampling && !perfsat.run)   // Settle: too many CTAs
  `POINT(PS_A12_settled, perfsat, perfsat.run && perfsat.settled_q)

  // PS-17: the ends of the search
  `POINT(PS_17_done_at_1, perfsat, perfsat.done_o && perfsat.limit_q == 1 && perfsat.nmax_q > 1)
  `POINT(PS_17_done_at_nmax, perfsat, perfsat.done_o && perfsat.limit_q == perfsat.nmax_q && perfsat.nmax_q > 1)
  `POINT(PS_17_done_between, perfsat, perfsat.done_o && perfsat.limit_q > 1 && perfsat.limit_q < perfsat.nmax_q)

  // Enable: events that are missed
  `POINT(Disabled_start, perfsat, !perfsat.enable_i && perfsat.kernel_start_i)
  `POINT(Disabled_sampling, perfsat, !perfsat.enable_i && perfsat.sampling)
  `POINT(Disabled_measuring, perfsat, !perfsat.enable_i && `AT(Measure) && perfsat.cta_done_i != '0)
endmodule

bind perfsat perfsat_cover #(.Tie(Tie), .WeakRevert(WeakRevert)) u_cover ();

`undef AT
`undef TO
`undef ARC
`undef SAMPLE
`default_nettype wire
