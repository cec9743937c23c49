/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading one frame: read, check, decompress.
 */
#include <sanitizer/asan_interface.h>

#include "recording/reader.h"

/* Unlike in the writer, a later and smaller frame may succeed. */
static bool reserve(bytes *b, size_t n)
{
    const bool ok = bytes_reserve(b, n);
    b->failed = false;
    return ok;
}

/* A buffer is larger than what it holds; under the address sanitizer what lies behind that may not be touched. Nothing else. */
static void guard(const bytes *b, size_t used)
{
    ASAN_UNPOISON_MEMORY_REGION(b->p, b->cap);
    if (b->cap > used)
        ASAN_POISON_MEMORY_REGION(b->p + used, b->cap - used);
}

static void unguard(const bytes *b)
{
    if (b->p)
        ASAN_UNPOISON_MEMORY_REGION(b->p, b->cap);
}

/* Nothing is allocated for a frame before its size has been compared with the file's. */
const char *frame_fetch(trace_reader *r, uint64_t offset, uint64_t limit, frame_header *h)
{
    const trace_geometry *g = &r->meta.geometry;
    uint8_t start[8];
    if (limit - offset < sizeof start)
        return "the file ends inside a frame";
    if (!reader_at(r, offset, start, sizeof start))
        return "cannot read a frame";
    if (get_u32(start) != FRAME_MAGIC)
        return "no frame where one is expected";
    const uint32_t n = get_u32(start + 4);
    if (n < frame_header_bytes(g->warps) + CHECKSUM_BYTES)
        return "a frame is shorter than its header";
    if (n > limit - offset)
        return "the file ends inside a frame";
    unguard(&r->packed);
    r->packed.n = 0;
    if (!reserve(&r->packed, n))
        return reader_no_memory;
    if (!reader_at(r, offset, r->packed.p, n))
        return "cannot read a frame";
    if (!format_checksum_ok(r->packed.p, n))
        return "a frame is damaged (checksum)";
    r->packed.n = n;
    guard(&r->packed, n);
    format_get_frame_header(r->packed.p, h, g->warps);
    const char *fault = format_sizes_fault(h, g);
    return fault ? fault : format_snapshot_fault(&h->before, g);
}

/* Stream `i` behind what `out` holds. */
static const char *unpack(trace_reader *r, bytes *out, unsigned i)
{
    const size_t raw = r->head.sizes.raw[i];
    const uint8_t *packed = r->packed.p + frame_header_bytes(r->meta.geometry.warps);
    for (unsigned before = 0; before < i; before++)
        packed += r->head.sizes.packed[before];
    unguard(out);
    if (!reserve(out, raw + DECODE_SLACK))
        return reader_no_memory;
    if (raw) {
        const size_t n = ZSTD_decompressDCtx(r->zstd, out->p + out->n, raw, packed,
                                             r->head.sizes.packed[i]);
        if (ZSTD_isError(n) || n != raw)
            return "a frame's data do not decompress to the length it claims";
    }
    out->n += raw;
    memset(out->p + out->n, 0, DECODE_SLACK);
    guard(out, out->n + DECODE_SLACK);
    return NULL;
}

static const char *unpack_activity(trace_reader *r)
{
    const char *fault = NULL;
    size_t all = DECODE_SLACK;
    unguard(&r->streams);
    r->streams.n = 0;
    for (unsigned i = 0; i < STREAM_CLASSES; i++)
        all += r->head.sizes.raw[i];
    if (!reserve(&r->streams, all))
        return reader_no_memory;
    for (unsigned i = 0; i < STREAM_CLASSES && !fault; i++)
        fault = unpack(r, &r->streams, i);
    return fault;
}

static bool same_descriptor(const frame_descriptor *a, const frame_descriptor *b)
{
    return a->sm == b->sm && a->launch == b->launch && a->cycles == b->cycles &&
           a->flags == b->flags && a->first_cycle == b->first_cycle &&
           a->instructions == b->instructions && a->ctas == b->ctas &&
           a->frame_instructions == b->frame_instructions && a->frame_ctas == b->frame_ctas;
}

bool frame_load(trace_reader *r, uint32_t index, trace_err *err)
{
    r->frame = index;
    r->loaded = false;
    r->at = (cursor){0};
    const frame_ref *ref = reader_ref(r, index);
    const char *fault = frame_fetch(r, ref->offset, ref->offset + ref->bytes, &r->head);
    if (!fault && (r->head.bytes != ref->bytes || !same_descriptor(&r->head.d, &ref->d)))
        fault = "a frame is not the one that the index names";
    if (!fault)
        fault = unpack_activity(r);
    if (fault) {
        reader_fail(r, &r->fault, ref->offset, fault);
        if (err)
            *err = r->fault;
        return false;
    }
    r->loaded = true;
    decode_begin(r);
    return true;
}

bool frame_load_classes(trace_reader *r, trace_err *err)
{
    r->class_stream.n = 0;
    const char *fault = unpack(r, &r->class_stream, STREAM_CLASSES);
    if (fault)
        return reader_fail(r, err, reader_ref(r, r->frame)->offset, fault);
    r->cls = (class_cursor){.loaded = true, .p = r->class_stream.p};
    r->cls.end = r->cls.p + r->class_stream.n;
    return true;
}
