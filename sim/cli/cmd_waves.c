/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast waves: a waveform of one block on some recording, or of a part of it, with the block's view.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "cli/show.h"
#include "files/data_dir.h"

typedef struct waves_command {
    replay_options replay;
    shown shown;
    const char *views;
    unsigned launch; /* of a family; 0: the longest */
    char out[4096]; /* OUT/BLOCK: the same recording of another block is another waveform */
} waves_command;

static void take_block(void *user, arguments *given, const struct argp_state *state)
{
    waves_command *command = user;
    char err[VIEW_ERR];

    if (given->num < 1)
        argp_failure(state, EXIT_USAGE, 0, "name a block and a recording, e.g. lcs vectors/pathfinder.n3.blt");
    if (!shown_prepare(&command->shown, command->views, given->file[0], &command->replay, err))
        argp_failure(state, EXIT_USAGE, 0, "%s", err);
    if (given->num < 2 && !command->shown.run.random)
        argp_failure(state, EXIT_USAGE, 0, "%s: name a recording, too, e.g. vectors/pathfinder.n3.blt", given->file[0]);
    snprintf(command->out, sizeof command->out, "%s/%s", command->replay.out, command->shown.block_name);
    command->shown.replay.out = command->out;
    command->replay = command->shown.replay; /* is looked at closely at the end of the options */
    if (command->launch && given->num < 3)
        argp_failure(state, EXIT_USAGE, 0, "--launch: only with a family, which is several recordings");
    given->file++;
    given->num--;
}

/* The SM that was asked for, or the first one recorded. */
static int replay_alone(replay_options *replay, const char *path, const char *name, table *t, session_result *result)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    int status = EXIT_BAD_INPUT;

    if (!reader)
        return complain("%s", err.text);
    if (replay->sm < 0)
        replay->sm = (int)trace_get_sm(reader, 0)->sm;
    if (replay_has_sm(reader, path, replay->sm))
        status = replay_sm(replay, name, reader, (unsigned)replay->sm, t, result);
    trace_close(reader);
    return status;
}

/* Several recordings are a family, none is random stimulus; a chip's block plays all SMs. */
static int play(waves_command *command, const arguments *files, const char *name, session_result *result)
{
    shown *s = &command->shown;
    table quiet = {.silent = true};
    unsigned launch;

    if (files->num == 0) {
        s->replay.max_cycles = replay_at_most(&s->replay, s->run.random);
        return shown_play(s, NULL, 0, 0, name, &quiet, result);
    }
    if (files->num == 1 && !shown_is_chip(s))
        return replay_alone(&s->replay, files->file[0], name, &quiet, result);
    launch = command->launch - 1;
    if (!command->launch && !replay_longest_launch(files->file[0], &launch))
        return EXIT_BAD_INPUT;
    return shown_play(s, files->file, files->num, launch, name, &quiet, result);
}

static int save(const shown *s, const char *name, const session_result *result)
{
    const wave_extent *extent = &s->replay.extent;
    const uint64_t last = extent->last < result->cycles ? extent->last : result->cycles;
    const wave_range range = {extent->first, last, extent->first, last};
    const bool part = extent->first || extent->last != UINT64_MAX;
    char where[16], fst[4096], target[4096], err[VIEW_ERR];

    snprintf(where, sizeof where, shown_is_chip(s) ? "chip" : "sm%d", s->replay.sm > 0 ? s->replay.sm : 0);
    snprintf(fst, sizeof fst, "%s/%s.%s.fst", s->replay.out, name, where);
    snprintf(target, sizeof target, "%s/%s.%s.gtkw", s->replay.out, name, where);
    if (!shown_save(s, target, fst, result, part ? &range : NULL, err))
        return complain("%s", err);
    printf("%s\n", target);
    return EXIT_PASS;
}

/* After the last cycle to be seen there is nothing to play for; the end of a run writes one cycle more, which is to be outside. */
static void end_with_the_window(replay_options *replay)
{
    if (replay->extent.last != UINT64_MAX)
        replay->max_cycles = replay_at_most(replay, replay->extent.last + 2);
}

static void name_it(char *name, size_t size, const arguments *files)
{
    if (files->num == 0)
        snprintf(name, size, "random");
    else
        (files->num > 1 ? family_name : recording_name)(name, size, files->file[0]);
}

int cmd_waves(int argc, char **argv)
{
    static const option_row rows[] = {
        {"views", 0, "DIR", "Views of the blocks (default tb/blocks)", MEMBER(waves_command, views)},
        {"launch", 0, "N", "Of a family: kernel launch to replay, from 1 (default: the longest)",
         NUMBER(waves_command, launch, 1, TRACE_MAX_LAUNCHES)}, {0}};
    static const command_line line = {
        .examples = {"waves lcs vectors/pathfinder.n3.blt", "waves ballast_chip"},
        .rows = rows, .replays = true, .args_doc = "BLOCK [RECORDING...]", .check = take_block, .file = "block and a recording",
        .example = "lcs vectors/pathfinder.n3.blt",
        .doc = "Writes a waveform of a block, or with --wave-from and --wave-to of a part of the run, and the block's view of it for GTKWave and Surfer. "
               "Several recordings are a family: the limit picks among them. A block with nothing to do in a recording (ballast_chip: nobody is "
               "on its bus) has random stimulus without one."};
    static waves_command command;
    session_result result = {.cycles = 0};
    arguments files;
    char name[128];
    int status;

    replay_options_default(&command.replay);
    command.replay.out = "build/waves";
    command.views = data_path("tb/blocks");
    command.replay.wave = true;
    files = command_parse(&line, argc, argv, &command);
    end_with_the_window(&command.replay);
    command.shown.replay = command.replay;
    if (!replay_begin(&command.replay))
        return EXIT_BAD_INPUT;
    name_it(name, sizeof name, &files);
    status = play(&command, &files, name, &result);
    if (status == EXIT_PASS || (status == EXIT_MISMATCH && result.cycles > command.replay.extent.first))
        status = worse(status, save(&command.shown, name, &result));
    session_result_free(&result);
    return status;
}
