// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// lcs: lazy CTA scheduling (LCS-1..LCS-8). It counts the instructions of every CTA until the first
// CTA finishes. From then on the SM holds T_new = sum / maximum of these counts (Eq. 1).
//
// Timing: `limit_o`, `pause_o` and `done_o` come straight from registers; a decision at a rising
// edge shows in the next cycle. `t_new_valid_o` and `t_new_o` are combinational. A kernel start has
// priority over everything else. While `enable_i` is 0, no register changes and nothing is reported;
// a kernel start is missed.
// Eq. 1 first adds the count of one slot per cycle, then subtracts the maximum once per cycle. One
// adder and one comparator do both: there is no multiplier and no divider.
//
// doc/blocks/lcs.md

`default_nettype none

module lcs #(
  parameter int NumSlots   = 8,   // CTA slots of the SM, 2..32
  parameter int IssueWidth = 2,   // warp instructions issued per cycle at most, 1..8
  parameter int CountW     = 32,  // width of an instruction count, 4..32
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

  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int SlotW  = $clog2(NumSlots);
  localparam int SumW   = CountW + SlotW;

  // A count that is larger than this has no room for another cycle. Written as a subtraction, because
  // Yosys 0.23 reads ~CountW'(IssueWidth) as (~CountW)'(IssueWidth).
  localparam logic [CountW-1:0] Room = {CountW{1'b1}} - CountW'(IssueWidth);

  (* fsm_encoding = "none" *)            // Yosys keeps the codes of the page
  logic [2:0]        state_q, state_d;
  logic [LimitW-1:0] limit_q, limit_d;
  logic [LimitW-1:0] nmax_q, nmax_d;     // T_max
  (* mem2reg *)                          // Yosys makes registers of it without a warning
  logic [CountW-1:0] inst_q [NumSlots];  // instructions of the slot's CTA
  logic [SumW-1:0]   sum_q, sum_d;       // StGather: sum so far. StDivide: remainder so far
  logic [CountW-1:0] max_q, max_d;
  logic [LimitW-1:0] index_q, index_d;   // StGather: slot. StDivide: number of subtractions

  logic start;

  assign start   = enable_i && kernel_start_i;
  assign limit_o = limit_q;
  assign done_o  = state_q == ballast_pkg::LcsStThrottle || state_q == ballast_pkg::LcsStLazy;
  assign pause_o = Throttle != 0 && done_o;

  //////////////////////////////////////////////////////////////////////////////
  // Counting (LCS-1), until the first CTA finishes

  localparam int StepW = $clog2(IssueWidth + 1);  // a count grows by up to IssueWidth in a cycle

  logic                      counting;
  logic [NumSlots-1:0]       full;  // by slot: its count has no room left, and all counts freeze
  logic [NumSlots*StepW-1:0] step;  // by slot: how many lanes issued for it

  assign counting = enable_i && state_q == ballast_pkg::LcsStMonitor && !listen_i && full == '0;

  // Other states do not read step: 'x spares a simulator the work.
  always_comb begin : p_step
    step = 'x;
    if (state_q == ballast_pkg::LcsStMonitor) begin
      step = '0;
      for (int l = 0; l < IssueWidth; l++) begin
        for (int s = 0; s < NumSlots; s++) begin
          step[s*StepW+:StepW] = step[s*StepW+:StepW] +
              StepW'(issue_valid_i[l] && issue_slot_i[l*SlotW+:SlotW] == SlotW'(s));
        end
      end
    end
  end

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    logic [CountW-1:0] count_next;

    assign full[s] = inst_q[s] > Room;

    // The step is added to the low bits, and the high bits count up when the low bits carry. This
    // keeps the step, which is known late, out of the long carry chain.
    if (CountW > StepW) begin : gen_next
      logic [StepW:0]          low;
      logic [CountW-StepW-1:0] high;

      assign low        = {1'b0, inst_q[s][StepW-1:0]} + {1'b0, step[s*StepW+:StepW]};
      assign high       = inst_q[s][CountW-1:StepW];
      assign count_next = {low[StepW] ? high + (CountW - StepW)'(1) : high, low[StepW-1:0]};
    end else begin : gen_next_narrow
      assign count_next = inst_q[s] + step[s*StepW+:CountW];
    end

    always_ff @(posedge clk_i) begin : p_count
      if (!rst_ni || start) inst_q[s] <= '0;
      else if (counting)    inst_q[s] <= count_next;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Eq. 1 (LCS-2): sum_q + count of a slot, or sum_q - max_q

  logic              dividing;
  logic [SlotW-1:0]  slot;
  logic              subtract;       // of the two states that add, the one that subtracts
  logic [CountW-1:0] picked;         // StGather: count of the slot. StDivide: ~max_q
  logic [SumW-1:0]   addend, total;
  logic              fits;           // the maximum goes into what is left
  logic [LimitW-1:0] index_next;

  assign dividing   = state_q == ballast_pkg::LcsStDivide;
  assign slot       = index_q[SlotW-1:0];
  assign subtract   = state_q[0];  // tells LcsStDivide from LcsStGather
  assign index_next = index_q + LimitW'(1);

  // Slots and maximum are gated and ORed, one level for all of them, instead of one selection after
  // another. Other states do not read picked: 'x spares a simulator the work.
  always_comb begin : p_picked
    picked = 'x;
    if (dividing || state_q == ballast_pkg::LcsStGather) begin
      picked = {CountW{subtract}} & ~max_q;
      for (int s = 0; s < NumSlots; s++) begin
        picked = picked | ({CountW{!subtract && slot == SlotW'(s)}} & inst_q[s]);
      end
    end
  end

  assign addend = {{SlotW{subtract}}, picked};
  assign total  = sum_q + addend + SumW'(subtract);

  // The carry out of sum_q - max_q says the same. A comparison of its own does not wait for the
  // selection of a slot, and all bits of sum_q wait for the result.
  assign fits = sum_q >= {{SlotW{1'b0}}, max_q};

  // StGather compares the count of the slot with the maximum. StDivide, when it rounds to nearest,
  // compares twice the remainder with it.
  logic [CountW:0] compared;
  logic            reaches_max;
  logic            round_up;

  if (RoundMode == 2) begin : gen_nearest
    assign compared = dividing ? {sum_q[CountW-1:0], 1'b0} : {1'b0, picked};
    assign round_up = reaches_max;
  end else begin : gen_floor_ceil
    assign compared = {1'b0, picked};
    assign round_up = RoundMode == 1 && sum_q != '0;
  end
  assign reaches_max = compared >= {1'b0, max_q};

  //////////////////////////////////////////////////////////////////////////////
  // T_new. It stands outside p_fsm because p_fsm reads the broadcast. With LcsScope 1 of chip_governor,
  // T_new of SM 0 is that broadcast: if p_fsm assigned it, the state machines of all SMs would wake
  // each other without end in a simulator that passes on every assignment within a process.

  logic              known;      // Eq. 1 is done
  logic [LimitW-1:0] t_new;

  assign known         = dividing && !(fits && max_q != '0);
  assign t_new         = (max_q == '0) ? nmax_q                        // LCS-7: nothing was issued
                       : round_up      ? index_next : index_q;         // LCS-A1
  assign t_new_valid_o = enable_i && !start && known;
  assign t_new_o       = t_new_valid_o ? t_new : '0;

  //////////////////////////////////////////////////////////////////////////////
  // State machine

  always_comb begin : p_fsm
    state_d       = state_q;
    limit_d       = limit_q;
    nmax_d        = nmax_q;
    sum_d         = sum_q;
    max_d         = max_q;
    index_d       = index_q;

    if (start) begin
      nmax_d  = nmax_i;
      limit_d = nmax_i;
      sum_d   = '0;
      max_d   = '0;
      index_d = '0;
      if (nmax_i == '0)              state_d = ballast_pkg::LcsStIdle;
      else if (nmax_i == LimitW'(1)) state_d = ballast_pkg::LcsStLazy;
      else                           state_d = ballast_pkg::LcsStMonitor;

    end else if (enable_i) begin
      case (state_q)
        ballast_pkg::LcsStMonitor: begin
          if (listen_i) begin
            if (bcast_valid_i) begin                     // LCS-6
              state_d = ballast_pkg::LcsStThrottle;
              if (bcast_limit_i == '0)         limit_d = LimitW'(1);
              else if (bcast_limit_i > nmax_q) limit_d = nmax_q;
              else                             limit_d = bcast_limit_i;
            end
          end else if (|cta_done_i) begin
            state_d = ballast_pkg::LcsStGather;
            index_d = '0;
          end
        end

        ballast_pkg::LcsStGather: begin
          sum_d   = total;
          if (reaches_max) max_d = picked;
          index_d = index_next;
          if (index_next == nmax_q) begin
            state_d = ballast_pkg::LcsStDivide;
            index_d = '0;
          end
        end

        ballast_pkg::LcsStDivide: begin
          if (fits && max_q != '0) begin
            sum_d   = total;
            index_d = index_next;
          end else begin
            limit_d = t_new;
            state_d = ballast_pkg::LcsStThrottle;
          end
        end

        ballast_pkg::LcsStThrottle: begin
          if ($countones(cta_active_i) <= 32'(limit_q)) state_d = ballast_pkg::LcsStLazy;
        end

        default: begin
          if (state_q > ballast_pkg::LcsStLazy) state_d = ballast_pkg::LcsStLazy;  // unused code
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      state_q <= ballast_pkg::LcsStIdle;
      limit_q <= '0;
      nmax_q  <= '0;
      sum_q   <= '0;
      max_q   <= '0;
      index_q <= '0;
    end else begin
      state_q <= state_d;
      limit_q <= limit_d;
      nmax_q  <= nmax_d;
      sum_q   <= sum_d;
      max_q   <= max_d;
      index_q <= index_d;
    end
  end

`ifdef VERILATOR
  // Products for the bounds of Eq. 1.
  logic              measuring;
  logic [SumW+5:0]   max_wide;
  logic [LimitW-1:0] terms_left;

  assign measuring  = state_q == ballast_pkg::LcsStMonitor ||
                      state_q == ballast_pkg::LcsStGather || dividing;
  assign max_wide   = (SumW + 6)'(max_q);
  assign terms_left = nmax_q - index_q;

  // What was in the cycle before, for the assertions.
  logic                          after_t_new_once, after_done_holds, after_listen_silent;
  logic [$clog2(NumSlots+1)-1:0] was_t_new;
  logic [LimitW-1:0]             was_limit;

  always_ff @(posedge clk_i) begin : p_was
    after_t_new_once    <= rst_ni && t_new_valid_o;
    was_t_new           <= t_new_o;
    after_done_holds    <= rst_ni && done_o && !start;
    was_limit           <= limit_q;
    after_listen_silent <= rst_ni && state_q == ballast_pkg::LcsStMonitor && listen_i && !start;
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
      TNewOnce: assert (!after_t_new_once || (done_o && limit_q == was_t_new));
      DoneHolds: assert (!after_done_holds || (done_o && limit_q == was_limit));
      // LCS-6: an SM that listens measures nothing.
      ListenSilent: assert (!after_listen_silent || (state_q == ballast_pkg::LcsStMonitor ||
          state_q == ballast_pkg::LcsStThrottle));
      // Nothing is gathered before the first CTA has finished.
      MonitorClear: assert (state_q != ballast_pkg::LcsStMonitor || (sum_q == '0 && max_q == '0
          && index_q == '0));
      // LCS-2: so many counts gathered are at least their maximum and at most so many maxima; what is
      // left after k maxima is at most T_max - k of them.
      GatherBounds: assert (state_q != ballast_pkg::LcsStGather || (index_q < nmax_q &&
          sum_q >= SumW'(max_q) && (SumW + 6)'(sum_q) <= max_wide * (SumW + 6)'(index_q)));
      DivideBounds: assert (!dividing || (index_q <= nmax_q && (index_q != '0 ||
          sum_q >= SumW'(max_q)) && (SumW + 6)'(sum_q) <= max_wide * (SumW + 6)'(terms_left)));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
