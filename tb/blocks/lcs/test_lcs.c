/* SPDX-License-Identifier: Apache-2.0
 *
 * The states of lazy CTA scheduling: from kernel to kernel, from the first CTA's end to the limit, with a
 * broadcast, without enable, and what the log says of it. On the model and on the RTL.
 */
#include "blocks/lcs/bench.h"

/* ---- a kernel starts --------------------------------------------------------------- */

static void lcs1_starts_with_tmax(bench *b)
{
    for (unsigned nmax = 0; nmax <= 32; nmax++)
        play(b, "kernel=%u limit_q=%u nmax_q=%u state_q=%u cycle limit_o=%u done_o=%u", nmax, nmax, nmax,
             nmax == 0 ? LCS_ST_IDLE : nmax == 1 ? LCS_ST_LAZY : LCS_ST_MONITOR, nmax, nmax == 1);
}

/* ---- codes that are no state ---------------------------------------------------------- */

/* Left in the next enabled cycle, with the limit there is; a kernel starts as ever. */
static void codes_that_are_no_state(bench *b)
{
    for (unsigned code = LCS_ST_LAZY + 1; code < 8; code++)
        play(b, "reset state_q:=%u limit_q:=3 nmax_q:=5 index_q:=2 sum_q:=7 max_q:=4 enable_i=0 cycle=3 "
                "state_q=%u index_q=2 sum_q=7 max_q=4 enable_i=1 cycle state_q=StLazy index_q=2 sum_q=7 max_q=4 limit_q=3 "
                "state_q:=%u kernel=4 state_q=StMonitor limit_q=4", code, code, code);
}

/* ---- phases 2 and 3: throttling ---------------------------------------------------- */

static void lcs4_until_tnew_are_active(bench *b)
{
    for (unsigned shift = 0; shift <= 28; shift += 7) {
        play(b, "monitor=10,10,8,1,1 t_new=3");
        for (unsigned active = 32; active > 3; active--) {
            b->in.cta_active = UINT32_MAX >> (32 - active) << (active <= 32 - shift ? shift : 0);
            play(b, "cycle=2 state_q=StThrottle done_o=1");
            assert_int_equal(lcs_active(state(b), config(b)), __builtin_popcount(b->in.cta_active));
        }
        play(b, "cta_active_i=%u cycle state_q=StThrottle cycle state_q=StLazy", UINT32_C(0x7) << shift);
        play(b, "monitor=10,10,8,1,1 t_new=3 cta_active_i=0 cycle state_q=StThrottle cycle state_q=StLazy");
    }
}

static void lcs8_no_second_thoughts(bench *b)
{
    lcs_state before;

    play(b, "monitor=9,9,9,1 t_new=3 cta_active_i=0x7 cycle=2 state_q=StLazy cta_active_i=0xff cycle active_q[0]=8");
    before = *state(b);
    play(b, "bcast_valid_i=1 listen_i=1 bcast_limit_i=1");
    for (unsigned i = 0; i < 200; i++)
        play(b, "cta_done_i=%u issue_valid_i=%u cycle limit_o=3 done_o=1", i & 0xff, i & 3);
    assert_memory_equal(state(b), &before, sizeof before);
}

/* T_new is known in the cycle that tells it. */
static void lcs_a6_drain_or_pause(bench *b)
{
    const unsigned pauses = config(b)->throttle == LCS_THROTTLE_PAUSE;

    play(b, "kernel=4 state_q=StMonitor counts=4,3,3,0 pause_o=0 finish=1 t_new=2 pause_o=%u "
            "cycle=2 state_q=StThrottle pause_o=%u cta_active_i=1 cycle=2 state_q=StLazy pause_o=%u kernel=0 cycle pause_o=0",
         pauses, pauses, pauses);
}

/* ---- kernels ----------------------------------------------------------------------- */

/* Brings a kernel of T_max = 4 into a state. */
static void walk_to(bench *b, unsigned st)
{
    start_kernel(b, st == LCS_ST_IDLE ? 0 : 4);
    if (st == LCS_ST_IDLE)
        return;
    issue_each(b, "4,3,3,0");
    cycle(b);
    if (st == LCS_ST_MONITOR)
        return;
    b->in.cta_active = st == LCS_ST_LAZY ? 1 : 0xf;
    finish_ctas(b, 1);
    while (state(b)->state != st)
        cycle(b);
}

/* A kernel start beats whatever else happens, in every state. */
static void kernel_start_wins(bench *b)
{
    for (unsigned st = LCS_ST_IDLE; st <= LCS_ST_LAZY; st++)
        for (unsigned nmax = 0; nmax <= 8; nmax++)
            for (unsigned listen = 0; listen < 2; listen++) {
                walk_to(b, st);
                play(b, "state_q=%u cta_done_i=0xff cta_active_i=0 lanes=2,3 bcast_valid_i=1 bcast_limit_i=2 listen_i=%u "
                        "kernel=%u limit_q=%u nmax_q=%u index_q=0 sum_q=0 max_q=0 picked_q=0 finish_q=0 decided_q=0 no_counts t_new_valid_o=%u state_q=%u "
                        "lanes= cta_done_i=0 listen_i=0 bcast_valid_i=0 bcast_limit_i=0", st, listen, nmax, nmax, nmax,
                     st == LCS_ST_THROTTLE, nmax == 0 ? LCS_ST_IDLE : nmax == 1 ? LCS_ST_LAZY : LCS_ST_MONITOR);
            }
}

/* It also beats the very cycle that would fix T_new: 5 to gather, 2 to take the maximum off, then T_new. */
static void kernel_start_hides_t_new(bench *b)
{
    for (unsigned wait = 0; wait < 8; wait++) {
        walk_to(b, LCS_ST_GATHER);
        play(b, "cycle=%u state_q=%s kernel=5 t_new_valid_o=0 t_new_o=0 limit_o=4 limit_q=5 state_q=StMonitor "
                "cycle t_new_valid_o=0", wait, wait < 5 ? "StGather" : "StDivide");
    }
}

/* Once fixed, it is told with the start of the next kernel, too, and then no more. */
static void kernel_start_with_t_new(bench *b)
{
    walk_to(b, LCS_ST_GATHER);
    play(b, "cycle=8 state_q=StThrottle decided_q=1 kernel=5 t_new_valid_o=1 t_new_o=2 limit_o=2 limit_q=5 decided_q=0 "
            "cycle t_new_valid_o=0 t_new_o=0");
}

/* ---- LCS-A5: one SM measures for all ------------------------------------------------- */

static void lcs_a5_listens(bench *b)
{
    for (unsigned nmax = 2; nmax <= 8; nmax++)
        for (unsigned limit = 0; limit < 16; limit++) /* clamped to what there can be */
            play(b, "listen_i=1 cta_active_i=0xff kernel=%u bcast_limit_i=1 counts=9 finish=1 "
                    "state_q=StMonitor index_q=0 sum_q=0 max_q=0 no_counts limit_q=%u "
                    "bcast_limit_i=%u bcast_valid_i=1 cycle bcast_valid_i=0 t_new_valid_o=0 t_new_o=0 "
                    "state_q=StThrottle index_q=0 sum_q=0 max_q=0 limit_q=%u cta_active_i=1 cycle=2 done_o=1 state_q=StLazy",
                 nmax, nmax, limit, limit < 1 ? 1 : limit > nmax ? nmax : limit);
}

/* Two SMs: the one that listens hears the limit in the first cycle in which the other has it, and has it in the next. */
static void lcs_a5_chain(bench *a)
{
    bench b;

    open_bench(&b, "lcs", a->dut.side);
    b.in.listen = 1;
    a->in.cta_active = b.in.cta_active = 0xff;
    start_kernel(a, 6);
    start_kernel(&b, 6);
    issue_each(a, "30,30,20,10,5,3");
    finish_ctas(a, 1);
    for (unsigned i = 0, was = 6; i < 16; i++) {
        cycle(a);
        b.in.bcast_valid = a->out.t_new_valid;
        b.in.bcast_limit = a->out.t_new;
        cycle(&b);
        assert_int_equal(b.out.limit, was);
        assert_int_equal(b.out.done, was != 6);
        was = a->out.limit;
    }
    expect(&b, "limit_o=3 done_o=1");
    close_bench(&b);
}

/* ---- enable -------------------------------------------------------------------------- */

static void enable_holds(bench *b)
{
    for (unsigned st = LCS_ST_IDLE; st <= LCS_ST_LAZY; st++) {
        for (unsigned extra = 0; extra < 3; extra++) {
            lcs_state before;

            walk_to(b, st);
            if (st == LCS_ST_GATHER || st == LCS_ST_DIVIDE)
                cycles(b, extra); /* extra = 2 in StDivide: the cycle that fixes T_new */
            if (st == LCS_ST_MONITOR) /* extra = 1: a cycle's instructions under way, 2: and a finish */
                play(b, "%s %s", extra ? "lanes=1 cycle lanes=" : "", extra > 1 ? "cta_done_i=1 cycle cta_done_i=0" : "");
            before = *state(b);
            assert_int_equal(before.state, st);
            b->in.enable = 0;
            for (unsigned i = 0; i < 64; i++) {
                play(b, "kernel_start_i=%u nmax_i=%u cta_done_i=%u cta_active_i=0 issue_valid_i=%u listen_i=%u bcast_valid_i=%u "
                        "bcast_limit_i=%u cycle", i & 1, i % 9, i, i >> 1 & 3, i >> 2 & 1, i >> 3 & 1, i >> 4);
                assert_memory_equal(state(b), &before, sizeof before);
                expect(b, "t_new_valid_o=0 t_new_o=0 limit_o=%u done_o=%u pause_o=%u", before.limit,
                       st >= LCS_ST_THROTTLE, st >= LCS_ST_THROTTLE);
            }
            memset(&b->in, 0, sizeof b->in);
            b->in.enable = 1;
            b->in.cta_active = 0xff;
            if (st == LCS_ST_GATHER || st == LCS_ST_DIVIDE) /* and goes on as if nothing had been */
                expect_t_new(b, 2);
        }
    }
}

/* ---- decisions in the log ------------------------------------------------------------- */

static void log_of_decisions(bench *b)
{
    static const bench_log rows[] = {
        {"kernel_start_i=1 nmax_i=4", "kernel start: T_max 4, limit 4, StMonitor",
         {"lcs LCS-5 kernel_start: nmax=4 | limit=0 state=StIdle | limit=4 state=StMonitor"}},
        {"kernel_start_i=0 counts=4,3,3,0 cta_done_i=1 cycle cta_done_i=0",
         "first CTA done: counting ends with 10 instructions, at most 4 of one CTA",
         {"lcs LCS-1 first_cta: sum=10 max=4 | limit=4 state=StMonitor | limit=4 state=StGather"}},
        {"cta_active_i=0xf cycle=7", "T_new 3 = 10/4 rounded up: limit 4 -> 3",
         {"lcs LCS-3 t_new: sum=10 max=4 t_new=3 | limit=4 state=StDivide | limit=3 state=StThrottle"}},
        {"cta_active_i=0x11 cycle", "throttled: 2 CTAs active, limit 3",
         {"lcs LCS-4 throttled: active=2 | limit=3 state=StThrottle | limit=3 state=StLazy"}},
        {"monitor=4,3,1,1 cycle=7", "T_new 2 = 9/4 rounded down: limit 4 -> 2",
         {"lcs LCS-2 t_new: sum=9 max=4 t_new=2 | limit=4 state=StDivide | limit=2 state=StThrottle"}},
        {"monitor=4,4 cycle=5", "T_new 2 = 8/4: limit 2 -> 2",
         {"lcs LCS-2 t_new: sum=8 max=4 t_new=2 | limit=2 state=StDivide | limit=2 state=StThrottle"}},
        {"kernel=5 finish=1 cycle=6", "T_new 5, nothing was issued: limit 5 -> 5",
         {"lcs LCS-7 t_new: sum=0 max=0 t_new=5 | limit=5 state=StDivide | limit=5 state=StThrottle"}},
        {"kernel=5 listen_i=1 bcast_valid_i=1 bcast_limit_i=2", "broadcast T_new 2: limit 5 -> 2",
         {"lcs LCS-6 broadcast: t_new=2 | limit=5 state=StMonitor | limit=2 state=StThrottle"}},
    };

    expect_log(b, rows);
}

static const char *const drain_and_pause[] = {"lcs", "lcs_narrow", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRIPT("reset: registers zero, no limit, not done; StIdle holds", "lcs",
               "state_q=StIdle index_q=0 sum_q=0 max_q=0 limit_q=0 nmax_q=0 no_counts "
               "lanes=3 finish=0xff limit_o=0 done_o=0 pause_o=0 t_new_valid_o=0 " /* no kernel: nothing counts */
               "state_q=StIdle index_q=0 sum_q=0 max_q=0 no_counts"),
        BOTH_SIDES("LCS-1: a kernel starts with T_max CTAs; 0 and 1 leave nothing to decide", "lcs_nearest",
                   lcs1_starts_with_tmax),
        SCRIPT("LCS-A9: several finishes in a cycle are one, later ones none", "lcs",
               "kernel=4 counts=4,4,2,2 finish=0x6 cta_done_i=0xf t_new=3 " /* later ones find the snapshot taken */
               "cycle=3 cta_active_i=3 cycle=3 limit_q=3 state_q=StLazy"),
        BOTH_SIDES("LCS-1: a code that is no state is left in the next enabled cycle", "lcs", codes_that_are_no_state),
        BOTH_SIDES("LCS-4: throttled when T_new CTAs are active", "lcs_nearest", lcs4_until_tnew_are_active),
        BOTH_SIDES("LCS-8: no second thoughts", "lcs", lcs8_no_second_thoughts),
        EACH_VARIANT("LCS-A6: drain or pause", drain_and_pause, lcs_a6_drain_or_pause),
        SCRIPT("LCS-5: every kernel anew", "lcs",
               "monitor=8,8,1,1,1,1 t_new=2 monitor=5,5,5 t_new=3 "   /* from StThrottle */
               "cta_active_i=1 cycle=10 monitor=3,1,1,1 t_new=2 "     /* from StLazy */
               "kernel=1 cycle limit_o=1 done_o=1 monitor=2,2 t_new=2 "
               "kernel=0 counts=4 finish=1 state_q=StIdle index_q=0 sum_q=0 max_q=0 limit_o=0 done_o=0 "
               "monitor=1,1,1,1,1,1,1,1 t_new=8"),
        BOTH_SIDES("LCS-5: a kernel start beats everything, in every state", "lcs", kernel_start_wins),
        BOTH_SIDES("LCS-5: a kernel start hides T_new", "lcs", kernel_start_hides_t_new),
        BOTH_SIDES("LCS-5: T_new that is fixed is told at a kernel start, too", "lcs", kernel_start_with_t_new),
        BOTH_SIDES("LCS-A5: a listening SM takes the broadcast, clamped", "lcs", lcs_a5_listens),
        SCRIPT("LCS-A5: broadcast and finish in one cycle", "lcs", /* each hears only its own */
               "cta_active_i=0xff listen_i=0 kernel=8 lanes=5 bcast_valid_i=1 bcast_limit_i=3 finish=1 lanes= bcast_valid_i=0 "
               "state_q=StGather limit_q=8 inst_q[5]=1 step_q[5]=0 " /* what comes after the finish is not heard */
               "listen_i=1 kernel=8 lanes=5 bcast_valid_i=1 finish=1 state_q=StThrottle limit_q=3 inst_q[5]=0 step_q[5]=0"),
        SCRIPT("LCS-A5: a finish that is heard goes before a broadcast", "lcs",
               "cta_active_i=0xff listen_i=0 kernel=8 lanes=5 cta_done_i=1 cycle cta_done_i=0 finish_q=1 "
               "listen_i=1 bcast_valid_i=1 bcast_limit_i=3 cycle state_q=StGather limit_q=8 inst_q[5]=1 step_q[5]=0"),
        SCRIPT("LCS-A5: a measuring SM ignores the broadcast", "lcs",
               "bcast_valid_i=1 bcast_limit_i=1 monitor=4,4,4,0 t_new=3 cycle=5 limit_q=3 "
               "monitor=4,3,3,0 listen_i=1 t_new=2 cycle limit_q=2"), /* from the first finish on not looked at */
        BOTH_SIDES("LCS-A5: the listening SM has the limit a cycle after the measuring one", "lcs", lcs_a5_chain),
        BOTH_SIDES("enable: 0 holds every register in every state, pulses are 0", "lcs_narrow", enable_holds),
        BOTH_SIDES("log: each decision says what it was made from", "lcs_nearest", log_of_decisions),
    };
    return cmocka_run_group_tests_name("lcs", tests, NULL, NULL);
}
