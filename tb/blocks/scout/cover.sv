// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of scout have to reach (doc/blocks/scout.md: its tables). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, scout, expr)
`define AT(step, name, expr) `POINT(name, scout, runs && scout.step_q == scout.Step``step && (expr))
`define ACT(name, expr) `POINT(name, scout, act && (expr))
`define ARC(from, to) `POINT(Arc_``from``_``to, scout, act && scout.state_q == scout.St``from && scout.state_d == scout.St``to)
`define SAYS(v) (scout.verdict_q == scout.v)
`define JUDGED(v) (scout.verdict_d == scout.v)

`default_nettype none

module scout_cover #(
  parameter int NumSlots = 8,
  parameter int Back     = 1,
  parameter int Verify   = 1,
  parameter int Doubt    = 1
);
  logic runs, act, settled, look, base, back, done, compared, won_down, won_up;
  logic [31:0] gain, lost, credit, apart, quarter, limit;

  assign look     = scout.state_q == scout.StLook;
  assign base     = scout.state_q == scout.StBase;
  assign back     = scout.state_q == scout.StBack;
  assign done     = scout.state_q == scout.StDone;
  assign runs     = scout.run && !scout.start;
  assign act      = runs && scout.step_q == scout.StepAct;
  assign settled  = scout.settle_q == '0;
  assign gain     = 32'($signed(scout.acc_q));
  assign lost     = scout.acc_minus ? -gain : 32'd0;
  assign credit   = 32'(scout.credit_q);
  assign apart    = scout.acc_minus ? -gain : gain;  // in StDone, from StepPause on
  assign quarter  = 32'(scout.base_q >> 2);
  assign limit    = 32'(scout.limit_o);
  assign compared = (look && (`SAYS(Take) || `SAYS(Reject) || `SAYS(Open))) || (back && (`SAYS(Take) || `SAYS(Open)));
  assign won_down = act && scout.planned && `SAYS(Take) && scout.fewer_q && !done;
  assign won_up   = act && scout.planned && `SAYS(Take) && !scout.fewer_q && !done;

  // States and steps
  `P(State_Idle, scout.state_q == scout.StIdle)
  `P(State_Base, base)
  `P(State_Look, look)
  `P(State_Back, back)
  `P(State_Done, done)

  // SCT-1: kernel starts, from each state and step
  `P(SCT_1_nmax_0, scout.start && scout.nmax_i == '0)
  `P(SCT_1_nmax_1, scout.start && scout.nmax_i == 1)
  `P(SCT_1_nmax_2, scout.start && scout.nmax_i == 2)
  `P(SCT_1_nmax_odd, scout.start && scout.nmax_i > 1 && scout.nmax_i[0])
  `P(SCT_1_all_slots, scout.start && 32'(scout.nmax_i) == NumSlots)
  `P(Start_Base, scout.start && base)
  `P(Start_Look, scout.start && look)
  `P(Start_Back, scout.start && back)
  `P(Start_Done, scout.start && done)
  `P(Start_hides_last, scout.start && scout.step_q == scout.StepLast)
  `P(Start_hides_off, scout.start && scout.step_q == scout.StepOff)
  `P(Start_hides_rows, scout.start && scout.step_q == scout.StepRows)
  `P(Start_hides_bracket, scout.start && scout.step_q == scout.StepBracket)
  `P(Start_hides_act, scout.start && scout.step_q == scout.StepAct)

  // Arcs without a kernel start
  `ARC(Base, Look)
  `ARC(Look, Base)
  `ARC(Look, Back)
  `ARC(Look, Done)
  `ARC(Back, Base)
  `ARC(Back, Done)
  `ARC(Done, Base)
  logic legal;
  always_comb begin : p_legal
    case (scout.state_q)
      scout.StIdle: legal = 1'b0;
      scout.StBase: legal = scout.state_d == scout.StLook;
      scout.StLook: legal = scout.state_d != scout.StIdle;
      scout.StBack: legal = scout.state_d == scout.StBase || scout.state_d == scout.StDone;
      default:      legal = scout.state_d == scout.StBase;
    endcase
  end
  `NEVER(NoOtherArc, scout, !scout.start && scout.state_d != scout.state_q && !(act && legal))

  // SCT-2: what a slice is
  `P(SCT_2_nothing_issued, runs && scout.step_q == scout.StepCount && scout.issue_valid_i == '0)
  `P(SCT_2_all_lanes, runs && scout.step_q == scout.StepCount && &scout.issue_valid_i)
  `P(SCT_2_not_counted, runs && scout.step_q != scout.StepCount && |scout.issue_valid_i)
  `AT(Off, SCT_2_rest_taken_off, look && scout.arg_d != '0)
  `P(SCT_2_settles_base, act && base && `SAYS(Settled))
  `P(SCT_2_settles_look, act && look && `SAYS(Settled))
  `P(SCT_2_settles_back, act && back && `SAYS(Settled))
  `P(SCT_2_settles_done, act && done && `SAYS(Settled))

  // The table of rows
  `AT(Rows, Row_1_spent, look && settled && `JUDGED(Reject))
  `AT(Rows, Row_1_hides_half, look && scout.ends_half && `JUDGED(Reject))
  `AT(Rows, Row_1_hides_window, look && scout.ends && `JUDGED(Reject))
  `AT(Rows, Row_1_spent_while_settling, look && !settled && `JUDGED(Reject))
  `AT(Pause, Row_2_settled, `JUDGED(Settled))
  `AT(Pause, Row_3_waits, scout.settle_q > 1 && `JUDGED(None))
  `AT(Pause, Row_4_given_up, look && `SAYS(None) && `JUDGED(Reject) && !scout.ends)
  `AT(Pause, Row_4_given_up_in_verify, look && `SAYS(None) && scout.stage_q != '0 && `JUDGED(Reject) && !scout.ends)
  `AT(Pause, Row_4_given_up_at_half, look && `SAYS(None) && scout.ends_half && `JUDGED(Reject))
  `AT(Pause, Row_5_half_base, base && `JUDGED(Half))
  `AT(Restore, Row_5_half_look_worse, look && `SAYS(Half) && scout.half_d == scout.ClassWorse)
  `AT(Restore, Row_5_half_look_open, look && `SAYS(Half) && scout.half_d == scout.ClassOpen)
  `AT(Restore, Row_5_half_look_better, look && `SAYS(Half) && scout.half_d == scout.ClassBetter)
  `AT(Pause, Row_6_goes_on, settled && `JUDGED(None) && !scout.ends)
  `AT(Pause, Row_7_base, base && `JUDGED(Full))
  `AT(Pause, Row_8_rate, done && `JUDGED(Full))
  `AT(Above, Row_9_back_take, back && scout.compares && `JUDGED(Take))
  `AT(Above, Row_10_back_open, back && scout.compares && `JUDGED(Open))
  `AT(Above, Row_11_last_reject, look && `SAYS(None) && &scout.stage_q && `JUDGED(Reject))
  `AT(Above, Row_11_reject_down, look && `SAYS(None) && !(&scout.stage_q) && scout.fewer_q && scout.stage_q != '0 && `JUDGED(Reject))
  `AT(Above, Row_11_reject_up, look && `SAYS(None) && !(&scout.stage_q) && !scout.fewer_q && `JUDGED(Reject))
  `AT(Above, Row_12_halves_disagree, Doubt == 1 && look && `SAYS(None) && scout.minus_q && `JUDGED(Open))
  `AT(Restore, Row_12_open, look && `SAYS(Open) && scout.minus_q)
  `AT(Restore, Row_13_last_take, look && `SAYS(Open) && &scout.stage_q && `JUDGED(Take))
  `AT(Restore, Row_13_take_down, look && `SAYS(Open) && !(&scout.stage_q) && scout.fewer_q && `JUDGED(Take))
  `AT(Restore, Row_13_take_up, look && `SAYS(Open) && !(&scout.stage_q) && !scout.fewer_q && `JUDGED(Take))
  `AT(Restore, Row_13_halves_disagree, Doubt == 1 && look && `SAYS(Open) && !scout.minus_q && `JUDGED(Open))
  `AT(Restore, Row_13_no_doubt, Doubt == 0 && look && `SAYS(Open) && `JUDGED(Take))
  `AT(Restore, Row_13_not_after_row_1_or_4, look && scout.ends && `SAYS(Reject) && !scout.minus_q)
  `AT(Restore, Row_14_like_it, done && `SAYS(Take) && `JUDGED(Take))
  `AT(Above, Row_14_unlike_it_below, done && scout.compares && `JUDGED(Reject))
  `AT(Restore, Row_14_unlike_it_above, done && `SAYS(Take) && `JUDGED(Reject))

  // SCT-4: at the margin, in the last stage, where there is no doubt; acc_q has the margin
  `AT(Restore, SCT_4_fewer_just_as_good, look && scout.ends && &scout.stage_q && scout.fewer_q && gain == 32'd0 && `JUDGED(Take))
  `AT(Restore, SCT_4_fewer_one_less, look && scout.ends && &scout.stage_q && scout.fewer_q && gain == -32'd1)
  `AT(Restore, SCT_4_more_by_one, look && scout.ends && &scout.stage_q && !scout.fewer_q && `JUDGED(Take))
  `AT(Restore, SCT_4_quiet_counts, look && scout.ends && Doubt == 1 && 32'(scout.quiet_q) < 32'd4 && !(&scout.stage_q))
  `AT(Above, SCT_4_halves_agree_by_a_64th, base && scout.base_ends && 32'(scout.quiet_d) == 32'd6)
  `AT(Above, SCT_4_halves_do_not_agree, base && scout.base_ends && scout.quiet_d == '0)
  `AT(Above, SCT_4_first_half_more, base && scout.base_ends && scout.acc_minus)

  // SCT-5: there and back
  `ACT(SCT_5_goes_back, look && scout.state_d == scout.StBack)
  `ACT(SCT_5_holds, back && `SAYS(Take))
  `ACT(SCT_5_does_not_hold, back && `SAYS(Open) && !scout.refine_q)
  `ACT(SCT_5_looked_at_again, back && `SAYS(Open) && scout.refine_q)
  `ACT(SCT_5_without_back, Back == 0 && look && `SAYS(Take) && scout.fewer_q && scout.state_d != scout.StBack)

  // SCT-6: the bracket
  `P(SCT_6_take_down_coarse, won_down && scout.coarse)
  `P(SCT_6_take_down_refining, won_down && !scout.coarse && !(&scout.stage_q))
  `P(SCT_6_take_down_last, won_down && !scout.coarse && &scout.stage_q)
  `P(SCT_6_take_up_coarse, won_up && scout.coarse)
  `P(SCT_6_take_up_refining, won_up && !scout.coarse)
  `ACT(SCT_6_reject_down, look && `SAYS(Reject) && scout.fewer_q && scout.cand_q > scout.low_q)
  `ACT(SCT_6_reject_below_low, look && `SAYS(Reject) && scout.fewer_q && scout.cand_q <= scout.low_q)
  `ACT(SCT_6_reject_up, look && `SAYS(Reject) && !scout.fewer_q)
  `ACT(SCT_6_open_coarse, look && `SAYS(Open) && !scout.refine_q)
  `ACT(SCT_3_open_to_stage_1, look && `SAYS(Open) && scout.refine_q && scout.stage_q == 2'd0)
  `ACT(SCT_3_open_to_stage_2, look && `SAYS(Open) && scout.refine_q && scout.stage_q == 2'd1)
  `ACT(SCT_3_open_to_stage_3, look && `SAYS(Open) && scout.refine_q && scout.stage_q == 2'd2)
  // The plan, line by line
  `ACT(SCT_6_line_1, scout.planned && !done && scout.verify_new)
  `ACT(SCT_6_line_1_without_room, scout.planned && scout.win && !scout.above_q)
  `ACT(SCT_6_line_2, scout.planned && scout.coarse && !scout.verify_new && !scout.refine_new)
  `ACT(SCT_6_line_3, scout.planned && scout.refine_new && !scout.done_new && scout.cand_new > scout.best_new)
  `ACT(SCT_6_line_4, scout.planned && scout.refine_new && !scout.done_new && scout.cand_new < scout.best_new)
  `ACT(SCT_6_line_5, scout.planned && scout.done_new)
  `ACT(SCT_6_no_verify, Verify == 0 && scout.planned && `SAYS(Take) && scout.fewer_q && scout.coarse && !done)
  `P(SCT_6_done_at_1, done && limit == 1 && scout.nmax_q > 1)
  `P(SCT_6_done_between, done && limit > 1 && scout.best_q < scout.nmax_q)
  `P(SCT_6_done_at_nmax, done && scout.best_q == scout.nmax_q && scout.nmax_q > 1)

  // SCT-11: where the next look of refining begins
  `ACT(SCT_11_up_after_stage_0, scout.planned && scout.refine_new && scout.above_q && scout.stage_q == 2'd0)
  `ACT(SCT_11_up_after_stage_1, scout.planned && scout.refine_new && scout.above_q && scout.stage_q == 2'd1)
  `ACT(SCT_11_up_after_stage_2, scout.planned && scout.refine_new && scout.above_q && scout.stage_q == 2'd2)
  `ACT(SCT_11_up_after_stage_3, scout.planned && scout.refine_new && scout.above_q && scout.stage_q == 2'd3)
  `ACT(SCT_11_down_after_stage_2, scout.planned && scout.refine_new && !scout.above_q && !scout.done_new && scout.stage_q == 2'd2)
  `ACT(SCT_11_down_after_stage_3, scout.planned && scout.refine_new && !scout.above_q && !scout.done_new && scout.stage_q == 2'd3)

  // SCT-7: the credit
  `AT(Restore, SCT_7_earns_an_eighth, scout.base_ends && scout.shift_q == 3'd3 && scout.arg_d != '0)
  `AT(Restore, SCT_7_earns_a_128th, scout.base_ends && scout.shift_q == 3'd7 && scout.arg_d != '0)
  `AT(Bracket, SCT_7_full, scout.base_ends && 32'(scout.acc_q) > 32'd32767)
  `AT(Spent, SCT_7_lost_all, look && lost == credit && lost != 0)
  `AT(Spent, SCT_7_lost_one_more, look && lost == credit + 1)
  `AT(Room, SCT_7_pays, compared && look && lost != 0)
  `AT(Room, SCT_7_pays_while_settling, look && `SAYS(Settled) && lost != 0)
  `ACT(SCT_7_waits_for_credit, base && `SAYS(Full) && scout.acc_minus)
  `P(SCT_7_first_cta, runs && scout.first_q && |scout.cta_done_i)
  `AT(Above, SCT_7_first_cta_as_it_earns, scout.base_ends && scout.first_q && |scout.cta_done_i)

  // SCT-8: the watch
  `AT(Restore, SCT_8_exactly_a_quarter_more, done && `SAYS(Take) && apart == quarter && apart != 0 && !scout.acc_minus)
  `AT(Restore, SCT_8_exactly_a_quarter_less, done && `SAYS(Take) && apart == quarter && scout.acc_minus)
  `AT(Restore, SCT_8_one_more, done && `SAYS(Take) && apart == quarter + 1 && !scout.acc_minus)
  `AT(Above, SCT_8_one_less, done && scout.compares && apart == quarter + 1 && scout.acc_minus)
  `ACT(SCT_8_once, done && `SAYS(Reject) && !scout.odd_q)
  `ACT(SCT_8_like_it_again, done && `SAYS(Take) && scout.odd_q)
  `ACT(SCT_8_twice, done && `SAYS(Reject) && scout.odd_q && scout.nmax_q > 1)
  `ACT(SCT_8_nothing_to_search, done && `SAYS(Reject) && scout.odd_q && scout.nmax_q <= 1)
  `ACT(SCT_8_from_nmax, done && `SAYS(Reject) && scout.odd_q && scout.nmax_q > 1 && scout.best_q == scout.nmax_q)

  // SCT-10: kernels whose answer is known
  `P(SCT_10_at_1, scout.start && scout.hint_i == 1 && scout.nmax_i > 1)
  `P(SCT_10_between, scout.start && scout.hint_i > 1 && scout.hint_i < scout.nmax_i)
  `P(SCT_10_at_nmax, scout.start && scout.hint_i == scout.nmax_i && scout.nmax_i > 1)
  `P(SCT_10_one_of_one, scout.start && scout.hint_i == 1 && scout.nmax_i == 1)
  `P(SCT_10_above_nmax, scout.start && scout.hint_i > scout.nmax_i && scout.nmax_i != '0)
  `P(SCT_10_searched_after_all, act && done && `SAYS(Reject) && scout.odd_q && scout.top_q != scout.best_q)

  // Enable: events that are missed
  `P(Disabled_start, !scout.enable_i && scout.kernel_start_i)
  `P(Disabled_look, !scout.enable_i && look)
  `P(Disabled_act, !scout.enable_i && scout.step_q == scout.StepAct)
  `P(Disabled_first_cta, !scout.enable_i && scout.first_q && |scout.cta_done_i)
endmodule

bind scout scout_cover #(.NumSlots(NumSlots), .Back(Back), .Verify(Verify), .Doubt(Doubt)) u_cover ();

`undef P
`undef AT
`undef ACT
`undef ARC
`undef SAYS
`undef JUDGED
`default_nettype wire
