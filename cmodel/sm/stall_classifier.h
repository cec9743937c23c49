/* SPDX-License-Identifier: Apache-2.0
 *
 * stall_classifier: from the warp states of one cycle to the cycle's stall class,
 * in Perf-Sat's taxonomy (PS-2) and in that of LCS (LCS section 3).
 *
 * The block gives Perf-Sat's class in the cycle, and what takes a count of warps in the next one. Software that
 * wants all of a cycle at once calls stall_classifier_of. doc/blocks/stall_classifier.md has the rules;
 * rtl/sm/stall_classifier.sv is the twin.
 */
#ifndef BALLAST_STALL_CLASSIFIER_H
#define BALLAST_STALL_CLASSIFIER_H

#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which class wins when some warps are stalled on the scoreboard and others on a pipeline. */
enum { BALLAST_PS_PRIO_PIPELINE = 0, BALLAST_PS_PRIO_SCOREBOARD = 1 };
/* Whether a mixed stall is the memory's: as soon as one warp's is, or when most warps' are. */
enum { BALLAST_MIXED_TAG_ANY_MEM = 0, BALLAST_MIXED_TAG_MAJORITY = 1 };

typedef struct stall_classifier_cfg {
    uint32_t num_warps;  /* 1..64                                  */
    uint32_t ps_prio;    /* BALLAST_PS_PRIO_*, default BALLAST_PS_PRIO_PIPELINE */
    uint32_t mixed_tag;  /* BALLAST_MIXED_TAG_*, default BALLAST_MIXED_TAG_MAJORITY */
} stall_classifier_cfg;

typedef struct stall_classifier_in {
    uint64_t ws0, ws1, ws2, ws3; /* bit planes of the warp states */
    uint64_t paused;             /* paused warps do not count     */
} stall_classifier_in;

typedef struct stall_classifier_out {
    uint8_t ps_class;  /* of the cycle before, enum ballast_ps_class                       */
    uint8_t ps_mem;    /* of the cycle before: SCOREBOARD / PIPELINE: 1 memory, 0 ALU (PS-2); 0 in other classes */
    uint8_t lcs_class; /* of the cycle before that, enum ballast_lcs_class                 */
} stall_classifier_out;

enum { STALL_CLASSIFIER_MOST_GROUPS = 5 };

/* What the cycle before was: by groups of at most 15 warps, how many of the memory's the stall held up more than of the ALU's. And LCS'
 * class of the one before that. */
typedef struct stall_classifier_state {
    uint8_t active, waiting, ready;                 /* some warp issued, waited, was ready                        */
    uint8_t waits[STALL_CLASSIFIER_MOST_GROUPS];    /* warps + memory's - ALU's among the waiting, 0: not needed; */
    uint8_t readies[STALL_CLASSIFIER_MOST_GROUPS];  /* the same among the ready. MixedTag 0: there is one */
    uint8_t lcs_class;                              /* enum ballast_lcs_class                              */
} stall_classifier_state;

/* Groups of warps that have a sum, and warps of a group; the last one may have fewer. */
static inline unsigned stall_classifier_groups(const stall_classifier_cfg *cfg)
{
    return (cfg->num_warps + 14) / 15;
}

static inline unsigned stall_classifier_group(const stall_classifier_cfg *cfg)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): an SM has a warp */
    return (cfg->num_warps + stall_classifier_groups(cfg) - 1) / stall_classifier_groups(cfg);
}

stall_classifier_cfg stall_classifier_cfg_default(void);
void stall_classifier_reset(stall_classifier_state *state, const stall_classifier_cfg *cfg);
/* All that is said of one cycle, at once. */
stall_classifier_out stall_classifier_of(const stall_classifier_cfg *cfg, const stall_classifier_in *in);
/* Of the cycle that led to these registers: enum ballast_ps_class, enum ballast_lcs_class. */
uint8_t stall_classifier_ps_before(const stall_classifier_state *state, const stall_classifier_cfg *cfg);
uint8_t stall_classifier_lcs_before(const stall_classifier_state *state, const stall_classifier_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void stall_classifier_step(stall_classifier_state *state, const stall_classifier_cfg *cfg,
                           const stall_classifier_in *in, stall_classifier_out *out);

#ifdef __cplusplus
}
#endif
#endif
