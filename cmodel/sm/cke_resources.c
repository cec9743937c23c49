/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM is a row of slots, each with the kernel that holds it. A cycle counts the CTA that came or went in the one before: it takes, or
 * gives back, what those of its kernel need. Then one slot is filled or emptied, which the next cycle counts.
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
        .ready = state->ready,
        .taken = state->taken,
        .slot = (uint8_t)(slot == NO_SLOT ? 0 : slot),
        .due = finished(state, in) != 0 || (state->move != 0 && !state->taken),
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

/* A sum or a difference, in the bits that the register has. */
static uint32_t wrapped(uint32_t is, uint32_t change, bool down, uint32_t most)
{
    return ballast_cke_field(down ? (uint64_t)is - change : (uint64_t)is + change, 0, most);
}

/* What came or went in the cycle before: at most one CTA. */
static void count_last(cke_resources_state *s, const cke_resources_cfg *cfg, const cke_resources_in *in)
{
    const bool came = s->taken;
    amount need = {0, 0, 0};

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        if (s->move >> k & 1) {
            const amount own = need_of(cfg, in, k);

            need.warps |= own.warps;
            need.regs |= own.regs;
            need.smem |= own.smem;
            s->ctas[k] = (uint8_t)wrapped(s->ctas[k], 1, !came, cfg->num_slots);
        }
    s->warps = (uint8_t)wrapped(s->warps, need.warps, came, cfg->num_warps + 1);
    s->regs = (uint16_t)wrapped(s->regs, need.regs, came, cfg->reg_units + 1);
    s->smem = (uint16_t)wrapped(s->smem, need.smem, came, cfg->smem_units + 1);
}

/* The CTA of `kernel` comes into a slot. */
static void fill(cke_resources_state *s, unsigned slot, unsigned kernel)
{
    s->held |= UINT32_C(1) << slot;
    s->move = (uint8_t)(1u << kernel);
    s->taken = 1;
}

/* The lowest of those that have finished goes; the others wait. */
static void empty(cke_resources_state *s, const cke_resources_cfg *cfg, uint32_t done)
{
    const unsigned slot = lowest(cfg, done), owner = owner_of(s, cfg, slot);

    s->move = (uint8_t)(owner == NO_KERNEL ? 0 : 1u << owner);
    s->taken = 0;
    if (slot != NO_SLOT)
        s->held &= ~(UINT32_C(1) << slot);
}

void cke_resources_step(cke_resources_state *state, const cke_resources_cfg *cfg, const cke_resources_in *in,
                        cke_resources_out *out)
{
    const uint32_t done = finished(state, in);
    const unsigned place = lowest(cfg, ~state->held);
    const bool counted = !state->taken; /* all that is held */
    const bool comes = in->take && counted && in->kernel < cfg->num_kernels && place != NO_SLOT;

    cke_resources_look(state, cfg, in, out);

    count_last(state, cfg, in);
    state->ready = counted && !comes ? in->may & out->fits : 0;
    state->returning = done;
    if (comes)
        fill(state, place, in->kernel);
    else
        empty(state, cfg, done);
    for (unsigned i = 0; i < cfg->num_slots; i++) /* nobody holds it yet */
        if (i == place)
            state->owner = ballast_cke_with_field(state->owner, i, cfg->num_kernels - 1, in->kernel);
}
