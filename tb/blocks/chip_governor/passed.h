/* SPDX-License-Identifier: Apache-2.0
 *
 * What chip_governor passes to governors, vote and domains in every cycle, from its own inputs and from what each of them gives. A rule
 * says that their registers, or outputs, are what their models make of these inputs. That these models are those of the RTL's
 * blocks is the business of the blocks' own proofs.
 */
#ifndef BALLAST_CHIP_GOVERNOR_PASSED_H
#define BALLAST_CHIP_GOVERNOR_PASSED_H

#include "blocks/sm_governor/same.h"

/* What the rules see (rules/rules.h). */
typedef struct chip_governor_cycle {
    const chip_governor_state *before, *after;
    const chip_governor_in *in;
    const chip_governor_out *out;
    const chip_governor_cfg *cfg;
} chip_governor_cycle;

/* ---- the search ------------------------------------------------------------------------------ */

/* SCT-9: it counts on SM 0, from the start of a kernel that is its to the start of one that is not. */
static inline bool chip_governor_searches(const chip_governor_cycle *c)
{
    return c->in->sm[0].kernel_start ? c->in->policy == BALLAST_POLICY_SCOUT : c->before->sm[0].policy == BALLAST_POLICY_SCOUT;
}

/* The table has the same kernels, and stores what the search says. */
static inline limit_table_in chip_governor_to_table(const chip_governor_cycle *c)
{
    const scout_state *s = &c->before->scout;

    return (limit_table_in){.enable = chip_governor_searches(c), .kernel_start = c->in->sm[0].kernel_start, .kernel_id = c->in->kernel_id,
                            .nmax = c->in->sm[0].nmax, .limit = s->state == SCOUT_ST_LOOK ? s->cand : s->best, .done = s->state == SCOUT_ST_DONE};
}

static inline limit_table_out chip_governor_table(const chip_governor_cycle *c, limit_table_state *s)
{
    const limit_table_in in = chip_governor_to_table(c);
    limit_table_out out;

    *s = c->before->table;
    limit_table_step(s, &c->cfg->table, &in, &out);
    return out;
}

static inline bool chip_governor_same_table(const limit_table_state *a, const limit_table_state *b, const limit_table_cfg *cfg)
{
    bool same = true;

    for (unsigned e = 0; e < cfg->entries; e++)
        same &= a->entry_id[e] == b->entry_id[e] && a->entry_nmax[e] == b->entry_nmax[e] && a->entry_limit[e] == b->entry_limit[e];
    return same && a->own == b->own && a->id == b->id && a->nmax == b->nmax && a->next == b->next && a->done_was == b->done_was;
}

static inline bool chip_governor_table_is(const chip_governor_cycle *c)
{
    limit_table_state s;

    chip_governor_table(c, &s);
    return chip_governor_same_table(&c->after->table, &s, &c->cfg->table);
}

/* What the registers of the domains and of the search for a limit say, and SM 0's bus. */
static inline vf_scout_in chip_governor_to_levels(const chip_governor_cycle *c)
{
    const chip_governor_state *s = c->before;
    const sm_governor_in *first = &c->in->sm[0];

    return (vf_scout_in){.enable = chip_governor_searches(c), .kernel_start = first->kernel_start, .issue_valid = first->issue_valid,
                         .cta_done = first->cta_done > 0, .look = s->scout.state == SCOUT_ST_LOOK, .ready = s->scout.state == SCOUT_ST_DONE,
                         .mode = c->in->mode, .sm_level = c->out->sm_level, .mem_level = c->out->mem_level,
                         .sm_busy = c->out->sm_busy, .mem_busy = c->out->mem_busy};
}

static inline vf_scout_out chip_governor_levels(const chip_governor_cycle *c, vf_scout_state *s)
{
    const vf_scout_in in = chip_governor_to_levels(c);
    vf_scout_out out;

    *s = c->before->levels;
    vf_scout_step(s, &c->cfg->levels, &in, &out);
    return out;
}

static inline bool chip_governor_same_levels(const vf_scout_state *a, const vf_scout_state *b)
{
    return a->state == b->state && a->step == b->step && a->mode == b->mode && a->domain == b->domain && a->stage == b->stage &&
           a->sm_moved == b->sm_moved && a->mem_moved == b->mem_moved && a->better == b->better && a->first == b->first &&
           a->ready == b->ready && a->known == b->known && a->odd == b->odd && a->timer == b->timer && a->acc == b->acc && a->base == b->base;
}

static inline bool chip_governor_levels_are(const chip_governor_cycle *c)
{
    vf_scout_state s;

    chip_governor_levels(c, &s);
    return chip_governor_same_levels(&c->after->levels, &s);
}

/* VFS-8: while levels are compared, the search for a limit stands still; a kernel's start it hears all the same. */
static inline bool chip_governor_limit_searched(const chip_governor_cycle *c)
{
    vf_scout_state s;

    return chip_governor_searches(c) && (c->in->sm[0].kernel_start || !chip_governor_levels(c, &s).hold);
}

static inline scout_in chip_governor_to_scout(const chip_governor_cycle *c)
{
    const sm_governor_in *first = &c->in->sm[0];
    limit_table_state s;

    return (scout_in){.enable = chip_governor_limit_searched(c), .hint = chip_governor_table(c, &s).hint, .kernel_start = first->kernel_start, .nmax = first->nmax, .issue_valid = first->issue_valid,
                      .cta_done = first->cta_done};
}

static inline scout_out chip_governor_search(const chip_governor_cycle *c, scout_state *s)
{
    const scout_in in = chip_governor_to_scout(c);
    scout_out out;

    *s = c->before->scout;
    scout_step(s, &c->cfg->scout, &in, &out);
    return out;
}

static inline bool chip_governor_same_scout(const scout_state *a, const scout_state *b)
{
    return a->state == b->state && a->step == b->step && a->verdict == b->verdict && a->nmax == b->nmax && a->best == b->best &&
           a->cand == b->cand && a->low == b->low && a->top == b->top && a->refine == b->refine && a->first == b->first &&
           a->known == b->known && a->odd == b->odd && a->stage == b->stage && a->settle == b->settle && a->quiet == b->quiet &&
           a->half == b->half && a->timer == b->timer && a->index == b->index && a->acc == b->acc && a->arg == b->arg &&
           a->one == b->one && a->shift == b->shift && a->minus == b->minus && a->fewer == b->fewer && a->above == b->above &&
           a->below == b->below && a->base == b->base && a->credit == b->credit;
}

static inline bool chip_governor_scout_is(const chip_governor_cycle *c)
{
    scout_state s;

    chip_governor_search(c, &s);
    return chip_governor_same_scout(&c->after->scout, &s);
}

/* ---- governors ------------------------------------------------------------------------------ */

/* SM i's own fields, the chip's settings, what is searched for all, and no broadcast. */
static inline sm_governor_in chip_governor_to_sm(const chip_governor_cycle *c, unsigned i)
{
    sm_governor_in in = c->in->sm[i];
    scout_state s;
    const scout_out search = chip_governor_search(c, &s);

    in.scout_limit = search.limit;
    in.scout_done = search.done;
    in.policy = c->in->policy;
    in.static_limit = c->in->static_limit;
    in.t_idle = c->in->t_idle;
    in.t_mem_l = c->in->t_mem_l;
    in.t_mem_h = c->in->t_mem_h;
    in.lcs_listen = in.lcs_bcast_valid = in.lcs_bcast_limit = 0;
    return in;
}

/* LCS-6: with LcsScope 1 all others hear SM 0's T_new, in the cycle in which it becomes SM 0's limit. */
static inline sm_governor_in chip_governor_to_listener(const chip_governor_cycle *c, unsigned i)
{
    const sm_governor_in first = chip_governor_to_sm(c, 0);
    sm_governor_in in = chip_governor_to_sm(c, i);
    sm_governor_state s = c->before->sm[0];
    sm_governor_out out;

    sm_governor_step(&s, &c->cfg->sm, &first, &out);
    in.lcs_listen = 1;
    in.lcs_bcast_valid = out.t_new_valid;
    in.lcs_bcast_limit = out.t_new;
    return in;
}

static inline bool chip_governor_same_sm(const sm_governor_state *a, const sm_governor_state *b, const sm_governor_cfg *cfg)
{
    return perfsat_same(&a->perfsat, &b->perfsat) && lcs_same(&a->lcs, &b->lcs, &cfg->lcs) && dyncta_same(&a->dyncta, &b->dyncta) &&
           eq_counters_same(&a->counters, &b->counters) && stall_classifier_same(&a->classifier, &b->classifier, &cfg->classifier) &&
           cta_throttle_same(&a->throttle, &b->throttle, &cfg->throttle) && a->policy == b->policy && a->fixed == b->fixed;
}

static inline bool chip_governor_sms_are(const chip_governor_cycle *c)
{
    bool same = true;

    for (unsigned i = 0; i < c->cfg->num_sms; i++) {
        const bool listens = c->cfg->lcs_scope == 1 && i != 0;
        const sm_governor_in in = listens ? chip_governor_to_listener(c, i) : chip_governor_to_sm(c, i);
        const chip_governor_sm_out *now = &c->out->sm[i];
        sm_governor_state s = c->before->sm[i];
        sm_governor_out out;

        sm_governor_step(&s, &c->cfg->sm, &in, &out);
        same &= chip_governor_same_sm(&c->after->sm[i], &s, &c->cfg->sm) && now->cta_paused == out.cta_paused &&
                now->limit == out.limit && now->pause_soft == out.pause_soft && now->req == out.req && now->done == out.done;
    }
    return same;
}

/* ---- vote and domains ------------------------------------------------------------------------- */

/* SM i's vote, from its sums: one where an epoch ends, which is the cycle 1 of the next. */
static inline eq_decision_out chip_governor_vote_of(const chip_governor_cycle *c, unsigned i)
{
    const eq_counters_state *sums = &c->before->sm[i].counters;
    const eq_decision_in in = {.active = sums->active, .waiting = sums->waiting, .xalu = sums->xalu, .xmem = sums->xmem,
                               .wcta = c->in->sm[i].wcta};
    eq_decision_state none = {.none = 0};
    eq_decision_out out = {.branch = BALLAST_EQ_NONE};

    if (c->in->policy == BALLAST_POLICY_EQUALIZER && sums->cycle == 1)
        eq_decision_step(&none, &c->cfg->sm.decision, &in, &out);
    return out;
}

/* The domain's answers at its level in this mode (Table I). */
static inline vf_domain_out chip_governor_answers(const chip_governor_cycle *c, bool memory)
{
    const vf_domain_in in = {.mode = c->in->mode};
    vf_domain_state s = memory ? c->before->mem_domain : c->before->sm_domain;
    vf_domain_out out;

    vf_domain_step(&s, memory ? &c->cfg->mem_domain : &c->cfg->sm_domain, &in, &out);
    return out;
}

static inline vf_vote_in chip_governor_to_vote(const chip_governor_cycle *c)
{
    const vf_domain_out sm = chip_governor_answers(c, false), mem = chip_governor_answers(c, true);
    vf_vote_in in = {.tick = 0,
                     .sm_comp_up = sm.comp_up, .sm_comp_down = sm.comp_down, .sm_mem_up = sm.mem_up, .sm_mem_down = sm.mem_down,
                     .mem_comp_up = mem.comp_up, .mem_comp_down = mem.comp_down, .mem_mem_up = mem.mem_up, .mem_mem_down = mem.mem_down};

    for (unsigned i = 0; i < c->cfg->num_sms; i++) {
        const eq_decision_out vote = chip_governor_vote_of(c, i);

        in.tick |= c->in->policy == BALLAST_POLICY_EQUALIZER && c->before->sm[i].counters.cycle == 1;
        in.comp[i / 64] |= (uint64_t)vote.comp << i % 64;
        in.mem[i / 64] |= (uint64_t)vote.mem << i % 64;
    }
    return in;
}

static inline bool chip_governor_same_vote(const vf_vote_state *a, const vf_vote_state *b, const vf_vote_cfg *cfg)
{
    for (unsigned g = 0; g < vf_vote_groups(cfg); g++)
        if (a->comp_of[g] != b->comp_of[g] || a->mem_of[g] != b->mem_of[g])
            return false;
    return a->counted == b->counted && a->valid == b->valid && a->comp_count == b->comp_count && a->mem_count == b->mem_count;
}

static inline bool chip_governor_vote_is(const chip_governor_cycle *c)
{
    const vf_vote_in in = chip_governor_to_vote(c);
    vf_vote_state s = c->before->vote;
    vf_vote_out out;

    vf_vote_step(&s, &c->cfg->vote, &in, &out);
    return chip_governor_same_vote(&c->after->vote, &s, &c->cfg->vote);
}

/* A domain gets the chip's mode, and the majority's request of it, two cycles after an epoch; or, in a kernel that is the search's, the
 * search's. */
static inline bool chip_governor_domain_is(const chip_governor_cycle *c, bool memory)
{
    const vf_domain_state *now = memory ? &c->after->mem_domain : &c->after->sm_domain;
    const chip_governor_out *out = c->out;
    vf_domain_state s = memory ? c->before->mem_domain : c->before->sm_domain;
    vf_vote_state votes = c->before->vote;
    const vf_vote_in to_vote = chip_governor_to_vote(c);
    vf_domain_out given;
    vf_domain_in in;
    vf_vote_out vote;

    vf_vote_step(&votes, &c->cfg->vote, &to_vote, &vote);
    in = (vf_domain_in){.mode = c->in->mode, .valid = vote.valid, .up = memory ? vote.mem_up : vote.sm_up,
                        .down = memory ? vote.mem_down : vote.sm_down};
    if (chip_governor_searches(c)) {
        vf_scout_state levels;
        const vf_scout_out asks = chip_governor_levels(c, &levels);

        in.valid = 1;
        in.up = memory ? asks.mem_up : asks.sm_up;
        in.down = memory ? asks.mem_down : asks.sm_down;
    }
    vf_domain_step(&s, memory ? &c->cfg->mem_domain : &c->cfg->sm_domain, &in, &given);
    return now->level == s.level && now->next == s.next && now->timer == s.timer &&
           given.level == (memory ? out->mem_level : out->sm_level) && given.busy == (memory ? out->mem_busy : out->sm_busy) &&
           given.stall == (memory ? out->mem_stall : out->sm_stall);
}

#endif
