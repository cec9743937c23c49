// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of the chip have to reach where it is Verilated as one (doc/ballast.md). What its blocks
// have to is in their own cover files. sim/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, ballast, expr)

`default_nettype none

module ballast_cover #(
  parameter int NumSms   = 15,
  parameter int LcsScope = 0
);
  int comp, mem;

  assign comp = $countones(ballast.comp);
  assign mem  = $countones(ballast.mem);

  // Kernels: on one SM, on all of them in the same cycle
  `P(Start_one_sm, $countones(ballast.kernel_start_i) == 1)
  `P(Start_all_sms, &ballast.kernel_start_i)
  // Each policy on a chip
  `P(Policy_static, ballast.policy_i == ballast_pkg::PolicyStatic && |ballast.kernel_start_i)
  `P(Policy_perfsat, ballast.policy_i == ballast_pkg::PolicyPerfsat && |ballast.kernel_start_i)
  `P(Policy_lcs, ballast.policy_i == ballast_pkg::PolicyLcs && |ballast.kernel_start_i)
  `P(Policy_equalizer, ballast.policy_i == ballast_pkg::PolicyEqualizer && |ballast.kernel_start_i)
  `P(Policy_dyncta, ballast.policy_i == ballast_pkg::PolicyDyncta && |ballast.kernel_start_i)

  // LCS-6: the broadcast of SM 0, who hears it and who has none
  `P(LCS_6_told_and_heard, LcsScope == 1 && ballast.bcast_valid)
  `P(LCS_6_told_to_nobody, LcsScope == 0 && ballast.bcast_valid)
  `P(LCS_6_another_sm_decides, LcsScope == 0 && (ballast.t_new_valid & ~(NumSms'(1))) != '0)

  // EQ-12: votes of an epoch
  `P(EQ_12_unanimous_comp, |ballast.epoch && comp == NumSms)
  `P(EQ_12_unanimous_mem, |ballast.epoch && mem == NumSms)
  `P(EQ_12_split, |ballast.epoch && comp != 0 && mem != 0)
  `P(EQ_12_tie, |ballast.epoch && comp == mem && comp != 0)
  `P(EQ_12_nobody, |ballast.epoch && comp == 0 && mem == 0)

  // EQ-13, EQ-14: the domains, by themselves and together
  `P(EQ_13_sm_moves, ballast.sm_up || ballast.sm_down)
  `P(EQ_13_mem_moves, ballast.mem_up || ballast.mem_down)
  `P(EQ_14_only_sm_busy, ballast.sm_busy_o && !ballast.mem_busy_o)
  `P(EQ_14_only_mem_busy, ballast.mem_busy_o && !ballast.sm_busy_o)
  `P(EQ_14_both_busy, ballast.sm_busy_o && ballast.mem_busy_o)
  `P(EQ_14_vote_in_transition, ballast.vote_valid && ballast.sm_busy_o)
  `P(EQ_A21_sm_stalls, ballast.sm_stall_o)
  `P(EQ_A21_mem_stalls, ballast.mem_stall_o)
  `P(Levels_sm_high_mem_normal, ballast.sm_level_o == ballast_pkg::VfHigh && ballast.mem_level_o == ballast_pkg::VfNormal)
  `P(Levels_sm_normal_mem_high, ballast.sm_level_o == ballast_pkg::VfNormal && ballast.mem_level_o == ballast_pkg::VfHigh)
  `P(Levels_sm_low_mem_normal, ballast.sm_level_o == ballast_pkg::VfLow && ballast.mem_level_o == ballast_pkg::VfNormal)
  `P(Levels_sm_normal_mem_low, ballast.sm_level_o == ballast_pkg::VfNormal && ballast.mem_level_o == ballast_pkg::VfLow)
  `P(Mode_performance, ballast.mode_i && ballast.vote_valid)
  `P(Mode_energy, !ballast.mode_i && ballast.vote_valid)

  // Differing SMs
  `P(Limits_differ, NumSms > 1 && ballast.limit_o[$bits(ballast.limit_o)/NumSms-1:0] !=
     ballast.limit_o[2*($bits(ballast.limit_o)/NumSms)-1:$bits(ballast.limit_o)/NumSms])
  `P(Paused_on_one_sm_only, ballast.cta_paused_o[$bits(ballast.cta_paused_o)/NumSms-1:0] != '0 &&
     ballast.cta_paused_o[$bits(ballast.cta_paused_o)-1:$bits(ballast.cta_paused_o)/NumSms] == '0)
  `P(Denied_on_one_sm, $countones(ballast.cta_denied_i & ballast.req_o) == 1)
endmodule

bind ballast ballast_cover #(.NumSms(NumSms), .LcsScope(LcsScope)) u_cover ();

`undef P
`default_nettype wire
