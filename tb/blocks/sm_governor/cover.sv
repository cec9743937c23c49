// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of sm_governor have to reach (doc/blocks/sm_governor.md). What its blocks have to is in their own
// cover files and counts from in here, too. tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, sm_governor, expr)
`define FORCE(p) (sm_governor.policy_q == ballast_pkg::Policy``p)
`define START(p) (sm_governor.kernel_start_i && sm_governor.policy_d == ballast_pkg::Policy``p)
// A kernel under one policy after a kernel under another
`define FROM(p) \
  `P(Policy_``p``_Static, `FORCE(p) && `START(Static)) \
  `P(Policy_``p``_Perfsat, `FORCE(p) && `START(Perfsat)) \
  `P(Policy_``p``_Lcs, `FORCE(p) && `START(Lcs)) \
  `P(Policy_``p``_Equalizer, `FORCE(p) && `START(Equalizer)) \
  `P(Policy_``p``_Dyncta, `FORCE(p) && `START(Dyncta)) \
  `P(Policy_``p``_Scout, `FORCE(p) && `START(Scout))

`default_nettype none

module sm_governor_cover;
  // policy_i with a kernel start: each code
  `P(Select_0_static, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd0)
  `P(Select_1_perfsat, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd1)
  `P(Select_2_lcs, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd2)
  `P(Select_3_equalizer, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd3)
  `P(Select_4_dyncta, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd4)
  `P(Select_5_scout, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd5)
  `P(Select_6_as_static, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd6)
  `P(Select_7_as_static, sm_governor.kernel_start_i && sm_governor.policy_i == 3'd7)
  `P(Select_without_kernel, !sm_governor.kernel_start_i && sm_governor.policy != sm_governor.policy_q)

  // A kernel under one policy after a kernel under another, each pair
  `FROM(Static)
  `FROM(Perfsat)
  `FROM(Lcs)
  `FROM(Equalizer)
  `FROM(Dyncta)
  `FROM(Scout)
  `NEVER(NoOtherPolicy, sm_governor, !sm_governor.kernel_start_i && sm_governor.policy_d != sm_governor.policy_q)

  // The static limit against Nmax
  `P(Static_limit_0_is_nmax, sm_governor.kernel_start_i && sm_governor.use_static && sm_governor.static_limit_i == '0)
  `P(Static_limit_1, sm_governor.kernel_start_i && sm_governor.use_static && sm_governor.static_limit_i == 1)
  `P(Static_limit_one_below_nmax, sm_governor.kernel_start_i && sm_governor.use_static &&
     32'(sm_governor.static_limit_i) + 1 == 32'(sm_governor.nmax_i))
  `P(Static_limit_nmax, sm_governor.kernel_start_i && sm_governor.use_static && sm_governor.nmax_i != '0 &&
     sm_governor.static_limit_i == sm_governor.nmax_i)
  `P(Static_limit_one_above_nmax, sm_governor.kernel_start_i && sm_governor.use_static &&
     32'(sm_governor.static_limit_i) == 32'(sm_governor.nmax_i) + 1)

  // The limit, and what comes of it, under each policy
  `P(Static_asks, `FORCE(Static) && sm_governor.req_o)
  `P(Static_done, `FORCE(Static) && sm_governor.done_o)
  `P(Perfsat_asks, `FORCE(Perfsat) && sm_governor.req_o)
  `P(Perfsat_samples, `FORCE(Perfsat) && sm_governor.perfsat_sampled)
  `P(Perfsat_done, `FORCE(Perfsat) && sm_governor.done_o)
  `P(Lcs_asks, `FORCE(Lcs) && sm_governor.req_o)
  `P(Lcs_decides, `FORCE(Lcs) && sm_governor.t_new_valid_o)
  `P(Lcs_done, `FORCE(Lcs) && sm_governor.done_o)
  `P(Lcs_pauses, `FORCE(Lcs) && sm_governor.cta_paused_o != '0)               // LcsThrottle 1
  `P(Lcs_listens, `FORCE(Lcs) && sm_governor.lcs_listen_i && sm_governor.lcs_bcast_valid_i)
  `P(Lcs_count_without_paused, `FORCE(Lcs) && sm_governor.running != sm_governor.cta_active_i)
  `P(Equalizer_asks, `FORCE(Equalizer) && sm_governor.req_o)
  `P(Equalizer_pauses, `FORCE(Equalizer) && sm_governor.cta_paused_o != '0)
  `P(Equalizer_tick, sm_governor.tick)
  `P(Dyncta_asks, `FORCE(Dyncta) && sm_governor.req_o)
  `P(Dyncta_samples, `FORCE(Dyncta) && sm_governor.dyncta_sampled)
  `P(Dyncta_pauses_softly, `FORCE(Dyncta) && sm_governor.cta_paused_o != '0 && sm_governor.pause_soft_o)
  `P(Scout_asks, `FORCE(Scout) && sm_governor.req_o)
  `P(Scout_pauses, `FORCE(Scout) && sm_governor.cta_paused_o != '0 && !sm_governor.pause_soft_o)
  `P(Scout_done, `FORCE(Scout) && sm_governor.done_o)
  `P(SCT_9_none_is_nmax, `FORCE(Scout) && sm_governor.scout_limit_i == '0 && sm_governor.fixed_q != '0)
  `P(SCT_9_nmax, `FORCE(Scout) && sm_governor.fixed_q != '0 && sm_governor.scout_limit_i == sm_governor.fixed_q)
  `P(SCT_9_one_above_nmax, `FORCE(Scout) && 32'(sm_governor.scout_limit_i) == 32'(sm_governor.fixed_q) + 1)

  // Votes at the end of an epoch (EQ-7, EQ-16)
  `P(EQ_7_votes_comp, sm_governor.comp_o)
  `P(EQ_7_votes_mem, sm_governor.mem_o)
  `P(EQ_7_votes_for_neither, sm_governor.epoch_o && !sm_governor.comp_o && !sm_governor.mem_o)
  `P(EQ_A20_epoch_of_another_policy, sm_governor.epoch_o && !`FORCE(Equalizer))  // chosen, its kernel is still to come
  `P(EQ_A20_kernel_outlives_choice, `FORCE(Equalizer) && !sm_governor.counting)
  `P(EQ_16_votes_without_kernel, sm_governor.comp_o && sm_governor.cta_active_i == '0)

  // Kernel starts
  `P(Start_nmax_0, sm_governor.kernel_start_i && sm_governor.nmax_i == '0)
  `P(Start_while_paused, sm_governor.kernel_start_i && sm_governor.cta_paused_o != '0)
  `P(Start_at_epoch_end, sm_governor.kernel_start_i && sm_governor.epoch_o)
  `P(Denied, sm_governor.req_o && sm_governor.cta_denied_i)
endmodule

bind sm_governor sm_governor_cover u_cover ();

`undef P
`undef FORCE
`undef START
`undef FROM
`default_nettype wire
