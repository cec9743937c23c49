/* SPDX-License-Identifier: Apache-2.0
 *
 * The named machines against the figures they are from, what is refused, and slices.
 */
#include <math.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "analytic/gpus.h"
#include "gpu/activity_fixture.h"

TEST(the_named_machines_can_be)
{
    char err[256];

    assert_true(machine_count >= 4);
    for (const machine *m = machine_table; m < machine_table + machine_count; m++) {
        assert_true(machine_check(m, err, sizeof err));
        assert_ptr_equal(machine_find(m->name), m);
        assert_non_null(strstr(machine_names, m->name));
    }
    assert_null(machine_find("fermi2"));
    assert_null(machine_find(""));
}

/* What the models take from a set of their own has to be what the chip's file says. */
TEST(the_models_gpu_is_the_same_chip)
{
    const machine *m = machine_find("fermi");
    analytic_gpu gpu;

    assert_true(analytic_gpu_find("fermi", &gpu));
    assert_int_equal(gpu.occupancy.num_sms, m->sms);
    assert_int_equal(gpu.occupancy.max_warps, m->warps);
    assert_int_equal(gpu.occupancy.max_threads, m->warps * 32);
    assert_int_equal(gpu.occupancy.max_blocks, m->slots);
    assert_int_equal(gpu.occupancy.registers, m->registers);
    assert_int_equal(gpu.occupancy.shared_bytes, m->shared_bytes);
    assert_true(gpu.memory.freq_ghz == m->sm_mhz / 1e3 && gpu.memory.issue_cycles == 1.0 / m->schedulers);
}

static double gigabytes_per_second(const machine *m)
{
    return (double)m->dram_channels * m->line_bytes / m->dram_interval * m->memory_mhz * 1e6 / 1e9;
}

static uint32_t l1_bytes(const machine *m)
{
    return m->l1_sets * m->l1_ways * m->line_bytes;
}

static uint32_t l2_bytes(const machine *m)
{
    return m->l2_banks * m->l2_sets * m->l2_ways * m->line_bytes;
}

/* Equalizer, Table III; Perf-Sat, Table I. */
TEST(fermi_is_that_of_the_papers)
{
    const machine *m = machine_find("fermi");

    assert_int_equal(m->sms, 15);
    assert_int_equal(m->slots, 8);
    assert_int_equal(m->warps, 48);
    assert_int_equal(m->l1_sets, 64);
    assert_int_equal(m->l1_ways, 4);
    assert_int_equal(m->line_bytes, 128);
    assert_int_equal(m->registers * 4, 128 * 1024);
    assert_int_equal(m->warps * 32, 1536);
    assert_true(fabs(gigabytes_per_second(m) - 177) < 1);
    assert_int_equal(l2_bytes(m), 768 * 1024);
}

/* Perf-Sat, Table I. */
TEST(kepler_is_that_of_the_paper)
{
    const machine *m = machine_find("kepler");

    assert_int_equal(m->sms, 2688 / 192);
    assert_int_equal(m->slots, 16);
    assert_int_equal(m->warps * 32, 2048);
    assert_int_equal(m->registers * 4, 256 * 1024);
    assert_true(fabs(gigabytes_per_second(m) - 250) < 1);
    assert_int_equal(l2_bytes(m), 1536 * 1024);
}

TEST(hopper_has_its_public_figures)
{
    const machine *m = machine_find("hopper");

    assert_int_equal(m->sms, 132);
    assert_int_equal(m->slots, 32);
    assert_int_equal(m->warps, 64);
    assert_int_equal(m->registers, 65536);
    assert_int_equal(m->shared_bytes, 228 * 1024);
    assert_true(fabs(gigabytes_per_second(m) - 3350) < 20);
    assert_in_range(l2_bytes(m), 49500000, 50500000);
}

/* LCS, Table 1. */
TEST(lcs_is_that_of_the_paper)
{
    const machine *m = machine_find("lcs");

    assert_int_equal(m->sms, 28);
    assert_int_equal(m->sm_mhz, 1400);
    assert_int_equal(m->memory_mhz, 924);
    assert_int_equal(l1_bytes(m), 32 * 1024);
    assert_int_equal(m->l1_ways, 8);
    assert_int_equal(m->line_bytes, 128);
    assert_int_equal(m->dram_channels, 8);
    assert_int_equal(l2_bytes(m), 8 * 128 * 1024);
    assert_int_equal(m->slots, 8);
    assert_int_equal(m->warps * 32, 1536);
    assert_int_equal(m->registers, 32768);
    assert_int_equal(m->shared_bytes, 48 * 1024);
}

/* ---- what is refused -------------------------------------------------------------- */

static void refused(const machine *m, const char *name)
{
    char err[256] = "";

    assert_false(machine_check(m, err, sizeof err));
    if (strncmp(err, name, strlen(name)) != 0 || !strstr(err, "give"))
        fail_msg("%s: %s", name, err);
}

#define REFUSE(field, value)                                                                                               \
    do {                                                                                                                   \
        machine m = fixture_machine();                                                                                     \
        m.field = (value);                                                                                                 \
        refused(&m, #field);                                                                                               \
    } while (0)
#define ACCEPT(field, value)                                                                                               \
    do {                                                                                                                   \
        machine m = fixture_machine();                                                                                     \
        char err[256];                                                                                                     \
        m.field = (value);                                                                                                 \
        assert_true(machine_check(&m, err, sizeof err));                                                                   \
    } while (0)
#define LIMITS(field, least, most)                                                                                         \
    do {                                                                                                                   \
        if ((least) > 0)                                                                                                   \
            REFUSE(field, (least)-1);                                                                                      \
        ACCEPT(field, least);                                                                                              \
        ACCEPT(field, most);                                                                                               \
        REFUSE(field, (most) + 1);                                                                                         \
    } while (0)

TEST(what_cannot_be_is_refused)
{
    LIMITS(sms, 1, MACHINE_MAX_SMS);
    LIMITS(warps, 1, 64);
    LIMITS(slots, 1, 32);
    LIMITS(schedulers, 1, MACHINE_MAX_SCHEDULERS);
    LIMITS(scheduler, 0, SCHEDULES - 1);
    LIMITS(active_warps, 1, 64);
    LIMITS(alu_width, 1, MACHINE_MAX_SCHEDULERS);
    LIMITS(alu_latency, 1, MACHINE_MAX_LATENCY - 1);
    LIMITS(sfu_interval, 1, 1000000);
    LIMITS(sfu_latency, 1, MACHINE_MAX_LATENCY - 1);
    LIMITS(branch_latency, 1, MACHINE_MAX_LATENCY - 1);
    LIMITS(lsu_queue, 1, MACHINE_MAX_LSU);
    LIMITS(shared_latency, 1, MACHINE_MAX_LATENCY - 1);
    LIMITS(l1_sets, 1, 1 << 20);
    LIMITS(l1_ways, 0, 64);
    LIMITS(line_bytes, 1, 4096);
    LIMITS(l1_latency, 1, MACHINE_MAX_LATENCY - 1);
    LIMITS(mshrs, 1, MACHINE_MAX_MSHRS);
    LIMITS(network_latency, 0, 1000000);
    LIMITS(network_interval, 0, 1000000);
    LIMITS(l2_banks, 1, MEMORY_MAX_BANKS);
    LIMITS(l2_sets, 1, 1 << 20);
    LIMITS(l2_ways, 0, 64);
    LIMITS(l2_latency, 0, 1000000);
    LIMITS(l2_interval, 0, 1000000);
    LIMITS(dram_channels, 1, MEMORY_MAX_CHANNELS);
    LIMITS(dram_latency, 0, 1000000);
    LIMITS(dram_interval, 0, 1000000);
    LIMITS(sm_mhz, 1, 100000);
    LIMITS(memory_mhz, 1, 100000);
    REFUSE(registers, 0);
}

/* ---- slices ----------------------------------------------------------------------- */

TEST(a_slice_has_memory_in_proportion)
{
    const machine *m = machine_find("fermi");
    char err[256] = "";
    machine slice;

    assert_true(machine_slice(m, 5, &slice, err, sizeof err));
    assert_int_equal(slice.sms, 5);
    assert_int_equal(slice.l2_banks, 4);
    assert_int_equal(slice.dram_channels, 2);
    assert_true(fabs(gigabytes_per_second(&slice) * 3 - gigabytes_per_second(m)) < 1e-6);
    assert_true(machine_check(&slice, err, sizeof err));
    slice.sms = m->sms; /* the rest is the same */
    slice.l2_banks = m->l2_banks;
    slice.dram_channels = m->dram_channels;
    assert_memory_equal(&slice, m, sizeof slice);
    assert_true(machine_slice(m, 15, &slice, err, sizeof err));
    assert_memory_equal(&slice, m, sizeof slice);
}

TEST(what_is_no_slice_is_refused)
{
    const machine *m = machine_find("fermi");
    const machine untouched = fixture_machine();
    machine slice = untouched;
    static const uint32_t cannot[] = {0, 1, 4, 7, 14, 16};

    for (unsigned i = 0; i < sizeof cannot / sizeof cannot[0]; i++) {
        char err[256] = "";

        assert_false(machine_slice(m, cannot[i], &slice, err, sizeof err));
        assert_true(strlen(err) > 20);
        assert_null(strchr(err, '\n'));
        assert_memory_equal(&slice, &untouched, sizeof slice);
    }
    for (unsigned banks = 0; banks < 2; banks++) { /* either cannot be divided */
        machine odd = *m;
        char err[256] = "";

        *(banks ? &odd.l2_banks : &odd.dram_channels) = 7;
        assert_false(machine_slice(&odd, 5, &slice, err, sizeof err));
        assert_non_null(strstr(err, "another number"));
    }
}
