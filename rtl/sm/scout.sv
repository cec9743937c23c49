// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// scout: searches for the CTA limit of an SM by looking at limits and counting instructions
// (SCT-1..SCT-10). First it looks downward by halves, then it halves the distance to the limits that
// are ruled out. What looks lose is paid from a credit: what looks won, and a small part of what was issued.
//
// Timing: the outputs come from registers. A kernel start has priority over everything else. While
// `enable_i` is 0, no register changes; a kernel start is missed.
// A slice of cycles ends with three cycles that count nothing: the base is taken off the count, the count
// is judged, the verdict is carried out. So no cycle has more than one sum behind another.
//
// doc/blocks/scout.md; the row numbers below are those of its table of verdicts, the line numbers those of
// its plan.

`default_nettype none

module scout #(
  parameter int NumSlots   = 8,     // CTA slots of the SM, 2..32
  parameter int IssueWidth = 2,     // warp instructions issued per cycle at most, 1..8
  parameter int Slice      = 1024,  // cycles of a slice, a power of two, 8..4096
  parameter int Window     = 8,     // slices of the shortest window, a power of two, 2..16
  parameter int Settle     = 2,     // slices between a change of the limit and a window, 1..7
  parameter int Warmup     = 4,     // the same after the start of a kernel, 1..7
  parameter int Margin     = 6,     // as good as equal: less than one part in 2^Margin, 1..7
  parameter int Back       = 1,     // a win in a short window is measured there and back (SCT-5)
  parameter int Verify     = 1,     // a win far down is compared in longer windows (SCT-6)
  parameter int Doubt      = 1      // halves of a window that disagree count (SCT-4)
) (
  input  wire                           clk_i,
  input  wire                           rst_ni,
  input  wire                           enable_i,

  input  wire                           kernel_start_i,
  input  wire  [$clog2(NumSlots+1)-1:0] nmax_i,  // read only with kernel_start_i
  input  wire  [$clog2(NumSlots+1)-1:0] hint_i,  // 0: none; read only with kernel_start_i
  input  wire  [IssueWidth-1:0]         issue_valid_i,
  input  wire  [NumSlots-1:0]           cta_done_i,

  output logic [$clog2(NumSlots+1)-1:0] limit_o,
  output logic                          done_o,
  output logic                          look_o
);

  localparam int LimitW  = $clog2(NumSlots + 1);
  localparam int CountW  = $clog2(Slice * Window * 64) + $clog2(IssueWidth) + 1;
  localparam int SliceW  = $clog2(Slice);
  localparam int IndexW  = $clog2(Window * 64);
  localparam int WindowW = $clog2(Window);
  localparam int CreditW = 15;

  localparam logic [2:0] StIdle = 3'd0;  // no kernel yet
  localparam logic [2:0] StBase = 3'd1;  // counts at the best limit
  localparam logic [2:0] StLook = 3'd2;  // counts at the candidate
  localparam logic [2:0] StBack = 3'd3;  // counts at the best limit once more
  localparam logic [2:0] StDone = 3'd4;  // decided, and watches

  localparam logic [1:0] StepCount = 2'd0;
  localparam logic [1:0] StepOff   = 2'd1;
  localparam logic [1:0] StepJudge = 2'd2;
  localparam logic [1:0] StepAct   = 2'd3;

  localparam logic [2:0] None    = 3'd0;
  localparam logic [2:0] Settled = 3'd1;
  localparam logic [2:0] Half    = 3'd2;
  localparam logic [2:0] Full    = 3'd3;
  localparam logic [2:0] Take    = 3'd4;
  localparam logic [2:0] Reject  = 3'd5;
  localparam logic [2:0] Open    = 3'd6;

  localparam logic [1:0] ClassWorse  = 2'd0;
  localparam logic [1:0] ClassOpen   = 2'd1;
  localparam logic [1:0] ClassBetter = 2'd2;

  (* fsm_encoding = "none" *)              // Yosys keeps the codes of the page
  logic [2:0]         state_q, state_d;
  (* fsm_encoding = "none" *)
  logic [1:0]         step_q, step_d;
  (* fsm_encoding = "none" *)
  logic [2:0]         verdict_q, verdict_d;
  logic [LimitW-1:0]  nmax_q, nmax_d;
  logic [LimitW-1:0]  best_q, best_d;
  logic [LimitW-1:0]  cand_q, cand_d;
  logic [LimitW-1:0]  low_q, low_d;        // the highest limit below best_q that is ruled out
  logic [LimitW-1:0]  top_q, top_d;        // the highest limit that is not ruled out
  logic               refine_q, refine_d;  // 0: coarse, downward; 1: between low_q and top_q
  logic               verify_q, verify_d;  // the candidate is the limit before a win
  logic               first_q, first_d;    // no CTA of the kernel has finished
  logic               known_q, known_d;    // StDone: base_q holds the rate
  logic               odd_q, odd_d;        // StDone: the last window was unlike it
  logic [1:0]         stage_q, stage_d;    // windows have Window * 4^stage slices
  logic [SliceW-1:0]  timer_q, timer_d;
  logic [2:0]         settle_q, settle_d;  // slices until the window begins
  logic [IndexW-1:0]  index_q, index_d;    // slices of this window
  logic [CountW:0]    acc_q, acc_d;        // two's complement
  logic [CountW-1:0]  base_q, base_d;
  (* fsm_encoding = "none" *)              // Yosys takes it for a state machine otherwise
  logic [2:0]         quiet_q, quiet_d;    // by how much the halves of the base's window agree
  (* fsm_encoding = "none" *)
  logic [1:0]         half_q, half_d;      // class of the first half of a look
  logic [CreditW-1:0] credit_q, credit_d;

  // What is read within processes, because Icarus 11 takes no part of a signal there.
  logic [CountW-1:0] acc_count;  // acc_q where it is not negative
  logic              acc_minus;

  assign acc_count = acc_q[CountW-1:0];
  assign acc_minus = acc_q[CountW];

  logic start, run;
  logic hinted;  // SCT-10: the answer is known
  logic is_base, is_look, is_back, is_done;

  assign start   = enable_i && kernel_start_i;
  assign hinted  = hint_i != '0 && hint_i <= nmax_i;
  assign run     = enable_i && state_q != StIdle;
  assign is_base = state_q[1:0] == StBase[1:0];  // three codes are never reached
  assign is_look = state_q[1:0] == StLook[1:0];
  assign is_back = state_q[1:0] == StBack[1:0];
  assign is_done = state_q[2];

  always_comb begin : p_outputs
    limit_o = is_look ? cand_q : best_q;
    done_o  = is_done;
    look_o  = is_look;
  end

  //////////////////////////////////////////////////////////////////////////////
  // Where in its window the slice is

  logic [IndexW-1:0] last_index;  // slices of a window less one
  logic [IndexW-1:0] ones;        // the index, with ones above the bits that count
  logic [3:0]        halves;      // by stage: in the second half
  logic              late;
  logic              at_half, at_end;

  assign last_index = {{2{&stage_q}}, {2{stage_q[1]}}, {2{|stage_q}}, {WindowW{1'b1}}};
  assign ones       = index_q | ~last_index;
  assign halves     = {index_q[WindowW+5], index_q[WindowW+3], index_q[WindowW+1], index_q[WindowW-1]};
  assign late       = halves[stage_q];
  assign at_end     = &ones;
  assign at_half    = !late && &(ones | (last_index ^ last_index >> 1));

  //////////////////////////////////////////////////////////////////////////////
  // StepCount and StepOff: one sum adds the instructions of a cycle, or takes the base's share off

  logic              off, off_rest;
  logic [CountW-1:0] scaled;  // base_q / 4^stage
  logic [CountW:0]   count;   // instructions of this cycle
  logic [CountW:0]   change, change_rest, acc_next;

  always_comb begin : p_scaled
    case (stage_q)
      2'd0:    scaled = base_q;
      2'd1:    scaled = base_q >> 2;
      2'd2:    scaled = base_q >> 4;
      default: scaled = base_q >> 6;
    endcase
  end

  // The last slice of a window takes what the division left over, too.
  assign off         = step_q == StepOff;
  assign off_rest    = off && settle_q == '0 && at_end;
  assign count       = (CountW + 1)'($countones(issue_valid_i));
  assign change      = off ? ~{1'b0, scaled >> WindowW} : count;
  assign change_rest = off_rest ? ~{1'b0, base_q & CountW'(last_index)} : '0;
  assign acc_next    = acc_q + change + change_rest + (CountW + 1)'({off_rest, off && !off_rest});

  //////////////////////////////////////////////////////////////////////////////
  // The credit (SCT-7). The base adds a part of its count. A look adds what it won, or takes off what it lost:
  // acc_q has its sign. It has lost more than there is if the sum is negative. The sums end at 0 and at the most
  // that there can be.

  localparam int SpareW = ((CountW > CreditW) ? CountW : CreditW) + 2;

  logic [CountW-1:0]  gain;
  logic [SpareW-1:0]  credit_more;    // with the gain
  logic [SpareW-1:0]  credit_then;    // after the look: with what it won, without what it lost
  logic               overdrawn;
  logic [CreditW-1:0] credit_capped, credit_left;

  assign gain          = first_q ? acc_count >> 3 : acc_count >> 7;
  assign credit_more   = SpareW'(credit_q) + SpareW'(gain);
  assign credit_capped = credit_more[CreditW-1:0] | {CreditW{|credit_more[SpareW-1:CreditW]}};
  assign credit_then   = SpareW'(credit_q) + {{(SpareW-CountW){acc_minus}}, acc_count};
  assign overdrawn     = credit_then[SpareW-1];
  assign credit_left   = (credit_then[CreditW-1:0] | {CreditW{|credit_then[SpareW-2:CreditW]}}) & {CreditW{!overdrawn}};

  // Three slices at the rate of the base must be affordable: credit_q >= floor(3 * acc_q / W). A floor is
  // not above a number exactly if 3 * acc_q is not above that number and W - 1 parts of W.
  localparam int RoomW = ((IndexW + CreditW > CountW + 2) ? IndexW + CreditW : CountW + 2) + 1;

  logic [RoomW-1:0] funds, room;
  logic             affordable;

  always_comb begin : p_funds
    case (stage_q)
      2'd0:    funds = RoomW'({credit_q, {WindowW{1'b1}}});
      2'd1:    funds = RoomW'({credit_q, {(WindowW+2){1'b1}}});
      2'd2:    funds = RoomW'({credit_q, {(WindowW+4){1'b1}}});
      default: funds = RoomW'({credit_q, {(WindowW+6){1'b1}}});
    endcase
  end

  assign room       = funds - RoomW'(acc_count) - RoomW'({acc_count, 1'b0});
  assign affordable = !room[RoomW-1];

  //////////////////////////////////////////////////////////////////////////////
  // StepJudge: class of a difference (SCT-4)
  //
  // With d the difference, m the margin and e the doubt, a limit of fewer CTAs is better if
  // d + m - e >= 0, and worse if d + m + e < 0. For more CTAs it is d - m - e > 0 and d - m + e <= 0, which
  // is the same with ~m = -m - 1 in place of m. Both sums have the same first two terms.
  // StDone asks whether acc_q is further from base_q than a quarter. With m = 0, e = base_q / 4 and
  // d = base_q - acc_q it is better or worse by the same sums, without the equality of the first.

  localparam int SumW = CountW + 2;

  logic              fewer;             // the candidate is a limit of fewer CTAs
  logic              against;           // d is base_q - acc_q
  logic [CountW-1:0] whole;             // b
  logic [2:0]        doubt_least;       // by the halves of the base's window
  logic [6:0]        doubt;             // e is b / 2^k
  logic [CountW-1:0] unsure;            // e
  logic [SumW-1:0]   near_m;            // m or ~m
  logic [SumW-1:0]   diff, other;       // d is their sum, and `against`
  logic [SumW-1:0]   partial, carries;  // d + m: sums and carries of each bit
  logic [SumW-1:0]   above, below;
  logic              better, worse;
  logic [1:0]        class_now;

  assign fewer   = cand_q < best_q;
  assign against = is_back || is_done;

  // s one-hot, so that one level of gates picks e: 4 + stage or less, none in stage 3, and 2 in StDone.
  assign doubt_least = (Doubt != 0) ? quiet_q : 3'd7;
  for (genvar k = 0; k < 7; k++) begin : gen_doubt
    if (k < 4) begin : gen_halves
      assign doubt[k] = is_done ? k == 2 : doubt_least == 3'(k) && stage_q != 2'd3;
    end else begin : gen_stage
      assign doubt[k] = !is_done && stage_q != 2'd3 &&
          ((stage_q == 2'(k - 4)) ? doubt_least > 3'(k - 1) : stage_q > 2'(k - 4) && doubt_least == 3'(k));
    end
  end

  // A class is read at the half and at the end of a window only. One bit of the index tells them apart.
  assign whole   = is_back ? acc_count : late ? base_q : base_q >> 1;

  always_comb begin : p_unsure
    unsure = '0;
    for (int k = 0; k < 7; k++) begin
      if (doubt[k]) unsure = whole >> k;  // one of them
    end
  end

  assign near_m  = ((SumW'(whole) >> Margin) ^ {SumW{!fewer}}) & {SumW{!is_done}};
  assign diff    = {acc_minus, acc_q} ^ {SumW{against}};
  assign other   = {2'b00, base_q & {CountW{against}}};
  assign partial = diff ^ other ^ near_m;
  assign carries = ((diff & other) | (diff & near_m) | (other & near_m)) << 1 | SumW'(against);
  assign above   = partial + carries + ~{2'b00, unsure} + SumW'(!is_done);
  assign below   = partial + carries + {2'b00, unsure};

  assign better    = !above[SumW-1];
  assign worse     = below[SumW-1];
  assign class_now = better ? ClassBetter : worse ? ClassWorse : ClassOpen;

  //////////////////////////////////////////////////////////////////////////////
  // StepJudge: the verdict

  logic [CountW:0] slack;     // what the look may lose of the base, less what it lost
  logic            hopeless;  // SCT-3
  logic            may_win;   // the half of the look said so, too, or need not
  logic            may_lose;
  logic            base_full;
  logic            decided;   // by rows that need no class
  logic [2:0]      early, verdict;

  assign slack    = acc_q + {1'b0, scaled >> 3};
  assign hopeless = (stage_q == 2'd0 || verify_q) && slack[CountW];
  assign may_win  = Doubt == 0 || stage_q == 2'd3 || half_q == ClassBetter;
  assign may_lose = Doubt == 0 || stage_q == 2'd3 || half_q == ClassWorse;

  // Rows 1 to 5 know nothing of classes, so that what hangs on Half, and on the Full of StBase, waits for none.
  assign base_full = is_base && settle_q == '0 && at_end;

  always_comb begin : p_early
    decided = 1'b1;
    early   = None;
    if (is_look && overdrawn)                early = Reject;         // row 1
    else if (settle_q == 3'd1)               early = Settled;        // row 2
    else if (settle_q != '0)                 early = None;           // row 3
    else if (is_look && hopeless)            early = Reject;         // row 4
    else if (at_half && (is_base || is_look)) early = Half;          // row 5
    else if (!at_end)                        early = None;           // row 6
    else if (is_base)                        early = Full;           // row 7
    else if (is_done && !known_q)            early = Full;           // row 8
    else                                     decided = 1'b0;
  end

  // Rows 8 to 14. In stage 3 there is no doubt, and every look is better or worse.
  always_comb begin : p_verdict
    verdict = early;
    if (!decided) begin
      if (is_done)                verdict = (better || worse) ? Reject : Take;
      else if (is_back)           verdict = better ? Take : Open;
      else if (better && may_win) verdict = Take;
      else if (worse && may_lose) verdict = Reject;
      else                        verdict = Open;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // StepAct: base and look together, or by how much the halves of the base's window differ

  logic [CountW:0]   mixed;   // base_q + acc_q; StBase: acc_q - 2 * base_q
  logic [CountW-1:0] mixed_count;
  logic              mixed_minus;
  logic [CountW-1:0] folded;  // StBase: the difference if it is not negative, else what -1 is above it
  logic [2:0]        quiet;

  // The distance is `folded`, or one more if the difference is negative. One more bit on the right of a
  // comparison says this, so that the distance needs no sum of its own.
  assign mixed       = acc_q + (is_base ? ~{base_q, 1'b0} : {1'b0, base_q}) + (CountW + 1)'(is_base);
  assign mixed_count = mixed[CountW-1:0];
  assign mixed_minus = mixed[CountW];
  assign folded      = mixed_count ^ {CountW{mixed_minus}};

  always_comb begin : p_quiet
    quiet = 3'd0;
    for (int k = 1; k < 8; k++) begin
      if ({folded, mixed_minus} <= {acc_count >> k, 1'b0}) quiet = 3'(k);
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // StepAct: bracket and plan (SCT-6), read when a limit has been decided on

  logic              restart;               // SCT-8: the search begins anew, from the best limit
  logic              last;                  // the windows are the longest
  logic              coarse, win;
  logic [LimitW-1:0] best_new, low_new, top_new;
  logic [LimitW-1:0] from, half_from;       // the coarse search halves it
  logic              room_above, room_below;
  logic [LimitW:0]   middle;                // twice the middle of the best limit and a bound
  logic [LimitW-1:0] cand_new;
  logic              verify_new, refine_new, done_new;

  assign restart = is_done;
  assign last    = stage_q == 2'd3;
  assign coarse  = restart || !refine_q;

  always_comb begin : p_bracket
    best_new = best_q;
    low_new  = low_q;
    top_new  = top_q;
    win      = 1'b0;
    if (restart) begin
      low_new = '0;
      top_new = nmax_q;
      win     = 1'b1;
    end else if (verdict_q == Take) begin
      best_new = cand_q;
      if (!fewer) begin
        low_new = best_q;
      end else if (coarse) begin
        top_new = best_q;
        low_new = '0;
        win     = Verify != 0;
      end else if (last) begin
        top_new = best_q - LimitW'(1);
      end
    end else if (verdict_q == Reject) begin
      if (!fewer)              top_new = cand_q - LimitW'(1);
      else if (cand_q > low_q) low_new = cand_q;
    end
  end

  // The bracket keeps low < best <= top, so that equality says how much room there is. Only a kernel of
  // which no CTA fits has low = best.
  always_comb begin : p_plan
    if (!restart && verdict_q != Take && fewer) from = cand_q;
    else if (low_new != '0)                     from = low_new;
    else                                        from = best_new;
    half_from = from >> 1;

    room_above = top_new != best_new;
    room_below = best_new != low_new + LimitW'(1) && nmax_q != '0;
    middle     = {1'b0, best_new} + {1'b0, room_above ? top_new : low_new} + (LimitW + 1)'(room_above);

    cand_new   = cand_q;
    verify_new = 1'b0;
    refine_new = 1'b1;
    done_new   = 1'b0;
    if (win && room_above) begin                    // line 1
      cand_new   = top_new;
      verify_new = 1'b1;
      refine_new = !coarse;
    end else if (coarse && half_from != '0) begin   // line 2
      cand_new   = half_from;
      refine_new = 1'b0;
    end else if (room_above || room_below) begin    // lines 3, 4
      cand_new = LimitW'(middle >> 1);
    end else begin                                  // line 5
      done_new = 1'b1;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Next values

  // What a verdict leads to. Not in the process below: Icarus 11 evaluates a process again for what changes in it.
  logic acts;                          // StepAct
  logic compared;                      // Take, Reject or Open
  logic watches;                       // StDone: the kernel is as it was, or odd for once
  logic longer, goes_back;             // the same limit in longer windows (SCT-3); SCT-5
  logic planned;                       // the bracket changes, and another limit is next
  logic rebase;                        // a new base is next
  logic clear;                         // a window or a wait begins

  assign acts      = run && !start && step_q == StepAct;
  assign compared  = acts && verdict_q[2];
  assign watches   = compared && is_done && !(verdict_q == Reject && odd_q);
  assign longer    = compared && !watches && verdict_q == Open && refine_q;
  assign goes_back = compared && Back != 0 && is_look && verdict_q == Take && fewer && stage_q < 2'd2;
  assign planned   = compared && !watches && !longer && !goes_back;
  assign rebase    = planned || longer;
  assign clear     = rebase || compared || (acts && (verdict_q == Settled || verdict_q == Full));

  // Not always_comb: Icarus 11 would evaluate it at time 0 for ever.
  always @* begin : p_next
    state_d   = state_q;
    step_d    = step_q;
    verdict_d = verdict_q;
    nmax_d    = nmax_q;
    best_d    = best_q;
    cand_d    = cand_q;
    low_d     = low_q;
    top_d     = top_q;
    refine_d  = refine_q;
    verify_d  = verify_q;
    first_d   = first_q;
    known_d   = known_q;
    odd_d     = odd_q;
    stage_d   = stage_q;
    timer_d   = timer_q;
    settle_d  = settle_q;
    index_d   = index_q;
    acc_d     = acc_q;
    base_d    = base_q;
    quiet_d   = quiet_q;
    half_d    = half_q;
    credit_d  = credit_q;

    if (start) begin  // SCT-1, SCT-10
      // With one CTA at most there is nothing to search.
      if (nmax_i <= LimitW'(1) || hinted) begin
        state_d = StDone;
        stage_d = 2'd1;
      end else begin
        state_d = StBase;
        stage_d = 2'd0;
      end
      step_d    = StepCount;
      verdict_d = None;
      nmax_d    = nmax_i;
      best_d    = hinted ? hint_i : nmax_i;
      top_d     = nmax_i;
      cand_d    = nmax_i >> 1;
      low_d     = '0;
      refine_d  = hinted;
      verify_d  = 1'b0;
      first_d   = 1'b1;
      known_d   = 1'b0;
      odd_d     = 1'b0;
      timer_d   = '0;
      settle_d  = 3'(Warmup);
      index_d   = '0;
      acc_d     = '0;
      base_d    = '0;
      quiet_d   = '0;
      half_d    = ClassOpen;
      credit_d  = '0;

    end else if (run) begin
      if (|cta_done_i) first_d = 1'b0;

      case (step_q)
        StepCount: begin
          acc_d   = acc_next;
          timer_d = timer_q + SliceW'(1);
          if (&timer_q) step_d = StepOff;
        end

        StepOff: begin
          step_d = StepJudge;
          if (is_look) acc_d = acc_next;
        end

        StepJudge: begin
          step_d    = StepAct;
          verdict_d = verdict;
          if (is_look && decided && early == Half) half_d   = class_now;
          if (base_full)                           credit_d = credit_capped;
        end

        default: begin  // StepAct
          step_d    = StepCount;
          verdict_d = None;
          case (verdict_q)
            None: begin
              if (settle_q != '0) settle_d = settle_q - 3'd1;
              else                index_d  = index_q + IndexW'(1);
            end

            Settled: begin
              settle_d = '0;
              half_d   = ClassOpen;
              if (is_look) credit_d = credit_left;
            end

            Half: begin
              index_d = index_q + IndexW'(1);
              if (is_base) base_d = acc_count;
            end

            Full: begin
              base_d = acc_count;
              if (is_done) begin
                known_d = 1'b1;
              end else begin
                quiet_d = quiet;
                if (affordable) begin
                  state_d  = StLook;
                  settle_d = 3'(Settle);
                end
              end
            end

            default: begin  // Take, Reject, Open
              if (is_look) credit_d = credit_left;
              if (watches) odd_d    = verdict_q == Reject;
              if (longer)  stage_d  = stage_q + 2'd1;
              if (goes_back) begin
                base_d   = mixed_count;
                state_d  = StBack;
                settle_d = 3'(Settle);
              end
            end
          endcase
        end
      endcase

      if (planned) begin
        best_d   = best_new;
        low_d    = low_new;
        top_d    = top_new;
        cand_d   = cand_new;
        refine_d = refine_new;
        verify_d = verify_new;
        stage_d  = {1'b0, verify_new || done_new};
        if (restart || done_new) begin
          known_d = 1'b0;
          odd_d   = 1'b0;
        end
      end
      if (rebase) begin
        state_d  = (planned && done_new) ? StDone : StBase;
        settle_d = 3'(Settle);
        half_d   = ClassOpen;
      end
      if (clear) begin
        acc_d   = '0;
        index_d = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      state_q   <= StIdle;
      step_q    <= StepCount;
      verdict_q <= None;
      nmax_q    <= '0;
      best_q    <= '0;
      cand_q    <= '0;
      low_q     <= '0;
      top_q     <= '0;
      refine_q  <= 1'b0;
      verify_q  <= 1'b0;
      first_q   <= 1'b0;
      known_q   <= 1'b0;
      odd_q     <= 1'b0;
      stage_q   <= '0;
      timer_q   <= '0;
      settle_q  <= '0;
      index_q   <= '0;
      acc_q     <= '0;
      base_q    <= '0;
      quiet_q   <= '0;
      half_q    <= ClassOpen;
      credit_q  <= '0;
    end else begin
      state_q   <= state_d;
      step_q    <= step_d;
      verdict_q <= verdict_d;
      nmax_q    <= nmax_d;
      best_q    <= best_d;
      cand_q    <= cand_d;
      low_q     <= low_d;
      top_q     <= top_d;
      refine_q  <= refine_d;
      verify_q  <= verify_d;
      first_q   <= first_d;
      known_q   <= known_d;
      odd_q     <= odd_d;
      stage_q   <= stage_d;
      timer_q   <= timer_d;
      settle_q  <= settle_d;
      index_q   <= index_d;
      acc_q     <= acc_d;
      base_q    <= base_d;
      quiet_q   <= quiet_d;
      half_q    <= half_d;
      credit_q  <= credit_d;
    end
  end

`ifdef VERILATOR
  logic              searching;  // there is a kernel that leaves something to search
  logic [CountW-1:0] most;       // instructions of the longest window

  assign searching = is_base || is_look || is_back;
  assign most      = CountW'(Slice * Window * 64 * IssueWidth);

  // What was in the cycle before, for the assertions.
  logic              after_one_is_done, after_limit_moves, after_hold;
  logic [LimitW-1:0] was_limit, was_nmax;
  logic [2:0]        was_state;
  logic [CountW:0]   was_acc;

  always_ff @(posedge clk_i) begin : p_was
    after_one_is_done  <= rst_ni && start && nmax_i <= LimitW'(1);
    after_limit_moves  <= rst_ni && !start && !(run && step_q == StepAct);
    after_hold         <= rst_ni && !start && !run;
    was_limit          <= is_look ? cand_q : best_q;
    was_nmax           <= nmax_i;
    was_state          <= state_q;
    was_acc            <= acc_q;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // On the inputs: a kernel does not hold more CTAs than there are slots.
      NmaxLegal: assert (!start || 32'(nmax_i) <= NumSlots);
      // Three codes are never reached. StIdle means that there was no kernel yet.
      StateLegal: assert (state_q <= StDone && (state_q != StIdle || nmax_q == '0));
      // Whoever searches has something to search; what is decided has a rate or none.
      Searching: assert (!searching || (nmax_q >= LimitW'(2) && !known_q && !odd_q));
      // Only StepAct has a verdict.
      VerdictStep: assert (step_q == StepAct || verdict_q == None);
      // What a verdict can be in a state.
      VerdictLegal: assert ((verdict_q != Half || is_base || is_look) &&
          (verdict_q != Full || is_base || is_done) && (verdict_q <= Open) &&
          (verdict_q != Take || !is_base) && (verdict_q != Reject || is_look || is_done) &&
          (verdict_q != Open || is_look || is_back));
      // The three steps at a slice's end do not count cycles.
      TimerRange: assert (32'(timer_q) < Slice && (step_q == StepCount || timer_q == '0));
      // Outputs: silent without a kernel.
      LimitRange: assert (limit_o <= nmax_q && (limit_o != '0 || nmax_q == '0));
      LookSilent: assert (!look_o || is_look);
      IdleSilent: assert (state_q != StIdle || (limit_o == '0 && !done_o && !look_o));
      // SCT-1: one CTA at most leaves nothing to search.
      OneIsDone: assert (!after_one_is_done || (is_done && best_q == was_nmax));
      // The limit moves only with a kernel or in StepAct.
      LimitMoves: assert (!after_limit_moves || (is_look ? cand_q : best_q) == was_limit);
      // Without enable nothing moves.
      HoldHolds: assert (!after_hold || (state_q == was_state && acc_q == was_acc));
      // SCT-6: the bracket.
      Bracket: assert ((nmax_q == '0 && best_q == '0 && top_q == '0 && low_q == '0) ||
          (low_q < best_q && best_q <= top_q && top_q <= nmax_q));
      // A look is at another limit than the best, and there and back is downward only (SCT-5).
      CandRange: assert (!searching || (cand_q != '0 && cand_q <= top_q && cand_q != best_q));
      BackFewer: assert (!is_back || (Back != 0 && fewer && !stage_q[1]));
      // The coarse search goes downward, but for the limit before a win; that is the top (SCT-6).
      CoarseDown: assert (!searching || refine_q || fewer != verify_q);
      VerifyTop: assert (!verify_q || (searching && !refine_q && stage_q == 2'd1 && cand_q == top_q));
      // The coarse search has one length of windows, and StDone another one.
      StageCoarse: assert (!searching || refine_q || stage_q == {1'b0, verify_q});
      StageDone: assert (!is_done || stage_q == 2'd1);
      // A window begins when the SM has settled, and has so many slices.
      SettleRange: assert (32'(settle_q) <= ((Settle > Warmup) ? Settle : Warmup));
      IndexRange: assert (index_q <= last_index && (settle_q == '0 || index_q == '0));
      // Only a look counts less than nothing. No window has more instructions than the counters hold.
      AccSign: assert (is_look || !acc_q[CountW]);
      AccRange: assert ($signed(acc_q) <= $signed({1'b0, most}) &&
          $signed(acc_q) >= -$signed({1'b0, most}));
      BaseRange: assert (base_q <= most);
      // The first half of a base is not more than the whole of it.
      HalfRange: assert (!(is_base && settle_q == '0 && index_q > last_index >> 1) ||
          base_q <= acc_q[CountW-1:0]);
      // A half of a look has a class, and what is no look has none, but for the look that went well.
      HalfLegal: assert (half_q <= ClassBetter && (half_q == ClassOpen || is_look || is_back));
      // SCT-7: what StepAct takes off is there, but for a look that ended for it. There is none before the first base.
      CreditCovers: assert (!(is_look && step_q == StepAct && verdict_q != Reject) || !overdrawn);
      CreditIdle: assert (nmax_q >= LimitW'(2) || credit_q == '0);
      // SCT-8: only StDone watches.
      DoneWatches: assert (is_done || (!known_q && !odd_q));
      OddKnown: assert (!odd_q || known_q);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
