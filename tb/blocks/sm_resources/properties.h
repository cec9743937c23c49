/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of sm_resources' RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#include "common/popcount.h"

#define SM_RESOURCES_TAKEN (after->held & ~before->held)
#define SM_RESOURCES_GIVEN (before->held & ~after->held)

/* Only a return of more than the SM can hold, after needs that changed, may wrap. */
#define SM_RESOURCES_MOVES(what, most)                                                                                   \
    (after->what + (SM_RESOURCES_TAKEN ? in->what : 0) == before->what + (SM_RESOURCES_GIVEN ? in->what : 0) ||          \
     (SM_RESOURCES_GIVEN && !SM_RESOURCES_TAKEN && before->what + in->what > (int)cfg->most))

/* Pairs of slots: the other one, and those that run during the cycle. */
#define SM_RESOURCES_OTHER(set) (((set) & UINT32_C(0x55555555)) << 1 | ((set) >> 1 & UINT32_C(0x55555555)))
#define SM_RESOURCES_FINISHED (before->held & (before->returning | in->cta_done))
#define SM_RESOURCES_RUNS (before->held & ~SM_RESOURCES_FINISHED)

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "GWDE-2", "only a slot that is held can be on its way back", (after->returning & ~after->held) == 0)        \
    P(STATE, "GWDE-2", "as many slots are held as are counted", after->count == ballast_popcount64(after->held))         \
    P(EVERY, "GWDE-2", "no more is taken than is free",                                                                  \
      !out->fits || (in->warps <= before->warps && in->regs <= before->regs && in->smem <= before->smem &&               \
                     ballast_popcount64(before->held) < cfg->num_slots))                                                 \
    P(EVERY, "GWDE-2", "a launch takes the slot that it names, which was free, and no other",                            \
      in->take && out->fits ? SM_RESOURCES_TAKEN == UINT32_C(1) << out->slot : SM_RESOURCES_TAKEN == 0)                  \
    P(EVERY, "GWDE-2", "one slot returns at a time, and only one whose CTA has finished",                                \
      (SM_RESOURCES_GIVEN & (SM_RESOURCES_GIVEN - 1)) == 0 &&                                                            \
          (SM_RESOURCES_GIVEN & ~(before->returning | in->cta_done)) == 0) \
    P(EVERY, "BCS-3", "in pairs, no CTA returns while its partner runs",                                                 \
      !in->pair || (SM_RESOURCES_GIVEN & SM_RESOURCES_OTHER(SM_RESOURCES_RUNS)) == 0)                                    \
    P(EVERY, "BCS-3", "in pairs, no CTA returns while its partner is launched",                                          \
      !in->pair || !in->second || (SM_RESOURCES_GIVEN & SM_RESOURCES_OTHER(SM_RESOURCES_TAKEN)) == 0)                    \
    P(EVERY, "BCS-1", "in pairs, a CTA goes into an even slot beside nobody, or above the first one",                    \
      !in->pair || SM_RESOURCES_TAKEN == 0 ||                                                                            \
          (in->second ? SM_RESOURCES_TAKEN == UINT32_C(1) << (in->first | 1)                                             \
                      : (SM_RESOURCES_TAKEN & UINT32_C(0x55555555)) &&                                                   \
                            (SM_RESOURCES_OTHER(SM_RESOURCES_TAKEN) & before->held) == 0))                               \
    P(EVERY, "BCS-1", "a whole pair has room where it begins",                                                           \
      !in->pair || !in->whole || in->second || !out->fits ||                                                             \
          (2 * in->warps <= before->warps && 2 * in->regs <= before->regs && 2 * in->smem <= before->smem &&             \
           out->slot + 1u < cfg->num_slots))                                                                             \
    P(EVERY, "BCS-2", "without pairs, the lowest free slot is taken, and the lowest finished one returns",               \
      in->pair || (((SM_RESOURCES_TAKEN - (SM_RESOURCES_TAKEN != 0)) & ~before->held) == 0 &&                            \
                   SM_RESOURCES_GIVEN == (SM_RESOURCES_FINISHED & (~SM_RESOURCES_FINISHED + 1))))                        \
    P(EVERY, "GWDE-2", "a launch takes what a CTA needs, a return gives it back, and both leave what is free",           \
      SM_RESOURCES_MOVES(warps, num_warps) && SM_RESOURCES_MOVES(regs, reg_units) && SM_RESOURCES_MOVES(smem, smem_units))
