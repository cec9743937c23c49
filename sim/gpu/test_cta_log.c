/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of the CTAs of a run: each of them once, where and when the bus showed it, and nothing of a run that fails.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/loop_run.h"
#include "replay/scratch_fixture.h"

enum { CTAS = 70, OTHER_CTAS = 40 };

static loop_job job;
static char dir[256], path[512];

static workload small_kernel(const char *name, unsigned ctas)
{
    workload w = fixture_workload();

    snprintf(w.name, sizeof w.name, "%s", name);
    w.ctas = ctas;
    w.threads_per_cta = 96;
    w.spread = 0.5;
    return w;
}

static int set_up(void **state)
{
    (void)state;
    job = (loop_job){.request = run_default(machine_find("fermi"), &(workload){.ctas = 1})};
    job.request.machine.sms = 3;
    job.request.workload = small_kernel("first", CTAS);
    scratch_make(dir, sizeof dir);
    snprintf(path, sizeof path, "%s", scratch_path(dir, "ctas.csv"));
    job.ctas = fopen(path, "w");
    assert_non_null(job.ctas);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fclose(job.ctas);
    return scratch_remove(dir);
}

#define LOG_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

typedef struct line {
    unsigned sm, slot, kernel;
    uint64_t start, end;
    uint32_t cta;
    int pair; /* -1: none */
} line;

static line lines[CTAS + OTHER_CTAS + 1];

static unsigned read_lines(void)
{
    FILE *from = fopen(path, "r");
    char text[256], name[64];
    unsigned num = 0;

    assert_non_null(from);
    assert_non_null(fgets(text, sizeof text, from));
    assert_string_equal(text, "sm,slot,start,end,cta,kernel,pair\n");
    while (fgets(text, sizeof text, from)) {
        line *l = &lines[num++];

        assert_true(num <= CTAS + OTHER_CTAS);
        assert_int_equal(sscanf(text, "%u,%u,%" SCNu64 ",%" SCNu64 ",%" SCNu32 ",%63[^,],", &l->sm, &l->slot, &l->start, &l->end, &l->cta, name), 6);
        l->pair = -1;
        sscanf(strrchr(text, ','), ",%d", &l->pair);
        l->kernel = !strcmp(name, "second");
        assert_true(l->kernel || !strcmp(name, "first"));
    }
    fclose(from);
    return num;
}

static run_result result;

static bool play(void)
{
    char err[LOOP_ERR];
    const bool ok = loop_run_models(&job, NULL, &result, err);

    assert_int_equal(fflush(job.ctas), 0);
    if (!ok)
        print_message("%s\n", err);
    return ok;
}

static void expect_list(unsigned num)
{
    bool seen[2][CTAS] = {{false}};

    assert_int_equal(read_lines(), num);
    for (unsigned i = 0; i < num; i++) {
        const line *l = &lines[i];

        assert_true(l->sm < 3 && l->slot < 8 && l->start < l->end && l->end < result.counts.cycles);
        assert_true(i == 0 || l->start > lines[i - 1].start); /* one launch a cycle, in this order */
        assert_int_equal(l->pair, -1);
        assert_false(seen[l->kernel][l->cta]);
        seen[l->kernel][l->cta] = true;
        for (unsigned before = 0; before < i; before++)
            assert_true(lines[before].sm != l->sm || lines[before].slot != l->slot || lines[before].end < l->start);
    }
}

LOG_TEST(each_cta_once)
{
    assert_true(play());
    expect_list(CTAS);
    assert_int_equal(lines[0].start, 3); /* the first launch is three cycles after the start */
    assert_int_equal(lines[0].cta, 0);
    assert_int_equal(lines[1].sm, 1);
}

LOG_TEST(of_several_kernels)
{
    job.request.mix = (kernel_mix){.num_others = 1, .others = {small_kernel("second", OTHER_CTAS)}};
    kernel_mix_set_quota(&job.request.mix, 0, 2);
    kernel_mix_set_quota(&job.request.mix, 1, 2);
    assert_true(play());
    expect_list(CTAS + OTHER_CTAS);
    assert_int_equal(result.kernels[0].ctas, CTAS);
    assert_int_equal(result.kernels[1].ctas, OTHER_CTAS);
}

/* CTAs 2n and 2n + 1 on one SM, the second one a cycle later; the numbers of pairs count up. */
LOG_TEST(pairs)
{
    job.request.bcs = true;
    job.request.workload.is_2d = true;
    job.request.workload.grid_x = 10;
    assert_true(play());
    assert_int_equal(read_lines(), CTAS);
    for (unsigned i = 0; i < CTAS; i++) {
        assert_int_equal(lines[i].pair, i / 2);
        assert_int_equal(lines[i].cta, i);
        assert_true(i % 2 == 0 || (lines[i].sm == lines[i - 1].sm && lines[i].slot == lines[i - 1].slot + 1 && lines[i].start == lines[i - 1].start + 1));
    }
}

/* CTAs that are running when a run is cut off end with it. */
LOG_TEST(cut_off)
{
    unsigned running = 0;

    job.request.max_cycles = 100;
    assert_true(play());
    assert_false(result.finished);
    assert_int_equal(read_lines(), 24);
    for (unsigned i = 0; i < 24; i++)
        running += lines[i].end == 99;
    assert_true(running > 20);
}

/* The recording fails, or the run is refused: nothing is listed. */
LOG_TEST(a_run_that_fails_lists_nothing)
{
    job.request.mix = (kernel_mix){.num_others = 1, .others = {small_kernel("second", 1)}};
    kernel_mix_set_quota(&job.request.mix, 0, 2);
    kernel_mix_set_quota(&job.request.mix, 1, 2);
    job.record = scratch_path(dir, "never.blt"); /* several kernels are not recorded */
    assert_false(play());
    assert_int_equal(ftell(job.ctas), 0);
    job.record = NULL;
    job.rtl = true; /* there is none for three SMs */
    assert_false(play());
    assert_int_equal(ftell(job.ctas), 0);
}
