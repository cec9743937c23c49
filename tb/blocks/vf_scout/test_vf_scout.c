/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_scout's rules, each on the model and on the RTL. A test makes up a chip: clock domains that do what is asked of them, a few cycles
 * later, and a kernel whose instructions per cycle follow from both levels.
 */
#include "chip/vf_scout.h"

enum { TRANSITION = 5, SPEEDS = 1024 };

/* A clock domain. */
typedef struct clock_domain {
    uint8_t level, next, left;
} clock_domain;

#define BENCH_BLOCK vf_scout
#define BENCH_MORE                                                                            \
    clock_domain sm, mem;                                                                     \
    unsigned speed[3][3]; /* instructions in 1024 cycles, by the SMs' and the memory's level */ \
    unsigned owed;        /* of them, of 1024                                                  */ \
    uint8_t driven;
#define BENCH_PREPARE
#define BENCH_CYCLE
#include "engine/bench.h"
#include "engine/random.h"

static const char *const all[] = {"vf_scout", "vf_scout_short", "vf_scout_plain", "vf_scout_large", "vf_scout_wide", NULL};
static const char *const quick[] = {"vf_scout_short", "vf_scout_plain", "vf_scout_wide", NULL};
static const char *const fine[] = {"vf_scout", "vf_scout_wide", NULL}; /* windows long enough for a part in 32 */

static void prepare(bench *b)
{
    b->sm = b->mem = (clock_domain){.level = BALLAST_VF_NORMAL, .next = BALLAST_VF_NORMAL};
    b->driven = 1;
}

static void clock_edge(clock_domain *d, uint8_t up, uint8_t down)
{
    if (d->left) {
        if (--d->left == 0)
            d->level = d->next;
    } else if (up != down) {
        d->next = (uint8_t)(up ? d->level + 1u : d->level - 1u);
        d->left = TRANSITION;
    }
}

static void cycle(bench *b)
{
    if (!b->driven) {
        take_cycle(b);
        return;
    }
    b->in.sm_level = b->sm.level;
    b->in.mem_level = b->mem.level;
    b->in.sm_busy = b->sm.left != 0;
    b->in.mem_busy = b->mem.left != 0;
    b->owed += b->speed[b->sm.level][b->mem.level];
    b->in.issue_valid = (uint8_t)((1U << b->owed / SPEEDS) - 1);
    b->owed %= SPEEDS;
    take_cycle(b);
    clock_edge(&b->sm, b->out.sm_up, b->out.sm_down);
    clock_edge(&b->mem, b->out.mem_up, b->out.mem_down);
}

static void start(bench *b)
{
    b->in.kernel_start = 1;
    cycle(b);
    b->in.kernel_start = 0;
}

static void finish_cta(bench *b)
{
    b->in.cta_done = 1;
    cycle(b);
    b->in.cta_done = 0;
}

static void until(bench *b, uint8_t code)
{
    const uint64_t patience = 40 * ((uint64_t)config(b)->window * 4 + config(b)->settle + config(b)->warmup + 40);

    for (uint64_t n = 0; state(b)->state != code && n < patience; n++)
        cycle(b);
    assert_int_equal(state(b)->state, code);
}

/* What a clock does to a rate per cycle of the SMs: the SMs' own rate stays, the memory's follows both clocks. */
static void of_kernel(bench *b, unsigned sms, unsigned memory)
{
    static const unsigned percent[] = {85, 100, 115};

    for (unsigned sm = 0; sm < 3; sm++)
        for (unsigned mem = 0; mem < 3; mem++) {
            const unsigned by_memory = memory * percent[mem] / percent[sm];

            b->speed[sm][mem] = sms < by_memory ? sms : by_memory;
        }
}

static void search(bench *b, uint8_t mode)
{
    b->in.mode = mode;
    start(b);
    finish_cta(b);
    until(b, VF_SCOUT_ST_REST);
    cycles(b, 4 * TRANSITION);
}

#define assert_levels(b, sm_, mem_)            \
    do {                                       \
        assert_int_equal((b)->sm.level, sm_);  \
        assert_int_equal((b)->mem.level, mem_); \
    } while (0)

TEST(defaults)
{
    const vf_scout_cfg cfg = vf_scout_cfg_default();

    assert_int_equal(cfg.issue_width, 2);
    assert_int_equal(cfg.window, 2048);
    assert_int_equal(cfg.settle, 1024);
    assert_int_equal(cfg.warmup, 12288);
    assert_int_equal(cfg.sm_up, 4);
    assert_int_equal(cfg.mem_up, 4);
    assert_int_equal(cfg.sm_down, 3);
    assert_int_equal(cfg.mem_down, 5);
}

RULE_EACH(reset_state, "reset: all registers 0, and nothing happens without a kernel", all)
{
    b->in.ready = b->in.cta_done = 1;
    cycles(b, 50);
    expect(b, "state_q=StIdle step_q=StepSettle mode_q=ENERGY domain_q=SM stage_q=0 sm_moved_q=0 mem_moved_q=0 better_q=0 first_q=0 ready_q=0 known_q=0 "
              "odd_q=0 timer_q=0 acc_q=0 base_q=0 sm_up_o=0 sm_down_o=0 mem_up_o=0 mem_down_o=0 hold_o=0");
}

/* ---- VFS-1 ------------------------------------------------------------------------------- */

RULE_EACH(vfs1_waits, "VFS-1: a search begins Warmup cycles after the start and the last look, with a CTA that has finished", all)
{
    const unsigned warmup = config(b)->warmup;

    start(b);
    expect(b, "state_q=StWait first_q=1 timer_q=0");
    cycles(b, warmup + 3);
    expect(b, "state_q=StWait hold_o=0");
    finish_cta(b);
    expect(b, "state_q=StWait first_q=0");
    cycle(b);
    expect(b, "state_q=StBase hold_o=0");
    cycle(b);
    expect(b, "hold_o=1");
    start(b);
    finish_cta(b);
    b->in.look = 1;
    cycle(b);
    b->in.look = 0;
    expect(b, "timer_q=0 first_q=0");
    cycles(b, warmup);
    expect(b, "state_q=StWait");
    cycle(b);
    expect(b, "state_q=StBase");
}

RULE_EACH(vfs1_decided, "VFS-1: a decided limit is as good as a CTA that has finished", all)
{
    start(b);
    cycles(b, config(b)->warmup + 1);
    b->in.ready = 1;
    cycle(b);
    expect(b, "state_q=StWait ready_q=1");
    cycle(b);
    expect(b, "state_q=StBase");
}

RULE_EACH(vfs1_normal, "VFS-1: a kernel starts at normal levels, from every state", quick)
{
    of_kernel(b, 1000, 1000);
    for (unsigned n = 1; n < 400; n += 7) {
        search(b, n & 1);
        cycles(b, n);
        start(b);
        expect(b, "state_q=StWait step_q=StepSettle mode_q=0 domain_q=0 stage_q=0 sm_moved_q=0 mem_moved_q=0 better_q=0 first_q=1 ready_q=0 known_q=0 "
                  "odd_q=0 timer_q=0 acc_q=0 base_q=0");
        cycles(b, 4 * TRANSITION);
        assert_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL);
    }
}

/* ---- VFS-2 to VFS-4 ------------------------------------------------------------------------ */

RULE_EACH(vfs3_kernels, "VFS-3: what holds a kernel back becomes faster", fine)
{
    of_kernel(b, 1800, 9000); /* the SMs */
    search(b, BALLAST_VF_PERFORMANCE);
    assert_levels(b, BALLAST_VF_HIGH, BALLAST_VF_NORMAL);
    of_kernel(b, 9000, 1000); /* the memory */
    search(b, BALLAST_VF_PERFORMANCE);
    assert_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_HIGH);
    of_kernel(b, 1000, 1001); /* with the SMs faster, the memory */
    search(b, BALLAST_VF_PERFORMANCE);
    assert_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL);
}

RULE_EACH(vfs4_kernels, "VFS-4: what does not hold a kernel back becomes slower", fine)
{
    of_kernel(b, 1500, 9000);
    search(b, BALLAST_VF_ENERGY);
    assert_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_LOW);
    of_kernel(b, 9000, 1000);
    search(b, BALLAST_VF_ENERGY);
    assert_levels(b, BALLAST_VF_LOW, BALLAST_VF_NORMAL);
    of_kernel(b, 1200, 1201);
    search(b, BALLAST_VF_ENERGY);
    assert_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL);
}

/* A window's end with so many instructions, and the two cycles after it. */
static void end_window(bench *b, vf_scout_state s, uint32_t count)
{
    const bool look = s.state == VF_SCOUT_ST_LOOK;
    const uint8_t moved = s.mode ? BALLAST_VF_HIGH : BALLAST_VF_LOW;

    s.step = VF_SCOUT_WEIGH;
    s.acc = count;
    b->driven = 0;
    b->in.mode = s.mode;
    b->in.sm_level = look && !s.domain ? moved : BALLAST_VF_NORMAL;
    b->in.mem_level = look && s.domain ? moved : BALLAST_VF_NORMAL;
    b->in.sm_busy = b->in.mem_busy = 0;
    s.sm_moved = look && !s.domain;
    s.mem_moved = look && s.domain;
    load(b, &s);
    cycles(b, 2);
}

/* The fewest instructions of a look that pay beside b, by the page's table, one by one. */
static bool pays(const vf_scout_cfg *cfg, uint8_t mode, uint8_t domain, uint32_t n, uint32_t base)
{
    const uint32_t shift = mode ? (domain ? cfg->mem_up : cfg->sm_up) : domain ? cfg->mem_down : cfg->sm_down;
    const uint32_t part = n / (UINT32_C(1) << shift);

    return mode == domain ? n - part >= base : n + part >= base;
}

RULE_EACH(vfs2_edges, "VFS-2, VFS-3, VFS-4: the least count that pays, in each mode and domain, there and back", all)
{
    const uint32_t most = config(b)->window * config(b)->issue_width;
    uint64_t seed = 0x5ce;

    for (unsigned n = 0; n < 4000; n++) {
        const uint8_t mode = n & 1, domain = n >> 1 & 1;
        const uint32_t base = random_below(&seed, most + 1);
        uint32_t least = 0;

        while (!pays(config(b), mode, domain, least, base))
            least++;
        for (uint32_t count = least ? least - 1 : least; count <= least && count <= most; count++) {
            const bool good = count >= least;

            end_window(b, (vf_scout_state){.state = VF_SCOUT_ST_LOOK, .mode = mode, .domain = domain, .base = base}, count);
            expect(b, "state_q=StBack better_q=%u sm_moved_q=0 mem_moved_q=0", good);
            end_window(b, (vf_scout_state){.state = VF_SCOUT_ST_BACK, .mode = mode, .domain = domain, .base = state(b)->base, .better = good}, base);
            expect(b, "sm_moved_q=%u mem_moved_q=%u stage_q=0", good && !domain, good && domain);
        }
    }
}

RULE_EACH(vfs2_table, "VFS-2: what pays beside one window goes to long ones, and is undone if it still does", all)
{
    for (unsigned n = 0; n < 32; n++) {
        const bool before = n & 1, after = n >> 1 & 1, stage = n >> 2 & 1, domain = n >> 3 & 1, mode = n >> 4;
        const bool longer = before != after && !stage, kept = before && after;

        end_window(b, (vf_scout_state){.state = VF_SCOUT_ST_BACK, .mode = mode, .domain = domain, .stage = stage, .better = before, .base = 7,
                                       .known = 1, .odd = 1}, after ? 7 : 8);
        expect(b, "stage_q=%u domain_q=%u state_q=%s sm_moved_q=%u mem_moved_q=%u known_q=%u odd_q=%u step_q=StepSettle acc_q=0", longer,
               longer ? domain : 1, longer || !domain ? "StBase" : "StRest", !longer && kept && !domain, !longer && kept && domain, longer, longer);
    }
}

/* A kernel that becomes faster on its own, or slower, by a part of its speed in each window. */
static void drift(bench *b, int step, uint8_t mode)
{
    unsigned speed = step > 0 ? 500 : 1500;

    b->in.mode = mode;
    start(b);
    finish_cta(b);
    until(b, VF_SCOUT_ST_BASE);
    for (uint64_t n = 0; state(b)->state != VF_SCOUT_ST_REST && n < 100 * (uint64_t)config(b)->window; n++) {
        speed = n % config(b)->window ? speed : (unsigned)((int)speed + step);
        of_kernel(b, 9000, speed); /* the SMs' clock changes nothing */
        cycle(b);
        assert_false(state(b)->state == VF_SCOUT_ST_REST && state(b)->sm_moved != (mode == BALLAST_VF_ENERGY) && mode == BALLAST_VF_PERFORMANCE);
    }
    expect(b, "state_q=StRest");
}

RULE_EACH(vfs2_there_and_back, "VFS-2: a kernel that speeds up on its own does not win a level", fine)
{
    drift(b, 40, BALLAST_VF_PERFORMANCE);
    drift(b, -25, BALLAST_VF_PERFORMANCE);
}

/* ---- VFS-5 --------------------------------------------------------------------------------- */

RULE_EACH(vfs5_counts, "VFS-5: a window counts all of its cycles, after Settle cycles at both levels", quick)
{
    const uint32_t window = config(b)->window, settle = config(b)->settle;

    for (unsigned sm = 0; sm < 3; sm++)
        for (unsigned mem = 0; mem < 3; mem++)
            b->speed[sm][mem] = SPEEDS * config(b)->issue_width;
    start(b);
    finish_cta(b);
    until(b, VF_SCOUT_ST_BASE);
    cycles(b, settle);
    expect(b, "step_q=StepCount acc_q=0 timer_q=0");
    cycles(b, window - 1);
    expect(b, "step_q=StepCount acc_q=%u timer_q=%u", (window - 1) * config(b)->issue_width, window - 1);
    cycle(b);
    expect(b, "step_q=StepWeigh acc_q=%u timer_q=0", window * config(b)->issue_width);
    cycles(b, 2);
    expect(b, "state_q=StLook step_q=StepSettle acc_q=0 base_q=%u", window * config(b)->issue_width);
    cycles(b, 1 + TRANSITION + settle);
    expect(b, "state_q=StLook step_q=StepCount acc_q=0");
    cycles(b, 3);
    b->in.look = 1;
    cycle(b);
    b->in.look = 0;
    expect(b, "state_q=StLook step_q=StepSettle acc_q=0 timer_q=0 hold_o=0");
    cycle(b);
    expect(b, "hold_o=1");
}

/* Each of the four inputs that disturb, alone, in each step of each state. */
RULE_EACH(vfs5_disturbed, "VFS-5: a level elsewhere, a transition, a look: the wait begins anew", all)
{
    for (unsigned n = 0; n < 4 * 4 * 8; n++) {
        const uint8_t code = (uint8_t)(VF_SCOUT_ST_BASE + n % 4), step = (uint8_t)(n / 4 % 4);
        vf_scout_state s = {.state = code, .step = step, .mode = 1, .domain = 1, .mem_moved = code == VF_SCOUT_ST_LOOK, .ready = 1,
                            .base = 5};

        b->driven = 0;
        b->in = vf_scout_in_default();
        b->in.ready = 1;
        b->in.mem_level = s.mem_moved ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL;
        b->in.sm_busy = n / 16 == 0;
        b->in.mem_busy = n / 16 == 1;
        b->in.look = n / 16 == 2;
        b->in.sm_level = (uint8_t)(n / 16 == 3 ? BALLAST_VF_LOW : n / 16 == 4 ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL);
        if (n / 16 == 5)
            b->in.mem_level = BALLAST_VF_LOW;
        if (n / 16 == 6)
            b->in.mem_level = s.mem_moved ? BALLAST_VF_NORMAL : BALLAST_VF_HIGH;
        b->in.ready = n / 16 != 7;
        load(b, &s);
        cycle(b);
        if (n / 16 == 7 && code != VF_SCOUT_ST_REST)
            continue; /* only StRest wants a decided limit */
        assert_int_equal(state(b)->state, code);
        expect(b, "step_q=StepSettle timer_q=0 acc_q=0 base_q=5");
    }
}

/* ---- VFS-6, VFS-7 --------------------------------------------------------------------------- */

RULE_EACH(vfs6_again, "VFS-6: a decided limit and another mode begin a search at normal levels", quick)
{
    of_kernel(b, 9000, 1000);
    search(b, BALLAST_VF_PERFORMANCE);
    b->in.ready = 1;
    cycle(b);
    expect(b, "state_q=StBase mode_q=PERFORMANCE domain_q=SM sm_moved_q=0 mem_moved_q=0 timer_q=0 acc_q=0 ready_q=1");
    until(b, VF_SCOUT_ST_REST);
    cycles(b, 3);
    expect(b, "state_q=StRest");
    b->in.ready = 0;
    cycles(b, 3);
    expect(b, "state_q=StRest");
    for (unsigned n = 0; n < 60; n++) {
        const uint8_t mode = n & 1 ? BALLAST_VF_PERFORMANCE : BALLAST_VF_ENERGY;

        b->in.mode = mode;
        cycle(b);
        expect(b, "state_q=StBase mode_q=%u domain_q=SM stage_q=0 sm_moved_q=0 mem_moved_q=0 timer_q=0 acc_q=0 step_q=StepSettle", mode);
        cycles(b, n * 7);
    }
}

/* A window of StRest with so many instructions. */
static void rest(bench *b, uint32_t count, uint32_t base, bool known, bool odd)
{
    end_window(b, (vf_scout_state){.state = VF_SCOUT_ST_REST, .domain = 1, .mode = 1, .ready = 1, .base = base, .known = known, .odd = odd}, count);
}

RULE_EACH(vfs7_two_in_a_row, "VFS-7: two windows in a row more than a quarter away", all)
{
    b->in.ready = 1;
    rest(b, 13, 3, 0, 0);
    expect(b, "state_q=StRest base_q=13 known_q=1 odd_q=0 step_q=StepCount acc_q=0");
    for (unsigned n = 0; n < 4; n++) {
        const unsigned near = n & 1 ? 13 + 3 : 13 - 3, far = n & 1 ? 13 + 4 : 13 - 4;

        rest(b, near, 13, 1, n >> 1);
        expect(b, "state_q=StRest base_q=13 known_q=1 odd_q=0 step_q=StepCount acc_q=0");
        rest(b, far, 13, 1, 0);
        expect(b, "state_q=StRest base_q=13 known_q=1 odd_q=1 step_q=StepCount acc_q=0");
        rest(b, far, 13, 1, 1);
        expect(b, "state_q=StBase mode_q=PERFORMANCE domain_q=SM sm_moved_q=0 mem_moved_q=0 step_q=StepSettle acc_q=0");
    }
}

RULE_EACH(vfs7_kernel, "VFS-7: a kernel that changes is searched again, with a decided limit", fine)
{
    of_kernel(b, 9000, 1000);
    search(b, BALLAST_VF_PERFORMANCE);
    b->in.ready = 1;
    cycle(b);
    until(b, VF_SCOUT_ST_REST);
    cycles(b, 10 * 4 * config(b)->window);
    assert_levels(b, BALLAST_VF_NORMAL, BALLAST_VF_HIGH);
    of_kernel(b, 1900, 9000);
    until(b, VF_SCOUT_ST_BASE);
    until(b, VF_SCOUT_ST_REST);
    cycles(b, 4 * TRANSITION);
    assert_levels(b, BALLAST_VF_HIGH, BALLAST_VF_NORMAL);
}

/* ---- VFS-8 and enable ------------------------------------------------------------------------ */

RULE_EACH(outputs_of_each_state, "VFS-2, VFS-8: what is asked for and held, from each state, level and busy", all)
{
    for (unsigned n = 0; n < 6 * 2 * 4 * 2 * 2 * 2; n++) {
        const uint8_t code = (uint8_t)(n % 6), level = (uint8_t)(n / 12 % 4), busy = n / 48 & 1, look = n / 96 & 1, enable = n / 192 & 1, mode = n / 6 & 1;
        const bool compares = code >= VF_SCOUT_ST_BASE && code <= VF_SCOUT_ST_BACK, moved = code == VF_SCOUT_ST_LOOK;
        const uint8_t target = !moved ? BALLAST_VF_NORMAL : mode ? BALLAST_VF_HIGH : BALLAST_VF_LOW;

        for (unsigned domain = 0; domain < 2; domain++) {
            const uint8_t its = domain ? target : (uint8_t)(code == VF_SCOUT_ST_REST ? BALLAST_VF_NORMAL : target);
            vf_scout_state s = {.state = code, .domain = (uint8_t)(domain || code == VF_SCOUT_ST_REST), .sm_moved = moved && !domain,
                                .mem_moved = moved && domain, .mode = mode};

            if (code < VF_SCOUT_ST_BASE)
                s.domain = s.mode = 0;
            b->driven = 0;
            b->in = vf_scout_in_default();
            b->in.enable = enable;
            b->in.look = look;
            b->in.mode = mode;
            *(domain ? &b->in.mem_level : &b->in.sm_level) = level;
            *(domain ? &b->in.mem_busy : &b->in.sm_busy) = busy;
            load(b, &s);
            cycle(b);
            expect(b, domain ? "mem_up_o=%u mem_down_o=%u sm_up_o=0 sm_down_o=0 hold_o=%u" : "sm_up_o=%u sm_down_o=%u mem_up_o=0 mem_down_o=0 hold_o=%u",
                   enable && !busy && level < its, enable && !busy && level > its, enable && compares && !look);
        }
    }
}

RULE_EACH(enable_holds, "enable_i = 0: every register holds, whatever comes", all)
{
    uint64_t seed = 0xe1a;

    of_kernel(b, 900, 1000);
    search(b, BALLAST_VF_PERFORMANCE);
    for (unsigned n = 0; n < 300; n++) {
        vf_scout_state was;

        cycles(b, 1 + random_below(&seed, 5));
        was = *state(b);
        b->in.enable = 0;
        b->in.kernel_start = (uint8_t)random_below(&seed, 2);
        b->in.cta_done = b->in.ready = 1;
        cycles(b, 3);
        assert_memory_equal(&was, state(b), sizeof was);
        expect(b, "sm_up_o=0 sm_down_o=0 mem_up_o=0 mem_down_o=0 hold_o=0");
        b->in.enable = 1;
        b->in.kernel_start = b->in.cta_done = 0;
        if (n % 50 == 0) {
            start(b);
            finish_cta(b);
        }
    }
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Until the cycle that ends with the state another one, for the log; of StBack, where it is judged. */
static void until_judged(bench *b)
{
    while (state(b)->step != VF_SCOUT_JUDGE)
        cycle(b);
}

RULE(log_of_decisions, "log: each decision says what it was made from", "vf_scout_wide")
{
    of_kernel(b, 9000, 1024);
    b->in.kernel_start = 1;
    expect_decision(b, "vf_scout VFS-1 kernel_start: | sm=normal memory=normal | sm=normal memory=normal", "kernel start: both levels normal");
    b->in.kernel_start = 0;
    finish_cta(b);
    while (state(b)->timer != config(b)->warmup)
        cycle(b);
    expect_decision(b, "vf_scout VFS-1 search: mode=PERFORMANCE | sm=normal memory=normal | sm=normal memory=normal",
                    "a search of levels begins, PERFORMANCE");
    until_judged(b);
    expect_decision(b, "vf_scout VFS-2 look: domain=SM base=64 stage=0 | sm=normal memory=normal | sm=high memory=normal",
                    "64 instructions; SM domain at high for now");
    until(b, VF_SCOUT_ST_BACK);
    until_judged(b);
    expect_decision(b, "vf_scout VFS-3 compared: domain=SM worth=59 count=64 before=0 stage=0 | sm=normal memory=normal | sm=normal memory=normal",
                    "SM domain: worth 59 beside 64, worse before; undone");
    until_judged(b);
    cycle(b);
    until(b, VF_SCOUT_ST_BACK);
    until_judged(b);
    expect_decision(b, "vf_scout VFS-3 compared: domain=memory worth=69 count=64 before=1 stage=0 | sm=normal memory=normal | sm=normal memory=high",
                    "memory domain: worth 69 beside 64, as good before; kept");
    b->in.mode = BALLAST_VF_ENERGY;
    expect_decision(b, "vf_scout VFS-6 search: mode=ENERGY | sm=normal memory=high | sm=normal memory=normal", "a search of levels begins, ENERGY");
    b->in.ready = 1;
    until(b, VF_SCOUT_ST_REST);
    until_judged(b);
    cycle(b);
    of_kernel(b, 3000, 3000);
    for (unsigned n = 0; n < 2; n++) {
        cycle(b);
        until_judged(b);
    }
    expect_decision(b, "vf_scout VFS-7 search: mode=ENERGY | sm=low memory=normal | sm=normal memory=normal", "a search of levels begins, ENERGY");
}
