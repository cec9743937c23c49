/* SPDX-License-Identifier: Apache-2.0
 *
 * Decisions as records: which block decided by which rule, from which inputs, what changed. A block's
 * <block>_describe (tb/blocks/<block>/decisions.h) fills a list with those of one cycle; the logs, in
 * words and as data, are written from it. doc/use/decision_log.md has the format and every block's events.
 *
 * A list is used again from cycle to cycle and allocates nothing once it has grown. Names and states
 * are strings that outlive the list (literals, tables), ASCII or UTF-8.
 */
#ifndef BALLAST_DECISION_H
#define BALLAST_DECISION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DECISION_NO_SM = -1, DECISION_MAX_VALUES = 12, DECISION_WORDS = 256 };

typedef struct decision_value {
    const char *name;
    const char *state; /* NULL: it is a number */
    uint64_t number;
} decision_value;

typedef struct decision_values {
    decision_value value[DECISION_MAX_VALUES];
    unsigned num;
} decision_values;

typedef struct decision {
    const char *block; /* the name of the block */
    const char *rule;  /* "PS-10", see doc/papers/papers.md */
    const char *event;
    int sm; /* in a chip's list the SM that it concerns; DECISION_NO_SM: whose the log is */
    decision_values inputs, before, after;
    char words[DECISION_WORDS];
} decision;

typedef struct decisions {
    decision *taken;
    unsigned num, max;
    bool failed;   /* out of memory: some are lost */
    decision lost; /* where those go               */
} decisions;

/* Start from {0}; clear keeps the memory. */
void decisions_clear(decisions *list);
void decisions_free(decisions *list);

/* Never NULL. Valid up to the next one. */
decision *decision_new(decisions *list, const char *block, const char *rule, const char *event);
/* A value that is there under this name is replaced. */
void decision_input(decision *d, const char *name, uint64_t value);
void decision_input_state(decision *d, const char *name, const char *state);
void decision_before(decision *d, const char *name, uint64_t value);
void decision_after(decision *d, const char *name, uint64_t value);
void decision_after_state(decision *d, const char *name, const char *state);
/* Both. */
void decision_change(decision *d, const char *name, uint64_t before, uint64_t after);
void decision_change_state(decision *d, const char *name, const char *before, const char *after);
/* Adds to the words. */
void decision_words(decision *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The words of a cycle as one line without its end: joined by "; ". Of several SMs of a chip the first four
 * are named, the others counted. */
void decisions_print_words(const decisions *list, FILE *out);
/* The same, each decision with its rule before it: "PS-8: sample 1: ...". */
void decisions_print_reasons(const decisions *list, FILE *out);
/* Where and when: of a log, and of the block of the run that decided, alone or by one of its parts. */
typedef struct decision_place {
    uint64_t cycle;
    const char *where;    /* SM0, chip */
    int sm;               /* the log's, or DECISION_NO_SM */
    const char *instance; /* variant: perfsat_tie0, sm_governor, ballast */
} decision_place;

/* One JSON object without the line's end. */
void decision_print_json(const decision *d, const decision_place *at, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
