// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// stall_classifier: from the states of all warps in a cycle to the cycle's class, in Perf-Sat's
// taxonomy (PS-2: ACTIVE / PIPELINE / SCOREBOARD / IDLE, with an ALU/memory tag) and in that of
// lazy CTA scheduling (LCS section 3: ACTIVE / CORE_STALL / MEM_STALL / IDLE). Paused warps do
// not count (PAUSE-2).
//
// Combinational. One pair of popcounts serves both taxonomies: LCS compares the waiting warps
// only when no warp is ready, and Perf-Sat compares those very warps then, too.
//
// doc/stall_classifier.md

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

  // Classify: sets of warps, one bit each. The codes of ballast_pkg are 3..8 for a warp that waits
  // or is ready, 9 and 10 for one that issued; written out by planes, they share most of the logic.
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

  // Decide. The warps are counted only in a cycle that stalls.
  logic [NumWarps-1:0] stall_alu, stall_mem;  // those that make up the Perf-Sat class
  logic                mem_wins;

  always_comb begin : p_class
    ps_class_o  = ballast_pkg::PsIdle;
    ps_mem_o    = 1'b0;
    lcs_class_o = ballast_pkg::LcsIdle;
    stall_alu   = wait_alu;
    stall_mem   = wait_mem;
    mem_wins    = 1'b0;

    if (|issued) begin
      ps_class_o  = ballast_pkg::PsActive;
      lcs_class_o = ballast_pkg::LcsActive;
    end else if (any_waiting || any_ready) begin
      ps_class_o = ballast_pkg::PsScoreboard;
      if (any_ready && (PsPrio == 0 || !any_waiting)) begin
        ps_class_o = ballast_pkg::PsPipeline;
        stall_alu  = ready_alu;
        stall_mem  = ready_mem;
      end

      if (MixedTag == 0) mem_wins = |stall_mem;
      else mem_wins = $countones(stall_mem) > $countones(stall_alu);

      ps_mem_o    = mem_wins;
      lcs_class_o = (!any_ready && mem_wins) ? ballast_pkg::LcsMemStall :
                                               ballast_pkg::LcsCoreStall;
    end
  end

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
