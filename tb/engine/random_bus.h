/* SPDX-License-Identifier: Apache-2.0
 *
 * A stimulus that no recording contains: random warp states that change in bursts, CTAs that
 * come and go, kernels that start at any moment. For looking where real kernels do not go.
 */
#ifndef BALLAST_RANDOM_BUS_H
#define BALLAST_RANDOM_BUS_H

#include "bus/sm_obs.h"

typedef struct random_bus {
    uint64_t first_seed, seed;
    unsigned warps, slots;
    uint64_t index; /* cycles so far */
    unsigned mood; /* what most warps do for a while */
    sm_obs obs;
    sm_setup setup;
} random_bus;

void random_bus_start(random_bus *bus, uint64_t seed, unsigned warps, unsigned slots);
void random_bus_rewind(random_bus *bus); /* the same again */
/* The next cycle. Without end. */
const sm_obs *random_bus_next(random_bus *bus);

#endif
