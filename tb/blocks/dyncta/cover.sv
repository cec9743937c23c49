// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of dyncta have to reach (doc/blocks/dyncta.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, dyncta, expr)
// A threshold's three edges at the end of a sample: the count with the sample's last cycle against it.
`define EDGES(name, count, threshold) \
  `P(name``_one_below, dyncta.sample_end_o && count + 1 == 33'(threshold)) \
  `P(name``_exactly_at, dyncta.sample_end_o && count == 33'(threshold)) \
  `P(name``_one_above, dyncta.sample_end_o && count == 33'(threshold) + 1)

`default_nettype none

module dyncta_cover #(
  parameter int Period = 2048
);
  logic [32:0] idle, mem;
  logic        up, down;

  assign idle = 33'(dyncta.idle_q) + 33'(dyncta.idle_now);
  assign mem  = 33'(dyncta.mem_q) + 33'(dyncta.mem_now);
  assign up   = idle > 33'(dyncta.t_idle_i) || mem < 33'(dyncta.t_mem_l_i);
  assign down = !up && mem > 33'(dyncta.t_mem_h_i);

  // Kernel starts (DYN-1)
  `P(DYN_1_nmax_0, dyncta.start && dyncta.nmax_i == '0)
  `P(DYN_1_nmax_1, dyncta.start && dyncta.nmax_i == 1)
  `P(DYN_1_nmax_even, dyncta.start && dyncta.nmax_i > 1 && !dyncta.nmax_i[0])
  `P(DYN_1_nmax_odd, dyncta.start && dyncta.nmax_i > 1 && dyncta.nmax_i[0])
  `P(Start_amid_sample, dyncta.start && dyncta.timer_q != '0)
  `P(Start_hides_sample, dyncta.start && dyncta.nmax_q != '0 && 32'(dyncta.timer_q) == Period - 1)

  // DYN-2: what a cycle is, and what the last one of a sample is
  `P(DYN_4_idle, dyncta.counts && dyncta.lcs_class_i == ballast_pkg::LcsIdle)
  `P(DYN_4_mem_stall, dyncta.counts && dyncta.lcs_class_i == ballast_pkg::LcsMemStall)
  `P(DYN_4_core_stall, dyncta.counts && dyncta.lcs_class_i == ballast_pkg::LcsCoreStall)
  `P(DYN_4_active, dyncta.counts && dyncta.lcs_class_i == ballast_pkg::LcsActive)
  `P(DYN_2_last_cycle_idle, dyncta.sample_end_o && dyncta.idle_now)
  `P(DYN_2_last_cycle_waits, dyncta.sample_end_o && dyncta.mem_now)
  `P(DYN_2_last_cycle_neither, dyncta.sample_end_o && !dyncta.idle_now && !dyncta.mem_now)
  `P(DYN_2_all_idle, dyncta.sample_end_o && idle == 33'(Period))
  `P(DYN_2_all_waiting, dyncta.sample_end_o && mem == 33'(Period))
  `P(DYN_2_none_counted, dyncta.sample_end_o && idle == '0 && mem == '0)

  // DYN-3: each threshold, the count one below, exactly at, one above
  // The idle cycles against t_idle
  `EDGES(DYN_3_t_idle, idle, dyncta.t_idle_i)
  // The waiting cycles against t_mem_l
  `EDGES(DYN_3_t_mem_l, mem, dyncta.t_mem_l_i)
  // The waiting cycles against t_mem_h
  `EDGES(DYN_3_t_mem_h, mem, dyncta.t_mem_h_i)
  // The same three by the sample's last cycle only
  `P(DYN_3_last_cycle_passes_t_idle, dyncta.sample_end_o && dyncta.idle_now && dyncta.idle_q == dyncta.t_idle_i)
  `P(DYN_3_last_cycle_reaches_t_mem_l, dyncta.sample_end_o && dyncta.mem_now && mem == 33'(dyncta.t_mem_l_i))
  `P(DYN_3_last_cycle_passes_t_mem_h, dyncta.sample_end_o && dyncta.mem_now && dyncta.mem_q == dyncta.t_mem_h_i)

  // DYN-3: the limit: up by either reason, down, as it is; and at its bounds
  `P(DYN_3_up_idle, dyncta.sample_end_o && idle > 33'(dyncta.t_idle_i) && dyncta.limit_q != dyncta.nmax_q)
  `P(DYN_3_up_few_wait, dyncta.sample_end_o && idle <= 33'(dyncta.t_idle_i) && mem < 33'(dyncta.t_mem_l_i) &&
     dyncta.limit_q != dyncta.nmax_q)
  `P(DYN_3_up_before_down, dyncta.sample_end_o && up && mem > 33'(dyncta.t_mem_h_i))
  `P(DYN_3_up_at_nmax, dyncta.sample_end_o && up && dyncta.limit_q == dyncta.nmax_q)
  `P(DYN_3_down, dyncta.sample_end_o && down && dyncta.limit_q != 1)
  `P(DYN_3_down_at_1, dyncta.sample_end_o && down && dyncta.limit_q == 1)
  `P(DYN_3_stays, dyncta.sample_end_o && !up && !down)
  `P(DYN_3_reaches_1, dyncta.sample_end_o && dyncta.limit_q == 2 && dyncta.limit_d == 1)
  `P(DYN_3_reaches_nmax, dyncta.sample_end_o && dyncta.limit_q != dyncta.nmax_q && dyncta.limit_d == dyncta.nmax_q)
  `NEVER(UpOrDown, dyncta, dyncta.sample_end_o && 33'(dyncta.limit_d) !=
         (up && dyncta.limit_q != dyncta.nmax_q ? 33'(dyncta.limit_q) + 1 :
          down && dyncta.limit_q != 1 ? 33'(dyncta.limit_q) - 1 : 33'(dyncta.limit_q)))

  // Enable: events that are missed
  `P(Disabled_start, !dyncta.enable_i && dyncta.kernel_start_i)
  `P(Disabled_amid_sample, !dyncta.enable_i && dyncta.timer_q != '0)
  `P(Disabled_at_sample_end, !dyncta.enable_i && dyncta.nmax_q != '0 && 32'(dyncta.timer_q) == Period - 1)
endmodule

bind dyncta dyncta_cover #(.Period(Period)) u_cover ();

`undef P
`undef EDGES
`default_nettype wire
