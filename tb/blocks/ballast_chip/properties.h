/* SPDX-License-Identifier: Apache-2.0
 *
 * What is tested of ballast_chip in every cycle (tb/rules), beside the proof of its step (doc/verification/proofs.md).
 */
#define PROPERTIES_ALONE

#include "blocks/ballast_chip/passed.h"

#define CHIP_CYCLE (&(ballast_chip_cycle){before, after, in, out, cfg})

/* A kernel that is about to start. */
static inline bool ballast_chip_will_take(const ballast_chip_state *s, const ballast_chip_cfg *cfg)
{
    bool taken = !s->regs.start;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        taken |= s->regs.kernel == k && ballast_chip_idle(s, cfg, k);
    return taken;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(TEST, "CHIP-1", "a kernel that starts is idle: the dispatcher takes every start",                                 \
      ballast_chip_will_take(after, cfg))                                                                                \
    P(TEST, "CHIP-2", "the governors get the settings, each start, their SM's bus, and the denials of the cycle before", \
      ballast_chip_governors_are(CHIP_CYCLE))                                                                            \
    P(TEST, "CHIP-3", "the dispatcher gets each start, and the limits and requests of the cycle",                        \
      ballast_chip_dispatcher_is(CHIP_CYCLE))                                                                            \
    P(TEST, "CHIP-4", "the registers see what dispatcher, governors and SMs show in the cycle",                          \
      ballast_chip_registers_are(CHIP_CYCLE))
