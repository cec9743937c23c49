/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast calibrate: fits workloads of the activity simulator to what papers have published of their
 * kernels, and prints where simulation and paper still differ.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "replay/interrupt.h"
#include "replay/progress.h"
#include "studies/calibrate.h"

enum { MOST_CHANGES = 32, CHECK_CYCLES = 200000 };

typedef struct calibrate_command {
    calibrate_options how;
    bool one_machine, check, dry_run, csv;
    uint64_t cycles; /* 0: not given */
    const char *name;            /* of the file in work */
    unsigned compared, agreed;
} calibrate_command;

static void take_machine(void *user, char *name, const struct argp_state *state)
{
    calibrate_command *command = user;
    bool known = false;

    for (unsigned i = 0; i < TARGET_MACHINES; i++) {
        const bool same = !strcmp(target_machines[i], name);

        command->how.on[i] = same || (command->one_machine && command->how.on[i]);
        known |= same;
    }
    command->one_machine = true;
    if (!known)
        argp_failure(state, EXIT_USAGE, 0, "--machine: nothing is published for '%s'; give fermi, kepler or lcs", name);
}

static const option_row rows[] = {
    {"machine", 'm', "NAME", "Only what is published for fermi, kepler or lcs (default: all that a file has, together)",
     .take = take_machine},
    {"jobs", 'j', "N", "Runs side by side (default: one per core)", NUMBER(calibrate_command, how.jobs, 1, 256)},
    {"check", 0, NULL, "Tune nothing; print published and simulated values", MEMBER(calibrate_command, check)},
    {"dry-run", 0, NULL, "Print the tuned values; leave the files as they are", MEMBER(calibrate_command, dry_run)},
    {"csv", 0, NULL, "CSV instead of text", MEMBER(calibrate_command, csv)},
    {"tries", 0, "N", "Workloads that a search tries at most (default 160)", NUMBER(calibrate_command, how.tries, 1, 100000)},
    {"cycles", 0, "N", "SM cycles of every run (default 50000, with --check 200000)",
     NUMBER(calibrate_command, cycles, 1000, UINT32_MAX)},
    {"whole", 0, NULL, "With --check: whole machines and whole kernels, not a part of both",
     MEMBER(calibrate_command, how.whole)},
    {"seed", 0, "N", "Of the kernels' instructions and addresses (default 1)",
     NUMBER(calibrate_command, how.seed, 0, UINT32_MAX)},
    {0}};

static void check_usage(void *user, arguments *given, const struct argp_state *state)
{
    const calibrate_command *command = user;

    (void)given;
    if (command->check && command->dry_run)
        argp_failure(state, EXIT_USAGE, 0, "--check, --dry-run: give one of them");
    if (command->how.whole && !command->check)
        argp_failure(state, EXIT_USAGE, 0, "--whole: only with --check");
    if (command->how.whole && command->cycles)
        argp_failure(state, EXIT_USAGE, 0, "--cycles: whole kernels run to their end");
}

/* ---- on a terminal ---------------------------------------------------------------- */

static void show_progress(void *user, unsigned tried, double off)
{
    const calibrate_command *command = user;

    progress_show("%s: %u of %u tries, off by %.2f", command->name, tried, command->how.tries, off);
}

/* ---- the table -------------------------------------------------------------------- */

static void print_header(const calibrate_command *command)
{
    if (command->csv)
        printf("workload,paper,kernel,machine,type,published_max,published_opt,nmax,opt,shape,at_nmax_percent,sm_gain_percent,"
               "memory_gain_percent,off,agrees\n");
    else
        printf("%-22s %-7s %-11s %9s %9s  %-11s %7s %6s %6s %6s\n", "workload", "machine", "type", "published", "simulated", "shape",
               "at Nmax", "SM+15", "mem+15", "off");
}

typedef char number[16]; /* as text: "-" if there is none */

static const char *count(uint32_t value, number text)
{
    snprintf(text, sizeof(number), "%u", (unsigned)value);
    return value ? text : "-";
}

static const char *gain(const calibration *c, double percent, number text)
{
    snprintf(text, sizeof(number), "%+.1f", percent);
    return c->boosted ? text : "-";
}

static void print_row(const calibrate_command *command, const workload *w, const workload_target *t, unsigned i,
                      const calibration *c, bool agrees)
{
    const published *p = &t->on[i];
    const char *type = published_type_name(p->type), *shape = calibrate_shape_name(c->shape);
    const double at_nmax = sweep_speed(&c->sweep, c->sweep.nmax);
    number max_text, opt_text, sm_text, mem_text;
    const char *max = count(p->max, max_text), *opt = count(p->opt, opt_text);
    const char *sm = gain(c, c->sm_gain, sm_text), *mem = gain(c, c->memory_gain, mem_text);
    char published_counts[40], simulated[40];

    snprintf(published_counts, sizeof published_counts, "%s/%s", opt, max);
    snprintf(simulated, sizeof simulated, "%u/%u", c->sweep.optimum, c->sweep.nmax);
    if (command->csv)
        printf("%s,%s,%s,%s,%s,%s,%s,%u,%u,%s,%.2f,%s,%s,%.2f,%s\n", w->name, t->paper, t->kernel, target_machines[i], type, max, opt,
               c->sweep.nmax, c->sweep.optimum, shape, at_nmax, sm, mem, c->off, agrees ? "yes" : "no");
    else
        printf("%-22s %-7s %-11s %9s %9s  %-11s %6.1f%% %6s %6s %6.2f%s\n", w->name, target_machines[i], type, published_counts,
               simulated, shape, at_nmax, sm, mem, c->off, agrees ? "" : "  differs");
}

static void print_rows(calibrate_command *command, const workload *w, const workload_target *t,
                       const calibration all[TARGET_MACHINES])
{
    for (unsigned i = 0; i < TARGET_MACHINES; i++) {
        wanted want;
        bool agrees;

        if (!calibrate_takes(&command->how, t, i))
            continue;
        want = calibrate_wanted(&t->on[i], all[i].sweep.nmax);
        agrees = calibrate_agrees(&want, &all[i]) && (!t->on[i].max || t->on[i].max == all[i].sweep.nmax);
        command->compared++;
        command->agreed += agrees;
        print_row(command, w, t, i, &all[i], agrees);
    }
    fflush(stdout);
}

/* ---- one file --------------------------------------------------------------------- */

static bool has_any(const calibrate_options *how, const workload_target *t)
{
    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        if (calibrate_takes(how, t, i))
            return true;
    return false;
}

static int put(const calibrate_command *command, const char *path, const workload *before, const workload *after)
{
    workload_setting settings[MOST_CHANGES];
    const unsigned num = calibrate_changes(before, after, settings, MOST_CHANGES);
    char err[KERNEL_FILE_ERR];

    for (unsigned i = 0; command->dry_run && i < num; i++)
        printf("%s%s: %s = %s;\n", command->csv ? "# " : "  ", path, settings[i].key, settings[i].value);
    if (!command->dry_run && num && !kernel_file_set(path, settings, num, err))
        return complain("%s", err);
    return EXIT_PASS;
}

static int calibrate_file(void *user, const char *path)
{
    calibrate_command *command = user;
    calibration all[TARGET_MACHINES] = {0};
    char err[KERNEL_FILE_ERR];
    kernel_file file;
    workload_target t;
    workload before, w;
    bool ok;

    if (!kernel_file_workload(&w, &t, path, err) || !kernel_file_read(&file, path, err))
        return complain("%s", err);
    if (!has_any(&command->how, &t))
        return complain("%s: nothing is published for this machine; add 'published = { ... };', see doc/use/workloads.md", path);
    if (!command->check && file.has_analytic)
        return complain("%s: has the group analytic, whose counts its accesses have to keep; calibrate a file without it", path);
    before = w;
    command->name = w.name;
    ok = command->check ? calibrate_measure(&command->how, &w, &t, all, err) : calibrate_search(&command->how, &w, &t, all, err);
    progress_clear();
    if (!ok)
        return err[0] ? complain("%s: %s", path, err) : EXIT_STOPPED;
    print_rows(command, &w, &t, all);
    return command->check ? EXIT_PASS : put(command, path, &before, &w);
}

int cmd_calibrate(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"calibrate --check sim/kernels/perfsat/LUD.kernel"},
        .rows = rows, .args_doc = "WORKLOAD...", .file = "workload", .example = "sim/kernels/perfsat/LUD.kernel", .check = check_usage,
        .doc = "Fits workloads to the published optimum and type of their kernels: only what the kernel executes and how it uses memory "
               "is tuned. Rewrites the files' values, not their comments."};
    static calibrate_command command;
    arguments files;
    int status;

    command.how = calibrate_default();
    command.how.progress = show_progress;
    command.how.user = &command;
    files = command_parse(&line, argc, argv, &command);
    if (command.cycles || command.check)
        command.how.cycles = command.cycles ? command.cycles : CHECK_CYCLES;
    interrupt_install();
    print_header(&command);
    status = each_file(&files, calibrate_file, &command);
    if (status != EXIT_STOPPED && !command.csv && command.compared)
        printf("%u of %u as published\n", command.agreed, command.compared);
    return status;
}
