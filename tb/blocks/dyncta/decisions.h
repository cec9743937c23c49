/* SPDX-License-Identifier: Apache-2.0
 *
 * dyncta's decisions as records. Rows are those of the decision table of doc/blocks/dyncta.md.
 */
#ifndef BALLAST_DYNCTA_DECISIONS_H
#define BALLAST_DYNCTA_DECISIONS_H

#include <inttypes.h>

#include "blocks/dyncta/bind.h"
#include "engine/decision.h"

enum { DYNCTA_ROW_IDLE = 1, DYNCTA_ROW_LOW, DYNCTA_ROW_HIGH, DYNCTA_ROW_HOLD };

static inline unsigned dyncta_row(const dyncta_in *in, uint32_t idle, uint32_t mem)
{
    if (idle > in->t_idle)
        return DYNCTA_ROW_IDLE;
    if (mem < in->t_mem_l)
        return DYNCTA_ROW_LOW;
    return mem > in->t_mem_h ? DYNCTA_ROW_HIGH : DYNCTA_ROW_HOLD;
}

/* The counts at the end of the sample, with the threshold that decided. */
static inline void dyncta_record_sample(decisions *list, unsigned sample, const dyncta_state *before, const dyncta_in *in,
                                        const dyncta_state *after)
{
    const uint32_t idle = before->idle + (in->lcs_class == BALLAST_LCS_IDLE);
    const uint32_t mem = before->mem + (in->lcs_class == BALLAST_LCS_MEM_STALL);
    const unsigned row = dyncta_row(in, idle, mem);
    decision *d = decision_new(list, "dyncta", "DYN-2", "sample");

    decision_input(d, "sample", sample);
    decision_input(d, "idle", idle);
    decision_input(d, "mem", mem);
    decision_input(d, "t_idle", in->t_idle);
    decision_input(d, "t_mem_l", in->t_mem_l);
    decision_input(d, "t_mem_h", in->t_mem_h);
    decision_input(d, "row", row);
    decision_change(d, "limit", before->limit, after->limit);
    decision_words(d, "sample %u: idle %" PRIu32, sample, idle);
    if (row == DYNCTA_ROW_IDLE)
        decision_words(d, " > %" PRIu32, in->t_idle);
    decision_words(d, ", memory %" PRIu32, mem);
    if (row == DYNCTA_ROW_LOW)
        decision_words(d, " < %" PRIu32, in->t_mem_l);
    else if (row == DYNCTA_ROW_HIGH)
        decision_words(d, " > %" PRIu32, in->t_mem_h);
    decision_words(d, ": limit %u -> %u", before->limit, after->limit);
}

static inline void dyncta_describe(decisions *list, unsigned *count, const dyncta_cfg *cfg, const dyncta_state *before,
                                   const dyncta_in *in, const dyncta_out *out, const dyncta_state *after)
{
    decision *d;

    (void)cfg, (void)out;
    if (!in->kernel_start) {
        dyncta_record_sample(list, ++*count, before, in, after);
        return;
    }
    *count = 0;
    d = decision_new(list, "dyncta", "DYN-1", "kernel_start");
    decision_input(d, "nmax", in->nmax);
    decision_change(d, "limit", before->limit, after->limit);
    decision_words(d, "kernel start: Nmax %u, limit %u", after->nmax, after->limit);
}

#endif
