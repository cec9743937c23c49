/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines, kernels and decisions at random, within what is accepted: each run comes to an end in bounded time
 * with every instruction executed, and the bus keeps its rules in every cycle.
 */
#include <string.h>

#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

enum { RUNS = 60, MOST_CYCLES = 20000000, STEERED_CYCLES = 20000 };

/* What machines and kernels are drawn from: with other numbers some take many more cycles. */
static uint64_t next_random(void)
{
    static uint64_t state = UINT64_C(88172645463325252);

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Mostly small numbers, now and then the limits. */
static uint32_t between(uint32_t least, uint32_t most)
{
    const uint32_t span = most - least;
    const uint64_t kind = next_random() % 8;

    if (kind == 0)
        return least;
    if (kind == 1)
        return most;
    return least + (uint32_t)(next_random() % (span < 16 || kind == 2 ? (uint64_t)span + 1 : 16));
}

static double part(void)
{
    return next_random() % 3 ? (double)(next_random() % 1000) / 1000 : 0;
}

static machine wild_machine(void)
{
    return (machine){
        .name = "wild", .sms = between(1, 4), .warps = between(1, 64), .slots = between(1, 32), .registers = 65536,
        .shared_bytes = 65536, .schedulers = between(1, 4), .scheduler = (enum machine_scheduler)(next_random() % SCHEDULES),
        .fetch_group = between(1, 64), .alu_width = between(1, 4), .alu_latency = between(MACHINE_COLLECT + 1, 40),
        .ibuffer = between(0, 4), .collectors = between(0, MACHINE_MAX_COLLECTORS), .collector_reads = between(1, 3), .reg_banks = between(1, 64),
        .sfu_interval = between(1, 40), .sfu_latency = between(1, 511), .branch_latency = between(1, 40),
        .lsu_queue = between(1, 64), .shared_latency = between(1, 511), .l1_sets = between(1, 64), .l1_ways = between(0, 8),
        .l1_infinite = next_random() % 4 == 0, .line_bytes = 128, .l1_latency = between(1, 511), .mshrs = between(4, 256),
        .network_latency = between(0, 300), .network_interval = between(0, 5), .l2_banks = between(1, 64),
        .l2_sets = between(1, 64), .l2_ways = between(0, 8), .l2_latency = between(0, 300), .l2_interval = between(0, 5),
        .l2_queue = between(1, 20), .dram_queue = between(1, 40),
        .dram_channels = between(1, 32), .dram_latency = between(0, 500), .dram_interval = between(0, 10),
        .sm_mhz = between(300, 2000), .memory_mhz = between(300, 2000),
    };
}

static workload wild_workload(const machine *m)
{
    const double scale = 1.0 / 5;

    return (workload){
        .name = "wild", .ctas = between(1, 20), .threads_per_cta = between(1, 32 * m->warps), .launches = between(1, 2),
        .insts = between(1, 150), .spread = part(), .loads = part() * scale * 2, .stores = part() * scale,
        .shared = part() * scale, .sfu = part() * scale / 2, .branches = part() * scale / 2,
        .barrier_every = between(0, 256), .alu_distance = between(1, 63), .load_distance = between(1, 63),
        .operands = 1 + 2 * part(), .code = between(0, PROGRAM_CODE),
        .lines = between(1, 32), .store_lines = between(0, 32), .warp_reuse = part() / 4, .warp_set = between(1, 100),
        .cta_reuse = part() / 4, .cta_set = between(1, 100), .neighbour_reuse = part() / 4, .neighbour_set = between(1, 100),
        .random = part() / 4, .footprint = between(1, 10000),
    };
}

static uint64_t instructions_of(const workload *w, uint64_t seed)
{
    uint64_t all = 0;
    program p;

    program_make(&p, w, seed);
    for (uint32_t cta = 0; cta < w->ctas; cta++)
        all += (uint64_t)program_length(&p, cta) * workload_warps(w) * w->launches;
    return all;
}

/* What governors might do; then they let go. */
static void decide(sim_control *control, uint64_t cycle)
{
    static uint64_t drawn = 12345;

    for (unsigned i = 0; i < MACHINE_MAX_SMS && cycle <= STEERED_CYCLES; i++) {
        if (cycle == STEERED_CYCLES)
            control->sm[i] = (sm_control){.req = true};
        else if (i < 4 && random_one_in(&drawn, 50))
            control->sm[i] = (sm_control){.paused = (uint32_t)random_next(&drawn), .soft = random_one_in(&drawn, 2),
                                          .req = random_one_in(&drawn, 2)};
    }
    if (random_one_in(&drawn, 50)) {
        control->sm_level = (uint8_t)random_below(&drawn, 3);
        control->mem_level = (uint8_t)random_below(&drawn, 3);
    }
}

TEST(any_kernel_ends_on_any_machine)
{
    for (unsigned i = 0; i < RUNS; i++) {
        const machine m = wild_machine();
        const workload w = wild_workload(&m);
        sim_control control = fixture_control();
        chip_sim *sim = fixture_open(&m, &w, i);
        sim_counts counts;

        fixture_run_steered(sim, &control, i % 2 ? decide : NULL, MOST_CYCLES);
        sim_get_counts(sim, &counts);
        assert_int_equal(counts.ctas, (uint64_t)w.ctas * w.launches);
        assert_int_equal(counts.instructions, instructions_of(&w, i));
        sim_close(sim);
    }
}
