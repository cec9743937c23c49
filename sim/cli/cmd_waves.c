/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast waves: a waveform of one block on some recording, or of a part of it, with the block's view.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/explained.h"
#include "cli/replay.h"
#include "cli/shown.h"
#include "replay/interrupt.h"

enum { KEY_VIEWS = 0x200 };

typedef struct waves_command {
    replay_options replay;
    shown shown;
    const char *views;
    char out[4096]; /* OUT/BLOCK: the same recording of another block is another waveform */
    char **files;
    unsigned num_files;
} waves_command;

static const struct argp_option options[] = {
    {"views", KEY_VIEWS, "DIR", 0, "Views of the blocks (default tb/blocks)", 0}, {0}};

static void take_arguments(waves_command *command, struct argp_state *state)
{
    char err[VIEW_ERR];

    if (state->argc - state->next < 2)
        argp_failure(state, EXIT_USAGE, 0, "name a block and a recording, e.g. lcs vectors/pathfinder.n3.blt");
    if (!shown_prepare(&command->shown, command->views, state->argv[state->next], &command->replay, err))
        argp_failure(state, EXIT_USAGE, 0, "%s", err);
    snprintf(command->out, sizeof command->out, "%s/%s", command->replay.out, command->shown.block_name);
    command->shown.replay.out = command->out;
    command->replay = command->shown.replay; /* is looked at closely at the end of the options */
    command->files = state->argv + state->next + 1;
    command->num_files = (unsigned)(state->argc - state->next - 1);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    waves_command *command = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case KEY_VIEWS: command->views = arg; return 0;
    case ARGP_KEY_ARGS: take_arguments(command, state); return 0;
    case ARGP_KEY_NO_ARGS: argp_failure(state, EXIT_USAGE, 0, "name a block, e.g. lcs, and a recording"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The SM that was asked for, or the first one recorded. */
static int replay_alone(waves_command *command, const char *path, table *t, session_result *result)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    replay_options *replay = &command->shown.replay;
    int status = EXIT_BAD_INPUT;
    bool there = false;

    if (!reader) {
        fprintf(stderr, "ballast: %s\n", err.text);
        return status;
    }
    if (replay->sm < 0)
        replay->sm = (int)trace_get_sm(reader, 0)->sm;
    for (unsigned i = 0; i < trace_num_sms(reader); i++)
        there |= trace_get_sm(reader, i)->sm == replay->sm;
    if (there)
        status = replay_open_loop(replay, path, reader, (unsigned)replay->sm, t, result);
    else
        fprintf(stderr, "ballast: %s: has no SM %d; 'ballast info' lists its SMs\n", path, replay->sm);
    trace_close(reader);
    return status;
}

static unsigned longest_launch(const char *path)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    const unsigned launch = reader ? family_longest_launch(reader, NULL) : 0;

    trace_close(reader);
    return launch;
}

/* Several recordings are a family; a chip's block plays all SMs. */
static int replay_shown(waves_command *command, const char *name, table *t, session_result *result)
{
    const char *const *files = (const char *const *)command->files;
    const replay_options *replay = &command->shown.replay;
    const bool many = command->num_files > 1;
    const chip_options chip = {.skew = 13, .family = many, .launch = -1, .max_laps = MAX_LAPS};
    family_options how = {.max_laps = MAX_LAPS};
    family_outcome outcome;
    int status;

    memset(&outcome, 0, sizeof outcome);
    if (!many && !shown_is_chip(&command->shown))
        return replay_alone(command, files[0], t, result);
    how.launch = longest_launch(files[0]);
    how.sm = replay->sm > 0 ? (unsigned)replay->sm : 0;
    if (shown_is_chip(&command->shown))
        status = replay_chip(replay, files, command->num_files, &chip, name, t, &outcome);
    else
        status = replay_family(replay, files, command->num_files, &how, name, t, &outcome);
    *result = outcome.result;
    return status;
}

static int make_waves(waves_command *command, table *t)
{
    const replay_options *replay = &command->shown.replay;
    const wave_extent *extent = &replay->extent;
    char name[128], where[16], fst[4096], target[4096], err[VIEW_ERR];
    session_result result;
    wave_range range;
    int status;

    memset(&result, 0, sizeof result);
    recording_name(name, sizeof name, command->files[0]);
    if (command->num_files > 1)
        name[strcspn(name, ".")] = '\0';
    status = replay_shown(command, name, t, &result);
    snprintf(where, sizeof where, shown_is_chip(&command->shown) ? "chip" : "sm%d", replay->sm > 0 ? replay->sm : 0);
    snprintf(fst, sizeof fst, "%s/%s.%s.fst", replay->out, name, where);
    snprintf(target, sizeof target, "%s/%s.%s.gtkw", replay->out, name, where);
    range = (wave_range){extent->first, extent->last < result.cycles ? extent->last : result.cycles, extent->first};
    if (status == EXIT_PASS || (status == EXIT_MISMATCH && result.cycles > extent->first)) {
        const bool part = extent->first || extent->last != UINT64_MAX;

        if (shown_save(&command->shown, target, fst, &result, part ? &range : NULL, err)) {
            printf("%s\n", target);
        } else {
            fprintf(stderr, "ballast: %s\n", err);
            status = EXIT_BAD_INPUT;
        }
    }
    session_result_free(&result);
    return status;
}

int cmd_waves(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {options, parse, "BLOCK RECORDING...",
                                     "Writes a waveform of a block, or with --wave-from and --wave-to of a part of the run, and "
                                     "the block's GTKWave view of it. Several recordings are a family: the limit picks "
                                     "among them.", children, 0, 0};
    static waves_command command = {.views = "tb/blocks"};
    table quiet;
    int status;

    replay_options_default(&command.replay);
    command.replay.out = "build/waves";
    command.replay.wave = true;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    command.shown.replay = command.replay;
    if (!replay_prepare_out(&command.replay))
        return EXIT_BAD_INPUT;
    interrupt_install();
    table_begin(&quiet, NULL, NULL);
    quiet.silent = true;
    status = make_waves(&command, &quiet);
    return status;
}
