/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/open_loop.h"

static int rewind_to_start(void *self)
{
    open_loop *player = self;

    player->err.text[0] = '\0';
    return trace_select_sm(player->reader, player->sm, &player->err);
}

static const sm_obs *const *next(void *self, const feedback *last)
{
    open_loop *player = self;

    (void)last;
    player->now = trace_next(player->reader, &player->err);
    return player->now ? &player->now : NULL;
}

static uint64_t cycle(void *self)
{
    return trace_cycle(((open_loop *)self)->reader);
}

static const char *error(void *self)
{
    return ((open_loop *)self)->err.text;
}

bool open_loop_start(open_loop *player, trace_reader *reader, unsigned sm)
{
    player->reader = reader;
    player->sm = sm;
    return rewind_to_start(player);
}

stimulus open_loop_stimulus(open_loop *player)
{
    return (stimulus){player, next, cycle, rewind_to_start, error};
}
