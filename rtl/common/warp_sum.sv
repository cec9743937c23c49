// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// warp_sum: adds to a number how many warps are in a set, and twice how many are in another set.
// eq_counters sums a set over samples with it. stall_classifier compares two sets with it: the sum
// carries when one set is larger.
//
// The circuit is a tree of full adders by weight (Wallace). A layer turns three bits of one weight
// into one bit of this weight and one of the next, for all weights at once. The number joins the
// layer at which it can have arrived. The bits above `Low`, which no set reaches, only count up.
// Synthesis, which defines SYNTHESIS, always gets the tree, because Yosys makes slower and larger
// trees of `$countones`: with it stall_classifier has 4897 instead of 3394 NAND2 and 32.8 instead of
// 27.8 FO4 (fermi). A simulator gets `$countones`, a few instructions and only in a cycle that needs
// the sum, unless BALLAST_TREE is defined.
//
// Combinational.

`default_nettype none

module warp_sum #(
  parameter int NumWarps = 48,  // 1..64
  parameter int SumW     = 11,  // sum_o is modulo 2^SumW
  parameter int Twos     = 0    // twos_i is read
) (
  input  wire                 on_i,    // 0: sum_o is base_i
  input  wire  [NumWarps-1:0] ones_i,
  input  wire  [NumWarps-1:0] twos_i,
  input  wire  [SumW-1:0]     base_i,
  output logic [SumW-1:0]     sum_o
);

`ifndef SYNTHESIS
`ifndef BALLAST_TREE
`define BALLAST_COUNT
`endif
`endif

`ifdef BALLAST_COUNT

  always_comb begin : p_count
    sum_o = base_i;
    if (on_i) begin
      sum_o = base_i + SumW'($countones(ones_i));
      if (Twos != 0) sum_o = sum_o + (SumW'($countones(twos_i)) << 1);
    end
  end

`undef BALLAST_COUNT
`else

  localparam int Most   = (Twos != 0) ? 3 * NumWarps : NumWarps;
  localparam int Reach  = $clog2(Most + 1);  // bits that the sets fill
  localparam int Low    = (Reach < SumW) ? Reach : SumW;
  localparam int Layers = 12;                // more than 64 warps need: a layer may have nothing to do
  localparam int Join   = (NumWarps > 4) ? 2 : 0;  // the layer that base_i joins: so few warps have no other
  localparam int Cols   = Low + 1;           // weights; the last one collects carries
  localparam int Rows   = 2 * NumWarps + 2;  // bits of a weight at most

  // By layer and weight: how many bits come in, and how many adders take three of them each. Two
  // bits also get an adder where every lower weight is down to one bit.
  function automatic [(Layers+1)*Cols*16-1:0] tree(input integer join_layer);
    integer l, c, bits, adders, left, carries;
    reg     low_done;
    begin
      tree       = '0;
      tree[0+:8] = 8'(NumWarps);
      if (Twos != 0) tree[16+:8] = 8'(NumWarps);
      for (l = 0; l < Layers; l = l + 1) begin
        low_done = l > join_layer;
        carries  = 0;
        for (c = 0; c < Cols; c = c + 1) begin
          bits = 32'(tree[(l*Cols+c)*16+:8]) + ((l == join_layer && c < Low) ? 1 : 0);
          if (c == Low)                   adders = 0;
          else if (bits == 2 && low_done) adders = 1;
          else                            adders = bits / 3;
          left = (3 * adders > bits) ? 0 : bits - 3 * adders;
          tree[(l*Cols+c)*16+:8]     = 8'(bits);
          tree[(l*Cols+c)*16+8+:8]   = 8'(adders);
          tree[((l+1)*Cols+c)*16+:8] = 8'(left + adders + carries);
          low_done = low_done && bits < 2;
          carries  = adders;
        end
      end
    end
  endfunction

  localparam [(Layers+1)*Cols*16-1:0] Tree = tree(Join);

  // verilator lint_off UNOPTFLAT
  // A layer reads the one before: no bit depends on itself.
  logic [(Layers+1)*Cols*Rows-1:0] n;  // by layer, by weight, the earliest first; 0 where there is none

  for (genvar l = 0; l <= Layers; l++) begin : gen_layer
    for (genvar c = 0; c < Cols; c++) begin : gen_col
      localparam int At   = (l * Cols + c) * Rows;
      localparam int From = At - Cols * Rows;                            // the same weight, before
      localparam int Bits = 32'(Tree[(l*Cols+c)*16+:8]);
      localparam int Own  = (l == Join && c < Low) ? Bits - 1 : Bits;    // without base_i's
      localparam int Sums = (l == 0) ? 0 : 32'(Tree[((l-1)*Cols+c)*16+8+:8]);
      localparam int Cys  = (l == 0 || c == 0) ? 0 : 32'(Tree[((l-1)*Cols+c-1)*16+8+:8]);
      localparam int Rest = Own - Sums - Cys;

      if (l == 0) begin : gen_in
        if (c == 0) begin : gen_ones
          assign n[At+:NumWarps] = ones_i;
        end else if (c == 1 && Twos != 0) begin : gen_twos
          assign n[At+:NumWarps] = twos_i;
        end
      end else begin : gen_add
        if (Rest != 0) begin : gen_rest
          assign n[At+:Rest] = n[From+3*Sums+:Rest];
        end
        for (genvar k = 0; k < Cys; k++) begin : gen_carry
          localparam int X = From - Rows + 3 * k;
          assign n[At+Rest+Sums+k] = (n[X] & n[X+1]) | (n[X+2] & (n[X] | n[X+1]));
        end
        for (genvar k = 0; k < Sums; k++) begin : gen_sum
          localparam int X = From + 3 * k;
          assign n[At+Rest+k] = n[X] ^ n[X+1] ^ n[X+2];
        end
      end
      if (Own != Bits) begin : gen_base
        assign n[At+Own] = base_i[c];
      end
      assign n[At+Rows-1:At+Bits] = '0;
    end
  end

  // verilator lint_on UNOPTFLAT

  if (Twos == 0) begin : gen_no_twos
    logic unused_twos;
    assign unused_twos = ^twos_i;
  end

  // Two bits per weight are left. At most one of the carries beyond Low is 1.
  logic [Low-1:0] first, second;
  logic [Low:0]   total;
  logic           beyond;

  for (genvar c = 0; c < Low; c++) begin : gen_rows
    assign first[c]  = n[(Layers*Cols+c)*Rows];
    assign second[c] = n[(Layers*Cols+c)*Rows+1];
  end
  assign total  = {1'b0, first} + {1'b0, second};
  assign beyond = total[Low] || n[(Layers*Cols+Low)*Rows+:Rows] != '0;

  // on_i selects last, because it may arrive as late as the sum.
  assign sum_o[Low-1:0] = on_i ? total[Low-1:0] : base_i[Low-1:0];
  if (SumW > Low) begin : gen_high
    logic [SumW-Low-1:0] more;
    assign more              = on_i ? base_i[SumW-1:Low] + (SumW - Low)'(1) : base_i[SumW-1:Low];
    assign sum_o[SumW-1:Low] = beyond ? more : base_i[SumW-1:Low];
  end else begin : gen_no_high
    logic unused_beyond;
    assign unused_beyond = beyond;
  end

`endif

endmodule

`default_nettype wire
