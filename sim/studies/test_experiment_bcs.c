/* SPDX-License-Identifier: Apache-2.0
 *
 * The experiment of CTAs in pairs: what it plans, and what it makes of made-up results.
 */
#include "studies/experiment_fill.h"
#include "studies/lab_fixture.h"

enum { BCS_GTO, BCS_SCA, LCS, LCS_BCS, CCWS, TLV };

static const run_request *request(const lab *on, unsigned kernel, unsigned setting)
{
    return &on->pool.requests[on->e.studies[kernel].run[setting]];
}

/* A 1-D kernel, and a 2-D one. */
static void begin_1d_2d(void)
{
    lab_open(&l, &bcs_paper);
    add(&l, "flat", TYPE_III);
    add(&l, "STN", TYPE_IV);
    l.e.studies[1].workload.is_2d = true;
    plan_probes(&l);
    answer_probes(&l.pool, 1);
    assert_true(experiment_plan_runs(&l.e, &l.pool, 1));
    for (unsigned i = l.pool.ran; i < l.pool.num; i++) {
        l.pool.results[i] = plain_result(100, 6);
        l.pool.results[i].counts.l1_hits = 60;
        l.pool.results[i].counts.l1_misses = 40;
        l.pool.results[i].counts.memory.reads = 20; /* the others wait for lines that are on their way */
    }
}

/* COMB-2, COMB-3: pairs and their scheduler are for 2-D kernels; other schedulers for all. Nothing is run that is the same run. */
TEST(pairs_are_planned_for_2d_kernels)
{
    static const struct {
        unsigned setting;
        uint8_t policy;
        bool bcs;
        enum machine_scheduler scheduler[2];
    } cases[] = {
        {BCS_GTO, BALLAST_POLICY_STATIC, true, {SCHEDULE_GTO, SCHEDULE_GTO}}, {BCS_SCA, BALLAST_POLICY_STATIC, true, {SCHEDULE_GTO, SCHEDULE_SCA}},
        {LCS, BALLAST_POLICY_LCS, false, {SCHEDULE_GTO, SCHEDULE_GTO}},       {LCS_BCS, BALLAST_POLICY_LCS, true, {SCHEDULE_GTO, SCHEDULE_SCA}},
        {CCWS, BALLAST_POLICY_STATIC, false, {SCHEDULE_CCWS, SCHEDULE_CCWS}},
        {TLV, BALLAST_POLICY_STATIC, false, {SCHEDULE_TWO_LEVEL, SCHEDULE_TWO_LEVEL}},
    };

    begin_1d_2d();
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned two_d = 0; two_d < 2; two_d++) {
            const run_request *r = request(&l, two_d, cases[i].setting);

            assert_int_equal(r->policy, cases[i].policy);
            assert_int_equal(r->bcs, cases[i].bcs && two_d);
            assert_int_equal(r->machine.scheduler, cases[i].scheduler[two_d]);
            assert_int_equal(r->static_limit, 0);
        }
    assert_int_equal(l.pool.num, 2 + (1 + 4) + (1 + 7)); /* no static limits */
    assert_int_equal(l.e.studies[0].run[BCS_SCA], l.e.studies[0].baseline);
    assert_int_equal(l.e.studies[0].run[LCS_BCS], l.e.studies[0].run[LCS]);
}

TEST(bcs_numbers)
{
    begin_1d_2d();
    *result(&l, 0, LCS) = plain_result(50, 3);
    result(&l, 1, BCS_SCA)->seconds = 80;
    result(&l, 1, BCS_SCA)->counts.memory.reads = 5;
    result(&l, 1, BCS_GTO)->counts.l1_hits = 160; /* 20 of 200 */
    result(&l, 1, LCS_BCS)->seconds = 25;
    result(&l, 1, CCWS)->seconds = 50;
    lab_report(&l);
    expect(&l, 1, "BCS+SCA: speed, 2-D", "+25.0 %");
    expect(&l, 1, "BCS+GTO: speed, 2-D", "+0.0 %");
    expect(&l, 1, "BCS+SCA: L1 miss rate, 2-D", "-75.0 %");
    expect(&l, 1, "BCS+GTO: L1 miss rate, 2-D", "-50.0 %");
    expect(&l, 2, "LCS: speed, all", "+41.4 %");
    expect(&l, 2, "LCS+BCS: speed, 2-D", "+300.0 %");
    expect(&l, 2, "LCS+BCS beside LCS, 1-D", "+0.0 %");
    expect(&l, 2, "LCS+BCS beside CCWS, all", "+100.0 %"); /* twice as fast, and 100 s beside 50 s */
    expect(&l, 3, "BCS+SCA: speed, STN", "+25.0 %");
    assert_int_equal(l.report.num, 4); /* no VADD, no Fig. 3 */
    assert_int_equal(l.report.grids[3].rows, 2);
}

/* Where the paper's first 84 CTAs went, and where the simulator's go. */
TEST(the_first_ctas_of_vadd)
{
    static const char *const expected[3][2] = {{"6", "6"}, {"6", "6"}, {"78", "83"}};

    lab_open(&l, &bcs_paper);
    add(&l, "VADD", TYPE_II); /* six of 256 threads fit */
    l.e.pool = &l.pool;
    report_fill(&l.e, &l.report);
    assert_int_equal(l.report.num, 1);
    for (unsigned row = 0; row < 3; row++)
        for (unsigned c = 0; c < 2; c++)
            assert_string_equal(l.report.grids[0].cells[row + 1][c + 1], expected[row][c]);
    experiment_free_report(&l.report);
    l.e.studies[0].workload.ctas = 50; /* no 84 of them */
    report_fill(&l.e, &l.report);
    assert_int_equal(l.report.num, 0);
}
