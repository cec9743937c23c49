/* SPDX-License-Identifier: Apache-2.0
 *
 * The search on a chip (SCT-9): whose kernels it has, who follows it, and what is remembered of it (SCT-10, LTB-1); that for levels
 * (VFS-1, VFS-2, VFS-8). On the model and on the RTL.
 */
#include "blocks/chip_governor/bench.h"
#include "blocks/chip_governor/passed.h"

/* Of these the windows are short. */
static const char *const quick[] = {"chip_governor_top", "chip_governor_bcast", NULL};

/* Its windows of levels are short, and so is its transition. */
static const char *const levels_short[] = {"chip_governor_top", NULL};

static const bench_word words[] = {{"start", start_kernels, NULL}, {NULL, NULL, NULL}};

/* One SM's kernel starts. */
static void start_on(bench *c, unsigned sm, unsigned policy, unsigned nmax)
{
    c->in.policy = (uint8_t)policy;
    prepare_start(c, sm, nmax);
    cycle(c);
}

/* SM 0 issues as much as the limit is high, in every cycle, until the search has decided: `most` CTAs are the best then. */
static void search(bench *c, unsigned most)
{
    for (unsigned i = 0; !c->out.sm[0].done; i++) {
        assert_true(i < 400000);
        c->in.sm[0].issue_valid = c->out.sm[0].limit >= most ? 3 : i % 16 < c->out.sm[0].limit;
        c->in.sm[0].cta_done = i == 5000;
        cycle(c);
    }
}

static void all_follow(bench *c)
{
    bool looked = false;

    start_on_all(c, BALLAST_POLICY_SCOUT, 6);
    cycle(c);
    for (unsigned i = 0; i < 20000; i++) {
        const uint8_t limit = state(c)->scout.state == SCOUT_ST_LOOK ? state(c)->scout.cand : state(c)->scout.best;

        c->in.sm[0].issue_valid = 3;
        cycle(c);
        looked |= limit != 6;
        for (unsigned sm = 0; sm < sms(c); sm++)
            assert_int_equal(c->out.sm[sm].limit, limit);
    }
    assert_true(looked);
}

/* Where fewer CTAs fit, what fits. A kernel of another policy on SM 0 ends the search, and the others have what fits. */
static void each_what_fits(bench *c)
{
    const unsigned last = sms(c) - 1;

    start_on(c, last, BALLAST_POLICY_SCOUT, 3);
    play(c, "cycle sm[%u].limit_o=3 sm[%u].done_o=0", last, last); /* nobody searches yet */
    start_on(c, 0, BALLAST_POLICY_SCOUT, 8);
    play(c, "cycle sm[0].limit_o=8 sm[%u].limit_o=3", last);
    for (unsigned i = 0; state(c)->scout.state != SCOUT_ST_LOOK; i++) {
        c->in.sm[0].issue_valid = 3;
        cycle(c);
        assert_true(i < 100000);
    }
    play(c, "cycle sm[0].limit_o=4 sm[%u].limit_o=3", last);
}

/* policy_i waits for SM 0's next kernel; the kernels of the other SMs are none of its business. */
static void whose_kernels(bench *c)
{
    const unsigned last = sms(c) - 1;
    uint16_t timer;

    start_on(c, last, BALLAST_POLICY_SCOUT, 6);
    play(c, "cycle=20 search_q=0 scout.state_q=0");
    start_on(c, 0, BALLAST_POLICY_SCOUT, 6);
    play(c, "policy_i=static cycle=3 search_q=1");
    timer = state(c)->scout.timer;
    start_on(c, last, BALLAST_POLICY_STATIC, 6);
    play(c, "search_q=1 scout.timer_q=%u", timer + 1u);
    start_on(c, 0, BALLAST_POLICY_STATIC, 5);
    play(c, "search_q=0 scout.nmax_q=6 policy_i=scout cycle=20 search_q=0 scout.timer_q=%u sm[0].limit_o=5", timer + 1u);
}

/* The same kernel again starts at what was found; another one, one without a number, and one of another size do not. */
static void remembers(bench *c)
{
    unsigned found;

    c->in.kernel_id = 7;
    start_on_all(c, BALLAST_POLICY_SCOUT, 6);
    cycle(c);
    search(c, 2);
    found = c->out.sm[0].limit;
    assert_in_range(found, 1, 5);
    cycle(c); /* it is stored */
    play(c, "kernel_id_i=7 start=6 cycle sm[0].limit_o=%u sm[0].done_o=1 sm[%u].limit_o=%u", found, sms(c) - 1, found);
    play(c, "kernel_id_i=8 start=6 cycle sm[0].limit_o=6 sm[0].done_o=0");
    play(c, "kernel_id_i=0 start=6 cycle sm[0].limit_o=6 sm[0].done_o=0");
    play(c, "kernel_id_i=7 start=5 cycle sm[0].limit_o=5 sm[0].done_o=0");
    play(c, "kernel_id_i=7 policy_i=static start=6 cycle sm[0].limit_o=6 policy_i=scout start=6 cycle sm[0].limit_o=%u", found);
}

static void issue_all(bench *c, unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++) {
        c->in.sm[0].issue_valid = 3;
        cycle(c);
    }
}

/* What SM 0 issues hangs on no level: the SMs' step up brings all of it, the memory's nothing; down it is the other way round. */
static void levels_that_pay(bench *c)
{
    static const char *const kept[2] = {"sm_level_o=1 mem_level_o=0", "sm_level_o=2 mem_level_o=1"};

    for (unsigned performance = 0; performance < 2; performance++) {
        c->in.mode = (uint8_t)performance;
        start_on_all(c, BALLAST_POLICY_SCOUT, 1);
        issue_all(c, 4000);
        play(c, "levels.state_q=StRest cycle %s", kept[performance]);
        play(c, "policy_i=scout start=1 cycle=80 sm_level_o=1 mem_level_o=1"); /* VFS-1 */
    }
}

/* VFS-8. Nothing of SM 0's is counted twice: a search for levels begins with a CTA that finishes, and the slice that was begun waits. */
static void limit_waits(bench *c)
{
    unsigned stood = 0;

    c->in.mode = BALLAST_VF_PERFORMANCE;
    start_on_all(c, BALLAST_POLICY_SCOUT, 6);
    for (unsigned i = 0; i < 4000; i++) {
        const scout_state was = state(c)->scout;
        const bool held = state(c)->levels.state >= VF_SCOUT_ST_BASE && state(c)->levels.state <= VF_SCOUT_ST_BACK && was.state != SCOUT_ST_LOOK;

        c->in.sm[0].issue_valid = 3;
        c->in.sm[0].cta_done = i == 10;
        cycle(c);
        assert_true(!held || chip_governor_same_scout(&was, &state(c)->scout));
        stood += held;
    }
    assert_in_range(stood, 100, 3900);
    start_on_all(c, BALLAST_POLICY_SCOUT, 4); /* a kernel is heard at any time */
    play(c, "cycle scout.nmax_q=4 levels.state_q=StWait");
}

/* A kernel of another policy has the levels that are there, until its own policy asks for others. */
static void other_policies_vote(bench *c)
{
    c->in.mode = BALLAST_VF_PERFORMANCE;
    start_on_all(c, BALLAST_POLICY_SCOUT, 1);
    issue_all(c, 4000);
    play(c, "sm_level_o=2 policy_i=static start=1 cycle=4000 sm_level_o=2 mem_level_o=1 levels.state_q=StRest");
    start_on_all(c, BALLAST_POLICY_SCOUT, 1);
    play(c, "cycle=100 sm_level_o=1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("SCT-9 all follow", quick, all_follow),
        EACH_VARIANT("SCT-9 each what fits", quick, each_what_fits),
        EACH_VARIANT("SCT-9 whose kernels", chips, whose_kernels),
        EACH_VARIANT("LTB-1 remembers", quick, remembers),
        EACH_VARIANT("VFS-2 levels that pay", levels_short, levels_that_pay),
        EACH_VARIANT("VFS-8 the limit waits", levels_short, limit_waits),
        EACH_VARIANT("VFS-1 other policies", levels_short, other_policies_vote),
    };
    return cmocka_run_group_tests_name("chip_governor_scout", tests, NULL, NULL);
}
