/* SPDX-License-Identifier: Apache-2.0
 *
 * What slowdown refuses, and that anything else has a finite result.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analytic/slowdown.h"
#include "engine/random.h"

static const occupancy_kernel plain = {100, 256, 16, 512};

static void says(const analytic_err *err, const char *word)
{
    if (!strstr(err->text, word))
        fail_msg("\"%s\" has no \"%s\"", err->text, word);
}

static void refused(const occupancy_kernel *k1, const occupancy_kernel *k2, double exec_time_k1,
                    const slowdown_options *options, const char *word)
{
    slowdown_result r, before;
    analytic_err err = {""};

    memset(&r, 0x5a, sizeof r);
    before = r;
    assert_false(slowdown_compute(occupancy_gpu_find("cc3.5"), k1, k2, exec_time_k1, options, &r, &err));
    assert_memory_equal(&r, &before, sizeof r);
    says(&err, word);
}

static void refuses_kernels_and_says_which(void **state)
{
    const occupancy_kernel none = {0, 256, 16, 0}, wide = {1, 1025, 16, 0};
    slowdown_result r;
    analytic_err err = {""};

    (void)state;
    refused(&none, &plain, 1, NULL, "k1: blocks is 0");
    refused(&plain, &none, 1, NULL, "k2: blocks is 0");
    refused(&wide, &plain, 1, NULL, "k1: threads_per_block is 1025");
    refused(&plain, &wide, 1, NULL, "k2: threads_per_block is 1025");
    assert_false(slowdown_compute(NULL, &plain, &plain, 1, NULL, &r, &err));
    says(&err, "gpu is missing");
}

static void refuses_times_that_cannot_be(void **state)
{
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};
    slowdown_options o = slowdown_options_default();

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(&plain, &plain, bad[i], NULL, "exec_time_k1 is");
        o.lifetime = SLOWDOWN_LIFETIME_FINITE;
        o.exec_time_k2 = bad[i];
        refused(&plain, &plain, 1, &o, "exec_time_k2 is");
        o = slowdown_options_default();
        if (bad[i] == 0)
            continue;
        o.launch_overhead = bad[i];
        refused(&plain, &plain, 1, &o, "launch_overhead is");
        o = slowdown_options_default();
    }
    o.lifetime = SLOWDOWN_LIFETIME_FINITE;
    o.exec_time_k2 = 1e-300;
    refused(&plain, &plain, 1e300, &o, "exec_time_k1 / exec_time_k2");
}

static void refuses_readings_that_there_are_not(void **state)
{
    slowdown_options o = slowdown_options_default();

    (void)state;
    o.cond2 = (enum slowdown_cond2)2;
    refused(&plain, &plain, 1, &o, "cond2 is 2");
    o = slowdown_options_default();
    o.fill = (enum slowdown_fill)2;
    refused(&plain, &plain, 1, &o, "fill is 2");
    o = slowdown_options_default();
    o.occupied = (enum slowdown_occupied)2;
    refused(&plain, &plain, 1, &o, "occupied is 2");
    o = slowdown_options_default();
    o.remainder = (enum slowdown_remainder)2;
    refused(&plain, &plain, 1, &o, "remainder is 2");
    o = slowdown_options_default();
    o.full_wave = (enum slowdown_full_wave)2;
    refused(&plain, &plain, 1, &o, "full_wave is 2");
    o = slowdown_options_default();
    o.lifetime = (enum slowdown_lifetime)2;
    refused(&plain, &plain, 1, &o, "lifetime is 2; give one of its enum, 0 to 1");
    o = slowdown_options_default();
    o.occupancy.units = (enum occupancy_units)2;
    refused(&plain, &plain, 1, &o, "units is 2");
}

static void refuses_in_single_equations(void **state)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");
    const occupancy_kernel none = {0, 256, 16, 0}, wide = {1, 1024, 16, 0};
    slowdown_options o = slowdown_options_default();
    uint32_t n = 7;
    double e = 7;
    analytic_err err = {""};

    (void)state;
    assert_false(slowdown_waves(0, 1, 1, &n, &err));
    says(&err, "blocks is 0");
    assert_false(slowdown_waves(1, 0, 1, &n, &err));
    says(&err, "active_blocks is 0");
    assert_false(slowdown_waves(1, 1, 0, &n, &err));
    says(&err, "num_sms is 0");
    assert_false(slowdown_allocatable(gpu, &plain, &wide, 9, NULL, &n, &err));
    says(&err, "k1_blocks is 9; an SM holds at most 8 blocks of k1");
    assert_false(slowdown_allocatable(gpu, &plain, &none, 1, NULL, &n, &err));
    says(&err, "k2: blocks is 0");
    o.launch_overhead = -1;
    assert_false(slowdown_allocatable(gpu, &plain, &plain, 1, &o, &n, &err));
    says(&err, "launch_overhead is -1");
    assert_false(slowdown_error(0, 1, &e, &err));
    says(&err, "estimated is 0");
    assert_false(slowdown_error(1, NAN, &e, &err));
    says(&err, "actual is nan");
    assert_false(slowdown_error(1e308, 1e-308, &e, &err));
    says(&err, "error has no finite value");
    assert_int_equal(n, 7);
    assert_true(e == 7);
}

/* ---- anything ---------------------------------------------------------------------------------- */

static double wild_time(uint64_t *seed)
{
    static const double times[] = {1, 0.5, 3, 100, 0, -1, 1e-300, 1e300, 1e-6, 5e-324, NAN, INFINITY};

    return times[random_next(seed) % (sizeof times / sizeof times[0])];
}

static occupancy_kernel wild_kernel(uint64_t *seed)
{
    static const uint32_t blocks[] = {1, 47, 120, 450, 5000, UINT32_MAX, 0};
    static const uint32_t threads[] = {16, 128, 256, 257, 512, 1024, 1, 0, UINT32_MAX};
    static const uint32_t shared[] = {0, 0, 0, 256, 4096, 11776, 49152, 1, UINT32_MAX};

    return (occupancy_kernel){blocks[random_next(seed) % 7], threads[random_next(seed) % 9],
                              (uint32_t)(random_next(seed) % 66), shared[random_next(seed) % 9]};
}

static slowdown_options wild_options(uint64_t *seed)
{
    slowdown_options o = slowdown_options_default();

    o.occupancy.units = (enum occupancy_units)(random_next(seed) % 2);
    o.occupancy.warp_rounding = (enum occupancy_warp_rounding)(random_next(seed) % 2);
    o.cond2 = (enum slowdown_cond2)(random_next(seed) % 2);
    o.fill = (enum slowdown_fill)(random_next(seed) % 2);
    o.occupied = (enum slowdown_occupied)(random_next(seed) % 2);
    o.remainder = (enum slowdown_remainder)(random_next(seed) % 2);
    o.full_wave = (enum slowdown_full_wave)(random_next(seed) % 2);
    o.lifetime = (enum slowdown_lifetime)(random_next(seed) % 2);
    o.alloc_by_warp = random_next(seed) % 2;
    o.block_slots = random_next(seed) % 2;
    o.launch_overhead = random_next(seed) % 3 ? 0 : wild_time(seed);
    o.exec_time_k2 = wild_time(seed);
    return o;
}

static void assert_sound(const slowdown_result *r, const occupancy_kernel *k2, const occupancy_gpu *gpu)
{
    uint64_t sms = 0, capacity = 0;

    for (unsigned i = 0; i < r->num_groups; i++) {
        sms += r->group[i].sms;
        capacity += (uint64_t)r->group[i].sms * r->group[i].k2_blocks;
        assert_true(r->group[i].k1_blocks <= r->k1.active_blocks);
        assert_true(r->group[i].k2_blocks <= r->k2.active_blocks);
    }
    assert_int_equal(sms, gpu->num_sms);
    assert_int_equal(capacity, r->capacity);
    assert_int_equal(r->n_free + r->n_occupied, gpu->num_sms);
    assert_true(isfinite(r->slowdown) && r->slowdown >= 1);
    assert_true(isfinite(r->lifetime_waves) && r->lifetime_waves >= 0);
    assert_true(r->waves_with_lim_res >= r->waves_k2 && r->waves_with_lim_res <= k2->blocks);
}

static void anything_is_refused_or_has_a_finite_slowdown(void **state)
{
    uint64_t seed = 20170902;
    unsigned computed = 0;

    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const unsigned set = (unsigned)(random_next(&seed) % occupancy_gpu_count());
        const occupancy_gpu *gpu = occupancy_gpu_at(set);
        const occupancy_kernel k1 = wild_kernel(&seed), k2 = wild_kernel(&seed);
        const slowdown_options o = wild_options(&seed);
        slowdown_result r;
        analytic_err err = {""};
        if (!slowdown_compute(gpu, &k1, &k2, wild_time(&seed), &o, &r, &err)) {
            assert_true(err.text[0]);
            continue;
        }
        computed++;
        assert_sound(&r, &k2, gpu);
    }
    assert_true(computed > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_kernels_and_says_which),
        cmocka_unit_test(refuses_times_that_cannot_be),
        cmocka_unit_test(refuses_readings_that_there_are_not),
        cmocka_unit_test(refuses_in_single_equations),
        cmocka_unit_test(anything_is_refused_or_has_a_finite_slowdown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
