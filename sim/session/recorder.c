/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_private.h"

void recorder_add(recorder *r, const lockstep *ls, const sm_obs *obs, uint64_t cycle)
{
    recorded_cycle *c = &r->ring[r->count++ % RECORDER_CYCLES];

    c->index = ls->index;
    c->cycle = cycle;
    c->obs = *obs;
    for (unsigned i = 0; i < ls->num_instances; i++) {
        c->in[i] = ls->instances[i].in;
        c->before[i] = ls->instances[i].view[SIDE_MODEL].before;
    }
}

const recorded_cycle *recorder_get(const recorder *r, unsigned back)
{
    return &r->ring[(r->count - 1 - back) % RECORDER_CYCLES];
}

unsigned recorder_size(const recorder *r)
{
    return r->count < RECORDER_CYCLES ? r->count : RECORDER_CYCLES;
}
