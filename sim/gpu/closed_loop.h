/* SPDX-License-Identifier: Apache-2.0
 *
 * The activity simulator with governors in its loop: what the chip gives out in one cycle steers the
 * simulator in the next. Either side can be the chip:
 *
 * - the lockstep engine, RTL and C model together: closed_loop_stimulus is its stimulus, played by
 *   session_run with a block `ballast` as the controller;
 * - the C models alone: closed_loop_models, many times faster.
 *
 * The run is the same, cycle by cycle. Who wants to see it (measures, recordings) taps it.
 */
#ifndef BALLAST_CLOSED_LOOP_H
#define BALLAST_CLOSED_LOOP_H

#include "gpu/run.h"
#include "engine/stimulus.h"
#include "replay/decision_log.h"

/* Sees every cycle, after the governors have. */
typedef struct loop_tap {
    void *self;
    /* Number of the cycle from 0; buses of all SMs; outputs of the chip in it. NULL, or why the run
     * must end here. */
    const char *(*cycle)(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out);
} loop_tap;

enum { LOOP_TAPS = 6, LOOP_ERR = 512 };

typedef struct closed_loop {
    chip_sim *sim;
    const run_request *request;
    const char *chip; /* name of the variant of ballast, for the log */
    loop_tap taps[LOOP_TAPS];
    unsigned num_taps;
    bool tapped; /* the taps see the first pass; a session may play several to explain a mismatch */
    sim_control control;
    const sm_obs *const *obs; /* of the last cycle */
    uint64_t cycles;          /* so far            */
    bool finished;            /* the workload has come to its end */
    char err[LOOP_ERR];
} closed_loop;

/* The request's machine, workload and seed are those of the simulator; its levels and max_cycles are
 * kept, policy, limit and mode are the governors' affair. All must outlive the loop. */
void closed_loop_open(closed_loop *loop, chip_sim *sim, const run_request *request);
/* At most LOOP_TAPS of them. */
void closed_loop_tap(closed_loop *loop, loop_tap tap);

/* For a session whose controller's outputs are a chip_governor_out. It ends after max_cycles. */
stimulus closed_loop_stimulus(closed_loop *loop);

/* With the C models, up to the end, max_cycles, or Ctrl-C. g: opened on the same simulator, with its
 * settings. Decisions go to the log if there is one, as the model's side. False: loop->err says why
 * ("" after Ctrl-C). */
bool closed_loop_models(closed_loop *loop, governed *g, decision_log *log);

#endif
