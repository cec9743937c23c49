/* SPDX-License-Identifier: Apache-2.0
 *
 * Wild input: predict says in words what is wrong, or all numbers of its result are finite.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/predict_fixture.h"

static prediction p; /* large */
static mwp_cwp_dice dice;

static bool once_in(unsigned n)
{
    return mwp_cwp_roll(&dice) % n == 0;
}

static void wild_kernel(analytic_kernel *k)
{
    double *const numbers[] = {&k->int_insts, &k->fp_insts, &k->sfu_insts, &k->alu_insts, &k->shared_insts,
                               &k->const_insts, &k->texture_insts, &k->local_insts, &k->coal_mem_insts,
                               &k->uncoal_mem_insts, &k->synch_insts, &k->uncoal_per_mw, &k->load_bytes,
                               &k->independent_loads, &k->mem_latency};

    *k = predict_kernel();
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (once_in(6))
            *numbers[i] = once_in(8) ? mwp_cwp_wild(&dice) : pow(10, mwp_cwp_between(&dice, -300, 300));
    if (once_in(3))
        k->blocks = mwp_cwp_wild_count(&dice);
    if (once_in(3))
        k->threads_per_block = once_in(4) ? mwp_cwp_wild_count(&dice) : (uint32_t)mwp_cwp_between(&dice, 1, 512);
    if (once_in(8))
        k->regs_per_thread = mwp_cwp_wild_count(&dice) % 150;
    if (once_in(8))
        k->shared_per_block = mwp_cwp_wild_count(&dice) * 4;
}

static void wild_gpu(analytic_gpu *gpu)
{
    mwp_cwp_gpu *m = &gpu->memory;
    double *const numbers[] = {&m->freq_ghz, &m->bandwidth_gb_s, &m->mem_ld, &m->departure_coal,
                               &m->departure_uncoal, &m->issue_cycles, &gpu->power.idle_power,
                               &gpu->power.thermal.mu, &gpu->power.unit[IPP_GLOBAL].max_power};

    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (once_in(12))
            *numbers[i] = once_in(4) ? mwp_cwp_wild(&dice) : pow(10, mwp_cwp_between(&dice, -300, 300));
    if (once_in(6))
        gpu->occupancy.num_sms = mwp_cwp_wild_count(&dice) % 50;
    if (once_in(20))
        gpu->occupancy.max_blocks = mwp_cwp_wild_count(&dice);
    if (once_in(20))
        m->warp_size = mwp_cwp_wild_count(&dice);
}

static predict_options wild_options(void)
{
    predict_options o = predict_options_default();

    o.time.case2_comp_or = once_in(2);
    o.time.issue_floor = once_in(2);
    o.time.rep_ceil = once_in(2);
    o.time.use_npw = once_in(2);
    o.time.npw_literal = once_in(4);
    o.power.zero_sms_log = once_in(2);
    o.power.maxtemp_is_delta = once_in(2);
    o.throughput.period = once_in(2) ? THROUGHPUT_PERIOD_GROUP : THROUGHPUT_PERIOD_ACCESS;
    o.throughput.n_new = once_in(2) ? THROUGHPUT_N_TIMES_ALPHA : THROUGHPUT_N_SOLVED;
    return o;
}

static void any_input_is_refused_or_gives_numbers(void **state)
{
    unsigned fine = 0, refused = 0;

    (void)state;
    dice.state = 20;
    for (unsigned i = 0; i < 6000; i++) {
        const predict_options options = wild_options();
        analytic_err err = {""};
        analytic_kernel kernel;
        analytic_gpu gpu;

        wild_kernel(&kernel);
        analytic_gpu_at((unsigned)(mwp_cwp_roll(&dice) % analytic_gpu_count()), &gpu);
        wild_gpu(&gpu);
        if (predict(&gpu, &kernel, once_in(2) ? NULL : &options, &p, &err)) {
            fine++;
            assert_true(predict_is_finite(&p));
            assert_in_range(p.best_limit, 1, p.nmax);
            assert_in_range(p.eq63.cores, 1, gpu.occupancy.num_sms);
        } else {
            refused++;
            assert_string_not_equal(err.text, "");
            assert_null(strstr(err.text, "(null)"));
        }
    }
    assert_true(fine > 500 && refused > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_input_is_refused_or_gives_numbers),
    };

    return cmocka_run_group_tests_name("predict: any input", tests, NULL, NULL);
}
