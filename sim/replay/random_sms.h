/* SPDX-License-Identifier: Apache-2.0
 *
 * A random bus (engine/random_bus.h) for each SM of a chip, or for one.
 */
#ifndef BALLAST_RANDOM_SMS_H
#define BALLAST_RANDOM_SMS_H

#include "engine/random_bus.h"
#include "recording/trace.h"

typedef struct random_sms {
    unsigned num;
    random_bus bus[TRACE_MAX_SMS];
    const sm_obs *obs[TRACE_MAX_SMS];
} random_sms;

void random_sms_start(random_sms *player, uint64_t seed, unsigned num, unsigned warps, unsigned slots, uint64_t cycles);
stimulus random_sms_stimulus(random_sms *player);

#endif
