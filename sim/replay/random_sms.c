/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/random_sms.h"

static const sm_obs *const *next(void *self, const uint8_t *limits, size_t stride)
{
    random_sms *player = self;
    bool more = true;

    (void)limits, (void)stride;
    for (unsigned i = 0; i < player->num; i++) {
        const stimulus s = random_bus_stimulus(&player->bus[i]);

        player->obs[i] = s.next(s.self, 0, 0);
        more &= player->obs[i] != NULL;
    }
    return more ? player->obs : NULL;
}

static uint64_t cycle(void *self)
{
    const stimulus s = random_bus_stimulus(((random_sms *)self)->bus);

    return s.cycle(s.self);
}

static int rewind_to_start(void *self)
{
    random_sms *player = self;

    for (unsigned i = 0; i < player->num; i++) {
        const stimulus s = random_bus_stimulus(&player->bus[i]);

        s.rewind(s.self);
    }
    return 1;
}

static const char *error(void *self)
{
    (void)self;
    return "";
}

void random_sms_start(random_sms *player, uint64_t seed, unsigned num, unsigned warps, unsigned slots, uint64_t cycles)
{
    player->num = num;
    for (unsigned i = 0; i < num; i++)
        random_bus_start(&player->bus[i], seed + i, warps, slots, cycles);
}

stimulus random_sms_stimulus(random_sms *player)
{
    return (stimulus){player, NULL, cycle, rewind_to_start, error, next, NULL};
}
