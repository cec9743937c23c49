/* SPDX-License-Identifier: Apache-2.0
 *
 * Eqs. 83 to 93. Cores and warps are rounded down: one more would break Eqs. 84 and 90.
 */
#include "analytic/throughput_advice.h"

#include <math.h>

#include "analytic/members_private.h"

/* Relative; far above what a few divisions lose, far below what an input means. */
#define ROUNDING 1e-12

/* Whole part of `exact`, 1..most. A quotient that misses a whole number by rounding is that number. */
static uint32_t whole(double exact, uint32_t most)
{
    const double down = floor(exact * (1 + ROUNDING));

    if (!(down > 1))
        return 1;
    return down < most ? (uint32_t)down : most;
}

static bool at_most(double value, double bound)
{
    return value <= bound * (1 + ROUNDING);
}

bool throughput_advise_cores(const throughput_in *in, uint32_t active_cores,
                             const throughput_options *options, throughput_core_advice *out,
                             analytic_err *err)
{
    throughput_result r;
    throughput_core_advice a;

    if (active_cores == 0)
        return analytic_fail(err, "active_cores is 0; give the cores for which mwp_bw is meant, 1 or more");
    if (!throughput_compute(in, options, &r, err))
        return false;
    a.applies = r.mwp_app > in->mwp_bw;
    a.alpha = fmax(r.mwp_app / in->mwp_bw, 1); /* Eq. 85 */
    a.bw_per_warp_part = 1 / a.alpha;          /* Eq. 88 */
    a.budget = in->mwp_bw * active_cores;
    a.cores_exact = a.applies ? a.budget / r.mwp_app : active_cores;
    a.cores = whole(a.cores_exact, active_cores);
    a.mwp_bw_new = a.applies ? a.budget / a.cores : in->mwp_bw; /* Eq. 86 */
    a.enough = at_most(r.mwp_app, a.mwp_bw_new);                /* Eq. 84 */
    a.previous_cores = whole(a.budget / in->n, active_cores);   /* Eq. 63 */
    if (!FINITE(&a, alpha) || !FINITE(&a, budget))
        return false;
    *out = a;
    return true;
}

bool throughput_advise_n(const throughput_in *in, const throughput_options *options,
                         throughput_n_advice *out, analytic_err *err)
{
    const throughput_options used = options ? *options : throughput_options_default();
    throughput_result r;
    throughput_n_advice a;

    if (!throughput_compute(in, &used, &r, err))
        return false;
    a.applies = r.mwp_app > in->mwp_bw;
    a.alpha = fmin(in->mwp_bw / r.mwp_app, 1); /* Eq. 91 */
    const double base = used.n_new == THROUGHPUT_N_SOLVED ? r.mwp_app_one_mem_warp : in->n;

    a.n_exact = a.applies ? base * in->mwp_bw / r.mwp_app : in->n; /* Eq. 89, by way of N */
    a.n = whole(a.n_exact, in->n);
    a.mwp_app_new = fmin(r.mwp_app_infin, a.n) * in->mstr; /* Eq. 92 */
    a.enough = at_most(a.mwp_app_new, in->mwp_bw);         /* Eq. 90 */
    if (!FINITE(&a, n_exact))
        return false;
    *out = a;
    return true;
}

static enum throughput_freq_case freq_case(const throughput_in *in, const throughput_result *r)
{
    if (in->n >= r->mwp_app_infin)
        return THROUGHPUT_FREQ_ENOUGH_WARPS;
    return in->n > 1 ? THROUGHPUT_FREQ_REDUCE : THROUGHPUT_FREQ_ONE_WARP;
}

bool throughput_advise_freq(const throughput_in *in, double freq, const throughput_options *options,
                            throughput_freq_advice *out, analytic_err *err)
{
    const throughput_options used = options ? *options : throughput_options_default();
    throughput_result r;
    throughput_freq_advice a;

    if (!analytic_positive(freq, "freq", err) || !throughput_compute(in, &used, &r, err))
        return false;
    a.why = freq_case(in, &r);
    a.applies = a.why == THROUGHPUT_FREQ_REDUCE;
    a.mwp_infin = r.mwp_app_infin + (used.infin == THROUGHPUT_INFIN_PLUS1_EQ_93 ? 1 : 0);
    a.divisor = a.applies ? (a.mwp_infin - 1) / (in->n - 1.0) : 1; /* Eq. 93 */
    a.freq = freq / a.divisor;
    *out = a;
    return true;
}
