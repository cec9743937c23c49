/* SPDX-License-Identifier: Apache-2.0
 *
 * The bits of a step, as words.c lists them.
 */
#ifndef BALLAST_BITS_H
#define BALLAST_BITS_H

#include "formal/aig.h"

enum bit_kind { BIT_IN, BIT_OUT, BIT_NEXT, BIT_ALLOWED, BIT_BEFORE, BIT_ZERO, BIT_READ, BIT_KINDS };

typedef struct bit {
    enum bit_kind kind;
    unsigned word, bit;
    char label[96];
    lit model, rtl; /* of an input: the same */
} bit;

typedef struct bits {
    bit *bits;
    bit **sorted; /* by label */
    unsigned num, max;
    unsigned words_in, words_out;
} bits;

void bits_read(bits *b, const char *path);
void bits_free(bits *b);
/* NULL when there is none. */
bit *bits_find(const bits *b, const char *label);
/* Without the place in the order that an input's label begins with. */
const char *bit_name(const bit *b);

#endif
