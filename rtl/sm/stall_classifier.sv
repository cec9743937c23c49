// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// stall_classifier: from the states of all warps in a cycle to the cycle's class, in Perf-Sat's
// taxonomy (PS-2: ACTIVE / PIPELINE / SCOREBOARD / IDLE, with an ALU/memory tag) and in that of
// lazy CTA scheduling (LCS section 3: ACTIVE / CORE_STALL / MEM_STALL / IDLE). Paused warps do
// not count (PAUSE-2).
//
// Timing: `ps_class_o` and `ps_mem_o` are of the cycle before: from three bits about its warps, and from sums
// over groups of at most 15 warps, all of which are in registers. `lcs_class_o` comes straight from a register and is of
// the cycle before that. Reset is a cycle without warps.
//
// doc/blocks/stall_classifier.md

`default_nettype none

module stall_classifier #(
  parameter int NumWarps = 48,  // warp slots, 1..64
  parameter int PsPrio   = 0,   // scoreboard and pipeline stalls at once: 0 PIPELINE, 1 SCOREBOARD
  parameter int MixedTag = 1    // a mixed stall is the memory's: 0 with one warp, 1 with most warps
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,

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

  logic any_issued, scoreboard, pipeline;  // the latter two if no warp issued

  assign any_issued = |issued;
  assign scoreboard = any_waiting && (PsPrio != 0 || !any_ready);
  assign pipeline   = any_ready && (PsPrio == 0 || !any_waiting);

  //////////////////////////////////////////////////////////////////////////////
  // For the next cycle. A group's sum compares two counts: each warp of the memory counts 2, each warp
  // in neither set 1, each warp of the ALU 0. The memory has more warps when all sums together are above
  // NumWarps. With MixedTag 0 a group's sum is whether it has one of the memory's. A sum that the class does
  // not need is 0: then the memory does not win, and nothing toggles.
  // Each pair of sets has its own sums. Which pair matters is known as late as the sums are, and a reader
  // of one class only, such as sm_governor, keeps only one of the two after synthesis.
  localparam int Groups = (NumWarps + 14) / 15;
  localparam int GroupN = (NumWarps + Groups - 1) / Groups;  // warps of a group; the last one may have fewer
  localparam int GroupW = $clog2(2 * GroupN + 1);

  logic              count_waiting, count_ready;   // the cycle needs the sums of this pair
  logic              active_q, waiting_q, ready_q;
  (* mem2reg *)                                    // Yosys makes registers of it without a warning
  logic [GroupW-1:0] waits_q [Groups];
  (* mem2reg *)
  logic [GroupW-1:0] readies_q [Groups];

  assign count_waiting = !any_issued && scoreboard;
  assign count_ready   = !any_issued && pipeline;

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      active_q  <= 1'b0;
      waiting_q <= 1'b0;
      ready_q   <= 1'b0;
    end else begin
      active_q  <= any_issued;
      waiting_q <= any_waiting;
      ready_q   <= any_ready;
    end
  end

  logic [Groups*GroupW-1:0] all_waits, all_readies;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int From = g * GroupN;
    localparam int Here = (From + GroupN > NumWarps) ? NumWarps - From : GroupN;

    logic [GroupW-1:0] waits, readies;
    logic [GroupW-1:0] waits_held, readies_held;  // for Icarus 11, which gets nothing straight from an array of one

    if (MixedTag == 0) begin : gen_any
      assign waits   = GroupW'(count_waiting && wait_mem[From+:Here] != '0);
      assign readies = GroupW'(count_ready && ready_mem[From+:Here] != '0);
    end else begin : gen_most
      warp_sum #(
        .NumWarps(Here),
        .SumW    (GroupW),
        .Twos    (1)
      ) u_waits (
        .on_i  (count_waiting),
        .ones_i(~(wait_mem[From+:Here] | wait_alu[From+:Here])),
        .twos_i(wait_mem[From+:Here]),
        .base_i(GroupW'(0)),
        .sum_o (waits)
      );

      warp_sum #(
        .NumWarps(Here),
        .SumW    (GroupW),
        .Twos    (1)
      ) u_readies (
        .on_i  (count_ready),
        .ones_i(~(ready_mem[From+:Here] | ready_alu[From+:Here])),
        .twos_i(ready_mem[From+:Here]),
        .base_i(GroupW'(0)),
        .sum_o (readies)
      );
    end

    always_ff @(posedge clk_i) begin : p_sums
      if (!rst_ni) begin
        waits_q[g]   <= '0;
        readies_q[g] <= '0;
      end else begin
        waits_q[g]   <= waits;
        readies_q[g] <= readies;
      end
    end

    assign waits_held   = waits_q[g];
    assign readies_held = readies_q[g];
    assign all_waits[g*GroupW+:GroupW]   = waits_held;
    assign all_readies[g*GroupW+:GroupW] = readies_held;
  end

  //////////////////////////////////////////////////////////////////////////////
  // Of the cycle before

  localparam int Top = $clog2(NumWarps + 1);

  // From a base, so that more than NumWarps carries into bit Top, and no less does.
  function automatic [Top:0] total(input [Groups*GroupW-1:0] sums);
    integer g;
    begin
      total = (Top + 1)'(2 ** Top - NumWarps - 1);
      for (g = 0; g < Groups; g = g + 1) total = total + (Top + 1)'(sums[g*GroupW+:GroupW]);
    end
  endfunction

  logic [Top:0] waits_total, readies_total;
  logic         waiting_wins, ready_wins;    // the memory held up more warps of this pair
  logic         unused_totals;

  assign waits_total   = total(all_waits);
  assign readies_total = total(all_readies);
  assign waiting_wins  = (MixedTag == 0) ? all_waits != '0 : waits_total[Top];
  assign ready_wins    = (MixedTag == 0) ? all_readies != '0 : readies_total[Top];
  assign unused_totals = ^{waits_total, readies_total};

  assign ps_mem_o = waiting_wins || ready_wins;

  logic first_pipeline;  // of the two stalls, the one that counts if both are there

  assign first_pipeline = PsPrio == 0 || !waiting_q;

  always_comb begin : p_ps_class
    if (active_q)                       ps_class_o = ballast_pkg::PsActive;
    else if (ready_q && first_pipeline) ps_class_o = ballast_pkg::PsPipeline;
    else if (waiting_q)                 ps_class_o = ballast_pkg::PsScoreboard;
    else                                ps_class_o = ballast_pkg::PsIdle;
  end

  //////////////////////////////////////////////////////////////////////////////
  // LCS' class waits for the sum over the groups: it has a register of its own.

  logic [1:0] lcs_class_q, lcs_class_d;

  assign lcs_class_o = lcs_class_q;

  always_comb begin : p_lcs_class
    if (active_q)                      lcs_class_d = ballast_pkg::LcsActive;
    else if (!ready_q && waiting_wins) lcs_class_d = ballast_pkg::LcsMemStall;
    else if (waiting_q || ready_q)     lcs_class_d = ballast_pkg::LcsCoreStall;
    else                               lcs_class_d = ballast_pkg::LcsIdle;
  end

  always_ff @(posedge clk_i) begin : p_class_reg
    if (!rst_ni) lcs_class_q <= ballast_pkg::LcsIdle;
    else         lcs_class_q <= lcs_class_d;
  end

`ifdef VERILATOR
  // Warps that are not paused and whose state is `code`.
  function automatic [NumWarps-1:0] in_state(input [3:0] code);
    in_state = ~paused_i & (ws0_i ~^ {NumWarps{code[0]}}) & (ws1_i ~^ {NumWarps{code[1]}}) &
                           (ws2_i ~^ {NumWarps{code[2]}}) & (ws3_i ~^ {NumWarps{code[3]}});
  endfunction

  // What Perf-Sat heard in the cycle before, for the assertions, if that was no reset.
  logic       after, was_ps_mem;
  logic [1:0] was_ps_class;

  always_ff @(posedge clk_i) begin : p_was
    after        <= rst_ni;
    was_ps_class <= ps_class_o;
    was_ps_mem   <= ps_mem_o;
  end

  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
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
      SameActive: assert (!after || (was_ps_class == ballast_pkg::PsActive) ==
                                    (lcs_class_o == ballast_pkg::LcsActive));
      SameIdle:   assert (!after || (was_ps_class == ballast_pkg::PsIdle) ==
                                    (lcs_class_o == ballast_pkg::LcsIdle));
      // PS-2: only a stall has a tag.
      TagOfStall: assert (!ps_mem_o || ps_class_o == ballast_pkg::PsScoreboard ||
                          ps_class_o == ballast_pkg::PsPipeline);
      // LCS section 3: waiting for the memory is what Perf-Sat calls a scoreboard stall of it.
      MemStall:   assert (!after || lcs_class_o != ballast_pkg::LcsMemStall ||
                          (was_ps_class == ballast_pkg::PsScoreboard && was_ps_mem));
    end
  end
`endif

endmodule

`default_nettype wire
