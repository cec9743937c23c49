/* SPDX-License-Identifier: Apache-2.0
 *
 * predict over the CTA limits: grids too small to fill an SM or the machine, fewer SMs, and which limit is
 * the best.
 */
#include "analytic/predict_fixture.h"

static prediction p; /* large; one at a time */

/* ---- grids smaller than the machine ---------------------------------------------------------- */

/* `blocks` blocks at limits 1..4: an SM has `active` of them at a time, `sms` SMs have some. */
static void small_grid(uint32_t blocks, const uint32_t active[4], double sms, const double rounds[4])
{
    const mwp_cwp_options options = mwp_cwp_options_for_decisions();
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_kernel();
    mwp_cwp_gpu machine = *mwp_cwp_gpu_find("GTX280");

    kernel.blocks = blocks;
    machine.active_sms = sms;
    predict_solve(&gpu, &kernel, NULL, &p);
    for (uint32_t limit = 1; limit <= 4; limit++) {
        mwp_cwp_kernel hand = predict_by_hand(active[limit - 1]);
        mwp_cwp_options how = options;
        mwp_cwp_result want;

        hand.blocks = blocks;
        how.rep_ceil = rounds[limit - 1] == 1;
        want = predict_solve_by_hand(&machine, &hand, &how);
        predict_same_time(&p.point[limit].time, &want);
        assert_near(want.rep, rounds[limit - 1], 1e-15);
    }
}

TEST(fewer_blocks_than_sms)
{
    small_grid(7, (const uint32_t[]){1, 1, 1, 1}, 7, (const double[]){1, 1, 1, 1});
    small_grid(1, (const uint32_t[]){1, 1, 1, 1}, 1, (const double[]){1, 1, 1, 1});
    small_grid(29, (const uint32_t[]){1, 1, 1, 1}, 29, (const double[]){1, 1, 1, 1});
    small_grid(30, (const uint32_t[]){1, 1, 1, 1}, 30, (const double[]){1, 1, 1, 1});
    assert_int_equal(p.best_limit, 1); /* no limit changes anything */
}

TEST(fewer_blocks_per_sm_than_the_limit)
{
    small_grid(31, (const uint32_t[]){1, 2, 2, 2}, 30, (const double[]){31 / 30.0, 1, 1, 1});
    small_grid(60, (const uint32_t[]){1, 2, 2, 2}, 30, (const double[]){2, 1, 1, 1});
    small_grid(61, (const uint32_t[]){1, 2, 3, 3}, 30, (const double[]){61 / 30.0, 61 / 60.0, 1, 1});
    small_grid(100, (const uint32_t[]){1, 2, 3, 4}, 30, (const double[]){100 / 30.0, 100 / 60.0, 100 / 90.0, 1});
}

TEST(hg_a3_whole_rounds_stay_a_reading)
{
    predict_request r = predict_good_request();

    r.kernel.blocks = 100;
    assert_near(predict_solve_time(&r.gpu, &r.kernel, 2, 30, &r.options).rep, 100 / 60.0, 1e-15);
    r.options.time.rep_ceil = true;
    assert_near(predict_solve_time(&r.gpu, &r.kernel, 2, 30, &r.options).rep, 2, 0);
}

TEST(fewer_sms)
{
    const mwp_cwp_options options = mwp_cwp_options_for_decisions();
    predict_request r = predict_good_request();
    const mwp_cwp_kernel hand = predict_by_hand(3);
    mwp_cwp_gpu machine = *mwp_cwp_gpu_find("GTX280");
    mwp_cwp_result got, want;

    machine.active_sms = 10;
    got = predict_solve_time(&r.gpu, &r.kernel, 3, 10, NULL);
    want = predict_solve_by_hand(&machine, &hand, &options);
    predict_same_time(&got, &want);
    assert_near(got.rep, 16, 0);
}

/* ---- best limit ------------------------------------------------------------------------------ */

TEST(ps_e4_latency_wants_as_many_as_fit)
{
    const analytic_gpu gpu = predict_gpu("fermi");
    analytic_kernel kernel = predict_simple_kernel(9, 1, 0);

    kernel.threads_per_block = 64; /* 16 warps at most: each more block hides more */
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_int_equal(p.nmax, 8);
    assert_int_equal(p.best_limit, 8);
}

TEST(ps_e4_bandwidth_wants_one)
{
    const analytic_gpu gpu = predict_gpu("fermi");
    analytic_kernel kernel = predict_simple_kernel(9, 0, 8);

    kernel.uncoal_per_mw = 32;
    kernel.load_bytes = 4096;
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_int_equal(p.nmax, 6);
    assert_int_equal(p.best_limit, 1);
}

TEST(ps_e4_two_percent_decide)
{
    const analytic_gpu gpu = predict_gpu("fermi");
    const analytic_kernel kernel = predict_simple_kernel(200, 2, 0);
    double gain;

    predict_solve(&gpu, &kernel, NULL, &p);
    assert_int_equal(p.nmax, 6);
    assert_true(p.best_limit > 1 && p.best_limit < 6);
    gain = p.point[6].ipc / p.point[p.best_limit].ipc;
    assert_true(gain > 1 && gain < 1.02); /* there is more, but not worth it */
    assert_true(p.point[6].ipc / p.point[p.best_limit - 1].ipc >= 1.02);
}

TEST(ps_e4_on_any_kernel)
{
    const analytic_gpu gpu = predict_gpu("fermi");
    uint64_t seed = 4;
    unsigned one = 0, most = 0, between = 0, close = 0;

    for (unsigned i = 0; i < 400; i++) {
        analytic_kernel kernel = predict_simple_kernel(random_between(&seed, 10, 900), random_between(&seed, 0, 9),
                                                       random_between(&seed, 0, 2));

        kernel.threads_per_block = (uint32_t)random_between(&seed, 32, 256);
        kernel.blocks = (uint32_t)random_between(&seed, 15, 2000);
        kernel.load_bytes = i % 2 ? 128 : 2048;
        predict_solve(&gpu, &kernel, NULL, &p);
        assert_int_equal(p.best_limit, predict_expected_best(&p));
        one += p.best_limit == 1;
        most += p.best_limit == p.nmax;
        between += p.best_limit > 1 && p.best_limit < p.nmax;
        for (uint32_t n = 1; n < p.nmax; n++)
            close += fabs(p.point[n + 1].ipc / p.point[n].ipc - 1.02) < 0.002;
    }
    assert_true(one > 20 && most > 20 && between > 20 && close > 20);
}
