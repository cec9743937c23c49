// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// sm_resources: the account of what the CTAs of an SM hold: CTA slots, warps, registers and shared
// memory (GWDE-2). One per SM, inside gwde.
//
// Timing: `fits_o` and `due_o` are combinational, from the needs and from `cta_done_i`. The other
// outputs come from registers. A launch and a return at a rising edge show in the next cycle.
//
// A CTA that finishes gives back what a launch takes, and only one of them does so per cycle. So each
// resource has one adder, and in a cycle with a launch and a return nothing moves.
//
// doc/blocks/sm_resources.md

`default_nettype none

module sm_resources #(
  parameter int NumSlots  = 8,     // CTA slots, 1..32
  parameter int NumWarps  = 48,    // 1..64
  parameter int RegUnits  = 1024,  // registers of the SM, in units of regs_i, 1..65534
  parameter int SmemUnits = 384    // shared memory, in units of smem_i, 1..65534
) (
  input  wire                                               clk_i,
  input  wire                                               rst_ni,

  // What one CTA needs: stays while a slot is held
  input  wire  [$clog2(NumWarps+2)-1:0]                     warps_i,
  input  wire  [$clog2(RegUnits+2)-1:0]                     regs_i,
  input  wire  [$clog2(SmemUnits+2)-1:0]                    smem_i,

  input  wire                                               take_i,  // a CTA is launched, if it fits
  input  wire  [NumSlots-1:0]                               cta_done_i,

  output logic                                              fits_o,
  output logic [$clog2(NumSlots+1/NumSlots)-1:0]            slot_o,    // the lowest free one
  output logic [$clog2(NumSlots+1)-1:0]                     count_o,   // slots that are held
  output logic [NumSlots-1:0]                               active_o,  // CTA not finished
  output logic                                              due_o      // something will return
);

  localparam int SlotW  = $clog2(NumSlots + 1 / NumSlots);  // of a single one a bit, too
  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int WarpW  = $clog2(NumWarps + 2);
  localparam int RegW   = $clog2(RegUnits + 2);
  localparam int SmemW  = $clog2(SmemUnits + 2);

  logic [NumSlots-1:0] held_q, held_d;
  logic [NumSlots-1:0] returning_q, returning_d;  // finished, and not given back yet
  logic [LimitW-1:0]   count_q, count_d;
  logic [WarpW-1:0]    warps_q, warps_d;          // what is free
  logic [RegW-1:0]     regs_q, regs_d;
  logic [SmemW-1:0]    smem_q, smem_d;

  //////////////////////////////////////////////////////////////////////////////
  // One slot to launch into, one slot that returns: the lowest bit that is set, by its own negative

  logic [NumSlots-1:0] free, first_free;
  logic [NumSlots-1:0] due, first_due;
  logic                take, back;

  assign free       = ~held_q;
  assign first_free = free & (~free + NumSlots'(1));
  assign due        = held_q & (returning_q | cta_done_i);
  assign first_due  = due & (~due + NumSlots'(1));

  assign fits_o = free != '0 && warps_i <= warps_q && regs_i <= regs_q && smem_i <= smem_q;
  assign take   = take_i && fits_o;
  assign back   = due != '0;

  always_comb begin : p_slot
    slot_o = '0;
    for (int i = 0; i < NumSlots; i++) slot_o = slot_o | ({SlotW{first_free[i]}} & SlotW'(i));
  end

  assign count_o  = count_q;
  assign active_o = held_q & ~returning_q;
  assign due_o    = back;

  //////////////////////////////////////////////////////////////////////////////
  // The account. To take the needs is to add their complement and one

  logic moves;

  assign moves = take != back;

  always_comb begin : p_next
    held_d      = (held_q & ~first_due) | (first_free & {NumSlots{take}});
    returning_d = due & ~first_due;
    count_d     = count_q;
    warps_d     = warps_q;
    regs_d      = regs_q;
    smem_d      = smem_q;
    if (moves) begin
      count_d = count_q + (take ? LimitW'(1) : {LimitW{1'b1}});
      warps_d = warps_q + (warps_i ^ {WarpW{take}}) + WarpW'(take);
      regs_d  = regs_q + (regs_i ^ {RegW{take}}) + RegW'(take);
      smem_d  = smem_q + (smem_i ^ {SmemW{take}}) + SmemW'(take);
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      held_q      <= '0;
      returning_q <= '0;
      count_q     <= '0;
      warps_q     <= WarpW'(NumWarps);
      regs_q      <= RegW'(RegUnits);
      smem_q      <= SmemW'(SmemUnits);
    end else begin
      held_q      <= held_d;
      returning_q <= returning_d;
      count_q     <= count_d;
      warps_q     <= warps_d;
      regs_q      <= regs_d;
      smem_q      <= smem_d;
    end
  end

`ifdef VERILATOR
  // Whether the needs have stayed since the SM was empty, which is the contract.
  logic             stays_q;
  logic [WarpW-1:0] warps_was_q;
  logic [RegW-1:0]  regs_was_q;
  logic [SmemW-1:0] smem_was_q;
  logic             stays;

  assign stays = stays_q && (held_q == '0 ||
                 (warps_i == warps_was_q && regs_i == regs_was_q && smem_i == smem_was_q));

  always_ff @(posedge clk_i) begin : p_stays
    stays_q     <= !rst_ni || stays;
    warps_was_q <= warps_i;
    regs_was_q  <= regs_i;
    smem_was_q  <= smem_i;
  end

  // A CTA that has finished holds its slot until it has returned.
  ReturningHeld: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (returning_q & ~held_q) == '0);
  CountHeld: assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(count_q) == $countones(held_q));
  // GWDE-2: what is free and what the CTAs hold is what the SM has.
  WarpsConserved: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && stays_q && held_q != '0) |->
      32'(warps_q) + 32'(count_q) * 32'(warps_was_q) == NumWarps);
  RegsConserved: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && stays_q && held_q != '0) |->
      32'(regs_q) + 32'(count_q) * 32'(regs_was_q) == RegUnits);
  SmemConserved: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && stays_q && held_q != '0) |->
      32'(smem_q) + 32'(count_q) * 32'(smem_was_q) == SmemUnits);
  EmptyHasAll: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && stays_q && held_q == '0) |->
      32'(warps_q) == NumWarps && 32'(regs_q) == RegUnits && 32'(smem_q) == SmemUnits);
  // One slot per launch, and one per return.
  OneTaken: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0(held_d & ~held_q) && ((held_d & ~held_q) != '0) == take);
  OneReturned: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0(held_q & ~held_d) && ((held_q & ~held_d) != '0) == back);
`endif

endmodule

`default_nettype wire
