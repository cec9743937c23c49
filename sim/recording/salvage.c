/* SPDX-License-Identifier: Apache-2.0
 *
 * Without a usable index, the frames themselves say how long they are: walk them from the
 * header on until something is wrong, which is the first damage in the file.
 */
#include "recording/reader.h"

/* Compares what follows the frames with the index and footer that belong there. */
static const char *tail_fault(trace_reader *r, uint64_t offset, uint64_t *damage)
{
    bytes wanted = {0};
    bytes found = {0};
    const char *fault = reader_no_memory;
    format_put_index(&wanted, r->refs, r->num_refs);
    const size_t index_bytes = wanted.n;
    format_put_footer(&wanted, offset, index_bytes);
    const uint64_t rest = r->file_bytes - offset;
    const size_t n = rest < wanted.n ? (size_t)rest : wanted.n;
    if (!wanted.failed && bytes_reserve(&found, wanted.n) && reader_at(r, offset, found.p, n)) {
        size_t same = 0;
        while (same < n && found.p[same] == wanted.p[same])
            same++;
        *damage = offset + same;
        fault = same < n         ? (same < index_bytes ? "the index is damaged" : "the footer is damaged")
                : n < wanted.n   ? "the file ends before its footer does"
                : rest > wanted.n ? "there are bytes after the end of the trace"
                                  : NULL;
    }
    bytes_free(&wanted);
    bytes_free(&found);
    return fault;
}

static bool is_index(trace_reader *r, uint64_t offset)
{
    uint8_t magic[4];
    return r->file_bytes - offset >= sizeof magic && reader_at(r, offset, magic, sizeof magic) &&
           get_u32(magic) == INDEX_MAGIC;
}

const char *salvage_frames(trace_reader *r, uint64_t *damage)
{
    uint64_t offset = r->header_bytes;
    for (;;) {
        frame_header h;
        *damage = offset;
        if (offset == r->file_bytes)
            return "the file ends before its index";
        if (is_index(r, offset))
            return tail_fault(r, offset, damage);
        const char *fault = frame_fetch(r, offset, r->file_bytes, &h);
        if (fault)
            return fault;
        const frame_ref ref = {.offset = offset, .bytes = h.bytes, .d = h.d};
        fault = reader_add_frame(r, &ref);
        if (fault)
            return fault;
        offset += h.bytes;
    }
}
