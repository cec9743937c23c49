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

static void issue_counts(bench *b, unsigned slots, const uint32_t *counts)
{
    for (unsigned slot = 0; slot < slots; slot++)
        issue(b, slot, counts[slot]);
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

#define MONITOR(b, ...) \
    monitor(b, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

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

static unsigned t_new(bench *b)
{
    return t_new_after(b, NULL);
}

/* A whole kernel of nmax CTAs that issue `counts`, until T_new is known. */
static unsigned t_new_of(bench *b, unsigned nmax, const uint32_t *counts)
{
    monitor(b, nmax, counts);
    return t_new(b);
}

#define T_NEW_OF(b, ...) \
    t_new_of(b, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* The same without issuing: the counts are put into the registers. */
static unsigned t_new_of_loaded(bench *b, unsigned nmax, const uint32_t *counts)
{
    lcs_state s;

    memset(&s, 0, sizeof s);
    s.state = LCS_ST_MONITOR;
    s.nmax = s.limit = (uint8_t)nmax;
    memcpy(s.inst, counts, nmax * sizeof *counts);
    dut_load(&b->dut, &s);
    finish_ctas(b, 1);
    return t_new(b);
}

/* Eq. 1 with a division. */
static unsigned eq1(const bench *b, unsigned nmax, const uint32_t *counts)
{
    uint64_t sum = 0, max = 0;

    for (unsigned i = 0; i < nmax; i++) {
        sum += counts[i];
        max = counts[i] > max ? counts[i] : max;
    }
    if (max == 0)
        return nmax;
    switch (config(b)->round_mode) {
    case LCS_ROUND_FLOOR: return (unsigned)(sum / max);
    case LCS_ROUND_CEIL: return (unsigned)((sum + max - 1) / max);
    default: return (unsigned)((2 * sum + max) / (2 * max));
    }
}

static const char *const modes[] = {"lcs", "lcs_ceil", "lcs_nearest", NULL};

#define assert_registers(b, st, idx, s, m)                                                                      \
    expect(b, "state_q=%u index_q=%u sum_q=%llu max_q=%llu", (unsigned)(st), (unsigned)(idx), (unsigned long long)(s), \
           (unsigned long long)(m))

/* ---- phase 1: counting ------------------------------------------------------------ */

static void reset_state(bench *b)
{
    const lcs_state zero = {0};
    assert_registers(b, LCS_ST_IDLE, 0, 0, 0);
    expect(b, "limit_q=0 nmax_q=0");
    assert_memory_equal(state(b)->inst, zero.inst, sizeof zero.inst);
    set_lane(b, 0, 3); /* no kernel: nothing counts, nobody finishes */
    finish_ctas(b, 0xff);
    expect(b, "limit_o=0 done_o=0 pause_o=0 t_new_valid_o=0");
    assert_registers(b, LCS_ST_IDLE, 0, 0, 0);
    assert_memory_equal(state(b)->inst, zero.inst, sizeof zero.inst);
}

static void lcs1_starts_with_tmax(bench *b)
{
    for (unsigned nmax = 0; nmax <= 32; nmax++) {
        start_kernel(b, nmax);
        expect(b, "limit_q=%u nmax_q=%u state_q=%u", nmax, nmax,
               nmax == 0 ? LCS_ST_IDLE : nmax == 1 ? LCS_ST_LAZY : LCS_ST_MONITOR);
        cycle(b);
        expect(b, "limit_o=%u done_o=%u", nmax, nmax == 1);
    }
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

static void lcs1_slots_that_are_none(bench *b)
{
    const lcs_state zero = {0};
    /* six slots, numbers of three bits */
    start_kernel(b, 6);
    issue(b, 6, 20);
    issue(b, 7, 20);
    assert_memory_equal(state(b)->inst, zero.inst, sizeof zero.inst);
    set_lane(b, 0, 7);
    set_lane(b, 1, 5);
    set_lane(b, 2, 6);
    cycle(b);
    assert_int_equal(state(b)->inst[5], 1);
    for (unsigned slot = 0; slot < 5; slot++)
        assert_int_equal(state(b)->inst[slot], 0);
}

static void lcs1_until_the_first_finishes(bench *b)
{
    set_lane(b, 0, 1); /* in the cycle of the kernel start: not this kernel's */
    start_kernel(b, 4);
    assert_int_equal(state(b)->inst[1], 0);
    cycle(b);
    assert_int_equal(state(b)->inst[1], 1);
    finish_ctas(b, 1U << 3); /* in the cycle of the first finish: counts */
    assert_int_equal(state(b)->inst[1], 2);
    assert_registers(b, LCS_ST_GATHER, 0, 0, 0);
    while (state(b)->state != LCS_ST_LAZY) { /* and nothing from then on */
        cycle(b);
        assert_int_equal(state(b)->inst[1], 2);
    }
    cycle(b);
    assert_int_equal(state(b)->inst[1], 2);
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

static void lcs_e1(bench *b)
{
    static const unsigned expected[] = {[LCS_ROUND_FLOOR] = 2, [LCS_ROUND_CEIL] = 3, [LCS_ROUND_NEAREST] = 3};

    assert_int_equal(T_NEW_OF(b, 4, 3, 3, 0), expected[config(b)->round_mode]);
}

static void lcs_e3_e4(bench *b)
{
    assert_int_equal(T_NEW_OF(b, 60, 55, 30, 20, 10, 5, 0, 1), 3); /* LPS: 181 / 60 */
    assert_int_equal(T_NEW_OF(b, 40, 33, 18, 2), 2);               /* MMUL: 93 / 40 */
    assert_int_equal(T_NEW_OF(b, 50, 20, 5, 3, 1, 0), 1);          /* KMN: 79 / 50  */
}

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

/* LCS-E1, register by register. */
static void lcs2_steps(bench *b)
{
    start_kernel(b, 4);
    issue_counts(b, 4, (uint32_t[]){3, 4, 0, 3});
    b->in.cta_active = 0xf;
    finish_ctas(b, 2);
    assert_registers(b, LCS_ST_GATHER, 0, 0, 0);
    cycle(b);
    assert_registers(b, LCS_ST_GATHER, 1, 3, 3);
    cycle(b);
    assert_registers(b, LCS_ST_GATHER, 2, 7, 4);
    cycle(b);
    assert_registers(b, LCS_ST_GATHER, 3, 7, 4);
    cycle(b);
    assert_registers(b, LCS_ST_DIVIDE, 0, 10, 4);
    cycle(b);
    assert_registers(b, LCS_ST_DIVIDE, 1, 6, 4);
    cycle(b);
    assert_registers(b, LCS_ST_DIVIDE, 2, 2, 4);
    expect(b, "limit_q=4 t_new_valid_o=0");
    cycle(b);
    assert_registers(b, LCS_ST_THROTTLE, 2, 2, 4);
    expect(b, "t_new_valid_o=1 t_new_o=2 limit_o=4"); /* shows from the next cycle on */
    expect(b, "done_o=0 limit_q=2");
    cycle(b);
    expect(b, "t_new_valid_o=0 t_new_o=0 limit_o=2 done_o=1");
    assert_registers(b, LCS_ST_THROTTLE, 2, 2, 4);
    assert_int_equal(state(b)->inst[1], 4);
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

static void lcs_a2_tmax_terms(bench *b)
{
    start_kernel(b, 3);
    issue_counts(b, 8, (uint32_t[]){10, 6, 5, 90, 90, 90, 90, 90}); /* slots 3..7 take no part */
    finish_ctas(b, 1);
    assert_int_equal(t_new(b), 2);
    assert_registers(b, LCS_ST_THROTTLE, 2, 1, 10);
}

static void lcs_a7_fewer_ctas(bench *b)
{
    assert_int_equal(T_NEW_OF(b, 9, 0, 0, 0, 0, 0, 0, 0), 1);
    assert_int_equal(T_NEW_OF(b, 0, 9, 9, 9, 0, 0, 0, 0), 3);
}

static void lcs_a9_one_snapshot(bench *b)
{
    start_kernel(b, 4);
    issue_counts(b, 4, (uint32_t[]){4, 4, 2, 2});
    finish_ctas(b, 0x6);
    b->in.cta_done = 0xf; /* later ones find the snapshot taken */
    assert_int_equal(t_new(b), 3);
    cycles(b, 3);
    b->in.cta_active = 3;
    cycles(b, 3);
    expect(b, "limit_q=3 state_q=StLazy");
}

static void lcs7_any_slot_finishes(bench *b)
{
    for (unsigned slot = 0; slot < 32; slot++) {
        start_kernel(b, 32);
        issue(b, slot, 3);
        finish_ctas(b, UINT32_C(1) << slot);
        assert_int_equal(t_new(b), 1);
    }
}

static void lcs7_nothing_issued(bench *b)
{
    for (unsigned nmax = 2; nmax <= 6; nmax++) {
        unsigned took;

        start_kernel(b, nmax);
        cycles(b, 5);
        finish_ctas(b, 1);
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
            lcs_state s = {.state = LCS_ST_MONITOR, .limit = 8, .nmax = 8};

            s.inst[slot] = UINT32_MAX ^ UINT32_C(1) << bit;
            dut_load(&b->dut, &s);
            set_lane(b, 0, slot);
            cycle(b);
            assert_int_equal(state(b)->inst[slot], s.inst[slot] + 1);
        }
}

/* ---- codes that are no state ---------------------------------------------------------- */

/* Left in the next enabled cycle, with the limit there is; a kernel starts as ever. */
static void codes_that_are_no_state(bench *b)
{
    for (uint8_t code = LCS_ST_LAZY + 1; code < 8; code++) {
        const lcs_state s = {.state = code, .limit = 3, .nmax = 5, .index = 2, .sum = 7, .max = 4};

        dut_load(&b->dut, &s);
        b->in.enable = 0;
        cycles(b, 3);
        assert_registers(b, code, 2, 7, 4);
        b->in.enable = 1;
        cycle(b);
        assert_registers(b, LCS_ST_LAZY, 2, 7, 4);
        assert_int_equal(state(b)->limit, 3);
        dut_load(&b->dut, &s);
        start_kernel(b, 4);
        expect(b, "state_q=StMonitor limit_q=4");
    }
}

/* ---- counts that do not fit ------------------------------------------------------- */

static void freeze_stops_all_slots(bench *b)
{
    /* four bits, two lanes: the last cycle that counts starts at 13 or less */
    start_kernel(b, 4);
    issue_counts(b, 4, (uint32_t[]){13, 9, 3, 1});
    set_lane(b, 0, 0);
    set_lane(b, 1, 0);
    cycle(b);
    assert_int_equal(state(b)->inst[0], 15);
    set_lane(b, 1, 1);
    cycles(b, 100);
    no_issue(b);
    issue_counts(b, 4, (uint32_t[]){10, 10, 10, 10});
    expect(b, "inst_q[0]=15 inst_q[1]=9 inst_q[2]=3 inst_q[3]=1");
    set_lane(b, 0, 2); /* the cycle of the first finish is no exception */
    finish_ctas(b, 1);
    no_issue(b);
    assert_int_equal(t_new(b), 28 / 15);
}

/* 14 leaves room for one instruction but not for two. */
static void freeze_leaves_room_for_all_lanes(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        reopen_bench(b, "lcs_narrow");
        start_kernel(b, 2); /* a slot that takes no part in the sum freezes, too */
        issue(b, slot, 12);
        set_lane(b, 0, slot);
        cycle(b);
        assert_int_equal(state(b)->inst[slot], 13);
        cycle(b);
        assert_int_equal(state(b)->inst[slot], 14);
        cycle(b);
        assert_int_equal(state(b)->inst[slot], 14);
        no_issue(b);
        issue(b, !slot, 5);
        assert_int_equal(state(b)->inst[!slot], 0);
    }
}

/* Every bit of every count: the carry that makes it, and the kernel start that clears all of them. */
static void counts_carry_through_all_bits(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        for (unsigned bit = 2; bit < 32; bit++) {
            lcs_state s;

            memset(&s, 0, sizeof s);
            s.state = LCS_ST_MONITOR;
            s.nmax = s.limit = 8;
            s.inst[slot] = (UINT32_C(1) << bit) - 1;
            dut_load(&b->dut, &s);
            cycle(b);
            issue(b, slot, 1);
            assert_int_equal(state(b)->inst[slot], UINT32_C(1) << bit);
            cycle(b);
        }
        start_kernel(b, 8);
        assert_int_equal(state(b)->inst[slot], 0);
        cycle(b);
    }
}

/* The brim of each slot freezes all, until the next kernel. */
static void every_slot_freezes(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        lcs_state s;

        memset(&s, 0, sizeof s);
        s.state = LCS_ST_MONITOR;
        s.nmax = s.limit = 8;
        s.inst[slot] = UINT32_MAX - 2;
        dut_load(&b->dut, &s);
        cycle(b);
        issue(b, slot, 2);
        issue(b, slot, 2);
        issue(b, (slot + 1) % 8, 2);
        assert_int_equal(state(b)->inst[slot], UINT32_MAX);
        assert_int_equal(state(b)->inst[(slot + 1) % 8], 0);
        start_kernel(b, 8);
        cycle(b);
    }
}

/* The largest count that there is, taken and dropped again. */
static void maximum_of_all_bits(bench *b)
{
    lcs_state s;

    memset(&s, 0, sizeof s);
    s.state = LCS_ST_MONITOR;
    s.nmax = s.limit = 2;
    s.inst[1] = UINT32_MAX;
    dut_load(&b->dut, &s);
    cycle(b);
    finish_ctas(b, 1);
    cycle(b);
    cycle(b);
    assert_int_equal(state(b)->max, UINT32_MAX);
    cycle(b);
    start_kernel(b, 2);
    assert_int_equal(state(b)->max, 0);
    cycle(b);
}

static void freeze_at_full_width(bench *b)
{
    lcs_state s;
    memset(&s, 0, sizeof s);
    s.state = LCS_ST_MONITOR;
    s.nmax = s.limit = 4;
    s.inst[2] = UINT32_MAX - 2; /* the brim: still counts */
    s.inst[1] = UINT32_MAX / 2;
    dut_load(&b->dut, &s);
    set_lane(b, 0, 2);
    set_lane(b, 1, 2);
    cycle(b);
    assert_int_equal(state(b)->inst[2], UINT32_MAX);
    set_lane(b, 1, 1);
    cycles(b, 3);
    expect(b, "inst_q[2]=%u inst_q[1]=%u", UINT32_MAX, UINT32_MAX / 2);
    finish_ctas(b, 1);
    assert_int_equal(t_new(b), 1);
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
        assert_int_equal(t_new(b), eq1(b, 3, counts));
        if (length > 5)
            assert_int_equal(state(b)->limit, 1 + (counts[1] + counts[2] >= counts[0]));
    }
}

/* ---- phases 2 and 3: throttling ---------------------------------------------------- */

static void lcs4_until_tnew_are_active(bench *b)
{
    for (unsigned shift = 0; shift <= 28; shift += 7) {
        assert_int_equal(T_NEW_OF(b, 10, 10, 8, 1, 1), 3);
        for (unsigned active = 32; active > 3; active--) {
            b->in.cta_active = UINT32_MAX >> (32 - active) << (active <= 32 - shift ? shift : 0);
            cycles(b, 2);
            expect(b, "state_q=StThrottle done_o=1");
        }
        b->in.cta_active = UINT32_C(0x7) << shift;
        cycle(b);
        assert_int_equal(state(b)->state, LCS_ST_LAZY);
        T_NEW_OF(b, 10, 10, 8, 1, 1);
        b->in.cta_active = 0;
        cycle(b);
        assert_int_equal(state(b)->state, LCS_ST_LAZY);
    }
}

static void lcs8_no_second_thoughts(bench *b)
{
    lcs_state before;
    T_NEW_OF(b, 9, 9, 9, 1);
    b->in.cta_active = 0x7;
    cycle(b);
    before = *state(b);
    assert_int_equal(before.state, LCS_ST_LAZY);
    b->in.bcast_valid = b->in.listen = 1;
    b->in.bcast_limit = 1;
    b->in.cta_active = 0xff;
    for (unsigned i = 0; i < 200; i++) {
        b->in.cta_done = i & 0xff;
        b->in.issue_valid = i & 3;
        cycle(b);
        expect(b, "limit_o=3 done_o=1");
    }
    assert_registers(b, LCS_ST_LAZY, before.index, before.sum, before.max);
    assert_memory_equal(state(b)->inst, before.inst, sizeof before.inst);
}

static void expect_pause(bench *b, unsigned when_known)
{
    start_kernel(b, 4);
    assert_int_equal(state(b)->state, LCS_ST_MONITOR);
    issue_counts(b, 4, (uint32_t[]){4, 3, 3, 0});
    assert_int_equal(b->out.pause, 0);
    finish_ctas(b, 1);
    t_new(b);
    assert_int_equal(b->out.pause, 0); /* nor in the cycle that decides */
    cycles(b, 2);
    expect(b, "state_q=StThrottle pause_o=%u", when_known);
    b->in.cta_active = 1;
    cycles(b, 2);
    expect(b, "state_q=StLazy pause_o=%u", when_known);
    start_kernel(b, 0);
    cycle(b);
    assert_int_equal(b->out.pause, 0);
}

static void lcs_a6_drain_or_pause(bench *b)
{
    expect_pause(b, 0);
    reopen_bench(b, "lcs_narrow");
    expect_pause(b, 1);
}

/* ---- kernels ----------------------------------------------------------------------- */

static void lcs5_every_kernel(bench *b)
{
    assert_int_equal(T_NEW_OF(b, 8, 8, 1, 1, 1, 1), 2);
    assert_int_equal(T_NEW_OF(b, 5, 5, 5), 3); /* from StThrottle */
    b->in.cta_active = 1;
    cycles(b, 10);
    assert_int_equal(T_NEW_OF(b, 3, 1, 1, 1), 2); /* from StLazy */
    start_kernel(b, 1);
    cycle(b);
    expect(b, "limit_o=1 done_o=1");
    assert_int_equal(T_NEW_OF(b, 2, 2), 2);
    start_kernel(b, 0);
    issue(b, 0, 4);
    finish_ctas(b, 1);
    assert_registers(b, LCS_ST_IDLE, 0, 0, 0);
    expect(b, "limit_o=0 done_o=0");
    assert_int_equal(T_NEW_OF(b, 1, 1, 1, 1, 1, 1, 1, 1), 8);
}

/* Brings a kernel of T_max = 4 into a state. */
static void walk_to(bench *b, unsigned st)
{
    start_kernel(b, st == LCS_ST_IDLE ? 0 : 4);
    if (st == LCS_ST_IDLE)
        return;
    issue_counts(b, 4, (uint32_t[]){4, 3, 3, 0});
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
    const lcs_state zero = {0};
    for (unsigned st = LCS_ST_IDLE; st <= LCS_ST_LAZY; st++) {
        for (unsigned nmax = 0; nmax <= 8; nmax++) {
            for (unsigned listen = 0; listen < 2; listen++) {
                walk_to(b, st);
                assert_int_equal(state(b)->state, st);
                b->in.cta_done = 0xff;
                b->in.cta_active = 0;
                set_lane(b, 0, 2);
                set_lane(b, 1, 3);
                b->in.bcast_valid = 1;
                b->in.bcast_limit = 2;
                b->in.listen = (uint8_t)listen;
                start_kernel(b, nmax);
                assert_registers(b, nmax == 0 ? LCS_ST_IDLE : nmax == 1 ? LCS_ST_LAZY : LCS_ST_MONITOR, 0, 0, 0);
                expect(b, "limit_q=%u nmax_q=%u", nmax, nmax);
                assert_memory_equal(state(b)->inst, zero.inst, sizeof zero.inst);
                assert_int_equal(b->out.t_new_valid, 0);
                no_issue(b);
                b->in.cta_done = 0;
                b->in.listen = b->in.bcast_valid = b->in.bcast_limit = 0;
            }
        }
    }
}

/* It also beats the very cycle that would fix T_new. */
static void kernel_start_hides_t_new(bench *b)
{
    for (unsigned wait = 0; wait < 7; wait++) {
        walk_to(b, LCS_ST_GATHER);
        cycles(b, wait); /* 4 to gather, 2 to take the maximum off, then T_new */
        assert_int_equal(state(b)->state, wait < 4 ? LCS_ST_GATHER : LCS_ST_DIVIDE);
        start_kernel(b, 5);
        expect(b, "t_new_valid_o=0 t_new_o=0 limit_o=4 limit_q=5 state_q=StMonitor");
    }
}

/* ---- LCS-A5: one SM measures for all ------------------------------------------------- */

static void lcs_a5_listens(bench *b)
{
    const lcs_state zero = {0};
    for (unsigned nmax = 2; nmax <= 8; nmax++) {
        for (unsigned limit = 0; limit < 16; limit++) { /* clamped to what there can be */
            const unsigned expected = limit < 1 ? 1 : limit > nmax ? nmax : limit;

            b->in.listen = 1;
            b->in.cta_active = 0xff;
            start_kernel(b, nmax);
            b->in.bcast_limit = 1;
            issue(b, 0, 9);
            finish_ctas(b, 1);
            assert_registers(b, LCS_ST_MONITOR, 0, 0, 0);
            assert_memory_equal(state(b)->inst, zero.inst, sizeof zero.inst);
            assert_int_equal(state(b)->limit, nmax);
            b->in.bcast_limit = (uint8_t)limit;
            b->in.bcast_valid = 1;
            cycle(b);
            b->in.bcast_valid = 0;
            expect(b, "t_new_valid_o=0 t_new_o=0");
            assert_registers(b, LCS_ST_THROTTLE, 0, 0, 0);
            assert_int_equal(state(b)->limit, expected);
            b->in.cta_active = 1;
            cycle(b);
            expect(b, "done_o=1 state_q=StLazy");
        }
    }
}

static void lcs_a5_broadcast_and_finish(bench *b)
{
    b->in.cta_active = 0xff;
    for (unsigned listen = 0; listen < 2; listen++) { /* both at once: each hears only its own */
        b->in.listen = (uint8_t)listen;
        start_kernel(b, 8);
        set_lane(b, 0, 5);
        b->in.bcast_valid = 1;
        b->in.bcast_limit = 3;
        finish_ctas(b, 1);
        no_issue(b);
        b->in.bcast_valid = 0;
        expect(b, "state_q=%u limit_q=%u inst_q[5]=%u", listen ? LCS_ST_THROTTLE : LCS_ST_GATHER, listen ? 3 : 8,
               !listen);
    }
}

/* While it measures, a broadcast changes nothing. */
static void lcs_a5_not_listening(bench *b)
{
    b->in.bcast_valid = 1;
    b->in.bcast_limit = 1;
    assert_int_equal(T_NEW_OF(b, 4, 4, 4, 0), 3);
    cycles(b, 5);
    assert_int_equal(state(b)->limit, 3);
    walk_to(b, LCS_ST_GATHER);
    b->in.listen = 1; /* from the first finish on not looked at */
    assert_int_equal(t_new(b), 2);
    cycle(b);
    assert_int_equal(state(b)->limit, 2);
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
    issue_counts(a, 6, (uint32_t[]){30, 30, 20, 10, 5, 3});
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
                b->in.kernel_start = i & 1;
                b->in.nmax = (uint8_t)(i % 9);
                b->in.cta_done = i;
                b->in.cta_active = 0;
                b->in.issue_valid = i >> 1 & 3;
                b->in.listen = i >> 2 & 1;
                b->in.bcast_valid = i >> 3 & 1;
                b->in.bcast_limit = i >> 4;
                cycle(b);
                assert_registers(b, before.state, before.index, before.sum, before.max);
                expect(b, "limit_q=%u nmax_q=%u", before.limit, before.nmax);
                assert_memory_equal(state(b)->inst, before.inst, sizeof before.inst);
                expect(b, "t_new_valid_o=0 t_new_o=0 limit_o=%u done_o=%u pause_o=%u", before.limit,
                       st >= LCS_ST_THROTTLE, st >= LCS_ST_THROTTLE);
            }
            memset(&b->in, 0, sizeof b->in);
            b->in.enable = 1;
            b->in.cta_active = 0xff;
            if (st == LCS_ST_GATHER || st == LCS_ST_DIVIDE) /* and goes on as if nothing had been */
                assert_int_equal(t_new(b), 2);
        }
    }
}

/* ---- decisions in the log ------------------------------------------------------------- */

static void log_of_decisions(bench *b)
{
    b->in.kernel_start = 1;
    b->in.nmax = 4;
    expect_decision(b, "lcs LCS-5 kernel_start: nmax=4 | limit=0 state=StIdle | limit=4 state=StMonitor",
                    "kernel start: T_max 4, limit 4, StMonitor");
    b->in.kernel_start = 0;
    issue_counts(b, 4, (uint32_t[]){4, 3, 3, 0});
    b->in.cta_done = 1;
    expect_decision(b, "lcs LCS-1 first_cta: sum=10 max=4 | limit=4 state=StMonitor | limit=4 state=StGather",
                    "first CTA done: counting ends with 10 instructions, at most 4 of one CTA");
    b->in.cta_done = 0;
    b->in.cta_active = 0xf;
    cycles(b, 4 + 2);
    expect_decision(b, "lcs LCS-3 t_new: sum=10 max=4 t_new=3 | limit=4 state=StDivide | limit=3 state=StThrottle",
                    "T_new 3 = 10/4 rounded up: limit 4 -> 3");
    b->in.cta_active = 0x5;
    expect_decision(b, "lcs LCS-4 throttled: active=2 | limit=3 state=StThrottle | limit=3 state=StLazy",
                    "throttled: 2 CTAs active, limit 3");
    MONITOR(b, 4, 3, 1, 1);
    cycles(b, 4 + 2);
    expect_decision(b, "lcs LCS-2 t_new: sum=9 max=4 t_new=2 | limit=4 state=StDivide | limit=2 state=StThrottle",
                    "T_new 2 = 9/4 rounded down: limit 4 -> 2");
    MONITOR(b, 4, 4);
    cycles(b, 2 + 2);
    expect_decision(b, "lcs LCS-2 t_new: sum=8 max=4 t_new=2 | limit=2 state=StDivide | limit=2 state=StThrottle",
                    "T_new 2 = 8/4: limit 2 -> 2");
    start_kernel(b, 5);
    finish_ctas(b, 1);
    cycles(b, 5);
    expect_decision(b, "lcs LCS-7 t_new: sum=0 max=0 t_new=5 | limit=5 state=StDivide | limit=5 state=StThrottle",
                    "T_new 5, nothing was issued: limit 5 -> 5");
    start_kernel(b, 5);
    b->in.listen = b->in.bcast_valid = 1;
    b->in.bcast_limit = 2;
    expect_decision(b, "lcs LCS-6 broadcast: t_new=2 | limit=5 state=StMonitor | limit=2 state=StThrottle",
                    "broadcast T_new 2: limit 5 -> 2");
}

/* ---- random ---------------------------------------------------------------------------- */

static void random_inputs(lcs_in *in, const lcs_cfg *cfg, uint64_t *seed, unsigned finish_every)
{
    const uint32_t slots = UINT32_MAX >> (32 - cfg->num_slots);
    const uint64_t lanes = (UINT64_C(1) << slot_bits(cfg) * cfg->issue_width) - 1;
    const uint32_t half = (uint32_t)random_next(seed), other_half = (uint32_t)random_next(seed);

    in->enable = !random_one_in(seed, 20);
    in->kernel_start = random_one_in(seed, 150);
    in->nmax = (uint8_t)(random_next(seed) % (cfg->num_slots + 1));
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

static void book_finish(books *k, const bench *b)
{
    uint64_t sum = 0, max = 0;

    for (unsigned slot = 0; slot < k->nmax; slot++) {
        sum += k->counts[slot];
        max = k->counts[slot] > max ? k->counts[slot] : max;
    }
    k->monitoring = false;
    k->cycles_to_t_new = k->nmax + 1 + (unsigned)(max ? sum / max : 0);
    (void)b;
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
            book_finish(k, b);
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
    in->nmax = (uint8_t)step_random(f, 9);
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

static const char *const twins[] = {"lcs", "lcs_ceil", "lcs_nearest", "lcs_narrow", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("reset: registers zero, no limit, not done; StIdle holds", "lcs", reset_state),
        BOTH_SIDES("LCS-1: a kernel starts with T_max CTAs; 0 and 1 leave nothing to decide", "lcs_nearest", lcs1_starts_with_tmax),
        BOTH_SIDES("LCS-1: instructions are counted per CTA slot, on every lane", "lcs_nearest", lcs1_counts_per_slot),
        BOTH_SIDES("LCS-1: several lanes of one slot all count", "lcs_nearest", lcs1_several_lanes_of_one_slot),
        BOTH_SIDES("LCS-1: slot numbers of no slot are ignored", "lcs_ceil", lcs1_slots_that_are_none),
        BOTH_SIDES("LCS-1: counting ends with the cycle of the first finish", "lcs", lcs1_until_the_first_finishes),
        BOTH_SIDES("LCS-1: lanes from the observation bus", "lcs", lcs1_from_the_bus),
        EACH_VARIANT("LCS-E1: {4,3,3,0} gives 2, 3, 3 in the three modes", modes, lcs_e1),
        BOTH_SIDES("LCS-E3, LCS-E4: 3 of 8, 2 of 4, 1 of 6", "lcs", lcs_e3_e4),
        EACH_VARIANT("LCS-E6: equal counts keep T_max; one instruction missing costs floor one CTA", modes, lcs_e6_type1),
        BOTH_SIDES("LCS-2: gather and divide, register by register", "lcs", lcs2_steps),
        BOTH_SIDES("LCS-2: T_max + k + 1 cycles to decide", "lcs_nearest", lcs2_takes_as_long_as_said),
        BOTH_SIDES("LCS-A2: the sum has T_max terms", "lcs", lcs_a2_tmax_terms),
        BOTH_SIDES("LCS-A7: fewer CTAs than T_max", "lcs", lcs_a7_fewer_ctas),
        BOTH_SIDES("LCS-A9: several finishes in a cycle are one, later ones none", "lcs", lcs_a9_one_snapshot),
        BOTH_SIDES("LCS-7: any slot may finish first", "lcs_nearest", lcs7_any_slot_finishes),
        EACH_VARIANT("LCS-7: nothing issued keeps T_max", modes, lcs7_nothing_issued),
        EACH_VARIANT("LCS-7: T_max 2..4, all counts 0..5, all modes, against division", modes, lcs7_all_small_counts),
        EACH_VARIANT("LCS-7: 30 000 random counts up to 2^32 - 1, all modes, against division", modes, lcs7_random_counts),
        BOTH_SIDES("LCS-1: a count that lacks one bit of the largest still counts", "lcs", one_bit_less_than_full),
        BOTH_SIDES("LCS-1: a code that is no state is left in the next enabled cycle", "lcs", codes_that_are_no_state),
        BOTH_SIDES("freeze: all slots stop together", "lcs_narrow", freeze_stops_all_slots),
        BOTH_SIDES("freeze: before the lanes of one cycle could overflow", "lcs", freeze_leaves_room_for_all_lanes),
        BOTH_SIDES("freeze: at 32 bits", "lcs", freeze_at_full_width),
        BOTH_SIDES("LCS-1: counts carry through all bits", "lcs", counts_carry_through_all_bits),
        BOTH_SIDES("LCS-1: the brim of every slot freezes all", "lcs", every_slot_freezes),
        BOTH_SIDES("LCS-2: the maximum takes all bits", "lcs", maximum_of_all_bits),
        BOTH_SIDES("freeze: T_new is Eq. 1 as of the freeze, however long the kernel", "lcs_narrow", freeze_keeps_the_ratio),
        BOTH_SIDES("LCS-4: throttled when T_new CTAs are active", "lcs_nearest", lcs4_until_tnew_are_active),
        BOTH_SIDES("LCS-8: no second thoughts", "lcs", lcs8_no_second_thoughts),
        BOTH_SIDES("LCS-A6: drain or pause", "lcs", lcs_a6_drain_or_pause),
        BOTH_SIDES("LCS-5: every kernel anew", "lcs", lcs5_every_kernel),
        BOTH_SIDES("LCS-5: a kernel start beats everything, in every state", "lcs", kernel_start_wins),
        BOTH_SIDES("LCS-5: a kernel start hides T_new", "lcs", kernel_start_hides_t_new),
        BOTH_SIDES("LCS-A5: a listening SM takes the broadcast, clamped", "lcs", lcs_a5_listens),
        BOTH_SIDES("LCS-A5: broadcast and finish in one cycle", "lcs", lcs_a5_broadcast_and_finish),
        BOTH_SIDES("LCS-A5: a measuring SM ignores the broadcast", "lcs", lcs_a5_not_listening),
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
