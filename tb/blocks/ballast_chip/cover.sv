// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of the chip have to reach where it is Verilated as one (doc/blocks/ballast_chip.md). What its blocks
// have to is in their own cover files. tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, ballast_chip, expr)

`default_nettype none

module ballast_chip_cover #(
  parameter int NumSms   = 15,
  parameter int LcsScope = 0
);
  int comp, mem;

  assign comp = $countones(ballast_chip.comp);
  assign mem  = $countones(ballast_chip.mem);

  // Kernels: on one SM, on all of them in the same cycle
  `P(Start_one_sm, $countones(ballast_chip.kernel_start_i) == 1)
  `P(Start_all_sms, &ballast_chip.kernel_start_i)
  // Each policy on a chip
  `P(Policy_static, ballast_chip.policy_i == ballast_pkg::PolicyStatic && |ballast_chip.kernel_start_i)
  `P(Policy_perfsat, ballast_chip.policy_i == ballast_pkg::PolicyPerfsat && |ballast_chip.kernel_start_i)
  `P(Policy_lcs, ballast_chip.policy_i == ballast_pkg::PolicyLcs && |ballast_chip.kernel_start_i)
  `P(Policy_equalizer, ballast_chip.policy_i == ballast_pkg::PolicyEqualizer && |ballast_chip.kernel_start_i)
  `P(Policy_dyncta, ballast_chip.policy_i == ballast_pkg::PolicyDyncta && |ballast_chip.kernel_start_i)

  // LCS-6: the broadcast of SM 0, who hears it and who has none
  `P(LCS_6_told_and_heard, LcsScope == 1 && ballast_chip.bcast_valid)
  `P(LCS_6_told_to_nobody, LcsScope == 0 && ballast_chip.bcast_valid)
  `P(LCS_6_another_sm_decides, LcsScope == 0 && (ballast_chip.t_new_valid & ~(NumSms'(1))) != '0)

  // EQ-12: votes of an epoch
  `P(EQ_12_unanimous_comp, |ballast_chip.epoch && comp == NumSms)
  `P(EQ_12_unanimous_mem, |ballast_chip.epoch && mem == NumSms)
  `P(EQ_12_split, |ballast_chip.epoch && comp != 0 && mem != 0)
  `P(EQ_12_tie, |ballast_chip.epoch && comp == mem && comp != 0)
  `P(EQ_12_nobody, |ballast_chip.epoch && comp == 0 && mem == 0)

  // EQ-13, EQ-14: the domains, by themselves and together
  `P(EQ_13_sm_moves, ballast_chip.sm_up || ballast_chip.sm_down)
  `P(EQ_13_mem_moves, ballast_chip.mem_up || ballast_chip.mem_down)
  `P(EQ_14_only_sm_busy, ballast_chip.sm_busy_o && !ballast_chip.mem_busy_o)
  `P(EQ_14_only_mem_busy, ballast_chip.mem_busy_o && !ballast_chip.sm_busy_o)
  `P(EQ_14_both_busy, ballast_chip.sm_busy_o && ballast_chip.mem_busy_o)
  `P(EQ_14_vote_in_transition, ballast_chip.vote_valid && ballast_chip.sm_busy_o)
  `P(EQ_A21_sm_stalls, ballast_chip.sm_stall_o)
  `P(EQ_A21_mem_stalls, ballast_chip.mem_stall_o)
  `P(Levels_sm_high_mem_normal, ballast_chip.sm_level_o == ballast_pkg::VfHigh && ballast_chip.mem_level_o == ballast_pkg::VfNormal)
  `P(Levels_sm_normal_mem_high, ballast_chip.sm_level_o == ballast_pkg::VfNormal && ballast_chip.mem_level_o == ballast_pkg::VfHigh)
  `P(Levels_sm_low_mem_normal, ballast_chip.sm_level_o == ballast_pkg::VfLow && ballast_chip.mem_level_o == ballast_pkg::VfNormal)
  `P(Levels_sm_normal_mem_low, ballast_chip.sm_level_o == ballast_pkg::VfNormal && ballast_chip.mem_level_o == ballast_pkg::VfLow)
  `P(Mode_performance, ballast_chip.mode_i && ballast_chip.vote_valid)
  `P(Mode_energy, !ballast_chip.mode_i && ballast_chip.vote_valid)

  // Differing SMs
  `P(Limits_differ, NumSms > 1 && ballast_chip.limit_o[$bits(ballast_chip.limit_o)/NumSms-1:0] !=
     ballast_chip.limit_o[2*($bits(ballast_chip.limit_o)/NumSms)-1:$bits(ballast_chip.limit_o)/NumSms])
  `P(Paused_on_one_sm_only, ballast_chip.cta_paused_o[$bits(ballast_chip.cta_paused_o)/NumSms-1:0] != '0 &&
     ballast_chip.cta_paused_o[$bits(ballast_chip.cta_paused_o)-1:$bits(ballast_chip.cta_paused_o)/NumSms] == '0)
  `P(Denied_on_one_sm, $countones(ballast_chip.cta_denied_i & ballast_chip.req_o) == 1)
endmodule

bind ballast_chip ballast_chip_cover #(.NumSms(NumSms), .LcsScope(LcsScope)) u_cover ();

`undef P
`default_nettype wire
