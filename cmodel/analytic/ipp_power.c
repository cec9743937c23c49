/* SPDX-License-Identifier: Apache-2.0
 *
 * From accesses to rates (Eq. 40), from rates to the power of one SM and of the memory system
 * (Eq. 37, 39, 43), from there to the GPU's (Eq. 44..48, 35).
 */
#include "analytic/ipp_power.h"

#include <math.h>
#include <stdio.h>

#include "analytic/members_private.h"

bool ipp_warps_per_sm(uint32_t threads_per_block, uint32_t threads_per_warp, uint32_t blocks,
                      uint32_t active_sms, const ipp_options *options, double *warps, analytic_err *err)
{
    ipp_options o;

    if (!ipp_options_resolve(options, &o, err) ||
        !analytic_positive(threads_per_block, "threads_per_block", err) ||
        !analytic_positive(threads_per_warp, "threads_per_warp", err) ||
        !analytic_positive(blocks, "blocks", err) || !analytic_positive(active_sms, "active_sms", err))
        return false;
    double warps_per_block = (double)threads_per_block / threads_per_warp;
    if (o.whole_warps)
        warps_per_block = ceil(warps_per_block);
    *warps = warps_per_block * ((double)blocks / active_sms); /* Eq. 42 */
    return true;
}

/* Section 3.2.4. The function falls below 0 at rates under 6.5e-4 and has no value at 0: a unit
 * that is hardly accessed cannot save power, so 0 is the least. */
static double effective_rate(const ipp_params *params, unsigned component, double rate, const ipp_options *o)
{
    if (!params->unit[component].special_linear || rate <= 0)
        return rate;
    const double effective = fmax(params->spec_slope * log(rate) + params->spec_offset, 0);
    return o->effective_max_one ? fmin(effective, 1) : effective;
}

bool ipp_effective_rate(const ipp_params *params, enum ipp_component component, double rate,
                        const ipp_options *options, double *effective, analytic_err *err)
{
    ipp_options o;

    if (!ipp_options_resolve(options, &o, err) || !ipp_params_check(params, err))
        return false;
    if ((unsigned)component >= IPP_COMPONENTS)
        return analytic_fail(err, "component is %u; give an ipp_component", (unsigned)component);
    if (!analytic_within(rate, 0, 1, "rate", err))
        return false;
    *effective = effective_rate(params, component, rate, &o);
    return true;
}

static double alpha_of(const ipp_params *params)
{
    return (10 - params->beta) / params->num_sms; /* Eq. 46 */
}

static double sms_factor(const ipp_params *params, uint32_t active_sms, const ipp_options *o)
{
    const bool logarithm = o->form == IPP_FORM_OF_SET ? params->log_cores : o->form == IPP_FORM_LOG10;

    if (!logarithm)
        return (double)active_sms / params->num_sms; /* Eq. 38 for the active SMs */
    if (active_sms == 0 && !o->zero_sms_log)
        return 0; /* HG-A13: nothing runs */
    return log10(alpha_of(params) * active_sms + params->beta); /* Eq. 44 */
}

static bool check_active(const ipp_params *params, uint32_t active_sms, analytic_err *err)
{
    return ipp_params_check(params, err) &&
           analytic_within(active_sms, 0, params->num_sms, "active_sms", err);
}

bool ipp_sms_factor(const ipp_params *params, uint32_t active_sms, const ipp_options *options,
                    double *factor, analytic_err *err)
{
    ipp_options o;

    if (!ipp_options_resolve(options, &o, err) || !check_active(params, active_sms, err))
        return false;
    *factor = sms_factor(params, active_sms, &o);
    return true;
}

static bool check_activity(const ipp_params *params, const ipp_activity *activity, analytic_err *err)
{
    if (!check_active(params, activity->active_sms, err) || !NOT_NEGATIVE(activity, warps_per_sm) ||
        !POSITIVE(activity, exec_cycles))
        return false;
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "accesses[%s]", ipp_component_name(i));
        if (!analytic_not_negative(activity->accesses[i], name, err))
            return false;
        if (activity->accesses[i] > 0 && !params->unit[i].exists)
            return analytic_fail(err, "%s is %g, but %.40s has no %s; count them where they go, and give 0",
                                 name, activity->accesses[i], params->name, ipp_component_name(i));
    }
    return true;
}

/* Eq. 40, 39. */
static bool rate_component(const ipp_params *params, const ipp_activity *activity, unsigned i,
                           const ipp_options *o, ipp_power *p, analytic_err *err)
{
    ipp_component_power *c = &p->component[i];
    const double issue_slots = activity->exec_cycles / params->issue_interval;
    char name[48];

    c->access_rate = activity->accesses[i] * activity->warps_per_sm / issue_slots; /* Eq. 40, 61 */
    snprintf(name, sizeof name, "access rate of %s", ipp_component_name(i));
    if (!analytic_finite(c->access_rate, name, err))
        return false;
    c->limited_rate = fmin(c->access_rate, 1);
    p->num_limited += c->access_rate > 1 + 1e-9; /* 1 but for rounding errors is no finding */
    c->effective_rate = effective_rate(params, i, c->limited_rate, o);
    c->rp = params->unit[i].max_power * c->effective_rate; /* Eq. 39 */
    return true;
}

/* Eq. 37, 43: what one SM and the memory system draw. */
static bool sum_components(const ipp_params *params, const ipp_activity *activity, const ipp_options *o,
                           ipp_power *p, analytic_err *err)
{
    p->sum_sm_component = params->const_sm;
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        if (!rate_component(params, activity, i, o, p, err))
            return false;
        if (params->unit[i].per_sm)
            p->sum_sm_component += p->component[i].rp; /* Eq. 37 */
        else
            p->rp_memory += p->component[i].rp; /* Eq. 43 */
    }
    return true;
}

/* What each component has of the run-time power, for a breakdown as in Fig. 36. */
static void share_power(const ipp_params *params, ipp_power *p)
{
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        ipp_component_power *c = &p->component[i];
        if (params->unit[i].per_sm)
            c->power = c->rp * params->num_sms * p->sms_factor;
        else
            c->power = c->rp * p->memory_factor;
    }
    p->const_power = params->const_sm * params->num_sms * p->sms_factor;
}

bool ipp_power_compute(const ipp_params *params, const ipp_activity *activity, const ipp_options *options,
                       ipp_power *out, analytic_err *err)
{
    ipp_power p = {0};
    ipp_options o;

    if (!ipp_options_resolve(options, &o, err) || !check_activity(params, activity, err) ||
        !sum_components(params, activity, &o, &p, err))
        return false;
    p.max_sm = params->num_sms * p.sum_sm_component; /* Eq. 45 */
    p.alpha = alpha_of(params);
    p.sms_factor = sms_factor(params, activity->active_sms, &o);
    p.memory_factor = o.memory == IPP_MEMORY_WHOLE && activity->active_sms > 0 ? 1 : p.sms_factor;
    share_power(params, &p);
    p.rp_sms = p.max_sm * p.sms_factor;             /* Eq. 44 */
    p.memory_power = p.rp_memory * p.memory_factor; /* Eq. 48 */
    p.activation_power = activity->active_sms > 0 ? params->activation : 0; /* Table 11 */
    p.runtime_power = p.rp_sms + p.memory_power + p.activation_power;       /* Eq. 36 */
    p.idle_power = params->idle_power;
    p.gpu_power = p.runtime_power + p.idle_power; /* Eq. 35 */
    p.system_power = p.gpu_power + params->system_idle_power;
    /* All terms are 0 or more, and both sums are finite only if each of their terms is. */
    if (!analytic_finite(p.max_sm + p.rp_memory, "power of all SMs", err) ||
        !analytic_finite(p.system_power, "system power", err))
        return false;
    *out = p;
    return true;
}

bool ipp_power_gated(double all_power, uint32_t num_sms, uint32_t active_sms, double *watts,
                     analytic_err *err)
{
    if (!analytic_not_negative(all_power, "all_power", err) ||
        !analytic_within(num_sms, 1, IPP_SMS_MAX, "num_sms", err) ||
        !analytic_within(active_sms, 0, num_sms, "active_sms", err))
        return false;
    const double gated = all_power / num_sms * active_sms; /* section 3.5.6: 120 W of 30 SMs are 4 W each */
    if (!analytic_finite(gated, "gated power", err)) /* the largest double may be rounded up */
        return false;
    *watts = gated;
    return true;
}
