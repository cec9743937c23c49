/* SPDX-License-Identifier: Apache-2.0
 *
 * scout's decisions as records: kernel starts, looks that begin, and what became of them.
 */
#ifndef BALLAST_SCOUT_DECISIONS_H
#define BALLAST_SCOUT_DECISIONS_H

#include <inttypes.h>

#include "blocks/scout/bind.h"
#include "engine/decision.h"

/* The limit that such registers show. */
static inline unsigned scout_shown(const scout_state *s)
{
    return s->state == SCOUT_ST_LOOK ? s->cand : s->best;
}

static inline void scout_record_start(decisions *list, const scout_state *before, const scout_in *in, const scout_state *after)
{
    const bool known = after->state == SCOUT_ST_DONE && after->nmax > 1;
    decision *d = decision_new(list, "scout", known ? "SCT-10" : "SCT-1", "kernel_start");

    decision_input(d, "nmax", in->nmax);
    decision_input(d, "hint", in->hint);
    decision_change(d, "limit", scout_shown(before), after->best);
    decision_words(d, "kernel start: Nmax %u, limit %u%s", after->nmax, after->best, known ? ", known" : "");
}

static inline void scout_record_look(decisions *list, unsigned look, const scout_state *before)
{
    decision *d = decision_new(list, "scout", before->refine ? "SCT-6" : "SCT-2", "look");

    decision_input(d, "look", look);
    decision_input(d, "base", before->base);
    decision_input(d, "credit", before->credit);
    decision_input(d, "stage", before->stage);
    decision_change(d, "limit", before->best, before->cand);
    decision_words(d, "look %u: %" PRIu32 " instructions at limit %u, limit %u for now", look, before->base, before->best,
                   before->cand);
}

/* Instructions at the candidate, and at the best limit, from what StepAct finds. In a look acc is the difference to the base, and the credit;
 * one that goes back has left the look's count in base. After going back base is the old limit's count, and acc is that less the
 * look's, less the margin and 1. */
static inline int64_t scout_more_of(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t sign = UINT32_C(1) << scout_count_width(cfg);

    return (int64_t)(s->acc ^ sign) - (int64_t)sign;
}

typedef struct scout_counts {
    int64_t look, base;
} scout_counts;

static inline scout_counts scout_counts_of(const scout_state *s, const scout_cfg *cfg, bool goes_back)
{
    const int64_t acc = scout_more_of(s, cfg) - (s->state == SCOUT_ST_LOOK ? s->credit : 0);

    if (s->state == SCOUT_ST_BACK)
        return (scout_counts){.look = (int64_t)s->base - (acc + (s->base >> cfg->margin) + 1), .base = s->base};
    if (goes_back)
        return (scout_counts){.look = s->base, .base = (int64_t)s->base - acc};
    return (scout_counts){.look = (int64_t)s->base + acc, .base = s->base};
}

static inline void scout_record_end(decisions *list, unsigned look, const scout_cfg *cfg, const scout_state *before,
                                    const scout_state *after)
{
    static const char *const says[] = {"", "", "", "", "as good", "worse", "cannot say"};
    const bool back = before->state == SCOUT_ST_BACK, once_more = after->state == SCOUT_ST_BACK;
    const scout_counts counts = scout_counts_of(before, cfg, once_more);
    const bool spent = !back && counts.look + before->credit < counts.base;
    decision *d = decision_new(list, "scout", back ? "SCT-5" : spent ? "SCT-7" : "SCT-4", "compared");

    decision_input(d, "look", look);
    decision_input(d, "candidate", before->cand);
    decision_input(d, "count", (uint64_t)counts.look);
    decision_input(d, "base", (uint64_t)counts.base);
    decision_input(d, "stage", before->stage);
    decision_input(d, "verdict", before->verdict);
    decision_change(d, "limit", scout_shown(before), after->best);
    decision_words(d, "look %u%s: limit %u %+" PRId64 ", %s%s; limit %u%s", look, back ? ", back" : "", before->cand,
                   counts.look - counts.base, spent ? "the credit is used up" : says[before->verdict], once_more ? ", back to compare again" : "", after->best,
                   after->state == SCOUT_ST_DONE ? ", decided" : "");
}

static inline void scout_record_again(decisions *list, const scout_cfg *cfg, const scout_state *before, const scout_state *after)
{
    const uint32_t count = (uint32_t)(scout_more_of(before, cfg) + before->base);
    decision *d = decision_new(list, "scout", "SCT-8", "again");

    decision_input(d, "count", count);
    decision_input(d, "base", before->base);
    decision_change(d, "limit", before->best, after->best);
    decision_words(d, "the kernel has changed: %" PRIu32 " instructions, %" PRIu32 " before; a new search from limit %u",
                   count, before->base, after->best);
}

static inline void scout_describe(decisions *list, unsigned *count, const scout_cfg *cfg, const scout_state *before,
                                  const scout_in *in, const scout_out *out, const scout_state *after)
{
    (void)out;
    if (in->kernel_start) {
        *count = 0;
        scout_record_start(list, before, in, after);
    } else if (before->state == SCOUT_ST_BASE) {
        scout_record_look(list, ++*count, before);
    } else if (before->state == SCOUT_ST_DONE) {
        scout_record_again(list, cfg, before, after);
    } else {
        scout_record_end(list, *count, cfg, before, after);
    }
}

#endif
