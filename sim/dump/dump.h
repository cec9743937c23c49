/* SPDX-License-Identifier: Apache-2.0
 *
 * A waveform's signals as cycles of SMs, by a mapping file; private to sim/dump.
 */
#ifndef BALLAST_DUMP_H
#define BALLAST_DUMP_H

#include "recording/raw_import.h"

typedef struct dump dump;

/* An SM in one cycle. */
typedef struct dump_sm {
    uint8_t states[BALLAST_MAX_WARPS / 2]; /* two warps in a byte, even ones in the low half */
    uint64_t paused;
    uint32_t start, done, active; /* CTA slots; active: all ones if no signal says it */
    uint8_t cls;
} dump_sm;

/* The waveform and the map that opt names, up to its first cycle. */
dump *dump_open(const raw_import_options *opt, trace_err *err);
void dump_close(dump *d);
const char *dump_path(const dump *d);
uint64_t dump_consumed(const dump *d);
uint64_t dump_size(const dump *d);
unsigned dump_num_sms(const dump *d);
unsigned dump_sm_number(const dump *d, unsigned index);
bool dump_has_starts(const dump *d); /* a signal says when kernels start */
bool dump_has_active(const dump *d);

/* The next cycle; *end: there is none. */
bool dump_next(dump *d, bool *end, trace_err *err);
uint64_t dump_cycle(const dump *d);
unsigned long dump_line(const dump *d); /* of the time stamp with which it is over; 0: no lines */
/* Whether a kernel starts in it. */
bool dump_starts(const dump *d, bool *starts, trace_err *err);
/* What it says of an SM. An x or z is an error. */
bool dump_look(const dump *d, unsigned index, dump_sm *sm, trace_err *err);
/* "path: line N: cycle C: ..." */
bool dump_fail(const dump *d, trace_err *err, const char *what, ...) __attribute__((format(printf, 3, 4)));

#endif
