// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of vf_domain have to reach (doc/blocks/vf_domain.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, vf_domain, expr)
`define LEVEL(l) (vf_domain.level == ballast_pkg::Vf``l)
`define NEXT(l) (vf_domain.next == ballast_pkg::Vf``l)

`default_nettype none

module vf_domain_cover #(
  parameter int Domain        = 0,
  parameter int Maintain      = 0,
  parameter int Table1Literal = 0,
  parameter int VrmStall      = 0
);
  logic busy, ends, asked;

  assign busy  = vf_domain.busy_o;
  assign ends  = vf_domain.timer_q == 1;  // the last cycle of a transition
  assign asked = vf_domain.valid_i && (vf_domain.up_i != vf_domain.down_i);

  // Levels at rest (EQ-13)
  `P(EQ_13_rest_low, !busy && `LEVEL(Low))
  `P(EQ_13_rest_normal, !busy && `LEVEL(Normal))
  `P(EQ_13_rest_high, !busy && `LEVEL(High))

  // Each pair of levels: the transition begins, runs and arrives
  `P(EQ_13_low_normal_begins, vf_domain.go_up && `LEVEL(Low))
  `P(EQ_13_low_normal_arrives, ends && `LEVEL(Low) && `NEXT(Normal))
  `P(EQ_13_normal_high_begins, vf_domain.go_up && `LEVEL(Normal))
  `P(EQ_13_normal_high_arrives, ends && `LEVEL(Normal) && `NEXT(High))
  `P(EQ_13_high_normal_begins, vf_domain.go_down && `LEVEL(High))
  `P(EQ_13_high_normal_arrives, ends && `LEVEL(High) && `NEXT(Normal))
  `P(EQ_13_normal_low_begins, vf_domain.go_down && `LEVEL(Normal))
  `P(EQ_13_normal_low_arrives, ends && `LEVEL(Normal) && `NEXT(Low))
  // No other pair exists.
  `NEVER(NoSkip, vf_domain, (`LEVEL(Low) && `NEXT(High)) || (`LEVEL(High) && `NEXT(Low)))
  `NEVER(NoFourthLevel, vf_domain, vf_domain.level_d == 2'd3 || vf_domain.next_d == 2'd3)

  // EQ-14: requests during a transition are not taken, whatever they ask for
  `P(EQ_14_asked_onward, busy && vf_domain.valid_i && !vf_domain.down_i && vf_domain.up_i && vf_domain.next > vf_domain.level)
  `P(EQ_14_asked_back, busy && vf_domain.valid_i && vf_domain.down_i && !vf_domain.up_i && vf_domain.next > vf_domain.level)
  `P(EQ_14_asked_up_on_the_way_down, busy && vf_domain.valid_i && vf_domain.up_i && !vf_domain.down_i &&
     vf_domain.next < vf_domain.level)
  `P(EQ_14_asked_down_on_the_way_down, busy && vf_domain.valid_i && vf_domain.down_i && !vf_domain.up_i &&
     vf_domain.next < vf_domain.level)
  `P(EQ_14_asked_in_last_cycle, ends && asked)
  `P(EQ_14_one_cycle_long, busy && ends && vf_domain.timer_d == '0 && $bits(vf_domain.timer_q) == 1)  // Transition 1

  // EQ-13: what is not taken at rest
  `P(EQ_13_up_at_high, !busy && vf_domain.valid_i && vf_domain.up_i && !vf_domain.down_i && `LEVEL(High))
  `P(EQ_13_down_at_low, !busy && vf_domain.valid_i && vf_domain.down_i && !vf_domain.up_i && `LEVEL(Low))
  `P(EQ_13_both_at_once, !busy && vf_domain.valid_i && vf_domain.up_i && vf_domain.down_i)
  `P(EQ_13_not_valid, !busy && !vf_domain.valid_i && vf_domain.up_i)
  `P(EQ_13_valid_nothing_asked, !busy && vf_domain.valid_i && !vf_domain.up_i && !vf_domain.down_i)

  // EQ-A21: the domain stands still during a transition, or runs on
  `P(EQ_A21_stalls_domain0, vf_domain.stall_o && Domain == 0)
  `P(EQ_A21_stalls_domain1, vf_domain.stall_o && Domain == 1)
  `P(EQ_A21_runs_on, busy && VrmStall == 0)

  // Table I, by domain, mode and level
  `P(EQ_9_sm_performance_low, Domain == 0 && vf_domain.mode_i && `LEVEL(Low))
  `P(EQ_9_sm_performance_normal, Domain == 0 && vf_domain.mode_i && `LEVEL(Normal))
  `P(EQ_9_sm_performance_high, Domain == 0 && vf_domain.mode_i && `LEVEL(High))
  `P(EQ_9_sm_energy_low, Domain == 0 && !vf_domain.mode_i && `LEVEL(Low))
  `P(EQ_9_sm_energy_normal, Domain == 0 && !vf_domain.mode_i && `LEVEL(Normal))
  `P(EQ_9_sm_energy_high, Domain == 0 && !vf_domain.mode_i && `LEVEL(High))
  `P(EQ_9_mem_performance_low, Domain == 1 && vf_domain.mode_i && `LEVEL(Low))
  `P(EQ_9_mem_performance_normal, Domain == 1 && vf_domain.mode_i && `LEVEL(Normal))
  `P(EQ_9_mem_performance_high, Domain == 1 && vf_domain.mode_i && `LEVEL(High))
  `P(EQ_9_mem_energy_low, Domain == 1 && !vf_domain.mode_i && `LEVEL(Low))
  `P(EQ_9_mem_energy_normal, Domain == 1 && !vf_domain.mode_i && `LEVEL(Normal))
  `P(EQ_9_mem_energy_high, Domain == 1 && !vf_domain.mode_i && `LEVEL(High))
  // EQ-A15: "Maintain" as back to normal, and as nothing
  `P(EQ_A15_keep_up, Maintain == 0 && vf_domain.keep_up)
  `P(EQ_A15_keep_down, Maintain == 0 && vf_domain.keep_down)
  `P(EQ_A15_holds_low, Maintain == 1 && `LEVEL(Low))
  `P(EQ_A15_holds_high, Maintain == 1 && `LEVEL(High))
  `P(EQ_A16_memaction_lowers_memory, Table1Literal == 1 && Domain == 1 && vf_domain.mem_down_o && !vf_domain.mode_i &&
     `LEVEL(Normal))
  `P(Mode_changes_in_transition, busy && vf_domain.mode_i != mode_before)
  `P(Mode_changes_at_rest, !busy && vf_domain.mode_i != mode_before)

  logic mode_before;  // of the cycle before
  always_ff @(posedge vf_domain.clk_i) mode_before <= vf_domain.mode_i;
endmodule

bind vf_domain vf_domain_cover #(.Domain(Domain), .Maintain(Maintain), .Table1Literal(Table1Literal),
  .VrmStall(VrmStall)) u_cover ();

`undef P
`undef LEVEL
`undef NEXT
`default_nettype wire
