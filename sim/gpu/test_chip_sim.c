/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole machine: dispatch, launches, levels, the stall, and that the same goes in and comes out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

/* Something of everything. */
static workload lively(void)
{
    return (workload){
        .name = "fixture", .ctas = 40, .threads_per_cta = 64, .launches = 1, .insts = 300, .alu_distance = 3,
        .load_distance = 6, .lines = 3, .warp_set = 6, .cta_set = 20, .neighbour_set = 20, .random = 0.15,
        .footprint = 1000, .spread = 0.4, .loads = 0.15, .stores = 0.05, .shared = 0.1, .sfu = 0.05,
        .branches = 0.05, .barrier_every = 64, .warp_reuse = 0.3, .cta_reuse = 0.15, .neighbour_reuse = 0.15,
    };
}

static machine several(unsigned sms)
{
    machine m = fixture_machine();

    m.sms = sms;
    m.schedulers = m.alu_width = 2;
    return m;
}

/* Of the test that runs. */
static machine m;
static workload w;
static sim_control control;
static chip_sim *sim;
static const sm_obs *const *obs; /* of the last cycle */
static sim_counts counts;        /* up to the last look */

static int set_up(void **state)
{
    (void)state;
    m = several(2);
    w = fixture_workload();
    control = fixture_control();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_close(sim);
    sim = NULL;
    return 0;
}

#define CHIP_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void open_sim(uint64_t seed)
{
    sim_close(sim);
    sim = fixture_open(&m, &w, seed);
}

static bool step(void)
{
    obs = sim_step(sim, &control);
    return obs != NULL;
}

static void look(void)
{
    sim_get_counts(sim, &counts);
}

/* ---- dispatch --------------------------------------------------------------------- */

CHIP_TEST(gwde_1_ctas_go_round_the_sms)
{
    m.sms = 3;
    w.ctas = 10;
    open_sim(1);
    step();
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(obs[i]->kernel_start, 1); /* no request of this kernel yet */
        assert_int_equal(obs[i]->cta_start, 0);
    }
    step(); /* they are known to the dispatcher */
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(obs[i]->cta_start | obs[i]->cta_active | obs[i]->kernel_start, 0);
    for (unsigned c = 0; c < 10; c++) { /* one per cycle */
        step();
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(obs[i]->cta_start, i == c % 3 ? 1 << c / 3 : 0);
    }
    step();
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(obs[i]->cta_start, 0);
}

/* Where the last one stopped the next one goes on, whoever asks in between. */
CHIP_TEST(gwde_1_the_turn_goes_on_after_the_last_that_got_one)
{
    m.sms = 4;
    w.ctas = 3;
    open_sim(1);
    step();
    step();
    for (unsigned i = 0; i < 4; i++)
        control.sm[i].req = i == 1;
    step();
    assert_int_equal(obs[1]->cta_start, 1);
    for (unsigned i = 0; i < 4; i++)
        control.sm[i].req = 1;
    for (unsigned next = 2; next < 4; next++) { /* two are left: SMs 2 and 3 */
        step();
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(obs[i]->cta_start, i == next);
    }
}

CHIP_TEST(gwde_4_only_who_asks_gets_one)
{
    w = lively();
    open_sim(1);
    control.sm[0].req = 0;
    for (unsigned c = 0; c < 500; c++) {
        step();
        assert_int_equal(obs[0]->cta_active | obs[0]->cta_denied, 0);
    }
    assert_true(obs[1]->cta_active != 0);
}

CHIP_TEST(gwde_3_an_sm_holds_what_its_governor_lets_in)
{
    unsigned most = 0;

    w = lively();
    open_sim(1);
    while (step())
        for (unsigned i = 0; i < 2; i++) {
            const unsigned held = (unsigned)__builtin_popcount(obs[i]->cta_active & ~obs[i]->cta_done);

            most = held > most ? held : most;
            control.sm[i].req = held < 2;
        }
    assert_int_equal(most, 2);
}

/* A cycle late. Who only waits for its turn is not denied. */
CHIP_TEST(denied_is_who_asks_and_gets_none)
{
    bool last = false;

    w.ctas = 9; /* four slots each, one CTA over */
    w.insts = 1000;
    open_sim(1);
    step();
    step();
    for (unsigned c = 0; c < 8; c++) {
        step();
        assert_int_equal(obs[c % 2]->cta_start, 1 << c / 2);
        assert_int_equal(obs[0]->cta_denied, c == 7);
        assert_int_equal(obs[1]->cta_denied, 0);
    }
    step(); /* full */
    assert_int_equal(obs[0]->cta_denied & obs[1]->cta_denied, 1);
    control.sm[0].req = 0;
    step();
    assert_int_equal(obs[0]->cta_denied, 0);
    assert_int_equal(obs[1]->cta_denied, 1);
    control.sm[0].req = 1;
    step();
    while (step()) {
        if (last) /* the grid is exhausted */
            assert_int_equal(obs[0]->cta_denied & obs[1]->cta_denied, 1);
        last = last || obs[0]->cta_start || obs[1]->cta_start;
    }
    assert_true(last);
}

/* ---- launches and the end --------------------------------------------------------- */

CHIP_TEST(all_of_the_grid_runs_and_the_bus_keeps_its_rules)
{
    m.sms = 3;
    w = lively();
    for (m.scheduler = 0; m.scheduler < SCHEDULES; m.scheduler++)
        for (m.schedulers = 1; m.schedulers <= 4; m.schedulers++) {
            open_sim(m.schedulers);
            assert_true(sim_progress(sim) == 0);
            fixture_run_checked(sim, &control, 400000);
            look();
            assert_int_equal(counts.ctas, w.ctas);
            assert_true(sim_progress(sim) == 1);
            assert_false(step());
        }
}

CHIP_TEST(instructions_are_ctas_times_warps_times_length)
{
    uint64_t expected = 0, sum = 0;
    program p;

    w = lively();
    w.launches = 2;
    open_sim(5);
    fixture_run_checked(sim, &control, 400000);
    look();
    program_make(&p, &w, 5);
    for (uint32_t cta = 0; cta < w.ctas; cta++)
        expected += UINT64_C(4) * program_length(&p, cta);
    assert_int_equal(counts.instructions, expected);
    for (unsigned op = 0; op < OPERATIONS; op++)
        sum += counts.operations[op];
    assert_int_equal(sum, expected);
    assert_int_equal(counts.l1_hits + counts.l1_misses, 3 * counts.operations[OP_LOAD]);
    assert_int_equal(counts.memory.writes, 3 * counts.operations[OP_STORE]);
    assert_true(counts.memory.reads <= counts.l1_misses);
    assert_int_equal(counts.memory.dram_lines, counts.memory.reads - counts.memory.l2_hits + counts.memory.written_back);
}

/* Everybody waits for the same line for very long: there is room for that many and no more. */
CHIP_TEST(who_waits_for_a_line_is_limited)
{
    m.sms = 1;
    m.warps = 64;
    m.l1_ways = 0;
    m.dram_latency = 20000;
    w.threads_per_cta = 2048;
    w.insts = 20;
    w.loads = 1;
    w.load_distance = 40;
    w.lines = 32;
    w.footprint = 1;
    open_sim(1);
    fixture_run_checked(sim, &control, 200000);
    look();
    assert_int_equal(counts.l1_misses, 64 * 20 * 32);
}

CHIP_TEST(launches_follow_one_another)
{
    unsigned starts = 0, cycle = 0, done_at = 0;

    w.ctas = 5;
    w.launches = 3;
    open_sim(1);
    while (step()) {
        assert_int_equal(obs[0]->kernel_start, obs[1]->kernel_start);
        if (obs[0]->kernel_start && starts++)
            assert_int_equal(cycle, done_at + 1); /* the cycle after the last CTA's end */
        for (unsigned i = 0; i < 2; i++)
            if (obs[i]->cta_done)
                done_at = cycle;
        cycle++;
    }
    assert_int_equal(starts, 3);
    assert_int_equal(cycle, done_at + 1);
}

CHIP_TEST(more_sms_than_ctas_are_no_trouble)
{
    m.sms = 9;
    w.ctas = 2;
    w.launches = 2;
    open_sim(1);
    assert_true(fixture_run_checked(sim, &control, 10000) < 1500);
}

/* ---- the same again --------------------------------------------------------------- */

/* Two simulators side by side show the same in every cycle. */
static uint64_t run_side_by_side(chip_sim *a, chip_sim *b)
{
    const sim_control asks = fixture_control();
    const unsigned sms = sim_machine(a)->sms;
    sim_counts of_a, of_b;
    uint64_t cycles = 0;

    for (;; cycles++) {
        const sm_obs *const *x = sim_step(a, &asks), *const *y = sim_step(b, &asks);

        assert_int_equal(x == NULL, y == NULL);
        if (!x || !y)
            break;
        for (unsigned i = 0; i < sms; i++)
            assert_true(sm_obs_equal(x[i], y[i]));
    }
    sim_get_counts(a, &of_a);
    sim_get_counts(b, &of_b);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
    return cycles;
}

CHIP_TEST(the_same_input_gives_the_same_run)
{
    chip_sim *same;

    m.sms = 3;
    w = lively();
    open_sim(9);
    same = fixture_open(&m, &w, 9);
    run_side_by_side(sim, same);
    look();
    open_sim(10);
    assert_int_not_equal(fixture_run_checked(sim, &control, 100000), counts.cycles);
    sim_close(same);
}

CHIP_TEST(rewinding_is_opening_again)
{
    uint64_t cycles;
    chip_sim *same;

    m.sms = 3;
    w = lively();
    w.launches = 2;
    open_sim(9);
    same = fixture_open(&m, &w, 9);
    control.sm_level = VF_HIGH;
    control.sm[1].paused = 3;
    control.sm[0].req = control.sm[2].req = 0; /* the turn is SM 2's */
    for (unsigned c = 0; c < 777; c++) /* in the middle of things */
        step();
    assert_true(sim_rewind(sim));
    assert_true(sim_progress(sim) == 0);
    cycles = run_side_by_side(sim, same);
    assert_true(sim_rewind(sim)); /* and after the end */
    assert_true(sim_rewind(same));
    assert_int_equal(run_side_by_side(sim, same), cycles);
    sim_close(same);
}

CHIP_TEST(what_it_was_opened_with_is_copied)
{
    chip_sim *same;

    w = lively();
    open_sim(9);
    same = fixture_open(&m, &w, 9);
    assert_memory_equal(sim_machine(sim), &m, sizeof m);
    assert_memory_equal(sim_workload(sim), &w, sizeof w);
    memset(&m, 0xff, sizeof m);
    memset(&w, 0xff, sizeof w);
    run_side_by_side(sim, same);
    sim_close(same);
}

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
    for (unsigned level = VF_LOW; level <= VF_HIGH; level++) {
        const uint64_t took = ticks_at(level, VF_NORMAL);

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
    for (unsigned level = VF_LOW; level <= VF_HIGH; level++)
        at[level] = ticks_at(VF_NORMAL, level);
    assert_true(fabs((double)at[VF_LOW] / (double)at[VF_NORMAL] - 1 / 0.85) < 0.01);
    assert_true(fabs((double)at[VF_HIGH] / (double)at[VF_NORMAL] - 1 / 1.15) < 0.01);
    for (unsigned level = VF_LOW; level <= VF_HIGH; level++)
        at[level] = ticks_at(level, VF_NORMAL);
    assert_true(fabs((double)at[VF_LOW] / (double)at[VF_NORMAL] - 1) < 0.02);
    assert_true(fabs((double)at[VF_HIGH] / (double)at[VF_NORMAL] - 1) < 0.02);
}

CHIP_TEST(memory_has_a_clock_of_its_own)
{
    uint64_t slow;

    m.sms = 1;
    w.loads = 1;
    w.random = 0;
    slow = ticks_at(VF_NORMAL, VF_NORMAL);
    m.memory_mhz *= 2;
    assert_true(fabs((double)slow / (double)ticks_at(VF_NORMAL, VF_NORMAL) - 2) < 0.1);
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
    assert_memory_equal(before.at_level[VF_NORMAL].operations, before.operations, sizeof before.operations);
    control.sm_level = VF_HIGH;
    between = run_some(300);
    assert_memory_equal(between.at_level[VF_NORMAL].operations, before.operations, sizeof before.operations);
    assert_int_equal(between.at_level[VF_NORMAL].l1_lines, before.l1_hits + before.l1_misses);
    assert_int_equal(between.at_level[VF_NORMAL].dram_lines, between.memory.dram_lines);
    control.mem_level = VF_LOW;
    control.sm_level = VF_NORMAL;
    after = run_some(100000);
    assert_memory_equal(&after.at_level[VF_HIGH].operations, &between.at_level[VF_HIGH].operations, sizeof after.operations);
    assert_int_equal(after.at_level[VF_NORMAL].dram_lines, between.memory.dram_lines);
    assert_int_equal(after.at_level[VF_NORMAL].l2_lines, between.memory.reads + between.memory.writes);
    assert_true(after.at_level[VF_HIGH].operations[OP_ALU] > 0 && after.at_level[VF_LOW].dram_lines > 0);
    assert_int_equal(after.at_level[VF_LOW].operations[OP_ALU], 0);
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
                        assert_int_equal(sm_obs_warp_state(obs[i], warp), WARP_EMPTY);
                    if (obs[i]->paused >> warp & 1)
                        assert_int_not_equal(sm_obs_warp_state(obs[i], warp), WARP_EMPTY);
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
    for (unsigned c = 0; c < 8; c++)
        step();
    assert_int_equal(sm_obs_warp_state(obs[0], 0), WARP_WAIT_MEM);
    control.sm_stall = 1;
    for (unsigned c = 0; c < 200; c++) {
        step();
        assert_int_equal(sm_obs_warp_state(obs[0], 0), WARP_WAIT_MEM);
    }
    control.sm_stall = 0;
    step();
    assert_int_equal(sm_obs_warp_state(obs[0], 0), WARP_ISSUED_MEM);
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

/* ---- pairs ------------------------------------------------------------------------ */

enum { PAIRED = 61 };

static unsigned sm_of[PAIRED], slot_of[PAIRED];

/* CTAs are launched in the order of their numbers. */
static void run_paired(bool pairs, bool two_d)
{
    unsigned launched = 0;

    m = several(3);
    m.slots = 8;
    m.warps = 12;
    w.is_2d = two_d;
    w.grid_x = two_d ? 10 : 0;
    w.ctas = PAIRED;
    w.threads_per_cta = 64; /* six CTAs fit; the slots are two more */
    w.spread = 1;
    control.sm[2].limit = 3;
    open_sim(5);
    sim_pair_ctas(sim, pairs);
    for (unsigned cycle = 0; (obs = sim_step(sim, &control)) != NULL; cycle++) {
        assert_true(cycle < 200000);
        for (unsigned sm = 0; sm < 3; sm++)
            if (obs[sm]->cta_start) {
                assert_true(launched < PAIRED);
                sm_of[launched] = sm;
                slot_of[launched++] = (unsigned)__builtin_ctz(obs[sm]->cta_start);
            }
        assert_true(__builtin_popcount(obs[2]->cta_active) <= (pairs && two_d ? 2 : 3)); /* 3 is rounded down (BCS-A2) */
    }
    assert_int_equal(launched, PAIRED);
}

/* BCS-1: neighbours on the same SM, in two slots side by side; the last one of an odd grid goes alone. */
CHIP_TEST(neighbours_go_to_the_same_sm)
{
    run_paired(true, true);
    for (unsigned cta = 0; cta + 1 < PAIRED; cta += 2) {
        assert_int_equal(sm_of[cta], sm_of[cta + 1]);
        assert_int_equal(slot_of[cta] % 2, 0);
        assert_int_equal(slot_of[cta] + 1, slot_of[cta + 1]);
    }
}

/* BCS-2 */
CHIP_TEST(a_1d_kernel_does_not_go_in_pairs)
{
    unsigned alone[PAIRED];

    run_paired(false, false);
    memcpy(alone, sm_of, sizeof alone);
    run_paired(true, false);
    assert_memory_equal(alone, sm_of, sizeof alone);
    assert_int_equal(sm_of[0], 0);
    assert_int_equal(sm_of[1], 1);
}
