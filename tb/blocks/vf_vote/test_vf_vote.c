/* SPDX-License-Identifier: Apache-2.0
 *
 * The vote of the SMs on the VF domains, each rule on the model and on the RTL.
 */

#include "chip/vf_vote.h"

#define BENCH_BLOCK vf_vote
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

/* Every value of every parameter. */
static const char *const variants[] = {"vf_vote",        "vf_vote_sms15",     "vf_vote_sms14",  "vf_vote_sms132",
                                       "vf_vote_voters", "vf_vote_plurality", "vf_vote_sms256", "vf_vote_sms1", NULL};

static void load_counts(bench *b, unsigned comps, unsigned mems, bool valid)
{
    load(b, &(vf_vote_state){.comp_count = (uint16_t)comps, .mem_count = (uint16_t)mems, .valid = valid});
}

static void set_sms(uint64_t *words, unsigned first, unsigned n)
{
    for (unsigned sm = first; sm < first + n; sm++)
        words[sm / 64] |= UINT64_C(1) << sm % 64;
}

/* The first `comps` SMs have CompAction, the next `mems` MemAction. */
static void show_actions(bench *b, unsigned comps, unsigned mems)
{
    memset(b->in.comp, 0, sizeof b->in.comp);
    memset(b->in.mem, 0, sizeof b->in.mem);
    set_sms(b->in.comp, 0, comps);
    set_sms(b->in.mem, comps, mems);
}

/* What the actions ask of the domains: +1 up, -1 down, 0 nothing. */
static void set_answers(bench *b, int sm_comp, int sm_mem, int mem_comp, int mem_mem)
{
    b->in.sm_comp_up = sm_comp > 0;
    b->in.sm_comp_down = sm_comp < 0;
    b->in.sm_mem_up = sm_mem > 0;
    b->in.sm_mem_down = sm_mem < 0;
    b->in.mem_comp_up = mem_comp > 0;
    b->in.mem_comp_down = mem_comp < 0;
    b->in.mem_mem_up = mem_mem > 0;
    b->in.mem_mem_down = mem_mem < 0;
}

/* An epoch's end and the second cycle after it, which holds the result. */
static void vote(bench *b, unsigned comps, unsigned mems)
{
    show_actions(b, comps, mems);
    b->in.tick = 1;
    cycle(b);
    b->in.tick = 0;
    cycles(b, 2);
    assert_int_equal(b->out.valid, 1);
}

/* The sums, which the result is of. */
#define assert_sums(b, comps, mems, valid) \
    expect(b, "comp_count_q=%u mem_count_q=%u valid_q=%u", (unsigned)(comps), (unsigned)(mems), (unsigned)(valid))

/* What the groups hold between the SMs and the sums. */
static void assert_counted(bench *b, unsigned comps, unsigned mems, unsigned counted)
{
    const vf_vote_state *s = state(b);
    unsigned comp = 0, mem = 0;

    for (unsigned g = 0; g < vf_vote_groups(config(b)); g++) {
        comp += s->comp_of[g];
        mem += s->mem_of[g];
    }
    assert_int_equal(comp, comps);
    assert_int_equal(mem, mems);
    assert_int_equal(s->counted, counted);
}

#define assert_requests(b, sm, mem) \
    expect(b, "sm_up_o=%u sm_down_o=%u mem_up_o=%u mem_down_o=%u", (sm) > 0, (sm) < 0, (mem) > 0, (mem) < 0)

TEST(defaults)
{
    const vf_vote_cfg cfg = vf_vote_cfg_default();

    assert_int_equal(cfg.num_sms, 15);
    assert_int_equal(cfg.majority, BALLAST_VF_MAJORITY_ALL);
}

/* ---- counting ------------------------------------------------------------------------- */

RULE_EACH(reset_state, "reset: no result, counts zero, also with a result pending", variants)
{
    assert_sums(b, 0, 0, 0);
    assert_counted(b, 0, 0, 0);
    set_answers(b, +1, +1, -1, -1);
    cycle(b);
    assert_int_equal(b->out.valid, 0);
    assert_requests(b, 0, 0);
    show_actions(b, config(b)->num_sms, 0);
    b->in.tick = 1;
    cycles(b, 2);
    assert_counted(b, config(b)->num_sms, 0, 1);
    assert_sums(b, config(b)->num_sms, 0, 1);
    dut_reset(&b->dut); /* with a result pending, and the next one counted */
    assert_sums(b, 0, 0, 0);
    assert_counted(b, 0, 0, 0);
}

/* Each SM alone, then one more after the other: every bit of the vectors is one. */
RULE_EACH(eq12_every_sm_counts, "EQ-12: every SM counts once, by its action", variants)
{
    b->in.tick = 1;
    for (unsigned sm = 0; sm < config(b)->num_sms; sm++) {
        show_actions(b, 0, 0);
        set_sms(b->in.comp, sm, 1);
        cycle(b);
        assert_counted(b, 1, 0, 1);
        show_actions(b, 0, 0);
        set_sms(b->in.mem, sm, 1);
        cycle(b);
        assert_counted(b, 0, 1, 1);
        assert_sums(b, 1, 0, 1);
        show_actions(b, sm, config(b)->num_sms - sm);
        cycle(b);
        assert_counted(b, sm, config(b)->num_sms - sm, 1);
        assert_sums(b, 0, 1, 1);
        cycle(b);
        assert_sums(b, sm, config(b)->num_sms - sm, 1);
    }
}

RULE(eq7_both_actions_are_none, "EQ-7: an SM with both actions has none", "vf_vote_sms132")
{
    b->in.tick = 1;
    for (unsigned sm = 0; sm < 132; sm++) {
        const bool comp = sm < 70, mem = !comp && sm < 100;

        show_actions(b, 70, 30);
        set_sms(b->in.comp, sm, 1);
        set_sms(b->in.mem, sm, 1);
        cycle(b);
        assert_counted(b, 70 - comp, 30 - mem, 1);
    }
    show_actions(b, 132, 0);
    set_sms(b->in.mem, 0, 132);
    cycle(b);
    assert_counted(b, 0, 0, 1);
}

/* The model's words are wider than the chip. The RTL has no such bits. */
MODEL_RULE_EACH(bits_beyond_the_chip, "bits beyond the chip's SMs are ignored", variants)
{
    memset(b->in.comp, 0xff, sizeof b->in.comp);
    b->in.tick = 1;
    cycle(b);
    assert_counted(b, config(b)->num_sms, 0, 1);
    memset(b->in.mem, 0xff, sizeof b->in.mem);
    memset(b->in.comp, 0, sizeof b->in.comp);
    cycle(b);
    assert_counted(b, 0, config(b)->num_sms, 1);
}

/* tick in t, the result in t+2 and in no other cycle. */
RULE(timing, "EQ-12: the result is there two cycles after the tick, and only there", "vf_vote_sms15")
{
    set_answers(b, +1, 0, 0, -1);
    show_actions(b, 9, 2);
    cycle(b);
    assert_counted(b, 0, 0, 0); /* no tick, no vote */
    b->in.tick = 1;
    cycle(b);
    assert_int_equal(b->out.valid, 0);
    assert_requests(b, 0, 0);
    assert_counted(b, 9, 2, 1);
    assert_sums(b, 0, 0, 0);
    b->in.tick = 0;
    show_actions(b, 0, 15);
    cycle(b);
    assert_int_equal(b->out.valid, 0);
    assert_requests(b, 0, 0);
    assert_counted(b, 0, 0, 0);
    assert_sums(b, 9, 2, 1);
    cycle(b);
    assert_int_equal(b->out.valid, 1);
    assert_requests(b, +1, 0);
    assert_sums(b, 9, 2, 0); /* the sums hold */
    for (unsigned i = 0; i < 5; i++) {
        cycle(b);
        assert_int_equal(b->out.valid, 0);
        assert_requests(b, 0, 0);
        assert_sums(b, 9, 2, 0);
    }
}

RULE(ticks_in_a_row, "EQ-12: ticks in consecutive cycles are as many votes", "vf_vote_sms15")
{
    static const struct { unsigned comps, mems; int sm, mem; } epochs[] = {
        {8, 0, +1, 0}, {0, 8, 0, -1}, {7, 8, 0, -1}, {15, 0, +1, 0}, {0, 0, 0, 0}, {0, 15, 0, -1}};
    set_answers(b, +1, 0, 0, -1);
    b->in.tick = 1;
    for (unsigned i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
        show_actions(b, epochs[i].comps, epochs[i].mems);
        cycle(b);
        assert_int_equal(b->out.valid, i > 1);
        if (i > 1)
            assert_requests(b, epochs[i - 2].sm, epochs[i - 2].mem);
        if (i > 0)
            assert_sums(b, epochs[i - 1].comps, epochs[i - 1].mems, 1);
        assert_counted(b, epochs[i].comps, epochs[i].mems, 1);
    }
}

/* ---- deciding -------------------------------------------------------------------------- */

RULE(eq12_majority_of_all, "EQ-12: more than half of all SMs, a tie maintains", "vf_vote")
{
    static const struct { const char *name; unsigned comps, mems; int sm, mem; } cases[] = {
        {"vf_vote_sms15", 8, 7, +1, 0},    {"vf_vote_sms15", 7, 8, 0, -1},   {"vf_vote_sms15", 7, 0, 0, 0},
        {"vf_vote_sms15", 7, 7, 0, 0},     {"vf_vote_sms15", 9, 2, +1, 0},   {"vf_vote_sms15", 0, 0, 0, 0},
        {"vf_vote_sms15", 15, 0, +1, 0},   {"vf_vote_sms15", 0, 15, 0, -1},  {"vf_vote_sms14", 7, 7, 0, 0},
        {"vf_vote_sms14", 7, 0, 0, 0},     {"vf_vote_sms14", 0, 7, 0, 0},    {"vf_vote_sms14", 8, 6, +1, 0},
        {"vf_vote_sms14", 6, 8, 0, -1},    {"vf_vote_sms132", 66, 66, 0, 0}, {"vf_vote_sms132", 67, 65, +1, 0},
        {"vf_vote_sms132", 65, 67, 0, -1}, {"vf_vote_sms132", 132, 0, +1, 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reopen_bench(b, cases[i].name);
        set_answers(b, +1, 0, 0, -1);
        vote(b, cases[i].comps, cases[i].mems);
        assert_requests(b, cases[i].sm, cases[i].mem);
        set_answers(b, -1, 0, 0, +1);
        vote(b, cases[i].comps, cases[i].mems);
        assert_requests(b, -cases[i].sm, -cases[i].mem);
    }
}

/* Both actions may ask a domain for the same: their SMs vote together. */
RULE(eq12_actions_add_up, "EQ-12: actions that ask for the same vote together", "vf_vote_sms15")
{
    set_answers(b, +1, +1, -1, -1);
    vote(b, 4, 3);
    assert_requests(b, 0, 0);
    vote(b, 4, 4);
    assert_requests(b, +1, -1);
}

RULE(eq_a17_readings, "EQ-A17: majority of all, of voters, plurality", "vf_vote")
{
    /* The two actions ask for opposite directions; the rest abstains. */
    static const struct { unsigned comps, mems; int all, voters, plurality; } cases[] = {
        {1, 0, 0, +1, 0},  /* the one voter is a majority of voters, 14 others maintain */
        {7, 1, 0, +1, 0},  /* 7 : 1, 7 maintain: a tie for first place                  */
        {7, 2, 0, +1, +1}, /* 7 : 2, 6 maintain                                         */
        {7, 7, 0, 0, 0},   /* ties                                                      */
        {5, 5, 0, 0, 0},
        {6, 5, 0, +1, +1}, /* 4 maintain                                                */
        {5, 6, 0, -1, -1},
        {6, 3, 0, +1, 0},  /* 6 : 3, 6 maintain                                         */
        {3, 6, 0, -1, 0},
        {8, 7, +1, +1, +1},
        {7, 8, -1, -1, -1},
        {8, 0, +1, +1, +1},
        {0, 0, 0, 0, 0}};
    static const char *const names[] = {"vf_vote_sms15", "vf_vote_voters", "vf_vote_plurality"};
    for (unsigned v = 0; v < 3; v++) {
        reopen_bench(b, names[v]);
        set_answers(b, +1, -1, -1, +1);
        for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const int want = v == 0 ? cases[i].all : v == 1 ? cases[i].voters : cases[i].plurality;
            vote(b, cases[i].comps, cases[i].mems);
            assert_requests(b, want, -want);
        }
    }
}

/* An action that asks a domain for nothing votes like an SM without one. */
RULE(eq_a18_abstention_maintains, "EQ-A18: who asks for nothing maintains", "vf_vote_plurality")
{
    set_answers(b, +1, 0, +1, -1);
    vote(b, 6, 0); /* 6 : 0, 9 maintain, as if they had voted so */
    assert_requests(b, 0, 0);
    vote(b, 6, 9);
    assert_requests(b, 0, -1);
    vote(b, 8, 0);
    assert_requests(b, +1, +1);
}

/* A domain never says both; if it did, it would have said nothing. */
RULE(contradictory_answers, "contradictory answers of a domain are none", "vf_vote_voters")
{
    set_answers(b, +1, -1, -1, +1);
    b->in.sm_comp_down = 1;
    b->in.mem_mem_down = 1;
    vote(b, 10, 5);
    assert_requests(b, -1, -1);
    b->in.sm_mem_up = 1;
    b->in.mem_comp_up = 1;
    vote(b, 10, 5);
    assert_requests(b, 0, 0);
}

/* EQ-12 taken literally: every SM's ballot is cast, then they are counted. */
static int verdict(const vf_vote_cfg *cfg, unsigned comps, unsigned mems, int comp_asks, int mem_asks)
{
    unsigned up = 0, stay = 0, down = 0;

    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        const int asks = sm < comps ? comp_asks : sm < comps + mems ? mem_asks : 0;

        up += asks > 0;
        stay += asks == 0;
        down += asks < 0;
    }
    switch (cfg->majority) {
    case BALLAST_VF_MAJORITY_VOTERS:
        return up > (up + down) / 2 ? +1 : down > (up + down) / 2 ? -1 : 0;
    case BALLAST_VF_MAJORITY_PLURALITY:
        return up > stay && up > down ? +1 : down > stay && down > up ? -1 : 0;
    default:
        return up > cfg->num_sms / 2 ? +1 : down > cfg->num_sms / 2 ? -1 : 0;
    }
}

/* All counts that a chip can have, with all answers of one domain and others of the other. */
RULE_EACH(eq12_exhaustive, "EQ-12, EQ-A17: ballot by ballot, for all counts", variants)
{
    const vf_vote_cfg *cfg = config(b);
    const unsigned step = cfg->num_sms > 40 ? 5 : 1; /* sparser on a large chip */

    for (unsigned comps = 0; comps <= cfg->num_sms; comps++) {
        for (unsigned mems = 0; mems <= cfg->num_sms - comps; mems += step) {
            for (unsigned i = 0; i < 9; i++) {
                const int comp_asks = (int)(i % 3) - 1, mem_asks = (int)(i / 3) - 1;

                load_counts(b, comps, mems, true);
                set_answers(b, comp_asks, mem_asks, mem_asks, -comp_asks);
                cycle(b);
                assert_requests(b, verdict(cfg, comps, mems, comp_asks, mem_asks),
                                verdict(cfg, comps, mems, mem_asks, -comp_asks));
                assert_sums(b, comps, mems, 0);
            }
        }
    }
}

/* ---- twins ------------------------------------------------------------------------------- */

static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    const unsigned num_sms = ((const vf_vote_cfg *)cfg)->num_sms;
    const uint64_t x = random_next(seed), mood = random_next(seed);
    vf_vote_in *in = inputs;

    (void)n;
    memset(in, 0, sizeof *in);
    in->tick = x % 4 != 0;
    in->sm_comp_up = x >> 8 & 1;
    in->sm_comp_down = x >> 9 & 1;
    in->sm_mem_up = x >> 10 & 1;
    in->sm_mem_down = x >> 11 & 1;
    in->mem_comp_up = x >> 12 & 1;
    in->mem_comp_down = x >> 13 & 1;
    in->mem_mem_up = x >> 14 & 1;
    in->mem_mem_down = x >> 15 & 1;
    for (unsigned sm = 0; sm < num_sms; sm++) {
        const uint64_t dice = random_next(seed);

        if (dice % 16 < mood % 17) /* from none to all of them, half and half at times */
            set_sms(in->comp, sm, 1);
        if ((dice >> 8) % 16 < (mood >> 8) % 17 && (mood >> 16 & 1 || dice % 16 >= mood % 17))
            set_sms(in->mem, sm, 1);
    }
}

/* ---- the log ------------------------------------------------------------------------- */

static void expect_vote(bench *b, unsigned comps, unsigned mems, const char *record, const char *words)
{
    show_actions(b, comps, mems);
    b->in.tick = 1;
    cycle(b);
    b->in.tick = 0;
    cycle(b);
    expect_decision(b, record, words);
}

RULE(log_of_votes, "log: votes", "vf_vote_sms15")
{
    set_answers(b, +1, 0, 0, +1);
    expect_vote(b, 8, 3, "vf_vote EQ-12 vote: comp=8 mem=3 sms=15 | | sm_domain=up mem_domain=maintain",
                "epoch votes: 8 CompAction, 3 MemAction of 15: SM domain up");
    expect_vote(b, 7, 7, "vf_vote EQ-12 vote: comp=7 mem=7 sms=15 | | sm_domain=maintain mem_domain=maintain",
                "epoch votes: 7 CompAction, 7 MemAction of 15: no change");
    set_answers(b, 0, -1, 0, +1);
    expect_vote(b, 1, 14, "vf_vote EQ-12 vote: comp=1 mem=14 sms=15 | | sm_domain=down mem_domain=up",
                "epoch votes: 1 CompAction, 14 MemAction of 15: SM domain down, memory domain up");
}

SUITE_TESTS(twins, TWIN_CYCLES("twins agree on random input", variants, 0x707e, 10000, draw_inputs))
