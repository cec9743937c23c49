/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/random_sms.h"

#include <assert.h>

const sm_obs *const *random_sms_next(random_sms *player)
{
    if (player->index == player->cycles)
        return NULL;
    for (unsigned i = 0; i < player->num; i++)
        player->obs[i] = random_bus_next(&player->bus[i]);
    player->index++;
    return player->obs;
}

void random_sms_rewind(random_sms *player)
{
    player->index = 0;
    for (unsigned i = 0; i < player->num; i++)
        random_bus_rewind(&player->bus[i]);
}

void random_sms_start(random_sms *player, uint64_t seed, unsigned num, unsigned warps, unsigned slots, uint64_t cycles)
{
    assert(num > 0 && num <= RANDOM_MAX_SMS);
    player->num = num;
    player->cycles = cycles;
    player->index = 0;
    for (unsigned i = 0; i < num; i++)
        random_bus_start(&player->bus[i], seed + i, warps, slots);
}

/* ---- as a stimulus ---------------------------------------------------------------- */

static const sm_obs *const *next(void *self, const feedback *last)
{
    (void)last;
    return random_sms_next(self);
}

static uint64_t cycle(void *self)
{
    return ((random_sms *)self)->index;
}

static int rewind_to_start(void *self)
{
    random_sms_rewind(self);
    return 1;
}

static const char *error(void *self)
{
    (void)self;
    return "";
}

stimulus random_sms_stimulus(random_sms *player)
{
    return (stimulus){player, next, cycle, rewind_to_start, error};
}
