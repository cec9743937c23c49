// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of eq_counters have to reach (doc/blocks/eq_counters.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, eq_counters, expr)
`define CODE(n, name) `P(name, eq_counters.sample && seen[n])

`default_nettype none

module eq_counters_cover #(
  parameter int NumWarps       = 48,
  parameter int Epoch          = 4096,
  parameter int SampleInterval = 128,
  parameter int SamplePhase    = 127,
  parameter int SampleCycles   = 16,
  parameter int XaluExclIssued = 1,
  parameter int XmemInclSlot   = 0
);
  localparam int Most  = NumWarps * (Epoch / SampleInterval);
  localparam int First = SamplePhase / SampleCycles * SampleCycles;  // of a sample, by its place in an interval

  logic [$clog2(SampleInterval)-1:0] place;
  logic [NumWarps-1:0]               turn;  // warps whose turn it is in a sample
  logic [15:0]                       seen;  // by code: such a warp is in that state and not paused
  logic                              adding;  // the cycle before has seen warps

  assign place  = eq_counters.cycle_q[$clog2(SampleInterval)-1:0];
  assign adding = eq_counters.active_turn_q != '0;

  always_comb begin : p_seen
    for (int w = 0; w < NumWarps; w++) turn[w] = w % SampleCycles == 32'(eq_counters.cycle_q) % SampleCycles;
    for (int code = 0; code < 16; code++) begin
      seen[code] = (turn & ~eq_counters.paused_i &
          (eq_counters.ws0_i ~^ {NumWarps{code[0]}}) & (eq_counters.ws1_i ~^ {NumWarps{code[1]}}) &
          (eq_counters.ws2_i ~^ {NumWarps{code[2]}}) & (eq_counters.ws3_i ~^ {NumWarps{code[3]}})) != '0;
    end
  end

  // EQ-3: a warp in each state, in a sample
  `CODE(0, EQ_3_empty)
  `CODE(1, EQ_A10_barrier)
  `CODE(2, EQ_3_no_instruction)
  `CODE(3, EQ_3_wait_alu)
  `CODE(4, EQ_3_wait_mem)
  `CODE(5, EQ_3_alu_lost)
  `CODE(6, EQ_3_alu_blocked)
  `CODE(7, EQ_3_mem_lost)
  `CODE(8, EQ_3_mem_blocked)
  `CODE(9, EQ_3_issued_alu)
  `CODE(10, EQ_3_issued_mem)
  `CODE(11, EQ_3_reserved_11)
  `CODE(12, EQ_3_reserved_12)
  `CODE(13, EQ_3_reserved_13)
  `CODE(14, EQ_3_reserved_14)
  `CODE(15, EQ_3_reserved_15)
  `P(PAUSE_2_paused_warp, eq_counters.sample && (turn & eq_counters.paused_i & eq_counters.ws0_i & eq_counters.ws1_i &
     ~eq_counters.ws2_i & ~eq_counters.ws3_i) != '0)                     // one that would have waited
  `P(PAUSE_2_all_paused, eq_counters.sample && &eq_counters.paused_i)
  `P(EQ_A8_issued_counts, eq_counters.sample && XaluExclIssued == 0 && seen[9])  // XaluExclIssued 0
  `P(EQ_A9_lost_slot_counts, eq_counters.sample && XmemInclSlot == 1 && seen[7]) // XmemInclSlot 1

  // The sets of a sample's cycle, empty and full
  `P(EQ_5_none_active, eq_counters.sample && eq_counters.active == '0)
  `P(EQ_5_all_active, eq_counters.sample && &eq_counters.active)
  `P(EQ_5_all_waiting, eq_counters.sample && &eq_counters.waiting)
  `P(EQ_5_all_xalu, eq_counters.sample && &eq_counters.xalu)
  `P(EQ_5_all_xmem, eq_counters.sample && &eq_counters.xmem)

  // EQ-4: which cycle is the sample, and the epoch
  `P(EQ_4_sample, eq_counters.sample)
  `P(EQ_4_before_sample, eq_counters.enable_i && !eq_counters.sample &&
     place == ($clog2(SampleInterval))'(First - 1))
  `P(EQ_4_after_sample, eq_counters.enable_i && !eq_counters.sample &&
     place == ($clog2(SampleInterval))'(First + SampleCycles))
  `P(EQ_4_first_turn, eq_counters.sample && 32'(place) == First)
  `P(EQ_4_last_turn, eq_counters.sample && 32'(place) == First + SampleCycles - 1)
  `P(EQ_4_turn_of_nobody, eq_counters.sample && turn == '0)                    // fewer warps than SampleCycles
  `P(EQ_4_whole_sample, eq_counters.sample && SampleCycles == 1)               // SampleCycles 1
  `P(EQ_4_epoch_end, eq_counters.epoch_end_o)
  `P(EQ_4_cycle_wraps, eq_counters.enable_i && &eq_counters.cycle_q)
  `P(EQ_A6_epoch_end_sampled, eq_counters.epoch_end_o && eq_counters.sample)   // a sample with cycle 1
  `P(EQ_A6_epoch_end_adds, eq_counters.epoch_end_o && adding)                  // SamplePhase below SampleCycles
  `P(EQ_4_last_turn_added, eq_counters.enable_i && eq_counters.cycle_q == '0 && adding)

  // EQ-6: the sums at their largest: no sum overflows
  `P(EQ_6_active_full, eq_counters.epoch_end_o && 32'(eq_counters.active_q) == Most)
  `P(EQ_6_waiting_full, eq_counters.epoch_end_o && 32'(eq_counters.waiting_q) == Most)
  `P(EQ_6_xalu_full, eq_counters.epoch_end_o && 32'(eq_counters.xalu_q) == Most)
  `P(EQ_6_xmem_full, eq_counters.epoch_end_o && 32'(eq_counters.xmem_q) == Most)
  `P(EQ_6_nothing_summed, eq_counters.epoch_end_o && eq_counters.active_q == '0)

  // EQ-A20: a kernel starts anywhere in an epoch; the sums are lost, the epoch goes on
  `P(Start_clears_sums, eq_counters.enable_i && eq_counters.kernel_start_i && eq_counters.active_q != '0)
  `P(Start_with_sample, eq_counters.sample && eq_counters.kernel_start_i)
  `P(Start_in_sample, eq_counters.sample && eq_counters.kernel_start_i && 32'(place) != First)
  `P(Start_at_epoch_end, eq_counters.epoch_end_o && eq_counters.kernel_start_i)
  `P(Start_in_cycle_0, eq_counters.enable_i && eq_counters.kernel_start_i && eq_counters.cycle_q == '0)
  `P(Start_drops_turn, eq_counters.enable_i && eq_counters.kernel_start_i && adding)

  // Enable: events that are missed
  `P(Disabled_start, !eq_counters.enable_i && eq_counters.kernel_start_i)
  `P(Disabled_at_epoch_end, !eq_counters.enable_i && 32'(eq_counters.cycle_q) == 1)
  `P(Disabled_adding, !eq_counters.enable_i && adding)
  `P(Disabled_at_sample, !eq_counters.enable_i && 32'(place) == First)
  `P(Disabled_in_sample, !eq_counters.enable_i && 32'(place) == First + SampleCycles - 1)
endmodule

bind eq_counters eq_counters_cover #(.NumWarps(NumWarps), .Epoch(Epoch), .SampleInterval(SampleInterval),
  .SamplePhase(SamplePhase), .SampleCycles(SampleCycles), .XaluExclIssued(XaluExclIssued), .XmemInclSlot(XmemInclSlot)) u_cover ();

`undef P
`undef CODE
`default_nettype wire
