/* SPDX-License-Identifier: Apache-2.0
 *
 * The RTL half of a block's descriptor for a design in Icarus Verilog: the same functions for every block, since the port list
 * says by name what there is. One unit of simulated time from inputs to outputs, one more from the clock's rise to registers.
 */
#ifndef BALLAST_ICARUS_RTL_H
#define BALLAST_ICARUS_RTL_H

#include "engine/block.h"

void *icarus_create(const char *block_name, const port_list *ports); /* block_name: the root module */
extern const block_rtl icarus_rtl; /* but for `create` */

/* For the registry: a variant's descriptor. Nothing is random: what is not known is X. */
#define ICARUS_BLOCK(variant, stem_, params_)                                                                \
    static void *variant##_create(uint32_t seed, const void *cfg, const port_list *ports)                    \
    {                                                                                                        \
        (void)seed, (void)cfg;                                                                               \
        return icarus_create(#stem_, ports);                                                                 \
    }                                                                                                        \
    static block_rtl variant##_rtl;                                                                          \
    __attribute__((constructor)) static void variant##_fill(void)                                            \
    {                                                                                                        \
        variant##_rtl = icarus_rtl;                                                                          \
        variant##_rtl.create = variant##_create;                                                             \
    }                                                                                                        \
    extern const block_model stem_##_model;                                                                  \
    static const block variant##_block = {#variant, params_, &stem_##_model, &variant##_rtl};

#endif
