/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of an SM's account in every state that a run can reach: for the proofs of sm_resources, and of what is around it.
 */
#ifndef BALLAST_SM_RESOURCES_SOUND_H
#define BALLAST_SM_RESOURCES_SOUND_H

#include <stdbool.h>

#include "common/popcount.h"
#include "sm/sm_resources.h"

/* Slot n is one of the SM's, and nobody holds it. */
static inline bool sm_resources_is_free(const sm_resources_state *s, const sm_resources_cfg *cfg, unsigned n)
{
    return n < cfg->num_slots && !(s->held >> n & 1);
}

static inline bool sm_resources_returning_held(const sm_resources_state *s)
{
    return (s->returning & ~s->held) == 0;
}

static inline bool sm_resources_counted(const sm_resources_state *s)
{
    return s->count == ballast_popcount64(s->held);
}

static inline bool sm_resources_place_free(const sm_resources_state *s, const sm_resources_cfg *cfg)
{
    return !s->ready || sm_resources_is_free(s, cfg, s->slot);
}

static inline bool sm_resources_pair_free(const sm_resources_state *s, const sm_resources_cfg *cfg)
{
    return !s->ready || !s->whole || (s->slot % 2 == 0 && sm_resources_is_free(s, cfg, s->slot + 1u));
}

static inline bool sm_resources_second_free(const sm_resources_state *s, const sm_resources_cfg *cfg)
{
    return !s->second || (!s->ready && s->slot % 2 == 0 && sm_resources_is_free(s, cfg, s->slot + 1u));
}

static inline bool sm_resources_sound(const sm_resources_state *s, const sm_resources_cfg *cfg)
{
    return sm_resources_returning_held(s) && sm_resources_counted(s) && sm_resources_place_free(s, cfg) &&
           sm_resources_pair_free(s, cfg) && sm_resources_second_free(s, cfg);
}

#endif
