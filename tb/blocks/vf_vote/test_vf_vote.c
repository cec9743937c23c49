/* SPDX-License-Identifier: Apache-2.0
 *
 * The vote of the SMs on the VF domains, each rule on the model and on the RTL; at the end the
 * vote with its two domains, epoch by epoch.
 */

#include "chip/vf_vote.h"

#define BENCH_BLOCK vf_vote
#include "engine/bench.h"
#include "chip/vf_domain.h"
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

/* An epoch's end and the cycle after it, which holds the result. */
static void vote(bench *b, unsigned comps, unsigned mems)
{
    show_actions(b, comps, mems);
    b->in.tick = 1;
    cycle(b);
    b->in.tick = 0;
    cycle(b);
    assert_int_equal(b->out.valid, 1);
}

#define assert_registers(b, comps, mems, valid_)            \
    do {                                                    \
        assert_int_equal(state(b)->comp_count, comps);      \
        assert_int_equal(state(b)->mem_count, mems);        \
        assert_int_equal(state(b)->valid, valid_);          \
    } while (0)

#define assert_requests(b, sm, mem)                               \
    do {                                                          \
        assert_int_equal((b)->out.sm_up, (sm) > 0);               \
        assert_int_equal((b)->out.sm_down, (sm) < 0);             \
        assert_int_equal((b)->out.mem_up, (mem) > 0);             \
        assert_int_equal((b)->out.mem_down, (mem) < 0);           \
    } while (0)

static void defaults(void **t)
{
    const vf_vote_cfg cfg = vf_vote_cfg_default();

    (void)t;
    assert_int_equal(cfg.num_sms, 15);
    assert_int_equal(cfg.majority, VF_MAJORITY_ALL);
}

/* ---- counting ------------------------------------------------------------------------- */

static void reset_state(bench *b)
{
    assert_registers(b, 0, 0, 0);
    set_answers(b, +1, +1, -1, -1);
    cycle(b);
    assert_int_equal(b->out.valid, 0);
    assert_requests(b, 0, 0);
    show_actions(b, config(b)->num_sms, 0);
    b->in.tick = 1;
    cycle(b);
    assert_registers(b, config(b)->num_sms, 0, 1);
    dut_reset(&b->dut); /* with a result pending */
    assert_registers(b, 0, 0, 0);
}

/* Each SM alone, then one more after the other: every bit of the vectors is one. */
static void eq12_every_sm_counts(bench *b)
{
    b->in.tick = 1;
    for (unsigned sm = 0; sm < config(b)->num_sms; sm++) {
        show_actions(b, 0, 0);
        set_sms(b->in.comp, sm, 1);
        cycle(b);
        assert_registers(b, 1, 0, 1);
        show_actions(b, 0, 0);
        set_sms(b->in.mem, sm, 1);
        cycle(b);
        assert_registers(b, 0, 1, 1);
        show_actions(b, sm, config(b)->num_sms - sm);
        cycle(b);
        assert_registers(b, sm, config(b)->num_sms - sm, 1);
    }
}

static void eq7_both_actions_are_none(bench *b)
{
    b->in.tick = 1;
    for (unsigned sm = 0; sm < 132; sm++) {
        const bool comp = sm < 70, mem = !comp && sm < 100;

        show_actions(b, 70, 30);
        set_sms(b->in.comp, sm, 1);
        set_sms(b->in.mem, sm, 1);
        cycle(b);
        assert_registers(b, 70 - comp, 30 - mem, 1);
    }
    show_actions(b, 132, 0);
    set_sms(b->in.mem, 0, 132);
    cycle(b);
    assert_registers(b, 0, 0, 1);
}

/* The model's words are wider than the chip. The RTL has no such bits. */
static void bits_beyond_the_chip(bench *b)
{
    memset(b->in.comp, 0xff, sizeof b->in.comp);
    b->in.tick = 1;
    cycle(b);
    assert_registers(b, config(b)->num_sms, 0, 1);
    memset(b->in.mem, 0xff, sizeof b->in.mem);
    memset(b->in.comp, 0, sizeof b->in.comp);
    cycle(b);
    assert_registers(b, 0, config(b)->num_sms, 1);
}

/* tick in t, the result in t+1 and in no other cycle. */
static void timing(bench *b)
{
    set_answers(b, +1, 0, 0, -1);
    show_actions(b, 9, 2);
    cycle(b);
    assert_registers(b, 0, 0, 0); /* no tick, no vote */
    b->in.tick = 1;
    cycle(b);
    assert_int_equal(b->out.valid, 0);
    assert_requests(b, 0, 0);
    assert_registers(b, 9, 2, 1);
    b->in.tick = 0;
    show_actions(b, 0, 15);
    cycle(b);
    assert_int_equal(b->out.valid, 1);
    assert_requests(b, +1, 0);
    assert_registers(b, 9, 2, 0); /* the counts hold */
    for (unsigned i = 0; i < 5; i++) {
        cycle(b);
        assert_int_equal(b->out.valid, 0);
        assert_requests(b, 0, 0);
        assert_registers(b, 9, 2, 0);
    }
}

static void ticks_in_a_row(bench *b)
{
    static const struct { unsigned comps, mems; int sm, mem; } epochs[] = {
        {8, 0, +1, 0}, {0, 8, 0, -1}, {7, 8, 0, -1}, {15, 0, +1, 0}, {0, 0, 0, 0}, {0, 15, 0, -1}};
    set_answers(b, +1, 0, 0, -1);
    b->in.tick = 1;
    for (unsigned i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
        show_actions(b, epochs[i].comps, epochs[i].mems);
        cycle(b);
        assert_int_equal(b->out.valid, i > 0);
        if (i > 0)
            assert_requests(b, epochs[i - 1].sm, epochs[i - 1].mem);
        assert_registers(b, epochs[i].comps, epochs[i].mems, 1);
    }
}

/* ---- deciding -------------------------------------------------------------------------- */

static void eq12_majority_of_all(bench *b)
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
static void eq12_actions_add_up(bench *b)
{
    set_answers(b, +1, +1, -1, -1);
    vote(b, 4, 3);
    assert_requests(b, 0, 0);
    vote(b, 4, 4);
    assert_requests(b, +1, -1);
}

static void eq_a17_readings(bench *b)
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
static void eq_a18_abstention_maintains(bench *b)
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
static void contradictory_answers(bench *b)
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
    case VF_MAJORITY_VOTERS:
        return up > (up + down) / 2 ? +1 : down > (up + down) / 2 ? -1 : 0;
    case VF_MAJORITY_PLURALITY:
        return up > stay && up > down ? +1 : down > stay && down > up ? -1 : 0;
    default:
        return up > cfg->num_sms / 2 ? +1 : down > cfg->num_sms / 2 ? -1 : 0;
    }
}

/* All counts that a chip can have, with all answers of one domain and others of the other. */
static void eq12_exhaustive(bench *b)
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
                assert_registers(b, comps, mems, 0);
            }
        }
    }
}

/* ---- with the domains -------------------------------------------------------------------- */

enum { EPOCH = 4096, SMS = 15 };

/* The chip's frequency manager: 15 SMs, both domains. */
typedef struct chip {
    bench *vote; /* the test's */
    dut domain[2];
    vf_domain_in in[2];
    vf_domain_out out[2];
    unsigned busy[2]; /* cycles in the last epoch */
} chip;

static void open_chip(chip *c, bench *vote, uint8_t mode)
{
    memset(c, 0, sizeof *c);
    c->vote = vote;
    bench_open(&c->domain[0], "vf_domain", vote->dut.side);
    bench_open(&c->domain[1], "vf_domain_mem", vote->dut.side);
    c->in[0].mode = c->in[1].mode = mode;
}

static void close_chip(chip *c)
{
    bench_close(&c->domain[0]);
    bench_close(&c->domain[1]);
}

/* A domain's outputs in this cycle, before its edge: they do not depend on the vote. */
static void look(chip *c, unsigned d)
{
    dut *dom = &c->domain[d];

    if (dom->side == SIDE_RTL) {
        dom->block->rtl->settle(dom->rtl, &c->in[d]);
        dom->block->rtl->outputs(dom->rtl, &c->out[d]);
    } else {
        vf_domain_state same = *(const vf_domain_state *)dom->state;

        dom->block->model->step(&same, &dom->cfg, &c->in[d], &c->out[d]);
    }
}

static void chip_cycle(chip *c, bool tick)
{
    const vf_vote_out *won = &c->vote->out;
    const vf_domain_out *sm = &c->out[0], *mem = &c->out[1];

    look(c, 0);
    look(c, 1);
    set_answers(c->vote, sm->comp_up - sm->comp_down, sm->mem_up - sm->mem_down,
                mem->comp_up - mem->comp_down, mem->mem_up - mem->mem_down);
    c->vote->in.tick = tick;
    cycle(c->vote);
    c->in[0].valid = c->in[1].valid = won->valid;
    c->in[0].up = won->sm_up;
    c->in[0].down = won->sm_down;
    c->in[1].up = won->mem_up;
    c->in[1].down = won->mem_down;
    for (unsigned d = 0; d < 2; d++) {
        dut_cycle(&c->domain[d], &c->in[d], &c->out[d]);
        c->busy[d] += c->out[d].busy;
    }
}

/* The vote on an epoch that ends now, and the epoch after it. */
static void epoch(chip *c, unsigned comps, unsigned mems)
{
    c->busy[0] = c->busy[1] = 0;
    show_actions(c->vote, comps, mems);
    for (unsigned i = 0; i < EPOCH; i++)
        chip_cycle(c, i == 0);
}

static void assert_levels(const chip *c, int sm, int mem)
{
    assert_int_equal(c->out[0].level, sm);
    assert_int_equal(c->out[1].level, mem);
    assert_int_equal(c->out[0].busy | c->out[1].busy, 0); /* EQ-17: settled within the epoch */
}

/* An epoch: CompActions, MemActions; levels of the SMs and of the memory after it. */
typedef struct phase {
    unsigned comps, mems;
    int sm, mem;
} phase;

static void play_phases(chip *c, const phase *phases, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const int sm = c->out[0].level, mem = c->out[1].level;

        epoch(c, phases[i].comps, phases[i].mems);
        assert_levels(c, phases[i].sm, phases[i].mem);
        assert_int_equal(c->busy[0], sm == phases[i].sm ? 0 : 512);
        assert_int_equal(c->busy[1], mem == phases[i].mem ? 0 : 512);
    }
}

#define PLAY(c, ...) \
    play_phases(c, (const phase[]){__VA_ARGS__}, sizeof((const phase[]){__VA_ARGS__}) / sizeof(phase))

static void eq13_performance(bench *b)
{
    chip c;
    open_chip(&c, b, VF_PERFORMANCE);
    chip_cycle(&c, false);
    PLAY(&c, {SMS, 0, VF_HIGH, VF_NORMAL}, {SMS, 0, VF_HIGH, VF_NORMAL}, /* a compute phase */
         {0, SMS, VF_NORMAL, VF_HIGH}, {0, SMS, VF_NORMAL, VF_HIGH},     /* a memory phase  */
         {8, 7, VF_HIGH, VF_NORMAL}, {7, 8, VF_NORMAL, VF_HIGH},         /* narrow ones     */
         {7, 7, VF_NORMAL, VF_HIGH}, {0, 0, VF_NORMAL, VF_HIGH},         /* no majority     */
         {9, 2, VF_HIGH, VF_NORMAL});
    close_chip(&c);
}

static void eq13_energy(bench *b)
{
    chip c;
    open_chip(&c, b, VF_ENERGY);
    chip_cycle(&c, false);
    PLAY(&c, {SMS, 0, VF_NORMAL, VF_LOW}, {SMS, 0, VF_NORMAL, VF_LOW}, {0, SMS, VF_LOW, VF_NORMAL},
         {0, SMS, VF_LOW, VF_NORMAL}, {0, 0, VF_LOW, VF_NORMAL}, {7, 7, VF_LOW, VF_NORMAL},
         {8, 0, VF_NORMAL, VF_LOW});
    close_chip(&c);
}

/* EQ-13: from low to high it takes the same request in two epochs; EQ-A23: the level stays. */
static void eq13_two_epochs(bench *b)
{
    chip c;
    open_chip(&c, b, VF_ENERGY);
    chip_cycle(&c, false);
    PLAY(&c, {0, SMS, VF_LOW, VF_NORMAL});
    c.in[0].mode = c.in[1].mode = VF_PERFORMANCE;
    PLAY(&c, {0, 0, VF_LOW, VF_NORMAL}, {SMS, 0, VF_NORMAL, VF_NORMAL}, {SMS, 0, VF_HIGH, VF_NORMAL});
    c.in[0].mode = c.in[1].mode = VF_ENERGY; /* high to low likewise */
    PLAY(&c, {0, SMS, VF_NORMAL, VF_NORMAL}, {0, SMS, VF_LOW, VF_NORMAL});
    close_chip(&c);
}

/* Idle SMs show CompAction: most of them idle, the chip speeds up or saves memory power. */
static void eq16_idle_chip(bench *b)
{
    chip c;
    open_chip(&c, b, VF_PERFORMANCE);
    chip_cycle(&c, false);
    PLAY(&c, {SMS, 0, VF_HIGH, VF_NORMAL});
    close_chip(&c);
    reopen_bench(b, "vf_vote_sms15");
    open_chip(&c, b, VF_ENERGY);
    chip_cycle(&c, false);
    PLAY(&c, {8, 7, VF_NORMAL, VF_LOW}, {7, 8, VF_LOW, VF_NORMAL});
    close_chip(&c);
}

/* When what: the end of the epoch, the vote, the transition, the new level. */
static void eq14_from_tick_to_level(bench *b)
{
    chip c;
    open_chip(&c, b, VF_PERFORMANCE);
    show_actions(c.vote, SMS, 0);
    for (unsigned i = 0; i < 520; i++) {
        chip_cycle(&c, i == 0);
        assert_int_equal(c.vote->out.valid, i == 1);
        assert_int_equal(c.out[0].busy, i >= 2 && i < 2 + 512);
        assert_int_equal(c.out[0].level, i < 2 + 512 ? VF_NORMAL : VF_HIGH);
    }
    close_chip(&c);
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
    expect_decision(b, record, words);
}

static void log_of_votes(bench *b)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"defaults of the parameters [model]", defaults, NULL, NULL, NULL},
        EACH_VARIANT("reset: no result, counts zero, also with a result pending", variants, reset_state),
        EACH_VARIANT("EQ-12: every SM counts once, by its action", variants, eq12_every_sm_counts),
        BOTH_SIDES("EQ-7: an SM with both actions has none", "vf_vote_sms132", eq7_both_actions_are_none),
        EACH_MODEL("bits beyond the chip's SMs are ignored", variants, bits_beyond_the_chip),
        BOTH_SIDES("EQ-12: the result is there in the cycle after the tick, and only there", "vf_vote_sms15", timing),
        BOTH_SIDES("EQ-12: ticks in consecutive cycles are as many votes", "vf_vote_sms15", ticks_in_a_row),
        BOTH_SIDES("EQ-12: more than half of all SMs, a tie maintains", "vf_vote", eq12_majority_of_all),
        BOTH_SIDES("EQ-12: actions that ask for the same vote together", "vf_vote_sms15", eq12_actions_add_up),
        BOTH_SIDES("EQ-A17: majority of all, of voters, plurality", "vf_vote", eq_a17_readings),
        BOTH_SIDES("EQ-A18: who asks for nothing maintains", "vf_vote_plurality", eq_a18_abstention_maintains),
        BOTH_SIDES("contradictory answers of a domain are none", "vf_vote_voters", contradictory_answers),
        EACH_VARIANT("EQ-12, EQ-A17: ballot by ballot, for all counts", variants, eq12_exhaustive),
        BOTH_SIDES("EQ-13, EQ-17: performance: compute and memory phases, with the domains", "vf_vote_sms15", eq13_performance),
        BOTH_SIDES("EQ-13, EQ-17: energy: compute and memory phases, with the domains", "vf_vote_sms15", eq13_energy),
        BOTH_SIDES("EQ-13, EQ-A23: low to high takes two epochs", "vf_vote_sms15", eq13_two_epochs),
        BOTH_SIDES("EQ-16, EQ-A19: idle SMs vote", "vf_vote_sms15", eq16_idle_chip),
        BOTH_SIDES("EQ-14: from the tick to the new level", "vf_vote_sms15", eq14_from_tick_to_level),
        TWIN_CYCLES("twins agree on random input", variants, 0x707e, 10000, draw_inputs),
        BOTH_SIDES("log: votes", "vf_vote_sms15", log_of_votes),
    };
    return cmocka_run_group_tests_name("vf_vote", tests, NULL, NULL);
}
