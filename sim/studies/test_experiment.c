/* SPDX-License-Identifier: Apache-2.0
 *
 * Experiments: kernels, plans on made-up probes, runs that failed, tables, and one small experiment in the simulator.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/scratch_fixture.h"
#include "studies/lab_fixture.h"

static lab second;

TEST(all_papers_open_on_their_slices)
{
    static const struct {
        const char *name, *machine;
        unsigned sms, channels;
    } expected[] = {{"perfsat", "fermi", 5, 2}, {"perfsat", "kepler", 7, 3}, {"lcs", "lcs", 7, 2},
                    {"lcs-bcs", "lcs", 7, 2}, {"equalizer", "fermi", 5, 2}, {"dyncta", "fermi", 5, 2}, {"dyncta", "lcs", 7, 2},
                    {"mcke", "lcs", 14, 4}, {"leftover", "k40c", 15, 6}, {"leftover", "k40c", 15, 6}};

    for (unsigned i = 0; i < 10; i++) {
        assert_string_equal(experiment_at(i)->name, expected[i].name);
        assert_string_equal(experiment_at(i)->machine, expected[i].machine);
        lab_open(&l, experiment_at(i));
        assert_int_equal(l.e.machine.sms, expected[i].sms);
        assert_int_equal(l.e.machine.dram_channels, expected[i].channels);
    }
    assert_null(experiment_at(10));
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

/* ---- runs that failed ------------------------------------------------------------- */

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
