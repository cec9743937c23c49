/* SPDX-License-Identifier: Apache-2.0
 *
 * Eqs. 71 to 82: demand (72 to 74), parallelism (71), idle cycles (78 to 82), ratio (77), category.
 */
#include "analytic/throughput.h"

#include <math.h>

#include "analytic/members_private.h"

throughput_options throughput_options_default(void)
{
    return (throughput_options){
        .infin = THROUGHPUT_INFIN_PLUS1_EQ_93,
        .similar = 0.85,
        .n_new = THROUGHPUT_N_TIMES_ALPHA,
        .period = THROUGHPUT_PERIOD_GROUP,
    };
}

static bool check_in(const throughput_in *in, analytic_err *err)
{
    if (in->n == 0)
        return analytic_fail(err, "n is 0; give the warps of a core, 1 or more");
    if (!AT_LEAST_1(in, mstr) || !NOT_NEGATIVE(in, eff_mem) || !POSITIVE(in, eff_comp) || !NOT_NEGATIVE(in, eff_perf) ||
        !POSITIVE(in, mwp_bw) || !POSITIVE(in, mwp_proc))
        return false;
    if (in->eff_perf > in->eff_comp)
        return analytic_fail(err, "eff_perf is %g, more than eff_comp (%g), of which it is a part; give less",
                             in->eff_perf, in->eff_comp);
    return true;
}

static bool check_choice(unsigned value, unsigned choices, const char *name, analytic_err *err)
{
    if (value < choices)
        return true;
    return analytic_fail(err, "%s is %u; give 0 to %u", name, value, choices - 1);
}

static bool check_options(const throughput_options *options, analytic_err *err)
{
    return check_choice(options->infin, THROUGHPUT_INFINS, "infin", err) &&
           check_choice(options->n_new, THROUGHPUT_N_NEWS, "n_new", err) &&
           check_choice(options->period, THROUGHPUT_PERIODS, "period", err) && POSITIVE(options, similar) &&
           WITHIN(options, similar, 0, 1);
}

/* What is not here is bounded by what is. */
static bool check_result(const throughput_result *r, analytic_err *err)
{
    return FINITE(r, mwp_app_infin) && FINITE(r, mwp_app) && FINITE(r, mem_serial_n) &&
           FINITE(r, mem_divided_n) && FINITE(r, mem_n) && FINITE(r, comp_cycles_n) &&
           FINITE(r, idle_per_serial);
}

/* Eqs. 72 to 74: how many accesses the application wants in flight. */
static void demand(const throughput_in *in, const throughput_options *options, throughput_result *r)
{
    const double hidden = in->eff_mem / in->eff_comp + (options->infin == THROUGHPUT_INFIN_PLUS1_ALL ? 1 : 0);

    r->mwp_app_infin = fmax(hidden, 1);                      /* Eq. 72 */
    r->mwp_app_one_mem_warp = fmin(r->mwp_app_infin, in->n); /* Eq. 73 */
    r->mwp_app = r->mwp_app_one_mem_warp * in->mstr;         /* Eq. 74 */
}

/* Eq. 71. */
static void parallelism(const throughput_in *in, throughput_result *r)
{
    const double bounds[THROUGHPUT_LIMITERS] = {
        [THROUGHPUT_BY_N] = in->n,
        [THROUGHPUT_BY_APP] = r->mwp_app,
        [THROUGHPUT_BY_BW] = in->mwp_bw,
        [THROUGHPUT_BY_PROC] = in->mwp_proc,
    };
    unsigned least = THROUGHPUT_BY_N;

    for (unsigned i = least + 1; i < THROUGHPUT_LIMITERS; i++)
        if (bounds[i] < bounds[least])
            least = i;
    r->mwp = bounds[least];
    r->limiter = (enum throughput_limiter)least;
}

/* Eqs. 78 to 82, then 77. */
static void idle(const throughput_in *in, throughput_result *r)
{
    r->mem_serial_n = in->eff_mem * in->n;                                /* Eq. 78 */
    r->mem_divided_n = r->mem_serial_n / r->mwp;                          /* Eq. 79 */
    r->mem_n = r->mem_divided_n + in->eff_comp * (r->mwp - 1);            /* Eq. 80 */
    r->comp_cycles_n = in->eff_comp * in->n;                              /* Eq. 81 */
    r->idle_mem_cycles = fmax(0, r->mem_n - r->comp_cycles_n);            /* Eq. 82 */
    r->idle_per_serial = r->mem_serial_n > 0 ? r->idle_mem_cycles / r->mem_serial_n : 0;
    r->eff_ratio_comp = in->eff_perf / in->eff_comp;
    r->eff_ratio = in->eff_perf * in->n / (r->comp_cycles_n + r->idle_mem_cycles); /* Eq. 77 */
}

/* Figures 114 and 115: five cases of the memory, twice. */
static uint32_t categorize(const throughput_in *in, double similar, const throughput_result *r)
{
    const uint32_t before = in->n < r->mwp_app_infin ? 0 : THROUGHPUT_CATEGORIES / 2;

    if (in->mwp_proc < r->mwp_app)
        return before + (in->mwp_bw < r->mwp_app ? 1 : 2);
    if (in->mwp_bw >= r->mwp_app)
        return before + 5;
    return before + (in->mwp_bw < similar * r->mwp_app ? 3 : 4);
}

bool throughput_compute(const throughput_in *in, const throughput_options *options,
                        throughput_result *out, analytic_err *err)
{
    const throughput_options used = options ? *options : throughput_options_default();
    throughput_result r = {0};

    if (!check_options(&used, err) || !check_in(in, err))
        return false;
    demand(in, &used, &r);
    parallelism(in, &r);
    idle(in, &r);
    r.category = categorize(in, used.similar, &r);
    if (!check_result(&r, err))
        return false;
    *out = r;
    return true;
}

/* ---- what the hardware sustains: MWP_BW and MWP_Proc (TP-8) ---------------------------------------- */

bool throughput_mwp_bw(const throughput_bw_in *in, throughput_bw *out, analytic_err *err)
{
    throughput_bw r;

    if (!POSITIVE(in, mem_bandwidth) || !POSITIVE(in, freq) || !POSITIVE(in, load_bytes) ||
        !POSITIVE(in, mem_l))
        return false;
    if (in->active_sm == 0)
        return analytic_fail(err, "active_sm is 0; give the active cores, 1 or more");
    r.bw_per_warp = in->freq * in->load_bytes / in->mem_l; /* Eq. 76 */
    r.budget = in->mem_bandwidth / r.bw_per_warp;
    r.mwp_bw = r.budget / in->active_sm; /* Eq. 75 */
    if (!FINITE(&r, bw_per_warp) || !FINITE(&r, budget))
        return false;
    *out = r;
    return true;
}

bool throughput_mwp_proc(double mem_l, double departure_delay, double *mwp_proc, analytic_err *err)
{
    if (!analytic_positive(mem_l, "mem_l", err) ||
        !analytic_positive(departure_delay, "departure_delay", err))
        return false;
    const double full = mem_l / departure_delay; /* Eq. 16; Eq. 17's MIN with N is that of Eq. 71 */

    if (!analytic_finite(full, "mwp_proc", err))
        return false;
    *mwp_proc = full;
    return true;
}
