/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the cycles of a lockstep run come from: a recording, a family of recordings, a simulator,
 * a test's own generator.
 */
#ifndef BALLAST_STIMULUS_H
#define BALLAST_STIMULUS_H

#include <stdbool.h>
#include <stddef.h>

#include "bus/sm_obs.h"

/* What the controller's C model said in the cycle before. All zero before the first cycle and without a controller. */
typedef struct feedback {
    const void *out;       /* its output struct                     */
    const uint8_t *limits; /* SM i's CTA limit is limits[i * stride] */
    size_t stride;
    bool converged;
} feedback;

typedef struct stimulus {
    void *self;
    /* The buses of all SMs in the next cycle, or NULL at the end or on an error. Valid until the next call. */
    const sm_obs *const *(*next)(void *self, const feedback *last);
    uint64_t (*cycle)(void *self);    /* number of the cycle that next returned */
    int (*rewind)(void *self);        /* back to the start; 0 when that failed  */
    const char *(*error)(void *self); /* "" or why next or rewind failed        */
} stimulus;

/* 0: nobody says. */
static inline unsigned feedback_limit(const feedback *last, unsigned sm)
{
    return last->limits ? last->limits[sm * last->stride] : 0;
}

/* The next cycle of a stimulus for one SM. */
static inline const sm_obs *stimulus_next(const stimulus *s, const feedback *last)
{
    const sm_obs *const *buses = s->next(s->self, last);

    return buses ? buses[0] : NULL;
}

#endif
