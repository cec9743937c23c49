/* SPDX-License-Identifier: Apache-2.0
 *
 * LCS in the governor: what is issued gets to it, its T_new is the governor's limit, to be drained or paused, from its own count
 * or from a broadcast. On the model and on the RTL.
 */
#include "blocks/sm_governor/bench.h"

/* One instruction in the slot of each lane; NO_LANE: none. */
enum { NO_LANE = 8 };

static void issue_many(bench *b, unsigned n, unsigned lane0, unsigned lane1)
{
    while (n--) {
        b->in.issue_valid = (uint8_t)((lane0 != NO_LANE) | (lane1 != NO_LANE) << 1);
        b->in.issue_slot = (lane0 & 7) | (uint64_t)(lane1 & 7) << 3;
        cycle(b);
    }
}

/* On both lanes, of slot 3. */
static void issue_cycles(bench *b, unsigned n)
{
    issue_many(b, n, 3, 3);
}

/* Four CTAs, slot 1's the oldest, that issue 40, 20, 10 and 11 instructions: 81 / 40. */
static void lcs_monitor(bench *b, const char *nothing)
{
    (void)nothing;
    start_kernel(b, BALLAST_POLICY_LCS, 4);
    launch_all(b, "1032");
    expect(b, "limit_o=4 done_o=0");
    issue_many(b, 10, 0, 1);
    issue_many(b, 10, 1, 2);
    issue_many(b, 15, 0, 0);
    issue_many(b, 11, NO_LANE, 3);
}

/* Of this kernel: a cycle to hear of the finish, five to gather, three to divide, then T_new, in its first cycle as the limit. */
static void expect_t_new(bench *b, unsigned t_new)
{
    for (unsigned i = 0; i < 1 + 5 + 3; i++) {
        cycle(b);
        expect(b, "t_new_valid_o=0 t_new_o=0 limit_o=4 done_o=0");
    }
    cycle(b);
    expect(b, "t_new_valid_o=1 t_new_o=%u limit_o=%u done_o=1", t_new, t_new);
}

static void broadcast(bench *b, unsigned limit)
{
    b->in.lcs_bcast_valid = 1;
    b->in.lcs_bcast_limit = (uint8_t)limit;
    cycle(b);
}

static const bench_word words[] = {
    GOVERNOR_WORDS,
    {"lcs_monitor", NULL, lcs_monitor}, {"issue", issue_cycles, NULL}, {"t_new", expect_t_new, NULL}, {"broadcast", broadcast, NULL},
    {NULL, NULL, NULL},
};

static void lcs_broadcast_is_clamped(bench *b)
{
    static const uint8_t cases[][2] = {{0, 1}, {1, 1}, {6, 6}, {7, 6}, {15, 6}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++)
        play(b, "lcs_listen_i=1 policy_i=lcs kernel=6 broadcast=%u cycle limit_o=%u", cases[c][0], cases[c][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* LcsThrottle = 0: the CTAs above the limit run to their end (LCS-A6). */
        SCRIPT("LCS drains", "sm_governor",
               "lcs_monitor finish=0 req_o=0 t_new=2 req_o=0 "
               "cycle t_new_valid_o=0 t_new_o=0 cycle=20 cta_paused_o=0 lcs.state_q=StThrottle "
               "finish=1 lcs.state_q=StThrottle req_o=0 " /* still active in this cycle */
               "cycle lcs.state_q=StThrottle cycle lcs.state_q=StLazy finish=2 req_o=0 cycle req_o=1 issue=20 limit_o=2"), /* no second thoughts (LCS-8) */
        SCRIPT("LCS rounds up", "sm_governor_other", "lcs_monitor finish=3 t_new=3 cta_paused_o=0"), /* RoundMode = 1 */
        /* LcsThrottle = 1: the youngest are paused, one in three cycles, and do not count as running any more (LCS-4); they come
         * back, the oldest first, before anyone is asked for. */
        SCRIPT("LCS pauses", "sm_governor_fast",
               "lcs_monitor cta_start_i=0x8 finish=3 t_new=2 cta_paused_o=0 " /* the place of the one that finishes is taken */
               "cycle cta_paused_o=0 cycle cta_paused_o=0x8 lcs.state_q=StThrottle cycle=2 cta_paused_o=0x8 lcs.state_q=StThrottle "
               "cycle cta_paused_o=0xc cycle=15 lcs.state_q=StLazy "
               "finish=1 req_o=0 cycle=2 cta_paused_o=0xc cycle cta_paused_o=0x8 "
               "finish=0 finish=2 cycle=2 cta_paused_o=0x8 req_o=0 cycle cta_paused_o=0 req_o=0 cycle req_o=1"),
        /* Nobody is paused before T_new is known, however many run: here more than Nmax. */
        SCRIPT("LCS does not pause early", "sm_governor_fast", "lcs_monitor launch=4567 cycle=10 cta_paused_o=0"),
        /* Who listens neither counts nor decides. One broadcast per kernel. */
        EACH_SCRIPT("LCS-6 listens", variants,
                    "lcs_listen_i=1 lcs_monitor lcs.inst_q[0]=0 finish=0 "
                    "cycle=30 t_new_valid_o=0 limit_o=4 lcs.state_q=StMonitor "
                    "broadcast=3 limit_o=4 t_new_valid_o=0 cycle limit_o=3 done_o=1 broadcast=1 cycle limit_o=3"),
        BOTH_SIDES("LCS-6 broadcast is clamped", "sm_governor", lcs_broadcast_is_clamped),
        /* Without lcs_listen, with the kernel start, and under another policy. */
        SCRIPT("LCS-6 broadcast is ignored", "sm_governor",
               "policy_i=lcs kernel=6 broadcast=2 cycle limit_o=6 "
               "lcs_listen_i=1 kernel_start_i=1 nmax_i=5 broadcast=2 cycle limit_o=5 "
               "policy_i=equalizer kernel=7 broadcast=2 cycle limit_o=7 lcs.limit_q=5"),
    };
    return cmocka_run_group_tests_name("sm_governor_lcs", tests, NULL, NULL);
}
