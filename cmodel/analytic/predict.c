/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/predict.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analytic/members_private.h"

static const double worthwhile = 1.02; /* PS-E4 */

/* Everything that the steps below hand on to each other. */
typedef struct work {
    const analytic_gpu *gpu;
    const analytic_kernel *kernel;
    const analytic_predict_options *options;
    analytic_prediction result;
} work;

analytic_predict_options analytic_predict_options_default(void)
{
    analytic_predict_options options = {
        .occupancy = occupancy_options_default(),
        .time = mwp_cwp_options_for_decisions(),
        .power = ipp_options_default(),
        .throughput = throughput_options_default(),
    };

    /* "Either" would give every SM to any kernel with few CTAs, also where bandwidth is the limit. */
    options.power.case1_and = true;
    return options;
}

static double arithmetic(const analytic_kernel *k)
{
    return k->int_insts + k->fp_insts + k->sfu_insts + k->alu_insts;
}

/* What an SM does without going to memory: the time of arithmetic (MC-15). */
static double comp_insts(const analytic_kernel *k)
{
    return arithmetic(k) + k->shared_insts + k->const_insts + k->texture_insts;
}

static double global_insts(const analytic_kernel *k)
{
    return k->coal_mem_insts + k->uncoal_mem_insts;
}

static double all_insts(const analytic_kernel *k)
{
    return comp_insts(k) + global_insts(k) + k->local_insts;
}

static bool check_kernel(const analytic_kernel *k, analytic_err *err)
{
    if (!NOT_NEGATIVE(k, int_insts) || !NOT_NEGATIVE(k, fp_insts) || !NOT_NEGATIVE(k, sfu_insts) ||
        !NOT_NEGATIVE(k, alu_insts) || !NOT_NEGATIVE(k, shared_insts) || !NOT_NEGATIVE(k, const_insts) ||
        !NOT_NEGATIVE(k, texture_insts) || !NOT_NEGATIVE(k, local_insts) || !NOT_NEGATIVE(k, coal_mem_insts) ||
        !NOT_NEGATIVE(k, uncoal_mem_insts) || !NOT_NEGATIVE(k, mem_latency))
        return false;
    if (!(all_insts(k) > 0) && !analytic_positive(all_insts(k), "the number of instructions", err))
        return false;
    return AT_LEAST_1(k, independent_loads);
}

/* ---- time ------------------------------------------------------------------------- */

static uint32_t div_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

bool analytic_predict_time(const analytic_gpu *gpu, const analytic_kernel *k, uint32_t limit, uint32_t sms,
                           const analytic_predict_options *options, mwp_cwp_result *out, analytic_err *err)
{
    const analytic_predict_options defaults = analytic_predict_options_default();
    mwp_cwp_options time = options ? options->time : defaults.time;
    mwp_cwp_kernel in = mwp_cwp_kernel_default();
    mwp_cwp_gpu machine = gpu->memory;

    if (!analytic_positive(limit, "the CTA limit", err) || !analytic_positive(sms, "the number of SMs", err) ||
        !POSITIVE(k, blocks) || !check_kernel(k, err))
        return false;
    in.threads_per_block = k->threads_per_block;
    in.blocks = k->blocks;
    in.comp_insts = comp_insts(k);
    in.coal_mem_insts = k->coal_mem_insts + k->local_insts;
    in.uncoal_mem_insts = k->uncoal_mem_insts;
    in.uncoal_per_mw = k->uncoal_per_mw;
    in.load_bytes_per_warp = k->load_bytes;
    in.synch_insts = k->synch_insts;
    in.ind_mem_req = (in.coal_mem_insts + in.uncoal_mem_insts) * (1 - 1 / k->independent_loads);
    /* A grid smaller than the machine leaves SMs or CTA slots empty. */
    machine.active_sms = sms < k->blocks ? sms : k->blocks;
    in.active_blocks_per_sm = div_up(k->blocks, sms);
    if (in.active_blocks_per_sm > limit)
        in.active_blocks_per_sm = limit;
    /* Less than one round takes as long as one: it is the SM with the most blocks that counts. */
    time.rep_ceil |= k->blocks < in.active_blocks_per_sm * machine.active_sms;
    if (k->mem_latency > 0)
        machine.mem_ld = k->mem_latency;
    return mwp_cwp_compute(&machine, &in, &time, out, err);
}

/* ---- power ------------------------------------------------------------------------ */

/* Table 7 by unit; without a cache model every access to memory goes through L1 and L2 to DRAM. */
static void activity_of(const analytic_kernel *k, const ipp_params *params, ipp_activity *a)
{
    memset(a, 0, sizeof *a);
    a->accesses[IPP_INT] = k->int_insts;
    a->accesses[IPP_FP] = k->fp_insts;
    a->accesses[IPP_SFU] = k->sfu_insts;
    a->accesses[IPP_ALU] = k->alu_insts;
    a->accesses[IPP_TEXTURE] = k->texture_insts;
    a->accesses[IPP_CONST] = k->const_insts;
    a->accesses[IPP_SHARED] = k->shared_insts;
    a->accesses[IPP_GLOBAL] = global_insts(k);
    a->accesses[IPP_LOCAL] = k->local_insts;
    a->accesses[IPP_REG] = a->accesses[IPP_FDS] = all_insts(k);
    if (params->unit[IPP_L1].exists)
        a->accesses[IPP_L1] = global_insts(k) + k->local_insts;
    if (params->unit[IPP_L2].exists)
        a->accesses[IPP_L2] = global_insts(k) + k->local_insts;
}

static bool power_of(const analytic_gpu *gpu, const analytic_kernel *k, uint32_t sms, double cycles,
                     const ipp_options *options, ipp_power *power, analytic_err *err)
{
    const uint32_t active = sms < k->blocks ? sms : k->blocks;
    ipp_params params = gpu->power;
    ipp_activity activity;

    params.num_sms = gpu->occupancy.num_sms;
    activity_of(k, &params, &activity);
    activity.exec_cycles = cycles;
    activity.active_sms = active;
    return ipp_warps_per_sm(k->threads_per_block, gpu->memory.warp_size, k->blocks, active, options,
                            &activity.warps_per_sm, err) &&
           ipp_power_compute(&params, &activity, options, power, err);
}

bool analytic_predict_run(const analytic_gpu *gpu, const analytic_kernel *kernel, uint32_t limit,
                          const analytic_predict_options *options, ipp_core_run *run, analytic_err *err)
{
    const analytic_predict_options defaults = analytic_predict_options_default();
    mwp_cwp_result time;
    ipp_power power;

    options = options ? options : &defaults;
    if (!gpu->has_power)
        return analytic_fail(err, "nothing is known about the power of %s; choose a GPU with power", gpu->name);
    if (!analytic_predict_time(gpu, kernel, limit, run->cores, options, &time, err) ||
        !power_of(gpu, kernel, run->cores, time.exec_cycles_with_synch, &options->power, &power, err))
        return false;
    run->seconds = time.seconds;
    run->power = power.gpu_power;
    return true;
}

/* ---- CTA limits ------------------------------------------------------------------- */

static bool point_at(work *w, uint32_t limit, analytic_err *err)
{
    const uint32_t sms = w->gpu->occupancy.num_sms;
    analytic_prediction_point *p = &w->result.point[limit];

    if (!analytic_predict_time(w->gpu, w->kernel, limit, sms, w->options, &p->time, err))
        return false;
    p->cycles = p->time.exec_cycles_with_synch;
    p->seconds = p->time.seconds;
    p->cpi = p->time.cpi * (p->time.exec_cycles_with_synch / p->time.exec_cycles);
    p->ipc = all_insts(w->kernel) * p->time.warps_per_block * w->kernel->blocks / (sms * p->cycles);
    if (!analytic_finite(p->ipc, "IPC", err) || !analytic_finite(p->cpi, "CPI", err))
        return false;
    if (!w->gpu->has_power)
        return true;
    if (!power_of(w->gpu, w->kernel, sms, p->cycles, &w->options->power, &p->power, err))
        return false;
    p->energy = p->power.gpu_power * p->seconds;
    return FINITE(p, energy);
}

static bool beaten(const analytic_prediction *p, uint32_t limit)
{
    for (uint32_t more = limit + 1; more <= p->nmax; more++)
        if (p->point[more].ipc >= worthwhile * p->point[limit].ipc)
            return true;
    return false;
}

static bool all_limits(work *w, analytic_err *err)
{
    analytic_prediction *p = &w->result;

    for (uint32_t limit = 1; limit <= p->nmax; limit++)
        if (!point_at(w, limit, err))
            return false;
    for (p->best_limit = 1; p->best_limit < p->nmax && beaten(p, p->best_limit);)
        p->best_limit++;
    return true;
}

/* ---- SMs -------------------------------------------------------------------------- */

static bool run_on(void *user, ipp_core_run *run, analytic_err *err)
{
    const work *w = user;

    return analytic_predict_run(w->gpu, w->kernel, w->result.best_limit, w->options, run, err);
}

static bool best_sms(work *w, analytic_err *err)
{
    analytic_prediction *p = &w->result;
    const mwp_cwp_result *time = &p->point[p->best_limit].time;
    const uint32_t sms = w->gpu->occupancy.num_sms;
    const ipp_demand demand = {.mwp = time->mwp, .cwp = time->cwp, .n = time->n, .mwp_peak_bw = time->mwp_peak_bw,
                               .mem_bandwidth = w->gpu->memory.bandwidth_gb_s, .bw_per_warp = time->bw_per_warp,
                               .num_sms = sms};

    if (time->case_number == MWP_CWP_NO_MEMORY)
        p->eq63 = (ipp_optimum){.limit = IPP_LIMIT_COMPUTE, .quotient = sms, .cores = sms};
    else if (!ipp_optimal_cores(&demand, &w->options->power, &p->eq63, err))
        return false;
    return !w->gpu->has_power || ipp_best_cores(sms, all_insts(w->kernel), run_on, w, &p->per_watt, err);
}

/* ---- warmth ------------------------------------------------------------------------ */

static bool warm_up(work *w, analytic_err *err)
{
    const analytic_kernel *k = w->kernel;
    analytic_prediction *p = &w->result;
    ipp_params params = w->gpu->power;
    const ipp_run run = {.runtime_power = p->point[p->best_limit].power.runtime_power,
                         .mem_insts = global_insts(k) + k->local_insts, .nonmem_insts = comp_insts(k),
                         .run_seconds = p->point[p->best_limit].seconds};

    p->has_heat = w->gpu->has_power && w->gpu->power.thermal.known && comp_insts(k) > 0;
    params.num_sms = w->gpu->occupancy.num_sms;
    return !p->has_heat || ipp_heat_compute(&params, &run, &w->options->power, &p->heat, err);
}

/* ---- category and advice ---------------------------------------------------------- */

static bool advise(work *w, analytic_err *err)
{
    analytic_prediction *p = &w->result;
    const mwp_cwp_result *time = &p->point[p->best_limit].time;
    const throughput_options *options = &w->options->throughput;
    const double issue = w->gpu->memory.issue_cycles;
    const double loads = options->period == THROUGHPUT_PERIOD_GROUP ? w->kernel->independent_loads : 1;
    const double periods = time->mem_insts / loads;
    /* MWP_BW is that with the SMs that have blocks. */
    const uint32_t all = w->gpu->occupancy.num_sms, sms = all < w->kernel->blocks ? all : w->kernel->blocks;

    p->has_category = time->case_number != MWP_CWP_NO_MEMORY && comp_insts(w->kernel) > 0;
    if (!p->has_category)
        return true;
    p->model_in = (throughput_in){
        .eff_mem = time->mem_l,
        .eff_comp = time->comp_cycles / periods,
        .eff_perf = issue * (arithmetic(w->kernel) - w->kernel->alu_insts) / periods,
        .n = (uint32_t)time->n,
        .mwp_bw = time->mwp_peak_bw,
        .mwp_proc = time->mwp_without_bw_full,
        .mstr = w->kernel->independent_loads,
    };
    return throughput_compute(&p->model_in, options, &p->throughput, err) &&
           throughput_advise_cores(&p->model_in, sms, options, &p->core_advice, err) &&
           throughput_advise_n(&p->model_in, options, &p->n_advice, err) &&
           throughput_advise_freq(&p->model_in, w->gpu->memory.freq_ghz, options, &p->freq_advice, err);
}

/* ---- all -------------------------------------------------------------------------- */

static bool fit(work *w, analytic_err *err)
{
    const analytic_kernel *k = w->kernel;
    const occupancy_kernel resources = {.blocks = k->blocks, .threads_per_block = k->threads_per_block,
                                        .regs_per_thread = k->regs_per_thread, .shared_per_block = k->shared_per_block};
    analytic_prediction *p = &w->result;

    if (!occupancy_compute(&w->gpu->occupancy, &resources, &w->options->occupancy, &p->occupancy, err))
        return false;
    p->nmax = p->occupancy.active_blocks;
    if (p->nmax > ANALYTIC_PREDICT_MAX_BLOCKS)
        return analytic_fail(err, "the GPU holds %u blocks per SM; at most %d are supported", (unsigned)p->nmax,
                             ANALYTIC_PREDICT_MAX_BLOCKS);
    return true;
}

bool analytic_predict(const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_predict_options *options, analytic_prediction *out,
                      analytic_err *err)
{
    const analytic_predict_options defaults = analytic_predict_options_default();
    work w;

    memset(&w, 0, sizeof w);
    w.gpu = gpu;
    w.kernel = kernel;
    w.options = options ? options : &defaults;
    if (!fit(&w, err) || !all_limits(&w, err) || !best_sms(&w, err) || !warm_up(&w, err) || !advise(&w, err))
        return false;
    *out = w.result;
    return true;
}
