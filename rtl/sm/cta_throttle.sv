// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// cta_throttle: decides how many CTAs of an SM run, and which. It holds Equalizer's hysteresis on
// numBlocks (EQ-10, EQ-11), the request to the CTA dispatcher, and the mask of paused CTAs (PAUSE-1
// to PAUSE-5). A policy with a limit of its own uses the request and the mask through `follow_i`.
//
// Timing: `paused_o` comes straight from a register, `limit_o` from registers, `follow_i` and
// `target_i`; a decision at a rising edge shows in the next cycle. `req_o` and `acted_o` are
// combinational. A kernel start has priority over everything else. While `enable_i` is 0, no register
// changes and nothing is requested or reported; a kernel start is missed.
//
// doc/blocks/cta_throttle.md; the letters a to f are those of its table.

`default_nettype none

module cta_throttle #(
  parameter int NumSlots        = 8,  // CTA slots of the SM, 1..32
  parameter int HystEpochs      = 3,  // this many decisions in a row move numBlocks, 1..7 (EQ-10)
  parameter int HystSameDir     = 1,  // they: 1 have one direction, 0 are not "stay" (EQ-A13)
  parameter int IncUnpauseFirst = 1,  // an increase: 1 resumes a paused CTA, 0 requests (PAUSE-A3)
  parameter int GrantFeedback   = 1   // numBlocks grows: 1 with the CTA, 0 at once (EQ-A12)
) (
  input  wire                           clk_i,
  input  wire                           rst_ni,
  input  wire                           enable_i,

  input  wire                           kernel_start_i,
  input  wire  [$clog2(NumSlots+1)-1:0] nmax_i,    // read only with kernel_start_i
  input  wire                           tick_i,    // an epoch ends: inc_i, dec_i decide
  input  wire                           inc_i,
  input  wire                           dec_i,
  input  wire                           follow_i,  // the goal is target_i, not numBlocks
  input  wire  [$clog2(NumSlots+1)-1:0] target_i,
  input  wire                           pause_en_i,
  input  wire  [NumSlots-1:0]           cta_start_i,
  input  wire  [NumSlots-1:0]           cta_done_i,
  input  wire  [NumSlots-1:0]           cta_active_i,
  input  wire                           denied_i,  // the dispatcher refuses the request

  output logic [$clog2(NumSlots+1)-1:0] limit_o,
  output logic [NumSlots-1:0]           paused_o,
  output logic                          req_o,
  output logic                          acted_o
);

  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int RunW   = $clog2(HystEpochs + 1);

  logic [LimitW-1:0]   num_blocks_q, num_blocks_d;
  logic [LimitW-1:0]   nmax_q, nmax_d;
  logic [RunW-1:0]     run_q, run_d;        // decisions in a row
  logic                run_up_q, run_up_d;  // direction of the last decision that was not "stay"
  logic                request_q, request_d;
  logic [NumSlots-1:0] paused_q, paused_d;
  (* mem2reg *)                             // Yosys makes registers of it without a warning
  logic [NumSlots-1:0] older_q [NumSlots];  // [i][j], i < j: slot i's CTA is older than slot j's

  logic start, runs, steers;

  assign start  = enable_i && kernel_start_i;
  assign runs   = enable_i && !kernel_start_i && nmax_q != '0;
  assign steers = runs && !follow_i;  // Equalizer's numBlocks moves

  //////////////////////////////////////////////////////////////////////////////
  // Which slots hold a CTA after this edge, and how many of these CTAs run

  logic                may_pause;
  logic [NumSlots-1:0] held;      // slots of CTAs that came before this cycle and stay
  logic [NumSlots-1:0] resident, kept, running;
  logic [LimitW-1:0]   n_free, n, goal;      // n_free: if pausing is possible
  logic                too_many, too_few;

  assign may_pause = pause_en_i && nmax_q != '0;
  assign held      = cta_active_i & ~cta_done_i & ~cta_start_i;
  assign resident  = held | cta_start_i;
  assign kept      = may_pause ? paused_q & held : '0;
  assign running   = resident & ~kept;

  // Whether pausing is possible is known late, so both numbers are counted before and it selects one.
  // With one count of `running` the longest path of chip_governor is 32.0 instead of 29.4 FO4 (fermi).
  assign n_free = LimitW'($countones(resident & ~(paused_q & held)));
  assign n      = may_pause ? n_free : LimitW'($countones(resident));

  assign goal    = follow_i ? target_i : num_blocks_q;
  assign limit_o = goal + LimitW'(request_q && !follow_i);

  // PAUSE-5: one CTA may always run. So one CTA is never too many, and no CTA is always too few.
  assign too_many = may_pause && n_free > limit_o && n_free != LimitW'(1);
  assign too_few  = n < goal || n == '0;

  // An increase ends in the cycle in which its CTA comes.
  assign req_o = runs && ((too_few && goal != '0 && kept == '0) ||
                          (request_q && !follow_i && n <= num_blocks_q));

  //////////////////////////////////////////////////////////////////////////////
  // Ages: a launch makes its slot the youngest. Of several launches, the highest slot is the youngest

  logic [NumSlots*NumSlots-1:0] above;  // constant, by i: the slots above i
  logic [NumSlots*NumSlots-1:0] older;  // older_q after this edge

  for (genvar i = 0; i < NumSlots; i++) begin : gen_ages
    assign above[i*NumSlots+:NumSlots] = {NumSlots{1'b1}} << (i + 1);
    assign older[i*NumSlots+:NumSlots] =
        (cta_start_i | (older_q[i] & {NumSlots{!cta_start_i[i]}})) & above[i*NumSlots+:NumSlots];
  end

  always_ff @(posedge clk_i) begin : p_ages
    if (!rst_ni) begin
      for (int i = 0; i < NumSlots; i++) older_q[i] <= '0;
    end else if (enable_i && cta_start_i != '0) begin
      for (int i = 0; i < NumSlots; i++) older_q[i] <= older[i*NumSlots+:NumSlots];
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Pausing takes the youngest CTA that runs (PAUSE-1), resuming the oldest that is paused (PAUSE-3)

  logic [NumSlots-1:0] passed;       // slots that are not taken, because another slot goes first
  logic                some_paused;  // paused_d is not 0

  always_comb begin : p_paused
    paused_d = kept;
    passed   = '0;
    if (too_many) begin
      for (int i = 0; i < NumSlots; i++) begin
        passed[i] = passed[i] | ((running & older[i*NumSlots+:NumSlots]) != '0);
        passed    = passed | ({NumSlots{running[i]}} & above[i*NumSlots+:NumSlots] &
                              ~older[i*NumSlots+:NumSlots]);
      end
      paused_d = kept | (running & ~passed);
    end else if (too_few && kept != '0) begin
      for (int i = 0; i < NumSlots; i++) begin
        passed[i] = passed[i] | ((kept & above[i*NumSlots+:NumSlots] &
                                  ~older[i*NumSlots+:NumSlots]) != '0);
        passed    = passed | ({NumSlots{kept[i]}} & older[i*NumSlots+:NumSlots]);
      end
      paused_d = kept & passed;
    end
  end

  // This does not wait for the choice of a slot: paused_d != '0 would make the longest path 3 FO4
  // longer (fermi). When one CTA resumes, another one stays paused if kept has two bits or more.
  assign some_paused = too_many ||
                       (too_few ? (kept & (kept - NumSlots'(1))) != '0 : kept != '0);

  assign paused_o = paused_q;

  always_ff @(posedge clk_i) begin : p_paused_reg
    if (!rst_ni || start) paused_q <= '0;
    else if (enable_i)    paused_q <= paused_d;
  end

  //////////////////////////////////////////////////////////////////////////////
  // Hysteresis and numBlocks

  logic decided;   // up or down, not "stay"
  logic same;      // the direction is that of the last decision, or need not be
  logic up, down;  // the action

  assign decided = steers && tick_i && (inc_i ^ dec_i);
  assign same    = HystSameDir == 0 || inc_i == run_up_q;
  assign acted_o = decided && (HystEpochs == 1 || (same && run_q == RunW'(HystEpochs - 1)));
  assign up      = acted_o && inc_i;
  assign down    = acted_o && dec_i;

  always_comb begin : p_next
    nmax_d       = nmax_q;
    num_blocks_d = num_blocks_q;
    request_d    = request_q;
    run_d        = run_q;
    run_up_d     = run_up_q;

    if (start) begin
      nmax_d       = nmax_i;
      num_blocks_d = nmax_i;
      request_d    = 1'b0;
      run_d        = '0;
      run_up_d     = 1'b0;
    end else if (runs && follow_i) begin
      request_d = 1'b0;
      run_d     = '0;
    end else if (runs) begin
      if (tick_i) begin
        if (decided) run_up_d = inc_i;
        if (acted_o || !decided) run_d = '0;
        else if (same)           run_d = run_q + RunW'(1);
        else                     run_d = RunW'(1);
      end

      if (request_q) begin
        if (down) begin
          request_d = 1'b0;                            // a
        end else if (n > num_blocks_q) begin
          request_d    = 1'b0;                         // b: granted
          num_blocks_d = num_blocks_q + LimitW'(1);
        end else if (denied_i) begin
          request_d = 1'b0;                            // c
        end
      end else if (down) begin
        if (num_blocks_q != LimitW'(1)) num_blocks_d = num_blocks_q - LimitW'(1);  // d
      end else if (up && num_blocks_q != nmax_q) begin
        if (GrantFeedback == 0 || (IncUnpauseFirst != 0 && some_paused)) begin
          num_blocks_d = num_blocks_q + LimitW'(1);    // e
        end else begin
          request_d = 1'b1;                            // f
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      nmax_q       <= '0;
      num_blocks_q <= '0;
      request_q    <= 1'b0;
      run_q        <= '0;
      run_up_q     <= 1'b0;
    end else begin
      nmax_q       <= nmax_d;
      num_blocks_q <= num_blocks_d;
      request_q    <= request_d;
      run_q        <= run_d;
      run_up_q     <= run_up_d;
    end
  end

`ifdef VERILATOR
  // Cycles in which nobody has come or gone and the goal has stood still, up to NumSlots.
  logic [5:0]                 quiet_q;
  logic [NumSlots+LimitW+1:0] wanted, wanted_q;
  logic                       settled;

  assign wanted  = {cta_active_i, goal, request_q, follow_i};
  assign settled = (goal <= n && n <= limit_o) || (n < goal && kept == '0) ||
                   (n == LimitW'(1) && n > limit_o);

  always_ff @(posedge clk_i) begin : p_quiet
    wanted_q   <= wanted;
    if (!rst_ni || !runs || !pause_en_i || (cta_start_i | cta_done_i) != '0) quiet_q <= '0;
    else if (wanted != wanted_q)       quiet_q <= 6'd1;
    else if (32'(quiet_q) <= NumSlots) quiet_q <= quiet_q + 6'd1;
  end

  // Older is transitive: whoever is younger than the younger one is younger than the older one.
  function automatic ordered(input [NumSlots*NumSlots-1:0] pairs);
    logic [NumSlots*NumSlots-1:0] younger;
    younger = pairs;
    ordered = 1'b1;
    for (int i = 0; i < NumSlots; i++) begin
      for (int j = 0; j < i; j++) younger[i*NumSlots+j] = !pairs[j*NumSlots+i];
    end
    for (int i = 0; i < NumSlots; i++) begin
      for (int j = 0; j < NumSlots; j++) begin
        if (younger[i*NumSlots+j] && (younger[j*NumSlots+:NumSlots] &
            ~younger[i*NumSlots+:NumSlots]) != '0) ordered = 1'b0;
      end
    end
  endfunction

  // The ages change with a launch only.
  always_ff @(posedge clk_i) begin : p_order
    if (rst_ni && enable_i && cta_start_i != '0) begin
      AgesOrdered: assert (ordered(older));
    end
  end

  // What was in the cycle before, for the assertions.
  logic                after_kernel_start, after_blocks_step, after_paused_resident;
  logic [LimitW-1:0]   was_num_blocks;
  logic [NumSlots-1:0] was_resident;

  always_ff @(posedge clk_i) begin : p_was
    after_kernel_start    <= rst_ni && start;
    after_blocks_step     <= rst_ni && !start;
    was_num_blocks        <= num_blocks_q;
    after_paused_resident <= rst_ni && enable_i;
    was_resident          <= resident;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // On the inputs: a kernel does not hold more CTAs than there are slots.
      NmaxLegal: assert (!start || 32'(nmax_i) <= NumSlots);
      // Without the enable nothing is asked for or reported.
      EnableEvents: assert (enable_i || (!req_o && !acted_o));
      // EQ-A11, EQ-A14: the kernel starts unpaused and with all that fits.
      KernelStart: assert (!after_kernel_start || (num_blocks_q == nmax_q && !request_q &&
          paused_q == '0));
      // EQ-A12: numBlocks and the CTA it waits for stay within 1..nmax.
      BlocksRange: assert ((num_blocks_q != '0 || nmax_q == '0) &&
          32'(num_blocks_q) + 32'(request_q) <= 32'(nmax_q));
      // EQ-10: numBlocks moves by one.
      BlocksStep: assert (!after_blocks_step || (num_blocks_q == was_num_blocks ||
          num_blocks_q == was_num_blocks + LimitW'(1) ||
          num_blocks_q == was_num_blocks - LimitW'(1)));
      RunRange: assert (32'(run_q) < HystEpochs);
      // PAUSE-5: resident CTAs are paused only, and never all of them.
      PausedResident: assert (!after_paused_resident || (paused_q & ~was_resident) == '0);
      NeverAll: assert (!(enable_i && paused_d != '0) || (resident & ~paused_d) != '0);
      // One CTA per cycle, and exactly one when there is a reason.
      PauseOne: assert (!too_many || ($onehot(paused_d & ~kept) && (kept & ~paused_d) == '0));
      ResumeOne: assert (!(too_few && kept != '0) || ($onehot(kept & ~paused_d) &&
          (paused_d & ~kept) == '0));
      SomePaused: assert (some_paused == (paused_d != '0));
      // PAUSE-3, PAUSE-A3: nobody is asked for while somebody paused could run.
      ResumeFirst: assert (IncUnpauseFirst == 0 || (!(request_q && paused_q != '0) && !(req_o &&
          kept != '0)));
      // EQ-A12: at once means that nothing is waited for.
      NoRequest: assert (GrantFeedback != 0 || !request_q);
      // When nothing else happens, the CTAs that run come to the limit, one per cycle.
      Settles: assert (!(32'(quiet_q) >= NumSlots && pause_en_i && runs && wanted == wanted_q &&
          (cta_start_i | cta_done_i) == '0) || settled);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
