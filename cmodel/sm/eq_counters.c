/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/eq_counters.h"

#include <stdbool.h>

#include "common/popcount.h"

eq_counters_cfg eq_counters_cfg_default(void)
{
    return (eq_counters_cfg){
        .num_warps = 48,
        .epoch = 4096,
        .sample_interval = 128,
        .sample_phase = 127,
        .sample_cycles = 16,
        .xalu_excl_issued = 1,
        .xmem_incl_slot = 0,
    };
}

eq_counters_in eq_counters_in_default(void)
{
    return (eq_counters_in){.enable = 1};
}

void eq_counters_reset(eq_counters_state *state, const eq_counters_cfg *cfg)
{
    (void)cfg;
    *state = (eq_counters_state){.cycle = 1}; /* 0 would say that an epoch has ended */
}

/* The warps that are in one of these states, a bit per code, one bit each. */
static uint64_t in_states(const eq_counters_in *in, unsigned codes)
{
    const uint64_t planes[BALLAST_STATE_PLANES] = {in->ws0, in->ws1, in->ws2, in->ws3};
    uint64_t found = 0;

    for (unsigned code = 0; code < BALLAST_WARP_STATES; code++) {
        uint64_t warps = ~UINT64_C(0);

        if (!(codes >> code & 1))
            continue;
        for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
            warps &= code >> b & 1 ? planes[b] : ~planes[b];
        found |= warps;
    }
    return found;
}

/* Does a sample go on in this cycle? It has the sample_cycles cycles, sample_phase among them, that a multiple of it begins. */
static bool in_sample(const eq_counters_cfg *cfg, uint32_t cycle)
{
    const uint32_t place = cycle & (cfg->sample_interval - 1), first = cfg->sample_phase & ~(cfg->sample_cycles - 1);

    return place >= first && place - first < cfg->sample_cycles;
}

/* The warps that a sample looks at in this cycle: every sample_cycles-th, so that each has one turn. */
static uint64_t on_turn(const eq_counters_cfg *cfg, uint32_t cycle)
{
    const uint32_t turn = cycle & (cfg->sample_cycles - 1);
    uint64_t warps = 0;

    if (turn >= cfg->num_warps)
        return 0;
    for (uint32_t warp = 0; warp < cfg->num_warps; warp += cfg->sample_cycles)
        warps |= UINT64_C(1) << warp;
    warps <<= turn;
    return cfg->num_warps < 64 ? warps & ((UINT64_C(1) << cfg->num_warps) - 1) : warps;
}

/* One cycle of a sample: how many warps each sum gains. */
static eq_counters_state take_sample(const eq_counters_cfg *cfg, const eq_counters_in *in, uint32_t cycle)
{
    const uint64_t counted = on_turn(cfg, cycle) & ~in->paused; /* PAUSE-2 */
    unsigned active = (1u << BALLAST_WARP_STATES) - 1, waiting = 1u << BALLAST_WARP_WAIT_ALU | 1u << BALLAST_WARP_WAIT_MEM;
    unsigned xalu = 1u << BALLAST_WARP_ALU_LOST | 1u << BALLAST_WARP_ALU_BLOCKED, xmem = 1u << BALLAST_WARP_MEM_BLOCKED;

    active &= ~(1u << BALLAST_WARP_EMPTY | 1u << BALLAST_WARP_NO_INST); /* EQ-A7, EQ-A10 */
    if (!cfg->xalu_excl_issued)                         /* EQ-A8 */
        xalu |= 1u << BALLAST_WARP_ISSUED_ALU;
    if (cfg->xmem_incl_slot) /* EQ-A9 */
        xmem |= 1u << BALLAST_WARP_MEM_LOST;
    return (eq_counters_state){
        .active = ballast_popcount64(in_states(in, active) & counted),
        .waiting = ballast_popcount64(in_states(in, waiting) & counted),
        .xalu = ballast_popcount64(in_states(in, xalu) & counted),
        .xmem = ballast_popcount64(in_states(in, xmem) & counted),
    };
}

/* The most that the registers can hold: all ones in as many bits as the sum of an epoch needs. */
static uint32_t sum_mask(const eq_counters_cfg *cfg)
{
    const uint32_t most = cfg->num_warps * (cfg->epoch / cfg->sample_interval);
    uint32_t mask = 0;

    while (mask < most)
        mask = mask << 1 | 1;
    return mask;
}

static void add_sample(eq_counters_state *state, const eq_counters_cfg *cfg, const eq_counters_in *in)
{
    const eq_counters_state gain = take_sample(cfg, in, state->cycle);
    const uint32_t mask = sum_mask(cfg);

    state->active = (state->active + gain.active) & mask;
    state->waiting = (state->waiting + gain.waiting) & mask;
    state->xalu = (state->xalu + gain.xalu) & mask;
    state->xmem = (state->xmem + gain.xmem) & mask;
}

void eq_counters_step(eq_counters_state *state, const eq_counters_cfg *cfg,
                      const eq_counters_in *in, eq_counters_out *out)
{
    const uint32_t cycle = state->cycle;
    const bool epoch_end = in->enable && cycle == 0;

    *out = (eq_counters_out){
        .active = state->active,
        .waiting = state->waiting,
        .xalu = state->xalu,
        .xmem = state->xmem,
        .epoch_end = epoch_end,
    };
    if (!in->enable)
        return;
    if (epoch_end || in->kernel_start)
        state->active = state->waiting = state->xalu = state->xmem = 0;
    if (in_sample(cfg, cycle))
        add_sample(state, cfg, in);
    state->cycle = (cycle + 1) & (cfg->epoch - 1);
}
