/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/named_chip.h"

#include "analytic/gpu_file.h"
#include "cli/commands.h"
#include "gpu/machine.h"

void option_machine(void *member, char *arg, const struct argp_state *state)
{
    const machine **m = member;

    *m = machine_find(arg);
    if (!*m)
        argp_failure(state, EXIT_USAGE, 0, "--machine: no machine '%s'; there are %s", arg, machine_names);
}

void option_gpu(void *member, char *arg, const struct argp_state *state)
{
    char err[GPU_FILE_ERR];

    if (!gpu_file_find(member, arg, err))
        argp_failure(state, EXIT_BAD_INPUT, 0, "%s", err);
}
