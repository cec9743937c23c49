/* SPDX-License-Identifier: Apache-2.0
 *
 * Open-loop replay: one SM of a recording, cycle by cycle as recorded, whatever the
 * controllers decide.
 */
#ifndef BALLAST_OPEN_LOOP_H
#define BALLAST_OPEN_LOOP_H

#include "engine/stimulus.h"
#include "recording/trace.h"

typedef struct open_loop {
    trace_reader *reader;
    unsigned sm;
    const sm_obs *now;
    trace_err err;
} open_loop;

/* The reader stays the caller's. */
bool open_loop_start(open_loop *player, trace_reader *reader, unsigned sm);
stimulus open_loop_stimulus(open_loop *player);

#endif
