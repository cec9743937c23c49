/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast sim: a run of the simulator with either side in its loop, and everything around it: files of a session, failures in
 * words, and what was measured.
 */
#ifndef BALLAST_CMD_SIM_H
#define BALLAST_CMD_SIM_H

#include "cli/replay_options.h"
#include "gpu/loop_run.h"

typedef struct sim_play {
    bool rtl;                     /* RTL and C models in lockstep, else the C models alone       */
    const replay_options *replay; /* of the session; print_log: of both sides                    */
    const loop_job *job;
    const char *name;             /* what a run writes is OUT/<name>.chip.*                      */
} sim_play;

typedef struct sim_outcome {
    int status; /* to exit with */
    run_result result;
    char text[LOOP_ERR];  /* why it is not EXIT_PASS                       */
    char explain[4096 + 16]; /* prefix of the explanation of a mismatch, or "" */
    char *log; /* decisions, with print_log; to be freed */
} sim_outcome;

void sim_play_run(const sim_play *play, sim_outcome *outcome);
/* Why it has failed, with the explanation if there is one; nothing if it has not. */
void sim_play_complain(const sim_outcome *outcome);

/* What was measured, in words or as a line of CSV. */
void sim_report_print(FILE *f, const run_request *request, const run_result *result, const char *side);
void sim_report_csv_header(FILE *f);
void sim_report_csv(FILE *f, const run_request *request, const run_result *result, const char *side);
/* The same kernel at the limits 1..num: a line each, and the optimum of PS-E4 if all
 * runs have come to their end. */
void sim_report_family(FILE *f, const run_request *request, const run_result *const *results, unsigned num);

#endif
