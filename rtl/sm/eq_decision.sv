// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// eq_decision: Equalizer's decision at the end of an epoch (Algorithm 1; EQ-7..EQ-9, EQ-16). From the
// four sums of eq_counters it makes one CTA more or less, CompAction or MemAction.
//
// Combinational. There is no divider and no multiplier: `Samples` is a power of two, so a threshold in
// warps is shifted up by its logarithm, and is then exactly as wide as a sum.
//
// doc/blocks/eq_decision.md

`default_nettype none

module eq_decision #(
  parameter int NumWarps = 48,  // warp slots, 1..64
  parameter int Samples  = 32,  // samples of an epoch, a power of two, 2..32768
  parameter int AvgMode  = 0    // sums against warps: 0 exact, 1 truncated averages, 2 raw (EQ-A2)
) (
  input  wire  [$clog2(NumWarps*Samples+1)-1:0] active_i,
  input  wire  [$clog2(NumWarps*Samples+1)-1:0] waiting_i,
  input  wire  [$clog2(NumWarps*Samples+1)-1:0] xalu_i,
  input  wire  [$clog2(NumWarps*Samples+1)-1:0] xmem_i,
  input  wire  [$clog2(NumWarps+1)-1:0]         wcta_i,  // warps per CTA

  output logic [2:0]                            branch_o,
  output logic                                  inc_o,
  output logic                                  dec_o,
  output logic                                  comp_o,
  output logic                                  mem_o
);

  localparam int SumW       = $clog2(NumWarps * Samples + 1);
  localparam int SampleBits = $clog2(Samples);
  localparam int CutBits    = (AvgMode == 1) ? SampleBits : 0;  // shifts a sum down to an average
  localparam int ScaleBits  = (AvgMode == 0) ? SampleBits : 0;  // shifts a threshold up to a sum

  logic [SumW-1:0] n_active, n_waiting, n_alu, n_mem;  // what the thresholds are compared with
  logic [SumW-1:0] wcta;                               // threshold

  assign n_active  = active_i >> CutBits;
  assign n_waiting = waiting_i >> CutBits;
  assign n_alu     = xalu_i >> CutBits;
  assign n_mem     = xmem_i >> CutBits;
  assign wcta      = SumW'(wcta_i) << ScaleBits;

  always_comb begin : p_decide
    branch_o = ballast_pkg::EqNone;
    inc_o    = 1'b0;
    dec_o    = 1'b0;
    comp_o   = 1'b0;
    mem_o    = 1'b0;

    if (n_mem > wcta) begin                             // line 7
      branch_o = ballast_pkg::EqDefinitelyMem;
      dec_o    = 1'b1;
      mem_o    = 1'b1;
    end else if (n_alu > wcta) begin                    // line 10
      branch_o = ballast_pkg::EqDefinitelyComp;
      comp_o   = 1'b1;
    end else if (32'(n_mem) > (2 << ScaleBits)) begin   // line 12 (EQ-8)
      branch_o = ballast_pkg::EqLikelyMem;
      mem_o    = 1'b1;
    end else if ({n_waiting, 1'b0} > {1'b0, n_active}) begin  // line 14 (EQ-A3)
      inc_o = 1'b1;
      if (n_alu > n_mem) begin
        branch_o = ballast_pkg::EqWaitComp;
        comp_o   = 1'b1;
      end else begin
        branch_o = ballast_pkg::EqWaitMem;
        mem_o    = 1'b1;
      end
    end else if (n_active == '0) begin                  // line 21 (EQ-16)
      branch_o = ballast_pkg::EqIdle;
      comp_o   = 1'b1;
    end
  end

`ifdef VERILATOR
  // The rule as it reads (EQ-A2): what a sum is measured in, and one warp's worth of it.
  localparam int Divisor = (AvgMode == 1) ? Samples : 1;
  localparam int Scale   = (AvgMode == 0) ? Samples : 1;

  int m_active, m_waiting, m_alu, m_mem, m_wcta;
  assign m_active  = 32'(active_i) / Divisor;
  assign m_waiting = 32'(waiting_i) / Divisor;
  assign m_alu     = 32'(xalu_i) / Divisor;
  assign m_mem     = 32'(xmem_i) / Divisor;
  assign m_wcta    = 32'(wcta_i) * Scale;

  always_comb begin : p_assert
    // Algorithm 1, line by line.
    Line: assert (branch_o == (
        (m_mem > m_wcta)         ? ballast_pkg::EqDefinitelyMem :
        (m_alu > m_wcta)         ? ballast_pkg::EqDefinitelyComp :
        (m_mem > 2 * Scale)      ? ballast_pkg::EqLikelyMem :
        (2 * m_waiting > m_active && m_alu > m_mem) ? ballast_pkg::EqWaitComp :
        (2 * m_waiting > m_active) ? ballast_pkg::EqWaitMem :
        (m_active == 0)          ? ballast_pkg::EqIdle : ballast_pkg::EqNone));
    // EQ-7: one action and one change of numBlocks at most, and no change without an action.
    OneAction:  assert (!(comp_o && mem_o));
    OneChange:  assert (!(inc_o && dec_o));
    WithAction: assert ((comp_o || mem_o) || !(inc_o || dec_o));
    // Algorithm 1: what a line comes with.
    Outcome: assert ({inc_o, dec_o, comp_o, mem_o} == (
        (branch_o == ballast_pkg::EqNone)           ? 4'b0000 :
        (branch_o == ballast_pkg::EqDefinitelyMem)  ? 4'b0101 :
        (branch_o == ballast_pkg::EqDefinitelyComp) ? 4'b0010 :
        (branch_o == ballast_pkg::EqLikelyMem)      ? 4'b0001 :
        (branch_o == ballast_pkg::EqWaitComp)       ? 4'b1010 :
        (branch_o == ballast_pkg::EqWaitMem)        ? 4'b1001 :
        (branch_o == ballast_pkg::EqIdle)           ? 4'b0010 : 4'b1111));
    // EQ-16: an idle SM has no warp that waits.
    Idle: assert (branch_o != ballast_pkg::EqIdle || (m_active == 0 && m_waiting == 0));
  end
`endif

endmodule

`default_nettype wire
