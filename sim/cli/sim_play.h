/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of the simulator with either side in its loop, and everything a command does around it: files
 * of a session, failures in words.
 */
#ifndef BALLAST_SIM_PLAY_H
#define BALLAST_SIM_PLAY_H

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

#endif
