/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of chip_governor's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define PROPERTIES_ALONE

#include "blocks/chip_governor/passed.h"

#define BALLAST_CYCLE (&(chip_governor_cycle){before, after, in, out, cfg})

#define BALLAST_LEVEL_HOLDS(d)                                                                                           \
    ((d)->level <= BALLAST_VF_HIGH && (d)->next <= BALLAST_VF_HIGH && ((d)->timer != 0 || (d)->level == (d)->next) &&    \
     ((d)->level == (d)->next || (d)->level + 1 == (d)->next || (d)->next + 1 == (d)->level))
#define BALLAST_ONE_STEP(d)                                                                                              \
    (before->d.level == after->d.level ||                                                                                \
     (before->d.timer == 1 && (before->d.level + 1 == after->d.level || after->d.level + 1 == before->d.level)))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "EQ-13", "each domain: a transition is one step, and without one there is nothing to come",                 \
      BALLAST_LEVEL_HOLDS(&after->sm_domain) && BALLAST_LEVEL_HOLDS(&after->mem_domain))                                 \
    P(STATE, "EQ-A20", "the epochs of all SMs end together",                                                             \
      after->sm[0].counters.cycle == after->sm[cfg->num_sms - 1].counters.cycle)                                         \
    P(STEP, "EQ-14", "each domain: the level moves by one step, where a transition ends",                                \
      BALLAST_ONE_STEP(sm_domain) && BALLAST_ONE_STEP(mem_domain))                                                       \
    P(STEP, "EQ-12", "levels change only after an epoch's votes, or in a search",                                        \
      before->vote.valid || after->search || (after->sm_domain.timer <= before->sm_domain.timer &&                                        \
                             after->mem_domain.timer <= before->mem_domain.timer)) \
    P(STATE, "SCT-9", "the search has the kernels of SM 0 under its policy",                                           \
      after->search == (after->sm[0].policy == BALLAST_POLICY_SCOUT))                                                   \
    P(TEST, "SCT-9", "the search gets SM 0's instructions, its kernels under the policy scout and what is known of them",                     \
      chip_governor_scout_is(BALLAST_CYCLE))                                                                             \
    P(TEST, "VFS-8", "the search for levels gets SM 0's instructions, the domains' levels, and whether the limit is taken back or decided",  \
      chip_governor_levels_are(BALLAST_CYCLE))                                                                           \
    P(TEST, "LTB-1", "the table has the kernels of the search, their ids, and what the search says",                    \
      chip_governor_table_is(BALLAST_CYCLE))                                                                             \
    P(TEST, "LCS-6", "every governor gets its SM's fields, the chip's settings and what is searched; listeners get SM 0's T_new",          \
      chip_governor_sms_are(BALLAST_CYCLE))                                                                               \
    P(TEST, "EQ-12", "the vote gets each SM's action in its own place, where an epoch ends",                             \
      chip_governor_vote_is(BALLAST_CYCLE))                                                                               \
    P(TEST, "EQ-12", "the SM domain gets the mode and what the majority, or the search, asks of the SMs",                                \
      chip_governor_domain_is(BALLAST_CYCLE, false))                                                                      \
    P(TEST, "EQ-15", "the memory domain gets the mode and what the majority, or the search, asks of the memory",                         \
      chip_governor_domain_is(BALLAST_CYCLE, true))
