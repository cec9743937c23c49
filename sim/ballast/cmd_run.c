/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast run: the main job. Every recording of a manifest in open loop, every family of
 * recordings with the controller in charge; table, decision logs, waveforms, views, report.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/commands.h"
#include "ballast/manifest.h"
#include "ballast/replay.h"
#include "ballast/run_report.h"
#include "ballast/views.h"
#include "session/interrupt.h"

enum { KEY_VIEWS = 0x200, KEY_LAPS };

/* A family's waveform, as far as views need to know it. */
typedef struct family_wave {
    char path[4096];
    uint64_t cycles, first_change;
    unsigned changes;
} family_wave;

typedef struct run_command {
    replay_options replay;
    const char *manifest_path;
    const char *views; /* directory of GTKWave views */
    unsigned max_laps;
    manifest manifest;
    table table;
    run_report *report;
    family_wave shown; /* what the plain views show: the family whose limit changes most often */
    int status;
} run_command;

static const struct argp_option options[] = {
    {"views", KEY_VIEWS, "DIR", 0, "GTKWave views to make ready for a family's waveform (default sim/views)", 0},
    {"max-laps", KEY_LAPS, "N", 0, "Passes over a kernel before a family replay gives up (default 64)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    run_command *command = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case KEY_VIEWS: command->views = arg; return 0;
    case KEY_LAPS: command->max_laps = (unsigned)option_number(state, "--max-laps", arg, 1, MAX_LAPS); return 0;
    case ARGP_KEY_ARG:
        if (command->manifest_path)
            argp_failure(state, EXIT_USAGE, 0, "one manifest only");
        command->manifest_path = arg;
        return 0;
    case ARGP_KEY_END:
        if (!command->manifest_path)
            argp_failure(state, EXIT_USAGE, 0, "name a manifest, e.g. vectors/MANIFEST.csv");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void note_status(run_command *command, int status)
{
    command->status = status > command->status ? status : command->status;
}

static bool go_on(const run_command *command)
{
    return command->status != EXIT_STOPPED;
}

/* ---- open loop ------------------------------------------------------------------- */

static void run_recordings(run_command *command)
{
    replay_options replay = command->replay;

    replay.print_log = false;
    for (unsigned i = 0; i < command->manifest.num && go_on(command); i++)
        note_status(command, replay_recording(&replay, command->manifest.entries[i].path, false, &command->table));
}

/* ---- families -------------------------------------------------------------------- */

static unsigned members_of(const manifest *m, const char *kernel, const char **paths)
{
    unsigned n = 0;

    for (unsigned i = 0; i < m->num; i++)
        if (!strcmp(m->entries[i].kernel, kernel))
            paths[n++] = m->entries[i].path;
    return n;
}

/* A search is read over the whole run, a combinational block over some cycles around the first
 * change of the limit. */
static wave_range view_range(const family_wave *shown, const block *b)
{
    enum { CLOSE_UP = 75 };
    wave_range range = {0, shown->cycles, shown->cycles};

    if (!b->rtl->clocked) {
        range.first = shown->first_change > CLOSE_UP ? shown->first_change - CLOSE_UP : 0;
        range.last = range.first + (uint64_t)2 * CLOSE_UP;
        range.marker = shown->first_change;
    }
    return range;
}

/* OUT/<prefix><block>.gtkw for every block. */
static void make_views(const run_command *command, const family_wave *shown, const char *prefix)
{
    for (const block *const *b = command->replay.blocks; *b; b++) {
        const wave_range range = view_range(shown, *b);
        char source[4096], target[4096];

        snprintf(source, sizeof source, "%s/%s.gtkw", command->views, (*b)->model->stem);
        snprintf(target, sizeof target, "%s/%s%s.gtkw", command->replay.out, prefix, (*b)->name);
        if (!view_make(source, target, *b, shown->path, &range))
            fprintf(stderr, "ballast: %s: cannot make %s from it\n", source, target);
        else if (!prefix[0])
            printf("waveform view of %s: gtkwave %s\n", (*b)->name, target);
    }
}

static void view_family(run_command *command, const char *name, const session_result *result)
{
    family_wave view = {.cycles = result->cycles, .changes = result->num_limits};
    char prefix[MANIFEST_TEXT + 32];

    snprintf(view.path, sizeof view.path, "%s/%s.sm0.fst", command->replay.out, name);
    snprintf(prefix, sizeof prefix, "%s.", name);
    view.first_change = result->num_limits > 1 ? result->limits[1].cycle : 0;
    make_views(command, &view, prefix);
    if (view.changes > command->shown.changes)
        command->shown = view;
}

static void run_family(run_command *command, const char *kernel, const char *const *paths, unsigned num,
                       unsigned launch, bool only_one)
{
    const family_options how = {.launch = launch, .max_laps = command->max_laps};
    replay_options replay = command->replay;
    family_outcome outcome;
    char name[MANIFEST_TEXT + 16];
    int status;

    replay.wave = replay.print_log = true;
    if (only_one)
        snprintf(name, sizeof name, "%s", kernel);
    else
        snprintf(name, sizeof name, "%s.launch%u", kernel, launch + 1);
    status = replay_family(&replay, paths, num, &how, name, &command->table, &outcome);
    note_status(command, status);
    if (status == EXIT_PASS) {
        view_family(command, name, &outcome.result);
        run_report_family(command->report, name, &outcome.result, outcome.found);
    }
    session_result_free(&outcome.result);
}

static bool name_seen(const trace_meta *meta, unsigned launch)
{
    for (unsigned i = 0; i < launch; i++)
        if (!strcmp(meta->launches[i].name, meta->launches[launch].name))
            return true;
    return false;
}

static unsigned distinct_kernels(const trace_meta *meta)
{
    unsigned n = 0;

    for (unsigned l = 0; l < meta->num_launches; l++)
        n += !name_seen(meta, l);
    return n;
}

/* A program's recordings: of each of its kernels the longest launch. */
static void run_program(run_command *command, const char *kernel)
{
    const char *paths[MANIFEST_MAX];
    const unsigned num = members_of(&command->manifest, kernel, paths);
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(paths[0], NULL, &err);
    const trace_meta *meta;

    if (!reader) {
        fprintf(stderr, "ballast: %s\n", err.text);
        note_status(command, EXIT_BAD_INPUT);
        return;
    }
    meta = trace_get_meta(reader);
    for (unsigned launch = 0; launch < meta->num_launches && go_on(command); launch++)
        if (!name_seen(meta, launch))
            run_family(command, kernel, paths, num, family_longest_launch(reader, meta->launches[launch].name),
                       distinct_kernels(meta) == 1);
    trace_close(reader);
}

static bool kernel_seen(const manifest *m, unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(m->entries[i].kernel, m->entries[index].kernel))
            return true;
    return false;
}

static void run_families(run_command *command)
{
    for (unsigned i = 0; i < command->manifest.num && go_on(command); i++)
        if (!kernel_seen(&command->manifest, i))
            run_program(command, command->manifest.entries[i].kernel);
}

/* ---- all ------------------------------------------------------------------------- */

static int run_all(run_command *command)
{
    char path[4096], err[512];
    FILE *copy;

    if (!manifest_read(&command->manifest, command->manifest_path, err, sizeof err) ||
        !manifest_check(&command->manifest, command->manifest_path, err, sizeof err)) {
        fprintf(stderr, "ballast: %s\n", err);
        return EXIT_BAD_INPUT;
    }
    snprintf(path, sizeof path, "%s/table.txt", command->replay.out);
    copy = fopen(path, "w");
    command->report = copy ? run_report_open(command->replay.out) : NULL;
    if (!command->report) {
        fprintf(stderr, "ballast: %s: cannot write (%s); choose another directory with --out\n", path, strerror(errno));
        if (copy)
            fclose(copy);
        return EXIT_BAD_INPUT;
    }
    interrupt_install();
    table_begin(&command->table, copy);
    run_recordings(command);
    run_families(command);
    if (go_on(command))
        table_end(&command->table);
    fclose(copy);
    if (go_on(command)) {
        if (command->shown.path[0])
            make_views(command, &command->shown, "");
        run_report_close(command->report, &command->table);
    } else {
        run_report_abort(command->report);
    }
    return command->status;
}

int cmd_run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {options, parse, "MANIFEST.csv",
                                     "Runs all recordings of a manifest through all blocks in lockstep.",
                                     children, 0, 0};
    static run_command command = {.views = "sim/views", .max_laps = 64};
    int status;

    replay_options_default(&command.replay);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (!replay_prepare_out(&command.replay))
        return EXIT_BAD_INPUT;
    status = run_all(&command);
    manifest_free(&command.manifest);
    return status;
}
