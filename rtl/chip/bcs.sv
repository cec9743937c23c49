// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// bcs: what the next CTA of a grid is to block CTA scheduling: the first one of a pair of neighbours,
// the second one, or one that goes alone (BCS-1, BCS-2, BCS-A1, BCS-A2, BCS-A4). A part of gwde, which
// chooses the SM.
//
// Timing: `first_o` and `alone_o` hang on `last_i` in the same cycle. The other outputs come from
// registers. A CTA that is taken at a rising edge shows in the next cycle.
//
// doc/blocks/bcs.md

`default_nettype none

module bcs #(
  parameter int PairRowWrap = 1  // pairs 1 over the whole grid, 0 in each row anew (BCS-A1)
) (
  input  wire         clk_i,
  input  wire         rst_ni,

  // A kernel starts
  input  wire         start_i,
  input  wire         pairs_i,  // its CTAs go in pairs
  input  wire  [31:0] width_i,  // CTAs in a row of its grid

  input  wire         last_i,   // the next CTA is the last one of the grid
  input  wire         take_i,   // the next CTA is chosen
  input  wire         alone_i,  // and goes alone, though it could open a pair

  output logic        on_o,     // CTAs go in pairs; then the next one
  output logic        first_o,  // may open a pair
  output logic        second_o, // is the second one of a pair
  output logic        alone_o   // goes alone
);

  logic on_q, on_d;
  logic odd_q, odd_d;      // the place of the next CTA
  logic split_q, split_d;  // the CTA before it went alone

  //////////////////////////////////////////////////////////////////////////////
  // The rows of the grid

  logic row_end;  // the next CTA is the last one of its row
  logic step;

  assign step = take_i && on_q;

  logic [31:0] row_q, row_d;      // CTAs that are left of the row
  logic [31:0] width_q, width_d;

  if (PairRowWrap == 0) begin : gen_rows
    assign row_end = row_q == 32'd1;
    assign width_d = start_i ? width_i : width_q;
    assign row_d   = start_i ? width_i :
                     !step   ? row_q :
                     row_end ? width_q : row_q - 32'd1;
  end else begin : gen_linear
    logic unused_width;
    assign unused_width = ^{width_i, row_q, width_q};
    assign row_end = 1'b0;
    assign width_d = '0;
    assign row_d   = '0;
  end

  //////////////////////////////////////////////////////////////////////////////
  // What the next CTA is

  logic ends;

  assign ends     = last_i || row_end;
  assign on_o     = on_q;
  assign first_o  = on_q && !odd_q && !ends;
  assign second_o = on_q && odd_q && !split_q;
  assign alone_o  = on_q && (odd_q ? split_q : ends);

  always_comb begin : p_next
    on_d    = on_q;
    odd_d   = odd_q;
    split_d = split_q;
    if (start_i) begin
      on_d    = pairs_i;
      odd_d   = 1'b0;
      split_d = 1'b0;
    end else if (step) begin
      odd_d   = !odd_q && !row_end;
      split_d = !odd_q && (ends || alone_i);
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      on_q    <= 1'b0;
      odd_q   <= 1'b0;
      split_q <= 1'b0;
      row_q   <= '0;
      width_q <= '0;
    end else begin
      on_q    <= on_d;
      odd_q   <= odd_d;
      split_q <= split_d;
      row_q   <= row_d;
      width_q <= width_d;
    end
  end

`ifdef VERILATOR
  // What was in the cycle before, for the assertions.
  logic        after_second_follows, after_second_only, after_place_stays, was_on, was_odd,
               was_split;
  logic [31:0] was_row, was_width;

  always_ff @(posedge clk_i) begin : p_was
    after_second_follows <= rst_ni && first_o && take_i && !alone_i && !start_i;
    after_second_only    <= rst_ni && take_i && !(first_o && !alone_i);
    after_place_stays    <= rst_ni && !start_i && !take_i;
    was_on               <= on_q;
    was_odd              <= odd_q;
    was_split            <= split_q;
    was_row              <= row_q;
    was_width            <= width_q;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // BCS-1: it is one thing where CTAs go in pairs. BCS-2: else it is none.
      OneKind: assert (32'(first_o) + 32'(second_o) + 32'(alone_o) == 32'(on_o));
      // BCS-1: the second CTA of a pair follows the first one.
      SecondFollows: assert (!after_second_follows || second_o);
      SecondOnly: assert (!after_second_only || !second_o);
      // Without a CTA or a kernel it stays.
      PlaceStays: assert (!after_place_stays || (on_q == was_on && odd_q == was_odd &&
          split_q == was_split && row_q == was_row && width_q == was_width));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
