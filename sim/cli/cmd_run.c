/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast run: the main job. Every recording of a manifest in open loop, every family of
 * recordings with the controller in charge; table, decision logs, waveforms, views, report. And ballast report: the page of the
 * last run, anew from the files that it left.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/named_chip.h"
#include "cli/run_ctas.h"
#include "cli/run_data.h"
#include "cli/run_replays.h"
#include "cli/say.h"
#include "files/data_dir.h"
#include "files/out_dir.h"
#include "report/report.h"

typedef struct run_command {
    replay_options replay;
    const char *build;
    run_plan plan;
    manifest manifest;
    table table;
    analytic_gpu gpu; /* that made the recordings, for the models */
    oracle_source model;
    run_replays replays;
    double seconds; /* of the replays */
    int status;
} run_command;

static const option_row run_rows[] = {
    {"views", 0, "DIR", "GTKWave views to make ready for a family's waveform (default tb/blocks)",
     MEMBER(run_command, plan.views)},
    {"max-laps", 0, "N", "Passes over a kernel before a family replay gives up (default 64)",
     NUMBER(run_command, plan.max_laps, 1, MAX_LAPS)},
    {"jobs", 'j', "N", "Replays at once (default: one per core)", NUMBER(run_command, plan.jobs, 1, 256)},
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

/* ---- the policies side by side ----------------------------------------------------- */

static void close_data(run_command *command, FILE *csv, const char *path, const char *name)
{
    if (csv && run_data_close(csv, path))
        printf("as data: %s/%s\n", replay_told(&command->replay), name);
    else
        note_status(command, EXIT_BAD_INPUT);
}

static void report_policies(run_command *command)
{
    char path[RUN_DATA_PATH];
    FILE *csv;

    if (!command->replays.num)
        return;
    csv = run_data_open(path, command->replay.out, "policies.csv");
    if (csv)
        policies_csv_header(csv);
    printf("\nCTA limit that each policy chose, its speed in percent of the fastest recorded limit, @cycle of the decision, "
           "and in which pass over the kernel where that is not the first:\n");
    policies_print_header(stdout);
    for (unsigned k = 0; k < command->replays.num; k++) {
        policies_print(stdout, &command->replays.kernels[k]);
        if (csv)
            policies_csv(csv, &command->replays.kernels[k]);
    }
    close_data(command, csv, path, "policies.csv");
}

/* What the models said, kernel by kernel; those without a profile are left out. */
static void report_models(run_command *command)
{
    const policies_kernel *const kernels = command->replays.kernels;
    char path[RUN_DATA_PATH];
    unsigned first = 0;
    FILE *csv;

    while (first < command->replays.num && !kernels[first].has_oracle)
        first++;
    if (first == command->replays.num)
        return;
    csv = run_data_open(path, command->replay.out, "model.csv");
    if (csv)
        oracle_csv_header(csv, &kernels[first].oracle);
    printf("\nWhat the analytic models predict (%s), what was recorded, what each policy chose; speed in percent of the fastest "
           "recorded limit:\n", command->gpu.name);
    oracle_print_header(stdout, &kernels[first].oracle);
    for (unsigned k = first; k < command->replays.num; k++) {
        if (!kernels[k].has_oracle)
            continue;
        oracle_print(stdout, &kernels[k].oracle);
        if (csv)
            oracle_csv(csv, &kernels[k].oracle);
    }
    close_data(command, csv, path, "model.csv");
}

/* ---- all ------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Into the table's files. False if they cannot be written. */
static bool play(run_command *command)
{
    char text_path[RUN_DATA_PATH], csv_path[RUN_DATA_PATH];
    FILE *text = run_data_open(text_path, command->replay.out, "table.txt");
    FILE *csv = text ? run_data_open(csv_path, command->replay.out, "verdicts.csv") : NULL;
    bool ok = csv != NULL;

    if (csv) {
        const double began = seconds_now();

        table_begin(&command->table, text, csv);
        note_status(command, run_replays_play(&command->replays, &command->plan, &command->table));
        command->seconds = seconds_now() - began;
        if (go_on(command))
            table_end(&command->table);
        ok = run_data_close(csv, csv_path);
    }
    return (!text || run_data_close(text, text_path)) && ok;
}

/* The page comes from the files that the run has left, as 'ballast report' makes it. False: the run has no result. */
static bool report_run(run_command *command, const char *manifest_path)
{
    const char *out = command->replay.out;
    const report_options how = {.out = out, .build = command->build};
    char err[REPORT_ERR];

    report_policies(command);
    report_models(command);
    if (!run_replays_show(&command->replays, &command->status) || command->table.unwritten || !go_on(command))
        return false;
    note_status(command, run_ctas(out, &command->replays));
    if (!run_data_kernels(out, command->replays.kernels, command->replays.num) ||
        !run_data_recordings(out, &command->manifest) || !run_data_end(out, manifest_path, command->seconds))
        return false;
    return report_write(&how, err) || (complain("%s", err), false);
}

/* Into `out`, which becomes the result if all of it is there; what was there before stays if not. */
static void run_whole(run_command *command, const char *manifest_path)
{
    char inside[RUN_DATA_PATH], err[OUT_DIR_ERR];
    const char *out = command->replay.out;
    bool ok = out_dir_begin(out, inside, sizeof inside, err);

    if (!ok) {
        note_status(command, complain("%s", err));
        return;
    }
    command->replay.told = out;
    command->replay.out = inside;
    ok = play(command) && go_on(command) && report_run(command, manifest_path);
    if (ok && !out_dir_commit(out, err))
        ok = (complain("%s", err), false);
    if (ok)
        printf("report: %s/report.html\n", out);
    else if (!go_on(command))
        printf("%s stays as it was; what this run has written is in %s\n", out, inside);
    else
        note_status(command, complain("%s stays as it was; what this run has written is in %s", out, inside));
    command->replay.out = out;
}

static int run_all(run_command *command, const char *manifest_path)
{
    char err[512];

    if (!manifest_read(&command->manifest, manifest_path, err, sizeof err) ||
        !manifest_check(&command->manifest, manifest_path, err, sizeof err) || !report_possible(command->replay.out, err))
        return complain("%s", err);
    run_whole(command, manifest_path);
    run_replays_close(&command->replays);
    return command->status;
}

int cmd_run(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"run vectors/MANIFEST.csv", "run -j 4 --max-cycles 20000 --out build/quick vectors/MANIFEST.csv"},
        .rows = run_rows, .replays = true, .args_doc = "MANIFEST.csv", .file = "manifest",
        .example = "vectors/MANIFEST.csv", .most = 1,
        .doc = "Runs all recordings of a manifest through all blocks in lockstep."};
    static run_command command = {
        .build = "build", .plan = {.max_laps = 64}};
    arguments files;
    int status;

    analytic_gpu_find("fermi", &command.gpu);
    command.model.gpu = &command.gpu;
    command.model.kernels = data_path("sim/kernels/recorded");
    command.plan.views = data_path("tb/blocks");
    command.plan.replay = &command.replay;
    command.plan.manifest = &command.manifest;
    command.plan.model = &command.model;
    command.model.options = analytic_predict_options_default();
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
        .examples = {"report --out build/run"},
        .rows = rows, .doc = "Writes DIR/report.html anew from what the last 'ballast run' left in DIR."};
    report_options how = {.out = "build/run", .build = "build"};
    char err[REPORT_ERR], taken[OUT_DIR_ERR];

    command_parse(&line, argc, argv, &how);
    if (access(how.out, F_OK) == 0 && !out_dir_take(how.out, taken))
        return complain("%s", taken);
    if (!report_write(&how, err))
        return complain("%s", err);
    printf("report: %s/report.html\n", how.out);
    return EXIT_PASS;
}
