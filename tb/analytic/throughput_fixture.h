/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of throughput_* share: reference vectors, the devices of Table 14, fair inputs.
 */
#ifndef BALLAST_THROUGHPUT_FIXTURE_H
#define BALLAST_THROUGHPUT_FIXTURE_H

#include "analytic/analytic_fixture.h"
#include "analytic/throughput_advice.h"
#include "analytic/throughput_kernel.h"

/* The reference vectors. 0: MWP_App 3, and 3 are sustained. 1: MWP_App 45, of which 21.25 are. */
static const throughput_in vectors[4] = {
    {.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = 6, .mwp_bw = 3, .mwp_proc = 99, .mstr = 1},
    {.eff_mem = 450, .eff_comp = 20, .eff_perf = 10, .n = 32, .mwp_bw = 21.25, .mwp_proc = 99, .mstr = 2},
    {.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = 2, .mwp_bw = 3, .mwp_proc = 99, .mstr = 1},
    {.eff_mem = 450, .eff_comp = 200, .eff_perf = 100, .n = 32, .mwp_bw = 21.25, .mwp_proc = 99, .mstr = 1},
};

/* An input and its readings, for tables. */
typedef struct throughput_request {
    throughput_in in;
    throughput_options options;
} throughput_request;
#define IN(path, value) {MEMBER(throughput_request, in.path), value}
#define OPTION(path, value) {MEMBER(throughput_request, options.path), value}
#define OUT(path, expected) WANT(throughput_result, path, expected, 1e-12)

/* throughput_compute() of one. */
static __attribute__((unused)) MODEL(throughput_of_request, throughput_request,
                                     throughput_compute(&in->in, &in->options, out, why))

static const wild_member throughput_wild[] __attribute__((unused)) = {
    {MEMBER(throughput_request, in.eff_mem), 0},     {MEMBER(throughput_request, in.eff_comp), 0},
    {MEMBER(throughput_request, in.eff_perf), 0},    {MEMBER(throughput_request, in.n), 0},
    {MEMBER(throughput_request, in.mwp_bw), 0},      {MEMBER(throughput_request, in.mwp_proc), 0},
    {MEMBER(throughput_request, in.mstr), 0},        {MEMBER(throughput_request, options.infin), THROUGHPUT_INFINS},
    {MEMBER(throughput_request, options.n_new), THROUGHPUT_N_NEWS},
};

/* What the changes make of the input's result; without an option, NULL options are the same. */
#define assert_throughput(in, rows) throughput_results(in, rows, LENGTH(rows))
static inline void throughput_results(const throughput_in *in, const result *rows, size_t num)
{
    const throughput_request good = {*in, throughput_options_default()};
    const subject model = {throughput_of_request, &good, sizeof good};
    throughput_result with, without;

    analytic_results(&model, rows, num);
    must(throughput_compute(in, &good.options, &with, &err));
    must(throughput_compute(in, NULL, &without, &err));
    assert_same(with.eff_ratio, without.eff_ratio);
    assert_int_equal(with.category, without.category);
}

/* Dmadd and Dotp: two loads at once, hardly any computation (section 5.4.4); `budget` accesses in
 * flight on 16 cores. */
static inline throughput_in dmadd_on_16(uint32_t n, double budget)
{
    return (throughput_in){.eff_mem = 450, .eff_comp = 5, .eff_perf = 1, .n = n, .mwp_bw = budget / 16,
                           .mwp_proc = 99, .mstr = 2};
}

static inline throughput_device gtx580(void)
{
    return throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
}

static inline throughput_device e5645(void)
{
    return throughput_device_e5645(THROUGHPUT_TABLE_14_CORRECTED);
}

/* One that can be. */
static inline throughput_in fair_in(uint64_t *seed)
{
    const double comp = random_between(seed, 1, 300);

    return (throughput_in){
        .eff_mem = random_between(seed, 0, 800),
        .eff_comp = comp,
        .eff_perf = random_between(seed, 0, comp),
        .n = 1 + (uint32_t)(random_next(seed) % 48),
        .mwp_bw = random_between(seed, 0.1, 40),
        .mwp_proc = random_between(seed, 0.1, 40),
        .mstr = 1 + (double)(random_next(seed) % 3),
    };
}

#endif
