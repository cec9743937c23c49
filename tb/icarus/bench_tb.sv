// SPDX-License-Identifier: Apache-2.0
//
// bench_tb: plays a stimulus file into stall_classifier and perfsat, chained, for measuring how
// fast Icarus is and for proving that it did the same work as somebody else.
//
//   vvp bench.vvp +stim=FILE +cycles=N [+rep=R]
//
// FILE holds one hex word per cycle, from its most significant bit down:
//   kernel_start[0] nmax[7:0] cta_start[31:0] cta_done[31:0] cta_active[31:0]
//   paused[63:0] ws3[63:0] ws2[63:0] ws1[63:0] ws0[63:0]
// that is 425 bits, 107 hex digits. Two reset cycles, then the N cycles R times over without
// another reset. In the end one line:
//
//   icarus cycles=<N*R> hash=<8 hex digits> limit=<limit after the last cycle>
//
// The hash starts at 0; every cycle, just before the rising edge, it becomes
//   {h[30:0], h[31]} + {ps_class[1:0], ps_mem, lcs_class[1:0], limit[7:0], done, sample_end}.

`default_nettype none

module bench_tb;

  parameter int NumWarps = 48;
  parameter int NumSlots = 8;
  parameter int Depth    = 131072;  // most cycles in a stimulus file

  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int StimW  = 425;

  logic [StimW-1:0] mem [0:Depth-1];
  logic [StimW-1:0] stim;

  logic clk, rst_n;

  wire [63:0] ws0          = stim[63:0];
  wire [63:0] ws1          = stim[127:64];
  wire [63:0] ws2          = stim[191:128];
  wire [63:0] ws3          = stim[255:192];
  wire [63:0] paused       = stim[319:256];
  wire [31:0] cta_active   = stim[351:320];
  wire [31:0] cta_done     = stim[383:352];
  wire [31:0] cta_start    = stim[415:384];
  wire [7:0]  nmax         = stim[423:416];
  wire        kernel_start = stim[424];

  wire [1:0]        ps_class, lcs_class;
  wire              ps_mem, done, sample_end;
  wire [LimitW-1:0] limit;
  wire [7:0]        limit8 = {{(8 - LimitW){1'b0}}, limit};

  stall_classifier #(
    .NumWarps(NumWarps)
  ) u_stall_classifier (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .ws0_i      (ws0[NumWarps-1:0]),
    .ws1_i      (ws1[NumWarps-1:0]),
    .ws2_i      (ws2[NumWarps-1:0]),
    .ws3_i      (ws3[NumWarps-1:0]),
    .paused_i   (paused[NumWarps-1:0]),
    .ps_class_o (ps_class),
    .ps_mem_o   (ps_mem),
    .lcs_class_o(lcs_class)
  );

  perfsat #(
    .NumSlots(NumSlots)
  ) u_perfsat (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .enable_i      (1'b1),
    .kernel_start_i(kernel_start),
    .nmax_i        (nmax[LimitW-1:0]),
    .ps_class_i    (ps_class),
    .cta_start_i   (cta_start[NumSlots-1:0]),
    .cta_done_i    (cta_done[NumSlots-1:0]),
    .cta_active_i  (cta_active[NumSlots-1:0]),
    .limit_o       (limit),
    .done_o        (done),
    .sample_end_o  (sample_end)
  );

  reg [8*1024-1:0] file;
  reg [31:0]       hash;
  integer          cycles, rep, r, i;

  initial begin
    if (!$value$plusargs("stim=%s", file) || !$value$plusargs("cycles=%d", cycles)) begin
      $display("bench_tb: needs +stim=FILE +cycles=N [+rep=R]");
      $finish_and_return(2);
    end else if (cycles < 1 || cycles > Depth) begin
      $display("bench_tb: +cycles=%0d is not within 1..%0d", cycles, Depth);
      $finish_and_return(2);
    end else begin
      if (!$value$plusargs("rep=%d", rep)) rep = 1;
      $readmemh(file, mem, 0, cycles - 1);
      for (i = 0; i < cycles; i = i + 1) begin
        if (^mem[i] === 1'bx) begin
          $display("bench_tb: no stimulus for cycle %0d of %0d in %0s", i, cycles, file);
          $finish_and_return(1);
          #1;  // where the run ends
        end
      end

      hash  = 0;
      stim  = 0;
      clk   = 0;
      rst_n = 0;
      for (i = 0; i < 2; i = i + 1) begin
        #1 clk = 1;
        #1 clk = 0;
      end
      rst_n = 1;

      for (r = 0; r < rep; r = r + 1) begin
        for (i = 0; i < cycles; i = i + 1) begin
          stim = mem[i];
          #1 hash = {hash[30:0], hash[31]} +
                    {17'b0, ps_class, ps_mem, lcs_class, limit8, done, sample_end};
          clk = 1;
          #1 clk = 0;
        end
      end

      $display("icarus cycles=%0d hash=%08x limit=%0d", cycles * rep, hash, limit);
    end
  end

endmodule

`default_nettype wire
