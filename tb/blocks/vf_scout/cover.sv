// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of vf_scout have to reach (doc/blocks/vf_scout.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, vf_scout, expr)
`define JUDGE(name, expr) `POINT(name, vf_scout, vf_scout.judges && !vf_scout.search && (expr))

`default_nettype none

module vf_scout_cover;
  logic runs, back, rest, start;

  assign runs  = vf_scout.runs;
  assign back  = vf_scout.is_back;
  assign rest  = vf_scout.is_rest;
  assign start = vf_scout.enable_i && vf_scout.kernel_start_i;

  // States
  `P(State_Idle, vf_scout.state_q == vf_scout.StIdle)
  `P(State_Wait, vf_scout.is_wait)
  `P(State_Base, vf_scout.is_base)
  `P(State_Look, vf_scout.is_look)
  `P(State_Back, back)
  `P(State_Rest, rest)
  `NEVER(NoOtherState, vf_scout, vf_scout.state_q > vf_scout.StRest)

  // VFS-1: kernel starts from each state, the wait, and its end
  `P(VFS_1_start_idle, start && vf_scout.state_q == vf_scout.StIdle)
  `P(VFS_1_start_wait, start && vf_scout.is_wait)
  `P(VFS_1_start_base, start && vf_scout.is_base)
  `P(VFS_1_start_look, start && vf_scout.is_look)
  `P(VFS_1_start_back, start && back)
  `P(VFS_1_start_rest, start && rest)
  `P(VFS_1_look_in_wait, vf_scout.is_wait && vf_scout.look_i && vf_scout.timer_q != '0)
  `P(VFS_1_waits_for_cta, vf_scout.is_wait && vf_scout.warm && vf_scout.first_q && !vf_scout.ready_q)
  `P(VFS_1_search_by_cta, vf_scout.is_wait && vf_scout.search && !vf_scout.first_q)
  `P(VFS_1_search_by_ready, vf_scout.is_wait && vf_scout.search && vf_scout.first_q && vf_scout.ready_q)

  // VFS-2: what both comparisons say, in short windows and in long ones, of both domains
  `JUDGE(VFS_2_kept_sm, back && vf_scout.keeps && !vf_scout.domain_q)
  `JUDGE(VFS_2_kept_memory, back && vf_scout.keeps && vf_scout.domain_q)
  `JUDGE(VFS_2_undone_sm, back && !vf_scout.again && !vf_scout.better_q && !vf_scout.domain_q)
  `JUDGE(VFS_2_undone_memory, back && !vf_scout.again && !vf_scout.better_q && vf_scout.domain_q)
  `JUDGE(VFS_2_longer_before, back && vf_scout.longer && vf_scout.better_q)
  `JUDGE(VFS_2_longer_after, back && vf_scout.longer && vf_scout.again)
  `JUDGE(VFS_2_still_open, back && vf_scout.stage_q && vf_scout.again != vf_scout.better_q)
  `JUDGE(VFS_2_kept_in_long, back && vf_scout.stage_q && vf_scout.keeps)
  `JUDGE(VFS_2_equal, back && vf_scout.acc_q == vf_scout.base_q)

  // VFS-3, VFS-4: looks of each domain in each mode, good and bad
  `JUDGE(VFS_3_sm_good, vf_scout.is_look && vf_scout.mode_q && !vf_scout.domain_q && vf_scout.as_good)
  `JUDGE(VFS_3_sm_bad, vf_scout.is_look && vf_scout.mode_q && !vf_scout.domain_q && !vf_scout.as_good)
  `JUDGE(VFS_3_memory_good, vf_scout.is_look && vf_scout.mode_q && vf_scout.domain_q && vf_scout.as_good)
  `JUDGE(VFS_3_memory_bad, vf_scout.is_look && vf_scout.mode_q && vf_scout.domain_q && !vf_scout.as_good)
  `JUDGE(VFS_4_sm_good, vf_scout.is_look && !vf_scout.mode_q && !vf_scout.domain_q && vf_scout.as_good)
  `JUDGE(VFS_4_sm_bad, vf_scout.is_look && !vf_scout.mode_q && !vf_scout.domain_q && !vf_scout.as_good)
  `JUDGE(VFS_4_memory_good, vf_scout.is_look && !vf_scout.mode_q && vf_scout.domain_q && vf_scout.as_good)
  `JUDGE(VFS_4_memory_bad, vf_scout.is_look && !vf_scout.mode_q && vf_scout.domain_q && !vf_scout.as_good)

  // VFS-5: what disturbs a window
  `P(VFS_5_level_sm, runs && vf_scout.step_q == vf_scout.StepCount && !vf_scout.sm_there && !vf_scout.sm_busy_i)
  `P(VFS_5_level_memory, runs && vf_scout.step_q == vf_scout.StepCount && !vf_scout.mem_there && !vf_scout.mem_busy_i)
  `P(VFS_5_busy_sm, runs && vf_scout.sm_busy_i)
  `P(VFS_5_busy_memory, runs && vf_scout.mem_busy_i)
  `P(VFS_5_look, runs && vf_scout.look_i && vf_scout.sm_there && vf_scout.mem_there)
  `P(VFS_5_not_decided, runs && rest && !vf_scout.ready_i)

  // VFS-6
  `P(VFS_6_decided, runs && rest && vf_scout.ready_i && !vf_scout.ready_q)
  `P(VFS_6_mode_in_rest, runs && rest && vf_scout.mode_i != vf_scout.mode_q)
  `P(VFS_6_mode_in_search, runs && vf_scout.searching && vf_scout.mode_i != vf_scout.mode_q)

  // VFS-7
  `JUDGE(VFS_7_first, rest && !vf_scout.known_q)
  `JUDGE(VFS_7_like, rest && vf_scout.known_q && !vf_scout.unlike && !vf_scout.odd_q)
  `JUDGE(VFS_7_like_again, rest && vf_scout.known_q && !vf_scout.unlike && vf_scout.odd_q)
  `JUDGE(VFS_7_odd, rest && vf_scout.unlike)
  `P(VFS_7_search, vf_scout.judges && rest && vf_scout.unlike && vf_scout.odd_q)

  // VFS-8
  `P(VFS_8_hold, vf_scout.hold_o)
  `P(VFS_8_look_goes_on, vf_scout.searching && vf_scout.look_i && vf_scout.enable_i)

  // Levels that are asked for
  `P(Ask_sm_up, vf_scout.sm_up_o)
  `P(Ask_sm_down, vf_scout.sm_down_o)
  `P(Ask_memory_up, vf_scout.mem_up_o)
  `P(Ask_memory_down, vf_scout.mem_down_o)
  `P(Disabled, !vf_scout.enable_i && vf_scout.kernel_start_i)
endmodule

bind vf_scout vf_scout_cover u_cover ();

`undef P
`undef JUDGE
`default_nettype wire
