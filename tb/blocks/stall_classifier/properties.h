/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of stall_classifier's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "PS-2", "a cycle is the memory's only if it is a stall of Perf-Sat's",                                      \
      !out->ps_mem || out->ps_class == PS_SCOREBOARD || out->ps_class == PS_PIPELINE)
