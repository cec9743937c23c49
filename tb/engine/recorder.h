/* SPDX-License-Identifier: Apache-2.0
 *
 * The last cycles of a run: what came in, and the registers that it met.
 */
#ifndef BALLAST_RECORDER_H
#define BALLAST_RECORDER_H

#include "engine/lockstep.h"

enum { RECORDER_CYCLES = 64 };

typedef struct recorded_cycle {
    uint64_t index, cycle;
    const sm_kept *bus; /* of every SM */
    const unsigned char *data;
} recorded_cycle;

typedef struct recorder {
    recorded_cycle ring[RECORDER_CYCLES];
    unsigned count; /* cycles recorded so far */
    unsigned num_sms;
    /* A cycle's data: the buses, then inputs and registers at these offsets. */
    size_t in[LOCKSTEP_MAX_BLOCKS], before[LOCKSTEP_MAX_BLOCKS], size;
    unsigned char *memory;
} recorder;

bool recorder_open(recorder *r, const lockstep *ls); /* false: out of memory */
void recorder_close(recorder *r);
/* After a careful cycle. */
void recorder_add(recorder *r, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle);
/* The cycle `back` cycles before the last one. */
const recorded_cycle *recorder_get(const recorder *r, unsigned back);
/* An instance's inputs in that cycle, and the model's registers before it. */
const void *recorder_in(const recorder *r, unsigned back, unsigned instance);
const void *recorder_before(const recorder *r, unsigned back, unsigned instance);
unsigned recorder_size(const recorder *r);

#endif
