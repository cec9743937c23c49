/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/block.h"

const block *block_find(const char *name)
{
    for (const block *const *b = block_registry; *b; b++)
        if (!strcmp((*b)->name, name))
            return *b;
    return NULL;
}
