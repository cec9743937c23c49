/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run of the activity simulator is measured by, whoever is in its loop: summed cycle by cycle,
 * concluded at the end.
 */
#ifndef BALLAST_RUN_WATCH_H
#define BALLAST_RUN_WATCH_H

#include "gpu/run.h"

/* Sums over cycles and SMs. */
typedef struct run_watch {
    unsigned sms;
    stall_classifier_cfg classifier;
    uint64_t warps; /* that an SM has */
    double limit, resident;
    uint64_t classes[4];
    unsigned all_limits, all_resident; /* of all SMs in the last cycle, ... */
    uint8_t limits[MACHINE_MAX_SMS];   /* ... and of each                   */
    uint32_t held[MACHINE_MAX_SMS];    /* its slots with a CTA that runs    */
    stall_classifier_in seen[MACHINE_MAX_SMS]; /* what nobody of it issued in last, and the class of that */
    uint8_t seen_class[MACHINE_MAX_SMS];
    bool decided[MACHINE_MAX_SMS];
    bool all_decided;
    uint64_t cycles, settled; /* so far; the last one in which a limit, or whether all have decided, changed */
} run_watch;

void run_watch_begin(run_watch *w, const machine *m);
/* A cycle's buses, and what the governors gave out in it. */
void run_watch_cycle(run_watch *w, const sm_obs *const *obs, const chip_governor_out *out);
/* What has come since `before` comes so many times more. */
void run_watch_leap(run_watch *w, const run_watch *before, double times);
/* Fills the result but for `finished`. */
void run_watch_conclude(const run_watch *w, const chip_sim *sim, run_result *result);

#endif
