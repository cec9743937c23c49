/* SPDX-License-Identifier: Apache-2.0
 *
 * What sm_governor passes to each block inside in every cycle, from its own inputs and what is remembered of them, and not from how
 * either side connects the blocks. A rule says of a block's registers, or outputs, that they are what the block's model makes of these
 * inputs. That the model is that of the RTL's block is the business of the block's own proof.
 */
#ifndef BALLAST_SM_GOVERNOR_PASSED_H
#define BALLAST_SM_GOVERNOR_PASSED_H

#include "blocks/sm_governor/same.h"

/* What the rules see (rules/rules.h). */
typedef struct sm_governor_cycle {
    const sm_governor_history *was;
    const sm_governor_state *before, *after;
    const sm_governor_in *in;
    const sm_governor_out *out;
    const sm_governor_cfg *cfg;
} sm_governor_cycle;

/* A policy's own block is clocked from the start of a kernel with this policy to the start of one with another. */
static inline bool sm_governor_clocks(const sm_governor_cycle *c, unsigned policy)
{
    return (c->in->kernel_start ? sm_governor_chosen(c->in) : c->was->policy) == policy;
}

/* ---- the policies' blocks ------------------------------------------------------------------ */

/* PAUSE-2: the paused warps are those of the bus. */
static inline bool sm_governor_classifier_is(const sm_governor_cycle *c)
{
    const stall_classifier_in in = {.ws0 = c->in->ws0, .ws1 = c->in->ws1, .ws2 = c->in->ws2, .ws3 = c->in->ws3, .paused = c->in->paused};
    stall_classifier_state s = c->before->classifier;
    stall_classifier_out out;

    stall_classifier_step(&s, &c->cfg->classifier, &in, &out);
    return stall_classifier_same(&c->after->classifier, &s, &c->cfg->classifier);
}

/* The class is that of the cycle before. */
static inline perfsat_in sm_governor_to_perfsat(const sm_governor_cycle *c)
{
    return (perfsat_in){.enable = sm_governor_clocks(c, BALLAST_POLICY_PERFSAT), .kernel_start = c->in->kernel_start, .nmax = c->in->nmax,
                        .ps_class = c->was->ps_class, .cta_start = c->in->cta_start,
                        .cta_done = c->in->cta_done, .cta_active = c->in->cta_active};
}

static inline bool sm_governor_perfsat_is(const sm_governor_cycle *c)
{
    const perfsat_in in = sm_governor_to_perfsat(c);
    perfsat_state s = c->before->perfsat;
    perfsat_out out;

    perfsat_step(&s, &c->cfg->perfsat, &in, &out);
    return perfsat_same(&c->after->perfsat, &s) &&
           (c->was->policy != BALLAST_POLICY_PERFSAT || (c->out->limit == out.limit && c->out->done == out.done));
}

/* LCS-4: a CTA that is paused does not run. */
static inline lcs_in sm_governor_to_lcs(const sm_governor_cycle *c)
{
    return (lcs_in){.enable = sm_governor_clocks(c, BALLAST_POLICY_LCS), .kernel_start = c->in->kernel_start, .nmax = c->in->nmax,
                    .issue_valid = c->in->issue_valid, .issue_slot = c->in->issue_slot, .cta_done = c->in->cta_done,
                    .cta_active = c->in->cta_active & ~c->out->cta_paused, .listen = c->in->lcs_listen,
                    .bcast_valid = c->in->lcs_bcast_valid, .bcast_limit = c->in->lcs_bcast_limit};
}

static inline bool sm_governor_lcs_is(const sm_governor_cycle *c)
{
    const lcs_in in = sm_governor_to_lcs(c);
    lcs_state s = c->before->lcs;
    lcs_out out;

    lcs_step(&s, &c->cfg->lcs, &in, &out);
    return lcs_same(&c->after->lcs, &s, &c->cfg->lcs) && c->out->t_new_valid == out.t_new_valid && c->out->t_new == out.t_new &&
           (c->was->policy != BALLAST_POLICY_LCS || (c->out->limit == out.limit && c->out->done == out.done));
}

/* The class is that of two cycles before. */
static inline dyncta_in sm_governor_to_dyncta(const sm_governor_cycle *c)
{
    return (dyncta_in){.enable = sm_governor_clocks(c, BALLAST_POLICY_DYNCTA), .kernel_start = c->in->kernel_start, .nmax = c->in->nmax,
                       .lcs_class = c->was->lcs_earlier, .t_idle = c->in->t_idle, .t_mem_l = c->in->t_mem_l, .t_mem_h = c->in->t_mem_h};
}

static inline bool sm_governor_dyncta_is(const sm_governor_cycle *c)
{
    const dyncta_in in = sm_governor_to_dyncta(c);
    dyncta_state s = c->before->dyncta;
    dyncta_out out;

    dyncta_step(&s, &c->cfg->dyncta, &in, &out);
    return dyncta_same(&c->after->dyncta, &s) &&
           (c->was->policy != BALLAST_POLICY_DYNCTA || c->out->limit == out.limit);
}

/* ---- Equalizer ------------------------------------------------------------------------------ */

/* PAUSE-2: the paused warps are those of the bus. EQ-A20: enabled by what software wants now, not by the kernel. */
static inline eq_counters_in sm_governor_to_counters(const sm_governor_cycle *c)
{
    return (eq_counters_in){.ws0 = c->in->ws0, .ws1 = c->in->ws1, .ws2 = c->in->ws2, .ws3 = c->in->ws3, .paused = c->in->paused,
                            .enable = c->in->policy == BALLAST_POLICY_EQUALIZER, .kernel_start = c->in->kernel_start};
}

static inline bool sm_governor_counters_are(const sm_governor_cycle *c)
{
    const eq_counters_in in = sm_governor_to_counters(c);
    eq_counters_state s = c->before->counters;
    eq_counters_out out;

    eq_counters_step(&s, &c->cfg->counters, &in, &out);
    return eq_counters_same(&c->after->counters, &s) && c->out->epoch == out.epoch_end;
}

static inline eq_decision_out sm_governor_decision(const sm_governor_cycle *c)
{
    const eq_counters_state *sums = &c->before->counters;
    const eq_decision_in in = {.active = sums->active, .waiting = sums->waiting, .xalu = sums->xalu, .xmem = sums->xmem,
                               .wcta = c->in->wcta};
    eq_decision_state none = {.none = 0};
    eq_decision_out out = {.branch = BALLAST_EQ_NONE};

    eq_decision_step(&none, &c->cfg->decision, &in, &out);
    return out;
}

static inline bool sm_governor_votes_are(const sm_governor_cycle *c)
{
    const eq_decision_out decision = sm_governor_decision(c);

    return c->out->comp == (c->out->epoch && decision.comp) && c->out->mem == (c->out->epoch && decision.mem);
}

/* ---- the throttle ---------------------------------------------------------------------------- */

static inline uint8_t sm_governor_target(const sm_governor_cycle *c)
{
    switch (c->was->policy) {
    case BALLAST_POLICY_STATIC: return c->was->fixed;
    case BALLAST_POLICY_PERFSAT: return c->before->perfsat.limit;
    case BALLAST_POLICY_LCS: return c->before->lcs.limit;
    case BALLAST_POLICY_DYNCTA: return c->before->dyncta.limit;
    case BALLAST_POLICY_SCOUT: return c->in->scout_limit == 0 || c->in->scout_limit > c->was->fixed ? c->was->fixed : c->in->scout_limit;
    default: return 0;
    }
}

/* Equalizer, DYNCTA and the search outside pause, LCS once T_new is known and if it is told to. The others drain. */
static inline bool sm_governor_pauses(const sm_governor_cycle *c)
{
    const bool known = c->before->lcs.state == LCS_ST_THROTTLE || c->before->lcs.state == LCS_ST_LAZY;

    return c->was->policy == BALLAST_POLICY_EQUALIZER || c->was->policy == BALLAST_POLICY_DYNCTA ||
           c->was->policy == BALLAST_POLICY_SCOUT || (c->was->policy == BALLAST_POLICY_LCS && c->cfg->lcs.throttle == LCS_THROTTLE_PAUSE && known);
}

static inline cta_throttle_in sm_governor_to_throttle(const sm_governor_cycle *c)
{
    const bool equalizer = c->was->policy == BALLAST_POLICY_EQUALIZER;
    const eq_decision_out decision = sm_governor_decision(c);

    return (cta_throttle_in){.enable = 1, .kernel_start = c->in->kernel_start, .nmax = c->in->nmax,
                             .tick = c->out->epoch && equalizer, .inc = decision.inc, .dec = decision.dec,
                             .follow = !equalizer, .target = sm_governor_target(c), .pause_en = sm_governor_pauses(c),
                             .denied = c->in->cta_denied, .cta_start = c->in->cta_start, .cta_done = c->in->cta_done,
                             .cta_active = c->in->cta_active};
}

static inline bool sm_governor_throttle_is(const sm_governor_cycle *c)
{
    const cta_throttle_in in = sm_governor_to_throttle(c);
    cta_throttle_state s = c->before->throttle;
    cta_throttle_out out;

    cta_throttle_step(&s, &c->cfg->throttle, &in, &out);
    return cta_throttle_same(&c->after->throttle, &s, &c->cfg->throttle) && c->out->limit == out.limit && c->out->cta_paused == out.paused && c->out->req == out.req;
}

#endif
