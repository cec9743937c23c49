/* SPDX-License-Identifier: Apache-2.0
 *
 * For tb/icarus/test_icarus.py: the same commands with a Verilated block, so that a fault in the RTL can be shown to both.
 */
#include "cli/commands.h"

int main(int argc, char **argv)
{
    return argc > 1 ? cmd_lockstep(argc - 1, argv + 1) : EXIT_USAGE;
}
