/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/mwp_cwp_round.h"

#include <math.h>

#include "analytic/members_private.h"

mwp_cwp_options mwp_cwp_options_default(void)
{
    return (mwp_cwp_options){.case2_comp_or = true, .coal_departure = true};
}

mwp_cwp_options mwp_cwp_options_for_decisions(void)
{
    mwp_cwp_options options = mwp_cwp_options_default();

    options.case2_comp_or = false;
    options.issue_floor = true;
    return options;
}

static bool round_is_possible(const mwp_cwp_round *in, analytic_err *err)
{
    return POSITIVE(in, n) && POSITIVE(in, mwp) && POSITIVE(in, mem_insts) && POSITIVE(in, comp_cycles) &&
           POSITIVE(in, mem_cycles) && POSITIVE(in, mem_l);
}

/* The equations' MWP - 1. With less bandwidth than one warp wants (MWP < 1) no period is hidden; a
 * negative count of periods would shorten the time. */
static double others(double mwp)
{
    return fmax(mwp - 1, 0);
}

/* Eqs. 1, 3, 4 and 21 to 23, each by its number (MC-1, MC-3, MC-4, MC-18..20). */
static void each_equation(const mwp_cwp_round *in, mwp_cwp_round_result *r)
{
    /* N_pw of Eq. 28 without a bound may exceed the requests that there are. */
    const double in_flight = fmin(in->mwp, in->n * fmax(in->mem_insts, 1));

    r->eq1 = in->mem_cycles * in->n / in->mwp + r->comp_p * in->mwp;
    r->eq3 = r->mem_p + in->comp_cycles * in->n;
    r->eq4 = in->mem_cycles * in->n / in_flight + in->comp_cycles * in->n / in_flight +
             r->comp_p * others(in_flight);
    r->eq21 = in->mem_cycles + in->comp_cycles + r->comp_p * others(in->mwp);
    r->eq22 = in->mem_cycles * in->n / in->mwp + r->comp_p * others(in->mwp);
    r->eq23 = in->mem_l + in->comp_cycles * in->n;
}

double mwp_cwp_tie(double value, double other)
{
    return fabs(value - other) <= MWP_CWP_TIE * fabs(other) ? other : value;
}

/* The order of the thesis: the first that holds. MWP and CWP are both MIN(..., N), so that equality with
 * N is exact (HG-A6), and ties within rounding are made equal before (MWP_CWP_TIE). */
static enum mwp_cwp_case choose_case(const mwp_cwp_round *in, double cwp, const mwp_cwp_options *options)
{
    const bool mwp_is_n = options->npw_case_literal ? in->mwp == in->n : in->mwp >= in->n;

    if (mwp_is_n && cwp == in->n)
        return MWP_CWP_CASE_1; /* MC-18 */
    if (cwp >= in->mwp || (options->case2_comp_or && in->comp_cycles > in->mem_cycles))
        return MWP_CWP_CASE_2; /* MC-19 */
    return MWP_CWP_CASE_3;     /* MC-20 */
}

static void take_equation(const mwp_cwp_round *in, const mwp_cwp_options *options, mwp_cwp_round_result *r)
{
    switch (r->case_number) {
    case MWP_CWP_CASE_1:
        /* Eq. 21 is Eq. 4 at MWP = N. With N_pw, MWP passes N, and the first line of Eq. 4 still holds. */
        r->equation = in->mwp > in->n ? 4 : 21;
        r->cycles = in->mwp > in->n ? r->eq4 : r->eq21;
        break;
    case MWP_CWP_CASE_2:
        r->equation = options->eq1 ? 1 : 22;
        r->cycles = options->eq1 ? r->eq1 : r->eq22;
        break;
    default:
        r->equation = 23;
        r->cycles = r->eq23;
    }
}

static bool round_is_finite(const mwp_cwp_round_result *r, analytic_err *err)
{
    return FINITE(r, comp_p) && FINITE(r, mem_p) && FINITE(r, cwp_full) && FINITE(r, cwp) && FINITE(r, eq1) &&
           FINITE(r, eq3) && FINITE(r, eq4) && FINITE(r, eq21) && FINITE(r, eq22) && FINITE(r, eq23);
}

bool mwp_cwp_round_compute(const mwp_cwp_round *in, const mwp_cwp_options *options, mwp_cwp_round_result *out,
                           analytic_err *err)
{
    const mwp_cwp_options defaults = mwp_cwp_options_default();
    mwp_cwp_round_result r = {0};

    if (!options)
        options = &defaults;
    if (!round_is_possible(in, err))
        return false;
    r.comp_p = in->comp_cycles / in->mem_insts; /* Eq. 2 (MC-2) */
    r.mem_p = in->mem_cycles / in->mem_insts;
    r.cwp_full = (in->mem_cycles + in->comp_cycles) / in->comp_cycles; /* Eq. 8 (MC-8) */
    r.cwp_full = mwp_cwp_tie(mwp_cwp_tie(r.cwp_full, in->mwp), in->n);
    r.cwp = fmin(r.cwp_full, in->n);                                   /* Eq. 9 (MC-8) */
    each_equation(in, &r);
    r.case_number = choose_case(in, r.cwp, options);
    take_equation(in, options, &r);
    if (!round_is_finite(&r, err))
        return false;
    *out = r;
    return true;
}
