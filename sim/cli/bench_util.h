/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing for the benchmarks.
 */
#ifndef BALLAST_BENCH_UTIL_H
#define BALLAST_BENCH_UTIL_H

enum { BENCH_MAX_ROUNDS = 16 };

double bench_now(void); /* seconds */
double bench_median(const double *values, unsigned n);

#endif
