/* SPDX-License-Identifier: Apache-2.0
 *
 * What stall_classifier's rules remember of a run, from its inputs alone (rules/rules.h): what the warps did in the cycle before, counted
 * by groups of neighbours, and what LCS hears of the one before that.
 */
#ifndef BALLAST_STALL_CLASSIFIER_HISTORY_H
#define BALLAST_STALL_CLASSIFIER_HISTORY_H

#include "blocks/stall_classifier/warps.h"

typedef struct stall_classifier_history {
    uint8_t issued, waited, was_ready; /* some warp that is not paused */
    uint8_t wait_mem[STALL_CLASSIFIER_MOST_GROUPS], wait_alu[STALL_CLASSIFIER_MOST_GROUPS]; /* how many, by group */
    uint8_t ready_mem[STALL_CLASSIFIER_MOST_GROUPS], ready_alu[STALL_CLASSIFIER_MOST_GROUPS];
    uint8_t lcs_class; /* of the cycle before that */
} stall_classifier_history;

static inline void stall_classifier_history_reset(stall_classifier_history *h, const stall_classifier_cfg *cfg)
{
    (void)cfg;
    *h = (stall_classifier_history){.lcs_class = BALLAST_LCS_IDLE};
}

static inline unsigned stall_classifier_here(const stall_classifier_cfg *cfg, unsigned g)
{
    const unsigned width = stall_classifier_group(cfg), left = cfg->num_warps - g * width;

    return left < width ? left : width;
}

static inline void stall_classifier_count(const stall_classifier_cfg *cfg, uint8_t *counts, uint64_t set)
{
    const unsigned width = stall_classifier_group(cfg);

    for (unsigned g = 0; g < STALL_CLASSIFIER_MOST_GROUPS; g++)
        counts[g] = 0;
    for (unsigned w = 0; w < cfg->num_warps; w++)
        counts[w / width] = (uint8_t)(counts[w / width] + (set >> w & 1));
}

/* ---- the class of the cycle before ------------------------------------------------------- */

static inline bool stall_classifier_scoreboard(const stall_classifier_history *h, const stall_classifier_cfg *cfg)
{
    return !h->issued && h->waited && (cfg->ps_prio == BALLAST_PS_PRIO_SCOREBOARD || !h->was_ready);
}

static inline bool stall_classifier_pipeline(const stall_classifier_history *h, const stall_classifier_cfg *cfg)
{
    return !h->issued && h->was_ready && (cfg->ps_prio == BALLAST_PS_PRIO_PIPELINE || !h->waited);
}

/* PS-2: whose a mixed stall is. A tie is the ALU's. */
static inline bool stall_classifier_memorys(const stall_classifier_cfg *cfg, const uint8_t *mem, const uint8_t *alu)
{
    unsigned mems = 0, alus = 0;

    for (unsigned g = 0; g < stall_classifier_groups(cfg); g++) {
        mems += mem[g];
        alus += alu[g];
    }
    return cfg->mixed_tag == BALLAST_MIXED_TAG_ANY_MEM ? mems != 0 : mems > alus;
}

/* LCS section 3: the memory holds it back if no warp issues or is ready, and most that wait wait for the memory. */
static inline uint8_t stall_classifier_of_lcs(const stall_classifier_history *h, const stall_classifier_cfg *cfg)
{
    if (h->issued)
        return BALLAST_LCS_ACTIVE;
    if (!h->was_ready && h->waited && stall_classifier_memorys(cfg, h->wait_mem, h->wait_alu))
        return BALLAST_LCS_MEM_STALL;
    return h->was_ready || h->waited ? BALLAST_LCS_CORE_STALL : BALLAST_LCS_IDLE;
}

/* ---- a cycle --------------------------------------------------------------------------- */

static inline void stall_classifier_remember(stall_classifier_history *h, const stall_classifier_cfg *cfg, const stall_classifier_in *in,
                                             const stall_classifier_out *out)
{
    (void)out;
    h->lcs_class = stall_classifier_of_lcs(h, cfg);
    h->issued = STALL_ISSUED != 0;
    h->waited = STALL_WAITING != 0;
    h->was_ready = STALL_READY != 0;
    stall_classifier_count(cfg, h->wait_mem, STALL_IN(BALLAST_WARP_WAIT_MEM));
    stall_classifier_count(cfg, h->wait_alu, STALL_IN(BALLAST_WARP_WAIT_ALU));
    stall_classifier_count(cfg, h->ready_mem, STALL_READY_MEM);
    stall_classifier_count(cfg, h->ready_alu, STALL_READY_ALU);
}

/* ---- for the induction ------------------------------------------------------------------- */

static inline bool stall_classifier_sum_is(const stall_classifier_cfg *cfg, unsigned sum, bool needed, unsigned here, unsigned mem, unsigned alu)
{
    if (mem + alu > here)
        return false;
    if (!needed)
        return sum == 0;
    return cfg->mixed_tag == BALLAST_MIXED_TAG_ANY_MEM ? sum == (mem != 0) : sum == here + mem - alu;
}

static inline bool stall_classifier_coupled(const stall_classifier_history *h, const stall_classifier_state *s, const stall_classifier_cfg *cfg)
{
    const bool waits = stall_classifier_scoreboard(h, cfg), readies = stall_classifier_pipeline(h, cfg);
    bool same = s->active == h->issued && s->waiting == h->waited && s->ready == h->was_ready && s->lcs_class == h->lcs_class;

    for (unsigned g = 0; g < stall_classifier_groups(cfg); g++) {
        const unsigned here = stall_classifier_here(cfg, g);

        same &= stall_classifier_sum_is(cfg, s->waits[g], waits, here, h->wait_mem[g], h->wait_alu[g]) &&
                stall_classifier_sum_is(cfg, s->readies[g], readies, here, h->ready_mem[g], h->ready_alu[g]);
    }
    return same;
}

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "PS-2", "a stall of the cycle before is the memory's if it held up more warps of the memory than of the ALU",  \
      out->ps_mem == (stall_classifier_scoreboard(was, cfg) ? stall_classifier_memorys(cfg, was->wait_mem, was->wait_alu) \
                                                            : stall_classifier_pipeline(was, cfg) &&                     \
                                                                  stall_classifier_memorys(cfg, was->ready_mem, was->ready_alu))) \
    H(RUN, "PS-2", "ACTIVE: in the cycle before a warp that is not paused issued, and only then",                        \
      (out->ps_class == BALLAST_PS_ACTIVE) == was->issued)                                                               \
    H(RUN, "PS-2", "IDLE: in the cycle before no warp issued, was ready or waited, and only then",                       \
      (out->ps_class == BALLAST_PS_IDLE) == !(was->issued || was->was_ready || was->waited))                             \
    H(RUN, "PS-2", "PIPELINE: in the cycle before none issued, one was ready, and that comes before waiting, or none waited", \
      (out->ps_class == BALLAST_PS_PIPELINE) == stall_classifier_pipeline(was, cfg))                                     \
    H(RUN, "PS-2", "SCOREBOARD: in the cycle before none issued, one waited, and that comes before ready, or none was ready", \
      (out->ps_class == BALLAST_PS_SCOREBOARD) == stall_classifier_scoreboard(was, cfg))                                 \
    H(RUN, "LCS-E", "ACTIVE: two cycles before a warp issued, and only then",                                            \
      (out->lcs_class == BALLAST_LCS_ACTIVE) == (was->lcs_class == BALLAST_LCS_ACTIVE))                                  \
    H(RUN, "LCS-E", "IDLE: two cycles before no warp issued, was ready or waited, and only then",                        \
      (out->lcs_class == BALLAST_LCS_IDLE) == (was->lcs_class == BALLAST_LCS_IDLE))                                      \
    H(RUN, "LCS-E", "MEM_STALL: two cycles before none issued or was ready, and more warps waited for the memory than for the ALU", \
      (out->lcs_class == BALLAST_LCS_MEM_STALL) == (was->lcs_class == BALLAST_LCS_MEM_STALL))

#endif
