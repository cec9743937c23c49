// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// cke_resources: the account of what the CTAs of several kernels hold of an SM: CTA slots, warps, registers
// and shared memory (GWDE-2, CKE-A1). One per SM, inside mcke. A slot remembers whose CTA it has, so that
// a CTA gives back what its own kernel's CTAs need.
//
// Timing: which kernels may get a CTA is worked out in one cycle and kept: `ready_o` is straight from
// registers. `fits_o`, `slot_o` and `due_o` are combinational, from registers, the needs and `cta_done_i`.
// A launch fills its slot at the edge. What it holds is counted an edge later, and so is what a CTA that
// has finished gives back.
//
// One slot is filled or returns per cycle, so one adder per resource and one choice among the needs do.
//
// doc/blocks/cke_resources.md

`default_nettype none

module cke_resources #(
  parameter int NumKernels = 2,     // kernels that may share the SM, 2..4
  parameter int NumSlots   = 8,     // CTA slots, 1..32
  parameter int NumWarps   = 48,    // 1..64
  parameter int RegUnits   = 1024,  // registers of the SM, in units of regs_i, 1..65534
  parameter int SmemUnits  = 384    // shared memory, in units of smem_i, 1..65534
) (
  input  wire                                            clk_i,
  input  wire                                            rst_ni,

  // What one CTA of each kernel needs: stays while that kernel holds a slot or is counted
  input  wire  [NumKernels*$clog2(NumWarps+2)-1:0]       warps_i,
  input  wire  [NumKernels*$clog2(RegUnits+2)-1:0]       regs_i,
  input  wire  [NumKernels*$clog2(SmemUnits+2)-1:0]      smem_i,

  input  wire  [NumKernels-1:0]                          may_i,     // the SM may get one of each kernel
  input  wire                                            take_i,    // a CTA that fits is launched,
  input  wire  [$clog2(NumKernels)-1:0]                  kernel_i,  // of this kernel
  input  wire  [NumSlots-1:0]                            cta_done_i,

  output logic [NumKernels-1:0]                          fits_o,
  output logic [NumKernels-1:0]                          ready_o,   // it may get one now
  output logic                                           taken_o,   // a CTA was launched, not counted yet
  output logic [$clog2(NumSlots+1/NumSlots)-1:0]         slot_o,    // where it goes
  output logic [NumKernels*$clog2(NumSlots+1)-1:0]       ctas_o,    // CTAs of each kernel
  output logic [$clog2(NumSlots+1)-1:0]                  count_o,   // CTAs of all kernels
  output logic [NumSlots*$clog2(NumKernels)-1:0]         owner_o,   // the kernel of each slot that is held
  output logic [NumSlots-1:0]                            active_o,  // CTA not finished
  output logic                                           due_o,     // something will return
  output logic [$clog2(RegUnits+2)-1:0]                  free_regs_o,
  output logic [$clog2(SmemUnits+2)-1:0]                 free_smem_o
);

  localparam int KernW  = $clog2(NumKernels);
  localparam int SlotW  = $clog2(NumSlots + 1 / NumSlots);  // of a single one a bit, too
  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int WarpW  = $clog2(NumWarps + 2);
  localparam int RegW   = $clog2(RegUnits + 2);
  localparam int SmemW  = $clog2(SmemUnits + 2);

  logic [NumSlots-1:0]       held_q, held_d;
  logic [NumSlots-1:0]       returning_q, returning_d;  // finished, and not given back yet
  logic [NumSlots*KernW-1:0] owner_q, owner_d;
  logic [NumKernels-1:0]     ready_q, ready_d;
  logic [NumKernels-1:0]     move_q, move_d;            // whose CTA came or went, not counted yet
  logic                      taken_q, taken_d;          // it came
  (* mem2reg *)                                        // Yosys makes registers of it without a warning
  logic [LimitW-1:0]         ctas_q [NumKernels];
  logic [WarpW-1:0]          warps_q, warps_d;          // what is free
  logic [RegW-1:0]           regs_q, regs_d;
  logic [SmemW-1:0]          smem_q, smem_d;

  //////////////////////////////////////////////////////////////////////////////
  // One slot to launch into, one slot that returns: the lowest bit that is set, by its own negative

  logic [NumSlots-1:0] free, first_free;
  logic [NumSlots-1:0] finished, first_back;

  assign free       = ~held_q;
  assign first_free = free & (~free + NumSlots'(1));
  assign finished   = held_q & (returning_q | cta_done_i);
  assign first_back = finished & (~finished + NumSlots'(1));

  always_comb begin : p_slot
    slot_o = '0;
    for (int i = 0; i < NumSlots; i++) slot_o = slot_o | ({SlotW{first_free[i]}} & SlotW'(i));
  end

  //////////////////////////////////////////////////////////////////////////////
  // The kernels: who launches, who gets back: one at most. What the CTA before needs has to be counted
  // before the next one can fit. That this one fits was known when its kernel was found ready.

  logic [NumKernels-1:0] fits, asked, back;
  logic                  able, take;

  for (genvar k = 0; k < NumKernels; k++) begin : gen_kernel
    logic [NumSlots-1:0] own;
    logic [LimitW-1:0]   ctas;

    for (genvar i = 0; i < NumSlots; i++) begin : gen_own
      assign own[i] = owner_q[i*KernW+:KernW] == KernW'(k);
    end
    assign back[k]  = (first_back & own) != '0;
    assign asked[k] = kernel_i == KernW'(k);
    assign fits[k]  = free != '0 && warps_i[k*WarpW+:WarpW] <= warps_q &&
                      regs_i[k*RegW+:RegW] <= regs_q && smem_i[k*SmemW+:SmemW] <= smem_q;
    assign ctas     = ctas_q[k];
    assign ctas_o[k*LimitW+:LimitW] = ctas;

    always_ff @(posedge clk_i) begin : p_ctas
      if (!rst_ni)        ctas_q[k] <= '0;
      else if (move_q[k]) ctas_q[k] <= ctas + (taken_q ? LimitW'(1) : {LimitW{1'b1}});
    end
  end

  assign able = asked != '0 && free != '0 && !taken_q;
  assign take = take_i && able;

  always_comb begin : p_count
    count_o = '0;
    for (int k = 0; k < NumKernels; k++) count_o = count_o + ctas_o[k*LimitW+:LimitW];
  end

  assign fits_o      = fits;
  assign ready_o     = ready_q;
  assign taken_o     = taken_q;
  assign owner_o     = owner_q;
  assign active_o    = held_q & ~returning_q;
  assign due_o       = finished != '0 || (move_q != '0 && !taken_q);
  assign free_regs_o = regs_q;
  assign free_smem_o = smem_q;

  //////////////////////////////////////////////////////////////////////////////
  // The account: what the CTA that came or went needs, taken or given back. A subtraction adds the
  // inverse and 1, which is the carry out of a bit below: one adder does both.

  logic [WarpW-1:0] warps_need;
  logic [RegW-1:0]  regs_need;
  logic [SmemW-1:0] smem_need;
  logic             unused_warps, unused_regs, unused_smem;

  always_comb begin : p_needs
    warps_need = '0;
    regs_need  = '0;
    smem_need  = '0;
    for (int k = 0; k < NumKernels; k++) begin
      warps_need = warps_need | ({WarpW{move_q[k]}} & warps_i[k*WarpW+:WarpW]);
      regs_need  = regs_need | ({RegW{move_q[k]}} & regs_i[k*RegW+:RegW]);
      smem_need  = smem_need | ({SmemW{move_q[k]}} & smem_i[k*SmemW+:SmemW]);
    end
  end

  assign {warps_d, unused_warps} = {warps_q, 1'b1} + {warps_need ^ {WarpW{taken_q}}, taken_q};
  assign {regs_d, unused_regs}   = {regs_q, 1'b1} + {regs_need ^ {RegW{taken_q}}, taken_q};
  assign {smem_d, unused_smem}   = {smem_q, 1'b1} + {smem_need ^ {SmemW{taken_q}}, taken_q};

  always_comb begin : p_next
    // Of all this take_i is known last. Nobody reads returning_q of a slot that is not held, and it is 0
    // before that is held again
    held_d      = take ? held_q | first_free : held_q & ~first_back;
    returning_d = finished;
    ready_d     = may_i & fits & {NumKernels{!taken_q && !take}};
    move_d      = take ? asked : back;
    taken_d     = take;
  end

  // Nobody reads whose a slot is that nothing holds, so a launch need not be waited for
  for (genvar i = 0; i < NumSlots; i++) begin : gen_owner
    assign owner_d[i*KernW+:KernW] = first_free[i] ? kernel_i : owner_q[i*KernW+:KernW];
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      held_q      <= '0;
      returning_q <= '0;
      owner_q     <= '0;
      ready_q     <= '0;
      move_q      <= '0;
      taken_q     <= 1'b0;
      warps_q     <= WarpW'(NumWarps);
      regs_q      <= RegW'(RegUnits);
      smem_q      <= SmemW'(SmemUnits);
    end else begin
      held_q      <= held_d;
      returning_q <= returning_d;
      owner_q     <= owner_d;
      ready_q     <= ready_d;
      move_q      <= move_d;
      taken_q     <= taken_d;
      warps_q     <= warps_d;
      regs_q      <= regs_d;
      smem_q      <= smem_d;
    end
  end

`ifdef VERILATOR
  // Whether the needs of every kernel have stayed while it held a slot or was counted, and what came
  // fitted, which is the contract.
  logic                        stays_q;
  logic [NumKernels*WarpW-1:0] warps_was_q;
  logic [NumKernels*RegW-1:0]  regs_was_q;
  logic [NumKernels*SmemW-1:0] smem_was_q;
  logic [NumKernels-1:0]       moved;
  int                          warps_held, regs_held, smem_held, counted;

  always_comb begin : p_held
    warps_held = 0;
    regs_held  = 0;
    smem_held  = 0;
    counted    = 0;
    moved      = '0;
    for (int k = 0; k < NumKernels; k++) begin
      moved[k] = (ctas_q[k] != '0 || move_q[k]) && (warps_i[k*WarpW+:WarpW] != warps_was_q[k*WarpW+:WarpW] ||
                                     regs_i[k*RegW+:RegW] != regs_was_q[k*RegW+:RegW] ||
                                     smem_i[k*SmemW+:SmemW] != smem_was_q[k*SmemW+:SmemW]);
      warps_held += 32'(ctas_q[k]) * 32'(warps_was_q[k*WarpW+:WarpW]);
      regs_held  += 32'(ctas_q[k]) * 32'(regs_was_q[k*RegW+:RegW]);
      smem_held  += 32'(ctas_q[k]) * 32'(smem_was_q[k*SmemW+:SmemW]);
      counted    += 32'(ctas_q[k]);
    end
  end

  always_ff @(posedge clk_i) begin : p_stays
    stays_q     <= !rst_ni || (stays_q && moved == '0 && (!take || (asked & fits) != '0));
    warps_was_q <= warps_i;
    regs_was_q  <= regs_i;
    smem_was_q  <= smem_i;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // What is held is counted, but for what came or went in the cycle before.
      CountHeld: assert (counted + (move_q == '0 ? 0 : taken_q ? 1 : -1) == $countones(held_q));
      OneMoves: assert ($onehot0(move_q) && (!taken_q || move_q != '0));
      ReadyHasSlot: assert (ready_q == '0 || (!taken_q && free != '0));
      // A slot that has just returned is active again only with another CTA.
      TakenActive: assert ((held_d & ~held_q & returning_d) == '0);
      // GWDE-2, CKE-A1: what is free and what the CTAs of all kernels hold is what the SM has.
      WarpsConserved: assert (!stays_q || 32'(warps_q) + warps_held == NumWarps);
      RegsConserved: assert (!stays_q || 32'(regs_q) + regs_held == RegUnits);
      SmemConserved: assert (!stays_q || 32'(smem_q) + smem_held == SmemUnits);
      // One slot per launch, and one per return, each of one kernel.
      OneTaken: assert ($onehot0(move_d) && $onehot0(held_d & ~held_q) && ((held_d & ~held_q) != '0) == take);
      OneReturned: assert ($onehot0(back) && $onehot0(held_q & ~held_d) &&
          ((held_q & ~held_d) != '0) == (back != '0 && !take));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
