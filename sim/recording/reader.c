/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a trace: header, index, and the list of frames of each SM.
 */
#include "recording/reader.h"

#include <errno.h>
#include <sys/stat.h>

const char reader_no_memory[] = "out of memory";

static const char *const get_copy = "get an intact copy, or salvage what precedes it";

bool reader_fail(const trace_reader *r, trace_err *err, uint64_t offset, const char *what)
{
    return format_fail(err, r->path, offset, get_copy, "%s", what);
}

bool reader_at(trace_reader *r, uint64_t offset, void *dst, size_t n)
{
    return fseeko(r->file, (off_t)offset, SEEK_SET) == 0 && fread(dst, 1, n, r->file) == n;
}

/* ---- header --------------------------------------------------------------------- */

static bool open_file(trace_reader *r, trace_err *err)
{
    struct stat st;
    /* Before it is opened: opening a FIFO waits for somebody who writes. */
    const bool other = stat(r->path, &st) == 0 && !S_ISREG(st.st_mode);
    r->file = other ? NULL : fopen(r->path, "rb");
    if (other) /* frames are read out of order */
        return format_fail(err, r->path, UINT64_MAX, "give a .blt file", "not a regular file");
    if (!r->file || fstat(fileno(r->file), &st) != 0)
        return format_fail(err, r->path, UINT64_MAX, "check the path", "cannot open: %s",
                           strerror(errno));
    r->file_bytes = (uint64_t)st.st_size;
    if (r->file_bytes == 0)
        return format_fail(err, r->path, 0, "record it again", "the file is empty");
    return true;
}

static bool check_start(trace_reader *r, const uint8_t start[16], trace_err *err)
{
    if (memcmp(start, FILE_MAGIC, 8) != 0)
        return format_fail(err, r->path, 0, "give a .blt file",
                           "not a Ballast trace, or damaged by a transfer in text mode");
    const uint32_t version = get_u32(start + 8);
    if (version < FORMAT_PLAIN || version > FORMAT_NEWEST)
        return format_fail(err, r->path, 8, "use the Ballast that wrote it, or record it again",
                           "trace format version %lu, this reader knows versions %d to %d",
                           (unsigned long)version, FORMAT_PLAIN, FORMAT_NEWEST);
    return true;
}

static bool parse_header(trace_reader *r, const uint8_t *p, trace_err *err)
{
    size_t fault_at;
    if (!format_checksum_ok(p, r->header_bytes))
        return reader_fail(r, err, 0, "the header is damaged (checksum)");
    if (!format_get_meta(p, r->header_bytes, &r->meta, &fault_at))
        return reader_fail(r, err, fault_at, "the header is malformed");
    const char *fault = format_meta_fault(&r->meta);
    return !fault || reader_fail(r, err, 0, fault);
}

static bool read_header(trace_reader *r, trace_err *err)
{
    uint8_t start[16];
    if (r->file_bytes < HEADER_FIXED_BYTES + CHECKSUM_BYTES || !reader_at(r, 0, start, sizeof start))
        return format_fail(err, r->path, r->file_bytes, "record it again",
                           "too short for a Ballast trace");
    if (!check_start(r, start, err))
        return false;
    r->header_bytes = get_u32(start + 12);
    if (r->header_bytes < HEADER_FIXED_BYTES + CHECKSUM_BYTES ||
        r->header_bytes > HEADER_MAX_BYTES || r->header_bytes > r->file_bytes)
        return reader_fail(r, err, 12, "the header claims a length that is impossible here");
    uint8_t *p = malloc(r->header_bytes);
    if (!p)
        return reader_fail(r, err, UINT64_MAX, reader_no_memory);
    const bool ok = reader_at(r, 0, p, r->header_bytes) ? parse_header(r, p, err)
                                                        : reader_fail(r, err, 0, "cannot read");
    free(p);
    return ok;
}

/* ---- frames --------------------------------------------------------------------- */

static sm_frames *frames_of(trace_reader *r, unsigned sm)
{
    for (unsigned i = 0; i < r->num_sms; i++)
        if (r->sms[i].info.sm == sm)
            return &r->sms[i];
    return NULL;
}

static sm_frames *add_sm(trace_reader *r, const frame_descriptor *d)
{
    sm_frames *sms = with_room(r->sms, r->num_sms, &r->cap_sms, sizeof *sms);
    if (!sms)
        return NULL;
    r->sms = sms;
    sm_frames *s = &sms[r->num_sms++];
    *s = (sm_frames){.info = {.sm = d->sm, .first_cycle = d->first_cycle}, .launch = d->launch};
    return s;
}

static const char *descriptor_fault(const trace_reader *r, const frame_descriptor *d)
{
    if (d->sm >= r->meta.geometry.sms)
        return "a frame names an SM beyond the geometry";
    if (d->launch != LAUNCH_NONE && d->launch >= r->meta.num_launches)
        return "a frame names a launch that the header does not have";
    if (d->cycles < 1 || d->cycles > FRAME_CYCLES_MAX || d->first_cycle > UINT64_MAX - d->cycles)
        return "a frame's cycle count is impossible";
    if (d->flags & ~(uint32_t)FRAME_FLAGS)
        return "a frame has flags that do not exist";
    if (!(d->flags & FRAME_KERNEL_START))
        return NULL;
    if (d->launch == LAUNCH_NONE || d->instructions || d->ctas ||
        r->meta.launches[d->launch].start_cycle != d->first_cycle)
        return "a frame's kernel start contradicts the header";
    return NULL;
}

/* `s` NULL: the SM's first frame. */
static const char *sequence_fault(const sm_frames *s, const frame_descriptor *d)
{
    const bool starts = d->flags & FRAME_KERNEL_START;
    if (!s && (d->instructions || d->ctas))
        return "an SM's first frame has progress before it";
    if (!s)
        return d->flags & FRAME_CUT ? "an SM's first frame is cut off from one before it" : NULL;
    if (d->first_cycle != s->info.first_cycle + s->info.cycles)
        return "a frame does not follow the SM's frame before it";
    if (starts)
        return s->launch == LAUNCH_NONE || d->launch > s->launch ? NULL
                                                                 : "a launch starts out of order";
    if (d->launch != s->launch || d->instructions != s->instructions || d->ctas != s->ctas)
        return "a frame's progress does not follow the SM's frame before it";
    return NULL;
}

static bool remember(trace_reader *r, sm_frames *s, const frame_ref *ref)
{
    uint32_t *mine = with_room(s->ref, s->count, &s->cap, sizeof *mine);
    if (!mine)
        return false;
    s->ref = mine;
    frame_ref *all = with_room(r->refs, r->num_refs, &r->cap_refs, sizeof *all);
    if (!all)
        return false;
    r->refs = all;
    s->ref[s->count++] = r->num_refs;
    r->refs[r->num_refs++] = *ref;
    return true;
}

const char *reader_add_frame(trace_reader *r, const frame_ref *ref)
{
    const frame_descriptor *d = &ref->d;
    const char *fault = descriptor_fault(r, d);
    if (fault)
        return fault;
    sm_frames *s = frames_of(r, d->sm);
    fault = sequence_fault(s, d);
    if (fault)
        return fault;
    if (!s && !(s = add_sm(r, d)))
        return reader_no_memory;
    if (!remember(r, s, ref))
        return reader_no_memory;
    s->launch = d->launch;
    s->instructions = d->instructions + d->frame_instructions;
    s->ctas = d->ctas + d->frame_ctas;
    s->info.cycles += d->cycles;
    s->info.instructions += d->frame_instructions;
    s->info.ctas_done += d->frame_ctas;
    r->has_class = r->has_class || (d->flags & FRAME_HAS_CLASS);
    return NULL;
}

static void forget_frames(trace_reader *r)
{
    for (unsigned i = 0; i < r->num_sms; i++)
        free(r->sms[i].ref);
    r->num_sms = 0;
    r->num_refs = 0;
    r->has_class = false;
}

/* ---- index ---------------------------------------------------------------------- */

static bool add_index(trace_reader *r, const uint8_t *p, uint64_t count, uint64_t end)
{
    uint64_t offset = r->header_bytes;
    for (uint64_t i = 0; i < count; i++) {
        frame_ref ref;
        format_get_ref(p + INDEX_FIXED_BYTES + i * INDEX_ENTRY_BYTES, &ref);
        if (ref.offset != offset || ref.bytes > end - offset || reader_add_frame(r, &ref))
            return false;
        offset += ref.bytes;
    }
    return count > 0 && offset == end;
}

/* False: the file has to be scanned to learn what is wrong with it. */
static bool read_index(trace_reader *r)
{
    uint8_t f[FOOTER_BYTES];
    const uint64_t body = r->file_bytes - r->header_bytes;
    if (body < FOOTER_BYTES || !reader_at(r, r->file_bytes - FOOTER_BYTES, f, FOOTER_BYTES) ||
        memcmp(f, FOOTER_MAGIC, 8) != 0 || !format_checksum_ok(f, FOOTER_BYTES))
        return false;
    const uint64_t offset = get_u64(f + 8), n = get_u64(f + 16);
    const uint64_t fixed = INDEX_FIXED_BYTES + CHECKSUM_BYTES;
    if (n < fixed || n > body - FOOTER_BYTES || offset != r->file_bytes - FOOTER_BYTES - n)
        return false;
    uint8_t *p = malloc(n);
    if (!p)
        return false;
    const bool ok = reader_at(r, offset, p, n) && format_checksum_ok(p, n) &&
                    get_u32(p) == INDEX_MAGIC &&
                    fixed + (uint64_t)get_u32(p + 4) * INDEX_ENTRY_BYTES == n &&
                    add_index(r, p, get_u32(p + 4), offset);
    free(p);
    return ok;
}

static bool list_frames(trace_reader *r, bool salvage, trace_err *err)
{
    if (!salvage && read_index(r))
        return true;
    uint64_t damage;
    forget_frames(r);
    const char *fault = salvage_frames(r, &damage);
    if (!fault && r->num_refs == 0)
        fault = "the trace has no cycles";
    if (!fault)
        return true;
    format_fail(err, r->path, damage, !salvage ? get_copy : r->num_refs ? "what precedes it is used" : "nothing precedes it, get an intact copy",
                "%s", fault);
    return salvage && r->num_refs > 0;
}

/* ---- the API -------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const sm_frames *x = a, *y = b;
    return (int)x->info.sm - (int)y->info.sm;
}

static bool open_all(trace_reader *r, const char *path, bool salvage, trace_err *err)
{
    r->obs.setup = &r->setup;
    r->path = strdup(path);
    r->zstd = ZSTD_createDCtx();
    if (!r->path || !r->zstd)
        return format_fail(err, path, UINT64_MAX, "free some memory", "%s", reader_no_memory);
    if (!open_file(r, err) || !read_header(r, err) || !list_frames(r, salvage, err))
        return false;
    qsort(r->sms, r->num_sms, sizeof *r->sms, by_number);
    r->warp_limit = ~low_bits(r->meta.geometry.warps);
    r->selected = &r->sms[0];
    return true;
}

trace_reader *trace_open(const char *path, const trace_open_options *options, trace_err *err)
{
    trace_err ignored;
    if (!err)
        err = &ignored;
    err->text[0] = '\0';
    err->offset = UINT64_MAX;
    trace_reader *r = calloc(1, sizeof *r);
    if (!r) {
        format_fail(err, path, UINT64_MAX, "free some memory", "%s", reader_no_memory);
        return NULL;
    }
    if (open_all(r, path, options && options->salvage, err))
        return r;
    trace_close(r);
    return NULL;
}

void trace_close(trace_reader *r)
{
    if (!r)
        return;
    if (r->file)
        fclose(r->file);
    forget_frames(r);
    free(r->sms);
    free(r->refs);
    free(r->meta.launches);
    bytes_free(&r->packed);
    bytes_free(&r->streams);
    bytes_free(&r->class_stream);
    ZSTD_freeDCtx(r->zstd);
    free(r->path);
    free(r);
}

const trace_meta *trace_get_meta(const trace_reader *r) { return &r->meta; }
unsigned trace_num_sms(const trace_reader *r) { return r->num_sms; }
const trace_sm_info *trace_get_sm(const trace_reader *r, unsigned index) { return &r->sms[index].info; }
bool trace_has_class(const trace_reader *r) { return r->has_class; }
unsigned trace_num_frames(const trace_reader *r) { return r->num_refs; }
uint64_t trace_file_bytes(const trace_reader *r) { return r->file_bytes; }

uint64_t trace_cycle(const trace_reader *r) { return r->head.d.first_cycle + r->at.pos - 1; }
uint64_t trace_launch_instructions(const trace_reader *r) { return r->at.instructions; }
uint64_t trace_launch_ctas(const trace_reader *r) { return r->at.ctas; }

unsigned trace_launch_index(const trace_reader *r)
{
    return r->head.d.launch == LAUNCH_NONE ? TRACE_NO_LAUNCH : r->head.d.launch;
}
