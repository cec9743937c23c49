/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/ipp_static.h"

#include <math.h>

#include "analytic/members_private.h"

/* k / q, V per K, both exact in the SI. */
#define BOLTZMANN_PER_CHARGE (1.380649e-23 / 1.602176634e-19)
#define KELVIN_AT_0_C 273.15

bool ipp_total_power(double dynamic_power, double static_power, double *watts, analytic_err *err)
{
    if (!analytic_not_negative(dynamic_power, "dynamic_power", err) ||
        !analytic_not_negative(static_power, "static_power", err) ||
        !analytic_finite(dynamic_power + static_power, "total power", err))
        return false;
    *watts = dynamic_power + static_power; /* Eq. 31 */
    return true;
}

bool ipp_isci_power(const ipp_isci_unit *units, size_t num, double idle_power, double *watts,
                    analytic_err *err)
{
    double sum = idle_power;

    if (!analytic_not_negative(idle_power, "idle_power", err))
        return false;
    for (size_t i = 0; i < num; i++) {
        const ipp_isci_unit *u = &units[i];
        if (!WITHIN(u, access_rate, 0, 1) || !NOT_NEGATIVE(u, scaling) || !NOT_NEGATIVE(u, max_power) ||
            !NOT_NEGATIVE(u, non_gated_clock))
            return false;
        sum += u->access_rate * u->scaling * u->max_power + u->non_gated_clock; /* Eq. 32 */
    }
    if (!analytic_finite(sum, "total power", err))
        return false;
    *watts = sum;
    return true;
}

bool ipp_static_power(double vcc, double transistors, double k_design, double i_leak, double *watts,
                      analytic_err *err)
{
    if (!analytic_not_negative(vcc, "vcc", err) || !analytic_not_negative(transistors, "transistors", err) ||
        !analytic_not_negative(k_design, "k_design", err) || !analytic_not_negative(i_leak, "i_leak", err))
        return false;
    const double power = vcc * transistors * k_design * i_leak; /* Eq. 33 */
    if (!analytic_finite(power, "static power", err))
        return false;
    *watts = power;
    return true;
}

static bool check_leak(const ipp_leak *leak, analytic_err *err)
{
    if (!POSITIVE(leak, mu0) || !POSITIVE(leak, cox) || !POSITIVE(leak, w_over_l) || !NOT_NEGATIVE(leak, b) ||
        !NOT_NEGATIVE(leak, vdd) || !NOT_NEGATIVE(leak, vdd0) || !POSITIVE(leak, swing))
        return false;
    if (!isfinite(leak->vth) || !isfinite(leak->voff))
        return analytic_fail(err, "vth is %g and voff is %g; give two finite numbers", leak->vth, leak->voff);
    if (!isfinite(leak->temperature) || leak->temperature <= -KELVIN_AT_0_C)
        return analytic_fail(err, "temperature is %g; give degrees C above %g", leak->temperature,
                             -KELVIN_AT_0_C);
    return true;
}

bool ipp_leak_current(const ipp_leak *leak, ipp_leak_result *out, analytic_err *err)
{
    if (!check_leak(leak, err))
        return false;
    const double v_t = BOLTZMANN_PER_CHARGE * (leak->temperature + KELVIN_AT_0_C);
    const double current = leak->mu0 * leak->cox * leak->w_over_l * exp(leak->b * (leak->vdd - leak->vdd0)) *
                           (v_t * v_t) * -expm1(-leak->vdd / v_t) *
                           exp(-(fabs(leak->vth) - leak->voff) / (leak->swing * v_t)); /* Eq. 34 */
    if (!analytic_finite(v_t, "v_t", err) || !analytic_finite(current, "leakage current", err))
        return false;
    *out = (ipp_leak_result){.v_t = v_t, .current = current};
    return true;
}
