/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM is a row of slots. The cycle looks for the one to fill and the one to empty; then each of them
 * moves what a CTA needs, out of what is free or back into it.
 */
#include "sm/sm_resources.h"

enum { NO_SLOT = 32 };

sm_resources_cfg sm_resources_cfg_default(void)
{
    return (sm_resources_cfg){.num_slots = 8, .num_warps = 48, .reg_units = 1024, .smem_units = 384};
}

void sm_resources_reset(sm_resources_state *state, const sm_resources_cfg *cfg)
{
    *state = (sm_resources_state){
        .warps = (uint8_t)cfg->num_warps,
        .regs = (uint16_t)cfg->reg_units,
        .smem = (uint16_t)cfg->smem_units,
    };
}

/* A register that can hold `most` wraps at the next power of two. */
static uint32_t wrapped(uint32_t value, uint32_t most)
{
    uint32_t ones = 1;

    while (ones < most)
        ones = ones << 1 | 1;
    return value & ones;
}

/* The lowest slot of a set, or NO_SLOT. */
static unsigned lowest(const sm_resources_cfg *cfg, uint32_t set)
{
    unsigned found = NO_SLOT;

    for (unsigned slot = cfg->num_slots; slot-- > 0;)
        if (set >> slot & 1)
            found = slot;
    return found;
}

/* Slots whose CTA has finished, now or before, and which are still held. */
static uint32_t finished(const sm_resources_state *s, const sm_resources_in *in)
{
    return (s->returning | in->cta_done) & s->held;
}

void sm_resources_look(const sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out)
{
    const unsigned slot = lowest(cfg, ~state->held);
    const bool short_of = in->warps > state->warps || in->regs > state->regs || in->smem > state->smem;

    *out = (sm_resources_out){
        .active = state->held & ~state->returning,
        .fits = slot != NO_SLOT && !short_of,
        .slot = (uint8_t)(slot == NO_SLOT ? 0 : slot),
        .count = state->count,
        .due = lowest(cfg, finished(state, in)) != NO_SLOT,
    };
}

static void launch(sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    s->held |= UINT32_C(1) << slot;
    s->count = (uint8_t)wrapped(s->count + 1u, cfg->num_slots);
    s->warps = (uint8_t)wrapped((uint32_t)s->warps - in->warps, cfg->num_warps + 1);
    s->regs = (uint16_t)wrapped((uint32_t)s->regs - in->regs, cfg->reg_units + 1);
    s->smem = (uint16_t)wrapped((uint32_t)s->smem - in->smem, cfg->smem_units + 1);
}

static void give_back(sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    s->held &= ~(UINT32_C(1) << slot);
    s->returning &= ~(UINT32_C(1) << slot);
    s->count = (uint8_t)wrapped(s->count - 1u, cfg->num_slots);
    s->warps = (uint8_t)wrapped((uint32_t)s->warps + in->warps, cfg->num_warps + 1);
    s->regs = (uint16_t)wrapped((uint32_t)s->regs + in->regs, cfg->reg_units + 1);
    s->smem = (uint16_t)wrapped((uint32_t)s->smem + in->smem, cfg->smem_units + 1);
}

void sm_resources_step(sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out)
{
    const uint32_t due = finished(state, in);
    const unsigned back = lowest(cfg, due);

    sm_resources_look(state, cfg, in, out);
    state->returning = due;
    if (back != NO_SLOT)
        give_back(state, cfg, in, back);
    if (in->take && out->fits)
        launch(state, cfg, in, out->slot);
}
