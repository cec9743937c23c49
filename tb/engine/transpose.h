/* SPDX-License-Identifier: Apache-2.0
 *
 * From words of patterns to patterns of bits and back.
 */
#ifndef BALLAST_TRANSPOSE_H
#define BALLAST_TRANSPOSE_H

#include <stdint.h>

/* Bit c of word r becomes bit r of word c. */
static inline void transpose(uint64_t words[64])
{
    uint64_t mask = UINT64_C(0x00000000FFFFFFFF);

    for (unsigned step = 32; step; step >>= 1, mask ^= mask << step) {
        for (unsigned r = 0; r < 64; r = (r + step + 1) & ~step) {
            const uint64_t swap = ((words[r] >> step) ^ words[r + step]) & mask;

            words[r] ^= swap << step;
            words[r + step] ^= swap;
        }
    }
}

#endif
