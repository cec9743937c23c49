// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of stall_classifier have to reach (doc/blocks/stall_classifier.md). tb/cover reads the names and
// comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, stall_classifier, expr)

`default_nettype none

module stall_classifier_cover #(
  parameter int NumWarps = 48,
  parameter int PsPrio   = 0,
  parameter int MixedTag = 1
);
  logic was_ready;  // of the cycle that LCS' class is of
  logic waits, ready;
  int   wait_alu, wait_mem, ready_alu, ready_mem;

  always_ff @(posedge stall_classifier.clk_i) was_ready <= stall_classifier.ready_q;

  assign waits     = !stall_classifier.any_issued && stall_classifier.scoreboard;
  assign ready     = !stall_classifier.any_issued && stall_classifier.pipeline;
  assign wait_alu  = $countones(stall_classifier.wait_alu);
  assign wait_mem  = $countones(stall_classifier.wait_mem);
  assign ready_alu = $countones(stall_classifier.ready_alu);
  assign ready_mem = $countones(stall_classifier.ready_mem);

  // PS-2: Perf-Sat's classes, the stalls with either tag
  `P(PS_2_active, stall_classifier.ps_class_o == ballast_pkg::PsActive)
  `P(PS_2_pipeline_alu, stall_classifier.ps_class_o == ballast_pkg::PsPipeline && !stall_classifier.ps_mem_o)
  `P(PS_2_pipeline_mem, stall_classifier.ps_class_o == ballast_pkg::PsPipeline && stall_classifier.ps_mem_o)
  `P(PS_2_scoreboard_alu, stall_classifier.ps_class_o == ballast_pkg::PsScoreboard && !stall_classifier.ps_mem_o)
  `P(PS_2_scoreboard_mem, stall_classifier.ps_class_o == ballast_pkg::PsScoreboard && stall_classifier.ps_mem_o)
  `P(PS_2_idle, stall_classifier.ps_class_o == ballast_pkg::PsIdle)
  // Both kinds of stall at once, by PsPrio
  `P(PS_2_both_pipeline_first, PsPrio == 0 && waits == 1'b0 && ready && stall_classifier.any_waiting)
  `P(PS_2_both_scoreboard_first, PsPrio == 1 && waits && stall_classifier.any_ready)
  `P(PS_2_issued_beside_stalls, stall_classifier.any_issued && stall_classifier.any_waiting && stall_classifier.any_ready)

  // The memory's warps against the ALU's, among those that wait: one fewer, as many, one more (MixedTag 1)
  `P(Tag_wait_one_fewer, MixedTag == 1 && waits && wait_mem != 0 && wait_mem + 1 == wait_alu)
  `P(Tag_wait_tie, MixedTag == 1 && waits && wait_mem == wait_alu)
  `P(Tag_wait_one_more, MixedTag == 1 && waits && wait_alu != 0 && wait_mem == wait_alu + 1)
  // The same among those that are ready
  `P(Tag_ready_one_fewer, MixedTag == 1 && ready && ready_mem != 0 && ready_mem + 1 == ready_alu)
  `P(Tag_ready_tie, MixedTag == 1 && ready && ready_mem == ready_alu)
  `P(Tag_ready_one_more, MixedTag == 1 && ready && ready_alu != 0 && ready_mem == ready_alu + 1)
  // One warp of the memory's among many is enough with MixedTag 0
  `P(Tag_any_wait, MixedTag == 0 && waits && wait_mem == 1 && wait_alu > 1)
  `P(Tag_any_ready, MixedTag == 0 && ready && ready_mem == 1 && ready_alu > 1)

  // LCS section 3: its classes
  `P(LCS_3_active, stall_classifier.lcs_class_o == ballast_pkg::LcsActive)
  `P(LCS_3_mem_stall, stall_classifier.lcs_class_o == ballast_pkg::LcsMemStall)
  `P(LCS_3_core_stall_waits, stall_classifier.lcs_class_o == ballast_pkg::LcsCoreStall && !was_ready)
  `P(LCS_3_core_stall_ready, stall_classifier.lcs_class_o == ballast_pkg::LcsCoreStall && was_ready)
  `P(LCS_3_idle, stall_classifier.lcs_class_o == ballast_pkg::LcsIdle)

  // Every code of a warp, and a paused warp (PAUSE-2)
  `P(Code_empty, |(~(stall_classifier.ws0_i | stall_classifier.ws1_i | stall_classifier.ws2_i | stall_classifier.ws3_i)))
  `P(Code_barrier, |(stall_classifier.low & ~stall_classifier.ws2_i & stall_classifier.ws0_i & ~stall_classifier.ws1_i))
  `P(Code_no_instruction, |(stall_classifier.low & ~stall_classifier.ws2_i & ~stall_classifier.ws0_i & stall_classifier.ws1_i))
  `P(Code_wait_alu, |stall_classifier.wait_alu)
  `P(Code_wait_mem, |stall_classifier.wait_mem)
  `P(Code_alu_lost, |(stall_classifier.ready_alu & stall_classifier.ws0_i))
  `P(Code_alu_blocked, |(stall_classifier.ready_alu & stall_classifier.ws1_i))
  `P(Code_mem_lost, |(stall_classifier.ready_mem & stall_classifier.low))
  `P(Code_mem_blocked, |(stall_classifier.ready_mem & stall_classifier.high))
  `P(Code_issued_alu, |(stall_classifier.issued & stall_classifier.ws0_i))
  `P(Code_issued_mem, |(stall_classifier.issued & stall_classifier.ws1_i))
  `P(Code_reserved_11, |(stall_classifier.high & stall_classifier.ends3))
  `P(Code_reserved_12_15, |(~stall_classifier.paused_i & stall_classifier.ws3_i & stall_classifier.ws2_i))
  `P(PAUSE_2_issued_but_paused, |(stall_classifier.paused_i & stall_classifier.ws3_i & ~stall_classifier.ws2_i &
     stall_classifier.ws0_i & ~stall_classifier.ws1_i) && !stall_classifier.any_issued)
  `P(All_warps_wait_mem, wait_mem == NumWarps)
  `P(All_warps_ready_mem, ready_mem == NumWarps)
endmodule

bind stall_classifier stall_classifier_cover #(.NumWarps(NumWarps), .PsPrio(PsPrio), .MixedTag(MixedTag)) u_cover ();

`undef P
`default_nettype wire
