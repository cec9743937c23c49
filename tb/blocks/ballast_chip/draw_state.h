/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers in which each bit of a setting decides something, and which a run may have.
 */
#ifndef BALLAST_BALLAST_CHIP_DRAW_STATE_H
#define BALLAST_BALLAST_CHIP_DRAW_STATE_H

#include "chip/ballast_chip.h"
#include "engine/random.h"

/* The end of DYNCTA's period on each SM, with counts beside the thresholds. */
static inline void ballast_chip_draw_end_of_period(ballast_chip_state *s, const ballast_chip_cfg *cfg, uint64_t *seed)
{
    const uint32_t period = cfg->governor.sm.dyncta.period;
    ballast_regs_state *r = &s->regs;

    r->t_idle = random_below(seed, period + 1);
    r->t_mem_l = random_below(seed, period + 1);
    r->t_mem_h = r->t_mem_l + random_below(seed, period + 1 - r->t_mem_l);
    for (unsigned i = 0; i < cfg->governor.num_sms; i++) {
        dyncta_state *d = &s->governor.sm[i].dyncta;

        s->governor.sm[i].policy = BALLAST_POLICY_DYNCTA;
        d->nmax = (uint8_t)cfg->gwde.sm.num_slots;
        d->limit = (uint8_t)(1 + random_below(seed, d->nmax));
        d->timer = period - 1;
        d->idle = (uint32_t)random_near(seed, r->t_idle, d->timer);
        d->mem = (uint32_t)random_near(seed, random_below(seed, 2) ? r->t_mem_l : r->t_mem_h, d->timer - d->idle);
    }
    s->governor.search = 0;
}

/* A kernel starts under `scout` whose limit may be remembered: its number is one bit, and so is that of the only entry. */
static inline void ballast_chip_draw_known_kernel(ballast_chip_state *s, const ballast_chip_cfg *cfg, uint64_t *seed)
{
    limit_table_state *table = &s->governor.table;
    const uint8_t number = (uint8_t)(1u << random_below(seed, 8));

    if (s->regs.nmax == 0)
        return;
    s->regs.start = 1;
    s->regs.setup = 0;
    s->regs.policy = BALLAST_POLICY_SCOUT;
    s->regs.kernel_id = number;
    *table = (limit_table_state){.next = cfg->governor.table.entries > 1};
    table->entry_id[0] = (uint16_t)(random_below(seed, 2) ? number : 1u << random_below(seed, 8));
    table->entry_nmax[0] = s->regs.nmax;
    table->entry_limit[0] = (uint8_t)(1 + random_below(seed, s->regs.nmax));
}

#endif
