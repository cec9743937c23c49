// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of cta_throttle have to reach (doc/blocks/cta_throttle.md: the letters a to f of its table).
// tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, cta_throttle, expr)

`default_nettype none

module cta_throttle_cover #(
  parameter int HystEpochs      = 3,
  parameter int HystSameDir     = 1,
  parameter int IncUnpauseFirst = 1,
  parameter int GrantFeedback   = 1
);
  logic       moves, may_pause, pauses, resumes;
  logic [5:0] n;  // the CTAs that run after this edge, but for one that is paused or resumed at it

  assign moves   = cta_throttle.steers;  // Equalizer's numBlocks is in force
  assign may_pause = cta_throttle.pause_en_i && cta_throttle.nmax_q != '0;
  assign n       = 6'($countones(cta_throttle.running));
  assign pauses  = cta_throttle.changes && cta_throttle.take_pause;
  assign resumes = cta_throttle.changes && cta_throttle.take_resume;

  // Kernel starts
  `P(Start_nmax_0, cta_throttle.start && cta_throttle.nmax_i == '0)
  `P(Start_nmax_1, cta_throttle.start && cta_throttle.nmax_i == 1)
  `P(EQ_A11_start_resumes, cta_throttle.start && cta_throttle.paused_q != '0)       // the paused ones run again
  `P(EQ_A14_start_below_nmax, cta_throttle.start && cta_throttle.num_blocks_q < cta_throttle.nmax_q)
  `P(Start_drops_request, cta_throttle.start && cta_throttle.request_q)
  `P(Start_with_launch, cta_throttle.start && cta_throttle.cta_start_i != '0)

  // EQ-10: the hysteresis: what an epoch asks for, after what
  `P(EQ_10_up, moves && cta_throttle.tick_i && cta_throttle.inc_i && !cta_throttle.dec_i)
  `P(EQ_10_down, moves && cta_throttle.tick_i && cta_throttle.dec_i && !cta_throttle.inc_i)
  `P(EQ_10_stay_breaks_run, moves && cta_throttle.tick_i && !cta_throttle.decided && cta_throttle.run_q != '0)
  `P(EQ_10_run_grows, moves && cta_throttle.decided && cta_throttle.same && !cta_throttle.acted_o)
  `P(EQ_10_one_short, moves && cta_throttle.decided && 32'(cta_throttle.run_q) + 2 == HystEpochs)
  `P(EQ_10_acts, cta_throttle.acted_o)
  `P(EQ_10_acts_at_once, cta_throttle.acted_o && HystEpochs == 1)                      // HystEpochs 1
  `P(EQ_A13_turn_restarts, moves && cta_throttle.decided && !cta_throttle.same && cta_throttle.run_q != '0)
  `P(EQ_A13_turn_goes_on, moves && cta_throttle.decided && HystSameDir == 0 && cta_throttle.run_q != '0 &&
     cta_throttle.inc_i != cta_throttle.run_up_q)                                      // HystSameDir 0
  `P(Tick_both, cta_throttle.runs && cta_throttle.tick_i && cta_throttle.inc_i && cta_throttle.dec_i)

  // numBlocks: the rows of the table
  `P(Row_a_down_drops_request, moves && cta_throttle.request_q && cta_throttle.down)
  `P(Row_b_granted, moves && cta_throttle.request_q && !cta_throttle.down &&
     cta_throttle.n > cta_throttle.num_blocks_q)
  `P(Row_c_denied, moves && cta_throttle.request_q && !cta_throttle.down &&
     cta_throttle.n <= cta_throttle.num_blocks_q && cta_throttle.denied_i)
  `P(Row_d_down, moves && !cta_throttle.request_q && cta_throttle.down && cta_throttle.num_blocks_q != 1)
  `P(Row_d_down_at_1, moves && !cta_throttle.request_q && cta_throttle.down && cta_throttle.num_blocks_q == 1)
  `P(Row_e_resumed, moves && !cta_throttle.request_q && cta_throttle.up && cta_throttle.some_paused &&
     IncUnpauseFirst == 1 && GrantFeedback == 1 && cta_throttle.num_blocks_q != cta_throttle.nmax_q)
  `P(Row_e_at_once, moves && cta_throttle.up && GrantFeedback == 0 &&
     cta_throttle.num_blocks_q != cta_throttle.nmax_q)                                 // GrantFeedback 0
  `P(Row_f_asks, moves && !cta_throttle.request_q && cta_throttle.request_d)
  `P(Row_f_asks_while_paused, moves && !cta_throttle.request_q && cta_throttle.request_d &&
     cta_throttle.some_paused && IncUnpauseFirst == 0)                                 // IncUnpauseFirst 0
  `P(Up_at_nmax, moves && cta_throttle.up && cta_throttle.num_blocks_q == cta_throttle.nmax_q)
  `P(Up_while_asking, moves && cta_throttle.up && cta_throttle.request_q)
  `P(Limit_1, moves && cta_throttle.limit_o == 1 && cta_throttle.nmax_q > 1)
  `P(Limit_nmax, moves && cta_throttle.limit_o == cta_throttle.nmax_q && cta_throttle.nmax_q > 1)
  `P(Limit_between, moves && cta_throttle.limit_o > 1 && cta_throttle.limit_o < cta_throttle.nmax_q)

  // Running CTAs against the limit, while pausing is possible
  `P(Running_one_above, cta_throttle.runs && may_pause && 32'(n) == 32'(cta_throttle.limit_o) + 1)
  `P(Running_at_limit, cta_throttle.runs && may_pause && 32'(n) == 32'(cta_throttle.limit_o))
  `P(Running_one_below, cta_throttle.runs && may_pause && 32'(n) + 1 == 32'(cta_throttle.limit_o))
  `P(PAUSE_5_one_may_run, cta_throttle.runs && may_pause && n == 1 && cta_throttle.limit_o == '0)
  `P(Judged_many, cta_throttle.runs && cta_throttle.judged_q && cta_throttle.many_q)
  `P(Judged_few, cta_throttle.runs && cta_throttle.judged_q && cta_throttle.few_q)
  `P(Judged_neither, cta_throttle.runs && cta_throttle.judged_q && !cta_throttle.many_q && !cta_throttle.few_q)
  `P(Due_and_ctas_move, cta_throttle.runs && cta_throttle.judged_q && cta_throttle.tests_q && cta_throttle.fits &&
     !cta_throttle.still && (cta_throttle.up_q ? cta_throttle.few_q : cta_throttle.many_q))
  `P(Due_and_epoch_ends, cta_throttle.runs && cta_throttle.judged_q && cta_throttle.tests_q && cta_throttle.fits &&
     cta_throttle.tick_i && (cta_throttle.up_q ? cta_throttle.few_q : cta_throttle.many_q))
  `P(Due_and_drains, cta_throttle.runs && cta_throttle.judged_q && cta_throttle.tests_q && cta_throttle.fits &&
     !cta_throttle.pause_en_i && cta_throttle.many_q && !cta_throttle.up_q)
  `P(Due_and_kernel_starts, cta_throttle.start && cta_throttle.judged_q && cta_throttle.tests_q && cta_throttle.fits &&
     (cta_throttle.up_q ? cta_throttle.few_q : cta_throttle.many_q))

  // The search
  `P(Search_goes_on, cta_throttle.runs && cta_throttle.tests_q && !cta_throttle.fits && !cta_throttle.begins)
  `P(Search_has_found, cta_throttle.runs && cta_throttle.tests_q && cta_throttle.fits && !cta_throttle.begins)
  `P(Search_from_the_end, cta_throttle.runs && cta_throttle.tests_q && !cta_throttle.begins && cta_throttle.next_q == '0)
  `P(Search_turns_up, cta_throttle.runs && !cta_throttle.up_q && cta_throttle.wants_up)
  `P(Search_turns_down, cta_throttle.runs && cta_throttle.up_q && !cta_throttle.wants_up && cta_throttle.many_q)
  `P(Search_gives_way, cta_throttle.runs && cta_throttle.tests_q && cta_throttle.fresh_q != '0)

  // PAUSE-1: the youngest of those that run
  `P(PAUSE_1_pauses, pauses)
  `P(PAUSE_1_first_of_all, pauses && cta_throttle.kept == '0)
  `P(PAUSE_1_a_further_one, pauses && cta_throttle.kept != '0)
  `P(PAUSE_1_not_the_highest_slot, pauses &&
     (cta_throttle.running & ~cta_throttle.paused_d) > (cta_throttle.paused_d & ~cta_throttle.kept))
  `P(PAUSE_1_down_to_one, pauses && $countones(cta_throttle.running) == 2)
  // PAUSE-3: the oldest of those that are paused
  `P(PAUSE_3_resumes, resumes)
  `P(PAUSE_3_last_one, resumes && cta_throttle.paused_d == '0)
  `P(PAUSE_3_of_several, resumes && cta_throttle.paused_d != '0)
  `P(PAUSE_3_not_the_lowest_slot, resumes &&
     (cta_throttle.kept & ~cta_throttle.paused_d) > (cta_throttle.paused_d & -cta_throttle.paused_d) &&
     cta_throttle.paused_d != '0)
  `P(PAUSE_5_resumes_with_none_left, resumes && n == '0)
  `P(PAUSE_1_all_but_one, cta_throttle.runs && cta_throttle.paused_q != '0 && $countones(cta_throttle.running) == 1)
  `P(Paused_one_finishes, cta_throttle.runs && (cta_throttle.paused_q & cta_throttle.cta_done_i) != '0)
  `P(Paused_slot_taken_anew, cta_throttle.runs && (cta_throttle.paused_q & cta_throttle.cta_start_i) != '0)
  `P(Paused_freed_by_pause_en, cta_throttle.runs && !cta_throttle.pause_en_i && cta_throttle.paused_q != '0)

  // Ages: launches
  `P(Enters_one, cta_throttle.moves_q && cta_throttle.fresh_q == '0)
  `P(Enters_and_others_wait, cta_throttle.moves_q && cta_throttle.fresh_q != '0)
  `P(Launch_while_others_wait, cta_throttle.enable_i && cta_throttle.cta_start_i != '0 && cta_throttle.fresh_q != '0)
  `P(Enters_from_the_end, cta_throttle.moves_q && &cta_throttle.found)
  `P(Launch_one, cta_throttle.enable_i && $onehot(cta_throttle.cta_start_i))
  `P(Launch_several, cta_throttle.enable_i && $countones(cta_throttle.cta_start_i) > 1)
  `P(Done_and_launch_same_slot, cta_throttle.runs && (cta_throttle.cta_done_i & cta_throttle.cta_start_i) != '0)

  // The request to the dispatcher
  `P(Req_too_few, cta_throttle.req_o && cta_throttle.n < cta_throttle.goal)
  `P(Req_for_increase, cta_throttle.req_o && cta_throttle.request_q && !(cta_throttle.n < cta_throttle.goal))
  `P(Req_not_while_one_comes, cta_throttle.runs && cta_throttle.known_q && cta_throttle.n < cta_throttle.goal &&
     cta_throttle.paused_q == '0 && cta_throttle.cta_start_i != '0)
  `P(Req_not_after_resume, cta_throttle.runs && !cta_throttle.known_q && cta_throttle.n < cta_throttle.goal &&
     cta_throttle.paused_q == '0)
  `P(Req_denied, cta_throttle.req_o && cta_throttle.denied_i)
  `P(Req_over_with_its_cta, moves && cta_throttle.request_q && !cta_throttle.req_o)
  `P(Req_not_while_paused, cta_throttle.runs && cta_throttle.n < cta_throttle.goal && cta_throttle.paused_q != '0)

  // Following a policy with a limit of its own
  `P(Follow, cta_throttle.runs && cta_throttle.follow_i)
  `P(Follow_target_0, cta_throttle.runs && cta_throttle.follow_i && cta_throttle.target_i == '0)
  `P(Follow_pauses, pauses && cta_throttle.follow_i)
  `P(Follow_drops_request, cta_throttle.runs && cta_throttle.follow_i && cta_throttle.request_q)
  `P(Follow_drops_run, cta_throttle.runs && cta_throttle.follow_i && cta_throttle.run_q != '0)

  // Enable: events that are missed
  `P(Disabled_start, !cta_throttle.enable_i && cta_throttle.kernel_start_i)
  `P(Disabled_launch, !cta_throttle.enable_i && cta_throttle.cta_start_i != '0)
  `P(Disabled_tick, !cta_throttle.enable_i && cta_throttle.tick_i && cta_throttle.inc_i)
  `P(Disabled_paused, !cta_throttle.enable_i && cta_throttle.paused_q != '0)
endmodule

bind cta_throttle cta_throttle_cover #(.HystEpochs(HystEpochs), .HystSameDir(HystSameDir),
  .IncUnpauseFirst(IncUnpauseFirst), .GrantFeedback(GrantFeedback)) u_cover ();

`undef P
`default_nettype wire
