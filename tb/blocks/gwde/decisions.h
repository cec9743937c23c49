/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and launches as records (doc/use/decision_log.md).
 */
#ifndef BALLAST_GWDE_DECISIONS_H
#define BALLAST_GWDE_DECISIONS_H

#include <inttypes.h>

#include "blocks/gwde/bind.h"
#include "engine/decision.h"

static inline void gwde_record_start(decisions *list, const gwde_in *in, const gwde_state *after)
{
    decision *d = decision_new(list, "gwde", "GWDE-2", "kernel_start");

    decision_input(d, "grid", in->grid);
    decision_input(d, "warps", in->warps);
    decision_input(d, "regs", in->regs);
    decision_input(d, "smem", in->smem);
    decision_after_state(d, "fits", after->too_big ? "no" : "yes");
    decision_words(d, "kernel start: %" PRIu32 " CTAs of %u warps, %u register units, %u shared memory units%s", in->grid,
                   in->warps, in->regs, in->smem, after->too_big ? ": more than an SM has" : "");
}

static inline void gwde_record_pairs(decisions *list, const gwde_in *in, const gwde_state *after)
{
    decision *d = decision_new(list, "gwde", "BCS-2", "pairs");

    decision_input(d, "two_d", in->two_d);
    decision_input(d, "width", in->width);
    decision_after_state(d, "pairs", after->bcs.on ? "yes" : "no");
    decision_words(d, "%s", after->bcs.on ? "CTAs go in pairs" : in->two_d ? "no SM has room for a pair" : "no pairs in a 1-D kernel");
}

static inline void gwde_record_second(decisions *list, const gwde_state *before)
{
    decision *d = decision_new(list, "gwde", "BCS-1", "second");

    decision_input(d, "cta", before->cta);
    decision_input(d, "sm", before->start_sm);
    decision_input(d, "slot", before->start_slot);
    decision_words(d, "a pair with CTA %" PRIu32, before->cta - 1);
}

static inline void gwde_record_launch(decisions *list, const gwde_state *before)
{
    const unsigned resident = before->sm[before->start_sm].count;
    decision *d = decision_new(list, "gwde", "GWDE-1", "launch");

    decision_input(d, "cta", before->cta);
    decision_input(d, "sm", before->start_sm);
    decision_input(d, "slot", before->start_slot);
    decision_input(d, "resident", resident);
    decision_words(d, "CTA %" PRIu32 " to SM %u, slot %u: %u resident", before->cta, before->start_sm,
                   before->start_slot, resident);
}

static inline void gwde_describe(decisions *list, unsigned *count, const gwde_cfg *cfg, const gwde_state *before,
                                 const gwde_in *in, const gwde_out *out, const gwde_state *after)
{
    (void)count, (void)cfg;
    if (out->start_valid)
        gwde_record_launch(list, before);
    if (out->start_valid && before->bcs.on && before->start_slot % 2)
        gwde_record_second(list, before);
    if (in->start && out->idle)
        gwde_record_start(list, in, after);
    if (in->start && out->idle && in->bcs)
        gwde_record_pairs(list, in, after);
}

#endif
