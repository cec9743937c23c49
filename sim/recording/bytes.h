/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing byte buffer and little-endian numbers; private to sim/recording.
 */
#ifndef BALLAST_TRACE_BYTES_H
#define BALLAST_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    uint8_t *p;
    size_t n, cap;
    bool failed; /* out of memory once: later writes are dropped, checked at the end */
} bytes;

static inline bool bytes_reserve(bytes *b, size_t more)
{
    if (b->failed)
        return false;
    if (b->cap - b->n >= more)
        return true;
    size_t cap = b->cap ? b->cap : 256;
    while (cap - b->n < more)
        cap *= 2;
    uint8_t *p = realloc(b->p, cap);
    if (!p) {
        b->failed = true;
        return false;
    }
    b->p = p;
    b->cap = cap;
    return true;
}

/* A list with room for one more entry of this size; NULL if there is none: the list stays as it is. */
static inline void *with_room(void *list, size_t count, size_t *cap, size_t size)
{
    if (count < *cap)
        return list;
    const size_t more = *cap ? 2 * *cap : 16;
    void *bigger = realloc(list, more * size);
    if (bigger)
        *cap = more;
    return bigger;
}

static inline void bytes_free(bytes *b)
{
    free(b->p);
    *b = (bytes){0};
}

static inline void put_raw(bytes *b, const void *src, size_t n)
{
    if (n == 0 || !bytes_reserve(b, n))
        return;
    memcpy(b->p + b->n, src, n);
    b->n += n;
}

static inline void put_le(bytes *b, uint64_t v, unsigned n)
{
    if (!bytes_reserve(b, n))
        return;
    for (unsigned i = 0; i < n; i++)
        b->p[b->n++] = (uint8_t)(v >> 8 * i);
}

static inline void put_u8(bytes *b, unsigned v) { put_le(b, v, 1); }
static inline void put_u16(bytes *b, unsigned v) { put_le(b, v, 2); }
static inline void put_u32(bytes *b, uint32_t v) { put_le(b, v, 4); }
static inline void put_u64(bytes *b, uint64_t v) { put_le(b, v, 8); }

static inline uint64_t get_le(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static inline uint16_t get_u16(const uint8_t *p) { return (uint16_t)get_le(p, 2); }
static inline uint32_t get_u32(const uint8_t *p) { return (uint32_t)get_le(p, 4); }
static inline uint64_t get_u64(const uint8_t *p) { return get_le(p, 8); }

#endif
