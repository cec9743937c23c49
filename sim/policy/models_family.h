/* SPDX-License-Identifier: Apache-2.0
 *
 * Family replay with the reference model alone: the same cycles as replay/family.h gives, the same decisions, without RTL. The
 * recordings are decoded once for all replays (replay/unrolled.h), and spans of cycles in which the model does nothing but count are taken
 * at once (policy/span.h).
 *
 * Nothing is compared. What such a replay says of the RTL leans on the proof that a step of the one is a step of the other.
 */
#ifndef BALLAST_MODELS_FAMILY_H
#define BALLAST_MODELS_FAMILY_H

#include "replay/family.h"
#include "replay/session.h"
#include "replay/unrolled.h"

typedef struct models_family models_family;

/* Decodes what `f` plays, which must stay open; its launch and its SM. NULL with one line in err. */
models_family *models_family_open(const family *f, trace_err *err);
void models_family_close(models_family *m);
/* By limit; NULL: not recorded. */
const unrolled *const *models_family_members(const models_family *m);

typedef struct models_play {
    const block *block;          /* its limit is the controller's: sm_governor, scout */
    const char *const *settings; /* "block.input=value" */
    unsigned num_settings;
    uint64_t max_cycles;         /* 0: to the end                                     */
    pace *pace;                  /* or NULL                                           */
    bool log;                    /* the decisions are wanted                          */
    bool each;                   /* the model takes every cycle, for a comparison     */
} models_play;

/* What is to be known of it besides the result. */
typedef struct models_told {
    unsigned laps;
    uint64_t moves;
    uint64_t steps;           /* cycles that the model took itself */
    lockstep_values state;    /* its registers at the end          */
} models_told;

/* Free the result with session_result_free. `told` may be NULL. */
void models_family_play(const models_family *m, const models_play *how, session_result *result, models_told *told);

#endif
