/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/mwp_cwp.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analytic/members_private.h"

mwp_cwp_kernel mwp_cwp_kernel_default(void)
{
    return (mwp_cwp_kernel){.coal_per_mw = 1, .uncoal_per_mw = 32, .m_factor = 1};
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static bool gpu_is_possible(const mwp_cwp_gpu *g, analytic_err *err)
{
    return POSITIVE(g, active_sms) && POSITIVE(g, freq_ghz) && POSITIVE(g, bandwidth_gb_s) &&
           POSITIVE(g, mem_ld) && POSITIVE(g, departure_coal) && POSITIVE(g, departure_uncoal) &&
           POSITIVE(g, issue_cycles) && POSITIVE(g, warp_size);
}

static bool memory_is_possible(const mwp_cwp_kernel *k, double mem_insts, analytic_err *err)
{
    if (k->coal_per_mw != 1)
        return analytic_fail(err, "coal_per_mw is %g; give 1 (with more transactions it is uncoalesced)",
                             k->coal_per_mw);
    if (!AT_LEAST_1(k, uncoal_per_mw) || !analytic_finite(mem_insts, "coal_mem_insts + uncoal_mem_insts", err) ||
        !WITHIN(k, ind_mem_req, 0, mem_insts))
        return false;
    return mem_insts > 0 ? POSITIVE(k, load_bytes_per_warp) : NOT_NEGATIVE(k, load_bytes_per_warp);
}

static bool kernel_is_possible(const mwp_cwp_kernel *k, analytic_err *err)
{
    return POSITIVE(k, threads_per_block) && POSITIVE(k, blocks) && POSITIVE(k, active_blocks_per_sm) &&
           NOT_NEGATIVE(k, comp_insts) && NOT_NEGATIVE(k, coal_mem_insts) &&
           NOT_NEGATIVE(k, uncoal_mem_insts) &&
           analytic_positive(k->comp_insts + k->coal_mem_insts + k->uncoal_mem_insts,
                             "comp_insts + coal_mem_insts + uncoal_mem_insts", err) &&
           NOT_NEGATIVE(k, synch_insts) && POSITIVE(k, m_factor) &&
           memory_is_possible(k, k->coal_mem_insts + k->uncoal_mem_insts, err);
}

/* ---- the model, in the order of Chapter II --------------------------------------------------- */

/* One call: its inputs and what it has found so far. */
typedef struct model {
    const mwp_cwp_gpu *gpu;
    const mwp_cwp_kernel *kernel;
    const mwp_cwp_options *options;
    mwp_cwp_result r;
} model;

static void launch(model *m)
{
    const mwp_cwp_kernel *k = m->kernel;
    const uint32_t warp_size = m->gpu->warp_size;
    const uint32_t warps = k->threads_per_block / warp_size + (k->threads_per_block % warp_size != 0);

    m->r.warps_per_block = warps;
    m->r.n = (double)k->active_blocks_per_sm * warps;
    m->r.mem_insts = k->coal_mem_insts + k->uncoal_mem_insts;
    m->r.total_insts = k->comp_insts + m->r.mem_insts;
    m->r.comp_cycles = m->gpu->issue_cycles * k->m_factor * m->r.total_insts; /* Eqs. 18, 30 (MC-15) */
    m->r.rep = k->blocks / (k->active_blocks_per_sm * m->gpu->active_sms);    /* Eq. 20 (MC-17) */
    if (m->options->rep_ceil)
        m->r.rep = ceil(m->r.rep);
    m->r.issue_bound = m->r.comp_cycles * m->r.n * m->r.rep;
}

static void memory_system(model *m)
{
    const mwp_cwp_gpu *g = m->gpu;
    const mwp_cwp_kernel *k = m->kernel;
    mwp_cwp_result *r = &m->r;

    /* Eqs. 10, 11 (MC-9) */
    r->weight_uncoal = k->uncoal_mem_insts / r->mem_insts;
    r->weight_coal = k->coal_mem_insts / r->mem_insts;
    /* Eqs. 12 to 14 (MC-10..12) */
    r->mem_l_uncoal = g->mem_ld + (k->uncoal_per_mw - 1) * g->departure_uncoal;
    r->mem_l_coal = g->mem_ld + (m->options->coal_departure ? g->departure_coal : 0);
    r->mem_l = r->mem_l_uncoal * r->weight_uncoal + r->mem_l_coal * r->weight_coal;
    /* Eq. 15 (MC-13) */
    r->departure_delay =
        g->departure_uncoal * k->uncoal_per_mw * r->weight_uncoal + g->departure_coal * r->weight_coal;
    /* Eq. 19 (MC-16) */
    r->mem_cycles = r->mem_l_uncoal * k->uncoal_mem_insts + r->mem_l_coal * k->coal_mem_insts;
    /* Eqs. 16, 17 (MC-14) */
    r->mwp_without_bw_full = mwp_cwp_tie(r->mem_l / r->departure_delay, r->n);
    r->mwp_without_bw = fmin(r->mwp_without_bw_full, r->n);
    /* Eqs. 7, 6 (MC-7, MC-6) */
    r->bw_per_warp = g->freq_ghz * k->load_bytes_per_warp / r->mem_l;
    r->mwp_peak_bw = mwp_cwp_tie(g->bandwidth_gb_s / (r->bw_per_warp * g->active_sms), r->n);
}

/* Eq. 28 (MC-24); HG-A5: #Mem_req above the line is what Figs. 26 and 28 need. */
static double parallel_warps(const model *m, double unbounded)
{
    const double independent = m->kernel->ind_mem_req;
    const double requests = m->r.mem_insts;

    if (independent >= requests)
        return unbounded;
    return m->r.n * (m->options->npw_literal ? independent : requests) / (requests - independent);
}

static bool memory_parallelism(model *m, analytic_err *err)
{
    mwp_cwp_result *r = &m->r;
    const double machine = fmin(r->mwp_without_bw_full, r->mwp_peak_bw);

    r->n_pw = parallel_warps(m, machine);
    /* "When there are independent memory requests and few warps" (2.6.3). Eq. 29 prints MWP_Without_BW,
     * which Eq. 17 has bounded by N already: it has to be the full one, or N_pw could do nothing. */
    r->npw_used = m->options->use_npw && r->n < machine;
    r->mwp = fmin(machine, r->npw_used ? r->n_pw : r->n); /* Eqs. 5, 29 (MC-5, MC-24) */
    if (r->npw_used && m->options->npw_literal && r->mwp == 0)
        return analytic_fail(err, "n_pw is 0: Eq. 28 as printed has no warps for ind_mem_req 0; "
                             "leave npw_literal or use_npw off");
    return true;
}

static bool one_round(model *m, analytic_err *err)
{
    mwp_cwp_result *r = &m->r;
    const mwp_cwp_round in = {.n = r->n, .mwp = r->mwp, .mem_insts = r->mem_insts,
                              .comp_cycles = r->comp_cycles, .mem_cycles = r->mem_cycles, .mem_l = r->mem_l};
    mwp_cwp_round_result round;

    if (!mwp_cwp_round_compute(&in, m->options, &round, err))
        return false;
    r->cwp_full = round.cwp_full;
    r->cwp = round.cwp;
    r->eq1 = round.eq1 * r->rep;
    r->eq4 = round.eq4 * r->rep;
    r->eq21 = round.eq21 * r->rep; /* MC-18 */
    r->eq22 = round.eq22 * r->rep; /* MC-19 */
    r->eq23 = round.eq23 * r->rep; /* MC-20 */
    r->exec_cycles = round.cycles * r->rep;
    r->case_number = round.case_number;
    r->equation = round.equation;
    return true;
}

/* HG-A4: Eqs. 2, 10, 11, 21 and 22 would divide by #Mem_insts. */
static void computation_only(mwp_cwp_result *r)
{
    r->n_pw = r->n;
    r->mwp = r->n;
    r->cwp_full = 1; /* Eq. 8 with Mem_cycles 0 */
    r->cwp = fmin(r->cwp_full, r->n);
    r->exec_cycles = r->issue_bound;
    r->case_number = MWP_CWP_NO_MEMORY;
}

static void totals(model *m)
{
    const mwp_cwp_kernel *k = m->kernel;
    mwp_cwp_result *r = &m->r;

    r->below_issue_bound = r->exec_cycles < r->issue_bound;
    if (m->options->issue_floor)
        r->exec_cycles = fmax(r->exec_cycles, r->issue_bound);
    /* Eq. 24 (MC-21) */
    r->cpi = r->exec_cycles / (r->total_insts * r->warps_per_block * (k->blocks / m->gpu->active_sms));
    r->np_wb = fmin(r->mwp, r->warps_per_block); /* Eq. 26 (MC-23) */
    /* Eq. 25 (MC-22). With MWP < 1 no warp is delayed; a negative count would shorten the time. */
    r->synch_cost = r->departure_delay * fmax(r->np_wb - 1, 0) * k->synch_insts *
                    k->active_blocks_per_sm * r->rep;
    r->exec_cycles_with_synch = r->exec_cycles + r->synch_cost; /* Eq. 27 (MC-23) */
    r->seconds = r->exec_cycles_with_synch / (m->gpu->freq_ghz * 1e9);
}

/* ---- results --------------------------------------------------------------------------------- */

#define R(member) {#member, offsetof(mwp_cwp_result, member)}
static const struct number {
    const char *name;
    size_t offset;
} NUMBERS[] = {
    R(warps_per_block), R(n), R(mem_insts), R(total_insts), R(weight_uncoal), R(weight_coal),
    R(mem_l_uncoal), R(mem_l_coal), R(mem_l), R(departure_delay), R(mwp_without_bw_full), R(mwp_without_bw),
    R(bw_per_warp), R(mwp_peak_bw), R(n_pw), R(mwp), R(comp_cycles), R(mem_cycles), R(cwp_full), R(cwp),
    R(rep), R(eq1), R(eq4), R(eq21), R(eq22), R(eq23), R(issue_bound), R(exec_cycles), R(np_wb),
    R(synch_cost), R(exec_cycles_with_synch), R(cpi), R(seconds),
};
#undef R

static bool result_is_finite(const mwp_cwp_result *r, analytic_err *err)
{
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        double value;

        memcpy(&value, (const char *)r + NUMBERS[i].offset, sizeof value);
        if (!analytic_finite(value, NUMBERS[i].name, err))
            return false;
    }
    return true;
}

bool mwp_cwp_compute(const mwp_cwp_gpu *gpu, const mwp_cwp_kernel *kernel, const mwp_cwp_options *options,
                     mwp_cwp_result *out, analytic_err *err)
{
    const mwp_cwp_options defaults = mwp_cwp_options_default();
    model m = {.gpu = gpu, .kernel = kernel, .options = options ? options : &defaults};

    if (!gpu_is_possible(gpu, err) || !kernel_is_possible(kernel, err))
        return false;
    launch(&m);
    if (m.r.mem_insts > 0) {
        memory_system(&m);
        if (!result_is_finite(&m.r, err) || !memory_parallelism(&m, err) || !one_round(&m, err))
            return false;
    } else {
        computation_only(&m.r);
    }
    totals(&m);
    if (!result_is_finite(&m.r, err))
        return false;
    *out = m.r;
    return true;
}

/* ---- divergence (MC-25) ---------------------------------------------------------------------- */

static bool same_launch(const mwp_cwp_kernel *a, const mwp_cwp_kernel *b, analytic_err *err)
{
    if (a->threads_per_block == b->threads_per_block && a->blocks == b->blocks &&
        a->active_blocks_per_sm == b->active_blocks_per_sm)
        return true;
    return analytic_fail(err, "threads_per_block, blocks, active_blocks_per_sm are %u, %u, %u; "
                         "give %u, %u, %u as in path 1", b->threads_per_block, b->blocks,
                         b->active_blocks_per_sm, a->threads_per_block, a->blocks, a->active_blocks_per_sm);
}

static bool fail_in_path(unsigned path, analytic_err *err)
{
    const analytic_err inner = *err;

    return analytic_fail(err, "path %u: %s", path, inner.text);
}

bool mwp_cwp_paths(const mwp_cwp_gpu *gpu, const mwp_cwp_kernel *paths, unsigned num,
                   const mwp_cwp_options *options, mwp_cwp_paths_result *out, analytic_err *err)
{
    mwp_cwp_paths_result sum = {0};

    if (num == 0)
        return analytic_fail(err, "the number of paths is 0; give 1 or more");
    for (unsigned i = 0; i < num; i++) {
        mwp_cwp_result r;

        if (!same_launch(&paths[0], &paths[i], err) || !mwp_cwp_compute(gpu, &paths[i], options, &r, err))
            return fail_in_path(i + 1, err);
        sum.exec_cycles += r.exec_cycles;
        sum.synch_cost += r.synch_cost;
        sum.exec_cycles_with_synch += r.exec_cycles_with_synch;
        sum.seconds += r.seconds;
    }
    if (!FINITE(&sum, exec_cycles_with_synch) || !FINITE(&sum, seconds))
        return false;
    *out = sum;
    return true;
}
