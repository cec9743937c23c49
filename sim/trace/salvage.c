/* SPDX-License-Identifier: Apache-2.0
 *
 * Without a usable index, the frames themselves say how long they are: walk them from the
 * header on until something is wrong, which is the first damage in the file.
 */
#include "trace/reader.h"

/* Only asked where a frame should start: is this the index, intact, with footer? Its
 * contents are not looked at; the frames have been seen. */
static const char *tail_fault(trace_reader *r, uint64_t offset, uint64_t *fault_at)
{
    const uint64_t rest = r->file_bytes - offset;
    const uint64_t index_bytes =
        INDEX_FIXED_BYTES + (uint64_t)r->num_refs * INDEX_ENTRY_BYTES + CHECKSUM_BYTES;
    if (rest < index_bytes)
        return "the file ends inside its index";
    bytes wanted = {0};
    bytes found = {0};
    const char *fault = reader_no_memory;
    *fault_at = offset;
    format_put_index(&wanted, r->refs, r->num_refs);
    if (!wanted.failed && bytes_reserve(&found, wanted.n)) {
        const bool same = reader_at(r, offset, found.p, wanted.n) &&
                          memcmp(found.p, wanted.p, wanted.n) == 0;
        *fault_at = same ? offset + index_bytes : offset;
        fault = !same                ? "the index is damaged"
                : rest - index_bytes < FOOTER_BYTES ? "the file ends inside its footer"
                : rest - index_bytes > FOOTER_BYTES ? "the footer is damaged or not the end of the file"
                                                    : "the footer is damaged";
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

void salvage_frames(trace_reader *r, uint64_t *damage, const char **why)
{
    uint64_t offset = r->header_bytes;
    for (;;) {
        frame_header h;
        *damage = offset;
        if (offset == r->file_bytes) {
            *why = "the file ends before its index";
            return;
        }
        if (is_index(r, offset)) {
            *why = tail_fault(r, offset, damage);
            return;
        }
        *why = frame_fetch(r, offset, r->file_bytes, &h);
        if (*why)
            return;
        const frame_ref ref = {.offset = offset, .bytes = h.bytes, .d = h.d};
        *why = reader_add_frame(r, &ref);
        if (*why)
            return;
        offset += h.bytes;
    }
}
