// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// sm_resources: the account of what the CTAs of an SM hold: CTA slots, warps, registers and shared
// memory (GWDE-2). One per SM, inside gwde. In pair mode CTAs come and go in the pairs of slots 2k
// and 2k+1, and what a pair holds comes back when both have finished (BCS-3, BCS-A3).
//
// Timing: `fits_o`, `slot_o` and `due_o` are combinational, from the needs, the inputs of pair mode
// and `cta_done_i`. The other outputs come from registers. A launch and a return at a rising edge show in the next cycle.
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

  // Pairs: stays while a slot is held
  input  wire                                               pair_i,
  input  wire                                               whole_i,   // room for a whole pair
  input  wire                                               second_i,  // the CTA is a second one,
  input  wire  [$clog2(NumSlots+1/NumSlots)-1:0]            first_i,   // of the first in this slot

  output logic                                              fits_o,
  output logic [$clog2(NumSlots+1/NumSlots)-1:0]            slot_o,    // where it goes
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
  // Pairs. Bit 2k of `upper` is that of slot 2k+1, and bit 2k+1 of `x << 1` is that of slot 2k

  logic                whole, second;
  logic [NumSlots-1:0] even;      // slots 2k
  logic [NumSlots-1:0] behind;    // the slot of a second CTA
  logic [NumSlots-1:0] finished;
  logic [NumSlots-1:0] running;   // with the one that is launched
  logic [NumSlots-1:0] waits;     // whose partner runs

  assign even     = NumSlots'(32'h5555_5555);
  assign whole    = pair_i && whole_i;
  assign second   = pair_i && second_i;
  assign behind   = NumSlots'(1) << (first_i | SlotW'(1));
  assign finished = held_q & (returning_q | cta_done_i);
  assign running  = (held_q & ~finished) | (behind & {NumSlots{second}});
  assign waits    = ((running >> 1) & even) | ((running & even) << 1);

  //////////////////////////////////////////////////////////////////////////////
  // One slot to launch into, one slot that returns: the lowest bit that is set, by its own negative

  logic [NumSlots-1:0] free, open, first_open;
  logic [NumSlots-1:0] due, first_due;
  logic                take, back;

  assign free = ~held_q;

  always_comb begin : p_open
    open = free;
    if (second)      open = free & behind;
    else if (whole)  open = free & even & (free >> 1);
    else if (pair_i) open = free & even & ~(held_q >> 1);
  end

  assign first_open = open & (~open + NumSlots'(1));
  assign due        = finished & ~(waits & {NumSlots{pair_i}});
  assign first_due  = due & (~due + NumSlots'(1));

  // What is asked for: the needs, twice for a whole pair
  logic [WarpW:0] ask_warps;
  logic [RegW:0]  ask_regs;
  logic [SmemW:0] ask_smem;

  assign ask_warps = (whole && !second) ? {warps_i, 1'b0} : {1'b0, warps_i};
  assign ask_regs  = (whole && !second) ? {regs_i, 1'b0} : {1'b0, regs_i};
  assign ask_smem  = (whole && !second) ? {smem_i, 1'b0} : {1'b0, smem_i};

  assign fits_o = open != '0 && ask_warps <= {1'b0, warps_q} && ask_regs <= {1'b0, regs_q} &&
                  ask_smem <= {1'b0, smem_q};
  assign take   = take_i && fits_o;
  assign back   = due != '0;

  always_comb begin : p_slot
    slot_o = '0;
    for (int i = 0; i < NumSlots; i++) slot_o = slot_o | ({SlotW{first_open[i]}} & SlotW'(i));
  end

  assign count_o  = count_q;
  assign active_o = held_q & ~returning_q;
  assign due_o    = back;

  //////////////////////////////////////////////////////////////////////////////
  // The account. To take the needs is to add their complement and one

  logic moves;

  assign moves = take != back;

  always_comb begin : p_next
    held_d      = (held_q & ~first_due) | (first_open & {NumSlots{take}});
    returning_d = finished & ~first_due;
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

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // A CTA that has finished holds its slot until it has returned.
      ReturningHeld: assert ((returning_q & ~held_q) == '0);
      CountHeld: assert (32'(count_q) == $countones(held_q));
      // GWDE-2: what is free and what the CTAs hold is what the SM has.
      WarpsConserved: assert (!(stays_q && held_q != '0) ||
          32'(warps_q) + 32'(count_q) * 32'(warps_was_q) == NumWarps);
      RegsConserved: assert (!(stays_q && held_q != '0) ||
          32'(regs_q) + 32'(count_q) * 32'(regs_was_q) == RegUnits);
      SmemConserved: assert (!(stays_q && held_q != '0) ||
          32'(smem_q) + 32'(count_q) * 32'(smem_was_q) == SmemUnits);
      EmptyHasAll: assert (!(stays_q && held_q == '0) || (32'(warps_q) == NumWarps &&
          32'(regs_q) == RegUnits && 32'(smem_q) == SmemUnits));
      // One slot per launch, and one per return.
      OneTaken: assert ($onehot0(held_d & ~held_q) && ((held_d & ~held_q) != '0) == take);
      OneReturned: assert ($onehot0(held_q & ~held_d) && ((held_q & ~held_d) != '0) == back);
      // BCS-A3: in pair mode a CTA does not return while its partner runs, or is launched.
      PairReturns: assert (!pair_i || (held_q & ~held_d & waits) == '0);
      // BCS-1, BCS-A4: in pair mode a CTA goes into an even slot beside nobody, or is a second one.
      PairPlace: assert (!(pair_i && take && !second) ||
          (first_open & even & ~(held_q >> 1)) == first_open);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
