/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved and tested of ballast_chip in every cycle (tb/rules), beside the proof of its step (doc/verification/proofs.md).
 */
#define PROPERTIES_ALONE

#include "blocks/gwde/next.h"
#include "blocks/mcke/sound.h"
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

/* As many slots are held, of each kernel, as the dispatcher counts. So a count that is 0 stays 0 when a CTA returns. */
static inline bool ballast_chip_counted(const ballast_chip_state *s, const ballast_chip_cfg *cfg)
{
    bool counted = true;

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        counted &= cfg->num_kernels == 1 ? sm_resources_sound(&s->gwde.sm[i], &cfg->gwde.sm)
                                         : mcke_sm_counted(&s->mcke.sm[i], &cfg->mcke.sm) && mcke_sm_ready(&s->mcke.sm[i], &cfg->mcke.sm);
    return counted && (cfg->num_kernels == 1 || mcke_launch_sound(&s->mcke, &cfg->mcke));
}

/* Who waits for a CTA, the second one of a pair or any, gets one that is left. */
static inline bool ballast_chip_second_is_left(const ballast_chip_state *s, const ballast_chip_cfg *cfg)
{
    if (cfg->num_kernels != 1)
        return mcke_row_sound(&s->mcke, &cfg->mcke) && mcke_left_sound(&s->mcke, &cfg->mcke);
    return gwde_second_has_place(&s->gwde, &cfg->gwde) && gwde_ready_for_it(&s->gwde, &cfg->gwde);
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "REG-9", "in the cycle of a start no access is taken", !after->regs.start || !after->regs.setup)            \
    P(STATE, "CKE-1", "as many slots are held, of each kernel, as the dispatcher counts", ballast_chip_counted(after, cfg)) \
    P(STATE, "BCS-1", "an SM waits for a CTA, or for the second one of a pair, only where one is left", ballast_chip_second_is_left(after, cfg)) \
    P(STATE, "CHIP-1", "a kernel that starts is idle: the dispatcher takes every start",                                 \
      ballast_chip_will_take(after, cfg))                                                                                \
    P(TEST, "CHIP-2", "the governors get the settings, each start, their SM's bus, and the denials of the cycle before", \
      ballast_chip_governors_are(CHIP_CYCLE))                                                                            \
    P(TEST, "CHIP-3", "the dispatcher gets each start, and the limits and requests of the cycle",                        \
      ballast_chip_dispatcher_is(CHIP_CYCLE))                                                                            \
    P(TEST, "CHIP-4", "the registers see what dispatcher, governors and SMs show in the cycle",                          \
      ballast_chip_registers_are(CHIP_CYCLE))
