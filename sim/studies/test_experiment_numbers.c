/* SPDX-License-Identifier: Apache-2.0
 *
 * What the experiments of single kernels make of made-up results: the papers' numbers.
 */
#include <string.h>

#include "studies/lab_fixture.h"

static lab second;

TEST(every_limit_and_setting_is_planned)
{
    const experiment_study *study;
    const run_request *r;

    BEGIN(&l, &dyncta_on_fermi, rising, TYPE_CACHE);
    study = &l.e.studies[0];
    assert_int_equal(l.pool.num, 1 + 6 + 1 + 5);
    for (unsigned limit = 1; limit <= 6; limit++) {
        r = &l.pool.requests[study->limit_run[limit]];
        assert_int_equal(r->policy, BALLAST_POLICY_STATIC);
        assert_int_equal(r->static_limit, limit);
        assert_int_equal(r->max_cycles, 150000);
        assert_int_equal(r->steady, 0);
        assert_int_equal(r->sm_level, BALLAST_VF_NORMAL);
        assert_int_equal(r->mem_level, BALLAST_VF_NORMAL);
    }
    r = &l.pool.requests[study->baseline];
    assert_int_equal(r->static_limit, 0);
    assert_int_equal(r->max_cycles, 50 * 800000);
    assert_int_equal(r->steady, 60000);
    assert_int_equal(l.pool.requests[study->run[0]].policy, BALLAST_POLICY_DYNCTA);
    assert_int_equal(l.pool.requests[study->run[2]].policy, BALLAST_POLICY_LCS);
    assert_int_equal(l.pool.requests[study->run[2]].steady, 60000);
    l.e.whole = true;
    assert_true(experiment_plan_runs(&l.e, &l.pool, 1));
    assert_int_equal(l.pool.requests[study->baseline].steady, 0);
    assert_int_equal(l.pool.requests[study->run[2]].steady, 0);
}

TEST(perfsat_numbers)
{
    BEGIN(&l, &perfsat_on_fermi, rising, TYPE_C_STRONG, TYPE_C_WEAK, TYPE_MEM); /* the optimum is 6 everywhere ... */
    for (unsigned limit = 1; limit <= 6; limit++)
        l.pool.results[l.e.studies[2].limit_run[limit]].ipc = falling[limit]; /* ... but here 3 */
    *result(&l, 0, 0) = plain_result(125, 6);  /* 0.8 of the speed              */
    *result(&l, 1, 0) = plain_result(100, 3);  /* half of the optimum, of Nmax  */
    *result(&l, 2, 0) = plain_result(80, 3);   /* 1.25 times as fast            */
    result(&l, 1, 0)->limits[0] = 6;           /* mean 3.6: accuracy 60 %       */
    result(&l, 2, 0)->limits[2] = 4;           /* mean 3.2: accuracy 93.3 %     */
    result(&l, 2, 0)->decided[1] = false;
    lab_report(&l);
    expect(&l, 1, "accuracy: 1 - |found - opt| / opt", "84.4 %");   /* 100, 60, 93.3  */
    expect(&l, 1, "SMs that found exactly opt", "66.7 %");          /* 100, 20, 80    */
    expect(&l, 1, "SMs that came to a decision", "93.3 %");         /* 100, 100, 80   */
    expect(&l, 1, "speed, C-strong and C-weak", "-10.6 %");         /* root of 0.8    */
    expect(&l, 1, "the same at the count found, without the search", "-18.4 %"); /* root of 1 x 4 / 6 */
    expect(&l, 1, "speed, MEM", "+25.0 %");
    expect(&l, 1, "speed, all", "+0.0 %");                          /* 0.8 x 1 x 1.25 */
    expect(&l, 1, "speed at opt from the start, all", "+14.5 %");   /* 1, 1, 1.5      */
    expect(&l, 1, "resources saved, C-strong", "0.0 %");
    expect(&l, 1, "resources saved, C-weak", "50.0 %");
    expect(&l, 1, "resources saved, all", "33.3 %");
    expect(&l, 1, "the same with the count found, all", "28.9 %");  /* 0, 40, 46.7    */
    assert_string_equal(cell(&l, 0, "kernel1", 6), "3.6");
    assert_string_equal(cell(&l, 0, "kernel2", 5), "3");
    assert_string_equal(cell(&l, 1, "speed, MEM", 3), "1");
}

TEST(perfsat_on_both_machines)
{
    experiment_report joint;
    const experiment *both[2];

    BEGIN(&l, &perfsat_on_fermi, rising, TYPE_MEM);
    BEGIN(&second, &perfsat_on_kepler, rising, TYPE_MEM);
    for (unsigned limit = 7; limit <= 8; limit++)
        second.pool.results[second.e.studies[0].limit_run[limit]].ipc = 1;
    *result(&l, 0, 0) = plain_result(80, 3);  /* saves half  */
    *result(&second, 0, 0) = plain_result(100, 6); /* saves none  */
    lab_report(&l);
    lab_report(&second);
    both[0] = &l.e;
    both[1] = &second.e;
    experiment_make_joint_report(both, 2, &joint);
    assert_int_equal(joint.num, 1);
    assert_string_equal(joint.grids[0].cells[1][0], "resources saved, all");
    assert_string_equal(joint.grids[0].cells[1][1], "18.32 %");
    assert_string_equal(joint.grids[0].cells[1][2], "25.0 %");
    assert_string_equal(joint.grids[0].cells[1][3], "2");
    assert_string_equal(joint.grids[0].cells[4][2], "+12.5 %");
    experiment_free_report(&joint);
    experiment_make_joint_report(both, 1, &joint);
    assert_int_equal(joint.num, 0);
}

TEST(lcs_numbers)
{
    BEGIN(&l, &lcs_paper, falling, TYPE_I, TYPE_II, TYPE_III, TYPE_IV);
    *result(&l, 0, 0) = plain_result(125, 5);
    *result(&l, 2, 0) = plain_result(50, 3);
    *result(&l, 3, 0) = plain_result(100.0 / 1.5, 2);
    lab_report(&l);
    expect(&l, 1, "speed, all", "+24.5 %"); /* fourth root of 0.8 x 1 x 2 x 1.5 */
    expect(&l, 1, "speed, types III and IV", "+73.2 %");
    expect(&l, 1, "speed, type I", "-20.0 %");
    expect(&l, 1, "speed, type III", "+100.0 %");
    expect(&l, 1, "speed at opt from the start, types III and IV", "+50.0 %");
    expect(&l, 1, "|T_new - opt|, CTAs", "1.50"); /* 2, 3, 0, 1 */
    expect(&l, 1, "energy, least, nothing power-gated", "-50.0 % (kernel2)"); /* half the time */
    assert_string_equal(cell(&l, 0, "kernel3", 7), "2.0");
    assert_string_equal(cell(&l, 0, "kernel3", 6), "2");
}

/* CKE-4: 20 of 176 KB for each CTA, 6 CTAs at Nmax and 3 here: 32 and 66 % unused. Of 91 W then 13.3 and 27.6 W are gated, and the
 * time is half as long. */
TEST(lcs_energy_with_power_gating)
{
    BEGIN(&l, &lcs_paper, falling, TYPE_III);
    l.e.studies[0].workload.threads_per_cta = 256;
    l.e.studies[0].workload.regs_per_thread = 20;
    l.e.studies[0].workload.shared_per_cta = 0;
    *result(&l, 0, 0) = plain_result(50, 3);
    result(&l, 0, 0)->mean_limit = 5; /* what is resident counts, not what may be */
    lab_report(&l);
    expect(&l, 1, "energy, all, nothing power-gated", "-50.0 %");
    expect(&l, 1, "energy, all, unused resources power-gated (at most)", "-59.2 %");
    expect(&l, 1, "energy, least, unused resources power-gated (at most)", "-59.2 % (kernel0)");
    assert_string_equal(cell(&l, 0, "kernel0", 11), "32");
    assert_string_equal(cell(&l, 0, "kernel0", 12), "66");
    assert_string_equal(cell(&l, 0, "kernel0", 13), "-59.2");
}

enum { SM_HIGH, MEM_HIGH, PERFORMANCE, SM_LOW, MEM_LOW, ENERGY };

TEST(equalizer_numbers)
{
    BEGIN(&l, &equalizer_paper, rising, TYPE_COMPUTE, TYPE_MEMORY, TYPE_CACHE, TYPE_UNSATURATED);
    *result(&l, 0, PERFORMANCE) = plain_result(80, 6);
    *result(&l, 2, PERFORMANCE) = plain_result(25, 2);
    *result(&l, 3, ENERGY) = plain_result(50, 2);
    lab_report(&l);
    expect(&l, 1, "speed, all", "+49.5 %"); /* fourth root of 1.25 x 4 */
    expect(&l, 1, "speed, compute", "+25.0 %");
    expect(&l, 1, "speed, memory", "+0.0 %");
    expect(&l, 1, "speed, cache", "+300.0 %");
    expect(&l, 1, "energy, cache", "-75.0 %");
    expect(&l, 1, "speed, most (the paper's is kmn)", "4.00 x (kernel2)");
    expect(&l, 1, "energy, least (the paper's is kmn)", "-75.0 % (kernel2)");
    expect(&l, 1, "SM always high: speed, all", "+0.0 %");
    expect(&l, 3, "energy, unsaturated", "-50.0 %");
    expect(&l, 3, "speed, unsaturated", "+100.0 %");
    expect(&l, 3, "energy, all", "-15.9 %");
}

/* The level that saves more, among those that cost 5 % of speed at most. */
TEST(static_best_costs_little)
{
    BEGIN(&l, &equalizer_paper, rising, TYPE_COMPUTE, TYPE_COMPUTE, TYPE_COMPUTE);
    /* Kernel 0: the memory's level saves more, but is too slow. */
    *result(&l, 0, SM_LOW) = plain_result(100, 6);
    *result(&l, 0, MEM_LOW) = plain_result(106, 6);
    result(&l, 0, SM_LOW)->counts.ticks = baseline(&l, 0)->counts.ticks / 2;
    result(&l, 0, MEM_LOW)->counts.ticks = 0;
    /* Kernel 1: both are fast enough. */
    *result(&l, 1, SM_LOW) = plain_result(104, 6);
    *result(&l, 1, MEM_LOW) = plain_result(105, 6);
    result(&l, 1, MEM_LOW)->counts.ticks = 0;
    /* Kernel 2: none. */
    *result(&l, 2, SM_LOW) = plain_result(110, 6);
    *result(&l, 2, MEM_LOW) = plain_result(120, 6);
    lab_report(&l);
    /* 13.5 W of 91 W go by the ticks of all */
    assert_string_equal(cell(&l, 2, "kernel0", 11), "-7.4");
    assert_string_equal(cell(&l, 2, "kernel1", 11), "-10.6"); /* 1 - 77.5 / 91 x 1.05 */
    assert_string_equal(cell(&l, 2, "kernel2", 11), "+0.0");
}

TEST(residency_by_mode_and_domain)
{
    const experiment_grid *g;

    BEGIN(&l, &equalizer_paper, rising, TYPE_CACHE);
    result(&l, 0, PERFORMANCE)->counts.ticks = 100;
    memcpy(result(&l, 0, PERFORMANCE)->counts.sm_ticks, (uint64_t[3]){1, 19, 80}, 3 * sizeof(uint64_t));
    memcpy(result(&l, 0, PERFORMANCE)->counts.mem_ticks, (uint64_t[3]){30, 60, 10}, 3 * sizeof(uint64_t));
    lab_report(&l);
    g = &l.report.grids[4];
    assert_int_equal(g->rows, 3);
    for (unsigned column = 2; column < 9; column++) {
        static const char *const cells[] = {"P", "1", "19", "80", "30", "60", "10"};

        assert_string_equal(g->cells[1][column], cells[column - 2]);
    }
    assert_string_equal(g->cells[2][2], "E");
    assert_string_equal(g->cells[2][4], "100");
}

TEST(dyncta_numbers)
{
    BEGIN(&l, &dyncta_on_fermi, falling, TYPE_CACHE, TYPE_CACHE, TYPE_COMPUTE);
    *result(&l, 0, 0) = plain_result(80, 3);
    *result(&l, 1, 0) = plain_result(125, 1);
    *result(&l, 2, 0) = plain_result(50, 1);
    *result(&l, 1, 1) = plain_result(25, 1);
    *result(&l, 2, 2) = plain_result(12.5, 1);
    lab_report(&l);
    expect(&l, 1, "DYNCTA: speed, cache, most", "+25.0 % (kernel0)");
    expect(&l, 1, "DYNCTA: speed, cache", "+0.0 %");
    expect(&l, 1, "Equalizer, CTAs only: speed, cache", "+100.0 %");
    expect(&l, 1, "LCS: speed, all", "+100.0 %");
    assert_string_equal(cell(&l, 0, "kernel1", 4), "1.0");
    assert_string_equal(cell(&l, 0, "kernel1", 7), "+50.0");
    assert_string_equal(cell(&l, 0, "kernel1", 9), "+300.0");
}

TEST(no_kernel_of_a_type_is_no_number)
{
    BEGIN(&l, &lcs_paper, rising, TYPE_UNKNOWN);
    lab_report(&l);
    expect(&l, 1, "speed, type III", "-");
    expect(&l, 1, "speed, all", "+0.0 %");
    assert_string_equal(cell(&l, 0, "kernel0", 1), "-");
}
