/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of eq_decision's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "EQ-7", "never one CTA more and one less at once", !(out->inc && out->dec))                                 \
    P(EVERY, "EQ-9", "never CompAction and MemAction at once", !(out->comp && out->mem))                                 \
    P(EVERY, "EQ-8", "one CTA less only where X_mem says definitely memory, and then with MemAction",                    \
      out->dec == (out->branch == EQ_DEFINITELY_MEM) && (!out->dec || out->mem))                                         \
    P(EVERY, "EQ-8", "one CTA more only where warps wait",                                                               \
      out->inc == (out->branch == EQ_WAIT_COMP || out->branch == EQ_WAIT_MEM))                                           \
    P(EVERY, "EQ-7", "the branch is one of Algorithm 1", out->branch < EQ_BRANCHES)
