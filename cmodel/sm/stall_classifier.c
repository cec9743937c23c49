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
    *state = (stall_classifier_state){0};
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

void stall_classifier_step(stall_classifier_state *state, const stall_classifier_cfg *cfg,
                           const stall_classifier_in *in, stall_classifier_out *out)
{
    const warp_sets warps = sort_warps(cfg, in);
    const bool active = warps.issued != 0;
    const bool ready = !active && (warps.ready_alu | warps.ready_mem);
    const bool waiting = !active && (warps.wait_alu | warps.wait_mem);
    const bool mem_waits = waiting && memory_holds_back(cfg, warps.wait_mem, warps.wait_alu);
    const bool mem_blocks = ready && memory_holds_back(cfg, warps.ready_mem, warps.ready_alu);
    const bool scoreboard = waiting && (!ready || cfg->ps_prio == BALLAST_PS_PRIO_SCOREBOARD);

    (void)state;
    out->ps_class = active ? BALLAST_PS_ACTIVE : scoreboard ? BALLAST_PS_SCOREBOARD : ready ? BALLAST_PS_PIPELINE : BALLAST_PS_IDLE;
    out->ps_mem = scoreboard ? mem_waits : mem_blocks;
    out->lcs_class = active  ? BALLAST_LCS_ACTIVE
                     : ready ? BALLAST_LCS_CORE_STALL
                     : waiting ? (mem_waits ? BALLAST_LCS_MEM_STALL : BALLAST_LCS_CORE_STALL)
                               : BALLAST_LCS_IDLE;
}
