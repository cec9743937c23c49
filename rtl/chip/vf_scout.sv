// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// vf_scout: steers the clock domains of the SMs and of the memory system (VFS-1..VFS-8). It looks at a change of
// one of them for a window, counts the instructions that SM 0 issues there and back, and keeps what pays.
//
// Timing: the requests and `hold_o` follow from registers, `enable_i`, `look_i` and the domains' outputs. A kernel
// start has priority over everything else. While `enable_i` is 0, no register changes and all outputs are 0.
// A window ends with two cycles that count nothing: the count is weighed, then it is judged. So no cycle has more
// than one sum behind another.
//
// doc/blocks/vf_scout.md; the line numbers below are those of its table.

`default_nettype none

module vf_scout #(
  parameter int IssueWidth = 2,      // warp instructions issued per SM and cycle at most, 1..8
  parameter int Window     = 2048,   // cycles of a short window, a power of two, 8..16384
  parameter int Settle     = 1024,   // cycles at new levels before a window, 1..65535
  parameter int Warmup     = 12288,  // cycles after a kernel's start or a look of scout, 1..65535
  parameter int SmUp       = 4,      // SMs at HIGH may issue one part in 2^SmUp less per cycle, 1..7
  parameter int MemUp      = 4,      // memory at HIGH has to bring such a part, 1..7
  parameter int SmDown     = 3,      // SMs at LOW have to issue such a part more per cycle, 1..7
  parameter int MemDown    = 5       // memory at LOW may cost such a part, 1..7
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  enable_i,

  input  wire                  kernel_start_i,
  input  wire [IssueWidth-1:0] issue_valid_i,  // of SM 0
  input  wire                  cta_done_i,     // of SM 0
  input  wire                  look_i,         // the limit may be taken back
  input  wire                  ready_i,        // the limit is decided
  input  wire                  mode_i,         // 1: performance

  input  wire [1:0]            sm_level_i,
  input  wire [1:0]            mem_level_i,
  input  wire                  sm_busy_i,
  input  wire                  mem_busy_i,

  output logic                 sm_up_o,
  output logic                 sm_down_o,
  output logic                 mem_up_o,
  output logic                 mem_down_o,
  output logic                 hold_o
);

  localparam int CountW  = $clog2(Window * 4) + $clog2(IssueWidth) + 1;
  localparam int IssuedW = $clog2(IssueWidth + 1);
  localparam int TimerW  = 16;

  localparam logic [2:0] StIdle = 3'd0;  // no kernel yet
  localparam logic [2:0] StWait = 3'd1;  // a kernel has begun
  localparam logic [2:0] StBase = 3'd2;  // counts without the change
  localparam logic [2:0] StLook = 3'd3;  // counts with it
  localparam logic [2:0] StBack = 3'd4;  // counts without it once more
  localparam logic [2:0] StRest = 3'd5;  // decided, and watches

  localparam logic [1:0] StepSettle = 2'd0;
  localparam logic [1:0] StepCount  = 2'd1;
  localparam logic [1:0] StepWeigh  = 2'd2;
  localparam logic [1:0] StepJudge  = 2'd3;

  (* fsm_encoding = "none" *)  // Yosys keeps the codes of the page
  logic [2:0]        state_q, state_d;
  (* fsm_encoding = "none" *)
  logic [1:0]        step_q, step_d;
  logic              mode_q, mode_d;
  logic              domain_q, domain_d;        // 1: looks at the memory
  logic              stage_q, stage_d;          // 1: long windows
  logic              sm_moved_q, sm_moved_d;
  logic              mem_moved_q, mem_moved_d;
  logic              better_q, better_d;
  logic              first_q, first_d;          // no CTA of the kernel has finished
  logic              ready_q, ready_d;
  logic              known_q, known_d;          // StRest: base_q holds the rate
  logic              odd_q, odd_d;              // StRest: the last window was unlike it
  logic [TimerW-1:0] timer_q, timer_d;
  logic [CountW-1:0] acc_q, acc_d;
  logic [CountW-1:0] base_q, base_d;

  logic is_wait, is_base, is_look, is_back, is_rest, searching;

  assign is_wait   = state_q == StWait;
  assign is_base   = state_q == StBase;
  assign is_look   = state_q == StLook;
  assign is_back   = state_q == StBack;
  assign is_rest   = state_q == StRest;
  assign searching = is_base || is_look || is_back;

  //////////////////////////////////////////////////////////////////////////////
  // Levels

  logic [1:0] moved_level, sm_target, mem_target;
  logic       sm_there, mem_there;

  assign moved_level = mode_q ? ballast_pkg::VfHigh : ballast_pkg::VfLow;
  assign sm_target   = sm_moved_q ? moved_level : ballast_pkg::VfNormal;
  assign mem_target  = mem_moved_q ? moved_level : ballast_pkg::VfNormal;
  assign sm_there    = !sm_busy_i && sm_level_i == sm_target;
  assign mem_there   = !mem_busy_i && mem_level_i == mem_target;

  assign sm_up_o    = enable_i && !sm_busy_i && sm_level_i < sm_target;
  assign sm_down_o  = enable_i && !sm_busy_i && sm_level_i > sm_target;
  assign mem_up_o   = enable_i && !mem_busy_i && mem_level_i < mem_target;
  assign mem_down_o = enable_i && !mem_busy_i && mem_level_i > mem_target;
  assign hold_o     = enable_i && searching && !look_i;  // VFS-8

  //////////////////////////////////////////////////////////////////////////////
  // Waits and windows

  logic [IssuedW-1:0] issued;
  logic [TimerW-1:0]  last;      // cycle of this wait or window
  logic               at_last, warm;

  always_comb begin : p_issued
    issued = '0;
    for (int lane = 0; lane < IssueWidth; lane++) issued = issued + IssuedW'(issue_valid_i[lane]);
  end

  always_comb begin : p_last
    if (step_q == StepSettle)    last = TimerW'(Settle - 1);
    else if (is_rest || stage_q) last = TimerW'(Window * 4 - 1);
    else                         last = TimerW'(Window - 1);
  end

  assign at_last = timer_q == last;
  assign warm    = timer_q >= TimerW'(Warmup);

  //////////////////////////////////////////////////////////////////////////////
  // StepWeigh: what a look is worth (VFS-3, VFS-4), how far a window is from the rate (VFS-7)

  logic [CountW-1:0] part, worth, ahead, behind, apart;
  logic              less;    // the part is taken off
  logic              beyond;  // acc_q > base_q

  always_comb begin : p_part
    if (mode_q) part = domain_q ? acc_q >> MemUp : acc_q >> SmUp;
    else        part = domain_q ? acc_q >> MemDown : acc_q >> SmDown;
  end

  assign less   = mode_q == domain_q;
  assign worth  = acc_q + (part ^ {CountW{less}}) + CountW'(less);
  assign ahead  = acc_q - base_q;
  assign behind = base_q - acc_q;
  assign beyond = acc_q > base_q;
  assign apart  = beyond ? ahead : behind;

  //////////////////////////////////////////////////////////////////////////////
  // StepJudge

  logic as_good;  // StLook: the look beside the window before it
  logic again;    // StBack: the look beside the window after it
  logic keeps, longer, unlike;

  assign as_good = acc_q >= base_q;
  assign again   = !beyond;
  assign keeps   = again && better_q;
  assign longer  = again != better_q && !stage_q;
  assign unlike  = known_q && acc_q > base_q >> 2;

  //////////////////////////////////////////////////////////////////////////////
  // Next values

  logic runs, anew, disturbed, calm, judges;
  logic search, restart;   // a new search; the wait begins anew
  logic move, moved;       // the domain that is looked at goes to its other level, or back

  assign runs      = enable_i && !kernel_start_i && state_q != StIdle && !is_wait;
  assign disturbed = !sm_there || !mem_there || look_i || (is_rest && !ready_i);  // line 3 (VFS-5)
  assign anew      = mode_i != mode_q || (is_rest && ready_i && !ready_q);            // lines 1, 2 (VFS-6)
  assign calm      = runs && !anew && !disturbed;
  assign judges    = calm && step_q == StepJudge;

  assign search = (enable_i && !kernel_start_i && is_wait && !look_i && warm && (!first_q || ready_q)) ||
      (runs && anew) || (judges && is_rest && unlike && odd_q);
  assign restart = search || (runs && disturbed) || (judges && !is_rest);
  assign move    = judges && !search && !is_rest && !(is_back && longer);
  assign moved   = is_base || (is_back && keeps);

  always_comb begin : p_next
    state_d     = state_q;
    step_d      = step_q;
    mode_d      = mode_q;
    domain_d    = domain_q;
    stage_d     = stage_q;
    sm_moved_d  = sm_moved_q;
    mem_moved_d = mem_moved_q;
    better_d    = better_q;
    first_d     = first_q;
    ready_d     = ready_q;
    known_d     = known_q;
    odd_d       = odd_q;
    timer_d     = timer_q;
    acc_d       = acc_q;
    base_d      = base_q;

    if (enable_i && kernel_start_i) begin  // VFS-1
      state_d     = StWait;
      step_d      = StepSettle;
      mode_d      = 1'b0;
      domain_d    = 1'b0;
      stage_d     = 1'b0;
      sm_moved_d  = 1'b0;
      mem_moved_d = 1'b0;
      better_d    = 1'b0;
      first_d     = 1'b1;
      ready_d     = 1'b0;
      known_d     = 1'b0;
      odd_d       = 1'b0;
      timer_d     = '0;
      acc_d       = '0;
      base_d      = '0;

    end else if (enable_i && state_q != StIdle) begin
      if (cta_done_i) first_d = 1'b0;
      ready_d = ready_i;

      if (is_wait) begin
        if (look_i)     timer_d = '0;
        else if (!warm) timer_d = timer_q + TimerW'(1);
      end else if (calm) begin
        case (step_q)
          StepSettle: begin
            timer_d = at_last ? '0 : timer_q + TimerW'(1);
            if (at_last) step_d = StepCount;
          end

          StepCount: begin
            acc_d   = acc_q + CountW'(issued);
            timer_d = at_last ? '0 : timer_q + TimerW'(1);
            if (at_last) step_d = StepWeigh;
          end

          StepWeigh: begin
            step_d = StepJudge;
            if (is_look)                 acc_d = worth;
            else if (is_rest && known_q) acc_d = apart;
          end

          default: begin  // StepJudge
            case (state_q)
              StBase: begin
                base_d  = acc_q;
                state_d = StLook;
              end

              StLook: begin
                better_d = as_good;
                base_d   = acc_q;
                state_d  = StBack;
              end

              StBack: begin
                if (longer) begin
                  stage_d = 1'b1;
                  state_d = StBase;
                end else begin
                  stage_d  = 1'b0;
                  known_d  = 1'b0;
                  odd_d    = 1'b0;
                  domain_d = 1'b1;
                  state_d  = domain_q ? StRest : StBase;
                end
              end

              default: begin  // StRest
                if (!known_q) base_d = acc_q;
                odd_d   = unlike;
                known_d = 1'b1;
                step_d  = StepCount;
                acc_d   = '0;
              end
            endcase
          end
        endcase
      end

      if (move && !domain_q) sm_moved_d  = moved;
      if (move && domain_q)  mem_moved_d = moved;
      if (search) begin
        state_d     = StBase;
        mode_d      = mode_i;
        domain_d    = 1'b0;
        stage_d     = 1'b0;
        sm_moved_d  = 1'b0;
        mem_moved_d = 1'b0;
      end
      if (restart) begin
        step_d  = StepSettle;
        timer_d = '0;
        acc_d   = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      state_q     <= StIdle;
      step_q      <= StepSettle;
      mode_q      <= 1'b0;
      domain_q    <= 1'b0;
      stage_q     <= 1'b0;
      sm_moved_q  <= 1'b0;
      mem_moved_q <= 1'b0;
      better_q    <= 1'b0;
      first_q     <= 1'b0;
      ready_q     <= 1'b0;
      known_q     <= 1'b0;
      odd_q       <= 1'b0;
      timer_q     <= '0;
      acc_q       <= '0;
      base_q      <= '0;
    end else begin
      state_q     <= state_d;
      step_q      <= step_d;
      mode_q      <= mode_d;
      domain_q    <= domain_d;
      stage_q     <= stage_d;
      sm_moved_q  <= sm_moved_d;
      mem_moved_q <= mem_moved_d;
      better_q    <= better_d;
      first_q     <= first_d;
      ready_q     <= ready_d;
      known_q     <= known_d;
      odd_q       <= odd_d;
      timer_q     <= timer_d;
      acc_q       <= acc_d;
      base_q      <= base_d;
    end
  end

`ifdef VERILATOR
  // What was in the cycle before, for the assertions.
  logic              after_hold, after_start;
  logic [2:0]        was_state;
  logic [CountW-1:0] was_acc;

  always_ff @(posedge clk_i) begin : p_was
    after_hold  <= rst_ni && !enable_i;
    after_start <= rst_ni && enable_i && kernel_start_i;
    was_state   <= state_q;
    was_acc     <= acc_q;
  end

  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // Two codes are never reached.
      StateLegal: assert (state_q <= StRest);
      // A domain goes one way at a time, and only where it is looked at, or has been.
      OneWay: assert (!(sm_up_o && sm_down_o) && !(mem_up_o && mem_down_o));
      StartNormal: assert (!after_start || (!sm_moved_q && !mem_moved_q && first_q));
      MemoryLater: assert (!mem_moved_q || domain_q);
      // Levels are moved in a look, and where one was kept.
      LookMoved: assert (!is_look || (domain_q ? mem_moved_q : sm_moved_q));
      BackMoved: assert (!(is_base || is_back) || !(domain_q ? mem_moved_q : sm_moved_q));
      // Only a window or a wait has a time; a wait has no count.
      TimerRest: assert (step_q == StepSettle || step_q == StepCount || timer_q == '0);
      SettleEmpty: assert (step_q != StepSettle || acc_q == '0);
      // VFS-7: only StRest watches; long windows belong to searches.
      OddKnown: assert (!odd_q || known_q);
      StageSearch: assert (!stage_q || searching);
      HoldHolds: assert (!after_hold || (state_q == was_state && acc_q == was_acc));
    end
  end
`endif

endmodule

`default_nettype wire
