/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of the simulator in a closed loop, with its measures and, if wanted, its recording: opened,
 * played by either side, closed.
 */
#ifndef BALLAST_LOOP_RUN_H
#define BALLAST_LOOP_RUN_H

#include <stdio.h>

#include "gpu/cta_log.h"
#include "gpu/dispatch_rtl.h"
#include "gpu/run_watch.h"
#include "gpu/scheduler_rtl.h"
#include "gpu/sim_record.h"
#include "gpu/steady.h"
#include "engine/block.h"

typedef struct loop_job {
    run_request request;
    const block *chip;  /* a variant of `ballast` whose parameters the chip has; NULL: the defaults  */
    const char *record; /* file, or NULL                                                             */
    uint16_t record_sms[MACHINE_MAX_SMS];
    unsigned num_record_sms; /* 0: all */
    FILE *ctas;         /* where the list of its CTAs goes, or NULL                                  */
    bool rtl;           /* the RTL of dispatcher and warp schedulers in lockstep, too                */
    FILE *progress;     /* a terminal that is told how far the run is, or NULL                       */
} loop_job;

typedef struct loop_run {
    const loop_job *job;
    chip_sim *sim;
    governed *models; /* for closed_loop_models */
    own_chip *own;    /* of the request's own policy */
    closed_loop loop;
    run_watch watch;
    steady steady; /* with request.steady */
    launch_starts *starts;
    sim_record *record;
    cta_log *ctas;
    dispatch_rtl dispatch; /* with job->rtl */
    scheduler_rtl schedulers; /* with job->rtl */
    int percent; /* that the terminal shows; -1: none */
} loop_run;

/* False with one line in err (LOOP_ERR bytes) if there can be no such chip: it must have the machine's
 * SMs, warps, CTA slots and schedulers. */
bool loop_fits(const block *chip, const machine *m, char *err);

/* The job must outlive the run. False with one line in err, and nothing open ("": Ctrl-C). A recording
 * of more than one launch takes a pass of its own beforehand. */
bool loop_run_open(loop_run *r, const loop_job *job, char *err);
/* After the run: its measures to `result`; the recording is kept if `keep`, and it must then not have
 * failed; the list of CTAs is written then. False with one line in err if the recording cannot be; there is then no file. */
bool loop_run_close(loop_run *r, bool keep, run_result *result, char *err);

/* All of that with the C models alone. False with one line in err ("": Ctrl-C). */
bool loop_run_models(const loop_job *job, decision_log *log, run_result *result, char *err);

#endif
