/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of a translated function: objects of so many bytes, each bit a literal. A pointer is a list of places, of which
 * the conditions say which one it is. There is one memory for all paths: a store on a path that is not taken has no effect.
 */
#ifndef BALLAST_MEMORY_H
#define BALLAST_MEMORY_H

#include "formal/vec.h"

typedef struct place {
    lit condition;
    unsigned object;
    int64_t offset; /* bytes */
} place;

typedef struct pointer {
    unsigned num;
    place *places;
} pointer;

typedef struct memory {
    aig *g;
    struct object {
        size_t size;
        lit *bits;
        pointer *pointers; /* in every eight bytes, where a pointer was stored and nothing else since; NULL: nowhere */
    } *objects;
    unsigned num, max;
    lit undefined; /* on a path that was taken, an access hit nothing, or not an object as a whole; or what else C does not define */
} memory;

void memory_close(memory *m);
pointer memory_new(memory *m, size_t size); /* unknown */

pointer pointer_select(const memory *m, lit condition, pointer then, pointer otherwise);
/* Moved by index * stride bytes; places that leave their object are dropped. */
pointer pointer_move(const memory *m, pointer p, vec index, uint64_t stride);
pointer pointer_add(pointer p, int64_t bytes);

/* `size` bytes. What is loaded is what is there where `taken` holds, and anything elsewhere. */
vec memory_load(memory *m, pointer p, size_t size, lit taken);
void memory_store(memory *m, pointer p, vec value, size_t size, lit taken);
/* What was no pointer before leads nowhere; a pointer's bytes are unknown. */
pointer memory_load_pointer(memory *m, pointer p, lit taken);
void memory_store_pointer(memory *m, pointer p, pointer value, lit taken);
void memory_copy(memory *m, pointer to, pointer from, size_t size, lit taken);

#endif
