// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// lcs: lazy CTA scheduling (LCS-1..LCS-8). It counts the instructions of every CTA until the first
// CTA finishes. From then on the SM holds T_new = sum / maximum of these counts (Eq. 1).
//
// Timing: all outputs come straight from registers, T_new gated by `enable_i`. What a cycle issued
// and whether a CTA finished in it is held in registers and acts a cycle later. A kernel start has
// priority over everything else. While `enable_i` is 0, no register changes and nothing is reported;
// a kernel start is missed.
// Eq. 1 first picks the count of one slot per cycle and adds it in the next one, then subtracts the
// maximum once per cycle. One adder does both: there is no multiplier and no divider.
//
// doc/blocks/lcs.md

`default_nettype none

module lcs #(
  parameter int NumSlots   = 8,   // CTA slots of the SM, 2..32
  parameter int IssueWidth = 2,   // warp instructions issued per cycle at most, 1..8
  parameter int CountW     = 20,  // width of an instruction count, 5..32
  parameter int RoundMode  = 0,   // Eq. 1: 0 floor, 1 ceil, 2 nearest (LCS-A1)
  parameter int Throttle   = 0    // CTAs above the limit: 0 drain, 1 pause (LCS-A6)
) (
  input  wire                                    clk_i,
  input  wire                                    rst_ni,
  input  wire                                    enable_i,

  input  wire                                    kernel_start_i,
  input  wire  [$clog2(NumSlots+1)-1:0]          nmax_i,         // only with kernel_start_i
  input  wire  [IssueWidth-1:0]                  issue_valid_i,  // by lane
  input  wire  [IssueWidth*$clog2(NumSlots)-1:0] issue_slot_i,   // lane 0 in the lowest bits
  input  wire  [NumSlots-1:0]                    cta_done_i,
  input  wire  [NumSlots-1:0]                    cta_active_i,   // without the paused ones
  input  wire                                    listen_i,       // take T_new from the broadcast
  input  wire                                    bcast_valid_i,
  input  wire  [$clog2(NumSlots+1)-1:0]          bcast_limit_i,

  output logic [$clog2(NumSlots+1)-1:0]          limit_o,
  output logic                                   pause_o,
  output logic                                   t_new_valid_o,
  output logic [$clog2(NumSlots+1)-1:0]          t_new_o,
  output logic                                   done_o
);

  localparam int LimitW     = $clog2(NumSlots + 1);
  localparam int SlotW      = $clog2(NumSlots);
  localparam int SumW       = CountW + SlotW;
  localparam int StepW      = $clog2(IssueWidth + 1);  // a count grows by up to IssueWidth in a cycle
  // A sum of 32 bits is the longest path; so parts of up to 11 slots are counted.
  localparam int NumParts = (NumSlots + 10) / 11;
  localparam int PartSize = (NumSlots + NumParts - 1) / NumParts;
  localparam int PartW    = $clog2(PartSize + 1);

  (* fsm_encoding = "none" *)              // Yosys keeps the codes of the page
  logic [2:0]        state_q, state_d;
  logic [LimitW-1:0] limit_q, limit_d;
  logic [LimitW-1:0] nmax_q, nmax_d;       // T_max
  (* mem2reg *)                            // Yosys makes registers of it without a warning
  logic [StepW-1:0]  step_q [NumSlots];    // lanes that issued for the slot in the cycle before
  (* mem2reg *)
  logic [CountW-1:0] inst_q [NumSlots];    // instructions of the slot's CTA
  logic              finish_q, finish_d;   // a CTA finished in the cycle before
  logic [CountW-1:0] picked_q, picked_d;   // StGather: count of the slot before. StDivide: ~max_q
  logic [SumW-1:0]   sum_q, sum_d;         // StGather: sum so far. StDivide: remainder so far
  logic [CountW-1:0] max_q, max_d;
  logic [LimitW-1:0] index_q, index_d;     // StGather: slot. StDivide: number of subtractions
  logic              decided_q, decided_d; // the cycle before fixed T_new
  (* mem2reg *)
  logic [PartW-1:0]  active_q [NumParts];  // CTAs active in the cycle before, by part of the slots

  logic start;

  assign start   = enable_i && kernel_start_i;
  assign limit_o = limit_q;
  assign done_o  = state_q == ballast_pkg::LcsStThrottle || state_q == ballast_pkg::LcsStLazy;
  assign pause_o = Throttle != 0 && done_o;

  // Only enable_i comes between the registers and T_new: another SM hears it in the same cycle.
  assign t_new_valid_o = enable_i && decided_q;
  assign t_new_o       = t_new_valid_o ? limit_q : '0;

  //////////////////////////////////////////////////////////////////////////////
  // Counting (LCS-1) until the first CTA finishes. The lanes of a cycle are summed by slot, and
  // added to the counts a cycle later.

  logic                  measures;
  logic [NumSlots-1:0]   half;   // by slot: its count is half full, and no more lanes are taken
  logic [IssueWidth-1:0] lanes;  // that count

  assign measures = state_q == ballast_pkg::LcsStMonitor && !finish_q && !listen_i;
  assign lanes    = issue_valid_i & {IssueWidth{measures && half == '0}};

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    logic [StepW-1:0]        step;
    logic [StepW:0]          low;
    logic [CountW-StepW-1:0] high;
    logic [CountW-1:0]       count_next;

    always_comb begin : p_step
      step = '0;
      for (int l = 0; l < IssueWidth; l++) begin
        step = step + StepW'(lanes[l] && issue_slot_i[l*SlotW+:SlotW] == SlotW'(s));
      end
    end

    // The step is added to the low bits, and the high bits count up when the low bits carry: the
    // step is in no long carry chain.
    assign low        = {1'b0, inst_q[s][StepW-1:0]} + {1'b0, step_q[s] & {StepW{enable_i}}};
    assign high       = inst_q[s][CountW-1:StepW];
    assign count_next = {low[StepW] ? high + (CountW - StepW)'(1) : high, low[StepW-1:0]};
    assign half[s]    = inst_q[s][CountW-1];

`ifdef VERILATOR
    // No count wraps: the half above has room for the lanes of two cycles, which the freeze lets pass.
    // In some geometries a range is all that a width can say.
    // verilator lint_off CMPCONST
    always_ff @(posedge clk_i) begin : p_assert
      if (rst_ni) begin
        StepFits: assert (32'(step_q[s]) <= IssueWidth &&
            (step_q[s] == '0 || state_q == ballast_pkg::LcsStMonitor));
        CountFits: assert (64'(inst_q[s]) + 64'(step_q[s]) <
            (64'd1 << (CountW - 1)) + 64'(2 * IssueWidth));
      end
    end
    // verilator lint_on CMPCONST
`endif

    always_ff @(posedge clk_i) begin : p_count
      if (!rst_ni || start) begin
        step_q[s] <= '0;
        inst_q[s] <= '0;
      end else begin
        if (enable_i) step_q[s] <= step;
        inst_q[s] <= count_next;  // without the enable the step is 0
      end
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Eq. 1 (LCS-2): sum_q + picked_q, a count, or sum_q - max_q, with ~max_q in picked_q. No choice
  // comes before the adder.

  logic              subtract;  // of the two states that add, the one that subtracts
  logic [SumW-1:0]   addend, total;
  logic              fits;      // the maximum goes into what is left
  logic              none;      // nothing was issued
  logic [LimitW-1:0] index_next;

  assign subtract   = state_q[0];  // tells LcsStDivide from LcsStGather
  assign addend     = {{SlotW{subtract}}, picked_q};
  assign total      = sum_q + addend + SumW'(subtract);
  assign none       = max_q == '0;
  assign index_next = index_q + LimitW'(1);

  // The carry out of sum_q - max_q says the same, and later. All bits of sum_q wait for it.
  assign fits = sum_q >= {{SlotW{1'b0}}, max_q};

  // Slots are gated and ORed, one level for all of them, instead of one selection after another.
  // Other states do not read pick: 'x spares a simulator the work.
  logic [CountW-1:0] pick;

  always_comb begin : p_pick
    pick = 'x;
    if (state_q == ballast_pkg::LcsStGather) begin
      pick = '0;
      for (int s = 0; s < NumSlots; s++) begin
        pick = pick | ({CountW{index_q == LimitW'(s)}} & inst_q[s]);
      end
    end
  end

  // StGather compares the count of the slot with the maximum. StDivide, when it rounds to nearest,
  // compares twice the remainder with it.
  logic [CountW:0] compared;
  logic            reaches_max;
  logic            round_up;

  if (RoundMode == 2) begin : gen_nearest
    assign compared = subtract ? {sum_q[CountW-1:0], 1'b0} : {1'b0, picked_q};
    assign round_up = reaches_max;
  end else begin : gen_floor_ceil
    assign compared = {1'b0, picked_q};
    assign round_up = RoundMode == 1 && sum_q != '0;
  end
  assign reaches_max = compared >= {1'b0, max_q};

  //////////////////////////////////////////////////////////////////////////////
  // How many CTAs are active: counted by part in one cycle, added up in the next

  logic [NumParts*PartSize-1:0] counted;
  logic [NumParts*PartW-1:0]    active_of;  // the registers: Icarus 11 does not see an array change

  assign counted = (NumParts * PartSize)'(cta_active_i);

  for (genvar i = 0; i < NumParts; i++) begin : gen_parts
    logic [PartSize-1:0] part;
    logic [PartW-1:0]    held;  // for Icarus 11, which gets nothing straight from an array of one
    assign part = counted[i*PartSize+:PartSize];
    assign held = active_q[i];

    always_ff @(posedge clk_i) begin : p_active
      if (!rst_ni)       active_q[i] <= '0;
      else if (enable_i) active_q[i] <= PartW'($countones(part));
    end

    assign active_of[i*PartW+:PartW] = held;
  end

  function automatic [LimitW:0] all_of(input [NumParts*PartW-1:0] parts);
    all_of = '0;
    for (int i = 0; i < NumParts; i++) all_of = all_of + (LimitW + 1)'(parts[i*PartW+:PartW]);
  endfunction

  //////////////////////////////////////////////////////////////////////////////
  // State machine

  always_comb begin : p_fsm
    state_d   = state_q;
    limit_d   = limit_q;
    nmax_d    = nmax_q;
    finish_d  = finish_q;
    picked_d  = picked_q;
    sum_d     = sum_q;
    max_d     = max_q;
    index_d   = index_q;
    decided_d = decided_q;

    if (enable_i) begin
      finish_d  = measures && cta_done_i != '0;
      decided_d = 1'b0;
    end

    if (start) begin
      nmax_d    = nmax_i;
      limit_d   = nmax_i;
      finish_d  = 1'b0;
      picked_d  = '0;
      sum_d     = '0;
      max_d     = '0;
      index_d   = '0;
      decided_d = 1'b0;
      if (nmax_i == '0)              state_d = ballast_pkg::LcsStIdle;
      else if (nmax_i == LimitW'(1)) state_d = ballast_pkg::LcsStLazy;
      else                           state_d = ballast_pkg::LcsStMonitor;

    end else if (enable_i) begin
      case (state_q)
        ballast_pkg::LcsStMonitor: begin
          if (finish_q) begin
            state_d = ballast_pkg::LcsStGather;
          end else if (listen_i && bcast_valid_i) begin    // LCS-6
            state_d = ballast_pkg::LcsStThrottle;
            if (bcast_limit_i == '0)         limit_d = LimitW'(1);
            else if (bcast_limit_i > nmax_q) limit_d = nmax_q;
            else                             limit_d = bcast_limit_i;
          end
        end

        ballast_pkg::LcsStGather: begin
          sum_d = total;
          if (reaches_max) max_d = picked_q;
          picked_d = pick;
          index_d  = index_next;
          if (index_q == nmax_q) begin                     // the last count is in
            state_d  = ballast_pkg::LcsStDivide;
            picked_d = ~max_d;
            index_d  = '0;
          end
        end

        ballast_pkg::LcsStDivide: begin
          if (fits) sum_d = total;                         // a maximum of 0 changes nothing
          if (fits && !none) begin
            index_d = index_next;
          end else begin
            decided_d = 1'b1;
            limit_d   = none     ? nmax_q                  // LCS-7: nothing was issued
                      : round_up ? index_next : index_q;   // LCS-A1
            state_d   = ballast_pkg::LcsStThrottle;
          end
        end

        ballast_pkg::LcsStThrottle: begin
          if (all_of(active_of) <= (LimitW + 1)'(limit_q)) state_d = ballast_pkg::LcsStLazy;
        end

        default: begin
          if (state_q > ballast_pkg::LcsStLazy) state_d = ballast_pkg::LcsStLazy;  // unused code
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      state_q   <= ballast_pkg::LcsStIdle;
      limit_q   <= '0;
      nmax_q    <= '0;
      finish_q  <= 1'b0;
      picked_q  <= '0;
      sum_q     <= '0;
      max_q     <= '0;
      index_q   <= '0;
      decided_q <= 1'b0;
    end else begin
      state_q   <= state_d;
      limit_q   <= limit_d;
      nmax_q    <= nmax_d;
      finish_q  <= finish_d;
      picked_q  <= picked_d;
      sum_q     <= sum_d;
      max_q     <= max_d;
      index_q   <= index_d;
      decided_q <= decided_d;
    end
  end

`ifdef VERILATOR
  // Products for the bounds of Eq. 1.
  logic              measuring, dividing;
  logic [SumW+5:0]   max_wide;
  logic [LimitW-1:0] added, terms_left;

  assign dividing   = state_q == ballast_pkg::LcsStDivide;
  assign measuring  = state_q == ballast_pkg::LcsStMonitor ||
                      state_q == ballast_pkg::LcsStGather || dividing;
  assign max_wide   = (SumW + 6)'(max_q);
  assign added      = (index_q == '0) ? '0 : index_q - LimitW'(1);
  assign terms_left = nmax_q - index_q;

  // What was in the cycle before, for the assertions.
  logic                          after_t_new_once, after_done_holds, after_listen_silent;
  logic [$clog2(NumSlots+1)-1:0] was_t_new;
  logic [LimitW-1:0]             was_limit;

  always_ff @(posedge clk_i) begin : p_was
    after_t_new_once    <= rst_ni && t_new_valid_o && !start;
    was_t_new           <= t_new_o;
    after_done_holds    <= rst_ni && done_o && !start;
    was_limit           <= limit_q;
    after_listen_silent <= rst_ni && state_q == ballast_pkg::LcsStMonitor && listen_i && !finish_q && !start;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // On the inputs: a kernel does not hold more CTAs than there are slots.
      NmaxLegal: assert (!start || 32'(nmax_i) <= NumSlots);
      // Without the enable T_new is not reported.
      EnableEvents: assert (enable_i || !t_new_valid_o);
      // Two codes are never reached. StIdle means that there is no kernel that could run.
      StateLegal: assert (state_q <= ballast_pkg::LcsStLazy &&
          (state_q == ballast_pkg::LcsStIdle) == (nmax_q == '0));
      // LCS-7: the limit stays within 1..T_max, and is T_max until T_new is known.
      LimitRange: assert (limit_q <= nmax_q && (limit_q != '0 || nmax_q == '0));
      LimitMeasuring: assert (!measuring || (limit_q == nmax_q && nmax_q >= LimitW'(2)));
      TNewRange: assert (t_new_valid_o ? t_new_o != '0 && t_new_o <= nmax_q : t_new_o == '0);
      // LCS-5, LCS-8: one decision per kernel, and only the next kernel ends it.
      TNewKnown: assert (!decided_q || state_q == ballast_pkg::LcsStThrottle);
      TNewOnce: assert (!after_t_new_once || (done_o && !t_new_valid_o && limit_q == was_t_new));
      DoneHolds: assert (!after_done_holds || (done_o && limit_q == was_limit));
      // LCS-6: an SM that listens measures nothing.
      ListenSilent: assert (!after_listen_silent || (state_q == ballast_pkg::LcsStMonitor ||
          state_q == ballast_pkg::LcsStThrottle));
      // Nothing is gathered before the first CTA has finished.
      MonitorClear: assert (state_q != ballast_pkg::LcsStMonitor || (picked_q == '0 && sum_q == '0
          && max_q == '0 && index_q == '0));
      // And nothing is counted after it.
      FinishHeard: assert (!finish_q || state_q == ballast_pkg::LcsStMonitor);
      // LCS-2: so many counts gathered are at least their maximum and at most so many maxima; what is
      // left after k maxima is at most T_max - k of them. The count of the slot before is not yet in.
      GatherBounds: assert (state_q != ballast_pkg::LcsStGather || (index_q <= nmax_q &&
          sum_q >= SumW'(max_q) && (SumW + 6)'(sum_q) <= max_wide * (SumW + 6)'(added) &&
          (index_q != '0 || picked_q == '0)));
      DivideBounds: assert (!dividing || (index_q <= nmax_q && (index_q != '0 ||
          sum_q >= SumW'(max_q)) && (SumW + 6)'(sum_q) <= max_wide * (SumW + 6)'(terms_left)));
      DividePicked: assert (!dividing || picked_q == ~max_q);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
