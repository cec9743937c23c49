/* SPDX-License-Identifier: Apache-2.0
 *
 * --machine and --gpu: what an option_row takes.
 */
#ifndef BALLAST_NAMED_CHIP_H
#define BALLAST_NAMED_CHIP_H

#include "cli/options.h"

/* A machine of the simulator, by name; the member points to it. */
void option_machine(void *member, char *arg, const struct argp_state *state);
/* A GPU of the analytic models, by name or file; the member is an analytic_gpu. */
void option_gpu(void *member, char *arg, const struct argp_state *state);

#endif
