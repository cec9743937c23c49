// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// chip_governor: what governs a chip. It has one sm_governor per SM, a search that watches SM 0 for all of
// them (scout, SCT-9), a table of what it found (limit_table), a search for levels (vf_scout), the vote on
// voltage and frequency, and the clock domains of the SMs and of the memory system. A part of ballast_chip,
// which has registers and the CTA dispatcher, too.
//
// Timing: limits, pauses and requests have the timing of sm_governor. When an epoch ends in cycle t,
// the vote is in cycle t+1, and a transition shows in `sm_busy_o` and `mem_busy_o` from cycle t+2 on
// (EQ-12 to EQ-15).
//
// The signals of the SMs are vectors with one field per SM, SM 0 in the lowest bits. The governors do
// not depend on each other, except that SM 0 broadcasts T_new (LCS-6) if LcsScope is 1, and that all
// follow the search under the policy scout. Parameters that belong to sm_governor, vf_vote and vf_domain
// have the names that they have there; those of scout and vf_scout have a prefix.
//
// doc/blocks/chip_governor.md

`default_nettype none

module chip_governor #(
  parameter int NumSms          = 15,    // 1..256
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
  parameter int TableEntries    = 4,     // kernels whose limits are remembered, 1..16
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
  parameter int DynPeriod       = 2048
) (
  input  wire                                           clk_i,  // of the SMs
  input  wire                                           rst_ni,

  // Settings, the same for all SMs
  input  wire  [2:0]                                    policy_i,
  input  wire  [$clog2(NumSlots+1)-1:0]                 static_limit_i,
  input  wire  [$clog2(DynPeriod+1)-1:0]                t_idle_i,
  input  wire  [$clog2(DynPeriod+1)-1:0]                t_mem_l_i,
  input  wire  [$clog2(DynPeriod+1)-1:0]                t_mem_h_i,
  input  wire                                           mode_i,  // 0 saves energy, 1 performance

  // Observation buses
  input  wire  [NumSms-1:0]                             kernel_start_i,
  input  wire  [7:0]                                    kernel_id_i,  // only with SM 0's kernel_start_i
  input  wire  [NumSms*$clog2(NumSlots+1)-1:0]          nmax_i,
  input  wire  [NumSms*$clog2(NumWarps+1)-1:0]          wcta_i,
  input  wire  [NumSms*NumWarps-1:0]                    ws0_i,
  input  wire  [NumSms*NumWarps-1:0]                    ws1_i,
  input  wire  [NumSms*NumWarps-1:0]                    ws2_i,
  input  wire  [NumSms*NumWarps-1:0]                    ws3_i,
  input  wire  [NumSms*NumWarps-1:0]                    paused_i,
  input  wire  [NumSms*IssueWidth-1:0]                  issue_valid_i,
  input  wire  [NumSms*IssueWidth*$clog2(NumSlots)-1:0] issue_slot_i,
  input  wire  [NumSms*NumSlots-1:0]                    cta_start_i,
  input  wire  [NumSms*NumSlots-1:0]                    cta_done_i,
  input  wire  [NumSms*NumSlots-1:0]                    cta_active_i,
  input  wire  [NumSms-1:0]                             cta_denied_i,

  output logic [NumSms*$clog2(NumSlots+1)-1:0]          limit_o,
  output logic [NumSms*NumSlots-1:0]                    cta_paused_o,
  output logic [NumSms-1:0]                             pause_soft_o,
  output logic [NumSms-1:0]                             req_o,
  output logic [NumSms-1:0]                             done_o,

  // Voltage and frequency: 0 low, 1 normal, 2 high
  output logic [1:0]                                    sm_level_o,
  output logic [1:0]                                    mem_level_o,
  output logic                                          sm_busy_o,
  output logic                                          mem_busy_o,
  output logic                                          sm_stall_o,
  output logic                                          mem_stall_o
);

  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int SlotsW = IssueWidth * $clog2(NumSlots);
  localparam int WarpW  = $clog2(NumWarps + 1);

  //////////////////////////////////////////////////////////////////////////////
  // The search. It counts on SM 0, from the start of a kernel there that is its to the start of one that is not.

  logic              search, search_q;
  logic [LimitW-1:0] scout_limit, hint;
  logic              scout_done, scout_look;
  logic              hold;  // levels are compared: the limit stays (VFS-8)

  assign search = kernel_start_i[0] ? policy_i == ballast_pkg::PolicyScout : search_q;

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) search_q <= 1'b0;
    else         search_q <= search;
  end

  scout #(
    .NumSlots  (NumSlots),
    .IssueWidth(IssueWidth),
    .Slice     (ScoutSlice),
    .Window    (ScoutWindow),
    .Settle    (ScoutSettle),
    .Warmup    (ScoutWarmup),
    .Margin    (ScoutMargin),
    .Back      (ScoutBack),
    .Verify    (ScoutVerify),
    .Doubt     (ScoutDoubt)
  ) u_scout (
    .clk_i,
    .rst_ni,
    .enable_i      (search && (!hold || kernel_start_i[0])),
    .kernel_start_i(kernel_start_i[0]),
    .nmax_i        (nmax_i[LimitW-1:0]),
    .hint_i        (hint),
    .issue_valid_i (issue_valid_i[IssueWidth-1:0]),
    .cta_done_i    (cta_done_i[NumSlots-1:0]),
    .limit_o       (scout_limit),
    .done_o        (scout_done),
    .look_o        (scout_look)
  );

  limit_table #(
    .NumSlots(NumSlots),
    .Entries (TableEntries),
    .IdW     (8)
  ) u_table (
    .clk_i,
    .rst_ni,
    .enable_i      (search),
    .kernel_start_i(kernel_start_i[0]),
    .kernel_id_i,
    .nmax_i        (nmax_i[LimitW-1:0]),
    .limit_i       (scout_limit),
    .done_i        (scout_done),
    .hint_o        (hint)
  );

  logic vf_sm_up, vf_sm_down, vf_mem_up, vf_mem_down;

  vf_scout #(
    .IssueWidth(IssueWidth),
    .Window    (VfWindow),
    .Settle    (VfSettle),
    .Warmup    (VfWarmup),
    .SmUp      (VfSmUp),
    .MemUp     (VfMemUp),
    .SmDown    (VfSmDown),
    .MemDown   (VfMemDown)
  ) u_levels (
    .clk_i,
    .rst_ni,
    .enable_i      (search),
    .kernel_start_i(kernel_start_i[0]),
    .issue_valid_i (issue_valid_i[IssueWidth-1:0]),
    .cta_done_i    (|cta_done_i[NumSlots-1:0]),
    .look_i        (scout_look),
    .ready_i       (scout_done),
    .mode_i,
    .sm_level_i    (sm_level_o),
    .mem_level_i   (mem_level_o),
    .sm_busy_i     (sm_busy_o),
    .mem_busy_i    (mem_busy_o),
    .sm_up_o       (vf_sm_up),
    .sm_down_o     (vf_sm_down),
    .mem_up_o      (vf_mem_up),
    .mem_down_o    (vf_mem_down),
    .hold_o        (hold)
  );

  //////////////////////////////////////////////////////////////////////////////
  // The SMs

  logic [NumSms-1:0] epoch, comp, mem;  // an epoch has ended; votes
  logic              bcast_valid;       // T_new of SM 0 (LCS-6)
  logic [LimitW-1:0] bcast_limit;
  logic [NumSms-1:0] t_new_valid;
  logic              unused_bcast;      // without a listener

  assign unused_bcast = ^{bcast_valid, bcast_limit, t_new_valid};

  for (genvar i = 0; i < NumSms; i++) begin : gen_sm
    localparam bit Listens = LcsScope == 1 && i != 0;

    logic              heard_valid;
    logic [LimitW-1:0] heard_limit, t_new;

    // An SM that does not listen does not get the broadcast. SM 0 must not get its own: a tool that
    // does not look into lcs would see a combinational loop.
    if (Listens) begin : gen_listen
      assign heard_valid = bcast_valid;
      assign heard_limit = bcast_limit;
    end else begin : gen_deaf
      assign heard_valid = 1'b0;
      assign heard_limit = '0;
    end

    if (i == 0) begin : gen_tell
      assign bcast_valid = t_new_valid[i];
      assign bcast_limit = t_new;
    end else begin : gen_mute
      logic unused_t_new;
      assign unused_t_new = ^t_new;
    end

    sm_governor #(
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
    ) u_sm (
      .clk_i,
      .rst_ni,
      .policy_i,
      .static_limit_i,
      .t_idle_i,
      .t_mem_l_i,
      .t_mem_h_i,
      .scout_limit_i    (scout_limit),
      .scout_done_i     (scout_done),
      .lcs_listen_i     (Listens),
      .lcs_bcast_valid_i(heard_valid),
      .lcs_bcast_limit_i(heard_limit),
      .kernel_start_i   (kernel_start_i[i]),
      .nmax_i           (nmax_i[i*LimitW+:LimitW]),
      .wcta_i           (wcta_i[i*WarpW+:WarpW]),
      .ws0_i            (ws0_i[i*NumWarps+:NumWarps]),
      .ws1_i            (ws1_i[i*NumWarps+:NumWarps]),
      .ws2_i            (ws2_i[i*NumWarps+:NumWarps]),
      .ws3_i            (ws3_i[i*NumWarps+:NumWarps]),
      .paused_i         (paused_i[i*NumWarps+:NumWarps]),
      .issue_valid_i    (issue_valid_i[i*IssueWidth+:IssueWidth]),
      .issue_slot_i     (issue_slot_i[i*SlotsW+:SlotsW]),
      .cta_start_i      (cta_start_i[i*NumSlots+:NumSlots]),
      .cta_done_i       (cta_done_i[i*NumSlots+:NumSlots]),
      .cta_active_i     (cta_active_i[i*NumSlots+:NumSlots]),
      .cta_denied_i     (cta_denied_i[i]),
      .limit_o          (limit_o[i*LimitW+:LimitW]),
      .cta_paused_o     (cta_paused_o[i*NumSlots+:NumSlots]),
      .pause_soft_o     (pause_soft_o[i]),
      .req_o            (req_o[i]),
      .done_o           (done_o[i]),
      .epoch_o          (epoch[i]),
      .comp_o           (comp[i]),
      .mem_o            (mem[i]),
      .t_new_valid_o    (t_new_valid[i]),
      .t_new_o          (t_new)
    );
  end

  //////////////////////////////////////////////////////////////////////////////
  // Vote and domains: what the domains tell the vote and the search does not depend on what they request

  logic vote_valid;
  logic vote_sm_up, vote_sm_down, vote_mem_up, vote_mem_down;  // what the majority asks for
  logic valid, sm_up, sm_down, mem_up, mem_down;               // what the domains are asked for
  logic sm_comp_up, sm_comp_down, sm_mem_up, sm_mem_down;  // what an action would ask for
  logic mem_comp_up, mem_comp_down, mem_mem_up, mem_mem_down;

  vf_vote #(
    .NumSms  (NumSms),
    .Majority(Majority)
  ) u_vote (
    .clk_i,
    .rst_ni,
    .tick_i         (|epoch),  // the same for all SMs (EQ-A20)
    .comp_i         (comp),
    .mem_i          (mem),
    .sm_comp_up_i   (sm_comp_up),
    .sm_comp_down_i (sm_comp_down),
    .sm_mem_up_i    (sm_mem_up),
    .sm_mem_down_i  (sm_mem_down),
    .mem_comp_up_i  (mem_comp_up),
    .mem_comp_down_i(mem_comp_down),
    .mem_mem_up_i   (mem_mem_up),
    .mem_mem_down_i (mem_mem_down),
    .valid_o        (vote_valid),
    .sm_up_o        (vote_sm_up),
    .sm_down_o      (vote_sm_down),
    .mem_up_o       (vote_mem_up),
    .mem_down_o     (vote_mem_down)
  );

  // VFS-1: in a kernel that is the search's, the votes of one before it are not heard.
  assign valid    = search || vote_valid;
  assign sm_up    = search ? vf_sm_up : vote_sm_up;
  assign sm_down  = search ? vf_sm_down : vote_sm_down;
  assign mem_up   = search ? vf_mem_up : vote_mem_up;
  assign mem_down = search ? vf_mem_down : vote_mem_down;

  vf_domain #(
    .Domain       (0),
    .Maintain     (Maintain),
    .Table1Literal(Table1Literal),
    .Transition   (Transition),
    .VrmStall     (VrmStall)
  ) u_sm_domain (
    .clk_i,
    .rst_ni,
    .mode_i,
    .valid_i    (valid),
    .up_i       (sm_up),
    .down_i     (sm_down),
    .level_o    (sm_level_o),
    .busy_o     (sm_busy_o),
    .stall_o    (sm_stall_o),
    .comp_up_o  (sm_comp_up),
    .comp_down_o(sm_comp_down),
    .mem_up_o   (sm_mem_up),
    .mem_down_o (sm_mem_down)
  );

  vf_domain #(
    .Domain       (1),
    .Maintain     (Maintain),
    .Table1Literal(Table1Literal),
    .Transition   (Transition),
    .VrmStall     (VrmStall)
  ) u_mem_domain (
    .clk_i,
    .rst_ni,
    .mode_i,
    .valid_i    (valid),
    .up_i       (mem_up),
    .down_i     (mem_down),
    .level_o    (mem_level_o),
    .busy_o     (mem_busy_o),
    .stall_o    (mem_stall_o),
    .comp_up_o  (mem_comp_up),
    .comp_down_o(mem_comp_down),
    .mem_up_o   (mem_mem_up),
    .mem_down_o (mem_mem_down)
  );

`ifdef VERILATOR
  // What was in the cycle before, and two cycles before, for the assertions.
  logic was_running, after_sm_moves, was_sm_asked, after_mem_moves, was_mem_asked;
  logic was_epoch, epoch_before, ran_before;

  always_ff @(posedge clk_i) begin : p_was
    was_running     <= rst_ni;
    ran_before      <= rst_ni && was_running;
    was_epoch       <= epoch != '0;
    epoch_before    <= was_epoch;
    after_sm_moves  <= rst_ni && !sm_busy_o;
    was_sm_asked    <= sm_up || sm_down;
    after_mem_moves <= rst_ni && !mem_busy_o;
    was_mem_asked   <= mem_up || mem_down;
  end

  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // EQ-A20: one epoch for all SMs, and none without Equalizer.
      EpochsEqual: assert (epoch == {NumSms{epoch[0]}});
      EpochsEqualizer: assert (policy_i == ballast_pkg::PolicyEqualizer || epoch == '0);
      // EQ-7: an SM has one action at most, and votes at the end of an epoch.
      VotesExclusive: assert ((comp & mem) == '0 && ((comp | mem) & ~epoch) == '0);
      // EQ-12: a vote two cycles after an epoch, one direction at most.
      VoteFollows: assert (!ran_before || vote_valid == epoch_before);
      RequestsExclusive: assert (!(sm_up && sm_down) && !(mem_up && mem_down) && (valid ||
          !(sm_up || sm_down || mem_up || mem_down)));
      // EQ-13, EQ-14, VFS-2: what is asked for begins at once, unless a transition is under way.
      SmMoves: assert (!after_sm_moves || sm_busy_o == was_sm_asked);
      MemMoves: assert (!after_mem_moves || mem_busy_o == was_mem_asked);
      // LCS-6: who listens has nothing to tell.
      ListenersSilent: assert (LcsScope == 0 || (t_new_valid & ~(NumSms'(1))) == '0);
    end
  end
`endif

endmodule

`default_nettype wire
