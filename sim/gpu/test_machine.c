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

/* What the papers and makers print of a machine. */
typedef struct figures {
    const char *name;
    fixture_set same[12];
    double bandwidth, by;  /* GB/s; 0: not printed */
    uint32_t l2, l2_by;    /* bytes                */
    uint32_t l1;           /* bytes; 0: not printed */
} figures;

TEST(the_named_machines_have_the_printed_figures)
{
    static const figures all[] = {
        /* Equalizer, Table III; Perf-Sat, Table I. */
        {"fermi", {{M(sms), 15}, {M(slots), 8}, {M(warps), 1536 / 32}, {M(registers), 128 * 1024 / 4}, {M(l1_sets), 64},
                   {M(l1_ways), 4}, {M(line_bytes), 128}}, .bandwidth = 177, .by = 1, .l2 = 768 * 1024},
        /* Perf-Sat, Table I. */
        {"kepler", {{M(sms), 2688 / 192}, {M(slots), 16}, {M(warps), 2048 / 32}, {M(registers), 256 * 1024 / 4}},
         .bandwidth = 250, .by = 1, .l2 = 1536 * 1024},
        {"hopper", {{M(sms), 132}, {M(slots), 32}, {M(warps), 64}, {M(registers), 65536}, {M(shared_bytes), 228 * 1024}},
         .bandwidth = 3350, .by = 20, .l2 = 50000000, .l2_by = 500000},
        /* LCS, Table 1. */
        {"lcs", {{M(sms), 28}, {M(slots), 8}, {M(warps), 1536 / 32}, {M(registers), 32768}, {M(shared_bytes), 48 * 1024},
                 {M(l1_ways), 8}, {M(line_bytes), 128}, {M(dram_channels), 8}, {M(sm_mhz), 1400}, {M(memory_mhz), 924}},
         .l2 = 8 * 128 * 1024, .l1 = 32 * 1024},
    };

    for (const figures *f = all; f < all + sizeof all / sizeof all[0]; f++) {
        const machine *m = machine_find(f->name);
        machine same = *m;

        fixture_change(&same, f->same);
        assert_memory_equal(&same, m, sizeof same);
        assert_in_range(m->l2_banks * m->l2_sets * m->l2_ways * m->line_bytes, f->l2 - f->l2_by, f->l2 + f->l2_by);
        if ((f->bandwidth > 0 && !(fabs(gigabytes_per_second(m) - f->bandwidth) < f->by)) ||
            (f->l1 && m->l1_sets * m->l1_ways * m->line_bytes != f->l1))
            fail_msg("%s: %g GB/s", f->name, gigabytes_per_second(m));
    }
}

/* ---- what is refused -------------------------------------------------------------- */

static bool accepts(const fixture_set *change, char *err, unsigned size)
{
    machine m = fixture_machine();

    fixture_change(&m, change);
    return machine_check(&m, err, size);
}

TEST(what_cannot_be_is_refused)
{
#define LIMITS(member, least, most) {#member, M(member), least, most}
    enum { TIME = 1000000, SHORT = MACHINE_MAX_LATENCY - 1 };
    static const fixture_limit all[] = {
        LIMITS(sms, 1, MACHINE_MAX_SMS), LIMITS(warps, 1, 64), LIMITS(slots, 1, 32), LIMITS(registers, 32, 2097088),
        LIMITS(shared_bytes, 128, 8388352), /* 65534 units */
        LIMITS(schedulers, 1, MACHINE_MAX_SCHEDULERS), LIMITS(scheduler, 0, SCHEDULES - 1), LIMITS(fetch_group, 1, 64),
        LIMITS(alu_width, 1, MACHINE_MAX_SCHEDULERS), LIMITS(alu_latency, 1, SHORT), LIMITS(sfu_interval, 1, TIME),
        LIMITS(sfu_latency, 1, SHORT), LIMITS(branch_latency, 1, SHORT), LIMITS(lsu_queue, 1, MACHINE_MAX_LSU),
        LIMITS(ibuffer, 0, PROGRAM_WINDOW), LIMITS(collector_reads, 0, PROGRAM_OPERANDS), LIMITS(reg_banks, 0, MACHINE_MAX_BANKS),
        LIMITS(shared_latency, 1, SHORT), LIMITS(l1_sets, 1, 1 << 20), LIMITS(l1_ways, 0, 64), LIMITS(line_bytes, 1, 4096),
        LIMITS(l1_latency, 1, SHORT), LIMITS(mshrs, 1, MACHINE_MAX_MSHRS), LIMITS(network_latency, 0, TIME),
        LIMITS(network_interval, 0, TIME), LIMITS(l2_banks, 1, MEMORY_MAX_BANKS), LIMITS(l2_sets, 1, 1 << 20),
        LIMITS(l2_ways, 0, 64), LIMITS(l2_latency, 0, TIME), LIMITS(l2_interval, 0, TIME), LIMITS(l2_queue, 1, TIME),
        LIMITS(dram_channels, 1, MEMORY_MAX_CHANNELS), LIMITS(dram_latency, 0, TIME), LIMITS(dram_interval, 0, TIME),
        LIMITS(dram_queue, 1, TIME), LIMITS(sm_mhz, 1, 100000), LIMITS(memory_mhz, 1, 100000),
    };

    fixture_limits(all, sizeof all / sizeof all[0], accepts);
}

static bool accepts_with_collectors(const fixture_set *change, char *err, unsigned size)
{
    machine m = fixture_machine();

    m.collectors = m.collector_reads = m.reg_banks = 1;
    fixture_change(&m, change);
    return machine_check(&m, err, size);
}

TEST(collectors_need_banks_and_time)
{
    static const fixture_limit all[] = {
        LIMITS(collectors, 0, MACHINE_MAX_COLLECTORS), LIMITS(collector_reads, 1, PROGRAM_OPERANDS), LIMITS(reg_banks, 1, MACHINE_MAX_BANKS),
        LIMITS(alu_latency, MACHINE_COLLECT + 1, MACHINE_MAX_LATENCY - 1 - MACHINE_MAX_WAIT),
    };

    fixture_limits(all, sizeof all / sizeof all[0], accepts_with_collectors);
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
