/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that lie below checksums which fit: an error or a recording that is consistent in
 * itself, never a crash, an endless loop or a large allocation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "engine/suite_fixture.h"
#include "recording/format.h"
#include "recording/trace_fixture.h"

/* Few cycles and two launches. */
static const fixture_shape brief = {
    .warps = 10, .slots = 3, .cycles = 120, .launches = 2, .classes = true, .busy = 400};
/* Several frames in one launch. */
static const fixture_shape quiet = {
    .warps = 10, .slots = 3, .cycles = 40000, .launches = 1, .classes = false, .busy = 2};

enum { MAX_FRAMES = 64 };

/* A frame taken apart, so that its contents can be forged below the checksums. */
typedef struct forged_frame {
    frame_header h;
    uint8_t *stream[STREAMS];
    uint32_t claim[STREAMS]; /* unpacked length to claim, 0: the true one */
} forged_frame;

typedef struct forgery {
    recording *rec;
    uint8_t *file;
    size_t n;
    char path[512];
    forged_frame frame[MAX_FRAMES];
    size_t count;
} forgery;

static forgery f; /* of the test that runs */
static trace_err err;

static void take_apart(const fixture_shape *shape, const fixture_piece *pieces, size_t num_pieces)
{
    f = (forgery){.rec = fixture_make(shape, 21)};
    if (num_pieces)
        fixture_rearrange(f.rec, pieces, num_pieces);
    snprintf(f.path, sizeof f.path, "%s", fixture_path("forged"));
    fixture_write(f.rec, f.path);
    f.file = fixture_slurp(f.path, &f.n);
    const unsigned warps = f.rec->meta.geometry.warps;
    size_t at = get_u32(f.file + 12);
    do {
        assert_true(f.count < MAX_FRAMES);
        forged_frame *x = &f.frame[f.count++];
        format_get_frame_header(f.file + at, &x->h, warps);
        const uint8_t *p = f.file + at + frame_header_bytes(warps);
        for (unsigned i = 0; i < STREAMS; i++) {
            x->stream[i] = calloc(1, x->h.sizes.raw[i] + 1); /* room for one more */
            assert_non_null(x->stream[i]);
            if (x->h.sizes.raw[i])
                assert_int_equal(ZSTD_decompress(x->stream[i], x->h.sizes.raw[i], p,
                                                 x->h.sizes.packed[i]), x->h.sizes.raw[i]);
            p += x->h.sizes.packed[i];
        }
        at += x->h.bytes;
    } while (get_u32(f.file + at) == FRAME_MAGIC);
}

static int begin_brief(void **state)
{
    (void)state;
    take_apart(&brief, NULL, 0);
    return 0;
}

static void put_forged(bytes *out, const forged_frame *x, frame_ref *ref, unsigned warps)
{
    bytes body = {0};
    frame_header h = x->h;
    for (unsigned i = 0; i < STREAMS; i++) {
        if (h.sizes.raw[i] == 0)
            continue;
        assert_true(bytes_reserve(&body, ZSTD_compressBound(h.sizes.raw[i])));
        h.sizes.packed[i] = (uint32_t)ZSTD_compress(body.p + body.n, body.cap - body.n,
                                                    x->stream[i], h.sizes.raw[i], 1);
        body.n += h.sizes.packed[i];
        if (x->claim[i])
            h.sizes.raw[i] = x->claim[i];
    }
    h.bytes = (uint32_t)(frame_header_bytes(warps) + body.n + CHECKSUM_BYTES);
    *ref = (frame_ref){.offset = out->n, .bytes = h.bytes, .d = h.d};
    const size_t from = out->n;
    format_put_frame_header(out, &h, warps);
    put_raw(out, body.p, body.n);
    format_put_checksum(out, from);
    bytes_free(&body);
}

typedef void forge_ref_fn(frame_ref *ref);

/* forge: changes the index entry of the last frame, which the index's checksum then fits;
 * NULL: none. */
static void put_together_with(forge_ref_fn *forge)
{
    bytes out = {0};
    frame_ref refs[MAX_FRAMES] = {{0}};
    format_put_header(&out, &f.rec->meta);
    for (size_t i = 0; i < f.count; i++)
        put_forged(&out, &f.frame[i], &refs[i], f.rec->meta.geometry.warps);
    const size_t index = out.n;
    if (forge)
        forge(&refs[f.count - 1]);
    format_put_index(&out, refs, f.count);
    format_put_footer(&out, index, out.n - index);
    fixture_spew(f.path, out.p, out.n);
    bytes_free(&out);
}

static void put_together(void) { put_together_with(NULL); }

static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < f.count; i++)
        for (unsigned k = 0; k < STREAMS; k++)
            free(f.frame[i].stream[k]);
    remove(f.path);
    fixture_free(f.rec);
    free(f.file);
    return 0;
}

/* Whatever it says, reading it ends, with at most as many cycles as it claims, and shows
 * nothing that the geometry does not have. */
static bool survives(bool salvage)
{
    uint8_t cls;
    bool ok = true;
    trace_reader *r = trace_open(f.path, &(trace_open_options){.salvage = salvage}, &err);
    if (!r)
        return false;
    const trace_geometry *g = &trace_get_meta(r)->geometry;
    for (unsigned i = 0; i < trace_num_sms(r); i++) {
        const sm_obs *o;
        uint64_t n = 0;
        uint32_t active = 0;
        assert_true(trace_select_sm(r, trace_get_sm(r, i)->sm, &err));
        while ((o = trace_next(r, &err))) {
            assert_true(++n <= trace_get_sm(r, i)->cycles);
            const uint64_t warps = o->ws[0] | o->ws[1] | o->ws[2] | o->ws[3] | o->paused;
            assert_int_equal(warps & ~low_bits(g->warps), 0);
            assert_int_equal(reserved_states(o->ws), 0);
            assert_int_equal((o->cta_active | o->cta_start | o->cta_done) & ~low_bits(g->slots), 0);
            for (unsigned w = 0; w < g->warps; w++)
                assert_true(o->setup->warp_slot[w] < g->slots);
            if (n == 1)
                active = o->cta_active & ~(o->cta_start & ~o->cta_done);
            assert_int_equal(slot_conflicts(active, o->cta_start, o->cta_done), 0);
            assert_int_equal(o->cta_active, active | o->cta_start);
            active = active_after(active, o->cta_start, o->cta_done);
            if (!trace_recorded_class(r, &cls, &err))
                break;
        }
        ok = ok && err.text[0] == '\0';
        trace_seek_ctas(r, 0, 2, &err);
        trace_seek_instructions(r, 1, 20, &err);
        trace_seek_cycle(r, 1050, &err);
        trace_next(r, &err);
    }
    trace_close(r);
    return ok;
}

TEST_BETWEEN(reassembled_frames_are_the_recording, begin_brief, end)
{
    put_together();
    fixture_expect(f.path, f.rec);
}

TEST_BETWEEN(forged_streams_with_right_checksums_are_survived, begin_brief, end)
{
    uint32_t rnd = 5;
    for (size_t i = 0; i < f.count; i++)
        for (unsigned k = 0; k < STREAMS; k++)
            for (uint32_t at = 0; at < f.frame[i].h.sizes.raw[k]; at++) {
                uint8_t *p = &f.frame[i].stream[k][at];
                const uint8_t was = *p;
                *p ^= (uint8_t)(1 + fixture_random(&rnd, 255));
                put_together();
                survives(false);
                *p = was;
            }
}

/* Streams that end early or are longer than the cycles need; new states and the warps that
 * they belong to have to stay equally many. */
static void forge_length(size_t frame, unsigned k, int more)
{
    frame_sizes *z = &f.frame[frame].h.sizes;
    const frame_sizes was = *z;
    if ((int64_t)z->raw[k] + more < 0)
        return;
    z->raw[k] = (uint32_t)((int)z->raw[k] + more);
    if (k == STREAM_WARPS)
        z->raw[STREAM_STATES] = z->raw[k];
    put_together();
    if (survives(false))
        fail_msg("frame %zu, stream %u, %d bytes: goes unnoticed", frame, k, more);
    *z = was;
}

TEST_BETWEEN(forged_stream_lengths_with_right_checksums_are_noticed, begin_brief, end)
{
    for (size_t i = 0; i < f.count; i++)
        for (unsigned k = 0; k < STREAM_CLASSES; k++)
            for (int more = -9; more <= 1; more++)
                if (more)
                    forge_length(i, k, more);
}

/* In the first frame that has such a stream. */
static void expect_refused_claim(unsigned stream, uint32_t claim)
{
    forged_frame *x = f.frame;
    while (x->h.sizes.raw[stream] == 0)
        x++;
    x->claim[stream] = claim;
    put_together();
    trace_reader *r = trace_open(f.path, NULL, &err);
    assert_non_null(r);
    assert_true(trace_select_sm(r, x->h.d.sm, &err));
    while (trace_next(r, &err)) {
    }
    if (!strstr(err.text, "claims more data than its cycles can hold"))
        fail_msg("stream %u: \"%s\"", stream, err.text);
    trace_close(r);
    x->claim[stream] = 0;
}

TEST_BETWEEN(forged_claims_of_unpacked_length_are_refused, begin_brief, end)
{
    static const uint32_t claims[] = {UINT32_MAX, 1u << 30};
    for (unsigned k = 0; k < 2 * STREAMS; k++)
        expect_refused_claim(k / 2, claims[k % 2]);
}

typedef void forge_fn(frame_header *h);
static void forge_instructions(frame_header *h) { h->d.frame_instructions++; }
static void forge_ctas(frame_header *h) { h->d.frame_ctas++; }
static void forge_before(frame_header *h) { h->d.instructions++; }
static void forge_launch(frame_header *h) { h->d.launch = 77; }
static void forge_sm(frame_header *h) { h->d.sm = FIXTURE_SMS; }
static void forge_cycles(frame_header *h) { h->d.cycles = FRAME_CYCLES_MAX; }
static void forge_many_cycles(frame_header *h) { h->d.cycles = UINT32_MAX; }
static void forge_no_cycles(frame_header *h) { h->d.cycles = 0; }
static void forge_first(frame_header *h) { h->d.first_cycle = UINT64_MAX; }
static void forge_gap(frame_header *h) { h->d.first_cycle++; }
static void forge_flags(frame_header *h) { h->d.flags ^= 8; }
static void forge_start(frame_header *h) { h->d.flags ^= FRAME_KERNEL_START; }
static void forge_class_flag(frame_header *h) { h->d.flags ^= FRAME_HAS_CLASS; }
static void forge_snapshot(frame_header *h) { h->before.ws[0] ^= 2; }
static void forge_paused(frame_header *h) { h->before.paused ^= 2; }
static void forge_active(frame_header *h) { h->before.active ^= 2; }
static void forge_map(frame_header *h) { h->before.warp_slot[1] ^= 1; }
static void forge_state(frame_header *h) { h->before.ws[0] = h->before.ws[1] = h->before.ws[3] = 1; }
static void forge_warp(frame_header *h) { h->before.ws[0] |= UINT64_C(1) << 10; }
static void forge_slot(frame_header *h) { h->before.warp_slot[1] = 3; }

static void forge_headers(const fixture_shape *shape)
{
    static forge_fn *const forge[] = {
        forge_instructions, forge_ctas,       forge_before,     forge_launch, forge_sm,
        forge_cycles,       forge_no_cycles,  forge_first,      forge_flags,  forge_start,
        forge_class_flag,   forge_many_cycles, forge_snapshot,  forge_paused, forge_active,
        forge_map,          forge_state,      forge_warp,       forge_slot,   forge_gap};
    take_apart(shape, NULL, 0);
    const size_t i = f.count - 1; /* has a frame of its SM before it */
    for (size_t k = 0; k < sizeof forge / sizeof forge[0]; k++) {
        const frame_header was = f.frame[i].h;
        forge[k](&f.frame[i].h);
        put_together();
        const bool plain = survives(false);
        if (plain)
            fail_msg("forgery %zu goes unnoticed", k);
        survives(true);
        f.frame[i].h = was;
    }
    end(NULL);
}

TEST(forged_frame_headers_with_right_checksums_are_noticed)
{
    forge_headers(&brief);
    forge_headers(&quiet);
}

/* The first frame and one before which the stream jumps. */
TEST(forged_cuts_with_right_checksums_are_noticed)
{
    static const fixture_shape longer = {.warps = 10, .slots = 3, .cycles = 2000, .launches = 1, .busy = 500};
    static const fixture_piece pieces[] = {{0, 300}, {600, 900}};
    take_apart(&longer, pieces, 2);
    put_together();
    fixture_expect(f.path, f.rec);
    unsigned cuts = 0;
    for (size_t i = 0; i < f.count; i++) {
        frame_descriptor *d = &f.frame[i].h.d;
        if (d->sm != 0)
            continue;
        cuts += (d->flags & FRAME_CUT) != 0;
        d->flags ^= FRAME_CUT; /* one is the first frame, one the cut */
        put_together();
        assert_false(survives(false));
        d->flags ^= FRAME_CUT;
    }
    assert_int_equal(cuts, 1);
    end(NULL);
}

static void index_offset(frame_ref *ref) { ref->offset++; }
static void index_bytes(frame_ref *ref) { ref->bytes = UINT32_MAX; }
static void index_instructions(frame_ref *ref) { ref->d.frame_instructions++; }
static void index_ctas(frame_ref *ref) { ref->d.frame_ctas++; }
static void index_cycles(frame_ref *ref) { ref->d.cycles++; }
static void index_sm(frame_ref *ref) { ref->d.sm = FIXTURE_SMS; }

TEST(an_index_that_contradicts_its_frames_is_noticed)
{
    static forge_ref_fn *const forge[] = {index_offset, index_bytes,  index_instructions,
                                          index_ctas,   index_cycles, index_sm};
    take_apart(&quiet, NULL, 0);
    for (size_t k = 0; k < sizeof forge / sizeof forge[0]; k++) {
        put_together_with(forge[k]);
        if (survives(false))
            fail_msg("forgery %zu goes unnoticed", k);
    }
    end(NULL);
}

/* Each byte of the header, changed, below a checksum that fits; the version, too: then launches have another length. */
TEST_BETWEEN(forged_headers_with_right_checksums_are_survived, begin_brief, end)
{
    const size_t header = get_u32(f.file + 12);
    unsigned taken = 0;

    for (size_t at = 8; at < header - CHECKSUM_BYTES; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes out = {0};

            put_raw(&out, f.file, header - CHECKSUM_BYTES);
            out.p[at] ^= (uint8_t)(1u << bit);
            format_put_checksum(&out, 0);
            put_raw(&out, f.file + header, f.n - header);
            fixture_spew(f.path, out.p, out.n);
            taken += survives(false);
            bytes_free(&out);
        }
    assert_in_range(taken, 1, 8 * header); /* names and needs may be others */
}

TEST_BETWEEN(forged_rows_with_right_checksums_are_refused, begin_brief, end)
{
    static const uint32_t rows[] = {7, 119, 121, 240, UINT32_MAX};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        f.rec->launches[1].desc.grid_x = rows[i];
        put_together();
        assert_null(trace_open(f.path, NULL, &err));
        assert_non_null(strstr(err.text, "not whole rows of a 2-D grid"));
    }
    f.rec->launches[1].desc.grid_x = 15;
    f.rec->launches[0].desc.grid_x = 10; /* not 2-D */
    put_together();
    assert_false(survives(false));
}

TEST_BETWEEN(arbitrary_bytes_behind_a_good_header_are_survived, begin_brief, end)
{
    uint32_t rnd = 99;
    const size_t header = get_u32(f.file + 12);
    for (unsigned n = 0; n < 500; n++) {
        for (size_t at = header; at < f.n; at++)
            f.file[at] = (uint8_t)fixture_random(&rnd, 256);
        if (n % 2)
            memcpy(f.file + header, "BLFR", 4);
        if (n % 4 == 3)
            f.file[header + 6] = f.file[header + 7] = 0;
        fixture_spew(f.path, f.file, f.n);
        assert_false(survives(false));
        assert_false(survives(true));
    }
}
