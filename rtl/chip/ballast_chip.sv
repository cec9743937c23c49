// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ballast_chip: the module to instantiate. Software programs it over APB4 and starts kernels; it gives their
// CTAs to the SMs, and holds the CTA limit, the pauses, and the voltage and frequency of the chip. It is put
// together of ballast_regs, a CTA dispatcher (gwde for one kernel at a time, mcke for NumKernels of them)
// and chip_governor. An SM shows the states of its warps and which CTAs finish, and gets CTAs and pauses.
//
// Timing: a write of START in cycle t starts the kernel in t+1, for the dispatcher and all governors, and
// the first CTA is launched in t+4 (mcke: t+3) at the earliest. Launches, limits, pauses and levels come from registers;
// `prdata_o` and `pslverr_o` are combinational. A governor hears a denial a cycle after the dispatcher's.
//
// Signals of the SMs are vectors with one field per SM, SM 0 in the lowest bits. Parameters have the names
// that they have in the blocks inside.
//
// doc/blocks/ballast_chip.md

`default_nettype none

module ballast_chip #(
  parameter int NumKernels      = 2,     // that may run at once: 2..4 with mcke, or 1 with gwde
  parameter int NumSms          = 15,    // 1..256
  // chip_governor
  parameter int LcsScope        = 0,     // lcs: 0 every SM measures, 1 SM 0 for all (LCS-A5)
  // scout
  parameter int ScoutSlice      = 1024,
  parameter int ScoutWindow     = 8,
  parameter int ScoutSettle     = 2,
  parameter int ScoutWarmup     = 4,
  parameter int ScoutMargin     = 6,
  parameter int ScoutBack       = 1,
  parameter int ScoutVerify     = 1,
  parameter int ScoutDoubt      = 1,
  // limit_table
  parameter int TableEntries    = 4,
  // vf_scout
  parameter int VfWindow        = 2048,
  parameter int VfSettle        = 1024,
  parameter int VfWarmup        = 12288,
  parameter int VfSmUp          = 4,
  parameter int VfMemUp         = 4,
  parameter int VfSmDown        = 3,
  parameter int VfMemDown       = 5,
  // vf_vote
  parameter int Majority        = 0,
  // vf_domain, both
  parameter int Maintain        = 0,
  parameter int Table1Literal   = 0,
  parameter int Transition      = 512,
  parameter int VrmStall        = 0,
  // sm_governor
  parameter int NumWarps        = 48,    // warp slots of an SM, 1..64
  parameter int NumSlots        = 8,     // CTA slots of an SM, 2..32
  parameter int IssueWidth      = 2,     // warp instructions per cycle and SM at most, 1..8
  parameter int CountW          = 32,
  parameter int PsPrio          = 0,
  parameter int MixedTag        = 1,
  parameter int PsTie           = 2,
  parameter int PsWdConfirm     = 1,
  parameter int PsRecoverN      = 0,
  parameter int PsWeakRevert    = 0,
  parameter int PsToggleHist    = 0,
  parameter int PsTogglePairs   = 0,
  parameter int PsToggleLimit   = 3,
  parameter int PsSettle        = 0,
  parameter int LcsCountW       = 20,
  parameter int LcsRoundMode    = 0,
  parameter int LcsThrottle     = 0,
  parameter int Epoch           = 4096,
  parameter int SampleInterval  = 128,
  parameter int SamplePhase     = 127,
  parameter int SampleCycles    = 16,
  parameter int XaluExclIssued  = 1,
  parameter int XmemInclSlot    = 0,
  parameter int AvgMode         = 0,
  parameter int HystEpochs      = 3,
  parameter int HystSameDir     = 1,
  parameter int IncUnpauseFirst = 1,
  parameter int GrantFeedback   = 1,
  parameter int DynPeriod       = 2048,
  // gwde
  parameter int Fill            = 0,
  parameter int RrAdvance       = 0,
  parameter int OddLimit        = 0,
  parameter int PairRowWrap     = 1,
  // gwde, mcke
  parameter int RegUnits        = 1024,
  parameter int SmemUnits       = 384
) (
  input  wire                                           clk_i,  // of the SMs, and PCLK
  input  wire                                           rst_ni,

  // APB4
  input  wire                                           psel_i,
  input  wire                                           penable_i,
  input  wire                                           pwrite_i,
  input  wire  [2:0]                                    pprot_i,  // ignored
  input  wire  [11:0]                                   paddr_i,
  input  wire  [31:0]                                   pwdata_i,
  input  wire  [3:0]                                    pstrb_i,
  output logic [31:0]                                   prdata_o,
  output logic                                          pready_o,
  output logic                                          pslverr_o,
  output logic                                          irq_o,

  // What the SMs show
  input  wire  [NumSms*NumWarps-1:0]                    ws0_i,  // states of their warps
  input  wire  [NumSms*NumWarps-1:0]                    ws1_i,
  input  wire  [NumSms*NumWarps-1:0]                    ws2_i,
  input  wire  [NumSms*NumWarps-1:0]                    ws3_i,
  input  wire  [NumSms*NumWarps-1:0]                    paused_i,
  input  wire  [NumSms*IssueWidth-1:0]                  issue_valid_i,
  input  wire  [NumSms*IssueWidth*$clog2(NumSlots)-1:0] issue_slot_i,
  input  wire  [NumSms*NumSlots-1:0]                    cta_done_i,

  // A kernel starts: its number and description
  output logic                                          kernel_start_o,
  output logic [$clog2(NumKernels+1/NumKernels)-1:0]    kernel_o,
  output logic [31:0]                                   grid_o,
  output logic [31:0]                                   width_o,
  output logic                                          two_d_o,
  output logic [$clog2(NumWarps+2)-1:0]                 warps_o,
  output logic [$clog2(RegUnits+2)-1:0]                 regs_o,
  output logic [$clog2(SmemUnits+2)-1:0]                smem_o,

  // A CTA is launched: on which SM and in which slot, of which kernel, which one of its grid
  output logic [NumSms*NumSlots-1:0]                    cta_start_o,
  output logic [$clog2(NumKernels+1/NumKernels)-1:0]    start_kernel_o,
  output logic [31:0]                                   start_cta_o,

  // What the SMs have to do
  output logic [NumSms*$clog2(NumSlots+1)-1:0]          limit_o,
  output logic [NumSms*NumSlots-1:0]                    cta_paused_o,
  output logic [NumSms-1:0]                             pause_soft_o,

  // Voltage and frequency: 0 low, 1 normal, 2 high
  output logic [1:0]                                    sm_level_o,
  output logic [1:0]                                    mem_level_o,
  output logic                                          sm_busy_o,
  output logic                                          mem_busy_o,
  output logic                                          sm_stall_o,
  output logic                                          mem_stall_o
);

  localparam int KernW  = $clog2(NumKernels + 1 / NumKernels);  // of a single one a bit, too
  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int DynW   = $clog2(DynPeriod + 1);
  localparam int WctaW  = $clog2(NumWarps + 1);
  localparam int Gwdes  = 1 / NumKernels;  // the dispatcher is the one or the other
  localparam int Mckes  = 1 - Gwdes;

  //////////////////////////////////////////////////////////////////////////////
  // Registers

  logic [2:0]                   policy;
  logic [LimitW-1:0]            static_limit;
  logic [DynW-1:0]              t_idle, t_mem_l, t_mem_h;
  logic                         mode;
  logic                         bcs;
  logic [1:0]                   dispatch;
  logic [NumKernels*LimitW-1:0] quota;
  logic [LimitW-1:0]            nmax;
  logic [7:0]                   kernel_id;
  logic [WctaW-1:0]             wcta;
  logic [NumKernels-1:0]        idle, exhausted, too_big;
  logic                         launch;
  logic [NumSms-1:0]            req, done, denied, heard;
  logic [NumSms*NumSlots-1:0]   cta_active;

  ballast_regs #(
    .NumKernels(NumKernels),
    .NumSms    (NumSms),
    .NumSlots  (NumSlots),
    .NumWarps  (NumWarps),
    .RegUnits  (RegUnits),
    .SmemUnits (SmemUnits),
    .DynPeriod (DynPeriod),
    .WatchSlots(0)  // the dispatcher launches into slots that are free
  ) u_regs (
    .clk_i,
    .rst_ni,
    .psel_i,
    .penable_i,
    .pwrite_i,
    .pprot_i,
    .paddr_i,
    .pwdata_i,
    .pstrb_i,
    .prdata_o,
    .pready_o,
    .pslverr_o,
    .irq_o,
    .policy_o      (policy),
    .static_limit_o(static_limit),
    .t_idle_o      (t_idle),
    .t_mem_l_o     (t_mem_l),
    .t_mem_h_o     (t_mem_h),
    .mode_o        (mode),
    .bcs_o         (bcs),
    .dispatch_o    (dispatch),
    .quota_o       (quota),
    .start_o       (kernel_start_o),
    .kernel_o,
    .grid_o,
    .width_o,
    .two_d_o,
    .warps_o,
    .regs_o,
    .smem_o,
    .nmax_o        (nmax),
    .kernel_id_o   (kernel_id),
    .wcta_o        (wcta),
    .sm_level_i    (sm_level_o),
    .mem_level_i   (mem_level_o),
    .sm_busy_i     (sm_busy_o),
    .mem_busy_i    (mem_busy_o),
    .sm_stall_i    (sm_stall_o),
    .mem_stall_i   (mem_stall_o),
    .limit_i       (limit_o),
    .done_i        (done),
    .idle_i        (idle),
    .exhausted_i   (exhausted),
    .too_big_i     (too_big),
    .start_valid_i (launch),
    .start_kernel_i(start_kernel_o),
    .denied_i      (denied),
    .cta_start_i   (cta_start_o),
    .cta_active_i  (cta_active),
    .cta_done_i
  );

  //////////////////////////////////////////////////////////////////////////////
  // The dispatcher

  for (genvar g = 0; g < Gwdes; g++) begin : gen_gwde
    logic [$clog2(NumSms+1/NumSms)-1:0]     unused_sm;
    logic [$clog2(NumSlots+1/NumSlots)-1:0] unused_slot;
    logic                                   unused_settings;  // of several kernels

    gwde #(
      .NumSms     (NumSms),
      .Fill       (Fill),
      .RrAdvance  (RrAdvance),
      .OddLimit   (OddLimit),
      .PairRowWrap(PairRowWrap),
      .NumSlots   (NumSlots),
      .NumWarps   (NumWarps),
      .RegUnits   (RegUnits),
      .SmemUnits  (SmemUnits)
    ) u_gwde (
      .clk_i,
      .rst_ni,
      .start_i      (kernel_start_o),
      .grid_i       (grid_o),
      .warps_i      (warps_o),
      .regs_i       (regs_o),
      .smem_i       (smem_o),
      .width_i      (width_o),
      .two_d_i      (two_d_o),
      .bcs_i        (bcs),
      .limit_i      (limit_o),
      .req_i        (req),
      .cta_done_i,
      .idle_o       (idle),
      .exhausted_o  (exhausted),
      .too_big_o    (too_big),
      .start_valid_o(launch),
      .start_sm_o   (unused_sm),
      .start_slot_o (unused_slot),
      .start_cta_o,
      .cta_start_o,
      .cta_active_o (cta_active),
      .denied_o     (denied)
    );

    assign start_kernel_o  = '0;
    assign unused_settings = ^{dispatch, quota, kernel_o};
  end

  for (genvar m = 0; m < Mckes; m++) begin : gen_mcke
    logic [$clog2(NumSms+1/NumSms)-1:0]     unused_sm;
    logic [$clog2(NumSlots+1/NumSlots)-1:0] unused_slot;
    logic [NumSms*NumSlots*KernW-1:0]       unused_kernel;
    logic [NumSms*NumKernels*LimitW-1:0]    unused_ctas;
    logic [NumSms*$clog2(RegUnits+2)-1:0]   unused_regs;
    logic [NumSms*$clog2(SmemUnits+2)-1:0]  unused_smem;
    logic [NumSms*NumKernels-1:0]           refused;
    logic                                   unused_settings;  // of a single kernel

    mcke #(
      .NumKernels(NumKernels),
      .NumSms    (NumSms),
      .NumSlots  (NumSlots),
      .NumWarps  (NumWarps),
      .RegUnits  (RegUnits),
      .SmemUnits (SmemUnits)
    ) u_mcke (
      .clk_i,
      .rst_ni,
      .mode_i        (dispatch),
      .start_i       (kernel_start_o),
      .kernel_i      (kernel_o),
      .grid_i        (grid_o),
      .warps_i       (warps_o),
      .regs_i        (regs_o),
      .smem_i        (smem_o),
      .limit_i       (limit_o),
      .quota_i       ({NumSms{quota}}),
      .req_i         (req),
      .cta_done_i,
      .idle_o        (idle),
      .exhausted_o   (exhausted),
      .too_big_o     (too_big),
      .start_valid_o (launch),
      .start_kernel_o,
      .start_sm_o    (unused_sm),
      .start_slot_o  (unused_slot),
      .start_cta_o,
      .cta_start_o,
      .cta_active_o  (cta_active),
      .cta_kernel_o  (unused_kernel),
      .ctas_o        (unused_ctas),
      .free_regs_o   (unused_regs),
      .free_smem_o   (unused_smem),
      .denied_o      (refused)
    );

    // An SM is denied a CTA where no kernel can serve it
    for (genvar i = 0; i < NumSms; i++) begin : gen_denied
      assign denied[i] = &refused[i*NumKernels+:NumKernels];
    end

    assign unused_settings = bcs;
  end

  //////////////////////////////////////////////////////////////////////////////
  // Governors, vote and domains. A denial hangs on the request of its cycle: they hear of it in the next one.

  (* mem2reg *)                // Yosys makes registers of it without a warning
  logic [0:0] denied_q [NumSms];

  for (genvar i = 0; i < NumSms; i++) begin : gen_denial
    always_ff @(posedge clk_i) begin : p_denied
      if (!rst_ni) denied_q[i] <= 1'b0;
      else         denied_q[i] <= denied[i];
    end

    assign heard[i] = denied_q[i];
  end

  chip_governor #(
    .NumSms         (NumSms),
    .LcsScope       (LcsScope),
    .ScoutSlice     (ScoutSlice),
    .ScoutWindow    (ScoutWindow),
    .ScoutSettle    (ScoutSettle),
    .ScoutWarmup    (ScoutWarmup),
    .ScoutMargin    (ScoutMargin),
    .ScoutBack      (ScoutBack),
    .ScoutVerify    (ScoutVerify),
    .ScoutDoubt     (ScoutDoubt),
    .TableEntries   (TableEntries),
    .VfWindow       (VfWindow),
    .VfSettle       (VfSettle),
    .VfWarmup       (VfWarmup),
    .VfSmUp         (VfSmUp),
    .VfMemUp        (VfMemUp),
    .VfSmDown       (VfSmDown),
    .VfMemDown      (VfMemDown),
    .Majority       (Majority),
    .Maintain       (Maintain),
    .Table1Literal  (Table1Literal),
    .Transition     (Transition),
    .VrmStall       (VrmStall),
    .NumWarps       (NumWarps),
    .NumSlots       (NumSlots),
    .IssueWidth     (IssueWidth),
    .CountW         (CountW),
    .PsPrio         (PsPrio),
    .MixedTag       (MixedTag),
    .PsTie          (PsTie),
    .PsWdConfirm    (PsWdConfirm),
    .PsRecoverN     (PsRecoverN),
    .PsWeakRevert   (PsWeakRevert),
    .PsToggleHist   (PsToggleHist),
    .PsTogglePairs  (PsTogglePairs),
    .PsToggleLimit  (PsToggleLimit),
    .PsSettle       (PsSettle),
    .LcsCountW      (LcsCountW),
    .LcsRoundMode   (LcsRoundMode),
    .LcsThrottle    (LcsThrottle),
    .Epoch          (Epoch),
    .SampleInterval (SampleInterval),
    .SamplePhase    (SamplePhase),
    .SampleCycles   (SampleCycles),
    .XaluExclIssued (XaluExclIssued),
    .XmemInclSlot   (XmemInclSlot),
    .AvgMode        (AvgMode),
    .HystEpochs     (HystEpochs),
    .HystSameDir    (HystSameDir),
    .IncUnpauseFirst(IncUnpauseFirst),
    .GrantFeedback  (GrantFeedback),
    .DynPeriod      (DynPeriod)
  ) u_governor (
    .clk_i,
    .rst_ni,
    .policy_i      (policy),
    .static_limit_i(static_limit),
    .t_idle_i      (t_idle),
    .t_mem_l_i     (t_mem_l),
    .t_mem_h_i     (t_mem_h),
    .mode_i        (mode),
    .kernel_start_i({NumSms{kernel_start_o}}),
    .kernel_id_i   (kernel_id),
    .nmax_i        ({NumSms{nmax}}),
    .wcta_i        ({NumSms{wcta}}),
    .ws0_i,
    .ws1_i,
    .ws2_i,
    .ws3_i,
    .paused_i,
    .issue_valid_i,
    .issue_slot_i,
    .cta_start_i   (cta_start_o),
    .cta_done_i,
    .cta_active_i  (cta_active),
    .cta_denied_i  (heard),
    .limit_o,
    .cta_paused_o,
    .pause_soft_o,
    .req_o         (req),
    .done_o        (done),
    .sm_level_o,
    .mem_level_o,
    .sm_busy_o,
    .mem_busy_o,
    .sm_stall_o,
    .mem_stall_o
  );

`ifdef VERILATOR
  // What was in the cycle before, for the assertions; and earlier: an SM is ready a cycle before gwde's choice, and two before mcke's.
  logic              was_launch;
  logic [NumSms-1:0] was_req, early_req, chosen_by;

  always_ff @(posedge clk_i) begin : p_was
    was_launch <= launch;
    was_req    <= req;
    early_req  <= was_req;
    chosen_by  <= NumKernels == 1 ? was_req : early_req;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // REG-9: the dispatcher takes every start.
      StartTaken: assert (!kernel_start_o || idle[kernel_o]);
      // GWDE-3, GWDE-4: a launch was asked for, by an SM below its limit. (Of a pair, the first CTA was.)
      LaunchAsked: assert (!(launch && !was_launch) || chosen_by != '0);
      // A CTA is launched on one SM, into one slot.
      OneLaunch: assert ($onehot0(cta_start_o) && (cta_start_o != '0) == launch);
      // Limits are of an SM's slots.
      for (int i = 0; i < NumSms; i++) begin
        LimitLegal: assert (32'(limit_o[i*LimitW+:LimitW]) <= NumSlots);
      end
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
