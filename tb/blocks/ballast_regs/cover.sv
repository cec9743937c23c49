// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of ballast_regs have to reach (doc/blocks/ballast_regs.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, ballast_regs, expr)

`default_nettype none

module ballast_regs_cover #(
  parameter int NumKernels = 2,
  parameter int NumSms     = 15,
  parameter int NumSlots   = 8,
  parameter int NumWarps   = 48,
  parameter int RegUnits   = 1024,
  parameter int SmemUnits  = 384,
  parameter int DynPeriod  = 2048,
  parameter int WatchSlots = 1
);
  logic access, legal, wants, taken, given;
  logic [11:0] at;
  logic [31:0] word;

  assign access = ballast_regs.access;
  assign legal  = access && ballast_regs.setup_q;
  assign wants  = legal && ballast_regs.pwrite_i && ballast_regs.pstrb_i == '1;  // a write of a whole word
  assign taken  = ballast_regs.write;
  assign given  = access && !ballast_regs.pwrite_i && !ballast_regs.pslverr_o;
  assign at     = ballast_regs.paddr_i;
  assign word   = ballast_regs.pwdata_i;

  // REG-1: phases
  `P(REG_1_setup, ballast_regs.psel_i && !ballast_regs.penable_i && !ballast_regs.setup_q)
  `P(REG_1_setup_again, ballast_regs.psel_i && !ballast_regs.penable_i && ballast_regs.setup_q)
  `P(REG_1_dropped, !ballast_regs.psel_i && ballast_regs.setup_q)
  `P(REG_1_enable_without_select, !ballast_regs.psel_i && ballast_regs.penable_i)
  // REG-2: each reason for a refusal, alone
  `P(REG_2_no_setup, access && !ballast_regs.setup_q && ballast_regs.there && !ballast_regs.pwrite_i)
  `P(REG_2_nothing_there_read, legal && !ballast_regs.there && !ballast_regs.pwrite_i)
  `P(REG_2_nothing_there_write, wants && !ballast_regs.there)
  `P(REG_2_misaligned, legal && at[1:0] != '0 && at[11:2] == 10'h010)
  `P(REG_2_read_only, wants && ballast_regs.there && (at < 12'h040 || (at >= 12'h080 && at < 12'h0A0) || at >= 12'h200))
  `P(REG_2_part_of_a_word, legal && ballast_regs.pwrite_i && ballast_regs.fits && ballast_regs.pstrb_i != '1)
  `P(REG_2_read_ignores_strobes, given && ballast_regs.pstrb_i != '1)
  `P(REG_2_window_of_done_ends, legal && at[1:0] == '0 && 32'(at) == 32'h200 + 32'((NumSms + 31) / 32) * 32'd4)
  `P(REG_2_window_of_limits_ends, legal && at[1:0] == '0 && 32'(at) == 32'h400 + 32'(NumSms) * 32'd4)
  // REG-3: each setting at the end of its range and one beyond
  `P(REG_3_policy_most, taken && at == 12'h040 && word == 32'd5)
  `P(REG_3_policy_beyond, wants && at == 12'h040 && word == 32'd6)
  `P(REG_3_static_limit_most, taken && at == 12'h044 && word == 32'(NumSlots))
  `P(REG_3_static_limit_beyond, wants && at == 12'h044 && word == 32'(NumSlots) + 32'd1)
  `P(REG_3_t_idle_most, taken && at == 12'h048 && word == 32'(DynPeriod))
  `P(REG_3_t_idle_beyond, wants && at == 12'h048 && word == 32'(DynPeriod) + 32'd1)
  `P(REG_3_t_mem_l_most, taken && at == 12'h04C && word == 32'(ballast_regs.t_mem_h_q))
  `P(REG_3_t_mem_l_beyond, wants && at == 12'h04C && word == 32'(ballast_regs.t_mem_h_q) + 32'd1)
  `P(REG_3_t_mem_h_least, taken && at == 12'h050 && word == 32'(ballast_regs.t_mem_l_q) && word != '0)
  `P(REG_3_t_mem_h_below, wants && at == 12'h050 && word + 32'd1 == 32'(ballast_regs.t_mem_l_q))
  `P(REG_3_t_mem_h_most, taken && at == 12'h050 && word == 32'(DynPeriod))
  `P(REG_3_t_mem_h_beyond, wants && at == 12'h050 && word == 32'(DynPeriod) + 32'd1)
  `P(REG_3_mode_beyond, wants && at == 12'h054 && word == 32'd2)
  `P(REG_3_bcs_on, taken && at == 12'h058 && word == 32'd1)
  `P(REG_3_bcs_beyond, wants && at == 12'h058 && word == 32'd2)
  `P(REG_3_dispatch_most, taken && at == 12'h05C && word == 32'd3)
  `P(REG_3_dispatch_beyond, wants && at == 12'h05C && word == 32'd4)
  `P(REG_3_quota_of_the_last, NumKernels > 1 && taken && 32'(at) == 32'h05C + 32'(NumKernels) * 32'd4 && word == 32'(NumSlots))
  `P(REG_3_quota_beyond, wants && at == 12'h060 && word == 32'(NumSlots) + 32'd1)
  `P(REG_3_no_such_quota, NumKernels < 4 && wants && 32'(at) == 32'h060 + 32'(NumKernels) * 32'd4)
  `P(REG_3_enable_beyond, wants && at == 12'h0C4 && word == 32'd512)
  // REG-9: the ends of a description; starts
  `P(REG_9_grid_most, taken && at == 12'h0A0 && word == '1)
  `P(REG_9_width, taken && at == 12'h0A4 && word != '0)
  `P(REG_9_two_d, taken && at == 12'h0A8 && word == 32'd1)
  `P(REG_9_two_d_beyond, wants && at == 12'h0A8 && word == 32'd2)
  `P(REG_9_warps_most, taken && at == 12'h0AC && word == 32'(NumWarps) + 32'd1)
  `P(REG_9_warps_beyond, wants && at == 12'h0AC && word == 32'(NumWarps) + 32'd2)
  `P(REG_9_regs_most, taken && at == 12'h0B0 && word == 32'(RegUnits) + 32'd1)
  `P(REG_9_regs_beyond, wants && at == 12'h0B0 && word == 32'(RegUnits) + 32'd2)
  `P(REG_9_smem_most, taken && at == 12'h0B4 && word == 32'(SmemUnits) + 32'd1)
  `P(REG_9_smem_beyond, wants && at == 12'h0B4 && word == 32'(SmemUnits) + 32'd2)
  `P(REG_9_nmax_least, taken && at == 12'h0B8 && word == 32'd1)
  `P(REG_9_nmax_below, wants && at == 12'h0B8 && word == '0)
  `P(REG_9_kernel_id_most, taken && at == 12'h0C8 && word == 32'd255)
  `P(REG_9_kernel_id_beyond, wants && at == 12'h0C8 && word == 32'd256)
  `P(REG_9_nmax_beyond, wants && at == 12'h0B8 && word == 32'(NumSlots) + 32'd1)
  `P(REG_9_start, ballast_regs.start_o)
  `P(REG_9_start_of_the_last, NumKernels > 1 && ballast_regs.start_o && 32'(ballast_regs.kernel_o) == NumKernels - 1)
  `P(REG_9_start_beside_another, NumKernels > 1 && taken && at == 12'h0BC && ballast_regs.idle_i != '1)
  `P(REG_9_start_busy, wants && at == 12'h0BC && word == '0 && !ballast_regs.idle_i[0])
  `P(REG_9_start_no_kernel, wants && at == 12'h0BC && word == 32'(NumKernels))
  `P(REG_9_too_many_warps, ballast_regs.start_o && 32'(ballast_regs.warps_o) > NumWarps)
  `P(REG_3_high_bits_count, wants && at == 12'h040 && word[31:8] != '0 && word[7:0] <= 8'd4)
  // REG-4, REG-8: reads of each kind
  `P(REG_4_constant, given && at < 12'h018)
  `P(REG_4_setting, given && at[11:6] == 6'h01)
  `P(REG_4_pending, given && at == 12'h0C0 && ballast_regs.pending_q != '0)
  `P(REG_4_counter, given && at[11:8] == 4'h1 && ballast_regs.prdata_o != '0)
  `P(REG_8_domains, given && at == 12'h080 && ballast_regs.prdata_o != '0)
  `P(REG_8_kernel, given && at == 12'h090 && ballast_regs.prdata_o != '0)
  `P(REG_8_done_first, given && at == 12'h200 && ballast_regs.prdata_o != '0)
  `P(REG_8_done_last_of_256, NumSms == 256 && given && at == 12'h21C && ballast_regs.prdata_o != '0)
  `P(REG_8_limit_first, given && at == 12'h400 && ballast_regs.prdata_o != '0)
  `P(REG_8_limit_last, given && 32'(at) == 32'h3FC + 32'(NumSms) * 32'd4 && ballast_regs.prdata_o != '0)
  // REG-5: events; several at once; with a clear; at the end
  `P(REG_5_sm_change, ballast_regs.sm_busy_i && !ballast_regs.sm_busy_q)
  `P(REG_5_mem_change, ballast_regs.mem_busy_i && !ballast_regs.mem_busy_q)
  `P(REG_5_one_limit, ballast_regs.num_changes_q == 1)
  `P(REG_5_all_limits, 32'(ballast_regs.num_changes_q) == NumSms)
  `P(REG_5_all_denied, 32'(ballast_regs.num_denials_q) == NumSms)
  `P(REG_5_launch, ballast_regs.start_valid_i)
  `P(REG_5_launch_of_the_last, NumKernels > 1 && ballast_regs.start_valid_i && 32'(ballast_regs.start_kernel_i) == NumKernels - 1)
  `P(REG_5_launch_of_no_kernel, NumKernels == 3 && ballast_regs.start_valid_i && 32'(ballast_regs.start_kernel_i) >= NumKernels)
  `P(REG_5_kernel, ballast_regs.start_q)
  `P(REG_5_clear_alone, ballast_regs.launches_clear_q[0] && !ballast_regs.start_valid_i && ballast_regs.launches_q[0] != '0)
  `P(REG_5_clear_with_event, ballast_regs.launches_clear_q[0] && ballast_regs.start_valid_i && ballast_regs.start_kernel_i == '0)
  `P(REG_5_clear_sum_with_events, ballast_regs.clear_q[2] && ballast_regs.num_changes_q != '0)
  `P(REG_5_clear_between_events, ballast_regs.clear_q[3] && ballast_regs.num_denials_q == '0 && ballast_regs.num_denials_d != '0)
  `P(REG_5_stays_at_its_end, ballast_regs.denials_q == '1 && ballast_regs.num_denials_q != '0 && !ballast_regs.clear_q[3])
  // REG-6: each cause; set and cleared at once
  `P(REG_6_too_big, ballast_regs.cause[1])
  `P(REG_6_too_big_of_the_kernel_before, ballast_regs.too_big_i != '0 && !ballast_regs.started_q)
  `P(REG_6_in_use, WatchSlots == 1 && ballast_regs.cause[2])
  `P(REG_6_replaced, WatchSlots == 1 && (ballast_regs.gen_sm[0].start & ballast_regs.gen_sm[0].done & ballast_regs.held_q[0]) != '0)
  `P(REG_6_no_cta, ballast_regs.cause[3])
  `P(REG_6_limit, ballast_regs.cause[4])
  `P(REG_6_kernel_end, ballast_regs.cause[5])
  `P(REG_6_kernel_end_of_the_last, NumKernels == 4 && ballast_regs.cause[8])
  `P(REG_6_cleared, (ballast_regs.pending_q & ballast_regs.cleared & ~ballast_regs.cause) != '0)
  `P(REG_6_set_wins, (ballast_regs.pending_q & ballast_regs.cleared & ballast_regs.cause) != '0)
  `P(REG_6_others_stay, (ballast_regs.pending_q & ~ballast_regs.cleared) != '0 && ballast_regs.cleared != '0)
  // REG-7
  `P(REG_7_irq, ballast_regs.irq_o)
  `P(REG_7_masked, ballast_regs.pending_q != '0 && ballast_regs.enable_q != '0 && !ballast_regs.irq_o)
  `P(REG_7_falls_by_clear, ballast_regs.irq_o && (ballast_regs.pending_d & ballast_regs.enable_q) == '0)
  `P(REG_7_falls_by_enable, ballast_regs.irq_o && (ballast_regs.pending_q & ballast_regs.enable_d) == '0)
endmodule

bind ballast_regs ballast_regs_cover #(.NumKernels(NumKernels), .NumWarps(NumWarps), .RegUnits(RegUnits), .SmemUnits(SmemUnits),
  .NumSms(NumSms), .NumSlots(NumSlots), .DynPeriod(DynPeriod), .WatchSlots(WatchSlots)) u_cover ();

`undef P
`default_nettype wire
