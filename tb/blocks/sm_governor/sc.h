// SPDX-License-Identifier: Apache-2.0
//
// sm_governor, all policies of an SM, as a SystemC module: the RTL that Verilator has translated (sm_governor_sc) and the C
// model behind the same ports (sm_governor_model_sc).
//
// Clock    clk_i, rising edge: the clock of the SMs. Its period is yours; nothing in here waits for time.
// Reset    rst_ni, synchronous, active low. Hold it over at least one rising edge before the first cycle.
// Phase    Drive the inputs of a cycle after the rising edge that begins it and hold them over the one that ends it. Outputs
//          settle some delta cycles after inputs or registers have changed (req_o, epoch_o, votes, t_new_* follow inputs of
//          the same cycle): sample them with the clock's edge, as a register would (clk.pos(), before any delta).
// Units    static_limit_i, nmax_i, lcs_bcast_limit_i, limit_o, t_new_o: CTAs; wcta_i: warps per CTA; t_idle_i, t_mem_*_i:
//          cycles of a period; ws0_i .. ws3_i: bit w of plane b is bit b of warp w's state (cmodel/common/encodings.h);
//          cta_*_i, cta_paused_o: a bit per CTA slot.
// Types    of one bit bool, up to 32 bits uint32_t, up to 64 bits uint64_t, wider sc_bv.
// Source   rtl/sm/sm_governor.sv and cmodel/sm/sm_governor.c; ports in tb/blocks/sm_governor/ports.h, rules in
//          doc/blocks/sm_governor.md and doc/blocks/timing.md. How to instantiate: doc/use/systemc.md.
#ifndef BALLAST_SM_GOVERNOR_SC_H
#define BALLAST_SM_GOVERNOR_SC_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "Vsm_governor.h"
extern "C" {
#include "blocks/sm_governor/ports.h"
}
#include "systemc/module.h"
#ifndef BALLAST_SC_KEEP_LIST
#include "shim/ports_end.h"
#endif

using sm_governor_sc = Vsm_governor;

#endif
