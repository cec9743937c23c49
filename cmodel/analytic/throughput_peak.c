/* SPDX-License-Identifier: Apache-2.0
 *
 * Eqs. 64 to 70. A GPU counts a fused multiply-add where a CPU counts a vector instruction
 * (section 5.3.4); TP-15 takes a CPU's fused multiply-adds apart.
 */
#include "analytic/throughput_peak.h"

#include <math.h>

#include "analytic/members_private.h"

#define FUSED_FLOPS 2 /* a multiply and an add */

throughput_device throughput_device_gtx580(enum throughput_table_14 reading)
{
    const bool printed = reading == THROUGHPUT_TABLE_14_PRINTED;

    return (throughput_device){
        .kind = THROUGHPUT_GPU,
        .freq = printed ? 2.4 : 1.544,
        .dram_latency = 450,
        .cores = printed ? 1 : 16,
        .fp_units = 32,
        .mem_bandwidth = 150,
        .inst_latency = 20,
    };
}

throughput_device throughput_device_e5645(enum throughput_table_14 reading)
{
    return (throughput_device){
        .kind = THROUGHPUT_CPU,
        .freq = reading == THROUGHPUT_TABLE_14_PRINTED ? 1.544 : 2.4,
        .dram_latency = 250,
        .cores = 12,
        .fp_units = 2,
        .vec_units = 2,
        .vec_lanes = 4,
        .mem_bandwidth = 50,
        .inst_latency = 4,
    };
}

static bool device_check(const throughput_device *device, analytic_err *err)
{
    if ((unsigned)device->kind >= THROUGHPUT_KINDS)
        return analytic_fail(err, "kind is %u; give 0 (GPU) or 1 (CPU)", (unsigned)device->kind);
    if (device->cores == 0)
        return analytic_fail(err, "cores is 0; give the active cores, 1 or more");
    if (device->fp_units == 0)
        return analytic_fail(err, "fp_units is 0; give the scalar units of a core, 1 or more");
    if (device->kind == THROUGHPUT_CPU && device->vec_units > 0 && device->vec_lanes == 0)
        return analytic_fail(err, "vec_lanes is 0; give the lanes of a vector unit, 1 or more");
    return POSITIVE(device, freq) && POSITIVE(device, dram_latency) && POSITIVE(device, mem_bandwidth) &&
           POSITIVE(device, inst_latency);
}

static bool mix_check(const throughput_mix *mix, analytic_err *err)
{
    if (!NOT_NEGATIVE(mix, fp_insts) || !NOT_NEGATIVE(mix, fp_fused_insts) ||
        !NOT_NEGATIVE(mix, fp_vec_insts) || !NOT_NEGATIVE(mix, fp_vec_fused_insts) ||
        !NOT_NEGATIVE(mix, int_insts) || !NOT_NEGATIVE(mix, br_misc_insts) || !NOT_NEGATIVE(mix, mem_insts))
        return false;
    if (mix->fp_insts <= 0 && mix->fp_fused_insts <= 0 && mix->fp_vec_insts <= 0 &&
        mix->fp_vec_fused_insts <= 0)
        return analytic_fail(err, "fp_insts, fp_fused_insts, fp_vec_insts and fp_vec_fused_insts are 0; give "
                             "one of them: useful work is floating-point work");
    if (mix->n == 0)
        return analytic_fail(err, "n is 0; give the warps of a core, 1 or more");
    return AT_LEAST_1(mix, mstr) && AT_LEAST_1(mix, ilp) && AT_LEAST_1(mix, dep);
}

/* #FP and #VecFP, and the device's peaks for them. */
static void count_gpu(const throughput_device *device, const throughput_mix *mix, throughput_peak *p)
{
    p->fp = mix->fp_insts + mix->fp_vec_insts; /* section 5.7: like a normal FP instruction */
    p->vec_fp = mix->fp_fused_insts + mix->fp_vec_fused_insts;
    p->dev_peak_fp = device->freq * device->cores * device->fp_units;
    p->dev_peak_vec_fp = p->dev_peak_fp * FUSED_FLOPS;
}

static void count_cpu(const throughput_device *device, const throughput_mix *mix, throughput_peak *p)
{
    p->fp = mix->fp_insts + FUSED_FLOPS * mix->fp_fused_insts; /* section 5.7: two instructions */
    p->vec_fp = mix->fp_vec_insts + FUSED_FLOPS * mix->fp_vec_fused_insts;
    p->dev_peak_fp = device->freq * device->cores * device->fp_units;
    p->dev_peak_vec_fp = device->freq * device->cores * device->vec_units * device->vec_lanes;
}

/* Eqs. 65 to 67. */
static void peaks(throughput_peak *p)
{
    const double useful = p->fp + p->vec_fp;

    p->peak_fp = p->dev_peak_fp * (p->fp / useful);             /* Eq. 65 */
    p->peak_vec_fp = p->dev_peak_vec_fp * (p->vec_fp / useful); /* Eq. 66 */
    p->peak_achi = p->peak_fp + p->peak_vec_fp;                 /* Eq. 67 */
}

/* Eqs. 68 to 70: each instruction over the ILP of its kind. */
static void cycles(const throughput_device *device, const throughput_mix *mix, throughput_peak *p)
{
    const double others = mix->int_insts + mix->br_misc_insts + mix->mem_insts;
    const double vec_ilp = device->kind == THROUGHPUT_CPU && p->vec_fp > 0 ? mix->sse_ilp : mix->ilp;

    p->total_insts = p->fp + p->vec_fp + others;
    p->dep_effect = fmax(device->inst_latency / mix->dep, 1);
    p->perf_cycles = p->fp / mix->ilp + p->vec_fp / vec_ilp;                                /* Eq. 69 */
    p->total_cycles = ((p->fp + others) / mix->ilp + p->vec_fp / vec_ilp) * p->dep_effect;  /* Eq. 70 */
    p->eff_ratio = p->perf_cycles / p->total_cycles;                                        /* Eq. 68 */
}

static bool check_vectors(const throughput_device *device, const throughput_mix *mix,
                          const throughput_peak *p, analytic_err *err)
{
    if (device->kind != THROUGHPUT_CPU || p->vec_fp <= 0)
        return true;
    if (device->vec_units == 0)
        return analytic_fail(err, "vec_units is 0 but the mix has vector instructions; give vec_units, or "
                             "count them as fp_insts and fp_fused_insts");
    return AT_LEAST_1(mix, sse_ilp);
}

/* What is not here is bounded by what is. */
static bool check_result(const throughput_peak *p, analytic_err *err)
{
    return FINITE(p, dev_peak_fp) && FINITE(p, dev_peak_vec_fp) && FINITE(p, total_insts) &&
           FINITE(p, total_cycles) && FINITE(p, eff_ratio);
}

bool throughput_peak_compute(const throughput_device *device, const throughput_mix *mix,
                             throughput_peak *out, analytic_err *err)
{
    throughput_peak p = {0};

    if (!device_check(device, err) || !mix_check(mix, err))
        return false;
    if (device->kind == THROUGHPUT_CPU)
        count_cpu(device, mix, &p);
    else
        count_gpu(device, mix, &p);
    if (!check_vectors(device, mix, &p, err))
        return false;
    peaks(&p);
    cycles(device, mix, &p);
    if (!check_result(&p, err) || !throughput_perf(p.peak_achi, p.eff_ratio, &p.perf, err))
        return false;
    *out = p;
    return true;
}

bool throughput_perf(double peak_achi, double eff_ratio, double *perf, analytic_err *err)
{
    if (!analytic_not_negative(peak_achi, "peak_achi", err) ||
        !analytic_within(eff_ratio, 0, 1, "eff_ratio", err))
        return false;
    *perf = peak_achi * eff_ratio; /* Eq. 64 */
    return true;
}
