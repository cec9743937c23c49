// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// dyncta: moves an SM's CTA limit by one after every period, by how many of its cycles were idle
// and how many waited for memory (DYN-1..DYN-4). The limit moves for the whole kernel.
//
// Timing: `limit_o` comes straight from a register; a decision at a rising edge shows in the next
// cycle. `sample_end_o` is combinational. Kernel start beats everything else. While `enable_i` is
// 0, no register changes and nothing is reported; kernel starts are missed.
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

  // Thresholds, read only with sample_end_o.
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
  logic [TimerW-1:0] timer_q, timer_d;  // cycles of this period that are over
  logic [CountW-1:0] idle_q, idle_d;    // how many of them were idle
  logic [CountW-1:0] mem_q, mem_d;      // how many of them waited for memory

  logic start, counts, over;
  logic idle_now, mem_now;  // this cycle's class

  assign start    = enable_i && kernel_start_i;
  assign counts   = enable_i && !kernel_start_i && nmax_q != '0;
  assign over     = start || sample_end_o;  // what has been counted is
  assign idle_now = lcs_class_i == ballast_pkg::LcsIdle;
  assign mem_now  = lcs_class_i == ballast_pkg::LcsMemStall;

  assign limit_o      = limit_q;
  assign sample_end_o = counts && timer_q == TimerW'(Period - 1);

  //////////////////////////////////////////////////////////////////////////////
  // The class is what comes last in a cycle, from the states of all warps. Everything is worked out
  // for a cycle that counts and for one that does not, and the class chooses.

  logic [CountW-1:0] idle_more, mem_more;         // this cycle counted, too
  logic [LimitW-1:0] limit_up, limit_down;        // within 1..nmax
  logic [LimitW-1:0] limit_mem, limit_else;       // after a sample whose last cycle waits, or not
  logic              idle_least, idle_high;       // at least the threshold; more than it
  logic              mem_least, mem_high, mem_low;
  logic              reaches_l;                   // mem_more is t_mem_l_i
  logic [CountW-1:0] differs;

  assign idle_more  = idle_q + CountW'(1);
  assign mem_more   = mem_q + CountW'(1);
  assign limit_up   = (limit_q != nmax_q) ? limit_q + LimitW'(1) : limit_q;
  assign limit_down = (limit_q != LimitW'(1)) ? limit_q - LimitW'(1) : limit_q;

  // DYN-2, DYN-3: the first that holds. A waiting cycle is not idle. One comparison per threshold:
  // a count that grows is above it from equality on, and below it until it gets there. (Where a
  // count would wrap it is 0 and above nothing. No run comes there.)
  always_comb begin : p_limits
    idle_least = 1'b0;
    idle_high  = 1'b0;
    mem_least  = 1'b0;
    mem_high   = 1'b0;
    mem_low    = 1'b0;
    differs    = '0;
    reaches_l  = 1'b0;
    limit_mem  = limit_q;
    limit_else = limit_q;

    if (sample_end_o) begin
      idle_least = idle_q >= t_idle_i;
      idle_high  = idle_least && idle_q != t_idle_i;
      mem_least  = mem_q >= t_mem_h_i;
      mem_high   = mem_least && mem_q != t_mem_h_i;
      mem_low    = mem_q < t_mem_l_i;
      // Without a carry: a bit differs exactly where all lower ones are 1.
      differs    = mem_q ^ t_mem_l_i;
      reaches_l  = differs == ((differs & mem_q) << 1 | CountW'(1));

      if (idle_high || ((mem_low || &mem_q) && !reaches_l)) limit_mem = limit_up;
      else if (mem_least && !(&mem_q))                        limit_mem = limit_down;

      if (idle_now ? idle_least && !(&idle_q) : idle_high) limit_else = limit_up;
      else if (mem_low)                                    limit_else = limit_up;
      else if (mem_high)                                   limit_else = limit_down;
    end
  end

  always_comb begin : p_next
    limit_d = limit_q;
    nmax_d  = nmax_q;
    timer_d = timer_q;

    if (start) begin
      nmax_d  = nmax_i;
      limit_d = (nmax_i == LimitW'(1)) ? nmax_i : nmax_i >> 1;  // DYN-1
      timer_d = '0;
    end else begin
      limit_d = mem_now ? limit_mem : limit_else;
      if (sample_end_o) timer_d = '0;
      else if (counts)  timer_d = timer_q + TimerW'(1);
    end
  end

  assign idle_d = over ? '0 : (counts && idle_now) ? idle_more : idle_q;
  assign mem_d  = over ? '0 : (counts && mem_now) ? mem_more : mem_q;

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
  // On the inputs: a kernel does not hold more CTAs than there are slots.
  NmaxLegal: assert property (@(posedge clk_i) disable iff (!rst_ni)
      start |-> 32'(nmax_i) <= NumSlots);
  // Without the enable nothing moves and no sample is reported.
  EnableHolds: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && !enable_i) |=> $stable({limit_q, nmax_q, timer_q, idle_q, mem_q}));
  EnableEvents: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !enable_i |-> !sample_end_o);
  // The limit stays within 1..nmax, and is 0 only without a kernel that could run.
  LimitRange: assert property (@(posedge clk_i) disable iff (!rst_ni)
      limit_q <= nmax_q && (limit_q != '0 || nmax_q == '0));
  // DYN-3: the limit moves with a kernel or a sample only, and with a sample by one.
  LimitMoves: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && !start && !sample_end_o) |=> $stable(limit_q));
  LimitStep: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && sample_end_o) |=> limit_q == $past(limit_q) ||
      limit_q == $past(limit_q) + LimitW'(1) || limit_q == $past(limit_q) - LimitW'(1));
  // DYN-2: a sample is Period cycles, and none without a kernel that could run.
  TimerRange: assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(timer_q) < Period && (nmax_q != '0 || timer_q == '0));
  // DYN-4: a cycle is idle or waits or neither, so that the counts need not saturate.
  CountRange: assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(idle_q) + 32'(mem_q) <= 32'(timer_q));
`endif

endmodule

`default_nettype wire
