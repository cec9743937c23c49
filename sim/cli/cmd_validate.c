/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast validate: the activity simulator beside recordings of another simulator, kernel by
 * kernel and limit by limit.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "studies/validate.h"
#include "kernels/kernel_file.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/families.h"
#include "cli/replay_options.h"
#include "plot/gnuplot.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

enum { KEY_CSV = 0x200, KEY_PLOT, KEY_WORKLOADS, KEY_MACHINE, KERNELS = 128 };

typedef struct validate_command {
    const machine *machine;
    const char *manifest, *plot, *workloads;
    bool csv;
    unsigned jobs;
    validation kernels[KERNELS];
    workload workloads_of[KERNELS];
    unsigned num;
    int status;
} validate_command;

static const struct argp_option options[] = {
    {"machine", KEY_MACHINE, "NAME", 0, "Simulated machine (default gtx480, like the recordings')", 0},
    {"workloads", KEY_WORKLOADS, "DIR", 0, "NAME.kernel of each kernel (default sim/kernels/recorded)", 0},
    {"jobs", 'j', "N", 0, "Runs at a time (default: one per core)", 0},
    {"csv", KEY_CSV, 0, 0, "CSV instead of text", 0},
    {"plot", KEY_PLOT, "FILE.svg", 0, "Draw the curves, too", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    validate_command *command = state->input;

    switch (key) {
    case KEY_MACHINE: command->machine = option_machine(state, arg); return 0;
    case KEY_WORKLOADS: command->workloads = arg; return 0;
    case 'j': command->jobs = (unsigned)option_number(state, "--jobs", arg, 1, 256); return 0;
    case KEY_CSV: command->csv = true; return 0;
    case KEY_PLOT: command->plot = arg; return 0;
    case ARGP_KEY_ARG:
        if (command->manifest)
            argp_failure(state, EXIT_USAGE, 0, "one manifest only");
        command->manifest = arg;
        return 0;
    case ARGP_KEY_END:
        if (!command->manifest)
            argp_failure(state, EXIT_USAGE, 0, "name a manifest, e.g. vectors/MANIFEST.csv");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A kernel whose workload does not give the recorded Nmax is another kernel. */
static bool take(validate_command *command, const family *f, const char *path)
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

static bool visit(void *user, const family *f)
{
    validate_command *command = user;
    char path[4400];

    snprintf(path, sizeof path, "%s/%s.kernel", command->workloads, f->name);
    if (access(path, F_OK) == 0)
        return take(command, f, path);
    fprintf(stderr, "ballast: %s: no workload %s, left out\n", f->name, path);
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
    static const struct argp argp = {options, parse, "MANIFEST.csv",
                                     "Simulates the recorded kernels at every CTA limit and puts both side by side: instructions "
                                     "per cycle and what the SM did in its cycles.", 0, 0, 0};
    static validate_command command = {.workloads = "sim/kernels/recorded"};
    trace_err err = {.text = ""};
    char text[512];
    manifest m;

    command.machine = machine_find("gtx480");
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (!manifest_read(&m, command.manifest, text, sizeof text)) {
        manifest_free(&m);
        return complain("%s", text);
    }
    interrupt_install();
    if (!families_each(&m, visit, &command, &err))
        command.status = complain("%s", err.text);
    manifest_free(&m);
    if (!simulate(&command)) {
        if (!interrupted)
            command.status = complain("the runs could not be started, or there is no memory for them");
        return interrupted ? EXIT_STOPPED : command.status;
    }
    print_all(&command);
    return command.status;
}
