// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of the whole chip have to reach (doc/blocks/ballast_chip.md). What its blocks have to is in their own
// cover files. tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, ballast_chip, expr)

`default_nettype none

module ballast_chip_cover #(
  parameter int NumKernels = 2,
  parameter int NumSms     = 15
);
  // CHIP-1: starts: alone, beside others, again; taken with each policy
  `P(CHIP_1_start, ballast_chip.kernel_start_o)
  `P(CHIP_1_start_alone, ballast_chip.kernel_start_o && ballast_chip.idle == '1)
  `P(CHIP_1_start_beside_another, NumKernels > 1 && ballast_chip.kernel_start_o && ballast_chip.idle != '1)
  `P(CHIP_1_start_of_the_last, NumKernels > 1 && ballast_chip.kernel_start_o && 32'(ballast_chip.kernel_o) == NumKernels - 1)
  `P(CHIP_1_too_big, ballast_chip.too_big != '0)
  `P(CHIP_1_policy_static, ballast_chip.kernel_start_o && ballast_chip.policy == ballast_pkg::PolicyStatic)
  `P(CHIP_1_policy_perfsat, ballast_chip.kernel_start_o && ballast_chip.policy == ballast_pkg::PolicyPerfsat)
  `P(CHIP_1_policy_lcs, ballast_chip.kernel_start_o && ballast_chip.policy == ballast_pkg::PolicyLcs)
  `P(CHIP_1_policy_equalizer, ballast_chip.kernel_start_o && ballast_chip.policy == ballast_pkg::PolicyEqualizer)
  `P(CHIP_1_policy_dyncta, ballast_chip.kernel_start_o && ballast_chip.policy == ballast_pkg::PolicyDyncta)
  // CHIP-2: what governors hear and say
  `P(CHIP_2_denied, ballast_chip.heard != '0)
  `P(CHIP_2_one_denied, ballast_chip.heard != '0 && ballast_chip.heard != '1)
  `P(CHIP_2_paused, ballast_chip.cta_paused_o != '0)
  `P(CHIP_2_done_all, &ballast_chip.done)
  `P(CHIP_2_level_moves, ballast_chip.sm_busy_o || ballast_chip.mem_busy_o)
  // CHIP-3: launches; kernels that run at once; each mode
  `P(CHIP_3_launch_on_the_first, ballast_chip.cta_start_o[$bits(ballast_chip.cta_start_o)/NumSms-1:0] != '0)
  `P(CHIP_3_launch_on_the_last, ballast_chip.cta_start_o[$bits(ballast_chip.cta_start_o)-1:$bits(ballast_chip.cta_start_o)/NumSms*(NumSms-1)] != '0)
  `P(CHIP_3_two_run, NumKernels > 1 && $countones(~ballast_chip.idle) >= 2)
  `P(CHIP_3_all_run, NumKernels > 1 && ballast_chip.idle == '0)
  `P(CHIP_3_quotas, NumKernels > 1 && ballast_chip.launch && ballast_chip.dispatch == 2'd0)
  `P(CHIP_3_leftover, NumKernels > 1 && ballast_chip.launch && ballast_chip.dispatch == 2'd1)
  `P(CHIP_3_apart, NumKernels > 1 && ballast_chip.launch && ballast_chip.dispatch == 2'd2)
  `P(CHIP_3_queue, NumKernels > 1 && ballast_chip.launch && ballast_chip.dispatch == 2'd3)
  `P(CHIP_3_pairs, NumKernels == 1 && ballast_chip.launch && ballast_chip.bcs)
  // CHIP-4: what software hears
  `P(CHIP_4_irq, ballast_chip.irq_o)
  `P(CHIP_4_kernel_end, ballast_chip.u_regs.cause[5])
  `P(CHIP_4_refused, ballast_chip.pslverr_o)
endmodule

bind ballast_chip ballast_chip_cover #(.NumKernels(NumKernels), .NumSms(NumSms)) u_cover ();

`undef P
`default_nettype wire
