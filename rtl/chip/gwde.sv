// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// gwde: the CTA dispatcher. It gives the CTAs of a kernel's grid to the SMs, one per cycle, in turn
// (GWDE-1), to an SM that asks (GWDE-4), is below its limit (GWDE-3) and has room for an entire CTA
// (GWDE-2). The CTAs of a 2-D kernel go in pairs where that is set (BCS-1 to BCS-6): then an SM is
// chosen for two CTAs, and the second one follows in the next cycle. One per chip. It holds an
// sm_resources per SM, and a bcs.
//
// Timing: which SMs may get a CTA is worked out in cycle t-1, from registers, `req_i` and `limit_i`,
// with OddLimit 2 from `cta_done_i`, too, and kept in a register per SM. One of them is chosen in t, and
// its slot is taken at the edge. The CTA is launched in t+1, from registers, because a governor's
// request hangs on the launches of the same cycle. `denied_o` is combinational. How many CTAs an empty
// SM has room for is counted up after a kernel's start, once for all SMs.
//
// The signals of the SMs are vectors with one field per SM, SM 0 in the lowest bits.
//
// doc/blocks/gwde.md

`default_nettype none

module gwde #(
  parameter int NumSms    = 15,    // 1..256
  parameter int Fill      = 0,     // 0 the SMs in turn, 1 the lowest SM first (GWDE-A3)
  parameter int RrAdvance = 0,     // the turn moves 0 behind a launch, 1 in every cycle (GWDE-A1)
  parameter int OddLimit  = 0,     // of pairs: 0 one down, 1 one up, 2 a CTA alone (BCS-A2)
  // bcs
  parameter int PairRowWrap = 1,
  // sm_resources
  parameter int NumSlots  = 8,
  parameter int NumWarps  = 48,
  parameter int RegUnits  = 1024,
  parameter int SmemUnits = 384
) (
  input  wire                                               clk_i,
  input  wire                                               rst_ni,

  // A kernel starts, where idle_o is 1
  input  wire                                               start_i,
  input  wire  [31:0]                                       grid_i,  // its CTAs; what one needs:
  input  wire  [$clog2(NumWarps+2)-1:0]                     warps_i,
  input  wire  [$clog2(RegUnits+2)-1:0]                     regs_i,
  input  wire  [$clog2(SmemUnits+2)-1:0]                    smem_i,
  input  wire  [31:0]                                       width_i,  // CTAs in a row of its grid
  input  wire                                               two_d_i,  // it is a 2-D kernel
  input  wire                                               bcs_i,    // setting: then in pairs

  input  wire  [NumSms*$clog2(NumSlots+1)-1:0]              limit_i,
  input  wire  [NumSms-1:0]                                 req_i,
  input  wire  [NumSms*NumSlots-1:0]                        cta_done_i,

  output logic                                              idle_o,       // a start is taken
  output logic                                              exhausted_o,  // no CTA is left
  output logic                                              too_big_o,    // a CTA fits no SM

  // The launch of this cycle, and the same for each SM
  output logic                                              start_valid_o,
  output logic [$clog2(NumSms+1/NumSms)-1:0]                start_sm_o,
  output logic [$clog2(NumSlots+1/NumSlots)-1:0]            start_slot_o,
  output logic [31:0]                                       start_cta_o,
  output logic [NumSms*NumSlots-1:0]                        cta_start_o,
  output logic [NumSms*NumSlots-1:0]                        cta_active_o,
  output logic [NumSms-1:0]                                 denied_o
);

  localparam int SmW    = $clog2(NumSms + 1 / NumSms);  // of a single one a bit, too
  localparam int SlotW  = $clog2(NumSlots + 1 / NumSlots);
  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int WarpW  = $clog2(NumWarps + 2);
  localparam int RegW   = $clog2(RegUnits + 2);
  localparam int SmemW  = $clog2(SmemUnits + 2);

  logic [31:0]      left_q, left_d;  // CTAs that have not been chosen
  logic [31:0]      cta_q, cta_d;    // the next one to be launched
  logic [WarpW-1:0] warps_q, warps_d;
  logic [RegW-1:0]  regs_q, regs_d;
  logic [SmemW-1:0] smem_q, smem_d;
  logic [WarpW:0]   sum_warps_q, sum_warps_d;  // what one CTA more than most_q needs
  logic [RegW:0]    sum_regs_q, sum_regs_d;
  logic [SmemW:0]   sum_smem_q, sum_smem_d;
  logic [LimitW-1:0] most_q, most_d;           // CTAs that an empty SM has room for, counted up
  logic             too_big_q, too_big_d;
  logic [SmW-1:0]   ptr_q, ptr_d;    // whose turn it is
  logic             still_q, still_d;  // no SM is ready in this cycle, and the turn waits
  logic             start_valid_q, start_valid_d;
  logic [SmW-1:0]   start_sm_q, start_sm_d;
  logic [SlotW-1:0] start_slot_q, start_slot_d;

  //////////////////////////////////////////////////////////////////////////////
  // What the next CTA is

  logic some_left, start, launch;
  logic room_for_two;               // in an empty SM
  logic pairs, first, second;       // CTAs go in pairs; the next one may open one, or is the second
  logic launch_alone, unused_alone;

  assign room_for_two = NumSlots >= 2 && 32'(warps_i) <= NumWarps / 2 &&
                        32'(regs_i) <= RegUnits / 2 && 32'(smem_i) <= SmemUnits / 2;

  bcs #(
    .PairRowWrap(PairRowWrap)
  ) u_bcs (
    .clk_i,
    .rst_ni,
    .start_i (start),
    .pairs_i (bcs_i && two_d_i && room_for_two),
    .width_i,
    .last_i  (left_q == 32'd1),
    .take_i  (launch),
    .alone_i (launch_alone),
    .on_o    (pairs),
    .first_o (first),
    .second_o(second),
    .alone_o (unused_alone)
  );

  //////////////////////////////////////////////////////////////////////////////
  // How many CTAs an empty SM has room for: one more in each cycle, until a resource is not enough

  logic more;  // the count goes on

  assign more = 32'(most_q) < NumSlots && 32'(sum_warps_q) <= NumWarps &&
                32'(sum_regs_q) <= RegUnits && 32'(sum_smem_q) <= SmemUnits;

  //////////////////////////////////////////////////////////////////////////////
  // The SMs

  logic [NumSms-1:0]       fits, due, below, holds;
  logic [NumSms-1:0]       ready;      // who takes part
  logic [NumSms-1:0]       from_ptr;   // SMs at or after ptr_q
  logic [NumSms-1:0]       whole;      // who would get a pair
  logic [NumSms-1:0]       opens;      // who would get one now
  logic [NumSms-1:0]       serve;      // who gets the second CTA of one
  logic [NumSms-1:0]       grant;
  logic [SlotW*NumSms-1:0] slots;      // where a CTA would go: a row of SMs per bit
  logic                    clear;      // the next CTA may be another kind, or there is none
`ifdef VERILATOR
  logic [NumSms-1:0]       in_room;
`endif

  assign some_left = left_q != '0;
  assign clear     = launch && (pairs || Fill == 1 || left_q == 32'd1);

  for (genvar i = 0; i < NumSms; i++) begin : gen_sm
    logic [LimitW-1:0] count, limit;
    logic [SlotW-1:0]  slot;
    logic [LimitW:0]   places;  // what the limit becomes

    sm_resources #(
      .NumSlots(NumSlots)
    ) u_sm (
      .clk_i,
      .rst_ni,
      .most_i    (most_q),
      .may_i     (req_i[i] && below[i] && some_left),
      .clear_i   (clear),
      .take_i    (grant[i]),
      .cta_done_i(cta_done_i[i*NumSlots+:NumSlots]),
      .pair_i    (pairs),
      .whole_i   (whole[i]),
      .fits_o    (fits[i]),
      .ready_o   (ready[i]),
      .whole_o   (opens[i]),
      .second_o  (serve[i]),
      .slot_o    (slot),
      .count_o   (count),
      .active_o  (cta_active_o[i*NumSlots+:NumSlots]),
      .due_o     (due[i])
    );

    for (genvar j = 0; j < SlotW; j++) begin : gen_slot
      assign slots[j*NumSms+i] = slot[j];
    end
    assign limit = limit_i[i*LimitW+:LimitW];

    if (OddLimit == 2) begin : gen_allow_single
      logic one_place;
      assign places    = (LimitW + 1)'(limit);
      assign one_place = (LimitW + 1)'(count) + (LimitW + 1)'(1) == places;
      assign whole[i]  = first && !one_place;
      assign below[i]  = whole[i] ? (LimitW + 1)'(count) + (LimitW + 1)'(1) < places :
                         count < limit && !(first && due[i]);
    end else begin : gen_even
      // An odd limit and one; to round down is to leave out the lowest bit, but of a limit of 1
      logic up;
      assign up       = limit[0] && (OddLimit == 1 || limit == LimitW'(1));
      assign places   = ((LimitW + 1)'(limit) + (LimitW + 1)'(up)) & ~((LimitW + 1)'(1));
      assign whole[i] = first;
      assign below[i] = !pairs ? count < limit : (LimitW + 1)'(count) + (LimitW + 1)'(first) < places;
    end
`ifdef VERILATOR
    assign in_room[i] = count <= most_q;
`endif
    assign holds[i]    = count != '0;
    assign from_ptr[i] = 32'(ptr_q) <= i;
    assign cta_start_o[i*NumSlots+:NumSlots] =
        (start_valid_q && 32'(start_sm_q) == i) ? NumSlots'(1) << start_slot_q : '0;
  end

  assign denied_o = req_i & ({NumSms{!some_left}} | (~fits & ~due & {NumSms{!second && !more}}));

  //////////////////////////////////////////////////////////////////////////////
  // The choice: the lowest bit that is set, by its own negative; of those from ptr_q on, if there are

  logic [NumSms-1:0] ahead;

  assign ahead = ready & from_ptr;
  assign grant = ahead != '0 ? ahead & (~ahead + NumSms'(1)) : ready & (~ready + NumSms'(1));

  logic             some_ready;
  logic [SmW-1:0]   chosen, behind;  // the SM, and the one after it
  logic [SlotW-1:0] chosen_slot;

  assign some_ready = ready != '0;

  always_comb begin : p_chosen
    chosen = '0;
    behind = '0;
    for (int i = 0; i < NumSms; i++) begin
      chosen = chosen | ({SmW{grant[i]}} & SmW'(i));
      behind = behind | ({SmW{grant[i]}} & SmW'((i + 1) % NumSms));
    end
  end

  // Not in the loop above: Icarus 11 does not come to an end with slots indexed by its variable.
  for (genvar j = 0; j < SlotW; j++) begin : gen_chosen_slot
    assign chosen_slot[j] = (grant & slots[j*NumSms+:NumSms]) != '0;
  end

  //////////////////////////////////////////////////////////////////////////////
  // The grid

  logic exceeds;

  assign idle_o  = !some_left && holds == '0;
  assign start   = start_i && idle_o;
  assign exceeds = 32'(warps_i) > NumWarps || 32'(regs_i) > RegUnits || 32'(smem_i) > SmemUnits;
  assign launch  = some_ready || second;
  assign launch_alone = (grant & opens) == '0;

  always_comb begin : p_next
    warps_d       = warps_q;
    regs_d        = regs_q;
    smem_d        = smem_q;
    too_big_d     = too_big_q;
    left_d        = launch ? left_q - 32'd1 : left_q;
    cta_d         = start_valid_q ? cta_q + 32'd1 : cta_q;
    start_valid_d = launch;
    start_sm_d    = some_ready ? chosen : start_sm_q;
    start_slot_d  = some_ready ? chosen_slot : start_slot_q | SlotW'(second);
    still_d       = clear;
    most_d        = more ? most_q + LimitW'(1) : most_q;
    sum_warps_d   = more ? sum_warps_q + (WarpW + 1)'(warps_q) : sum_warps_q;
    sum_regs_d    = more ? sum_regs_q + (RegW + 1)'(regs_q) : sum_regs_q;
    sum_smem_d    = more ? sum_smem_q + (SmemW + 1)'(smem_q) : sum_smem_q;
    if (start) begin
      most_d      = LimitW'(!exceeds);
      sum_warps_d = {warps_i, 1'b0};
      sum_regs_d  = {regs_i, 1'b0};
      sum_smem_d  = {smem_i, 1'b0};
      warps_d   = warps_i;
      regs_d    = regs_i;
      smem_d    = smem_i;
      too_big_d = exceeds;
      left_d    = exceeds ? '0 : grid_i;
      cta_d     = '0;
    end
  end

  if (Fill == 1) begin : gen_depth_first
    logic unused_turn;
    assign unused_turn = ^{behind, still_q};
    assign ptr_d = '0;
  end else if (RrAdvance == 1) begin : gen_every_cycle
    logic unused_turn;
    assign unused_turn = ^behind;
    assign ptr_d = start                      ? '0 :
                   still_q                    ? ptr_q :
                   (32'(ptr_q) >= NumSms - 1) ? '0 : ptr_q + SmW'(1);
  end else begin : gen_after_grant
    logic unused_turn;
    assign unused_turn = still_q;
    assign ptr_d = start ? '0 : (some_ready ? behind : ptr_q);
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      left_q        <= '0;
      cta_q         <= '0;
      warps_q       <= '0;
      regs_q        <= '0;
      smem_q        <= '0;
      sum_warps_q   <= '0;
      sum_regs_q    <= '0;
      sum_smem_q    <= '0;
      most_q        <= '0;
      too_big_q     <= 1'b0;
      ptr_q         <= '0;
      still_q       <= 1'b0;
      start_valid_q <= 1'b0;
      start_sm_q    <= '0;
      start_slot_q  <= '0;
    end else begin
      left_q        <= left_d;
      cta_q         <= cta_d;
      warps_q       <= warps_d;
      regs_q        <= regs_d;
      smem_q        <= smem_d;
      sum_warps_q   <= sum_warps_d;
      sum_regs_q    <= sum_regs_d;
      sum_smem_q    <= sum_smem_d;
      most_q        <= most_d;
      too_big_q     <= too_big_d;
      ptr_q         <= ptr_d;
      still_q       <= still_d;
      start_valid_q <= start_valid_d;
      start_sm_q    <= start_sm_d;
      start_slot_q  <= start_slot_d;
    end
  end

  assign exhausted_o   = !some_left;
  assign too_big_o     = too_big_q;
  assign start_valid_o = start_valid_q;
  assign start_sm_o    = start_sm_q;
  assign start_slot_o  = start_slot_q;
  assign start_cta_o   = cta_q;

`ifdef VERILATOR
  // What was in the cycle before, for the assertions.
  logic [NumSms-1:0]          was_allowed;
  logic                       after_second_slot, was_running, was_launch, after_needs_stay,
                              was_too_big;
  logic [SmW-1:0]             was_start_sm;
  logic [SlotW-1:0]           was_start_slot;
  logic [NumSms*NumSlots-1:0] was_cta_active;
  logic [WarpW-1:0]           was_warps;
  logic [RegW-1:0]            was_regs;
  logic [SmemW-1:0]           was_smem;

  always_ff @(posedge clk_i) begin : p_was
    after_second_slot <= rst_ni && second;
    was_start_sm      <= start_sm_q;
    was_start_slot    <= start_slot_q;
    was_running       <= rst_ni;
    was_allowed       <= req_i & below & fits & {NumSms{some_left}};
    was_launch        <= launch;
    was_cta_active    <= cta_active_o;
    after_needs_stay  <= rst_ni && !idle_o;
    was_warps         <= warps_q;
    was_regs          <= regs_q;
    was_smem          <= smem_q;
    was_too_big       <= too_big_q;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // GWDE-1: one SM at most, and one that takes part.
      OneGrant: assert ($onehot0(grant) && (grant & ~ready) == '0 &&
          (grant != '0) == (ready != '0));
      // GWDE-2, GWDE-3, GWDE-4: in the cycle before it asked, was below its limit, and a CTA fitted.
      ReadyAllowed: assert (!was_running || (ready & ~was_allowed) == '0);
      // GWDE-2: no SM ever holds more CTAs than it has room for.
      WithinRoom: assert (in_room == '1);
      // BCS-1: the second CTA of a pair follows the first one, on the same SM, in the slot above.
      SecondFollows: assert (!second || (some_left && start_valid_q && !start_slot_q[0] &&
          ready == '0));
      SecondServed: assert (second ? serve == NumSms'(1) << start_sm_q : serve == '0);
      SecondSlot: assert (!after_second_slot || (start_valid_q && start_sm_q == was_start_sm &&
          start_slot_q == (was_start_slot | SlotW'(1))));
      // GWDE-1: nothing is launched that is not of the grid.
      GrantLeft: assert (!launch || left_q != '0);
      OneLaunch: assert ($onehot0(cta_start_o) && (cta_start_o != '0) == start_valid_o);
      LaunchFollows: assert (!was_running || start_valid_o == was_launch);
      StillNobody: assert (!still_q || ready == '0);
      // A launch is into a slot that was not in use, and is from then on.
      LaunchNew: assert (!was_running || (cta_start_o & was_cta_active) == '0);
      LaunchActive: assert ((cta_start_o & ~cta_active_o) == '0);
      // GWDE-2: the needs stay while something is held, so what is taken is given back.
      NeedsStay: assert (!after_needs_stay || (warps_q == was_warps && regs_q == was_regs &&
          smem_q == was_smem && too_big_q == was_too_big));
      TooBigNever: assert (!too_big_q || idle_o);
      // Neither granted nor denied, or one of them.
      DeniedAsks: assert ((denied_o & ~req_i) == '0);
      TurnRange: assert (32'(ptr_q) < NumSms && (Fill == 0 || ptr_q == '0));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
