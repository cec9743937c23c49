/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of stall_classifier's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md). What its outputs say of the
 * cycles before is in history.h.
 */
#include "blocks/stall_classifier/warps.h"

static inline bool stall_classifier_sums(const uint8_t *sums, const stall_classifier_cfg *cfg)
{
    unsigned some = 0;

    for (unsigned g = 0; g < stall_classifier_groups(cfg); g++)
        some |= sums[g];
    return some != 0;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "PS-2", "a cycle has the sums of one stall at most, and of none if a warp issued",                          \
      stall_classifier_sums(after->waits, cfg) + stall_classifier_sums(after->readies, cfg) + after->active <= 1)
