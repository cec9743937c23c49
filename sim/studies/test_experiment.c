/* SPDX-License-Identifier: Apache-2.0
 *
 * Experiments: plans on made-up probes, tables on made-up results, and one small experiment in the
 * simulator.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "studies/experiment_fill.h"
#include "studies/experiment_papers.h"
#include "replay/scratch_fixture.h"

/* ---- kernels ---------------------------------------------------------------------- */

/* 256 threads: 6 CTAs on fermi, 8 on kepler. */
static workload kernel_named(const char *name)
{
    workload w = {.ctas = 1500, .threads_per_cta = 256, .regs_per_thread = 12, .launches = 1, .insts = 100, .loads = 0.05,
                  .alu_distance = 3, .load_distance = 8, .lines = 1, .code = 1};

    snprintf(w.name, sizeof w.name, "%s", name);
    return w;
}

static workload_target target_of(enum published_type type, uint32_t opt)
{
    workload_target t = {.t_new = 2};

    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        t.on[i] = (published){type, 6, opt};
    return t;
}

/* An experiment; it holds until it is opened again. */
typedef struct lab {
    experiment e;
    experiment_pool pool;
    experiment_report report;
} lab;

static lab l, second;

static void lab_open(lab *on, const experiment_paper *paper)
{
    char err[256];

    experiment_free_report(&on->report);
    pool_close(&on->pool);
    if (!experiment_open(&on->e, paper, 0, err, sizeof err))
        fail_msg("%s", err);
}

static void add(lab *on, const char *name, enum published_type type)
{
    const workload w = kernel_named(name);
    const workload_target t = target_of(type, 5);
    char err[256];

    if (!experiment_add(&on->e, &w, &t, err, sizeof err))
        fail_msg("%s", err);
}

TEST(all_papers_open_on_their_slices)
{
    static const struct {
        const char *name, *machine;
        unsigned sms, channels;
    } expected[] = {{"perfsat", "fermi", 5, 2}, {"perfsat", "kepler", 7, 3}, {"lcs", "lcs", 7, 2},
                    {"lcs-bcs", "lcs", 7, 2}, {"equalizer", "fermi", 5, 2}, {"dyncta", "fermi", 5, 2}, {"dyncta", "lcs", 7, 2},
                    {"mcke", "lcs", 14, 4}, {"leftover", "k40c", 15, 6}};

    for (unsigned i = 0; i < 9; i++) {
        assert_string_equal(experiment_at(i)->name, expected[i].name);
        assert_string_equal(experiment_at(i)->machine, expected[i].machine);
        lab_open(&l, experiment_at(i));
        assert_int_equal(l.e.machine.sms, expected[i].sms);
        assert_int_equal(l.e.machine.dram_channels, expected[i].channels);
    }
    assert_null(experiment_at(9));
}

TEST(a_slice_that_divides_a_channel_is_refused)
{
    char err[256] = "";

    assert_false(experiment_open(&l.e, &perfsat_on_fermi, 4, err, sizeof err));
    assert_non_null(strstr(err, "4 of 15 SMs"));
    assert_true(experiment_open(&l.e, &perfsat_on_fermi, 10, err, sizeof err));
}

TEST(what_the_paper_says_is_that_of_the_machine)
{
    const workload w = kernel_named("k");
    workload_target t = target_of(TYPE_MEM, 5);
    char err[256];

    t.on[1] = (published){TYPE_C_WEAK, 8, 7};
    lab_open(&l, &perfsat_on_kepler);
    assert_true(experiment_add(&l.e, &w, &t, err, sizeof err));
    assert_int_equal(l.e.studies[0].published.type, TYPE_C_WEAK);
    assert_int_equal(l.e.studies[0].published.opt, 7);
    assert_int_equal(l.e.studies[0].nmax, 8);
    assert_int_equal(l.e.studies[0].t_new, 2);
}

TEST(kernels_that_cannot_run_are_refused)
{
    workload w = kernel_named("large");
    const workload_target t = {0};
    char err[256] = "";

    lab_open(&l, &perfsat_on_fermi);
    w.shared_per_cta = 50000;
    assert_false(experiment_add(&l.e, &w, &t, err, sizeof err));
    assert_non_null(strstr(err, "shared memory"));
    assert_int_equal(l.e.num, 0);
    for (unsigned i = 0; i < EXPERIMENT_KERNELS; i++)
        add(&l, "k", TYPE_MEM);
    w = kernel_named("one more");
    assert_false(experiment_add(&l.e, &w, &t, err, sizeof err));
    assert_non_null(strstr(err, "more than 64 kernels"));
}

TEST(kernels_stand_by_type)
{
    static const enum published_type types[] = {TYPE_MEM, TYPE_C_STRONG, TYPE_MEM, TYPE_C_WEAK, TYPE_C_STRONG};
    static const char order[] = "bedac"; /* and as they were added */

    lab_open(&l, &perfsat_on_fermi);
    for (unsigned i = 0; i < 5; i++)
        add(&l, (char[2]){(char)('a' + i), '\0'}, types[i]);
    experiment_sort(&l.e);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(l.e.studies[i].workload.name[0], order[i]);
}

/* ---- plans ------------------------------------------------------------------------ */

static void plan_probes(lab *on)
{
    assert_true(experiment_plan_probes(&on->e, &on->pool));
}

/* A probe's answer: each SM issues `ipc` warp instructions per cycle. */
static void answer_probes(experiment_pool *pool, double ipc)
{
    for (unsigned i = pool->ran; i < pool->num; i++) {
        assert_int_equal(pool->requests[i].max_cycles, 60000);
        pool->results[i] = (run_result){.ok = true, .ipc = ipc};
    }
    pool->ran = pool->num;
}

/* What becomes of a grid; each CTA is 800 instructions. */
TEST(grids_as_large_as_needed_and_affordable)
{
    static const struct {
        const experiment_paper *paper;
        uint32_t launches, own;
        double ipc, length;
        uint32_t planned;
    } cases[] = {
        /* 7 of 28 SMs; LCS asks for no least length */
        {&lcs_paper, 1, 400, 1, 1, 100},
        {&lcs_paper, 1, 400, 1, 0.5, 50},
        {&lcs_paper, 1, 1 << 20, 1, 1, 10000000 * 7 / 800}, /* at most 10 million cycles at 7 instructions per cycle */
        {&lcs_paper, 1, 4, 1, 1, 7},                        /* at least one CTA per SM */
        /* Perf-Sat gets time for its search: 48 times Nmax squared (6, 8) per SM, in 4 million cycles at most */
        {&perfsat_on_fermi, 1, 1, 2, 1, 48 * 36 * 5},
        {&perfsat_on_kepler, 1, 1, 2, 1, 48 * 64 * 7},
        {&perfsat_on_fermi, 1, 1, 0.125, 1, 4000000 * 5 / 8 / 800},
        /* Equalizer gets its epochs; launches share the time */
        {&equalizer_paper, 1, 1, 1, 1, 500000 * 5 / 800},
        {&equalizer_paper, 1, 1 << 20, 1, 1, 800000 * 5 / 800},
        {&equalizer_paper, 5, 1, 1, 1, 100000 * 5 / 800},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("case %zu\n", i);
        lab_open(&l, cases[i].paper);
        add(&l, "k", TYPE_MEM);
        l.e.studies[0].workload.launches = cases[i].launches;
        l.e.studies[0].workload.ctas = cases[i].own;
        plan_probes(&l);
        answer_probes(&l.pool, cases[i].ipc);
        assert_true(experiment_plan_runs(&l.e, &l.pool, cases[i].length));
        assert_int_equal(l.e.studies[0].workload.ctas, cases[i].planned);
    }
}

/* What two papers need is run once. */
TEST(experiments_share_runs)
{
    experiment_pool *pool = &l.pool;

    lab_open(&l, &equalizer_paper);
    lab_open(&second, &dyncta_on_fermi);
    add(&l, "k", TYPE_CACHE);
    add(&second, "k", TYPE_CACHE);
    assert_true(experiment_plan_probes(&l.e, pool) && experiment_plan_probes(&second.e, pool));
    assert_int_equal(pool->num, 1);
    answer_probes(pool, 1);
    assert_true(experiment_plan_runs(&l.e, pool, 1) && experiment_plan_runs(&second.e, pool, 1));
    assert_int_equal(pool->num, 1 + 6 + 1 + 6 + 4); /* Equalizer in performance mode is in both */
    assert_int_equal(l.e.studies[0].limit_run[3], second.e.studies[0].limit_run[3]);
}

/* ---- made-up results -------------------------------------------------------------- */

static const double rising[7] = {0, 1, 2, 3, 4, 5, 6}, falling[7] = {0, 1, 2, 3, 2, 2, 2};

static run_result *baseline(lab *on, unsigned kernel)
{
    return &on->pool.results[on->e.studies[kernel].baseline];
}

static run_result *result(lab *on, unsigned kernel, unsigned setting)
{
    return &on->pool.results[on->e.studies[kernel].run[setting]];
}

/* A run of a hundred seconds; all in SM 0's limit, nothing but constant power. */
static run_result plain_result(double seconds, unsigned limit)
{
    run_result r = {.ok = true, .finished = true, .seconds = seconds, .ipc = 1, .mean_limit = limit, .mean_resident = limit};

    r.counts.ticks = (uint64_t)(seconds * 700e6 * SIM_TICKS_NORMAL);
    r.counts.sm_ticks[VF_NORMAL] = r.counts.mem_ticks[VF_NORMAL] = r.counts.ticks;
    memset(r.limits, (int)limit, sizeof r.limits);
    memset(r.decided, 1, sizeof r.decided);
    return r;
}

/* Kernels of these types, all as fast under every setting as at Nmax, with these rates by limit. */
static void lab_begin(lab *on, const experiment_paper *paper, const enum published_type *types, unsigned num, const double *rates)
{
    char name[16];

    lab_open(on, paper);
    for (unsigned i = 0; i < num; i++) {
        snprintf(name, sizeof name, "kernel%u", i);
        add(on, name, types[i]);
    }
    plan_probes(on);
    answer_probes(&on->pool, 1);
    assert_true(experiment_plan_runs(&on->e, &on->pool, 1));
    for (unsigned i = on->pool.ran; i < on->pool.num; i++)
        on->pool.results[i] = plain_result(100, 6);
    for (unsigned i = 0; i < num; i++)
        for (unsigned limit = 1; limit <= 6; limit++)
            on->pool.results[on->e.studies[i].limit_run[limit]].ipc = rates[limit];
}

#define BEGIN(on, paper, rates, ...)                                       \
    lab_begin(on, paper, (const enum published_type[]){__VA_ARGS__},       \
              sizeof(const enum published_type[]){__VA_ARGS__} / sizeof(enum published_type), rates)

static void lab_report(lab *on)
{
    char err[256];

    if (!experiment_judge(&on->e, err, sizeof err))
        fail_msg("%s", err);
    experiment_make_report(&on->e, &on->report);
}

/* Cell `column` of the first row in any of the grids that begins with `what`; of `grid` alone if 0 or more. */
static const char *cell(const lab *on, int grid, const char *what, unsigned column)
{
    for (unsigned g = 0; g < on->report.num; g++)
        for (unsigned row = 1; row < on->report.grids[g].rows; row++)
            if ((grid < 0 || g == (unsigned)grid) && !strcmp(on->report.grids[g].cells[row][0], what))
                return on->report.grids[g].cells[row][column];
    fail_msg("no row %s", what);
    return "";
}

static void expect(const lab *on, int grid, const char *what, const char *measured)
{
    assert_string_equal(cell(on, grid, what, 2), measured);
}

TEST(every_limit_and_setting_is_planned)
{
    const experiment_study *study;
    const run_request *r;

    BEGIN(&l, &dyncta_on_fermi, rising, TYPE_CACHE);
    study = &l.e.studies[0];
    assert_int_equal(l.pool.num, 1 + 6 + 1 + 5);
    for (unsigned limit = 1; limit <= 6; limit++) {
        r = &l.pool.requests[study->limit_run[limit]];
        assert_int_equal(r->policy, POLICY_STATIC);
        assert_int_equal(r->static_limit, limit);
        assert_int_equal(r->max_cycles, 300000);
        assert_int_equal(r->sm_level, VF_NORMAL);
        assert_int_equal(r->mem_level, VF_NORMAL);
    }
    r = &l.pool.requests[study->baseline];
    assert_int_equal(r->static_limit, 0);
    assert_int_equal(r->max_cycles, 50 * 800000);
    assert_int_equal(l.pool.requests[study->run[0]].policy, POLICY_DYNCTA);
    assert_int_equal(l.pool.requests[study->run[2]].policy, POLICY_LCS);
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
    expect(&l, 1, "energy, least", "-50.0 % (kernel2)");    /* half the time */
    assert_string_equal(cell(&l, 0, "kernel3", 7), "2.0");
    assert_string_equal(cell(&l, 0, "kernel3", 6), "2");
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
        {BCS_GTO, POLICY_STATIC, true, {SCHEDULE_GTO, SCHEDULE_GTO}}, {BCS_SCA, POLICY_STATIC, true, {SCHEDULE_GTO, SCHEDULE_SCA}},
        {LCS, POLICY_LCS, false, {SCHEDULE_GTO, SCHEDULE_GTO}},       {LCS_BCS, POLICY_LCS, true, {SCHEDULE_GTO, SCHEDULE_SCA}},
        {CCWS, POLICY_STATIC, false, {SCHEDULE_CCWS, SCHEDULE_CCWS}},
        {TLV, POLICY_STATIC, false, {SCHEDULE_TWO_LEVEL, SCHEDULE_TWO_LEVEL}},
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

TEST(no_kernel_of_a_type_is_no_number)
{
    BEGIN(&l, &lcs_paper, rising, TYPE_UNKNOWN);
    lab_report(&l);
    expect(&l, 1, "speed, type III", "-");
    expect(&l, 1, "speed, all", "+0.0 %");
    assert_string_equal(cell(&l, 0, "kernel0", 1), "-");
}

static void expect_judgement(const char *wrong)
{
    char err[256] = "";

    assert_int_equal(experiment_judge(&l.e, err, sizeof err), !*wrong);
    assert_string_equal(err, wrong);
}

TEST(a_run_that_failed_is_named)
{
    run_result *cut_off;

    BEGIN(&l, &lcs_paper, rising, TYPE_MEM);
    result(&l, 0, 0)->finished = false;
    expect_judgement("kernel0, LCS: comes to no end; it needs too many cycles");
    result(&l, 0, 0)->finished = true;
    baseline(&l, 0)->finished = false;
    expect_judgement("kernel0, Nmax: comes to no end; it needs too many cycles");
    baseline(&l, 0)->finished = true;
    cut_off = &l.pool.results[l.e.studies[0].limit_run[2]];
    cut_off->finished = false; /* as planned */
    expect_judgement("");
    cut_off->ok = false;
    expect_judgement("kernel0, static limit: the run broke off");
    snprintf(cut_off->err, RUN_ERR, "out of memory");
    expect_judgement("kernel0, static limit: out of memory");
}

/* ---- tables ----------------------------------------------------------------------- */

TEST(reports_print_all_their_tables)
{
    FILE *f = scratch_stream();
    const char *text;

    BEGIN(&l, &perfsat_on_fermi, rising, TYPE_MEM);
    lab_report(&l);
    experiment_print(f, &l.report, false);
    text = scratch_text(f);
    assert_non_null(strstr(text, "Perf-Sat on fermi (5 of 15 SMs): kernels\n"));
    assert_non_null(strstr(text, "94.25 %"));
    f = scratch_stream();
    experiment_print(f, &l.report, true);
    text = scratch_text(f);
    assert_int_equal(strncmp(text, "kernel,type,", 12), 0);
    assert_non_null(strstr(text, "\n\nwhat,paper,measured,kernels\n"));
}

/* ---- pictures, if gnuplot is there ------------------------------------------------ */

TEST(pictures_of_all_papers)
{
    const char *path;
    char dir[256];

    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        skip();
    scratch_make(dir, sizeof dir);
    path = scratch_path(dir, "x.svg");
    for (unsigned i = 0; experiment_at(i); i++) {
        const experiment *one;
        char *picture;

        if (experiment_at(i)->steps) /* test_experiment_mixes.c */
            continue;
        BEGIN(&l, experiment_at(i), rising, TYPE_MEM, TYPE_III, TYPE_CACHE);
        lab_report(&l);
        one = &l.e;
        assert_true(experiment_draw(&one, 1, path));
        picture = scratch_slurp(path);
        assert_non_null(strstr(picture, "<?xml"));
        free(picture);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(scratch_remove(dir), 0);
}

/* ---- the simulator ---------------------------------------------------------------- */

TEST(one_small_experiment)
{
    experiment_study *study = &l.e.studies[0];

    lab_open(&l, &perfsat_on_fermi);
    add(&l, "small", TYPE_C_STRONG);
    study->workload.threads_per_cta = 768; /* two of them fit */
    study->nmax = 2;
    plan_probes(&l);
    assert_true(pool_run(&l.pool, 0, NULL, NULL));
    assert_true(pool_result(&l.pool, 0)->ok);
    assert_true(experiment_plan_runs(&l.e, &l.pool, 0.05));
    assert_true(pool_run(&l.pool, 0, NULL, NULL));
    lab_report(&l);
    assert_true(study->sweep.ipc[2] > study->sweep.ipc[1]);
    assert_int_equal(study->sweep.optimum, 2);
    assert_true(decided_share(&l.e, result_at(&l.e, study, 0)) == 1);
    assert_int_equal(l.report.num, 2);
    assert_true(pool_run(&l.pool, 0, NULL, NULL)); /* nothing is left */
}
