/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the cycles of a lockstep run come from: a recording, a family of recordings, a simulator,
 * a test's own generator.
 */
#ifndef BALLAST_STIMULUS_H
#define BALLAST_STIMULUS_H

#include <stddef.h>

#include "common/sm_obs.h"

/* One of next, next_chip and next_out, the others NULL. */
typedef struct stimulus {
    void *self;
    /* The next cycle's bus, or NULL at the end or on an error. `limit` and `converged` are the
     * controller's outputs in the cycle before. Valid until the next call. */
    const sm_obs *(*next)(void *self, unsigned limit, int converged);
    uint64_t (*cycle)(void *self);    /* number of the cycle that next returned */
    int (*rewind)(void *self);        /* back to the start; 0 when that failed  */
    const char *(*error)(void *self); /* "" or why next or rewind failed        */
    /* For a chip, instead of next: the buses of all SMs. SM i's limit is limits[i * stride];
     * limits is NULL without a controller. */
    const sm_obs *const *(*next_chip)(void *self, const uint8_t *limits, size_t stride);
    /* The same for who needs more than limits: `out` is the output struct of the controller's C
     * model in the cycle before, NULL before the first cycle and without a controller. */
    const sm_obs *const *(*next_out)(void *self, const void *out);
} stimulus;

#endif
