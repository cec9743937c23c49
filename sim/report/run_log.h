/* SPDX-License-Identifier: Apache-2.0
 *
 * A run's decisions, from its log PREFIX.model.jsonl: one object per line.
 */
#ifndef BALLAST_RUN_LOG_H
#define BALLAST_RUN_LOG_H

#include <stdbool.h>

#include "recording/trace.h"

typedef struct run_log_entry {
    uint64_t cycle;
    char *where, *rule, *inputs, *change, *words; /* inputs "stalled 812, previous 1044"; change "limit 4 → 5" */
    unsigned number;    /* of those that moved something, from 1; 0: it moved nothing */
    unsigned value;     /* where it has moved it to                                   */
} run_log_entry;

typedef struct run_log {
    run_log_entry *items;
    unsigned num, moved;
} run_log;

/* Of a chip, a decision moves a VF level, of an SM the CTA limit. False with one line in err. */
bool run_log_read(run_log *d, const char *path, bool chip, trace_err *err);
void run_log_free(run_log *d);

#endif
