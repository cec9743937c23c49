/* SPDX-License-Identifier: Apache-2.0
 *
 * What this command was built from: made with each build (sim/report/built_from.py).
 */
#ifndef BALLAST_BUILT_FROM_H
#define BALLAST_BUILT_FROM_H

#include <stdbool.h>

/* A sum over RTL, models and what they are fed with; the commit, "" if it is not known. */
extern const char built_from_sources[], built_from_commit[];

/* Blocks whose reference model is proved equal to their RTL in every step from reset on. */
typedef struct built_from_proof {
    const char *block, *params, *config;
    const char *day; /* on which it was recorded, "" if that is not known */
    bool current;    /* the sources are still those of the proof          */
} built_from_proof;
extern const built_from_proof built_from_proofs[]; /* block NULL: behind the last */

#endif
