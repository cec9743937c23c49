/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/close_look.h"

static void on_cycle(void *self, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    close_look *look = self;

    if (look->recording)
        recorder_add(&look->recorder, ls, obs, cycle);
    if (look->also.cycle)
        look->also.cycle(look->also.self, ls, obs, cycle);
}

static void on_decision(void *self, enum lockstep_side side, const block *blk, uint64_t cycle,
                        const struct decisions *list)
{
    const close_look *look = self;

    if (look->also.decision)
        look->also.decision(look->also.self, side, blk, cycle, list);
}

static bool play_one(lockstep *ls, const stimulus *s)
{
    const sm_obs *const *obs = lockstep_next(ls, s);

    if (obs)
        lockstep_cycle_all(ls, obs, s->cycle(s->self));
    return obs != NULL;
}

static void play_until(lockstep *ls, const stimulus *s, uint64_t index)
{
    while (ls->index < index && play_one(ls, s))
        ;
}

uint64_t close_look_first(uint64_t index)
{
    return index >= RECORDER_CYCLES ? index - RECORDER_CYCLES + 1 : 0;
}

bool close_look_play(close_look *look, lockstep *ls, const stimulus *s, uint64_t index)
{
    /* From the beginning: decisions are counted, and the last one before the window stands at its beginning. */
    ls->observer = (lockstep_observer){look, on_cycle, on_decision};
    look->recording = false;
    play_until(ls, s, close_look_first(index));
    look->recording = true;
    ls->careful = true;
    play_until(ls, s, index + 1);
    look->recording = false;
    return ls->mismatch.found;
}

void close_look_go_on(lockstep *ls, const stimulus *s, unsigned cycles)
{
    while (cycles-- > 0 && play_one(ls, s))
        ;
}
