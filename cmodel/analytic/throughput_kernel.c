/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of Chapter V in a row. Section 5.3.3 names what a kernel is transformed into; how its
 * instructions are shared out over memory periods is options->period.
 */
#include "analytic/throughput_kernel.h"

/* TP-15: a CPU's threads do not hide each other's memory, one is all there is. */
static uint32_t warps(const throughput_device *device, const throughput_mix *mix)
{
    return device->kind == THROUGHPUT_CPU ? 1 : mix->n;
}

static bool transform(const throughput_device *device, const throughput_mix *mix,
                      const throughput_memory *memory, const throughput_options *options,
                      throughput_kernel_result *r, analytic_err *err)
{
    const throughput_bw_in bw = {
        .mem_bandwidth = device->mem_bandwidth,
        .freq = device->freq,
        .load_bytes = memory->load_bytes,
        .mem_l = device->dram_latency,
        .active_sm = device->cores,
    };

    if (!throughput_mwp_bw(&bw, &r->bw, err))
        return false;
    r->periods = mix->mem_insts / (options->period == THROUGHPUT_PERIOD_ACCESS ? 1 : mix->mstr);
    r->in = (throughput_in){
        .eff_mem = memory->eff_mem,
        .eff_comp = r->peak.total_cycles / r->periods,
        .eff_perf = r->peak.perf_cycles / r->periods,
        .n = warps(device, mix),
        .mwp_bw = r->bw.mwp_bw,
        .mwp_proc = memory->mwp_proc,
        .mstr = mix->mstr,
    };
    return analytic_finite(r->in.eff_comp, "eff_comp", err); /* eff_perf is a part of it */
}

bool throughput_kernel(const throughput_device *device, const throughput_mix *mix,
                       const throughput_memory *memory, const throughput_options *options,
                       throughput_kernel_result *out, analytic_err *err)
{
    const throughput_options used = options ? *options : throughput_options_default();
    throughput_kernel_result r;

    if (!throughput_peak_compute(device, mix, &r.peak, err))
        return false;
    if (mix->mem_insts <= 0)
        return analytic_fail(err, "mem_insts is 0; give more, or use the performance without memory");
    if (!transform(device, mix, memory, &used, &r, err) || !throughput_compute(&r.in, &used, &r.model, err) ||
        !throughput_perf(r.peak.peak_achi, r.model.eff_ratio, &r.perf, err))
        return false;
    *out = r;
    return true;
}
