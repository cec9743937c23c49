/* SPDX-License-Identifier: Apache-2.0
 *
 * The ballast command's subcommands. Each gets argv with argv[0] = "ballast <name>" and
 * returns an exit status.
 */
#ifndef BALLAST_COMMANDS_H
#define BALLAST_COMMANDS_H

enum exit_status {
    EXIT_PASS = 0,
    EXIT_MISMATCH = 1,   /* the twins differ                           */
    EXIT_USAGE = 2,      /* an option or argument makes no sense       */
    EXIT_BAD_INPUT = 3,  /* a file is missing, damaged or does not fit */
    EXIT_STOPPED = 130   /* interrupted                                */
};

int cmd_lockstep(int argc, char **argv);
int cmd_family(int argc, char **argv);
int cmd_chip(int argc, char **argv);
int cmd_random(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_waves(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_agree(int argc, char **argv);
int cmd_analytic(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_bench_chip(int argc, char **argv);
int cmd_bench_sim(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_sim(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_experiment(int argc, char **argv);
int cmd_blocks(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_new_block(int argc, char **argv);

#endif
