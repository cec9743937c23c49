/* SPDX-License-Identifier: Apache-2.0
 *
 * Packing and parsing of the sections of a trace file. No I/O here.
 */
#include "recording/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <xxhash.h>

static size_t launch_bytes(uint32_t version) { return version >= FORMAT_GRIDS ? 28 : 24; }

/* ---- limits --------------------------------------------------------------------- */

/* Names go into one-line messages and CSV files. */
static bool text_ok(const char *s)
{
    size_t n = 0;
    for (; n < TRACE_TEXT && s[n]; n++)
        if ((unsigned char)s[n] < 0x20 || s[n] == 0x7f)
            return false;
    return n < TRACE_TEXT;
}

static const char *geometry_fault(const trace_geometry *g)
{
    if (g->warps < 1 || g->warps > BALLAST_MAX_WARPS)
        return "warp slots per SM are not in 1..64";
    if (g->slots < 1 || g->slots > BALLAST_MAX_SLOTS)
        return "CTA slots per SM are not in 1..32";
    if (g->sms < 1 || g->sms > TRACE_MAX_SMS)
        return "SMs are not in 1..256";
    if (g->issue_width < 1 || g->issue_width > BALLAST_MAX_WARPS)
        return "the issue width is not in 1..64";
    return NULL;
}

static const char *launch_fault(const trace_launch *l, const trace_geometry *g)
{
    if (!text_ok(l->name))
        return "a launch's kernel name is too long or has control characters";
    if (l->desc.warps_per_cta < 1 || l->desc.warps_per_cta > g->warps)
        return "a launch has no or too many warps per CTA";
    if (l->desc.nmax < 1 || l->desc.nmax > g->slots)
        return "a launch's Nmax is not in 1..CTA slots";
    if (l->limit < 1 || l->limit > l->desc.nmax)
        return "a launch's CTA limit is not in 1..Nmax";
    if (l->desc.is_2d > 1)
        return "a launch's is_2d is not 0 or 1";
    if (!trace_rows_fit(&l->desc))
        return "a launch's CTAs are not whole rows of a 2-D grid";
    return NULL;
}

const char *format_meta_fault(const trace_meta *m)
{
    const char *fault = geometry_fault(&m->geometry);
    if (fault)
        return fault;
    if (!text_ok(m->kernel) || !text_ok(m->config) || !text_ok(m->recorder))
        return "a text field is too long or has control characters";
    if (m->num_launches > TRACE_MAX_LAUNCHES)
        return "there are more than 4096 launches";
    for (unsigned i = 0; i < m->num_launches; i++) {
        fault = launch_fault(&m->launches[i], &m->geometry);
        if (fault)
            return fault;
        if (i > 0 && m->launches[i].start_cycle <= m->launches[i - 1].start_cycle)
            return "the launches' start cycles do not increase";
    }
    return NULL;
}

const char *format_snapshot_fault(const frame_snapshot *s, const trace_geometry *g)
{
    const uint64_t any = s->ws[0] | s->ws[1] | s->ws[2] | s->ws[3] | s->paused;
    if (any & ~low_bits(g->warps))
        return "a warp slot beyond the geometry is in use";
    if (reserved_states(s->ws))
        return "a warp has a reserved state code";
    if (s->active & ~low_bits(g->slots))
        return "a CTA slot beyond the geometry is in use";
    for (unsigned w = 0; w < g->warps; w++)
        if (s->warp_slot[w] >= g->slots)
            return "a warp belongs to a CTA slot beyond the geometry";
    return NULL;
}

const char *format_sizes_fault(const frame_header *h, const trace_geometry *g)
{
    const uint64_t n = h->d.cycles;
    const uint64_t bound[STREAMS] = {
        [STREAM_OPS] = 3 * n,
        [STREAM_WARPS] = g->warps * n,
        [STREAM_STATES] = g->warps * n,
        [STREAM_EVENTS] = (1 + 4 + 8 * (uint64_t)g->slots + 4 + 8) * n,
        [STREAM_CLASSES] = 3 * n,
    };
    uint64_t sum = frame_header_bytes(g->warps) + CHECKSUM_BYTES;
    if (h->d.cycles < 1 || h->d.cycles > FRAME_CYCLES_MAX)
        return "a frame's cycle count is not in 1..65536";
    for (unsigned i = 0; i < STREAMS; i++) {
        sum += h->sizes.packed[i];
        if (h->sizes.raw[i] > bound[i])
            return "a frame claims more data than its cycles can hold";
        if ((h->sizes.raw[i] == 0) != (h->sizes.packed[i] == 0))
            return "a frame's empty sections are not empty";
    }
    if (sum != h->bytes)
        return "a frame's section sizes do not add up";
    if (h->sizes.raw[STREAM_WARPS] != h->sizes.raw[STREAM_STATES])
        return "a frame has not as many new states as changes";
    if (((h->d.flags & FRAME_HAS_CLASS) != 0) != (h->sizes.raw[STREAM_CLASSES] != 0))
        return "a frame's class section contradicts its flags";
    return NULL;
}

/* ---- packing -------------------------------------------------------------------- */

static void put_text(bytes *out, const char *s)
{
    const size_t n = strlen(s);
    put_u8(out, (unsigned)n);
    put_raw(out, s, n);
}

void format_put_checksum(bytes *out, size_t from)
{
    if (!out->failed)
        put_u64(out, XXH64(out->p + from, out->n - from, 0));
}

static uint32_t version_for(const trace_meta *m)
{
    for (unsigned i = 0; i < m->num_launches; i++)
        if (m->launches[i].desc.grid_x)
            return FORMAT_GRIDS;
    return FORMAT_PLAIN;
}

static void put_launch(bytes *out, const trace_launch *l, uint32_t version)
{
    put_text(out, l->name);
    put_u32(out, l->desc.grid_ctas);
    put_u32(out, l->desc.smem_per_cta);
    put_u16(out, l->desc.threads_per_cta);
    put_u16(out, l->desc.regs_per_thread);
    put_u8(out, l->desc.warps_per_cta);
    put_u8(out, l->desc.nmax);
    put_u8(out, l->desc.is_2d);
    put_u8(out, l->limit);
    put_u64(out, l->start_cycle);
    if (version >= FORMAT_GRIDS)
        put_u32(out, l->desc.grid_x);
}

void format_put_header(bytes *out, const trace_meta *m)
{
    const uint32_t version = version_for(m);
    bytes tail = {0};
    put_text(&tail, m->kernel);
    put_text(&tail, m->config);
    put_text(&tail, m->recorder);
    for (unsigned i = 0; i < m->num_launches; i++)
        put_launch(&tail, &m->launches[i], version);

    const size_t from = out->n;
    put_raw(out, FILE_MAGIC, 8);
    put_u32(out, version);
    put_u32(out, (uint32_t)(HEADER_FIXED_BYTES + tail.n + CHECKSUM_BYTES));
    put_u16(out, m->geometry.warps);
    put_u16(out, m->geometry.slots);
    put_u16(out, m->geometry.sms);
    put_u16(out, m->geometry.issue_width);
    put_u16(out, m->num_launches);
    put_u8(out, m->config_limit);
    put_u8(out, 0);
    put_u32(out, 0);
    put_raw(out, tail.p, tail.n);
    format_put_checksum(out, from);
    out->failed = out->failed || tail.failed;
    bytes_free(&tail);
}

static void put_descriptor(bytes *out, const frame_descriptor *d)
{
    put_u16(out, d->sm);
    put_u16(out, d->launch);
    put_u32(out, d->cycles);
    put_u32(out, d->flags);
    put_u64(out, d->first_cycle);
    put_u64(out, d->instructions);
    put_u64(out, d->ctas);
    put_u32(out, d->frame_instructions);
    put_u32(out, d->frame_ctas);
}

void format_put_frame_header(bytes *out, const frame_header *h, unsigned warps)
{
    put_u32(out, FRAME_MAGIC);
    put_u32(out, h->bytes);
    put_descriptor(out, &h->d);
    for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
        put_u64(out, h->before.ws[b]);
    put_u64(out, h->before.paused);
    put_u32(out, h->before.active);
    for (unsigned i = 0; i < STREAMS; i++) {
        put_u32(out, h->sizes.raw[i]);
        put_u32(out, h->sizes.packed[i]);
    }
    put_raw(out, h->before.warp_slot, warps);
}

void format_put_index(bytes *out, const frame_ref *refs, size_t count)
{
    const size_t from = out->n;
    put_u32(out, INDEX_MAGIC);
    put_u32(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        put_u64(out, refs[i].offset);
        put_u32(out, refs[i].bytes);
        put_descriptor(out, &refs[i].d);
    }
    format_put_checksum(out, from);
}

void format_put_footer(bytes *out, uint64_t index_offset, uint64_t index_bytes)
{
    const size_t from = out->n;
    put_raw(out, FOOTER_MAGIC, 8);
    put_u64(out, index_offset);
    put_u64(out, index_bytes);
    format_put_checksum(out, from);
}

/* ---- parsing -------------------------------------------------------------------- */

bool format_checksum_ok(const uint8_t *p, size_t n)
{
    return n >= CHECKSUM_BYTES &&
           XXH64(p, n - CHECKSUM_BYTES, 0) == get_u64(p + n - CHECKSUM_BYTES);
}

static bool get_text(const uint8_t *p, size_t end, size_t *at, char out[TRACE_TEXT])
{
    if (*at >= end || p[*at] >= TRACE_TEXT || p[*at] > end - *at - 1)
        return false;
    const size_t n = p[*at];
    memcpy(out, p + *at + 1, n);
    out[n] = '\0';
    *at += 1 + n;
    return strlen(out) == n;
}

static bool get_launch(const uint8_t *p, size_t end, uint32_t version, size_t *at, trace_launch *l)
{
    if (!get_text(p, end, at, l->name) || end - *at < launch_bytes(version))
        return false;
    const uint8_t *q = p + *at;
    l->desc = (ballast_kernel_desc){
        .grid_ctas = get_u32(q),
        .smem_per_cta = get_u32(q + 4),
        .threads_per_cta = get_u16(q + 8),
        .regs_per_thread = get_u16(q + 10),
        .warps_per_cta = q[12],
        .nmax = q[13],
        .is_2d = q[14],
        .grid_x = version >= FORMAT_GRIDS ? get_u32(q + 24) : 0,
    };
    l->limit = q[15];
    l->start_cycle = get_u64(q + 16);
    *at += launch_bytes(version);
    return true;
}

bool format_get_meta(const uint8_t *p, size_t n, trace_meta *m, size_t *fault_at)
{
    const size_t end = n - CHECKSUM_BYTES;
    const uint32_t version = get_u32(p + 8);
    size_t at = HEADER_FIXED_BYTES;
    m->geometry = (trace_geometry){.warps = get_u16(p + 16), .slots = get_u16(p + 18),
                                   .sms = get_u16(p + 20), .issue_width = get_u16(p + 22)};
    m->num_launches = get_u16(p + 24);
    m->config_limit = p[26];
    *fault_at = at;
    if (m->num_launches > TRACE_MAX_LAUNCHES || !get_text(p, end, &at, m->kernel) ||
        !get_text(p, end, &at, m->config) || !get_text(p, end, &at, m->recorder))
        return false;
    m->launches = calloc((size_t)m->num_launches + 1, sizeof *m->launches);
    if (!m->launches)
        return false;
    for (unsigned i = 0; i < m->num_launches; i++) {
        *fault_at = at;
        if (!get_launch(p, end, version, &at, &m->launches[i]))
            return false;
    }
    *fault_at = at;
    return at == end;
}

static void get_descriptor(const uint8_t *p, frame_descriptor *d)
{
    d->sm = get_u16(p);
    d->launch = get_u16(p + 2);
    d->cycles = get_u32(p + 4);
    d->flags = get_u32(p + 8);
    d->first_cycle = get_u64(p + 12);
    d->instructions = get_u64(p + 20);
    d->ctas = get_u64(p + 28);
    d->frame_instructions = get_u32(p + 36);
    d->frame_ctas = get_u32(p + 40);
}

void format_get_ref(const uint8_t *p, frame_ref *ref)
{
    ref->offset = get_u64(p);
    ref->bytes = get_u32(p + 8);
    get_descriptor(p + 12, &ref->d);
}

void format_get_frame_header(const uint8_t *p, frame_header *h, unsigned warps)
{
    h->bytes = get_u32(p + 4);
    get_descriptor(p + 8, &h->d);
    for (size_t b = 0; b < BALLAST_STATE_PLANES; b++)
        h->before.ws[b] = get_u64(p + 52 + 8 * b);
    h->before.paused = get_u64(p + 84);
    h->before.active = get_u32(p + 92);
    for (size_t i = 0; i < STREAMS; i++) {
        h->sizes.raw[i] = get_u32(p + 96 + 8 * i);
        h->sizes.packed[i] = get_u32(p + 100 + 8 * i);
    }
    memset(h->before.warp_slot, 0, sizeof h->before.warp_slot);
    memcpy(h->before.warp_slot, p + FRAME_FIXED_BYTES, warps);
}

/* ---- messages ------------------------------------------------------------------- */

bool format_fail(trace_err *err, const char *path, uint64_t offset, const char *todo,
                 const char *what, ...)
{
    if (!err)
        return false;
    char text[256];
    char at[48] = "";
    va_list ap;
    va_start(ap, what);
    vsnprintf(text, sizeof text, what, ap);
    va_end(ap);
    if (offset != UINT64_MAX)
        snprintf(at, sizeof at, " (byte offset %llu)", (unsigned long long)offset);
    snprintf(err->text, sizeof err->text, "%.160s: %s%s; %s", path, text, at, todo);
    err->offset = offset;
    return false;
}
