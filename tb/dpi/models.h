/* SPDX-License-Identifier: Apache-2.0
 *
 * The models of all blocks. The table is made by dpi.mk.
 */
#ifndef BALLAST_DPI_MODELS_H
#define BALLAST_DPI_MODELS_H

#include "engine/block.h"

/* NULL-terminated. */
extern const block_model *const reference_models[];

#endif
