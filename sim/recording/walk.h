/* SPDX-License-Identifier: Apache-2.0
 *
 * All SMs of a recording side by side, cycle by cycle, for what is sorted by cycle. A reader has one selected SM, so each SM gets a
 * reader of its own.
 */
#ifndef BALLAST_TRACE_WALK_H
#define BALLAST_TRACE_WALK_H

#include "recording/trace.h"

/* One cycle of the index-th recorded SM; r is where it stands. False ends the walk, with one line in err. */
typedef bool trace_visit(void *user, unsigned index, trace_reader *r, const sm_obs *obs, trace_err *err);

typedef struct trace_walk_options {
    bool (*progress)(void *context, uint64_t done, uint64_t total); /* SM cycles; false ends the walk; NULL: none */
    void *context;
} trace_walk_options;

/* The recording at `path`. Of one cycle the lowest SM comes first. False with one line. */
bool trace_walk(const char *path, trace_visit *visit, void *user, const trace_walk_options *options, trace_err *err);

#endif
