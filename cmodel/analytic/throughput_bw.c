/* SPDX-License-Identifier: Apache-2.0
 *
 * What the hardware sustains: MWP_BW and MWP_Proc (TP-8).
 */
#include "analytic/throughput.h"

bool throughput_mwp_bw(const throughput_bw_in *in, throughput_bw *out, analytic_err *err)
{
    throughput_bw r;

    if (!analytic_positive(in->mem_bandwidth, "mem_bandwidth", err) ||
        !analytic_positive(in->freq, "freq", err) || !analytic_positive(in->load_bytes, "load_bytes", err) ||
        !analytic_positive(in->mem_l, "mem_l", err))
        return false;
    if (in->active_sm == 0)
        return analytic_fail(err, "active_sm is 0; give the active cores, 1 or more");
    r.bw_per_warp = in->freq * in->load_bytes / in->mem_l; /* Eq. 76 */
    r.budget = in->mem_bandwidth / r.bw_per_warp;
    r.mwp_bw = r.budget / in->active_sm; /* Eq. 75 */
    if (!analytic_finite(r.bw_per_warp, "bw_per_warp", err) || !analytic_finite(r.budget, "budget", err))
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
