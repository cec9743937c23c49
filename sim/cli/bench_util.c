/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The process's own time: what is measured has one thread, and other programs on the machine take none of it. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_median(const double *values, unsigned n)
{
    double sorted[BENCH_MAX_ROUNDS];

    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, by_value);
    return sorted[n / 2];
}

double bench_ratio(const double *of, const double *to, unsigned n)
{
    double ratio[BENCH_MAX_ROUNDS] = {0};

    for (unsigned i = 0; i < n; i++)
        ratio[i] = of[i] / to[i];
    return bench_median(ratio, n);
}

bool bench_measure(const bench_rounds *b)
{
    for (unsigned round = 0; round <= b->rounds; round++) {
        for (unsigned part = 0; part < b->parts; part++) {
            const double start = now();

            if (!b->run(b->user, part))
                return false;
            if (round)
                b->speed[part * b->rounds + round - 1] = b->work / (now() - start);
        }
    }
    return true;
}
