/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches on an SM as records (doc/use/decision_log.md).
 */
#ifndef BALLAST_SM_RESOURCES_DECISIONS_H
#define BALLAST_SM_RESOURCES_DECISIONS_H

#include "blocks/sm_resources/bind.h"
#include "engine/decision.h"

static inline void sm_resources_describe(decisions *list, unsigned *count, const sm_resources_cfg *cfg,
                                         const sm_resources_state *before, const sm_resources_in *in,
                                         const sm_resources_out *out, const sm_resources_state *after)
{
    decision *d = decision_new(list, "sm_resources", "GWDE-2", "launch");

    (void)count, (void)cfg, (void)in;
    decision_input(d, "slot", out->slot);
    decision_change(d, "count", before->count, after->count);
    decision_change(d, "warps", before->warps, after->warps);
    decision_change(d, "regs", before->regs, after->regs);
    decision_change(d, "smem", before->smem, after->smem);
    decision_words(d, "CTA in slot %u: %u held, free %u warps, %u register units, %u shared memory units", out->slot,
                   after->count, after->warps, after->regs, after->smem);
}

#endif
