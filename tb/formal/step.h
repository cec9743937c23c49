/* SPDX-License-Identifier: Apache-2.0
 *
 * What step.c and properties.c share: the block's structs as bytes, its configuration, its invariant. Included once per
 * file, which is compiled with -DBLOCK_PORTS='"blocks/BLOCK/ports.h"' and the step_words.h of words.c on the path.
 */
#ifndef BALLAST_FORMAL_STEP_H
#define BALLAST_FORMAL_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include BLOCK_PORTS
#include "shim/ports.h"
#include "shim/ranges.h"

#include "step_words.h"

#ifdef STEP_INVARIANT
#include STEP_INVARIANT
#endif
#ifdef STEP_INVARIANT
#define VIOLATED(state, cfg) BLOCK_FN(_violated)(state, cfg)
#else
#define VIOLATED(state, cfg) UINT64_C(0)
#endif

static const union {
    unsigned char bytes[sizeof(CFG_T) > 768 ? sizeof(CFG_T) : 768];
    CFG_T cfg;
} config = {{STEP_CFG}};

/* What no port has, padding too, is left undefined. A block with an array of parts has room for far more of them than there are, which
 * is 0: it is the blocks' own memory, not something undefined, and a hundred thousand unknowns that nothing reads take minutes. */
#ifdef STEP_ARRAY
#define AT_FIRST = {{0}}
#else
#define AT_FIRST
#endif

/* Of `early`: what is not known yet where a block with BLOCK_LATE is looked at. */
#define CLEAR_LATE(name) early.value.name = 0;

typedef union in_bytes {
    unsigned char bytes[sizeof(IN_T)];
    IN_T value;
} in_bytes;

typedef union out_bytes {
    unsigned char bytes[sizeof(OUT_T)];
    OUT_T value;
} out_bytes;

typedef union state_bytes {
    unsigned char bytes[sizeof(STATE_T)];
    STATE_T value;
} state_bytes;

#endif
