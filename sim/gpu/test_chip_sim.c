/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole machine: launches and the end of a grid, and that the same goes in and comes out.
 */
#include <string.h>

#include "gpu/chip_fixture.h"

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
    control.sm_level = BALLAST_VF_HIGH;
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
