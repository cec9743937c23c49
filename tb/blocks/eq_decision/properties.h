/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of eq_decision's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
/* Algorithm 1, line by line. EQ-A2: a sum of samples is compared with a number of warps in each sample, or as an average that is
 * rounded down, or as it is. */
#define EQ_DECISION_AVERAGE(sum) (cfg->avg_mode == BALLAST_EQ_AVG_TRUNC ? (uint64_t)(sum) / cfg->samples : (uint64_t)(sum))
#define EQ_DECISION_ABOVE(sum, warps) \
    (EQ_DECISION_AVERAGE(sum) > (uint64_t)(warps) * (cfg->avg_mode == BALLAST_EQ_AVG_EXACT_SUM ? cfg->samples : 1))
#define EQ_DECISION_L7 EQ_DECISION_ABOVE(in->xmem, in->wcta)
#define EQ_DECISION_L10 (!EQ_DECISION_L7 && EQ_DECISION_ABOVE(in->xalu, in->wcta))
#define EQ_DECISION_L12 (!EQ_DECISION_L7 && !EQ_DECISION_L10 && EQ_DECISION_ABOVE(in->xmem, 2))
#define EQ_DECISION_BEYOND_12 (!EQ_DECISION_L7 && !EQ_DECISION_L10 && !EQ_DECISION_L12)
#define EQ_DECISION_WAITS (2 * EQ_DECISION_AVERAGE(in->waiting) > EQ_DECISION_AVERAGE(in->active))
#define EQ_DECISION_MORE_ALU (EQ_DECISION_AVERAGE(in->xalu) > EQ_DECISION_AVERAGE(in->xmem))
#define EQ_DECISION_L14 (EQ_DECISION_BEYOND_12 && EQ_DECISION_WAITS)
#define EQ_DECISION_L21 (EQ_DECISION_BEYOND_12 && !EQ_DECISION_WAITS && EQ_DECISION_AVERAGE(in->active) == 0)
#define EQ_DECISION_NONE (EQ_DECISION_BEYOND_12 && !EQ_DECISION_WAITS && EQ_DECISION_AVERAGE(in->active) != 0)
#define EQ_DECISION_IS(code, inc_, dec_, comp_, mem_)                                                                    \
    (out->branch == (code) && out->inc == (inc_) && out->dec == (dec_) && out->comp == (comp_) && out->mem == (mem_))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "EQ-7", "never one CTA more and one less at once", !(out->inc && out->dec))                                 \
    P(EVERY, "EQ-9", "never CompAction and MemAction at once", !(out->comp && out->mem))                                 \
    P(EVERY, "EQ-8", "one CTA less only where X_mem says definitely memory, and then with MemAction",                    \
      out->dec == (out->branch == BALLAST_EQ_DEFINITELY_MEM) && (!out->dec || out->mem))                                 \
    P(EVERY, "EQ-8", "one CTA more only where warps wait",                                                               \
      out->inc == (out->branch == BALLAST_EQ_WAIT_COMP || out->branch == BALLAST_EQ_WAIT_MEM))                           \
    P(EVERY, "EQ-7", "the branch is one of Algorithm 1", out->branch < BALLAST_EQ_BRANCHES) \
    P(EVERY, "EQ-7", "line 7: X_mem above Wcta, not equal to it: one CTA less and MemAction, before all else",           \
      !EQ_DECISION_L7 || EQ_DECISION_IS(BALLAST_EQ_DEFINITELY_MEM, 0, 1, 0, 1))                                          \
    P(EVERY, "EQ-7", "line 10: else X_alu above Wcta, not equal to it: CompAction",                                      \
      !EQ_DECISION_L10 || EQ_DECISION_IS(BALLAST_EQ_DEFINITELY_COMP, 0, 0, 1, 0))                                        \
    P(EVERY, "EQ-8", "line 12: else X_mem above two warps, not equal to it: MemAction",                                  \
      !EQ_DECISION_L12 || EQ_DECISION_IS(BALLAST_EQ_LIKELY_MEM, 0, 0, 0, 1))                                             \
    P(EVERY, "EQ-7", "line 14: else more than half of the active warps wait, and X_alu is above X_mem: one CTA more, CompAction", \
      !(EQ_DECISION_L14 && EQ_DECISION_MORE_ALU) || EQ_DECISION_IS(BALLAST_EQ_WAIT_COMP, 1, 0, 1, 0))                    \
    P(EVERY, "EQ-7", "line 14: else more than half of the active warps wait, X_alu at most X_mem: one CTA more, MemAction", \
      !(EQ_DECISION_L14 && !EQ_DECISION_MORE_ALU) || EQ_DECISION_IS(BALLAST_EQ_WAIT_MEM, 1, 0, 0, 1))                    \
    P(EVERY, "EQ-16", "line 21: else no warp is active: CompAction", !EQ_DECISION_L21 || EQ_DECISION_IS(BALLAST_EQ_IDLE, 0, 0, 1, 0)) \
    P(EVERY, "EQ-7", "else nothing changes", !EQ_DECISION_NONE || EQ_DECISION_IS(BALLAST_EQ_NONE, 0, 0, 0, 0))
