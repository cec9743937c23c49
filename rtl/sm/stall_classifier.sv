// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// stall_classifier: from the states of all warps in a cycle to the cycle's class, in Perf-Sat's
// taxonomy (PS-2: ACTIVE / PIPELINE / SCOREBOARD / IDLE, with an ALU/memory tag) and in that of
// lazy CTA scheduling (LCS section 3: ACTIVE / CORE_STALL / MEM_STALL / IDLE). Paused warps do
// not count (PAUSE-2).
//
// Combinational: the class of a cycle is an output in that cycle. Both taxonomies share the counts of
// waiting warps. LCS needs them only when no warp is ready, and Perf-Sat counts the same warps then.
//
// doc/blocks/stall_classifier.md

`default_nettype none

module stall_classifier #(
  parameter int NumWarps = 48,  // warp slots, 1..64
  parameter int PsPrio   = 0,   // scoreboard and pipeline stalls at once: 0 PIPELINE, 1 SCOREBOARD
  parameter int MixedTag = 1    // a mixed stall is the memory's: 0 with one warp, 1 with most warps
) (
  // Bit w of plane b is bit b of warp w's state.
  input  wire  [NumWarps-1:0] ws0_i,
  input  wire  [NumWarps-1:0] ws1_i,
  input  wire  [NumWarps-1:0] ws2_i,
  input  wire  [NumWarps-1:0] ws3_i,
  input  wire  [NumWarps-1:0] paused_i,

  output logic [1:0]          ps_class_o,
  output logic                ps_mem_o,
  output logic [1:0]          lcs_class_o
);

  // Classify: sets of warps, one bit each. The codes of ballast_pkg are 3..8 for a warp that waits or
  // is ready, 9 and 10 for one that issued. Written by planes, the sets share most of their logic.
  logic [NumWarps-1:0] low, high;            // not paused, code 0..7, 8..11
  logic [NumWarps-1:0] ends0, ends1, ends3;  // low bits of the code: 00, 01 or 10, 11
  logic [NumWarps-1:0] wait_alu, wait_mem, ready_alu, ready_mem, issued;

  assign low   = ~paused_i & ~ws3_i;
  assign high  = ~paused_i & ws3_i & ~ws2_i;
  assign ends0 = ~ws1_i & ~ws0_i;
  assign ends1 = ws1_i ^ ws0_i;
  assign ends3 = ws1_i & ws0_i;

  assign wait_alu  = low & ~ws2_i & ends3;                     // 3
  assign wait_mem  = low & ws2_i & ends0;                      // 4
  assign ready_alu = low & ws2_i & ends1;                      // 5, 6
  assign ready_mem = (low & ws2_i & ends3) | (high & ends0);   // 7, 8
  assign issued    = high & ends1;                             // 9, 10

  logic any_waiting, any_ready;

  assign any_waiting = |(wait_alu | wait_mem);
  assign any_ready   = |(ready_alu | ready_mem);

  // Decide. Each pair of sets has its own counts. Which pair matters is known as late as the counts
  // are, so that one shared count would wait for that choice. A reader of one class only, such as
  // sm_governor, keeps only one of the two counts after synthesis.
  logic any_issued, scoreboard, pipeline;  // Perf-Sat's class, if no warp issued
  logic count_waiting, count_ready;        // the cycle needs the counts of this pair
  logic waiting_wins, ready_wins;          // the memory holds up more warps of this pair

  assign any_issued    = |issued;
  assign scoreboard    = any_waiting && (PsPrio != 0 || !any_ready);
  assign pipeline      = any_ready && (PsPrio == 0 || !any_waiting);
  assign count_waiting = !any_issued && scoreboard;
  assign count_ready   = !any_issued && pipeline;

  if (MixedTag == 0) begin : gen_any
    assign waiting_wins = count_waiting && |wait_mem;
    assign ready_wins   = count_ready && |ready_mem;
  end else begin : gen_most
    // One sum compares two counts: each warp of the memory counts 2, each warp in neither set counts
    // 1, each warp of the ALU counts 0. The memory has more warps when the sum is above NumWarps, and
    // base makes the sum carry into bit Top exactly then.
    localparam int Top = $clog2(NumWarps + 1);

    logic [Top:0] base, waiting_sum, ready_sum;
    logic         unused_sums;

    assign base         = (Top + 1)'(2 ** Top - NumWarps - 1);
    assign waiting_wins = waiting_sum[Top];
    assign ready_wins   = ready_sum[Top];
    assign unused_sums  = ^{waiting_sum[Top-1:0], ready_sum[Top-1:0]};

    warp_sum #(
      .NumWarps(NumWarps),
      .SumW    (Top + 1),
      .Twos    (1)
    ) u_waiting (
      .on_i  (count_waiting),
      .ones_i(~(wait_mem | wait_alu)),
      .twos_i(wait_mem),
      .base_i(base),
      .sum_o (waiting_sum)
    );

    warp_sum #(
      .NumWarps(NumWarps),
      .SumW    (Top + 1),
      .Twos    (1)
    ) u_ready (
      .on_i  (count_ready),
      .ones_i(~(ready_mem | ready_alu)),
      .twos_i(ready_mem),
      .base_i(base),
      .sum_o (ready_sum)
    );
  end

  always_comb begin : p_class
    if (any_issued)      ps_class_o = ballast_pkg::PsActive;
    else if (pipeline)   ps_class_o = ballast_pkg::PsPipeline;
    else if (scoreboard) ps_class_o = ballast_pkg::PsScoreboard;
    else                 ps_class_o = ballast_pkg::PsIdle;

    if (any_issued)                      lcs_class_o = ballast_pkg::LcsActive;
    else if (!any_ready && waiting_wins) lcs_class_o = ballast_pkg::LcsMemStall;
    else if (any_waiting || any_ready)   lcs_class_o = ballast_pkg::LcsCoreStall;
    else                                 lcs_class_o = ballast_pkg::LcsIdle;
  end

  assign ps_mem_o = waiting_wins || ready_wins;

`ifdef VERILATOR
  // Warps that are not paused and whose state is `code`.
  function automatic [NumWarps-1:0] in_state(input [3:0] code);
    in_state = ~paused_i & (ws0_i ~^ {NumWarps{code[0]}}) & (ws1_i ~^ {NumWarps{code[1]}}) &
                           (ws2_i ~^ {NumWarps{code[2]}}) & (ws3_i ~^ {NumWarps{code[3]}});
  endfunction

  always_comb begin : p_assert
    // The sets hold the states that they are named after.
    WaitAlu:    assert (wait_alu == in_state(ballast_pkg::WarpWaitAlu));
    WaitMem:    assert (wait_mem == in_state(ballast_pkg::WarpWaitMem));
    ReadyAlu:   assert (ready_alu == (in_state(ballast_pkg::WarpAluLost) |
                                      in_state(ballast_pkg::WarpAluBlocked)));
    ReadyMem:   assert (ready_mem == (in_state(ballast_pkg::WarpMemLost) |
                                      in_state(ballast_pkg::WarpMemBlocked)));
    Issued:     assert (issued == (in_state(ballast_pkg::WarpIssuedAlu) |
                                   in_state(ballast_pkg::WarpIssuedMem)));
    // The taxonomies agree on when the SM works and when nothing holds it back.
    SameActive: assert ((ps_class_o == ballast_pkg::PsActive) ==
                        (lcs_class_o == ballast_pkg::LcsActive));
    SameIdle:   assert ((ps_class_o == ballast_pkg::PsIdle) ==
                        (lcs_class_o == ballast_pkg::LcsIdle));
    // PS-2: only a stall has a tag.
    TagOfStall: assert (!ps_mem_o || ps_class_o == ballast_pkg::PsScoreboard ||
                        ps_class_o == ballast_pkg::PsPipeline);
    // LCS section 3: waiting for the memory is what Perf-Sat calls a scoreboard stall of it.
    MemStall:   assert (lcs_class_o != ballast_pkg::LcsMemStall ||
                        (ps_class_o == ballast_pkg::PsScoreboard && ps_mem_o));
  end
`endif

endmodule

`default_nettype wire
