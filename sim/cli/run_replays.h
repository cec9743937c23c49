/* SPDX-License-Identifier: Apache-2.0
 *
 * The replays of 'ballast run', side by side: every recording in open loop; every family of recordings under Perf-Sat with a
 * waveform, under each policy and on the chip; at last what shows the blocks.
 */
#ifndef BALLAST_RUN_REPLAYS_H
#define BALLAST_RUN_REPLAYS_H

#include "cli/policies.h"
#include "cli/show.h"
#include "cli/side_by_side.h"

/* What is given. */
typedef struct run_plan {
    const replay_options *replay;
    const manifest *manifest;
    const oracle_source *model;
    const char *views; /* directory of the GTKWave views */
    unsigned max_laps, jobs;
} run_plan;

/* Of a family. */
typedef struct run_family {
    kernel_family family; /* its paths are those below */
    const char *paths[MANIFEST_MAX];
} run_family;

/* What comes of it. */
typedef struct run_replays {
    const run_plan *plan;
    run_family *families;
    unsigned num;
    policies_kernel *kernels;  /* of the families, in memory that processes share */
    unsigned *changes;         /* of Perf-Sat's limit, the same                   */
    side_by_side side;         /* holds the tracks of the kernels' results        */
} run_replays;

/* All replays of recordings and families, with their rows; the exit status. Close it, whatever that is. */
int run_replays_play(run_replays *r, const run_plan *plan, table *t);
/* After it: the waveforms and views that show each block. False if a file of a replay could not be written. */
bool run_replays_show(const run_replays *r, int *status);
void run_replays_close(run_replays *r);

#endif
