/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a VF domain, each on the model and on the RTL: Table I, one step per request,
 * the length of a transition.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "chip/vf_domain.h"
#include "engine/decision_fixture.h"
#include "engine/dut.h"
#include "engine/random.h"
#include "engine/sides.h"

typedef struct bench {
    dut dut;
    vf_domain_in in;
    vf_domain_out out;
} bench;

/* Every value of every parameter. */
static const char *const variants[] = {"vf_domain", "vf_domain_mem", "vf_domain_literal", "vf_domain_hold",
                                       "vf_domain_memhold"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const vf_domain_state *state(const bench *b)
{
    return (const vf_domain_state *)(const void *)&b->dut.state;
}

static const vf_domain_cfg *config(const bench *b)
{
    return (const vf_domain_cfg *)(const void *)&b->dut.cfg;
}

static void open_bench(bench *b, const char *name, void **test)
{
    memset(b, 0, sizeof *b);
    assert_true(dut_open(&b->dut, name, side_of(test)));
}

static void cycle(bench *b)
{
    dut_cycle(&b->dut, &b->in, &b->out);
}

/* One cycle with a vote: +1 up, -1 down, 0 maintain. */
static void request(bench *b, int step)
{
    b->in.valid = 1;
    b->in.up = step > 0;
    b->in.down = step < 0;
    cycle(b);
    b->in.valid = b->in.up = b->in.down = 0;
}

/* The request and all of its transition; how many cycles the domain was busy. */
static uint32_t walk(bench *b, int step)
{
    uint32_t busy = 0;

    request(b, step);
    assert_int_equal(b->out.busy, 0);
    for (cycle(b); b->out.busy; cycle(b))
        assert_true(++busy <= config(b)->transition);
    return busy;
}

static void load(bench *b, int level, int next, uint32_t timer)
{
    const vf_domain_state s = {.level = (uint8_t)level, .next = (uint8_t)next, .timer = timer};
    union {
        vf_domain_state s;
        lockstep_values room;
    } to;

    memset(&to, 0, sizeof to);
    to.s = s;
    dut_load(&b->dut, &to);
}

#define assert_registers(b, level_, next_, timer_)         \
    do {                                                   \
        assert_int_equal(state(b)->level, level_);         \
        assert_int_equal(state(b)->next, next_);           \
        assert_int_equal(state(b)->timer, timer_);         \
    } while (0)

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void defaults(void **t)
{
    const vf_domain_cfg cfg = vf_domain_cfg_default();

    (void)t;
    assert_int_equal(cfg.domain, VF_DOMAIN_SM);
    assert_int_equal(cfg.maintain, VF_MAINTAIN_NORMAL);
    assert_int_equal(cfg.table1_literal, 0);
    assert_int_equal(cfg.transition, 512);
    assert_int_equal(cfg.vrm_stall, 0);
}

/* ---- levels and requests ----------------------------------------------------------- */

static void reset_state(void **t)
{
    for (unsigned v = 0; v < VARIANTS; v++) {
        bench b;
        open_bench(&b, variants[v], t);
        assert_registers(&b, VF_NORMAL, VF_NORMAL, 0);
        cycle(&b);
        assert_int_equal(b.out.level, VF_NORMAL);
        assert_int_equal(b.out.busy, 0);
        assert_int_equal(b.out.stall, 0);
        request(&b, +1);
        if (config(&b)->transition > 1)
            cycle(&b);
        dut_reset(&b.dut); /* in the midst of a transition */
        assert_registers(&b, VF_NORMAL, VF_NORMAL, 0);
        dut_close(&b.dut);
    }
}

static void eq13_one_step_per_request(void **t)
{
    static const int steps[] = {-1, +1, +1, -1, -1, +1};
    for (unsigned v = 0; v < VARIANTS; v++) {
        int level = VF_NORMAL;
        bench b;
        open_bench(&b, variants[v], t);
        for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            assert_int_equal(walk(&b, steps[i]), config(&b)->transition);
            level += steps[i];
            assert_int_equal(b.out.level, level);
            assert_registers(&b, level, level, 0);
        }
        dut_close(&b.dut);
    }
}

static void eq13_bounds(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    walk(&b, +1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(walk(&b, +1), 0); /* no transition to nowhere */
    assert_registers(&b, VF_HIGH, VF_HIGH, 0);
    walk(&b, -1);
    walk(&b, -1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(walk(&b, -1), 0);
    assert_registers(&b, VF_LOW, VF_LOW, 0);
    dut_close(&b.dut);
}

/* A step needs a vote, and a vote for one direction. */
static void eq12_what_is_no_request(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    for (unsigned bits = 0; bits < 8; bits++) {
        const bool valid = bits & 1, up = bits & 2, down = bits & 4;

        for (int level = VF_LOW; level <= VF_HIGH; level++) {
            const int step = valid ? up - down : 0;
            const bool moves = step && level + step >= VF_LOW && level + step <= VF_HIGH;

            load(&b, level, level, 0);
            b.in = (vf_domain_in){.valid = valid, .up = up, .down = down};
            cycle(&b);
            assert_registers(&b, level, moves ? level + step : level, moves ? 512 : 0);
        }
    }
    dut_close(&b.dut);
}

/* A request in cycle t: busy from t+1 to t+Transition, the new level from t+Transition+1 on. */
static void eq14_transition(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    assert_int_equal(config(&b)->transition, 512);
    request(&b, +1);
    assert_int_equal(b.out.busy, 0);
    assert_registers(&b, VF_NORMAL, VF_HIGH, 512);
    for (unsigned i = 1; i <= 512; i++) {
        cycle(&b);
        assert_int_equal(b.out.busy, 1);
        assert_int_equal(b.out.level, VF_NORMAL);
        assert_registers(&b, i < 512 ? VF_NORMAL : VF_HIGH, VF_HIGH, 512 - i);
    }
    cycle(&b);
    assert_int_equal(b.out.busy, 0);
    assert_int_equal(b.out.level, VF_HIGH);
    dut_close(&b.dut);
}

static void eq14_lengths(void **t)
{
    static const struct { const char *name; uint32_t cycles; } cases[] = {
        {"vf_domain", 512}, {"vf_domain_literal", 65535}, {"vf_domain_hold", 3}, {"vf_domain_memhold", 1}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        open_bench(&b, cases[i].name, t);
        assert_int_equal(walk(&b, -1), cases[i].cycles);
        assert_int_equal(b.out.level, VF_LOW);
        dut_close(&b.dut);
    }
}

/* A request in any cycle of a transition is lost, the last one's included; the next is not. */
static void eq_a22_busy_ignores_requests(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    for (int step = -1; step <= 1; step += 2) {
        load(&b, VF_NORMAL, VF_NORMAL, 0);
        request(&b, +1);
        for (unsigned i = 1; i <= 512; i++) {
            request(&b, step);
            assert_registers(&b, i < 512 ? VF_NORMAL : VF_HIGH, VF_HIGH, 512 - i);
        }
        request(&b, -1);
        assert_registers(&b, VF_HIGH, VF_NORMAL, 512);
    }
    dut_close(&b.dut);
}

/* With the shortest transition there is a request every other cycle. */
static void eq_a22_back_to_back(void **t)
{
    bench b;
    open_bench(&b, "vf_domain_memhold", t);
    for (unsigned i = 0; i < 6; i++) {
        const bool up = i % 2;

        request(&b, up ? +1 : -1);
        assert_registers(&b, up ? VF_LOW : VF_NORMAL, up ? VF_NORMAL : VF_LOW, 1);
        request(&b, up ? +1 : -1); /* busy */
        assert_int_equal(b.out.busy, 1);
        assert_registers(&b, up ? VF_NORMAL : VF_LOW, up ? VF_NORMAL : VF_LOW, 0);
    }
    dut_close(&b.dut);
}

static void eq_a23_mode_switch(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    for (int level = VF_LOW; level <= VF_HIGH; level++) {
        load(&b, level, level, 0);
        for (unsigned i = 0; i < 4; i++) {
            b.in.mode = i & 1;
            cycle(&b);
            assert_registers(&b, level, level, 0);
        }
    }
    b.in.mode = VF_PERFORMANCE;
    load(&b, VF_NORMAL, VF_NORMAL, 0);
    request(&b, +1);
    b.in.mode = VF_ENERGY; /* too late for the transition under way */
    for (unsigned i = 0; i < 512; i++)
        cycle(&b);
    assert_registers(&b, VF_HIGH, VF_HIGH, 0);
    dut_close(&b.dut);
}

static void eq_a21_stall(void **t)
{
    for (unsigned v = 0; v < VARIANTS; v++) {
        bench b;
        open_bench(&b, variants[v], t);
        load(&b, VF_NORMAL, VF_HIGH, 1);
        cycle(&b);
        assert_int_equal(b.out.busy, 1);
        assert_int_equal(b.out.stall, !strcmp(variants[v], "vf_domain_hold"));
        cycle(&b);
        assert_int_equal(b.out.busy, 0);
        assert_int_equal(b.out.stall, 0);
        dut_close(&b.dut);
    }
}

/* ---- Table I ------------------------------------------------------------------------ */

enum action { COMP, MEM };
enum { HOLD = -1 }; /* no level is wished for */

/* What an action asks for now: -1, 0, +1. */
static int asks(const bench *b, enum action a)
{
    const int up = a == COMP ? b->out.comp_up : b->out.mem_up;
    const int down = a == COMP ? b->out.comp_down : b->out.mem_down;

    assert_false(up && down);
    return up - down;
}

static void eq_table1(void **t)
{
    /* By mode and action: the level that Table I aims at. */
    static const struct { const char *name; int target[2][2]; } cases[] = {
        {"vf_domain",         {[VF_ENERGY] = {[COMP] = VF_NORMAL, [MEM] = VF_LOW},
                               [VF_PERFORMANCE] = {[COMP] = VF_HIGH, [MEM] = VF_NORMAL}}},
        {"vf_domain_mem",     {[VF_ENERGY] = {[COMP] = VF_LOW, [MEM] = VF_NORMAL},
                               [VF_PERFORMANCE] = {[COMP] = VF_NORMAL, [MEM] = VF_HIGH}}},
        {"vf_domain_literal", {[VF_ENERGY] = {[COMP] = VF_LOW, [MEM] = VF_LOW}, /* EQ-A16 */
                               [VF_PERFORMANCE] = {[COMP] = VF_NORMAL, [MEM] = VF_HIGH}}},
        {"vf_domain_hold",    {[VF_ENERGY] = {[COMP] = HOLD, [MEM] = VF_LOW}, /* EQ-A15 */
                               [VF_PERFORMANCE] = {[COMP] = VF_HIGH, [MEM] = HOLD}}},
        {"vf_domain_memhold", {[VF_ENERGY] = {[COMP] = VF_LOW, [MEM] = HOLD},
                               [VF_PERFORMANCE] = {[COMP] = HOLD, [MEM] = VF_HIGH}}}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        open_bench(&b, cases[i].name, t);
        for (uint8_t mode = 0; mode < 2; mode++) {
            for (int level = VF_LOW; level <= VF_HIGH; level++) {
                load(&b, level, level, 0);
                b.in.mode = mode;
                cycle(&b);
                for (enum action a = COMP; a <= MEM; a++) {
                    const int target = cases[i].target[mode][a];
                    assert_int_equal(asks(&b, a), target == HOLD ? 0 : sign(target - level));
                }
            }
        }
        dut_close(&b.dut);
    }
}

/* Follows the wishes of one action after the other, epoch by epoch; the level afterwards. */
static int epochs(bench *b, unsigned n, enum action a)
{
    while (n--) {
        cycle(b);
        walk(b, asks(b, a));
    }
    return b->out.level;
}

static void eq_a15_maintain_returns_to_normal(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    b.in.mode = VF_PERFORMANCE;
    assert_int_equal(epochs(&b, 3, COMP), VF_HIGH);
    assert_int_equal(epochs(&b, 3, MEM), VF_NORMAL);
    b.in.mode = VF_ENERGY;
    assert_int_equal(epochs(&b, 3, MEM), VF_LOW);
    assert_int_equal(epochs(&b, 3, COMP), VF_NORMAL);
    assert_int_equal(epochs(&b, 1, MEM), VF_LOW);
    b.in.mode = VF_PERFORMANCE; /* EQ-13: two epochs from low to high */
    assert_int_equal(epochs(&b, 1, COMP), VF_NORMAL);
    assert_int_equal(epochs(&b, 1, COMP), VF_HIGH);
    dut_close(&b.dut);
}

static void eq_a15_hold_is_monotone(void **t)
{
    bench b;
    open_bench(&b, "vf_domain_hold", t);
    b.in.mode = VF_PERFORMANCE;
    assert_int_equal(epochs(&b, 2, COMP), VF_HIGH);
    assert_int_equal(epochs(&b, 3, MEM), VF_HIGH);
    b.in.mode = VF_ENERGY;
    assert_int_equal(epochs(&b, 3, COMP), VF_HIGH);
    assert_int_equal(epochs(&b, 1, MEM), VF_NORMAL);
    assert_int_equal(epochs(&b, 1, MEM), VF_LOW);
    assert_int_equal(epochs(&b, 3, COMP), VF_LOW);
    dut_close(&b.dut);
}

/* The answers are about the level that holds, not about the one to come. */
static void answers_in_a_transition(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    b.in.mode = VF_PERFORMANCE;
    load(&b, VF_NORMAL, VF_HIGH, 2);
    for (unsigned i = 0; i < 3; i++) {
        cycle(&b);
        assert_int_equal(asks(&b, COMP), i < 2 ? +1 : 0);
        assert_int_equal(asks(&b, MEM), i < 2 ? 0 : -1);
    }
    dut_close(&b.dut);
}

/* The mode of this very cycle counts. */
static void mode_shows_at_once(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    for (unsigned i = 0; i < 6; i++) {
        b.in.mode = i & 1;
        cycle(&b);
        assert_int_equal(asks(&b, COMP), i & 1 ? +1 : 0);
        assert_int_equal(asks(&b, MEM), i & 1 ? 0 : -1);
    }
    dut_close(&b.dut);
}

/* ---- what never comes about ------------------------------------------------------------ */

static void illegal_level_is_high(void **t)
{
    bench b;
    open_bench(&b, "vf_domain", t);
    b.in.mode = VF_PERFORMANCE;
    load(&b, 3, 3, 0);
    cycle(&b);
    assert_int_equal(b.out.level, VF_HIGH);
    assert_int_equal(asks(&b, COMP), 0);
    assert_int_equal(asks(&b, MEM), -1);
    assert_registers(&b, VF_HIGH, VF_HIGH, 0); /* left at the next edge */
    load(&b, 3, VF_LOW, 0);
    request(&b, +1);
    assert_registers(&b, VF_HIGH, VF_HIGH, 0);
    load(&b, 3, 3, 0);
    request(&b, -1);
    assert_registers(&b, VF_HIGH, VF_NORMAL, 512);
    load(&b, 3, VF_NORMAL, 9);
    cycle(&b);
    assert_registers(&b, VF_HIGH, VF_NORMAL, 8);
    load(&b, VF_NORMAL, 3, 2);
    cycle(&b);
    assert_registers(&b, VF_NORMAL, VF_HIGH, 1);
    load(&b, VF_NORMAL, 3, 1);
    cycle(&b);
    assert_registers(&b, VF_HIGH, VF_HIGH, 0);
    dut_close(&b.dut);
}

/* ---- twins ---------------------------------------------------------------------------- */

static void assert_twins(const bench *m, const bench *r)
{
    assert_memory_equal(&m->out, &r->out, sizeof m->out); /* bytes only: no padding */
    assert_registers(m, state(r)->level, state(r)->next, state(r)->timer);
}

static void step_both(bench *m, bench *r, const vf_domain_in *in)
{
    m->in = r->in = *in;
    cycle(m);
    cycle(r);
    assert_twins(m, r);
}

/* Every pair of levels, around every case of the timer, with every input. */
static void twins_everywhere(bench *m, bench *r)
{
    /* Also what no transition is long enough for: the register holds it, so both sides count it down. */
    const uint32_t most = UINT32_MAX >> __builtin_clz(config(m)->transition);
    const uint32_t timers[] = {0, 1, 2, config(m)->transition, most};

    for (unsigned i = 0; i < 5 * 16 * 16; i++) {
        const int level = (int)(i & 3), next = (int)(i >> 2 & 3);
        const vf_domain_in in = {.mode = i >> 4 & 1, .valid = i >> 5 & 1, .up = i >> 6 & 1, .down = i >> 7 & 1};
        const uint32_t timer = timers[i >> 8];

        if (timer > most)
            continue;
        load(m, level, next, timer);
        load(r, level, next, timer);
        step_both(m, r, &in);
    }
}

static void twins_agree(void **t)
{
    static const enum lockstep_side sides[] = {SIDE_MODEL, SIDE_RTL};
    uint64_t seed = 0xd0a1;

    (void)t;
    for (unsigned v = 0; v < VARIANTS; v++) {
        bench both[2];
        for (unsigned s = 0; s < 2; s++) {
            memset(&both[s], 0, sizeof both[s]);
            assert_true(dut_open(&both[s].dut, variants[v], sides[s]));
        }
        twins_everywhere(&both[0], &both[1]);
        for (unsigned i = 0; i < 20000; i++) {
            const uint64_t x = random_next(&seed);
            const vf_domain_in in = {
                .mode = x >> 10 & 1, .valid = x % 8 == 0, .up = x >> 11 & 1, .down = x >> 12 & 1};

            step_both(&both[0], &both[1], &in);
        }
        dut_close(&both[0].dut);
        dut_close(&both[1].dut);
    }
}

/* ---- the log ------------------------------------------------------------------------- */

static void expect_step(const char *variant, int step, const char *request_record, const char *request_words,
                        const char *level_record, const char *level_words, void **t)
{
    vf_domain_state before;
    unsigned count = 0;
    bench b;

    open_bench(&b, variant, t);
    before = *state(&b);
    request(&b, step);
    tell(&b.dut, &count, &before, &b.in, &b.out);
    expect_told(request_record, request_words);
    while (state(&b)->timer != 1)
        cycle(&b);
    before = *state(&b);
    cycle(&b);
    tell(&b.dut, &count, &before, &b.in, &b.out);
    expect_told(level_record, level_words);
    dut_close(&b.dut);
}

static void log_of_levels(void **t)
{
    expect_step("vf_domain", +1, "vf_domain EQ-13 request: domain=SM cycles=512 | level=normal next=normal | level=normal next=high",
                "request up: normal -> high in 512 cycles",
                "vf_domain EQ-14 level: domain=SM | level=normal next=high | level=high next=high", "level high", t);
    expect_step("vf_domain_mem", -1,
                "vf_domain EQ-13 request: domain=memory cycles=512 | level=normal next=normal | level=normal next=low",
                "request down: normal -> low in 512 cycles",
                "vf_domain EQ-14 level: domain=memory | level=normal next=low | level=low next=low", "level low", t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"defaults of the parameters [model]", defaults, NULL, NULL, NULL},
        BOTH_SIDES("reset: normal, at rest, also out of a transition", reset_state),
        BOTH_SIDES("EQ-9, EQ-13: each request moves the level by one", eq13_one_step_per_request),
        BOTH_SIDES("EQ-13: no request leads beyond low or high", eq13_bounds),
        BOTH_SIDES("EQ-12: a step needs a vote for exactly one direction", eq12_what_is_no_request),
        BOTH_SIDES("EQ-14: busy for 512 cycles at the old level, then the new one", eq14_transition),
        BOTH_SIDES("EQ-14, EQ-15: a transition takes Transition cycles, 1 to 65535", eq14_lengths),
        BOTH_SIDES("EQ-A22: requests in a transition are ignored", eq_a22_busy_ignores_requests),
        BOTH_SIDES("EQ-A22: the first cycle at rest takes a request", eq_a22_back_to_back),
        BOTH_SIDES("EQ-A23: levels persist when the mode is switched", eq_a23_mode_switch),
        BOTH_SIDES("EQ-A21: VrmStall stalls in a transition, only then", eq_a21_stall),
        BOTH_SIDES("EQ-12, EQ-A15, EQ-A16: Table I in every mode, at every level", eq_table1),
        BOTH_SIDES("EQ-A15: Maintain leads back to normal", eq_a15_maintain_returns_to_normal),
        BOTH_SIDES("EQ-A15: Maintain 1 is monotone in each mode", eq_a15_hold_is_monotone),
        BOTH_SIDES("answers in a transition are those of the old level", answers_in_a_transition),
        BOTH_SIDES("answers follow the mode in the same cycle", mode_shows_at_once),
        BOTH_SIDES("an illegal level is high, and left", illegal_level_is_high),
        {"twins agree in every state and on random input", twins_agree, NULL, NULL, NULL},
        BOTH_SIDES("log: a step up, a step down", log_of_levels),
    };
    return cmocka_run_group_tests_name("vf_domain", tests, NULL, NULL);
}
