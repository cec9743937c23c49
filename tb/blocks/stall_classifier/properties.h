/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of stall_classifier's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#include "blocks/stall_classifier/warps.h"

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "PS-2", "ACTIVE: a warp that is not paused issues, and only then",                                          \
      (out->ps_class == BALLAST_PS_ACTIVE) == (STALL_ISSUED != 0))                                                       \
    P(EVERY, "PS-2", "IDLE: no warp issues, is ready or waits, and only then",                                           \
      (out->ps_class == BALLAST_PS_IDLE) == ((STALL_ISSUED | STALL_READY | STALL_WAITING) == 0))                         \
    P(EVERY, "PS-2", "PIPELINE: none issues, one is ready, and that comes before waiting, or none waits",                \
      (out->ps_class == BALLAST_PS_PIPELINE) ==                                                                          \
          (!STALL_ISSUED && STALL_READY && (cfg->ps_prio == BALLAST_PS_PRIO_PIPELINE || !STALL_WAITING)))                \
    P(EVERY, "PS-2", "SCOREBOARD: none issues, one waits, and that comes before ready, or none is ready",                \
      (out->ps_class == BALLAST_PS_SCOREBOARD) ==                                                                        \
          (!STALL_ISSUED && STALL_WAITING && (cfg->ps_prio == BALLAST_PS_PRIO_SCOREBOARD || !STALL_READY)))
