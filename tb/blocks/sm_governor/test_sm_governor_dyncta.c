/* SPDX-License-Identifier: Apache-2.0
 *
 * DYNCTA in the governor: the thresholds from the bus, the class of two cycles before, and soft pausing. On the model and on
 * the RTL.
 */
#include <stdio.h>

#include "blocks/sm_governor/bench.h"

/* Cycles of a period that is over idle, waiting for memory, and busy in this order. */
static void dyncta_period(bench *b, unsigned idle, unsigned mem)
{
    const unsigned period = config(b)->dyncta.period;

    for (unsigned i = 0; i < period; i++) {
        set_warps(&b->in, 0, ALL_WARPS, i < idle ? BALLAST_WARP_BARRIER : i < idle + mem ? BALLAST_WARP_WAIT_MEM : BALLAST_WARP_WAIT_ALU);
        cycle(b);
    }
}

/* "17,300": idle and memory. */
static void dyncta_period_of(bench *b, const char *text)
{
    unsigned idle, mem;

    assert_int_equal(sscanf(text, "%u,%u", &idle, &mem), 2);
    dyncta_period(b, idle, mem);
}

static const bench_word words[] = {
    GOVERNOR_WORDS,
    {"period", NULL, dyncta_period_of},
    {NULL, NULL, NULL},
};

/* The class goes through two registers: a period holds the cycles from one before the kernel's start on, and its own last two are the
 * next one's. */
static void dyncta_class_comes_late(bench *b)
{
    const int period = (int)config(b)->dyncta.period, first[] = {-1, 0, 1, period - 2}, next[] = {period - 1, period};

    for (unsigned c = 0; c < 6; c++) {
        const int when = c < 4 ? first[c] : next[c - 4]; /* the one cycle that waits, by its distance from the start */

        reopen_bench(b, "sm_governor_fast");
        play(b, "policy_i=dyncta t_idle_i=%d t_mem_l_i=0 t_mem_h_i=0", period); /* one cycle of waiting is too many, and none is not too few */
        for (int n = -1; n <= 2 * period; n++) {
            set_warps(&b->in, 0, ALL_WARPS, n == when ? BALLAST_WARP_WAIT_MEM : BALLAST_WARP_WAIT_ALU);
            play(b, "kernel_start_i=%d nmax_i=6 cycle", n == 0);
            if (n == period)
                assert_int_equal(state(b)->dyncta.limit, c < 4 ? 2 : 3);
        }
        assert_int_equal(state(b)->dyncta.limit, 2);
    }
}

/* Each threshold, at its edge. The classes of the start and of the cycle before it belong to the period. */
static void dyncta_thresholds(bench *b)
{
    static const struct {
        uint16_t t_idle, t_mem_l, t_mem_h, idle, mem;
        uint8_t limit;
    } cases[] = {{16, 128, 384, 16, 128, 3},  {16, 128, 384, 17, 128, 4},  {16, 128, 384, 16, 127, 4},
                 {16, 128, 384, 16, 384, 3},  {16, 128, 384, 16, 385, 2},  {50, 128, 384, 50, 200, 3},
                 {50, 128, 384, 51, 200, 4},  {16, 60, 384, 0, 60, 3},     {16, 60, 384, 0, 59, 4},
                 {16, 128, 450, 0, 450, 3},   {16, 128, 450, 0, 451, 2}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor_fast");
        set_warps(&b->in, 0, ALL_WARPS, BALLAST_WARP_WAIT_ALU);
        play(b, "cycle t_idle_i=%u t_mem_l_i=%u t_mem_h_i=%u policy_i=dyncta kernel=6 period=%u,%u limit_o=3 cycle limit_o=%u",
             cases[c].t_idle, cases[c].t_mem_l, cases[c].t_mem_h, cases[c].idle, cases[c].mem, cases[c].limit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* DYN-1 to DYN-3, PAUSE-4: from half of Nmax, one CTA per period; what is called paused comes last, the youngest
         * first. Of the two CTAs slot 1's is the older. */
        EACH_SCRIPT("DYNCTA moves", variants,
                    "policy_i=dyncta kernel=7 cta_start_i=0x22 period=0,200 limit_o=3 req_o=1 pause_soft_o=1 "
                    "period=0,385 limit_o=3 cycle limit_o=2 req_o=0 cycle cta_paused_o=0"),
        BOTH_SIDES("DYNCTA's class comes two cycles late", "sm_governor_fast", dyncta_class_comes_late),
        EACH_SCRIPT("DYNCTA pauses and resumes", variants,
                    "policy_i=dyncta kernel=4 cta_start_i=0x22 period=0,385 limit_o=2 "
                    "period=0,384 limit_o=1 cta_paused_o=0x20 pause_soft_o=1 " /* the limit rests */
                    "period=17,300 limit_o=1 cycle limit_o=2 cta_paused_o=0x20 cycle cta_paused_o=0x20 "
                    "cycle cta_paused_o=0 done_o=0"),
        BOTH_SIDES("DYNCTA thresholds", "sm_governor_fast", dyncta_thresholds),
    };
    return cmocka_run_group_tests_name("sm_governor_dyncta", tests, NULL, NULL);
}
