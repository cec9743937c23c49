/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast bench-sim: how fast the activity simulator runs with the C models in its loop, how that
 * grows with the SMs, and how much memory an SM takes.
 *
 * Fermi SMs with 48 resident warps, memory in proportion; three workloads, from one that issues in
 * nearly every cycle to one that mostly waits.
 */
#include <stdlib.h>

#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "gpu/governed.h"

enum { ROUNDS = 5, SM_CYCLES = 1500000, BAR = 2 };

static const unsigned sizes[] = {1, 15, 132};
enum { SIZES = sizeof sizes / sizeof sizes[0], PARTS = SIZES + 1 /* the largest with nothing left out */ };

/* 256 threads and 20 registers: 6 CTAs of 8 warps fill a Fermi SM. */
#define LAUNCH .ctas = 1u << 20, .threads_per_cta = 256, .regs_per_thread = 20, .launches = 1, .insts = 1000, .lines = 1
static const workload workloads[] = {
    {.name = "compute", LAUNCH, .loads = 0.02, .stores = 0.01, .sfu = 0.02, .branches = 0.05, .alu_distance = 4, .load_distance = 10},
    {.name = "cache", LAUNCH, .loads = 0.15, .branches = 0.05, .alu_distance = 3, .load_distance = 2, .cta_reuse = 0.9, .cta_set = 90},
    {.name = "memory", LAUNCH, .loads = 0.15, .stores = 0.05, .branches = 0.05, .alu_distance = 3, .load_distance = 4},
};
enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

/* A machine of any size whose SMs have a fifteenth of a Fermi's memory each. */
static machine sized(unsigned sms)
{
    machine m = *machine_find("fermi");
    const unsigned channels = m.dram_channels * sms / m.sms, banks = m.l2_banks * sms / m.sms;

    /* A single SM has less than a channel: the channel is slower instead. */
    m.dram_interval = channels ? m.dram_interval : m.dram_interval * m.sms / (m.dram_channels * sms);
    m.l2_interval = banks ? m.l2_interval : m.l2_interval * m.sms / (m.l2_banks * sms);
    m.dram_channels = channels ? channels : 1;
    m.l2_banks = banks ? banks : 1;
    m.sms = sms;
    return m;
}

typedef struct sim_bench {
    const workload *workload;
    double ipc; /* instructions per cycle and SM, of the last run */
} sim_bench;

static bool run_size(void *user, unsigned size)
{
    sim_bench *b = user;
    const bool each = size == SIZES;
    const machine m = sized(sizes[each ? SIZES - 1 : size]);
    char err[256] = "out of memory";
    chip_sim *sim = sim_open(&m, b->workload, 1, err, sizeof err);
    governed *g = sim ? malloc(sizeof *g) : NULL;
    const unsigned cycles = SM_CYCLES / m.sms;
    sim_counts counts;

    if (g) {
        governed_open(g, sim);
        g->each = each;
        if (each)
            sim_do_each(sim);
        for (unsigned c = 0; c < cycles; c++)
            governed_step(g);
        sim_get_counts(sim, &counts);
        b->ipc = (double)counts.instructions / cycles / m.sms;
    } else {
        complain("%s", err);
    }
    free(g);
    sim_close(sim);
    return g != NULL;
}

static size_t memory_of(const machine *m)
{
    return sizeof(sim_sm) + (size_t)m->l1_sets * m->l1_ways * sizeof(uint64_t) + sizeof(sm_governor_state) +
           sizeof(sm_governor_in) + sizeof(chip_governor_sm_out) + sizeof(sm_control) + sizeof(governed_span);
}

static bool measure_workload(const workload *w, double *slowest, double *worst)
{
    double speed[PARTS][ROUNDS], first;
    sim_bench b = {.workload = w};
    const bench_rounds rounds = {run_size, &b, SM_CYCLES, PARTS, ROUNDS, &speed[0][0]};

    if (!bench_measure(&rounds))
        return false;
    first = bench_median(speed[0], ROUNDS);
    printf("%-10s %8.2f", w->name, b.ipc);
    for (unsigned i = 0; i < SIZES; i++) {
        const double s = bench_median(speed[i], ROUNDS);

        printf(" %10.2f %8.2f", 1e-6 * s, s / first);
        *worst = s / first < *worst ? s / first : *worst;
    }
    printf(" %9.2f\n", bench_ratio(speed[SIZES - 1], speed[SIZES], ROUNDS));
    fflush(stdout);
    *slowest = first < *slowest ? first : *slowest;
    return true;
}

int cmd_bench_sim(int argc, char **argv)
{
    static const command_line line = {.examples = {"bench-sim"},
        .doc = "Measures the activity simulator with the C models in its loop, for 1, 15 and 132 SMs."};
    const machine fermi = sized(1);
    double slowest = 1e12, worst = 1e12;

    command_parse(&line, argc, argv, NULL);
    printf("%-10s %8s", "workload", "IPC");
    for (unsigned i = 0; i < SIZES; i++)
        printf(" %6u SM%s %8s", sizes[i], sizes[i] > 1 ? "s" : " ", "vs 1");
    printf(" %9s\n", "vs each");
    for (unsigned i = 0; i < WORKLOADS; i++)
        if (!measure_workload(&workloads[i], &slowest, &worst))
            return EXIT_BAD_INPUT;
    printf("million SM cycles per second on one core, C models in the loop; median of %d rounds\n", ROUNDS);
    printf("vs each: speed of the largest chip, divided by its speed where no governor and no SM skips a cycle\n");
    printf("slowest with 1 SM: %.2f %s %d; %.2f of its speed per SM at worst with more; %zu bytes of memory per SM\n", 1e-6 * slowest,
           slowest >= BAR * 1e6 ? ">=" : "MISSES", BAR, worst, memory_of(&fermi));
    return EXIT_PASS;
}
