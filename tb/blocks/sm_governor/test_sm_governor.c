/* SPDX-License-Identifier: Apache-2.0
 *
 * The governor whatever the policy: configuration, the static limit, which policy is in force and since when, what holds of all of
 * them. Each on the model and on the RTL. The other test_sm_governor_POLICY.c are about one policy each.
 */
#include "blocks/sm_governor/bench.h"

static const bench_word words[] = {
    GOVERNOR_WORDS,
    {NULL, NULL, NULL},
};

/* ---- configuration ---------------------------------------------------------------------- */

static void defaults(void **t)
{
    const sm_governor_cfg cfg = sm_governor_cfg_default();

    (void)t;
    assert_int_equal(cfg.num_warps, 48);
    assert_int_equal(cfg.num_slots, 8);
    assert_int_equal(cfg.issue_width, 2);
    assert_int_equal(cfg.count_w, 32);
    assert_int_equal(cfg.lcs.count_w, 20);
    assert_int_equal(cfg.counters.epoch, 4096);
    assert_int_equal(cfg.decision.samples, 32);
    assert_int_equal(cfg.dyncta.period, 2048);
}

/* What depends on the geometry follows it. */
static void derive(void **t)
{
    sm_governor_cfg cfg = sm_governor_cfg_default();

    (void)t;
    cfg.num_warps = 32;
    cfg.num_slots = 16;
    cfg.issue_width = 4;
    cfg.count_w = 17;
    cfg.counters.epoch = 1024;
    cfg.counters.sample_interval = 16;
    sm_governor_cfg_derive(&cfg);
    assert_int_equal(cfg.classifier.num_warps, 32);
    assert_int_equal(cfg.counters.num_warps, 32);
    assert_int_equal(cfg.decision.num_warps, 32);
    assert_int_equal(cfg.perfsat.num_slots, 16);
    assert_int_equal(cfg.lcs.num_slots, 16);
    assert_int_equal(cfg.throttle.num_slots, 16);
    assert_int_equal(cfg.dyncta.num_slots, 16);
    assert_int_equal(cfg.lcs.issue_width, 4);
    assert_int_equal(cfg.perfsat.count_w, 17);
    assert_int_equal(cfg.lcs.count_w, 20);
    assert_int_equal(cfg.decision.samples, 64);
}

/* ---- static ------------------------------------------------------------------------- */

/* 0 and what is too big mean Nmax; the limit shows in the cycle after the kernel start, and what changes then is of no effect
 * until the next kernel. */
static void static_limit(bench *b)
{
    for (unsigned nmax = 0; nmax <= 8; nmax++) {
        for (unsigned limit = 0; limit <= 15; limit++) {
            const unsigned expected = limit == 0 || limit > nmax ? nmax : limit;

            play(b, "static_limit_i=%u kernel=%u static_limit_i=%u nmax_i=%u cycle=2 limit_o=%u done_o=%u req_o=%u pause_soft_o=0",
                 limit, nmax, limit ^ 3, nmax ^ 5, expected, expected != 0, expected != 0);
        }
    }
}

/* ---- which policy -------------------------------------------------------------------- */

static void unknown_codes_are_static(bench *b)
{
    for (unsigned code = 6; code <= 7; code++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "policy_i=dyncta kernel=6 static_limit_i=4 policy_i=%u kernel=6 policy_q=static show=MEM", code);
        for (unsigned i = 0; i < 600; i++)
            play(b, "cycle limit_o=4 done_o=1 pause_soft_o=0 epoch_o=0");
    }
}

/* The limit that a policy shows right after the start of a kernel with Nmax = 7. */
static unsigned first_limit(unsigned code)
{
    static const uint8_t limits[] = {[BALLAST_POLICY_STATIC] = 2, [BALLAST_POLICY_PERFSAT] = 4, [BALLAST_POLICY_LCS] = 7,
                                     [BALLAST_POLICY_EQUALIZER] = 7, [BALLAST_POLICY_DYNCTA] = 3, [BALLAST_POLICY_SCOUT] = 7};

    return limits[code < BALLAST_POLICIES ? code : BALLAST_POLICY_STATIC];
}

/* From each policy to each: nothing but Equalizer's epochs moves before the next kernel starts,
 * and the outputs of its first cycle are still the old policy's. */
static void policy_waits_for_the_next_kernel(bench *b)
{
    b->in.static_limit = 2;
    for (unsigned from = 0; from < 8; from++) {
        for (unsigned to = 0; to < 8; to++) {
            const unsigned in_force = from < BALLAST_POLICIES ? from : BALLAST_POLICY_STATIC;

            start_kernel(b, from, 7);
            b->in.policy = (uint8_t)to;
            for (unsigned i = 0; i < 20; i++) {
                cycle(b);
                expect(b, "policy_q=%u limit_o=%u pause_soft_o=%u done_o=%u", in_force, first_limit(from),
                       from == BALLAST_POLICY_DYNCTA, in_force == BALLAST_POLICY_STATIC);
            }
            start_kernel(b, to, 7);
            expect(b, "limit_o=%u pause_soft_o=%u req_o=0", first_limit(from), from == BALLAST_POLICY_DYNCTA);
            cycle(b);
            expect(b, "limit_o=%u pause_soft_o=%u", first_limit(to), to == BALLAST_POLICY_DYNCTA);
        }
    }
}

/* A change of mind and back leaves no trace in the search. */
static void search_goes_on_whatever_policy_i_says(bench *b)
{
    bench same;

    open_bench(&same, "sm_governor_fast", b->dut.side);
    start_kernel(b, BALLAST_POLICY_PERFSAT, 4);
    start_kernel(&same, BALLAST_POLICY_PERFSAT, 4);
    for (unsigned i = 0; i < 2000; i++) {
        b->in.policy = (uint8_t)(i / 7 % 8);
        show(&b->in, i % 100 < i / 20 ? WORK_WAIT_MEM : WORK_NONE);
        show(&same.in, i % 100 < i / 20 ? WORK_WAIT_MEM : WORK_NONE);
        b->in.cta_start = same.in.cta_start = i == 3;
        b->in.cta_done = same.in.cta_done = i == 60;
        cycle(b);
        cycle(&same);
        assert_int_equal(b->out.limit, same.out.limit);
        assert_memory_equal(&state(b)->perfsat, &state(&same)->perfsat, sizeof(perfsat_state));
    }
    assert_true(state(b)->perfsat.state > PERFSAT_FIRST);
    close_bench(&same);
}

/* ---- whoever sets the limit ------------------------------------------------------------ */

static void no_kernel_no_request(bench *b)
{
    for (unsigned policy = 0; policy < 8; policy++) {
        reopen_bench(b, "sm_governor_fast");
        start_kernel(b, policy, 0);
        for (unsigned i = 0; i < 600; i++)
            play(b, "cycle limit_o=0 req_o=0 done_o=0 cta_paused_o=0");
    }
}

/* One CTA at most: Perf-Sat and LCS have nothing to look for. */
static void one_cta_at_most(bench *b)
{
    for (unsigned policy = 0; policy < BALLAST_POLICIES; policy++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "policy_i=%u kernel=1 cycle limit_o=1 req_o=1 done_o=%u launch=0 req_o=0", policy, policy <= BALLAST_POLICY_LCS);
    }
}

/* Paused by Equalizer, and a kernel of a policy that drains: all run again in its first cycle. */
static void next_kernel_pauses_nobody(bench *b)
{
    static const uint8_t next[] = {BALLAST_POLICY_STATIC, BALLAST_POLICY_PERFSAT, BALLAST_POLICY_LCS, 6};

    for (unsigned n = 0; n < sizeof next; n++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "equalizer three_of=MEM,6,5,0x8 static_limit_i=1 policy_i=%u kernel=2 cta_paused_o=0x8", next[n]);
        for (unsigned i = 0; i < 20; i++)
            play(b, "cycle cta_paused_o=0 req_o=0");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(derive),
        EACH_SCRIPT("reset state", variants,
                    "policy_i=perfsat kernel=5 launch=012 policy_i=static kernel=5 reset "
                    "policy_q=static fixed_q=0 perfsat.limit_q=0 throttle.nmax_q=0 counters.cycle_q=2 "
                    "cycle limit_o=0 cta_paused_o=0 pause_soft_o=0 req_o=0 done_o=0 epoch_o=0 comp_o=0 mem_o=0 "
                    "t_new_valid_o=0 t_new_o=0"),
        EACH_VARIANT("static limit", variants, static_limit),
        /* It asks for CTAs up to the limit, and what is too many drains: nobody is paused. */
        EACH_SCRIPT("static drains", variants,
                    "static_limit_i=5 kernel=6 req_o=0 launch=0123 req_o=0 cycle req_o=1 "
                    "launch=4 req_o=0 cycle req_o=0 " /* nobody else is asked for in the cycle of a launch */
                    "static_limit_i=2 kernel=6 limit_o=5 "
                    "finish=0 cycle=10 limit_o=2 req_o=0 cta_paused_o=0 "
                    "finish=1 cycle=10 limit_o=2 req_o=0 cta_paused_o=0 "
                    "finish=2 cycle=10 limit_o=2 req_o=0 cta_paused_o=0 "
                    "finish=3 req_o=0 cycle req_o=1 cta_denied_i=1 cycle req_o=1 " /* an empty place goes on asking */
                    "launch=0 req_o=0 cycle req_o=0"),
        BOTH_SIDES("unknown codes are static", "sm_governor_fast", unknown_codes_are_static),
        BOTH_SIDES("a policy waits for the next kernel", "sm_governor_fast", policy_waits_for_the_next_kernel),
        BOTH_SIDES("a search goes on whatever policy_i says", "sm_governor_fast", search_goes_on_whatever_policy_i_says),
        SCRIPT("policies miss each other's kernels", "sm_governor",
               "policy_i=perfsat kernel=8 policy_i=lcs kernel=3 perfsat.nmax_q=8 lcs.nmax_q=3 "
               "policy_i=dyncta kernel=5 lcs.nmax_q=3 dyncta.nmax_q=5 "
               "static_limit_i=2 policy_i=static kernel=6 dyncta.nmax_q=5 fixed_q=2 "
               "policy_i=equalizer kernel=7 perfsat.nmax_q=8 lcs.nmax_q=3 dyncta.nmax_q=5 fixed_q=2 throttle.nmax_q=7"),
        BOTH_SIDES("no kernel, no request", "sm_governor_fast", no_kernel_no_request),
        BOTH_SIDES("one CTA at most", "sm_governor_fast", one_cta_at_most),
        /* Ages are kept under every policy: a CTA of a static kernel that lives on is older. */
        SCRIPT("ages outlive policies", "sm_governor_fast",
               "policy_i=static kernel=6 launch=41 policy_i=perfsat kernel=6 launch=2 policy_i=equalizer epochs=1 kernel=3 "
               "three_of=MEM,3,2,0x4 three_of=MEM,2,1,0x6 "
               "three_of=MEM,1,1,0x6"), /* PAUSE-5 */
        BOTH_SIDES("the next kernel pauses nobody", "sm_governor_fast", next_kernel_pauses_nobody),
    };
    return cmocka_run_group_tests_name("sm_governor", tests, NULL, NULL);
}
