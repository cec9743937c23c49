/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of sm_governor: one side of it, and the CTA slots that it sees.
 */
#ifndef BALLAST_SM_GOVERNOR_BENCH_H
#define BALLAST_SM_GOVERNOR_BENCH_H

#include <stdio.h>

#include "blocks/sm_governor/works.h"

#define BENCH_BLOCK sm_governor
#define BENCH_MORE uint32_t held; /* slots that hold a CTA */
#define BENCH_PREPARE
#define BENCH_CYCLE
#include "engine/bench.h"

static const char *const variants[] = {"sm_governor", "sm_governor_fast", "sm_governor_other", NULL};

static void prepare(bench *b)
{
    b->in.policy = BALLAST_POLICY_STATIC;
    b->in.wcta = WCTA;
}

/* One cycle; slots that start or finish in it are in use in it. Levels stay, pulses last one cycle. */
static void cycle(bench *b)
{
    sm_governor_in *in = &b->in;

    in->cta_active = b->held | in->cta_start;
    take_cycle(b);
    b->held = (in->cta_active & ~in->cta_done) | in->cta_start;
    in->cta_start = in->cta_done = 0;
    in->kernel_start = in->cta_denied = in->lcs_bcast_valid = in->issue_valid = 0;
}

static inline void prepare_kernel(bench *b, unsigned policy, unsigned nmax)
{
    b->in.policy = (uint8_t)policy;
    b->in.kernel_start = 1;
    b->in.nmax = (uint8_t)nmax;
}

static inline void start_kernel(bench *b, unsigned policy, unsigned nmax)
{
    prepare_kernel(b, policy, nmax);
    cycle(b);
}

static inline void launch(bench *b, unsigned slot)
{
    b->in.cta_start = UINT32_C(1) << slot;
    cycle(b);
}

static inline void finish(bench *b, unsigned slot)
{
    b->in.cta_done = UINT32_C(1) << slot;
    cycle(b);
}

/* The slots (digits) get their CTAs one by one. */
static inline void launch_all(bench *b, const char *order)
{
    for (; *order; order++)
        launch(b, (unsigned)(*order - '0'));
}

/* ---- epochs ------------------------------------------------------------------------- */

/* The next cycle ends an epoch. */
static inline void go_to_epoch_end(bench *b)
{
    unsigned waited = 0;

    while (state(b)->counters.cycle != 1) {
        cycle(b);
        assert_int_equal(b->out.epoch, 0);
        assert_true(++waited <= config(b)->counters.epoch);
    }
}

/* The rest of this epoch, and the cycle with its decision. */
static inline void epoch(bench *b)
{
    go_to_epoch_end(b);
    cycle(b);
    assert_int_equal(b->out.epoch, 1);
}

static inline void epochs(bench *b, unsigned n)
{
    while (n--)
        epoch(b);
}

/* From the end of an epoch: `n` of them in which the warps do this from first to last sample. */
static inline void epochs_of(bench *b, unsigned n, enum work work)
{
    show(&b->in, work);
    epochs(b, n);
}

/* Aligned with the end of an epoch. */
static inline void align(bench *b)
{
    const uint8_t policy = b->in.policy;

    b->in.policy = BALLAST_POLICY_EQUALIZER;
    epoch(b);
    b->in.policy = policy;
}

/* ---- words of scripts ---------------------------------------------------------------- */

/* Of the policy that policy_i says. */
static inline void kernel_of_policy(bench *b, unsigned nmax)
{
    start_kernel(b, b->in.policy, nmax);
}

static inline void show_work(bench *b, const char *name)
{
    static const char *const names[] = {"NONE", "MEM", "COMP", "SOME_MEM", "WAIT_COMP", "WAIT_MEM", "IDLE"};
    unsigned work = 0;

    while (strcmp(names[work], name) != 0)
        assert_true(++work <= WORK_IDLE);
    show(&b->in, (enum work)work);
}

static inline void to_epoch_end(bench *b, const char *nothing)
{
    (void)nothing;
    go_to_epoch_end(b);
}

/* A kernel of six CTAs, slot 2's the oldest, slot 3's the youngest, from the end of an epoch on. */
static inline void equalizer_kernel(bench *b, const char *nothing)
{
    (void)nothing;
    align(b);
    start_kernel(b, BALLAST_POLICY_EQUALIZER, 6);
    assert_int_equal(b->out.limit, 0);
    cycle(b);
    expect(b, "limit_o=6 req_o=1");
    launch_all(b, "201543");
    expect(b, "req_o=0 done_o=0");
}

/* "MEM,6,5,0x8": three epochs of the work take the limit from 6 to 5, and leave these slots paused. The third shows in the
 * limit in the next cycle, in the CTAs two later (EQ-10): a CTA to pause has been found if none is paused yet, and else a CTA to resume.
 * Where the search has to turn it takes some cycles more. The quiet epoch before them takes the sample that SamplePhase = 0
 * puts into the last cycle of an epoch: none of the three has one of the old work. */
static inline void three_epochs(bench *b, const char *text)
{
    const uint32_t were = b->out.cta_paused;
    char work[12];
    unsigned from, to, paused;

    assert_int_equal(sscanf(text, "%11[^,],%u,%u,%x", work, &from, &to, &paused), 4);
    epochs_of(b, 1, WORK_NONE);
    show_work(b, work);
    epochs(b, 3);
    expect(b, "limit_o=%u cta_paused_o=%u", from, were);
    cycle(b);
    expect(b, "limit_o=%u cta_paused_o=%u", to, were);
    cycle(b);
    expect(b, "limit_o=%u cta_paused_o=%u", to, were);
    cycles(b, were && (paused & ~were) ? config(b)->num_slots + 4 : 1);
    expect(b, "limit_o=%u cta_paused_o=%u", to, paused);
}

#define GOVERNOR_WORDS                                                                                                    \
    {"kernel", kernel_of_policy, NULL}, {"launch", NULL, launch_all}, {"finish", finish, NULL}, {"show", NULL, show_work},\
        {"epochs", epochs, NULL}, {"to_epoch_end", NULL, to_epoch_end}, {"equalizer", NULL, equalizer_kernel},            \
        {"three_of", NULL, three_epochs}

#endif
