/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast sim with several policies: the same kernel under each of them and at every fixed limit, as a table.
 */
#ifndef BALLAST_SIM_POLICIES_H
#define BALLAST_SIM_POLICIES_H

#include "cli/policy_choice.h"
#include "gpu/run.h"

/* The request says all but the policy. Both clocks stay at their nominal level, so that limits are compared and not levels. As many runs
 * at a time as `jobs` (0: one per core). The exit status; nothing is printed if a run has failed. */
int sim_policies(const policy_choices *choices, const run_request *request, unsigned jobs, bool as_csv);

#endif
