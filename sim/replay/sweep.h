/* SPDX-License-Identifier: Apache-2.0
 *
 * What an exhaustive search finds: the SM's instructions per cycle in one launch at every
 * recorded CTA limit, to hold a controller's choice against.
 */
#ifndef BALLAST_SWEEP_H
#define BALLAST_SWEEP_H

#include "replay/breakdown.h"

typedef struct sweep {
    unsigned nmax;
    double ipc[BALLAST_MAX_SLOTS + 1]; /* by limit, 0: not recorded                           */
    unsigned optimum; /* fewest CTAs such that no higher limit is 2 % faster or more (PS-E4) */
} sweep;

/* The optimum of the rates in s->ipc[1..nmax]. */
unsigned sweep_optimum(const sweep *s);
/* A limit's speed in percent of the fastest one's. A limit that was not recorded has that of the next lower one, which plays in its
 * place; 0: there is none, or it is above Nmax. */
double sweep_speed(const sweep *s, unsigned limit);
/* What the breakdown says of it; the same, measured alone. */
sweep sweep_of(const breakdown *b);
bool sweep_measure(sweep *s, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch,
                   trace_err *err);

#endif
