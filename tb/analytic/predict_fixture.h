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

/* A kernel on a built-in GPU with the default options; limit and sms are for predict_time() and
 * predict_run(). */
typedef struct predict_request {
    analytic_gpu gpu;
    analytic_kernel kernel;
    analytic_predict_options options;
    uint32_t limit, sms;
} predict_request;
#define IN(path, value) {MEMBER(predict_request, path), value}
#define PREDICTED(path, expected) WANT(analytic_prediction, path, expected, 0)
predict_request predict_on(const char *gpu, analytic_kernel kernel);

/* analytic_predict(), analytic_predict_time() and analytic_predict_run(), which leaves the run as it was if it refuses, for tables. */
bool predict_of_request(const void *input, void *out, analytic_err *why);
bool predict_time_of_request(const void *input, void *out, analytic_err *why);
bool predict_run_of_request(const void *input, void *out, analytic_err *why);
/* predict() must take it; holds until the next call. */
const analytic_prediction *predict_solve(const predict_request *r);
mwp_cwp_result predict_solve_time(const predict_request *r);

/* What predict_kernel() on gtx280 is to mwp_cwp with `active_blocks` blocks per SM. */
mwp_cwp_vector predict_by_hand(uint32_t active_blocks);
/* To the last bit: it has to be the same call. */
void predict_same_time(const mwp_cwp_result *got, const mwp_cwp_result *want);

/* The fewest blocks that no higher limit beats by 2 % (PS-E4), said once more. */
uint32_t predict_expected_best(const analytic_prediction *p);

/* Every double of it is a number. */
void predict_assert_finite(const analytic_prediction *p);

#endif
