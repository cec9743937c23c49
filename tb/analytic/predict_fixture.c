/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/predict_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

analytic_kernel predict_kernel(void)
{
    return (analytic_kernel){
        .name = "all", .blocks = 480, .threads_per_block = 256, .regs_per_thread = 16, .shared_per_block = 2048,
        .int_insts = 30, .fp_insts = 40, .sfu_insts = 5, .alu_insts = 25,
        .shared_insts = 8, .const_insts = 4, .texture_insts = 3, .local_insts = 2,
        .coal_mem_insts = 6, .uncoal_mem_insts = 4, .synch_insts = 3,
        .uncoal_per_mw = 8, .load_bytes = 128, .independent_loads = 1};
}

analytic_kernel predict_simple_kernel(double arithmetic, double coalesced, double uncoalesced)
{
    return (analytic_kernel){
        .name = "simple", .blocks = 480, .threads_per_block = 256, .regs_per_thread = 10, .fp_insts = arithmetic,
        .coal_mem_insts = coalesced, .uncoal_mem_insts = uncoalesced,
        .uncoal_per_mw = 8, .load_bytes = 128, .independent_loads = 1};
}

analytic_gpu predict_gpu(const char *name)
{
    analytic_gpu gpu;

    assert_true(analytic_gpu_find(name, &gpu));
    return gpu;
}

void predict_solve(const analytic_gpu *gpu, const analytic_kernel *kernel, const predict_options *options,
                   prediction *out)
{
    analytic_err err = {""};

    if (!predict(gpu, kernel, options, out, &err))
        fail_msg("refused: %s", err.text);
}

mwp_cwp_result predict_solve_time(const analytic_gpu *gpu, const analytic_kernel *kernel, uint32_t limit,
                                  uint32_t sms, const predict_options *options)
{
    analytic_err err = {""};
    mwp_cwp_result r;

    if (!predict_time(gpu, kernel, limit, sms, options, &r, &err))
        fail_msg("refused: %s", err.text);
    return r;
}

mwp_cwp_kernel predict_by_hand(uint32_t active_blocks)
{
    return (mwp_cwp_kernel){
        .threads_per_block = 256, .blocks = 480, .active_blocks_per_sm = active_blocks,
        .comp_insts = 30 + 40 + 5 + 25 + 8 + 4 + 3, .coal_mem_insts = 6 + 2, .uncoal_mem_insts = 4,
        .coal_per_mw = 1, .uncoal_per_mw = 8, .load_bytes_per_warp = 128, .synch_insts = 3, .m_factor = 1};
}

mwp_cwp_result predict_solve_by_hand(const mwp_cwp_gpu *gpu, const mwp_cwp_kernel *kernel,
                                     const mwp_cwp_options *options)
{
    const mwp_cwp_vector v = {.gpu = *gpu, .kernel = *kernel};

    return mwp_cwp_solve(&v, options);
}

void predict_same_time(const mwp_cwp_result *got, const mwp_cwp_result *want)
{
    assert_memory_equal(got, want, offsetof(mwp_cwp_result, case_number));
    assert_int_equal(got->case_number, want->case_number);
    assert_int_equal(got->equation, want->equation);
}

uint32_t predict_expected_best(const prediction *p)
{
    for (uint32_t limit = 1; limit < p->nmax; limit++) {
        double highest = 0;

        for (uint32_t more = limit + 1; more <= p->nmax; more++)
            highest = fmax(highest, p->point[more].ipc);
        if (highest / p->point[limit].ipc - 1 < 0.02)
            return limit;
    }
    return p->nmax;
}

/* The doubles from `from` up to `to`, which stand one after the other. */
static bool all_finite(const void *from, const void *to)
{
    const char *at = from;

    for (; at < (const char *)to; at += sizeof(double)) {
        double value;

        memcpy(&value, at, sizeof value);
        if (!isfinite(value))
            return false;
    }
    return true;
}

static bool point_is_finite(const prediction_point *p)
{
    const ipp_power *w = &p->power;

    return all_finite(&p->time, &p->time.case_number) && all_finite(&p->cycles, &p->power) &&
           all_finite(w->component, &w->num_limited) && all_finite(&w->sum_sm_component, w + 1) &&
           isfinite(p->energy);
}

static bool advice_is_finite(const prediction *p)
{
    const throughput_in *in = &p->throughput_in;
    const throughput_result *r = &p->throughput;
    const throughput_core_advice *cores = &p->core_advice;

    return all_finite(in, &in->n) && all_finite(&in->mwp_bw, in + 1) && all_finite(r, &r->limiter) &&
           all_finite(&r->mem_serial_n, &r->category) && all_finite(&cores->alpha, &cores->cores) &&
           isfinite(cores->mwp_bw_new) && all_finite(&p->n_advice.alpha, &p->n_advice.n) &&
           isfinite(p->n_advice.mwp_app_new) && all_finite(&p->freq_advice.mwp_infin, &p->freq_advice + 1);
}

bool predict_is_finite(const prediction *p)
{
    const ipp_best *best = &p->per_watt;

    for (uint32_t limit = 1; limit <= p->nmax; limit++)
        if (!point_is_finite(&p->point[limit]))
            return false;
    return isfinite(p->occupancy.occupancy) && isfinite(p->eq63.quotient) &&
           all_finite(&best->best.seconds, &best->most) && all_finite(&best->most.seconds, best + 1) &&
           all_finite(&p->heat, &p->heat + 1) && advice_is_finite(p);
}
