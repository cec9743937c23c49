/* SPDX-License-Identifier: Apache-2.0
 *
 * One RC step up while the kernel runs, one down afterwards; static power follows in a line.
 */
#include "analytic/ipp_temperature.h"

#include <math.h>

#include "analytic/members_private.h"

/* How far a step has gone after `seconds`, 0..1. */
static double settled(double seconds, double rc)
{
    return -expm1(-seconds / rc);
}

static bool check_run(const ipp_params *params, const ipp_run *run, analytic_err *err)
{
    if (!ipp_params_check(params, err))
        return false;
    if (!params->thermal.known)
        return analytic_fail(err, "%.40s has no temperature constants; give thermal.mu to thermal.idle_temp",
                             params->name);
    return NOT_NEGATIVE(run, runtime_power) && NOT_NEGATIVE(run, mem_insts) && POSITIVE(run, nonmem_insts) &&
           NOT_NEGATIVE(run, run_seconds);
}

bool ipp_heat_compute(const ipp_params *params, const ipp_run *run, const ipp_options *options, ipp_heat *out,
                      analytic_err *err)
{
    const ipp_thermal *t = &params->thermal;
    ipp_options o;
    ipp_heat h;

    if (!ipp_options_resolve(options, &o, err) || !check_run(params, run, err))
        return false;
    h.mem_intensity = run->mem_insts / run->nonmem_insts; /* Eq. 54 */
    const double eq_53 = t->mu * run->runtime_power + t->lambda + t->rho * h.mem_intensity;
    h.max_temp = o.maxtemp_is_delta ? t->idle_temp + eq_53 : eq_53; /* HG-A14 */
    h.delta = o.maxtemp_is_delta ? eq_53 : eq_53 - t->idle_temp;    /* Eq. 51 */
    h.power_increase = t->sigma * h.delta;
    h.runtime_power = run->runtime_power + h.power_increase; /* Eq. 56 */
    h.gpu_power = h.runtime_power + params->idle_power;      /* Eq. 55 */
    if (!FINITE(&h, mem_intensity) || !FINITE(&h, delta) || !FINITE(&h, power_increase) ||
        !FINITE(&h, gpu_power))
        return false;
    *out = h;
    return true;
}

/* J of the GPU in `seconds` of a phase that starts `above` degrees over where it ends: idle power,
 * the power of a cold chip, and sigma times the integral of the temperature above idle. */
static double energy_of(const ipp_params *params, double cold_power, double degree_seconds, double seconds)
{
    return (params->idle_power + cold_power) * seconds + params->thermal.sigma * degree_seconds;
}

/* The kernel runs for `seconds`, of which the last is the point. */
static void heat_up(const ipp_params *params, const ipp_run *run, double delta, double seconds, ipp_point *p)
{
    const ipp_thermal *t = &params->thermal;

    p->delta_temp = delta * settled(seconds, t->rc_rise);                       /* Eq. 49, 57 */
    p->runtime_power = run->runtime_power + t->sigma * p->delta_temp;           /* Eq. 56 */
    p->energy = energy_of(params, run->runtime_power,
                          delta * (seconds - t->rc_rise * settled(seconds, t->rc_rise)), seconds);
}

/* From the end of the run, where *p is, `seconds` on. */
static void cool_down(const ipp_params *params, double seconds, ipp_point *p)
{
    const ipp_thermal *t = &params->thermal;

    p->delta_temp = p->gamma * exp(-seconds / t->rc_decay); /* Eq. 50, 57 */
    p->runtime_power = t->sigma * p->delta_temp;            /* Eq. 56 with nothing running */
    p->energy += energy_of(params, 0, p->gamma * t->rc_decay * settled(seconds, t->rc_decay), seconds);
}

bool ipp_point_at(const ipp_params *params, const ipp_run *run, double seconds, const ipp_options *options,
                  ipp_point *out, analytic_err *err)
{
    const double idle_temp = params->thermal.idle_temp;
    ipp_point p = {.seconds = seconds, .running = seconds <= run->run_seconds};
    ipp_heat heat;

    if (!ipp_heat_compute(params, run, options, &heat, err) ||
        !analytic_not_negative(seconds, "seconds", err))
        return false;
    heat_up(params, run, heat.delta, run->run_seconds, &p);
    p.gamma = p.delta_temp; /* Eq. 52 */
    p.decay_temp = idle_temp + p.gamma;
    if (p.running)
        heat_up(params, run, heat.delta, seconds, &p);
    else
        cool_down(params, seconds - run->run_seconds, &p);
    p.temperature = idle_temp + p.delta_temp;
    p.gpu_power = p.runtime_power + params->idle_power; /* Eq. 55 */
    if (!FINITE(&p, energy))
        return false;
    *out = p;
    return true;
}
