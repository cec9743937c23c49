/* SPDX-License-Identifier: Apache-2.0
 *
 * The decisions of a chip's parts as records: accesses, kernels and launches, votes, domains and limits.
 */
#ifndef BALLAST_BALLAST_CHIP_DECISIONS_H
#define BALLAST_BALLAST_CHIP_DECISIONS_H

#include "blocks/ballast_chip/bind.h"
#include "blocks/ballast_regs/decisions.h"
#include "blocks/chip_governor/decisions.h"
#include "blocks/gwde/decisions.h"
#include "blocks/mcke/decisions.h"

static inline void ballast_chip_describe_regs(decisions *list, unsigned *count, const ballast_chip_cfg *cfg, const ballast_chip_state *before,
                                              const ballast_chip_in *in, const ballast_chip_out *out, const ballast_chip_state *after)
{
    const ballast_regs_in bus = {.psel = in->psel, .penable = in->penable, .pwrite = in->pwrite, .paddr = in->paddr, .pwdata = in->pwdata};
    const ballast_regs_out answer = {.pslverr = out->pslverr};

    ballast_regs_describe(list, count, &cfg->regs, &before->regs, &bus, &answer, &after->regs);
}

/* A start is always taken. */
static inline void ballast_chip_describe_gwde(decisions *list, unsigned *count, const ballast_chip_cfg *cfg, const ballast_chip_state *before,
                                              const ballast_chip_out *out, const ballast_chip_state *after)
{
    const gwde_in in = {.start = out->kernel_start, .grid = out->grid, .width = out->width, .two_d = out->two_d, .warps = out->warps,
                        .regs = out->regs, .smem = out->smem, .bcs = before->regs.bcs};
    const gwde_out given = {.idle = 1, .start_valid = before->gwde.start_valid, .start_sm = before->gwde.start_sm,
                            .start_slot = before->gwde.start_slot, .start_cta = before->gwde.cta};

    gwde_describe(list, count, &cfg->gwde, &before->gwde, &in, &given, &after->gwde);
}

static inline void ballast_chip_describe_mcke(decisions *list, unsigned *count, const ballast_chip_cfg *cfg, const ballast_chip_state *before,
                                              const ballast_chip_out *out, const ballast_chip_state *after)
{
    const mcke_in in = {.start = out->kernel_start, .kernel = out->kernel, .grid = out->grid, .warps = out->warps, .regs = out->regs,
                        .smem = out->smem};
    const mcke_out given = {.idle = UINT8_MAX, .start_valid = before->mcke.start_valid};

    mcke_describe(list, count, &cfg->mcke, &before->mcke, &in, &given, &after->mcke);
}

static inline void ballast_chip_describe(decisions *list, unsigned *count, const ballast_chip_cfg *cfg, const ballast_chip_state *before,
                                         const ballast_chip_in *in, const ballast_chip_out *out, const ballast_chip_state *after)
{
    chip_governor_in governors = {.policy = before->regs.policy, .mode = before->regs.mode};

    for (unsigned i = 0; i < cfg->governor.num_sms; i++) {
        governors.sm[i].kernel_start = out->kernel_start;
        governors.sm[i].cta_denied = before->denied[i];
    }
    ballast_chip_describe_regs(list, count, cfg, before, in, out, after);
    if (cfg->num_kernels == 1)
        ballast_chip_describe_gwde(list, count, cfg, before, out, after);
    else
        ballast_chip_describe_mcke(list, count, cfg, before, out, after);
    chip_governor_describe(list, count, &cfg->governor, &before->governor, &governors, NULL, &after->governor);
}

#endif
