/* SPDX-License-Identifier: Apache-2.0
 *
 * The search outside, in the governor (SCT-9): its limit, where it counts, and what it pauses. On the model and on the RTL.
 */
#include "blocks/sm_governor/bench.h"

static const bench_word words[] = {
    GOVERNOR_WORDS,
    {NULL, NULL, NULL},
};

/* Each Nmax, each limit that a wire can carry: in the cycle itself, and never before the kernel's first one. */
static void where_it_fits(bench *b)
{
    for (unsigned nmax = 0; nmax <= 8; nmax++) {
        play(b, "policy_i=scout kernel=%u", nmax);
        for (unsigned limit = 0; limit <= 15; limit++)
            play(b, "scout_limit_i=%u static_limit_i=%u nmax_i=%u cycle limit_o=%u req_o=%u pause_soft_o=0", limit, limit ^ 3, nmax ^ 5,
                 limit == 0 || limit > nmax ? nmax : limit, nmax != 0);
    }
}

/* What is searched for one kernel is nothing to one of another policy. */
static void others_do_not_follow(bench *b)
{
    for (unsigned policy = 0; policy < 8; policy++) {
        unsigned limit;

        if (policy == BALLAST_POLICY_SCOUT)
            continue;
        reopen_bench(b, "sm_governor_fast");
        play(b, "policy_i=%u kernel=7 cycle", policy);
        limit = b->out.limit;
        play(b, "scout_limit_i=1 scout_done_i=1 cycle limit_o=%u scout_limit_i=5 scout_done_i=0 cycle limit_o=%u done_o=%u", limit, limit,
             policy == BALLAST_POLICY_STATIC || policy >= BALLAST_POLICIES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("SCT-9 where it fits", variants, where_it_fits),
        BOTH_SIDES("SCT-9 others do not follow", "sm_governor_fast", others_do_not_follow),
        /* A look takes CTAs away and gives them back, one in three cycles, the youngest first and last. */
        EACH_SCRIPT("SCT-9 a look pauses", variants,
                    "policy_i=scout scout_limit_i=4 kernel=4 launch=2013 cycle=4 limit_o=4 cta_paused_o=0 "
                    "scout_limit_i=2 cycle limit_o=2 cycle cta_paused_o=0 cycle cta_paused_o=0x8 cycle=2 cta_paused_o=0x8 cycle cta_paused_o=0xa "
                    "cycle=15 cta_paused_o=0xa pause_soft_o=0 "
                    "scout_limit_i=4 cycle limit_o=4 cycle cta_paused_o=0xa cycle cta_paused_o=0x8 cycle=2 cta_paused_o=0x8 cycle cta_paused_o=0"),
        EACH_SCRIPT("SCT-9 it ends with the search, and may begin anew", variants,
                    "policy_i=scout scout_limit_i=3 kernel=4 cycle done_o=0 scout_done_i=1 cycle done_o=1 scout_done_i=0 cycle done_o=0 "
                    "policy_i=static scout_done_i=1 cycle done_o=1 limit_o=3 "), /* its kernel goes on */
        EACH_SCRIPT("SCT-9 asks up to the limit", variants,
                    "policy_i=scout scout_limit_i=2 kernel=4 launch=0 cycle req_o=1 launch=1 cycle req_o=0 scout_limit_i=3 cycle req_o=1 "
                    "scout_limit_i=0 launch=2 limit_o=4 req_o=0 cycle req_o=1 launch=3 req_o=0 cycle req_o=0"),
    };
    return cmocka_run_group_tests_name("sm_governor_scout", tests, NULL, NULL);
}
