/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/stall_classifier.h"

#include <stdbool.h>

#include "common/popcount.h"

stall_classifier_cfg stall_classifier_cfg_default(void)
{
    return (stall_classifier_cfg){
        .num_warps = 48, .ps_prio = BALLAST_PS_PRIO_PIPELINE, .mixed_tag = BALLAST_MIXED_TAG_MAJORITY};
}

void stall_classifier_reset(stall_classifier_state *state, const stall_classifier_cfg *cfg)
{
    (void)cfg;
    *state = (stall_classifier_state){.lcs_class = BALLAST_LCS_IDLE};
}

/* Warps by what they do in this cycle, one bit per warp slot. Warps that are empty, at a
 * barrier or without an instruction are in none of the sets. */
typedef struct warp_sets {
    uint64_t issued;
    uint64_t wait_alu, wait_mem;
    uint64_t ready_alu, ready_mem;
} warp_sets;

/* The state code as a decision tree over its bits, most significant first. */
static warp_sets sort_warps(const stall_classifier_cfg *cfg, const stall_classifier_in *in)
{
    const uint64_t present = cfg->num_warps < 64 ? (UINT64_C(1) << cfg->num_warps) - 1 : ~UINT64_C(0);
    const uint64_t counted = present & ~in->paused;
    const uint64_t from8 = in->ws3 & counted;           /* codes 8..15 */
    const uint64_t from4 = ~in->ws3 & in->ws2 & counted; /* codes 4..7  */
    const uint64_t from0 = ~in->ws3 & ~in->ws2 & counted; /* codes 0..3  */
    const uint64_t eleven_at_most = from8 & ~in->ws2;    /* codes 8..11 */
    const uint64_t low3 = in->ws1 & in->ws0, low0 = ~(in->ws1 | in->ws0);
    const uint64_t four = from4 & low0, seven = from4 & low3;

    return (warp_sets){
        .issued = eleven_at_most & ~low0 & ~low3,
        .wait_alu = from0 & low3,
        .wait_mem = four,
        .ready_alu = from4 & ~four & ~seven,
        .ready_mem = seven | (eleven_at_most & low0),
    };
}

/* Whose stall is it when `mem` warps stall for the memory and `alu` warps for the ALUs? */
static bool memory_holds_back(const stall_classifier_cfg *cfg, uint64_t mem, uint64_t alu)
{
    if (!mem || !alu || cfg->mixed_tag == BALLAST_MIXED_TAG_ANY_MEM)
        return mem != 0;
    return ballast_popcount64(mem) > ballast_popcount64(alu);
}

/* What a cycle is, as far as its warps' counts are not asked for. */
typedef struct cycle {
    warp_sets warps;
    bool active, ready, waiting; /* some warp issued; of a cycle without that: some was ready, some waited */
    bool scoreboard;             /* its stall is one of those that wait                                    */
} cycle;

static inline cycle look_at(const stall_classifier_cfg *cfg, const stall_classifier_in *in)
{
    cycle c = {.warps = sort_warps(cfg, in)};

    c.active = c.warps.issued != 0;
    c.ready = !c.active && (c.warps.ready_alu | c.warps.ready_mem);
    c.waiting = !c.active && (c.warps.wait_alu | c.warps.wait_mem);
    c.scoreboard = c.waiting && (!c.ready || cfg->ps_prio == BALLAST_PS_PRIO_SCOREBOARD);
    return c;
}

stall_classifier_out stall_classifier_of(const stall_classifier_cfg *cfg, const stall_classifier_in *in)
{
    const cycle c = look_at(cfg, in);
    const bool mem_waits = c.waiting && memory_holds_back(cfg, c.warps.wait_mem, c.warps.wait_alu);
    const bool mem_blocks = c.ready && memory_holds_back(cfg, c.warps.ready_mem, c.warps.ready_alu);

    return (stall_classifier_out){
        .ps_class = c.active ? BALLAST_PS_ACTIVE : c.scoreboard ? BALLAST_PS_SCOREBOARD : c.ready ? BALLAST_PS_PIPELINE : BALLAST_PS_IDLE,
        .ps_mem = c.scoreboard ? mem_waits : mem_blocks,
        .lcs_class = c.active  ? BALLAST_LCS_ACTIVE
                     : c.ready ? BALLAST_LCS_CORE_STALL
                     : c.waiting ? (mem_waits ? BALLAST_LCS_MEM_STALL : BALLAST_LCS_CORE_STALL)
                                 : BALLAST_LCS_IDLE,
    };
}

/* ---- the block ---------------------------------------------------------------------- */

/* In a group: the memory's warps, and those that are not the ALUs', counted at once. Parameters do not change under a store. */
static void sum_groups(const stall_classifier_cfg *cfg, uint8_t *sums, uint64_t mem, uint64_t alu)
{
    const unsigned groups = stall_classifier_groups(cfg), width = stall_classifier_group(cfg);
    const bool any = cfg->mixed_tag == BALLAST_MIXED_TAG_ANY_MEM;

    for (unsigned g = 0, left = cfg->num_warps; g < groups; g++, left -= width) {
        const uint64_t group = (UINT64_C(1) << (left < width ? left : width)) - 1;

        sums[g] = any ? (mem & group) != 0 : (uint8_t)ballast_popcount64((mem & group) | (~alu & group) << 32);
        mem >>= width;
        alu >>= width;
    }
}

/* The next power of two above a number of warps. */
static unsigned power_above(unsigned warps)
{
    warps |= warps >> 1;
    warps |= warps >> 2;
    return (warps | warps >> 4) + 1;
}

/* All sums together are above the number of warps. Sums of no warps, of registers that no run reaches, wrap at twice the power. */
static bool memory_has_more(const stall_classifier_cfg *cfg, const uint8_t *sums)
{
    const unsigned groups = stall_classifier_groups(cfg), above = power_above(cfg->num_warps);
    unsigned total = above - 1 - cfg->num_warps, some = 0;

    for (unsigned g = 0; g < groups; g++) {
        total += sums[g];
        some |= sums[g];
    }
    return cfg->mixed_tag == BALLAST_MIXED_TAG_ANY_MEM ? some : total & above;
}

uint8_t stall_classifier_ps_before(const stall_classifier_state *state, const stall_classifier_cfg *cfg)
{
    if (state->active)
        return BALLAST_PS_ACTIVE;
    if (state->waiting && state->ready)
        return cfg->ps_prio == BALLAST_PS_PRIO_SCOREBOARD ? BALLAST_PS_SCOREBOARD : BALLAST_PS_PIPELINE;
    return state->waiting ? BALLAST_PS_SCOREBOARD : state->ready ? BALLAST_PS_PIPELINE : BALLAST_PS_IDLE;
}

static uint8_t lcs_class(const stall_classifier_state *state, bool memory_waits)
{
    if (state->active)
        return BALLAST_LCS_ACTIVE;
    if (state->ready)
        return BALLAST_LCS_CORE_STALL;
    if (memory_waits)
        return BALLAST_LCS_MEM_STALL;
    return state->waiting ? BALLAST_LCS_CORE_STALL : BALLAST_LCS_IDLE;
}

uint8_t stall_classifier_lcs_before(const stall_classifier_state *state, const stall_classifier_cfg *cfg)
{
    return lcs_class(state, memory_has_more(cfg, state->waits));
}

void stall_classifier_step(stall_classifier_state *state, const stall_classifier_cfg *cfg,
                           const stall_classifier_in *in, stall_classifier_out *out)
{
    const cycle c = look_at(cfg, in);
    const bool memory_waits = memory_has_more(cfg, state->waits);

    out->ps_class = stall_classifier_ps_before(state, cfg);
    out->ps_mem = memory_waits || memory_has_more(cfg, state->readies);
    out->lcs_class = state->lcs_class;
    *state = (stall_classifier_state){
        .lcs_class = lcs_class(state, memory_waits),
        .active = c.active,
        .waiting = (c.warps.wait_alu | c.warps.wait_mem) != 0,
        .ready = (c.warps.ready_alu | c.warps.ready_mem) != 0,
    };
    if (c.scoreboard)
        sum_groups(cfg, state->waits, c.warps.wait_mem, c.warps.wait_alu);
    else if (c.ready)
        sum_groups(cfg, state->readies, c.warps.ready_mem, c.warps.ready_alu);
}
