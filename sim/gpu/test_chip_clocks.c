/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole machine: clocks of SMs and memory, and the stall.
 */
#include <math.h>

#include "gpu/chip_fixture.h"

/* ---- clocks ----------------------------------------------------------------------- */

static uint64_t ticks_at(unsigned sm_level, unsigned mem_level)
{
    open_sim(1);
    control.sm_level = (uint8_t)sm_level;
    control.mem_level = (uint8_t)mem_level;
    fixture_run_checked(sim, &control, 1000000);
    look();
    assert_int_equal(counts.sm_ticks[sm_level], counts.ticks);
    assert_int_equal(counts.mem_ticks[mem_level], counts.ticks);
    return counts.ticks;
}

CHIP_TEST(a_cycle_takes_the_ticks_of_its_level)
{
    static const uint64_t ticks[] = {SIM_TICKS_LOW, SIM_TICKS_NORMAL, SIM_TICKS_HIGH};
    uint64_t first = 0;

    m.sms = 1;
    for (unsigned level = BALLAST_VF_LOW; level <= BALLAST_VF_HIGH; level++) {
        const uint64_t took = ticks_at(level, BALLAST_VF_NORMAL);

        assert_int_equal(took, counts.cycles * ticks[level]);
        assert_true(!first || counts.cycles == first); /* without memory the cycles are the same */
        first = counts.cycles;
    }
}

/* A kernel that lives on memory takes the memory's time, one that does not the SMs'. */
CHIP_TEST(levels_change_what_they_should)
{
    uint64_t at[3];

    m.sms = 1;
    m.mshrs = 64;
    m.lsu_queue = 8;
    m.l1_ways = 0; /* its sets would limit the lines that are under way */
    w.loads = 1;
    w.load_distance = 20;
    w.lines = 4;
    w.random = 0;
    w.ctas = 8;
    for (unsigned level = BALLAST_VF_LOW; level <= BALLAST_VF_HIGH; level++)
        at[level] = ticks_at(BALLAST_VF_NORMAL, level);
    assert_true(fabs((double)at[BALLAST_VF_LOW] / (double)at[BALLAST_VF_NORMAL] - 1 / 0.85) < 0.01);
    assert_true(fabs((double)at[BALLAST_VF_HIGH] / (double)at[BALLAST_VF_NORMAL] - 1 / 1.15) < 0.01);
    for (unsigned level = BALLAST_VF_LOW; level <= BALLAST_VF_HIGH; level++)
        at[level] = ticks_at(level, BALLAST_VF_NORMAL);
    assert_true(fabs((double)at[BALLAST_VF_LOW] / (double)at[BALLAST_VF_NORMAL] - 1) < 0.02);
    assert_true(fabs((double)at[BALLAST_VF_HIGH] / (double)at[BALLAST_VF_NORMAL] - 1) < 0.02);
}

CHIP_TEST(memory_has_a_clock_of_its_own)
{
    uint64_t slow;

    m.sms = 1;
    w.loads = 1;
    w.random = 0;
    slow = ticks_at(BALLAST_VF_NORMAL, BALLAST_VF_NORMAL);
    m.memory_mhz *= 2;
    assert_true(fabs((double)slow / (double)ticks_at(BALLAST_VF_NORMAL, BALLAST_VF_NORMAL) - 2) < 0.1);
}

/* What happened at the three levels is all that happened. */
static void check_sums(const sim_counts *c)
{
    uint64_t l1 = 0, l2 = 0, dram = 0;

    for (unsigned op = 0; op < OPERATIONS; op++) {
        uint64_t sum = 0;

        for (unsigned level = 0; level < 3; level++)
            sum += c->at_level[level].operations[op];
        assert_int_equal(sum, c->operations[op]);
    }
    for (unsigned level = 0; level < 3; level++) {
        l1 += c->at_level[level].l1_lines;
        l2 += c->at_level[level].l2_lines;
        dram += c->at_level[level].dram_lines;
    }
    assert_int_equal(c->sm_ticks[0] + c->sm_ticks[1] + c->sm_ticks[2], c->ticks);
    assert_int_equal(c->mem_ticks[0] + c->mem_ticks[1] + c->mem_ticks[2], c->ticks);
    assert_int_equal(l1, c->l1_hits + c->l1_misses);
    assert_int_equal(l2, c->memory.reads + c->memory.writes);
    assert_int_equal(dram, c->memory.dram_lines);
}

static sim_counts run_some(unsigned cycles)
{
    while (cycles-- && step())
        ;
    look();
    check_sums(&counts);
    return counts;
}

/* The SMs change level at one time, the memory at another. */
CHIP_TEST(what_happened_stays_at_its_level)
{
    sim_counts before, between, after;

    w = lively();
    open_sim(1);
    before = run_some(300);
    assert_memory_equal(before.at_level[BALLAST_VF_NORMAL].operations, before.operations, sizeof before.operations);
    control.sm_level = BALLAST_VF_HIGH;
    between = run_some(300);
    assert_memory_equal(between.at_level[BALLAST_VF_NORMAL].operations, before.operations, sizeof before.operations);
    assert_int_equal(between.at_level[BALLAST_VF_NORMAL].l1_lines, before.l1_hits + before.l1_misses);
    assert_int_equal(between.at_level[BALLAST_VF_NORMAL].dram_lines, between.memory.dram_lines);
    control.mem_level = BALLAST_VF_LOW;
    control.sm_level = BALLAST_VF_NORMAL;
    after = run_some(100000);
    assert_memory_equal(&after.at_level[BALLAST_VF_HIGH].operations, &between.at_level[BALLAST_VF_HIGH].operations, sizeof after.operations);
    assert_int_equal(after.at_level[BALLAST_VF_NORMAL].dram_lines, between.memory.dram_lines);
    assert_int_equal(after.at_level[BALLAST_VF_NORMAL].l2_lines, between.memory.reads + between.memory.writes);
    assert_true(after.at_level[BALLAST_VF_HIGH].operations[OP_ALU] > 0 && after.at_level[BALLAST_VF_LOW].dram_lines > 0);
    assert_int_equal(after.at_level[BALLAST_VF_LOW].operations[OP_ALU], 0);
    assert_true(sim_rewind(sim));
    for (unsigned turn = 0; turn < 100; turn++) { /* both at unlike times, and often */
        control.sm_level = (uint8_t)(turn % 3);
        control.mem_level = (uint8_t)(turn / 2 % 3);
        run_some(10);
    }
}

/* ---- the stall -------------------------------------------------------------------- */

/* Now and then the SMs are not clocked: time passes, nothing moves, and no event shows twice. */
static void stall_now_and_then(uint32_t paused)
{
    bus_rules rules[2] = {{.schedulers = 2}, {.schedulers = 2}};
    uint64_t before = 0;

    open_sim(1);
    control.sm[0].paused = paused;
    control.sm[0].soft = 1;
    for (unsigned cycle = 0;; cycle++) {
        control.sm_stall = cycle % 7 < 3;
        if (!step())
            break;
        assert_true(cycle < 400000);
        look();
        assert_int_equal(counts.ticks, (uint64_t)(cycle + 1) * SIM_TICKS_NORMAL);
        for (unsigned i = 0; i < 2; i++) {
            if (control.sm_stall) {
                assert_int_equal(sm_obs_issued(obs[i]), 0);
                assert_int_equal(obs[i]->cta_start | obs[i]->cta_done | obs[i]->kernel_start | obs[i]->cta_denied, 0);
                assert_int_equal(obs[i]->cta_active, rules[i].held);
                assert_int_equal(counts.instructions, before);
                for (unsigned warp = 0; warp < m.warps; warp++) {
                    if (!(obs[i]->cta_active >> obs[i]->setup->warp_slot[warp] & 1))
                        assert_int_equal(sm_obs_warp_state(obs[i], warp), BALLAST_WARP_EMPTY);
                    if (obs[i]->paused >> warp & 1)
                        assert_int_not_equal(sm_obs_warp_state(obs[i], warp), BALLAST_WARP_EMPTY);
                }
            } else {
                bus_check(&rules[i], obs[i], &control.sm[i]);
            }
        }
        before = counts.instructions;
    }
    assert_int_equal(rules[0].ctas + rules[1].ctas, w.launches * w.ctas);
    assert_int_equal(rules[0].issued + rules[1].issued, counts.instructions);
}

CHIP_TEST(a_stall_holds_the_sms)
{
    w = lively();
    w.launches = 2;
    stall_now_and_then(0);
    w.stores = 1; /* warps leave with the instruction that they issue */
    w.loads = w.shared = w.sfu = w.branches = 0;
    w.barrier_every = 0;
    w.insts = 3;
    stall_now_and_then(0);
    stall_now_and_then(0xffffffff);
}

/* Lines on their way arrive meanwhile: memory has a clock of its own. */
CHIP_TEST(memory_goes_on_in_a_stall)
{
    m.sms = 1;
    w.loads = 1;
    w.insts = 2;
    open_sim(1);
    for (unsigned c = 0; c < 9; c++)
        step();
    assert_int_equal(sm_obs_warp_state(obs[0], 0), BALLAST_WARP_WAIT_MEM);
    control.sm_stall = 1;
    for (unsigned c = 0; c < 200; c++) {
        step();
        assert_int_equal(sm_obs_warp_state(obs[0], 0), BALLAST_WARP_WAIT_MEM);
    }
    control.sm_stall = 0;
    step();
    assert_int_equal(sm_obs_warp_state(obs[0], 0), BALLAST_WARP_ISSUED_MEM);
}

/* When the memory stands still, a line comes as much later, and the SMs go on. */
CHIP_TEST(a_stall_of_the_memory_delays_lines)
{
    enum { STALL = 37 };
    unsigned cycles[2] = {0, 0};

    m.sms = 1;
    w.loads = 1;
    w.insts = 2;
    for (unsigned stalled = 0; stalled < 2; stalled++) {
        open_sim(1);
        for (; step(); cycles[stalled]++)
            control.mem_stall = stalled && cycles[stalled] >= 10 && cycles[stalled] < 10 + STALL;
    }
    assert_int_equal(cycles[1], cycles[0] + STALL);
}

/* Memory serves who comes first, and every SM comes first in its turn. */
CHIP_TEST(no_sm_is_left_behind_at_the_memory)
{
    enum { SMS = 5, CYCLES = 20000 };
    uint64_t issued[SMS] = {0};

    m.sms = SMS;
    m.dram_channels = 1;
    m.dram_interval = SMS; /* in step with the SMs */
    m.dram_queue = 2;
    w.loads = 1;
    w.insts = 100000;
    w.threads_per_cta = 64;
    w.ctas = 100;
    open_sim(1);
    for (unsigned c = 0; c < CYCLES && step(); c++)
        for (unsigned i = 0; i < SMS; i++)
            issued[i] += (unsigned)__builtin_popcountll(sm_obs_issued(obs[i]));
    for (unsigned i = 1; i < SMS; i++)
        assert_in_range(issued[i], issued[0] * 9 / 10, issued[0] * 11 / 10);
}
