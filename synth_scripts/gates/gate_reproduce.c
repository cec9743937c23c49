/* SPDX-License-Identifier: Apache-2.0
 *
 * In place of the reproducer: it starts from given registers, and those of a netlist cannot be written.
 */
#include <stdio.h>

#include "replay/session_private.h"

void reproduce(const session_options *options, const lockstep *ls, const recorder *r, FILE *out)
{
    (void)options, (void)ls, (void)r;
    fprintf(out, "\nNo reproducer: the registers of a netlist cannot be written. Rerun the recording.\n");
}
