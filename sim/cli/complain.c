/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/commands.h"

int complain(const char *format, ...)
{
    va_list args;

    fputs("ballast: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return EXIT_BAD_INPUT;
}

const machine *option_machine(const struct argp_state *state, const char *name)
{
    const machine *found = machine_find(name);

    if (!found)
        argp_failure(state, EXIT_USAGE, 0, "--machine: no machine '%s'; there are %s", name, machine_names);
    return found;
}
