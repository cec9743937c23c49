/* SPDX-License-Identifier: Apache-2.0
 *
 * A stimulus under somebody's own policy: one SM, or the SMs of a chip. Nothing is compared, as there is no RTL; what comes out is otherwise
 * that of a session.
 */
#ifndef BALLAST_OWN_REPLAY_H
#define BALLAST_OWN_REPLAY_H

#include "policy/own_policy.h"
#include "replay/session.h"
#include "chip/chip_governor.h"

typedef struct own_replay_options {
    const own_policy *policy;
    sm_governor_cfg sm;     /* geometry, classifier and throttle        */
    unsigned number;        /* of the one SM, for the log               */
    unsigned sms;           /* of the stimulus; 0: one                  */
    chip_governor_out *last; /* takes the outputs of the last cycle, or NULL */
    uint64_t max_cycles;    /* 0: to the end                            */
    const char *log_prefix; /* decisions go to PREFIX.model.{log,jsonl}; NULL: nobody wants them */
    FILE *data;             /* where they go as data instead, or NULL       */
} own_replay_options;

/* Free the result with session_result_free, whatever the verdict. Its tracks are SM 0's limit_o and done_o; a run has converged
 * when all SMs are done. */
void own_replay(const own_replay_options *options, const stimulus *s, session_result *result);

#endif
