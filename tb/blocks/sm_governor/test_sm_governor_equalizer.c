/* SPDX-License-Identifier: Apache-2.0
 *
 * Equalizer in the governor: epochs, votes, numBlocks, the CTAs that are paused and asked for. On the model and on the RTL.
 */
#include "blocks/sm_governor/bench.h"
#include "blocks/sm_governor/same.h"

static const bench_word words[] = {
    GOVERNOR_WORDS,
    {NULL, NULL, NULL},
};

/* EQ-10: an epoch that wants to stay starts the count anew. */
static void eq10_hysteresis(bench *b)
{
    play(b, "equalizer show=MEM epochs=2 show=SOME_MEM epochs=1 show=MEM epochs=2 show=COMP epochs=1 "
            "show=MEM epochs=2 show=NONE epochs=1 show=MEM epochs=2 show=IDLE epochs=1 cycle=3 limit_o=6 "
            "show=WAIT_MEM epochs=1 show=MEM epochs=2 " /* HystSameDir = 0: that is three */
            "cycle limit_o=%u", config(b)->throttle.hyst_same_dir ? 6 : 5);
}

/* EQ-4: from reset on every Epoch cycles, kernel or not. */
static void epochs_are_regular(bench *b)
{
    const unsigned length = config(b)->counters.epoch;

    b->in.policy = BALLAST_POLICY_EQUALIZER;
    for (unsigned i = 0; i < 4 * length; i++) {
        if (i % 333 == 5)
            prepare_kernel(b, BALLAST_POLICY_EQUALIZER, 1 + i % 8);
        cycle(b);
        assert_int_equal(b->out.epoch, i % length == length - 1);
    }
}

static const struct {
    enum work work;
    uint8_t comp, mem;
} votes[] = {{WORK_NONE, 0, 0}, {WORK_MEM, 0, 1},      {WORK_COMP, 1, 0},    {WORK_SOME_MEM, 0, 1},
             {WORK_IDLE, 1, 0}, {WORK_WAIT_COMP, 1, 0}, {WORK_WAIT_MEM, 0, 1}};
enum { VOTES = sizeof votes / sizeof votes[0] };

/* EQ-7, EQ-8: each line's action, in the cycle that ends the epoch and in no other. */
static void eq7_votes(bench *b)
{
    equalizer_kernel(b, NULL);
    for (unsigned i = 0; i < VOTES; i++) {
        epochs_of(b, 1, votes[i].work); /* with the cycles since the kernel start */
        for (unsigned n = 0; n < config(b)->counters.epoch - 1; n++) {
            cycle(b);
            expect(b, "epoch_o=0 comp_o=0 mem_o=0");
        }
        cycle(b);
        expect(b, "epoch_o=1 comp_o=%u mem_o=%u", votes[i].comp, votes[i].mem);
    }
}

/* EQ-16, EQ-A20: an SM without a kernel, or with one of another policy, votes like any other; it is idle. Its limit is none
 * of Equalizer's business. */
static void eq16_votes_without_a_kernel(bench *b)
{
    for (unsigned with_kernel = 0; with_kernel < 2; with_kernel++) {
        reopen_bench(b, b->dut.block->name);
        b->in.static_limit = 3;
        if (with_kernel)
            start_kernel(b, BALLAST_POLICY_STATIC, 6);
        play(b, "policy_i=equalizer epochs=1 comp_o=1 mem_o=0 show=MEM epochs=4 "
                "mem_o=1 limit_o=%u req_o=%u throttle.run_q=0 throttle.num_blocks_q=%u", with_kernel ? 3 : 0,
             with_kernel, with_kernel ? 6 : 0);
    }
}

/* Epochs stop with policy_i and go on where they stopped, also at their very end. */
static void counters_follow_policy_i(bench *b)
{
    eq_counters_state held;

    play(b, "equalizer show=MEM cycle=%u", config(b)->counters.sample_interval + 3);
    held = state(b)->counters;
    assert_true(held.active > 0);
    for (unsigned i = 0; i < 50; i++) {
        b->in.policy = (uint8_t)(i % 8 == BALLAST_POLICY_EQUALIZER ? 0 : i % 8);
        cycle(b);
        assert_true(eq_counters_same(&held, &state(b)->counters));
    }
    play(b, "policy_i=equalizer cycle counters.cycle_q=%u to_epoch_end policy_i=lcs", held.cycle + 1);
    for (unsigned i = 0; i < 10; i++)
        play(b, "cycle epoch_o=0 mem_o=0");
    play(b, "policy_i=equalizer cycle epoch_o=1 mem_o=1 policy_q=equalizer");
}

/* EQ-A20: a kernel start in the middle of an epoch does not move the epoch; the samples before it
 * are the old kernel's. */
static void kernel_starts_in_an_epoch(bench *b)
{
    const unsigned half = config(b)->counters.epoch / 2;

    play(b, "equalizer show=MEM epochs=1 cycle=%u show=COMP kernel=4 epoch_o=0", half - 1);
    for (unsigned i = half + 1; i < 2 * half; i++)
        play(b, "cycle epoch_o=0 limit_o=4");
    play(b, "cycle epoch_o=1 comp_o=1 mem_o=0");
    assert_int_equal(b->before.counters.xmem, 0);
}

/* PAUSE-2: paused warps are in no sum. */
static void paused_warps_do_not_count(bench *b)
{
    play(b, "equalizer show=MEM epochs=1 paused_i=0xffffffffffff epochs=1 comp_o=1");
    assert_int_equal(b->before.counters.active, 0);
    play(b, "paused_i=0xfffffffffff0 epochs=1 mem_o=1 throttle.run_q=0"); /* four of them run: some memory */
}

/* Lines 7 and 10 compare with the warps of a CTA. */
static void thresholds_are_wcta(bench *b)
{
    static const uint8_t cases[][2] = {{1, 47}, {11, 12}, {12, 11}, {47, 1}, {48, 48}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "equalizer show=NONE epochs=1 wcta_i=%u", cases[c][0]);
        set_warps(&b->in, 0, cases[c][1], BALLAST_WARP_ALU_BLOCKED);
        play(b, "epochs=1 comp_o=%u", cases[c][1] > cases[c][0]);
    }
}

static const char *const with_feedback[] = {"sm_governor", "sm_governor_fast", NULL}; /* the third samples later, too */

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* EQ-10, EQ-11, PAUSE-1, PAUSE-3: the youngest go first, the oldest of them come back first. */
        EACH_SCRIPT("EQ-10 pauses and resumes", variants,
                    "equalizer three_of=MEM,6,5,0x8 three_of=MEM,5,4,0x18 pause_soft_o=0 req_o=0 "
                    "three_of=WAIT_MEM,4,5,0x8 three_of=WAIT_COMP,5,6,0 "
                    "three_of=WAIT_COMP,6,6,0 req_o=0"), /* Nmax */
        EACH_VARIANT("EQ-10 hysteresis", variants, eq10_hysteresis),
        /* EQ-11, EQ-A12: one fewer, and the paused CTA finishes: nobody is left to resume. An increase asks the dispatcher, and
         * counts when the CTA has come. */
        EACH_SCRIPT("EQ-11 an increase asks for a CTA", with_feedback,
                    "equalizer three_of=MEM,6,5,0x8 finish=3 cycle cta_paused_o=0 req_o=0 "
                    "three_of=WAIT_MEM,5,6,0 req_o=1 throttle.num_blocks_q=5 "
                    "cta_denied_i=1 cycle req_o=1 cycle req_o=0 limit_o=5 show=NONE epochs=1 "
                    "three_of=WAIT_COMP,5,6,0 launch=7 cycle throttle.num_blocks_q=6 cycle=5 req_o=0 limit_o=6 cta_paused_o=0"),
        /* GrantFeedback = 0: it counts at once, a denial changes nothing. */
        SCRIPT("EQ-11 an increase without feedback", "sm_governor_other",
               "equalizer three_of=MEM,6,5,0x8 finish=3 cycle cta_paused_o=0 req_o=0 "
               "three_of=WAIT_MEM,5,6,0 throttle.num_blocks_q=6 cta_denied_i=1 cycle=2 req_o=1 limit_o=6 launch=7 req_o=0"),
        /* One fewer and one gone in the same cycle: nobody has to wait. Who is gone shows in the next cycle, as the new limit does. */
        EACH_SCRIPT("a CTA finishes with a decrease", variants,
                    "equalizer show=MEM epochs=2 to_epoch_end finish=0 epoch_o=1 req_o=0 "
                    "cycle limit_o=5 req_o=0 cycle=5 cta_paused_o=0"),
        /* One more and one gone in the same cycle: the paused CTA is resumed, and then a place is free still. */
        SCRIPT("a CTA finishes with an increase", "sm_governor_fast",
               "equalizer three_of=MEM,6,5,0x8 show=WAIT_MEM epochs=2 to_epoch_end finish=0 epoch_o=1 cta_paused_o=0x8 req_o=0 "
               "cycle limit_o=6 throttle.num_blocks_q=6 cycle cta_paused_o=0x8 req_o=0 cycle cta_paused_o=0 req_o=0 cycle req_o=1"),
        EACH_VARIANT("EQ-4 epochs are regular", variants, epochs_are_regular),
        EACH_VARIANT("EQ-7 votes", variants, eq7_votes),
        EACH_VARIANT("EQ-16 votes without a kernel", variants, eq16_votes_without_a_kernel),
        SCRIPT("EQ-16 idle after a kernel", "sm_governor_fast", /* that has come to its end: CompAction */
               "equalizer show=MEM epochs=2 cta_done_i=0x3f show=IDLE epochs=2 comp_o=1 mem_o=0"),
        EACH_VARIANT("EQ-A20 counters follow policy_i", variants, counters_follow_policy_i),
        /* Without epochs the limit and the paused CTAs stay until the kernel ends. */
        SCRIPT("the limit holds without epochs", "sm_governor_fast",
               "equalizer three_of=MEM,6,5,0x8 show=MEM epochs=2 policy_i=dyncta cycle=2000 limit_o=5 cta_paused_o=0x8 "
               "pause_soft_o=0 policy_i=equalizer epochs=1 cycle limit_o=4"), /* the third */
        EACH_VARIANT("a kernel starts in an epoch", variants, kernel_starts_in_an_epoch),
        /* The vote is the old kernel's, its decision comes too late: the new kernel begins at Nmax with nobody paused and no
         * epochs counted (EQ-A11, EQ-A14). */
        EACH_SCRIPT("a kernel starts with the end of an epoch", variants,
                    "equalizer three_of=MEM,6,5,0x8 show=MEM epochs=2 to_epoch_end "
                    "kernel=7 epoch_o=1 mem_o=1 limit_o=5 cta_paused_o=0x8 req_o=0 cycle limit_o=7 cta_paused_o=0 req_o=1 "
                    "epochs=2 cycle limit_o=7 epochs=1 cycle limit_o=6"),
        BOTH_SIDES("PAUSE-2 paused warps do not count", "sm_governor_fast", paused_warps_do_not_count),
        BOTH_SIDES("thresholds are Wcta", "sm_governor_fast", thresholds_are_wcta),
    };
    return cmocka_run_group_tests_name("sm_governor_equalizer", tests, NULL, NULL);
}
