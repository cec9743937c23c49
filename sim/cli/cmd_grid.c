/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast grid: recordings whose recorder did not note the shape of the grids get it afterwards; their digests in a manifest follow.
 */
#include "cli/commands.h"
#include "cli/manifest.h"
#include "cli/say.h"
#include "recording/trace.h"

typedef struct grid_command {
    const char *manifest;
    uint32_t grid_x, launch; /* launch: counted from 1, 0: all */
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

static int set_grid(void *user, const char *path)
{
    const grid_command *command = user;
    trace_err err = {.text = ""};
    char why[512];

    if (command->manifest && !manifest_renew(command->manifest, path, true, why, sizeof why))
        return complain("%s", why);
    if (!trace_set_grid(path, command->launch ? command->launch - 1 : TRACE_NO_LAUNCH, command->grid_x, &err))
        return complain("%s", err.text);
    if (command->manifest && !manifest_renew(command->manifest, path, false, why, sizeof why))
        return complain("%s", why);
    return EXIT_PASS;
}

int cmd_grid(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"grid --grid-x 16 --manifest vectors/MANIFEST.csv vectors/hotspot.n1.blt"},
        .rows = rows, .check = check, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/hotspot.n1.blt",
        .doc = "Writes into the headers of recordings how many CTAs a row of their grids has (doc/use/trace_format.md)."
               "\vThe cycles stay as they are. A recording is replaced as a whole or not at all."};
    grid_command command = {.manifest = NULL};
    const arguments files = command_parse(&line, argc, argv, &command);

    return each_file(&files, set_grid, &command);
}
