/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulated run as a recording (sim/recording/trace.h), of all SMs or some. Cycle 0 is the run's first.
 * The same run gives the same bytes.
 */
#ifndef BALLAST_SIM_RECORD_H
#define BALLAST_SIM_RECORD_H

#include "gpu/closed_loop.h"
#include "recording/trace.h"

/* The cycles in which kernels start. They stand at the head of a recording, so they must be known
 * before it is written. */
typedef struct launch_starts {
    unsigned num;
    uint64_t at[TRACE_MAX_LAUNCHES];
} launch_starts;

/* Collects them in a pass over the run. */
loop_tap launch_starts_tap(launch_starts *starts);

typedef struct sim_record sim_record;

/* What a recording of the run says of itself. launches: room for starts->num of them. */
trace_meta sim_record_meta(const run_request *request, const launch_starts *starts, trace_launch *launches);

/* sms: the SMs to record, num_sms of them; none: all. NULL with a one-line text if the file cannot be
 * written or there is no such SM. */
sim_record *sim_record_open(const char *path, const run_request *request, const launch_starts *starts,
                            const uint16_t *sms, unsigned num_sms, trace_err *err);
loop_tap sim_record_tap(sim_record *record);
/* Puts the file in place. False with a text: there is no file. Frees it in any case. */
bool sim_record_close(sim_record *record, trace_err *err);
/* Leaves no file. */
void sim_record_abort(sim_record *record);

#endif
