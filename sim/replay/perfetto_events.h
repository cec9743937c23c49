/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON trace events into a file, for perfetto_export.c and perfetto_log.c; private to sim/replay.
 */
#ifndef BALLAST_PERFETTO_EVENTS_H
#define BALLAST_PERFETTO_EVENTS_H

#include <stdio.h>

#include "recording/trace.h"

enum { PERFETTO_CHIP = 1 << 16 }; /* what concerns no SM, as a thread */

typedef struct perfetto {
    FILE *f;
    unsigned pid; /* of the file that is being written */
    bool begun;   /* there is an event before */
} perfetto;

/* One event's first part, up to what its kind needs; the caller closes it with "}". */
void perfetto_begin(perfetto *p, char kind, const char *name, uint64_t cycle);
/* A text in quotes. */
void perfetto_text(const perfetto *p, const char *text);
void perfetto_process(perfetto *p, const char *name);
void perfetto_thread(perfetto *p, unsigned tid, const char *name);
/* Its arguments, if any, are a JSON object. */
void perfetto_slice(perfetto *p, unsigned tid, const char *name, uint64_t from, uint64_t cycles, const char *args);
/* A mark without length. */
void perfetto_instant(perfetto *p, unsigned tid, const char *name, uint64_t cycle);
/* A point of the track "WHERE NAME". */
void perfetto_counter(perfetto *p, const char *where, const char *name, uint64_t cycle, double value);
/* The decision log at `path` as this process. False with one line that names the place. */
bool perfetto_log(perfetto *p, const char *path, trace_err *err);

#endif
