/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast run: the main job. Every recording of a manifest in open loop, every family of
 * recordings with the controller in charge; table, decision logs, waveforms, views, report. And ballast report: the page of the
 * last run, anew from the files that it left.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/named_chip.h"
#include "cli/policies.h"
#include "cli/run_data.h"
#include "cli/say.h"
#include "cli/show.h"
#include "report/report.h"

typedef struct run_command {
    replay_options replay;
    const char *build;
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

static const option_row run_rows[] = {
    {"views", 0, "DIR", "GTKWave views to make ready for a family's waveform (default tb/blocks)",
     MEMBER(run_command, show.views)},
    {"max-laps", 0, "N", "Passes over a kernel before a family replay gives up (default 64)",
     NUMBER(run_command, max_laps, 1, MAX_LAPS)},
    {"kernels", 0, "DIR", "Profiles NAME.kernel for the analytic models (default sim/kernels/recorded)",
     MEMBER(run_command, model.kernels)},
    {"gpu", 0, "GPU", "GPU that made the recordings, for the models: a name or a file (default fermi)", MEMBER(run_command, gpu),
     .take = option_gpu},
    {"build", 0, "DIR", "Where area, gates and proofs leave their results, for the report (default build)",
     MEMBER(run_command, build)},
    {0}};

static void note_status(run_command *command, int status)
{
    command->status = worse(command->status, status);
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
static void run_policies(run_command *command, const kernel_family *f)
{
    policies_kernel *kernel = malloc(sizeof *kernel);

    if (!kernel) {
        note_status(command, complain("out of memory"));
        return;
    }
    note_status(command, policies_run(&command->replay, f, command->max_laps, &command->table, kernel));
    note_status(command, policies_predict(kernel, &command->model));
    show_remember(&command->show.others, f, session_limit_track(&kernel->policy[POLICY_EQUALIZER].result)->num_points);
    command->kernels[command->num_kernels++] = kernel;
}

static bool run_family(void *user, const kernel_family *f)
{
    run_command *command = user;
    const family_options how = {.launch = f->launch, .max_laps = command->max_laps};
    replay_options replay = command->replay;
    session_result result;
    int status;

    replay_options_perfsat(&replay);
    replay.wave = replay.print_log = true;
    status = replay_family(&replay, f->paths, f->num_paths, &how, f->name, &command->table, &result);
    note_status(command, status);
    if (status == EXIT_PASS)
        show_family(&command->show, &replay, f, &result);
    session_result_free(&result);
    if (go_on(command))
        run_policies(command, f);
    return go_on(command);
}

/* ---- the policies side by side ----------------------------------------------------- */

static void report_policies(const run_command *command)
{
    char path[RUN_DATA_PATH];
    FILE *csv;

    if (!command->num_kernels)
        return;
    csv = run_data_open(path, command->replay.out, "policies.csv");
    if (csv)
        policies_csv_header(csv);
    printf("\nCTA limit that each policy chose, its speed in percent of the fastest recorded limit, @cycle of the decision:\n");
    policies_print_header(stdout);
    for (unsigned k = 0; k < command->num_kernels; k++) {
        policies_print(stdout, command->kernels[k]);
        if (csv)
            policies_csv(csv, command->kernels[k]);
    }
    if (csv && run_data_close(csv, path))
        printf("as data: %s\n", path);
}

/* What the models said, kernel by kernel; those without a profile are left out. */
static void report_models(const run_command *command)
{
    const oracle *all[MANIFEST_MAX];
    char path[RUN_DATA_PATH];
    unsigned num = 0;
    FILE *csv;

    for (unsigned k = 0; k < command->num_kernels; k++)
        if (command->kernels[k]->has_oracle)
            all[num++] = &command->kernels[k]->oracle;
    if (!num)
        return;
    csv = run_data_open(path, command->replay.out, "model.csv");
    if (csv)
        oracle_csv_header(csv, all[0]);
    printf("\nWhat the analytic models predict (%s), what was recorded, what each policy chose; speed in percent of the fastest "
           "recorded limit:\n", command->gpu.name);
    oracle_print_header(stdout, all[0]);
    for (unsigned i = 0; i < num; i++) {
        oracle_print(stdout, all[i]);
        if (csv)
            oracle_csv(csv, all[i]);
    }
    if (csv && run_data_close(csv, path))
        printf("as data: %s\n", path);
}

/* ---- all ------------------------------------------------------------------------- */

/* Into the table's files. False if they cannot be opened. */
static bool run_replays(run_command *command)
{
    char text_path[RUN_DATA_PATH], csv_path[RUN_DATA_PATH];
    FILE *text = run_data_open(text_path, command->replay.out, "table.txt");
    FILE *csv = text ? run_data_open(csv_path, command->replay.out, "verdicts.csv") : NULL;

    if (csv) {
        table_begin(&command->table, text, csv);
        run_recordings(command);
        if (go_on(command))
            note_status(command, families_each(&command->manifest, run_family, command));
        if (go_on(command))
            table_end(&command->table);
        fclose(csv);
    }
    if (text)
        fclose(text);
    return csv != NULL;
}

/* The page comes from the files that the run has left, as 'ballast report' makes it. */
static void report_run(run_command *command, const char *manifest_path)
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
        !run_data_end(out, manifest_path))
        note_status(command, EXIT_BAD_INPUT);
    else if (!report_write(&how, err))
        note_status(command, complain("%s", err));
    else
        printf("report: %s/report.html\n", out);
}

static int run_all(run_command *command, const char *manifest_path)
{
    const char *out = command->replay.out;
    char err[512];

    if (!manifest_read(&command->manifest, manifest_path, err, sizeof err) ||
        !manifest_check(&command->manifest, manifest_path, err, sizeof err) || !report_possible(out, err))
        return complain("%s", err);
    run_data_begin(out);
    if (!run_replays(command))
        return EXIT_BAD_INPUT;
    if (go_on(command))
        report_run(command, manifest_path);
    for (unsigned k = 0; k < command->num_kernels; k++) {
        policies_free(command->kernels[k]);
        free(command->kernels[k]);
    }
    return command->status;
}

int cmd_run(int argc, char **argv)
{
    static const command_line line = {
        .rows = run_rows, .replays = true, .args_doc = "MANIFEST.csv", .file = "manifest",
        .example = "vectors/MANIFEST.csv", .most = 1,
        .doc = "Runs all recordings of a manifest through all blocks in lockstep."};
    static run_command command = {
        .show = {.views = "tb/blocks"}, .build = "build", .max_laps = 64, .model = {.kernels = "sim/kernels/recorded"}};
    arguments files;
    int status;

    analytic_gpu_find("fermi", &command.gpu);
    command.model.gpu = &command.gpu;
    command.model.options = predict_options_default();
    replay_options_default(&command.replay);
    files = command_parse(&line, argc, argv, &command);
    if (!replay_begin(&command.replay)) /* also takes Ctrl-C: before the first file is begun */
        return EXIT_BAD_INPUT;
    status = run_all(&command, files.file[0]);
    manifest_free(&command.manifest);
    return status;
}

int cmd_report(int argc, char **argv)
{
    static const option_row rows[] = {
        {"out", 'o', "DIR", "Where 'ballast run' left its files; the page goes there, too (default build/run)",
         MEMBER(report_options, out)},
        {"build", 0, "DIR", "Where area, gates and proofs leave their results (default build)", MEMBER(report_options, build)},
        {0}};
    static const command_line line = {
        .rows = rows, .doc = "Writes DIR/report.html anew from what the last 'ballast run' left in DIR."};
    report_options how = {.out = "build/run", .build = "build"};
    char err[REPORT_ERR];

    command_parse(&line, argc, argv, &how);
    if (!report_write(&how, err))
        return complain("%s", err);
    printf("report: %s/report.html\n", how.out);
    return EXIT_PASS;
}
