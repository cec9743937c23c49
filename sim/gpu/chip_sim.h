/* SPDX-License-Identifier: Apache-2.0
 *
 * The activity simulator: SMs, memory, the CTA dispatcher (gpu/dispatcher.h) and two clock domains. One
 * call is one cycle of the SM clock; what the governors decided in the cycle before goes in.
 *
 * Deterministic: the same machine, workload, seed and decisions give the same activity.
 */
#ifndef BALLAST_CHIP_SIM_H
#define BALLAST_CHIP_SIM_H

#include "gpu/dispatcher.h"
#include "gpu/kernel_mix.h"
#include "gpu/sm.h"
#include "chip/vf_domain.h"

/* Time is counted in ticks, so that the periods of all three levels (0.85, 1, 1.15 of the nominal
 * frequency) are whole numbers of them: of the SM clock 9200, 7820, 6800. */
enum { SIM_TICKS_LOW = 9200, SIM_TICKS_NORMAL = 7820, SIM_TICKS_HIGH = 6800 };

typedef struct sim_control {
    uint8_t sm_level, mem_level; /* enum ballast_vf_level                   */
    uint8_t sm_stall, mem_stall; /* the domain must not be clocked          */
    sm_control sm[MACHINE_MAX_SMS];
} sim_control;

/* What happened while a domain was at one level: what the SMs did, by the SMs' level; what the
 * memory system did, by its own. The three of them sum up to the whole. */
typedef struct sim_level_counts {
    uint64_t operations[OPERATIONS], l1_lines;
    uint64_t l2_lines, dram_lines;
} sim_level_counts;

typedef struct sim_counts {
    uint64_t cycles;                    /* of the SM clock                        */
    uint64_t ticks;                     /* time                                   */
    uint64_t sm_ticks[3], mem_ticks[3]; /* by level                               */
    uint64_t instructions, ctas;
    uint64_t l1_hits, l1_misses;
    uint64_t operations[OPERATIONS];
    memory_counts memory;
    sim_level_counts at_level[3];
} sim_counts;

/* What became of one of several kernels that run at once. */
typedef struct sim_kernel_counts {
    uint64_t first;  /* cycles before its first CTA was launched; of one kernel alone 0 */
    uint64_t cycles; /* until it was over, or until now                                 */
    uint64_t instructions, ctas;
    bool finished;
} sim_kernel_counts;

typedef struct chip_sim chip_sim;

/* NULL with one line in err: no such machine or workload, or no memory. Both are copied. */
chip_sim *sim_open(const machine *m, const workload *w, uint64_t seed, char *err, unsigned size);
/* The same for several kernels at once, beside `w`: `mcke` dispatches them (gpu/mix_sim.h), also if there are no others. */
chip_sim *sim_open_mix(const machine *m, const workload *w, const kernel_mix *mix, uint64_t seed, char *err, unsigned size);
void sim_close(chip_sim *sim);
/* Back to the start. */
bool sim_rewind(chip_sim *sim);

/* One cycle; the buses of all SMs (machine.sms), valid until the next call. NULL when all CTAs of
 * all launches have finished. */
const sm_obs *const *sim_step(chip_sim *sim, const sim_control *control);

/* Every SM does all that there is in every cycle, also where nothing happens: the same, slower, for a comparison. */
void sim_do_each(chip_sim *sim);
/* Block CTA scheduling (BCS): the CTAs of a 2-D kernel go in pairs, from the next launch on. */
void sim_pair_ctas(chip_sim *sim, bool pairs);
/* Sees the SMs' schedulers from the start on; the simulator is at its start. */
void sim_watch_schedulers(chip_sim *sim, const sm_watch *watch);

void sim_get_counts(const chip_sim *sim, sim_counts *counts);
/* Which block dispatches the CTAs, gwde or mcke, and its configuration. */
typedef struct sim_dispatcher {
    const char *block;
    const void *cfg;
    size_t cfg_size;
} sim_dispatcher;

sim_dispatcher sim_get_dispatcher(const chip_sim *sim);
/* Sees the dispatcher from the start on; the simulator is at its start. */
void sim_watch_dispatcher(chip_sim *sim, const dispatch_watch *watch);

/* CTAs that are on the SMs. */
unsigned sim_resident(const chip_sim *sim);
/* What has been done up to a cycle. */
typedef struct sim_mark {
    sim_counts counts;
    uint64_t instructions[PROGRAM_KERNELS];
} sim_mark;
void sim_mark_now(const chip_sim *sim, sim_mark *mark);
/* Of the only kernel of which CTAs wait, in its only launch: leaves these out, but for as many as are on the SMs. They count as if they had
 * done what others did since the mark; how many times as much that is. 0: none is left out. Once in a run. */
double sim_leap(chip_sim *sim, const sim_mark *since);
/* Cycles that were left out. */
uint64_t sim_left_out(const chip_sim *sim);

/* How many kernels run at once. */
unsigned sim_kernels(const chip_sim *sim);
void sim_get_kernel_counts(const chip_sim *sim, unsigned kernel, sim_kernel_counts *counts);
/* Of which kernel the CTA in a slot is, or was that has left it last, and which of its grid. */
unsigned sim_cta_in(const chip_sim *sim, unsigned sm, unsigned slot, uint32_t *cta);
/* A CTA that is launched in this cycle is the second one of a pair, whose first one was launched before it. */
bool sim_launched_second(const chip_sim *sim);
const machine *sim_machine(const chip_sim *sim);
const workload *sim_workload(const chip_sim *sim);
const workload *sim_kernel(const chip_sim *sim, unsigned kernel); /* of several; sim_workload is 0 */
/* Part of the CTAs that have finished, 0 to 1. */
double sim_progress(const chip_sim *sim);

#endif
