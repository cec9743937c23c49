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

/* ---- dispatch --------------------------------------------------------------------- */

TEST(gwde_1_ctas_go_round_the_sms)
{
    const machine m = several(3);
    workload w = fixture_workload();
    sim_control control = fixture_control();
    const sm_obs *const *obs;
    chip_sim *sim;

    w.ctas = 10;
    sim = fixture_open(&m, &w, 1);
    obs = sim_step(sim, &control);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(obs[i]->kernel_start, 1); /* no request of this kernel yet */
        assert_int_equal(obs[i]->cta_start, 0);
    }
    for (unsigned c = 0; c < 3; c++) { /* one to each in every cycle */
        obs = sim_step(sim, &control);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(obs[i]->cta_start, 1 << c);
    }
    obs = sim_step(sim, &control); /* the tenth goes to SM 0 */
    assert_int_equal(obs[0]->cta_start, 8);
    assert_int_equal(obs[1]->cta_start | obs[2]->cta_start, 0);
    sim_close(sim);
}

/* Where the last one stopped the next one goes on, whoever asks in between. */
TEST(gwde_1_the_turn_goes_on_after_the_last_that_got_one)
{
    const machine m = several(4);
    workload w = fixture_workload();
    sim_control control = fixture_control();
    const sm_obs *const *obs;
    chip_sim *sim;

    w.ctas = 3;
    sim = fixture_open(&m, &w, 1);
    sim_step(sim, &control);
    for (unsigned i = 0; i < 4; i++)
        control.sm[i].req = i == 1;
    obs = sim_step(sim, &control);
    assert_int_equal(obs[1]->cta_start, 1);
    for (unsigned i = 0; i < 4; i++)
        control.sm[i].req = 1;
    obs = sim_step(sim, &control); /* two are left: SMs 2 and 3 */
    assert_int_equal(obs[0]->cta_start | obs[1]->cta_start, 0);
    assert_int_equal(obs[2]->cta_start & obs[3]->cta_start, 1);
    sim_close(sim);
}

TEST(gwde_4_only_who_asks_gets_one)
{
    const machine m = several(2);
    workload w = lively();
    sim_control control = fixture_control();
    const sm_obs *const *obs;
    chip_sim *sim = fixture_open(&m, &w, 1);

    control.sm[0].req = 0;
    for (unsigned c = 0; c < 500; c++) {
        obs = sim_step(sim, &control);
        assert_int_equal(obs[0]->cta_active | obs[0]->cta_denied, 0);
    }
    assert_true(obs[1]->cta_active != 0);
    sim_close(sim);
}

TEST(gwde_3_an_sm_holds_what_its_governor_lets_in)
{
    const machine m = several(2);
    const workload w = lively();
    sim_control control = fixture_control();
    chip_sim *sim = fixture_open(&m, &w, 1);
    const sm_obs *const *obs;
    unsigned most = 0;

    while ((obs = sim_step(sim, &control)))
        for (unsigned i = 0; i < 2; i++) {
            const unsigned held = (unsigned)__builtin_popcount(obs[i]->cta_active & ~obs[i]->cta_done);

            most = held > most ? held : most;
            control.sm[i].req = held < 2;
        }
    assert_int_equal(most, 2);
    sim_close(sim);
}

TEST(denied_is_who_asks_and_gets_none)
{
    const machine m = several(2);
    workload w = fixture_workload();
    sim_control control = fixture_control();
    const sm_obs *const *obs;
    chip_sim *sim;

    w.ctas = 9; /* four slots each, one CTA over */
    w.insts = 1000;
    sim = fixture_open(&m, &w, 1);
    sim_step(sim, &control);
    for (unsigned c = 0; c < 4; c++) {
        obs = sim_step(sim, &control);
        assert_int_equal(obs[0]->cta_denied | obs[1]->cta_denied, 0);
    }
    obs = sim_step(sim, &control); /* full */
    assert_int_equal(obs[0]->cta_denied & obs[1]->cta_denied, 1);
    control.sm[0].req = 0;
    obs = sim_step(sim, &control);
    assert_int_equal(obs[0]->cta_denied, 0);
    assert_int_equal(obs[1]->cta_denied, 1);
    control.sm[0].req = 1;
    while ((obs = sim_step(sim, &control)))
        for (unsigned i = 0; i < 2; i++) /* also when the grid is exhausted */
            assert_int_equal(obs[i]->cta_denied, !obs[i]->cta_start);
    sim_close(sim);
}

/* ---- launches and the end --------------------------------------------------------- */

TEST(all_of_the_grid_runs_and_the_bus_keeps_its_rules)
{
    machine m = several(3);
    const workload w = lively();
    const sim_control control = fixture_control();

    for (m.scheduler = 0; m.scheduler < SCHEDULES; m.scheduler++)
        for (m.schedulers = 1; m.schedulers <= 4; m.schedulers++) {
            chip_sim *sim = fixture_open(&m, &w, m.schedulers);
            sim_counts counts;

            assert_true(sim_progress(sim) == 0);
            fixture_run_checked(sim, &control, 400000);
            sim_get_counts(sim, &counts);
            assert_int_equal(counts.ctas, w.ctas);
            assert_true(sim_progress(sim) == 1);
            assert_null(sim_step(sim, &control));
            sim_close(sim);
        }
}

TEST(instructions_are_ctas_times_warps_times_length)
{
    const machine m = several(2);
    workload w = lively();
    const sim_control control = fixture_control();
    uint64_t expected = 0, sum = 0;
    sim_counts counts;
    chip_sim *sim;
    program p;

    w.launches = 2;
    sim = fixture_open(&m, &w, 5);
    fixture_run_checked(sim, &control, 400000);
    sim_get_counts(sim, &counts);
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
    sim_close(sim);
}

/* Everybody waits for the same line for very long: there is room for that many and no more. */
TEST(who_waits_for_a_line_is_limited)
{
    machine m = several(1);
    workload w = fixture_workload();
    const sim_control control = fixture_control();
    sim_counts counts;
    chip_sim *sim;

    m.warps = 64;
    m.l1_ways = 0;
    m.dram_latency = 20000;
    w.threads_per_cta = 2048;
    w.insts = 20;
    w.loads = 1;
    w.load_distance = 40;
    w.lines = 32;
    w.footprint = 1;
    sim = fixture_open(&m, &w, 1);
    fixture_run_checked(sim, &control, 200000);
    sim_get_counts(sim, &counts);
    assert_int_equal(counts.l1_misses, 64 * 20 * 32);
    sim_close(sim);
}

TEST(launches_follow_one_another)
{
    const machine m = several(2);
    workload w = fixture_workload();
    const sim_control control = fixture_control();
    const sm_obs *const *obs;
    unsigned starts = 0, cycle = 0, done_at = 0;
    chip_sim *sim;

    w.ctas = 5;
    w.launches = 3;
    sim = fixture_open(&m, &w, 1);
    while ((obs = sim_step(sim, &control))) {
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
    sim_close(sim);
}

TEST(more_sms_than_ctas_are_no_trouble)
{
    const machine m = several(9);
    workload w = fixture_workload();
    const sim_control control = fixture_control();
    chip_sim *sim;

    w.ctas = 2;
    w.launches = 2;
    sim = fixture_open(&m, &w, 1);
    assert_true(fixture_run_checked(sim, &control, 10000) < 1500);
    sim_close(sim);
}

/* ---- the same again --------------------------------------------------------------- */

/* Two simulators side by side show the same in every cycle. */
static uint64_t run_side_by_side(chip_sim *a, chip_sim *b)
{
    const sim_control control = fixture_control();
    const unsigned sms = sim_machine(a)->sms;
    sim_counts of_a, of_b;
    uint64_t cycles = 0;

    for (;; cycles++) {
        const sm_obs *const *x = sim_step(a, &control), *const *y = sim_step(b, &control);

        assert_int_equal(x == NULL, y == NULL);
        if (!x || !y)
            break;
        for (unsigned i = 0; i < sms; i++)
            assert_memory_equal(x[i], y[i], sizeof **x);
    }
    sim_get_counts(a, &of_a);
    sim_get_counts(b, &of_b);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
    return cycles;
}

TEST(the_same_input_gives_the_same_run)
{
    const machine m = several(3);
    const workload w = lively();
    chip_sim *a = fixture_open(&m, &w, 9), *b = fixture_open(&m, &w, 9), *other = fixture_open(&m, &w, 10);
    const sim_control control = fixture_control();
    uint64_t cycles;

    cycles = run_side_by_side(a, b);
    assert_int_not_equal(fixture_run_checked(other, &control, 100000), cycles);
    sim_close(a);
    sim_close(b);
    sim_close(other);
}

TEST(rewinding_is_opening_again)
{
    const machine m = several(3);
    workload w = lively();
    sim_control control = fixture_control();
    uint64_t cycles;
    chip_sim *a, *b;

    w.launches = 2;
    a = fixture_open(&m, &w, 9);
    b = fixture_open(&m, &w, 9);
    control.sm_level = VF_HIGH;
    control.sm[1].paused = 3;
    control.sm[0].req = control.sm[2].req = 0; /* the turn is SM 2's */
    for (unsigned c = 0; c < 777; c++) /* in the middle of things */
        sim_step(a, &control);
    assert_true(sim_rewind(a));
    assert_true(sim_progress(a) == 0);
    cycles = run_side_by_side(a, b);
    assert_true(sim_rewind(a)); /* and after the end */
    assert_true(sim_rewind(b));
    assert_int_equal(run_side_by_side(a, b), cycles);
    sim_close(a);
    sim_close(b);
}

TEST(what_it_was_opened_with_is_copied)
{
    machine m = several(2);
    workload w = lively();
    chip_sim *a = fixture_open(&m, &w, 9), *b = fixture_open(&m, &w, 9);

    assert_memory_equal(sim_machine(a), &m, sizeof m);
    assert_memory_equal(sim_workload(a), &w, sizeof w);
    memset(&m, 0xff, sizeof m);
    memset(&w, 0xff, sizeof w);
    run_side_by_side(a, b);
    sim_close(a);
    sim_close(b);
}

/* ---- clocks ----------------------------------------------------------------------- */

static uint64_t ticks_at(const machine *m, const workload *w, unsigned sm_level, unsigned mem_level, uint64_t *cycles)
{
    sim_control control = fixture_control();
    chip_sim *sim = fixture_open(m, w, 1);
    sim_counts counts;

    control.sm_level = (uint8_t)sm_level;
    control.mem_level = (uint8_t)mem_level;
    *cycles = fixture_run_checked(sim, &control, 1000000);
    sim_get_counts(sim, &counts);
    assert_int_equal(counts.cycles, *cycles);
    assert_int_equal(counts.sm_ticks[sm_level], counts.ticks);
    assert_int_equal(counts.mem_ticks[mem_level], counts.ticks);
    sim_close(sim);
    return counts.ticks;
}

TEST(a_cycle_takes_the_ticks_of_its_level)
{
    static const uint64_t ticks[] = {SIM_TICKS_LOW, SIM_TICKS_NORMAL, SIM_TICKS_HIGH};
    const machine m = several(1);
    const workload w = fixture_workload();
    uint64_t first = 0;

    for (unsigned level = VF_LOW; level <= VF_HIGH; level++) {
        uint64_t cycles;
        const uint64_t took = ticks_at(&m, &w, level, VF_NORMAL, &cycles);

        assert_int_equal(took, cycles * ticks[level]);
        assert_true(!first || cycles == first); /* without memory the cycles are the same */
        first = cycles;
    }
}

/* A kernel that lives on memory takes the memory's time, one that does not the SMs'. */
TEST(levels_change_what_they_should)
{
    machine m = several(1);
    workload w = fixture_workload();
    uint64_t at[3], cycles;

    m.mshrs = 64;
    m.lsu_queue = 8;
    m.l1_ways = 0; /* its sets would limit the lines that are under way */
    w.loads = 1;
    w.load_distance = 20;
    w.lines = 4;
    w.random = 0;
    w.ctas = 8;
    for (unsigned level = VF_LOW; level <= VF_HIGH; level++)
        at[level] = ticks_at(&m, &w, VF_NORMAL, level, &cycles);
    assert_true(fabs((double)at[VF_LOW] / (double)at[VF_NORMAL] - 1 / 0.85) < 0.01);
    assert_true(fabs((double)at[VF_HIGH] / (double)at[VF_NORMAL] - 1 / 1.15) < 0.01);
    for (unsigned level = VF_LOW; level <= VF_HIGH; level++)
        at[level] = ticks_at(&m, &w, level, VF_NORMAL, &cycles);
    assert_true(fabs((double)at[VF_LOW] / (double)at[VF_NORMAL] - 1) < 0.02);
    assert_true(fabs((double)at[VF_HIGH] / (double)at[VF_NORMAL] - 1) < 0.02);
}

TEST(memory_has_a_clock_of_its_own)
{
    machine m = several(1);
    workload w = fixture_workload();
    uint64_t cycles, slow, fast;

    w.loads = 1;
    w.random = 0;
    slow = ticks_at(&m, &w, VF_NORMAL, VF_NORMAL, &cycles);
    m.memory_mhz *= 2;
    fast = ticks_at(&m, &w, VF_NORMAL, VF_NORMAL, &cycles);
    assert_true(fabs((double)slow / (double)fast - 2) < 0.1);
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

static void run_some(chip_sim *sim, const sim_control *control, unsigned cycles, sim_counts *counts)
{
    while (cycles-- && sim_step(sim, control))
        ;
    sim_get_counts(sim, counts);
    check_sums(counts);
}

/* The SMs change level at one time, the memory at another. */
TEST(what_happened_stays_at_its_level)
{
    const machine m = several(2);
    const workload w = lively();
    sim_control control = fixture_control();
    chip_sim *sim = fixture_open(&m, &w, 1);
    sim_counts before, between, after;

    run_some(sim, &control, 300, &before);
    assert_memory_equal(before.at_level[VF_NORMAL].operations, before.operations, sizeof before.operations);
    control.sm_level = VF_HIGH;
    run_some(sim, &control, 300, &between);
    assert_memory_equal(between.at_level[VF_NORMAL].operations, before.operations, sizeof before.operations);
    assert_int_equal(between.at_level[VF_NORMAL].l1_lines, before.l1_hits + before.l1_misses);
    assert_int_equal(between.at_level[VF_NORMAL].dram_lines, between.memory.dram_lines);
    control.mem_level = VF_LOW;
    control.sm_level = VF_NORMAL;
    run_some(sim, &control, 100000, &after);
    assert_memory_equal(&after.at_level[VF_HIGH].operations, &between.at_level[VF_HIGH].operations, sizeof after.operations);
    assert_int_equal(after.at_level[VF_NORMAL].dram_lines, between.memory.dram_lines);
    assert_int_equal(after.at_level[VF_NORMAL].l2_lines, between.memory.reads + between.memory.writes);
    assert_true(after.at_level[VF_HIGH].operations[OP_ALU] > 0 && after.at_level[VF_LOW].dram_lines > 0);
    assert_int_equal(after.at_level[VF_LOW].operations[OP_ALU], 0);
    assert_true(sim_rewind(sim));
    for (unsigned turn = 0; turn < 100; turn++) { /* both at unlike times, and often */
        control.sm_level = (uint8_t)(turn % 3);
        control.mem_level = (uint8_t)(turn / 2 % 3);
        run_some(sim, &control, 10, &after);
    }
    sim_close(sim);
}

/* ---- the stall -------------------------------------------------------------------- */

/* Now and then the SMs are not clocked: time passes, nothing moves, and no event shows twice. */
static void stall_now_and_then(const workload *w, uint32_t paused)
{
    const machine m = several(2);
    sim_control control = fixture_control();
    bus_rules rules[2] = {{.schedulers = 2}, {.schedulers = 2}};
    const sm_obs *const *obs;
    uint64_t before = 0;
    sim_counts counts = {0};
    chip_sim *sim = fixture_open(&m, w, 1);

    control.sm[0].paused = paused;
    control.sm[0].soft = 1;
    for (unsigned cycle = 0;; cycle++) {
        control.sm_stall = cycle % 7 < 3;
        obs = sim_step(sim, &control);
        if (!obs)
            break;
        assert_true(cycle < 400000);
        sim_get_counts(sim, &counts);
        assert_int_equal(counts.ticks, (uint64_t)(cycle + 1) * SIM_TICKS_NORMAL);
        for (unsigned i = 0; i < 2; i++) {
            if (control.sm_stall) {
                assert_int_equal(sm_obs_issued(obs[i]), 0);
                assert_int_equal(obs[i]->cta_start | obs[i]->cta_done | obs[i]->kernel_start | obs[i]->cta_denied, 0);
                assert_int_equal(obs[i]->cta_active, rules[i].held);
                assert_int_equal(counts.instructions, before);
                for (unsigned warp = 0; warp < m.warps; warp++) {
                    if (!(obs[i]->cta_active >> obs[i]->warp_slot[warp] & 1))
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
    assert_int_equal(rules[0].ctas + rules[1].ctas, w->launches * w->ctas);
    assert_int_equal(rules[0].issued + rules[1].issued, counts.instructions);
    sim_close(sim);
}

TEST(a_stall_holds_the_sms)
{
    workload w = lively();

    w.launches = 2;
    stall_now_and_then(&w, 0);
    w.stores = 1; /* warps leave with the instruction that they issue */
    w.loads = w.shared = w.sfu = w.branches = 0;
    w.barrier_every = 0;
    w.insts = 3;
    stall_now_and_then(&w, 0);
    stall_now_and_then(&w, 0xffffffff);
}

/* Lines on their way arrive meanwhile: memory has a clock of its own. */
TEST(memory_goes_on_in_a_stall)
{
    const machine m = several(1);
    workload w = fixture_workload();
    sim_control control = fixture_control();
    const sm_obs *const *obs = NULL;
    chip_sim *sim;

    w.loads = 1;
    w.insts = 2;
    sim = fixture_open(&m, &w, 1);
    for (unsigned c = 0; c < 8; c++)
        obs = sim_step(sim, &control);
    assert_int_equal(sm_obs_warp_state(obs[0], 0), WARP_WAIT_MEM);
    control.sm_stall = 1;
    for (unsigned c = 0; c < 200; c++) {
        obs = sim_step(sim, &control);
        assert_int_equal(sm_obs_warp_state(obs[0], 0), WARP_WAIT_MEM);
    }
    control.sm_stall = 0;
    obs = sim_step(sim, &control);
    assert_int_equal(sm_obs_warp_state(obs[0], 0), WARP_ISSUED_MEM);
    sim_close(sim);
}

/* When the memory stands still, a line comes as much later, and the SMs go on. */
TEST(a_stall_of_the_memory_delays_lines)
{
    enum { STALL = 37 };
    const machine m = several(1);
    workload w = fixture_workload();
    unsigned cycles[2] = {0, 0};

    w.loads = 1;
    w.insts = 2;
    for (unsigned stalled = 0; stalled < 2; stalled++) {
        sim_control control = fixture_control();
        chip_sim *sim = fixture_open(&m, &w, 1);

        for (; sim_step(sim, &control); cycles[stalled]++)
            control.mem_stall = stalled && cycles[stalled] >= 10 && cycles[stalled] < 10 + STALL;
        sim_close(sim);
    }
    assert_int_equal(cycles[1], cycles[0] + STALL);
}

/* Memory serves who comes first, and every SM comes first in its turn. */
TEST(no_sm_is_left_behind_at_the_memory)
{
    enum { SMS = 5, CYCLES = 20000 };
    const machine m = several(SMS);
    workload w = fixture_workload();
    const sm_obs *const *obs;
    sim_control control = fixture_control();
    uint64_t issued[SMS] = {0};
    machine narrow = m;
    chip_sim *sim;

    narrow.dram_channels = 1;
    narrow.dram_interval = SMS; /* in step with the SMs */
    narrow.dram_queue = 2;
    w.loads = 1;
    w.insts = 100000;
    w.threads_per_cta = 64;
    w.ctas = 100;
    sim = fixture_open(&narrow, &w, 1);
    for (unsigned c = 0; c < CYCLES && (obs = sim_step(sim, &control)); c++)
        for (unsigned i = 0; i < SMS; i++)
            issued[i] += (unsigned)__builtin_popcountll(sm_obs_issued(obs[i]));
    for (unsigned i = 1; i < SMS; i++)
        assert_in_range(issued[i], issued[0] * 9 / 10, issued[0] * 11 / 10);
    sim_close(sim);
}

/* ---- pause ------------------------------------------------------------------------ */

static uint64_t pseudo_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Whatever governors do, the bus keeps its rules, and once they let go the kernel ends. */
TEST(any_decisions_leave_the_bus_in_order)
{
    const workload w = lively();
    uint64_t random = 12345;

    for (unsigned run = 0; run < 6; run++) {
        machine m = several(2);
        sim_control control = fixture_control();
        bus_rules rules[2] = {{.schedulers = 2}, {.schedulers = 2}};
        const sm_obs *const *obs;
        chip_sim *sim;
        unsigned cycle;

        m.scheduler = (enum machine_scheduler)(run % SCHEDULES);
        sim = fixture_open(&m, &w, run);
        for (cycle = 0; (obs = sim_step(sim, &control)); cycle++) {
            assert_true(cycle < 200000);
            for (unsigned i = 0; i < 2; i++) {
                bus_check(&rules[i], obs[i], &control.sm[i]);
                if (cycle < 20000 && pseudo_random(&random) % 50 == 0) {
                    control.sm[i].paused = (uint32_t)pseudo_random(&random);
                    control.sm[i].soft = (uint8_t)(pseudo_random(&random) & 1);
                    control.sm[i].req = (uint8_t)(pseudo_random(&random) & 1);
                    control.sm_level = (uint8_t)(pseudo_random(&random) % 3);
                    control.mem_level = (uint8_t)(pseudo_random(&random) % 3);
                }
                if (cycle == 20000)
                    control.sm[i] = (sim_sm_control){.req = 1};
            }
        }
        assert_int_equal(rules[0].ctas + rules[1].ctas, w.ctas);
        sim_close(sim);
    }
}
