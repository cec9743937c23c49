/* SPDX-License-Identifier: Apache-2.0
 *
 * Read from top to bottom, a step follows the data: classes, the policies' own blocks, the
 * limit of the one in force, and the throttle that carries it out.
 */
#include "sm/sm_governor.h"

#include <stdbool.h>

sm_governor_cfg sm_governor_cfg_default(void)
{
    sm_governor_cfg cfg = {
        .num_warps = 48,
        .num_slots = 8,
        .issue_width = 2,
        .count_w = 32,
        .classifier = stall_classifier_cfg_default(),
        .perfsat = perfsat_cfg_default(),
        .lcs = lcs_cfg_default(),
        .counters = eq_counters_cfg_default(),
        .decision = eq_decision_cfg_default(),
        .throttle = cta_throttle_cfg_default(),
        .dyncta = dyncta_cfg_default(),
    };
    sm_governor_cfg_derive(&cfg);
    return cfg;
}

sm_governor_in sm_governor_in_default(void)
{
    return (sm_governor_in){
        .t_idle = DYNCTA_T_IDLE,
        .t_mem_l = DYNCTA_T_MEM_L,
        .t_mem_h = DYNCTA_T_MEM_H,
        .policy = BALLAST_POLICY_STATIC,
    };
}

void sm_governor_cfg_derive(sm_governor_cfg *cfg)
{
    cfg->classifier.num_warps = cfg->counters.num_warps = cfg->decision.num_warps = cfg->num_warps;
    cfg->perfsat.num_slots = cfg->lcs.num_slots = cfg->num_slots;
    cfg->throttle.num_slots = cfg->dyncta.num_slots = cfg->num_slots;
    cfg->lcs.issue_width = cfg->issue_width;
    cfg->perfsat.count_w = cfg->count_w;
    if (cfg->counters.sample_interval)
        cfg->decision.samples = cfg->counters.epoch / cfg->counters.sample_interval;
}

void sm_governor_reset(sm_governor_state *state, const sm_governor_cfg *cfg)
{
    stall_classifier_reset(&state->classifier, &cfg->classifier);
    perfsat_reset(&state->perfsat, &cfg->perfsat);
    lcs_reset(&state->lcs, &cfg->lcs);
    eq_counters_reset(&state->counters, &cfg->counters);
    cta_throttle_reset(&state->throttle, &cfg->throttle);
    dyncta_reset(&state->dyncta, &cfg->dyncta);
    state->policy = BALLAST_POLICY_STATIC;
    state->fixed = 0;
}

static uint8_t known_policy(uint8_t code)
{
    return code < BALLAST_POLICIES ? code : BALLAST_POLICY_STATIC;
}

/* Whose block is clocked: the one that the kernel starting now will have, else the one in force. */
static uint8_t selected_policy(const sm_governor_state *s, const sm_governor_in *in)
{
    return in->kernel_start ? known_policy(in->policy) : s->policy;
}

static void classify(sm_governor_state *s, const sm_governor_cfg *cfg, const sm_governor_in *in, stall_classifier_out *classes)
{
    stall_classifier_step(&s->classifier, &cfg->classifier,
                          &(stall_classifier_in){in->ws0, in->ws1, in->ws2, in->ws3, in->paused}, classes);
}

static void step_perfsat(sm_governor_state *s, const sm_governor_cfg *cfg, const sm_governor_in *in, uint8_t selected,
                         sm_governor_inner *x)
{
    x->perfsat.in = (perfsat_in){
        .enable = selected == BALLAST_POLICY_PERFSAT,
        .kernel_start = in->kernel_start,
        .nmax = in->nmax,
        .ps_class = x->classes.ps_class,
        .cta_start = in->cta_start,
        .cta_done = in->cta_done,
        .cta_active = in->cta_active,
    };
    perfsat_step(&s->perfsat, &cfg->perfsat, &x->perfsat.in, &x->perfsat.out);
}

/* LCS counts the CTAs that run: a paused one has left them (LCS-4). */
static void step_lcs(sm_governor_state *s, const sm_governor_cfg *cfg, const sm_governor_in *in, uint8_t selected,
                     sm_governor_inner *x)
{
    x->lcs.in = (lcs_in){
        .enable = selected == BALLAST_POLICY_LCS,
        .kernel_start = in->kernel_start,
        .nmax = in->nmax,
        .issue_valid = in->issue_valid,
        .issue_slot = in->issue_slot,
        .cta_done = in->cta_done,
        .cta_active = in->cta_active & ~s->throttle.paused,
        .listen = in->lcs_listen,
        .bcast_valid = in->lcs_bcast_valid,
        .bcast_limit = in->lcs_bcast_limit,
    };
    lcs_step(&s->lcs, &cfg->lcs, &x->lcs.in, &x->lcs.out);
}

/* DYNCTA reads the class of two cycles before: what a stall waits for takes a count over all warps. */
static void step_dyncta(sm_governor_state *s, const sm_governor_cfg *cfg, const sm_governor_in *in, uint8_t selected,
                        sm_governor_inner *x)
{
    x->dyncta.in = (dyncta_in){
        .enable = selected == BALLAST_POLICY_DYNCTA,
        .kernel_start = in->kernel_start,
        .nmax = in->nmax,
        .lcs_class = x->classes.lcs_class,
        .t_idle = in->t_idle,
        .t_mem_l = in->t_mem_l,
        .t_mem_h = in->t_mem_h,
    };
    dyncta_step(&s->dyncta, &cfg->dyncta, &x->dyncta.in, &x->dyncta.out);
}

/* The epochs of all SMs end together (EQ-A20), so the counters go by the chip's wish, not by
 * the kernel on this SM. */
static void step_equalizer(sm_governor_state *s, const sm_governor_cfg *cfg, const sm_governor_in *in,
                           sm_governor_inner *x)
{
    eq_decision_state none = {0};

    x->counters.in = (eq_counters_in){
        .ws0 = in->ws0,
        .ws1 = in->ws1,
        .ws2 = in->ws2,
        .ws3 = in->ws3,
        .paused = in->paused,
        .enable = in->policy == BALLAST_POLICY_EQUALIZER,
        .kernel_start = in->kernel_start,
    };
    eq_counters_step(&s->counters, &cfg->counters, &x->counters.in, &x->counters.out);
    x->decision = (eq_decision_out){.branch = BALLAST_EQ_NONE};
    if (x->counters.out.epoch_end) /* nobody looks at it in other cycles */
        eq_decision_step(&none, &cfg->decision,
                         &(eq_decision_in){x->counters.out.active, x->counters.out.waiting, x->counters.out.xalu,
                                           x->counters.out.xmem, in->wcta},
                         &x->decision);
}

/* SCT-9: what the chip looks at, as far as so many CTAs fit here. */
static uint8_t followed(const sm_governor_state *s, const sm_governor_in *in)
{
    return in->scout_limit >= 1 && in->scout_limit <= s->fixed ? in->scout_limit : s->fixed;
}

static uint8_t target_of(const sm_governor_state *s, const sm_governor_in *in, const sm_governor_inner *x)
{
    switch (s->policy) {
    case BALLAST_POLICY_PERFSAT: return x->perfsat.out.limit;
    case BALLAST_POLICY_LCS: return x->lcs.out.limit;
    case BALLAST_POLICY_DYNCTA: return x->dyncta.out.limit;
    case BALLAST_POLICY_EQUALIZER: return 0; /* it has the throttle's own numBlocks */
    case BALLAST_POLICY_SCOUT: return followed(s, in);
    default: return s->fixed;
    }
}

static bool may_pause(uint8_t policy, const sm_governor_inner *x)
{
    switch (policy) {
    case BALLAST_POLICY_EQUALIZER:
    case BALLAST_POLICY_DYNCTA:
    case BALLAST_POLICY_SCOUT: return true;
    case BALLAST_POLICY_LCS: return x->lcs.out.pause;
    default: return false;
    }
}

static void step_throttle(sm_governor_state *s, const sm_governor_cfg *cfg, const sm_governor_in *in,
                          sm_governor_inner *x)
{
    x->throttle.in = (cta_throttle_in){
        .enable = 1,
        .kernel_start = in->kernel_start,
        .nmax = in->nmax,
        .tick = x->counters.out.epoch_end && s->policy == BALLAST_POLICY_EQUALIZER,
        .inc = x->decision.inc,
        .dec = x->decision.dec,
        .follow = s->policy != BALLAST_POLICY_EQUALIZER,
        .target = target_of(s, in, x),
        .pause_en = may_pause(s->policy, x),
        .denied = in->cta_denied,
        .cta_start = in->cta_start,
        .cta_done = in->cta_done,
        .cta_active = in->cta_active,
    };
    cta_throttle_step(&s->throttle, &cfg->throttle, &x->throttle.in, &x->throttle.out);
}

static uint8_t is_done(const sm_governor_state *s, const sm_governor_in *in, const sm_governor_inner *x)
{
    switch (s->policy) {
    case BALLAST_POLICY_PERFSAT: return x->perfsat.out.done;
    case BALLAST_POLICY_LCS: return x->lcs.out.done;
    case BALLAST_POLICY_STATIC: return s->fixed != 0;
    case BALLAST_POLICY_SCOUT: return in->scout_done;
    default: return 0;
    }
}

static void start_kernel(sm_governor_state *s, const sm_governor_in *in)
{
    s->policy = known_policy(in->policy);
    if (s->policy == BALLAST_POLICY_STATIC)
        s->fixed = in->static_limit == 0 || in->static_limit > in->nmax ? in->nmax : in->static_limit;
    else if (s->policy == BALLAST_POLICY_SCOUT)
        s->fixed = in->nmax;
}

void sm_governor_step_inner(sm_governor_state *state, const sm_governor_cfg *cfg, const sm_governor_in *in,
                            sm_governor_out *out, sm_governor_inner *inner)
{
    sm_governor_state *s = state;
    sm_governor_inner *x = inner;
    const uint8_t selected = selected_policy(s, in);

    classify(s, cfg, in, &x->classes);
    step_perfsat(s, cfg, in, selected, x);
    step_lcs(s, cfg, in, selected, x);
    step_dyncta(s, cfg, in, selected, x);
    step_equalizer(s, cfg, in, x);
    step_throttle(s, cfg, in, x);
    *out = (sm_governor_out){
        .limit = x->throttle.out.limit,
        .cta_paused = x->throttle.out.paused,
        .pause_soft = s->policy == BALLAST_POLICY_DYNCTA,
        .req = x->throttle.out.req,
        .done = is_done(s, in, x),
        .epoch = x->counters.out.epoch_end,
        .comp = x->decision.comp,
        .mem = x->decision.mem,
        .t_new_valid = x->lcs.out.t_new_valid,
        .t_new = x->lcs.out.t_new,
    };
    if (in->kernel_start)
        start_kernel(s, in);
}

void sm_governor_step(sm_governor_state *state, const sm_governor_cfg *cfg, const sm_governor_in *in,
                      sm_governor_out *out)
{
    sm_governor_inner inner;

    sm_governor_step_inner(state, cfg, in, out, &inner);
}
