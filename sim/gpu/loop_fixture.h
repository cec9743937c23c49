/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of closed loops: chips of this build with a few SMs, a kernel that keeps governors
 * busy and is over soon, and a digest of all that the SMs showed. Test only.
 */
#ifndef BALLAST_LOOP_FIXTURE_H
#define BALLAST_LOOP_FIXTURE_H

#include "gpu/loop_run.h"
#include "replay/session.h"

/* What a run was like, cycle by cycle. */
typedef struct loop_trail {
    unsigned sms;
    uint64_t digest; /* of all buses and outputs            */
    uint64_t cycles;
    uint64_t fail_at; /* the tap fails in this cycle, 0: never */
    unsigned limit_changes, level_changes, pauses, denials; /* cycles with such, on any SM */
    chip_governor_out before;
} loop_trail;

loop_tap trail_tap(loop_trail *trail, unsigned sms);
/* Of one bus; cta_denied is not in recordings and left out if `recorded`. */
uint64_t bus_digest(uint64_t digest, const sm_obs *obs, bool recorded);

/* The job of a chip of this build: a machine of its geometry, a kernel that suits it. */
loop_job job_of(const char *chip);

typedef struct loop_result {
    bool ok;
    run_result result;
    loop_trail trail;
    session_result session; /* of the RTL side */
    char *log;              /* decisions       */
    char err[LOOP_ERR];
} loop_result;

/* Plays the job. fail_at: of the trail. *r: zero, or the result of a play before, which goes. */
void play_models_of(const loop_job *job, uint64_t fail_at, loop_result *r);
/* options: a session's, but for what the job says; NULL: none. */
void play_rtl_of(const loop_job *job, uint64_t fail_at, const session_options *options, loop_result *r);

#endif
