/* SPDX-License-Identifier: Apache-2.0
 *
 * What a block's contract says of its inputs: any value of their width in any cycle, but for the ranges of its
 * port list (BLOCK_RANGES), which hold where an input is read. For stimuli that draw inputs freely, in each cycle
 * before its step.
 */
#ifndef BALLAST_ENGINE_RANGES_H
#define BALLAST_ENGINE_RANGES_H

#include "engine/block.h"

/* Inputs that are read and too large become others that are not. All inputs of the cycle must be there. */
void ranges_keep(const block_model *model, const void *cfg, const port_list *ports, void *in);
/* Inputs with a range that are not read become anything; takes `seed` on. */
void ranges_stir(const block_model *model, const void *cfg, const port_list *ports, void *in, uint64_t *seed);

#endif
