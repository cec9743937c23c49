/* SPDX-License-Identifier: Apache-2.0
 *
 * The writer: checks the contract of trace_writer_cycle, cuts each SM's cycles into
 * frames, and keeps the file.
 */
#include <stdio.h>
#include <errno.h>
#include <zstd.h>

#include "common/popcount.h"
#include "recording/encoder.h"
#include "files/placed_file.h"

/* Without short matches files grow by some 5 % and unpack a third faster. */
enum { DEFAULT_LEVEL = 19, MIN_MATCH = 5 };

typedef struct sm_stream {
    bool started;
    bool cut; /* the next cycle does not continue the one before */
    encoder enc;
    frame_descriptor d; /* of the frame being filled */
    uint64_t next_cycle;
    unsigned next_launch; /* the one that the next kernel_start has to be */
} sm_stream;

struct trace_writer {
    trace_meta meta;
    placed_file to;
    uint64_t offset;
    ZSTD_CCtx *zstd;
    frame_ref *refs;
    size_t num_refs, cap_refs;
    bytes packed; /* the frame being packed */
    sm_stream sm[TRACE_MAX_SMS];
    trace_err fault; /* the first one; what follows it is refused */
};

static const char *const fix_caller = "fix what calls the trace writer";
static const char *const check_disk = "check space and permissions";
static const char *const free_memory = "free some memory";

static bool refused(trace_writer *w, trace_err *err)
{
    if (err)
        *err = w->fault;
    return false;
}

static bool contract(trace_writer *w, unsigned sm, uint64_t cycle, const char *what)
{
    return format_fail(&w->fault, w->to.path, UINT64_MAX, fix_caller, "SM %u, cycle %llu: %s", sm,
                       (unsigned long long)cycle, what);
}

static bool broken_file(trace_writer *w)
{
    return format_fail(&w->fault, w->to.temporary, w->offset, check_disk, "cannot write: %s",
                       strerror(errno));
}

static bool no_memory(trace_writer *w)
{
    return format_fail(&w->fault, w->to.path, UINT64_MAX, free_memory, "out of memory");
}

/* ---- file ----------------------------------------------------------------------- */

static bool append(trace_writer *w, const bytes *b)
{
    if (b->failed)
        return no_memory(w);
    if (fwrite(b->p, 1, b->n, w->to.file) != b->n)
        return broken_file(w);
    w->offset += b->n;
    return true;
}

static bool remember_frame(trace_writer *w, const frame_ref *ref)
{
    frame_ref *refs = with_room(w->refs, w->num_refs, &w->cap_refs, sizeof *refs);
    if (!refs)
        return no_memory(w);
    w->refs = refs;
    w->refs[w->num_refs++] = *ref;
    return true;
}

/* Compresses `raw` behind what `packed` holds; the packed size or 0. */
static uint32_t pack(trace_writer *w, const uint8_t *raw, size_t n)
{
    const size_t bound = ZSTD_compressBound(n);
    if (!bytes_reserve(&w->packed, bound))
        return 0;
    const size_t size = ZSTD_compress2(w->zstd, w->packed.p + w->packed.n, bound, raw, n);
    if (ZSTD_isError(size))
        return 0;
    w->packed.n += size;
    return (uint32_t)size;
}

static bool pack_frame(trace_writer *w, const encoder *e, frame_header *h)
{
    const unsigned warps = w->meta.geometry.warps;
    w->packed.n = 0;
    format_put_frame_header(&w->packed, h, warps); /* reserves its place */
    for (unsigned i = 0; i < STREAMS; i++) {
        if (h->sizes.raw[i] == 0)
            continue;
        h->sizes.packed[i] = pack(w, e->stream[i].p, e->stream[i].n);
        if (h->sizes.packed[i] == 0)
            return no_memory(w);
    }
    if (encoder_failed(e) || w->packed.failed)
        return no_memory(w);
    const size_t body = w->packed.n;
    h->bytes = (uint32_t)(body + CHECKSUM_BYTES);
    w->packed.n = 0;
    format_put_frame_header(&w->packed, h, warps);
    w->packed.n = body;
    format_put_checksum(&w->packed, 0);
    return true;
}

static bool flush_frame(trace_writer *w, sm_stream *s)
{
    encoder *e = &s->enc;
    if (e->cycles == 0)
        return true;
    frame_header h = {.d = s->d, .before = e->before};
    encoder_finish(e, h.sizes.raw);
    h.d.cycles = e->cycles;
    if (h.sizes.raw[STREAM_CLASSES])
        h.d.flags |= FRAME_HAS_CLASS;
    if (!pack_frame(w, e, &h))
        return false;
    const frame_ref ref = {.offset = w->offset, .bytes = h.bytes, .d = h.d};
    if (!remember_frame(w, &ref) || !append(w, &w->packed))
        return false;

    s->d.first_cycle += e->cycles;
    s->d.instructions += s->d.frame_instructions;
    s->d.ctas += s->d.frame_ctas;
    s->d.frame_instructions = s->d.frame_ctas = 0;
    s->d.flags = 0;
    encoder_begin(e);
    return true;
}

/* ---- contract ------------------------------------------------------------------- */

static const char *plane_fault(const trace_geometry *g, const sm_obs *obs, unsigned issued)
{
    const uint64_t any = obs->ws[0] | obs->ws[1] | obs->ws[2] | obs->ws[3] | obs->paused;
    if (any & ~low_bits(g->warps))
        return "a warp slot beyond the geometry is in use";
    if (reserved_states(obs->ws))
        return "a warp has a reserved state code";
    if ((obs->cta_start | obs->cta_done | obs->cta_active) & ~low_bits(g->slots))
        return "a CTA slot beyond the geometry is in use";
    if (issued > g->issue_width)
        return "more warps issue than the issue width allows";
    return NULL;
}

/* What the reader will derive must be what the caller shows. */
static const char *cta_fault(const trace_geometry *g, const sm_obs *obs, const frame_snapshot *was)
{
    if (slot_conflicts(was->active, obs->cta_start, obs->cta_done))
        return "a CTA starts in an occupied slot or finishes in an empty one";
    if (obs->cta_active != (was->active | obs->cta_start))
        return "cta_active is not what cta_start and cta_done make it";
    for (unsigned w = 0; w < g->warps; w++) {
        const unsigned slot = obs->setup->warp_slot[w];
        if (slot >= g->slots)
            return "a warp belongs to a CTA slot beyond the geometry";
        if (slot != was->warp_slot[w] && !(obs->cta_start >> slot & 1))
            return "a warp changes its CTA slot without that slot's cta_start";
    }
    return NULL;
}

static const ballast_kernel_desc no_kernel;

static const ballast_kernel_desc *desc_of(const trace_writer *w, unsigned launch)
{
    return launch == LAUNCH_NONE ? &no_kernel : &w->meta.launches[launch].desc;
}

static const char *kernel_fault(const trace_writer *w, const sm_stream *s, uint64_t cycle,
                                const sm_obs *obs)
{
    const bool due = s->next_launch < w->meta.num_launches &&
                     w->meta.launches[s->next_launch].start_cycle == cycle;
    if (obs->kernel_start > 1)
        return "kernel_start is neither 0 nor 1";
    if (obs->kernel_start && !due)
        return "kernel_start, but no launch of the header starts here";
    if (!obs->kernel_start && due)
        return "a launch of the header starts here, but kernel_start is 0";
    if (!ballast_kernel_desc_equal(&obs->setup->kernel, desc_of(w, due ? s->next_launch : s->d.launch)))
        return "obs->setup->kernel is not the descriptor in the header";
    return NULL;
}

/* Where nothing leads up to a cycle, it says itself what the reader could not derive. */
static void begin_anew(const trace_meta *m, sm_stream *s, const sm_obs *obs)
{
    s->enc.now.active = obs->cta_active & ~(obs->cta_start & ~obs->cta_done);
    memcpy(s->enc.now.warp_slot, obs->setup->warp_slot, m->geometry.warps);
    encoder_begin(&s->enc);
}

/* A stream may begin anywhere, for example in the middle of a launch that was cut out of
 * a longer recording. */
static void begin_stream(trace_writer *w, sm_stream *s, unsigned sm, uint64_t cycle, const sm_obs *obs)
{
    const trace_meta *m = &w->meta;
    unsigned next = 0;
    while (next < m->num_launches && m->launches[next].start_cycle < cycle)
        next++;
    s->started = true;
    s->next_cycle = cycle;
    s->next_launch = next;
    s->d = (frame_descriptor){.sm = (uint16_t)sm, .first_cycle = cycle};
    s->d.launch = (uint16_t)(next > 0 ? next - 1 : LAUNCH_NONE);
    begin_anew(m, s, obs);
}

/* The frame before the cut has been flushed. */
static void begin_after_cut(const trace_meta *m, sm_stream *s, const sm_obs *obs)
{
    s->cut = false;
    s->d.flags = FRAME_CUT;
    begin_anew(m, s, obs);
}

static const char *cycle_fault(const trace_writer *w, const sm_stream *s, uint64_t cycle,
                               const sm_obs *obs, unsigned issued)
{
    if (cycle != s->next_cycle)
        return "is not the cycle after the one before it";
    const char *fault = plane_fault(&w->meta.geometry, obs, issued);
    if (!fault)
        fault = cta_fault(&w->meta.geometry, obs, &s->enc.now);
    if (!fault)
        fault = kernel_fault(w, s, cycle, obs);
    return fault;
}

/* ---- the API -------------------------------------------------------------------- */

static void writer_free(trace_writer *w)
{
    for (unsigned i = 0; i < TRACE_MAX_SMS; i++)
        encoder_free(&w->sm[i].enc);
    ZSTD_freeCCtx(w->zstd);
    bytes_free(&w->packed);
    free(w->refs);
    free(w->meta.launches);
    free(w);
}

static bool copy_meta(trace_writer *w, const trace_meta *meta)
{
    w->meta = *meta;
    w->meta.launches = malloc(((size_t)meta->num_launches + 1) * sizeof *meta->launches);
    if (!w->meta.launches)
        return false;
    if (meta->num_launches)
        memcpy(w->meta.launches, meta->launches, meta->num_launches * sizeof *meta->launches);
    return true;
}

static bool open_file(trace_writer *w, const char *path)
{
    bytes header = {0};
    if (!placed_open(&w->to, path))
        return format_fail(&w->fault, path, UINT64_MAX, check_disk, "cannot create: %s", strerror(errno));
    format_put_header(&header, &w->meta);
    const bool ok = append(w, &header);
    bytes_free(&header);
    return ok;
}

trace_writer *trace_writer_open(const char *path, const trace_meta *meta, trace_err *err)
{
    const char *fault = format_meta_fault(meta);
    if (fault) {
        format_fail(err, path, UINT64_MAX, fix_caller, "%s", fault);
        return NULL;
    }
    trace_writer *w = calloc(1, sizeof *w);
    if (w && copy_meta(w, meta) && (w->zstd = ZSTD_createCCtx())) {
        trace_writer_set_level(w, DEFAULT_LEVEL);
        ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_minMatch, MIN_MATCH);
        if (open_file(w, path))
            return w;
        refused(w, err);
        trace_writer_abort(w);
        return NULL;
    }
    format_fail(err, path, UINT64_MAX, free_memory, "out of memory");
    if (w)
        writer_free(w);
    return NULL;
}

void trace_writer_set_level(trace_writer *w, int level)
{
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
}

/* Whether the writer is still good and has this SM; if not, w->fault says why. */
static bool has_stream(trace_writer *w, unsigned sm)
{
    return !w->fault.text[0] &&
           (sm < w->meta.geometry.sms ||
            format_fail(&w->fault, w->to.path, UINT64_MAX, fix_caller, "SM %u: no such SM in the geometry", sm));
}

bool trace_writer_follows(const trace_writer *w, unsigned sm, const sm_obs *obs)
{
    if (sm >= w->meta.geometry.sms || !w->sm[sm].started || w->sm[sm].cut)
        return true;
    return !cta_fault(&w->meta.geometry, obs, &w->sm[sm].enc.now);
}

bool trace_writer_cut(trace_writer *w, unsigned sm, trace_err *err)
{
    if (!has_stream(w, sm) || !flush_frame(w, &w->sm[sm]))
        return refused(w, err);
    w->sm[sm].cut = w->sm[sm].started;
    return true;
}

bool trace_writer_cycle(trace_writer *w, unsigned sm, uint64_t cycle, const sm_obs *obs,
                        uint8_t recorded_class, trace_err *err)
{
    if (!has_stream(w, sm))
        return refused(w, err);
    if (recorded_class > BALLAST_PS_ACTIVE && recorded_class != TRACE_NO_CLASS) {
        contract(w, sm, cycle, "the recorded class is none of enum ballast_ps_class");
        return refused(w, err);
    }
    sm_stream *s = &w->sm[sm];
    if (!s->started)
        begin_stream(w, s, sm, cycle, obs);
    else if (s->cut)
        begin_after_cut(&w->meta, s, obs);
    const unsigned issued = ballast_popcount64(sm_obs_issued(obs));
    const char *fault = cycle_fault(w, s, cycle, obs, issued);
    if (fault) {
        contract(w, sm, cycle, fault);
        return refused(w, err);
    }
    if ((obs->kernel_start || s->enc.cycles == FRAME_CYCLES) && !flush_frame(w, s))
        return refused(w, err);
    if (obs->kernel_start) {
        s->d.launch = (uint16_t)s->next_launch++;
        s->d.flags |= FRAME_KERNEL_START;
        s->d.instructions = s->d.ctas = 0;
    }
    encoder_cycle(&s->enc, obs, w->meta.geometry.warps, recorded_class);
    s->d.frame_instructions += issued;
    if (!obs->kernel_start) /* a CTA that finishes in that cycle is of the kernel before */
        s->d.frame_ctas += ballast_popcount64(obs->cta_done);
    s->next_cycle++;
    return true;
}

static bool finish_file(trace_writer *w)
{
    bytes tail = {0};
    for (unsigned i = 0; i < TRACE_MAX_SMS; i++)
        if (!flush_frame(w, &w->sm[i]))
            return false;
    if (w->num_refs == 0)
        return format_fail(&w->fault, w->to.path, UINT64_MAX, fix_caller, "no cycle was written");
    format_put_index(&tail, w->refs, w->num_refs);
    format_put_footer(&tail, w->offset, tail.n);
    const bool ok = append(w, &tail);
    bytes_free(&tail);
    if (!ok)
        return false;
    return placed_finish(&w->to) || broken_file(w);
}

bool trace_writer_close(trace_writer *w, trace_err *err)
{
    bool ok = !w->fault.text[0] && finish_file(w);
    if (ok && !placed_close(&w->to, true))
        ok = format_fail(&w->fault, w->to.path, UINT64_MAX, check_disk, "cannot put it in its place: %s",
                         strerror(errno));
    if (!ok) {
        refused(w, err);
        trace_writer_abort(w);
        return false;
    }
    writer_free(w);
    return true;
}

void trace_writer_abort(trace_writer *w)
{
    placed_close(&w->to, false);
    writer_free(w);
}
