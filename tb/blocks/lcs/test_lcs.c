/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of lazy CTA scheduling, each on the model and on the RTL. A test issues instructions
 * for CTA slots, finishes a CTA and looks at the limit, as the worked examples LCS-E1..LCS-E6 do.
 */

#include "sm/lcs.h"

#define BENCH_BLOCK lcs
#define BENCH_KERNELS
#include "blocks/lcs/invariant.h"
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

static unsigned slot_bits(const lcs_cfg *cfg)
{
    const unsigned slots = cfg->num_slots;

    return slots > 16 ? 5 : slots > 8 ? 4 : slots > 4 ? 3 : slots > 2 ? 2 : 1;
}

static void set_lane(bench *b, unsigned lane, unsigned slot)
{
    const unsigned shift = lane * slot_bits(config(b));
    const uint64_t mask = ((UINT64_C(1) << slot_bits(config(b))) - 1) << shift;

    b->in.issue_valid |= (uint8_t)(1U << lane);
    b->in.issue_slot = (b->in.issue_slot & ~mask) | (uint64_t)slot << shift;
}

static void no_issue(bench *b)
{
    b->in.issue_valid = 0;
    b->in.issue_slot = 0;
}

/* `instructions` of one slot, on all lanes. */
static void issue(bench *b, unsigned slot, unsigned instructions)
{
    while (instructions > 0) {
        no_issue(b);
        for (unsigned lane = 0; lane < config(b)->issue_width && instructions > 0; lane++, instructions--)
            set_lane(b, lane, slot);
        cycle(b);
    }
    no_issue(b);
}

/* "3,4,0": the numbers in it. */
static unsigned numbers(const char *text, uint32_t values[BALLAST_MAX_SLOTS])
{
    unsigned num = 0;

    for (char *next = NULL; *text && num < BALLAST_MAX_SLOTS; text = *next ? next + 1 : next)
        values[num++] = (uint32_t)strtoul(text, &next, 10);
    return num;
}

static void issue_counts(bench *b, unsigned slots, const uint32_t *counts)
{
    for (unsigned slot = 0; slot < slots; slot++)
        issue(b, slot, counts[slot]);
}

/* So many instructions of slot 0, of slot 1, ... */
static void issue_each(bench *b, const char *counts)
{
    uint32_t values[BALLAST_MAX_SLOTS];

    issue_counts(b, numbers(counts, values), values);
}

/* From now on: the slots of lane 0, lane 1, ... */
static void set_lanes(bench *b, const char *slots)
{
    uint32_t values[BALLAST_MAX_SLOTS];
    const unsigned num = numbers(slots, values);

    no_issue(b);
    for (unsigned lane = 0; lane < num; lane++)
        set_lane(b, lane, values[lane]);
}

static void finish_ctas(bench *b, uint32_t slots)
{
    b->in.cta_done = slots;
    cycle(b);
    b->in.cta_done = 0;
}

/* A kernel whose CTAs have issued so much when the first of them finishes. */
static void monitor(bench *b, unsigned nmax, const uint32_t *counts)
{
    start_kernel(b, nmax);
    issue_counts(b, nmax, counts);
    finish_ctas(b, 1);
}

static void monitor_each(bench *b, const char *counts)
{
    uint32_t values[BALLAST_MAX_SLOTS];

    monitor(b, numbers(counts, values), values);
}

/* Cycles until T_new is fixed, that one included. Returns T_new. */
static unsigned t_new_after(bench *b, unsigned *took)
{
    unsigned n = 0;

    b->in.cta_active = UINT32_MAX >> (32 - config(b)->num_slots);
    do {
        expect(b, "t_new_valid_o=0 t_new_o=0");
        cycle(b);
        n++;
    } while (!b->out.t_new_valid && n < 200);
    assert_true(b->out.t_new_valid);
    expect(b, "limit_q=%u state_q=StThrottle", b->out.t_new);
    if (took)
        *took = n;
    return b->out.t_new;
}

static void expect_t_new(bench *b, unsigned expected)
{
    assert_int_equal(t_new_after(b, NULL), expected);
}

static void expect_no_counts(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned slot = 0; slot < BALLAST_MAX_SLOTS; slot++)
        assert_int_equal(state(b)->inst[slot], 0);
}

static const bench_word words[] = {
    {"lanes", NULL, set_lanes},      /* what they issue from now on           */
    {"counts", NULL, issue_each},    /* instructions of each slot             */
    {"monitor", NULL, monitor_each}, /* the same of a kernel, to its first CTA's end */
    {"finish", finish_ctas, NULL},
    {"t_new", expect_t_new, NULL},   /* the cycles until it is fixed          */
    {"no_counts", NULL, expect_no_counts},
    {NULL, NULL, NULL},
};

/* A whole kernel of nmax CTAs that issue `counts`, until T_new is known. */
static unsigned t_new_of(bench *b, unsigned nmax, const uint32_t *counts)
{
    monitor(b, nmax, counts);
    return t_new_after(b, NULL);
}

/* A kernel that has issued nothing but `count` instructions of one slot. */
static void load_count(bench *b, unsigned nmax, unsigned slot, uint32_t count)
{
    lcs_state s = {.state = LCS_ST_MONITOR, .nmax = (uint8_t)nmax, .limit = (uint8_t)nmax};

    s.inst[slot] = count;
    load(b, &s);
}

/* T_new without issuing: the counts are put into the registers. */
static unsigned t_new_of_loaded(bench *b, unsigned nmax, const uint32_t *counts)
{
    lcs_state s = {.state = LCS_ST_MONITOR, .nmax = (uint8_t)nmax, .limit = (uint8_t)nmax};

    memcpy(s.inst, counts, nmax * sizeof *counts);
    load(b, &s);
    finish_ctas(b, 1);
    return t_new_after(b, NULL);
}

static void sum_and_max(unsigned nmax, const uint32_t *counts, uint64_t *sum, uint64_t *max)
{
    *sum = *max = 0;
    for (unsigned i = 0; i < nmax; i++) {
        *sum += counts[i];
        *max = counts[i] > *max ? counts[i] : *max;
    }
}

/* Eq. 1 with a division. */
static unsigned eq1(const bench *b, unsigned nmax, const uint32_t *counts)
{
    uint64_t sum, max;

    sum_and_max(nmax, counts, &sum, &max);
    if (max == 0)
        return nmax;
    switch (config(b)->round_mode) {
    case LCS_ROUND_FLOOR: return (unsigned)(sum / max);
    case LCS_ROUND_CEIL: return (unsigned)((sum + max - 1) / max);
    default: return (unsigned)((2 * sum + max) / (2 * max));
    }
}

static const char *const modes[] = {"lcs", "lcs_ceil", "lcs_nearest", NULL};

/* ---- phase 1: counting ------------------------------------------------------------ */

static void lcs1_starts_with_tmax(bench *b)
{
    for (unsigned nmax = 0; nmax <= 32; nmax++)
        play(b, "kernel=%u limit_q=%u nmax_q=%u state_q=%u cycle limit_o=%u done_o=%u", nmax, nmax, nmax,
             nmax == 0 ? LCS_ST_IDLE : nmax == 1 ? LCS_ST_LAZY : LCS_ST_MONITOR, nmax, nmax == 1);
}

/* Every lane, every slot, and nothing else moves. */
static void lcs1_counts_per_slot(bench *b)
{
    start_kernel(b, 32);
    for (unsigned lane = 0; lane < 8; lane++) {
        for (unsigned slot = 0; slot < 32; slot++) {
            set_lane(b, lane, slot);
            cycle(b);
            for (unsigned i = 0; i < 32; i++)
                assert_int_equal(state(b)->inst[i], lane + (i <= slot));
        }
        no_issue(b);
        b->in.issue_slot = ~UINT64_C(0) >> 24; /* lanes that are not valid, all at slot 31 */
        cycle(b);
        no_issue(b);
        assert_int_equal(state(b)->inst[31], lane + 1);
    }
}

static void lcs1_several_lanes_of_one_slot(bench *b)
{
    start_kernel(b, 32);
    for (unsigned n = 0; n <= 8; n++) { /* n lanes of slot 9, the others of slots 8 and below */
        const uint32_t before9 = state(b)->inst[9], before0 = state(b)->inst[0];

        for (unsigned lane = 0; lane < 8; lane++)
            set_lane(b, lane, lane < n ? 9 : lane - n);
        cycle(b);
        expect(b, "inst_q[9]=%u inst_q[0]=%u", before9 + n, before0 + (n < 8));
    }
}

/* From the bus: the slots of the warps that issued. */
static void lcs1_from_the_bus(bench *b)
{
    sm_setup setup = {.kernel = {.nmax = 8}};
    sm_obs obs = {.setup = &setup};
    const sm_obs *const buses[] = {&obs};
    start_kernel(b, 8);
    for (unsigned warp = 0; warp < 64; warp++) {
        setup.warp_slot[warp] = (uint8_t)(warp / 6 % 8);
        sm_obs_set_warp_state(&obs, warp, WARP_WAIT_MEM);
    }
    sm_obs_set_warp_state(&obs, 7, WARP_ISSUED_ALU);   /* slot 1 */
    sm_obs_set_warp_state(&obs, 45, WARP_ISSUED_MEM);  /* slot 7 */
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    sm_obs_set_warp_state(&obs, 7, WARP_EMPTY);
    sm_obs_set_warp_state(&obs, 46, WARP_ISSUED_ALU); /* slot 7 again */
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    sm_obs_set_warp_state(&obs, 0, WARP_ISSUED_ALU); /* three warps, two lanes: the lowest two */
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    expect(b, "inst_q[0]=1 inst_q[1]=1 inst_q[7]=4");
    obs.cta_done = 0x80;
    obs.cta_active = 0x81;
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    assert_int_equal(state(b)->state, LCS_ST_GATHER);
    assert_int_equal(b->in.cta_active, 0x81);
    assert_int_equal(b->in.enable, 1); /* settings stay as they were */
}

/* ---- phase 2: Eq. 1 --------------------------------------------------------------- */

static void lcs_e6_type1(bench *b)
{
    const unsigned lost = config(b)->round_mode == LCS_ROUND_FLOOR;

    for (unsigned nmax = 2; nmax <= 6; nmax++) {
        for (unsigned missing = 0; missing < nmax; missing++) {
            uint32_t counts[6] = {20, 20, 20, 20, 20, 20};

            assert_int_equal(t_new_of(b, nmax, counts), nmax);
            counts[missing]--;
            assert_int_equal(t_new_of(b, nmax, counts), nmax - lost);
        }
    }
}

/* T_max steps to gather and k + 1 to divide, at most 2 T_max + 1 together. */
static void lcs2_takes_as_long_as_said(bench *b)
{
    uint64_t seed = 2;
    for (unsigned nmax = 2; nmax <= 32; nmax++) {
        uint32_t counts[32];
        uint64_t sum = 0;
        unsigned took;

        for (unsigned i = 0; i < nmax; i++) {
            counts[i] = 1 + (uint32_t)(random_next(&seed) % 100);
            sum += counts[i];
        }
        counts[nmax / 2] += 100;
        sum += 100;
        monitor(b, nmax, counts);
        t_new_after(b, &took);
        assert_int_equal(took, nmax + sum / counts[nmax / 2] + 1);
        assert_true(took <= 2 * nmax + 1);
    }
}

static void lcs7_any_slot_finishes(bench *b)
{
    for (unsigned slot = 0; slot < 32; slot++) {
        start_kernel(b, 32);
        issue(b, slot, 3);
        play(b, "finish=%u t_new=1", UINT32_C(1) << slot);
    }
}

static void lcs7_nothing_issued(bench *b)
{
    for (unsigned nmax = 2; nmax <= 6; nmax++) {
        unsigned took;

        play(b, "kernel=%u cycle=5 finish=1", nmax);
        assert_int_equal(t_new_after(b, &took), nmax);
        assert_int_equal(took, nmax + 1);
    }
}

static void check_eq1(bench *b, unsigned nmax, const uint32_t *counts)
{
    const unsigned expected = eq1(b, nmax, counts);
    const unsigned actual = t_new_of_loaded(b, nmax, counts);

    assert_int_equal(actual, expected);
    assert_in_range(actual, 1, nmax);
}

/* T_max 2..4, every count 0..5, in all modes. */
static void lcs7_all_small_counts(bench *b)
{
    for (unsigned code = 0; code < 6 * 6 * 6 * 6; code++) {
        const uint32_t counts[4] = {code % 6, code / 6 % 6, code / 36 % 6, code / 216};

        for (unsigned nmax = 2; nmax <= 4; nmax++)
            check_eq1(b, nmax, counts);
    }
}

/* Counts as large as CountW lets them be; sums near a multiple of the maximum or of its half. */
static void lcs7_random_counts(bench *b)
{
    const unsigned slots = config(b)->num_slots;
    uint64_t seed = 7 + config(b)->round_mode;

    for (unsigned i = 0; i < 10000; i++) {
        const unsigned nmax = 2 + (unsigned)(random_next(&seed) % (slots - 1));
        const uint32_t top = UINT32_MAX >> random_next(&seed) % 32;
        uint32_t counts[32];

        for (unsigned x = 0; x < nmax; x++) {
            const uint32_t near = (uint32_t)(random_next(&seed) % 3);

            switch (random_next(&seed) % 5) {
            case 0: counts[x] = 0; break;
            case 1: counts[x] = top; break;
            case 2: counts[x] = top - (near < top ? near : top); break;
            case 3: counts[x] = top / 2 + (near < top / 2 ? near : 0); break;
            default: counts[x] = (uint32_t)(random_next(&seed) % ((uint64_t)top + 1)); break;
            }
        }
        check_eq1(b, nmax, counts);
    }
    for (unsigned nmax = 2; nmax <= slots; nmax++) { /* the largest sum there is */
        uint32_t counts[32];

        memset(counts, 0xff, sizeof counts);
        assert_int_equal(t_new_of_loaded(b, nmax, counts), nmax);
    }
}

/* A count that lacks one bit of the largest has room, whichever bit it is. */
static void one_bit_less_than_full(bench *b)
{
    for (unsigned slot = 0; slot < config(b)->num_slots; slot++)
        for (unsigned bit = 2; bit < 32; bit++) { /* two lanes: the lowest two bits are no room */
            const uint32_t count = UINT32_MAX ^ UINT32_C(1) << bit;

            load_count(b, 8, slot, count);
            set_lane(b, 0, slot);
            cycle(b);
            assert_int_equal(state(b)->inst[slot], count + 1);
        }
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

/* ---- counts that do not fit ------------------------------------------------------- */

/* 14 leaves room for one instruction but not for two. A slot that takes no part in the sum freezes, too. */
static void freeze_leaves_room_for_all_lanes(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        start_kernel(b, 2);
        issue(b, slot, 12);
        play(b, "lanes=%u cycle inst_q[%u]=13 cycle inst_q[%u]=14 cycle inst_q[%u]=14", slot, slot, slot, slot);
        issue(b, !slot, 5);
        assert_int_equal(state(b)->inst[!slot], 0);
    }
}

/* Every bit of every count: the carry that makes it, and the kernel start that clears all of them. */
static void counts_carry_through_all_bits(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        for (unsigned bit = 2; bit < 32; bit++) {
            load_count(b, 8, slot, (UINT32_C(1) << bit) - 1);
            cycle(b);
            issue(b, slot, 1);
            assert_int_equal(state(b)->inst[slot], UINT32_C(1) << bit);
            cycle(b);
        }
        play(b, "kernel=8 inst_q[%u]=0 cycle", slot);
    }
}

/* The brim of each slot freezes all, until the next kernel. */
static void every_slot_freezes(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        load_count(b, 8, slot, UINT32_MAX - 2);
        cycle(b);
        issue(b, slot, 2);
        issue(b, slot, 2);
        issue(b, (slot + 1) % 8, 2);
        play(b, "inst_q[%u]=0xffffffff inst_q[%u]=0 kernel=8 cycle", slot, (slot + 1) % 8);
    }
}

/* A kernel thousands of instructions long: T_new stays what the first stretch said. */
static void freeze_keeps_the_ratio(bench *b)
{
    static const unsigned pattern[] = {0, 1, 0, 2, 0, 1}; /* shares 3 : 2 : 1 */
    for (unsigned length = 1; length < 3000; length += 1 + length / 3) {
        uint32_t counts[8] = {0};

        start_kernel(b, 3);
        for (unsigned i = 0; i < length; i++) {
            no_issue(b);
            set_lane(b, i & 1, pattern[i % 6]);
            cycle(b);
            if (counts[0] <= 13 && counts[1] <= 13)
                counts[pattern[i % 6]]++;
        }
        no_issue(b);
        finish_ctas(b, 1);
        for (unsigned slot = 0; slot < 3; slot++)
            assert_int_equal(state(b)->inst[slot], counts[slot]);
        expect_t_new(b, eq1(b, 3, counts));
        if (length > 5)
            assert_int_equal(state(b)->limit, 1 + (counts[1] + counts[2] >= counts[0]));
    }
}

/* ---- phases 2 and 3: throttling ---------------------------------------------------- */

static void lcs4_until_tnew_are_active(bench *b)
{
    for (unsigned shift = 0; shift <= 28; shift += 7) {
        play(b, "monitor=10,10,8,1,1 t_new=3");
        for (unsigned active = 32; active > 3; active--) {
            b->in.cta_active = UINT32_MAX >> (32 - active) << (active <= 32 - shift ? shift : 0);
            play(b, "cycle=2 state_q=StThrottle done_o=1");
        }
        play(b, "cta_active_i=%u cycle state_q=StLazy", UINT32_C(0x7) << shift);
        play(b, "monitor=10,10,8,1,1 t_new=3 cta_active_i=0 cycle state_q=StLazy");
    }
}

static void lcs8_no_second_thoughts(bench *b)
{
    lcs_state before;

    play(b, "monitor=9,9,9,1 t_new=3 cta_active_i=0x7 cycle state_q=StLazy");
    before = *state(b);
    play(b, "bcast_valid_i=1 listen_i=1 bcast_limit_i=1 cta_active_i=0xff");
    for (unsigned i = 0; i < 200; i++)
        play(b, "cta_done_i=%u issue_valid_i=%u cycle limit_o=3 done_o=1", i & 0xff, i & 3);
    assert_memory_equal(state(b), &before, sizeof before);
}

/* T_new is known in the cycle after the one that decides. */
static void lcs_a6_drain_or_pause(bench *b)
{
    const unsigned pauses = config(b)->throttle == LCS_THROTTLE_PAUSE;

    play(b, "kernel=4 state_q=StMonitor counts=4,3,3,0 pause_o=0 finish=1 t_new=2 pause_o=0 "
            "cycle=2 state_q=StThrottle pause_o=%u cta_active_i=1 cycle=2 state_q=StLazy pause_o=%u kernel=0 cycle pause_o=0",
         pauses, pauses);
}

/* ---- kernels ----------------------------------------------------------------------- */

/* Brings a kernel of T_max = 4 into a state. */
static void walk_to(bench *b, unsigned st)
{
    start_kernel(b, st == LCS_ST_IDLE ? 0 : 4);
    if (st == LCS_ST_IDLE)
        return;
    issue_each(b, "4,3,3,0");
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
                        "kernel=%u limit_q=%u nmax_q=%u index_q=0 sum_q=0 max_q=0 no_counts t_new_valid_o=0 state_q=%u "
                        "lanes= cta_done_i=0 listen_i=0 bcast_valid_i=0 bcast_limit_i=0", st, listen, nmax, nmax, nmax,
                     nmax == 0 ? LCS_ST_IDLE : nmax == 1 ? LCS_ST_LAZY : LCS_ST_MONITOR);
            }
}

/* It also beats the very cycle that would fix T_new: 4 to gather, 2 to take the maximum off, then T_new. */
static void kernel_start_hides_t_new(bench *b)
{
    for (unsigned wait = 0; wait < 7; wait++) {
        walk_to(b, LCS_ST_GATHER);
        play(b, "cycle=%u state_q=%s kernel=5 t_new_valid_o=0 t_new_o=0 limit_o=4 limit_q=5 state_q=StMonitor", wait,
             wait < 4 ? "StGather" : "StDivide");
    }
}

/* ---- LCS-A5: one SM measures for all ------------------------------------------------- */

static void lcs_a5_listens(bench *b)
{
    for (unsigned nmax = 2; nmax <= 8; nmax++)
        for (unsigned limit = 0; limit < 16; limit++) /* clamped to what there can be */
            play(b, "listen_i=1 cta_active_i=0xff kernel=%u bcast_limit_i=1 counts=9 finish=1 "
                    "state_q=StMonitor index_q=0 sum_q=0 max_q=0 no_counts limit_q=%u "
                    "bcast_limit_i=%u bcast_valid_i=1 cycle bcast_valid_i=0 t_new_valid_o=0 t_new_o=0 "
                    "state_q=StThrottle index_q=0 sum_q=0 max_q=0 limit_q=%u cta_active_i=1 cycle done_o=1 state_q=StLazy",
                 nmax, nmax, limit, limit < 1 ? 1 : limit > nmax ? nmax : limit);
}

/* Two SMs: the one that listens has the other's limit from the same cycle on. */
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
    for (unsigned i = 0; i < 14; i++) {
        cycle(a);
        b.in.bcast_valid = a->out.t_new_valid;
        b.in.bcast_limit = a->out.t_new;
        cycle(&b);
        assert_int_equal(a->out.limit, b.out.limit);
        assert_int_equal(a->out.done, b.out.done);
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
        {"kernel_start_i=0 counts=4,3,3,0 cta_done_i=1",
         "first CTA done: counting ends with 10 instructions, at most 4 of one CTA",
         {"lcs LCS-1 first_cta: sum=10 max=4 | limit=4 state=StMonitor | limit=4 state=StGather"}},
        {"cta_done_i=0 cta_active_i=0xf cycle=6", "T_new 3 = 10/4 rounded up: limit 4 -> 3",
         {"lcs LCS-3 t_new: sum=10 max=4 t_new=3 | limit=4 state=StDivide | limit=3 state=StThrottle"}},
        {"cta_active_i=0x5", "throttled: 2 CTAs active, limit 3",
         {"lcs LCS-4 throttled: active=2 | limit=3 state=StThrottle | limit=3 state=StLazy"}},
        {"monitor=4,3,1,1 cycle=6", "T_new 2 = 9/4 rounded down: limit 4 -> 2",
         {"lcs LCS-2 t_new: sum=9 max=4 t_new=2 | limit=4 state=StDivide | limit=2 state=StThrottle"}},
        {"monitor=4,4 cycle=4", "T_new 2 = 8/4: limit 2 -> 2",
         {"lcs LCS-2 t_new: sum=8 max=4 t_new=2 | limit=2 state=StDivide | limit=2 state=StThrottle"}},
        {"kernel=5 finish=1 cycle=5", "T_new 5, nothing was issued: limit 5 -> 5",
         {"lcs LCS-7 t_new: sum=0 max=0 t_new=5 | limit=5 state=StDivide | limit=5 state=StThrottle"}},
        {"kernel=5 listen_i=1 bcast_valid_i=1 bcast_limit_i=2", "broadcast T_new 2: limit 5 -> 2",
         {"lcs LCS-6 broadcast: t_new=2 | limit=5 state=StMonitor | limit=2 state=StThrottle"}},
    };

    expect_log(b, rows);
}

/* ---- random ---------------------------------------------------------------------------- */

static void random_inputs(lcs_in *in, const lcs_cfg *cfg, uint64_t *seed, unsigned finish_every)
{
    const uint32_t slots = UINT32_MAX >> (32 - cfg->num_slots);
    const uint64_t lanes = (UINT64_C(1) << slot_bits(cfg) * cfg->issue_width) - 1;
    const uint32_t half = (uint32_t)random_next(seed), other_half = (uint32_t)random_next(seed);

    in->enable = !random_one_in(seed, 20);
    in->kernel_start = random_one_in(seed, 150);
    in->nmax = (uint8_t)random_next(seed);
    in->issue_valid = (uint8_t)(random_next(seed) & ((1U << cfg->issue_width) - 1));
    in->issue_slot = random_next(seed) & lanes;
    if (random_one_in(seed, 2)) /* most of the time the first slots issue more than the others */
        in->issue_slot &= random_next(seed);
    in->cta_done = random_one_in(seed, finish_every) ? (uint32_t)random_next(seed) & slots : 0;
    in->cta_active = half & other_half & slots;
    in->bcast_valid = random_one_in(seed, 30);
    in->bcast_limit = (uint8_t)(random_next(seed) & (cfg->num_slots >= 32 ? 63 : cfg->num_slots >= 8 ? 15 : 7));
}

/* The rules once more as bookkeeping over a kernel: what was issued before the first finish,
 * and the cycle in which T_new must come. */
typedef struct books {
    uint32_t counts[32];
    unsigned nmax, limit;
    bool monitoring, known;
    unsigned cycles_to_t_new; /* 0: none expected */
} books;

static void book_issues(books *k, const bench *b)
{
    const uint64_t most = (UINT64_C(1) << config(b)->count_w) - 1;

    for (unsigned slot = 0; slot < config(b)->num_slots; slot++)
        if (k->counts[slot] + config(b)->issue_width > most)
            return;
    for (unsigned lane = 0; lane < config(b)->issue_width; lane++) {
        const unsigned slot = b->in.issue_slot >> lane * slot_bits(config(b)) & ((1U << slot_bits(config(b))) - 1);

        if (b->in.issue_valid >> lane & 1)
            k->counts[slot]++;
    }
    memset(k->counts + config(b)->num_slots, 0, sizeof k->counts - config(b)->num_slots * sizeof *k->counts);
}

static void book_finish(books *k)
{
    uint64_t sum, max;

    sum_and_max(k->nmax, k->counts, &sum, &max);
    k->monitoring = false;
    k->cycles_to_t_new = k->nmax + 1 + (unsigned)(max ? sum / max : 0);
}

/* Says what the outputs of this cycle are, and goes on to the next. */
static lcs_out book_cycle(books *k, const bench *b)
{
    lcs_out expected = {.limit = (uint8_t)k->limit, .done = k->known, .pause = k->known && config(b)->throttle};

    if (!b->in.enable)
        return expected;
    if (b->in.kernel_start) {
        *k = (books){.nmax = b->in.nmax, .limit = b->in.nmax, .monitoring = b->in.nmax > 1, .known = b->in.nmax == 1};
        return expected;
    }
    if (k->monitoring && b->in.listen) {
        if (b->in.bcast_valid) {
            k->limit = b->in.bcast_limit == 0 ? 1 : b->in.bcast_limit < k->nmax ? b->in.bcast_limit : k->nmax;
            k->known = true;
            k->monitoring = false;
        }
    } else if (k->monitoring) {
        book_issues(k, b);
        if (b->in.cta_done)
            book_finish(k);
    } else if (k->cycles_to_t_new && --k->cycles_to_t_new == 0) {
        k->limit = eq1(b, k->nmax, k->counts);
        k->known = true;
        expected.t_new_valid = 1;
        expected.t_new = (uint8_t)k->limit;
    }
    return expected;
}

static void random_against_books(bench *b)
{
    uint64_t seed = 0x1c5;
    unsigned decided = 0;
    books k = {.nmax = 0};
    for (unsigned i = 0; i < 60000; i++) {
        lcs_out expected;

        random_inputs(&b->in, config(b), &seed, i / 3000 % 2 ? 8 : 60);
        keep_ranges(b);
        b->in.listen = i / 1000 % 5 == 0;
        expected = book_cycle(&k, b);
        cycle(b);
        assert_memory_equal(&b->out, &expected, sizeof expected);
        if (b->out.t_new_valid)
            decided++;
        assert_true(state(b)->index <= state(b)->nmax);
    }
    assert_true(decided > 100); /* else the test has seen nothing */
}

static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    lcs_in *in = inputs;

    random_inputs(in, cfg, seed, n / 3000 % 2 ? 8 : 60);
    in->listen = random_one_in(seed, 3);
}

/* Sum and maximum as they can be after so many counts, near the ends of their ranges. */
static void draw_sums(step_fixture *f, lcs_state *s)
{
    const unsigned maxima = s->state == LCS_ST_GATHER ? s->index : s->index > s->nmax ? 0 : s->nmax - s->index;
    const uint64_t most = (uint64_t)maxima * s->max;
    const uint64_t least = s->state == LCS_ST_GATHER || s->index == 0 ? s->max : 0;

    if (s->state != LCS_ST_GATHER && s->state != LCS_ST_DIVIDE)
        s->sum = s->state == LCS_ST_MONITOR ? 0 : step_value(f, UINT64_C(0xffffffffff) >> 5);
    else if (most >= least && step_random(f, 2))
        s->sum = least + step_value(f, most - least);
    else
        s->sum = step_near(f, s->max, most);
}

/* Every state of a measurement that can be, with counts beside the maximum and the sum. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const lcs_cfg *cfg = step_config(f);
    lcs_state *s = registers;
    lcs_in *in = inputs;

    step_draw(f, PORT_REG, s);
    step_draw(f, PORT_IN, in);
    in->enable = step_random(f, 8) != 0;
    in->kernel_start = step_random(f, 8) == 0;
    if (step_random(f, 2))
        in->listen = 0;
    s->state = (uint8_t)step_random(f, 6);
    s->nmax = (uint8_t)(s->state == LCS_ST_IDLE ? 0 : 1 + step_random(f, 8));
    s->limit = (uint8_t)(step_random(f, 2) || s->nmax == 0 ? s->nmax : 1 + step_random(f, s->nmax));
    s->index = (uint8_t)(s->state == LCS_ST_MONITOR ? 0 : step_random(f, s->nmax + 1u));
    if (s->state == LCS_ST_MONITOR)
        s->max = 0;
    draw_sums(f, s);
    if (s->nmax && step_random(f, 2))
        s->inst[s->index % 8] = (uint32_t)step_near(f, s->max, UINT32_MAX);
    return !lcs_violated(s, cfg);
}

static const char *const drain_and_pause[] = {"lcs", "lcs_narrow", NULL};
static const char *const twins[] = {"lcs", "lcs_ceil", "lcs_nearest", "lcs_narrow", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRIPT("reset: registers zero, no limit, not done; StIdle holds", "lcs",
               "state_q=StIdle index_q=0 sum_q=0 max_q=0 limit_q=0 nmax_q=0 no_counts "
               "lanes=3 finish=0xff limit_o=0 done_o=0 pause_o=0 t_new_valid_o=0 " /* no kernel: nothing counts */
               "state_q=StIdle index_q=0 sum_q=0 max_q=0 no_counts"),
        BOTH_SIDES("LCS-1: a kernel starts with T_max CTAs; 0 and 1 leave nothing to decide", "lcs_nearest",
                   lcs1_starts_with_tmax),
        BOTH_SIDES("LCS-1: instructions are counted per CTA slot, on every lane", "lcs_nearest", lcs1_counts_per_slot),
        BOTH_SIDES("LCS-1: several lanes of one slot all count", "lcs_nearest", lcs1_several_lanes_of_one_slot),
        SCRIPT("LCS-1: slot numbers of no slot are ignored", "lcs_ceil", /* six slots, numbers of three bits */
               "kernel=6 counts=0,0,0,0,0,0,20,20 no_counts lanes=7,5,6 cycle "
               "inst_q[0]=0 inst_q[1]=0 inst_q[2]=0 inst_q[3]=0 inst_q[4]=0 inst_q[5]=1"),
        SCRIPT("LCS-1: counting ends with the cycle of the first finish", "lcs",
               "lanes=1 kernel=4 inst_q[1]=0 cycle inst_q[1]=1 " /* the cycle of the kernel start is not this kernel's */
               "finish=0x8 inst_q[1]=2 state_q=StGather index_q=0 sum_q=0 max_q=0 "
               "cycle=20 state_q=StLazy inst_q[1]=2"),
        BOTH_SIDES("LCS-1: lanes from the observation bus", "lcs", lcs1_from_the_bus),
        SCRIPT("LCS-E1: {4,3,3,0} gives 2, floor", "lcs", "monitor=4,3,3,0 t_new=2"),
        SCRIPT("LCS-E1: {4,3,3,0} gives 3, ceil", "lcs_ceil", "monitor=4,3,3,0 t_new=3"),
        SCRIPT("LCS-E1: {4,3,3,0} gives 3, nearest", "lcs_nearest", "monitor=4,3,3,0 t_new=3"),
        SCRIPT("LCS-E3, LCS-E4: 3 of 8, 2 of 4, 1 of 6", "lcs",
               "monitor=60,55,30,20,10,5,0,1 t_new=3 " /* LPS: 181 / 60 */
               "monitor=40,33,18,2 t_new=2 "           /* MMUL: 93 / 40 */
               "monitor=50,20,5,3,1,0 t_new=1"),       /* KMN: 79 / 50  */
        EACH_VARIANT("LCS-E6: equal counts keep T_max; one instruction missing costs floor one CTA", modes, lcs_e6_type1),
        SCRIPT("LCS-2: gather and divide, register by register", "lcs", /* LCS-E1 */
               "kernel=4 counts=3,4,0,3 cta_active_i=0xf "
               "finish=2 state_q=StGather index_q=0 sum_q=0 max_q=0 "
               "cycle state_q=StGather index_q=1 sum_q=3 max_q=3 "
               "cycle state_q=StGather index_q=2 sum_q=7 max_q=4 "
               "cycle state_q=StGather index_q=3 sum_q=7 max_q=4 "
               "cycle state_q=StDivide index_q=0 sum_q=10 max_q=4 "
               "cycle state_q=StDivide index_q=1 sum_q=6 max_q=4 "
               "cycle state_q=StDivide index_q=2 sum_q=2 max_q=4 limit_q=4 t_new_valid_o=0 "
               "cycle state_q=StThrottle index_q=2 sum_q=2 max_q=4 "
               "t_new_valid_o=1 t_new_o=2 limit_o=4 done_o=0 limit_q=2 " /* shows from the next cycle on */
               "cycle t_new_valid_o=0 t_new_o=0 limit_o=2 done_o=1 state_q=StThrottle index_q=2 sum_q=2 max_q=4 inst_q[1]=4"),
        BOTH_SIDES("LCS-2: T_max + k + 1 cycles to decide", "lcs_nearest", lcs2_takes_as_long_as_said),
        SCRIPT("LCS-A2: the sum has T_max terms", "lcs", /* slots 3..7 take no part */
               "kernel=3 counts=10,6,5,90,90,90,90,90 finish=1 t_new=2 state_q=StThrottle index_q=2 sum_q=1 max_q=10"),
        SCRIPT("LCS-A7: fewer CTAs than T_max", "lcs", "monitor=9,0,0,0,0,0,0,0 t_new=1 monitor=0,9,9,9,0,0,0,0 t_new=3"),
        SCRIPT("LCS-A9: several finishes in a cycle are one, later ones none", "lcs",
               "kernel=4 counts=4,4,2,2 finish=0x6 cta_done_i=0xf t_new=3 " /* later ones find the snapshot taken */
               "cycle=3 cta_active_i=3 cycle=3 limit_q=3 state_q=StLazy"),
        BOTH_SIDES("LCS-7: any slot may finish first", "lcs_nearest", lcs7_any_slot_finishes),
        EACH_VARIANT("LCS-7: nothing issued keeps T_max", modes, lcs7_nothing_issued),
        EACH_VARIANT("LCS-7: T_max 2..4, all counts 0..5, all modes, against division", modes, lcs7_all_small_counts),
        EACH_VARIANT("LCS-7: 30 000 random counts up to 2^32 - 1, all modes, against division", modes, lcs7_random_counts),
        BOTH_SIDES("LCS-1: a count that lacks one bit of the largest still counts", "lcs", one_bit_less_than_full),
        BOTH_SIDES("LCS-1: a code that is no state is left in the next enabled cycle", "lcs", codes_that_are_no_state),
        /* Four bits, two lanes: the last cycle that counts starts at 13 or less. */
        SCRIPT("freeze: all slots stop together", "lcs_narrow",
               "kernel=4 counts=13,9,3,1 lanes=0,0 cycle inst_q[0]=15 lanes=0,1 cycle=100 counts=10,10,10,10 "
               "inst_q[0]=15 inst_q[1]=9 inst_q[2]=3 inst_q[3]=1 "
               "lanes=2 finish=1 lanes= t_new=1"), /* 28 / 15: the cycle of the first finish is no exception */
        BOTH_SIDES("freeze: before the lanes of one cycle could overflow", "lcs_narrow", freeze_leaves_room_for_all_lanes),
        SCRIPT("freeze: at 32 bits", "lcs",
               "state_q:=StMonitor nmax_q:=4 limit_q:=4 inst_q[2]:=0xfffffffd inst_q[1]:=0x7fffffff "
               "lanes=2,2 cycle inst_q[2]=0xffffffff " /* the brim: still counts */
               "lanes=2,1 cycle=3 inst_q[2]=0xffffffff inst_q[1]=0x7fffffff finish=1 t_new=1"),
        BOTH_SIDES("LCS-1: counts carry through all bits", "lcs", counts_carry_through_all_bits),
        BOTH_SIDES("LCS-1: the brim of every slot freezes all", "lcs", every_slot_freezes),
        SCRIPT("LCS-2: the maximum takes all bits", "lcs", /* and drops them again */
               "state_q:=StMonitor nmax_q:=2 limit_q:=2 inst_q[1]:=0xffffffff cycle finish=1 cycle=2 max_q=0xffffffff "
               "cycle kernel=2 max_q=0 cycle"),
        BOTH_SIDES("freeze: T_new is Eq. 1 as of the freeze, however long the kernel", "lcs_narrow", freeze_keeps_the_ratio),
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
        BOTH_SIDES("LCS-A5: a listening SM takes the broadcast, clamped", "lcs", lcs_a5_listens),
        SCRIPT("LCS-A5: broadcast and finish in one cycle", "lcs", /* each hears only its own */
               "cta_active_i=0xff listen_i=0 kernel=8 lanes=5 bcast_valid_i=1 bcast_limit_i=3 finish=1 lanes= bcast_valid_i=0 "
               "state_q=StGather limit_q=8 inst_q[5]=1 "
               "listen_i=1 kernel=8 lanes=5 bcast_valid_i=1 finish=1 state_q=StThrottle limit_q=3 inst_q[5]=0"),
        SCRIPT("LCS-A5: a measuring SM ignores the broadcast", "lcs",
               "bcast_valid_i=1 bcast_limit_i=1 monitor=4,4,4,0 t_new=3 cycle=5 limit_q=3 "
               "monitor=4,3,3,0 listen_i=1 t_new=2 cycle limit_q=2"), /* from the first finish on not looked at */
        BOTH_SIDES("LCS-A5: both SMs have the limit from the same cycle on", "lcs", lcs_a5_chain),
        BOTH_SIDES("enable: 0 holds every register in every state, pulses are 0", "lcs_narrow", enable_holds),
        BOTH_SIDES("log: each decision says what it was made from", "lcs_nearest", log_of_decisions),
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, floor", "lcs", random_against_books),
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, ceil", "lcs_ceil", random_against_books),
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, nearest", "lcs_nearest", random_against_books),
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, 4-bit counts", "lcs_narrow", random_against_books),
        TWIN_CYCLES("twins: 100 000 random cycles per variant, every output and register", twins, 0x7715, 100000, draw_inputs),
        TWIN_STEPS("twins: one step from 200 000 states of a measurement", "lcs", 0x1c5, 200000, draw_step),
    };
    return cmocka_run_group_tests_name("lcs", tests, NULL, NULL);
}
