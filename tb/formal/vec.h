/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers as vectors of literals, the lowest bit first, and LLVM's arithmetic on them. Vectors are never changed once
 * made, so they may share memory, which is given back at the end of the program.
 */
#ifndef BALLAST_VEC_H
#define BALLAST_VEC_H

#include <stdbool.h>
#include <stddef.h>

#include "formal/aig.h"

typedef struct vec {
    unsigned width;
    lit *bits;
} vec;

void *arena(size_t size); /* zeroed */
void arena_close(void);

vec vec_new(unsigned width); /* zeros */
vec vec_const(unsigned width, uint64_t value);
vec vec_unknown(aig *g, unsigned width); /* what nothing gives a value */
vec vec_slice(vec a, unsigned low, unsigned width);
vec vec_join(vec low, vec high);
vec vec_extend(vec a, unsigned width, bool sign); /* or cuts off */

vec vec_not(vec a);
vec vec_and(aig *g, vec a, vec b);
vec vec_or(aig *g, vec a, vec b);
vec vec_xor(aig *g, vec a, vec b);
vec vec_mux(aig *g, lit select, vec then, vec otherwise);
vec vec_mask(aig *g, lit on, vec a);

/* a + b + carry, one bit wider than a: the carry on top. */
vec vec_add_carry(aig *g, vec a, vec b, lit carry);
vec vec_add(aig *g, vec a, vec b);
vec vec_sub(aig *g, vec a, vec b);
vec vec_mul(aig *g, vec a, vec b);
/* Quotient and remainder without sign. */
vec vec_div(aig *g, vec a, vec b, vec *rest);
vec vec_popcount(aig *g, vec a);

enum shift { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_SIGN };
vec vec_shift(aig *g, vec a, vec by, enum shift kind);

lit vec_equal(aig *g, vec a, vec b);
lit vec_less(aig *g, vec a, vec b, bool sign);
lit vec_any(aig *g, vec a);

#endif
