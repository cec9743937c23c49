/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing for the benchmarks: medians over rounds.
 */
#ifndef BALLAST_BENCH_UTIL_H
#define BALLAST_BENCH_UTIL_H

#include <stdbool.h>

enum { BENCH_MAX_ROUNDS = 16 };

typedef struct bench_rounds {
    bool (*run)(void *user, unsigned part); /* does it once; false ends everything  */
    void *user;
    double work;                            /* that each part does, e.g. SM cycles  */
    unsigned parts, rounds;
    double *speed;                          /* [part][round], work per second       */
} bench_rounds;

/* All parts one after the other in each round, so that a change of the machine's speed hits them alike; a round before warms up. */
bool bench_measure(const bench_rounds *b);
double bench_median(const double *values, unsigned n);
/* The median of two parts' ratios, round by round. */
double bench_ratio(const double *of, const double *to, unsigned n);

#endif
