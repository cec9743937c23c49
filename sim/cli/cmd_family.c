/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast family: replay of one kernel recorded at every CTA limit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/explained.h"
#include "cli/replay.h"
#include "replay/interrupt.h"

typedef struct family_command {
    replay_options replay;
    family_options family;
    bool launch_given;
    char **files;
    int num_files;
} family_command;

static const struct argp_option options[] = {
    {"launch", 'l', "N", 0, "Kernel launch to replay, from 1 (default: the longest; see 'ballast info')", 0},
    {"progress", 'p', "UNIT", 0, "What 'equally far' means when the recording changes: instructions (default) or ctas", 0},
    {"restart", 'r', "HOW", 0, "When the kernel ends before the controller has converged: continue (default: one long kernel) or launch (a new launch each time)", 0},
    {"max-laps", 'm', "N", 0, "Give up after N passes over the kernel (default 64)", 0},
    {0}};

static void one_of(const struct argp_state *state, const char *arg, const char *first, const char *second,
                   int *value)
{
    if (!strcmp(arg, first))
        *value = 0;
    else if (!strcmp(arg, second))
        *value = 1;
    else
        argp_failure(state, EXIT_USAGE, 0, "'%s' is neither %s nor %s", arg, first, second);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    family_command *command = state->input;
    int choice = 0;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case 'l':
        command->family.launch = (unsigned)option_number(state, "--launch", arg, 1, TRACE_MAX_LAUNCHES) - 1;
        command->launch_given = true;
        return 0;
    case 'm': command->family.max_laps = (unsigned)option_number(state, "--max-laps", arg, 1, MAX_LAPS); return 0;
    case 'p':
        one_of(state, arg, "instructions", "ctas", &choice);
        command->family.progress = choice ? FAMILY_CTAS : FAMILY_INSTRUCTIONS;
        return 0;
    case 'r':
        one_of(state, arg, "continue", "launch", &choice);
        command->family.restart = choice ? FAMILY_NEW_LAUNCH : FAMILY_CONTINUE;
        return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_failure(state, EXIT_USAGE, 0, "name a family, e.g. vectors/pathfinder.n*.blt"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool choose_launch(family_command *command)
{
    trace_err err = {.text = ""};
    trace_reader *reader;

    if (command->launch_given)
        return true;
    reader = trace_open(command->files[0], NULL, &err);
    if (!reader) {
        fprintf(stderr, "ballast: %s\n", err.text);
        return false;
    }
    command->family.launch = family_longest_launch(reader, NULL);
    trace_close(reader);
    return true;
}

int cmd_family(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {options, parse, "RECORDING...",
                                     "Replays one kernel recorded at every CTA limit: the controller's limit "
                                     "picks the recording.", children, 0, 0};
    family_command command = {.family = {.max_laps = 64}};
    char name[128];
    table t;

    replay_options_default(&command.replay);
    replay_options_perfsat(&command.replay);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (command.replay.sm > 0)
        command.family.sm = (unsigned)command.replay.sm;
    if (!replay_prepare_out(&command.replay) || !choose_launch(&command))
        return EXIT_BAD_INPUT;
    interrupt_install();
    table_begin(&t, NULL, NULL);
    recording_name(name, sizeof name, command.files[0]);
    name[strcspn(name, ".")] = '\0';
    return replay_family(&command.replay, (const char *const *)command.files, (unsigned)command.num_files,
                         &command.family, name, &t, NULL);
}
