// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// sm_resources: the account of the CTA slots of an SM (GWDE-2). One per SM, inside gwde, which says how
// many CTAs an empty SM has room for. In pair mode CTAs come and go in the pairs of slots 2k and 2k+1,
// and what a pair holds comes back when both have finished (BCS-3, BCS-A3).
//
// Timing: whether the SM may get a CTA, and in which slot, is worked out in one cycle and kept:
// `ready_o`, `whole_o`, `slot_o` come from registers. `fits_o` and `due_o` are combinational. A launch
// and a return at a rising edge show in the next cycle. The second CTA of a pair follows by itself.
//
// doc/blocks/sm_resources.md

`default_nettype none

module sm_resources #(
  parameter int NumSlots = 8  // CTA slots, 1..32
) (
  input  wire                                    clk_i,
  input  wire                                    rst_ni,

  input  wire  [$clog2(NumSlots+1)-1:0]          most_i,   // CTAs that an empty SM has room for
  input  wire                                    may_i,    // the SM asks and its limit lets one in
  input  wire                                    clear_i,  // what was worked out does not hold on
  input  wire                                    take_i,   // a CTA is launched, if the SM is ready
  input  wire  [NumSlots-1:0]                    cta_done_i,

  // Pairs: stays while a slot is held
  input  wire                                    pair_i,
  input  wire                                    whole_i,  // room for a whole pair

  output logic                                   fits_o,   // there is room
  output logic                                   ready_o,  // it may get a CTA now
  output logic                                   whole_o,  // that is the first one of a pair
  output logic                                   second_o, // it gets the second one of a pair
  output logic [$clog2(NumSlots+1/NumSlots)-1:0] slot_o,   // where it goes
  output logic [$clog2(NumSlots+1)-1:0]          count_o,  // slots that are held
  output logic [NumSlots-1:0]                    active_o, // CTA not finished
  output logic                                   due_o     // something will return
);

  localparam int SlotW  = $clog2(NumSlots + 1 / NumSlots);  // of a single one a bit, too
  localparam int LimitW = $clog2(NumSlots + 1);

  logic [NumSlots-1:0] held_q, held_d;
  logic [NumSlots-1:0] returning_q, returning_d;  // finished, and not given back yet
  logic [LimitW-1:0]   count_q, count_d;
  logic [SlotW-1:0]    slot_q, slot_d;            // where the next CTA goes
  logic                ready_q, ready_d;
  logic                whole_q, whole_d;
  logic                second_q, second_d;
  logic                pair_q, pair_d;            // pair mode where a CTA could come last

  logic                take;     // the first CTA, or one that goes alone
  logic                launch;
  logic [NumSlots-1:0] place;    // of this cycle's launch

  assign take   = take_i && ready_q;
  assign launch = take || second_q;
  assign place  = NumSlots'(1) << (slot_q | SlotW'(second_q));

  //////////////////////////////////////////////////////////////////////////////
  // Pairs. Bit 2k of `x >> 1` is that of slot 2k+1, and bit 2k+1 of `x << 1` is that of slot 2k

  logic [NumSlots-1:0] even;      // slots 2k
  logic [NumSlots-1:0] finished;
  logic [NumSlots-1:0] running;   // with the second one that is launched
  logic [NumSlots-1:0] waits;     // whose partner runs

  assign even     = NumSlots'(32'h5555_5555);
  assign finished = held_q & (returning_q | cta_done_i);
  assign running  = (held_q & ~finished) | (place & {NumSlots{second_q}});
  assign waits    = ((running >> 1) & even) | ((running & even) << 1);

  //////////////////////////////////////////////////////////////////////////////
  // One slot to launch into, one slot that returns: the lowest bit that is set, by its own negative

  logic [NumSlots-1:0] free, open, first_open;
  logic [NumSlots-1:0] due, first_due;
  logic                back, room;

  assign free = ~held_q;

  always_comb begin : p_open
    open = free;
    if (pair_i) open = free & even & (whole_i ? free >> 1 : ~(held_q >> 1));
  end

  assign first_open = open & (~open + NumSlots'(1));
  assign due        = finished & ~(waits & {NumSlots{pair_q}});
  assign first_due  = due & (~due + NumSlots'(1));
  assign back       = due != '0;

  // A pair needs two: one below the last place
  assign room   = (pair_i && whole_i) ?
                  (LimitW + 1)'(count_q) + (LimitW + 1)'(1) < (LimitW + 1)'(most_i) :
                  count_q < most_i;
  assign fits_o = room && open != '0;

  //////////////////////////////////////////////////////////////////////////////
  // The next state

  always_comb begin : p_next
    held_d      = (held_q & ~first_due) | (place & {NumSlots{launch}});
    returning_d = finished & ~first_due;
    // Of all this a launch is known last
    if (launch) count_d = back ? count_q : count_q + LimitW'(1);
    else        count_d = back ? count_q - LimitW'(1) : count_q;
    ready_d  = may_i && fits_o && !take_i && !clear_i && !second_q;
    whole_d  = pair_i && whole_i;
    second_d = take && whole_q;
    pair_d   = ready_q ? pair_i : pair_q;
    slot_d   = slot_q;
    if (!take) begin
      slot_d = '0;
      for (int i = 0; i < NumSlots; i++) slot_d = slot_d | ({SlotW{first_open[i]}} & SlotW'(i));
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      held_q      <= '0;
      returning_q <= '0;
      count_q     <= '0;
      slot_q      <= '0;
      ready_q     <= 1'b0;
      whole_q     <= 1'b0;
      second_q    <= 1'b0;
      pair_q      <= 1'b0;
    end else begin
      held_q      <= held_d;
      returning_q <= returning_d;
      count_q     <= count_d;
      slot_q      <= slot_d;
      ready_q     <= ready_d;
      whole_q     <= whole_d;
      second_q    <= second_d;
      pair_q      <= pair_d;
    end
  end

  assign ready_o  = ready_q;
  assign whole_o  = whole_q;
  assign second_o = second_q;
  assign slot_o   = slot_q;
  assign count_o  = count_q;
  assign active_o = held_q & ~returning_q;
  assign due_o    = back;

`ifdef VERILATOR
  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // A CTA that has finished holds its slot until it has returned.
      ReturningHeld: assert ((returning_q & ~held_q) == '0);
      CountHeld: assert (32'(count_q) == $countones(held_q));
      // A launch is into a slot that nothing holds.
      PlaceFree: assert (!(ready_q || second_q) || (place & held_q) == '0);
      OneAtATime: assert (!(ready_q && second_q));
      // One slot per launch, and one per return.
      OneTaken: assert ($onehot0(held_d & ~held_q) && ((held_d & ~held_q) != '0) == launch);
      OneReturned: assert ($onehot0(held_q & ~held_d) && ((held_q & ~held_d) != '0) == back);
      // BCS-A3: in pair mode a CTA does not return while its partner runs, or is launched.
      PairReturns: assert (!pair_q || (held_q & ~held_d & waits) == '0);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
