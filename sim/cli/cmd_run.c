/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast run: the main job. Every recording of a manifest in open loop, every family of
 * recordings with the controller in charge; table, decision logs, waveforms, views, report.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/manifest.h"
#include "cli/policies.h"
#include "cli/replay.h"
#include "cli/run_data.h"
#include "cli/show.h"
#include "analytic/gpu_file.h"
#include "report/report.h"
#include "replay/interrupt.h"

enum { KEY_VIEWS = 0x200, KEY_LAPS, KEY_KERNELS, KEY_GPU, KEY_BUILD };

typedef struct run_command {
    replay_options replay;
    const char *manifest_path, *build;
    unsigned max_laps;
    manifest manifest;
    table table;
    show show;
    analytic_gpu gpu; /* that made the recordings, for the models */
    oracle_source model;
    policies_kernel *kernels[MANIFEST_MAX]; /* the policies side by side */
    unsigned num_kernels;
    int status;
} run_command;

static const struct argp_option options[] = {
    {"views", KEY_VIEWS, "DIR", 0, "GTKWave views to make ready for a family's waveform (default tb/blocks)", 0},
    {"max-laps", KEY_LAPS, "N", 0, "Passes over a kernel before a family replay gives up (default 64)", 0},
    {"kernels", KEY_KERNELS, "DIR", 0, "Profiles NAME.kernel for the analytic models (default sim/kernels/recorded)", 0},
    {"gpu", KEY_GPU, "GPU", 0, "GPU that made the recordings, for the models: a name or a file (default fermi)", 0},
    {"build", KEY_BUILD, "DIR", 0, "Where area, gates and proofs leave their results, for the report (default build)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    run_command *command = state->input;
    char err[GPU_FILE_ERR];

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &command->replay; return 0;
    case KEY_KERNELS: command->model.kernels = arg; return 0;
    case KEY_BUILD: command->build = arg; return 0;
    case KEY_GPU:
        if (!gpu_file_find(&command->gpu, arg, err))
            argp_failure(state, EXIT_BAD_INPUT, 0, "%s", err);
        return 0;
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

/* Every policy on the same recordings, and what the analytic models say. */
static void run_policies(run_command *command, const family *f)
{
    policies_kernel *kernel = malloc(sizeof *kernel);

    if (!kernel) {
        fprintf(stderr, "ballast: out of memory\n");
        note_status(command, EXIT_BAD_INPUT);
        return;
    }
    note_status(command, policies_run(&command->replay, f, command->max_laps, &command->table, kernel));
    note_status(command, policies_predict(kernel, &command->model));
    show_equalizer(&command->show, f->paths, f->num_paths, f->launch,
                   session_limit_track(&kernel->policy[POLICY_EQUALIZER].result)->num_points);
    command->kernels[command->num_kernels++] = kernel;
}

static void run_family(run_command *command, const family *f)
{
    const family_options how = {.launch = f->launch, .max_laps = command->max_laps};
    replay_options replay = command->replay;
    family_outcome outcome;
    int status;

    replay_options_perfsat(&replay);
    replay.wave = replay.print_log = true;
    status = replay_family(&replay, f->paths, f->num_paths, &how, f->name, &command->table, &outcome);
    note_status(command, status);
    if (status == EXIT_PASS)
        show_family(&command->show, &replay, f->name, f->paths, f->num_paths, f->launch, &outcome.result);

    session_result_free(&outcome.result);
    if (go_on(command))
        run_policies(command, f);
}

static bool visit_family(void *user, const family *f)
{
    run_command *command = user;

    run_family(command, f);
    return go_on(command);
}

static void run_families(run_command *command)
{
    trace_err err = {.text = ""};

    if (!go_on(command))
        return;
    if (!families_each(&command->manifest, visit_family, command, &err)) {
        fprintf(stderr, "ballast: %s\n", err.text);
        note_status(command, EXIT_BAD_INPUT);
    }
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
    }
    if (csv && fclose(csv) == 0)
        printf("as data: %s\n", path);
}

/* What the models said, kernel by kernel; those without a profile are left out. */
static void report_models(run_command *command)
{
    const oracle *all[MANIFEST_MAX];
    char csv[4200];
    unsigned num = 0;
    FILE *f;

    for (unsigned k = 0; k < command->num_kernels; k++)
        if (command->kernels[k]->has_oracle)
            all[num++] = &command->kernels[k]->oracle;
    if (!num)
        return;
    snprintf(csv, sizeof csv, "%s/model.csv", command->replay.out);
    f = fopen(csv, "w");
    if (f)
        oracle_csv_header(f, all[0]);
    printf("\nWhat the analytic models predict (%s), what was recorded, what each policy chose; speed in percent of the fastest "
           "recorded limit:\n", command->gpu.name);
    oracle_print_header(stdout, all[0]);
    for (unsigned i = 0; i < num; i++) {
        oracle_print(stdout, all[i]);
        if (f)
            oracle_csv(f, all[i]);
    }
    if (f && fclose(f) == 0)
        printf("as data: %s\n", csv);
}

/* ---- all ------------------------------------------------------------------------- */

static FILE *open_table(const char *dir, const char *name)
{
    char path[4200];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    if (!f)
        fprintf(stderr, "ballast: %s: cannot write (%s); choose another directory with --out\n", path, strerror(errno));
    return f;
}

static void run_replays(run_command *command, FILE *text, FILE *csv)
{
    table_begin(&command->table, text, csv);
    run_recordings(command);
    run_families(command);
    if (go_on(command))
        table_end(&command->table);
}

/* The page comes from the files that the run has left, as 'ballast report' makes it. */
static void report_run(run_command *command)
{
    const char *out = command->replay.out;
    const report_options how = {.out = out, .build = command->build};
    char err[REPORT_ERR];

    report_policies(command);
    report_models(command);
    show_blocks(&command->show, &command->replay, &command->status);
    if (!go_on(command))
        return;
    if (!run_data_kernels(out, (const policies_kernel *const *)command->kernels, command->num_kernels) ||
        !run_data_end(out, command->manifest_path)) {
        note_status(command, EXIT_BAD_INPUT);
    } else if (!report_write(&how, err)) {
        fprintf(stderr, "ballast: %s\n", err);
        note_status(command, EXIT_BAD_INPUT);
    } else {
        printf("report: %s/report.html\n", out);
    }
}

static int run_all(run_command *command)
{
    const char *out = command->replay.out;
    char err[512];
    FILE *text, *csv;

    if (!manifest_read(&command->manifest, command->manifest_path, err, sizeof err) ||
        !manifest_check(&command->manifest, command->manifest_path, err, sizeof err)) {
        fprintf(stderr, "ballast: %s\n", err);
        return EXIT_BAD_INPUT;
    }
    if (!report_possible(out, err)) {
        fprintf(stderr, "ballast: %s\n", err);
        return EXIT_BAD_INPUT;
    }
    run_data_begin(out);
    text = open_table(out, "table.txt");
    csv = text ? open_table(out, "verdicts.csv") : NULL;
    if (csv)
        run_replays(command, text, csv);
    else
        note_status(command, EXIT_BAD_INPUT);
    if (text)
        fclose(text);
    if (csv)
        fclose(csv);
    if (csv && go_on(command))
        report_run(command);
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
    static run_command command = {
        .show = {.views = "tb/blocks"}, .build = "build", .max_laps = 64, .model = {.kernels = "sim/kernels/recorded"}};
    int status;

    analytic_gpu_find("fermi", &command.gpu);
    command.model.gpu = &command.gpu;
    command.model.options = predict_options_default();
    replay_options_default(&command.replay);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (!replay_prepare_out(&command.replay))
        return EXIT_BAD_INPUT;
    interrupt_install(); /* before the first file is begun */
    status = run_all(&command);
    manifest_free(&command.manifest);
    return status;
}
