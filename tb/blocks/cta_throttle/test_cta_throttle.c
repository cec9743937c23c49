/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of CTA throttling, each on the model and on the RTL: Equalizer's hysteresis, the
 * request to the dispatcher, pausing.
 */
#include "blocks/cta_throttle/bench.h"
#include "sm/eq_counters.h"
#include "sm/eq_decision.h"

#define SLOT(n) (UINT32_C(1) << (n))

/* numBlocks brought down to `blocks` without regard to the hysteresis. */
static void lower_to(bench *b, unsigned blocks)
{
    while (state(b)->num_blocks > blocks)
        votes(b, "-");
    vote(b, '0');
}

/* ---- reset and kernels ----------------------------------------------------------- */

static void reset_state(bench *b)
{
    const cta_throttle_state *s = state(b);
    assert_int_equal(s->num_blocks | s->nmax | s->run | s->run_up | s->request, 0);
    assert_int_equal(s->paused, 0);
    for (unsigned i = 0; i < config(b)->num_slots; i++)
        assert_int_equal(s->older[i], 0);
    cycle(b);
    expect(b, "limit_o=0 req_o=0 acted_o=0 paused_o=0");
}

static void eq_a11_starts_at_nmax(bench *b)
{
    for (unsigned nmax = 0; nmax <= 32; nmax++) {
        start_kernel(b, nmax);
        expect(b, "nmax_q=%u num_blocks_q=%u", nmax, nmax);
        assert_int_equal(b->out.req, 0); /* nothing is asked in the name of two kernels */
        cycle(b);
        expect(b, "limit_o=%u req_o=%u", nmax, nmax != 0);
    }
}

static void eq_a14_kernel_clears_the_run(bench *b)
{
    start_kernel(b, 8);
    votes(b, "++");
    expect(b, "run_q=2 run_up_q=1");
    start_kernel(b, 6);
    expect(b, "run_q=0 run_up_q=0");
    votes(b, "--");
    assert_int_equal(state(b)->num_blocks, 6);
    votes(b, "-");
    assert_int_equal(state(b)->num_blocks, 5);
}

static void kernel_start_wins(bench *b)
{
    run_kernel(b, 8, "01234567");
    votes_up_to_last(b, "---");
    start_kernel(b, 7); /* over the third vote */
    expect(b, "acted_o=0 num_blocks_q=7 run_q=0");
    assert_int_equal(state(b)->paused, 0); /* and over the regulator: 8 run */
    cycle(b);
    assert_int_equal(state(b)->paused, SLOT(7));
    start_kernel(b, 8); /* nothing of the old kernel stays paused */
    expect(b, "paused_o=%u paused_q=0", SLOT(7));
    lower_to(b, 7);
    finish(b, SLOT(0) | SLOT(1)); /* one of 8 was paused, 6 are left */
    votes(b, "+++");
    assert_int_equal(state(b)->request, 1);
    b->in.cta_start = SLOT(0) | SLOT(1);
    start_kernel(b, 4); /* over the grant */
    expect(b, "req_o=0 request_q=0 num_blocks_q=4");
}

static void no_kernel_that_fits(bench *b)
{
    run_kernel(b, 0, "0123");
    for (unsigned i = 0; i < 8; i++) {
        vote(b, i & 4 ? '+' : '-');
        expect(b, "acted_o=0 req_o=0 run_q=0 num_blocks_q=0 request_q=0 paused_q=0");
    }
}

/* ---- hysteresis ------------------------------------------------------------------ */

typedef struct hysteresis_case {
    const char *decisions;
    const char *actions; /* '.' or the direction that fires in that epoch */
} hysteresis_case;

/* 5 slots, so that every variant can: numBlocks 3 of 5, 3 CTAs run, whoever is asked for comes. */
static void check_hysteresis(bench *b, const hysteresis_case *c)
{
    const unsigned each = config(b)->hyst_epochs;

    b->held = 0;
    run_kernel(b, 5, "");
    for (unsigned i = 0; i < 2 * each; i++)
        vote(b, '-');
    assert_int_equal(state(b)->num_blocks, 3);
    b->held = 0x7;
    for (unsigned i = 0; c->decisions[i]; i++) {
        const unsigned before = state(b)->num_blocks;

        vote(b, c->decisions[i]);
        expect(b, "acted_o=%u request_q=%u num_blocks_q=%u", c->actions[i] != '.', c->actions[i] == '+',
               before - (c->actions[i] == '-'));
        if (state(b)->request) {
            launch(b, SLOT(3));
            assert_int_equal(state(b)->num_blocks, before + 1);
            finish(b, SLOT(3));
        }
        cycles(b, 5);
    }
}

static void eq_a13_same_direction(bench *b)
{
    static const hysteresis_case cases[] = {
        {"+++", "..+"},       {"--0---", ".....-"}, {"+-+-", "...."},           {"------", "..-..-"},
        {"++---", "....-"},   {"++0++0", "......"}, {"++-++-", "......"},       {"---0---", "..-...-"},
        {"+++---", "..+..-"}, {"*---", "...-"},     {"--*---", ".....-"},       {"0000", "...."},
        {"-+++", "...+"},     {"++-+++", ".....+"}, {"--+--+---", "........-"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_hysteresis(b, &cases[i]);
}

static void eq_a13_any_direction(bench *b)
{
    static const hysteresis_case cases[] = {
        {"+++", "..+"},     {"--0---", ".....-"}, {"+-+-", "..+."},           {"------", "..-..-"},
        {"++---", "..-.."}, {"++0++0", "......"}, {"+--", "..-"},             {"-+0-+-", ".....-"},
        {"--+", "..+"},     {"--*---", ".....-"}, {"-+--+-", "..-..-"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_hysteresis(b, &cases[i]);
}

static void eq_10_number_of_epochs(bench *b)
{
    static const struct { const char *name; unsigned epochs; } variants[] = {
        {"cta_throttle", 3}, {"cta_throttle_slots1", 7}, {"cta_throttle_slots32", 1}, {"cta_throttle_at_once", 2}};
    for (unsigned v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        reopen_bench(b, variants[v].name);
        start_kernel(b, 1);
        for (unsigned i = 1; i <= 3 * variants[v].epochs; i++) {
            const bool fires = i % variants[v].epochs == 0;
            vote(b, '-');
            expect(b, "acted_o=%u run_q=%u", fires, i % variants[v].epochs);
            cycle(b);
            assert_int_equal(b->out.acted, 0);
        }
    }
}

/* One epoch suffices: each vote acts, also right after one in the other direction. */
static void eq_10_one_epoch(bench *b)
{
    run_kernel(b, 4, "012");
    vote(b, '-');
    assert_int_equal(state(b)->num_blocks, 3);
    vote(b, '+');
    expect(b, "acted_o=1 request_q=1");
    vote(b, '-');
    expect(b, "acted_o=1 request_q=0 num_blocks_q=3");
    vote(b, '0');
    assert_int_equal(b->out.acted, 0);
}

/* inc and dec mean nothing but at the end of an epoch. */
static void decisions_only_with_tick(bench *b)
{
    start_kernel(b, 8);
    for (unsigned i = 0; i < 10; i++) {
        b->in.dec = 1;
        cycle(b);
        assert_int_equal(state(b)->run, 0);
    }
    vote(b, '-');
    assert_int_equal(state(b)->run, 1);
    b->in.inc = 1;
    cycle(b);
    expect(b, "run_q=1 run_up_q=0");
}

/* A direction that cannot be applied goes through the filter all the same. */
static void eq_a12_bounds(bench *b)
{
    run_kernel(b, 2, "01");
    votes(b, "++");
    vote(b, '+');
    expect(b, "acted_o=1 run_q=0 request_q=0 num_blocks_q=2");
    votes(b, "---");
    assert_int_equal(state(b)->num_blocks, 1);
    votes(b, "--");
    vote(b, '-');
    expect(b, "acted_o=1 run_q=0 num_blocks_q=1");
}

/* ---- decrease and pausing -------------------------------------------------------- */

static void eq_11_decrease_pauses_the_youngest(bench *b)
{
    run_kernel(b, 8, "30715624");
    votes_up_to_last(b, "---");
    cycle(b); /* t: the third decision */
    expect(b, "acted_o=1 num_blocks_q=7 paused_q=0");
    cycle(b); /* t+1: the regulator sees it */
    expect(b, "limit_o=7 paused_o=0 paused_q=%u", SLOT(4));
    cycle(b); /* t+2: the SM sees it */
    assert_int_equal(b->out.paused, SLOT(4));
    votes(b, "---");
    assert_int_equal(state(b)->paused, SLOT(4) | SLOT(2));
    votes(b, "---");
    expect(b, "paused_q=%u req_o=0", SLOT(4) | SLOT(2) | SLOT(6));
}

/* However far the limit falls: the youngest first, one per cycle. */
static void pause_a1_one_per_cycle(bench *b)
{
    static const unsigned order[] = {3, 0, 7, 1, 5, 6, 2, 4};
    run_kernel(b, 8, "30715624");
    uint32_t paused = 0;
    b->in.follow = 1;
    b->in.target = 3;
    for (unsigned i = 7; i >= 3; i--) {
        cycle(b);
        paused |= SLOT(order[i]);
        assert_int_equal(state(b)->paused, paused);
    }
    cycles(b, 5);
    assert_int_equal(state(b)->paused, paused);
    b->in.target = 6; /* PAUSE-A2: the oldest first */
    for (unsigned i = 3; i < 6; i++) {
        cycle(b);
        paused &= ~SLOT(order[i]);
        assert_int_equal(state(b)->paused, paused);
    }
    cycles(b, 5);
    assert_int_equal(state(b)->paused, paused);
}

static void pause_3_paused_takes_the_place(bench *b)
{
    run_kernel(b, 8, "76543210");
    lower_to(b, 6);
    assert_int_equal(state(b)->paused, SLOT(0) | SLOT(1));
    finish(b, SLOT(5));
    assert_int_equal(b->out.req, 0);
    assert_int_equal(state(b)->paused, SLOT(0)); /* slot 1 is the older of the two */
    cycle(b);
    assert_int_equal(b->out.req, 0);
    finish(b, SLOT(4));
    expect(b, "req_o=0 paused_q=0");
    cycle(b);
    assert_int_equal(b->out.req, 0); /* 6 run */
    finish(b, SLOT(3));
    assert_int_equal(b->out.req, 1); /* nobody waits any more */
    cycle(b);
    assert_int_equal(b->out.req, 1);
    launch(b, SLOT(3));
    assert_int_equal(b->out.req, 0); /* the launch shows at once */
    assert_int_equal(state(b)->num_blocks, 6);
}

static void pause_3_several_finish_at_once(bench *b)
{
    run_kernel(b, 8, "01234567");
    lower_to(b, 5);
    assert_int_equal(state(b)->paused, 0xe0);
    finish(b, 0x07); /* 2 run, 3 are paused: one per cycle */
    expect(b, "paused_q=0xc0 req_o=0");
    cycle(b);
    assert_int_equal(state(b)->paused, 0x80);
    finish(b, SLOT(3) | SLOT(7)); /* an active and a paused one: 3 run */
    expect(b, "paused_q=0 req_o=1");
}

static void pause_5_never_the_last_active(bench *b)
{
    run_kernel(b, 8, "01234567");
    lower_to(b, 1);
    votes(b, "---");
    expect(b, "num_blocks_q=1 paused_q=0xfe");
    b->in.follow = 1; /* a limit of 0 means: no more CTAs, those here finish one after the other */
    b->in.target = 0;
    cycles(b, 10);
    assert_int_equal(state(b)->paused, 0xfe);
    for (unsigned slot = 0; slot < 8; slot++) {
        finish(b, SLOT(slot));
        expect(b, "req_o=0 paused_q=%u", 0xff & ~((SLOT(slot) << 2) - 1));
    }
}

static void pause_5_one_slot(bench *b)
{
    run_kernel(b, 1, "0");
    votes(b, "---------------");
    b->in.follow = 1;
    b->in.target = 0;
    cycles(b, 3);
    assert_int_equal(state(b)->paused, 0);
    finish(b, 1);
    assert_int_equal(b->out.req, 0);
    b->in.follow = 0;
    cycle(b);
    assert_int_equal(b->out.req, 1);
}

/* A paused CTA that finishes is gone, and who is launched into its slot is not paused. */
static void paused_slot_is_refilled(bench *b)
{
    run_kernel(b, 4, "0123");
    lower_to(b, 3);
    assert_int_equal(state(b)->paused, SLOT(3));
    b->in.cta_start = SLOT(3);
    finish(b, SLOT(3)); /* 4 run again, the new one in slot 3 is the youngest ... */
    assert_int_equal(state(b)->paused, SLOT(3));
    b->in.cta_start = SLOT(3);
    b->in.cta_done = SLOT(3) | SLOT(0);
    cycle(b); /* ... and here the three that run are just right */
    assert_int_equal(state(b)->paused, 0);
}

/* ---- ages ------------------------------------------------------------------------ */

static void ages_of_one_cycle(bench *b)
{
    start_kernel(b, 8);
    b->in.follow = 1;
    b->in.target = 8;
    launch(b, 0xf0);
    launch(b, 0x0f); /* from old to young: 4 5 6 7 0 1 2 3 */
    static const unsigned order[] = {4, 5, 6, 7, 0, 1, 2, 3};
    b->in.target = 1;
    uint32_t paused = 0;
    for (unsigned i = 7; i >= 1; i--) {
        cycle(b);
        paused |= SLOT(order[i]);
        assert_int_equal(state(b)->paused, paused);
    }
}

static void ages_count_in_the_same_cycle(bench *b)
{
    run_kernel(b, 4, "3210");
    b->in.follow = 1;
    b->in.target = 4;
    b->in.cta_done = SLOT(2);
    launch(b, SLOT(2)); /* ends one CTA and launches the next: the youngest now */
    b->in.target = 3;
    launch(b, SLOT(1) << 4); /* 5 run: the one of this very cycle is paused */
    assert_int_equal(state(b)->paused, SLOT(5));
    cycle(b);
    assert_int_equal(state(b)->paused, SLOT(5) | SLOT(2));
    cycle(b);
    assert_int_equal(state(b)->paused, SLOT(5) | SLOT(2));
}

static void ages_with_kernel_start(bench *b)
{
    run_kernel(b, 4, "012");
    b->in.cta_start = SLOT(0);
    b->in.cta_done = SLOT(0);
    start_kernel(b, 2); /* slot 0 is the youngest now, slot 1 the oldest */
    cycle(b);
    assert_int_equal(state(b)->paused, SLOT(0));
}

/* The registers say for each pair of slots which one is older. */
static void ages_in_registers(bench *b)
{
    uint64_t born[32], clock = 0;
    for (unsigned i = 0; i < 32; i++)
        born[31 - i] = clock++; /* after reset */
    start_kernel(b, 32);
    for (unsigned n = 0; n < 200; n++) {
        const unsigned slot = n * 11 % 32;
        b->in.cta_done = b->held & SLOT(slot);
        launch(b, SLOT(slot));
        born[slot] = clock++;
        for (unsigned i = 0; i < 32; i++)
            for (unsigned j = 0; j < 32; j++)
                assert_int_equal(state(b)->older[i] >> j & 1, i < j && born[i] < born[j]);
    }
}

/* ---- increase and request -------------------------------------------------------- */

/* numBlocks 3 of 8, 3 CTAs, an increase pending. */
static void ask_for_one(bench *b)
{
    run_kernel(b, 8, "012");
    lower_to(b, 3);
    votes(b, "++");
    assert_int_equal(b->out.req, 0);
    vote(b, '+');
    expect(b, "request_q=1 num_blocks_q=3");
}

static void eq_11_increase_asks(bench *b)
{
    ask_for_one(b);
    cycle(b);
    expect(b, "req_o=1 limit_o=4");
    cycles(b, 20);
    assert_int_equal(b->out.req, 1); /* a level, until there is an answer */
    launch(b, SLOT(5)); /* it comes */
    assert_int_equal(b->out.req, 0); /* in this very cycle, or a second one would */
    expect(b, "num_blocks_q=4 request_q=0 paused_q=0");
    cycle(b);
    expect(b, "req_o=0 limit_o=4");
}

static void eq_a12_denied(bench *b)
{
    ask_for_one(b);
    b->in.denied = 1;
    cycle(b);
    expect(b, "req_o=1 request_q=0 num_blocks_q=3");
    cycle(b);
    assert_int_equal(b->out.req, 0);
    votes(b, "+++"); /* asks again */
    assert_int_equal(state(b)->request, 1);
}

/* Who takes an empty place is no grant of the increase. */
static void eq_a12_refill_is_no_grant(bench *b)
{
    ask_for_one(b);
    finish(b, SLOT(1));
    launch(b, SLOT(1));
    expect(b, "num_blocks_q=3 request_q=1");
    finish(b, SLOT(1));
    b->in.cta_done = SLOT(2);
    launch(b, SLOT(4) | SLOT(6) | SLOT(7));
    expect(b, "num_blocks_q=4 request_q=0 paused_q=0");
}

/* A denial without a pending increase concerns an empty place. */
static void denied_without_increase(bench *b)
{
    run_kernel(b, 4, "012");
    for (unsigned i = 0; i < 5; i++) {
        b->in.denied = 1;
        cycle(b);
        expect(b, "req_o=1 num_blocks_q=4");
    }
    votes_up_to_last(b, "---");
    b->in.denied = 1; /* nor does it keep an action from firing */
    cycle(b);
    assert_int_equal(state(b)->num_blocks, 3);
    votes_up_to_last(b, "+++");
    b->in.denied = 1; /* this increase has not been asked for yet */
    cycle(b);
    assert_int_equal(state(b)->request, 1);
}

static void grant_coincidences(bench *b)
{
    ask_for_one(b); /* granted and denied: the CTA is there */
    b->in.denied = 1;
    launch(b, SLOT(3));
    expect(b, "num_blocks_q=4 request_q=0");
    b->held = 0;
    ask_for_one(b); /* granted in the cycle of a decrease: as before */
    votes_up_to_last(b, "---");
    launch(b, SLOT(3));
    expect(b, "acted_o=1 num_blocks_q=3 request_q=0");
    cycle(b);
    assert_int_equal(state(b)->paused, SLOT(3));
    b->held = 0;
    ask_for_one(b); /* granted in the cycle of another increase: one more, not two */
    votes_up_to_last(b, "+++");
    launch(b, SLOT(3));
    expect(b, "acted_o=1 num_blocks_q=4 request_q=0");
}

static void denial_coincidences(bench *b)
{
    ask_for_one(b);
    votes_up_to_last(b, "---");
    b->in.denied = 1;
    cycle(b);
    expect(b, "acted_o=1 num_blocks_q=3 request_q=0");
    b->held = 0;
    ask_for_one(b);
    votes_up_to_last(b, "+++");
    b->in.denied = 1;
    cycle(b);
    expect(b, "acted_o=1 num_blocks_q=3 request_q=0");
}

static void pending_increase_and_further_actions(bench *b)
{
    ask_for_one(b);
    votes(b, "+++");
    assert_int_equal(state(b)->request, 1); /* one at a time */
    assert_int_equal(state(b)->num_blocks, 3);
    votes(b, "---");
    assert_int_equal(state(b)->request, 0); /* undone, nothing else */
    assert_int_equal(state(b)->num_blocks, 3);
    votes(b, "---");
    assert_int_equal(state(b)->num_blocks, 2);
}

static void pause_a3_increase_resumes(bench *b)
{
    run_kernel(b, 8, "01234567");
    lower_to(b, 5);
    assert_int_equal(state(b)->paused, 0xe0);
    votes_up_to_last(b, "+++");
    cycle(b);
    expect(b, "num_blocks_q=6 request_q=0");
    cycle(b);
    expect(b, "req_o=0 paused_q=0xc0");
    cycles(b, 5);
    expect(b, "req_o=0 paused_q=0xc0");
}

/* What counts is who is paused after the cycle of the action. */
static void pause_a3_coincidences(bench *b)
{
    run_kernel(b, 4, "0123");
    lower_to(b, 3); /* slot 3 is paused */
    votes_up_to_last(b, "+++");
    finish(b, SLOT(3)); /* the only paused one finishes */
    expect(b, "num_blocks_q=3 request_q=1");
    launch(b, SLOT(3));
    assert_int_equal(state(b)->num_blocks, 4);
    lower_to(b, 3);
    votes_up_to_last(b, "+++");
    finish(b, SLOT(0)); /* the only paused one takes a place that has become free */
    expect(b, "paused_q=0 num_blocks_q=3 request_q=1");
    b->in.denied = 1;
    cycle(b);
    votes_up_to_last(b, "+++");
    launch(b, SLOT(4)); /* one too many comes and is paused: it will do */
    expect(b, "paused_q=%u num_blocks_q=4 request_q=0", SLOT(4));
    cycle(b);
    assert_int_equal(state(b)->paused, 0);
}

static void pause_a3_ask_first(bench *b)
{
    run_kernel(b, 8, "01234");
    lower_to(b, 3);
    assert_int_equal(state(b)->paused, 0x18);
    votes(b, "+++");
    expect(b, "num_blocks_q=3 request_q=1 paused_q=0x18 req_o=1");
    launch(b, SLOT(6)); /* the new one runs, the paused ones stay paused */
    assert_int_equal(state(b)->num_blocks, 4);
    cycles(b, 5);
    expect(b, "paused_q=0x18 req_o=0");
}

static void eq_a12_without_feedback(bench *b)
{
    run_kernel(b, 8, "012");
    lower_to(b, 3);
    vote(b, '+');
    vote(b, '+');
    expect(b, "num_blocks_q=4 request_q=0");
    b->in.denied = 1;
    cycle(b);
    assert_int_equal(b->out.req, 1); /* a place is free */
    assert_int_equal(state(b)->num_blocks, 4);
}

/* ---- follow, drain, enable ------------------------------------------------------- */

static void follow_uses_the_target(bench *b)
{
    ask_for_one(b);
    votes(b, "++");
    b->in.follow = 1;
    b->in.target = 6;
    set_vote(b, '+');
    cycle(b);
    assert_int_equal(b->out.limit, 6); /* in this very cycle */
    expect(b, "req_o=1 acted_o=0 run_q=0 run_up_q=1 request_q=0 num_blocks_q=3");
    votes(b, "------");
    expect(b, "run_q=0 num_blocks_q=3");
    b->in.target = 2;
    cycle(b);
    expect(b, "limit_o=2 paused_q=%u", SLOT(2));
    b->in.follow = 0; /* back to 3 */
    cycle(b);
    expect(b, "limit_o=3 paused_q=0");
}

/* A request of Equalizer's is none of the policy's that is followed. */
static void follow_hides_the_request(bench *b)
{
    ask_for_one(b);
    b->in.follow = 1;
    b->in.target = 3;
    launch(b, SLOT(3)); /* no grant either */
    expect(b, "req_o=0 limit_o=3 num_blocks_q=3 request_q=0 paused_q=%u", SLOT(3));
}

static void drain_never_pauses(bench *b)
{
    run_kernel(b, 8, "01234567");
    b->in.pause_en = 0;
    b->in.follow = 1;
    b->in.target = 5;
    for (unsigned slot = 0; slot < 3; slot++) {
        cycles(b, 4);
        expect(b, "paused_q=0 req_o=0");
        finish(b, SLOT(slot));
    }
    assert_int_equal(b->out.req, 0);
    finish(b, SLOT(3));
    assert_int_equal(b->out.req, 1); /* the fourth that finished is replaced */
    launch(b, SLOT(3));
    assert_int_equal(b->out.req, 0);
}

static void drain_resumes_all(bench *b)
{
    run_kernel(b, 8, "01234567");
    lower_to(b, 5);
    assert_int_equal(state(b)->paused, 0xe0);
    b->in.pause_en = 0;
    finish(b, 0x0f);
    assert_int_equal(b->out.req, 1); /* none of the 4 left counts as paused */
    assert_int_equal(state(b)->paused, 0);
    votes(b, "+++");
    assert_int_equal(state(b)->request, 1);
}

static void disabled_holds(bench *b)
{
    run_kernel(b, 8, "01234567");
    lower_to(b, 6);
    votes(b, "--");
    const cta_throttle_state before = *state(b);
    b->in.enable = 0;
    for (unsigned i = 0; i < 64; i++) {
        b->in.kernel_start = i & 1;
        b->in.nmax = (uint8_t)(i % 9);
        b->in.follow = i >> 1 & 1;
        b->in.target = 7;
        b->in.pause_en = i >> 2 & 1;
        b->in.cta_start = b->in.cta_done = SLOT(i % 8);
        b->in.denied = i >> 3 & 1;
        set_vote(b, i & 16 ? '+' : '-');
        const bool follow = b->in.follow;
        cycle(b);
        assert_memory_equal(state(b), &before, sizeof before);
        expect(b, "req_o=0 acted_o=0 paused_o=0xc0 limit_o=%u", follow ? 7 : 6);
    }
    b->in.enable = b->in.pause_en = 1;
    b->in.follow = 0;
    vote(b, '-'); /* and goes on where it was */
    expect(b, "acted_o=1 num_blocks_q=5");
}

/* ---- the log --------------------------------------------------------------------- */

/* The line of this cycle in the decision log, "" when there is none. */
static const char *words(bench *b)
{
    const block_model *model = b->dut.block->model;
    const cta_throttle_in in = b->in;
    const cta_throttle_state before = *state(b);
    cta_throttle_state after;
    cta_throttle_in bound = in;
    eq_counters_out epoch = {.epoch_end = in.tick};
    eq_decision_out wanted = {.inc = in.inc, .dec = in.dec};
    const void *const needs[] = {&epoch, &wanted};
    const sm_setup setup = {.kernel = {.nmax = in.nmax}};
    sm_obs bus = {.setup = &setup, .cta_active = b->held | in.cta_start, .cta_start = in.cta_start, .cta_done = in.cta_done,
                  .kernel_start = in.kernel_start, .cta_denied = in.denied};
    const sm_obs *const obs[] = {&bus};
    cta_throttle_out out;
    const bool decides = model->cycle(&before, &after, &b->dut.cfg, obs, needs, &bound, &out);

    cycle(b);
    /* The binding, too, has done what the test did by hand. */
    assert_memory_equal(&after, state(b), sizeof after);
    if (decides)
        tell(b);
    return decides ? told_words() : "";
}

static const char *words_of_vote(bench *b, char direction)
{
    set_vote(b, direction);
    return words(b);
}

static void log_of_decreases(bench *b)
{
    b->in.kernel_start = 1;
    b->in.nmax = 8;
    assert_string_equal(words(b), "kernel start: Nmax 8, numBlocks 8");
    assert_string_equal(told_record(0), "cta_throttle EQ-A11 kernel_start: nmax=8 | limit=0 num_blocks=0 request=0"
                                        " | limit=8 num_blocks=8 request=0");
    launch(b, 0xff);
    assert_string_equal(words(b), "");
    assert_string_equal(words_of_vote(b, '0'), "");
    assert_string_equal(words_of_vote(b, '-'), "epoch: decrease, 1 in a row");
    assert_string_equal(told_record(0), "cta_throttle EQ-10 epoch: decision=decrease acted=0"
                                        " | run=0 limit=8 num_blocks=8 request=0 | run=1 limit=8 num_blocks=8 request=0");
    assert_string_equal(words_of_vote(b, '-'), "epoch: decrease, 2 in a row");
    assert_string_equal(words_of_vote(b, '-'),
                        "epoch: 3rd decrease in a row: numBlocks 8 -> 7, pausing the youngest CTA");
    assert_string_equal(told_record(0), "cta_throttle EQ-11 epoch: decision=decrease acted=1 row=d"
                                        " | run=2 limit=8 num_blocks=8 request=0 | run=0 limit=7 num_blocks=7 request=0");
    assert_string_equal(words(b), "CTA of slot 7 paused");
    assert_string_equal(told_record(0), "cta_throttle PAUSE-1 pause: slot=7 limit=7 | paused=0 | paused=128");
    assert_string_equal(words(b), "");
    b->in.cta_done = SLOT(2);
    assert_string_equal(words_of_vote(b, '+'), "epoch: increase, 1 in a row; slot 7 resumed");
    assert_int_equal(told(), 2);
    assert_string_equal(told_record(0), "cta_throttle EQ-10 epoch: decision=increase acted=0"
                                        " | run=0 limit=7 num_blocks=7 request=0 | run=1 limit=7 num_blocks=7 request=0");
    assert_string_equal(told_record(1), "cta_throttle PAUSE-3 resume: slot=7 limit=7 | paused=128 | paused=0");
    assert_string_equal(words_of_vote(b, '0'), "epoch: stay, ends a run of 1");
    assert_string_equal(told_record(0), "cta_throttle EQ-10 epoch: decision=stay acted=0"
                                        " | run=1 limit=7 num_blocks=7 request=0 | run=0 limit=7 num_blocks=7 request=0");
    b->in.enable = 0;
    assert_string_equal(words_of_vote(b, '-'), "");
}

/* An action and the answer to the request before it in one cycle: what each of them moved. */
static void log_of_both(bench *b)
{
    run_kernel(b, 8, "0123456");
    lower_to(b, 7);
    votes(b, "+++++");
    b->in.denied = 1;
    assert_string_equal(words_of_vote(b, '+'), "epoch: 3rd increase in a row: a CTA is requested already; denied");
    assert_int_equal(told(), 2);
    assert_string_equal(told_record(0), "cta_throttle EQ-11 epoch: decision=increase acted=1"
                                        " | run=2 limit=8 num_blocks=7 request=1 | run=0 limit=8 num_blocks=7 request=1");
    assert_string_equal(told_record(1), "cta_throttle EQ-A12 denied: row=c | limit=8 num_blocks=7 request=1"
                                        " | limit=7 num_blocks=7 request=0");
}

static void log_of_increases(bench *b)
{
    run_kernel(b, 8, "0123456");
    lower_to(b, 7);
    votes(b, "++");
    assert_string_equal(words_of_vote(b, '+'), "epoch: 3rd increase in a row: a CTA is requested");
    assert_string_equal(told_record(0), "cta_throttle EQ-11 epoch: decision=increase acted=1 row=f"
                                        " | run=2 limit=7 num_blocks=7 request=0 | run=0 limit=8 num_blocks=7 request=1");
    votes(b, "++");
    assert_string_equal(words_of_vote(b, '+'), "epoch: 3rd increase in a row: a CTA is requested already");
    assert_string_equal(told_record(0), "cta_throttle EQ-11 epoch: decision=increase acted=1"
                                        " | run=2 limit=8 num_blocks=7 request=1 | run=0 limit=8 num_blocks=7 request=1");
    b->in.cta_start = SLOT(7);
    assert_string_equal(words(b), "granted: numBlocks 7 -> 8");
    assert_string_equal(told_record(0), "cta_throttle EQ-A12 granted: row=b | limit=8 num_blocks=7 request=1"
                                        " | limit=8 num_blocks=8 request=0");
    votes(b, "++");
    assert_string_equal(words_of_vote(b, '+'), "epoch: 3rd increase in a row: numBlocks stays 8");
    assert_string_equal(told_record(0), "cta_throttle EQ-11 epoch: decision=increase acted=1"
                                        " | run=2 limit=8 num_blocks=8 request=0 | run=0 limit=8 num_blocks=8 request=0");
    lower_to(b, 7);
    votes(b, "++");
    assert_string_equal(words_of_vote(b, '+'), "epoch: 3rd increase in a row: numBlocks 7 -> 8");
    assert_string_equal(told_record(0), "cta_throttle EQ-11 epoch: decision=increase acted=1 row=e"
                                        " | run=2 limit=7 num_blocks=7 request=0 | run=0 limit=8 num_blocks=8 request=0");
    assert_string_equal(words(b), "slot 7 resumed");
    finish(b, SLOT(7));
    lower_to(b, 7);
    votes(b, "+++");
    b->in.denied = 1;
    assert_string_equal(words(b), "denied");
    assert_string_equal(told_record(0), "cta_throttle EQ-A12 denied: row=c | limit=8 num_blocks=7 request=1"
                                        " | limit=7 num_blocks=7 request=0");
    votes(b, "+++--");
    assert_string_equal(words_of_vote(b, '-'), "epoch: 3rd decrease in a row: request withdrawn");
    assert_string_equal(told_record(0), "cta_throttle EQ-11 epoch: decision=decrease acted=1 row=a"
                                        " | run=2 limit=8 num_blocks=7 request=1 | run=0 limit=7 num_blocks=7 request=0");
    votes(b, "+++");
    b->in.follow = 1;
    b->in.target = 7;
    assert_string_equal(words(b), "request withdrawn");
    assert_string_equal(told_record(0), "cta_throttle EQ-A12 withdrawn: | num_blocks=7 request=1 | num_blocks=7 request=0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("reset: registers zero, no limit, no request", "cta_throttle", reset_state),
        BOTH_SIDES("EQ-A11: numBlocks starts at Nmax", "cta_throttle_slots32", eq_a11_starts_at_nmax),
        BOTH_SIDES("EQ-A14: a kernel clears the run", "cta_throttle", eq_a14_kernel_clears_the_run),
        BOTH_SIDES("EQ-A11, EQ-A14: kernel start wins over action, grant, pausing", "cta_throttle", kernel_start_wins),
        BOTH_SIDES("EQ-A12: a kernel that does not fit leaves nothing to do", "cta_throttle", no_kernel_that_fits),
        BOTH_SIDES("EQ-10, EQ-A13: three equal decisions in a row", "cta_throttle", eq_a13_same_direction),
        BOTH_SIDES("EQ-A13: HystSameDir 0, any three decisions in a row", "cta_throttle_anydir", eq_a13_any_direction),
        BOTH_SIDES("EQ-10: HystEpochs decisions in a row, 1 to 7", "cta_throttle", eq_10_number_of_epochs),
        BOTH_SIDES("EQ-10: HystEpochs 1 acts in every epoch", "cta_throttle_slots32", eq_10_one_epoch),
        BOTH_SIDES("EQ-10: decisions count at the end of an epoch only", "cta_throttle", decisions_only_with_tick),
        BOTH_SIDES("EQ-A12: 1 <= numBlocks <= Nmax", "cta_throttle", eq_a12_bounds),
        BOTH_SIDES("EQ-11, PAUSE-1: a decrease pauses the youngest CTA", "cta_throttle", eq_11_decrease_pauses_the_youngest),
        BOTH_SIDES("PAUSE-A1, PAUSE-A2: youngest paused, oldest resumed, one per cycle", "cta_throttle", pause_a1_one_per_cycle),
        BOTH_SIDES("PAUSE-3: a paused CTA takes a free place, no request", "cta_throttle", pause_3_paused_takes_the_place),
        BOTH_SIDES("PAUSE-3: several CTAs finish at once", "cta_throttle", pause_3_several_finish_at_once),
        BOTH_SIDES("PAUSE-5: the last active CTA is never paused", "cta_throttle", pause_5_never_the_last_active),
        BOTH_SIDES("PAUSE-5: an SM with one slot", "cta_throttle_slots1", pause_5_one_slot),
        BOTH_SIDES("PAUSE-5: a CTA launched into a paused slot is not paused", "cta_throttle", paused_slot_is_refilled),
        BOTH_SIDES("PAUSE-A1: launched together, the lower slot is the older", "cta_throttle", ages_of_one_cycle),
        BOTH_SIDES("PAUSE-A1: a launch counts in its own cycle", "cta_throttle", ages_count_in_the_same_cycle),
        BOTH_SIDES("PAUSE-A1: a launch with the kernel start is the youngest", "cta_throttle", ages_with_kernel_start),
        BOTH_SIDES("PAUSE-A1: the age of every pair of slots", "cta_throttle_slots32", ages_in_registers),
        BOTH_SIDES("EQ-11: an increase asks the dispatcher", "cta_throttle", eq_11_increase_asks),
        BOTH_SIDES("EQ-A12: a denied increase leaves numBlocks", "cta_throttle", eq_a12_denied),
        BOTH_SIDES("EQ-A12: filling an empty place grants no increase", "cta_throttle", eq_a12_refill_is_no_grant),
        BOTH_SIDES("EQ-A12: a denial without an increase changes nothing", "cta_throttle", denied_without_increase),
        BOTH_SIDES("EQ-A12: a grant together with a denial or an action", "cta_throttle", grant_coincidences),
        BOTH_SIDES("EQ-A12: a denial together with an action", "cta_throttle", denial_coincidences),
        BOTH_SIDES("EQ-A12: actions while an increase is pending", "cta_throttle", pending_increase_and_further_actions),
        BOTH_SIDES("PAUSE-A3: an increase resumes a paused CTA", "cta_throttle", pause_a3_increase_resumes),
        BOTH_SIDES("PAUSE-A3: paused CTAs come and go in the cycle of the increase", "cta_throttle", pause_a3_coincidences),
        BOTH_SIDES("PAUSE-A3: IncUnpauseFirst 0 asks although CTAs are paused", "cta_throttle_ask", pause_a3_ask_first),
        BOTH_SIDES("EQ-A12: GrantFeedback 0 grows at once", "cta_throttle_at_once", eq_a12_without_feedback),
        BOTH_SIDES("follow: the target is the limit, numBlocks stands still", "cta_throttle", follow_uses_the_target),
        BOTH_SIDES("follow: a pending increase is withdrawn", "cta_throttle", follow_hides_the_request),
        BOTH_SIDES("drain: nothing is paused, nothing is asked for", "cta_throttle", drain_never_pauses),
        BOTH_SIDES("drain: paused CTAs are resumed at once", "cta_throttle", drain_resumes_all),
        BOTH_SIDES("enable 0: everything holds", "cta_throttle", disabled_holds),
        BOTH_SIDES("log: decreases", "cta_throttle", log_of_decreases),
        BOTH_SIDES("log: increases", "cta_throttle", log_of_increases),
        BOTH_SIDES("log: an action and an answer in one cycle", "cta_throttle", log_of_both),
    };
    return cmocka_run_group_tests_name("cta_throttle", tests, NULL, NULL);
}
