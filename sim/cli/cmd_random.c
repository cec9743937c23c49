/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast random: random stimulus in lockstep.
 */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/replay.h"
#include "replay/interrupt.h"

enum { CYCLES = 20000 };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    replay_options *replay = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = replay; return 0;
    case ARGP_KEY_END:
        if (replay->seed == 0)
            argp_failure(state, EXIT_USAGE, 0, "--seed: random numbers need one from 1 on");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_random(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {0, parse, "",
                                     "Drives blocks with random warp states, CTAs and kernels and with settings that change at "
                                     "random; RTL against C model. The same --seed gives the same run. --max-cycles: 20000 if "
                                     "not given.", children, 0, 0};
    static replay_options replay;
    table t;

    replay_options_default(&replay);
    replay.chip = true;
    replay.max_cycles = CYCLES;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &replay);
    if (!replay_prepare_out(&replay))
        return EXIT_BAD_INPUT;
    interrupt_install();
    table_begin(&t, NULL, NULL);
    return replay_random(&replay, &t);
}
