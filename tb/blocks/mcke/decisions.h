/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and launches as records (doc/use/decision_log.md).
 */
#ifndef BALLAST_MCKE_DECISIONS_H
#define BALLAST_MCKE_DECISIONS_H

#include <inttypes.h>

#include "blocks/mcke/bind.h"
#include "engine/decision.h"

static inline void mcke_record_start(decisions *list, const mcke_in *in, const mcke_state *after)
{
    const bool too_big = after->too_big >> in->kernel & 1;
    decision *d = decision_new(list, "mcke", "GWDE-2", "kernel_start");

    decision_input(d, "kernel", in->kernel);
    decision_input(d, "grid", in->grid);
    decision_input(d, "warps", in->warps);
    decision_input(d, "regs", in->regs);
    decision_input(d, "smem", in->smem);
    decision_after_state(d, "fits", too_big ? "no" : "yes");
    decision_words(d, "kernel %u starts: %" PRIu32 " CTAs of %u warps, %u register units, %u shared memory units%s", in->kernel,
                   in->grid, in->warps, in->regs, in->smem, too_big ? ": more than an SM has" : "");
}

/* The SM of the launch of this cycle, at the end of which it counts the CTA. */
static inline unsigned mcke_start_sm(const mcke_cfg *cfg, const mcke_state *before)
{
    unsigned sm = 0;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        sm = before->sm[i].taken ? i : sm;
    return sm;
}

static inline void mcke_record_launch(decisions *list, const mcke_cfg *cfg, const mcke_state *before)
{
    const unsigned k = before->start_kernel, sm = mcke_start_sm(cfg, before), resident = before->sm[sm].ctas[k] + 1u;
    decision *d = decision_new(list, "mcke", "CKE-1", "launch");

    decision_input(d, "kernel", k);
    decision_input(d, "cta", before->cta[k]);
    decision_input(d, "sm", sm);
    decision_input(d, "slot", before->start_slot);
    decision_input(d, "resident", resident);
    decision_words(d, "CTA %" PRIu32 " of kernel %u to SM %u, slot %u: it has %u there", before->cta[k], k, sm,
                   before->start_slot, resident);
}

static inline void mcke_describe(decisions *list, unsigned *count, const mcke_cfg *cfg, const mcke_state *before, const mcke_in *in,
                                 const mcke_out *out, const mcke_state *after)
{
    (void)count;
    if (out->start_valid)
        mcke_record_launch(list, cfg, before);
    if (mcke_takes_start(cfg, in, out))
        mcke_record_start(list, in, after);
}

#endif
