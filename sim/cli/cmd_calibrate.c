/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast calibrate: fits workloads of the activity simulator to what papers have published of their
 * kernels, and prints where simulation and paper still differ.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/calibrate.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/replay_options.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

enum { KEY_CHECK = 0x300, KEY_DRY_RUN, KEY_CSV, KEY_TRIES, KEY_CYCLES, KEY_WHOLE, KEY_SEED, MOST_CHANGES = 32,
       CHECK_CYCLES = 200000 };

typedef struct calibrate_command {
    calibrate_options how;
    bool one_machine, check, dry_run, csv, cycles_given;
    char **files;
    int num_files;
    const char *name;            /* of the file in work */
    unsigned compared, agreed;
} calibrate_command;

static const struct argp_option options[] = {
    {"machine", 'm', "NAME", 0, "Only what is published for fermi, kepler or lcs (default: all that a file has, together)", 0},
    {"jobs", 'j', "N", 0, "Runs side by side (default: one per core)", 0},
    {"check", KEY_CHECK, 0, 0, "Tune nothing; print published and simulated values", 0},
    {"dry-run", KEY_DRY_RUN, 0, 0, "Print the tuned values; leave the files as they are", 0},
    {"csv", KEY_CSV, 0, 0, "CSV instead of text", 0},
    {"tries", KEY_TRIES, "N", 0, "Workloads that a search tries at most (default 160)", 0},
    {"cycles", KEY_CYCLES, "N", 0, "SM cycles of every run (default 50000, with --check 200000)", 0},
    {"whole", KEY_WHOLE, 0, 0, "With --check: whole machines and whole kernels, not a part of both", 0},
    {"seed", KEY_SEED, "N", 0, "Of the kernels' instructions and addresses (default 1)", 0},
    {0}};

static void take_machine(calibrate_command *command, const char *name, const struct argp_state *state)
{
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

static void check_usage(const calibrate_command *command, const struct argp_state *state)
{
    if (command->check && command->dry_run)
        argp_failure(state, EXIT_USAGE, 0, "--check, --dry-run: give one of them");
    if (command->how.whole && !command->check)
        argp_failure(state, EXIT_USAGE, 0, "--whole: only with --check");
    if (command->how.whole && command->cycles_given)
        argp_failure(state, EXIT_USAGE, 0, "--cycles: whole kernels run to their end");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    calibrate_command *command = state->input;

    switch (key) {
    case 'm': take_machine(command, arg, state); return 0;
    case 'j': command->how.jobs = (unsigned)option_number(state, "--jobs", arg, 1, 256); return 0;
    case KEY_CHECK: command->check = true; return 0;
    case KEY_DRY_RUN: command->dry_run = true; return 0;
    case KEY_CSV: command->csv = true; return 0;
    case KEY_TRIES: command->how.tries = (unsigned)option_number(state, "--tries", arg, 1, 100000); return 0;
    case KEY_CYCLES:
        command->how.cycles = option_number(state, "--cycles", arg, 1000, UINT32_MAX);
        command->cycles_given = true;
        return 0;
    case KEY_WHOLE: command->how.whole = true; return 0;
    case KEY_SEED: command->how.seed = option_number(state, "--seed", arg, 0, UINT32_MAX); return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_failure(state, EXIT_USAGE, 0, "name a workload, e.g. sim/kernels/perfsat/LUD.kernel");
        return 0;
    case ARGP_KEY_END: check_usage(command, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
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

/* A count that a paper has not printed is no number. */
static const char *printed(uint32_t count, char text[16])
{
    snprintf(text, 16, "%u", (unsigned)count);
    return count ? text : "-";
}

static const char *gain(const calibration *c, double percent, char text[16])
{
    if (c->boosted)
        snprintf(text, 16, "%+.1f", percent);
    else
        snprintf(text, 16, "-");
    return text;
}

static void print_row(const calibrate_command *command, const workload *w, const workload_target *t, unsigned i,
                      const calibration *c, bool agrees)
{
    const published *p = &t->on[i];
    char max[16], opt[16], sm[16], mem[16], published_counts[40], simulated[40];

    gain(c, c->sm_gain, sm);
    gain(c, c->memory_gain, mem);
    snprintf(published_counts, sizeof published_counts, "%s/%s", printed(p->opt, opt), printed(p->max, max));
    snprintf(simulated, sizeof simulated, "%u/%u", c->sweep.optimum, c->sweep.nmax);
    if (command->csv)
        printf("%s,%s,%s,%s,%s,%s,%s,%u,%u,%s,%.2f,%s,%s,%.2f,%s\n", w->name, t->paper, t->kernel, target_machines[i],
               published_type_name(p->type), printed(p->max, max), printed(p->opt, opt), c->sweep.nmax, c->sweep.optimum,
               calibrate_shape_name(c->shape), sweep_speed(&c->sweep, c->sweep.nmax), sm, mem, c->off, agrees ? "yes" : "no");
    else
        printf("%-22s %-7s %-11s %9s %9s  %-11s %6.1f%% %6s %6s %6.2f%s\n", w->name, target_machines[i], published_type_name(p->type),
               published_counts, simulated, calibrate_shape_name(c->shape), sweep_speed(&c->sweep, c->sweep.nmax), sm, mem, c->off,
               agrees ? "" : "  differs");
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

static int calibrate_file(calibrate_command *command, const char *path)
{
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
    static const struct argp argp = {options, parse, "WORKLOAD...",
                                     "Fits workloads to the published optimum and type of their kernels: only what the kernel "
                                     "executes and how it uses memory is tuned. Rewrites the files' values, not their comments.",
                                     0, 0, 0};
    static calibrate_command command;
    int worst = EXIT_PASS;

    command.how = calibrate_default();
    command.how.progress = show_progress;
    command.how.user = &command;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    if (command.check && !command.cycles_given)
        command.how.cycles = CHECK_CYCLES;
    interrupt_install();
    print_header(&command);
    for (int i = 0; i < command.num_files && worst != EXIT_STOPPED; i++) {
        const int status = calibrate_file(&command, command.files[i]);

        worst = status > worst ? status : worst;
    }
    if (worst != EXIT_STOPPED && !command.csv && command.compared)
        printf("%u of %u as published\n", command.agreed, command.compared);
    return worst;
}
