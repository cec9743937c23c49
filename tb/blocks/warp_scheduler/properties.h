/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of warp_scheduler's RTL in every run (doc/verification/proofs.md).
 */
#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "LRR", "without enable everything holds", in->enable || (before->last == after->last && before->hold == after->hold && !out->pick))
