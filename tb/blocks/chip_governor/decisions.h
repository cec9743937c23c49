/* SPDX-License-Identifier: Apache-2.0
 *
 * The chip's own decisions as records: the searches, the vote, the domains, and every SM's limit. What made the
 * limit move is in the log of that SM's governor.
 */
#ifndef BALLAST_CHIP_GOVERNOR_DECISIONS_H
#define BALLAST_CHIP_GOVERNOR_DECISIONS_H

#include <inttypes.h>

#include "blocks/chip_governor/bind.h"
#include "blocks/scout/decisions.h"
#include "engine/decision.h"
#include "blocks/sm_governor/decisions.h"
#include "blocks/vf_domain/decisions.h"
#include "blocks/vf_scout/decisions.h"
#include "blocks/vf_vote/decisions.h"

/* What the actions ask of the domains, and what the majority made of it, from the registers. */
static inline void chip_governor_vote_result(const chip_governor_cfg *cfg, const chip_governor_state *before, uint8_t mode, vf_vote_out *result)
{
    vf_domain_state sm_copy = before->sm_domain, mem_copy = before->mem_domain;
    vf_vote_state vote_copy = before->vote;
    const vf_domain_in idle = {.mode = mode};
    vf_vote_in votes = {.tick = 0};
    vf_domain_out sm, mem;

    vf_domain_step(&sm_copy, &cfg->sm_domain, &idle, &sm);
    vf_domain_step(&mem_copy, &cfg->mem_domain, &idle, &mem);
    chip_governor_meanings(&votes, &sm, &mem);
    vf_vote_step(&vote_copy, &cfg->vote, &votes, result);
}

static inline void chip_governor_record_vote(decisions *list, unsigned epoch, const chip_governor_cfg *cfg, const chip_governor_state *before,
                                       const chip_governor_in *in)
{
    vf_vote_out result;
    decision *d;

    chip_governor_vote_result(cfg, before, in->mode, &result);
    d = vf_vote_record(list, &cfg->vote, &before->vote, &result);
    decision_input(d, "epoch", epoch);
    decision_words(d, "epoch %u: %u CompAction, %u MemAction of %u SMs", epoch, before->vote.comp_count,
                   before->vote.mem_count, cfg->num_sms);
}

static inline void chip_governor_record_domain(decisions *list, const vf_domain_cfg *cfg, const vf_domain_state *before,
                                         const vf_domain_state *after)
{
    const bool arrives = before->level != after->level;
    decision *d;

    if (!arrives && !(before->timer == 0 && after->timer != 0))
        return;
    d = vf_domain_record(list, cfg, before, after, arrives);
    if (arrives)
        decision_words(d, "%s domain is at %s", vf_domain_name(cfg), vf_domain_level(after->level));
    else
        decision_words(d, "%s domain %s -> %s in %" PRIu32 " cycles", vf_domain_name(cfg), vf_domain_level(after->level),
                       vf_domain_level(after->next), after->timer);
}

static inline const char *chip_governor_limit_rule(const chip_governor_cfg *cfg, unsigned sm, const sm_governor_state *before,
                                             const sm_governor_in *in, const sm_governor_state *after)
{
    if (!in->kernel_start && after->policy == BALLAST_POLICY_LCS && cfg->lcs_scope == 1 && sm != 0)
        return "LCS-6";
    if (!in->kernel_start && after->policy == BALLAST_POLICY_EQUALIZER && before->throttle.request && in->cta_denied)
        return "EQ-A12";
    return sm_governor_rule(after->policy, in->kernel_start);
}

static inline void chip_governor_record_limits(decisions *list, const chip_governor_cfg *cfg, const chip_governor_state *before,
                                         const chip_governor_in *in, const chip_governor_state *after)
{
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const sm_governor_state *was = &before->sm[i], *is = &after->sm[i];
        const unsigned from = chip_governor_limit(before, i), to = chip_governor_limit(after, i);
        decision *d;

        if (from == to)
            continue;
        d = decision_new(list, "sm_governor", chip_governor_limit_rule(cfg, i, was, &in->sm[i], is),
                         in->sm[i].kernel_start ? "kernel_start" : "limit");
        d->sm = (int)i;
        decision_input(d, "nmax", is->throttle.nmax);
        decision_input_state(d, "policy", policy_names[is->policy % BALLAST_POLICIES]);
        decision_change(d, "limit", from, to);
        decision_words(d, "SM %u: limit %u -> %u", i, from, to);
    }
}

/* The number of the last epoch, and that of the last look: two halves of one word. */
enum { CHIP_GOVERNOR_LOOKS = 16, CHIP_GOVERNOR_EPOCHS = (1 << CHIP_GOVERNOR_LOOKS) - 1 };

static inline void chip_governor_record_search(decisions *list, unsigned *count, const chip_governor_cfg *cfg, const chip_governor_state *before,
                                               const chip_governor_in *in, const chip_governor_state *after)
{
    const vf_scout_in levels = chip_governor_told_levels(in->sm[0].kernel_start, in->mode, after);
    const scout_in limit = chip_governor_told_scout(in->sm[0].kernel_start, after);
    unsigned looks = *count >> CHIP_GOVERNOR_LOOKS;

    if (scout_decides(&cfg->scout, &before->scout, &limit, NULL, &after->scout))
        scout_describe(list, &looks, &cfg->scout, &before->scout, &limit, NULL, &after->scout);
    if (vf_scout_decides(&cfg->levels, &before->levels, &levels, NULL, &after->levels))
        vf_scout_describe(list, NULL, &cfg->levels, &before->levels, &levels, NULL, &after->levels);
    *count = (*count & CHIP_GOVERNOR_EPOCHS) | looks << CHIP_GOVERNOR_LOOKS;
}

static inline void chip_governor_describe(decisions *list, unsigned *count, const chip_governor_cfg *cfg, const chip_governor_state *before,
                                    const chip_governor_in *in, const chip_governor_out *out, const chip_governor_state *after)
{
    (void)out;
    if (before->vote.valid)
        chip_governor_record_vote(list, ++*count & CHIP_GOVERNOR_EPOCHS, cfg, before, in);
    chip_governor_record_search(list, count, cfg, before, in, after);
    chip_governor_record_domain(list, &cfg->sm_domain, &before->sm_domain, &after->sm_domain);
    chip_governor_record_domain(list, &cfg->mem_domain, &before->mem_domain, &after->mem_domain);
    chip_governor_record_limits(list, cfg, before, in, after);
}

#endif
