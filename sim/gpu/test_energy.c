/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy: the coefficients of energy.h from the numbers that the papers print, made-up counts with
 * easy results, and counts of the simulator split by level.
 */
#include <math.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/energy.h"

static void near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9 * fabs(expected) + 1e-18)
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* ---- coefficients ----------------------------------------------------------------- */

TEST(hong_table_11_per_warp_instruction)
{
    const energy_model m = energy_model_default();
    const double hz = 1.544e9;

    near(m.operation[OP_ALU], (0.6 + 0.8 + 1.1) / hz);
    near(m.operation[OP_SFU], (0.6 + 0.8 + 0.6) / hz);
    near(m.operation[OP_SHARED], (0.6 + 0.8 + 1.4) / hz);
    near(m.operation[OP_LOAD], (0.6 + 0.8) / hz);
    near(m.operation[OP_STORE], (0.6 + 0.8) / hz);
    near(m.operation[OP_BRANCH], 0.6 / hz);
    near(m.operation[OP_BARRIER], 0.6 / hz);
    near(m.l1_line, 1.6 / hz);
}

TEST(hong_table_11_per_line)
{
    const energy_model m = energy_model_default();

    near(m.l2_line, 12 / (12 * 924e6 / 2));
    near(m.dram_line, 28 / (6 * 924e6 / 4));
    assert_true(m.dram_line > 20.1e-9 && m.dram_line < 20.3e-9); /* 20 pJ per bit of 128 bytes */
}

/* 64 W of activation and 27 W idle, of which 41.9 W leak in the SMs. */
TEST(static_power_of_sixteen_sms)
{
    const energy_model m = energy_model_default();

    near(16 * m.sm_leakage, 41.9);
    near(16 * (m.sm_leakage + m.sm_clock), 64);
    near(16 * (m.memory_standby + m.rest), 27);
    near(16 * m.rest, 13.5);
}

/* ---- made-up counts --------------------------------------------------------------- */

/* One of everything costs a different power of ten. */
static const energy_model easy = {.operation = {1, 10, 100, 1e3, 1e4, 1e5, 1e6}, .l1_line = 1e7, .l2_line = 1, .dram_line = 10,
                                  .sm_leakage = 2, .sm_clock = 3, .memory_standby = 5, .rest = 7};

static machine of_one_mhz(uint32_t sms)
{
    machine m = fixture_machine();

    m.sms = sms;
    m.sm_mhz = 1;
    return m;
}

/* A second of a machine with 1 MHz. */
static const uint64_t second = UINT64_C(1000000) * SIM_TICKS_NORMAL;

TEST(nothing_happened)
{
    const machine m = of_one_mhz(1);
    const sim_counts counts = {0};

    near(energy_of(&easy, &m, &counts).total, 0);
}

TEST(accesses_go_with_the_square_of_the_voltage)
{
    static const double squares[] = {0.7225, 1, 1.3225};
    const machine m = of_one_mhz(4);

    for (unsigned level = 0; level < 3; level++) {
        sim_counts counts = {0};
        energy e;

        counts.at_level[level] = (sim_level_counts){.operations = {2, 2, 2, 2, 2, 2, 2}, .l1_lines = 3, .l2_lines = 4, .dram_lines = 5};
        e = energy_of(&easy, &m, &counts);
        near(e.sm_dynamic, squares[level] * 32222222);
        near(e.memory_dynamic, squares[level] * 54);
        near(e.sm_static + e.memory_static + e.rest, 0);
        near(e.total, squares[level] * 32222276);
    }
}

TEST(time_costs_by_the_level_of_each_domain)
{
    static const double v[] = {0.85, 1, 1.15};
    const machine m = of_one_mhz(4);

    for (unsigned sm = 0; sm < 3; sm++)
        for (unsigned mem = 0; mem < 3; mem++) {
            sim_counts counts = {.ticks = 10 * second};
            energy e;

            counts.sm_ticks[sm] = counts.mem_ticks[mem] = 10 * second;
            e = energy_of(&easy, &m, &counts);
            near(e.sm_static, 4 * 10 * (2 * v[sm] + 3 * v[sm] * v[sm] * v[sm]));
            near(e.memory_static, 4 * 10 * 5 * v[mem]);
            near(e.rest, 4 * 10 * 7);
            near(e.sm_dynamic + e.memory_dynamic, 0);
            near(e.total, e.sm_static + e.memory_static + e.rest);
        }
}

TEST(levels_add_up)
{
    const machine m = of_one_mhz(1);
    sim_counts counts = {.ticks = 3 * second, .sm_ticks = {second, second, second}, .mem_ticks = {0, 3 * second, 0}};

    near(energy_of(&easy, &m, &counts).sm_static, 2 * 3 + 3 * (0.614125 + 1 + 1.520875));
    counts.mem_ticks[VF_HIGH] = second;
    counts.mem_ticks[VF_NORMAL] = 2 * second;
    near(energy_of(&easy, &m, &counts).memory_static, 5 * (2 + 1.15));
}

TEST(a_faster_clock_makes_the_same_ticks_shorter)
{
    machine m = of_one_mhz(1);
    const sim_counts counts = {.ticks = 10 * second};

    m.sm_mhz = 1000;
    near(energy_of(&easy, &m, &counts).rest, 7 * 0.01);
}

/* ---- counts of the simulator ------------------------------------------------------ */

static workload busy_workload(void)
{
    return (workload){
        .name = "fixture", .ctas = 12, .threads_per_cta = 64, .launches = 1, .insts = 400, .alu_distance = 1,
        .load_distance = 1, .lines = 1, .warp_set = 1, .cta_set = 1, .neighbour_set = 1, .random = 1,
        .footprint = 1000, .loads = 0.2, .stores = 0.1, .sfu = 0.05, .branches = 0.05,
    };
}

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

TEST(without_a_change_all_is_at_one_level)
{
    const machine m = fixture_machine();
    const workload w = busy_workload();
    sim_control control = fixture_control();
    chip_sim *sim = fixture_open(&m, &w, 1);
    sim_counts c;

    run_some(sim, &control, 100000, &c);
    assert_memory_equal(c.at_level[VF_NORMAL].operations, c.operations, sizeof c.operations);
    assert_true(c.memory.dram_lines > 0);
    sim_close(sim);
}

/* The SMs change level at one time, the memory at another. */
TEST(what_happened_stays_at_its_level)
{
    const machine m = fixture_machine();
    const workload w = busy_workload();
    sim_control control = fixture_control();
    chip_sim *sim = fixture_open(&m, &w, 1);
    sim_counts before, between, after;

    run_some(sim, &control, 300, &before);
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
    sim_close(sim);
}

TEST(a_rewound_run_begins_without_counts)
{
    const machine m = fixture_machine();
    const workload w = busy_workload();
    sim_control control = fixture_control();
    chip_sim *sim = fixture_open(&m, &w, 1);
    sim_counts c;

    control.sm_level = VF_LOW;
    run_some(sim, &control, 500, &c);
    control.sm_level = VF_HIGH;
    run_some(sim, &control, 500, &c);
    assert_true(sim_rewind(sim));
    control.sm_level = VF_NORMAL;
    run_some(sim, &control, 500, &c);
    assert_memory_equal(c.at_level[VF_NORMAL].operations, c.operations, sizeof c.operations);
    sim_close(sim);
}
