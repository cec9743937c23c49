// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// sm_governor: holds the CTAs of an SM at the right number. It has six policies: a fixed limit,
// perfsat, lcs, Equalizer (eq_counters, eq_decision and the filter in cta_throttle), dyncta, and the
// limit of a search outside, which is one for the whole chip (scout). One of them is in force for a
// kernel. They share stall_classifier, which classifies the cycles of the SM, and cta_throttle, which
// pauses, resumes and requests CTAs for every policy.
//
// Timing: a kernel start chooses the policy. A policy's decision at a rising edge shows in `limit_o`
// in the next cycle, and in `cta_paused_o` two cycles after that at the earliest. The search outside shows in the
// same cycle: it is in registers there. `req_o` depends on the launches of its cycle. `epoch_o`, the votes and `t_new_*_o` are combinational, too: they depend on
// registers, `policy_i` and `kernel_start_i`, the votes also on `wcta_i`.
// A policy that is not in force holds still. Only Equalizer's counters follow `policy_i` at once
// instead of the kernel, because the epochs of all SMs end together (EQ-A20).
//
// A parameter of a block inside has the name that it has there. A prefix is added where the name
// alone would not say which block it belongs to.
//
// doc/blocks/sm_governor.md

`default_nettype none

module sm_governor #(
  // Geometry of the SM
  parameter int NumWarps        = 48,    // warp slots, 1..64
  parameter int NumSlots        = 8,     // CTA slots, 2..32
  parameter int IssueWidth      = 2,     // warp instructions issued per cycle at most, 1..8
  // stall_classifier
  parameter int PsPrio          = 0,
  parameter int MixedTag        = 1,
  // perfsat
  parameter int CountW          = 32,    // width of its counts, 2..32
  parameter int PsTie           = 2,
  parameter int PsWdConfirm     = 1,
  parameter int PsRecoverN      = 0,
  parameter int PsWeakRevert    = 0,
  parameter int PsToggleHist    = 0,
  parameter int PsTogglePairs   = 0,
  parameter int PsToggleLimit   = 3,
  parameter int PsSettle        = 0,
  // lcs
  parameter int LcsCountW       = 20,    // width of its counts, 5..32
  parameter int LcsRoundMode    = 0,
  parameter int LcsThrottle     = 0,
  // eq_counters
  parameter int Epoch           = 4096,
  parameter int SampleInterval  = 128,
  parameter int SamplePhase     = 127,
  parameter int SampleCycles    = 16,
  parameter int XaluExclIssued  = 1,
  parameter int XmemInclSlot    = 0,
  // eq_decision
  parameter int AvgMode         = 0,
  // cta_throttle
  parameter int HystEpochs      = 3,
  parameter int HystSameDir     = 1,
  parameter int IncUnpauseFirst = 1,
  parameter int GrantFeedback   = 1,
  // dyncta
  parameter int DynPeriod       = 2048
) (
  input  wire                                    clk_i,
  input  wire                                    rst_ni,

  // Settings
  input  wire  [2:0]                             policy_i,
  input  wire  [$clog2(NumSlots+1)-1:0]          static_limit_i,  // only with kernel_start_i
  input  wire  [$clog2(DynPeriod+1)-1:0]         t_idle_i,
  input  wire  [$clog2(DynPeriod+1)-1:0]         t_mem_l_i,
  input  wire  [$clog2(DynPeriod+1)-1:0]         t_mem_h_i,

  // The search outside (SCT-9), or any other block that gives a limit
  input  wire  [$clog2(NumSlots+1)-1:0]          scout_limit_i,
  input  wire                                    scout_done_i,

  // Broadcast of T_new (LCS-6)
  input  wire                                    lcs_listen_i,
  input  wire                                    lcs_bcast_valid_i,
  input  wire  [$clog2(NumSlots+1)-1:0]          lcs_bcast_limit_i,

  // Observation bus
  input  wire                                    kernel_start_i,
  input  wire  [$clog2(NumSlots+1)-1:0]          nmax_i,          // only with kernel_start_i
  input  wire  [$clog2(NumWarps+1)-1:0]          wcta_i,          // holds as long as the kernel
  // Bit w of plane b is bit b of warp w's state.
  input  wire  [NumWarps-1:0]                    ws0_i,
  input  wire  [NumWarps-1:0]                    ws1_i,
  input  wire  [NumWarps-1:0]                    ws2_i,
  input  wire  [NumWarps-1:0]                    ws3_i,
  input  wire  [NumWarps-1:0]                    paused_i,
  input  wire  [IssueWidth-1:0]                  issue_valid_i,   // by lane
  input  wire  [IssueWidth*$clog2(NumSlots)-1:0] issue_slot_i,    // lane 0 in the lowest bits
  input  wire  [NumSlots-1:0]                    cta_start_i,
  input  wire  [NumSlots-1:0]                    cta_done_i,
  input  wire  [NumSlots-1:0]                    cta_active_i,
  input  wire                                    cta_denied_i,

  output logic [$clog2(NumSlots+1)-1:0]          limit_o,
  output logic [NumSlots-1:0]                    cta_paused_o,
  output logic                                   pause_soft_o,
  output logic                                   req_o,
  output logic                                   done_o,

  // Votes, once per epoch
  output logic                                   epoch_o,
  output logic                                   comp_o,
  output logic                                   mem_o,

  // For the broadcast
  output logic                                   t_new_valid_o,
  output logic [$clog2(NumSlots+1)-1:0]          t_new_o
);

  localparam int LimitW  = $clog2(NumSlots + 1);
  localparam int Samples = Epoch / SampleInterval;
  localparam int SumW    = $clog2(NumWarps * Samples + 1);

  logic [2:0]        policy_q, policy_d;
  logic [LimitW-1:0] fixed_q, fixed_d;    // the static policy's limit, or what fits (scout)

  //////////////////////////////////////////////////////////////////////////////
  // Which policy is in force. The cycle of a kernel start already enables the policy of the new
  // kernel, so that a block sees the start of exactly those kernels that it controls.

  logic [2:0] policy;                     // policy_i, unknown codes as static
  logic       use_static, use_perfsat, use_lcs, use_dyncta, use_scout;  // enabled in this cycle
  logic       in_perfsat, in_lcs, in_equalizer, in_dyncta, in_scout;    // in force for the kernel
  logic       in_static;

  assign policy   = (policy_i > ballast_pkg::PolicyScout) ? ballast_pkg::PolicyStatic : policy_i;
  assign policy_d = kernel_start_i ? policy : policy_q;

  assign use_static  = policy_d == ballast_pkg::PolicyStatic;
  assign use_perfsat = policy_d == ballast_pkg::PolicyPerfsat;
  assign use_lcs     = policy_d == ballast_pkg::PolicyLcs;
  assign use_dyncta  = policy_d == ballast_pkg::PolicyDyncta;
  assign use_scout   = policy_d == ballast_pkg::PolicyScout;

  assign in_perfsat   = policy_q == ballast_pkg::PolicyPerfsat;
  assign in_lcs       = policy_q == ballast_pkg::PolicyLcs;
  assign in_equalizer = policy_q == ballast_pkg::PolicyEqualizer;
  assign in_dyncta    = policy_q == ballast_pkg::PolicyDyncta;
  assign in_scout     = policy_q == ballast_pkg::PolicyScout;
  assign in_static    = !(in_perfsat || in_lcs || in_equalizer || in_dyncta || in_scout);

  //////////////////////////////////////////////////////////////////////////////
  // Static, and the search outside: its limit counts where so many CTAs fit on this SM

  logic [LimitW-1:0] scout_limit;

  assign scout_limit = (scout_limit_i == '0 || scout_limit_i > fixed_q) ? fixed_q : scout_limit_i;

  always_comb begin : p_fixed
    fixed_d = fixed_q;
    if (kernel_start_i && use_static) begin
      if (static_limit_i == '0 || static_limit_i > nmax_i) fixed_d = nmax_i;
      else                                                 fixed_d = static_limit_i;
    end else if (kernel_start_i && use_scout) begin
      fixed_d = nmax_i;
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      policy_q <= ballast_pkg::PolicyStatic;
      fixed_q  <= '0;
    end else begin
      policy_q <= policy_d;
      fixed_q  <= fixed_d;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Perf-Sat, LCS, DYNCTA

  logic [1:0]        ps_class;            // of the cycle before
  logic [1:0]        lcs_class;           // of the cycle before that
  logic              unused_ps_mem;
  logic [LimitW-1:0] perfsat_limit, lcs_limit, dyncta_limit;
  logic              perfsat_done, lcs_done;
  logic              perfsat_sampled, dyncta_sampled;
  logic              lcs_pause;
  logic [NumSlots-1:0] running;           // resident and not paused

  assign running = cta_active_i & ~cta_paused_o;

  stall_classifier #(
    .NumWarps(NumWarps),
    .PsPrio  (PsPrio),
    .MixedTag(MixedTag)
  ) u_classifier (
    .clk_i,
    .rst_ni,
    .ws0_i,
    .ws1_i,
    .ws2_i,
    .ws3_i,
    .paused_i,
    .ps_class_o (ps_class),
    .ps_mem_o   (unused_ps_mem),
    .lcs_class_o(lcs_class)
  );

  perfsat #(
    .NumSlots   (NumSlots),
    .CountW     (CountW),
    .Tie        (PsTie),
    .WdConfirm  (PsWdConfirm),
    .RecoverN   (PsRecoverN),
    .WeakRevert (PsWeakRevert),
    .ToggleHist (PsToggleHist),
    .TogglePairs(PsTogglePairs),
    .ToggleLimit(PsToggleLimit),
    .Settle     (PsSettle)
  ) u_perfsat (
    .clk_i,
    .rst_ni,
    .enable_i    (use_perfsat),
    .kernel_start_i,
    .nmax_i,
    .ps_class_i  (ps_class),
    .cta_start_i,
    .cta_done_i,
    .cta_active_i,
    .limit_o     (perfsat_limit),
    .done_o      (perfsat_done),
    .sample_end_o(perfsat_sampled)
  );

  lcs #(
    .NumSlots  (NumSlots),
    .IssueWidth(IssueWidth),
    .CountW    (LcsCountW),
    .RoundMode (LcsRoundMode),
    .Throttle  (LcsThrottle)
  ) u_lcs (
    .clk_i,
    .rst_ni,
    .enable_i     (use_lcs),
    .kernel_start_i,
    .nmax_i,
    .issue_valid_i,
    .issue_slot_i,
    .cta_done_i,
    .cta_active_i (running),
    .listen_i     (lcs_listen_i),
    .bcast_valid_i(lcs_bcast_valid_i),
    .bcast_limit_i(lcs_bcast_limit_i),
    .limit_o      (lcs_limit),
    .pause_o      (lcs_pause),
    .t_new_valid_o,
    .t_new_o,
    .done_o       (lcs_done)
  );

  dyncta #(
    .NumSlots(NumSlots),
    .Period  (DynPeriod)
  ) u_dyncta (
    .clk_i,
    .rst_ni,
    .enable_i    (use_dyncta),
    .kernel_start_i,
    .nmax_i,
    .lcs_class_i (lcs_class),
    .t_idle_i,
    .t_mem_l_i,
    .t_mem_h_i,
    .limit_o     (dyncta_limit),
    .sample_end_o(dyncta_sampled)
  );

  //////////////////////////////////////////////////////////////////////////////
  // Equalizer: an SM without a kernel votes, too (EQ-16), so an epoch does not depend on a kernel.

  logic            counting;
  logic [SumW-1:0] active, waiting, xalu, xmem;
  logic [2:0]      unused_branch;
  logic            inc, dec, comp, mem;

  assign counting = policy_i == ballast_pkg::PolicyEqualizer;

  eq_counters #(
    .NumWarps      (NumWarps),
    .Epoch         (Epoch),
    .SampleInterval(SampleInterval),
    .SamplePhase   (SamplePhase),
    .SampleCycles  (SampleCycles),
    .XaluExclIssued(XaluExclIssued),
    .XmemInclSlot  (XmemInclSlot)
  ) u_counters (
    .clk_i,
    .rst_ni,
    .enable_i   (counting),
    .kernel_start_i,
    .ws0_i,
    .ws1_i,
    .ws2_i,
    .ws3_i,
    .paused_i,
    .epoch_end_o(epoch_o),
    .active_o   (active),
    .waiting_o  (waiting),
    .xalu_o     (xalu),
    .xmem_o     (xmem)
  );

  eq_decision #(
    .NumWarps(NumWarps),
    .Samples (Samples),
    .AvgMode (AvgMode)
  ) u_decision (
    .active_i (active),
    .waiting_i(waiting),
    .xalu_i   (xalu),
    .xmem_i   (xmem),
    .wcta_i,
    .branch_o (unused_branch),
    .inc_o    (inc),
    .dec_o    (dec),
    .comp_o   (comp),
    .mem_o    (mem)
  );

  assign comp_o = epoch_o && comp;
  assign mem_o  = epoch_o && mem;

  //////////////////////////////////////////////////////////////////////////////
  // One mechanism for all policies

  logic              tick, unused_acted;
  logic [LimitW-1:0] target;
  logic              pause_en;

  assign tick     = epoch_o && in_equalizer;
  assign pause_en = in_equalizer || in_dyncta || in_scout || (in_lcs && lcs_pause);

  assign target = ({LimitW{in_static}}  & fixed_q) |
                  ({LimitW{in_perfsat}} & perfsat_limit) |
                  ({LimitW{in_lcs}}     & lcs_limit) |
                  ({LimitW{in_dyncta}}  & dyncta_limit) |
                  ({LimitW{in_scout}}   & scout_limit);

  cta_throttle #(
    .NumSlots       (NumSlots),
    .HystEpochs     (HystEpochs),
    .HystSameDir    (HystSameDir),
    .IncUnpauseFirst(IncUnpauseFirst),
    .GrantFeedback  (GrantFeedback)
  ) u_throttle (
    .clk_i,
    .rst_ni,
    .enable_i  (1'b1),
    .kernel_start_i,
    .nmax_i,
    .tick_i    (tick),
    .inc_i     (inc),
    .dec_i     (dec),
    .follow_i  (!in_equalizer),
    .target_i  (target),
    .pause_en_i(pause_en),
    .cta_start_i,
    .cta_done_i,
    .cta_active_i,
    .denied_i  (cta_denied_i),
    .limit_o,
    .paused_o  (cta_paused_o),
    .req_o,
    .acted_o   (unused_acted)
  );

  assign done_o = (in_static && fixed_q != '0) || (in_perfsat && perfsat_done) ||
                  (in_lcs && lcs_done) || (in_scout && scout_done_i);
  assign pause_soft_o = in_dyncta;

  logic unused_sampled;
  assign unused_sampled = ^{perfsat_sampled, dyncta_sampled};

`ifdef VERILATOR
  // What was in the cycle before, for the assertions.
  logic                          after_policy_holds, after_static_still, after_perfsat_still,
                                 was_perfsat_done, after_lcs_still, was_lcs_pause, was_lcs_done,
                                 after_dyncta_still, after_counters_still, after_limit_at_start,
                                 after_done_holds, after_start_resumes;
  logic [2:0]                    was_policy;
  logic [LimitW-1:0]             was_fixed, was_perfsat_limit, was_lcs_limit, was_dyncta_limit;
  logic [SumW-1:0]               was_active, was_waiting, was_xalu, was_xmem;
  logic [$clog2(NumSlots+1)-1:0] was_nmax, was_limit;

  always_ff @(posedge clk_i) begin : p_was
    after_policy_holds   <= rst_ni && !kernel_start_i;
    was_policy           <= policy_q;
    after_static_still   <= rst_ni && !use_static && !use_scout;
    was_fixed            <= fixed_q;
    after_perfsat_still  <= rst_ni && !use_perfsat;
    was_perfsat_limit    <= perfsat_limit;
    was_perfsat_done     <= perfsat_done;
    after_lcs_still      <= rst_ni && !use_lcs;
    was_lcs_limit        <= lcs_limit;
    was_lcs_pause        <= lcs_pause;
    was_lcs_done         <= lcs_done;
    after_dyncta_still   <= rst_ni && !use_dyncta;
    was_dyncta_limit     <= dyncta_limit;
    after_counters_still <= rst_ni && !counting;
    was_active           <= active;
    was_waiting          <= waiting;
    was_xalu             <= xalu;
    was_xmem             <= xmem;
    after_limit_at_start <= rst_ni && kernel_start_i;
    was_nmax             <= nmax_i;
    after_done_holds     <= rst_ni && done_o && !kernel_start_i && !in_scout;
    was_limit            <= limit_o;
    after_start_resumes  <= rst_ni && (kernel_start_i || !pause_en);
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // A policy is a kernel's: it changes with a kernel start only, and to one that exists.
      PolicyLegal: assert (policy_q <= ballast_pkg::PolicyScout);
      PolicyHolds: assert (!after_policy_holds || policy_q == was_policy);
      // One policy at a time: one block is enabled in a cycle, and none while Equalizer is in force.
      OneRuns: assert (32'(use_static) + 32'(use_perfsat) + 32'(use_lcs) + 32'(use_dyncta) +
          32'(use_scout) == 32'(policy_d != ballast_pkg::PolicyEqualizer));
      // Who is not in force holds still and reports nothing.
      StaticStill: assert (!after_static_still || fixed_q == was_fixed);
      PerfsatStill: assert (!after_perfsat_still || (perfsat_limit == was_perfsat_limit &&
          perfsat_done == was_perfsat_done));
      LcsStill: assert (!after_lcs_still || (lcs_limit == was_lcs_limit &&
          lcs_pause == was_lcs_pause && lcs_done == was_lcs_done));
      DynctaStill: assert (!after_dyncta_still || dyncta_limit == was_dyncta_limit);
      CountersStill: assert (!after_counters_still || (active == was_active &&
          waiting == was_waiting && xalu == was_xalu && xmem == was_xmem));
      EventsSilent: assert (!(perfsat_sampled && !use_perfsat) && !(dyncta_sampled && !use_dyncta)
          && !(t_new_valid_o && !use_lcs) && !(epoch_o && !counting));
      // PS-17, LCS-7, DYN-2, EQ-A12: within 1..Nmax, and 0 only without a kernel that could run.
      LimitRange: assert (limit_o <= u_throttle.nmax_q && (limit_o != '0 ||
          u_throttle.nmax_q == '0));
      LimitAtStart: assert (!after_limit_at_start || (limit_o <= was_nmax && (limit_o != '0 ||
          was_nmax == '0)));
      // A decision that has been made is the kernel's; the search outside may begin anew.
      DoneHolds: assert (!after_done_holds || (done_o && limit_o == was_limit));
      // Nobody is paused, and nothing asked for, across a kernel start; a limit to drain to pauses
      // nobody.
      StartResumes: assert (!after_start_resumes || cta_paused_o == '0);
      StartSilent: assert (!kernel_start_i || !req_o);
      // EQ-7: one action at most, and a vote only when an epoch has ended.
      VotesExclusive: assert (!(comp_o && mem_o) && (epoch_o || !(comp_o || mem_o)));
      // LCS-6: what SM 0 broadcasts is 0 in every other cycle.
      TNewSilent: assert (t_new_valid_o || t_new_o == '0);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
