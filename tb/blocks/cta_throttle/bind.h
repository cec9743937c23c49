/* SPDX-License-Identifier: Apache-2.0
 *
 * How cta_throttle hangs on the observation bus, and which cycles take a decision.
 */
#ifndef BALLAST_CTA_THROTTLE_BIND_H
#define BALLAST_CTA_THROTTLE_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "common/popcount.h"
#include "sm/cta_throttle.h"
#include "sm/eq_counters.h"
#include "sm/eq_decision.h"

static inline void cta_throttle_bind(cta_throttle_in *in, const cta_throttle_cfg *cfg,
                                     const sm_obs *const *obs, const void *const *needs)
{
    const sm_obs *sm = obs[0];
    const eq_counters_out *epoch = (const eq_counters_out *)needs[0];
    const eq_decision_out *wanted = (const eq_decision_out *)needs[1];

    (void)cfg;
    in->kernel_start = sm->kernel_start;
    in->nmax = sm->setup->kernel.nmax;
    in->tick = epoch->epoch_end;
    in->inc = wanted->inc;
    in->dec = wanted->dec;
    in->cta_start = sm->cta_start;
    in->cta_done = sm->cta_done;
    in->cta_active = sm->cta_active;
    in->denied = sm->cta_denied;
}

/* A tick that counts, and is not one of the many that change nothing. */
static inline bool cta_throttle_votes(const cta_throttle_state *before, const cta_throttle_in *in)
{
    return in->tick && !in->follow && before->nmax && (in->inc != in->dec || before->run);
}

static inline uint32_t cta_throttle_resumed(const cta_throttle_state *before, const cta_throttle_in *in,
                                            const cta_throttle_state *after)
{
    return before->paused & ~after->paused & in->cta_active & ~in->cta_done & ~in->cta_start;
}

/* More CTAs run than the new numBlocks allows: the next cycle pauses one. */
static inline bool cta_throttle_will_pause(const cta_throttle_in *in, const cta_throttle_state *after)
{
    const uint32_t resident = (in->cta_active & ~in->cta_done) | in->cta_start;

    return in->pause_en && ballast_popcount64(resident & ~after->paused) > after->num_blocks;
}

static inline bool cta_throttle_decides(const cta_throttle_cfg *cfg, const cta_throttle_state *before,
                                        const cta_throttle_in *in, const cta_throttle_out *out,
                                        const cta_throttle_state *after)
{
    (void)cfg, (void)out;
    if (!in->enable)
        return false;
    return in->kernel_start || cta_throttle_votes(before, in) || before->request != after->request ||
           (after->paused & ~before->paused) || cta_throttle_resumed(before, in, after);
}

/* Of a block that has this one inside: whether its registers are what they should be. */
static inline bool cta_throttle_same(const cta_throttle_state *a, const cta_throttle_state *b, const cta_throttle_cfg *cfg)
{
    bool same = a->num_blocks == b->num_blocks && a->nmax == b->nmax && a->run == b->run && a->run_up == b->run_up &&
                a->request == b->request && a->paused == b->paused && a->known == b->known && a->judged == b->judged &&
                a->many == b->many && a->few == b->few && a->fresh == b->fresh && a->moves == b->moves && a->slot == b->slot &&
                a->tests == b->tests && a->up == b->up && a->next == b->next;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        same &= a->order[i] == b->order[i];
    for (unsigned i = 0; i < ballast_slot_parts(cfg->num_slots); i++)
        same &= a->count[i] == b->count[i];
    return same;
}

#endif
