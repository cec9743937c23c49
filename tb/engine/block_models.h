/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference models of all blocks, by name. The build makes the table (Makefile).
 */
#ifndef BALLAST_BLOCK_MODELS_H
#define BALLAST_BLOCK_MODELS_H

#include <string.h>

#include "engine/block.h"

extern const block_model *const block_models[]; /* NULL behind the last */

/* NULL: there is no such block. */
static inline const block_model *find_block_model(const char *block_name)
{
    for (const block_model *const *m = block_models; *m; m++)
        if (!strcmp((*m)->block_name, block_name))
            return *m;
    return NULL;
}

#endif
