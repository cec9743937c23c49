/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of stall_classifier's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
static inline uint64_t stall_classifier_in_state(const stall_classifier_in *in, const stall_classifier_cfg *cfg, unsigned code)
{
    const uint64_t slots = cfg->num_warps < 64 ? (UINT64_C(1) << cfg->num_warps) - 1 : UINT64_MAX;

    return (code & 1 ? in->ws0 : ~in->ws0) & (code & 2 ? in->ws1 : ~in->ws1) & (code & 4 ? in->ws2 : ~in->ws2) &
           (code & 8 ? in->ws3 : ~in->ws3) & ~in->paused & slots;
}

/* How many more warps in `these` than in `those`, which share none: warp by warp. */
static inline int stall_classifier_more(uint64_t these, uint64_t those)
{
    int more = 0;

    for (unsigned w = 0; w < 64; w++)
        more += (int)(these >> w & 1) - (int)(those >> w & 1);
    return more;
}

#define STALL_IN(code) stall_classifier_in_state(in, cfg, code)
#define STALL_ISSUED (STALL_IN(BALLAST_WARP_ISSUED_ALU) | STALL_IN(BALLAST_WARP_ISSUED_MEM))
#define STALL_READY_ALU (STALL_IN(BALLAST_WARP_ALU_LOST) | STALL_IN(BALLAST_WARP_ALU_BLOCKED))
#define STALL_READY_MEM (STALL_IN(BALLAST_WARP_MEM_LOST) | STALL_IN(BALLAST_WARP_MEM_BLOCKED))
#define STALL_READY (STALL_READY_ALU | STALL_READY_MEM)
#define STALL_WAITING (STALL_IN(BALLAST_WARP_WAIT_ALU) | STALL_IN(BALLAST_WARP_WAIT_MEM))
/* PS-2: whose a mixed stall is. A tie is the ALU's. */
#define STALL_MEMORYS(mem, alu) (cfg->mixed_tag == BALLAST_MIXED_TAG_ANY_MEM ? (mem) != 0 : stall_classifier_more(mem, alu) > 0)
#define STALL_WAITS_FOR_MEMORY STALL_MEMORYS(STALL_IN(BALLAST_WARP_WAIT_MEM), STALL_IN(BALLAST_WARP_WAIT_ALU))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "PS-2", "a cycle is the memory's only if it is a stall of Perf-Sat's",                                      \
      !out->ps_mem || out->ps_class == BALLAST_PS_SCOREBOARD || out->ps_class == BALLAST_PS_PIPELINE) \
    P(EVERY, "PS-2", "ACTIVE: a warp that is not paused issues, and only then",                                          \
      (out->ps_class == BALLAST_PS_ACTIVE) == (STALL_ISSUED != 0))                                                       \
    P(EVERY, "PS-2", "IDLE: no warp issues, is ready or waits, and only then",                                           \
      (out->ps_class == BALLAST_PS_IDLE) == ((STALL_ISSUED | STALL_READY | STALL_WAITING) == 0))                         \
    P(EVERY, "PS-2", "PIPELINE: none issues, one is ready, and that comes before waiting, or none waits",                \
      (out->ps_class == BALLAST_PS_PIPELINE) ==                                                                          \
          (!STALL_ISSUED && STALL_READY && (cfg->ps_prio == BALLAST_PS_PRIO_PIPELINE || !STALL_WAITING)))                \
    P(EVERY, "PS-2", "SCOREBOARD: none issues, one waits, and that comes before ready, or none is ready",                \
      (out->ps_class == BALLAST_PS_SCOREBOARD) ==                                                                        \
          (!STALL_ISSUED && STALL_WAITING && (cfg->ps_prio == BALLAST_PS_PRIO_SCOREBOARD || !STALL_READY)))              \
    P(EVERY, "PS-2", "SCOREBOARD is the memory's if more warps wait for it than for the ALU",                            \
      out->ps_class != BALLAST_PS_SCOREBOARD || out->ps_mem == STALL_WAITS_FOR_MEMORY)                                   \
    P(EVERY, "PS-2", "PIPELINE is the memory's if more warps are ready for it than for the ALU",                         \
      out->ps_class != BALLAST_PS_PIPELINE || out->ps_mem == STALL_MEMORYS(STALL_READY_MEM, STALL_READY_ALU))            \
    P(EVERY, "LCS-E", "ACTIVE: a warp issues, and only then", (out->lcs_class == BALLAST_LCS_ACTIVE) == (STALL_ISSUED != 0)) \
    P(EVERY, "LCS-E", "IDLE: no warp issues, is ready or waits, and only then",                                          \
      (out->lcs_class == BALLAST_LCS_IDLE) == ((STALL_ISSUED | STALL_READY | STALL_WAITING) == 0))                       \
    P(EVERY, "LCS-E", "MEM_STALL: none issues or is ready, and more warps wait for the memory than for the ALU",         \
      (out->lcs_class == BALLAST_LCS_MEM_STALL) == (!STALL_ISSUED && !STALL_READY && STALL_WAITING && STALL_WAITS_FOR_MEMORY))
