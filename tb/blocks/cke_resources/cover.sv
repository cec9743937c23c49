// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of cke_resources have to reach (doc/blocks/cke_resources.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, cke_resources, expr)

`default_nettype none

module cke_resources_cover #(
  parameter int NumKernels = 2,
  parameter int NumSlots   = 8,
  parameter int NumWarps   = 48,
  parameter int RegUnits   = 1024,
  parameter int SmemUnits  = 384
);
  localparam int KernW = $clog2(NumKernels);
  localparam int WarpW = $clog2(NumWarps + 2);
  localparam int RegW  = $clog2(RegUnits + 2);
  localparam int SmemW = $clog2(SmemUnits + 2);

  // Each of the four resources, alone, for kernel 0 and for kernel 1
  logic       slot;
  logic [1:0] warps, regs, smem, may, asks, takes, gives;
  logic [1:0] exact_warps, exact_regs, exact_smem, short_warps, short_regs, short_smem;

  assign slot = cke_resources.free != '0;
  assign may  = cke_resources.may_i[1:0];
  for (genvar k = 0; k < 2; k++) begin : gen_kernel
    int need_warps, need_regs, need_smem;
    assign need_warps = 32'(cke_resources.warps_i[k*WarpW+:WarpW]);
    assign need_regs  = 32'(cke_resources.regs_i[k*RegW+:RegW]);
    assign need_smem  = 32'(cke_resources.smem_i[k*SmemW+:SmemW]);
    assign asks[k]    = cke_resources.take_i && cke_resources.kernel_i == KernW'(k);
    assign gives[k]   = cke_resources.move_q[k] && !cke_resources.taken_q;
    assign warps[k]   = need_warps <= 32'(cke_resources.warps_q);
    assign regs[k]    = need_regs <= 32'(cke_resources.regs_q);
    assign smem[k]    = need_smem <= 32'(cke_resources.smem_q);
    assign takes[k]   = cke_resources.take && asks[k];
    assign exact_warps[k] = takes[k] && need_warps == 32'(cke_resources.warps_q);
    assign exact_regs[k]  = takes[k] && need_regs == 32'(cke_resources.regs_q);
    assign exact_smem[k]  = takes[k] && need_smem == 32'(cke_resources.smem_q);
    assign short_warps[k] = need_warps == 32'(cke_resources.warps_q) + 1;
    assign short_regs[k]  = need_regs == 32'(cke_resources.regs_q) + 1;
    assign short_smem[k]  = need_smem == 32'(cke_resources.smem_q) + 1;
  end

  // GWDE-2, CKE-A1: each of the four resources is the one that does not suffice, for one kernel and for another
  `P(GWDE_2_slots_only, (may & warps & regs & smem) != '0 && !slot)
  `P(GWDE_2_warps_only, slot && (may & ~warps & regs & smem) != '0)
  `P(GWDE_2_registers_only, slot && (may & warps & ~regs & smem) != '0)
  `P(GWDE_2_shared_memory_only, slot && (may & warps & regs & ~smem) != '0)
  `P(CKE_A1_first_fits_second_not, cke_resources.fits_o[0] && !cke_resources.fits_o[1])
  `P(CKE_A1_second_fits_first_not, cke_resources.fits_o[1] && !cke_resources.fits_o[0])
  // GWDE-2: exact fits, of which nothing remains, and those that miss by one
  `P(GWDE_2_exact_warps, exact_warps != '0)
  `P(GWDE_2_exact_registers, exact_regs != '0)
  `P(GWDE_2_exact_shared_memory, exact_smem != '0)
  `P(GWDE_2_one_warp_short, short_warps != '0)
  `P(GWDE_2_one_register_unit_short, short_regs != '0)
  `P(GWDE_2_one_shared_memory_unit_short, short_smem != '0)
  `P(GWDE_2_last_slot, cke_resources.take && $countones(cke_resources.free) == 1)
  `P(Take_without_a_slot, cke_resources.take_i && !slot)
  `P(Take_before_the_count, cke_resources.take_i && slot && cke_resources.taken_q)
  `P(Take_of_no_kernel, NumKernels == 3 && cke_resources.take_i && cke_resources.kernel_i == '1)
  // Ready: a kernel, and not another one, and what keeps one from it
  `P(CKE_A1_ready_first_only, cke_resources.ready_q[0] && !cke_resources.ready_q[1])
  `P(CKE_A1_ready_second_only, cke_resources.ready_q[1] && !cke_resources.ready_q[0])
  `P(Ready_but_for_a_launch, cke_resources.take && (cke_resources.may_i & cke_resources.fits) != '0)
  `P(Ready_but_for_the_count, cke_resources.taken_q && (cke_resources.may_i & cke_resources.fits) != '0)
  `P(Ready_but_may_not, (~cke_resources.may_i & cke_resources.fits) != '0)
  // Returns: one, several at once, of a slot above another kernel's; where a launch comes first; counted beside a launch of the
  // same kernel and of another
  `P(Return_one, cke_resources.due_o && cke_resources.returning_q == '0 && cke_resources.finished == cke_resources.first_back)
  `P(Return_several, NumSlots > 1 && $countones(cke_resources.finished) > 1)
  `P(CKE_1_return_beside_another, NumSlots > 1 && gives[0] && cke_resources.ctas_o[$clog2(NumSlots+1)+:$clog2(NumSlots+1)] != '0)
  `P(Return_waits_for_a_launch, NumSlots > 1 && cke_resources.take && cke_resources.finished != '0)
  `P(CKE_A1_return_with_launch_same, NumSlots > 1 && (takes & gives) != '0)
  `P(CKE_A1_return_with_launch_other, NumSlots > 1 && takes != '0 && gives != '0 && (takes & gives) == '0)
  `P(Return_while_full, cke_resources.finished != '0 && !slot)
  `P(Return_last, $countones(cke_resources.held_q) == 1 && cke_resources.finished != '0 && !cke_resources.take)
  `P(Launch_into_a_gap, NumSlots > 1 && cke_resources.take && (cke_resources.held_q & ~(cke_resources.first_free - 1'b1)) != '0)
  `P(CKE_1_slot_changes_kernel, cke_resources.take && cke_resources.owner_d != cke_resources.owner_q)
  `P(CKE_1_all_kernels_hold, NumSlots >= NumKernels && cke_resources.ctas_o[0+:$clog2(NumSlots+1)] != '0 &&
     cke_resources.ctas_o[(NumKernels-1)*$clog2(NumSlots+1)+:$clog2(NumSlots+1)] != '0)
  `P(Done_of_an_empty_slot, (cke_resources.cta_done_i & ~cke_resources.held_q) != '0)
  `P(Done_twice, NumSlots > 1 && (cke_resources.cta_done_i & cke_resources.returning_q) != '0)
endmodule

bind cke_resources cke_resources_cover #(
  .NumKernels(NumKernels), .NumSlots(NumSlots), .NumWarps(NumWarps), .RegUnits(RegUnits), .SmemUnits(SmemUnits)
) u_cover ();

`undef P
`default_nettype wire
