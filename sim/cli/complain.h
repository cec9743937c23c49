/* SPDX-License-Identifier: Apache-2.0
 *
 * What a subcommand says when it cannot go on.
 */
#ifndef BALLAST_COMPLAIN_H
#define BALLAST_COMPLAIN_H

#include <argp.h>

#include "gpu/machine.h"

/* "ballast: ..." on standard error, a line; EXIT_BAD_INPUT. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The machine of --machine NAME; ends the program if there is none. */
const machine *option_machine(const struct argp_state *state, const char *name);

#endif
