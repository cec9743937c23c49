/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast trend: several stored runs, by their dates.
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/script.h"
#include "files/placed_file.h"
#include "trend/trend.h"

typedef struct trend_command {
    const char *csv, *html;
    const char *of_store; /* an option of stores, which a script reads */
} trend_command;

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const trend_command *command = user;

    if (command->of_store && !names_store(given))
        argp_failure(state, EXIT_USAGE, 0, "--study, --rows, --value: only of stores of sweeps");
    if (command->html && names_store(given))
        argp_failure(state, EXIT_USAGE, 0, "--html: only of folders of runs");
}

static bool write_file(const trend *t, const char *path, void (*put)(const trend *, FILE *), const char *option)
{
    placed_file to;
    bool ok;

    if (!path)
        return true;
    ok = placed_open(&to, path);
    if (ok)
        put(t, to.file);
    ok = placed_close(&to, ok);
    return ok || (complain("%s: cannot write (%m); choose another file with %s", path, option), false);
}

static bool read_all(trend *t, const arguments *given, trace_err *err)
{
    for (unsigned i = 0; i < given->num; i++)
        if (!trend_add(t, given->file[i], err))
            return false;
    trend_sort(t);
    return true;
}

/* The files come first: what a reader sees is also there for programs. */
static int show(const trend_command *command, const trend *t)
{
    if (!write_file(t, command->csv, trend_csv, "--csv") || !write_file(t, command->html, trend_page, "--html"))
        return EXIT_BAD_INPUT;
    trend_print(t, stdout);
    return EXIT_PASS;
}

int cmd_trend(int argc, char **argv)
{
    static const option_row rows[] = {
        {"csv", 'c', "FILE", "Also write the table as CSV", MEMBER(trend_command, csv)},
        {"html", 0, "FILE", "Also write it as a page, with a picture of the costs", MEMBER(trend_command, html)},
        {"study", 0, "NAME", "Of stores: only this study", MEMBER(trend_command, of_store)},
        {"rows", 'r', "NAME", "Of stores: what has a column, an axis or a column of the results (default policy)", MEMBER(trend_command, of_store)},
        {"value", 'v', "NAME", "Of stores: whose mean (default cost_percent)", MEMBER(trend_command, of_store)},
        {0}};
    static const command_line line = {
        .examples = {"trend build/runs", "trend --csv trend.csv --html trend.html build/before build/run", "trend build/sweep.sqlite"},
        .rows = rows, .check = check, .args_doc = "RUN...", .file = "run", .example = "build/run",
        .doc = "Puts stored runs side by side, by their dates: verdicts, proofs, mutation, coverage, area, speed, costs of the policies (doc/use/trend.md)."
               "\vA RUN is a folder that 'ballast run --out' wrote, or a folder with such folders in it; or all are "
               "stores of sweeps (doc/use/sweep.md). What a run does not have is '-', and is named."};
    trend_command command = {.csv = NULL};
    const arguments given = command_parse(&line, argc, argv, &command);
    trend t = {.num = 0};
    trace_err err = {.text = ""};
    int status;

    if (names_store(&given))
        return become_script("sim/sweep/sweep.py", argc, argv);
    status = read_all(&t, &given, &err) ? show(&command, &t) : complain("%s", err.text);
    trend_free(&t);
    return status;
}
