/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranges of a block's port list (BLOCK_RANGES in shim/ports.h) as functions: all that is assumed of inputs.
 * The including file has included the list and shim/ports.h. Proofs and stimuli both take what they assume from here.
 */
#ifndef BALLAST_RANGES_H
#define BALLAST_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#define RANGE_NUMBER(field, most, when) RANGE_##field,
enum { BLOCK_RANGES(RANGE_NUMBER) BLOCK_LANE_RANGES(RANGE_NUMBER) RANGES };

/* Every range, those of lanes in every lane; `in` and `cfg` are what their expressions read. */
#ifdef BLOCK_LANE_IN
#define EACH_LANE_RANGE(whole, R)                      \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) {  \
        const BLOCK_LANE_IN *in = &(whole)->sm[n];     \
        BLOCK_LANE_RANGES(R)                           \
    }
#else
#define EACH_LANE_RANGE(whole, R)
#endif
#define EACH_RANGE(whole, R)                           \
    do {                                               \
        EACH_LANE_RANGE(whole, R)                      \
        const IN_T *in = (whole);                      \
        (void)in;                                      \
        BLOCK_RANGES(R)                                \
    } while (0)

/* Whether the block's contract allows these inputs. */
static inline bool ranges_allow(const IN_T *whole, const CFG_T *cfg)
{
    bool allowed = true;

    (void)cfg;
#define RANGE_HOLDS(field, most, when) allowed &= !(when) || in->field <= (most);
    EACH_RANGE(whole, RANGE_HOLDS);
    return allowed;
}

/* A bit per range: these inputs are read, on every SM. */
static inline uint64_t ranges_read(const IN_T *whole, const CFG_T *cfg)
{
    uint64_t read = (UINT64_C(1) << RANGES) - 1;

    (void)cfg;
#define RANGE_IS_READ(field, most, when) read &= ~((uint64_t) !(when) << RANGE_##field);
    EACH_RANGE(whole, RANGE_IS_READ);
    return read;
}

#endif
