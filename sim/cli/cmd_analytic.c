/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast analytic: the analytic models of the papers on kernel profiles, recordings and the papers'
 * own tables.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/explained.h"
#include "cli/analytic_compare.h"
#include "cli/analytic_simulate.h"
#include "cli/replay_options.h"
#include "analytic/extract.h"
#include "analytic/gpu_file.h"
#include "kernels/kernel_file.h"
#include "analytic/pairs.h"
#include "analytic/predict_report.h"
#include "analytic/readings.h"
#include "analytic/switches.h"
#include "plot/gnuplot.h"

enum { KEY_CSV = 0x200, KEY_PLOT, KEY_KERNELS, KEY_POLICIES, KEY_LAUNCH, KEY_SM, KEY_MACHINE, KEY_SMS };

typedef struct model_command {
    int action; /* index into actions, -1 before it is named */
    analytic_gpu gpu;
    model_switches switches;
    bool csv;
    const char *plot, *kernels, *policies;
    unsigned launch, sm, sms, jobs;
    const machine *machine;
    char given[12]; /* keys of the options that were given, as letters */
    char **files;
    int num_files;
} model_command;

static int predict_all(const model_command *command);
static int compare(const model_command *command);
static int simulate(const model_command *command);
static int slowdown_tables(const model_command *command);
static int readings(const model_command *command);
static int extract_all(const model_command *command);
static int gpus(const model_command *command);

/* `takes`: letters of the options that make sense (see `option_letters`); files: how many at most. */
static const struct {
    const char *name;
    int (*function)(const model_command *command);
    const char *takes;
    int least, most;
    const char *files;
} actions[] = {
    {"predict", predict_all, "grcp", 1, 10000, "a profile, e.g. sim/kernels/recorded/pathfinder.kernel"},
    {"compare", compare, "grcpkP", 1, 1, "one manifest, e.g. vectors/MANIFEST.csv"},
    {"simulate", simulate, "rcpmSj", 1, 256, "a workload, e.g. sim/kernels/recorded/pathlong.kernel"},
    {"slowdown", slowdown_tables, "rc", 0, 0, "no file"},
    {"readings", readings, "c", 0, 0, "no file"},
    {"extract", extract_all, "ls", 1, 10000, "a recording, e.g. vectors/pathfinder.n1.blt"},
    {"gpus", gpus, "", 0, 0, "no file"},
};

enum { ACTIONS = sizeof actions / sizeof actions[0] };

static const struct argp_option options[] = {
    {"gpu", 'g', "GPU", 0, "A name of 'ballast analytic gpus', or a file (default fermi, which made the recordings)", 0},
    {"reading", 'r', "NAME=VALUE", 0, "Another reading of a rule; 'ballast analytic readings' lists them", 0},
    {"csv", KEY_CSV, 0, 0, "CSV instead of text", 0},
    {"plot", KEY_PLOT, "FILE.svg", 0, "Draw it, too", 0},
    {"kernels", KEY_KERNELS, "DIR", 0, "compare: where the profiles NAME.kernel are (default sim/kernels/recorded)", 0},
    {"policies", KEY_POLICIES, "FILE", 0, "compare: policies.csv of a 'ballast run', for what the policies chose", 0},
    {"machine", KEY_MACHINE, "NAME", 0, "simulate: a chip of rtl/configs (default fermi)", 0},
    {"sms", KEY_SMS, "N", 0, "simulate: so many of its SMs, memory in proportion", 0},
    {"jobs", 'j', "N", 0, "simulate: runs at a time (default: one per core)", 0},
    {"launch", KEY_LAUNCH, "N", 0, "extract: kernel launch, from 1 (default 1)", 0},
    {"sm", KEY_SM, "N", 0, "extract: recorded SM (default 0)", 0},
    {0}};

static void note_given(model_command *command, char letter)
{
    const size_t used = strlen(command->given);

    if (!strchr(command->given, letter) && used + 1 < sizeof command->given)
        command->given[used] = letter;
}

static void find_action(model_command *command, const char *name, const struct argp_state *state)
{
    for (command->action = 0; command->action < ACTIONS; command->action++)
        if (!strcmp(actions[command->action].name, name))
            return;
    argp_failure(state, EXIT_USAGE, 0, "no action '%s': predict, compare, simulate, slowdown, readings, extract or gpus", name);
}

static void check_usage(const model_command *command, const struct argp_state *state)
{
    static const struct {
        char letter;
        const char *option;
    } letters[] = {{'g', "--gpu"}, {'r', "--reading"}, {'c', "--csv"}, {'p', "--plot"},
                   {'k', "--kernels"}, {'P', "--policies"}, {'l', "--launch"}, {'s', "--sm"},
                   {'m', "--machine"}, {'S', "--sms"}, {'j', "--jobs"}};

    if (command->action < 0)
        argp_failure(state, EXIT_USAGE, 0, "name an action: predict, compare, simulate, slowdown, readings, extract or gpus");
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (strchr(command->given, letters[i].letter) && !strchr(actions[command->action].takes, letters[i].letter))
            argp_failure(state, EXIT_USAGE, 0, "%s: not with %s", letters[i].option, actions[command->action].name);
    if (command->num_files < actions[command->action].least || command->num_files > actions[command->action].most)
        argp_failure(state, EXIT_USAGE, 0, "%s: name %s", actions[command->action].name, actions[command->action].files);
    if (command->plot && command->num_files > 1 && actions[command->action].function == predict_all)
        argp_failure(state, EXIT_USAGE, 0, "--plot: draws one kernel; name one");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    model_command *command = state->input;
    char err[GPU_FILE_ERR];

    switch (key) {
    case 'g':
        note_given(command, 'g');
        if (!gpu_file_find(&command->gpu, arg, err))
            argp_failure(state, EXIT_BAD_INPUT, 0, "%s", err);
        return 0;
    case 'r':
        note_given(command, 'r');
        if (!switches_set(&command->switches, arg, err))
            argp_failure(state, EXIT_USAGE, 0, "--reading: %s", err);
        return 0;
    case KEY_CSV: command->csv = true; note_given(command, 'c'); return 0;
    case KEY_PLOT: command->plot = arg; note_given(command, 'p'); return 0;
    case KEY_KERNELS: command->kernels = arg; note_given(command, 'k'); return 0;
    case KEY_POLICIES: command->policies = arg; note_given(command, 'P'); return 0;
    case KEY_LAUNCH:
        command->launch = (unsigned)option_number(state, "--launch", arg, 1, TRACE_MAX_LAUNCHES) - 1;
        note_given(command, 'l');
        return 0;
    case KEY_SM:
        command->sm = (unsigned)option_number(state, "--sm", arg, 0, TRACE_MAX_SMS - 1);
        note_given(command, 's');
        return 0;
    case KEY_MACHINE:
        note_given(command, 'm');
        command->machine = option_machine(state, arg);
        return 0;
    case KEY_SMS:
        command->sms = (unsigned)option_number(state, "--sms", arg, 1, MACHINE_MAX_SMS);
        note_given(command, 'S');
        return 0;
    case 'j':
        command->jobs = (unsigned)option_number(state, "--jobs", arg, 1, 256);
        note_given(command, 'j');
        return 0;
    case ARGP_KEY_ARG:
        if (command->action >= 0)
            return ARGP_ERR_UNKNOWN;
        find_action(command, arg, state);
        return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_END: check_usage(command, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- actions ---------------------------------------------------------------------- */

static int predict_one(const model_command *command, const char *path)
{
    const predict_options *how = &command->switches.predict;
    char text[KERNEL_FILE_ERR];
    analytic_kernel kernel;
    analytic_err err;
    prediction p;

    if (!kernel_file_analytic(&kernel, path, text))
        return complain("%s", text);
    if (!predict(&command->gpu, &kernel, how, &p, &err))
        return complain("%s on %s: %s", path, command->gpu.name, err.text);
    (command->csv ? predict_report_csv : predict_report_text)(stdout, &command->gpu, &kernel, &p);
    if (command->plot && !predict_report_draw(&command->gpu, &kernel, &p, how, command->plot)) {
        gnuplot_complain(command->plot);
        return EXIT_BAD_INPUT;
    }
    return EXIT_PASS;
}

static int predict_all(const model_command *command)
{
    int worst = EXIT_PASS;

    if (command->csv)
        predict_report_csv_header(stdout);
    for (int i = 0; i < command->num_files; i++) {
        const int status = predict_one(command, command->files[i]);

        worst = status > worst ? status : worst;
    }
    return worst;
}

static int compare(const model_command *command)
{
    const model_compare how = {.manifest = command->files[0], .policies = command->policies, .csv = command->csv,
                               .plot = command->plot,
                               .source = {command->kernels, &command->gpu, command->switches.predict}};

    return model_compare_run(&how);
}

static int simulate(const model_command *command)
{
    machine slice = *command->machine;
    const model_simulate how = {.machine = &slice, .files = command->files, .num_files = command->num_files,
                                .options = command->switches.predict, .jobs = command->jobs, .csv = command->csv,
                                .plot = command->plot};
    char err[256];

    if (command->sms && !machine_slice(command->machine, command->sms, &slice, err, sizeof err))
        return complain("%s", err);
    return model_simulate_run(&how);
}

static int slowdown_tables(const model_command *command)
{
    const slowdown_options *how = &command->switches.slowdown;
    analytic_err err;

    if (!pairs_print(&pairs_6_3, stdout, command->csv, how, NULL, &err))
        return complain("%s", err.text);
    printf("\n");
    return pairs_print(&pairs_6_5, stdout, command->csv, how, NULL, &err) ? EXIT_PASS : complain("%s", err.text);
}

static int readings(const model_command *command)
{
    return readings_print(stdout, command->csv) ? EXIT_PASS : complain("a model failed on a paper's example");
}

static int extract_one(const model_command *command, const char *path)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    extract_counts counts;
    char name[128];

    if (!reader)
        return complain("%s", err.text);
    if (command->launch >= trace_get_meta(reader)->num_launches) {
        complain("%s: has %u launches, no launch %u", path, (unsigned)trace_get_meta(reader)->num_launches, command->launch + 1);
        trace_close(reader);
        return EXIT_BAD_INPUT;
    }
    recording_name(name, sizeof name, path);
    if (extract_launch(&counts, path, command->sm, command->launch, &err))
        extract_print(stdout, &counts, &trace_get_meta(reader)->launches[command->launch], name);
    trace_close(reader);
    return err.text[0] ? complain(err.text) : EXIT_PASS;
}

static int extract_all(const model_command *command)
{
    int worst = EXIT_PASS;

    for (int i = 0; i < command->num_files; i++) {
        const int status = extract_one(command, command->files[i]);

        worst = status > worst ? status : worst;
    }
    return worst;
}

static int gpus(const model_command *command)
{
    analytic_gpu gpu;

    (void)command;
    printf("%-8s %4s %6s %7s %7s %6s  %s\n", "GPU", "SMs", "GHz", "GB/s", "Mem_LD", "power", "from");
    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++)
        printf("%-8s %4u %6.3f %7.1f %7.0f %6s  %s\n", gpu.name, (unsigned)gpu.occupancy.num_sms, gpu.memory.freq_ghz,
               gpu.memory.bandwidth_gb_s, gpu.memory.mem_ld, gpu.has_power ? "yes" : "no", gpu.note);
    return EXIT_PASS;
}

int cmd_analytic(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "predict PROFILE...\ncompare MANIFEST.csv\nsimulate WORKLOAD...\nslowdown\nreadings\nextract RECORDING...\ngpus",
        "The analytic models of the papers.\v"
        "predict: a kernel on a GPU: cycles, CPI and power at every CTA limit, best limit, best number of SMs, bottleneck, advice\n"
        "compare: predictions beside recordings and the policies' choices\n"
        "simulate: predictions beside the activity simulator and the policies in its loop\n"
        "slowdown: the kernel pairs of the concurrent-kernels thesis, Tables 6.3 and 6.5\n"
        "readings: where papers disagree with themselves, and the switches for it\n"
        "extract: the beginning of a profile from a recording\n"
        "gpus: the built-in GPUs", 0, 0, 0};
    static model_command command = {.action = -1, .kernels = "sim/kernels/recorded"};

    command.machine = machine_find("fermi");

    analytic_gpu_find("fermi", &command.gpu);
    command.switches = switches_default();
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &command);
    return actions[command.action].function(&command);
}
