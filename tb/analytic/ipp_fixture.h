/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the ipp models share: parameter sets and activities.
 */
#ifndef BALLAST_IPP_FIXTURE_H
#define BALLAST_IPP_FIXTURE_H

#include "analytic/analytic_fixture.h"
#include "analytic/ipp_power.h"

static inline ipp_params copy_of(const char *name)
{
    const ipp_params *params = ipp_params_find(name);

    assert_non_null(params);
    return *params;
}

/* An SM that runs 1 warp for as many cycles that n accesses are a rate of n / 1000. */
static inline ipp_activity per_mille(const ipp_params *params, uint32_t active_sms)
{
    return (ipp_activity){
        .warps_per_sm = 1, .exec_cycles = 1000 * params->issue_interval, .active_sms = active_sms};
}

/* Every component that there is at `rate`. */
static inline ipp_activity all_at(const ipp_params *params, double rate, uint32_t active_sms)
{
    ipp_activity a = per_mille(params, active_sms);

    for (unsigned i = 0; i < IPP_COMPONENTS; i++)
        a.accesses[i] = params->unit[i].exists ? 1000 * rate : 0;
    return a;
}

static inline ipp_power power_of(const ipp_params *params, const ipp_activity *activity,
                                 const ipp_options *options)
{
    ipp_power p;

    must(ipp_power_compute(params, activity, options, &p, &err));
    return p;
}

#endif
