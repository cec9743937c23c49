/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/governed.h"

#include <string.h>

#include "blocks/chip_governor/bind.h"

void governed_control(sim_control *control, const chip_governor_out *out, unsigned sms)
{
    control->sm_level = out->sm_level;
    control->mem_level = out->mem_level;
    control->sm_stall = out->sm_stall;
    control->mem_stall = out->mem_stall;
    for (unsigned i = 0; i < sms; i++)
        control->sm[i] = (sm_control){.req = out->sm[i].req, .limit = out->sm[i].limit, .paused = out->sm[i].cta_paused, .soft = out->sm[i].pause_soft};
}

void governed_open(governed *g, chip_sim *sim)
{
    const machine *m = sim_machine(sim);

    memset(g, 0, sizeof *g);
    g->sim = sim;
    g->cfg = chip_governor_cfg_default();
    g->cfg.num_sms = m->sms;
    g->cfg.sm.num_warps = m->warps;
    g->cfg.sm.num_slots = m->slots;
    g->cfg.sm.issue_width = m->schedulers;
    chip_governor_cfg_derive(&g->cfg);
    chip_governor_reset(&g->state, &g->cfg);
    chip_governor_set_defaults(&g->in); /* the static policy: nobody throttles */
    g->control.sm_level = g->control.mem_level = BALLAST_VF_NORMAL;
    g->span = span_find("sm_governor");
}

const sm_obs *const *governed_step_own(governed *g, decisions *list)
{
    const sm_obs *const *obs = sim_step(g->sim, &g->control);

    if (!obs)
        return NULL;
    g->failed = !own_chip_step(g->own, obs, &g->out, list);
    governed_control(&g->control, &g->out, g->cfg.num_sms);
    return g->failed ? NULL : obs;
}

/* ---- every SM's governor takes the cycle ------------------------------------------- */

/* flatten: the compiler copies the governor's blocks to here, so that what one hands to the next does not go through memory. */
__attribute__((flatten)) static void govern(governed *g, const sm_obs *const *obs)
{
    chip_governor_bind(&g->in, &g->cfg, obs, NULL);
    chip_governor_step(&g->state, &g->cfg, &g->in, &g->out);
    governed_control(&g->control, &g->out, g->cfg.num_sms);
}

/* ---- or only those of which it is more than one to be counted ----------------------- */

static void begin_span(governed_span *s, uint32_t length, unsigned wants, bool denied)
{
    if (s->sums.cycles)
        memset(s, 0, sizeof *s);
    s->left = length;
    s->wants = (uint8_t)wants;
    s->denied = denied;
}

/* The registers as they are after the cycles of its span. */
static void settle(governed *g, unsigned i)
{
    governed_span *s = &g->spans[i];
    sm_governor_in in = {.policy = g->in.policy};

    for (uint32_t back = s->sums.cycles < 2 ? s->sums.cycles : 2; back; back--) {
        stall_classifier_out before;

        stall_classifier_step(&s->sums.last, &g->cfg.sm.classifier, &s->warps[(s->sums.cycles - back) & 1], &before);
    }
    g->span->pass(&g->state.sm[i], &g->cfg.sm, &in, &s->sums);
    begin_span(s, 0, 0, false);
}

void governed_settle(governed *g)
{
    for (unsigned i = 0; i < g->cfg.num_sms && g->span; i++)
        settle(g, i);
}

static void govern_all(governed *g, const sm_obs *const *obs)
{
    governed_settle(g);
    govern(g, obs);
    g->to_epoch = span_of_epoch(&g->state.sm[0].counters, &g->cfg.sm.counters);
}

static bool has_pulse(const sm_obs *obs)
{
    return obs->cta_start | obs->cta_done | obs->kernel_start;
}

/* To be denied is no pulse: an SM that has no room asks again and again. */
static bool goes_on(const governed_span *s, const sm_obs *obs)
{
    return s->left && !has_pulse(obs) && s->denied == obs->cta_denied;
}

/* What chip_governor gives its SMs, where it searches nothing. */
static void govern_one(governed *g, unsigned i, const sm_obs *obs, const scout_out *search)
{
    sm_governor_in in = {.policy = g->in.policy, .static_limit = g->in.static_limit, .t_idle = g->in.t_idle, .t_mem_l = g->in.t_mem_l,
                         .t_mem_h = g->in.t_mem_h, .scout_limit = search->limit, .scout_done = search->done};
    sm_governor_state *state = &g->state.sm[i], before;
    sm_governor_out o;

    settle(g, i);
    before = *state;
    sm_governor_observe(&in, &g->cfg.sm, obs);
    sm_governor_step(state, &g->cfg.sm, &in, &o);
    g->out.sm[i] = (chip_governor_sm_out){o.cta_paused, o.limit, o.pause_soft, o.req, o.done};
    g->control.sm[i] = (sm_control){.req = o.req, .limit = o.limit, .paused = o.cta_paused, .soft = o.pause_soft};
    if (!has_pulse(obs) && g->span->length(&before, &g->cfg.sm, &in) && g->span->rests(&before, state))
        begin_span(&g->spans[i], g->span->length(state, &g->cfg.sm, &in), g->span->wants(state, &in), obs->cta_denied);
}

__attribute__((flatten)) static void classify(const governed *g, governed_span *s)
{
    const stall_classifier_out class = stall_classifier_of(&g->cfg.sm.classifier, &s->warps[(s->sums.cycles - 1) & 1]);

    s->sums.stalled += class.ps_class == BALLAST_PS_SCOREBOARD || class.ps_class == BALLAST_PS_PIPELINE;
    s->sums.idle += class.lcs_class == BALLAST_LCS_IDLE;
    s->sums.mem += class.lcs_class == BALLAST_LCS_MEM_STALL;
}

static void count(governed *g, unsigned i, const sm_obs *obs)
{
    governed_span *s = &g->spans[i];

    s->left--;
    s->warps[s->sums.cycles++ & 1] = (stall_classifier_in){obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
    if (s->wants & SPAN_WARPS)
        g->span->look(&g->state.sm[i], &g->cfg.sm, g->span->blind(&g->state.sm[i], &g->cfg.sm) ? NULL : obs, 1);
    if (s->wants & (SPAN_STALLED | SPAN_CLASSES))
        classify(g, s);
    else if (s->wants & SPAN_SLOTS)
        g->span->slots(&g->cfg.sm, obs, 1, &s->sums);
}

/* Nor do its outputs. */
static bool domain_rests(const vf_domain_state *s, unsigned level, unsigned busy)
{
    return !s->timer && s->next == s->level && s->level == level && !busy;
}

/* Nothing but the SMs' governors moves, and each for itself. */
static bool chip_rests(const governed *g)
{
    return domain_rests(&g->state.sm_domain, g->out.sm_level, g->out.sm_busy) && domain_rests(&g->state.mem_domain, g->out.mem_level, g->out.mem_busy) &&
           !g->state.vote.counted && !g->state.vote.valid && !g->state.search && g->in.policy != BALLAST_POLICY_SCOUT && g->cfg.lcs_scope != 1 &&
           (g->in.policy != BALLAST_POLICY_EQUALIZER || g->to_epoch);
}

/* Most of the time of a cycle in which the SMs do little goes here. */
static void govern_some(governed *g, const sm_obs *const *obs)
{
    scout_out search;

    if (!chip_rests(g)) {
        govern_all(g, obs);
        return;
    }
    scout_look(&g->state.scout, &g->cfg.scout, &(scout_in){0}, &search);
    for (unsigned i = 0; i < g->cfg.num_sms; i++) {
        if (goes_on(&g->spans[i], obs[i]))
            count(g, i, obs[i]);
        else
            govern_one(g, i, obs[i], &search);
    }
    g->to_epoch -= g->to_epoch != 0;
}

const sm_obs *const *governed_step(governed *g)
{
    const sm_obs *const *obs;

    if (g->own)
        return governed_step_own(g, NULL);
    obs = sim_step(g->sim, &g->control);
    if (!obs)
        return NULL;
    if (g->each)
        govern(g, obs);
    else
        govern_some(g, obs);
    return obs;
}
