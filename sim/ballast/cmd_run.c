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
#include "ballast/policies.h"
#include "ballast/replay.h"
#include "ballast/run_report.h"
#include "ballast/show.h"
#include "session/interrupt.h"

enum { KEY_VIEWS = 0x200, KEY_LAPS };

typedef struct run_command {
    replay_options replay;
    const char *manifest_path;
    unsigned max_laps;
    manifest manifest;
    table table;
    run_report *report;
    show show;
    policies_kernel *kernels[MANIFEST_MAX]; /* the policies side by side */
    unsigned num_kernels;
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
    case KEY_VIEWS: command->show.views = arg; return 0;
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

/* Every policy on the same recordings. */
static void run_policies(run_command *command, const char *name, const char *const *paths, unsigned num,
                         unsigned launch)
{
    policies_kernel *kernel = malloc(sizeof *kernel);

    if (!kernel) {
        fprintf(stderr, "ballast: out of memory\n");
        note_status(command, EXIT_BAD_INPUT);
        return;
    }
    note_status(command, policies_run(&command->replay, paths, num, launch, name, command->max_laps,
                                      &command->table, kernel));
    show_equalizer(&command->show, paths, num, launch,
                   session_limit_track(&kernel->policy[POLICY_EQUALIZER].result)->num_points);
    command->kernels[command->num_kernels++] = kernel;
}

static void run_family(run_command *command, const char *kernel, const char *const *paths, unsigned num,
                       unsigned launch, bool only_one)
{
    const family_options how = {.launch = launch, .max_laps = command->max_laps};
    replay_options replay = command->replay;
    family_outcome outcome;
    char name[MANIFEST_TEXT + 16];
    int status;

    replay_options_perfsat(&replay);
    replay.wave = replay.print_log = true;
    if (only_one)
        snprintf(name, sizeof name, "%s", kernel);
    else
        snprintf(name, sizeof name, "%s.launch%u", kernel, launch + 1);
    status = replay_family(&replay, paths, num, &how, name, &command->table, &outcome);
    note_status(command, status);
    if (status == EXIT_PASS) {
        show_family(&command->show, &replay, name, paths, num, launch, &outcome.result);
        run_report_family(command->report, name, &outcome.result, outcome.found);
    }
    session_result_free(&outcome.result);
    if (go_on(command))
        run_policies(command, name, paths, num, launch);
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

/* ---- the policies side by side ----------------------------------------------------- */

static void report_policies(run_command *command)
{
    char path[4096];
    FILE *csv;

    if (!command->num_kernels)
        return;
    snprintf(path, sizeof path, "%s/policies.csv", command->replay.out);
    csv = fopen(path, "w");
    if (csv)
        policies_csv_header(csv);
    printf("\nCTA limit that each policy chose, its speed in percent of the fastest recorded limit, @cycle of the decision:\n");
    policies_print_header(stdout);
    for (unsigned k = 0; k < command->num_kernels; k++) {
        const policies_kernel *kernel = command->kernels[k];

        policies_print(stdout, kernel);
        if (csv)
            policies_csv(csv, kernel);
        run_report_policies(command->report, kernel, policies_draw(kernel, command->replay.out));
    }
    if (csv && fclose(csv) == 0)
        printf("as data: %s; pictures: %s/*.policies.svg\n", path, command->replay.out);
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
        report_policies(command);
        show_blocks(&command->show, &command->replay, &command->status);
        run_report_close(command->report, &command->table);
    } else {
        run_report_abort(command->report);
    }
    for (unsigned k = 0; k < command->num_kernels; k++) {
        policies_free(command->kernels[k]);
        free(command->kernels[k]);
    }
    return command->status;
}

int cmd_run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&replay_argp, 0, 0, 0}, {0}};
    static const struct argp argp = {options, parse, "MANIFEST.csv",
                                     "Runs all recordings of a manifest through all blocks in lockstep.",
                                     children, 0, 0};
    static run_command command = {.show = {.views = "sim/views"}, .max_laps = 64};
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
