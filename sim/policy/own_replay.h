/* SPDX-License-Identifier: Apache-2.0
 *
 * A stimulus of one SM under somebody's own policy. Nothing is compared, as there is no RTL; what comes out is otherwise that of a session.
 */
#ifndef BALLAST_OWN_REPLAY_H
#define BALLAST_OWN_REPLAY_H

#include "policy/own_policy.h"
#include "replay/session.h"
#include "sm/sm_governor.h"

typedef struct own_replay_options {
    const own_policy *policy;
    sm_governor_cfg sm;     /* geometry, classifier and throttle        */
    unsigned number;        /* of the SM, for the log                   */
    uint64_t max_cycles;    /* 0: to the end                            */
    const char *log_prefix; /* decisions go to PREFIX.model.{log,jsonl}; NULL: nobody wants them */
    FILE *data;             /* where they go as data instead, or NULL       */
} own_replay_options;

/* Free the result with session_result_free, whatever the verdict. Its second track is done_o. */
void own_replay(const own_replay_options *options, const stimulus *s, session_result *result);

#endif
