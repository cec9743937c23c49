/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference vectors V1 to V7 of mwp_cwp and what its tests share.
 */
#ifndef BALLAST_MWP_CWP_FIXTURE_H
#define BALLAST_MWP_CWP_FIXTURE_H

#include "analytic/mwp_cwp.h"

enum { MWP_CWP_VECTORS = 7 };

typedef struct mwp_cwp_vector {
    mwp_cwp_gpu gpu;
    mwp_cwp_kernel kernel;
} mwp_cwp_vector;

/* number: 1 to 7. */
mwp_cwp_vector mwp_cwp_vector_at(unsigned number);
/* One block of `warps` warps on each of an FX5600's SMs. */
mwp_cwp_vector mwp_cwp_few_warps(uint32_t warps, double comp_insts, double coal_mem_insts);

/* The model must take it. */
mwp_cwp_result mwp_cwp_solve(const mwp_cwp_vector *v, const mwp_cwp_options *options);

/* Within `relative` of `want`; 0 is exact. */
#define assert_near(got, want, relative) mwp_cwp_assert_near(got, want, relative, #got, __FILE__, __LINE__)
void mwp_cwp_assert_near(double got, double want, double relative, const char *what, const char *file,
                         int line);

/* A generator with a fixed seed. */
typedef struct mwp_cwp_dice {
    uint64_t state;
} mwp_cwp_dice;

uint64_t mwp_cwp_roll(mwp_cwp_dice *dice);
double mwp_cwp_between(mwp_cwp_dice *dice, double least, double most);
/* Anything: zeros, negatives, NaN, infinities, the ends of the range, now and then a sane number. */
double mwp_cwp_wild(mwp_cwp_dice *dice);
uint32_t mwp_cwp_wild_count(mwp_cwp_dice *dice);

#endif
