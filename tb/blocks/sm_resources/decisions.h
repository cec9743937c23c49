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
    const unsigned slot = out->slot | (unsigned)out->second;
    decision *d = decision_new(list, "sm_resources", "GWDE-2", "launch");

    (void)count, (void)cfg;
    decision_input(d, "slot", slot);
    decision_change(d, "count", before->count, after->count);
    decision_words(d, "CTA in slot %u: %u held, room for %u", slot, after->count, in->most);
}

#endif
