/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches on an SM as records (doc/use/decision_log.md).
 */
#ifndef BALLAST_CKE_RESOURCES_DECISIONS_H
#define BALLAST_CKE_RESOURCES_DECISIONS_H

#include "blocks/cke_resources/bind.h"
#include "engine/decision.h"

static inline void cke_resources_describe(decisions *list, unsigned *count, const cke_resources_cfg *cfg,
                                          const cke_resources_state *before, const cke_resources_in *in,
                                          const cke_resources_out *out, const cke_resources_state *after)
{
    decision *d = decision_new(list, "cke_resources", "GWDE-2", "launch");
    unsigned kernel = 0;

    (void)count, (void)in, (void)out;
    for (unsigned k = 0; k < cfg->num_kernels; k++)
        kernel = before->move >> k & 1 ? k : kernel;
    decision_input(d, "kernel", kernel);
    decision_change(d, "ctas", before->ctas[kernel], after->ctas[kernel]);
    decision_change(d, "warps", before->warps, after->warps);
    decision_change(d, "regs", before->regs, after->regs);
    decision_change(d, "smem", before->smem, after->smem);
    decision_words(d, "CTA of kernel %u: it holds %u, free %u warps, %u register units, %u shared memory units", kernel,
                   after->ctas[kernel], after->warps, after->regs, after->smem);
}

#endif
