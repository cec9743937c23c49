/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/policies.h"

#include "cli/commands.h"
#include "cli/say.h"

int policies_predict(policies_kernel *kernel, const oracle_source *source)
{
    char err[ORACLE_ERR];
    const enum oracle_status status = oracle_predict(&kernel->oracle, source, kernel->name, err);

    kernel->has_oracle = status == ORACLE_FINE && kernel->warps == source->gpu->occupancy.max_warps;
    kernel->oracle.measured = kernel->sweep;
    kernel->oracle.num_choices = BALLAST_POLICIES;
    for (unsigned p = 0; p < BALLAST_POLICIES; p++) {
        kernel->oracle.chooser[p] = policies_names[p];
        kernel->oracle.choice[p] = kernel->policy[p].ran ? kernel->policy[p].chosen : 0;
    }
    return status == ORACLE_BAD ? complain("%s", err) : EXIT_PASS;
}
