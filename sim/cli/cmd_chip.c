/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast chip: all SMs of a chip, with votes and VF domains, in lockstep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/replay.h"
#include "replay/interrupt.h"

enum { KEY_SKEW = 0x200, KEY_FAMILY, KEY_TOGETHER };

typedef struct chip_command {
    replay_options replay;
    chip_options chip;
    const char *family_option; /* one that makes sense with --family only */
    char **files;
    int num_files;
} chip_command;

static const struct argp_option options[] = {
    {"skew", KEY_SKEW, "N", 0, "Cycles between SMs that play the same recorded SM (default 13)", 0},
    {"together", KEY_TOGETHER, 0, 0, "The recorded SMs begin together, whatever their cycle numbers (for reproducers)", 0},
    {"family", KEY_FAMILY, 0, 0, "The recordings are a family: every SM's limit picks its recording", 0},
    {"launch", 'l', "N", 0, "With --family: kernel launch to replay, from 1 (default: the longest)", 0},
    {"max-laps", 'm', "N", 0, "With --family: passes over the kernel (default 64)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    chip_command *command = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case KEY_SKEW: command->chip.skew = (unsigned)option_number(state, "--skew", arg, 0, CHIP_MAX_SKEW); return 0;
    case KEY_FAMILY: command->chip.family = true; return 0;
    case KEY_TOGETHER: command->chip.together = true; return 0;
    case 'l':
        command->chip.launch = (int)option_number(state, "--launch", arg, 1, TRACE_MAX_LAUNCHES) - 1;
        command->family_option = "--launch";
        return 0;
    case 'm':
        command->chip.max_laps = (unsigned)option_number(state, "--max-laps", arg, 1, MAX_LAPS);
        command->family_option = "--max-laps";
        return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_failure(state, EXIT_USAGE, 0, "name a recording, e.g. vectors/pathfinder.n3.blt"); return 0;
    case ARGP_KEY_END:
        if (command->family_option && !command->chip.family)
            argp_failure(state, EXIT_USAGE, 0, "%s: only with --family", command->family_option);
        if (command->replay.sm >= 0)
            argp_failure(state, EXIT_USAGE, 0, "--sm: a chip plays all of its SMs");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_chip(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {options, parse, "RECORDING...",
                                     "Replays recordings on all SMs of a chip (block 'ballast'): governors, votes, VF "
                                     "domains; RTL against C model.", children, 0, 0};
    static chip_command command = {.chip = {.skew = 13, .launch = -1, .max_laps = 64}};
    int worst = EXIT_PASS;
    table t;

    replay_options_default(&command.replay);
    replay_options_chip(&command.replay);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (!replay_prepare_out(&command.replay))
        return EXIT_BAD_INPUT;
    interrupt_install();
    table_begin(&t, NULL, NULL);
    if (command.chip.family)
        return replay_chip(&command.replay, (const char *const *)command.files, (unsigned)command.num_files,
                           &command.chip, NULL, &t, NULL);
    for (int i = 0; i < command.num_files && worst != EXIT_STOPPED; i++) {
        const char *file = command.files[i];
        const int status = replay_chip(&command.replay, &file, 1, &command.chip, NULL, &t, NULL);

        worst = status > worst ? status : worst;
    }
    return worst;
}
