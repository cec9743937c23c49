/* SPDX-License-Identifier: Apache-2.0
 *
 * How the chip hangs on the observation buses of its SMs, and which cycles take a decision.
 */
#ifndef BALLAST_CHIP_GOVERNOR_BIND_H
#define BALLAST_CHIP_GOVERNOR_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "chip/chip_governor.h"
#include "blocks/scout/bind.h"
#include "blocks/sm_governor/bind.h"
#include "blocks/vf_domain/bind.h"
#include "blocks/vf_scout/bind.h"
#include "blocks/vf_vote/bind.h"

static inline void chip_governor_bind(chip_governor_in *in, const chip_governor_cfg *cfg, const sm_obs *const *obs,
                                const void *const *needs)
{
    (void)needs;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        sm_governor_observe(&in->sm[i], &cfg->sm, obs[i]);
}

/* What the search says, from its registers. */
static inline unsigned chip_governor_searched(const scout_state *s)
{
    return s->state == SCOUT_ST_LOOK ? s->cand : s->best;
}

/* What an SM may hold, by the registers of the chip: its limit_o. */
static inline unsigned chip_governor_limit(const chip_governor_state *s, unsigned sm)
{
    return sm_governor_limit(&s->sm[sm], chip_governor_searched(&s->scout));
}

static inline bool chip_governor_limits_differ(unsigned num_sms, const chip_governor_state *before, const chip_governor_state *after)
{
    for (unsigned i = 0; i < num_sms; i++)
        if (chip_governor_limit(before, i) != chip_governor_limit(after, i))
            return true;
    return false;
}

/* What is told of the searches: the inputs that their records have. `start`: of a kernel on SM 0. */
static inline scout_in chip_governor_told_scout(bool start, const chip_governor_state *after)
{
    const bool known = after->scout.state == SCOUT_ST_DONE && after->scout.nmax > 1;

    return (scout_in){.enable = after->search, .kernel_start = start, .nmax = after->scout.nmax, .hint = known ? after->scout.best : 0};
}

static inline vf_scout_in chip_governor_told_levels(bool start, uint8_t mode, const chip_governor_state *after)
{
    return (vf_scout_in){.enable = after->search, .kernel_start = start, .mode = mode};
}

static inline bool chip_governor_search_decides(const chip_governor_cfg *cfg, const chip_governor_state *before, bool start,
                                                const chip_governor_state *after)
{
    const vf_scout_in levels = chip_governor_told_levels(start, before->levels.mode, after);
    const scout_in limit = chip_governor_told_scout(start, after);

    return scout_decides(&cfg->scout, &before->scout, &limit, NULL, &after->scout) ||
           vf_scout_decides(&cfg->levels, &before->levels, &levels, NULL, &after->levels);
}

static inline bool chip_governor_moves(const chip_governor_cfg *cfg, const chip_governor_state *before, bool start,
                                       const chip_governor_state *after)
{
    return chip_governor_search_decides(cfg, before, start, after) || before->vote.valid || before->sm_domain.timer == 1 || before->mem_domain.timer == 1 ||
           chip_governor_limits_differ(cfg->num_sms, before, after);
}

static inline bool chip_governor_decides(const chip_governor_cfg *cfg, const chip_governor_state *before, const chip_governor_in *in,
                                         const chip_governor_out *out, const chip_governor_state *after)
{
    (void)out;
    return chip_governor_moves(cfg, before, in->sm[0].kernel_start, after);
}

#endif
