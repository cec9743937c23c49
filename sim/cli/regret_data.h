/* SPDX-License-Identifier: Apache-2.0
 *
 * What the policies lost against the oracle, as data.
 */
#ifndef BALLAST_REGRET_DATA_H
#define BALLAST_REGRET_DATA_H

#include "cli/policies.h"

/* DIR/KERNEL.regret.csv: kernel, policy, cycle, cycles lost by then. False with a line on stderr. */
bool regret_data_curves(const char *dir, const char *kernel, const policy_outcome *policies, const char *const *names, unsigned num);
/* The same of the policies that are built in, and DIR/<kernel>.oracle.dat, lines "cycle limit": from when on the oracle has which, and where it ends. */
bool regret_data_kernel(const char *dir, const policies_kernel *kernel);
/* kernel, policy, regret, cost: a row for each policy, and one for the oracle. */
void regret_data_rows(FILE *f, const policies_kernel *kernel);

#endif
