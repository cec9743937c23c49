// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// vf_domain: voltage and frequency level of one clock domain of the chip, that of the SMs or that of
// the memory system (Equalizer, EQ-9, EQ-13..EQ-15). The level moves one step when the majority of
// vf_vote requests it. Each step takes a transition of `Transition` cycles, in which no other request
// is accepted. The block also says what an action of an SM requests of this domain now (Table I).
//
// Timing: no output depends on `valid_i`, `up_i`, `down_i` of the same cycle, so that vf_vote and
// its domains form no combinational loop. `mode_i` shows in the four answers in the same cycle.
//
// doc/blocks/vf_domain.md

`default_nettype none

module vf_domain #(
  parameter int Domain        = 0,    // 0 the SMs, 1 the memory system
  parameter int Maintain      = 0,    // "Maintain" requests: 0 the normal level, 1 nothing (EQ-A15)
  parameter int Table1Literal = 0,    // 1: MemAction to save energy lowers the memory (EQ-A16)
  parameter int Transition    = 512,  // cycles of a change of level, 1..65535 (EQ-14)
  parameter int VrmStall      = 0     // during a transition the domain: 0 runs, 1 stands still (EQ-A21)
) (
  input  wire        clk_i,
  input  wire        rst_ni,

  input  wire        mode_i,   // 0 saves energy, 1 raises performance
  input  wire        valid_i,  // an epoch's votes have been counted: up_i and down_i hold
  input  wire        up_i,
  input  wire        down_i,

  output logic [1:0] level_o,
  output logic       busy_o,
  output logic       stall_o,
  output logic       comp_up_o,
  output logic       comp_down_o,
  output logic       mem_up_o,
  output logic       mem_down_o
);

  localparam int TimerW = $clog2(Transition + 1);

  logic [1:0]        level_q, level_d;
  logic [1:0]        next_q, next_d;    // level after the transition
  logic [TimerW-1:0] timer_q, timer_d;  // cycles of it that are left, with this one

  // No state reaches the code 3. It reads as HIGH, so that the block leaves it again.
  logic [1:0] level, next;

  assign level = {level_q[1], level_q[0] && !level_q[1]};
  assign next  = {next_q[1], next_q[0] && !next_q[1]};

  logic is_low, is_high;

  assign is_low  = level == ballast_pkg::VfLow;
  assign is_high = level == ballast_pkg::VfHigh;

  assign level_o = level;
  assign busy_o  = timer_q != '0;
  assign stall_o = busy_o && VrmStall != 0;

  //////////////////////////////////////////////////////////////////////////////
  // Table I: what an action requests. To raise performance, each action increases its own domain. To
  // save energy, each action decreases the other domain.

  localparam bit MemLowersMem = Domain == 1 && Table1Literal != 0;

  logic comp_inc, comp_dec, mem_inc, mem_dec;  // Increase, Decrease; neither: Maintain
  logic keep_up, keep_down;                    // what Maintain requests

  assign comp_inc = mode_i && Domain == 0;
  assign comp_dec = !mode_i && Domain == 1;
  assign mem_inc  = mode_i && Domain == 1;
  assign mem_dec  = !mode_i && (Domain == 0 || MemLowersMem);

  assign keep_up   = Maintain == 0 && is_low;
  assign keep_down = Maintain == 0 && is_high;

  assign comp_up_o   = comp_inc ? !is_high : !comp_dec && keep_up;
  assign comp_down_o = comp_dec ? !is_low : !comp_inc && keep_down;
  assign mem_up_o    = mem_inc ? !is_high : !mem_dec && keep_up;
  assign mem_down_o  = mem_dec ? !is_low : !mem_inc && keep_down;

  //////////////////////////////////////////////////////////////////////////////
  // The level

  logic go_up, go_down;  // a request is accepted

  assign go_up   = !busy_o && valid_i && up_i && !down_i && !is_high;
  assign go_down = !busy_o && valid_i && down_i && !up_i && !is_low;

  always_comb begin : p_level
    level_d = level;
    next_d  = next;
    timer_d = timer_q;

    if (busy_o) begin
      timer_d = timer_q - TimerW'(1);
      if (timer_q == TimerW'(1)) level_d = next;
    end else begin
      next_d = level;
      if (go_up)   next_d = level + 2'd1;
      if (go_down) next_d = level - 2'd1;
      if (go_up || go_down) timer_d = TimerW'(Transition);
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Registers

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      level_q <= ballast_pkg::VfNormal;
      next_q  <= ballast_pkg::VfNormal;
      timer_q <= '0;
    end else begin
      level_q <= level_d;
      next_q  <= next_d;
      timer_q <= timer_d;
    end
  end

`ifdef VERILATOR
  // Table I as it reads (EQ-A15): the level that an action aims at, if any.
  logic [1:0] comp_target, mem_target;
  always_comb begin : p_targets
    comp_target = (Maintain == 0) ? ballast_pkg::VfNormal : level;
    mem_target  = comp_target;
    if (mode_i) begin
      if (Domain == 0) comp_target = ballast_pkg::VfHigh;
      else             mem_target  = ballast_pkg::VfHigh;
    end else begin
      if (Domain == 1)                       comp_target = ballast_pkg::VfLow;
      if (Domain == 0 || Table1Literal != 0) mem_target  = ballast_pkg::VfLow;
    end
  end

  // What was in the cycle before, for the assertions.
  logic              after_starts, was_go_up, after_runs, after_arrives, after_level_holds,
                     after_no_request, after_none_beyond;
  logic [1:0]        was_level, was_next;
  logic [TimerW-1:0] was_timer;

  always_ff @(posedge clk_i) begin : p_was
    after_starts      <= rst_ni && (go_up || go_down);
    was_level         <= level_q;
    was_go_up         <= go_up;
    after_runs        <= rst_ni && busy_o;
    was_timer         <= timer_q;
    was_next          <= next_q;
    after_arrives     <= rst_ni && timer_q == TimerW'(1);
    after_level_holds <= rst_ni && timer_q != TimerW'(1);
    after_no_request  <= rst_ni && !busy_o && !(valid_i && up_i != down_i);
    after_none_beyond <= rst_ni && !busy_o && ((level_o == ballast_pkg::VfHigh && !down_i) ||
        (level_o == ballast_pkg::VfLow && !up_i));
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // EQ-13: three levels.
      LevelLegal: assert (level_q != 2'd3 && next_q != 2'd3);
      // EQ-9, EQ-13: a transition is one step, and at rest there is nothing to come.
      OneStep: assert (next_q == level_q || next_q == level_q + 2'd1 || next_q + 2'd1 == level_q);
      StepWhileBusy: assert ((next_q != level_q) == busy_o);
      TimerRange: assert (32'(timer_q) <= Transition);
      // EQ-14: a transition takes its time, and the level changes at its end.
      Starts: assert (!after_starts || (32'(timer_q) == Transition && level_q == was_level &&
          next_q == (was_go_up ? was_level + 2'd1 : was_level - 2'd1)));
      Runs: assert (!after_runs || (timer_q == was_timer - TimerW'(1) && next_q == was_next));
      Arrives: assert (!after_arrives || (!busy_o && level_q == was_next));
      LevelHolds: assert (!after_level_holds || level_q == was_level);
      // EQ-13: without a vote for one direction that is left, nothing begins.
      NoRequest: assert (!after_no_request || !busy_o);
      NoneBeyond: assert (!after_none_beyond || !busy_o);
      // Table I: an action asks for the direction of its target.
      CompAims: assert (comp_up_o == (comp_target > level_o) &&
          comp_down_o == (comp_target < level_o));
      MemAims: assert (mem_up_o == (mem_target > level_o) && mem_down_o == (mem_target < level_o));
      // So it asks for one direction at most, and not beyond the outer levels.
      OneWay: assert (!(comp_up_o && comp_down_o) && !(mem_up_o && mem_down_o));
      WithinLevels: assert (!(level_o == ballast_pkg::VfHigh && (comp_up_o || mem_up_o)) &&
          !(level_o == ballast_pkg::VfLow && (comp_down_o || mem_down_o)));
      // EQ-A15: to hold a level literally leaves performance only up and energy only down.
      HoldIsOneWay: assert (Maintain == 0 || (mode_i ? !(comp_down_o || mem_down_o) : !(comp_up_o
          || mem_up_o)));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
