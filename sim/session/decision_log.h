/* SPDX-License-Identifier: Apache-2.0
 *
 * The decisions of a run in words, from each side's own values. The two texts are kept apart
 * and compared at the end: the same decisions must read the same.
 */
#ifndef BALLAST_DECISION_LOG_H
#define BALLAST_DECISION_LOG_H

#include <stdio.h>

#include "engine/lockstep.h"

typedef struct decision_log {
    char where[16]; /* SM0, chip */
    unsigned lines; /* of the model */
    struct {
        char *text;
        size_t size;
        FILE *stream;
    } side[LOCKSTEP_SIDES];
} decision_log;

bool decision_log_open(decision_log *log, const lockstep *ls);
void decision_log_add(decision_log *log, enum lockstep_side side, uint64_t cycle, const char *text);
bool decision_log_equal(decision_log *log);
/* PREFIX.model.log and PREFIX.rtl.log */
bool decision_log_save(decision_log *log, const char *prefix);
/* The model's text; the caller frees it. */
char *decision_log_take(decision_log *log);
void decision_log_close(decision_log *log);

#endif
