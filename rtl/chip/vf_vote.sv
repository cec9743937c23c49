// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// vf_vote: counts at the end of an epoch how many SMs are compute-bound and how many are memory-bound,
// and gives each VF domain the request of the majority (Equalizer, EQ-12, EQ-16). One per chip.
//
// Timing: a vote takes two cycles. At the edge that ends the tick's cycle, the SMs of each group are
// counted; at the next edge, the groups are added up. `valid_o` and the requests belong to the epoch
// whose tick was two cycles before. The requests depend combinationally on the answers of the domains,
// and on the SMs only through the two sums, which are registers.
//
// To count 132 SMs in one cycle takes 43 FO4, and the sums of 15 SMs each take few flip-flops.
//
// All SMs with the same action request the same. So a majority can consist of one action, of the
// other, of both, or of one against the other. The comparisons are made for these four cases, and the
// answers of the domains select one. To add up who requests what and compare then takes a third more
// LUTs (fermi: 99 instead of 75) and 5 % more area with 132 SMs.
//
// doc/blocks/vf_vote.md

`default_nettype none

module vf_vote #(
  parameter int NumSms   = 15,  // SMs of the chip, 1..256
  parameter int Majority = 0    // majority of 0 all SMs, 1 those with a request; 2 plurality (EQ-A17)
) (
  input  wire               clk_i,
  input  wire               rst_ni,

  input  wire               tick_i,  // an epoch has ended: comp_i and mem_i hold
  input  wire  [NumSms-1:0] comp_i,  // SMs with CompAction
  input  wire  [NumSms-1:0] mem_i,   // SMs with MemAction

  // What an action asks of a domain now: <domain>_<action>_<direction>.
  input  wire               sm_comp_up_i,
  input  wire               sm_comp_down_i,
  input  wire               sm_mem_up_i,
  input  wire               sm_mem_down_i,
  input  wire               mem_comp_up_i,
  input  wire               mem_comp_down_i,
  input  wire               mem_mem_up_i,
  input  wire               mem_mem_down_i,

  output logic              valid_o,
  output logic              sm_up_o,
  output logic              sm_down_o,
  output logic              mem_up_o,
  output logic              mem_down_o
);

  localparam int Group  = 15;  // SMs that are counted together: as many as four bits can count
  localparam int GroupW = 4;
  localparam int Groups = (NumSms + 14) / 15;
  localparam int CountW = $clog2(15 * Groups + 1);  // no sum of groups wraps
  localparam int BothW  = CountW + 1;
  localparam int SumW   = CountW + 2;  // for twice one count and once the other

  logic              counted_q;    // the groups hold the epoch that ended in the cycle before
  logic              valid_q;      // the sums hold the epoch that ended two cycles before
  (* mem2reg *)                    // Yosys makes registers of it without a warning
  logic [GroupW-1:0] comp_of_q [Groups];
  (* mem2reg *)
  logic [GroupW-1:0] mem_of_q [Groups];
  logic [CountW-1:0] comp_count_q, mem_count_q;

  //////////////////////////////////////////////////////////////////////////////
  // Count by groups (EQ-7: an SM has one action at most; an SM that shows both has none). The sets have
  // names because Icarus 11 counts bits beyond the width of an expression.

  logic [NumSms-1:0]        comp_only, mem_only;
  logic [Groups*Group-1:0]  comp_sms, mem_sms;  // the last group filled up with SMs without an action
  logic [Groups*GroupW-1:0] comp_of, mem_of;    // the registers: Icarus 11 does not see an array change

  assign comp_only = comp_i & ~mem_i;
  assign mem_only  = mem_i & ~comp_i;
  assign comp_sms  = (Groups * Group)'(comp_only);
  assign mem_sms   = (Groups * Group)'(mem_only);

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [Group-1:0] comp_here, mem_here;

    assign comp_here = comp_sms[g*Group+:Group];
    assign mem_here  = mem_sms[g*Group+:Group];

    always_ff @(posedge clk_i) begin : p_group
      if (!rst_ni || !tick_i) begin
        comp_of_q[g] <= '0;
        mem_of_q[g]  <= '0;
      end else begin
        comp_of_q[g] <= GroupW'($countones(comp_here));
        mem_of_q[g]  <= GroupW'($countones(mem_here));
      end
    end

    assign comp_of[g*GroupW+:GroupW] = comp_of_q[g];
    assign mem_of[g*GroupW+:GroupW]  = mem_of_q[g];
  end

  //////////////////////////////////////////////////////////////////////////////
  // Add up the groups

  logic [CountW-1:0] comp_total, mem_total;

  always_comb begin : p_total
    comp_total = '0;
    mem_total  = '0;
    for (int g = 0; g < Groups; g++) begin
      comp_total = comp_total + CountW'(comp_of[g*GroupW+:GroupW]);
      mem_total  = mem_total + CountW'(mem_of[g*GroupW+:GroupW]);
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Decide: who wins

  logic comp_alone, mem_alone;     // only this action requests the direction, none the opposite
  logic comp_mem;                  // both actions request the direction
  logic comp_vs_mem, mem_vs_comp;  // one action requests the direction, the other the opposite

  if (Majority == 1) begin : gen_voters
    // More than half of the SMs with a request: more than those that request the opposite.
    assign comp_alone  = comp_count_q != '0;
    assign mem_alone   = mem_count_q != '0;
    assign comp_mem    = comp_alone || mem_alone;
    assign comp_vs_mem = comp_count_q > mem_count_q;
    assign mem_vs_comp = mem_count_q > comp_count_q;
  end else begin : gen_all
    // More than half of all SMs. An action that is alone has no opposite, so a plurality has to beat
    // the SMs that maintain, which is the same.
    logic [BothW-1:0] both;
    assign both       = BothW'(comp_count_q) + BothW'(mem_count_q);
    assign comp_alone = 32'(comp_count_q) > NumSms / 2;
    assign mem_alone  = 32'(mem_count_q) > NumSms / 2;
    assign comp_mem   = 32'(both) > NumSms / 2;

    if (Majority == 0) begin : gen_strict
      assign comp_vs_mem = comp_alone;
      assign mem_vs_comp = mem_alone;
    end else begin : gen_plurality
      // More than the opposite, and more than the NumSms - both SMs that maintain.
      logic [SumW-1:0] comp_sum, mem_sum;
      assign comp_sum    = SumW'(both) + SumW'(comp_count_q);
      assign mem_sum     = SumW'(both) + SumW'(mem_count_q);
      assign comp_vs_mem = comp_count_q > mem_count_q && 32'(comp_sum) > NumSms;
      assign mem_vs_comp = mem_count_q > comp_count_q && 32'(mem_sum) > NumSms;
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Decide: what it requests

  logic [1:0] c_up, c_down, m_up, m_down;  // bit 0: of the SM domain, bit 1: of the memory domain
  logic [1:0] up, down;

  // Up and down at once is neither.
  assign c_up   = {mem_comp_up_i && !mem_comp_down_i, sm_comp_up_i && !sm_comp_down_i};
  assign c_down = {mem_comp_down_i && !mem_comp_up_i, sm_comp_down_i && !sm_comp_up_i};
  assign m_up   = {mem_mem_up_i && !mem_mem_down_i, sm_mem_up_i && !sm_mem_down_i};
  assign m_down = {mem_mem_down_i && !mem_mem_up_i, sm_mem_down_i && !sm_mem_up_i};

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    assign up[d]   = (c_up[d] && m_up[d] && comp_mem) ||
                     (c_up[d] && !m_up[d] && (m_down[d] ? comp_vs_mem : comp_alone)) ||
                     (m_up[d] && !c_up[d] && (c_down[d] ? mem_vs_comp : mem_alone));
    assign down[d] = (c_down[d] && m_down[d] && comp_mem) ||
                     (c_down[d] && !m_down[d] && (m_up[d] ? comp_vs_mem : comp_alone)) ||
                     (m_down[d] && !c_down[d] && (c_up[d] ? mem_vs_comp : mem_alone));
  end

  assign valid_o    = valid_q;
  assign sm_up_o    = valid_q && up[0];
  assign sm_down_o  = valid_q && down[0];
  assign mem_up_o   = valid_q && up[1];
  assign mem_down_o = valid_q && down[1];

  //////////////////////////////////////////////////////////////////////////////
  // Registers

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      counted_q    <= 1'b0;
      valid_q      <= 1'b0;
      comp_count_q <= '0;
      mem_count_q  <= '0;
    end else begin
      counted_q <= tick_i;
      valid_q   <= counted_q;
      if (counted_q) begin
        comp_count_q <= comp_total;
        mem_count_q  <= mem_total;
      end
    end
  end

`ifdef VERILATOR
  // The rule as it reads (EQ-12, EQ-A17): the SMs that ask for a direction and for its opposite. What
  // an action asks of a domain is {up, down}; both at once is neither.
  function automatic int asking(input [1:0] direction, input [1:0] comp_asks, input [1:0] mem_asks);
    asking = ((comp_asks == direction) ? 32'(comp_count_q) : 0) +
             ((mem_asks == direction) ? 32'(mem_count_q) : 0);
  endfunction

  function automatic wins(input int ask, input int oppose);
    case (Majority)
      0:       wins = 2 * ask > NumSms;
      1:       wins = 2 * ask > ask + oppose;
      default: wins = ask > oppose && ask > NumSms - ask - oppose;
    endcase
  endfunction

  int sm_inc, sm_dec, mem_inc, mem_dec;
  always_comb begin : p_asking
    sm_inc  = asking(2'b10, {sm_comp_up_i, sm_comp_down_i}, {sm_mem_up_i, sm_mem_down_i});
    sm_dec  = asking(2'b01, {sm_comp_up_i, sm_comp_down_i}, {sm_mem_up_i, sm_mem_down_i});
    mem_inc = asking(2'b10, {mem_comp_up_i, mem_comp_down_i}, {mem_mem_up_i, mem_mem_down_i});
    mem_dec = asking(2'b01, {mem_comp_up_i, mem_comp_down_i}, {mem_mem_up_i, mem_mem_down_i});
  end

  // What the groups hold, added up.
  int comp_sum_of, mem_sum_of;
  always_comb begin : p_sum_of
    comp_sum_of = 0;
    mem_sum_of  = 0;
    for (int g = 0; g < Groups; g++) begin
      comp_sum_of = comp_sum_of + 32'(comp_of[g*GroupW+:GroupW]);
      mem_sum_of  = mem_sum_of + 32'(mem_of[g*GroupW+:GroupW]);
    end
  end

  // What was in the cycle before, for the assertions.
  logic              was_running, was_tick, was_counted, after_counts_hold;
  logic [NumSms-1:0] was_one_action, was_comp, was_mem;
  logic [CountW-1:0] was_comp_count, was_mem_count;
  int                was_comp_sum, was_mem_sum;

  always_ff @(posedge clk_i) begin : p_was
    was_running       <= rst_ni;
    was_tick          <= rst_ni && tick_i;
    was_counted       <= rst_ni && counted_q;
    was_one_action    <= comp_i ^ mem_i;
    was_comp          <= comp_i;
    was_mem           <= mem_i;
    after_counts_hold <= rst_ni && !counted_q;
    was_comp_count    <= comp_count_q;
    was_mem_count     <= mem_count_q;
    was_comp_sum      <= comp_sum_of;
    was_mem_sum       <= mem_sum_of;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // EQ-12: the majority has its way, separately in each domain, once per epoch.
      SmUp: assert (sm_up_o == (valid_q && wins(sm_inc, sm_dec)));
      SmDown: assert (sm_down_o == (valid_q && wins(sm_dec, sm_inc)));
      MemUp: assert (mem_up_o == (valid_q && wins(mem_inc, mem_dec)));
      MemDown: assert (mem_down_o == (valid_q && wins(mem_dec, mem_inc)));
      // Who asks for the one does not ask for the other.
      SmOneWay: assert (!(sm_up_o && sm_down_o));
      MemOneWay: assert (!(mem_up_o && mem_down_o));
      // EQ-7: an SM with one action is counted, and one with both is not.
      CountsOne: assert (!was_tick || (comp_sum_of + mem_sum_of == $countones(was_one_action) &&
          $countones(was_comp) + mem_sum_of == $countones(was_mem) + comp_sum_of));
      // A cycle without an epoch leaves nothing to add up.
      NoneCounted: assert (counted_q || comp_sum_of + mem_sum_of == 0);
      CountRange: assert (32'(comp_count_q) + 32'(mem_count_q) <= NumSms);
      // The groups are added up in the cycle after.
      SumsFollow: assert (!was_counted || (32'(comp_count_q) == was_comp_sum &&
          32'(mem_count_q) == was_mem_sum));
      // EQ-A20: the counts are replaced by an epoch, and by nothing else.
      CountedAfterTick: assert (!was_running || counted_q == was_tick);
      ValidAfterCounted: assert (!was_running || valid_o == was_counted);
      CountsHold: assert (!after_counts_hold || (comp_count_q == was_comp_count &&
          mem_count_q == was_mem_count));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
