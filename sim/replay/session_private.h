/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the parts of a session.
 */
#ifndef BALLAST_SESSION_PRIVATE_H
#define BALLAST_SESSION_PRIVATE_H

#include <stdio.h>

#include "replay/session.h"

/* Opens the blocks, adds the faults, resets and compares, loads the initial state. Anything but
 * SESSION_PASS comes with a one-line text and leaves nothing open. */
enum session_verdict session_open(lockstep *ls, const session_options *options, char *err, size_t err_size);

/* Reruns to the difference at cycle `index` and explains it: writes the report to `out` and
 * the files of options->explain_prefix. */
void explain(const session_options *options, const stimulus *s, uint64_t index, FILE *out);

/* ---- the explanation's memory: the last cycles before the difference ----------------- */

enum { RECORDER_CYCLES = 64 };

typedef struct recorded_cycle {
    uint64_t index, cycle;
    const sm_obs *obs; /* of every SM */
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

/* ---- the report -------------------------------------------------------------------- */

void report_mismatch(FILE *out, const lockstep *ls, const recorder *r, unsigned history);

/* ---- the reproducer ------------------------------------------------------------------ */

/* Cuts the run down to the shortest window that still fails in the same place, starting from
 * the registers recorded before it; writes PREFIX.blt and PREFIX.state and prints how to rerun
 * it. */
void reproduce(const session_options *options, const lockstep *ls, const recorder *r, FILE *out);

#endif
