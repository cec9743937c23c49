/* SPDX-License-Identifier: Apache-2.0
 *
 * limit_table's decisions as records: hints, and limits that are written down.
 */
#ifndef BALLAST_LIMIT_TABLE_DECISIONS_H
#define BALLAST_LIMIT_TABLE_DECISIONS_H

#include "blocks/limit_table/bind.h"
#include "engine/decision.h"

static inline void limit_table_record_hit(decisions *list, const limit_table_in *in, const limit_table_out *out)
{
    decision *d = decision_new(list, "limit_table", "LTB-1", "hit");

    decision_input(d, "kernel", in->kernel_id);
    decision_input(d, "nmax", in->nmax);
    decision_input(d, "hint", out->hint);
    decision_words(d, "kernel %u of Nmax %u is known: hint %u", in->kernel_id, in->nmax, out->hint);
}

/* The kernel has no entry yet: `replaced` if another one is forgotten for it. */
static inline void limit_table_record_new(decisions *list, const limit_table_state *before, const limit_table_in *in)
{
    const unsigned e = before->next % LIMIT_TABLE_MAX_ENTRIES, old = before->entry_id[e];
    decision *d = decision_new(list, "limit_table", old ? "LTB-4" : "LTB-2", old ? "replaced" : "stored");

    decision_input(d, "kernel", before->id);
    decision_input(d, "nmax", before->nmax);
    decision_input(d, "entry", e);
    decision_change(d, "remembered", before->entry_limit[e], in->limit);
    decision_words(d, "kernel %u of Nmax %u: limit %u remembered in entry %u", before->id, before->nmax, in->limit, e);
    if (old) {
        decision_input(d, "old_kernel", old);
        decision_input(d, "old_nmax", before->entry_nmax[e]);
        decision_words(d, ", kernel %u of Nmax %u forgotten", old, before->entry_nmax[e]);
    }
}

static inline void limit_table_record_again(decisions *list, const limit_table_state *before, const limit_table_in *in)
{
    const unsigned e = (unsigned)__builtin_ctz(before->own), old = limit_table_own_limit(before);
    decision *d = decision_new(list, "limit_table", "LTB-3", "stored");

    decision_input(d, "kernel", before->id);
    decision_input(d, "nmax", before->nmax);
    decision_input(d, "entry", e);
    decision_change(d, "remembered", old, in->limit);
    decision_words(d, "kernel %u of Nmax %u: limit %u remembered instead of %u", before->id, before->nmax, in->limit, old);
}

static inline void limit_table_describe(decisions *list, unsigned *count, const limit_table_cfg *cfg,
                                        const limit_table_state *before, const limit_table_in *in, const limit_table_out *out,
                                        const limit_table_state *after)
{
    (void)count, (void)cfg, (void)after;
    if (out->hint)
        limit_table_record_hit(list, in, out);
    else if (!before->own)
        limit_table_record_new(list, before, in);
    else
        limit_table_record_again(list, before, in);
}

#endif
