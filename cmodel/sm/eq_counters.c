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
    *state = (eq_counters_state){.cycle = 2}; /* 1 would say that an epoch has ended */
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

/* How many warps a sample looks at in this cycle: every sample_cycles-th, from `turn` on, so that each has one turn. */
static uint32_t warps_of(const eq_counters_cfg *cfg, uint32_t turn)
{
    return turn < cfg->num_warps ? (cfg->num_warps - turn - 1) / cfg->sample_cycles + 1 : 0;
}

/* Those of the set side by side, the first one lowest. */
static uint64_t on_turn(const eq_counters_cfg *cfg, uint64_t set, uint32_t cycle)
{
    const uint32_t turn = cycle & (cfg->sample_cycles - 1), warps = warps_of(cfg, turn);
    uint64_t found = 0;

    for (uint32_t i = 0; i < warps; i++)
        found |= (set >> (turn + i * cfg->sample_cycles) & 1) << i;
    return found;
}

/* One cycle of a sample: which warps the next cycle adds. */
static void look(eq_counters_state *state, const eq_counters_cfg *cfg, const eq_counters_in *in)
{
    const uint64_t counted = ~in->paused; /* PAUSE-2 */
    unsigned active = (1u << BALLAST_WARP_STATES) - 1, waiting = 1u << BALLAST_WARP_WAIT_ALU | 1u << BALLAST_WARP_WAIT_MEM;
    unsigned xalu = 1u << BALLAST_WARP_ALU_LOST | 1u << BALLAST_WARP_ALU_BLOCKED, xmem = 1u << BALLAST_WARP_MEM_BLOCKED;

    active &= ~(1u << BALLAST_WARP_EMPTY | 1u << BALLAST_WARP_NO_INST); /* EQ-A7, EQ-A10 */
    if (!cfg->xalu_excl_issued)                         /* EQ-A8 */
        xalu |= 1u << BALLAST_WARP_ISSUED_ALU;
    if (cfg->xmem_incl_slot) /* EQ-A9 */
        xmem |= 1u << BALLAST_WARP_MEM_LOST;
    state->active_turn = on_turn(cfg, in_states(in, active) & counted, state->cycle);
    state->waiting_turn = on_turn(cfg, in_states(in, waiting) & counted, state->cycle);
    state->xalu_turn = on_turn(cfg, in_states(in, xalu) & counted, state->cycle);
    state->xmem_turn = on_turn(cfg, in_states(in, xmem) & counted, state->cycle);
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

/* What the cycle before has seen. */
static void add(eq_counters_state *state, const eq_counters_cfg *cfg)
{
    const uint32_t mask = sum_mask(cfg);

    state->active = (state->active + ballast_popcount64(state->active_turn)) & mask;
    state->waiting = (state->waiting + ballast_popcount64(state->waiting_turn)) & mask;
    state->xalu = (state->xalu + ballast_popcount64(state->xalu_turn)) & mask;
    state->xmem = (state->xmem + ballast_popcount64(state->xmem_turn)) & mask;
}

void eq_counters_step(eq_counters_state *state, const eq_counters_cfg *cfg,
                      const eq_counters_in *in, eq_counters_out *out)
{
    const uint32_t cycle = state->cycle;
    const bool epoch_end = in->enable && cycle == 1;

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
    if (!in->kernel_start && (state->active_turn | state->waiting_turn | state->xalu_turn | state->xmem_turn))
        add(state, cfg); /* of the same kernel, and in cycle 1 already of the new epoch */
    state->active_turn = state->waiting_turn = state->xalu_turn = state->xmem_turn = 0;
    if (in_sample(cfg, cycle))
        look(state, cfg, in);
    state->cycle = (cycle + 1) & (cfg->epoch - 1);
}
