/* SPDX-License-Identifier: Apache-2.0
 *
 * A random bus (engine/random_bus.h) for each SM of a chip, or for one.
 */
#ifndef BALLAST_RANDOM_SMS_H
#define BALLAST_RANDOM_SMS_H

#include "engine/random_bus.h"
#include "engine/stimulus.h"

enum { RANDOM_MAX_SMS = 256 };

typedef struct random_sms {
    unsigned num;
    uint64_t cycles, index;
    random_bus bus[RANDOM_MAX_SMS];
    const sm_obs *obs[RANDOM_MAX_SMS];
} random_sms;

/* SM i's seed is `seed` + i. */
void random_sms_start(random_sms *player, uint64_t seed, unsigned num, unsigned warps, unsigned slots, uint64_t cycles);
void random_sms_rewind(random_sms *player);
/* The next cycle of all SMs; NULL at the end. */
const sm_obs *const *random_sms_next(random_sms *player);
stimulus random_sms_stimulus(random_sms *player);

#endif
