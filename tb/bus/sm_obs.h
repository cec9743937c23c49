/* SPDX-License-Identifier: Apache-2.0
 *
 * The observation bus: what one SM shows to every Ballast block in one cycle, as recordings, simulator and engine hand
 * it around. The reference models do not know it: tb/blocks/X/bind.h says what a block takes of it.
 *
 * The RTL sees the same signals as flat ports (rtl/common/ballast_pkg.sv holds
 * the encodings). Phase: everything below is what holds DURING the cycle, before
 * its closing rising edge. doc/blocks/timing.md has the whole story.
 */
#ifndef BALLAST_SM_OBS_H
#define BALLAST_SM_OBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/encodings.h"
#include "common/kernel_desc.h"

/* What changes only with a kernel or a CTA launch, beside what changes every cycle. */
typedef struct sm_setup {
    ballast_kernel_desc kernel;           /* the running kernel (valid from kernel_start on) */
    uint8_t warp_slot[BALLAST_MAX_WARPS]; /* CTA slot that warp slot w belongs to            */
    uint32_t kernel_id;                   /* of the running kernel: sm_kernel_id of its name, 0: it has none */
} sm_setup;

typedef struct sm_obs {
    /* Bit w of ws[b] is bit b of warp slot w's state code. */
    uint64_t ws[BALLAST_STATE_PLANES];
    uint64_t paused;       /* bit w: warp slot w is paused (PAUSE-1)                    */
    const sm_setup *setup; /* never NULL on a bus; its contents hold for this cycle only */
    uint32_t cta_active;   /* CTA slots that hold a CTA at any time in this cycle       */
    uint32_t cta_start;    /* CTA slots launched in this cycle                          */
    uint32_t cta_done;     /* CTA slots whose CTA finishes in this cycle                */
    uint8_t cta_denied;    /* the CTA dispatcher refuses this SM's request (never in recordings) */
    uint8_t kernel_start;  /* 1 in the cycle a kernel starts; `setup->kernel` describes it */
} sm_obs;

/* An observation that outlives its cycle. Not to be copied by assignment: obs.setup points into it. */
typedef struct sm_kept {
    sm_obs obs;
    sm_setup setup;
} sm_kept;

/* A number for a name (FNV-1a), not 0; 0 for none. */
static inline uint32_t sm_kernel_id(const char *name)
{
    uint32_t id = UINT32_C(2166136261);

    if (!*name)
        return 0;
    for (; *name; name++)
        id = (id ^ (uint8_t)*name) * UINT32_C(16777619);
    return id ? id : 1;
}

static inline bool sm_setup_equal(const sm_setup *a, const sm_setup *b)
{
    return ballast_kernel_desc_equal(&a->kernel, &b->kernel) && a->kernel_id == b->kernel_id &&
           memcmp(a->warp_slot, b->warp_slot, sizeof a->warp_slot) == 0;
}

static inline bool sm_obs_equal(const sm_obs *a, const sm_obs *b)
{
    const bool planes = memcmp(a->ws, b->ws, sizeof a->ws) == 0 && a->paused == b->paused;
    const bool ctas = a->cta_active == b->cta_active && a->cta_start == b->cta_start && a->cta_done == b->cta_done;

    return planes && ctas && a->cta_denied == b->cta_denied && a->kernel_start == b->kernel_start &&
           sm_setup_equal(a->setup, b->setup);
}

/* Keeps the next one of a series: the setup goes to *place only if it is not that of `last`, which was kept before
 * (NULL: none was). Returns whether the place is taken. */
static inline bool sm_keep_next(sm_obs *to, const sm_obs *obs, const sm_obs *last, sm_setup *place)
{
    const bool same = last && sm_setup_equal(last->setup, obs->setup);
    const sm_setup *setup = same ? last->setup : place;

    if (!same)
        *place = *obs->setup;
    *to = *obs;
    to->setup = setup;
    return !same;
}

static inline void sm_keep(sm_kept *to, const sm_obs *obs)
{
    sm_keep_next(&to->obs, obs, NULL, &to->setup);
}

static inline unsigned sm_obs_warp_state(const sm_obs *obs, unsigned warp)
{
    return (unsigned)((obs->ws[0] >> warp & 1) | (obs->ws[1] >> warp & 1) << 1 |
                      (obs->ws[2] >> warp & 1) << 2 | (obs->ws[3] >> warp & 1) << 3);
}

static inline void sm_obs_set_warp_state(sm_obs *obs, unsigned warp, unsigned state)
{
    const uint64_t bit = UINT64_C(1) << warp;
    for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
        obs->ws[b] = (obs->ws[b] & ~bit) | ((state >> b & 1) ? bit : 0);
}

/* Warp slots that issued an instruction in this cycle; with setup->warp_slot this says
 * which CTA slots issued and how often. */
static inline uint64_t sm_obs_issued(const sm_obs *obs)
{
    return obs->ws[3] & ~obs->ws[2] & (obs->ws[1] ^ obs->ws[0]);
}

#endif
