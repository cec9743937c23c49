/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast experiment: the papers' experiments in the activity simulator, with the papers' values next
 * to the measured ones.
 */
#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "studies/experiment.h"
#include "kernels/kernel_file.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/replay_options.h"
#include "plot/gnuplot.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

enum { KEY_MACHINE = 0x200, KEY_SMS, KEY_LENGTH, KEY_CSV, KEY_PLOT, KEY_WORKLOADS, MAX_EXPERIMENTS = 8, PATH_SIZE = 4096 };

typedef struct experiment_command {
    const char *name; /* "all" for all */
    const char *machine, *plot, *out, *workloads;
    unsigned sms, jobs;
    double length;
    bool csv;
    char **files;
    int num_files;
    experiment_pool pool;
    experiment *all[MAX_EXPERIMENTS];
    unsigned num;
} experiment_command;

static const struct argp_option options[] = {
    {"machine", KEY_MACHINE, "NAME", 0, "Only the experiments on this machine: fermi, kepler or lcs", 0},
    {"sms", KEY_SMS, "N", 0, "SMs of the slice; memory in proportion (default: 5 of fermi's 15, 7 of kepler's 14, 7 of lcs's 28)", 0},
    {"jobs", 'j', "N", 0, "Runs at a time (default: one per core)", 0},
    {"length", KEY_LENGTH, "X", 0, "Kernels so many times as long, 0.01 to 100 (default 1)", 0},
    {"csv", KEY_CSV, 0, 0, "CSV instead of text", 0},
    {"plot", KEY_PLOT, "FILE.svg", 0, "Draw it, too; one experiment only", 0},
    {"out", 'o', "DIR", 0, "Write DIR/NAME.txt, .csv and .svg of every experiment, too", 0},
    {"workloads", KEY_WORKLOADS, "DIR", 0, "Where the kernels are, in one folder per paper (default sim/kernels)", 0},
    {0}};

/* ---- options ---------------------------------------------------------------------- */

static bool wanted(const experiment_command *command, const experiment_paper *paper)
{
    return (!strcmp(command->name, "all") || !strcmp(command->name, paper->name)) &&
           (!command->machine || !strcmp(command->machine, paper->machine));
}

static void check_usage(const experiment_command *command, const struct argp_state *state)
{
    const experiment_paper *paper;
    bool known = false, some = false;

    if (!command->name) {
        argp_failure(state, EXIT_USAGE, 0, "name an experiment: perfsat, lcs, equalizer, dyncta or all");
        return;
    }
    for (unsigned i = 0; (paper = experiment_at(i)) != NULL; i++) {
        known |= !strcmp(command->name, "all") || !strcmp(command->name, paper->name);
        some |= wanted(command, paper);
    }
    if (!known)
        argp_failure(state, EXIT_USAGE, 0, "no experiment '%s': perfsat, lcs, equalizer, dyncta or all", command->name);
    if (!some)
        argp_failure(state, EXIT_USAGE, 0, "--machine: %s is not done on '%s'; perfsat runs on fermi and kepler, equalizer on fermi, "
                     "lcs on lcs, dyncta on fermi and lcs", command->name, command->machine);
    if (!strcmp(command->name, "all") && command->plot)
        argp_failure(state, EXIT_USAGE, 0, "--plot draws one experiment; take --out DIR for the pictures of all");
    if (!strcmp(command->name, "all") && command->num_files)
        argp_failure(state, EXIT_USAGE, 0, "the kernels of all papers are different ones; name one experiment with files");
}

static double length_of(const struct argp_state *state, const char *text)
{
    char *end;
    const double length = strtod(text, &end);

    if (end == text || *end || !(length >= 0.01 && length <= 100))
        argp_failure(state, EXIT_USAGE, 0, "--length: '%s' is no number from 0.01 to 100", text);
    return length;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    experiment_command *command = state->input;

    switch (key) {
    case KEY_MACHINE: command->machine = arg; return 0;
    case KEY_SMS: command->sms = (unsigned)option_number(state, "--sms", arg, 1, MACHINE_MAX_SMS); return 0;
    case 'j': command->jobs = (unsigned)option_number(state, "--jobs", arg, 1, 256); return 0;
    case KEY_LENGTH: command->length = length_of(state, arg); return 0;
    case KEY_CSV: command->csv = true; return 0;
    case KEY_PLOT: command->plot = arg; return 0;
    case 'o': command->out = arg; return 0;
    case KEY_WORKLOADS: command->workloads = arg; return 0;
    case ARGP_KEY_ARG:
        if (command->name)
            return ARGP_ERR_UNKNOWN; /* a file: all the rest comes at once */
        command->name = arg;
        return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_END: check_usage(command, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- kernels ---------------------------------------------------------------------- */

static bool add_file(experiment *e, const char *path)
{
    char err[KERNEL_FILE_ERR];
    workload_target target;
    workload w;

    if (!kernel_file_workload(&w, &target, path, err))
        complain("%s", err);
    else if (experiment_add(e, &w, &target, err, sizeof err))
        return true;
    else
        complain("%s: %s", path, err);
    return false;
}

static bool add_folder(experiment *e, const char *folder)
{
    char pattern[PATH_SIZE];
    bool ok = true;
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/%s/*.kernel", folder, e->paper->folder);
    if (glob(pattern, 0, NULL, &found) != 0) {
        complain("%s: no such files; name the folder with --workloads", pattern);
        return false;
    }
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = add_file(e, found.gl_pathv[i]);
    globfree(&found);
    return ok;
}

static bool open_experiment(experiment_command *command, const experiment_paper *paper)
{
    experiment *e = malloc(sizeof *e);
    char err[256];
    bool ok = true;

    if (!e)
        return complain("out of memory"), false;
    command->all[command->num++] = e;
    if (!experiment_open(e, paper, command->sms, err, sizeof err)) {
        complain("--sms: %s", err);
        return false;
    }
    if (!command->num_files)
        ok = add_folder(e, command->workloads);
    for (int i = 0; ok && i < command->num_files; i++)
        ok = add_file(e, command->files[i]);
    experiment_sort(e);
    return ok;
}

static bool open_all(experiment_command *command)
{
    const experiment_paper *paper;

    for (unsigned i = 0; (paper = experiment_at(i)) != NULL; i++)
        if (wanted(command, paper) && !open_experiment(command, paper))
            return false;
    return true;
}

/* ---- runs ------------------------------------------------------------------------- */

static void show_progress(void *user, unsigned ended, unsigned num)
{
    if (ended < num)
        progress_show("%s %u of %u runs", (const char *)user, ended, num);
    else
        progress_clear();
}

static int run_pool(experiment_command *command, const char *what)
{
    char text[16];

    snprintf(text, sizeof text, "%s", what);
    if (pool_run(&command->pool, command->jobs, show_progress, text) && !interrupted)
        return EXIT_PASS;
    if (!interrupted)
        return complain("the runs' processes could not be started");
    progress_clear();
    complain("interrupted, nothing was written");
    return EXIT_STOPPED;
}

static int run_all(experiment_command *command)
{
    char err[512];
    int status;

    for (unsigned i = 0; i < command->num; i++)
        if (!experiment_plan_probes(command->all[i], &command->pool))
            return complain("out of memory");
    if ((status = run_pool(command, "probe:")) != EXIT_PASS)
        return status;
    for (unsigned i = 0; i < command->num; i++)
        if (!experiment_plan_runs(command->all[i], &command->pool, command->length))
            return complain("out of memory");
    if ((status = run_pool(command, "run:")) != EXIT_PASS)
        return status;
    for (unsigned i = 0; i < command->num; i++)
        if (!experiment_judge(command->all[i], err, sizeof err))
            return complain("%s", err);
    return EXIT_PASS;
}

/* ---- output ----------------------------------------------------------------------- */

/* The experiments of one name follow each other. */
static unsigned same_name(const experiment_command *command, unsigned first)
{
    unsigned num = 1;

    while (first + num < command->num && command->all[first + num]->paper->name == command->all[first]->paper->name)
        num++;
    return num;
}

static void print_group(FILE *f, const experiment *const *all, unsigned num, bool csv)
{
    experiment_report report;

    for (unsigned i = 0; i <= num; i++) {
        if (i < num)
            experiment_make_report(all[i], &report);
        else
            experiment_make_joint_report(all, num, &report);
        if (csv && i && report.num)
            fputc('\n', f);
        experiment_print(f, &report, csv);
        experiment_free_report(&report);
    }
}

static bool put_in_place(const char *temporary, const char *path, bool ok)
{
    if (ok && rename(temporary, path) == 0)
        return true;
    complain("%s cannot be written: %s", path, strerror(errno));
    unlink(temporary);
    return false;
}

static bool write_group(const char *path, const experiment *const *all, unsigned num, bool csv)
{
    char temporary[PATH_SIZE + 8];
    FILE *f;
    bool ok;

    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    f = fopen(temporary, "w");
    if (!f)
        return put_in_place(temporary, path, false);
    print_group(f, all, num, csv);
    ok = !ferror(f);
    return put_in_place(temporary, path, fclose(f) == 0 && ok);
}

/* Without gnuplot there is no picture, and that is all. */
static bool draw_group(const char *path, const experiment *const *all, unsigned num)
{
    char temporary[PATH_SIZE + 8];

    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (experiment_draw(all, num, temporary))
        return put_in_place(temporary, path, true);
    unlink(temporary);
    gnuplot_complain(path);
    return true;
}

static bool write_out(const experiment_command *command, const experiment *const *all, unsigned num)
{
    char path[PATH_SIZE];
    bool ok = true;

    for (unsigned csv = 0; csv < 2; csv++) {
        snprintf(path, sizeof path, "%s/%s.%s", command->out, all[0]->paper->name, csv ? "csv" : "txt");
        ok &= write_group(path, all, num, csv);
    }
    snprintf(path, sizeof path, "%s/%s.svg", command->out, all[0]->paper->name);
    return draw_group(path, all, num) && ok;
}

static int show_all(const experiment_command *command)
{
    bool ok = true;

    for (unsigned first = 0; first < command->num;) {
        const unsigned num = same_name(command, first);
        const experiment *const *group = (const experiment *const *)&command->all[first];

        if (command->csv && first)
            putchar('\n');
        print_group(stdout, group, num, command->csv);
        if (command->plot)
            ok &= draw_group(command->plot, group, num);
        if (command->out)
            ok &= write_out(command, group, num);
        first += num;
    }
    return ok ? EXIT_PASS : EXIT_BAD_INPUT;
}

/* A file can be made at this place: found out before the runs, not after them. */
static bool can_write(const char *path)
{
    char temporary[PATH_SIZE + 8];
    FILE *f;

    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    f = fopen(temporary, "w");
    if (!f)
        return put_in_place(temporary, path, false);
    fclose(f);
    return unlink(temporary) == 0;
}

static bool prepare_out(const experiment_command *command)
{
    char path[PATH_SIZE];

    if (command->plot && !can_write(command->plot))
        return false;
    if (!command->out)
        return true;
    if (mkdir(command->out, 0777) != 0 && errno != EEXIST) {
        complain("%s cannot be made: %s", command->out, strerror(errno));
        return false;
    }
    snprintf(path, sizeof path, "%s/experiment", command->out);
    return can_write(path);
}

static int run_command(experiment_command *command)
{
    int status = EXIT_BAD_INPUT;

    interrupt_install();
    pool_open(&command->pool);
    if (prepare_out(command) && open_all(command))
        status = run_all(command);
    if (status == EXIT_PASS)
        status = show_all(command);
    for (unsigned i = 0; i < command->num; i++)
        free(command->all[i]);
    pool_close(&command->pool);
    return status;
}

int cmd_experiment(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "perfsat|lcs|equalizer|dyncta|all [WORKLOAD...]",
        "The papers' experiments in the activity simulator: an exhaustive sweep over the CTA limits of every kernel, then the "
        "controllers; tables with the paper's value next to the measured one.\v"
        "perfsat: accuracy, speed and resources on fermi and kepler\n"
        "lcs: speed over as many CTAs as fit, T_new against the optimum\n"
        "equalizer: performance and energy mode beside fixed levels, time at each level\n"
        "dyncta: DYNCTA beside Equalizer and LCS, CTAs only\n"
        "Without workloads: those of the paper.", 0, 0, 0};
    static experiment_command command = {.workloads = "sim/kernels", .length = 1};

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    return run_command(&command);
}
