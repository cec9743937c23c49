/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of predict share: kernels, and calls that have to work.
 */
#ifndef BALLAST_PREDICT_FIXTURE_H
#define BALLAST_PREDICT_FIXTURE_H

#include "analytic/mwp_cwp_fixture.h"
#include "analytic/predict.h"

/* Of every kind of instruction some: 100 arithmetic, 15 to memories on the SM, 10 global, 2 local; 480
 * blocks of 8 warps, four of which fit an SM of gtx280. */
analytic_kernel predict_kernel(void);
/* The same launch with so many arithmetic instructions (all of them FP) and memory accesses. */
analytic_kernel predict_simple_kernel(double arithmetic, double coalesced, double uncoalesced);

/* A built-in GPU. */
analytic_gpu predict_gpu(const char *name);

void predict_solve(const analytic_gpu *gpu, const analytic_kernel *kernel, const predict_options *options,
                   prediction *out);
mwp_cwp_result predict_solve_time(const analytic_gpu *gpu, const analytic_kernel *kernel, uint32_t limit,
                                  uint32_t sms, const predict_options *options);

/* What predict_kernel() is to mwp_cwp with `active_blocks` blocks per SM. */
mwp_cwp_kernel predict_by_hand(uint32_t active_blocks);
mwp_cwp_result predict_solve_by_hand(const mwp_cwp_gpu *gpu, const mwp_cwp_kernel *kernel,
                                     const mwp_cwp_options *options);
/* To the last bit: it has to be the same call. */
void predict_same_time(const mwp_cwp_result *got, const mwp_cwp_result *want);

/* The fewest blocks that no higher limit beats by 2 % (PS-E4), said once more. */
uint32_t predict_expected_best(const prediction *p);

/* Every double of it is a number. */
void predict_assert_finite(const prediction *p);

/* predict() for tables of changes: predict_kernel() on gtx280 with the default options. */
typedef struct predict_request {
    analytic_gpu gpu;
    analytic_kernel kernel;
    predict_options options;
} predict_request;
#define IN(path, value) {MEMBER(predict_request, path), value}
predict_request predict_good_request(void);
bool predict_of_request(const void *request, void *out, analytic_err *said);

#endif
