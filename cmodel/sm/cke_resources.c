/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM is a row of slots, each with the kernel that holds it. The cycle looks for the slot to fill and the one to empty. Then the
 * CTA that comes takes what its kernel's CTAs need, and the one that goes gives back what those of its own kernel need.
 */
#include "sm/cke_resources.h"

enum { NO_SLOT = 32, NO_KERNEL = BALLAST_CKE_MAX_KERNELS };

cke_resources_cfg cke_resources_cfg_default(void)
{
    return (cke_resources_cfg){.num_kernels = 2, .num_slots = 8, .num_warps = 48, .reg_units = 1024, .smem_units = 384};
}

void cke_resources_reset(cke_resources_state *state, const cke_resources_cfg *cfg)
{
    *state = (cke_resources_state){
        .warps = (uint8_t)cfg->num_warps,
        .regs = (uint16_t)cfg->reg_units,
        .smem = (uint16_t)cfg->smem_units,
    };
}

/* What one CTA needs, or what is free. */
typedef struct amount {
    uint32_t warps, regs, smem;
} amount;

static amount need_of(const cke_resources_cfg *cfg, const cke_resources_in *in, unsigned kernel)
{
    return (amount){ballast_cke_field(in->warps, kernel, cfg->num_warps + 1), ballast_cke_field(in->regs, kernel, cfg->reg_units + 1),
                    ballast_cke_field(in->smem, kernel, cfg->smem_units + 1)};
}

/* The lowest slot of a set, or NO_SLOT. */
static unsigned lowest(const cke_resources_cfg *cfg, uint32_t set)
{
    unsigned found = NO_SLOT;

    for (unsigned slot = cfg->num_slots; slot-- > 0;)
        if (set >> slot & 1)
            found = slot;
    return found;
}

/* Slots whose CTA has finished, now or before, and which are still held. */
static uint32_t finished(const cke_resources_state *s, const cke_resources_in *in)
{
    return (s->returning | in->cta_done) & s->held;
}

/* GWDE-2, CKE-A1: what is free is free for every kernel. */
static bool suffices(const cke_resources_state *s, amount need)
{
    return need.warps <= s->warps && need.regs <= s->regs && need.smem <= s->smem;
}

void cke_resources_look(const cke_resources_state *state, const cke_resources_cfg *cfg, const cke_resources_in *in,
                        cke_resources_out *out)
{
    const unsigned slot = lowest(cfg, ~state->held);

    *out = (cke_resources_out){
        .owner = state->owner,
        .active = state->held & ~state->returning,
        .free_regs = state->regs,
        .free_smem = state->smem,
        .slot = (uint8_t)(slot == NO_SLOT ? 0 : slot),
        .due = finished(state, in) != 0,
    };
    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const bool fits = slot != NO_SLOT && suffices(state, need_of(cfg, in, k));

        out->fits |= (uint8_t)(fits << k);
        out->ctas = (uint32_t)ballast_cke_with_field(out->ctas, k, cfg->num_slots, state->ctas[k]);
        out->count = (uint8_t)ballast_cke_field(out->count + state->ctas[k], 0, cfg->num_slots);
    }
}

/* The kernel of a slot, NO_KERNEL for a number that is none. */
static unsigned owner_of(const cke_resources_state *s, const cke_resources_cfg *cfg, unsigned slot)
{
    unsigned owner = NO_KERNEL;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        if (i == slot)
            owner = ballast_cke_field(s->owner, i, cfg->num_kernels - 1);
    return owner < cfg->num_kernels ? owner : NO_KERNEL;
}

static void give_back(cke_resources_state *s, const cke_resources_cfg *cfg, const cke_resources_in *in, unsigned slot)
{
    const unsigned owner = owner_of(s, cfg, slot);

    s->held &= ~(UINT32_C(1) << slot);
    s->returning &= ~(UINT32_C(1) << slot);
    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const amount need = need_of(cfg, in, k);

        if (k != owner)
            continue;
        s->ctas[k] = (uint8_t)ballast_cke_field(s->ctas[k] - 1u, 0, cfg->num_slots);
        s->warps = (uint8_t)ballast_cke_field(s->warps + need.warps, 0, cfg->num_warps + 1);
        s->regs = (uint16_t)ballast_cke_field(s->regs + need.regs, 0, cfg->reg_units + 1);
        s->smem = (uint16_t)ballast_cke_field(s->smem + need.smem, 0, cfg->smem_units + 1);
    }
}

static void launch(cke_resources_state *s, const cke_resources_cfg *cfg, const cke_resources_in *in, unsigned slot)
{
    s->held |= UINT32_C(1) << slot;
    for (unsigned i = 0; i < cfg->num_slots; i++)
        if (i == slot)
            s->owner = ballast_cke_with_field(s->owner, i, cfg->num_kernels - 1, in->kernel);
    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        const amount need = need_of(cfg, in, k);

        if (k != in->kernel)
            continue;
        s->ctas[k] = (uint8_t)ballast_cke_field(s->ctas[k] + 1u, 0, cfg->num_slots);
        s->warps = (uint8_t)ballast_cke_field((uint64_t)s->warps - need.warps, 0, cfg->num_warps + 1);
        s->regs = (uint16_t)ballast_cke_field((uint64_t)s->regs - need.regs, 0, cfg->reg_units + 1);
        s->smem = (uint16_t)ballast_cke_field((uint64_t)s->smem - need.smem, 0, cfg->smem_units + 1);
    }
}

void cke_resources_step(cke_resources_state *state, const cke_resources_cfg *cfg, const cke_resources_in *in,
                        cke_resources_out *out)
{
    const uint32_t done = finished(state, in);
    const unsigned back = lowest(cfg, done);

    cke_resources_look(state, cfg, in, out);
    state->returning = done;
    if (back != NO_SLOT)
        give_back(state, cfg, in, back);
    if (in->take && in->kernel < cfg->num_kernels && (out->fits >> in->kernel & 1))
        launch(state, cfg, in, out->slot);
}
