/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast grid: recordings whose recorder did not note the shape of the grids get it afterwards; their digests in a manifest follow.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/manifest.h"
#include "cli/say.h"
#include "files/out_dir.h"
#include "recording/trace.h"
#include "replay/interrupt.h"

typedef struct grid_command {
    const char *manifest;
    uint32_t grid_x, launch; /* launch: counted from 1, 0: all */
    unsigned num, done;      /* recordings */
} grid_command;

enum { ROW_GRID_X };
static const option_row rows[] = {
    {"grid-x", 'x', "N", "CTAs in a row; 0: the grid is 1-D", NUMBER(grid_command, grid_x, 0, UINT32_MAX)},
    {"launch", 'l', "N", "Of this launch only, as 'ballast info' counts (default: of all)", NUMBER(grid_command, launch, 1, TRACE_MAX_LAUNCHES)},
    {"manifest", 'm', "FILE.csv", "Manifest that lists the recordings: their digests in it become those of the new files",
     MEMBER(grid_command, manifest)},
    {0}};

static void check(void *user, arguments *given, const struct argp_state *state)
{
    (void)user;
    if (!(given->given >> ROW_GRID_X & 1))
        argp_failure(state, EXIT_USAGE, 0, "no --grid-x");
}

/* Both are complete beside their places before the first one is put there, and the disk has them: between the two there is nothing to
 * wait for. */
static int renew_both(const grid_command *command, const char *path, placed_file *recording)
{
    placed_file list;
    char why[2 * PLACED_PATH];

    if (!manifest_renew(command->manifest, path, recording->temporary, &list, why, sizeof why)) {
        placed_close(recording, false);
        return complain("%s", why);
    }
    if (!placed_close_both(recording, &list))
        return complain("%s: cannot write it together with its digest in %s: %m; the same command again", path, command->manifest);
    return EXIT_PASS;
}

/* An interrupt counts between two recordings. */
static int set_grid(void *user, const char *path)
{
    grid_command *command = user;
    const uint32_t launch = command->launch ? command->launch - 1 : TRACE_NO_LAUNCH;
    trace_err err = {.text = ""};
    placed_file recording;
    int status = EXIT_PASS;

    if (interrupted) {
        complain("interrupted, %u of %u recordings are done; the same command goes on", command->done, command->num);
        return EXIT_STOPPED;
    }
    if (!command->manifest ? !trace_set_grid(path, launch, command->grid_x, &err)
                           : !trace_write_grid(path, launch, command->grid_x, &recording, &err))
        return complain("%s", err.text);
    if (command->manifest)
        status = renew_both(command, path, &recording);
    command->done += status == EXIT_PASS;
    return status;
}

/* Of the manifest. */
static bool take_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    const int length = slash && slash > path ? (int)(slash - path) : 1;
    char folder[PLACED_PATH], err[OUT_DIR_ERR];

    snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".");
    return out_dir_lock(folder, err) || (complain("%s", err), false);
}

int cmd_grid(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"grid --grid-x 16 --manifest vectors/MANIFEST.csv vectors/hotspot.n1.blt"},
        .rows = rows, .check = check, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/hotspot.n1.blt",
        .doc = "Writes into the headers of recordings how many CTAs a row of their grids has (doc/use/trace_format.md)."
               "\vThe cycles stay as they are. A recording is replaced as a whole or not at all, and its digest with it. After an "
               "interrupt, the same command goes on."};
    grid_command command = {.manifest = NULL};
    const arguments files = command_parse(&line, argc, argv, &command);

    interrupt_install();
    if (command.manifest && !take_folder(command.manifest))
        return EXIT_BAD_INPUT;
    command.num = files.num;
    return each_file(&files, set_grid, &command);
}
