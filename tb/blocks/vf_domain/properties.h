/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of vf_domain's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define VF_AT_MOST_ONE_STEP(a, b) ((a) == (b) || (a) + 1 == (b) || (b) + 1 == (a))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "EQ-13", "a code that is no level is left in the next cycle", after->level <= BALLAST_VF_HIGH && after->next <= BALLAST_VF_HIGH) \
    P(STATE, "EQ-13", "a transition is one step, and without one there is nothing to come",                              \
      VF_AT_MOST_ONE_STEP(after->level, after->next) && (after->timer != 0 || after->level == after->next) &&            \
          after->level <= BALLAST_VF_HIGH && after->next <= BALLAST_VF_HIGH && after->timer <= cfg->transition)          \
    P(STEP, "EQ-13", "the level moves one step at a time", VF_AT_MOST_ONE_STEP(before->level, after->level))             \
    P(STEP, "EQ-14", "the level moves only where a transition ends",                                                     \
      before->level == after->level || (before->timer == 1 && after->timer == 0 && after->level == before->next))        \
    P(STEP, "EQ-14", "during a transition no other begins",                                                              \
      before->timer == 0 || (after->timer == before->timer - 1 && after->next == before->next))                          \
    P(EVERY, "EQ-9", "never up and down at once",                                                                        \
      !(out->comp_up && out->comp_down) && !(out->mem_up && out->mem_down))
