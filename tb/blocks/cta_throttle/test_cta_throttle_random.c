/* SPDX-License-Identifier: Apache-2.0
 *
 * cta_throttle for a long time: each side against the rules written down a second time, with
 * times of launches instead of an order of slots; what always holds; and an SM with a dispatcher
 * around it, whose kernels must come to an end.
 */
#include <stdio.h>

#include "blocks/cta_throttle/bench.h"
#include "blocks/cta_throttle/invariant.h"
#include "common/popcount.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

enum { MOST = BALLAST_MAX_SLOTS };

static const char *const variants[] = {"cta_throttle",        "cta_throttle_slots1", "cta_throttle_slots32",
                                       "cta_throttle_anydir", "cta_throttle_ask",    "cta_throttle_at_once", NULL};

/* A quarter of them. */
static uint32_t few_slots(uint64_t *seed)
{
    const uint64_t half = random_next(seed);

    return (uint32_t)(half & random_next(seed));
}

/* ---- the rules once more --------------------------------------------------------- */

typedef struct oracle {
    int nmax, blocks, streak, direction;
    bool asked, up; /* an increase is pending; the last vote was for more */
    uint32_t paused;
    int age[MOST], clock; /* when the CTA of a slot was entered */
    uint32_t arrived;     /* launched, and not even on the way to that */
    bool enters;          /* `at` is */
    int ran;              /* CTAs that ran in the cycle before */
    uint32_t runners;     /* those */
    bool moved, sure, too_many, too_few; /* the mask moved at the last edge; what was seen then, if it is sure */
    bool looks, resumes;  /* the search looks at slot `at`, for one to be resumed */
    int at, steps;        /* it has taken so many, modulo the number of slots */
} oracle;

/* Slot number of the CTA that is older than `younger` others. */
static int slot_by_age(const oracle *o, int num_slots, int younger)
{
    for (int slot = 0; slot < num_slots; slot++) {
        int later = 0;

        for (int other = 0; other < num_slots; other++)
            later += o->age[other] > o->age[slot];
        if (later == younger)
            return slot;
    }
    return -1;
}

static void oracle_reset(oracle *o, int num_slots)
{
    *o = (oracle){.clock = num_slots, .moved = true};
    for (int slot = 0; slot < num_slots; slot++)
        o->age[slot] = num_slots - slot;
}

/* -1, 0, +1: what fires in this cycle. */
static int oracle_action(oracle *o, const cta_throttle_cfg *cfg, const cta_throttle_in *in)
{
    const int vote = in->inc - in->dec;

    if (!in->tick)
        return 0;
    if (vote == 0)
        o->streak = 0;
    else if (cfg->hyst_same_dir && o->streak && o->direction != vote)
        o->streak = 1;
    else
        o->streak++;
    if (vote) {
        o->direction = vote;
        o->up = vote > 0;
    }
    if (o->streak < (int)cfg->hyst_epochs)
        return 0;
    o->streak = 0;
    return vote;
}

static void oracle_blocks(oracle *o, const cta_throttle_cfg *cfg, const cta_throttle_in *in, int action,
                          int running, bool some_paused)
{
    if (o->asked) {
        const bool came = running > o->blocks;

        o->asked = action >= 0 && !came && (!in->denied || in->cta_start);
        o->blocks += action >= 0 && came;
    } else if (action < 0) {
        o->blocks -= o->blocks > 1;
    } else if (action > 0 && o->blocks < o->nmax) {
        if (!cfg->grant_feedback || (some_paused && cfg->inc_unpause_first))
            o->blocks++;
        else
            o->asked = true;
    }
}

static int slots_in(uint32_t set)
{
    return (int)ballast_popcount64(set);
}

/* The search takes a step, waits where it has found somebody, or gives way to launches and begins anew. */
static void oracle_search(oracle *o, int num_slots, const cta_throttle_in *in)
{
    const bool found = o->looks && in->cta_active >> o->at & 1 && (o->paused >> o->at & 1) == o->resumes;
    const bool resumes = !o->sure ? o->resumes : o->paused && !o->too_many;
    const int entering = o->enters ? o->at : -1;
    int first = 0;

    while (o->arrived && !(o->arrived >> first & 1))
        first++;
    if (o->arrived || entering >= 0 || resumes != o->resumes || !in->pause_en || in->kernel_start) {
        o->looks = false;
        o->resumes = resumes;
        o->steps = 0;
        o->at = first;
    } else if (!found) {
        o->at = slot_by_age(o, num_slots, o->resumes ? num_slots - 1 - o->steps : o->steps);
        o->steps = (o->steps + 1) % num_slots;
        o->looks = true;
    }
    if (entering >= 0)
        o->age[entering] = ++o->clock;
    o->enters = o->arrived != 0;
    if (o->enters)
        o->arrived &= ~(UINT32_C(1) << first);
    o->arrived |= in->cta_start;
}

/* Who is paused or resumed at this edge. */
static uint32_t oracle_taken(const oracle *o, const cta_throttle_in *in)
{
    const uint32_t one = UINT32_C(1) << o->at, candidates = in->cta_active & (o->resumes ? o->paused : ~o->paused);
    const bool reason = o->resumes ? o->too_few : o->too_many && !o->asked;

    if (in->kernel_start || !o->nmax || !in->pause_en || !o->sure || in->cta_start || in->cta_done || in->tick || !o->looks)
        return 0;
    return reason ? one & candidates : 0;
}

static void oracle_step(oracle *o, const cta_throttle_cfg *cfg, const cta_throttle_in *in, cta_throttle_out *out)
{
    const int goal = in->follow ? in->target : o->blocks;
    const int limit = goal + (o->asked && !in->follow);
    const uint32_t stays = in->cta_active & ~in->cta_done & ~in->cta_start;
    const bool place = o->ran < goal && !o->paused, increase = o->asked && !in->follow && o->ran <= o->blocks;

    *out = (cta_throttle_out){.limit = (uint8_t)limit, .paused = o->paused};
    if (!in->enable)
        return;
    const uint32_t taken = oracle_taken(o, in), waiting = in->pause_en && !in->kernel_start ? o->paused & stays : 0;
    const bool sure = !o->moved && !in->cta_start && !in->cta_done && !in->kernel_start && !taken;
    const bool too_many = o->ran > goal && o->ran >= 2 && !o->asked, too_few = o->ran < goal || o->ran < 1;

    oracle_search(o, (int)cfg->num_slots, in);
    if (in->kernel_start) {
        o->nmax = o->blocks = in->nmax;
        o->streak = 0;
        o->asked = o->up = false;
    } else {
        out->req = o->nmax && !o->moved && !in->cta_start && (place || increase);
        if (in->follow) {
            o->streak = 0;
            o->asked = false;
        } else if (o->nmax) {
            const int action = oracle_action(o, cfg, in);

            out->acted = action != 0;
            oracle_blocks(o, cfg, in, action, o->moved ? 0 : o->ran, waiting != 0);
        }
    }
    o->paused = waiting ^ taken;
    o->moved = taken != 0;
    o->sure = sure;
    o->too_many = too_many;
    o->too_few = too_few;
    o->runners = (stays | in->cta_start) & ~waiting;
    o->ran = slots_in(o->runners);
}

static void check_against(const bench *b, const oracle *o, const cta_throttle_out *expected)
{
    const cta_throttle_state *s = state(b);
    const int slots = (int)config(b)->num_slots;
    int counted = 0;

    expect(b, "limit_o=%u paused_o=%u req_o=%u acted_o=%u", expected->limit, expected->paused, expected->req,
           expected->acted);
    expect(b, "num_blocks_q=%d nmax_q=%d run_q=%d run_up_q=%d request_q=%d paused_q=%u", o->blocks, o->nmax, o->streak, o->up,
           o->asked, o->paused);
    expect(b, "known_q=%d judged_q=%d many_q=%d few_q=%d fresh_q=%u moves_q=%d slot_q=%d tests_q=%d up_q=%d next_q=%d", !o->moved,
           o->sure, o->too_many, o->too_few, o->arrived, o->enters, o->at, o->looks, o->resumes, o->steps);
    for (int i = 0; i < slots; i++)
        assert_int_equal(s->order[i], slot_by_age(o, slots, i));
    for (unsigned part = 0; part < ballast_slot_parts(config(b)->num_slots); part++) {
        const unsigned size = ballast_part_slots(config(b)->num_slots);

        assert_int_equal(s->count[part], slots_in(o->runners >> (part * size) & ((UINT32_C(1) << size) - 1)));
        counted += s->count[part];
    }
    assert_int_equal(counted, o->ran);
}

/* ---- random inputs --------------------------------------------------------------- */

static void random_ctas(cta_throttle_in *in, unsigned slots, uint32_t held, uint64_t *seed, unsigned activity)
{
    for (unsigned slot = 0; slot < slots; slot++) {
        const uint32_t bit = UINT32_C(1) << slot;

        if (held & bit && random_one_in(seed, activity))
            in->cta_done |= bit;
        if ((!(held & bit) || in->cta_done & bit) && random_one_in(seed, activity))
            in->cta_start |= bit;
    }
}

static void random_inputs(cta_throttle_in *in, const cta_throttle_cfg *cfg, uint32_t held, uint64_t *seed, unsigned n)
{
    static const char directions[] = "++++++----------0*";
    static const unsigned activities[] = {3, 20, 100, 400};
    const unsigned slots = cfg->num_slots;

    random_ctas(in, slots, held, seed, activities[n / 1000 % 4]);
    in->kernel_start = n == 5 || random_one_in(seed, 300);
    in->nmax = (uint8_t)(random_one_in(seed, 8) ? 0 : in->kernel_start ? 1 + random_below(seed, slots) : random_next(seed));
    in->denied = random_one_in(seed, 8);
    if (random_one_in(seed, 3)) /* long rows of one direction, too */
        set_direction(in, directions[n / 64 % 2 ? random_below(seed, 18) : n / 128 % 18]);
    else
        in->inc = random_one_in(seed, 2), in->dec = random_one_in(seed, 2);
    if (random_one_in(seed, 150))
        in->follow = random_one_in(seed, 3);
    if (random_one_in(seed, 20))
        in->target = (uint8_t)random_below(seed, slots + 1);
    if (random_one_in(seed, 200))
        in->pause_en = !random_one_in(seed, 4);
    in->enable = !random_one_in(seed, 50);
}

static void random_against_rules(bench *b)
{
    uint64_t seed = 0x7407 + config(b)->num_slots;
    oracle o;

    oracle_reset(&o, (int)config(b)->num_slots);
    for (unsigned n = 0; n < 20000; n++) {
        cta_throttle_out expected;

        random_inputs(&b->in, config(b), b->held, &seed, n);
        keep_ranges(b);
        cycle(b);
        oracle_step(&o, config(b), &b->seen, &expected);
        check_against(b, &o, &expected);
    }
}

/* The two sides, state for state, where rules are read by nobody: targets beyond Nmax, CTAs that
 * finish in empty slots or vanish, launches into slots in use. */
static void draw_impossible(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    const unsigned slots = ((const cta_throttle_cfg *)cfg)->num_slots;
    const uint32_t all = (uint32_t)((UINT64_C(1) << slots) - 1);
    cta_throttle_in *in = inputs;
    unsigned limits = 1;

    while (limits < slots)
        limits = limits << 1 | 1;
    in->tick = 0;
    random_inputs(in, cfg, 0, seed, n);
    in->cta_active = (uint32_t)random_next(seed) & all;
    in->cta_start = few_slots(seed) & all;
    in->cta_done = few_slots(seed) & all;
    in->target = (uint8_t)(random_next(seed) & limits);
}

/* ---- what always holds ----------------------------------------------------------- */

static void check_invariants(const bench *b)
{
    const cta_throttle_state *s = state(b);

    assert_int_equal(s->paused & ~b->held, 0);
    if (s->paused & ~b->out.paused)
        assert_int_not_equal(b->held & ~s->paused, 0); /* PAUSE-5: whoever is paused, another one runs */
    assert_true(s->num_blocks + s->request <= s->nmax);
    assert_true(s->num_blocks >= 1 || s->nmax == 0);
    if (config(b)->inc_unpause_first)
        assert_false(s->request && s->paused);
    if (!config(b)->grant_feedback)
        assert_int_equal(s->request, 0);
}

/* Left alone, pausing comes to rest where it should. */
static void check_settled(bench *b)
{
    const unsigned slots = config(b)->num_slots;

    b->in.pause_en = 1;
    cycles(b, 5 * slots + 8);
    const uint32_t at_rest = state(b)->paused;
    cycles(b, 3);
    assert_int_equal(state(b)->paused, at_rest);
    const unsigned running = ballast_popcount64(b->held & ~at_rest), limit = b->out.limit;
    const unsigned goal = b->in.follow ? b->in.target : state(b)->num_blocks;
    if (state(b)->nmax == 0)
        assert_int_equal(at_rest, 0);
    else if (running > limit)
        assert_int_equal(running, 1);
    else if (at_rest)
        assert_true(running >= goal);
}

static void invariants(bench *b)
{
    uint64_t seed = 0x1234 + config(b)->num_slots;

    for (unsigned n = 0; n < 20000; n++) {
        random_inputs(&b->in, config(b), b->held, &seed, n);
        keep_ranges(b);
        b->in.enable = 1;
        cycle(b);
        check_invariants(b);
        if (n % 97 == 0)
            check_settled(b);
    }
}

/* ---- an SM and a dispatcher ------------------------------------------------------ */

typedef struct sm {
    bench *b;            /* the test's */
    unsigned grid;       /* CTAs that have not been launched */
    unsigned left[MOST]; /* cycles that a slot's CTA needs   */
    bool asked;          /* req_o of the cycle before        */
    uint64_t seed;
} sm;

static void dispatch(sm *s)
{
    const unsigned nmax = state(s->b)->nmax;
    unsigned slot = 0;

    if (!s->asked)
        return;
    if (!s->grid || ballast_popcount64(s->b->held) >= nmax) {
        s->b->in.denied = 1;
        return;
    }
    while (s->b->held >> slot & 1)
        slot++;
    s->b->in.cta_start = UINT32_C(1) << slot;
    s->left[slot] = 20 + random_below(&s->seed, 300);
    s->grid--;
}

/* Paused CTAs get on with nothing. */
static void execute(sm *s)
{
    for (unsigned slot = 0; slot < MOST; slot++) {
        const uint32_t bit = UINT32_C(1) << slot;

        if (s->b->held & bit & ~state(s->b)->paused && --s->left[slot] == 0)
            s->b->in.cta_done |= bit;
    }
}

static void sm_cycle(sm *s)
{
    const unsigned before = state(s->b)->num_blocks;
    uint32_t kept = state(s->b)->paused & s->b->held;

    execute(s);
    dispatch(s);
    kept &= ~s->b->in.cta_done;
    cycle(s->b);
    s->asked = s->b->out.req;
    check_invariants(s->b);
    assert_true(ballast_popcount64(s->b->held) <= state(s->b)->nmax);
    if (config(s->b)->inc_unpause_first && kept) /* PAUSE-3 */
        assert_false(s->asked);
    /* EQ-A12: a higher number only for a CTA that runs or can be resumed. */
    if (config(s->b)->grant_feedback && state(s->b)->num_blocks > before)
        assert_true(ballast_popcount64(s->b->held & ~state(s->b)->paused) > before || state(s->b)->paused);
}

static void run_grid(sm *s, unsigned nmax, unsigned grid)
{
    static const char directions[] = "++--0";
    unsigned n = 0;

    start_kernel(s->b, nmax);
    s->asked = false;
    s->grid = grid;
    while (s->grid || s->b->held) {
        if (++n % 16 == 0)
            set_vote(s->b, directions[n / 512 % 2 ? random_below(&s->seed, 5) : n / 1024 % 5]);
        if (random_one_in(&s->seed, 700)) {
            s->b->in.follow = random_one_in(&s->seed, 3);
            s->b->in.target = (uint8_t)(1 + random_below(&s->seed, nmax));
            s->b->in.pause_en = !random_one_in(&s->seed, 4);
        }
        sm_cycle(s);
        assert_true(n < grid * 320 + 1000);
    }
}

static void kernels_come_to_an_end(bench *b)
{
    const unsigned slots = config(b)->num_slots;
    sm s = {.b = b, .seed = 0x900d + slots};

    for (unsigned kernel = 0; kernel < 8; kernel++)
        run_grid(&s, 1 + random_below(&s.seed, slots), 1 + random_below(&s.seed, 60));
}

/* Three decreases, then nothing: the SM keeps to the lower number without asking for more. A place is empty only until the next CTA
 * has been resumed or launched, a few cycles each time. */
static void reduced_number_is_kept(bench *b)
{
    sm s = {.b = b, .seed = 0x5eed, .grid = 200};
    unsigned all = 0;

    start_kernel(b, 8);
    for (unsigned n = 0; n < 2140; n++) {
        if (n >= 100 && n < 109)
            set_vote(b, '-');
        sm_cycle(&s);
        if (n >= 140) {
            const unsigned running = ballast_popcount64(b->held & ~state(b)->paused);

            assert_int_equal(state(b)->num_blocks, 5);
            assert_true(running <= 5);
            all += running == 5;
        }
    }
    assert_in_range(all, 1600, 2000);
}

/* Every order of ages, and a search that has come to any place of it. */
static void draw_search(step_fixture *f, cta_throttle_state *s, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++) {
        const unsigned other = (unsigned)step_random(f, i + 1);

        s->order[i] = s->order[other];
        s->order[other] = (uint8_t)i;
    }
    s->next = (uint8_t)step_random(f, slots);
    s->tests = (uint8_t)step_random(f, 2);
    s->slot = (uint8_t)step_random(f, slots);
    if (!s->tests) {
        s->next = 0;
        return;
    }
    s->moves = 0;
    s->slot = s->order[cta_throttle_place(s, slots)];
    if (s->up)
        s->paused &= ~cta_throttle_left_behind(s, slots, s->paused);
}

/* Any slots paused, any inputs; the order of ages is drawn with it. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const cta_throttle_cfg *cfg = step_config(f);
    cta_throttle_state *s = registers;
    cta_throttle_in *in = inputs;

    step_draw(f, PORT_REG, s);
    step_draw(f, PORT_IN, in);
    in->enable = step_random(f, 8) != 0;
    in->kernel_start = step_random(f, 8) == 0;
    s->nmax = (uint8_t)step_random(f, 9);
    s->num_blocks = (uint8_t)(s->nmax ? 1 + step_random(f, s->nmax) : 0);
    s->run = (uint8_t)step_random(f, cfg->hyst_epochs);
    s->request = s->num_blocks < s->nmax && step_random(f, 4) == 0;
    if (!s->nmax || s->request)
        s->paused = 0;
    draw_search(f, s, cfg->num_slots);
    for (unsigned part = 0; part < ballast_slot_parts(cfg->num_slots); part++)
        s->count[part] = (uint8_t)step_random(f, ballast_part_slots(cfg->num_slots) + 1);
    return !cta_throttle_violated(s, cfg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("random inputs against the rules, all variants", variants, random_against_rules),
        TWIN_CYCLES("the same as the model on impossible input", variants, 0x2b4d, 20000, draw_impossible),
        EACH_VARIANT("PAUSE-5, EQ-A12: what always holds", variants, invariants),
        EACH_VARIANT("PAUSE-3: kernels come to an end whatever is decided", variants, kernels_come_to_an_end),
        BOTH_SIDES("PAUSE-3: the reduced number is kept", "cta_throttle", reduced_number_is_kept),
        TWIN_STEPS("twins: one step from 300 000 states, every order of ages", "cta_throttle", 0xc7a, 300000, draw_step),
    };
    return cmocka_run_group_tests_name("cta_throttle, random", tests, NULL, NULL);
}
