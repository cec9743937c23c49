/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference vectors V1 to V7 of mwp_cwp and what its tests share.
 */
#ifndef BALLAST_MWP_CWP_FIXTURE_H
#define BALLAST_MWP_CWP_FIXTURE_H

#include "analytic/analytic_fixture.h"
#include "analytic/mwp_cwp_gpus.h"

enum { MWP_CWP_VECTORS = 7 };

typedef struct mwp_cwp_vector {
    mwp_cwp_gpu gpu;
    mwp_cwp_kernel kernel;
    mwp_cwp_options options; /* the defaults, for tables of changes; who calls mwp_cwp_solve() gives its own */
} mwp_cwp_vector;
#define GPU(path, value) {MEMBER(mwp_cwp_vector, gpu.path), value}
#define KERNEL(path, value) {MEMBER(mwp_cwp_vector, kernel.path), value}
#define OPTION(path, value) {MEMBER(mwp_cwp_vector, options.path), value}
#define OUT(path, expected, relative) WANT(mwp_cwp_result, path, expected, relative)

/* number: 1 to 7. */
mwp_cwp_vector mwp_cwp_vector_at(unsigned number);

/* The model must take it. */
mwp_cwp_result mwp_cwp_solve(const mwp_cwp_vector *v, const mwp_cwp_options *options);

/* mwp_cwp_compute() of an mwp_cwp_vector, for tables. */
bool mwp_cwp_of_vector(const void *input, void *out, analytic_err *why);

#endif
