/* SPDX-License-Identifier: Apache-2.0
 *
 * perfsat's decisions as records. Rows are those of the decision table of doc/blocks/perfsat.md.
 */
#ifndef BALLAST_PERFSAT_DECISIONS_H
#define BALLAST_PERFSAT_DECISIONS_H

#include <inttypes.h>
#include <string.h>

#include "engine/decision.h"
#include "blocks/perfsat/bind.h"

/* A row, its rule, and the rule if its turn ends the search. */
typedef struct perfsat_row {
    const char *name, *rule, *ends;
} perfsat_row;

static inline uint32_t perfsat_sample_value(const perfsat_state *before, const perfsat_in *in)
{
    return before->stalled + (in->ps_class == BALLAST_PS_SCOREBOARD || in->ps_class == BALLAST_PS_PIPELINE);
}

static inline bool perfsat_sample_better(const perfsat_cfg *cfg, const perfsat_state *before, uint32_t cur)
{
    const bool down = before->state == PERFSAT_WEAK_DEC || before->state == PERFSAT_STRONG_DEC;

    return cur == before->prev ? cfg->tie == 1 || (cfg->tie == 0 && down) : cur < before->prev;
}

static inline perfsat_row perfsat_undecided_row(const perfsat_cfg *cfg, const perfsat_state *before, bool better)
{
    if (before->state == PERFSAT_WEAK_INC) {
        if (before->history)
            return better ? (perfsat_row){"3", "PS-11", NULL} : (perfsat_row){"4", "PS-11", "PS-12"};
        return better ? (perfsat_row){"1", "PS-9", NULL} : (perfsat_row){"2", "PS-10", "PS-12"};
    }
    if (better)
        return before->history + 1u >= cfg->wd_confirm ? (perfsat_row){"5", "PS-11", NULL} : (perfsat_row){"5a", "PS-11", NULL};
    return before->history ? (perfsat_row){"6a", "PS-11", "PS-12"} : (perfsat_row){"6", "PS-12", "PS-12"};
}

static inline perfsat_row perfsat_decided_row(const perfsat_cfg *cfg, const perfsat_state *before, bool better)
{
    switch (before->state) {
    case PERFSAT_STRONG_INC: return better ? (perfsat_row){"8", "PS-13", NULL} : (perfsat_row){"9", "PS-14", "PS-16"};
    case PERFSAT_STRONG_DEC: return better ? (perfsat_row){"13", "PS-13", NULL} : (perfsat_row){"14", "PS-14", "PS-16"};
    case PERFSAT_WEAK_INC:
        return better ? (perfsat_row){cfg->recover_n ? "11a" : "11", "PS-16", "PS-16"} : (perfsat_row){"10", "PS-15", "PS-15"};
    default:
        return better ? (perfsat_row){cfg->recover_n ? "16a" : "16", "PS-16", "PS-16"} : (perfsat_row){"15", "PS-15", "PS-15"};
    }
}

static inline perfsat_row perfsat_row_of(const perfsat_cfg *cfg, const perfsat_state *before, uint32_t cur)
{
    const bool better = perfsat_sample_better(cfg, before, cur);

    if (before->state == PERFSAT_FIRST)
        return (perfsat_row){"0", "PS-8", NULL};
    return before->direction ? perfsat_decided_row(cfg, before, better) : perfsat_undecided_row(cfg, before, better);
}

/* StDone with the limit as it was: the walk has come to its bound. */
static inline const char *perfsat_rule_of(const perfsat_row *row, const perfsat_state *before, const perfsat_state *after)
{
    if (after->state != PERFSAT_DONE)
        return row->rule;
    if (!row->ends || (row->name[strlen(row->name) - 1] == 'a' && before->direction && after->limit == before->limit))
        return "PS-17";
    return row->ends;
}

static inline void perfsat_record_change(decision *d, const perfsat_state *before, const perfsat_state *after)
{
    decision_change(d, "limit", before->limit, after->limit);
    decision_change_state(d, "state", perfsat_state_names[before->state & 7], perfsat_state_names[after->state & 7]);
}

static inline void perfsat_record_start(decisions *list, unsigned *count, const perfsat_state *before,
                                        const perfsat_in *in, const perfsat_state *after)
{
    decision *d = decision_new(list, "perfsat", "PS-5", "kernel_start");

    *count = 0;
    decision_input(d, "nmax", in->nmax);
    perfsat_record_change(d, before, after);
    decision_words(d, "kernel start: Nmax %u, limit %u, %s", after->nmax, after->limit,
                   perfsat_state_names[after->state & 7]);
}

static inline void perfsat_record_first_cta(decisions *list, const perfsat_state *before, const perfsat_state *after)
{
    const uint32_t one_tb = after->nmax ? after->period / after->nmax : 0;
    decision *d = decision_new(list, "perfsat", "PS-6", "first_cta");

    decision_input(d, "one_tb", one_tb);
    decision_input(d, "nmax", before->nmax);
    perfsat_record_change(d, before, after);
    decision_after(d, "period", after->period);
    decision_words(d, "first CTA done: One_TB %" PRIu32 ", sample period %" PRIu32 " cycles, %s", one_tb, after->period,
                   perfsat_state_names[after->state & 7]);
}

static inline void perfsat_record_sample(decisions *list, unsigned *count, const perfsat_cfg *cfg,
                                         const perfsat_state *before, const perfsat_in *in, const perfsat_state *after)
{
    const uint32_t cur = perfsat_sample_value(before, in);
    const perfsat_row row = perfsat_row_of(cfg, before, cur);
    decision *d = decision_new(list, "perfsat", perfsat_rule_of(&row, before, after), "sample");

    ++*count;
    decision_input(d, "sample", *count);
    decision_input(d, "stalled", cur);
    decision_words(d, "sample %u: stalled %" PRIu32, *count, cur);
    if (before->state != PERFSAT_FIRST) {
        decision_input(d, "previous", before->prev);
        decision_words(d, " %s %" PRIu32, cur < before->prev ? "<" : cur == before->prev ? "=" : ">", before->prev);
    }
    decision_input_state(d, "row", row.name);
    perfsat_record_change(d, before, after);
    decision_change(d, "history", before->history, after->history);
    decision_change(d, "direction", before->direction, after->direction);
    decision_change(d, "toggles", before->toggles, after->toggles);
    decision_words(d, ", limit %u -> %u, %s", before->limit, after->limit, perfsat_state_names[after->state & 7]);
}

static inline void perfsat_describe(decisions *list, unsigned *count, const perfsat_cfg *cfg,
                                    const perfsat_state *before, const perfsat_in *in, const perfsat_out *out,
                                    const perfsat_state *after)
{
    if (in->kernel_start)
        perfsat_record_start(list, count, before, in, after);
    else if (out->sample_end)
        perfsat_record_sample(list, count, cfg, before, in, after);
    else
        perfsat_record_first_cta(list, before, after);
}

#endif
