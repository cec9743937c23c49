/* SPDX-License-Identifier: Apache-2.0
 *
 * A translated function beside the compiled one, on random patterns.
 */
#ifndef BALLAST_PATTERNS_H
#define BALLAST_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "formal/aig.h"

/* 64 random bits. */
uint64_t pattern_random(uint64_t *state);

typedef void words_function(const uint64_t *in, uint64_t *out);

typedef struct patterns {
    const aig *g;
    lit ignored; /* where this is 1 the two need not agree, and it is no pattern */
    const lit *in, *out; /* 64 per word; what is not an input of the graph is not looked at by the compiled one either */
    unsigned words_in, words_out;
    words_function *compiled;
    /* If set: from the word `first_in` on, in most patterns is what this gives for the words before. */
    words_function *first;
    unsigned first_in;
    lit first_undefined; /* where C does not define what `first` does, it is not called; is within `ignored` */
} patterns;

typedef struct pattern_bit {
    unsigned word, bit;
    bool translated; /* its value in the translation */
} pattern_bit;

/* At least `count` patterns, in which what the compiler is told to put where C leaves something undefined is there; false when the two differ, and where first. */
bool patterns_agree(const patterns *p, uint64_t count, uint64_t seed, pattern_bit *differs);

#endif
