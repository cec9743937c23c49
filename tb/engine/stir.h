/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs that software sets, changed at random moments to random values: for random runs. A block that sees nothing of the
 * bus has no others, and its change often. A block with blocks/BLOCK/draw.h says itself how they change.
 */
#ifndef BALLAST_STIR_H
#define BALLAST_STIR_H

#include "engine/lockstep.h"

/* Before a cycle; takes ls->stir on. */
void stir_settings(lockstep *ls);

#endif
