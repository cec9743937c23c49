/* SPDX-License-Identifier: Apache-2.0
 *
 * Another shape of the grid in the header of a file: the frames are copied, the index follows them.
 */
#include <errno.h>
#include <string.h>

#include "files/placed_file.h"
#include "recording/reader.h"

static bool set_launches(trace_reader *r, unsigned launch, uint32_t grid_x, trace_err *err)
{
    const bool all = launch == TRACE_NO_LAUNCH;
    const char *fault;

    if (!all && launch >= r->meta.num_launches)
        return format_fail(err, r->path, UINT64_MAX, "'ballast info' lists its launches", "it has %u launches", r->meta.num_launches);
    for (unsigned i = 0; i < r->meta.num_launches; i++)
        if (all || i == launch) {
            r->meta.launches[i].desc.grid_x = grid_x;
            r->meta.launches[i].desc.is_2d = grid_x != 0;
        }
    fault = format_meta_fault(&r->meta);
    return !fault || format_fail(err, r->path, UINT64_MAX, "give the CTAs of a row of this grid", "%s", fault);
}

static bool put(FILE *f, uint64_t *offset, const bytes *b)
{
    *offset += b->n;
    return !b->failed && fwrite(b->p, 1, b->n, f) == b->n;
}

/* False without a text in *err: it could not be written. */
static bool copy_frames(trace_reader *r, FILE *f, uint64_t *offset, trace_err *err)
{
    frame_header h;

    for (uint32_t i = 0; i < r->num_refs; i++) {
        frame_ref *ref = &r->refs[i];
        const char *fault = frame_fetch(r, ref->offset, ref->offset + ref->bytes, &h);

        if (!fault && h.bytes != ref->bytes)
            fault = "a frame is not as long as the index says";
        if (fault)
            return reader_fail(r, err, ref->offset, fault);
        ref->offset = *offset;
        if (!put(f, offset, &r->packed))
            return false;
    }
    return true;
}

static bool write_all(trace_reader *r, FILE *f, trace_err *err)
{
    bytes head = {0}, tail = {0};
    uint64_t offset = 0;
    bool ok;

    format_put_header(&head, &r->meta);
    ok = put(f, &offset, &head) && copy_frames(r, f, &offset, err);
    format_put_index(&tail, r->refs, r->num_refs);
    format_put_footer(&tail, offset, tail.n);
    ok = ok && put(f, &offset, &tail);
    bytes_free(&head);
    bytes_free(&tail);
    return ok;
}

static bool cannot_write(const char *path, trace_err *err)
{
    if (errno == EBUSY)
        return format_fail(err, path, UINT64_MAX, "the same command again", "another command writes it now, or %s.tmp is in the way", path);
    return format_fail(err, path, UINT64_MAX, "check space and permissions", "cannot write: %s", strerror(errno));
}

/* The file is taken before it is read: what another command changes meanwhile would be lost. */
bool trace_write_grid(const char *path, unsigned launch, uint32_t grid_x, placed_file *to, trace_err *err)
{
    const bool taken = placed_change(to, path);
    const int why = errno;
    trace_reader *r = trace_open(path, NULL, err);
    bool ok = r && set_launches(r, launch, grid_x, err);

    errno = why;
    ok = ok && taken && write_all(r, to->file, err) && placed_finish(to);
    if (r && !ok && !err->text[0])
        cannot_write(path, err);
    trace_close(r);
    return ok || placed_close(to, false);
}

bool trace_set_grid(const char *path, unsigned launch, uint32_t grid_x, trace_err *err)
{
    placed_file to;

    return trace_write_grid(path, launch, grid_x, &to, err) && (placed_close(&to, true) || cannot_write(path, err));
}
