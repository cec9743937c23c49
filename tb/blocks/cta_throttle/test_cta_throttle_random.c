/* SPDX-License-Identifier: Apache-2.0
 *
 * cta_throttle for a long time: each side against the rules written down a second time, with
 * the CTAs in a list by age instead of a matrix; what always holds; and an SM with a dispatcher
 * around it, whose kernels must come to an end.
 */
#include <stdio.h>

#include "blocks/cta_throttle/bench.h"
#include "blocks/cta_throttle/invariant.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

enum { MOST = BALLAST_MAX_SLOTS };

static const char *const variants[] = {"cta_throttle",        "cta_throttle_slots1", "cta_throttle_slots32",
                                       "cta_throttle_anydir", "cta_throttle_ask",    "cta_throttle_at_once"};

static bool one_in(uint64_t *seed, unsigned n)
{
    return random_next(seed) % n == 0;
}

static unsigned below(uint64_t *seed, unsigned n)
{
    return (unsigned)(random_next(seed) % n);
}

static uint32_t random_slots(uint64_t *seed)
{
    return (uint32_t)random_next(seed);
}

/* A quarter of them. */
static uint32_t few_slots(uint64_t *seed)
{
    const uint32_t half = random_slots(seed);

    return half & random_slots(seed);
}

/* ---- the rules once more --------------------------------------------------------- */

typedef struct oracle {
    int nmax, blocks, streak, direction;
    bool asked, up; /* an increase is pending; the last vote was for more */
    uint32_t paused;
    int age[MOST], clock; /* when the CTA of a slot came */
} oracle;

/* Slot numbers of a set, the oldest CTA first. */
static int by_age(const oracle *o, uint32_t set, int slots[MOST])
{
    int n = 0;

    for (int slot = 0; slot < MOST; slot++) {
        int at = n;

        if (!(set >> slot & 1))
            continue;
        for (; at > 0 && o->age[slots[at - 1]] > o->age[slot]; at--)
            slots[at] = slots[at - 1];
        slots[at] = slot;
        n++;
    }
    return n;
}

static void oracle_reset(oracle *o, int num_slots)
{
    *o = (oracle){.clock = num_slots};
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

        o->asked = action >= 0 && !came && !in->denied;
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

static void oracle_step(oracle *o, const cta_throttle_cfg *cfg, const cta_throttle_in *in, cta_throttle_out *out)
{
    const int goal = in->follow ? in->target : o->blocks;
    const int limit = goal + (o->asked && !in->follow);
    const bool pausing = in->pause_en && o->nmax > 0;
    uint32_t kept = 0, resident = 0, paused = 0;
    int active[MOST], waiting[MOST];

    *out = (cta_throttle_out){.limit = (uint8_t)limit, .paused = o->paused};
    if (!in->enable)
        return;
    for (int slot = 0; slot < MOST; slot++) {
        const bool started = in->cta_start >> slot & 1;
        const bool stays = in->cta_active >> slot & 1 && !(in->cta_done >> slot & 1);

        if (started)
            o->age[slot] = ++o->clock;
        resident |= (uint32_t)(started || stays) << slot;
        kept |= (uint32_t)(pausing && stays && !started && o->paused >> slot & 1) << slot;
    }
    if (in->kernel_start) {
        o->nmax = o->blocks = in->nmax;
        o->streak = 0;
        o->asked = o->up = false;
        o->paused = 0;
        return;
    }
    const int num_active = by_age(o, resident & ~kept, active), num_waiting = by_age(o, kept, waiting);

    out->req = o->nmax && ((num_active < goal && !num_waiting) || (o->asked && !in->follow && num_active <= o->blocks));
    paused = kept;
    if (pausing && num_active > limit && num_active >= 2)
        paused |= UINT32_C(1) << active[num_active - 1];
    else if (num_waiting && (num_active < goal || num_active == 0))
        paused &= ~(UINT32_C(1) << waiting[0]);
    o->paused = paused;
    if (in->follow) {
        o->streak = 0;
        o->asked = false;
    } else if (o->nmax) {
        const int action = oracle_action(o, cfg, in);

        out->acted = action != 0;
        oracle_blocks(o, cfg, in, action, num_active, paused != 0);
    }
}

static void check_against(const bench *b, const oracle *o, const cta_throttle_out *expected)
{
    const cta_throttle_state *s = state(b);
    const unsigned slots = config(b)->num_slots;

    assert_int_equal(b->out.limit, expected->limit);
    assert_int_equal(b->out.paused, expected->paused);
    assert_int_equal(b->out.req, expected->req);
    assert_int_equal(b->out.acted, expected->acted);
    assert_int_equal(s->num_blocks, o->blocks);
    assert_int_equal(s->nmax, o->nmax);
    assert_int_equal(s->run, o->streak);
    assert_int_equal(s->run_up, o->up);
    assert_int_equal(s->request, o->asked);
    assert_int_equal(s->paused, o->paused);
    for (unsigned i = 0; i < slots; i++)
        for (unsigned j = 0; j < slots; j++)
            assert_int_equal(s->older[i] >> j & 1, i < j && o->age[i] < o->age[j]);
}

/* ---- random inputs --------------------------------------------------------------- */

static void random_ctas(bench *b, uint64_t *seed, unsigned activity)
{
    const unsigned slots = config(b)->num_slots;

    for (unsigned slot = 0; slot < slots; slot++) {
        const uint32_t bit = UINT32_C(1) << slot;

        if (b->held & bit && one_in(seed, activity))
            b->in.cta_done |= bit;
        if ((!(b->held & bit) || b->in.cta_done & bit) && one_in(seed, activity))
            b->in.cta_start |= bit;
    }
}

static void random_inputs(bench *b, uint64_t *seed, unsigned n)
{
    static const char decisions[] = "++++++----------0*";
    static const unsigned activities[] = {3, 20, 100, 400};
    const unsigned slots = config(b)->num_slots;

    random_ctas(b, seed, activities[n / 1000 % 4]);
    b->in.kernel_start = n == 5 || one_in(seed, 300);
    b->in.nmax = (uint8_t)(one_in(seed, 8) ? 0 : 1 + below(seed, slots));
    b->in.denied = one_in(seed, 8);
    if (one_in(seed, 3)) /* long rows of one direction, too */
        set_vote(b, decisions[n / 64 % 2 ? below(seed, 18) : n / 128 % 18]);
    else
        b->in.inc = one_in(seed, 2), b->in.dec = one_in(seed, 2);
    if (one_in(seed, 150))
        b->in.follow = one_in(seed, 3);
    if (one_in(seed, 20))
        b->in.target = (uint8_t)below(seed, slots + 1);
    if (one_in(seed, 200))
        b->in.pause_en = !one_in(seed, 4);
    b->in.enable = !one_in(seed, 50);
}

static void check_variant(const char *name, void **t, uint64_t seed)
{
    bench b;
    oracle o;
    open_bench(&b, name, t);
    oracle_reset(&o, (int)config(&b)->num_slots);
    for (unsigned n = 0; n < 20000; n++) {
        cta_throttle_out expected;
        random_inputs(&b, &seed, n);
        cta_throttle_in in = b.in;
        in.cta_active = b.held | in.cta_start;
        cycle(&b);
        oracle_step(&o, config(&b), &in, &expected);
        check_against(&b, &o, &expected);
    }
    close_bench(&b);
}

static void random_against_rules(void **t)
{
    for (unsigned v = 0; v < sizeof variants / sizeof variants[0]; v++)
        check_variant(variants[v], t, 0x7407 + v);
}

/* The two sides, state for state, where rules are read by nobody: targets beyond Nmax, CTAs that
 * finish in empty slots or vanish, launches into slots in use. */
static void twins_on_impossible_input(void **t)
{
    for (unsigned v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        static const enum lockstep_side model = SIDE_MODEL;
        void *as_model = (void *)(uintptr_t)&model;
        uint64_t seed = 0x2b4d + v;
        bench m, r;
        open_bench(&m, variants[v], &as_model);
        open_bench(&r, variants[v], t);
        const uint32_t all = (uint32_t)((UINT64_C(1) << config(&m)->num_slots) - 1);
        unsigned limits = 1;
        while (limits < config(&m)->num_slots)
            limits = limits << 1 | 1;
        for (unsigned n = 0; n < 20000; n++) {
            random_inputs(&m, &seed, n);
            m.in.cta_active = random_slots(&seed) & all;
            m.in.cta_start = few_slots(&seed) & all;
            m.in.cta_done = few_slots(&seed) & all;
            m.in.target = (uint8_t)(random_next(&seed) & limits);
            dut_cycle(&m.dut, &m.in, &m.out);
            dut_cycle(&r.dut, &m.in, &r.out);
            assert_int_equal(m.out.limit, r.out.limit);
            assert_int_equal(m.out.paused, r.out.paused);
            assert_int_equal(m.out.req, r.out.req);
            assert_int_equal(m.out.acted, r.out.acted);
            assert_same_state(state(&m), state(&r));
            m.in.kernel_start = m.in.tick = m.in.inc = m.in.dec = m.in.denied = 0;
        }
        close_bench(&m);
        close_bench(&r);
    }
}

/* ---- what always holds ----------------------------------------------------------- */

static void check_invariants(const bench *b)
{
    const cta_throttle_state *s = state(b);

    assert_int_equal(s->paused & ~b->held, 0);
    if (s->paused)
        assert_int_not_equal(b->held & ~s->paused, 0); /* PAUSE-5 */
    assert_true(s->num_blocks + s->request <= s->nmax);
    assert_true(s->num_blocks >= 1 || s->nmax == 0);
    if (config(b)->inc_unpause_first)
        assert_false(s->request && s->paused);
    if (!config(b)->grant_feedback)
        assert_int_equal(s->request, 0);
}

static unsigned count(uint32_t set)
{
    unsigned n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

/* Left alone, pausing comes to rest where it should. */
static void check_settled(bench *b)
{
    const unsigned slots = config(b)->num_slots;

    b->in.pause_en = 1;
    cycles(b, slots + 1);
    const uint32_t at_rest = state(b)->paused;
    cycles(b, 3);
    assert_int_equal(state(b)->paused, at_rest);
    const unsigned running = count(b->held & ~at_rest), limit = b->out.limit;
    const unsigned goal = b->in.follow ? b->in.target : state(b)->num_blocks;
    if (state(b)->nmax == 0)
        assert_int_equal(at_rest, 0);
    else if (running > limit)
        assert_int_equal(running, 1);
    else if (at_rest)
        assert_true(running >= goal);
}

static void invariants(void **t)
{
    for (unsigned v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        uint64_t seed = 0x1234 + v;
        bench b;
        open_bench(&b, variants[v], t);
        for (unsigned n = 0; n < 20000; n++) {
            random_inputs(&b, &seed, n);
            b.in.enable = 1;
            cycle(&b);
            check_invariants(&b);
            if (n % 97 == 0)
                check_settled(&b);
        }
        close_bench(&b);
    }
}

/* ---- an SM and a dispatcher ------------------------------------------------------ */

typedef struct sm {
    bench b;
    unsigned grid;       /* CTAs that have not been launched */
    unsigned left[MOST]; /* cycles that a slot's CTA needs   */
    bool asked;          /* req_o of the cycle before        */
    uint64_t seed;
} sm;

static void dispatch(sm *s)
{
    const unsigned nmax = state(&s->b)->nmax;
    unsigned slot = 0;

    if (!s->asked)
        return;
    if (!s->grid || count(s->b.held) >= nmax) {
        s->b.in.denied = 1;
        return;
    }
    while (s->b.held >> slot & 1)
        slot++;
    s->b.in.cta_start = UINT32_C(1) << slot;
    s->left[slot] = 20 + below(&s->seed, 300);
    s->grid--;
}

/* Paused CTAs get on with nothing. */
static void execute(sm *s)
{
    for (unsigned slot = 0; slot < MOST; slot++) {
        const uint32_t bit = UINT32_C(1) << slot;

        if (s->b.held & bit & ~state(&s->b)->paused && --s->left[slot] == 0)
            s->b.in.cta_done |= bit;
    }
}

static void sm_cycle(sm *s)
{
    const unsigned before = state(&s->b)->num_blocks;
    const bool may_pause = s->b.in.pause_en;
    uint32_t kept = state(&s->b)->paused & s->b.held;

    execute(s);
    dispatch(s);
    kept &= ~s->b.in.cta_done;
    cycle(&s->b);
    s->asked = s->b.out.req;
    check_invariants(&s->b);
    assert_true(count(s->b.held) <= state(&s->b)->nmax);
    if (config(&s->b)->inc_unpause_first && may_pause && kept) /* PAUSE-3 */
        assert_false(s->asked);
    /* EQ-A12: a higher number only for a CTA that runs or can be resumed. */
    if (config(&s->b)->grant_feedback && state(&s->b)->num_blocks > before)
        assert_true(count(s->b.held & ~state(&s->b)->paused) > before || state(&s->b)->paused);
}

static void run_grid(sm *s, unsigned nmax, unsigned grid)
{
    static const char decisions[] = "++--0";
    unsigned n = 0;

    start_kernel(&s->b, nmax);
    s->asked = false;
    s->grid = grid;
    while (s->grid || s->b.held) {
        if (++n % 16 == 0)
            set_vote(&s->b, decisions[n / 512 % 2 ? below(&s->seed, 5) : n / 1024 % 5]);
        if (one_in(&s->seed, 700)) {
            s->b.in.follow = one_in(&s->seed, 3);
            s->b.in.target = (uint8_t)(1 + below(&s->seed, nmax));
            s->b.in.pause_en = !one_in(&s->seed, 4);
        }
        sm_cycle(s);
        assert_true(n < grid * 320 + 1000);
    }
}

static void kernels_come_to_an_end(void **t)
{
    for (unsigned v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        sm s = {.seed = 0x900d + v};
        open_bench(&s.b, variants[v], t);
        const unsigned slots = config(&s.b)->num_slots;
        for (unsigned kernel = 0; kernel < 8; kernel++)
            run_grid(&s, 1 + below(&s.seed, slots), 1 + below(&s.seed, 60));
        close_bench(&s.b);
    }
}

/* Three decreases, then nothing: the SM keeps to the lower number without asking for more. */
static void reduced_number_is_kept(void **t)
{
    sm s = {.seed = 0x5eed, .grid = 200};
    unsigned most = 0;
    open_bench(&s.b, "cta_throttle", t);
    start_kernel(&s.b, 8);
    for (unsigned n = 0; n < 2000; n++) {
        if (n >= 100 && n < 109)
            set_vote(&s.b, '-');
        sm_cycle(&s);
        if (n >= 112) {
            const unsigned running = count(s.b.held & ~state(&s.b)->paused);
            assert_int_equal(state(&s.b)->num_blocks, 5);
            assert_true(running <= 5 && running >= 4);
            most = running > most ? running : most;
        }
    }
    assert_int_equal(most, 5);
    close_bench(&s.b);
}

/* Every order of ages, any slots paused, any inputs. */
static void any_step(void **t)
{
    step_fixture f = {0};
    const cta_throttle_cfg *cfg = (const cta_throttle_cfg *)(const void *)&f.side[SIDE_MODEL].cfg;
    unsigned checked = 0;

    (void)t;
    step_open(&f, "cta_throttle", 0xc7a);
    while (checked < 300000) {
        cta_throttle_state s;
        cta_throttle_in in;
        unsigned age[8];

        step_draw(&f, PORT_REG, &s);
        step_draw(&f, PORT_IN, &in);
        in.enable = step_random(&f, 8) != 0;
        in.kernel_start = step_random(&f, 8) == 0;
        in.nmax = (uint8_t)step_random(&f, 9);
        s.nmax = (uint8_t)step_random(&f, 9);
        s.num_blocks = (uint8_t)(s.nmax ? 1 + step_random(&f, s.nmax) : 0);
        s.run = (uint8_t)step_random(&f, cfg->hyst_epochs);
        for (unsigned i = 0; i < 8; i++)
            age[i] = (unsigned)step_random(&f, 1000) * 8 + i;
        for (unsigned i = 0; i < 8; i++) {
            s.older[i] = 0;
            for (unsigned j = i + 1; j < 8; j++)
                s.older[i] |= (uint32_t)(age[i] > age[j]) << j;
        }
        if (cta_throttle_violated(&s, cfg))
            continue;
        step_check(&f, &s, &in);
        checked++;
    }
    step_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("random inputs against the rules, all variants", random_against_rules),
        BOTH_SIDES("the same as the model on impossible input", twins_on_impossible_input),
        BOTH_SIDES("PAUSE-5, EQ-A12: what always holds", invariants),
        BOTH_SIDES("PAUSE-3: kernels come to an end whatever is decided", kernels_come_to_an_end),
        BOTH_SIDES("PAUSE-3: the reduced number is kept", reduced_number_is_kept),
        {"twins: one step from 300 000 states, every order of ages", any_step, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests_name("cta_throttle, random", tests, NULL, NULL);
}
