// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the tests and recordings of warp_scheduler have to reach (doc/blocks/warp_scheduler.md). tb/cover reads the names and comments.
`include "cover.svh"

`define P(name, expr) `POINT(name, warp_scheduler, expr)

`default_nettype none

module warp_scheduler_cover;
  // A cycle that counts, one that does not, and the start of a kernel after cycles that did
  `P(Counts, warp_scheduler.enable_i && !warp_scheduler.occupied_i && !warp_scheduler.kernel_start_i)
  `P(Holds, warp_scheduler.enable_i && warp_scheduler.occupied_i)
  `P(Start_clears, warp_scheduler.enable_i && warp_scheduler.kernel_start_i && warp_scheduler.idle_q != '0)
  // The counter at its highest value
  `P(Full, warp_scheduler.enable_i && !warp_scheduler.occupied_i && &warp_scheduler.idle_q)
  // Enable: a start that is missed
  `P(Disabled_start, !warp_scheduler.enable_i && warp_scheduler.kernel_start_i)
endmodule

bind warp_scheduler warp_scheduler_cover u_cover ();

`undef P
`default_nettype wire
