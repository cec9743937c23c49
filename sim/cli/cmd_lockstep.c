/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast lockstep: open-loop replay of recordings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/replay.h"
#include "replay/interrupt.h"

enum { KEY_SALVAGE = 0x200 };

typedef struct lockstep_command {
    replay_options replay;
    bool salvage;
    char **files;
    int num_files;
} lockstep_command;

static const struct argp_option options[] = {
    {"salvage", KEY_SALVAGE, 0, 0, "Replay what precedes the damage in a damaged recording", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    lockstep_command *command = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case KEY_SALVAGE: command->salvage = true; return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_failure(state, EXIT_USAGE, 0, "name a recording, e.g. vectors/pathfinder.n3.blt"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_lockstep(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {options, parse, "RECORDING...",
                                     "Replays recordings as recorded and compares RTL and C model on every "
                                     "output and register in every cycle.", children, 0, 0};
    lockstep_command command = {.salvage = false};
    int worst = EXIT_PASS;
    table t;

    replay_options_default(&command.replay);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (!replay_prepare_out(&command.replay))
        return EXIT_BAD_INPUT;
    interrupt_install();
    table_begin(&t, NULL, NULL);
    for (int i = 0; i < command.num_files && worst != EXIT_STOPPED; i++) {
        const int status = replay_recording(&command.replay, command.files[i], command.salvage, &t);

        worst = status > worst ? status : worst;
    }
    return worst;
}
