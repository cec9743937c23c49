/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast analytic: the analytic models of the papers on kernel profiles, recordings and the papers'
 * own tables.
 */
#include <string.h>

#include "analytic/extract.h"
#include "analytic/pairs.h"
#include "analytic/predict_report.h"
#include "analytic/readings.h"
#include "cli/cmd_analytic.h"
#include "cli/commands.h"
#include "cli/named_chip.h"
#include "cli/say.h"
#include "files/data_dir.h"
#include "kernels/kernel_file.h"
#include "plot/gnuplot.h"

int analytic_print(const analytic_command *command, const oracle *const *all, unsigned num)
{
    (command->csv ? oracle_csv_header : oracle_print_header)(stdout, all[0]);
    for (unsigned k = 0; k < num; k++)
        (command->csv ? oracle_csv : oracle_print)(stdout, all[k]);
    if (!command->plot || oracle_draw(all, num, command->plot))
        return EXIT_PASS;
    gnuplot_complain(command->plot);
    return EXIT_BAD_INPUT;
}

static int predict_one(void *user, const char *path)
{
    const analytic_command *command = user;
    const analytic_predict_options *how = &command->switches.predict;
    char text[KERNEL_FILE_ERR];
    analytic_kernel kernel;
    analytic_err err;
    analytic_prediction p;

    if (!kernel_file_analytic(&kernel, path, text))
        return complain("%s", text);
    if (!analytic_predict(&command->gpu, &kernel, how, &p, &err))
        return complain("%s on %s: %s", path, command->gpu.name, err.text);
    (command->csv ? predict_report_csv : predict_report_text)(stdout, &command->gpu, &kernel, &p);
    if (command->plot && !predict_report_draw(&command->gpu, &kernel, &p, how, command->plot)) {
        gnuplot_complain(command->plot);
        return EXIT_BAD_INPUT;
    }
    return EXIT_PASS;
}

static int predict_all(analytic_command *command)
{
    if (command->csv)
        predict_report_csv_header(stdout);
    return each_file(&command->files, predict_one, command);
}

static int slowdown_tables(analytic_command *command)
{
    const slowdown_options *how = &command->switches.slowdown;
    analytic_err err;

    if (!pairs_print(&pairs_6_3, stdout, command->csv, how, NULL, &err))
        return complain("%s", err.text);
    printf("\n");
    return pairs_print(&pairs_6_5, stdout, command->csv, how, NULL, &err) ? EXIT_PASS : complain("%s", err.text);
}

static int readings(analytic_command *command)
{
    return readings_print(stdout, command->csv) ? EXIT_PASS : complain("a model failed on a paper's example");
}

static int extract_one(void *user, const char *path)
{
    const analytic_command *command = user;
    const unsigned launch = command->launch - 1;
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    const trace_meta *meta;
    extract_counts counts;
    char name[128];

    if (!reader)
        return complain("%s", err.text);
    meta = trace_get_meta(reader);
    recording_name(name, sizeof name, path);
    if (launch >= meta->num_launches)
        snprintf(err.text, sizeof err.text, "%s: has %u launches, no launch %u", path, (unsigned)meta->num_launches,
                 command->launch);
    else if (extract_launch(&counts, path, command->sm, launch, &err))
        extract_print(stdout, &counts, &meta->launches[launch], name);
    trace_close(reader);
    return err.text[0] ? complain("%s", err.text) : EXIT_PASS;
}

static int extract_all(analytic_command *command)
{
    return each_file(&command->files, extract_one, command);
}

static int gpus(analytic_command *command)
{
    analytic_gpu gpu;

    (void)command;
    printf("%-8s %4s %6s %7s %7s %6s  %s\n", "GPU", "SMs", "GHz", "GB/s", "Mem_LD", "power", "from");
    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++)
        printf("%-8s %4u %6.3f %7.1f %7.0f %6s  %s\n", gpu.name, (unsigned)gpu.occupancy.num_sms, gpu.memory.freq_ghz,
               gpu.memory.bandwidth_gb_s, gpu.memory.mem_ld, gpu.has_power ? "yes" : "no", gpu.note);
    return EXIT_PASS;
}

/* ---- the command line --------------------------------------------------------------- */

static void take_reading(void *member, char *arg, const struct argp_state *state)
{
    char err[512];

    if (!switches_set(member, arg, err))
        argp_failure(state, EXIT_USAGE, 0, "--reading: %s", err);
}

enum { GPU, READING, CSV, PLOT, KERNELS, POLICIES_FILE, MACHINE, SMS, JOBS, LAUNCH, SM, ROWS };

static const option_row rows[ROWS + 1] = {
    [GPU] = {"gpu", 'g', "GPU", "A name of 'ballast analytic gpus', or a file (default fermi, which made the recordings)",
             MEMBER(analytic_command, gpu), .take = option_gpu},
    [READING] = {"reading", 'r', "NAME=VALUE", "Another reading of a rule; 'ballast analytic readings' lists them",
                 MEMBER(analytic_command, switches), .take = take_reading},
    [CSV] = {"csv", 0, NULL, "CSV instead of text", MEMBER(analytic_command, csv)},
    [PLOT] = {"plot", 0, "FILE.svg", "Draw it, too", MEMBER(analytic_command, plot)},
    [KERNELS] = {"kernels", 0, "DIR", "compare: where the profiles NAME.kernel are (default sim/kernels/recorded)",
                 MEMBER(analytic_command, kernels)},
    [POLICIES_FILE] = {"policies", 0, "FILE", "compare: policies.csv of a 'ballast run', for what the policies chose",
                       MEMBER(analytic_command, policies)},
    [MACHINE] = {"machine", 0, "NAME", "simulate: a chip of rtl/configs (default fermi)", MEMBER(analytic_command, machine),
                 .take = option_machine},
    [SMS] = {"sms", 0, "N", "simulate: so many of its SMs, memory in proportion",
             NUMBER(analytic_command, sms, 1, MACHINE_MAX_SMS)},
    [JOBS] = {"jobs", 'j', "N", "simulate: runs at a time (default: one per core)", NUMBER(analytic_command, jobs, 1, 256)},
    [LAUNCH] = {"launch", 0, "N", "extract: kernel launch, from 1 (default 1)",
                NUMBER(analytic_command, launch, 1, TRACE_MAX_LAUNCHES)},
    [SM] = {"sm", 0, "N", "extract: recorded SM (default 0)", NUMBER(analytic_command, sm, 0, TRACE_MAX_SMS - 1)},
};

/* What an action takes: rows, and how many files of which kind. */
typedef struct analytic_action {
    const char *name;
    int (*function)(analytic_command *command);
    unsigned rows, least, most;
    const char *files;
} analytic_action;

static const analytic_action actions[] = {
    {"predict", predict_all, 1 << GPU | 1 << READING | 1 << CSV | 1 << PLOT, 1, 10000,
     "a profile, e.g. sim/kernels/recorded/pathfinder.kernel"},
    {"compare", analytic_compare, 1 << GPU | 1 << READING | 1 << CSV | 1 << PLOT | 1 << KERNELS | 1 << POLICIES_FILE, 1, 1,
     "one manifest, e.g. vectors/MANIFEST.csv"},
    {"simulate", analytic_simulate, 1 << READING | 1 << CSV | 1 << PLOT | 1 << MACHINE | 1 << SMS | 1 << JOBS, 1, 256,
     "a workload, e.g. sim/kernels/recorded/pathlong.kernel"},
    {"slowdown", slowdown_tables, 1 << READING | 1 << CSV, 0, 0, "no file"},
    {"readings", readings, 1 << CSV, 0, 0, "no file"},
    {"extract", extract_all, 1 << LAUNCH | 1 << SM, 1, 10000, "a recording, e.g. vectors/pathfinder.n1.blt"},
    {"gpus", gpus, 0, 0, 0, "no file"},
};

enum { ACTIONS = sizeof actions / sizeof actions[0] };

static void take_action(void *user, arguments *given, const struct argp_state *state)
{
    analytic_command *command = user;
    const char *name = *given->file++;
    const analytic_action *action = actions;

    given->num--;
    while (action < actions + ACTIONS && strcmp(action->name, name) != 0)
        action++;
    if (action == actions + ACTIONS)
        argp_failure(state, EXIT_USAGE, 0, "no action '%s': predict, compare, simulate, slowdown, readings, extract or gpus", name);
    for (unsigned r = 0; r < ROWS; r++)
        if (given->given & ~(uint64_t)action->rows & 1U << r)
            argp_failure(state, EXIT_USAGE, 0, "--%s: not with %s", rows[r].name, name);
    if (given->num < action->least || given->num > action->most)
        argp_failure(state, EXIT_USAGE, 0, "%s: name %s", name, action->files);
    if (command->plot && given->num > 1 && action->function == predict_all)
        argp_failure(state, EXIT_USAGE, 0, "--plot: draws one kernel; name one");
    command->action = action;
}

int cmd_analytic(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"analytic predict sim/kernels/recorded/hotspot.kernel", "analytic slowdown", "analytic gpus"},
        .rows = rows, .file = "action", .example = "predict", .check = take_action,
        .args_doc = "predict PROFILE...\ncompare MANIFEST.csv\nsimulate WORKLOAD...\nslowdown\nreadings\nextract RECORDING...\ngpus",
        .doc = "The analytic models of the papers.\v"
        "predict: a kernel on a GPU: cycles, CPI and power at every CTA limit, best limit, best number of SMs, bottleneck, advice\n"
        "compare: predictions beside recordings and the policies' choices\n"
        "simulate: predictions beside the activity simulator and the policies in its loop\n"
        "slowdown: the kernel pairs of the concurrent-kernels thesis, Tables 6.3 and 6.5\n"
        "readings: where papers disagree with themselves, and the switches for it\n"
        "extract: the beginning of a profile from a recording\n"
        "gpus: the built-in GPUs"};
    static analytic_command command = {.launch = 1};

    command.kernels = data_path("sim/kernels/recorded");
    command.machine = machine_find("fermi");
    analytic_gpu_find("fermi", &command.gpu);
    command.switches = switches_default();
    command.files = command_parse(&line, argc, argv, &command);
    return command.action->function(&command);
}
