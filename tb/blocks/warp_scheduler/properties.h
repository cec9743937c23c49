/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of warp_scheduler's RTL in every run (doc/verification/proofs.md).
 */
#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "PAUSE-2", "without enable nothing is picked and the last pick stays",                                      \
      in->enable || (!out->pick && before->last == after->last && before->hold == after->hold))                          \
    P(EVERY, "GTO-1", "the last pick changes with a pick only", out->pick || before->last == after->last)                \
    P(STATE, "LRR", "the last pick is a warp of this scheduler", after->last < cfg->num_warps)
