/* SPDX-License-Identifier: Apache-2.0
 *
 * What has changed from one run to another: a list of changes, in the order in which they are found; as a table for readers and as CSV.
 */
#ifndef BALLAST_DIFF_CHANGES_H
#define BALLAST_DIFF_CHANGES_H

#include <stdbool.h>
#include <stdio.h>

/* In the order of the table. How a change is called in the CSV file, several of them in the sum, and what is compared. */
#define DIFF_KINDS(K) \
    K(RUN, "run", "of the run", "kernels") \
    K(VERDICT, "verdict", "verdicts", "verdicts") \
    K(CHOICE, "choice", "choices", "rows of choices") \
    K(REPLAY, "replay", "replays", "replays of policies") \
    K(DECISION, "decision", "decisions", "decision logs") \
    K(REGRET, "regret", "regrets", "regrets") \
    K(STALL, "stall", "stalls", "rows of stalls") \
    K(PREDICTION, "prediction", "predictions", "predictions") \
    K(AREA, "area", "areas", "areas") \
    K(PROOF, "proof", "proofs", "proofs") \
    K(NETLIST, "netlist", "netlists", "netlists")

typedef enum diff_kind {
#define NAME(name, ...) DIFF_##name,
    DIFF_KINDS(NAME)
#undef NAME
    DIFF_NUM_KINDS
} diff_kind;

typedef struct change {
    diff_kind kind;
    char *what, *before, *after;
} change;

typedef struct changes {
    change *row;
    unsigned num, of[DIFF_NUM_KINDS];
    unsigned compared[DIFF_NUM_KINDS]; /* rows, decision logs: those of either run */
    bool no_memory;                    /* a change is missing                      */
} changes;

void changes_add(changes *c, diff_kind kind, const char *before, const char *after, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
void changes_free(changes *c);

void changes_print(const changes *c, FILE *f);
/* "2 changes: 1 verdict, 1 choice", and of how many. */
void changes_print_sum(const changes *c, FILE *f);
void changes_csv(const changes *c, FILE *f);

#endif
