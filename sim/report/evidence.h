/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands behind a run: lockstep, proofs, mutation, coverage and area, each with its date, its commit, and whether what it is about has changed
 * since. sim/report/evidence.py looks, each time the page is written; where that is not possible, nothing is known.
 */
#ifndef BALLAST_EVIDENCE_H
#define BALLAST_EVIDENCE_H

#include "recording/trace.h"

enum { EVIDENCE_ITEMS = 5, EVIDENCE_TEXT = 512 };

typedef struct evidence_item {
    char item[32], state[32], finished[64], commit[64], words[EVIDENCE_TEXT], page[128];
} evidence_item;

typedef struct evidence {
    evidence_item items[EVIDENCE_ITEMS];
    unsigned num; /* 0: nobody could look */
} evidence;

/* Leaves OUT/evidence.csv. False with one line in err if that is damaged. */
bool evidence_read(evidence *e, const char *out, const char *build, trace_err *err);
/* With a new page about which nothing is known, what an earlier look has left goes. */
void evidence_forget(const evidence *e, const char *out);

#endif
