/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast experiment: the papers' experiments in the activity simulator, with the papers' values next
 * to the measured ones.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "files/data_dir.h"
#include "files/placed_file.h"
#include "kernels/kernel_file.h"
#include "plot/gnuplot.h"
#include "replay/interrupt.h"
#include "files/out_dir.h"
#include "replay/progress.h"
#include "studies/experiment.h"

enum { PATH_SIZE = 4096 };

typedef struct experiment_command {
    const char *name; /* several have commas between them; "all" for all */
    const char *machine, *plot, *out, *workloads, *runs;
    unsigned sms, jobs;
    double length;
    bool csv, whole;
    arguments files;
    experiment_pool pool;
    finished_runs finished; /* with --out or --runs */
    experiment **all; /* num of them */
    unsigned num;
} experiment_command;

/* ---- options ---------------------------------------------------------------------- */

/* Whether the first `length` letters of `names`, or one of the names in a list, are `name`. */
static bool is_named(const char *names, size_t length, const char *name)
{
    return strlen(name) == length && !strncmp(names, name, length);
}

static bool in_list(const char *names, const char *name)
{
    size_t length = strcspn(names, ",");

    while (names[length] && !is_named(names, length, name)) {
        names += length + 1;
        length = strcspn(names, ",");
    }
    return is_named(names, length, name);
}

static bool wanted(const experiment_command *command, const experiment_paper *paper)
{
    return (!strcmp(command->name, "all") || in_list(command->name, paper->name)) &&
           (!command->machine || !strcmp(command->machine, paper->machine));
}

/* NULL, or the first of the names that is no experiment's. */
static const char *unknown_name(const char *names, size_t *length)
{
    for (;; names += *length + 1) {
        const experiment_paper *paper;
        bool known = false;

        *length = strcspn(names, ",");
        for (unsigned i = 0; (paper = experiment_at(i)) != NULL; i++)
            known |= is_named(names, *length, paper->name);
        if (!known)
            return names;
        if (!names[*length])
            return NULL;
    }
}

static void take_name(void *user, arguments *given, const struct argp_state *state)
{
    experiment_command *command = user;
    const experiment_paper *paper;
    const char *unknown;
    size_t length;
    bool some = false, all;

    command->name = *given->file++;
    given->num--;
    all = !strcmp(command->name, "all");
    for (unsigned i = 0; (paper = experiment_at(i)) != NULL; i++)
        some |= wanted(command, paper);
    unknown = all ? NULL : unknown_name(command->name, &length);
    if (unknown)
        argp_failure(state, EXIT_USAGE, 0, "no experiment '%.*s': perfsat, lcs, lcs-bcs, equalizer, dyncta, mcke, leftover or all",
                     (int)length, unknown);
    if (!some)
        argp_failure(state, EXIT_USAGE, 0, "--machine: %s is not done on '%s'; perfsat runs on fermi and kepler, equalizer on fermi, "
                     "lcs, lcs-bcs and mcke on lcs, dyncta on fermi and lcs, leftover on k40c", command->name, command->machine);
    if ((all || strchr(command->name, ',')) && command->plot)
        argp_failure(state, EXIT_USAGE, 0, "--plot draws one experiment; take --out DIR for the pictures of all");
    if (in_list(command->name, "leftover") && given->num)
        argp_failure(state, EXIT_USAGE, 0, "leftover has kernels of its own; leave the files out");
    if (all && given->num)
        argp_failure(state, EXIT_USAGE, 0, "the kernels of all papers are different ones; name one experiment with files");
}

static void take_length(void *member, char *text, const struct argp_state *state)
{
    double *length = member;
    char *end;

    *length = strtod(text, &end);
    if (end == text || *end || !(*length >= 0.01 && *length <= 100))
        argp_failure(state, EXIT_USAGE, 0, "--length: '%s' is no number from 0.01 to 100", text);
}

static const option_row rows[] = {
    {"machine", 0, "NAME", "Only the experiments on this machine: fermi, kepler, lcs or k40c", MEMBER(experiment_command, machine)},
    {"sms", 0, "N", "SMs of the slice; memory in proportion (default: 5 of fermi's 15, 7 of kepler's 14, 7 of lcs's 28, 14 for mcke; leftover has all)",
     NUMBER(experiment_command, sms, 1, MACHINE_MAX_SMS)},
    {"jobs", 'j', "N", "Runs at a time (default: one per core)", NUMBER(experiment_command, jobs, 1, 256)},
    {"length", 0, "X", "Kernels so many times as long, 0.01 to 100 (default 1)",
     MEMBER(experiment_command, length), .take = take_length},
    {"whole", 0, NULL, "Simulate every CTA, also of a run that has settled; three times as slow", MEMBER(experiment_command, whole)},
    {"csv", 0, NULL, "CSV instead of text", MEMBER(experiment_command, csv)},
    {"plot", 0, "FILE.svg", "Draw it, too; one experiment only", MEMBER(experiment_command, plot)},
    {"out", 'o', "DIR", "Write DIR/NAME.txt, .csv and .svg of every experiment, too; finished runs are kept there until all are done",
     MEMBER(experiment_command, out)},
    {"runs", 0, "FILE.csv", "Runs whose results are in FILE.csv are not run again, those of all others are added to it",
     MEMBER(experiment_command, runs)},
    {"workloads", 0, "DIR", "Where the kernels are, in one folder per paper (default sim/kernels)",
     MEMBER(experiment_command, workloads)},
    {0}};

/* ---- kernels ---------------------------------------------------------------------- */

static bool add_file(experiment *e, const char *path)
{
    char err[KERNEL_FILE_ERR];
    workload_target target;
    workload w;

    if (!kernel_file_workload(&w, &target, path, err))
        return complain("%s", err), false;
    return experiment_add(e, &w, &target, err, sizeof err) || (complain("%s: %s", path, err), false);
}

static bool add_folder(experiment *e, const char *folder)
{
    char pattern[PATH_SIZE];
    bool ok = true;
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/%s/*.kernel", folder, e->paper->folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        return complain("%s: no such files; name the folder with --workloads", pattern), false;
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = add_file(e, found.gl_pathv[i]);
    globfree(&found);
    return ok;
}

static bool open_experiment(experiment_command *command, const experiment_paper *paper)
{
    experiment *e = malloc(sizeof *e);
    experiment **all = reallocarray(command->all, command->num + 1, sizeof(experiment *)); // NOLINT(bugprone-sizeof-expression): of pointers
    char err[256];
    bool ok = true;

    if (all)
        command->all = all;
    if (!e || !all)
        return free(e), complain("out of memory"), false;
    all[command->num++] = e;
    if (!experiment_open(e, paper, command->sms, err, sizeof err))
        return complain("--sms: %s", err), false;
    e->whole = command->whole;
    if (!paper->folder)
        return experiment_add_own(e, err, sizeof err) || (complain("%s", err), false);
    if (!command->files.num)
        ok = add_folder(e, command->workloads);
    for (unsigned i = 0; ok && i < command->files.num; i++)
        ok = add_file(e, command->files.file[i]);
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

static int run_pool(experiment_command *command, char *what)
{
    if (pool_run(&command->pool, command->jobs, show_progress, what) && !interrupted)
        return EXIT_PASS;
    if (!interrupted)
        return complain("the runs' processes could not be started");
    progress_clear();
    if (command->pool.finished)
        complain("interrupted; %u finished runs are kept in %s, the same command goes on with them", command->finished.num,
                 command->finished.path);
    else
        complain("interrupted, nothing was written; with --out DIR the finished runs are kept");
    return EXIT_STOPPED;
}

static int run_all(experiment_command *command)
{
    char err[512], probe[] = "probe:", run[] = "run:";
    int status;

    for (unsigned i = 0; i < command->num; i++)
        if (!experiment_plan_probes(command->all[i], &command->pool))
            return complain("out of memory");
    status = run_pool(command, probe);
    for (unsigned i = 0; status == EXIT_PASS && i < command->num; i++)
        if (!experiment_plan_runs(command->all[i], &command->pool, command->length))
            return complain("out of memory");
    if (status == EXIT_PASS)
        status = run_pool(command, run);
    for (unsigned i = 0; status == EXIT_PASS && i < command->num; i++)
        if (!experiment_judge(command->all[i], err, sizeof err))
            return complain("%s", err);
    return status;
}

/* ---- output ----------------------------------------------------------------------- */

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

/* Without experiments: whether a file can be made at this place, found out before the runs, not after them. */
static bool write_group(const char *path, const experiment *const *all, unsigned num, bool csv)
{
    placed_file to;
    bool ok = placed_open(&to, path);

    if (ok && num) {
        print_group(to.file, all, num, csv);
        ok = placed_close(&to, true);
    } else {
        placed_close(&to, false);
    }
    return ok || (complain("%s cannot be written: %m", path), false);
}

/* Without gnuplot there is no picture, and that is all. */
static void draw_group(const char *path, const experiment *const *all, unsigned num)
{
    if (!experiment_draw(all, num, path))
        gnuplot_complain(path);
}

static bool write_out(const char *out, const experiment *const *all, unsigned num)
{
    const char *name = all[0]->paper->name;
    char text[PATH_SIZE], csv[PATH_SIZE], svg[PATH_SIZE];
    bool ok;

    snprintf(text, sizeof text, "%s/%s.txt", out, name);
    snprintf(csv, sizeof csv, "%s/%s.csv", out, name);
    snprintf(svg, sizeof svg, "%s/%s.svg", out, name);
    ok = write_group(text, all, num, false);
    ok &= write_group(csv, all, num, true);
    draw_group(svg, all, num);
    return ok;
}

/* Group by group: the experiments of one name follow each other. */
static int show_all(const experiment_command *command)
{
    bool ok = true;

    for (unsigned first = 0, num; first < command->num; first += num) {
        const experiment *const *group = (const experiment *const *)&command->all[first];

        for (num = 1; first + num < command->num && group[num]->paper->name == group[0]->paper->name; num++)
            ;
        if (command->csv && first)
            putchar('\n');
        print_group(stdout, group, num, command->csv);
        if (command->plot)
            draw_group(command->plot, group, num);
        if (command->out)
            ok &= write_out(command->out, group, num);
    }
    return ok ? EXIT_PASS : EXIT_BAD_INPUT;
}

static bool prepare_out(experiment_command *command)
{
    char path[PATH_SIZE], err[OUT_DIR_ERR];
    trace_err why = {.text = ""};

    if (command->plot && !write_group(command->plot, NULL, 0, false))
        return false;
    if (command->out && !out_dir_take(command->out, err))
        return complain("%s", err), false;
    if (!command->out && !command->runs)
        return true;
    snprintf(path, sizeof path, "%s%s", command->runs ? command->runs : command->out, command->runs ? "" : "/unfinished.csv");
    if (!finished_runs_open(&command->finished, path, &why))
        return complain("%s", why.text), false;
    command->pool.finished = &command->finished;
    if (command->finished.num)
        fprintf(stderr, "%s: goes on with %u finished runs\n", path, command->finished.num);
    return true;
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
    free(command->all);
    pool_close(&command->pool);
    if (command->finished.lost)
        status = worse(status, complain("%s: cannot write", command->finished.path));
    finished_runs_close(&command->finished, !command->runs && (status == EXIT_PASS || !command->finished.num));
    return status;
}

int cmd_experiment(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"experiment perfsat", "experiment --out experiments all"},
        .rows = rows, .args_doc = "perfsat|lcs|lcs-bcs|equalizer|dyncta|mcke|leftover[,...]|all [WORKLOAD...]", .file = "experiment",
        .example = "perfsat, or all",
        .check = take_name,
        .doc = "The papers' experiments in the activity simulator: an exhaustive sweep over the CTA limits of every kernel, then the "
        "controllers; tables with the paper's value next to the measured one.\v"
        "perfsat: accuracy, speed and resources on fermi and kepler\n"
        "lcs: speed over as many CTAs as fit, T_new against the optimum\n"
        "lcs-bcs: CTAs in pairs with GTO and SCA, L1's misses, LCS+BCS, beside CCWS, two-level and DYNCTA; the first CTAs of VADD\n"
        "equalizer: performance and energy mode beside fixed levels, time at each level\n"
        "dyncta: DYNCTA and CCWS beside Equalizer and LCS\n"
        "mcke: mixes of two kernels on each SM, against SMs of their own and against leftover\n"
        "leftover: pairs of kernels, the second one in what the first leaves over: synthetic ones, and those of Rodinia beside PFL\n"
        "Without workloads: those of the paper."};
    static experiment_command command = {.length = 1};

    command.workloads = data_path("sim/kernels");
    command.files = command_parse(&line, argc, argv, &command);
    return run_command(&command);
}
