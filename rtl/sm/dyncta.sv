// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// dyncta: moves the CTA limit of an SM by at most one after each sampling period. The direction
// depends on how many cycles of the period were idle and how many waited for memory (DYN-1..DYN-4).
// The limit moves during the whole kernel.
//
// Timing: `limit_o` comes straight from a register; a decision at a rising edge shows in the next
// cycle. `sample_end_o` is combinational. A kernel start has priority over everything else. While
// `enable_i` is 0, no register changes and nothing is reported; a kernel start is missed.
// `lcs_class_i` selects last: it may arrive late in the cycle.
//
// doc/blocks/dyncta.md

`default_nettype none

module dyncta #(
  parameter int NumSlots = 8,    // CTA slots of the SM, 1..32
  parameter int Period   = 2048  // cycles of a sampling period, 2..65536 (DYN-2)
) (
  input  wire                           clk_i,
  input  wire                           rst_ni,
  input  wire                           enable_i,

  input  wire                           kernel_start_i,
  input  wire  [$clog2(NumSlots+1)-1:0] nmax_i,  // read only with kernel_start_i
  input  wire  [1:0]                    lcs_class_i,

  // Thresholds, read only with sample_end_o
  input  wire  [$clog2(Period+1)-1:0]   t_idle_i,   // more idle cycles: one CTA more
  input  wire  [$clog2(Period+1)-1:0]   t_mem_l_i,  // fewer waiting cycles: one CTA more
  input  wire  [$clog2(Period+1)-1:0]   t_mem_h_i,  // more waiting cycles: one CTA fewer

  output logic [$clog2(NumSlots+1)-1:0] limit_o,
  output logic                          sample_end_o
);

  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int CountW = $clog2(Period + 1);
  localparam int TimerW = $clog2(Period);

  logic [LimitW-1:0] limit_q, limit_d;
  logic [LimitW-1:0] nmax_q, nmax_d;
  logic [TimerW-1:0] timer_q, timer_d;  // cycles of this period so far
  logic [CountW-1:0] idle_q, idle_d;    // idle ones among them
  logic [CountW-1:0] mem_q, mem_d;      // those that waited for memory

  logic start, counts;      // a kernel starts; the cycle belongs to a period
  logic idle_now, mem_now;  // class of this cycle

  assign start  = enable_i && kernel_start_i;
  assign counts = enable_i && !kernel_start_i && nmax_q != '0;

  assign idle_now = lcs_class_i == ballast_pkg::LcsIdle;
  assign mem_now  = lcs_class_i == ballast_pkg::LcsMemStall;

  assign limit_o      = limit_q;
  assign sample_end_o = counts && timer_q == TimerW'(Period - 1);

  //////////////////////////////////////////////////////////////////////////////
  // The last cycle of a period counts, too. Its class comes last: whether the count with this cycle is
  // above or below a threshold follows from the count without it, and from equality.

  logic [CountW-1:0] idle_more, mem_more;             // with this cycle
  logic              idle_above, mem_below, mem_above;

  assign idle_more  = idle_q + CountW'(1);
  assign mem_more   = mem_q + CountW'(1);
  assign idle_above = idle_q > t_idle_i || (idle_now && idle_q == t_idle_i);
  assign mem_below  = mem_q < t_mem_l_i && !(mem_now && mem_more == t_mem_l_i);
  assign mem_above  = mem_q > t_mem_h_i || (mem_now && mem_q == t_mem_h_i);

  always_comb begin : p_next
    limit_d = limit_q;
    nmax_d  = nmax_q;
    timer_d = timer_q;
    idle_d  = idle_q;
    mem_d   = mem_q;

    if (start) begin
      nmax_d  = nmax_i;
      limit_d = (nmax_i == LimitW'(1)) ? nmax_i : nmax_i >> 1;  // DYN-1
      timer_d = '0;
      idle_d  = '0;
      mem_d   = '0;
    end else if (sample_end_o) begin
      timer_d = '0;
      idle_d  = '0;
      mem_d   = '0;
      // DYN-2, DYN-3: the first condition that holds decides. The limit stays within 1..nmax.
      if (idle_above || mem_below) begin
        if (limit_q != nmax_q) limit_d = limit_q + LimitW'(1);
      end else if (mem_above) begin
        if (limit_q != LimitW'(1)) limit_d = limit_q - LimitW'(1);
      end
    end else if (counts) begin
      timer_d = timer_q + TimerW'(1);
      if (idle_now) idle_d = idle_more;
      if (mem_now)  mem_d  = mem_more;
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      limit_q <= '0;
      nmax_q  <= '0;
      timer_q <= '0;
      idle_q  <= '0;
      mem_q   <= '0;
    end else begin
      limit_q <= limit_d;
      nmax_q  <= nmax_d;
      timer_q <= timer_d;
      idle_q  <= idle_d;
      mem_q   <= mem_d;
    end
  end

`ifdef VERILATOR
  // What was in the cycle before, for the assertions.
  logic              after_limit_moves, after_limit_step;
  logic [LimitW-1:0] was_limit;

  always_ff @(posedge clk_i) begin : p_was
    after_limit_moves <= rst_ni && !start && !sample_end_o;
    was_limit         <= limit_q;
    after_limit_step  <= rst_ni && sample_end_o;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // On the inputs: a kernel does not hold more CTAs than there are slots.
      NmaxLegal: assert (!start || 32'(nmax_i) <= NumSlots);
      // Without the enable no sample is reported.
      EnableEvents: assert (enable_i || !sample_end_o);
      // The limit stays within 1..nmax, and is 0 only without a kernel that could run.
      LimitRange: assert (limit_q <= nmax_q && (limit_q != '0 || nmax_q == '0));
      // DYN-3: the limit moves with a kernel or a sample only, and with a sample by one.
      LimitMoves: assert (!after_limit_moves || limit_q == was_limit);
      LimitStep: assert (!after_limit_step || (limit_q == was_limit ||
          limit_q == was_limit + LimitW'(1) || limit_q == was_limit - LimitW'(1)));
      // DYN-2: a sample is Period cycles, and none without a kernel that could run.
      TimerRange: assert (32'(timer_q) < Period && (nmax_q != '0 || timer_q == '0));
      // DYN-4: a cycle is counted at most once, so the counts need not saturate.
      CountRange: assert (32'(idle_q) + 32'(mem_q) <= 32'(timer_q));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
