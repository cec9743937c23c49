/* SPDX-License-Identifier: Apache-2.0
 *
 * What the governor's log says: the decisions of the blocks inside, as the registers hold them.
 */
#include <stdio.h>

#include "blocks/sm_governor/bench.h"

enum { RECORD = 512, ISSUED = 12 };

/* The next cycle, and what it decided. */
static void tell_cycle(bench *b)
{
    cycle(b);
    tell(b);
}

static void expect_record(unsigned index, const char *record)
{
    assert_true(index < told());
    assert_string_equal(told_record(index), record);
}

static const bench_word words[] = {
    GOVERNOR_WORDS,
    {NULL, NULL, NULL},
};

/* ---- kernels ---------------------------------------------------------------------- */

static void log_of_kernel_starts(bench *b)
{
    static const bench_log rows[] = {
        {"static_limit_i=2 policy_i=perfsat kernel_start_i=1 nmax_i=6", "kernel start: perfsat, Nmax 6",
         {"sm_governor PS-5 kernel_start: nmax=6 | limit=0 policy=static | limit=3 policy=perfsat"}},
        {"cycle=3 limit_o=3 policy_i=lcs kernel_start_i=1", "kernel start: lcs, Nmax 6",
         {"sm_governor LCS-5 kernel_start: nmax=6 | limit=3 policy=perfsat | limit=6 policy=lcs"}},
        {"cycle=3 limit_o=6 policy_i=dyncta kernel_start_i=1", "kernel start: dyncta, Nmax 6",
         {"sm_governor DYN-1 kernel_start: nmax=6 | limit=6 policy=lcs | limit=3 policy=dyncta"}},
        {"cycle=3 limit_o=3 policy_i=equalizer kernel_start_i=1", "kernel start: equalizer, Nmax 6",
         {"sm_governor EQ-A11 kernel_start: nmax=6 | limit=3 policy=dyncta | limit=6 policy=equalizer"}},
        {"cycle=3 limit_o=6 policy_i=static kernel_start_i=1", "kernel start: static, Nmax 6",
         {"sm_governor PS-1 kernel_start: nmax=6 static_limit=2 | limit=6 policy=equalizer | limit=2 policy=static"}},
    };

    b->told = 7;
    expect_log(b, rows);
    play(b, "cycle=3 limit_o=2");
    assert_int_equal(b->told, 0);
}

/* ---- Perf-Sat, LCS, DYNCTA ----------------------------------------------------------- */

static void log_of_perfsat(bench *b)
{
    static const bench_log rows[] = {
        {"show=NONE policy_i=perfsat kernel=4 launch=0 cycle=9 cta_done_i=1",
         "first CTA done: One_TB 10, sample period 40 cycles, StFirst",
         {"perfsat PS-6 first_cta: one_tb=10 nmax=4 | limit=2 state=StMeasure | limit=2 state=StFirst period=40"}},
        {"show=WAIT_MEM cycle=39", "sample 1: stalled 39, limit 2 -> 3, StWeakInc",
         {"perfsat PS-8 sample: sample=1 stalled=39 row=0 | limit=2 state=StFirst history=0 direction=0 toggles=0"
          " | limit=3 state=StWeakInc history=0 direction=0 toggles=0"}},
    };

    expect_log(b, rows);
}

static void log_of_lcs(bench *b)
{
    static const bench_log rows[] = {
        {"cta_done_i=1 cycle cta_done_i=0", "first CTA done: counting ends with 12 instructions, at most 8 of one CTA",
         {"lcs LCS-1 first_cta: sum=12 max=8 | limit=4 state=StMonitor | limit=4 state=StGather"}},
        {"cycle=6", "T_new 1 = 12/8 rounded down: limit 4 -> 1",
         {"lcs LCS-2 t_new: sum=12 max=8 t_new=1 | limit=4 state=StDivide | limit=1 state=StThrottle"}},
    };

    play(b, "policy_i=lcs kernel=4 launch=0123");
    for (unsigned i = 0; i < ISSUED; i++) /* four by the CTA of slot 1, eight by that of slot 0 */
        play(b, "issue_valid_i=1 issue_slot_i=%u cycle", i % 3 == 0);
    expect_log(b, rows);
}

/* Where a block with a limit of its own is followed, pausing moves no limit. */
static void log_of_dyncta(bench *b)
{
    static const bench_log rows[] = {
        {"show=WAIT_MEM t_mem_h_i=300 policy_i=dyncta kernel=4 launch=01 cycle=509",
         "sample 1: idle 1, memory 511 > 300: limit 2 -> 1",
         {"dyncta DYN-2 sample: sample=1 idle=1 mem=511 t_idle=16 t_mem_l=128 t_mem_h=300 row=3 | limit=2 | limit=1"}},
        {"", "", {NULL}},
        {"", "CTA of slot 1 paused", {"cta_throttle PAUSE-1 pause: slot=1 limit=1 | paused=0 | paused=2"}},
        {"cycle=15", "", {NULL}},
        {"cta_done_i=1", "", {NULL}},
        {"", "", {NULL}},
        {"", "slot 1 resumed", {"cta_throttle PAUSE-3 resume: slot=1 limit=1 | paused=2 | paused=0"}},
    };

    expect_log(b, rows);
}

/* ---- Equalizer ----------------------------------------------------------------------- */

typedef struct branch_case {
    enum work work;
    const char *rule, *branch, *line, *blocks, *action, *words;
} branch_case;

static const branch_case branches[] = {
    {WORK_NONE, "EQ-7", "None", "", "stay", "none", "None"},
    {WORK_MEM, "EQ-7", "DefinitelyMem", " line=7", "decrease", "MemAction", "DefinitelyMem: MemAction"},
    {WORK_COMP, "EQ-7", "DefinitelyComp", " line=10", "stay", "CompAction", "DefinitelyComp: CompAction"},
    {WORK_SOME_MEM, "EQ-8", "LikelyMem", " line=12", "stay", "MemAction", "LikelyMem: MemAction"},
    {WORK_WAIT_COMP, "EQ-7", "WaitComp", " line=14", "increase", "CompAction", "WaitComp: CompAction"},
    {WORK_WAIT_MEM, "EQ-7", "WaitMem", " line=14", "increase", "MemAction", "WaitMem: MemAction"},
    {WORK_IDLE, "EQ-16", "Idle", " line=21", "stay", "CompAction", "Idle: CompAction"},
};

static void expect_epoch(const bench *b, unsigned number, const branch_case *c)
{
    const eq_counters_state *s = &b->before.counters;
    char record[RECORD];

    snprintf(record, sizeof record, "eq_counters EQ-4 epoch: epoch=%u active=%u waiting=%u xalu=%u xmem=%u | |", number,
             s->active, s->waiting, s->xalu, s->xmem);
    expect_record(0, record);
    snprintf(record, sizeof record,
             "eq_decision %s algorithm_1: active=%u waiting=%u xalu=%u xmem=%u wcta=8 samples=16 branch=%s%s | | blocks=%s action=%s",
             c->rule, s->active, s->waiting, s->xalu, s->xmem, c->branch, c->line, c->blocks, c->action);
    expect_record(1, record);
    assert_non_null(strstr(told_words(), c->words));
}

static void log_of_every_branch(bench *b)
{
    start_kernel(b, BALLAST_POLICY_EQUALIZER, 6);
    epoch(b);
    for (size_t i = 0; i < sizeof branches / sizeof branches[0]; i++) {
        show(&b->in, branches[i].work);
        go_to_epoch_end(b);
        tell_cycle(b);
        assert_int_equal(b->told, i + 1);
        expect_epoch(b, (unsigned)i + 1, &branches[i]);
    }
}

static void log_of_numblocks(bench *b)
{
    play(b, "policy_i=equalizer kernel=3 launch=012 epochs=1 show=MEM");
    for (unsigned i = 0; i < 3; i++) {
        go_to_epoch_end(b);
        tell_cycle(b);
        assert_int_equal(told(), 3);
        expect_epoch(b, i + 1, &branches[1]);
        if (i == 0)
            expect_record(2, "cta_throttle EQ-10 epoch: decision=decrease acted=0"
                             " | run=0 limit=3 num_blocks=3 request=0 | run=1 limit=3 num_blocks=3 request=0");
    }
    expect_record(2, "cta_throttle EQ-11 epoch: decision=decrease acted=1 row=d"
                     " | run=2 limit=3 num_blocks=3 request=0 | run=0 limit=2 num_blocks=2 request=0");
    tell_cycle(b);
    assert_int_equal(told(), 0);
    tell_cycle(b);
    expect_told("cta_throttle PAUSE-1 pause: slot=2 limit=2 | paused=0 | paused=4", "CTA of slot 2 paused");
    assert_int_equal(state(b)->throttle.paused, 4);
}

/* Cycles that only look like decisions have nothing to say. */
static void log_of_nothing(bench *b)
{
    start_kernel(b, BALLAST_POLICY_PERFSAT, 4);
    for (unsigned i = 0; i < 20; i++) {
        tell_cycle(b);
        assert_int_equal(told(), 0);
        assert_string_equal(told_words(), "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("log: a kernel starts, under every policy", "sm_governor", log_of_kernel_starts),
        BOTH_SIDES("log: Perf-Sat", "sm_governor", log_of_perfsat),
        BOTH_SIDES("log: LCS", "sm_governor", log_of_lcs),
        BOTH_SIDES("log: DYNCTA, and the CTAs it pauses", "sm_governor_fast", log_of_dyncta),
        BOTH_SIDES("log: Equalizer, every branch of Algorithm 1", "sm_governor_fast", log_of_every_branch),
        BOTH_SIDES("log: Equalizer, numBlocks", "sm_governor_fast", log_of_numblocks),
        BOTH_SIDES("log: nothing", "sm_governor", log_of_nothing),
    };

    return cmocka_run_group_tests_name("sm_governor_log", tests, NULL, NULL);
}
