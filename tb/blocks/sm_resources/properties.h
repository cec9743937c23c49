/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of sm_resources' RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#include "blocks/sm_resources/sound.h"

#define SM_RESOURCES_TAKEN (after->held & ~before->held)
#define SM_RESOURCES_GIVEN (before->held & ~after->held)

/* Pairs of slots: the other one, and those that run during the cycle. */
#define SM_RESOURCES_OTHER(set) (((set) & UINT32_C(0x55555555)) << 1 | ((set) >> 1 & UINT32_C(0x55555555)))
#define SM_RESOURCES_FINISHED (before->held & (before->returning | in->cta_done))
#define SM_RESOURCES_RUNS (before->held & ~SM_RESOURCES_FINISHED)

/* The lowest slot of a set that is not empty. */
#define SM_RESOURCES_LOWEST(set) ((set) & (~(set) + 1))

/* What the launch of a cycle takes. */
static inline uint32_t sm_resources_of_launch(const sm_resources_state *s, const sm_resources_in *in)
{
    if (s->second)
        return UINT32_C(2) << s->slot;
    return s->ready && in->take ? UINT32_C(1) << s->slot : 0;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "GWDE-2", "only a slot that is held can be on its way back", sm_resources_returning_held(after))            \
    P(STATE, "GWDE-2", "as many slots are held as are counted", sm_resources_counted(after))                             \
    P(STATE, "GWDE-2", "the place of a CTA that may come is free", sm_resources_place_free(after, cfg))                  \
    P(STATE, "BCS-1", "so are both of a pair that may come", sm_resources_pair_free(after, cfg))                         \
    P(STATE, "BCS-1", "the second CTA of a pair has the slot above the first one, and nothing else comes before it",     \
      sm_resources_second_free(after, cfg))                                                                              \
    P(EVERY, "GWDE-2", "a CTA may come only where it may, and where it has room, whole, with what comes in the cycle",   \
      !after->ready || (in->may && !in->clear && SM_RESOURCES_TAKEN == 0 && before->count + 1u + after->whole <= in->most)) \
    P(STEP, "GWDE-2", "a launch takes the slot that it names, which was free, and no other",                             \
      SM_RESOURCES_TAKEN == sm_resources_of_launch(before, in))                                                          \
    P(EVERY, "GWDE-2", "one slot returns at a time, and only one whose CTA has finished",                                \
      (SM_RESOURCES_GIVEN & (SM_RESOURCES_GIVEN - 1)) == 0 &&                                                            \
          (SM_RESOURCES_GIVEN & ~(before->returning | in->cta_done)) == 0)                                               \
    P(EVERY, "BCS-3", "in pairs, no CTA returns while its partner runs",                                                 \
      !before->pair || (SM_RESOURCES_GIVEN & SM_RESOURCES_OTHER(SM_RESOURCES_RUNS)) == 0)                                \
    P(EVERY, "BCS-3", "in pairs, no CTA returns while its partner is launched",                                          \
      !before->pair || !before->second || (SM_RESOURCES_GIVEN & SM_RESOURCES_OTHER(SM_RESOURCES_TAKEN)) == 0)            \
    P(EVERY, "BCS-1", "in pairs, what may come has an even slot beside nobody",                                          \
      !in->pair || !after->ready || (after->slot % 2 == 0 && (before->held >> after->slot & 3) == 0))                    \
    P(EVERY, "BCS-2", "without pairs, it is the lowest free slot",                                                       \
      in->pair || !after->ready || SM_RESOURCES_LOWEST(~before->held) == UINT32_C(1) << after->slot)                     \
    P(STEP, "BCS-2", "without pairs, the lowest finished one returns",                                                   \
      before->pair || SM_RESOURCES_GIVEN == SM_RESOURCES_LOWEST(SM_RESOURCES_FINISHED))                                  \
    P(EVERY, "BCS-1", "the second CTA comes after the first one of a pair, and only then",                               \
      after->second == (before->ready && in->take && before->whole))
