/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a VF domain, each on the model and on the RTL: Table I, one step per request,
 * the length of a transition.
 */

#include "chip/vf_domain.h"

#define BENCH_BLOCK vf_domain
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

/* Every value of every parameter. */
static const char *const variants[] = {"vf_domain", "vf_domain_mem", "vf_domain_literal", "vf_domain_hold",
                                       "vf_domain_memhold", NULL};

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

static void load_levels(bench *b, int level, int next, uint32_t timer)
{
    load(b, &(vf_domain_state){.level = (uint8_t)level, .next = (uint8_t)next, .timer = timer});
}

#define assert_registers(b, level, next, timer) \
    expect(b, "level_q=%u next_q=%u timer_q=%u", (unsigned)(level), (unsigned)(next), (unsigned)(timer))

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

TEST(defaults)
{
    const vf_domain_cfg cfg = vf_domain_cfg_default();

    assert_int_equal(cfg.domain, VF_DOMAIN_SM);
    assert_int_equal(cfg.maintain, BALLAST_VF_MAINTAIN_NORMAL);
    assert_int_equal(cfg.table1_literal, 0);
    assert_int_equal(cfg.transition, 512);
    assert_int_equal(cfg.vrm_stall, 0);
}

/* ---- levels and requests ----------------------------------------------------------- */

RULE_EACH(reset_state, "reset: normal, at rest, also out of a transition", variants)
{
    assert_registers(b, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL, 0);
    cycle(b);
    expect(b, "level_o=%u busy_o=0 stall_o=0", BALLAST_VF_NORMAL);
    request(b, +1);
    if (config(b)->transition > 1)
        cycle(b);
    dut_reset(&b->dut); /* in the midst of a transition */
    assert_registers(b, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL, 0);
}

RULE_EACH(eq13_one_step_per_request, "EQ-9, EQ-13: each request moves the level by one", variants)
{
    static const int steps[] = {-1, +1, +1, -1, -1, +1};
    int level = BALLAST_VF_NORMAL;
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        assert_int_equal(walk(b, steps[i]), config(b)->transition);
        level += steps[i];
        assert_int_equal(b->out.level, level);
        assert_registers(b, level, level, 0);
    }
}

RULE(eq13_bounds, "EQ-13: no request leads beyond low or high", "vf_domain")
{
    walk(b, +1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(walk(b, +1), 0); /* no transition to nowhere */
    assert_registers(b, BALLAST_VF_HIGH, BALLAST_VF_HIGH, 0);
    walk(b, -1);
    walk(b, -1);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(walk(b, -1), 0);
    assert_registers(b, BALLAST_VF_LOW, BALLAST_VF_LOW, 0);
}

/* A step needs a vote, and a vote for one direction. */
RULE(eq12_what_is_no_request, "EQ-12: a step needs a vote for exactly one direction", "vf_domain")
{
    for (unsigned bits = 0; bits < 8; bits++) {
        const bool valid = bits & 1, up = bits & 2, down = bits & 4;

        for (int level = BALLAST_VF_LOW; level <= BALLAST_VF_HIGH; level++) {
            const int step = valid ? up - down : 0;
            const bool moves = step && level + step >= BALLAST_VF_LOW && level + step <= BALLAST_VF_HIGH;

            load_levels(b, level, level, 0);
            b->in = (vf_domain_in){.valid = valid, .up = up, .down = down};
            cycle(b);
            assert_registers(b, level, moves ? level + step : level, moves ? 512 : 0);
        }
    }
}

/* A request in cycle t: busy from t+1 to t+Transition, the new level from t+Transition+1 on. */
RULE(eq14_transition, "EQ-14: busy for 512 cycles at the old level, then the new one", "vf_domain")
{
    assert_int_equal(config(b)->transition, 512);
    request(b, +1);
    assert_int_equal(b->out.busy, 0);
    assert_registers(b, BALLAST_VF_NORMAL, BALLAST_VF_HIGH, 512);
    for (unsigned i = 1; i <= 512; i++) {
        cycle(b);
        expect(b, "busy_o=1 level_o=%u", BALLAST_VF_NORMAL);
        assert_registers(b, i < 512 ? BALLAST_VF_NORMAL : BALLAST_VF_HIGH, BALLAST_VF_HIGH, 512 - i);
    }
    cycle(b);
    expect(b, "busy_o=0 level_o=%u", BALLAST_VF_HIGH);
}

RULE(eq14_lengths, "EQ-14, EQ-15: a transition takes Transition cycles, 1 to 65535", "vf_domain")
{
    static const struct { const char *name; uint32_t cycles; } cases[] = {
        {"vf_domain", 512}, {"vf_domain_literal", 65535}, {"vf_domain_hold", 3}, {"vf_domain_memhold", 1}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reopen_bench(b, cases[i].name);
        assert_int_equal(walk(b, -1), cases[i].cycles);
        assert_int_equal(b->out.level, BALLAST_VF_LOW);
    }
}

/* A request in any cycle of a transition is lost, the last one's included; the next is not. */
RULE(eq_a22_busy_ignores_requests, "EQ-A22: requests in a transition are ignored", "vf_domain")
{
    for (int step = -1; step <= 1; step += 2) {
        load_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL, 0);
        request(b, +1);
        for (unsigned i = 1; i <= 512; i++) {
            request(b, step);
            assert_registers(b, i < 512 ? BALLAST_VF_NORMAL : BALLAST_VF_HIGH, BALLAST_VF_HIGH, 512 - i);
        }
        request(b, -1);
        assert_registers(b, BALLAST_VF_HIGH, BALLAST_VF_NORMAL, 512);
    }
}

/* With the shortest transition there is a request every other cycle. */
RULE(eq_a22_back_to_back, "EQ-A22: the first cycle at rest takes a request", "vf_domain_memhold")
{
    for (unsigned i = 0; i < 6; i++) {
        const bool up = i % 2;

        request(b, up ? +1 : -1);
        assert_registers(b, up ? BALLAST_VF_LOW : BALLAST_VF_NORMAL, up ? BALLAST_VF_NORMAL : BALLAST_VF_LOW, 1);
        request(b, up ? +1 : -1); /* busy */
        assert_int_equal(b->out.busy, 1);
        assert_registers(b, up ? BALLAST_VF_NORMAL : BALLAST_VF_LOW, up ? BALLAST_VF_NORMAL : BALLAST_VF_LOW, 0);
    }
}

RULE(eq_a23_mode_switch, "EQ-A23: levels persist when the mode is switched", "vf_domain")
{
    for (int level = BALLAST_VF_LOW; level <= BALLAST_VF_HIGH; level++) {
        load_levels(b, level, level, 0);
        for (unsigned i = 0; i < 4; i++) {
            b->in.mode = i & 1;
            cycle(b);
            assert_registers(b, level, level, 0);
        }
    }
    b->in.mode = BALLAST_VF_PERFORMANCE;
    load_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL, 0);
    request(b, +1);
    b->in.mode = BALLAST_VF_ENERGY; /* too late for the transition under way */
    for (unsigned i = 0; i < 512; i++)
        cycle(b);
    assert_registers(b, BALLAST_VF_HIGH, BALLAST_VF_HIGH, 0);
}

RULE_EACH(eq_a21_stall, "EQ-A21: VrmStall stalls in a transition, only then", variants)
{
    load_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_HIGH, 1);
    cycle(b);
    expect(b, "busy_o=1 stall_o=%u", !strcmp(b->dut.block->name, "vf_domain_hold"));
    cycle(b);
    expect(b, "busy_o=0 stall_o=0");
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

RULE(eq_table1, "EQ-12, EQ-A15, EQ-A16: Table I in every mode, at every level", "vf_domain")
{
    /* By mode and action: the level that Table I aims at. */
    static const struct { const char *name; int target[2][2]; } cases[] = {
        {"vf_domain",         {[BALLAST_VF_ENERGY] = {[COMP] = BALLAST_VF_NORMAL, [MEM] = BALLAST_VF_LOW},
                               [BALLAST_VF_PERFORMANCE] = {[COMP] = BALLAST_VF_HIGH, [MEM] = BALLAST_VF_NORMAL}}},
        {"vf_domain_mem",     {[BALLAST_VF_ENERGY] = {[COMP] = BALLAST_VF_LOW, [MEM] = BALLAST_VF_NORMAL},
                               [BALLAST_VF_PERFORMANCE] = {[COMP] = BALLAST_VF_NORMAL, [MEM] = BALLAST_VF_HIGH}}},
        {"vf_domain_literal", {[BALLAST_VF_ENERGY] = {[COMP] = BALLAST_VF_LOW, [MEM] = BALLAST_VF_LOW}, /* EQ-A16 */
                               [BALLAST_VF_PERFORMANCE] = {[COMP] = BALLAST_VF_NORMAL, [MEM] = BALLAST_VF_HIGH}}},
        {"vf_domain_hold",    {[BALLAST_VF_ENERGY] = {[COMP] = HOLD, [MEM] = BALLAST_VF_LOW}, /* EQ-A15 */
                               [BALLAST_VF_PERFORMANCE] = {[COMP] = BALLAST_VF_HIGH, [MEM] = HOLD}}},
        {"vf_domain_memhold", {[BALLAST_VF_ENERGY] = {[COMP] = BALLAST_VF_LOW, [MEM] = HOLD},
                               [BALLAST_VF_PERFORMANCE] = {[COMP] = HOLD, [MEM] = BALLAST_VF_HIGH}}}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reopen_bench(b, cases[i].name);
        for (uint8_t mode = 0; mode < 2; mode++) {
            for (int level = BALLAST_VF_LOW; level <= BALLAST_VF_HIGH; level++) {
                load_levels(b, level, level, 0);
                b->in.mode = mode;
                cycle(b);
                for (enum action a = COMP; a <= MEM; a++) {
                    const int target = cases[i].target[mode][a];
                    assert_int_equal(asks(b, a), target == HOLD ? 0 : sign(target - level));
                }
            }
        }
    }
}

/* Some epochs in a mode, in which all SMs show one action: the domain's wish is granted each time. */
typedef struct phase {
    uint8_t mode;
    unsigned epochs;
    enum action action;
    int level; /* afterwards */
} phase;

static void play_phases(bench *b, const phase *p, size_t num)
{
    for (const phase *end = p + num; p < end; p++) {
        b->in.mode = p->mode;
        for (unsigned n = 0; n < p->epochs; n++) {
            cycle(b);
            walk(b, asks(b, p->action));
        }
        if (b->out.level != p->level)
            fail_msg("%zu phases before the end: level %u, not %d", (size_t)(end - p), b->out.level, p->level);
    }
}

RULE(eq_a15_maintain_returns_to_normal, "EQ-A15: Maintain leads back to normal", "vf_domain")
{
    static const phase phases[] = {
        {BALLAST_VF_PERFORMANCE, 3, COMP, BALLAST_VF_HIGH}, {BALLAST_VF_PERFORMANCE, 3, MEM, BALLAST_VF_NORMAL}, {BALLAST_VF_ENERGY, 3, MEM, BALLAST_VF_LOW},
        {BALLAST_VF_ENERGY, 3, COMP, BALLAST_VF_NORMAL},    {BALLAST_VF_ENERGY, 1, MEM, BALLAST_VF_LOW},
        {BALLAST_VF_PERFORMANCE, 1, COMP, BALLAST_VF_NORMAL}, {BALLAST_VF_PERFORMANCE, 1, COMP, BALLAST_VF_HIGH}}; /* EQ-13: low to high in two epochs */

    play_phases(b, phases, sizeof phases / sizeof phases[0]);
}

RULE(eq_a15_hold_is_monotone, "EQ-A15: Maintain 1 is monotone in each mode", "vf_domain_hold")
{
    static const phase phases[] = {
        {BALLAST_VF_PERFORMANCE, 2, COMP, BALLAST_VF_HIGH}, {BALLAST_VF_PERFORMANCE, 3, MEM, BALLAST_VF_HIGH}, {BALLAST_VF_ENERGY, 3, COMP, BALLAST_VF_HIGH},
        {BALLAST_VF_ENERGY, 1, MEM, BALLAST_VF_NORMAL},     {BALLAST_VF_ENERGY, 1, MEM, BALLAST_VF_LOW},       {BALLAST_VF_ENERGY, 3, COMP, BALLAST_VF_LOW}};

    play_phases(b, phases, sizeof phases / sizeof phases[0]);
}

/* The answers are about the level that holds, not about the one to come. */
RULE(answers_in_a_transition, "answers in a transition are those of the old level", "vf_domain")
{
    b->in.mode = BALLAST_VF_PERFORMANCE;
    load_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_HIGH, 2);
    for (unsigned i = 0; i < 3; i++) {
        cycle(b);
        assert_int_equal(asks(b, COMP), i < 2 ? +1 : 0);
        assert_int_equal(asks(b, MEM), i < 2 ? 0 : -1);
    }
}

/* The mode of this very cycle counts. */
RULE(mode_shows_at_once, "answers follow the mode in the same cycle", "vf_domain")
{
    for (unsigned i = 0; i < 6; i++) {
        b->in.mode = i & 1;
        cycle(b);
        assert_int_equal(asks(b, COMP), i & 1 ? +1 : 0);
        assert_int_equal(asks(b, MEM), i & 1 ? 0 : -1);
    }
}

/* ---- what never comes about ------------------------------------------------------------ */

RULE(illegal_level_is_high, "an illegal level is high, and left", "vf_domain")
{
    static const struct { int level, next; uint32_t timer; int step, level_after, next_after; uint32_t timer_after; } rows[] = {
        {3, 3, 0, 0, BALLAST_VF_HIGH, BALLAST_VF_HIGH, 0},           {3, BALLAST_VF_LOW, 0, +1, BALLAST_VF_HIGH, BALLAST_VF_HIGH, 0},
        {3, 3, 0, -1, BALLAST_VF_HIGH, BALLAST_VF_NORMAL, 512},      {3, BALLAST_VF_NORMAL, 9, 0, BALLAST_VF_HIGH, BALLAST_VF_NORMAL, 8},
        {BALLAST_VF_NORMAL, 3, 2, 0, BALLAST_VF_NORMAL, BALLAST_VF_HIGH, 1}, {BALLAST_VF_NORMAL, 3, 1, 0, BALLAST_VF_HIGH, BALLAST_VF_HIGH, 0}};

    b->in.mode = BALLAST_VF_PERFORMANCE;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        load_levels(b, rows[i].level, rows[i].next, rows[i].timer);
        if (rows[i].step)
            request(b, rows[i].step);
        else
            cycle(b);
        assert_int_equal(b->out.level, rows[i].level == 3 ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL);
        assert_int_equal(asks(b, COMP), rows[i].level == 3 ? 0 : +1);
        assert_int_equal(asks(b, MEM), rows[i].level == 3 ? -1 : 0);
        assert_registers(b, rows[i].level_after, rows[i].next_after, rows[i].timer_after);
    }
}

/* ---- twins ---------------------------------------------------------------------------- */

/* Every pair of levels, around every case of the timer, with every input. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const vf_domain_cfg *cfg = step_config(f);
    /* Also what no transition is long enough for: the register holds it, so both sides count it down. */
    const uint32_t most = UINT32_MAX >> __builtin_clz(cfg->transition);
    const uint32_t timers[] = {0, 1, 2, cfg->transition, most};
    const unsigned i = (unsigned)f->seed++ % (5 * 16 * 16);
    vf_domain_state *s = registers;

    *s = (vf_domain_state){.level = i & 3, .next = i >> 2 & 3, .timer = timers[i >> 8]};
    *(vf_domain_in *)inputs = (vf_domain_in){.mode = i >> 4 & 1, .valid = i >> 5 & 1, .up = i >> 6 & 1, .down = i >> 7 & 1};
    return s->timer <= most;
}

static void draw_inputs(void *in, const void *cfg, uint64_t *seed, unsigned n)
{
    const uint64_t x = random_next(seed);

    (void)cfg, (void)n;
    *(vf_domain_in *)in = (vf_domain_in){.mode = x >> 10 & 1, .valid = x % 8 == 0, .up = x >> 11 & 1, .down = x >> 12 & 1};
}

/* ---- the log ------------------------------------------------------------------------- */

static void expect_step(bench *b, int step, const char *request_record, const char *request_words, const char *level_record,
                        const char *level_words)
{
    request(b, step);
    tell(b);
    expect_told(request_record, request_words);
    while (state(b)->timer != 1)
        cycle(b);
    expect_decision(b, level_record, level_words);
}

RULE(log_of_levels, "log: a step up, a step down", "vf_domain")
{
    expect_step(b, +1, "vf_domain EQ-13 request: domain=SM cycles=512 | level=normal next=normal | level=normal next=high",
                "request up: normal -> high in 512 cycles",
                "vf_domain EQ-14 level: domain=SM | level=normal next=high | level=high next=high", "level high");
    reopen_bench(b, "vf_domain_mem");
    expect_step(b, -1, "vf_domain EQ-13 request: domain=memory cycles=512 | level=normal next=normal | level=normal next=low",
                "request down: normal -> low in 512 cycles",
                "vf_domain EQ-14 level: domain=memory | level=normal next=low | level=low next=low", "level low");
}

SUITE_TESTS(twins, EACH_TWIN_STEPS("twins agree in every state", variants, 0, 5 * 16 * 16, draw_step),
            TWIN_CYCLES("twins agree in every state and on random input", variants, 0xd0a1, 20000, draw_inputs))
