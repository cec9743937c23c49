// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of vf_vote have to reach (doc/blocks/vf_vote.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, vf_vote, expr)

`default_nettype none

module vf_vote_cover #(
  parameter int NumSms   = 15,
  parameter int Majority = 0
);
  int   comp, mem, keep;
  logic voted;

  assign comp  = 32'(vf_vote.comp_count_q);
  assign mem   = 32'(vf_vote.mem_count_q);
  assign keep  = NumSms - comp - mem;
  assign voted = vf_vote.valid_q;

  // Each outcome, by domain
  `P(EQ_12_sm_up, vf_vote.sm_up_o)
  `P(EQ_12_sm_down, vf_vote.sm_down_o)
  `P(EQ_12_sm_nothing, voted && !vf_vote.sm_up_o && !vf_vote.sm_down_o)
  `P(EQ_12_mem_up, vf_vote.mem_up_o)
  `P(EQ_12_mem_down, vf_vote.mem_down_o)
  `P(EQ_12_mem_nothing, voted && !vf_vote.mem_up_o && !vf_vote.mem_down_o)
  `P(EQ_12_both_domains, voted && (vf_vote.sm_up_o || vf_vote.sm_down_o) && (vf_vote.mem_up_o || vf_vote.mem_down_o))

  // EQ-12: one action's SMs against half of all: the majority just missed, a tie, just reached
  `P(EQ_12_comp_one_short, voted && Majority == 0 && comp == NumSms / 2)
  `P(EQ_12_comp_majority, voted && Majority == 0 && comp == NumSms / 2 + 1)
  `P(EQ_12_mem_one_short, voted && Majority == 0 && mem == NumSms / 2)
  `P(EQ_12_mem_majority, voted && Majority == 0 && mem == NumSms / 2 + 1)
  `P(EQ_12_half_of_an_even_number, voted && Majority == 0 && NumSms % 2 == 0 && comp == NumSms / 2)
  `P(EQ_12_both_actions_make_it, voted && vf_vote.comp_mem && !vf_vote.comp_alone && !vf_vote.mem_alone)
  // EQ-A17: ties and their neighbours among those that vote, Majority 1
  `P(EQ_A17_voters_tie, voted && Majority == 1 && comp == mem && comp != 0)
  `P(EQ_A17_voters_comp_by_one, voted && Majority == 1 && comp == mem + 1)
  `P(EQ_A17_voters_mem_by_one, voted && Majority == 1 && mem == comp + 1)
  // EQ-A17: the plurality, Majority 2, against the other action and against those that maintain
  `P(EQ_A17_plurality_tie, voted && Majority == 2 && comp == mem && comp > keep)
  `P(EQ_A17_plurality_comp_by_one, voted && Majority == 2 && comp == mem + 1 && comp > keep)
  `P(EQ_A17_plurality_mem_by_one, voted && Majority == 2 && mem == comp + 1 && mem > keep)
  `P(EQ_A17_plurality_tie_with_maintain, voted && Majority == 2 && comp == keep && comp > mem)
  `P(EQ_A17_plurality_without_majority, voted && Majority == 2 && comp > mem && comp > keep && comp <= NumSms / 2)

  // Who votes
  `P(EQ_7_all_comp, voted && comp == NumSms)
  `P(EQ_7_all_mem, voted && mem == NumSms)
  `P(EQ_7_nobody, voted && comp == 0 && mem == 0)
  `P(EQ_7_every_sm_split, voted && keep == 0 && comp != 0 && mem != 0)
  `P(EQ_7_both_actions_is_none, vf_vote.tick_i && (vf_vote.comp_i & vf_vote.mem_i) != '0)

  // What the actions ask for of the SM domain: by one action, by both, against each other
  `P(Asks_comp_up_only, voted && vf_vote.c_up[0] && !vf_vote.m_up[0] && !vf_vote.m_down[0])
  `P(Asks_comp_down_only, voted && vf_vote.c_down[0] && !vf_vote.m_up[0] && !vf_vote.m_down[0])
  `P(Asks_mem_up_only, voted && vf_vote.m_up[0] && !vf_vote.c_up[0] && !vf_vote.c_down[0])
  `P(Asks_mem_down_only, voted && vf_vote.m_down[0] && !vf_vote.c_up[0] && !vf_vote.c_down[0])
  `P(Asks_both_up, voted && vf_vote.c_up[0] && vf_vote.m_up[0])
  `P(Asks_both_down, voted && vf_vote.c_down[0] && vf_vote.m_down[0])
  `P(Asks_comp_up_mem_down, voted && vf_vote.c_up[0] && vf_vote.m_down[0])
  `P(Asks_comp_down_mem_up, voted && vf_vote.c_down[0] && vf_vote.m_up[0])
  `P(Asks_nothing, voted && !vf_vote.c_up[0] && !vf_vote.c_down[0] && !vf_vote.m_up[0] && !vf_vote.m_down[0])
  `P(Asks_up_and_down, voted && vf_vote.sm_comp_up_i && vf_vote.sm_comp_down_i)    // is neither
  // The same of the memory's domain
  `P(Asks_mem_comp_up_only, voted && vf_vote.c_up[1] && !vf_vote.m_up[1] && !vf_vote.m_down[1])
  `P(Asks_mem_comp_down_only, voted && vf_vote.c_down[1] && !vf_vote.m_up[1] && !vf_vote.m_down[1])
  `P(Asks_mem_mem_up_only, voted && vf_vote.m_up[1] && !vf_vote.c_up[1] && !vf_vote.c_down[1])
  `P(Asks_mem_mem_down_only, voted && vf_vote.m_down[1] && !vf_vote.c_up[1] && !vf_vote.c_down[1])
  `P(Asks_mem_comp_down_mem_up, voted && vf_vote.c_down[1] && vf_vote.m_up[1])
  `P(Asks_mem_comp_up_mem_down, voted && vf_vote.c_up[1] && vf_vote.m_down[1])

  // Epochs
  `P(EQ_12_counted_while_a_result_is_out, voted && vf_vote.counted_q)
  `P(EQ_A20_counts_hold, !voted && !vf_vote.tick_i && (comp != 0 || mem != 0))
  `P(EQ_A20_epochs_back_to_back, voted && vf_vote.tick_i)
  `P(EQ_A20_comp_held_without_tick, !vf_vote.tick_i && vf_vote.comp_i != '0)
endmodule

bind vf_vote vf_vote_cover #(.NumSms(NumSms), .Majority(Majority)) u_cover ();

`undef P
`default_nettype wire
