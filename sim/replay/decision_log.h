/* SPDX-License-Identifier: Apache-2.0
 *
 * The decisions of a run from each side's own values, in words and as data (JSON Lines). The two
 * sides are kept apart and compared at the end: the same decisions must be the same records, in every
 * field. doc/use/decision_log.md has the format.
 */
#ifndef BALLAST_DECISION_LOG_H
#define BALLAST_DECISION_LOG_H

#include <stdio.h>

#include "engine/lockstep.h"

enum { DECISION_LOG_WORDS, DECISION_LOG_DATA, DECISION_LOG_KINDS };

/* A text that grows in memory. */
typedef struct decision_text {
    char *text;
    size_t size;
    FILE *stream;
} decision_text;

typedef struct decision_log {
    char where[16]; /* SM0, chip */
    int sm;         /* DECISION_NO_SM for a chip    */
    unsigned lines; /* of the model's words          */
    bool failed;    /* out of memory: something is missing */
    decision_text text[LOCKSTEP_SIDES * DECISION_LOG_KINDS]; /* both kinds of a side stand together */
} decision_log;

/* Of the one SM `sm`, or, if there are more, of the chip. False: out of memory; close it all the same. */
bool decision_log_open(decision_log *log, unsigned num_sms, unsigned sm);
/* What one block of the run (by the name of its variant) decided in a cycle: one line of words, a line of
 * data for each decision. */
void decision_log_add(decision_log *log, enum lockstep_side side, const char *instance, uint64_t cycle,
                      const struct decisions *list);
/* Whether both sides wrote the same records. */
bool decision_log_equal(decision_log *log);
/* PREFIX.{model,rtl}.{log,jsonl}: all of them, or none. */
bool decision_log_save(decision_log *log, const char *prefix);
/* The same of one side. */
bool decision_log_save_side(decision_log *log, enum lockstep_side side, const char *prefix);
/* A side's data to a stream, of a log that may not be open. */
void decision_log_write_data(decision_log *log, enum lockstep_side side, FILE *out);
/* The model's words; the caller frees them. */
char *decision_log_take(decision_log *log);
void decision_log_close(decision_log *log);
#endif
