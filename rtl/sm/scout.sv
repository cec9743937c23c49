// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// scout: searches for the CTA limit of an SM by looking at limits and counting instructions
// (SCT-1..SCT-11). First it looks downward by halves, then it halves the distance to the limits that
// are ruled out. What looks lose is paid from a credit: what looks won, and a small part of what was issued.
//
// Timing: the outputs come from registers. A kernel start has priority over everything else. While
// `enable_i` is 0, no register changes; a kernel start is missed.
// A slice of cycles ends with 14 cycles that count nothing, a step each. A step has one sum at most, of two
// registers. What a step adds has been chosen in the step before, and how far that is shifted in the one before
// that. What a sum says is read from a register in the step after it, but for the halves of a base (quiet_q).
// So no cycle has two of these: a shift with a selection, a sum, a decision.
//
// doc/blocks/scout.md; the row numbers below are those of its table of rows, the line numbers those of
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
  localparam int CountW  = $clog2(Slice * Window * 64 * IssueWidth + 32768);  // a window and the credit
  localparam int SliceW  = $clog2(Slice);
  localparam int IndexW  = $clog2(Window * 64);
  localparam int WindowW = $clog2(Window);
  localparam int CreditW = 15;

  localparam logic [2:0] StIdle = 3'd0;  // no kernel yet
  localparam logic [2:0] StBase = 3'd1;  // counts at the best limit
  localparam logic [2:0] StLook = 3'd2;  // counts at the candidate
  localparam logic [2:0] StBack = 3'd3;  // counts at the best limit once more
  localparam logic [2:0] StDone = 3'd4;  // decided, and watches

  localparam logic [3:0] StepCount   = 4'd0;
  localparam logic [3:0] StepLast    = 4'd1;
  localparam logic [3:0] StepOff     = 4'd2;
  localparam logic [3:0] StepRest    = 4'd3;
  localparam logic [3:0] StepSpent   = 4'd4;
  localparam logic [3:0] StepRows    = 4'd5;
  localparam logic [3:0] StepPause   = 4'd6;
  localparam logic [3:0] StepMargin  = 4'd7;
  localparam logic [3:0] StepBelow   = 4'd8;
  localparam logic [3:0] StepAbove   = 4'd9;
  localparam logic [3:0] StepRestore = 4'd10;
  localparam logic [3:0] StepMix     = 4'd11;
  localparam logic [3:0] StepBracket = 4'd12;
  localparam logic [3:0] StepRoom    = 4'd13;
  localparam logic [3:0] StepAct     = 4'd14;
  localparam logic [3:0] StepNone    = 4'd15;  // of `step` alone: nothing changes

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
  logic [3:0]         step_q, step_d;
  (* fsm_encoding = "none" *)
  logic [2:0]         verdict_q, verdict_d;
  logic [LimitW-1:0]  nmax_q, nmax_d;
  logic [LimitW-1:0]  best_q, best_d;
  logic [LimitW-1:0]  cand_q, cand_d;
  logic [LimitW-1:0]  low_q, low_d;        // the highest limit below best_q that is ruled out
  logic [LimitW-1:0]  top_q, top_d;        // the highest limit that is not ruled out
  logic               refine_q, refine_d;  // 0: coarse, downward; 1: between low_q and top_q
  logic               first_q, first_d;    // no CTA of the kernel has finished
  logic               known_q, known_d;    // StDone: base_q holds the rate
  logic               odd_q, odd_d;        // StDone: the last window was unlike it
  logic [1:0]         stage_q, stage_d;    // windows have Window * 4^stage slices
  logic [SliceW-1:0]  timer_q, timer_d;
  logic [2:0]         settle_q, settle_d;  // slices until the window begins
  logic [IndexW-1:0]  index_q, index_d;    // slices of this window
  logic [CountW:0]    acc_q, acc_d;        // two's complement
  logic [CountW:0]    arg_q, arg_d;        // two's complement: what the next step adds to acc_q,
  logic               one_q, one_d;        // and one more
  logic [2:0]         shift_q, shift_d;    // arg_d takes base_q / 2^shift_q
  logic               minus_q, minus_d;    // the last sum was negative
  logic [CountW-1:0]  base_q, base_d;
  (* fsm_encoding = "none" *)              // Yosys takes it for a state machine otherwise
  logic [2:0]         quiet_q, quiet_d;    // by how much the halves of the base's window agree
  (* fsm_encoding = "none" *)
  logic [1:0]         half_q, half_d;      // class of the first half of a look
  logic               fewer_q, fewer_d;    // cand_q < best_q
  logic               above_q, above_d;    // there are limits above what will be the best one,
  logic               below_q, below_d;    // and below it
  logic [CreditW-1:0] credit_q, credit_d;

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

  // The step that is made: StepNone where all holds, and StepAct for a kernel start, which adds nothing to acc_q either.
  logic [3:0] step;
  assign step = start ? StepAct : run ? step_q : StepNone;

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
  logic              ends;        // a window ends with this slice
  logic              ends_half;   // its first half does
  logic              base_ends;   // StBase: the window ends
  logic              compares;    // StBack, StDone: a window ends that is compared with base_q

  assign last_index = {{2{&stage_q}}, {2{stage_q[1]}}, {2{|stage_q}}, {WindowW{1'b1}}};
  assign ones       = index_q | ~last_index;
  assign halves     = {index_q[WindowW+5], index_q[WindowW+3], index_q[WindowW+1], index_q[WindowW-1]};
  assign late       = halves[stage_q];
  assign ends       = settle_q == '0 && &ones;
  assign ends_half  = settle_q == '0 && !late && &(ones | (last_index ^ last_index >> 1));
  assign base_ends  = is_base && ends;
  assign compares   = (is_back || (is_done && known_q)) && ends;

  //////////////////////////////////////////////////////////////////////////////
  // The sum of a step: acc_q + arg_q, and one more with one_q

  localparam int SumW = CountW + 2;

  logic [SumW-1:0]   sum;
  logic              minus;  // the sum is negative
  logic [CountW:0]   sum_acc;

  assign sum       = {acc_minus, acc_q} + {arg_q[CountW], arg_q} + SumW'(one_q);
  assign minus     = sum[SumW-1];
  assign sum_acc   = sum[CountW:0];

  // What becomes of it: acc_q, but for sums that are asked for their sign alone.
  logic keeps;

  always_comb begin : p_keeps
    case (step)
      StepCount, StepLast:               keeps = 1'b1;
      StepOff:                           keeps = is_look || base_ends || compares;
      StepRest:                          keeps = is_look;
      StepMargin:                        keeps = is_look || (is_back && ends);
      StepRestore, StepMix, StepBracket: keeps = is_look || base_ends;
      StepRoom:                          keeps = pays || base_ends;
      default:                           keeps = 1'b0;
    endcase
  end

  //////////////////////////////////////////////////////////////////////////////
  // What the next step adds or takes off

  // In the step before, by how much base_q is shifted for it.
  logic [2:0] doubt_least, doubt;  // e is base_q / 2^doubt in the second half of a window

  always_comb begin : p_doubt
    doubt_least = is_done ? 3'd2 : {1'b1, stage_q};
    doubt       = (Doubt != 0 && !is_done && quiet_q < doubt_least) ? quiet_q : doubt_least;
  end

  always_comb begin : p_shift
    shift_d = shift_q;
    case (step)
      StepCount:            shift_d = is_look ? {stage_q, 1'b0} : 3'd0;
      StepOff:              shift_d = 3'd1;
      StepRest:             shift_d = {stage_q, 1'b0};
      StepRows, StepBelow:  shift_d = 3'(!late);
      StepPause:            shift_d = doubt + 3'(!late);
      StepAbove:            shift_d = is_base ? {!first_q || |cta_done_i, 2'd3} : 3'd0;
      StepRestore:          shift_d = {stage_q, 1'b0};
      StepAct:              shift_d = 3'd0;
      default: ;
    endcase
  end

  logic [CountW-1:0] shifted;
  logic [CountW-1:0] half_arg;  // arg_q / 2, rounded down
  logic [CountW-1:0] old_count; // arg_q without its sign
  logic              old_sign;
  logic [CountW-1:0] part;      // what is chosen
  logic              takes_off; // its bits are inverted: -x is that and one more
  logic              same_sign; // but for a part of arg_q, which keeps its sign

  assign shifted  = base_q >> shift_q;
  assign half_arg = arg_q[CountW:1];
  assign {old_sign, old_count} = arg_q;

  always_comb begin : p_arg
    part      = old_count;
    takes_off = 1'b0;
    same_sign = 1'b0;
    one_d     = 1'b0;
    case (step)
      StepCount: part = CountW'($countones(issue_valid_i));

      StepLast: begin
        part      = is_look ? shifted >> WindowW : is_base ? base_q << 1 : base_q;
        takes_off = 1'b1;
        one_d     = 1'b1;
      end

      StepOff: begin  // the last slice of a window takes what the division left over, too
        part      = base_q & CountW'(last_index) & {CountW{ends}};
        takes_off = 1'b1;
        one_d     = 1'b1;
      end

      StepRest: begin
        part      = is_base ? shifted : CountW'(credit_q);
        takes_off = is_base && !acc_minus;
      end

      StepSpent: begin
        part      = is_base ? half_arg : shifted >> 3;
        same_sign = is_base;
      end

      StepRows: begin
        part      = is_base ? half_arg : old_count;
        same_sign = 1'b1;
      end

      StepPause: begin
        part      = is_base ? half_arg : shifted >> Margin;
        takes_off = is_back || (is_look && !fewer_q);
        same_sign = is_base;
      end

      StepMargin: begin  // no doubt in stage 3
        part      = is_base ? half_arg : shifted & {CountW{!(&stage_q)}};
        same_sign = is_base;
      end

      StepBelow: begin
        if (is_base) part = half_arg;
        takes_off = !is_base;
        same_sign = is_base;
        one_d     = is_look || is_back;
      end

      StepAbove: begin
        part      = is_base ? CountW'(credit_q) : shifted >> Margin;
        takes_off = !is_base && fewer_q;
        one_d     = !is_base;
      end

      StepRestore: part = shifted;

      StepMix: begin
        if (is_base) part = (shifted >> WindowW) << 1;
        takes_off = 1'b1;
        one_d     = 1'b1;
      end

      StepBracket: begin
        part      = is_base ? half_arg : CountW'(credit_q);
        same_sign = is_base;
        one_d     = is_base;
      end

      StepRoom, StepAct: part = '0;

      default: begin
        same_sign = 1'b1;
        one_d     = one_q;
      end
    endcase
    arg_d = {same_sign ? old_sign : takes_off, part ^ {CountW{takes_off}}};
  end

  //////////////////////////////////////////////////////////////////////////////
  // The verdict: what a step makes of the sign of the sum before

  logic       agrees_worse, agrees_better;  // the half of the look said so, too, or need not
  logic [2:0] rows, verdict;

  assign agrees_worse  = Doubt == 0 || stage_q == 2'd3 || half_q == ClassWorse;
  assign agrees_better = Doubt == 0 || stage_q == 2'd3 || half_q == ClassBetter;

  // Rows 2 to 8. The coarse search is in stage 1 for the limit before a win alone (SCT-6).
  always_comb begin : p_rows
    rows = None;
    if (settle_q == 3'd1)                                         rows = Settled;  // row 2
    else if (settle_q != '0)                                      rows = None;     // row 3
    else if (is_look && (stage_q == 2'd0 || !refine_q) && minus_q)  rows = Reject;   // row 4
    else if (ends_half && (is_base || is_look))                   rows = Half;     // row 5
    else if (ends && (is_base || (is_done && !known_q)))          rows = Full;     // rows 7, 8
  end

  always_comb begin : p_verdict
    verdict = verdict_q;
    case (step)
      StepRows:  if (is_look && minus_q)    verdict = Reject;  // row 1
      StepPause: if (verdict_q == None)     verdict = rows;

      StepAbove: begin
        if (compares && is_back)                            verdict = minus_q ? Take : Open;    // rows 9, 10
        else if (compares)                                  verdict = minus_q ? Reject : Take;  // row 14
        else if (is_look && ends && verdict_q == None)
          verdict = (minus_q && agrees_worse) ? Reject : Open;                                  // rows 11, 12
      end

      StepRestore: begin
        if (is_look && verdict_q == Open && !minus_q && agrees_better) verdict = Take;          // row 13
        else if (is_done && verdict_q == Take && !minus_q)             verdict = Reject;        // row 14
      end

      default: ;
    endcase
  end

  //////////////////////////////////////////////////////////////////////////////
  // The credit (SCT-7): acc_q, not below 0, and not above what there can be

  logic [CreditW-1:0] credit_new;

  if (CountW > CreditW) begin : gen_capped
    assign credit_new = (acc_q[CreditW-1:0] | {CreditW{|acc_q[CountW-1:CreditW]}}) & {CreditW{!acc_minus}};
  end else begin : gen_small
    assign credit_new = CreditW'(acc_count) & {CreditW{!acc_minus}};
  end

  //////////////////////////////////////////////////////////////////////////////
  // What the verdict leads to

  logic compared;          // Take, Reject or Open
  logic watches;           // StDone: the kernel is as it was, or odd for once
  logic longer;            // the same limit in longer windows (SCT-3)
  logic goes_back;         // SCT-5
  logic planned;           // the bracket changes, and another limit is next
  logic pays;              // a look's account (SCT-7)

  assign compared  = verdict_q[2];
  assign watches   = compared && is_done && !(verdict_q == Reject && odd_q);
  assign longer    = compared && !is_done && verdict_q == Open && refine_q;
  assign goes_back = Back != 0 && is_look && verdict_q == Take && fewer_q && !stage_q[1];
  assign planned   = compared && !watches && !longer && !goes_back;
  assign pays      = is_look && (compared || verdict_q == Settled);

  //////////////////////////////////////////////////////////////////////////////
  // StepBracket, StepRoom and StepAct: bracket and plan (SCT-6), read when a limit has been decided on

  logic              restart;               // SCT-8: the search begins anew, from the best limit
  logic              takes;
  logic              coarse, win;
  logic [LimitW-1:0] low_new, top_new;
  logic [LimitW-1:0] best_new;
  logic [LimitW-1:0] from, half_from;       // the coarse search halves it
  logic [LimitW:0]   middle;                // twice the middle of the best limit and a bound
  logic [LimitW-1:0] cand_new;
  logic              verify_new, refine_new, done_new;
  logic              long_new;              // SCT-11: up after a decision in long windows

  assign restart = is_done;
  assign takes   = !restart && verdict_q == Take;
  assign coarse  = restart || !refine_q;

  // The sides of the bracket; best_q changes in StepAct, with the limit that is shown.
  always_comb begin : p_bracket
    low_new = low_q;
    top_new = top_q;
    if (restart) begin
      low_new = '0;
      top_new = nmax_q;
    end else if (verdict_q == Take) begin
      if (!fewer_q) begin
        low_new = best_q;
      end else if (coarse) begin
        top_new = best_q;
        low_new = '0;
      end else if (&stage_q) begin
        top_new = best_q - LimitW'(1);
      end
    end else if (verdict_q == Reject) begin
      if (!fewer_q)            top_new = cand_q - LimitW'(1);
      else if (cand_q > low_q) low_new = cand_q;
    end
  end

  // The bracket keeps low < best <= top, so that equality says how much room there is. Only a kernel of
  // which no CTA fits has low = best.
  assign best_new = takes ? cand_q : best_q;
  assign win      = restart || (Verify != 0 && takes && fewer_q && coarse);

  always_comb begin : p_plan
    if (!restart && !takes && fewer_q) from = cand_q;
    else if (low_q != '0)              from = low_q;
    else                               from = best_new;
    half_from = from >> 1;
    middle    = {1'b0, best_new} + {1'b0, above_q ? top_q : low_q} + (LimitW + 1)'(above_q);

    cand_new   = cand_q;
    verify_new = 1'b0;
    refine_new = 1'b1;
    done_new   = 1'b0;
    long_new   = 1'b0;
    if (win && above_q) begin                       // line 1
      cand_new   = top_q;
      verify_new = 1'b1;
      refine_new = 1'b0;
    end else if (coarse && half_from != '0) begin   // line 2
      cand_new   = half_from;
      refine_new = 1'b0;
    end else if (above_q || below_q) begin          // lines 3, 4
      cand_new = LimitW'(middle >> 1);
      long_new = above_q && stage_q >= 2'd2;
    end else begin                                  // line 5
      done_new = 1'b1;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Next values

  // Not in the process below: Icarus 11 evaluates a process again for what changes in it.
  logic acts;    // StepAct
  logic rebase;  // a new base is next
  logic clear;   // a window or a wait begins

  assign acts   = !start && step == StepAct;
  assign rebase = acts && (planned || longer);
  assign clear  = acts && (compared || verdict_q == Settled || verdict_q == Full);

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
    minus_d   = minus_q;
    fewer_d   = fewer_q;
    above_d   = above_q;
    below_d   = below_q;

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
      minus_d   = 1'b0;
      fewer_d   = 1'b0;
      above_d   = 1'b0;
      below_d   = 1'b0;

    end else begin
      if (run && |cta_done_i) first_d = 1'b0;
      if (run)                minus_d = minus;
      if (run)                step_d  = step_q + 4'd1;
      if (keeps)              acc_d   = sum_acc;
      verdict_d = verdict;

      case (step)
        StepCount: begin
          step_d  = (&timer_q) ? StepLast : StepCount;
          timer_d = timer_q + SliceW'(1);
        end

        StepLast: fewer_d = cand_q < best_q;

        StepOff: begin
          if ((ends && !is_look && !(is_done && known_q)) || (is_base && ends_half)) base_d = acc_count;
        end

        StepRest: begin
          if (base_ends) quiet_d = '0;
        end

        StepSpent, StepRows, StepPause, StepMargin, StepBelow: begin
          if (base_ends && minus == arg_q[CountW]) quiet_d = quiet_q + 3'd1;
        end

        StepAbove: begin
          if (base_ends && minus == arg_q[CountW])  quiet_d = quiet_q + 3'd1;
          if (base_ends)                            acc_d   = '0;
          if (is_look && verdict_q == Half)         half_d  = minus_q ? ClassWorse : ClassOpen;
        end

        StepRestore: begin
          if (is_look && verdict_q == Half && !minus_q)  half_d  = ClassBetter;
        end

        StepBracket: begin
          if (goes_back) base_d = acc_count;
          if (base_ends) credit_d = credit_new;
          if (planned) begin
            low_d = low_new;
            top_d = top_new;
          end
        end

        StepRoom: begin
          above_d = top_q != best_new;
          below_d = best_new != low_q + LimitW'(1) && nmax_q != '0;
        end

        StepAct: begin
          step_d    = StepCount;
          verdict_d = None;
          if (pays) credit_d = credit_new;
          case (verdict_q)
            None: begin
              if (settle_q != '0) settle_d = settle_q - 3'd1;
              else                index_d  = index_q + IndexW'(1);
            end

            Settled: begin
              settle_d = '0;
              half_d   = ClassOpen;
            end

            Half: index_d = index_q + IndexW'(1);

            Full: begin
              if (is_done) begin
                known_d = 1'b1;
              end else if (!acc_minus) begin
                state_d  = StLook;
                settle_d = 3'(Settle);
              end
            end

            default: begin  // Take, Reject, Open
              if (watches) odd_d   = verdict_q == Reject;
              if (longer)  stage_d = stage_q + 2'd1;
              if (goes_back) begin
                state_d  = StBack;
                settle_d = 3'(Settle);
              end
              if (planned) begin
                best_d   = best_new;
                cand_d   = cand_new;
                refine_d = refine_new;
                stage_d  = {1'b0, verify_new || done_new || long_new};
                if (restart || done_new) begin
                  known_d = 1'b0;
                  odd_d   = 1'b0;
                end
              end
            end
          endcase
        end

        default: ;
      endcase

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
      first_q   <= 1'b0;
      known_q   <= 1'b0;
      odd_q     <= 1'b0;
      stage_q   <= '0;
      timer_q   <= '0;
      settle_q  <= '0;
      index_q   <= '0;
      acc_q     <= '0;
      arg_q     <= '0;
      one_q     <= 1'b0;
      shift_q   <= '0;
      minus_q   <= 1'b0;
      fewer_q   <= 1'b0;
      above_q   <= 1'b0;
      below_q   <= 1'b0;
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
      first_q   <= first_d;
      known_q   <= known_d;
      odd_q     <= odd_d;
      stage_q   <= stage_d;
      timer_q   <= timer_d;
      settle_q  <= settle_d;
      index_q   <= index_d;
      acc_q     <= acc_d;
      arg_q     <= arg_d;
      one_q     <= one_d;
      shift_q   <= shift_d;
      minus_q   <= minus_d;
      fewer_q   <= fewer_d;
      above_q   <= above_d;
      below_q   <= below_d;
      base_q    <= base_d;
      quiet_q   <= quiet_d;
      half_q    <= half_d;
      credit_q  <= credit_d;
    end
  end

`ifdef VERILATOR
  logic              searching;  // there is a kernel that leaves something to search
  logic [CountW-1:0] most;       // instructions of the longest window
  logic [CountW-1:0] reach;      // and the most credit

  assign searching = is_base || is_look || is_back;
  assign most      = CountW'(Slice * Window * 64 * IssueWidth);
  assign reach     = CountW'(Slice * Window * 64 * IssueWidth + 32767);

  logic [LimitW-1:0] shown_best;  // best_q, or what it becomes
  assign shown_best = (step_q >= StepRoom && planned) ? best_new : best_q;

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
      // A verdict is made in StepRows at the earliest, and there are no more steps than StepAct.
      VerdictStep: assert (step_q <= StepAct && (step_q > StepRows || verdict_q == None));
      // What a verdict can be in a state.
      VerdictLegal: assert ((verdict_q != Half || is_base || is_look) &&
          (verdict_q != Full || is_base || is_done) && (verdict_q <= Open) &&
          (verdict_q != Take || !is_base) && (verdict_q != Reject || is_look || is_done) &&
          (verdict_q != Open || is_look || is_back));
      // The steps at a slice's end do not count cycles.
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
      // SCT-6: the bracket. From StepRoom on its sides are those of the limit that comes with it.
      Bracket: assert ((nmax_q == '0 && best_q == '0 && top_q == '0 && low_q == '0) ||
          (low_q < shown_best && shown_best <= top_q && top_q <= nmax_q));
      // A look is at another limit than the best, and there and back is downward only (SCT-5).
      CandRange: assert (!searching || (cand_q != '0 && cand_q != best_q && (cand_q <= top_q || step_q >= StepRoom)));
      BackFewer: assert (!is_back || (Back != 0 && cand_q < best_q && !stage_q[1]));
      // The coarse search goes downward, but for the limit before a win, in stage 1; that is the top (SCT-6).
      CoarseDown: assert (!searching || refine_q || (cand_q < best_q) == (stage_q == 2'd0));
      VerifyTop: assert (!searching || refine_q || stage_q != 2'd1 || step_q >= StepRoom || cand_q == top_q);
      // The coarse search has one length of windows, and StDone another one.
      StageCoarse: assert (!searching || refine_q || !stage_q[1]);
      StageDone: assert (!is_done || stage_q == 2'd1);
      // A window begins when the SM has settled, and has so many slices.
      SettleRange: assert (32'(settle_q) <= ((Settle > Warmup) ? Settle : Warmup));
      IndexRange: assert (index_q <= last_index && (settle_q == '0 || index_q == '0));
      // Only a look counts less than nothing. No window has more instructions than the counters hold, and at the
      // end of a base and of a look there is the credit besides.
      AccSign: assert (is_look || step_q > StepOff || !acc_q[CountW]);
      AccRange: assert ($signed(acc_q) <= $signed({1'b0, ((is_base && step_q > StepAbove) || (is_look && step_q == StepAct)) ? reach : most}) &&
          $signed(acc_q) >= -$signed({1'b0, most}));
      BaseRange: assert (base_q <= most);
      // The first half of a base is not more than the whole of it.
      HalfRange: assert (!(is_base && settle_q == '0 && index_q > last_index >> 1 && step_q <= StepOff) ||
          base_q <= acc_q[CountW-1:0]);
      // A half of a look has a class, and what is no look has none, but for the look that went well.
      HalfLegal: assert (half_q <= ClassBetter && (half_q == ClassOpen || is_look || is_back));
      // SCT-7: what StepAct takes off is there, but for a look that ended for it. There is none before the first base.
      CreditCovers: assert (!(step_q == StepAct && pays && verdict_q != Reject) || !acc_minus);
      CreditIdle: assert (nmax_q >= LimitW'(2) || credit_q == '0);
      // What was found out early is still so where it is read.
      FewerStays: assert (step_q <= StepLast || fewer_q == (cand_q < best_q));
      RoomStays: assert (step_q != StepAct || (above_q == (top_q != best_new) &&
          below_q == (best_new != low_q + LimitW'(1) && nmax_q != '0)));
      // SCT-8: only StDone watches.
      DoneWatches: assert (is_done || (!known_q && !odd_q));
      OddKnown: assert (!odd_q || known_q);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
