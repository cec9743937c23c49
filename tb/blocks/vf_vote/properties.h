/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of vf_vote's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "EQ-12", "no more votes than SMs", after->comp_count + after->mem_count <= cfg->num_sms)                    \
    P(STATE, "EQ-12", "no group has more votes than SMs, or a vote without an epoch", vf_vote_groups_legal(after, cfg))  \
    P(STEP, "EQ-12", "never up and down at once", !(out->sm_up && out->sm_down) && !(out->mem_up && out->mem_down))      \
    P(EVERY, "EQ-12", "no request without an epoch's votes",                                                             \
      out->valid || !(out->sm_up || out->sm_down || out->mem_up || out->mem_down))
