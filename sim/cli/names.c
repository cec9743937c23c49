/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that results carry, for programs without a command line, too.
 */
#include "cli/policies.h"
#include "cli/sim_mix.h"

const char *const policies_names[BALLAST_POLICIES + 1] = {"static", "perfsat", "lcs", "equalizer", "dyncta", "scout"};
const char *const policies_modes[3] = {[BALLAST_VF_ENERGY] = "energy", [BALLAST_VF_PERFORMANCE] = "performance"};

const char *sim_mix_name(char name[SIM_MIX_NAME], const run_request *request)
{
    int at = 0;

    for (unsigned k = 0; k <= request->mix.num_others; k++)
        at += snprintf(name + at, (size_t)(SIM_MIX_NAME - at), "%s%s", k ? " + " : "", k ? request->mix.others[k - 1].name : request->workload.name);
    return name;
}
