// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// mcke: the CTA dispatcher for several kernels at once (mixed concurrent kernel execution). In every cycle
// it gives at most one CTA of one kernel to an SM that asks (GWDE-4), is below its limit (GWDE-3) and below
// its quota of this kernel (CKE-1), and has room for an entire CTA in what the kernels share (GWDE-2,
// CKE-A1). A setting says which kernel comes first. One per chip. It holds a cke_resources per SM.
//
// Timing: which kernels may get a CTA of which SM is worked out in cycle t-2, from registers, `mode_i`,
// `req_i`, `limit_i` and `quota_i`, and kept in each SM's account. A kernel is chosen in t-1, and kept with
// the SMs that were ready for it; one of these in t. Its slot is taken at the edge. The CTA is launched in
// t+1, from registers, because a governor's request hangs on the launches of the same cycle. `denied_o` is
// combinational.
//
// A kernel is chosen first, and then an SM for it, so there is one choice among SMs, not one per kernel.
// The signals of the SMs are vectors with one field per SM, SM 0 in the lowest bits; so are the kernels
// within.
//
// doc/blocks/mcke.md

`default_nettype none

module mcke #(
  parameter int NumKernels = 2,     // 2..4
  parameter int NumSms     = 15,    // 1..256
  // cke_resources
  parameter int NumSlots   = 8,
  parameter int NumWarps   = 48,
  parameter int RegUnits   = 1024,
  parameter int SmemUnits  = 384
) (
  input  wire                                            clk_i,
  input  wire                                            rst_ni,

  input  wire  [1:0]                                     mode_i,    // which kernel comes first

  // A kernel starts, where its bit of idle_o is 1
  input  wire                                            start_i,
  input  wire  [$clog2(NumKernels)-1:0]                  kernel_i,  // its number,
  input  wire  [31:0]                                    grid_i,    // its CTAs; what one needs:
  input  wire  [$clog2(NumWarps+2)-1:0]                  warps_i,
  input  wire  [$clog2(RegUnits+2)-1:0]                  regs_i,
  input  wire  [$clog2(SmemUnits+2)-1:0]                 smem_i,

  input  wire  [NumSms*$clog2(NumSlots+1)-1:0]           limit_i,
  input  wire  [NumSms*NumKernels*$clog2(NumSlots+1)-1:0] quota_i,
  input  wire  [NumSms-1:0]                              req_i,
  input  wire  [NumSms*NumSlots-1:0]                     cta_done_i,

  // Of each kernel
  output logic [NumKernels-1:0]                          idle_o,       // a start is taken
  output logic [NumKernels-1:0]                          exhausted_o,  // no CTA is left
  output logic [NumKernels-1:0]                          too_big_o,    // a CTA fits no SM

  // The launch of this cycle, and the same for each SM
  output logic                                           start_valid_o,
  output logic [$clog2(NumKernels)-1:0]                  start_kernel_o,
  output logic [$clog2(NumSms+1/NumSms)-1:0]             start_sm_o,
  output logic [$clog2(NumSlots+1/NumSlots)-1:0]         start_slot_o,
  output logic [31:0]                                    start_cta_o,
  output logic [NumSms*NumSlots-1:0]                     cta_start_o,
  output logic [NumSms*NumSlots-1:0]                     cta_active_o,
  output logic [NumSms*NumSlots*$clog2(NumKernels)-1:0]  cta_kernel_o,
  output logic [NumSms*NumKernels*$clog2(NumSlots+1)-1:0] ctas_o,
  output logic [NumSms*$clog2(RegUnits+2)-1:0]           free_regs_o,
  output logic [NumSms*$clog2(SmemUnits+2)-1:0]          free_smem_o,
  output logic [NumSms*NumKernels-1:0]                   denied_o
);

  localparam int KernW  = $clog2(NumKernels);
  localparam int SmW    = $clog2(NumSms + 1 / NumSms);  // of a single one a bit, too
  localparam int SlotW  = $clog2(NumSlots + 1 / NumSlots);
  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int WarpW  = $clog2(NumWarps + 2);
  localparam int RegW   = $clog2(RegUnits + 2);
  localparam int SmemW  = $clog2(SmemUnits + 2);

  // The modes of the page
  localparam logic [1:0] ModeLeftover = 2'd1;
  localparam logic [1:0] ModeApart    = 2'd2;
  localparam logic [1:0] ModeQueue    = 2'd3;

  // One of each per kernel. Yosys makes registers of them without a warning
  (* mem2reg *)
  logic [31:0]           left_q [NumKernels];   // CTAs that have not been chosen
  (* mem2reg *)
  logic [31:0]           cta_q [NumKernels];    // the next one to be launched
  (* mem2reg *)
  logic [WarpW-1:0]      warps_q [NumKernels];
  (* mem2reg *)
  logic [RegW-1:0]       regs_q [NumKernels];
  (* mem2reg *)
  logic [SmemW-1:0]      smem_q [NumKernels];

  // One of each per SM
  (* mem2reg *)
  logic                  row_q [NumSms];        // it was ready for the kernel that was chosen
  (* mem2reg *)
  logic [KernW-1:0]      who_q [NumSms];        // that kernel, or 0: nearer to its SM than kernel_q
  (* mem2reg *)
  logic [NumKernels-1:0] after_q [NumSms];      // it is after the SM that got this kernel's last CTA

  logic [NumKernels-1:0] too_big_q, too_big_d;
  logic [KernW-1:0]      turn_q, turn_d;        // whose turn it is among the kernels
  logic [KernW-1:0]      kernel_q, kernel_d;    // the kernel that was chosen
  logic                  start_valid_q, start_valid_d;
  logic [KernW-1:0]      start_kernel_q, start_kernel_d;
  logic [SlotW-1:0]      start_slot_q, start_slot_d;

  //////////////////////////////////////////////////////////////////////////////
  // The SMs

  logic [NumKernels*WarpW-1:0]  warps;      // what a CTA of each kernel needs
  logic [NumKernels*RegW-1:0]   regs;
  logic [NumKernels*SmemW-1:0]  smem;
  logic [NumKernels-1:0]        some_left;
  logic [NumKernels-1:0]        start;      // who starts
  logic [NumKernels-1:0]        open;       // something is left, and no kernel before it is waited for
  logic [NumKernels*NumSms-1:0] ready;      // a row of SMs per kernel: which may get one of its CTAs
  logic [NumKernels*NumSms-1:0] holds;      // where it holds something
  logic [NumSms-1:0]            taken;      // whose account does not count the last launch yet
  logic [NumSms-1:0]            grant;
  logic [SlotW*NumSms-1:0]      slots;      // where a CTA would go: a row of SMs per bit
`ifdef VERILATOR
  logic [NumSms-1:0]            unfit, alien;
`endif

  for (genvar i = 0; i < NumSms; i++) begin : gen_sm
    logic [NumKernels-1:0]        fits, below, home, may, is_ready;
    logic [NumKernels*LimitW-1:0] ctas;
    logic [LimitW-1:0]            count;
    logic [SlotW-1:0]             slot;
    logic [KernW-1:0]             who;
    logic                         due, asks;

    cke_resources #(
      .NumKernels(NumKernels),
      .NumSlots  (NumSlots),
      .NumWarps  (NumWarps),
      .RegUnits  (RegUnits),
      .SmemUnits (SmemUnits)
    ) u_sm (
      .clk_i,
      .rst_ni,
      .warps_i    (warps),
      .regs_i     (regs),
      .smem_i     (smem),
      .may_i      (may),
      .take_i     (grant[i]),
      .kernel_i   (who),
      .cta_done_i (cta_done_i[i*NumSlots+:NumSlots]),
      .fits_o     (fits),
      .ready_o    (is_ready),
      .taken_o    (taken[i]),
      .slot_o     (slot),
      .ctas_o     (ctas),
      .count_o    (count),
      .owner_o    (cta_kernel_o[i*NumSlots*KernW+:NumSlots*KernW]),
      .active_o   (cta_active_o[i*NumSlots+:NumSlots]),
      .due_o      (due),
      .free_regs_o(free_regs_o[i*RegW+:RegW]),
      .free_smem_o(free_smem_o[i*SmemW+:SmemW])
    );

    for (genvar j = 0; j < SlotW; j++) begin : gen_slot
      assign slots[j*NumSms+i] = slot[j];
    end

    assign ctas_o[i*NumKernels*LimitW+:NumKernels*LimitW] = ctas;
    assign who  = who_q[i];
    assign asks = req_i[i] && count < limit_i[i*LimitW+:LimitW];

    for (genvar k = 0; k < NumKernels; k++) begin : gen_kernel
      assign below[k]          = ctas[k*LimitW+:LimitW] < quota_i[(i*NumKernels+k)*LimitW+:LimitW];
      assign home[k]           = mode_i != ModeApart || i % NumKernels == k;
      assign may[k]            = asks && below[k] && home[k] && open[k];
      assign ready[k*NumSms+i] = is_ready[k];
      assign holds[k*NumSms+i] = ctas[k*LimitW+:LimitW] != '0;
      assign denied_o[i*NumKernels+k] =
          req_i[i] && (!some_left[k] || !home[k] || (!fits[k] && !due));
    end

    assign cta_start_o[i*NumSlots+:NumSlots] = {NumSlots{taken[i]}} & start_slot;
`ifdef VERILATOR
    // GWDE-2: what fitted when its kernel was found ready still does.
    assign unfit[i] = grant[i] && (fits >> who & NumKernels'(1)) == '0;
    assign alien[i] = row_q[i] ? who != kernel_q : who != '0;
`endif
  end

  //////////////////////////////////////////////////////////////////////////////
  // The kernel: the lowest bit that is set, by its own negative; of those from the turn on, if there are,
  // where kernels go in turn. The turn is behind the kernel that was chosen before, if that launches. That
  // is known late, so both choices are made.

  logic                  in_turn, launch;
  logic [NumKernels-1:0] any, at_kernel;  // who has SMs that are ready; which kernel was chosen before
  logic [NumKernels-1:0] from_turn, from_next, later, later_next, pool_turn, pool_next, chosen;

  assign in_turn    = mode_i != ModeLeftover && mode_i != ModeQueue;
  assign later      = any & from_turn;
  assign later_next = any & from_next;
  assign pool_turn  = (in_turn && later != '0) ? later : any;
  assign pool_next  = (in_turn && later_next != '0) ? later_next : any;
  assign chosen     = launch ? pool_next & (~pool_next + NumKernels'(1)) :
                               pool_turn & (~pool_turn + NumKernels'(1));

  for (genvar k = 0; k < NumKernels; k++) begin : gen_any
    assign any[k]       = ready[k*NumSms+:NumSms] != '0;
    assign from_turn[k] = 32'(turn_q) <= k;
    assign from_next[k] = 32'(kernel_q) + 1 <= k;
    assign at_kernel[k] = 32'(kernel_q) == k;
  end

  // The number of the kernel whose bit is 1, 0 of none.
  function automatic [KernW-1:0] number_of(input [NumKernels-1:0] one);
    integer k;
    begin
      number_of = '0;
      for (k = 0; k < NumKernels; k = k + 1) number_of = number_of | ({KernW{one[k]}} & KernW'(k));
    end
  endfunction

  assign kernel_d = number_of(chosen);

  for (genvar i = 0; i < NumSms; i++) begin : gen_row
    logic [NumKernels-1:0] column;  // the kernel that was chosen, if the SM is ready for it

    for (genvar k = 0; k < NumKernels; k++) begin : gen_column
      assign column[k] = chosen[k] && ready[k*NumSms+i];
    end

    always_ff @(posedge clk_i) begin : p_row
      if (!rst_ni) begin
        row_q[i] <= 1'b0;
        who_q[i] <= '0;
      end else begin
        row_q[i] <= column != '0;
        who_q[i] <= number_of(column);
      end
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // The SM: the same among those of the kernel that was chosen, from its turn on. An SM that got a CTA in
  // the cycle before was ready before that.

  logic [NumSms-1:0]     row, ahead, first, behind;  // behind: the SMs after the first one
  logic [NumKernels-1:0] chooses;                          // whose CTA
  logic [SlotW-1:0]      slot;
  logic                  kernel_left;

  assign kernel_left = (at_kernel & some_left) != '0;
  assign launch      = row != '0 && kernel_left;
  assign first       = ahead != '0 ? ahead & (~ahead + NumSms'(1)) : row & (~row + NumSms'(1));
  assign behind      = ~(first | (first - NumSms'(1)));
  assign grant       = first & {NumSms{kernel_left}};

  for (genvar i = 0; i < NumSms; i++) begin : gen_after
    logic [NumKernels-1:0] after, of_who;
    logic [KernW-1:0]      who;

    assign who      = who_q[i];
    assign after    = after_q[i];
    assign row[i]   = row_q[i] && !taken[i];
    assign ahead[i] = row[i] && (of_who & after) != '0;

    for (genvar k = 0; k < NumKernels; k++) begin : gen_who
      assign of_who[k] = who == KernW'(k);
    end

    // A start begins anew with SM 0, which is the lowest where none is after the last
    always_ff @(posedge clk_i) begin : p_after
      if (!rst_ni) after_q[i] <= '0;
      else         after_q[i] <= (after & ~chooses | chooses & {NumKernels{behind[i]}}) & ~start;
    end
  end

  // Not in a loop: Icarus 11 does not come to an end with slots indexed by its variable.
  for (genvar j = 0; j < SlotW; j++) begin : gen_chosen_slot
    assign slot[j] = (grant & slots[j*NumSms+:NumSms]) != '0;
  end

  //////////////////////////////////////////////////////////////////////////////
  // The grids

  logic                  exceeds;
  logic [NumKernels-1:0] counts;  // whose CTA is being launched

  assign exceeds = 32'(warps_i) > NumWarps || 32'(regs_i) > RegUnits || 32'(smem_i) > SmemUnits;

  for (genvar k = 0; k < NumKernels; k++) begin : gen_grid
    logic [31:0] left, cta;

    assign left         = left_q[k];
    assign cta          = cta_q[k];
    assign some_left[k] = left != '0;
    assign idle_o[k]    = !some_left[k] && holds[k*NumSms+:NumSms] == '0 && !counts[k];
    assign start[k]     = start_i && kernel_i == KernW'(k) && idle_o[k];
    assign counts[k]    = start_valid_q && start_kernel_q == KernW'(k);
    assign chooses[k]   = launch && at_kernel[k];

    if (k == 0) begin : gen_first
      assign open[k] = some_left[k];
    end else begin : gen_queue
      assign open[k] = some_left[k] && (mode_i != ModeQueue || some_left[k-1:0] == '0);
    end

    assign warps[k*WarpW+:WarpW] = warps_q[k];
    assign regs[k*RegW+:RegW]    = regs_q[k];
    assign smem[k*SmemW+:SmemW]  = smem_q[k];

    always_ff @(posedge clk_i) begin : p_grid
      if (!rst_ni) begin
        left_q[k]  <= '0;
        cta_q[k]   <= '0;
        warps_q[k] <= '0;
        regs_q[k]  <= '0;
        smem_q[k]  <= '0;
      end else if (start[k]) begin
        left_q[k]  <= exceeds ? '0 : grid_i;
        cta_q[k]   <= '0;
        warps_q[k] <= warps_i;
        regs_q[k]  <= regs_i;
        smem_q[k]  <= smem_i;
      end else begin
        if (chooses[k]) left_q[k] <= left - 32'd1;
        if (counts[k]) cta_q[k] <= cta + 32'd1;
      end
    end
  end

  always_comb begin : p_next
    too_big_d      = (too_big_q & ~start) | (start & {NumKernels{exceeds}});
    turn_d         = turn_q;
    start_valid_d  = launch;
    start_kernel_d = kernel_q;
    start_slot_d   = slot;
    if (launch) turn_d = 32'(kernel_q) == NumKernels - 1 ? '0 : kernel_q + KernW'(1);
    // A run does not hang on the one before
    if (start != '0 && idle_o == {NumKernels{1'b1}}) turn_d = '0;
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      too_big_q      <= '0;
      turn_q         <= '0;
      kernel_q       <= '0;
      start_valid_q  <= 1'b0;
      start_kernel_q <= '0;
      start_slot_q   <= '0;
    end else begin
      too_big_q      <= too_big_d;
      turn_q         <= turn_d;
      kernel_q       <= kernel_d;
      start_valid_q  <= start_valid_d;
      start_kernel_q <= start_kernel_d;
      start_slot_q   <= start_slot_d;
    end
  end

  // The SM of the launch is the one that does not count it yet
  logic [NumSlots-1:0] start_slot;

  assign start_slot = NumSlots'(1) << start_slot_q;

  for (genvar j = 0; j < SmW; j++) begin : gen_start_sm
    logic [NumSms-1:0] is;
    for (genvar i = 0; i < NumSms; i++) begin : gen_number
      assign is[i] = 1'(i >> j);
    end
    assign start_sm_o[j] = (taken & is) != '0;
  end

  always_comb begin : p_cta
    start_cta_o = '0;
    for (int k = 0; k < NumKernels; k++) begin
      start_cta_o = start_cta_o | ({32{start_kernel_q == KernW'(k)}} & cta_q[k]);
    end
  end

  assign exhausted_o    = ~some_left;
  assign too_big_o      = too_big_q;
  assign start_valid_o  = start_valid_q;
  assign start_kernel_o = start_kernel_q;
  assign start_slot_o   = start_slot_q;

`ifdef VERILATOR
  // What was in the cycle before, for the assertions.
  logic                        was_running, was_launch;
  logic [NumSms*NumSlots-1:0]  was_cta_active;
  logic [NumKernels-1:0]       was_busy, was_too_big;
  logic [NumKernels*WarpW-1:0] was_warps;
  logic [NumKernels*RegW-1:0]  was_regs;
  logic [NumKernels*SmemW-1:0] was_smem;

  always_ff @(posedge clk_i) begin : p_was
    was_running    <= rst_ni;
    was_launch     <= launch;
    was_cta_active <= cta_active_o;
    was_busy       <= rst_ni ? ~idle_o : '0;
    was_too_big    <= too_big_q;
    was_warps      <= warps;
    was_regs       <= regs;
    was_smem       <= smem;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // GWDE-1: one CTA of one kernel at most, on an SM that was ready for it and has got none since.
      OneGrant: assert ($onehot0(grant) && $onehot0(chosen) && (grant & ~row) == '0 &&
          (grant != '0) == launch);
      GrantLeft: assert ((chooses & ~some_left) == '0);
      OneLaunch: assert ($onehot0(cta_start_o) && (cta_start_o != '0) == start_valid_o);
      LaunchFollows: assert (!was_running || start_valid_o == was_launch);
      // A launch is into a slot that was not in use, and is from then on.
      LaunchNew: assert (!was_running || (cta_start_o & was_cta_active) == '0);
      LaunchActive: assert ((cta_start_o & ~cta_active_o) == '0);
      // GWDE-2: an entire CTA fits.
      GrantFits: assert (unfit == '0);
      RowOfKernel: assert (alien == '0);
      TakenLaunched: assert ($onehot0(taken) && (taken != '0) == start_valid_q);
      // GWDE-5: a lower kernel that is ready goes before, where kernels do not go in turn.
      LowestFirst: assert (in_turn || (any & (chosen - NumKernels'(1))) == '0);
      // A kernel that is too big has nothing to launch.
      TooBigNever: assert ((too_big_q & some_left) == '0);
      TurnRange: assert (32'(turn_q) < NumKernels);
      for (int k = 0; k < NumKernels; k++) begin
        // GWDE-2: a kernel's needs stay while it holds something, so what is taken is given back.
        NeedsStay: assert (!was_busy[k] || (too_big_q[k] == was_too_big[k] &&
            warps[k*WarpW+:WarpW] == was_warps[k*WarpW+:WarpW] &&
            regs[k*RegW+:RegW] == was_regs[k*RegW+:RegW] &&
            smem[k*SmemW+:SmemW] == was_smem[k*SmemW+:SmemW]));
      end
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
