/* SPDX-License-Identifier: Apache-2.0
 *
 * Perf-Sat in the governor: the search gets the classes and the CTAs at the right time, and its limit is the governor's. On the
 * model and on the RTL. The rules of the search have tests of their own.
 */
#include "blocks/sm_governor/bench.h"

enum { ONE_TB = 40 };

static void measure_first_cta(bench *b, unsigned nmax)
{
    show(&b->in, WORK_NONE);
    start_kernel(b, BALLAST_POLICY_PERFSAT, nmax);
    launch_all(b, "0");
    launch_all(b, "123");
    cycles(b, ONE_TB - 4);
    finish(b, 0);
}

static const bench_word words[] = {
    GOVERNOR_WORDS,
    {"measure", measure_first_cta, NULL},
    {NULL, NULL, NULL},
};

/* Stalled cycles per sample, least with 5 CTAs. */
static unsigned stalls_with(unsigned limit)
{
    return 30 + 20 * (limit > 5 ? limit - 5 : 5 - limit);
}

/* One sample with the stalls that belong to the limit; its limit holds to its last cycle. */
static void perfsat_sample(bench *b, unsigned nmax, unsigned limit)
{
    for (unsigned i = 0; i < ONE_TB * nmax; i++) {
        set_warps(&b->in, 0, ALL_WARPS, i < stalls_with(limit) ? BALLAST_WARP_WAIT_MEM : BALLAST_WARP_ISSUED_ALU);
        cycle(b);
        expect(b, "limit_o=%u done_o=0 cta_paused_o=0", limit);
    }
}

/* N0 = 4; up while it gets better, one too far, and back to 5 (PS-8 to PS-16). Samples of One_TB
 * x Nmax cycles, to the cycle. */
static void perfsat_finds_its_limit(bench *b)
{
    static const uint8_t limits[] = {4, 5, 5, 6, 6};

    play(b, "measure=8 limit_o=4 perfsat.period_q=%u", ONE_TB * 8);
    for (unsigned i = 0; i < sizeof limits; i++)
        perfsat_sample(b, 8, limits[i]);
    for (unsigned i = 0; i < 1000; i++)
        play(b, "cycle limit_o=5 done_o=1");
}

/* What is stalled, by the classifier, in the cycle after; paused warps do not count (PAUSE-2). */
static void perfsat_sees_classes(bench *b)
{
    static const struct {
        uint8_t warps, stalled;
    } cases[] = {{BALLAST_WARP_EMPTY, 0}, {BALLAST_WARP_BARRIER, 0},   {BALLAST_WARP_WAIT_ALU, 1},   {BALLAST_WARP_WAIT_MEM, 1},
                 {BALLAST_WARP_ALU_LOST, 1}, {BALLAST_WARP_MEM_BLOCKED, 1}, {BALLAST_WARP_ISSUED_ALU, 0}, {BALLAST_WARP_ISSUED_MEM, 0}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor_fast");
        measure_first_cta(b, 8);
        set_warps(&b->in, 7, 1, cases[c].warps);
        play(b, "cycle perfsat.stalled_q=0 cycle=10 perfsat.stalled_q=%d paused_i=0x80 cycle=10 perfsat.stalled_q=%d", 10 * cases[c].stalled,
             11 * cases[c].stalled);
    }
}

static const char *const with_feedback[] = {"sm_governor", "sm_governor_fast", NULL}; /* the third samples later, too */

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("Perf-Sat finds its limit", with_feedback, perfsat_finds_its_limit),
        /* PsSettle = 1: a sample does not start while more CTAs than the limit are active. */
        SCRIPT("Perf-Sat sees active CTAs", "sm_governor_other",
               "measure=4 limit_o=2 cycle=20 perfsat.timer_q=160 " /* 1, 2 and 3 are still there */
               "finish=1 perfsat.timer_q=160 "                     /* in use in this cycle */
               "cycle perfsat.timer_q=159"),
        BOTH_SIDES("Perf-Sat sees classes", "sm_governor_fast", perfsat_sees_classes),
    };
    return cmocka_run_group_tests_name("sm_governor_perfsat", tests, NULL, NULL);
}
