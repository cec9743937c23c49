/* SPDX-License-Identifier: Apache-2.0
 *
 * The RTL half of a block's descriptor for a design in Icarus Verilog: the same functions for every block, since the port list
 * says by name what there is. One unit of simulated time from inputs to outputs, one more from the clock's rise to registers.
 */
#ifndef BALLAST_ICARUS_RTL_H
#define BALLAST_ICARUS_RTL_H

#include "engine/block.h"

void *icarus_create(const char *block_name, const port_list *ports); /* block_name: the root module */
void icarus_destroy(void *h);
/* One edge in reset, with nothing known but the reset: before it all registers and inputs are X. */
void icarus_reset(void *h);
void icarus_cycle(void *h, const void *in);
bool icarus_cycle_equal(void *h, const void *in, const void *out, const void *state);
void icarus_settle(void *h, const void *in);
void icarus_edge(void *h);
void icarus_outputs(void *h, void *out);
void icarus_registers(void *h, void *state);
void icarus_load(void *h, const void *state);
bool icarus_registers_equal(void *h, const void *state);
const char *icarus_assertion(void *h);
uint64_t icarus_unknown(void *h, unsigned port);

/* For the registry: a variant's descriptor. */
#define ICARUS_BLOCK(variant, stem_, params_)                                              \
    static void *variant##_create(uint32_t seed, const void *cfg, const port_list *ports)  \
    {                                                                                      \
        (void)seed, (void)cfg; /* nothing is random: what is not known is X */             \
        return icarus_create(#stem_, ports);                                               \
    }                                                                                      \
    static const block_rtl variant##_rtl = {.create = variant##_create,                    \
                                            .destroy = icarus_destroy,                     \
                                            .reset = icarus_reset,                         \
                                            .cycle = icarus_cycle,                         \
                                            .cycle_equal = icarus_cycle_equal,             \
                                            .settle = icarus_settle,                       \
                                            .edge = icarus_edge,                           \
                                            .outputs = icarus_outputs,                     \
                                            .registers = icarus_registers,                 \
                                            .load = icarus_load,                           \
                                            .registers_equal = icarus_registers_equal,     \
                                            .assertion = icarus_assertion,                 \
                                            .unknown = icarus_unknown};                    \
    extern const block_model stem_##_model;                                                \
    static const block variant##_block = {#variant, params_, &stem_##_model, &variant##_rtl};

#endif
