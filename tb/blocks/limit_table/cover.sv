// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of limit_table have to reach (doc/blocks/limit_table.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, limit_table, expr)

`default_nettype none

module limit_table_cover #(
  parameter int NumSlots = 8,
  parameter int Entries  = 4
);
  logic               decision, with_id, own, full;
  logic [Entries-1:0] id_match, used;

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign id_match[e] = limit_table.entry_id_q[e] == limit_table.kernel_id_i;
    assign used[e]     = limit_table.entry_id_q[e] != '0;
  end

  assign decision = limit_table.run && limit_table.done_i && !limit_table.done_was_q;
  assign with_id  = limit_table.id_q != '0;
  assign own      = limit_table.own_q != '0;
  assign full     = &used;

  // LTB-1: hints
  `P(LTB_1_hit, limit_table.start && limit_table.match != '0)
  `P(LTB_1_hit_last_entry, limit_table.start && limit_table.match[Entries-1])
  `P(LTB_1_hint_1, limit_table.hint_o == 1)
  `P(LTB_1_hint_nmax, limit_table.start && limit_table.match != '0 && limit_table.hint_o == limit_table.nmax_i)
  `P(LTB_1_hint_all_slots, 32'(limit_table.hint_o) == NumSlots)
  `P(LTB_1_unknown, limit_table.start && limit_table.has_id && limit_table.match == '0 && full)
  `P(LTB_1_table_empty, limit_table.start && limit_table.has_id && used == '0)
  `P(LTB_1_hit_while_running_itself, limit_table.start && (limit_table.match & limit_table.own_q) != '0)

  // LTB-2: decisions
  `P(LTB_2_stored, limit_table.store)
  `P(LTB_2_first_cycle, limit_table.store && 32'(limit_table.nmax_q) == 1)
  `P(LTB_2_done_stays, limit_table.run && with_id && limit_table.done_i && limit_table.done_was_q)
  `P(LTB_2_done_goes, limit_table.run && with_id && !limit_table.done_i && limit_table.done_was_q)
  `P(LTB_2_limit_0, decision && with_id && limit_table.limit_i == '0)
  `P(LTB_2_limit_above_nmax, decision && with_id && limit_table.limit_i > limit_table.nmax_q)
  `P(LTB_2_limit_nmax, limit_table.store && limit_table.limit_i == limit_table.nmax_q)
  `P(LTB_2_nmax_0, decision && with_id && limit_table.nmax_q == '0)

  // LTB-3: what a kernel is
  `P(LTB_3_other_nmax, limit_table.start && limit_table.has_id && id_match != '0 && limit_table.match == '0)
  `P(LTB_3_own_again, limit_table.store && own)
  `P(LTB_3_own_below_nmax, limit_table.store && own && limit_table.limit_i != limit_table.nmax_q)

  // LTB-4: which entry
  `P(LTB_4_into_empty, limit_table.store && !own && !full)
  `P(LTB_4_fills_last, limit_table.store && !own && !full && 32'(limit_table.next_q) == Entries - 1)
  `P(LTB_4_replaces, limit_table.store && !own && full)
  `P(LTB_4_comes_round, limit_table.store && !own && full && 32'(limit_table.next_q) == Entries - 1)
  `P(LTB_4_own_is_next, limit_table.store && own && limit_table.own_q[limit_table.next_q])

  // LTB-5: starts that hide a decision; kernels without an id
  `P(LTB_5_start_hides_decision, limit_table.start && with_id && limit_table.done_i && !limit_table.done_was_q)
  `P(LTB_5_start_after_done, limit_table.start && limit_table.done_was_q)
  `P(LTB_5_no_id, limit_table.start && !limit_table.has_id)
  `P(LTB_5_no_id_matches_empty, limit_table.start && !limit_table.has_id && limit_table.nmax_i == '0 && !full)
  `P(LTB_5_no_id_decides, decision && !with_id && limit_table.limit_i != '0 && limit_table.limit_i <= limit_table.nmax_q)

  // Enable: what is missed
  `P(Disabled_start, !limit_table.enable_i && limit_table.kernel_start_i && limit_table.match != '0)
  `P(Disabled_decision, !limit_table.enable_i && !limit_table.kernel_start_i && with_id && limit_table.done_i && !limit_table.done_was_q)
endmodule

bind limit_table limit_table_cover #(.NumSlots(NumSlots), .Entries(Entries)) u_cover ();

`undef P
`default_nettype wire
