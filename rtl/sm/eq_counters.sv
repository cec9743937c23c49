// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// eq_counters: Equalizer's counters (EQ-1..EQ-6). Every `SampleInterval` cycles it counts the warps
// that are active, those that wait for an operand, and those that are ready while the ALUs or the
// load/store unit hold them back. It sums each count over an epoch. Paused warps do not count (EQ-3,
// PAUSE-2). A sample takes `SampleCycles` cycles, each of which looks at some of the warps: counting
// all of them at once would be the longest path, and most of the area. What a cycle has seen is added
// in the next one.
//
// Timing: the sums come straight from registers. An epoch's last warps are added in cycle 0 of the
// next. `epoch_end_o` is combinational and is 1 in cycle 1: in that cycle the sums are those of the
// epoch that is over. They start anew at the edge that ends this cycle, and at a kernel start. While
// `enable_i` is 0, no register changes and no epoch ends.
// The cycle counter resets to 2. So 1 always means that an epoch is over.
//
// doc/blocks/eq_counters.md

`default_nettype none

module eq_counters #(
  parameter int NumWarps       = 48,    // warp slots, 1..64
  parameter int Epoch          = 4096,  // cycles, a power of two, 4..65536 (EQ-4)
  parameter int SampleInterval = 128,   // cycles, a power of two, 2..Epoch/2 (EQ-4)
  parameter int SamplePhase    = 127,   // a cycle of the sample, by its place in an interval (EQ-A6)
  parameter int SampleCycles   = 16,    // cycles of a sample, a power of two, 1..SampleInterval
  parameter int XaluExclIssued = 1,     // 0: warps that issued to an ALU are in X_alu (EQ-A8)
  parameter int XmemInclSlot   = 0      // 1: warps that lost the LSU's slot are in X_mem (EQ-A9)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 enable_i,

  input  wire                 kernel_start_i,
  // Bit w of plane b is bit b of warp w's state.
  input  wire  [NumWarps-1:0] ws0_i,
  input  wire  [NumWarps-1:0] ws1_i,
  input  wire  [NumWarps-1:0] ws2_i,
  input  wire  [NumWarps-1:0] ws3_i,
  input  wire  [NumWarps-1:0] paused_i,

  output logic                                                 epoch_end_o,
  output logic [$clog2(NumWarps*(Epoch/SampleInterval)+1)-1:0] active_o,
  output logic [$clog2(NumWarps*(Epoch/SampleInterval)+1)-1:0] waiting_o,
  output logic [$clog2(NumWarps*(Epoch/SampleInterval)+1)-1:0] xalu_o,
  output logic [$clog2(NumWarps*(Epoch/SampleInterval)+1)-1:0] xmem_o
);

  localparam int SumW   = $clog2(NumWarps * (Epoch / SampleInterval) + 1);  // EQ-A4
  localparam int CycleW = $clog2(Epoch);
  localparam int First  = SamplePhase / SampleCycles * SampleCycles;  // of a sample, by its place in an interval

  logic [CycleW-1:0] cycle_q, cycle_d;
  logic [SumW-1:0]   active_q, active_d;
  logic [SumW-1:0]   waiting_q, waiting_d;
  logic [SumW-1:0]   xalu_q, xalu_d;
  logic [SumW-1:0]   xmem_q, xmem_d;

  logic sample;  // this cycle is of a sample
  logic start;   // a kernel starts
  logic clear;   // the sums start anew

  assign sample      = enable_i && (cycle_q & CycleW'(SampleInterval - SampleCycles)) == CycleW'(First);
  assign start       = enable_i && kernel_start_i;
  assign clear       = epoch_end_o || start;
  assign epoch_end_o = enable_i && cycle_q == CycleW'(1);
  assign active_o    = active_q;
  assign waiting_o   = waiting_q;
  assign xalu_o      = xalu_q;
  assign xmem_o      = xmem_q;

  //////////////////////////////////////////////////////////////////////////////
  // Whose turn it is. In a sample, warp w has its turn in the cycle with the same remainder by
  // SampleCycles. So the counter's low bits select one of SampleCycles warps, Group times side by side:
  // the lowest bit one of two neighbours, the others one of Pairs such pairs. In one step, the lines
  // that select would each load as many gates as there are pairs and neighbours.

  localparam int Group = (NumWarps + SampleCycles - 1) / SampleCycles;  // warps of a cycle, at most
  localparam int Slots = Group * SampleCycles;                          // the last of them may be no warps
  localparam int Pair  = (SampleCycles > 1) ? 2 : 1;
  localparam int Pairs = SampleCycles / Pair;

  logic [Pair-1:0]  neighbour;  // one of them is 1
  logic [Pairs-1:0] pair;       // one of them is 1

  for (genvar k = 0; k < Pair; k++) begin : gen_neighbour
    assign neighbour[k] = (cycle_q & CycleW'(Pair - 1)) == CycleW'(k);
  end
  for (genvar k = 0; k < Pairs; k++) begin : gen_pair
    assign pair[k] = (cycle_q & CycleW'(SampleCycles - Pair)) == CycleW'(k * Pair);
  end

  function automatic [Group-1:0] turn_of(input [Slots-1:0] set, input [Pair-1:0] one,
                                         input [Pairs-1:0] place);
    logic [Group*Pairs-1:0] chosen;
    for (int i = 0; i < Group * Pairs; i++) chosen[i]  = |(set[i*Pair+:Pair] & one);
    for (int i = 0; i < Group; i++)         turn_of[i] = |(chosen[i*Pairs+:Pairs] & place);
  endfunction

  //////////////////////////////////////////////////////////////////////////////
  // Sets of the warps whose turn it is, one bit each, written by planes. Only a sample reads the planes:
  // outside of it the sets are empty, and the planes 'x, which spares a simulator the work.

  logic [NumWarps-1:0] runs;                          // not paused
  logic [Group-1:0]    ws0, ws1, ws2, ws3, counts;    // the planes, and who is not paused
  logic [Group-1:0]    low, high;                     // code 0..7, 8..11
  logic [Group-1:0]    ends0, ends1, ends3;           // low bits of the code: 00, 01 or 10, 11
  logic [Group-1:0]    active, waiting, xalu, xmem;

  // The sets of the cycle before, which this one adds.
  logic [Group-1:0]    active_turn_q, waiting_turn_q, xalu_turn_q, xmem_turn_q;

  assign runs = ~paused_i;

  always_comb begin : p_sets
    ws0     = 'x;
    ws1     = 'x;
    ws2     = 'x;
    ws3     = 'x;
    counts  = 'x;
    low     = 'x;
    high    = 'x;
    ends0   = 'x;
    ends1   = 'x;
    ends3   = 'x;
    active  = '0;
    waiting = '0;
    xalu    = '0;
    xmem    = '0;

    if (sample) begin
      ws0    = turn_of(Slots'(ws0_i), neighbour, pair);
      ws1    = turn_of(Slots'(ws1_i), neighbour, pair);
      ws2    = turn_of(Slots'(ws2_i), neighbour, pair);
      ws3    = turn_of(Slots'(ws3_i), neighbour, pair);
      counts = turn_of(Slots'(runs), neighbour, pair);

      low   = counts & ~ws3;
      high  = counts & ws3 & ~ws2;
      ends0 = ~ws1 & ~ws0;
      ends1 = ws1 ^ ws0;
      ends3 = ws1 & ws0;

      active  = (low & (ws2 | ws0)) | (high & ~ends3);                 // 1, 3..10
      waiting = low & ((ws2 & ends0) | (~ws2 & ends3));                // 3, 4
      xalu    = low & ws2 & ends1;                                     // 5, 6
      xmem    = high & ends0;                                          // 8
      if (XaluExclIssued == 0) xalu = xalu | (high & ~ws1 & ws0);      // 9 (EQ-A8)
      if (XmemInclSlot != 0)   xmem = xmem | (low & ws2 & ends3);      // 7 (EQ-A9)
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Sums. A kernel start does not add what the cycle before has seen: that was another kernel.

  logic adds; assign adds = enable_i && !kernel_start_i;

  // What the sums start this cycle from.
  logic [SumW-1:0] active_base, waiting_base, xalu_base, xmem_base;

  assign cycle_d      = cycle_q + CycleW'(enable_i);
  assign active_base  = clear ? '0 : active_q;
  assign waiting_base = clear ? '0 : waiting_q;
  assign xalu_base    = clear ? '0 : xalu_q;
  assign xmem_base    = clear ? '0 : xmem_q;

  warp_sum #(
    .NumWarps(Group),
    .SumW    (SumW)
  ) u_active (
    .on_i  (adds),
    .ones_i(active_turn_q),
    .twos_i({Group{1'b0}}),
    .base_i(active_base),
    .sum_o (active_d)
  );

  warp_sum #(
    .NumWarps(Group),
    .SumW    (SumW)
  ) u_waiting (
    .on_i  (adds),
    .ones_i(waiting_turn_q),
    .twos_i({Group{1'b0}}),
    .base_i(waiting_base),
    .sum_o (waiting_d)
  );

  warp_sum #(
    .NumWarps(Group),
    .SumW    (SumW)
  ) u_xalu (
    .on_i  (adds),
    .ones_i(xalu_turn_q),
    .twos_i({Group{1'b0}}),
    .base_i(xalu_base),
    .sum_o (xalu_d)
  );

  warp_sum #(
    .NumWarps(Group),
    .SumW    (SumW)
  ) u_xmem (
    .on_i  (adds),
    .ones_i(xmem_turn_q),
    .twos_i({Group{1'b0}}),
    .base_i(xmem_base),
    .sum_o (xmem_d)
  );

  //////////////////////////////////////////////////////////////////////////////
  // Registers

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      cycle_q   <= CycleW'(2);
      active_q  <= '0;
      waiting_q <= '0;
      xalu_q    <= '0;
      xmem_q    <= '0;
    end else begin
      cycle_q   <= cycle_d;
      active_q  <= active_d;
      waiting_q <= waiting_d;
      xalu_q    <= xalu_d;
      xmem_q    <= xmem_d;
    end
  end

  always_ff @(posedge clk_i) begin : p_turn
    if (!rst_ni) begin
      active_turn_q  <= '0;
      waiting_turn_q <= '0;
      xalu_turn_q    <= '0;
      xmem_turn_q    <= '0;
    end else if (enable_i) begin
      active_turn_q  <= active;
      waiting_turn_q <= waiting;
      xalu_turn_q    <= xalu;
      xmem_turn_q    <= xmem;
    end
  end

`ifdef VERILATOR
  // Warps that are not paused and whose state is `code`.
  function automatic [NumWarps-1:0] in_state(input [3:0] code);
    in_state = ~paused_i & (ws0_i ~^ {NumWarps{code[0]}}) & (ws1_i ~^ {NumWarps{code[1]}}) &
                           (ws2_i ~^ {NumWarps{code[2]}}) & (ws3_i ~^ {NumWarps{code[3]}});
  endfunction

  // Those of a set whose turn it is.
  function automatic [Group-1:0] on_turn(input [NumWarps-1:0] set);
    for (int i = 0; i < Group; i++) on_turn[i] = 1'(set >> (i * SampleCycles + 32'(cycle_q) % SampleCycles));
  endfunction

  // How often a warp is in the sums at most, from the cycle of the epoch: the samples that are over, and
  // the turns of the one that goes on. The sums are one cycle late.
  int cycles, turns, looks;
  assign cycles = (cycle_q <= CycleW'(1)) ? Epoch - 1 + 32'(cycle_q) : 32'(cycle_q) - 1;
  always_comb begin : p_looks
    turns = cycles % SampleInterval - First;
    if (turns < 0)            turns = 0;
    if (turns > SampleCycles) turns = SampleCycles;
    looks = cycles / SampleInterval * NumWarps;
    for (int w = 0; w < NumWarps; w++) if (w % SampleCycles < turns) looks = looks + 1;
  end

  // What was in the cycle before, for the assertions.
  logic              after_cycle_counts, after_sums_hold, after_sums_start, after_epoch, after_no_sample;
  logic [CycleW-1:0] was_cycle;
  logic [SumW-1:0]   was_active, was_waiting, was_xalu, was_xmem;
  logic [Group-1:0]  was_turn;

  always_ff @(posedge clk_i) begin : p_was
    after_cycle_counts <= rst_ni && enable_i;
    was_cycle          <= cycle_q;
    after_sums_hold    <= rst_ni && !clear && !(enable_i && active_turn_q != '0);
    was_active         <= active_q;
    was_waiting        <= waiting_q;
    was_xalu           <= xalu_q;
    was_xmem           <= xmem_q;
    after_sums_start   <= rst_ni && start;
    after_epoch        <= rst_ni && clear && !start;
    after_no_sample    <= rst_ni && enable_i && !sample;
    was_turn           <= active_turn_q;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // In a sample, the sets hold those of the states that they are named after whose turn it is.
      if (sample) begin
        Waiting: assert (waiting == on_turn(in_state(ballast_pkg::WarpWaitAlu) |
                                            in_state(ballast_pkg::WarpWaitMem)));
        Xalu:    assert (xalu == on_turn(in_state(ballast_pkg::WarpAluLost) |
                                         in_state(ballast_pkg::WarpAluBlocked) |
            ((XaluExclIssued == 0) ? in_state(ballast_pkg::WarpIssuedAlu) : '0)));
        Xmem:    assert (xmem == on_turn(in_state(ballast_pkg::WarpMemBlocked) |
            ((XmemInclSlot != 0) ? in_state(ballast_pkg::WarpMemLost) : '0)));
        // EQ-A7, EQ-A10: these and a barrier, what was lost or has been issued.
        Active:  assert (active == (waiting | xalu | xmem |
                                    on_turn(in_state(4'd1) | in_state(ballast_pkg::WarpMemLost) |
                                            in_state(ballast_pkg::WarpIssuedAlu) |
                                            in_state(ballast_pkg::WarpIssuedMem))));
      end
      // EQ-4: only a sample looks at warps.
      NoSample: assert (!after_no_sample ||
                        {active_turn_q, waiting_turn_q, xalu_turn_q, xmem_turn_q} == '0);
      // EQ-3: a warp counts in one place at most, and only if it is active.
      PartsOfTurn: assert (((waiting_turn_q | xalu_turn_q | xmem_turn_q) & ~active_turn_q) == '0 &&
          (waiting_turn_q & xalu_turn_q) == '0 && ((waiting_turn_q | xalu_turn_q) & xmem_turn_q) == '0);
      // Without the enable no epoch ends.
      EnableEvents: assert (enable_i || !epoch_end_o);
      // EQ-4, EQ-A20: the epoch has its cycles, whatever the kernels do.
      CycleCounts: assert (!after_cycle_counts || cycle_q == was_cycle + CycleW'(1));
      // EQ-5, EQ-6: no sum overflows.
      SumRange: assert (32'(active_q) <= looks);
      // EQ-3: a warp is active if it counts anywhere, and it counts in one place at most.
      PartsOfActive: assert (32'(waiting_q) + 32'(xalu_q) + 32'(xmem_q) <= 32'(active_q));
      // EQ-4: sums change after a sample's cycle, or when what they hold is over.
      SumsHold: assert (!after_sums_hold || (active_q == was_active &&
          waiting_q == was_waiting && xalu_q == was_xalu && xmem_q == was_xmem));
      // What they held does not reach the next kernel or epoch. The epoch's first cycle is over already.
      SumsStart: assert (!after_sums_start || {active_q, waiting_q, xalu_q, xmem_q} == '0);
      SumsOfEpoch: assert (!after_epoch || 32'(active_q) == $countones(was_turn));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
