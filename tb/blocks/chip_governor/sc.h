// SPDX-License-Identifier: Apache-2.0
//
// chip_governor, the chip, as a SystemC module: a governor per SM, the vote and both VF domains. The RTL is a class V that Verilator
// makes (--sc --prefix V..., parameter NumSms and the others as you set them: VERILATED_H names its header, Vchip_governor_top.h
// unless defined); chip_governor_model_sc<V> is the C model behind the same ports, with the same parameters in a chip_governor_cfg.
//
// Clock    clk_i, rising edge: the clock of all SMs. Its period is yours; nothing in here waits for time.
// Reset    rst_ni, synchronous, active low. Hold it over at least one rising edge before the first cycle.
// Phase    Drive the inputs of a cycle after the rising edge that begins it and hold them over the one that ends it; sample
//          outputs with the clock's edge, as a register would (clk.pos(), before any delta).
// Units    static_limit_i, nmax_i, limit_o: CTAs; wcta_i: warps per CTA; t_idle_i, t_mem_*_i: cycles of a period; mode_i: 0
//          saves energy, 1 performance; sm_level_o, mem_level_o: 0 low, 1 normal, 2 high. Signals of the SMs are vectors with
//          one field per SM, SM 0 in the lowest bits; the fields as in sm_governor_sc.h.
// Types    of one bit bool, up to 32 bits uint32_t, up to 64 bits uint64_t, wider sc_bv.
// Source   rtl/chip/chip_governor.sv and cmodel/chip/chip_governor.c; ports in tb/blocks/chip_governor/ports.h, rules in doc/blocks/chip_governor.md and
//          doc/blocks/timing.md. How to instantiate: doc/use/systemc.md.
#ifndef BALLAST_CHIP_GOVERNOR_SC_H
#define BALLAST_CHIP_GOVERNOR_SC_H

#ifndef VERILATED_H
#define VERILATED_H "Vchip_governor_top.h"
#endif
#include VERILATED_H
extern "C" {
#include "blocks/chip_governor/ports.h"
}
#include "systemc/module.h"
#ifndef BALLAST_SC_KEEP_LIST
#include "shim/ports_end.h"
#endif

#endif
