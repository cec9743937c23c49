/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/chip_sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/mix_sim.h"

struct chip_sim {
    machine machine;
    workload workload;
    uint64_t seed;
    program program;
    ballast_kernel_desc desc;
    memory memory;
    dispatcher dispatcher;
    mix_sim *mix;     /* NULL: one kernel, and `dispatcher` is in use */
    const dispatch_watch *dispatch_watch; /* or NULL */
    sim_sm *sms;
    const sm_obs **obs;
    const sm_watch *watch; /* or NULL */
    bool pairs;            /* CTAs of 2-D kernels are dispatched in pairs */
    uint32_t launch;  /* the one that runs, from 0        */
    bool running;     /* it has begun                     */
    uint64_t memory_time; /* ticks in which the memory was clocked */
    uint8_t sm_level, mem_level; /* of the cycle before   */
    sim_counts counts; /* at_level: up to when a level changed last */
    sim_counts left_out; /* by a leap, ...                       */
    unsigned leaper;     /* ... of CTAs of this kernel, ...      */
    uint64_t leaped;     /* ... who have so many instructions    */
};

/* ---- levels ----------------------------------------------------------------------- */

static uint8_t level_of(uint8_t level)
{
    return level < 3 ? level : BALLAST_VF_NORMAL;
}

static uint64_t ticks_of(uint8_t level)
{
    static const uint64_t ticks[] = {[BALLAST_VF_LOW] = SIM_TICKS_LOW, [BALLAST_VF_NORMAL] = SIM_TICKS_NORMAL, [BALLAST_VF_HIGH] = SIM_TICKS_HIGH};

    return ticks[level_of(level)];
}

static void set_levels(chip_sim *sim, uint8_t sm_level, uint8_t mem_level)
{
    sim->sm_level = sm_level;
    sim->mem_level = mem_level;
    sim->memory.tick = ticks_of(mem_level) * sim->machine.sm_mhz / sim->machine.memory_mhz;
    for (unsigned i = 0; i < sim->machine.sms; i++)
        sm_ask_again(&sim->sms[i]);
}

/* ---- open and close --------------------------------------------------------------- */

static void watch_dispatcher(chip_sim *sim)
{
    const dispatch_watch *watch = sim->dispatch_watch;

    if (!watch)
        return;
    *(sim->mix ? &sim->mix->dispatcher.watch : &sim->dispatcher.watch) = watch;
    watch->begin(watch->self);
}

static bool open_parts(chip_sim *sim)
{
    bool ok = memory_open(&sim->memory, &sim->machine);

    for (unsigned i = 0; i < sim->machine.sms; i++) {
        ok &= sm_open(&sim->sms[i], &sim->machine, &sim->memory, i);
        sim->obs[i] = &sim->sms[i].obs;
        sim->sms[i].watch = sim->watch;
    }
    if (sim->watch)
        sim->watch->begin(sim->watch->self);
    memset(&sim->counts, 0, sizeof sim->counts);
    memset(&sim->left_out, 0, sizeof sim->left_out);
    sim->leaped = 0;
    sim->launch = 0;
    sim->running = false;
    dispatcher_open(&sim->dispatcher, &sim->machine);
    dispatcher_pair(&sim->dispatcher, sim->pairs);
    if (sim->mix)
        mix_sim_rewind(sim->mix, &sim->machine);
    watch_dispatcher(sim);
    sim->memory_time = 0;
    set_levels(sim, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL);
    return ok;
}

static void close_parts(chip_sim *sim)
{
    for (unsigned i = 0; i < sim->machine.sms; i++)
        sm_close(&sim->sms[i]);
    memory_close(&sim->memory);
}

static bool open_mix(chip_sim *sim, const kernel_mix *mix)
{
    sim->mix = calloc(1, sizeof *sim->mix);
    if (!sim->mix)
        return false;
    mix_sim_open(sim->mix, &sim->machine, &sim->workload, mix, sim->seed);
    mix_sim_describe(sim->mix, &sim->machine, &sim->desc);
    return true;
}

chip_sim *sim_open(const machine *m, const workload *w, uint64_t seed, char *err, unsigned size)
{
    return sim_open_mix(m, w, NULL, seed, err, size);
}

chip_sim *sim_open_mix(const machine *m, const workload *w, const kernel_mix *mix, uint64_t seed, char *err, unsigned size)
{
    chip_sim *sim;

    if (!machine_check(m, err, size) || !workload_check(w, m, err, size) || (mix && !kernel_mix_check(mix, m, err, size)))
        return NULL;
    sim = calloc(1, sizeof *sim);
    if (sim) {
        sim->machine = *m;
        sim->workload = *w;
        sim->seed = seed;
        sim->sms = calloc(m->sms, sizeof *sim->sms);
        // NOLINTNEXTLINE(bugprone-sizeof-expression): it is an array of pointers
        sim->obs = calloc(m->sms, sizeof *sim->obs);
    }
    if (!sim || !sim->sms || !sim->obs || !open_parts(sim) || (mix && !open_mix(sim, mix))) {
        snprintf(err, size, "out of memory for %u SMs", (unsigned)m->sms);
        sim_close(sim);
        return NULL;
    }
    program_make(&sim->program, &sim->workload, seed);
    if (!mix)
        workload_describe(&sim->workload, &sim->machine, &sim->desc);
    return sim;
}

void sim_close(chip_sim *sim)
{
    if (!sim)
        return;
    if (sim->sms)
        close_parts(sim);
    free(sim->mix);
    free(sim->sms);
    free(sim->obs);
    free(sim);
}

bool sim_rewind(chip_sim *sim)
{
    close_parts(sim);
    return open_parts(sim);
}

sim_dispatcher sim_get_dispatcher(const chip_sim *sim)
{
    if (sim->mix)
        return (sim_dispatcher){"mcke", &sim->mix->dispatcher.cfg, sizeof sim->mix->dispatcher.cfg};
    return (sim_dispatcher){"gwde", &sim->dispatcher.cfg, sizeof sim->dispatcher.cfg};
}

void sim_watch_dispatcher(chip_sim *sim, const dispatch_watch *watch)
{
    sim->dispatch_watch = watch;
    watch_dispatcher(sim);
}

void sim_watch_schedulers(chip_sim *sim, const sm_watch *watch)
{
    sim->watch = watch;
    for (unsigned i = 0; i < sim->machine.sms; i++)
        sim->sms[i].watch = watch;
    watch->begin(watch->self);
}

void sim_do_each(chip_sim *sim)
{
    for (unsigned i = 0; i < sim->machine.sms; i++)
        sim->sms[i].each = true;
}

void sim_pair_ctas(chip_sim *sim, bool pairs)
{
    sim->pairs = pairs;
    dispatcher_pair(&sim->dispatcher, pairs);
}

const machine *sim_machine(const chip_sim *sim)
{
    return &sim->machine;
}

const workload *sim_workload(const chip_sim *sim)
{
    return &sim->workload;
}

const workload *sim_kernel(const chip_sim *sim, unsigned kernel)
{
    return sim->mix ? &sim->mix->kernels[kernel].workload : &sim->workload;
}

/* ---- dispatch --------------------------------------------------------------------- */

static void begin_launch(chip_sim *sim)
{
    sim->running = true;
    if (!sim->mix)
        dispatcher_start(&sim->dispatcher, &sim->desc);
    for (unsigned i = 0; i < sim->machine.sms; i++)
        sm_start_kernel(&sim->sms[i], &sim->program, &sim->desc);
}

static void dispatch_mix(chip_sim *sim, const sim_control *control)
{
    mix_dispatcher *d = &sim->mix->dispatcher;

    for (unsigned i = 0; i < sim->machine.sms; i++)
        mix_dispatcher_ask(d, i, control->sm[i].req, control->sm[i].limit);
    mix_dispatcher_clock(d);
    for (unsigned i = 0; i < sim->machine.sms; i++)
        sim->sms[i].obs.cta_denied = sim->running && mix_dispatcher_denied(d, i);
    mix_sim_launch(sim->mix, sim->sms, sim->counts.cycles);
}

static void dispatch_one(chip_sim *sim, const sim_control *control)
{
    dispatcher *d = &sim->dispatcher;

    for (unsigned i = 0; i < sim->machine.sms; i++)
        dispatcher_ask(d, i, control->sm[i].req, control->sm[i].limit);
    dispatcher_clock(d);
    for (unsigned i = 0; i < sim->machine.sms; i++)
        sim->sms[i].obs.cta_denied = sim->running && d->out.sm[i].denied;
    if (d->state.start_valid)
        sm_launch(&sim->sms[d->state.start_sm], d->state.start_slot, d->state.cta);
}

/* What the governors said in the cycle before ends that cycle of the dispatcher; then the CTA that it has chosen is launched. Who was
 * denied hears of it a cycle late. */
static void dispatch(chip_sim *sim, const sim_control *control)
{
    (sim->mix ? dispatch_mix : dispatch_one)(sim, control);
}

/* ---- a cycle ---------------------------------------------------------------------- */

static void count(const chip_sim *sim, sim_counts *counts);

/* What came until now belongs to the levels until now. */
static void change_levels(chip_sim *sim, uint8_t sm_level, uint8_t mem_level)
{
    sim_counts now;

    count(sim, &now);
    memcpy(sim->counts.at_level, now.at_level, sizeof now.at_level);
    set_levels(sim, sm_level, mem_level);
}

static void pass_time(chip_sim *sim, const sim_control *control)
{
    const uint8_t sm_level = level_of(control->sm_level), mem_level = level_of(control->mem_level);
    const uint64_t ticks = ticks_of(control->sm_level);

    if (sm_level != sim->sm_level || mem_level != sim->mem_level)
        change_levels(sim, sm_level, mem_level);
    sim->counts.cycles++;
    sim->counts.ticks += ticks;
    sim->counts.sm_ticks[sm_level] += ticks;
    sim->counts.mem_ticks[mem_level] += ticks;
    if (!control->mem_stall)
        sim->memory_time += ticks;
}

/* A cycle in which the SMs are not clocked: nothing moves, nobody issues. */
static void hold(sim_sm *s)
{
    const uint64_t issued = sm_obs_issued(&s->obs);

    s->passes = false;
    for (unsigned p = 0; p < BALLAST_STATE_PLANES; p++)
        s->obs.ws[p] &= ~issued & s->resident;
    s->obs.ws[1] |= issued & s->resident; /* BALLAST_WARP_NO_INST; one that issued its last instruction has left */
    s->obs.paused &= s->resident;
    s->obs.cta_active &= ~s->obs.cta_done;
    s->obs.cta_start = s->obs.cta_done = 0;
    s->obs.kernel_start = s->obs.cta_denied = 0;
}

/* Who comes first gets the memory's last free place. It is somebody else in every cycle, and in no order
 * that could keep step with the memory's. */
static unsigned first_sm(const chip_sim *sim)
{
    return (uint32_t)(sim->counts.cycles * UINT64_C(0x9e3779b97f4a7c15) >> 33) % sim->machine.sms;
}

static void step_sms(chip_sim *sim, const sim_control *control)
{
    const unsigned sms = sim->machine.sms;
    unsigned i = first_sm(sim);

    for (unsigned n = 0; n < sms; n++) {
        sm_step(&sim->sms[i], sim->memory_time, &control->sm[i]);
        if (sim->mix)
            mix_dispatcher_done(&sim->mix->dispatcher, i, sim->sms[i].obs.cta_done);
        else
            dispatcher_done(&sim->dispatcher, i, sim->sms[i].obs.cta_done);
        i = i + 1 == sms ? 0 : i + 1;
    }
}

/* Whether there is anything left to run. */
static bool goes_on(chip_sim *sim)
{
    if (sim->mix)
        return mix_sim_goes_on(sim->mix, sim->counts.cycles);
    if (sim->running && dispatcher_idle(&sim->dispatcher)) {
        sim->running = false;
        sim->launch++;
    }
    return sim->launch < sim->workload.launches;
}

const sm_obs *const *sim_step(chip_sim *sim, const sim_control *control)
{
    if (!control->sm_stall)
        dispatch(sim, control);
    if (!goes_on(sim))
        return NULL;
    pass_time(sim, control);
    if (control->sm_stall) {
        for (unsigned i = 0; i < sim->machine.sms; i++)
            hold(&sim->sms[i]);
        return sim->obs;
    }
    if (!sim->running)
        begin_launch(sim);
    if (sim->mix)
        mix_sim_begin(sim->mix);
    step_sms(sim, control);
    return sim->obs;
}

/* ---- counts ----------------------------------------------------------------------- */

/* Adds what no level has got yet to the present ones. */
static void split_by_level(const chip_sim *sim, sim_counts *counts)
{
    sim_level_counts rest = {.l1_lines = counts->l1_hits + counts->l1_misses,
                             .l2_lines = counts->memory.reads + counts->memory.writes,
                             .dram_lines = counts->memory.dram_lines};

    memcpy(rest.operations, counts->operations, sizeof rest.operations);
    for (unsigned l = 0; l < 3; l++) {
        const sim_level_counts *at = &sim->counts.at_level[l];

        for (unsigned op = 0; op < OPERATIONS; op++)
            rest.operations[op] -= at->operations[op];
        rest.l1_lines -= at->l1_lines;
        rest.l2_lines -= at->l2_lines;
        rest.dram_lines -= at->dram_lines;
    }
    for (unsigned op = 0; op < OPERATIONS; op++)
        counts->at_level[sim->sm_level].operations[op] += rest.operations[op];
    counts->at_level[sim->sm_level].l1_lines += rest.l1_lines;
    counts->at_level[sim->mem_level].l2_lines += rest.l2_lines;
    counts->at_level[sim->mem_level].dram_lines += rest.dram_lines;
}

/* What was simulated. */
static void count(const chip_sim *sim, sim_counts *counts)
{
    *counts = sim->counts;
    counts->memory = sim->memory.counts;
    for (unsigned i = 0; i < sim->machine.sms; i++) {
        const sm_counts *s = &sim->sms[i].counts;

        counts->instructions += s->instructions;
        counts->ctas += s->ctas;
        counts->l1_hits += s->l1_hits;
        counts->l1_misses += s->l1_misses;
        for (unsigned op = 0; op < OPERATIONS; op++)
            counts->operations[op] += s->operations[op];
    }
    split_by_level(sim, counts);
}

/* Adds to each count `times` of its growth. */
static void add_growth(sim_counts *to, const sim_counts *now, const sim_counts *since, double times)
{
    enum { NUM = sizeof(sim_counts) / sizeof(uint64_t) };
    uint64_t all[3][NUM];

    _Static_assert(sizeof(sim_counts) % sizeof(uint64_t) == 0, "counts and nothing else");
    memcpy(all[0], to, sizeof *to);
    memcpy(all[1], now, sizeof *now);
    memcpy(all[2], since, sizeof *since);
    for (unsigned i = 0; i < NUM; i++)
        all[0][i] += (uint64_t)llround((double)(all[1][i] - all[2][i]) * times);
    memcpy(to, all[0], sizeof *to);
}

void sim_get_counts(const chip_sim *sim, sim_counts *counts)
{
    const sim_counts none = {0};

    count(sim, counts);
    add_growth(counts, &sim->left_out, &none, 1);
}

uint64_t sim_left_out(const chip_sim *sim)
{
    return sim->left_out.cycles;
}

unsigned sim_resident(const chip_sim *sim)
{
    unsigned ctas = 0;

    for (unsigned i = 0; i < sim->machine.sms; i++)
        ctas += sim->sms[i].resident_ctas;
    return ctas;
}

/* What these CTAs would have executed. */
static uint64_t instructions_of(const program *p, uint32_t first, uint32_t ctas)
{
    uint64_t instructions = 0;

    for (uint32_t i = 0; i < ctas; i++)
        instructions += (uint64_t)p->warps * program_length(p, first + i);
    return instructions;
}

static uint64_t of_kernel(const chip_sim *sim, unsigned kernel)
{
    uint64_t instructions = 0;

    for (unsigned i = 0; i < sim->machine.sms; i++)
        instructions += sm_instructions_of(&sim->sms[i], kernel);
    return instructions;
}

void sim_mark_now(const chip_sim *sim, sim_mark *mark)
{
    sim_get_counts(sim, &mark->counts);
    for (unsigned k = 0; k < sim_kernels(sim); k++)
        mark->instructions[k] = of_kernel(sim, k);
}

/* The kernel of which CTAs wait, if it is one, and its only launch; -1: none. */
static int waiting_kernel(const chip_sim *sim)
{
    if (sim->mix)
        return mix_sim_waiting(sim->mix);
    return sim->running && sim->workload.launches == 1 ? 0 : -1;
}

double sim_leap(chip_sim *sim, const sim_mark *since)
{
    const int kernel = sim->dispatch_watch || sim->left_out.ctas ? -1 : waiting_kernel(sim);
    const program *p = sim->mix && kernel >= 0 ? &sim->mix->kernels[kernel].program : &sim->program;
    uint32_t ctas, first;
    sim_mark now;
    double times;

    sim_mark_now(sim, &now);
    if (kernel < 0 || now.instructions[kernel] == since->instructions[kernel])
        return 0;
    ctas = sim->mix ? mix_dispatcher_leap(&sim->mix->dispatcher, (unsigned)kernel, sim_resident(sim), &first)
                    : dispatcher_leap(&sim->dispatcher, sim_resident(sim), &first);
    sim->leaper = (unsigned)kernel;
    sim->leaped = instructions_of(p, first, ctas);
    times = (double)sim->leaped / (double)(now.instructions[kernel] - since->instructions[kernel]);
    add_growth(&sim->left_out, &now.counts, &since->counts, times);
    if (!sim->mix)
        sim->left_out.instructions = sim->leaped; /* to the last one, whatever the rate */
    sim->left_out.ctas = ctas;
    return times;
}

unsigned sim_kernels(const chip_sim *sim)
{
    return sim->mix ? sim->mix->num : 1;
}

void sim_get_kernel_counts(const chip_sim *sim, unsigned kernel, sim_kernel_counts *counts)
{
    const mix_kernel *of = sim->mix ? &sim->mix->kernels[kernel] : NULL;
    const bool leaped = kernel == sim->leaper && sim->left_out.ctas;

    *counts = (sim_kernel_counts){.finished = of ? of->launch == of->workload.launches : sim->launch == sim->workload.launches};
    counts->first = of ? of->first : 0;
    counts->cycles = of && counts->finished ? of->cycles + (leaped ? sim->left_out.cycles : 0) : sim->counts.cycles + sim->left_out.cycles;
    counts->instructions = of_kernel(sim, kernel) + (leaped ? sim->leaped : 0);
    counts->ctas = leaped ? sim->left_out.ctas : 0;
    for (unsigned i = 0; i < sim->machine.sms; i++)
        counts->ctas += sim->sms[i].of_kernel[kernel].ctas;
}

unsigned sim_cta_in(const chip_sim *sim, unsigned sm, unsigned slot, uint32_t *cta)
{
    return sm_cta_in(&sim->sms[sm], slot, cta)->kernel;
}

bool sim_launched_second(const chip_sim *sim)
{
    return !sim->mix && sim->dispatcher.second;
}

static double all_ctas(const chip_sim *sim)
{
    double ctas = 0;

    for (unsigned k = 0; sim->mix && k < sim->mix->num; k++)
        ctas += (double)sim->mix->kernels[k].workload.ctas * sim->mix->kernels[k].workload.launches;
    return sim->mix ? ctas : (double)sim->workload.ctas * sim->workload.launches;
}

double sim_progress(const chip_sim *sim)
{
    uint64_t ctas = sim->left_out.ctas;

    for (unsigned i = 0; i < sim->machine.sms; i++)
        ctas += sim->sms[i].counts.ctas;
    return (double)ctas / all_ctas(sim);
}
