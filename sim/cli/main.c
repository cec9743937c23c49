/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast: dispatches to the subcommands.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

static const struct {
    const char *name;
    int (*function)(int argc, char **argv);
    const char *help;
} commands[] = {
    {"run", cmd_run, "all recordings of a manifest through all blocks: table, logs, waveforms, report"},
    {"waves", cmd_waves, "waveform of a block on a recording, or of a part of it, with its GTKWave view"},
    {"report", cmd_report, "write the page of the last run anew, e.g. after 'make area'"},
    {"lockstep", cmd_lockstep, "replay recordings as recorded, RTL against C model"},
    {"family", cmd_family, "replay one kernel's recordings; the controller's limit picks among them"},
    {"chip", cmd_chip, "replay recordings on all SMs of a chip, with votes and VF domains"},
    {"random", cmd_random, "random stimulus and settings, RTL against C model"},
    {"analytic", cmd_analytic, "predict kernels with the analytic models; compare with recordings and with the papers' tables"},
    {"agree", cmd_agree, "compare stall_classifier with the recorder's own stall class"},
    {"blocks", cmd_blocks, "list the blocks of this build, their parameters and signals"},
    {"info", cmd_info, "say what a recording holds; check it"},
    {"import", cmd_import, "make a recording from raw per-cycle records and CSV files"},
    {"new-block", cmd_new_block, "write the files of a new block from the skeleton"},
    {"bench", cmd_bench, "measure RTL, lockstep, model and decoder speed"},
    {"sim", cmd_sim, "simulate a kernel with governors in the loop, RTL or models; record it"},
    {"experiment", cmd_experiment, "the papers' experiments in the simulator, the papers' values beside the measured ones"},
    {"calibrate", cmd_calibrate, "fit workloads to the published optima, or print how far they are from them"},
    {"validate", cmd_validate, "simulate the recorded kernels and put them beside the recordings"},
    {"bench-sim", cmd_bench_sim, "measure the activity simulator's speed for 1, 15 and 132 SMs"},
    {"bench-chip", cmd_bench_chip, "measure a whole chip's speed for 1, 15 and 132 SMs"},
};

enum { NUM_COMMANDS = sizeof commands / sizeof commands[0] };

static int usage(FILE *out, int status)
{
    fprintf(out, "usage: ballast COMMAND [OPTION...] [FILE...]\n\n");
    for (int i = 0; i < NUM_COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
    fprintf(out, "\n'ballast COMMAND --help' lists its options. Exit status: 0 all is well, 1 model and RTL differ,\n"
                 "2 usage, 3 bad input, 130 interrupted.\n");
    return status;
}

int main(int argc, char **argv)
{
    char name[64];

    if (argc < 2)
        return usage(stderr, EXIT_USAGE);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
        return usage(stdout, EXIT_PASS);
    for (int i = 0; i < NUM_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        snprintf(name, sizeof name, "ballast %s", argv[1]);
        argv[1] = name;
        return commands[i].function(argc - 1, argv + 1);
    }
    fprintf(stderr, "ballast: no command '%s'; 'ballast help' lists them\n", argv[1]);
    return EXIT_USAGE;
}
