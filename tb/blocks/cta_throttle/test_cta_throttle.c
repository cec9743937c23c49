/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of CTA throttling, each on the model and on the RTL: Equalizer's hysteresis, the
 * request to the dispatcher, pausing.
 */
#include "blocks/cta_throttle/bench.h"
#include "sm/eq_counters.h"
#include "sm/eq_decision.h"

#define SLOT(n) (UINT32_C(1) << (n))

/* numBlocks brought down to `blocks` without regard to the hysteresis; then pausing comes to rest, and so does the search. */
static void lower_to(bench *b, unsigned blocks)
{
    while (state(b)->num_blocks > blocks)
        votes(b, "-");
    vote(b, '0');
    cycles(b, 40);
}

static void vote_now(bench *b, const char *direction)
{
    vote(b, *direction);
}

/* numBlocks 3 of 8, 3 CTAs, an increase pending. */
static void ask_for_one(bench *b, const char *nothing)
{
    (void)nothing;
    b->held = 0;
    start_kernel(b, 8);
    launch_each(b, "012");
    lower_to(b, 3);
    votes(b, "++");
    assert_int_equal(b->out.req, 0);
    vote(b, '+');
    expect(b, "request_q=1 num_blocks_q=3");
}

/* The limit of another policy. */
static void follow(bench *b, unsigned target)
{
    b->in.follow = 1;
    b->in.target = (uint8_t)target;
}

static const bench_word words[] = {
    {"launch", launch, NULL},          /* CTAs in these slots, in one cycle     */
    {"finish", finish, NULL},          /* likewise                              */
    {"run", NULL, launch_each},        /* slot numbers, one after the other     */
    {"vote", NULL, vote_now},          /* the cycle that ends an epoch          */
    {"votes", NULL, votes},            /* epochs, with some cycles after each   */
    {"up_to", NULL, votes_up_to_last}, /* the last one waits for the next cycle */
    {"lower", lower_to, NULL},
    {"ask", NULL, ask_for_one},
    {"follow", follow, NULL},
    {NULL, NULL, NULL},
};

/* ---- reset and kernels ----------------------------------------------------------- */

static void reset_state(bench *b)
{
    play(b, "num_blocks_q=0 nmax_q=0 run_q=0 run_up_q=0 request_q=0 paused_q=0");
    for (unsigned i = 0; i < config(b)->num_slots; i++)
        assert_int_equal(state(b)->order[i], i);
    play(b, "known_q=0 judged_q=0 many_q=0 few_q=0 fresh_q=0 moves_q=0 slot_q=0 tests_q=0 up_q=0 next_q=0");
    play(b, "cycle limit_o=0 req_o=0 acted_o=0 paused_o=0");
}

/* Nothing is asked in the name of two kernels. */
static void eq_a11_starts_at_nmax(bench *b)
{
    for (unsigned nmax = 0; nmax <= 32; nmax++)
        play(b, "kernel=%u nmax_q=%u num_blocks_q=%u req_o=0 cycle limit_o=%u req_o=%u", nmax, nmax, nmax, nmax, nmax != 0);
}

static void no_kernel_that_fits(bench *b)
{
    play(b, "kernel=0 run=0123");
    for (unsigned i = 0; i < 8; i++)
        play(b, "vote=%c acted_o=0 req_o=0 run_q=0 num_blocks_q=0 request_q=0 paused_q=0", i & 4 ? '+' : '-');
}

/* ---- hysteresis ------------------------------------------------------------------ */

typedef struct hysteresis_case {
    const char *decisions;
    const char *actions; /* '.' or the direction that fires in that epoch */
} hysteresis_case;

/* 5 slots, so that every variant can: numBlocks 3 of 5, 3 CTAs run, whoever is asked for comes. */
static void check_hysteresis(bench *b, const hysteresis_case *c)
{
    b->held = 0;
    start_kernel(b, 5);
    for (unsigned i = 0; i < 2 * config(b)->hyst_epochs; i++)
        vote(b, '-');
    assert_int_equal(state(b)->num_blocks, 3);
    b->held = 0x7;
    for (unsigned i = 0; c->decisions[i]; i++) {
        const unsigned before = state(b)->num_blocks;

        play(b, "vote=%c acted_o=%u request_q=%u num_blocks_q=%u", c->decisions[i], c->actions[i] != '.', c->actions[i] == '+',
             before - (c->actions[i] == '-'));
        if (state(b)->request)
            play(b, "launch=0x8 cycle num_blocks_q=%u finish=0x8", before + 1);
        cycles(b, 5);
    }
}

static void eq_a13_any_three(bench *b)
{
    static const hysteresis_case same_direction[] = {
        {"+++", "..+"},       {"--0---", ".....-"}, {"+-+-", "...."},           {"------", "..-..-"},
        {"++---", "....-"},   {"++0++0", "......"}, {"++-++-", "......"},       {"---0---", "..-...-"},
        {"+++---", "..+..-"}, {"*---", "...-"},     {"--*---", ".....-"},       {"0000", "...."},
        {"-+++", "...+"},     {"++-+++", ".....+"}, {"--+--+---", "........-"}, {NULL, NULL},
    };
    static const hysteresis_case any_direction[] = {
        {"+++", "..+"},     {"--0---", ".....-"}, {"+-+-", "..+."},     {"------", "..-..-"},
        {"++---", "..-.."}, {"++0++0", "......"}, {"+--", "..-"},       {"-+0-+-", ".....-"},
        {"--+", "..+"},     {"--*---", ".....-"}, {"-+--+-", "..-..-"}, {NULL, NULL},
    };

    for (const hysteresis_case *c = config(b)->hyst_same_dir ? same_direction : any_direction; c->decisions; c++)
        check_hysteresis(b, c);
}

static void eq_10_number_of_epochs(bench *b)
{
    const unsigned epochs = config(b)->hyst_epochs;

    start_kernel(b, 1);
    for (unsigned i = 1; i <= 3 * epochs; i++)
        play(b, "vote=- acted_o=%u run_q=%u cycle acted_o=0", i % epochs == 0, i % epochs);
}

/* inc and dec mean nothing but at the end of an epoch. */
static void decisions_only_with_tick(bench *b)
{
    start_kernel(b, 8);
    for (unsigned i = 0; i < 10; i++)
        play(b, "dec_i=1 cycle run_q=0");
    play(b, "vote=- run_q=1 inc_i=1 cycle run_q=1 run_up_q=0");
}

/* ---- pausing --------------------------------------------------------------------- */

/* A limit of 0 means: no more CTAs, those here finish one after the other. */
static void pause_5_never_the_last_active(bench *b)
{
    play(b, "kernel=8 run=01234567 lower=1 votes=--- num_blocks_q=1 paused_q=0xfe follow=0 cycle=10 paused_q=0xfe");
    for (unsigned slot = 0; slot < 8; slot++)
        play(b, "finish=%u req_o=0 cycle paused_q=%u cycle req_o=0 paused_q=%u", SLOT(slot), 0xff & ~((SLOT(slot) << 1) - 1),
             0xff & ~((SLOT(slot) << 2) - 1));
}

/* The registers have the slots by the age of their CTAs: a launch is in them two cycles later. */
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
        if (n % 3) /* one launch after the other, too */
            continue;
        cycles(b, 2);
        for (unsigned i = 1; i < 32; i++)
            assert_true(born[state(b)->order[i - 1]] > born[state(b)->order[i]]);
    }
}

/* A denial without a pending increase concerns an empty place. */
static void denied_without_increase(bench *b)
{
    play(b, "kernel=4 run=012");
    for (unsigned i = 0; i < 5; i++)
        play(b, "denied_i=1 cycle req_o=1 num_blocks_q=4");
    play(b, "up_to=--- denied_i=1 cycle num_blocks_q=3 " /* nor does it keep an action from firing */
            "up_to=+++ denied_i=1 cycle request_q=1");   /* this increase has not been asked for yet */
}

static void drain_never_pauses(bench *b)
{
    play(b, "kernel=8 run=01234567 pause_en_i=0 follow=5");
    for (unsigned slot = 0; slot < 3; slot++)
        play(b, "cycle=4 paused_q=0 req_o=0 finish=%u req_o=0", SLOT(slot));
    play(b, "finish=0x8 req_o=0 cycle req_o=1 launch=0x8 req_o=0 cycle req_o=0"); /* the fourth that finished is replaced */
}

static void disabled_holds(bench *b)
{
    cta_throttle_state before;

    play(b, "kernel=8 run=01234567 lower=6 votes=--");
    before = *state(b);
    for (unsigned i = 0; i < 64; i++) {
        play(b, "enable_i=0 kernel_start_i=%u nmax_i=%u follow_i=%u target_i=7 pause_en_i=%u cta_start_i=%u cta_done_i=%u "
                "denied_i=%u vote=%c req_o=0 acted_o=0 paused_o=0xc0 limit_o=%u", i & 1, i % 9, i >> 1 & 1, i >> 2 & 1,
             SLOT(i % 8), SLOT(i % 8), i >> 3 & 1, i & 16 ? '+' : '-', i & 2 ? 7 : 6);
        assert_memory_equal(state(b), &before, sizeof before);
    }
    play(b, "enable_i=1 pause_en_i=1 follow_i=0 vote=- acted_o=1 num_blocks_q=5"); /* goes on where it was */
}

/* ---- the log --------------------------------------------------------------------- */

/* Every input but the settings, from the bus and from the blocks before: a cycle in which nothing happens, and others. */
static void binding(bench *b)
{
    static const sm_setup none, seven = {.kernel = {.nmax = 7}};
    static const sm_obs bus[] = {
        {.setup = &none},
        {.setup = &seven, .cta_active = 0x3f, .cta_start = 0x22, .cta_done = 0x11, .kernel_start = 1},
        {.setup = &none, .cta_active = 0x80, .cta_denied = 1}};
    static const eq_counters_out epoch[] = {{.epoch_end = 0}, {.epoch_end = 1}, {.epoch_end = 1}};
    static const eq_decision_out wanted[] = {{.inc = 0}, {.inc = 1}, {.dec = 1}};
    static const cta_throttle_in expected[] = {
        {.enable = 1, .pause_en = 1},
        {.enable = 1, .pause_en = 1, .kernel_start = 1, .nmax = 7, .tick = 1, .inc = 1, .cta_start = 0x22, .cta_done = 0x11,
         .cta_active = 0x3f},
        {.enable = 1, .pause_en = 1, .tick = 1, .dec = 1, .cta_active = 0x80, .denied = 1}};

    for (unsigned i = 0; i < 3; i++) {
        const sm_obs *const obs[] = {&bus[i]};
        const void *const needs[] = {&epoch[i], &wanted[i]};

        b->dut.block->model->bind(&b->in, &b->dut.cfg, obs, needs);
        assert_memory_equal(&b->in, &expected[i], sizeof b->in);
    }
}

#define EPOCH(rule, inputs, run, before, next_run, after) \
    "cta_throttle " rule " epoch: decision=" inputs " | run=" #run " " before " | run=" #next_run " " after

static void log_of_decreases(bench *b)
{
    static const bench_log rows[] = {
        {"kernel_start_i=1 nmax_i=8", "kernel start: Nmax 8, numBlocks 8",
         {"cta_throttle EQ-A11 kernel_start: nmax=8 | limit=0 num_blocks=0 request=0 | limit=8 num_blocks=8 request=0"}},
        {"launch=0xff cycle=12", "", {NULL}},
        {"up_to=0", "", {NULL}},
        {"up_to=-", "epoch: decrease, 1 in a row",
         {EPOCH("EQ-10", "decrease acted=0", 0, "limit=8 num_blocks=8 request=0", 1, "limit=8 num_blocks=8 request=0")}},
        {"up_to=-", "epoch: decrease, 2 in a row", {NULL}},
        {"up_to=-", "epoch: 3rd decrease in a row: numBlocks 8 -> 7, pausing the youngest CTA",
         {EPOCH("EQ-11", "decrease acted=1 row=d", 2, "limit=8 num_blocks=8 request=0", 0, "limit=7 num_blocks=7 request=0")}},
        {"", "", {NULL}},
        {"", "CTA of slot 7 paused", {"cta_throttle PAUSE-1 pause: slot=7 limit=7 | paused=0 | paused=128"}},
        {"cycle=12", "", {NULL}},
        {"cta_done_i=4 up_to=+", "epoch: increase, 1 in a row",
         {EPOCH("EQ-10", "increase acted=0", 0, "limit=7 num_blocks=7 request=0", 1, "limit=7 num_blocks=7 request=0")}},
        {"", "", {NULL}},
        {"", "slot 7 resumed", {"cta_throttle PAUSE-3 resume: slot=7 limit=7 | paused=128 | paused=0"}},
        {"up_to=0", "epoch: stay, ends a run of 1",
         {EPOCH("EQ-10", "stay acted=0", 1, "limit=7 num_blocks=7 request=0", 0, "limit=7 num_blocks=7 request=0")}},
        {"enable_i=0 up_to=-", "", {NULL}},
    };

    expect_log(b, rows);
}

/* An action and the answer to the request before it in one cycle: what each of them moved. */
static void log_of_both(bench *b)
{
    static const bench_log rows[] = {
        {"kernel=8 run=0123456 lower=7 votes=+++++ denied_i=1 up_to=+",
         "epoch: 3rd increase in a row: a CTA is requested already; denied",
         {EPOCH("EQ-11", "increase acted=1", 2, "limit=8 num_blocks=7 request=1", 0, "limit=8 num_blocks=7 request=1"),
          "cta_throttle EQ-A12 denied: row=c | limit=8 num_blocks=7 request=1 | limit=7 num_blocks=7 request=0"}},
    };

    expect_log(b, rows);
}

static void log_of_increases(bench *b)
{
    static const bench_log rows[] = {
        {"kernel=8 run=0123456 lower=7 votes=++ up_to=+", "epoch: 3rd increase in a row: a CTA is requested",
         {EPOCH("EQ-11", "increase acted=1 row=f", 2, "limit=7 num_blocks=7 request=0", 0, "limit=8 num_blocks=7 request=1")}},
        {"votes=++ up_to=+", "epoch: 3rd increase in a row: a CTA is requested already",
         {EPOCH("EQ-11", "increase acted=1", 2, "limit=8 num_blocks=7 request=1", 0, "limit=8 num_blocks=7 request=1")}},
        {"cta_start_i=0x80", "", {NULL}},
        {"", "granted: numBlocks 7 -> 8",
         {"cta_throttle EQ-A12 granted: row=b | limit=8 num_blocks=7 request=1 | limit=8 num_blocks=8 request=0"}},
        {"votes=++ up_to=+", "epoch: 3rd increase in a row: numBlocks stays 8",
         {EPOCH("EQ-11", "increase acted=1", 2, "limit=8 num_blocks=8 request=0", 0, "limit=8 num_blocks=8 request=0")}},
        {"lower=7 votes=++ up_to=+", "epoch: 3rd increase in a row: numBlocks 7 -> 8",
         {EPOCH("EQ-11", "increase acted=1 row=e", 2, "limit=7 num_blocks=7 request=0", 0, "limit=8 num_blocks=8 request=0")}},
        {"", "", {NULL}},
        {"", "slot 7 resumed", {NULL}},
        {"finish=0x80 lower=7 votes=+++ denied_i=1", "denied",
         {"cta_throttle EQ-A12 denied: row=c | limit=8 num_blocks=7 request=1 | limit=7 num_blocks=7 request=0"}},
        {"votes=+++-- up_to=-", "epoch: 3rd decrease in a row: request withdrawn",
         {EPOCH("EQ-11", "decrease acted=1 row=a", 2, "limit=8 num_blocks=7 request=1", 0, "limit=7 num_blocks=7 request=0")}},
        {"votes=+++ follow=7", "request withdrawn",
         {"cta_throttle EQ-A12 withdrawn: | num_blocks=7 request=1 | num_blocks=7 request=0"}},
    };

    expect_log(b, rows);
}

static const char *const hysteresis[] = {"cta_throttle", "cta_throttle_slots1", "cta_throttle_slots32", "cta_throttle_at_once",
                                         NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("reset: registers zero, no limit, no request", "cta_throttle", reset_state),
        BOTH_SIDES("EQ-A11: numBlocks starts at Nmax", "cta_throttle_slots32", eq_a11_starts_at_nmax),
        SCRIPT("EQ-A14: a kernel clears the run", "cta_throttle",
               "kernel=8 votes=++ run_q=2 run_up_q=1 kernel=6 run_q=0 run_up_q=0 "
               "votes=-- num_blocks_q=6 votes=- num_blocks_q=5"),
        SCRIPT("EQ-A11, EQ-A14: kernel start wins over action, grant, pausing", "cta_throttle",
               "kernel=8 run=01234567 up_to=--- "
               "kernel=7 acted_o=0 num_blocks_q=7 run_q=0 "                     /* over the third vote */
               "paused_q=0 cycle kernel=7 paused_q=0 "                          /* and over the pause that is due now: 8 run */
               "cycle paused_q=0 cycle paused_q=0x80 "
               "kernel=8 paused_o=0x80 paused_q=0 "                             /* nothing of the old one stays paused */
               "lower=7 finish=0x03 votes=+++ request_q=1 "                     /* one of 8 was paused, 6 are left */
               "cta_start_i=0x03 kernel=4 req_o=0 request_q=0 num_blocks_q=4"), /* over the grant */
        BOTH_SIDES("EQ-A12: a kernel that does not fit leaves nothing to do", "cta_throttle", no_kernel_that_fits),
        BOTH_SIDES("EQ-10, EQ-A13: three equal decisions in a row", "cta_throttle", eq_a13_any_three),
        BOTH_SIDES("EQ-A13: HystSameDir 0, any three decisions in a row", "cta_throttle_anydir", eq_a13_any_three),
        EACH_VARIANT("EQ-10: HystEpochs decisions in a row, 1 to 7", hysteresis, eq_10_number_of_epochs),
        /* Each vote acts, also right after one in the other direction. */
        SCRIPT("EQ-10: HystEpochs 1 acts in every epoch", "cta_throttle_slots32",
               "kernel=4 run=012 vote=- num_blocks_q=3 vote=+ acted_o=1 request_q=1 "
               "vote=- acted_o=1 request_q=0 num_blocks_q=3 vote=0 acted_o=0"),
        BOTH_SIDES("EQ-10: decisions count at the end of an epoch only", "cta_throttle", decisions_only_with_tick),
        /* A direction that cannot be applied goes through the filter all the same. */
        SCRIPT("EQ-A12: 1 <= numBlocks <= Nmax", "cta_throttle",
               "kernel=2 run=01 votes=++ vote=+ acted_o=1 run_q=0 request_q=0 num_blocks_q=2 "
               "votes=--- num_blocks_q=1 votes=-- vote=- acted_o=1 run_q=0 num_blocks_q=1"),
        SCRIPT("EQ-11, PAUSE-1: a decrease pauses the youngest CTA", "cta_throttle",
               "kernel=8 run=30715624 up_to=--- "
               "cycle acted_o=1 num_blocks_q=7 paused_q=0 " /* t: the third decision */
               "cycle limit_o=7 paused_q=0 "                /* t+1: too many run */
               "cycle paused_o=0 paused_q=0x10 "            /* t+2: the youngest has been found already */
               "cycle=10 paused_o=0x10 "                    /* t+3: the SM sees it */
               /* and now that the search goes for the oldest to be resumed: it turns at t+2, begins at t+3, and goes by the first
                  that is paused at t+4 */
               "up_to=--- cycle acted_o=1 cycle=4 paused_q=0x10 cycle paused_q=0x14 cycle=10 "
               "up_to=--- cycle acted_o=1 cycle=5 paused_q=0x14 cycle paused_q=0x54 req_o=0"),
        /* However far the limit falls: the youngest first. Then PAUSE-A2: and back, the oldest first. */
        SCRIPT("PAUSE-A1, PAUSE-A2: youngest paused, oldest resumed, one in three cycles", "cta_throttle",
               "kernel=8 run=30715624 cycle=4 follow=3 cycle paused_q=0 cycle paused_q=0x10 cycle=2 paused_q=0x10 cycle paused_q=0x14 "
               "cycle=2 paused_q=0x14 cycle paused_q=0x54 cycle=2 paused_q=0x54 cycle paused_q=0x74 cycle=2 paused_q=0x74 "
               "cycle paused_q=0x76 cycle=15 paused_q=0x76 "
               "follow=6 cycle paused_q=0x76 cycle paused_q=0x74 cycle=2 paused_q=0x74 cycle paused_q=0x54 "
               "cycle=2 paused_q=0x54 cycle paused_q=0x14 cycle=9 paused_q=0x14"),
        SCRIPT("PAUSE-3: a paused CTA takes a free place, no request", "cta_throttle",
               "kernel=8 run=76543210 lower=6 paused_q=0x03 "
               "finish=0x20 req_o=0 cycle paused_q=0x03 req_o=0 cycle paused_q=0x01 req_o=0 " /* slot 1 is the older of the two */
               "cycle=9 req_o=0 paused_q=0x01 "
               "finish=0x10 req_o=0 cycle paused_q=0x01 req_o=0 cycle paused_q=0 req_o=0 "
               "cycle req_o=0 cycle req_o=0 "              /* not in the cycle after, either: 6 run */
               "finish=0x08 req_o=0 cycle req_o=1 cycle req_o=1 "               /* nobody waits any more */
               "launch=0x08 req_o=0 num_blocks_q=6 cycle req_o=0"),
        SCRIPT("PAUSE-3: several CTAs finish at once", "cta_throttle",
               "kernel=8 run=01234567 lower=5 paused_q=0xe0 "
               "finish=0x07 cycle=2 paused_q=0xc0 req_o=0 cycle=3 paused_q=0x80 req_o=0 " /* 2 run, 3 are paused: one in three cycles */
               "finish=0x88 paused_q=0 req_o=0 cycle req_o=1"),                     /* an active and a paused one: 3 run */
        SCRIPT("PAUSE-1: who waits for the search waits longer the older it is", "cta_throttle",
               "kernel=8 run=01234567 lower=4 paused_q=0xf0 follow=3 cycle=7 paused_q=0xf0 cycle paused_q=0xf8"),
        SCRIPT("PAUSE-1: nobody is paused while an epoch ends, or a CTA comes or goes", "cta_throttle",
               "kernel=8 run=01234567 cycle=4 follow=7 cycle vote=0 paused_q=0 vote=+ paused_q=0 cycle paused_q=0x80 "
               "follow=8 kernel=8 cycle=9 follow=7 cycle finish=0x01 paused_q=0 cycle=9 paused_q=0 "
               "launch=0x01 cycle=9 paused_q=0x01 follow=8 kernel=8 cycle=9 follow=7 cycle cta_done_i=0x20 launch=0x20 paused_q=0 "
               "cycle=9 paused_q=0x20"),
        SCRIPT("PAUSE-3: nobody is resumed while an epoch ends, or a CTA comes or goes", "cta_throttle",
               "kernel=8 run=01234567 lower=6 paused_q=0xc0 finish=0x01 cycle vote=0 paused_q=0xc0 cycle paused_q=0x80 cycle=9 "
               "finish=0x02 cycle finish=0x04 paused_q=0x80 cycle paused_q=0x80 cycle paused_q=0"),
        SCRIPT("PAUSE-3: a launch takes the place of which a CTA was about to be resumed", "cta_throttle",
               "kernel=4 run=0123 lower=3 paused_q=0x8 finish=0x1 cycle launch=0x1 paused_q=0x8 cycle=12 paused_q=0x8"),
        BOTH_SIDES("PAUSE-5: the last active CTA is never paused", "cta_throttle", pause_5_never_the_last_active),
        SCRIPT("PAUSE-5: an SM with one slot", "cta_throttle_slots1",
               "kernel=1 run=0 votes=--------------- follow=0 cycle=3 paused_q=0 finish=1 req_o=0 follow_i=0 cycle req_o=1"),
        /* A paused CTA that finishes is gone. */
        SCRIPT("PAUSE-5: a CTA launched into a paused slot is not paused", "cta_throttle",
               "kernel=4 run=0123 lower=3 paused_q=0x8 "
               "cta_start_i=0x8 finish=0x8 paused_q=0 "   /* 4 run again, the new one in slot 3 is the youngest ... */
               "cycle=3 paused_q=0 cycle paused_q=0x8 "
               "cta_start_i=0x8 finish=0x9 paused_q=0 cycle=9 paused_q=0"), /* ... and here the three that run are just right */
        SCRIPT("PAUSE-A1: launched together, the lower slot is the older", "cta_throttle", /* 4 5 6 7 0 1 2 3 */
               "kernel=8 follow=8 launch=0xf0 cycle=3 launch=0x0f cycle=9 follow=1 cycle=2 paused_q=0x08 cycle=3 paused_q=0x0c "
               "cycle=3 paused_q=0x0e cycle=3 paused_q=0x0f cycle=3 paused_q=0x8f cycle=3 paused_q=0xcf cycle=3 paused_q=0xef"),
        /* 4 alone has been entered: 4 0 1 2 3 5 6 7. */
        SCRIPT("PAUSE-A1: launched while others wait to be entered, the lower slot is the older", "cta_throttle",
               "kernel=8 follow=8 launch=0xf0 launch=0x0f cycle=9 follow=1 cycle=2 paused_q=0x80 cycle=3 paused_q=0xc0 "
               "cycle=3 paused_q=0xe0 cycle=3 paused_q=0xe8 cycle=3 paused_q=0xec cycle=3 paused_q=0xee cycle=3 paused_q=0xef"),
        /* It takes two cycles to be entered, and two until the search has the first. */
        SCRIPT("PAUSE-A1: nobody is paused before a launch is entered", "cta_throttle",
               "kernel=4 run=3210 follow=4 cta_done_i=0x4 "
               "launch=0x4 "                          /* ends one CTA and launches the next: the youngest now */
               "follow=3 launch=0x20 cycle=3 paused_q=0 " /* 5 run */
               "cycle paused_q=0x20 cycle=2 paused_q=0x20 cycle paused_q=0x24 cycle=9 paused_q=0x24"),
        /* Slot 0 holds the youngest CTA then, slot 1 the oldest. */
        SCRIPT("PAUSE-A1: a launch with the kernel start is the youngest", "cta_throttle",
               "kernel=4 run=012 cta_start_i=1 cta_done_i=1 kernel=2 cycle=3 paused_q=0 cycle paused_q=1"),
        BOTH_SIDES("PAUSE-A1: the age of every pair of slots", "cta_throttle_slots32", ages_in_registers),
        SCRIPT("EQ-11: an increase asks the dispatcher", "cta_throttle",
               "ask cycle req_o=1 limit_o=4 cycle=20 req_o=1 " /* a level, until there is an answer */
               "launch=0x20 req_o=0 "                          /* in this very cycle, or a second one would come */
               "num_blocks_q=3 request_q=1 cycle req_o=0 "     /* nor before it has been granted */
               "num_blocks_q=4 request_q=0 cycle=9 req_o=0 limit_o=4 paused_q=0"),
        SCRIPT("EQ-A12: a denied increase leaves numBlocks", "cta_throttle", /* and asks again */
               "ask denied_i=1 cycle req_o=1 request_q=0 num_blocks_q=3 cycle req_o=0 votes=+++ request_q=1"),
        /* Who takes an empty place is no grant of the increase. */
        SCRIPT("EQ-A12: filling an empty place grants no increase", "cta_throttle",
               "ask finish=0x02 launch=0x02 cycle num_blocks_q=3 request_q=1 "
               "finish=0x02 cta_done_i=0x04 launch=0xd0 cycle num_blocks_q=4 request_q=0 cycle=9 paused_q=0"),
        BOTH_SIDES("EQ-A12: a denial without an increase changes nothing", "cta_throttle", denied_without_increase),
        SCRIPT("EQ-A12: a grant together with a denial or an action", "cta_throttle",
               "ask denied_i=1 launch=0x08 request_q=1 cycle num_blocks_q=4 request_q=0 " /* denied as it comes: the CTA is there */
               "ask launch=0x08 denied_i=1 cycle num_blocks_q=4 request_q=0 "             /* denied as it is granted: likewise */
               /* in the cycle of a decrease, or granted in that cycle: as before */
               "ask up_to=--- launch=0x08 acted_o=1 num_blocks_q=3 request_q=0 cycle=3 paused_q=0 cycle paused_q=0x08 "
               "ask votes=-- launch=0x08 vote=- acted_o=1 num_blocks_q=3 request_q=0 cycle=3 paused_q=0x08 "
               /* of another increase: one more, not two */
               "ask up_to=+++ launch=0x08 acted_o=1 num_blocks_q=3 request_q=1 cycle num_blocks_q=4 request_q=0 "
               "ask votes=++ launch=0x08 vote=+ acted_o=1 num_blocks_q=4 request_q=0"),
        SCRIPT("EQ-A12: a denial together with an action", "cta_throttle",
               "ask up_to=--- denied_i=1 cycle acted_o=1 num_blocks_q=3 request_q=0 "
               "ask up_to=+++ denied_i=1 cycle acted_o=1 num_blocks_q=3 request_q=0"),
        SCRIPT("EQ-A12: actions while an increase is pending", "cta_throttle",
               "ask votes=+++ request_q=1 num_blocks_q=3 " /* one at a time */
               "votes=--- request_q=0 num_blocks_q=3 "     /* undone, nothing else */
               "votes=--- num_blocks_q=2"),
        SCRIPT("PAUSE-A3: an increase resumes a paused CTA", "cta_throttle",
               "kernel=8 run=01234567 lower=5 paused_q=0xe0 up_to=+++ cycle num_blocks_q=6 request_q=0 "
               "cycle req_o=0 paused_q=0xe0 cycle req_o=0 paused_q=0xc0 cycle=9 req_o=0 paused_q=0xc0"),
        /* What counts is who is paused after the cycle of the action. */
        SCRIPT("PAUSE-A3: paused CTAs come and go in the cycle of the increase", "cta_throttle",
               "kernel=4 run=0123 lower=3 up_to=+++ "
               "finish=0x8 num_blocks_q=3 request_q=1 "  /* the only paused one finishes */
               "launch=0x8 cycle num_blocks_q=4 lower=3 up_to=+++ "
               "finish=0x1 num_blocks_q=4 request_q=0 "  /* the only paused one will take a place that is free now: it is paused still */
               "cycle paused_q=0x8 cycle paused_q=0 cycle req_o=0 cycle req_o=1"),
        SCRIPT("PAUSE-A3: a CTA that comes in the cycle of the increase is the one that is asked for", "cta_throttle",
               "kernel=4 run=012 lower=3 up_to=+++ launch=0x10 num_blocks_q=3 request_q=1 req_o=0 "
               "cycle num_blocks_q=4 request_q=0 req_o=0 cycle=9 paused_q=0 req_o=0"),
        /* 4 run where 3 may: one is due to be paused when the increase begins to wait, and is then who is asked for. */
        SCRIPT("PAUSE-A3: nobody is paused while an increase waits", "cta_throttle",
               "kernel=4 run=012 lower=3 votes=++ cta_start_i=0x20 cycle=4 paused_q=0 vote=+ num_blocks_q=3 request_q=1 "
               "cycle paused_q=0 num_blocks_q=4 request_q=0 cycle=9 paused_q=0"),
        SCRIPT("PAUSE-A3: IncUnpauseFirst 0 asks although CTAs are paused", "cta_throttle_ask",
               "kernel=8 run=01234 lower=3 paused_q=0x18 votes=+++ num_blocks_q=3 request_q=1 paused_q=0x18 req_o=1 "
               "launch=0x40 cycle num_blocks_q=4 cycle=9 paused_q=0x18 req_o=0"), /* the new one runs, the paused ones stay paused */
        SCRIPT("EQ-A12: GrantFeedback 0 grows at once", "cta_throttle_at_once",
               "kernel=8 run=012 lower=3 vote=+ vote=+ num_blocks_q=4 request_q=0 "
               "denied_i=1 cycle req_o=1 num_blocks_q=4"), /* a place is free */
        SCRIPT("follow: the target is the limit, numBlocks stands still", "cta_throttle",
               "ask votes=++ follow=6 vote=+ limit_o=6 " /* in this very cycle */
               "req_o=1 acted_o=0 run_q=0 run_up_q=1 request_q=0 num_blocks_q=3 votes=------ run_q=0 num_blocks_q=3 "
               "follow=2 cycle limit_o=2 paused_q=0 cycle paused_q=0x4 follow_i=0 cycle limit_o=3 cycle=13 paused_q=0"),
        /* A request of Equalizer's is none of the policy's that is followed; what comes is no grant either. */
        SCRIPT("follow: a pending increase is withdrawn", "cta_throttle",
               "ask follow=3 launch=0x08 req_o=0 limit_o=3 num_blocks_q=3 request_q=0 cycle=3 paused_q=0 cycle paused_q=0x08"),
        BOTH_SIDES("drain: nothing is paused, nothing is asked for", "cta_throttle", drain_never_pauses),
        SCRIPT("drain: paused CTAs are resumed at once", "cta_throttle", /* none of the 4 left counts as paused */
               "kernel=8 run=01234567 lower=5 paused_q=0xe0 pause_en_i=0 finish=0x0f req_o=0 paused_q=0 cycle req_o=1 votes=+++ request_q=1"),
        SCRIPT("drain: a pause that is due is not taken", "cta_throttle",
               "kernel=8 run=01234567 cycle=9 follow=5 cycle pause_en_i=0 cycle paused_q=0 pause_en_i=1 cycle paused_q=0 cycle paused_q=0x80"),
        BOTH_SIDES("enable 0: everything holds", "cta_throttle", disabled_holds),
        EACH_MODEL("bus: every input is bound", ONE_VARIANT("cta_throttle"), binding),
        BOTH_SIDES("log: decreases", "cta_throttle", log_of_decreases),
        BOTH_SIDES("log: increases", "cta_throttle", log_of_increases),
        BOTH_SIDES("log: an action and an answer in one cycle", "cta_throttle", log_of_both),
    };
    return cmocka_run_group_tests_name("cta_throttle", tests, NULL, NULL);
}
