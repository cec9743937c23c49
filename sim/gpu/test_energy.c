/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy: the coefficients of energy.h from the numbers that the papers print, and made-up counts with
 * easy results.
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

/* Hong, Table 11; 64 W of activation and 27 W idle, of which 41.9 W leak in the SMs. */
TEST(coefficients_are_those_of_the_papers)
{
    const energy_model m = energy_model_default();
    const double hz = 1.544e9, fds = 0.6, reg = 0.8;
    const struct {
        double is, printed;
    } rows[] = {
        /* Of a warp instruction. */
        {m.operation[OP_ALU], (fds + reg + 1.1) / hz}, {m.operation[OP_SFU], (fds + reg + 0.6) / hz},
        {m.operation[OP_SHARED], (fds + reg + 1.4) / hz}, {m.operation[OP_LOAD], (fds + reg) / hz},
        {m.operation[OP_STORE], (fds + reg) / hz}, {m.operation[OP_BRANCH], fds / hz}, {m.operation[OP_BARRIER], fds / hz},
        /* Of a line. */
        {m.l1_line, 1.6 / hz}, {m.l2_line, 12 / (12 * 924e6 / 2)}, {m.dram_line, 28 / (6 * 924e6 / 4)},
        /* Of sixteen SMs. */
        {16 * m.sm_leakage, 41.9}, {16 * (m.sm_leakage + m.sm_clock), 64}, {16 * (m.memory_standby + m.rest), 27},
        {16 * m.rest, 13.5},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        near(rows[i].is, rows[i].printed);
    assert_true(m.dram_line > 20.1e-9 && m.dram_line < 20.3e-9); /* 20 pJ per bit of 128 bytes */
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

        counts.at_level[level] = (sim_level_counts){.operations = {2, 2, 2, 2, 2, 2, 2}, .l1_lines = 3, .l2_lines = 4,
                                                    .dram_lines = 5};
        e = energy_of(&easy, &m, &counts);
        near(e.sm_dynamic, squares[level] * 32222222);
        near(e.memory_dynamic, squares[level] * 54);
        near(e.sm_static + e.memory_static + e.rest, 0);
        near(e.total, squares[level] * 32222276);
    }
}

/* At 3.145, 3.7 and 4.255 Gbps: 1.3 times the current from 3.2 to 6. */
static const double standby[] = {0.85 * 2.7835 / 2.95, 1, 1.15 * 3.1165 / 2.95};

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
            near(e.memory_static, 4 * 10 * 5 * standby[mem]);
            near(e.rest, 4 * 10 * 7);
            near(e.sm_dynamic + e.memory_dynamic, 0);
            near(e.total, e.sm_static + e.memory_static + e.rest);
        }
}

/* CKE-4: of the leakage only, at every voltage. */
TEST(power_gating_takes_leakage)
{
    static const double v[] = {0.85, 1, 1.15};
    const machine m = of_one_mhz(4);

    for (unsigned sm = 0; sm < 3; sm++) {
        sim_counts counts = {.ticks = 10 * second};
        energy e;

        counts.sm_ticks[sm] = 10 * second;
        e = energy_of(&easy, &m, &counts);
        near(e.sm_leakage, 4 * 10 * 2 * v[sm]);
        near(energy_power_gated(&e, 0), e.total);
        near(energy_power_gated(&e, 0.25), e.total - 4 * 10 * 2 * v[sm] / 4);
    }
}

TEST(levels_add_up)
{
    const machine m = of_one_mhz(1);
    sim_counts counts = {.ticks = 3 * second, .sm_ticks = {second, second, second}, .mem_ticks = {0, 3 * second, 0}};

    near(energy_of(&easy, &m, &counts).sm_static, 2 * 3 + 3 * (0.614125 + 1 + 1.520875));
    counts.mem_ticks[BALLAST_VF_HIGH] = second;
    counts.mem_ticks[BALLAST_VF_NORMAL] = 2 * second;
    near(energy_of(&easy, &m, &counts).memory_static, 5 * (2 + standby[BALLAST_VF_HIGH]));
}

TEST(a_faster_clock_makes_the_same_ticks_shorter)
{
    machine m = of_one_mhz(1);
    const sim_counts counts = {.ticks = 10 * second};

    m.sm_mhz = 1000;
    near(energy_of(&easy, &m, &counts).rest, 7 * 0.01);
}
