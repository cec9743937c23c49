/* SPDX-License-Identifier: Apache-2.0
 *
 * Lazy CTA scheduling: what is counted, what Eq. 1 makes of the counts (the worked examples LCS-E1..LCS-E6
 * among them), and counts that do not fit. On the model and on the RTL.
 */
#include "blocks/lcs/bench.h"
#include "engine/random.h"

static const char *const modes[] = {"lcs", "lcs_ceil", "lcs_nearest", NULL};

/* ---- phase 1: counting ------------------------------------------------------------ */

/* Every lane, every slot, and nothing else moves. */
static void lcs1_counts_per_slot(bench *b)
{
    start_kernel(b, 32);
    for (unsigned lane = 0; lane < 8; lane++) {
        for (unsigned slot = 0; slot < 32; slot++) {
            set_lane(b, lane, slot);
            cycle(b);
            for (unsigned i = 0; i < 32; i++)
                assert_int_equal(counted(b, i), lane + (i <= slot));
            assert_int_equal(state(b)->step[slot], 1); /* in the count a cycle later */
        }
        no_issue(b);
        b->in.issue_slot = ~UINT64_C(0) >> 24; /* lanes that are not valid, all at slot 31 */
        cycle(b);
        no_issue(b);
        assert_int_equal(state(b)->inst[31], lane + 1);
        assert_int_equal(state(b)->step[31], 0);
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
        expect(b, "step_q[9]=%u step_q[0]=%u", n, n < 8);
        no_issue(b);
        cycle(b);
        expect(b, "inst_q[9]=%u inst_q[0]=%u step_q[9]=0 step_q[0]=0", before9 + n, before0 + (n < 8));
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
        sm_obs_set_warp_state(&obs, warp, BALLAST_WARP_WAIT_MEM);
    }
    sm_obs_set_warp_state(&obs, 7, BALLAST_WARP_ISSUED_ALU);   /* slot 1 */
    sm_obs_set_warp_state(&obs, 45, BALLAST_WARP_ISSUED_MEM);  /* slot 7 */
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    sm_obs_set_warp_state(&obs, 7, BALLAST_WARP_EMPTY);
    sm_obs_set_warp_state(&obs, 46, BALLAST_WARP_ISSUED_ALU); /* slot 7 again */
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    sm_obs_set_warp_state(&obs, 0, BALLAST_WARP_ISSUED_ALU); /* three warps, two lanes: the lowest two */
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    expect(b, "inst_q[0]=0 inst_q[1]=1 inst_q[7]=3 step_q[0]=1 step_q[1]=0 step_q[7]=1");
    obs.cta_done = 0x80;
    obs.cta_active = 0x81;
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, NULL);
    cycle(b);
    expect(b, "finish_q=1 active_q[0]=2");
    assert_int_equal(b->in.cta_active, 0x81);
    assert_int_equal(b->in.enable, 1); /* settings stay as they were */
}

/* ---- phase 2: Eq. 1 --------------------------------------------------------------- */

static void lcs_e6_type1(bench *b)
{
    const unsigned lost = config(b)->round_mode == LCS_ROUND_FLOOR;

    for (unsigned nmax = 2; nmax <= 5; nmax++) {
        for (unsigned missing = 0; missing < nmax; missing++) {
            uint32_t counts[5] = {20, 20, 20, 20, 20};

            assert_int_equal(t_new_of(b, nmax, counts), nmax);
            counts[missing]--;
            assert_int_equal(t_new_of(b, nmax, counts), nmax - lost);
        }
    }
}

/* From the cycle after the one in which the finish is heard: T_max + 1 steps to gather, k + 1 to divide, one to tell. */
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
        assert_int_equal(took, nmax + sum / counts[nmax / 2] + 3);
        assert_true(took <= 2 * nmax + 3);
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
    for (unsigned nmax = 2; nmax <= 5; nmax++) {
        unsigned took;

        play(b, "kernel=%u cycle=5 finish=1", nmax);
        assert_int_equal(t_new_after(b, &took), nmax);
        assert_int_equal(took, nmax + 3);
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

static uint32_t most_of(const bench *b)
{
    return (uint32_t)((UINT64_C(1) << config(b)->count_w) - 1);
}

/* Counts as large as CountW lets them be; sums near a multiple of the maximum or of its half. */
static void lcs7_random_counts(bench *b)
{
    const unsigned slots = config(b)->num_slots;
    uint64_t seed = 7 + config(b)->round_mode;

    for (unsigned i = 0; i < 10000; i++) {
        const unsigned nmax = 2 + (unsigned)(random_next(&seed) % (slots - 1));
        const uint32_t top = most_of(b) >> random_next(&seed) % config(b)->count_w;
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
        uint32_t counts[32] = {0};

        for (unsigned x = 0; x < nmax; x++)
            counts[x] = most_of(b);
        assert_int_equal(t_new_of_loaded(b, nmax, counts), nmax);
    }
}

/* ---- counts that do not fit ------------------------------------------------------- */

/* A count of which the highest bit is missing goes on, whatever else it is; and one that has it does not. */
static void only_the_highest_bit_freezes(bench *b)
{
    const uint32_t half = most_of(b) / 2 + 1;

    for (unsigned slot = 0; slot < config(b)->num_slots; slot++)
        for (unsigned bit = 0; bit < config(b)->count_w - 1; bit++) {
            load_count(b, 8, slot, UINT32_C(1) << bit);
            play(b, "lanes=%u cycle step_q[%u]=1", slot, slot);
            load_count(b, 8, slot, half - 1);
            play(b, "lanes=%u cycle step_q[%u]=1", slot, slot);
            load_count(b, 8, slot, half | UINT32_C(1) << bit);
            play(b, "lanes=%u,%u cycle step_q[%u]=0 step_q[%u]=0", slot, slot ^ 1, slot, slot ^ 1);
        }
}

/* Two cycles more count than it takes to have a half: 16 of 5 bits. A slot that takes no part in the sum freezes, too. */
static void freeze_has_room_for_two_cycles(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        start_kernel(b, 2);
        issue(b, slot, 14);
        play(b, "lanes=%u cycle inst_q[%u]=14 step_q[%u]=1 lanes=%u,%u cycle inst_q[%u]=15 step_q[%u]=2 "
                "cycle inst_q[%u]=17 step_q[%u]=2 cycle inst_q[%u]=19 step_q[%u]=0 cycle inst_q[%u]=19 step_q[%u]=0",
             slot, slot, slot, slot, slot, slot, slot, slot, slot, slot, slot, slot, slot);
        issue(b, !slot, 5);
        assert_int_equal(counted(b, !slot), 0);
    }
}

/* Every bit of every count: the carry that makes it, and the kernel start that clears all of them. */
static void counts_carry_through_all_bits(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        for (unsigned bit = 1; bit < config(b)->count_w; bit++) {
            load_count(b, 8, slot, (UINT32_C(1) << bit) - 1);
            cycle(b);
            issue(b, slot, 1);
            cycle(b);
            assert_int_equal(state(b)->inst[slot], UINT32_C(1) << bit);
            cycle(b);
        }
        play(b, "lanes=%u cycle kernel=8 inst_q[%u]=0 step_q[%u]=0 lanes= cycle", slot, slot, slot);
    }
}

/* A half in each slot freezes all, until the next kernel. */
static void every_slot_freezes(bench *b)
{
    for (unsigned slot = 0; slot < 8; slot++) {
        load_count(b, 8, slot, 0x7fffe);
        cycle(b);
        issue(b, slot, 2);
        cycle(b);
        assert_int_equal(state(b)->inst[slot], 0x80000);
        issue(b, slot, 2);
        issue(b, (slot + 1) % 8, 2);
        cycle(b);
        play(b, "inst_q[%u]=0x80000 inst_q[%u]=0 kernel=8 cycle", slot, (slot + 1) % 8);
    }
}

/* A kernel thousands of instructions long: T_new stays what the first stretch said. */
static void freeze_keeps_the_ratio(bench *b)
{
    static const unsigned pattern[] = {0, 1, 0, 2, 0, 1}; /* shares 3 : 2 : 1 */
    for (unsigned length = 1; length < 3000; length += 1 + length / 3) {
        uint32_t counts[8] = {0};

        start_kernel(b, 3);
        for (unsigned i = 0, full = 0; i < length; i++) {
            no_issue(b);
            set_lane(b, i & 1, pattern[i % 6]);
            cycle(b);
            full += counts[0] >= 16; /* 2: it was so in the cycle before the last */
            if (full < 2)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("LCS-1: instructions are counted per CTA slot, on every lane", "lcs_nearest", lcs1_counts_per_slot),
        BOTH_SIDES("LCS-1: several lanes of one slot all count", "lcs_nearest", lcs1_several_lanes_of_one_slot),
        SCRIPT("LCS-1: slot numbers of no slot are ignored", "lcs_ceil", /* five slots, numbers of three bits */
               "kernel=5 counts=0,0,0,0,0,20,20,20 no_counts lanes=7,4,6 cycle lanes= cycle "
               "inst_q[0]=0 inst_q[1]=0 inst_q[2]=0 inst_q[3]=0 inst_q[4]=1"),
        SCRIPT("LCS-4: each slot counts, in its part", "lcs_nearest", /* 11, 11 and 10 slots */
               "kernel=5 cta_active_i=0x401 cycle active_q[0]=2 active_q[1]=0 active_q[2]=0 "
               "cta_active_i=0x200800 cycle active_q[0]=0 active_q[1]=2 active_q[2]=0 "
               "cta_active_i=0x80400000 cycle active_q[0]=0 active_q[1]=0 active_q[2]=2 "
               "cta_active_i=0xffffffff cycle active_q[0]=11 active_q[1]=11 active_q[2]=10"),
        SCRIPT("LCS-1: counting ends with the cycle of the first finish", "lcs",
               "lanes=1 kernel=4 inst_q[1]=0 step_q[1]=0 cycle inst_q[1]=0 step_q[1]=1 " /* the cycle of the kernel start is not this kernel's */
               "cta_done_i=0x8 cycle inst_q[1]=1 step_q[1]=1 finish_q=1 state_q=StMonitor " /* its instructions count */
               "cycle inst_q[1]=2 step_q[1]=0 finish_q=0 cta_done_i=0 state_q=StGather index_q=0 sum_q=0 max_q=0 " /* and no more after it */
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
               "finish=2 state_q=StGather index_q=0 picked_q=0 sum_q=0 max_q=0 "
               "cycle state_q=StGather index_q=1 picked_q=3 sum_q=0 max_q=0 "
               "cycle state_q=StGather index_q=2 picked_q=4 sum_q=3 max_q=3 "
               "cycle state_q=StGather index_q=3 picked_q=0 sum_q=7 max_q=4 "
               "cycle state_q=StGather index_q=4 picked_q=3 sum_q=7 max_q=4 "
               "cycle state_q=StDivide index_q=0 picked_q=0xffffb sum_q=10 max_q=4 " /* ~4 */
               "cycle state_q=StDivide index_q=1 picked_q=0xffffb sum_q=6 max_q=4 "
               "cycle state_q=StDivide index_q=2 sum_q=2 max_q=4 limit_q=4 decided_q=0 t_new_valid_o=0 "
               "cycle state_q=StThrottle index_q=2 sum_q=2 max_q=4 decided_q=1 "
               "t_new_valid_o=0 limit_o=4 done_o=0 limit_q=2 " /* shows from the next cycle on */
               "cycle t_new_valid_o=1 t_new_o=2 limit_o=2 done_o=1 state_q=StThrottle decided_q=0 "
               "cycle t_new_valid_o=0 t_new_o=0 limit_o=2 done_o=1 state_q=StThrottle index_q=2 sum_q=2 max_q=4 inst_q[1]=4"),
        BOTH_SIDES("LCS-2: T_max + k + 4 cycles to tell T_new", "lcs_nearest", lcs2_takes_as_long_as_said),
        SCRIPT("LCS-A2: the sum has T_max terms", "lcs", /* slots 3..7 take no part */
               "kernel=3 counts=10,6,5,90,90,90,90,90 finish=1 t_new=2 state_q=StThrottle index_q=2 sum_q=1 max_q=10"),
        SCRIPT("LCS-A7: fewer CTAs than T_max", "lcs", "monitor=9,0,0,0,0,0,0,0 t_new=1 monitor=0,9,9,9,0,0,0,0 t_new=3"),
        BOTH_SIDES("LCS-7: any slot may finish first", "lcs_nearest", lcs7_any_slot_finishes),
        EACH_VARIANT("LCS-7: nothing issued keeps T_max", modes, lcs7_nothing_issued),
        EACH_VARIANT("LCS-7: T_max 2..4, all counts 0..5, all modes, against division", modes, lcs7_all_small_counts),
        EACH_VARIANT("LCS-7: 30 000 random counts up to 2^CountW - 1, all modes, against division", modes, lcs7_random_counts),
        BOTH_SIDES("LCS-1: the highest bit of a count freezes all, and no other", "lcs", only_the_highest_bit_freezes),
        /* Five bits: 16 is a half. */
        SCRIPT("freeze: all slots stop together", "lcs_narrow",
               "kernel=4 counts=13,9,3,1 lanes=0,0 cycle inst_q[0]=13 lanes= cycle inst_q[0]=15 " /* one less than a half */
               "lanes=0,1 cycle inst_q[0]=15 cycle inst_q[0]=16 inst_q[1]=10 lanes=2,3 cycle=100 counts=10,10,10,10 "
               "inst_q[0]=17 inst_q[1]=11 inst_q[2]=3 inst_q[3]=1 "
               "lanes=2 finish=1 lanes= t_new=1"), /* 32 / 17: the cycle of the first finish is no exception */
        BOTH_SIDES("freeze: the other half takes what two cycles issue", "lcs_narrow", freeze_has_room_for_two_cycles),
        SCRIPT("freeze: at 20 bits", "lcs",
               "state_q:=StMonitor nmax_q:=4 limit_q:=4 inst_q[2]:=0x7ffff inst_q[1]:=0x3ffff "
               "lanes=2,2 cycle inst_q[2]=0x7ffff lanes=2,1 cycle inst_q[2]=0x80001 inst_q[1]=0x3ffff " /* what is under way still counts */
               "cycle=3 inst_q[2]=0x80002 inst_q[1]=0x40000 finish=1 t_new=1"),
        BOTH_SIDES("LCS-1: counts carry through all bits", "lcs", counts_carry_through_all_bits),
        BOTH_SIDES("LCS-1: a half in every slot freezes all", "lcs", every_slot_freezes),
        SCRIPT("LCS-2: the maximum takes all bits", "lcs", /* and drops them again */
               "state_q:=StMonitor nmax_q:=2 limit_q:=2 inst_q[1]:=0xfffff cycle finish=1 cycle=3 max_q=0xfffff "
               "cycle kernel=2 max_q=0 cycle"),
        BOTH_SIDES("freeze: T_new is Eq. 1 as of the freeze, however long the kernel", "lcs_narrow", freeze_keeps_the_ratio),
    };
    return cmocka_run_group_tests_name("lcs counts", tests, NULL, NULL);
}
