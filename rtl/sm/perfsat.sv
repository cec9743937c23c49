// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// perfsat: finds, while a kernel runs, how many CTAs an SM should hold (Perf-Sat, PS-1..PS-19).
// It starts with half of what fits (PS-5), measures how long the first CTA takes (PS-6), then
// samples stalled cycles (PS-3) over periods of One_TB x Nmax cycles and moves the limit by one
// until the stalled cycles stop improving (PS-7..PS-17).
//
// Timing: `limit_o` and `done_o` come straight from registers; a decision at a rising edge shows
// in the next cycle. `sample_end_o` is combinational. A kernel start has priority over everything
// else. While `enable_i` is 0, no register changes and nothing is reported; a kernel start is missed.
// The product One_TB x Nmax is added up while One_TB is measured: there is no multiplier.
//
// doc/blocks/perfsat.md; the row numbers below are those of its table.

`default_nettype none

module perfsat #(
  parameter int NumSlots    = 8,   // CTA slots of the SM, 1..32
  parameter int CountW      = 32,  // width of period, timer and stall counts, 2..32 (PS-A14)
  parameter int Tie         = 2,   // equal counts: 0 prefer fewer CTAs, 1 better, 2 worse (PS-A2)
  parameter int WdConfirm   = 1,   // coherent samples from weak to strong decrease, 1..2 (PS-A4)
  parameter int RecoverN    = 0,   // weak to strong again: 0 holds N, 1 moves N (PS-A9)
  parameter int WeakRevert  = 0,   // worse with H = 1: 0 resets H, 1 turns round (PS-A5)
  parameter int ToggleHist  = 0,   // H after the turn StWeakDec to StWeakInc (PS-A6)
  parameter int TogglePairs = 0,   // 0: every turn counts, 1: only the turn back (PS-A7)
  parameter int ToggleLimit = 3,   // more turns end the search, 1..15 (PS-12, PS-16)
  parameter int Settle      = 0    // a sample starts: 0 at once, 1 active <= N, 2 == N (PS-A12)
) (
  input  wire                           clk_i,
  input  wire                           rst_ni,
  input  wire                           enable_i,

  input  wire                           kernel_start_i,
  input  wire  [$clog2(NumSlots+1)-1:0] nmax_i,  // read only with kernel_start_i
  input  wire  [1:0]                    ps_class_i,
  input  wire  [NumSlots-1:0]           cta_start_i,
  input  wire  [NumSlots-1:0]           cta_done_i,
  input  wire  [NumSlots-1:0]           cta_active_i,

  output logic [$clog2(NumSlots+1)-1:0] limit_o,
  output logic                          done_o,
  output logic                          sample_end_o
);

  localparam int LimitW  = $clog2(NumSlots + 1);
  localparam int ToggleW = $clog2(ToggleLimit + 1);

  logic [2:0]         state_q, state_d;
  logic [LimitW-1:0]  limit_q, limit_d;          // N
  logic [LimitW-1:0]  nmax_q, nmax_d;
  logic               history_q, history_d;      // H: one coherent sample seen
  logic               direction_q, direction_d;  // D: the direction is decided
  logic [ToggleW-1:0] toggles_q, toggles_d;
  logic [CountW-1:0]  period_q, period_d;        // length of a sample
  logic [CountW-1:0]  timer_q, timer_d;          // cycles left of this sample
  logic [CountW-1:0]  stalled_q, stalled_d;
  logic [CountW-1:0]  prev_q, prev_d;            // the sample to compare with
  logic               settled_q, settled_d;      // this sample has started (Settle > 0)

  assign limit_o = limit_q;
  assign done_o  = state_q == ballast_pkg::PerfsatStDone;

  //////////////////////////////////////////////////////////////////////////////
  // The cycle: whether it belongs to a sample, stalls, and closes the sample. The enable gates these
  // events instead of every register, which is smaller.

  logic              start;
  logic              sampling, run;
  logic              cta_start, cta_done;
  logic              stalls;
  logic [CountW-1:0] more, cur;  // stalled cycles: one more than so far; with this cycle

  assign start     = enable_i && kernel_start_i;
  assign sampling  = state_q != ballast_pkg::PerfsatStWait &&
                     state_q != ballast_pkg::PerfsatStMeasure &&
                     state_q != ballast_pkg::PerfsatStDone;
  assign cta_start = enable_i && |cta_start_i;
  assign cta_done  = enable_i && |cta_done_i;

  // PS-3: scoreboard and pipeline stalls count, idle cycles do not. The class depends on the states of
  // all warps and is the last signal of a cycle to settle. Both results are computed before it is
  // known, and it selects one.
  assign stalls = ps_class_i == ballast_pkg::PsScoreboard || ps_class_i == ballast_pkg::PsPipeline;
  assign more   = stalled_q + CountW'(1);
  assign cur    = stalls ? more : stalled_q;

  // PS-A12: the CTAs are counted only while a sample waits for them.
  if (Settle == 0) begin : gen_at_once
    logic unused_active;
    assign unused_active = ^{cta_active_i, settled_q};
    assign run = enable_i && sampling;
  end else begin : gen_settle
    always_comb begin : p_run
      run = enable_i && sampling;
      if (run && !settled_q) begin
        if (Settle == 1) run = $countones(cta_active_i) <= 32'(limit_q);
        else             run = $countones(cta_active_i) == 32'(limit_q);
      end
    end
  end

  assign sample_end_o = run && timer_q == CountW'(1) && !kernel_start_i;

  //////////////////////////////////////////////////////////////////////////////
  // State machine: where the search goes when a sample closes

  logic is_inc, is_strong;   // what the state stands for
  logic better;              // than prev_q
  logic fewer;               // stalled_q < prev_q
  logic closer;              // more <= prev_q
  logic reaches;             // more == prev_q
  logic [CountW-1:0] differs;
  logic advance;             // rows 3, 5, 8, 13: N moves on in the search direction, if it can
  logic turn, turn_counts;   // the search turns; the turn counts against ToggleLimit
  logic step_on, step_back;  // N moves in the search direction, or against it
  logic take;                // prev_q <- cur

  assign is_inc    = state_q == ballast_pkg::PerfsatStWeakInc ||
                     state_q == ballast_pkg::PerfsatStStrongInc;
  assign is_strong = state_q == ballast_pkg::PerfsatStStrongInc ||
                     state_q == ballast_pkg::PerfsatStStrongDec;

  always_comb begin : p_fsm
    state_d     = state_q;
    limit_d     = limit_q;
    nmax_d      = nmax_q;
    history_d   = history_q;
    direction_d = direction_q;
    toggles_d   = toggles_q;
    better      = 1'b0;
    fewer       = 1'b0;
    closer      = 1'b0;
    reaches     = 1'b0;
    differs     = '0;
    advance     = 1'b0;
    turn        = 1'b0;
    turn_counts = 1'b0;
    step_on     = 1'b0;
    step_back   = 1'b0;
    take        = 1'b0;

    if (start) begin
      nmax_d      = nmax_i;
      limit_d     = nmax_i - (nmax_i >> 1);  // PS-5: rounded up
      history_d   = 1'b0;
      direction_d = 1'b0;
      toggles_d   = '0;
      if (nmax_i == LimitW'(1))           state_d = ballast_pkg::PerfsatStDone;  // PS-17
      else if (cta_start && nmax_i != '0) state_d = ballast_pkg::PerfsatStMeasure;
      else                                state_d = ballast_pkg::PerfsatStWait;

    end else if (state_q == ballast_pkg::PerfsatStWait) begin
      if (cta_start && nmax_q != '0) state_d = ballast_pkg::PerfsatStMeasure;

    end else if (state_q == ballast_pkg::PerfsatStMeasure) begin
      if (cta_done) state_d = ballast_pkg::PerfsatStFirst;

    end else if (sample_end_o && state_q == ballast_pkg::PerfsatStFirst) begin
      state_d = ballast_pkg::PerfsatStWeakInc;  // row 0
      limit_d = limit_q + LimitW'(1);
      take    = 1'b1;

    end else if (sample_end_o) begin
      // PS-4: strictly fewer stalls, or on a tie what Tie says.
      // A cycle that stalls compares `more`, another one stalled_q. One comparison serves both, because
      // the plain form, cur < prev_q, makes the comparison wait for the class: sm_governor then needs
      // 35.7 instead of 29.3 FO4 (fermi). more == prev_q exactly where every bit in which stalled_q and
      // prev_q differ lies above ones of stalled_q only, which needs no adder before the comparison.
      // `more` wraps to 0 after the largest count, which no run reaches.
      fewer   = stalled_q < prev_q;
      closer  = fewer || &stalled_q;
      differs = stalled_q ^ prev_q;
      reaches = differs == ((differs & stalled_q) << 1 | CountW'(1));
      if (Tie == 1 || (Tie == 0 && !is_inc)) better = stalls ? closer : !(prev_q < stalled_q);
      else                                   better = stalls ? closer && !reaches : fewer;

      // The increasing and the decreasing half of the table are mirror images.
      if (better) begin
        if (is_strong) begin
          advance = 1'b1;                       // rows 8, 13
        end else if (direction_q) begin
          turn        = 1'b1;                   // rows 11, 16
          turn_counts = 1'b1;
        end else if (history_q || (!is_inc && WdConfirm == 1)) begin
          advance = 1'b1;                       // rows 3, 5
        end else begin
          history_d = 1'b1;                     // rows 1, 5a
        end
      end else begin
        if (is_strong) begin
          turn        = 1'b1;                   // rows 9, 14: the sample is discarded (PS-14)
          turn_counts = TogglePairs == 0;
        end else if (direction_q) begin
          state_d   = ballast_pkg::PerfsatStDone;
          step_back = 1'b1;                     // rows 10, 15 (PS-15)
        end else if (history_q && WeakRevert == 0) begin
          history_d = 1'b0;                     // rows 4, 6a (PS-11)
        end else begin
          turn        = 1'b1;                   // rows 2, 6
          turn_counts = TogglePairs == 0 || !is_inc;
        end
      end

      if (turn) begin
        if (turn_counts && toggles_q == ToggleW'(ToggleLimit)) begin
          // PS-12, PS-16: one turn too many. An undecided search upward is at N0+1,
          // where it has to end. Every other search is one step past its end.
          state_d   = ballast_pkg::PerfsatStDone;
          step_back = direction_q || !is_inc;
        end else begin
          toggles_d = toggles_q + ToggleW'(turn_counts);
          history_d = 1'b0;
          if (!direction_q) begin               // rows 2, 6
            state_d   = is_inc ? ballast_pkg::PerfsatStWeakDec : ballast_pkg::PerfsatStWeakInc;
            history_d = !is_inc && ToggleHist != 0;
            step_back = 1'b1;
            take      = 1'b1;
          end else if (is_strong) begin         // rows 9, 14
            state_d = is_inc ? ballast_pkg::PerfsatStWeakInc : ballast_pkg::PerfsatStWeakDec;
          end else if (RecoverN == 0) begin     // rows 11, 16
            state_d = is_inc ? ballast_pkg::PerfsatStStrongInc : ballast_pkg::PerfsatStStrongDec;
          end else begin                        // rows 11a, 16a
            advance = 1'b1;
          end
        end
      end

      if (advance) begin
        direction_d = 1'b1;
        history_d   = 1'b0;
        take        = 1'b1;
        if (!direction_q) toggles_d = '0;       // PS-A8: phase 3 counts its own turns
        if (limit_q == (is_inc ? nmax_q : LimitW'(1))) begin
          state_d = ballast_pkg::PerfsatStDone; // PS-17
        end else begin
          state_d = is_inc ? ballast_pkg::PerfsatStStrongInc : ballast_pkg::PerfsatStStrongDec;
          step_on = 1'b1;
        end
      end

      if (step_on || step_back) begin
        if (step_on == is_inc) limit_d = limit_q + LimitW'(1);
        else                   limit_d = limit_q - LimitW'(1);
      end
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Counters

  logic [CountW-1:0] period_next;  // PS-6: one Nmax per cycle of the first CTA, saturating

  // Nmax is added to the low bits, and the high bits count up when the low bits carry: a short adder,
  // and the overflow is known early. With one adder of CountW bits this is the longest path of
  // sm_governor, 31.0 FO4 (fermi).
  if (CountW > LimitW) begin : gen_period
    logic [CountW-LimitW-1:0] high;
    logic [LimitW:0]          low;
    logic                     full;

    assign high        = period_q[CountW-1:LimitW];
    assign low         = {1'b0, period_q[LimitW-1:0]} + {1'b0, nmax_q};
    assign full        = &high;
    assign period_next = {(low[LimitW] && !full) ? high + (CountW - LimitW)'(1) : high,
                          low[LimitW-1:0] | {LimitW{low[LimitW] && full}}};
  end else begin : gen_period_narrow
    logic [LimitW:0] sum;

    assign sum         = (LimitW + 1)'(period_q) + (LimitW + 1)'(nmax_q);
    assign period_next = (|sum[LimitW:CountW]) ? '1 : sum[CountW-1:0];
  end

  always_comb begin : p_counters
    period_d  = period_q;
    timer_d   = timer_q;
    stalled_d = stalled_q;
    prev_d    = prev_q;
    settled_d = settled_q;

    if (start) begin
      period_d  = '0;
      settled_d = 1'b0;
    end else if (enable_i && state_q == ballast_pkg::PerfsatStMeasure) begin
      period_d = period_next;
      if (cta_done) begin
        timer_d   = period_next;
        stalled_d = '0;
        settled_d = 1'b0;
      end
    end else if (sample_end_o) begin
      timer_d   = period_q;
      stalled_d = '0;
      settled_d = 1'b0;
      if (take) prev_d = cur;
    end else if (run) begin
      timer_d   = timer_q - CountW'(1);
      stalled_d = cur;
      settled_d = Settle != 0;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Registers

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      state_q     <= ballast_pkg::PerfsatStWait;
      limit_q     <= '0;
      nmax_q      <= '0;
      history_q   <= 1'b0;
      direction_q <= 1'b0;
      toggles_q   <= '0;
      period_q    <= '0;
      timer_q     <= '0;
      stalled_q   <= '0;
      prev_q      <= '0;
      settled_q   <= 1'b0;
    end else begin
      state_q     <= state_d;
      limit_q     <= limit_d;
      nmax_q      <= nmax_d;
      history_q   <= history_d;
      direction_q <= direction_d;
      toggles_q   <= toggles_d;
      period_q    <= period_d;
      timer_q     <= timer_d;
      stalled_q   <= stalled_d;
      prev_q      <= prev_d;
      settled_q   <= settled_d;
    end
  end

`ifdef VERILATOR
  // What the undecided search compares: N0 and N0 + 1.
  logic [LimitW-1:0] n0;
  logic              comparing, undecided;
  assign n0        = nmax_q - (nmax_q >> 1);
  assign comparing = sampling && state_q != ballast_pkg::PerfsatStFirst;
  assign undecided = comparing && !direction_q;

  // What was in the cycle before, for the assertions.
  logic              after_one_is_done, after_done_holds, after_limit_moves;
  logic [LimitW-1:0] was_limit;

  always_ff @(posedge clk_i) begin : p_was
    after_one_is_done <= rst_ni && start && nmax_i == LimitW'(1);
    after_done_holds  <= rst_ni && done_o && !start;
    was_limit         <= limit_q;
    after_limit_moves <= rst_ni && !start && !sample_end_o;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // Without the enable no sample is reported.
      EnableEvents: assert (enable_i || !sample_end_o);
      // PS-1, on the inputs: a kernel does not hold more CTAs than there are slots.
      NmaxLegal: assert (!start || 32'(nmax_i) <= NumSlots);
      // PS-17: the limit stays within 1..Nmax, and is 0 only without a kernel that could run.
      LimitRange: assert (limit_q <= nmax_q && (limit_q != '0 || nmax_q == '0));
      // PS-A13: no measuring for a kernel of which no CTA fits.
      NoCtaFits: assert (nmax_q != '0 || state_q == ballast_pkg::PerfsatStWait);
      // PS-17: one CTA at most leaves nothing to search.
      OneIsDone: assert (!after_one_is_done || (done_o && limit_q == LimitW'(1)));
      // PS-15, PS-18: only the next kernel ends StDone, and until then Nopt holds.
      DoneHolds: assert (!after_done_holds || (done_o && limit_q == was_limit));
      // PS-7: the limit moves only with a kernel or a sample.
      LimitMoves: assert (!after_limit_moves || limit_q == was_limit);
      // PS-8, PS-10: undecided, N0 and N0+1 are compared.
      Undecided: assert (!undecided || limit_q == n0 + LimitW'(is_inc));
      // PS-12: a search that ends undecided ends at N0+1.
      UndecidedEnds: assert (!(done_o && !direction_q && nmax_q != LimitW'(1)) ||
          limit_q == n0 + LimitW'(1));
      // PS-11, PS-13: strong is decided, and decided is past the first sample.
      StrongDecided: assert ((!is_strong || direction_q) && (!direction_q || comparing || done_o));
      // PS-9, PS-11: H votes on the direction, so that it is 0 once D is 1.
      HistoryUndecided: assert (!history_q || (!direction_q && (undecided || done_o)));
      // PS-12, PS-16: the turn that would exceed the limit has ended the search.
      ToggleRange: assert (32'(toggles_q) <= ToggleLimit);
      // PS-6: a sample has something left of at most one period.
      TimerRange: assert (!sampling || (timer_q != '0 && timer_q <= period_q));
      // PS-3: no more stalled cycles than cycles, so that the counts need not saturate.
      StalledRange: assert (!sampling || stalled_q <= period_q - timer_q);
      PrevRange: assert (!comparing || prev_q <= period_q);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
