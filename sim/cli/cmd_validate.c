/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast validate: the activity simulator beside recordings of another simulator, kernel by
 * kernel and limit by limit.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/families.h"
#include "cli/named_chip.h"
#include "cli/say.h"
#include "files/data_dir.h"
#include "kernels/kernel_file.h"
#include "plot/gnuplot.h"
#include "replay/interrupt.h"
#include "replay/progress.h"
#include "studies/validate.h"

enum { KERNELS = 128 };

typedef struct validate_command {
    const machine *machine;
    const char *plot, *workloads;
    bool csv;
    unsigned jobs;
    validation kernels[KERNELS];
    workload workloads_of[KERNELS];
    unsigned num;
    int status;
} validate_command;

static const option_row rows[] = {
    {"machine", 0, "NAME", "Simulated machine (default gtx480, like the recordings')",
     MEMBER(validate_command, machine), .take = option_machine},
    {"workloads", 0, "DIR", "NAME.kernel of each kernel (default sim/kernels/recorded)", MEMBER(validate_command, workloads)},
    {"jobs", 'j', "N", "Runs at a time (default: one per core)", NUMBER(validate_command, jobs, 1, 256)},
    {"csv", 0, NULL, "CSV instead of text", MEMBER(validate_command, csv)},
    {"plot", 0, "FILE.svg", "Draw the curves, too", MEMBER(validate_command, plot)},
    {0}};

/* A kernel whose workload does not give the recorded Nmax is another kernel. */
static bool take(validate_command *command, const kernel_family *f, const char *path)
{
    validation *v = &command->kernels[command->num];
    workload *w = &command->workloads_of[command->num];
    char text[KERNEL_FILE_ERR];
    trace_err err = {.text = ""};

    if (!kernel_file_workload(w, NULL, path, text))
        command->status = complain("%s", text);
    else if (!validate_recorded(v, f->name, f->paths, f->num_paths, f->launch, &err))
        command->status = complain("%s", err.text);
    else if (workload_nmax(w, command->machine) != v->nmax)
        command->status = complain("%s: %u CTAs fit %s, but %u in the recordings; correct its resources", path,
                                   (unsigned)workload_nmax(w, command->machine), command->machine->name, v->nmax);
    else
        command->num++;
    return command->num < KERNELS;
}

static bool visit(void *user, const kernel_family *f)
{
    validate_command *command = user;
    char path[4400];

    snprintf(path, sizeof path, "%s/%s.kernel", command->workloads, f->name);
    if (access(path, F_OK) == 0)
        return take(command, f, path);
    complain("%s: no workload %s, left out", f->name, path);
    return true;
}

/* All limits of all kernels at once, so that no core waits. */
static bool simulate(validate_command *command)
{
    const size_t most = (size_t)KERNELS * BALLAST_MAX_SLOTS;
    run_request *requests = malloc(most * sizeof *requests);
    run_result *results = malloc(most * sizeof *results);
    unsigned num = 0;
    bool ok = requests && results;

    for (unsigned k = 0; ok && k < command->num; num += command->kernels[k++].nmax)
        validate_requests(&command->kernels[k], command->machine, &command->workloads_of[k], requests + num);
    ok = ok && run_many(requests, results, num, command->jobs, progress_of_runs, NULL);
    for (unsigned k = 0, at = 0; ok && k < command->num; at += command->kernels[k++].nmax)
        validate_results(&command->kernels[k], results + at);
    free(requests);
    free(results);
    return ok;
}

static void print_all(validate_command *command)
{
    if (command->csv)
        validate_csv_header(stdout);
    for (unsigned k = 0; k < command->num; k++)
        (command->csv ? validate_csv : validate_print)(stdout, &command->kernels[k]);
    if (command->plot && !validate_draw(command->kernels, command->num, command->plot)) {
        gnuplot_complain(command->plot);
        command->status = EXIT_BAD_INPUT;
    }
}

int cmd_validate(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"validate vectors/MANIFEST.csv"},
        .rows = rows, .args_doc = "MANIFEST.csv", .file = "manifest", .example = "vectors/MANIFEST.csv", .most = 1,
        .doc = "Simulates the recorded kernels at every CTA limit and puts both side by side: instructions per cycle and what the SM did "
               "in its cycles."};
    static validate_command command;
    arguments files;

    command.workloads = data_path("sim/kernels/recorded");
    command.machine = machine_find("gtx480");
    files = command_parse(&line, argc, argv, &command);
    interrupt_install();
    if (access(command.workloads, F_OK) != 0)
        return complain("--workloads: %s: %m", command.workloads);
    command.status = worse(families_of(files.file[0], visit, &command), command.status);
    if (!command.num && command.status == EXIT_PASS)
        command.status = complain("%s: no kernel of it has a workload in %s; name their directory with --workloads",
                                  files.file[0], command.workloads);
    if (!command.num)
        return command.status;
    if (!simulate(&command))
        return complain_runs();
    print_all(&command);
    return command.status;
}
