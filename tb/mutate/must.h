/* SPDX-License-Identifier: Apache-2.0
 *
 * Without memory there is no campaign.
 */
#ifndef BALLAST_MUST_H
#define BALLAST_MUST_H

#include <stdio.h>
#include <stdlib.h>

static inline void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "mutate: out of memory\n");
        exit(2);
    }
    return memory;
}

#endif
