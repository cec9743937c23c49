/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/ipp_cores.h"

#include <math.h>

#include "analytic/ipp_power.h"
#include "analytic/members_private.h"

/* ---- OPT-1 ----------------------------------------------------------------------------------- */

/* Takes *run, which has more cores than those before it, into account; *b starts as all zero. */
static bool consider(const ipp_core_run *run, double work, ipp_best *b, analytic_err *err)
{
    if (!POSITIVE(run, seconds) || !POSITIVE(run, power))
        return false;
    b->most = *run;
    b->most_perf_per_watt = work / run->seconds / run->power; /* Eq. 62 */
    if (!analytic_finite(b->most_perf_per_watt, "perf_per_watt", err))
        return false;
    if (run->cores == 1 || b->most_perf_per_watt > b->perf_per_watt) {
        b->best = *run;
        b->perf_per_watt = b->most_perf_per_watt;
    }
    return true;
}

bool ipp_best_cores(uint32_t num_sms, double work, ipp_run_on run_on, void *user, ipp_best *out,
                    analytic_err *err)
{
    ipp_best b = {0};

    if (!analytic_within(num_sms, 1, IPP_SMS_MAX, "num_sms", err) || !analytic_positive(work, "work", err))
        return false;
    for (uint32_t cores = 1; cores <= num_sms; cores++) {
        ipp_core_run run = {.cores = cores};
        if (!run_on(user, &run, err))
            return false;
        run.cores = cores; /* whatever run_on did to it */
        if (!consider(&run, work, &b, err))
            return false;
    }
    b.energy = b.best.power * b.best.seconds;
    b.most_energy = b.most.power * b.most.seconds;
    b.saving = 100 * (1 - b.energy / b.most_energy);
    b.slowdown = b.best.seconds / b.most.seconds;
    if (!FINITE(&b, energy) || !FINITE(&b, most_energy) || !FINITE(&b, saving) || !FINITE(&b, slowdown))
        return false;
    *out = b;
    return true;
}

/* ---- OPT-2 ----------------------------------------------------------------------------------- */

static bool check_demand(const ipp_demand *d, analytic_err *err)
{
    return POSITIVE(d, mwp) && POSITIVE(d, cwp) && POSITIVE(d, n) && POSITIVE(d, mwp_peak_bw) &&
           POSITIVE(d, mem_bandwidth) && POSITIVE(d, bw_per_warp) && WITHIN(d, num_sms, 1, IPP_SMS_MAX);
}

/* "== N" is ">= N" here: MWP and CWP are N at most but for the MWP of Eq. 29. */
static enum ipp_limit limit_of(const ipp_demand *d, const ipp_options *o)
{
    const bool mwp_is_n = d->mwp >= d->n;
    const bool cwp_is_n = d->cwp >= d->n;

    if (o->case1_and ? mwp_is_n && cwp_is_n : mwp_is_n || cwp_is_n) /* Eq. 63 (1) */
        return IPP_LIMIT_FEW_WARPS;
    if (d->mwp > d->cwp || (o->equal_is_unlimited && d->mwp == d->cwp)) /* Eq. 63 (2) */
        return IPP_LIMIT_COMPUTE;
    if (d->mwp < d->mwp_peak_bw) /* Eq. 63 (3) */
        return IPP_LIMIT_BELOW_PEAK;
    return IPP_LIMIT_BANDWIDTH;
}

static double round_as(double quotient, enum ipp_rounding rounding)
{
    const double nearest = round(quotient);

    /* a quotient that is whole but for rounding errors must not lose or gain a core */
    if (rounding == IPP_ROUND_NEAREST || fabs(quotient - nearest) <= 1e-9 * nearest)
        return nearest;
    return rounding == IPP_ROUND_CEIL ? ceil(quotient) : floor(quotient);
}

bool ipp_optimal_cores(const ipp_demand *demand, const ipp_options *options, ipp_optimum *out,
                       analytic_err *err)
{
    ipp_optimum best = {.cores = demand->num_sms};
    ipp_options o;

    if (!ipp_options_resolve(options, &o, err) || !check_demand(demand, err))
        return false;
    best.quotient = demand->mem_bandwidth / demand->bw_per_warp / demand->n; /* Eq. 63 */
    if (!analytic_finite(best.quotient, "mem_bandwidth / (bw_per_warp * n)", err))
        return false;
    best.limit = limit_of(demand, &o);
    if (best.limit == IPP_LIMIT_BANDWIDTH)
        best.cores = (uint32_t)fmin(fmax(round_as(best.quotient, o.rounding), 1), demand->num_sms);
    *out = best;
    return true;
}

const char *ipp_limit_text(enum ipp_limit limit)
{
    static const char *const texts[] = {
        [IPP_LIMIT_BANDWIDTH] = "the memory bandwidth is the limit",
        [IPP_LIMIT_FEW_WARPS] = "MWP or CWP is N: too few warps to reach the peak bandwidth",
        [IPP_LIMIT_COMPUTE] = "MWP > CWP: computation is the limit",
        [IPP_LIMIT_BELOW_PEAK] = "MWP < MWP_peak_BW: the peak bandwidth is not reached",
    };

    return (unsigned)limit <= IPP_LIMIT_BELOW_PEAK ? texts[limit] : "?";
}

/* ---- energy ---------------------------------------------------------------------------------- */

static bool check_saving(const ipp_saving_in *in, analytic_err *err)
{
    return WITHIN(in, num_sms, 1, IPP_SMS_MAX) && WITHIN(in, cores, 1, in->num_sms) && POSITIVE(in, seconds) &&
           POSITIVE(in, all_seconds) && POSITIVE(in, runtime_power) && POSITIVE(in, all_runtime_power) &&
           NOT_NEGATIVE(in, idle_power);
}

static double percent_less(double energy, double all_energy)
{
    return 100 * (1 - energy / all_energy);
}

bool ipp_energy_saving(const ipp_saving_in *in, ipp_saving *out, analytic_err *err)
{
    ipp_saving s = {0};

    if (!check_saving(in, err) || !analytic_finite(in->all_runtime_power + in->idle_power, "power", err) ||
        !ipp_power_gated(in->all_runtime_power + in->idle_power, in->num_sms, in->cores, &s.gated_power, err))
        return false;
    s.energy = (in->runtime_power + in->idle_power) * in->seconds;
    s.all_energy = (in->all_runtime_power + in->idle_power) * in->all_seconds;
    s.runtime_energy = in->runtime_power * in->seconds;
    s.all_runtime_energy = in->all_runtime_power * in->all_seconds;
    s.gated_energy = s.gated_power * in->seconds;
    s.saving = percent_less(s.energy, s.all_energy);
    s.runtime_saving = percent_less(s.runtime_energy, s.all_runtime_energy);
    s.gated_saving = percent_less(s.gated_energy, s.all_energy);
    if (!FINITE(&s, energy) || !FINITE(&s, all_energy) || !FINITE(&s, saving) || !FINITE(&s, runtime_saving) ||
        !FINITE(&s, gated_saving))
        return false;
    *out = s;
    return true;
}
