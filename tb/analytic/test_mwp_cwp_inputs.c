/* SPDX-License-Identifier: Apache-2.0
 *
 * What mwp_cwp refuses, field by field; any input is refused or gives numbers; and what holds for every
 * kernel that can be.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/mwp_cwp_fixture.h"
#include "analytic/mwp_cwp_gpus.h"

static void refuse(const mwp_cwp_vector *v, const char *says)
{
    analytic_err err = {""};
    mwp_cwp_result out;
    mwp_cwp_result before;

    memset(&out, 0x5a, sizeof out);
    memcpy(&before, &out, sizeof out);
    assert_false(mwp_cwp_compute(&v->gpu, &v->kernel, NULL, &out, &err));
    assert_memory_equal(&out, &before, sizeof out);
    if (strncmp(err.text, says, strlen(says)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err.text, says);
}

static void refuse_gpu(size_t offset, const char *says)
{
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mwp_cwp_vector v = mwp_cwp_vector_at(7);

        memcpy((char *)&v.gpu + offset, &bad[i], sizeof bad[i]);
        refuse(&v, says);
    }
}

static void gpu_fields(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);

    (void)test;
    refuse_gpu(offsetof(mwp_cwp_gpu, active_sms), "active_sms is ");
    refuse_gpu(offsetof(mwp_cwp_gpu, freq_ghz), "freq_ghz is ");
    refuse_gpu(offsetof(mwp_cwp_gpu, bandwidth_gb_s), "bandwidth_gb_s is ");
    refuse_gpu(offsetof(mwp_cwp_gpu, mem_ld), "mem_ld is ");
    refuse_gpu(offsetof(mwp_cwp_gpu, departure_coal), "departure_coal is ");
    refuse_gpu(offsetof(mwp_cwp_gpu, departure_uncoal), "departure_uncoal is ");
    refuse_gpu(offsetof(mwp_cwp_gpu, issue_cycles), "issue_cycles is ");
    v.gpu.warp_size = 0;
    refuse(&v, "warp_size is 0; give");
}

static void refuse_kernel(size_t offset, double also, const char *says)
{
    const double bad[] = {also, -1, NAN, INFINITY, -INFINITY};

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mwp_cwp_vector v = mwp_cwp_vector_at(7);

        memcpy((char *)&v.kernel + offset, &bad[i], sizeof bad[i]);
        refuse(&v, says);
    }
}

static void kernel_fields(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);

    (void)test;
    v.kernel.threads_per_block = 0;
    refuse(&v, "threads_per_block is 0; give");
    v = mwp_cwp_vector_at(7);
    v.kernel.blocks = 0;
    refuse(&v, "blocks is 0; give");
    v = mwp_cwp_vector_at(7);
    v.kernel.active_blocks_per_sm = 0;
    refuse(&v, "active_blocks_per_sm is 0; give");
    refuse_kernel(offsetof(mwp_cwp_kernel, comp_insts), -0.5, "comp_insts is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, coal_mem_insts), -0.5, "coal_mem_insts is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, uncoal_mem_insts), -0.5, "uncoal_mem_insts is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, coal_per_mw), 2, "coal_per_mw is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, uncoal_per_mw), 0.99, "uncoal_per_mw is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, load_bytes_per_warp), 0, "load_bytes_per_warp is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, synch_insts), -0.5, "synch_insts is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, m_factor), 0, "m_factor is ");
    refuse_kernel(offsetof(mwp_cwp_kernel, ind_mem_req), 2.01, "ind_mem_req is "); /* of two */
}

static void kernel_without_instructions(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);

    (void)test;
    v.kernel.comp_insts = 0;
    assert_int_equal(mwp_cwp_solve(&v, NULL).case_number, MWP_CWP_CASE_2);
    v.kernel.coal_mem_insts = 0;
    v.kernel.uncoal_mem_insts = 0;
    refuse(&v, "comp_insts + coal_mem_insts + uncoal_mem_insts is 0; give");
    v.kernel.comp_insts = 5;
    v.kernel.load_bytes_per_warp = -1;
    refuse(&v, "load_bytes_per_warp is -1; give 0 or more");
}

static void results_that_no_double_holds(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);

    (void)test;
    v.gpu.bandwidth_gb_s = 1e308;
    v.gpu.freq_ghz = 1e-3;
    refuse(&v, "mwp_peak_bw has no finite value");
    v = mwp_cwp_vector_at(5);
    v.kernel.comp_insts = 1e308;
    refuse(&v, "comp_cycles has no finite value");
    v = mwp_cwp_vector_at(7);
    v.gpu.bandwidth_gb_s = 1e-320;
    v.gpu.freq_ghz = 1e10;
    refuse(&v, "mwp is 0");
    v = mwp_cwp_vector_at(7);
    v.kernel.synch_insts = 1e307;
    refuse(&v, "synch_cost has no finite value");
    v = mwp_cwp_vector_at(7);
    v.kernel.coal_mem_insts = 1e308;
    v.kernel.uncoal_mem_insts = 1e308;
    refuse(&v, "comp_insts + coal_mem_insts + uncoal_mem_insts is inf");
}

static void largest_counts(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);
    mwp_cwp_result r;

    (void)test;
    v.kernel.threads_per_block = UINT32_MAX;
    v.kernel.blocks = UINT32_MAX;
    v.kernel.active_blocks_per_sm = UINT32_MAX;
    v.gpu.warp_size = UINT32_MAX;
    assert_near(mwp_cwp_solve(&v, NULL).warps_per_block, 1, 0);
    v.gpu.warp_size = UINT32_MAX - 1;
    assert_near(mwp_cwp_solve(&v, NULL).warps_per_block, 2, 0);
    v.gpu.warp_size = 1;
    r = mwp_cwp_solve(&v, NULL);
    assert_near(r.n, 4294967295.0 * 4294967295.0, 1e-15);
    assert_near(r.rep, 1 / 16.0, 0);
}

static void refuse_paths(const mwp_cwp_kernel *path, unsigned num, const char *says)
{
    const mwp_cwp_gpu *gpu = mwp_cwp_gpu_find("FX5600");
    mwp_cwp_paths_result out = {.seconds = 7};
    analytic_err err = {""};

    assert_false(mwp_cwp_paths(gpu, path, num, NULL, &out, &err));
    assert_near(out.seconds, 7, 0);
    if (strncmp(err.text, says, strlen(says)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err.text, says);
}

static void paths_of_one_launch(void **test)
{
    const mwp_cwp_kernel k = mwp_cwp_vector_at(7).kernel;
    mwp_cwp_kernel path[2] = {k, k};

    (void)test;
    refuse_paths(path, 0, "the number of paths is 0; give");
    path[1].threads_per_block = 65;
    refuse_paths(path, 2,
                 "path 2: threads_per_block, blocks, active_blocks_per_sm are 65, 64, 4; give 64, 64, 4");
    path[1] = k;
    path[1].blocks = 65;
    refuse_paths(path, 2, "path 2: threads_per_block, ");
    path[1] = k;
    path[1].active_blocks_per_sm = 3;
    refuse_paths(path, 2, "path 2: threads_per_block, ");
    path[1] = k;
    path[1].comp_insts = -1;
    refuse_paths(path, 2, "path 2: comp_insts is -1; give");
    path[0].m_factor = 0;
    refuse_paths(path, 2, "path 1: m_factor is 0; give");
    path[0] = k;
    path[0].comp_insts = 4e306; /* 1.28e308 cycles: one of them a double can hold */
    path[0].coal_mem_insts = 0;
    path[0].uncoal_mem_insts = 0;
    path[1] = path[0];
    refuse_paths(path, 2, "exec_cycles_with_synch has no finite value");
}

/* ---- any input ------------------------------------------------------------------------------------- */

static mwp_cwp_options any_options(mwp_cwp_dice *dice)
{
    const uint64_t bits = mwp_cwp_roll(dice);

    return (mwp_cwp_options){.case2_comp_or = bits & 1, .eq1 = bits & 2, .issue_floor = bits & 4,
                             .rep_ceil = bits & 8, .coal_departure = bits & 16, .use_npw = bits & 32,
                             .npw_literal = bits & 64, .npw_case_literal = bits & 128};
}

/* Most fields are sane, else nothing would ever be taken. */
static mwp_cwp_vector any_vector(mwp_cwp_dice *dice)
{
    mwp_cwp_vector v = mwp_cwp_vector_at((unsigned)(mwp_cwp_roll(dice) % MWP_CWP_VECTORS + 1));
    double *const field[] = {
        &v.gpu.active_sms, &v.gpu.freq_ghz, &v.gpu.bandwidth_gb_s, &v.gpu.mem_ld, &v.gpu.departure_coal,
        &v.gpu.departure_uncoal, &v.gpu.issue_cycles, &v.kernel.comp_insts, &v.kernel.coal_mem_insts,
        &v.kernel.uncoal_mem_insts, &v.kernel.uncoal_per_mw, &v.kernel.load_bytes_per_warp,
        &v.kernel.synch_insts, &v.kernel.m_factor, &v.kernel.ind_mem_req, &v.kernel.coal_per_mw};
    uint32_t *const count[] = {&v.gpu.warp_size, &v.kernel.threads_per_block, &v.kernel.blocks,
                               &v.kernel.active_blocks_per_sm};
    uint64_t changed = mwp_cwp_roll(dice);

    changed &= mwp_cwp_roll(dice); /* one field in eight */
    changed &= mwp_cwp_roll(dice);
    for (unsigned i = 0; i < sizeof field / sizeof field[0]; i++)
        if (changed >> i & 1)
            *field[i] = mwp_cwp_wild(dice);
    for (unsigned i = 0; i < sizeof count / sizeof count[0]; i++)
        if (changed >> (i + 32) & 1)
            *count[i] = mwp_cwp_wild_count(dice);
    return v;
}

static void any_kernel_is_refused_or_finite(void **test)
{
    enum { DOUBLES = offsetof(mwp_cwp_result, case_number) / sizeof(double) };
    mwp_cwp_dice dice = {1963};
    unsigned taken = 0;

    (void)test;
    for (unsigned i = 0; i < 200000; i++) {
        const mwp_cwp_vector v = any_vector(&dice);
        const mwp_cwp_options o = any_options(&dice);
        analytic_err err = {""};
        double value[DOUBLES];
        mwp_cwp_result r;

        if (!mwp_cwp_compute(&v.gpu, &v.kernel, &o, &r, &err)) {
            assert_true(err.text[0]);
            continue;
        }
        taken++;
        memcpy(value, &r, sizeof value);
        for (unsigned j = 0; j < DOUBLES; j++)
            assert_true(isfinite(value[j]) && value[j] >= 0);
        assert_true(r.mwp <= r.n || r.npw_used);
        assert_true(r.cwp <= r.n && r.synch_cost >= 0);
    }
    assert_in_range(taken, 50000, 150000);
}

/* ---- any kernel that can be -------------------------------------------------------------------------- */

static mwp_cwp_vector sane_vector(mwp_cwp_dice *dice)
{
    unsigned num;
    mwp_cwp_vector v = {.kernel = mwp_cwp_kernel_default()};

    v.gpu = mwp_cwp_gpus(&num)[mwp_cwp_roll(dice) % 4];
    v.gpu.bandwidth_gb_s *= mwp_cwp_between(dice, 0.2, 5);
    v.kernel.threads_per_block = (uint32_t)(mwp_cwp_roll(dice) % 512 + 1);
    v.kernel.blocks = (uint32_t)(mwp_cwp_roll(dice) % 5000 + 1);
    v.kernel.active_blocks_per_sm = (uint32_t)(mwp_cwp_roll(dice) % 8 + 1);
    v.kernel.comp_insts = mwp_cwp_between(dice, 0, 400);
    v.kernel.coal_mem_insts = (double)(mwp_cwp_roll(dice) % 5);
    v.kernel.uncoal_mem_insts = (double)(mwp_cwp_roll(dice) % 3) + (v.kernel.coal_mem_insts == 0);
    v.kernel.uncoal_per_mw = mwp_cwp_between(dice, 1, 32);
    v.kernel.load_bytes_per_warp = mwp_cwp_between(dice, 32, 256);
    v.kernel.m_factor = mwp_cwp_between(dice, 1, 4);
    v.kernel.synch_insts = (double)(mwp_cwp_roll(dice) % 4);
    return v;
}

static void check_bounds(const mwp_cwp_result *r)
{
    assert_near(r->mwp, fmin(fmin(r->mwp_without_bw_full, r->mwp_peak_bw), r->n), 0);
    assert_near(r->weight_coal + r->weight_uncoal, 1, 1e-15);
    assert_near(r->mem_cycles, r->mem_l * r->mem_insts, 1e-13); /* Eq. 3's Mem_p is Mem_L */
    assert_true(r->cwp >= 1 && r->cwp <= r->n && r->cwp <= r->cwp_full);
    assert_true(r->mem_l >= fmin(r->mem_l_coal, r->mem_l_uncoal) * (1 - 1e-15));
    assert_true(r->mem_l <= fmax(r->mem_l_coal, r->mem_l_uncoal) * (1 + 1e-15));
    assert_true(r->np_wb <= r->warps_per_block && r->np_wb <= r->mwp);
    assert_true(r->exec_cycles_with_synch >= r->exec_cycles);
}

/* The figures' reading: computation decides or all warps overlap, and issue is never the limit; where
 * memory decides, it can only be if CWP lies less than one above MWP. */
static void mc_18_to_20_partition_and_issue(void **test)
{
    mwp_cwp_dice dice = {26};
    mwp_cwp_options o = mwp_cwp_options_default();
    unsigned seen[4] = {0};
    unsigned below = 0;

    (void)test;
    o.case2_comp_or = false;
    for (unsigned i = 0; i < 20000; i++) {
        const mwp_cwp_vector v = sane_vector(&dice);
        const mwp_cwp_result r = mwp_cwp_solve(&v, &o);
        const bool all = r.mwp == r.n && r.cwp == r.n;

        check_bounds(&r);
        seen[r.case_number]++;
        below += r.below_issue_bound;
        assert_int_equal(r.case_number, all ? 1 : r.cwp >= r.mwp ? 2 : 3);
        assert_near(r.exec_cycles, all ? r.eq21 : r.cwp >= r.mwp ? r.eq22 : r.eq23, 0);
        assert_int_equal(r.below_issue_bound, r.exec_cycles < r.issue_bound);
        if (r.below_issue_bound)
            assert_true(r.case_number == MWP_CWP_CASE_2 && r.cwp_full < r.mwp + 1);
    }
    assert_true(seen[1] > 500 && seen[2] > 500 && seen[3] > 500 && below > 50);
}

/* As printed, also whatever has more computation than memory. */
static void mc_19_literal_differs_only_there(void **test)
{
    mwp_cwp_dice dice = {27};
    mwp_cwp_options figure = mwp_cwp_options_default();
    unsigned different = 0;

    (void)test;
    figure.case2_comp_or = false;
    for (unsigned i = 0; i < 20000; i++) {
        const mwp_cwp_vector v = sane_vector(&dice);
        const mwp_cwp_result printed = mwp_cwp_solve(&v, NULL);
        const mwp_cwp_result drawn = mwp_cwp_solve(&v, &figure);
        const bool differs = printed.case_number != drawn.case_number;

        different += differs;
        assert_int_equal(differs,
                         drawn.case_number == MWP_CWP_CASE_3 && drawn.comp_cycles > drawn.mem_cycles);
        if (differs)
            assert_int_equal(printed.case_number, MWP_CWP_CASE_2);
    }
    assert_true(different > 500);
}

static void floor_holds(void **test)
{
    mwp_cwp_dice dice = {28};

    (void)test;
    for (unsigned i = 0; i < 20000; i++) {
        const mwp_cwp_vector v = sane_vector(&dice);
        mwp_cwp_options o = any_options(&dice);
        mwp_cwp_result r;

        o.issue_floor = true;
        o.use_npw = false;
        r = mwp_cwp_solve(&v, &o);
        assert_true(r.exec_cycles >= r.issue_bound);
        assert_true(r.cpi >= v.gpu.issue_cycles * v.kernel.m_factor * (1 - 1e-13));
    }
}

/* Twice the blocks is twice the time; a faster clock with as much more bandwidth takes as many cycles;
 * more bandwidth never lowers MWP. */
static void scaling(void **test)
{
    mwp_cwp_dice dice = {29};

    (void)test;
    for (unsigned i = 0; i < 5000; i++) {
        mwp_cwp_vector v = sane_vector(&dice);
        const mwp_cwp_result r = mwp_cwp_solve(&v, NULL);

        v.kernel.blocks *= 2;
        assert_near(mwp_cwp_solve(&v, NULL).exec_cycles_with_synch, 2 * r.exec_cycles_with_synch, 1e-14);
        assert_near(mwp_cwp_solve(&v, NULL).cpi, r.cpi, 1e-14);
        v.kernel.blocks /= 2;
        v.gpu.freq_ghz *= 2;
        v.gpu.bandwidth_gb_s *= 2;
        assert_near(mwp_cwp_solve(&v, NULL).exec_cycles_with_synch, r.exec_cycles_with_synch, 1e-14);
        assert_near(mwp_cwp_solve(&v, NULL).seconds, r.seconds / 2, 1e-14);
        v.gpu.bandwidth_gb_s *= 2;
        assert_true(mwp_cwp_solve(&v, NULL).mwp >= r.mwp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpu_fields),
        cmocka_unit_test(kernel_fields),
        cmocka_unit_test(kernel_without_instructions),
        cmocka_unit_test(results_that_no_double_holds),
        cmocka_unit_test(largest_counts),
        cmocka_unit_test(paths_of_one_launch),
        cmocka_unit_test(any_kernel_is_refused_or_finite),
        cmocka_unit_test(mc_18_to_20_partition_and_issue),
        cmocka_unit_test(mc_19_literal_differs_only_there),
        cmocka_unit_test(floor_holds),
        cmocka_unit_test(scaling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
