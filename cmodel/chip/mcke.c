/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle looks at every SM once and notes which kernels it would take. Then it chooses a kernel, then an SM for it, shows the launch
 * that was chosen before, and moves on.
 */
#include "chip/mcke.h"

#include <stdbool.h>

enum { NOBODY = MCKE_MAX_SMS, NO_KERNEL = BALLAST_CKE_MAX_KERNELS };

mcke_cfg mcke_cfg_default(void)
{
    return (mcke_cfg){.num_sms = 15, .sm = cke_resources_cfg_default()};
}

void mcke_reset(mcke_state *state, const mcke_cfg *cfg)
{
    for (unsigned k = 0; k < BALLAST_CKE_MAX_KERNELS; k++) {
        state->left[k] = state->cta[k] = 0;
        state->warps[k] = state->ptr[k] = 0;
        state->regs[k] = state->smem[k] = 0;
    }
    state->too_big = state->turn = 0;
    state->start_valid = state->start_kernel = state->start_sm = state->start_slot = 0;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        cke_resources_reset(&state->sm[i], &cfg->sm);
}

static cke_resources_in account_of(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, unsigned i)
{
    cke_resources_in account = {.cta_done = in->sm[i].cta_done};

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        account.warps = (uint32_t)ballast_cke_with_field(account.warps, k, cfg->sm.num_warps + 1, s->warps[k]);
        account.regs = ballast_cke_with_field(account.regs, k, cfg->sm.reg_units + 1, s->regs[k]);
        account.smem = ballast_cke_with_field(account.smem, k, cfg->sm.smem_units + 1, s->smem[k]);
    }
    return account;
}

/* CKE-2: in APART this SM is another kernel's. */
static bool away(const mcke_cfg *cfg, const mcke_in *in, unsigned k, unsigned i)
{
    return in->mode == MCKE_APART && i % cfg->sm.num_kernels != k;
}

/* GWDE-5: in QUEUE a kernel waits for those before it. */
static bool queued(const mcke_state *s, const mcke_in *in, unsigned k)
{
    bool waits = false;

    for (unsigned before = 0; before < k; before++)
        waits = waits || s->left[before] != 0;
    return in->mode == MCKE_QUEUE && waits;
}

/* GWDE-1 to GWDE-4, CKE-1. */
static bool takes_part(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, const cke_resources_out *sm, unsigned k, unsigned i)
{
    const uint32_t quota = ballast_cke_field(in->sm[i].quota, k, cfg->sm.num_slots);

    return in->sm[i].req && sm->count < in->sm[i].limit && ballast_cke_field(sm->ctas, k, cfg->sm.num_slots) < quota && (sm->fits >> k & 1) &&
           s->left[k] != 0 && !away(cfg, in, k, i) && !queued(s, in, k);
}

/* What the cycle finds, before anything changes. */
typedef struct view {
    uint8_t holds; /* a bit per kernel: it holds something somewhere */
    uint8_t any;   /* it takes part somewhere                        */
    struct {
        uint8_t takes; /* a bit per kernel: it takes part here  */
        uint8_t slot;  /* where a CTA would go                  */
    } sm[MCKE_MAX_SMS];
} view;

static void look_at(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, unsigned i, mcke_sm_out *out, view *v)
{
    const cke_resources_in asked = account_of(s, cfg, in, i);
    cke_resources_out sm;

    cke_resources_look(&s->sm[i], &cfg->sm, &asked, &sm);
    out->cta_active = sm.active;
    out->cta_kernel = sm.owner;
    out->ctas = sm.ctas;
    out->free_regs = sm.free_regs;
    out->free_smem = sm.free_smem;
    out->denied = 0;
    v->sm[i].takes = 0;
    v->sm[i].slot = sm.slot;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        const bool full = !(sm.fits >> k & 1) && !sm.due;
        const bool denied = in->sm[i].req && (s->left[k] == 0 || away(cfg, in, k, i) || full);

        out->denied |= (uint8_t)(denied << k);
        v->sm[i].takes |= (uint8_t)(takes_part(s, cfg, in, &sm, k, i) << k);
        v->holds |= (uint8_t)((ballast_cke_field(sm.ctas, k, cfg->sm.num_slots) != 0) << k);
    }
    v->any |= v->sm[i].takes;
}

typedef struct choice {
    unsigned sm;     /* NOBODY if no kernel takes part */
    unsigned kernel; /* 0 then                         */
    uint8_t slot;
} choice;

/* The lowest kernel of a set, from `least` on. */
static unsigned lowest_kernel(const mcke_cfg *cfg, uint8_t set, unsigned least)
{
    unsigned found = NO_KERNEL;

    for (unsigned k = cfg->sm.num_kernels; k-- > 0;)
        if ((set >> k & 1) && k >= least)
            found = k;
    return found;
}

/* CKE-A1: in turn, or the first one first. */
static unsigned choose_kernel(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, uint8_t any)
{
    const bool in_turn = in->mode == MCKE_QUOTAS || in->mode == MCKE_APART;
    const unsigned next = lowest_kernel(cfg, any, in_turn ? s->turn : 0);

    return next == NO_KERNEL ? lowest_kernel(cfg, any, 0) : next;
}

/* The lowest SM that takes this kernel, from `least` on. */
static choice lowest_sm(const mcke_cfg *cfg, const view *v, unsigned kernel, unsigned least)
{
    choice found = {.sm = NOBODY};

    for (unsigned i = cfg->num_sms; i-- > 0;)
        if ((v->sm[i].takes >> kernel & 1) && i >= least)
            found = (choice){i, kernel, v->sm[i].slot};
    return found;
}

static choice choose(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, const view *v)
{
    const unsigned kernel = choose_kernel(s, cfg, in, v->any);
    unsigned turn = 0;
    choice found;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        if (k == kernel)
            turn = s->ptr[k];
    found = lowest_sm(cfg, v, kernel, turn);
    return found.sm == NOBODY ? lowest_sm(cfg, v, kernel, 0) : found;
}

static void show_launch(const mcke_state *s, const mcke_cfg *cfg, mcke_out *out)
{
    const uint32_t launched = s->start_slot < cfg->sm.num_slots ? UINT32_C(1) << s->start_slot : 0;

    out->start_valid = s->start_valid;
    out->start_kernel = s->start_kernel;
    out->start_sm = s->start_sm;
    out->start_slot = s->start_slot;
    out->start_cta = 0;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        if (k == s->start_kernel)
            out->start_cta = s->cta[k];
    for (unsigned i = 0; i < cfg->num_sms; i++)
        out->sm[i].cta_start = s->start_valid && s->start_sm == i ? launched : 0;
}

static void show_kernels(const mcke_state *s, const mcke_cfg *cfg, const view *v, mcke_out *out)
{
    out->exhausted = 0;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        out->exhausted |= (uint8_t)((s->left[k] == 0) << k);
    out->idle = out->exhausted & (uint8_t)~v->holds;
    out->too_big = s->too_big;
}

static void start_kernel(mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, unsigned k)
{
    const bool exceeds = in->warps > cfg->sm.num_warps || in->regs > cfg->sm.reg_units || in->smem > cfg->sm.smem_units;

    s->too_big = (uint8_t)((s->too_big & ~(1u << k)) | (unsigned)exceeds << k);
    s->left[k] = exceeds ? 0 : in->grid;
    s->cta[k] = 0;
    s->ptr[k] = 0;
    s->warps[k] = in->warps;
    s->regs[k] = in->regs;
    s->smem[k] = in->smem;
}

/* A kernel starts where its number is idle; where all are, the turn begins anew. */
static void take_start(mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, uint8_t idle)
{
    const uint8_t all = (uint8_t)((1u << cfg->sm.num_kernels) - 1);

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        if (in->start && in->kernel == k && (idle >> k & 1)) {
            start_kernel(s, cfg, in, k);
            s->turn = idle == all ? 0 : s->turn;
        }
}

static void take_choice(mcke_state *s, const mcke_cfg *cfg, const choice *chosen)
{
    s->start_valid = chosen->sm != NOBODY;
    if (chosen->sm == NOBODY)
        return;
    for (unsigned k = 0; k < BALLAST_CKE_MAX_KERNELS; k++)
        if (k == chosen->kernel) {
            s->left[k]--;
            s->ptr[k] = (uint8_t)(chosen->sm + 1 < cfg->num_sms ? chosen->sm + 1 : 0);
        }
    s->turn = (uint8_t)(chosen->kernel + 1 < cfg->sm.num_kernels ? chosen->kernel + 1 : 0);
    s->start_kernel = (uint8_t)chosen->kernel;
    s->start_sm = (uint8_t)chosen->sm;
    s->start_slot = chosen->slot;
}

static void count_launch(mcke_state *s, const mcke_cfg *cfg)
{
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        s->cta[k] += s->start_valid && s->start_kernel == k;
}

void mcke_step(mcke_state *state, const mcke_cfg *cfg, const mcke_in *in, mcke_out *out)
{
    view v = {.any = 0, .holds = 0};

    for (unsigned i = 0; i < cfg->num_sms; i++)
        look_at(state, cfg, in, i, &out->sm[i], &v);
    show_launch(state, cfg, out);
    show_kernels(state, cfg, &v, out);

    const choice chosen = choose(state, cfg, in, &v);

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        cke_resources_in account = account_of(state, cfg, in, i);
        cke_resources_out ignored;

        account.take = i == chosen.sm;
        account.kernel = (uint8_t)chosen.kernel;
        cke_resources_step(&state->sm[i], &cfg->sm, &account, &ignored);
    }
    count_launch(state, cfg);
    take_choice(state, cfg, &chosen);
    take_start(state, cfg, in, out->idle);
}
