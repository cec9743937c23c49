// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of the chip have to reach where it is Verilated as one (doc/blocks/chip_governor.md). What its blocks
// have to is in their own cover files. tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, chip_governor, expr)

`default_nettype none

module chip_governor_cover #(
  parameter int NumSms   = 15,
  parameter int LcsScope = 0
);
  int comp, mem;

  assign comp = $countones(chip_governor.comp);
  assign mem  = $countones(chip_governor.mem);

  // Kernels: on one SM, on all of them in the same cycle
  `P(Start_one_sm, $countones(chip_governor.kernel_start_i) == 1)
  `P(Start_all_sms, &chip_governor.kernel_start_i)
  // Each policy on a chip
  `P(Policy_static, chip_governor.policy_i == ballast_pkg::PolicyStatic && |chip_governor.kernel_start_i)
  `P(Policy_perfsat, chip_governor.policy_i == ballast_pkg::PolicyPerfsat && |chip_governor.kernel_start_i)
  `P(Policy_lcs, chip_governor.policy_i == ballast_pkg::PolicyLcs && |chip_governor.kernel_start_i)
  `P(Policy_equalizer, chip_governor.policy_i == ballast_pkg::PolicyEqualizer && |chip_governor.kernel_start_i)
  `P(Policy_dyncta, chip_governor.policy_i == ballast_pkg::PolicyDyncta && |chip_governor.kernel_start_i)

  `P(Policy_scout, chip_governor.policy_i == ballast_pkg::PolicyScout && |chip_governor.kernel_start_i)

  // SCT-9: SM 0 searches for all
  `P(SCT_9_search_begins, chip_governor.kernel_start_i[0] && chip_governor.search && !chip_governor.search_q)
  `P(SCT_9_search_ends, chip_governor.kernel_start_i[0] && !chip_governor.search && chip_governor.search_q)
  `P(SCT_9_policy_changes_within, !chip_governor.kernel_start_i[0] && chip_governor.search_q &&
     chip_governor.policy_i != ballast_pkg::PolicyScout)
  `P(SCT_10_known, |chip_governor.hint && chip_governor.hint != chip_governor.nmax_i[$bits(chip_governor.hint)-1:0])
  `P(SCT_9_look, chip_governor.search_q && chip_governor.scout_look)
  `P(SCT_9_done, chip_governor.search_q && chip_governor.scout_done)

  // VFS-2, VFS-8: the search for levels
  `P(VFS_2_sm_moves, chip_governor.search_q && (chip_governor.vf_sm_up || chip_governor.vf_sm_down))
  `P(VFS_2_mem_moves, chip_governor.search_q && (chip_governor.vf_mem_up || chip_governor.vf_mem_down))
  `P(VFS_8_limit_waits, chip_governor.search_q && chip_governor.hold && !chip_governor.scout_done)
  `P(VFS_1_vote_unheard, chip_governor.search && !chip_governor.search_q && chip_governor.vote_valid)

  // LCS-6: the broadcast of SM 0, who hears it and who has none
  `P(LCS_6_told_and_heard, LcsScope == 1 && chip_governor.bcast_valid)
  `P(LCS_6_told_to_nobody, LcsScope == 0 && chip_governor.bcast_valid)
  `P(LCS_6_another_sm_decides, LcsScope == 0 && (chip_governor.t_new_valid & ~(NumSms'(1))) != '0)

  // EQ-12: votes of an epoch
  `P(EQ_12_unanimous_comp, |chip_governor.epoch && comp == NumSms)
  `P(EQ_12_unanimous_mem, |chip_governor.epoch && mem == NumSms)
  `P(EQ_12_split, |chip_governor.epoch && comp != 0 && mem != 0)
  `P(EQ_12_tie, |chip_governor.epoch && comp == mem && comp != 0)
  `P(EQ_12_nobody, |chip_governor.epoch && comp == 0 && mem == 0)

  // EQ-13, EQ-14: the domains, by themselves and together
  `P(EQ_13_sm_moves, chip_governor.sm_up || chip_governor.sm_down)
  `P(EQ_13_mem_moves, chip_governor.mem_up || chip_governor.mem_down)
  `P(EQ_14_only_sm_busy, chip_governor.sm_busy_o && !chip_governor.mem_busy_o)
  `P(EQ_14_only_mem_busy, chip_governor.mem_busy_o && !chip_governor.sm_busy_o)
  `P(EQ_14_both_busy, chip_governor.sm_busy_o && chip_governor.mem_busy_o)
  `P(EQ_14_vote_in_transition, chip_governor.vote_valid && chip_governor.sm_busy_o)
  `P(EQ_A21_sm_stalls, chip_governor.sm_stall_o)
  `P(EQ_A21_mem_stalls, chip_governor.mem_stall_o)
  `P(Levels_sm_high_mem_normal, chip_governor.sm_level_o == ballast_pkg::VfHigh && chip_governor.mem_level_o == ballast_pkg::VfNormal)
  `P(Levels_sm_normal_mem_high, chip_governor.sm_level_o == ballast_pkg::VfNormal && chip_governor.mem_level_o == ballast_pkg::VfHigh)
  `P(Levels_sm_low_mem_normal, chip_governor.sm_level_o == ballast_pkg::VfLow && chip_governor.mem_level_o == ballast_pkg::VfNormal)
  `P(Levels_sm_normal_mem_low, chip_governor.sm_level_o == ballast_pkg::VfNormal && chip_governor.mem_level_o == ballast_pkg::VfLow)
  `P(Mode_performance, chip_governor.mode_i && chip_governor.vote_valid)
  `P(Mode_energy, !chip_governor.mode_i && chip_governor.vote_valid)

  // Differing SMs
  `P(Limits_differ, NumSms > 1 && chip_governor.limit_o[$bits(chip_governor.limit_o)/NumSms-1:0] !=
     chip_governor.limit_o[2*($bits(chip_governor.limit_o)/NumSms)-1:$bits(chip_governor.limit_o)/NumSms])
  `P(Paused_on_one_sm_only, chip_governor.cta_paused_o[$bits(chip_governor.cta_paused_o)/NumSms-1:0] != '0 &&
     chip_governor.cta_paused_o[$bits(chip_governor.cta_paused_o)-1:$bits(chip_governor.cta_paused_o)/NumSms] == '0)
  `P(Denied_on_one_sm, $countones(chip_governor.cta_denied_i & chip_governor.req_o) == 1)
endmodule

bind chip_governor chip_governor_cover #(.NumSms(NumSms), .LcsScope(LcsScope)) u_cover ();

`undef P
`default_nettype wire
