// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// cke_resources: the account of what the CTAs of several kernels hold of an SM: CTA slots, warps, registers
// and shared memory (GWDE-2, CKE-A1). One per SM, inside mcke. A slot remembers whose CTA it has, so that
// a CTA gives back what its own kernel's CTAs need.
//
// Timing: `fits_o`, `slot_o` and `due_o` are combinational, from the needs and `cta_done_i`. The other
// outputs come from registers. A launch and a return at a rising edge show in the next cycle.
//
// One slot returns per cycle. A launch and a return may be of different kernels, so each resource moves by
// the difference of two needs.
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

  // What one CTA of each kernel needs: stays while that kernel holds a slot
  input  wire  [NumKernels*$clog2(NumWarps+2)-1:0]       warps_i,
  input  wire  [NumKernels*$clog2(RegUnits+2)-1:0]       regs_i,
  input  wire  [NumKernels*$clog2(SmemUnits+2)-1:0]      smem_i,

  input  wire                                            take_i,    // a CTA is launched, if it fits,
  input  wire  [$clog2(NumKernels)-1:0]                  kernel_i,  // of this kernel
  input  wire  [NumSlots-1:0]                            cta_done_i,

  output logic [NumKernels-1:0]                          fits_o,
  output logic [$clog2(NumSlots+1/NumSlots)-1:0]         slot_o,    // where it goes
  output logic [NumKernels*$clog2(NumSlots+1)-1:0]       ctas_o,    // slots of each kernel
  output logic [$clog2(NumSlots+1)-1:0]                  count_o,   // slots that are held
  output logic [NumSlots*$clog2(NumKernels)-1:0]         owner_o,   // the kernel of each slot
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
  // The kernels: who launches, who gets back; at most one each

  logic [NumKernels-1:0] take, back;

  for (genvar k = 0; k < NumKernels; k++) begin : gen_kernel
    logic [NumSlots-1:0] own;
    logic [LimitW-1:0]   ctas;
    logic                moves;

    for (genvar i = 0; i < NumSlots; i++) begin : gen_own
      assign own[i] = owner_q[i*KernW+:KernW] == KernW'(k);
    end
    assign back[k]   = (first_back & own) != '0;
    assign fits_o[k] = free != '0 && warps_i[k*WarpW+:WarpW] <= warps_q &&
                       regs_i[k*RegW+:RegW] <= regs_q && smem_i[k*SmemW+:SmemW] <= smem_q;
    assign take[k]   = take_i && kernel_i == KernW'(k) && fits_o[k];

    assign ctas  = ctas_q[k];
    assign moves = take[k] != back[k];
    assign ctas_o[k*LimitW+:LimitW] = ctas;

    always_ff @(posedge clk_i) begin : p_ctas
      if (!rst_ni)    ctas_q[k] <= '0;
      else if (moves) ctas_q[k] <= ctas + (take[k] ? LimitW'(1) : {LimitW{1'b1}});
    end
  end

  always_comb begin : p_count
    count_o = '0;
    for (int k = 0; k < NumKernels; k++) count_o = count_o + ctas_o[k*LimitW+:LimitW];
  end

  assign owner_o     = owner_q;
  assign active_o    = held_q & ~returning_q;
  assign due_o       = finished != '0;
  assign free_regs_o = regs_q;
  assign free_smem_o = smem_q;

  //////////////////////////////////////////////////////////////////////////////
  // The account: what is taken and what is given back, gated and ORed

  logic [WarpW-1:0] warps_take, warps_back;
  logic [RegW-1:0]  regs_take, regs_back;
  logic [SmemW-1:0] smem_take, smem_back;

  always_comb begin : p_amounts
    warps_take = '0;
    warps_back = '0;
    regs_take  = '0;
    regs_back  = '0;
    smem_take  = '0;
    smem_back  = '0;
    for (int k = 0; k < NumKernels; k++) begin
      warps_take = warps_take | ({WarpW{take[k]}} & warps_i[k*WarpW+:WarpW]);
      warps_back = warps_back | ({WarpW{back[k]}} & warps_i[k*WarpW+:WarpW]);
      regs_take  = regs_take | ({RegW{take[k]}} & regs_i[k*RegW+:RegW]);
      regs_back  = regs_back | ({RegW{back[k]}} & regs_i[k*RegW+:RegW]);
      smem_take  = smem_take | ({SmemW{take[k]}} & smem_i[k*SmemW+:SmemW]);
      smem_back  = smem_back | ({SmemW{back[k]}} & smem_i[k*SmemW+:SmemW]);
    end
  end

  logic [NumSlots-1:0] filled;

  assign filled = first_free & {NumSlots{take != '0}};

  always_comb begin : p_next
    held_d      = (held_q & ~first_back) | filled;
    returning_d = finished & ~first_back;
    warps_d     = warps_q + warps_back - warps_take;
    regs_d      = regs_q + regs_back - regs_take;
    smem_d      = smem_q + smem_back - smem_take;
  end

  for (genvar i = 0; i < NumSlots; i++) begin : gen_owner
    assign owner_d[i*KernW+:KernW] = filled[i] ? kernel_i : owner_q[i*KernW+:KernW];
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      held_q      <= '0;
      returning_q <= '0;
      owner_q     <= '0;
      warps_q     <= WarpW'(NumWarps);
      regs_q      <= RegW'(RegUnits);
      smem_q      <= SmemW'(SmemUnits);
    end else begin
      held_q      <= held_d;
      returning_q <= returning_d;
      owner_q     <= owner_d;
      warps_q     <= warps_d;
      regs_q      <= regs_d;
      smem_q      <= smem_d;
    end
  end

`ifdef VERILATOR
  // Whether the needs of every kernel have stayed while it held a slot, which is the contract.
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
      moved[k] = ctas_q[k] != '0 && (warps_i[k*WarpW+:WarpW] != warps_was_q[k*WarpW+:WarpW] ||
                                     regs_i[k*RegW+:RegW] != regs_was_q[k*RegW+:RegW] ||
                                     smem_i[k*SmemW+:SmemW] != smem_was_q[k*SmemW+:SmemW]);
      warps_held += 32'(ctas_q[k]) * 32'(warps_was_q[k*WarpW+:WarpW]);
      regs_held  += 32'(ctas_q[k]) * 32'(regs_was_q[k*RegW+:RegW]);
      smem_held  += 32'(ctas_q[k]) * 32'(smem_was_q[k*SmemW+:SmemW]);
      counted    += 32'(ctas_q[k]);
    end
  end

  always_ff @(posedge clk_i) begin : p_stays
    stays_q     <= !rst_ni || (stays_q && moved == '0);
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
      CountHeld: assert (counted == $countones(held_q));
      // GWDE-2, CKE-A1: what is free and what the CTAs of all kernels hold is what the SM has.
      WarpsConserved: assert (!stays_q || 32'(warps_q) + warps_held == NumWarps);
      RegsConserved: assert (!stays_q || 32'(regs_q) + regs_held == RegUnits);
      SmemConserved: assert (!stays_q || 32'(smem_q) + smem_held == SmemUnits);
      // One slot per launch, and one per return, each of one kernel.
      OneTaken: assert ($onehot0(take) && $onehot0(held_d & ~held_q) &&
          ((held_d & ~held_q) != '0) == (take != '0));
      OneReturned: assert ($onehot0(back) && $onehot0(held_q & ~held_d) &&
          ((held_q & ~held_d) != '0) == (back != '0));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
