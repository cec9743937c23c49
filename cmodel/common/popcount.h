/* SPDX-License-Identifier: Apache-2.0
 *
 * Number of ones in a word, without relying on a CPU instruction: gcc's builtin turns into
 * a library call on a plain x86-64 target, which is slower than this.
 */
#ifndef BALLAST_POPCOUNT_H
#define BALLAST_POPCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline unsigned ballast_popcount64(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

#ifdef __cplusplus
}
#endif
#endif
