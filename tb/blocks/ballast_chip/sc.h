// SPDX-License-Identifier: Apache-2.0
//
// ballast_chip, the module to instantiate, as a SystemC module: registers on APB4, CTA dispatcher, a governor per SM, vote and VF domains.
// The RTL is a class V that Verilator makes (--sc --prefix V..., parameters NumSms, NumKernels and the others as you set them: VERILATED_H
// names its header, Vballast_chip.h unless defined); ballast_chip_model_sc<V> is the C model behind the same ports, with the same
// parameters in a ballast_chip_cfg.
//
// Clock    clk_i, rising edge: the clock of all SMs, and PCLK. Its period is yours; nothing in here waits for time.
// Reset    rst_ni, synchronous, active low. Hold it over at least one rising edge before the first cycle.
// Phase    Drive the inputs of a cycle after the rising edge that begins it and hold them over the one that ends it; sample
//          outputs with the clock's edge, as a register would (clk.pos(), before any delta). prdata_o and pslverr_o follow the bus in
//          the same cycle.
// Units    paddr_i: bytes; registers in doc/blocks/ballast_regs.md and rtl/registers/ballast_regs_map.h; limit_o: CTAs; warps_o, regs_o,
//          smem_o: what a CTA needs, in warps and allocation units; sm_level_o, mem_level_o: 0 low, 1 normal, 2 high. Signals of the SMs
//          are vectors with one field per SM, SM 0 in the lowest bits.
// Types    of one bit bool, up to 32 bits uint32_t, up to 64 bits uint64_t, wider sc_bv.
// Source   rtl/chip/ballast_chip.sv and cmodel/chip/ballast_chip.c; ports in tb/blocks/ballast_chip/ports.h, rules in
//          doc/blocks/ballast_chip.md and doc/blocks/timing.md. How to instantiate: doc/use/systemc.md.
#ifndef BALLAST_BALLAST_CHIP_SC_H
#define BALLAST_BALLAST_CHIP_SC_H

#ifndef VERILATED_H
#define VERILATED_H "Vballast_chip.h"
#endif
#include VERILATED_H
extern "C" {
#include "blocks/ballast_chip/ports.h"
}
#include "systemc/module.h"
#ifndef BALLAST_SC_KEEP_LIST
#include "shim/ports_end.h"
#endif

#endif
