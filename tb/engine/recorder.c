/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/recorder.h"

#include <stdlib.h>
#include <string.h>

bool recorder_open(recorder *r, const lockstep *ls)
{
    size_t size = ls->num_sms * sizeof(sm_kept);

    memset(r, 0, sizeof *r);
    for (unsigned i = 0; i < ls->num_instances; i++) {
        r->in[i] = size;
        r->before[i] = size + ls->instances[i].sizes.in;
        size = (r->before[i] + ls->instances[i].sizes.state + 7) / 8 * 8;
    }
    r->num_sms = ls->num_sms;
    r->size = size;
    r->memory = calloc(RECORDER_CYCLES, size);
    return r->memory != NULL;
}

void recorder_close(recorder *r)
{
    free(r->memory);
    r->memory = NULL;
}

void recorder_add(recorder *r, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    const unsigned at = r->count++ % RECORDER_CYCLES;
    unsigned char *to = r->memory + at * r->size;
    sm_kept *bus = (sm_kept *)(void *)to;

    r->ring[at] = (recorded_cycle){.index = ls->index, .cycle = cycle, .bus = bus, .data = to};
    for (unsigned sm = 0; sm < r->num_sms; sm++)
        sm_keep(&bus[sm], obs[sm]);
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        memcpy(to + r->in[i], inst->in, inst->sizes.in);
        memcpy(to + r->before[i], inst->view[SIDE_MODEL].before, inst->sizes.state);
    }
}

const recorded_cycle *recorder_get(const recorder *r, unsigned back)
{
    return &r->ring[(r->count - 1 - back) % RECORDER_CYCLES];
}

const void *recorder_in(const recorder *r, unsigned back, unsigned instance)
{
    return recorder_get(r, back)->data + r->in[instance];
}

const void *recorder_before(const recorder *r, unsigned back, unsigned instance)
{
    return recorder_get(r, back)->data + r->before[instance];
}

unsigned recorder_size(const recorder *r)
{
    return r->count < RECORDER_CYCLES ? r->count : RECORDER_CYCLES;
}
