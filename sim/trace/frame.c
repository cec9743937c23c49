/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading one frame: read, check, decompress.
 */
#include "trace/reader.h"

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
    r->packed.n = 0;
    if (!bytes_reserve(&r->packed, n)) {
        r->packed.failed = false;
        return reader_no_memory;
    }
    if (!reader_at(r, offset, r->packed.p, n))
        return "cannot read a frame";
    if (!format_checksum_ok(r->packed.p, n))
        return "a frame is damaged (checksum)";
    r->packed.n = n;
    format_get_frame_header(r->packed.p, h, g->warps);
    const char *fault = format_sizes_fault(h, g);
    return fault ? fault : format_snapshot_fault(&h->before, g);
}

static const char *unpack(trace_reader *r, bytes *out, const uint8_t *packed, size_t packed_n,
                          size_t raw_n)
{
    out->n = 0;
    if (!bytes_reserve(out, raw_n + 1)) {
        out->failed = false;
        return reader_no_memory;
    }
    const size_t n = ZSTD_decompressDCtx(r->zstd, out->p, raw_n, packed, packed_n);
    if (ZSTD_isError(n) || n != raw_n)
        return "a frame's data do not decompress to the length it claims";
    out->n = n;
    return NULL;
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
        fault = unpack(r, &r->streams, r->packed.p + frame_header_bytes(r->meta.geometry.warps),
                       r->head.sizes.activity_packed, frame_streams_bytes(&r->head.sizes));
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
    const frame_sizes *z = &r->head.sizes;
    const uint8_t *packed =
        r->packed.p + frame_header_bytes(r->meta.geometry.warps) + z->activity_packed;
    const char *fault = unpack(r, &r->class_stream, packed, z->class_packed, z->classes);
    if (fault)
        return reader_fail(r, err, reader_ref(r, r->frame)->offset, fault);
    r->cls = (class_cursor){.loaded = true, .p = r->class_stream.p};
    r->cls.end = r->cls.p + z->classes;
    return true;
}
