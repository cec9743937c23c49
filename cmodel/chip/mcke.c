/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle shows the launch that was chosen before. It chooses an SM for the kernel that was chosen before, then a kernel for the next
 * cycle, of those that SMs are ready for. Each account is told which kernels may come to it, and finds for which there is room.
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
        state->warps[k] = 0;
        state->regs[k] = state->smem[k] = 0;
    }
    state->too_big = state->turn = 0;
    state->kernel = state->start_valid = state->start_kernel = state->start_slot = 0;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        state->row[i] = state->who[i] = state->after[i] = 0;
        cke_resources_reset(&state->sm[i], &cfg->sm);
    }
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

/* GWDE-1, GWDE-3, GWDE-4, CKE-1: but for the room, kernel k may come to this SM. */
static bool may_come(const mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, const cke_resources_out *sm, unsigned k, unsigned i)
{
    const uint32_t quota = ballast_cke_field(in->sm[i].quota, k, cfg->sm.num_slots);

    return in->sm[i].req && sm->count < in->sm[i].limit && ballast_cke_field(sm->ctas, k, cfg->sm.num_slots) < quota && s->left[k] != 0 &&
           !away(cfg, in, k, i) && !queued(s, in, k);
}

/* What the cycle finds, before anything changes. */
typedef struct view {
    uint8_t holds; /* a bit per kernel: it holds something somewhere */
    uint8_t any;   /* an SM is ready for it                          */
    struct {
        uint8_t may;  /* a bit per kernel: it may come here, but for the room */
        uint8_t slot; /* where a CTA would go                                 */
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
    v->sm[i].may = 0;
    v->sm[i].slot = sm.slot;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        const bool full = !(sm.fits >> k & 1) && !sm.due;
        const bool denied = in->sm[i].req && (s->left[k] == 0 || away(cfg, in, k, i) || full);

        out->denied |= (uint8_t)(denied << k);
        v->sm[i].may |= (uint8_t)(may_come(s, cfg, in, &sm, k, i) << k);
        v->holds |= (uint8_t)((ballast_cke_field(sm.ctas, k, cfg->sm.num_slots) != 0) << k);
    }
    v->any |= sm.ready;
}

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
static unsigned choose_kernel(const mcke_cfg *cfg, const mcke_in *in, uint8_t any, unsigned turn)
{
    const bool in_turn = in->mode == MCKE_QUOTAS || in->mode == MCKE_APART;
    const unsigned next = lowest_kernel(cfg, any, in_turn ? turn : 0);

    return next == NO_KERNEL ? lowest_kernel(cfg, any, 0) : next;
}

typedef struct choice {
    unsigned sm; /* NOBODY if no CTA of the kernel can go anywhere */
    uint8_t slot;
} choice;

/* A CTA of the kernel that was chosen before is left. */
static bool goes_on(const mcke_state *s, const mcke_cfg *cfg)
{
    bool left = false;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        left = left || (k == s->kernel && s->left[k] != 0);
    return left;
}

/* The lowest SM for it; of those after its last one, if that is asked. What an SM was ready for holds no more behind a launch. */
static choice lowest_sm(const mcke_state *s, const mcke_cfg *cfg, const view *v, bool after)
{
    choice found = {.sm = NOBODY};

    for (unsigned i = cfg->num_sms; i-- > 0;)
        if (s->row[i] && !s->sm[i].taken && (!after || (s->after[i] >> s->who[i] & 1)))
            found = (choice){i, v->sm[i].slot};
    return found;
}

static choice choose_sm(const mcke_state *s, const mcke_cfg *cfg, const view *v)
{
    const choice none = {.sm = NOBODY};
    choice found;

    if (!goes_on(s, cfg))
        return none;
    found = lowest_sm(s, cfg, v, true);
    return found.sm == NOBODY ? lowest_sm(s, cfg, v, false) : found;
}

static void show_launch(const mcke_state *s, const mcke_cfg *cfg, mcke_out *out)
{
    const uint32_t launched = s->start_slot < cfg->sm.num_slots ? UINT32_C(1) << s->start_slot : 0;

    out->start_valid = s->start_valid;
    out->start_kernel = s->start_kernel;
    out->start_sm = 0;
    out->start_slot = s->start_slot;
    out->start_cta = 0;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        if (k == s->start_kernel)
            out->start_cta = s->cta[k];
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        out->sm[i].cta_start = s->sm[i].taken ? launched : 0;
        if (s->sm[i].taken)
            out->start_sm |= (uint8_t)i;
    }
}

static void show_kernels(const mcke_state *s, const mcke_cfg *cfg, const view *v, mcke_out *out)
{
    uint8_t launched = 0; /* not counted yet */

    out->exhausted = 0;
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++) {
        out->exhausted |= (uint8_t)((s->left[k] == 0) << k);
        launched |= (uint8_t)((s->start_valid && s->start_kernel == k) << k);
    }
    out->idle = out->exhausted & (uint8_t)~(v->holds | launched);
    out->too_big = s->too_big;
}

static void start_kernel(mcke_state *s, const mcke_cfg *cfg, const mcke_in *in, unsigned k)
{
    const bool exceeds = in->warps > cfg->sm.num_warps || in->regs > cfg->sm.reg_units || in->smem > cfg->sm.smem_units;

    s->too_big = (uint8_t)((s->too_big & ~(1u << k)) | (unsigned)exceeds << k);
    s->left[k] = exceeds ? 0 : in->grid;
    s->cta[k] = 0;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        s->after[i] &= (uint8_t)~(1u << k);
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

static unsigned kernel_behind(const mcke_cfg *cfg, unsigned kernel)
{
    return kernel + 1 < cfg->sm.num_kernels ? kernel + 1 : 0;
}

/* GWDE-A1, CKE-A1: both turns move behind a launch. */
static void take_sm(mcke_state *s, const mcke_cfg *cfg, const choice *chosen)
{
    s->start_valid = chosen->sm != NOBODY;
    s->start_kernel = s->kernel;
    s->start_slot = chosen->slot;
    if (chosen->sm == NOBODY)
        return;
    s->turn = (uint8_t)kernel_behind(cfg, s->kernel);
    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        if (k == s->kernel) {
            s->left[k]--;
            for (unsigned i = 0; i < cfg->num_sms; i++)
                s->after[i] = (uint8_t)((s->after[i] & ~(1u << k)) | (unsigned)(i > chosen->sm) << k);
        }
}

/* With the SMs that are ready for it in this cycle. */
static void take_kernel(mcke_state *s, const mcke_cfg *cfg, unsigned kernel, const uint8_t *ready)
{
    s->kernel = (uint8_t)(kernel == NO_KERNEL ? 0 : kernel);
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        s->row[i] = kernel != NO_KERNEL && (ready[i] >> kernel & 1);
        s->who[i] = s->row[i] ? s->kernel : 0;
    }
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

    const choice chosen = choose_sm(state, cfg, &v);
    uint8_t ready[MCKE_MAX_SMS];

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        cke_resources_in account = account_of(state, cfg, in, i);
        cke_resources_out ignored;

        ready[i] = state->sm[i].ready;
        account.may = v.sm[i].may;
        account.take = i == chosen.sm;
        account.kernel = state->who[i];
        cke_resources_step(&state->sm[i], &cfg->sm, &account, &ignored);
    }
    count_launch(state, cfg);
    take_sm(state, cfg, &chosen);
    take_kernel(state, cfg, choose_kernel(cfg, in, v.any, state->turn), ready);
    take_start(state, cfg, in, out->idle);
}
