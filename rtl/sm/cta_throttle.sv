// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// cta_throttle: decides how many CTAs of an SM run, and which. It holds Equalizer's hysteresis on
// numBlocks (EQ-10, EQ-11), the request to the CTA dispatcher, and the mask of paused CTAs (PAUSE-1
// to PAUSE-5). A policy with a limit of its own uses the request and the mask through `follow_i`.
//
// Timing: `paused_o` comes straight from a register, `limit_o` from registers, `follow_i` and
// `target_i`. Who runs is counted in one cycle, judged in the next, and a CTA is paused or resumed at
// the edge of the third. `req_o` and `acted_o` are combinational; `req_o` goes by the count of the cycle
// before. A kernel start has priority over everything else. While `enable_i` is 0, no register changes
// and nothing is requested or reported; a kernel start is missed.
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

  localparam int LimitW   = $clog2(NumSlots + 1);
  localparam int RunW     = $clog2(HystEpochs + 1);
  localparam int SlotW    = $clog2(NumSlots + 1 / NumSlots);  // of a single one a bit, too
  // A sum of 32 bits is the longest path; so parts of up to 11 slots are counted.
  localparam int NumParts = (NumSlots + 10) / 11;
  localparam int PartSize = (NumSlots + NumParts - 1) / NumParts;
  localparam int CountW   = $clog2(PartSize + 1);

  localparam logic [SlotW-1:0] Last = SlotW'(NumSlots - 1);

  logic [LimitW-1:0]   num_blocks_q, num_blocks_d;
  logic [LimitW-1:0]   nmax_q, nmax_d;
  logic [RunW-1:0]     run_q, run_d;        // decisions in a row
  logic                run_up_q, run_up_d;  // direction of the last decision that was not "stay"
  logic                request_q, request_d;
  logic [NumSlots-1:0] paused_q, paused_d;
  (* mem2reg *)                             // Yosys makes registers of it without a warning
  logic [CountW-1:0]   count_q [NumParts];  // CTAs that run, by part of the slots
  logic                known_q;             // the counts are right: nobody was paused or resumed since
  logic                judged_q;            // many_q and few_q are right
  logic                many_q, few_q;       // too many CTAs run, or too few
  (* mem2reg *)
  logic [SlotW-1:0]    order_q [NumSlots];  // the slots, the youngest CTA's first
  logic [NumSlots-1:0] fresh_q, fresh_d;    // launched, and not yet at the front of the order
  logic                moves_q;             // slot_q goes to the front of the order
  logic [SlotW-1:0]    slot_q, slot_d;      // the slot that moves or is tested
  logic                tests_q, tests_d;    // slot_q is tested
  logic                up_q, up_d;          // 1: who is resumed next? 0: who is paused next?
  logic [SlotW-1:0]    next_q, next_d;      // how far the search has come in the order

  logic start, runs, steers;

  assign start  = enable_i && kernel_start_i;
  assign runs   = enable_i && !kernel_start_i && nmax_q != '0;
  assign steers = runs && !follow_i;  // Equalizer's numBlocks moves

  //////////////////////////////////////////////////////////////////////////////
  // First cycle: who runs after this edge, but for a CTA that is paused or resumed at it, and how many

  logic                         may_stay;       // paused CTAs stay paused
  logic [NumSlots-1:0]          kept, running;
  logic [NumParts*PartSize-1:0] counted;
  logic                         still;          // nobody comes or goes

  assign may_stay = pause_en_i && !kernel_start_i;
  assign kept     = paused_q & cta_active_i & ~cta_done_i & ~cta_start_i & {NumSlots{may_stay}};
  assign running  = cta_start_i | (cta_active_i & ~cta_done_i & ~(paused_q & {NumSlots{may_stay}}));
  assign counted  = (NumParts * PartSize)'(running);
  assign still    = (cta_start_i | cta_done_i) == '0;

  logic [NumParts*CountW-1:0] count_of;  // the registers: Icarus 11 does not see an array change

  for (genvar i = 0; i < NumParts; i++) begin : gen_parts
    logic [PartSize-1:0] part;
    logic [CountW-1:0]   held;  // for Icarus 11, which gets nothing straight from an array of one
    assign part = counted[i*PartSize+:PartSize];
    assign held = count_q[i];

    always_ff @(posedge clk_i) begin : p_count
      if (!rst_ni)       count_q[i] <= '0;
      else if (enable_i) count_q[i] <= CountW'($countones(part));
    end

    assign count_of[i*CountW+:CountW] = held;
  end

  //////////////////////////////////////////////////////////////////////////////
  // Second cycle: are they too many, or too few?

  logic [LimitW-1:0] n, goal;
  logic              changes;  // a CTA is paused or resumed at this edge

  // Functions, here and below: an always_comb whose loop reads what it writes never settles in Icarus 11.
  function automatic [LimitW-1:0] total(input [NumParts*CountW-1:0] parts);
    total = '0;
    for (int i = 0; i < NumParts; i++) total = total + LimitW'(parts[i*CountW+:CountW]);
  endfunction

  assign n = total(count_of);

  assign goal    = follow_i ? target_i : num_blocks_q;
  assign limit_o = goal + LimitW'(request_q && !follow_i);

  // PAUSE-5: one CTA may always run. So one CTA is never too many, and no CTA is always too few.
  always_ff @(posedge clk_i) begin : p_judge
    if (!rst_ni) begin
      known_q  <= 1'b0;
      judged_q <= 1'b0;
      many_q   <= 1'b0;
      few_q    <= 1'b0;
    end else if (enable_i) begin
      known_q  <= !changes;
      judged_q <= known_q && still && !kernel_start_i && !changes;
      many_q   <= n > goal && n != LimitW'(1) && !request_q;  // not yet granted
      few_q    <= n < goal || n == '0;
    end
  end

  // A launch is in the count of the next cycle: until then nobody else is asked for.
  assign req_o = runs && known_q && cta_start_i == '0 &&
                 ((n < goal && paused_q == '0) || (request_q && !follow_i && n <= num_blocks_q));

  //////////////////////////////////////////////////////////////////////////////
  // Third cycle: pausing takes the youngest CTA that runs (PAUSE-1), resuming the oldest that is paused
  // (PAUSE-3). While an epoch ends, nobody is taken: its decision goes by who is paused.

  logic [NumSlots-1:0] at;           // slot_q, a bit per slot
  logic                may_change;
  logic                take_pause, take_resume;
  logic                fits;         // slot_q's CTA runs, or is paused
  logic                some_paused;  // paused_d is not 0

  for (genvar i = 0; i < NumSlots; i++) begin : gen_at
    assign at[i] = slot_q == SlotW'(i);
  end

  assign may_change  = runs && pause_en_i && judged_q && tests_q && still && !tick_i;
  assign take_pause  = may_change && many_q && !up_q && !request_q;
  assign take_resume = may_change && few_q && up_q;
  assign fits        = (at & cta_active_i & (paused_q ^ {NumSlots{!up_q}})) != '0;
  assign changes     = (take_pause || take_resume) && fits;
  assign some_paused = kept != '0;
  assign paused_o    = paused_q;

  assign paused_d = (kept & ~(at & {NumSlots{take_resume}})) |
                    (at & cta_active_i & {NumSlots{take_pause}});

  always_ff @(posedge clk_i) begin : p_paused_reg
    if (!rst_ni)       paused_q <= '0;
    else if (enable_i) paused_q <= paused_d;
  end

  //////////////////////////////////////////////////////////////////////////////
  // The search goes along the order, a slot per cycle, and waits where one fits. It begins anew when the
  // order changes, or who is looked for

  logic [NumSlots-1:0] lowest;
  logic [SlotW-1:0]    lowest_slot, place;
  logic                wants_up, begins;

  assign lowest = fresh_q & -fresh_q;

  function automatic [SlotW-1:0] number_of(input [NumSlots-1:0] one);
    number_of = '0;
    for (int i = 0; i < NumSlots; i++) number_of = number_of | ({SlotW{one[i]}} & SlotW'(i));
  endfunction

  assign lowest_slot = number_of(lowest);

  assign wants_up = judged_q ? paused_q != '0 && !many_q : up_q;
  assign begins   = fresh_q != '0 || moves_q || wants_up != up_q || !may_stay;
  assign place    = up_q ? Last - next_q : next_q;
  assign fresh_d  = (fresh_q & ~lowest) | cta_start_i;

  logic [NumSlots*SlotW-1:0] order_of;  // the registers, for Icarus 11
  logic [SlotW-1:0]          slot_at;   // the slot at `place`

  function automatic [SlotW-1:0] entry(input [NumSlots*SlotW-1:0] slots, input [SlotW-1:0] number);
    entry = '0;
    for (int i = 0; i < NumSlots; i++) begin
      entry = entry | ({SlotW{number == SlotW'(i)}} & slots[i*SlotW+:SlotW]);
    end
  endfunction

  assign slot_at = entry(order_of, place);

  for (genvar i = 0; i < NumSlots; i++) begin : gen_order
    logic [SlotW-1:0] held;
    assign held                     = order_q[i];
    assign order_of[i*SlotW+:SlotW] = held;
  end

  always_comb begin : p_search
    slot_d  = slot_q;
    tests_d = tests_q;
    up_d    = up_q;
    next_d  = next_q;
    if (begins) begin
      slot_d  = lowest_slot;
      tests_d = 1'b0;
      up_d    = wants_up;
      next_d  = '0;
    end else if (!tests_q || !fits) begin
      slot_d  = slot_at;
      tests_d = 1'b1;
      next_d  = next_q == Last ? '0 : next_q + SlotW'(1);
    end
  end

  always_ff @(posedge clk_i) begin : p_search_regs
    if (!rst_ni) begin
      fresh_q <= '0;
      moves_q <= 1'b0;
      slot_q  <= '0;
      tests_q <= 1'b0;
      up_q    <= 1'b0;
      next_q  <= '0;
    end else if (enable_i) begin
      fresh_q <= fresh_d;
      moves_q <= fresh_q != '0;
      slot_q  <= slot_d;
      tests_q <= tests_d;
      up_q    <= up_d;
      next_q  <= next_d;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // The order by age: launched slots go to the front, the lowest first, one per cycle

  logic [NumSlots-1:0] found;  // slot_q is in front of place i

  function automatic [NumSlots-1:0] behind(input [NumSlots*SlotW-1:0] slots, input [SlotW-1:0] slot);
    behind = '0;
    for (int i = 1; i < NumSlots; i++) begin
      behind[i] = behind[i-1] || slots[(i-1)*SlotW+:SlotW] == slot;
    end
  endfunction

  assign found = behind(order_of, slot_q);

  always_ff @(posedge clk_i) begin : p_order
    if (!rst_ni) begin
      for (int i = 0; i < NumSlots; i++) order_q[i] <= SlotW'(i);
    end else if (enable_i && moves_q) begin
      order_q[0] <= slot_q;
      for (int i = 1; i < NumSlots; i++) begin
        if (!found[i]) order_q[i] <= order_q[i-1];
      end
    end
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
        end else if (known_q && n > num_blocks_q) begin
          request_d    = 1'b0;                         // b: granted
          num_blocks_d = num_blocks_q + LimitW'(1);
        end else if (denied_i && cta_start_i == '0) begin
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
  // Cycles in which nobody has come or gone and the goal has stood still, up to 5 NumSlots + 8.
  logic [7:0]                 quiet_q;
  logic [NumSlots+LimitW+1:0] wanted, wanted_q;
  logic [LimitW-1:0]          running_now;
  logic                       settled;

  assign wanted      = {cta_active_i, goal, request_q, follow_i};
  assign running_now = LimitW'($countones(running));
  assign settled     = (goal <= running_now && running_now <= limit_o) ||
                       (running_now < goal && kept == '0) ||
                       (running_now == LimitW'(1) && running_now > limit_o);

  always_ff @(posedge clk_i) begin : p_quiet
    wanted_q <= wanted;
    if (!rst_ni || !runs || !pause_en_i || !still || tick_i) quiet_q <= '0;
    else if (wanted != wanted_q)               quiet_q <= 8'd1;
    else if (32'(quiet_q) <= 5 * NumSlots + 8) quiet_q <= quiet_q + 8'd1;
  end

  // Each slot is once in the order.
  logic [NumSlots-1:0] ordered;

  always_comb begin : p_ordered
    ordered = '0;
    for (int i = 0; i < NumSlots; i++) ordered = ordered | (NumSlots'(1) << order_q[i]);
  end

  // What was in the cycle before, for the assertions.
  logic                after_kernel_start, after_blocks_step, after_paused_resident, agrees, agreed;
  logic [LimitW-1:0]   was_num_blocks;
  logic [NumSlots-1:0] resident, was_resident;  // agrees: nobody vanished, or came without a launch

  assign resident = (cta_active_i & ~cta_done_i) | cta_start_i;
  assign agrees   = enable_i && after_paused_resident && cta_active_i == was_resident;

  always_ff @(posedge clk_i) begin : p_was
    after_kernel_start    <= rst_ni && start;
    after_blocks_step     <= rst_ni && !start;
    was_num_blocks        <= num_blocks_q;
    after_paused_resident <= rst_ni && enable_i;
    was_resident          <= resident;
    agreed                <= agrees;
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
      // Resident CTAs are paused only.
      PausedResident: assert (!after_paused_resident || (paused_q & ~was_resident) == '0);
      // PAUSE-5: whoever is paused, another one runs.
      PauseOthers: assert (!(changes && take_pause && agrees && agreed) || (running & ~at) != '0);
      // One CTA per cycle, and one of those that may be taken.
      PauseOne: assert (!(changes && take_pause) || ((paused_d & ~kept) == at &&
          (at & running) != '0 && (kept & ~paused_d) == '0));
      ResumeOne: assert (!(changes && take_resume) || ((paused_d | (kept & at)) == kept &&
          (at & paused_q) != '0));
      PauseNone: assert (changes || !enable_i || paused_d == kept);
      OrderWhole: assert (&ordered);
      // PAUSE-3, PAUSE-A3: nobody is asked for while somebody paused could run.
      ResumeFirst: assert (IncUnpauseFirst == 0 || !((request_q || req_o) && paused_q != '0));
      // EQ-A12: at once means that nothing is waited for.
      NoRequest: assert (GrantFeedback != 0 || !request_q);
      // When nothing else happens, the CTAs that run come to the limit.
      Settles: assert (!(32'(quiet_q) > 5 * NumSlots + 8 && pause_en_i && runs &&
          wanted == wanted_q && still && !tick_i) || settled);
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
