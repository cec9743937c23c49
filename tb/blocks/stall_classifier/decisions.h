/* SPDX-License-Identifier: Apache-2.0
 *
 * stall_classifier takes no decisions of its own: a class per cycle is none.
 */
#ifndef BALLAST_STALL_CLASSIFIER_DECISIONS_H
#define BALLAST_STALL_CLASSIFIER_DECISIONS_H

#include "engine/decision.h"
#include "blocks/stall_classifier/bind.h"

static inline void stall_classifier_describe(decisions *list, unsigned *count, const stall_classifier_cfg *cfg,
                                             const stall_classifier_state *before, const stall_classifier_in *in,
                                             const stall_classifier_out *out, const stall_classifier_state *after)
{
    (void)list, (void)count, (void)cfg, (void)before, (void)in, (void)out, (void)after;
}

#endif
