/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings and decision logs as JSON trace events, which Perfetto and chrome://tracing show: a process per file, a thread per SM,
 * decisions and kernels as slices, limits and counts as counter tracks. One cycle is 1 microsecond there.
 */
#ifndef BALLAST_PERFETTO_EXPORT_H
#define BALLAST_PERFETTO_EXPORT_H

#include <stdio.h>

#include "recording/walk.h"

typedef struct perfetto_options {
    trace_walk_options walk;
    uint32_t every; /* cycles that a point of a counter stands for, at least 1 */
} perfetto_options;

/* A folder is a run, whose decision logs are taken; a name that ends with .jsonl is a decision log, any other one a recording. False with one line; whether all was written is for the
 * caller to ask the file. */
bool perfetto_export(const char *const *paths, unsigned num, FILE *to, const perfetto_options *options, trace_err *err);

#endif
