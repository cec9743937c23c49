/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/trace_parts.h"

#include <zstd.h>

#include "recording/format.h"

enum { MAX_FRAMES = 16, LAST_FRAME = 0x80, PACK_LEVEL = 1, HEADER_LENGTH_AT = 12 };

/* ---- joining ------------------------------------------------------------------------- */

typedef struct source {
    const uint8_t *p;
    size_t n;
} source;

static void take(source *s, uint8_t *to, size_t n)
{
    const size_t there = n < s->n ? n : s->n;

    memset(to, 0, n);
    if (there)
        memcpy(to, s->p, there);
    s->p += there;
    s->n -= there;
}

static uint8_t take_u8(source *s)
{
    uint8_t v;

    take(s, &v, 1);
    return v;
}

static uint16_t take_u16(source *s)
{
    uint8_t v[2];

    take(s, v, 2);
    return get_u16(v);
}

static void join_header(bytes *file, source *s)
{
    const size_t n = take_u16(s), there = n < s->n ? n : s->n;
    const size_t length_end = HEADER_LENGTH_AT + 4;

    put_raw(file, s->p, there);
    s->p += there;
    s->n -= there;
    if (file->n >= length_end)
        for (unsigned i = 0; i < 4; i++)
            file->p[HEADER_LENGTH_AT + i] = (uint8_t)((file->n + CHECKSUM_BYTES) >> 8 * i);
    if (file->n > 0)
        format_put_checksum(file, 0);
}

static void pack_stream(bytes *body, source *s, frame_header *h, unsigned i, bool lie)
{
    const size_t n = take_u16(s), there = n < s->n ? n : s->n;
    size_t packed;

    if (!lie)
        h->sizes.raw[i] = (uint32_t)there;
    h->sizes.packed[i] = 0;
    if (there && bytes_reserve(body, ZSTD_compressBound(there))) {
        packed = ZSTD_compress(body->p + body->n, body->cap - body->n, s->p, there, PACK_LEVEL);
        h->sizes.packed[i] = (uint32_t)packed;
        body->n += packed;
    }
    s->p += there;
    s->n -= there;
}

/* False: it was the last one. */
static bool join_frame(bytes *file, source *s, frame_ref *ref, unsigned warps)
{
    uint8_t head[FRAME_FIXED_BYTES + UINT16_MAX];
    const unsigned flags = take_u8(s);
    const size_t from = file->n;
    bytes body = {0};
    frame_header h;

    take(s, head, frame_header_bytes(warps));
    format_get_frame_header(head, &h, warps);
    for (unsigned i = 0; i < STREAMS; i++)
        pack_stream(&body, s, &h, i, flags >> i & 1);
    h.bytes = (uint32_t)(frame_header_bytes(warps) + body.n + CHECKSUM_BYTES);
    *ref = (frame_ref){.offset = from, .bytes = h.bytes, .d = h.d};
    format_put_frame_header(file, &h, warps);
    put_raw(file, body.p, body.n);
    format_put_checksum(file, from);
    bytes_free(&body);
    return !(flags & LAST_FRAME) && s->n > 0;
}

static void join_index(bytes *file, source *s, const frame_ref *refs, unsigned num)
{
    const size_t at = file->n;

    format_put_index(file, refs, num);
    if (s->n >= 3) {
        file->n -= CHECKSUM_BYTES;
        while (s->n >= 3) {
            const size_t place = take_u16(s);

            file->p[at + place % (file->n - at)] ^= take_u8(s);
        }
        format_put_checksum(file, at);
    }
    format_put_footer(file, at, file->n - at);
}

void trace_parts_join(bytes *file, const uint8_t *parts, size_t size)
{
    source s = {parts, size};
    frame_ref refs[MAX_FRAMES];
    trace_meta meta = {.num_launches = 0};
    unsigned num = 0;
    size_t fault_at;
    bool more = true;

    join_header(file, &s);
    if (file->n < HEADER_FIXED_BYTES + CHECKSUM_BYTES || file->n > HEADER_MAX_BYTES ||
        !format_get_meta(file->p, file->n, &meta, &fault_at) || meta.geometry.warps > BALLAST_MAX_WARPS) {
        free(meta.launches);
        put_raw(file, s.p, s.n); /* whatever it is */
        return;
    }
    while (more && num < MAX_FRAMES) {
        more = join_frame(file, &s, &refs[num], meta.geometry.warps);
        num++;
    }
    join_index(file, &s, refs, num);
    free(meta.launches);
}

/* ---- splitting ----------------------------------------------------------------------- */

static bool split_stream(bytes *parts, const uint8_t *packed, uint32_t packed_bytes, uint32_t raw)
{
    put_le(parts, raw, 2);
    if (raw > UINT16_MAX || !bytes_reserve(parts, raw))
        return false;
    if (raw && ZSTD_decompress(parts->p + parts->n, raw, packed, packed_bytes) != raw)
        return false;
    parts->n += raw;
    return true;
}

static bool split_frame(bytes *parts, const uint8_t *p, unsigned warps, bool last, uint32_t *frame_bytes)
{
    const uint8_t *packed = p + frame_header_bytes(warps);
    frame_header h;
    bool ok = true;

    format_get_frame_header(p, &h, warps);
    put_le(parts, last ? LAST_FRAME : 0, 1);
    put_raw(parts, p, frame_header_bytes(warps));
    for (unsigned i = 0; ok && i < STREAMS; i++) {
        ok = split_stream(parts, packed, h.sizes.packed[i], h.sizes.raw[i]);
        packed += h.sizes.packed[i];
    }
    *frame_bytes = h.bytes;
    return ok;
}

bool trace_parts_split(bytes *parts, const uint8_t *file, size_t size)
{
    const size_t header = size >= HEADER_FIXED_BYTES ? get_u32(file + HEADER_LENGTH_AT) : size + 1;
    trace_meta meta = {.num_launches = 0};
    size_t at = header, fault_at;
    bool ok = header <= size && header - CHECKSUM_BYTES <= UINT16_MAX && format_get_meta(file, header, &meta, &fault_at);

    if (ok) {
        put_le(parts, header - CHECKSUM_BYTES, 2);
        put_raw(parts, file, header - CHECKSUM_BYTES);
    }
    while (ok && get_u32(file + at) == FRAME_MAGIC) {
        uint32_t frame_bytes = get_u32(file + at + 4);

        ok = split_frame(parts, file + at, meta.geometry.warps, get_u32(file + at + frame_bytes) != FRAME_MAGIC, &frame_bytes);
        at += frame_bytes;
    }
    free(meta.launches);
    return ok;
}
