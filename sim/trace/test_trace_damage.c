/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged and malicious files: always a clear error, never a crash, never other data than
 * what was recorded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zstd.h>

#include "trace/format.h"
#include "trace/trace_fixture.h"

enum { MAX_FRAMES = 64 };

/* Byte offset at which a frame ends, and the cycles in the file up to there. */
typedef struct frame_end {
    size_t offset;
    uint64_t cycles;
} frame_end;

/* A recording of a few frames in a few KiB, its file, and a path for damaged copies. */
typedef struct victim {
    recording *rec;
    uint8_t *file;
    size_t n;
    frame_end end[MAX_FRAMES];
    size_t frames;
    char path[512];
} victim;

static void find_frames(victim *v)
{
    size_t at = get_u32(v->file + 12);
    uint64_t cycles = 0;
    for (v->frames = 0; get_u32(v->file + at) == FRAME_MAGIC; v->frames++) {
        frame_header h;
        format_get_frame_header(v->file + at, &h, v->rec->meta.geometry.warps);
        at += h.bytes;
        cycles += h.d.cycles;
        v->end[v->frames] = (frame_end){at, cycles};
    }
}

/* Few cycles and two launches. */
static const fixture_shape brief = {
    .warps = 10, .slots = 3, .cycles = 120, .launches = 2, .classes = true, .busy = 400};
/* Several frames in one launch. */
static const fixture_shape quiet = {
    .warps = 10, .slots = 3, .cycles = 40000, .launches = 1, .classes = false, .busy = 2};

static void victim_make(victim *v, const fixture_shape *shape)
{
    v->rec = fixture_make(shape, 21);
    strcpy(v->path, fixture_path("damage"));
    fixture_write(v->rec, v->path);
    v->file = fixture_slurp(v->path, &v->n);
    find_frames(v);
}

static void victim_free(victim *v)
{
    remove(v->path);
    fixture_free(v->rec);
    free(v->file);
}

static void expect_one_line(const trace_err *err, const char *path)
{
    assert_int_equal(strncmp(err->text, path, strlen(path)), 0);
    assert_null(strchr(err->text, '\n'));
    assert_non_null(strchr(err->text, ';')); /* what to do */
}

/* Reads everything. Returns whether it came to the end without an error; asserts that all
 * that it did deliver is as recorded, and adds the number of cycles to *cycles. */
static bool read_all(const victim *v, trace_reader *r, uint64_t *cycles, trace_err *err)
{
    bool ok = true;
    for (unsigned k = 0; k < trace_num_sms(r); k++) {
        const unsigned sm = trace_get_sm(r, k)->sm;
        const sm_obs *obs;
        size_t i = 0;
        assert_true(trace_select_sm(r, sm, err));
        for (; (obs = trace_next(r, err)); i++) {
            assert_true(i < v->rec->sm[sm].count);
            uint8_t cls;
            if (!trace_recorded_class(r, &cls, err))
                break;
            fixture_same(r, obs, &v->rec->sm[sm].sample[i], v->rec->meta.geometry.warps);
        }
        *cycles += i;
        if (err->text[0]) {
            expect_one_line(err, v->path);
            ok = false;
        }
    }
    return ok;
}

static uint64_t all_cycles(const victim *v)
{
    uint64_t n = 0;
    for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
        n += v->rec->sm[sm].count;
    return n;
}

/* The damage is noticed, at the latest when all has been read, and named. */
static void expect_noticed(const victim *v, size_t at)
{
    trace_err err;
    uint64_t cycles = 0;
    trace_reader *r = trace_open(v->path, NULL, &err);
    if (!r) {
        expect_one_line(&err, v->path);
        if (err.offset == UINT64_MAX || err.offset > at)
            fail_msg("damage at byte %zu is reported as \"%s\"", at, err.text);
        return;
    }
    const bool ok = read_all(v, r, &cycles, &err);
    trace_close(r);
    if (ok)
        fail_msg("damage at byte %zu goes unnoticed", at);
}

/* Salvaging gives exactly the frames before byte `at`. */
static void expect_salvaged(const victim *v, size_t at)
{
    trace_err err;
    uint64_t want = 0, got = 0;
    for (size_t i = 0; i < v->frames && v->end[i].offset <= at; i++)
        want = v->end[i].cycles;
    trace_reader *r = trace_open(v->path, &(trace_open_options){.salvage = true}, &err);
    if (!r) {
        expect_one_line(&err, v->path);
        assert_int_equal(want, 0);
        return;
    }
    expect_one_line(&err, v->path);
    assert_true(err.offset <= at);
    assert_true(read_all(v, r, &got, &err));
    if (got != want)
        fail_msg("damage at byte %zu: %llu cycles salvaged, not %llu", at,
                 (unsigned long long)got, (unsigned long long)want);
    trace_close(r);
}

/* ---- accidents ------------------------------------------------------------------ */

static void test_every_truncation_is_refused_and_names_an_offset(void **state)
{
    (void)state;
    victim v;
    victim_make(&v, &brief);
    for (size_t n = 0; n < v.n; n++) {
        fixture_spew(v.path, v.file, n);
        trace_err err;
        assert_null(trace_open(v.path, NULL, &err));
        expect_one_line(&err, v.path);
        assert_true(err.offset <= n);
    }
    victim_free(&v);
}

static void test_a_flipped_bit_in_any_byte_is_noticed(void **state)
{
    (void)state;
    victim v;
    victim_make(&v, &brief);
    for (size_t at = 0; at < v.n; at++) {
        v.file[at] ^= (uint8_t)(1u << at % 8);
        fixture_spew(v.path, v.file, v.n);
        expect_noticed(&v, at);
        v.file[at] ^= (uint8_t)(1u << at % 8);
    }
    victim_free(&v);
}

static void test_salvage_of_any_truncation_replays_exactly_the_intact_frames(void **state)
{
    (void)state;
    victim v;
    victim_make(&v, &brief);
    for (size_t n = 0; n < v.n; n++) {
        fixture_spew(v.path, v.file, n);
        expect_salvaged(&v, n);
    }
    victim_free(&v);
}

static void test_salvage_of_any_flipped_byte_replays_exactly_the_frames_before(void **state)
{
    (void)state;
    victim v;
    victim_make(&v, &brief);
    const size_t header = get_u32(v.file + 12);
    for (size_t at = 0; at < v.n; at++) {
        v.file[at] ^= 0xff;
        fixture_spew(v.path, v.file, v.n);
        expect_salvaged(&v, at < header ? 0 : at);
        v.file[at] ^= 0xff;
    }
    victim_free(&v);
}

static void test_salvage_of_an_intact_file_reads_all_and_reports_nothing(void **state)
{
    (void)state;
    victim v;
    trace_err err;
    uint64_t cycles = 0;
    victim_make(&v, &brief);
    trace_reader *r = trace_open(v.path, &(trace_open_options){.salvage = true}, &err);
    assert_non_null(r);
    assert_string_equal(err.text, "");
    assert_true(read_all(&v, r, &cycles, &err));
    assert_int_equal(cycles, all_cycles(&v));
    trace_close(r);
    victim_free(&v);
}

static void test_bytes_after_the_end_are_noticed(void **state)
{
    (void)state;
    victim v;
    trace_err err;
    victim_make(&v, &brief);
    uint8_t *longer = calloc(1, v.n + 100);
    assert_non_null(longer);
    memcpy(longer, v.file, v.n);
    for (size_t more = 1; more <= 100; more += 33) {
        fixture_spew(v.path, longer, v.n + more);
        assert_null(trace_open(v.path, NULL, &err));
        assert_non_null(strstr(err.text, "after the end"));
        assert_int_equal(err.offset, v.n);
    }
    free(longer);
    victim_free(&v);
}

static void test_a_missing_frame_is_noticed(void **state)
{
    (void)state;
    victim v;
    victim_make(&v, &brief);
    for (size_t i = 0; i + 1 < v.frames; i++) { /* frame i + 1 is cut out */
        const size_t from = v.end[i].offset, to = v.end[i + 1].offset, gone = to - from;
        uint8_t *shorter = malloc(v.n);
        assert_non_null(shorter);
        memcpy(shorter, v.file, from);
        memcpy(shorter + from, v.file + to, v.n - to);
        fixture_spew(v.path, shorter, v.n - gone);
        expect_noticed(&v, v.n);
        free(shorter);
    }
    victim_free(&v);
}

/* ---- not what it claims to be --------------------------------------------------- */

static void expect_open_error(const victim *v, const char *why, uint64_t offset)
{
    trace_err err;
    assert_null(trace_open(v->path, NULL, &err));
    expect_one_line(&err, v->path);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    assert_int_equal(err.offset, offset);
}

static void test_empty_foreign_and_text_mode_files_are_told_apart(void **state)
{
    (void)state;
    victim v;
    uint8_t zeros[100] = {0};
    victim_make(&v, &brief);
    fixture_spew(v.path, v.file, 0);
    expect_open_error(&v, "empty", 0);
    fixture_spew(v.path, v.file, 20);
    expect_open_error(&v, "too short", 20);
    fixture_spew(v.path, zeros, sizeof zeros);
    expect_open_error(&v, "not a Ballast trace", 0);
    v.file[4] = '\n'; /* CR LF after a transfer in text mode */
    fixture_spew(v.path, v.file, v.n);
    expect_open_error(&v, "text mode", 0);
    victim_free(&v);
}

static void test_another_version_is_named(void **state)
{
    (void)state;
    victim v;
    victim_make(&v, &brief);
    v.file[8] = 7;
    fixture_spew(v.path, v.file, v.n);
    expect_open_error(&v, "version 7, this reader knows version 1", 8);
    victim_free(&v);
}

static void put_at(uint8_t *p, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static void test_oversized_claims_are_refused_without_allocating_for_them(void **state)
{
    (void)state;
    victim v;
    victim_make(&v, &brief);
    const size_t header = get_u32(v.file + 12);
    uint8_t *const footer = v.file + v.n - FOOTER_BYTES;
    put_at(v.file + 12, UINT32_MAX, 4); /* header length */
    fixture_spew(v.path, v.file, v.n);
    expect_open_error(&v, "header claims a length", 12);
    put_at(v.file + 12, header, 4);

    const uint64_t index_bytes = get_u64(footer + 16);
    put_at(footer + 16, UINT64_MAX - 7, 8);
    bytes sealed = {0};
    put_raw(&sealed, v.file, v.n - CHECKSUM_BYTES);
    format_put_checksum(&sealed, v.n - FOOTER_BYTES);
    fixture_spew(v.path, sealed.p, sealed.n);
    expect_open_error(&v, "footer is damaged", v.n - 16);
    bytes_free(&sealed);
    put_at(footer + 16, index_bytes, 8);

    put_at(v.file + header + 4, UINT32_MAX, 4); /* bytes of the first frame */
    fixture_spew(v.path, v.file, v.n);
    trace_err err;
    uint64_t cycles = 0;
    trace_reader *r = trace_open(v.path, NULL, &err);
    assert_true(!r || !read_all(&v, r, &cycles, &err));
    assert_int_equal(err.offset, header);
    trace_close(r);
    victim_free(&v);
}

/* ---- checksums that fit a lie --------------------------------------------------- */

/* A frame taken apart, so that its contents can be forged below the checksums. */
typedef struct forged_frame {
    frame_header h;
    uint8_t *stream[STREAMS];
} forged_frame;

typedef struct forgery {
    victim v;
    forged_frame frame[MAX_FRAMES];
    size_t count;
} forgery;

static void take_apart(forgery *f)
{
    const unsigned warps = f->v.rec->meta.geometry.warps;
    size_t at = get_u32(f->v.file + 12);
    for (f->count = 0; get_u32(f->v.file + at) == FRAME_MAGIC; f->count++) {
        forged_frame *x = &f->frame[f->count];
        format_get_frame_header(f->v.file + at, &x->h, warps);
        const uint8_t *p = f->v.file + at + frame_header_bytes(warps);
        for (unsigned i = 0; i < STREAMS; i++) {
            x->stream[i] = calloc(1, x->h.sizes.raw[i] + 1); /* room for one more */
            assert_non_null(x->stream[i]);
            if (x->h.sizes.raw[i])
                assert_int_equal(ZSTD_decompress(x->stream[i], x->h.sizes.raw[i], p,
                                                 x->h.sizes.packed[i]), x->h.sizes.raw[i]);
            p += x->h.sizes.packed[i];
        }
        at += x->h.bytes;
    }
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
static void put_together_with(const forgery *f, forge_ref_fn *forge)
{
    bytes out = {0};
    frame_ref refs[MAX_FRAMES];
    format_put_header(&out, &f->v.rec->meta);
    for (size_t i = 0; i < f->count; i++)
        put_forged(&out, &f->frame[i], &refs[i], f->v.rec->meta.geometry.warps);
    const size_t index = out.n;
    if (forge)
        forge(&refs[f->count - 1]);
    format_put_index(&out, refs, f->count);
    format_put_footer(&out, index, out.n - index);
    fixture_spew(f->v.path, out.p, out.n);
    bytes_free(&out);
}

static void put_together(const forgery *f) { put_together_with(f, NULL); }

static void forgery_free(forgery *f)
{
    for (size_t i = 0; i < f->count; i++)
        for (unsigned k = 0; k < STREAMS; k++)
            free(f->frame[i].stream[k]);
    victim_free(&f->v);
}

/* Whatever it says, reading it ends, with at most as many cycles as it claims, and shows
 * nothing that the geometry does not have. */
static bool survives(const forgery *f, bool salvage)
{
    trace_err err;
    uint8_t cls;
    bool ok = true;
    trace_reader *r = trace_open(f->v.path, &(trace_open_options){.salvage = salvage}, &err);
    if (!r)
        return false;
    const trace_geometry *g = &trace_get_meta(r)->geometry;
    for (unsigned i = 0; i < trace_num_sms(r); i++) {
        const sm_obs *o;
        uint64_t n = 0;
        assert_true(trace_select_sm(r, trace_get_sm(r, i)->sm, &err));
        while ((o = trace_next(r, &err))) {
            assert_true(++n <= trace_get_sm(r, i)->cycles);
            const uint64_t warps = o->ws[0] | o->ws[1] | o->ws[2] | o->ws[3] | o->paused;
            assert_int_equal(warps & ~low_bits(g->warps), 0);
            assert_int_equal(reserved_states(o->ws), 0);
            assert_int_equal((o->cta_active | o->cta_start | o->cta_done) & ~low_bits(g->slots), 0);
            for (unsigned w = 0; w < g->warps; w++)
                assert_true(o->warp_slot[w] < g->slots);
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

static void test_reassembled_frames_are_the_recording(void **state)
{
    (void)state;
    forgery f;
    victim_make(&f.v, &brief);
    take_apart(&f);
    put_together(&f);
    fixture_expect(f.v.path, f.v.rec);
    forgery_free(&f);
}

static void test_forged_streams_with_right_checksums_are_survived(void **state)
{
    (void)state;
    forgery f;
    uint32_t rnd = 5;
    victim_make(&f.v, &brief);
    take_apart(&f);
    for (size_t i = 0; i < f.count; i++)
        for (unsigned k = 0; k < STREAMS; k++)
            for (uint32_t at = 0; at < f.frame[i].h.sizes.raw[k]; at++) {
                uint8_t *p = &f.frame[i].stream[k][at];
                const uint8_t was = *p;
                *p ^= (uint8_t)(1 + fixture_random(&rnd, 255));
                put_together(&f);
                survives(&f, false);
                *p = was;
            }
    forgery_free(&f);
}

/* Streams that end early or are longer than the cycles need; new states and the warps that
 * they belong to have to stay equally many. */
static void forge_length(forgery *f, size_t frame, unsigned k, int more)
{
    frame_sizes *z = &f->frame[frame].h.sizes;
    const frame_sizes was = *z;
    if ((int64_t)z->raw[k] + more < 0)
        return;
    z->raw[k] = (uint32_t)((int)z->raw[k] + more);
    if (k == STREAM_WARPS)
        z->raw[STREAM_STATES] = z->raw[k];
    put_together(f);
    if (survives(f, false))
        fail_msg("frame %zu, stream %u, %d bytes: goes unnoticed", frame, k, more);
    *z = was;
}

static void test_forged_stream_lengths_with_right_checksums_are_noticed(void **state)
{
    (void)state;
    forgery f;
    victim_make(&f.v, &brief);
    take_apart(&f);
    for (size_t i = 0; i < f.count; i++)
        for (unsigned k = 0; k < STREAM_CLASSES; k++)
            for (int more = -9; more <= 1; more++)
                if (more)
                    forge_length(&f, i, k, more);
    forgery_free(&f);
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
static void forge_flags(frame_header *h) { h->d.flags ^= 4; }
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
    forgery f;
    victim_make(&f.v, shape);
    take_apart(&f);
    const size_t i = f.count - 1; /* has a frame of its SM before it */
    for (size_t k = 0; k < sizeof forge / sizeof forge[0]; k++) {
        const frame_header was = f.frame[i].h;
        forge[k](&f.frame[i].h);
        put_together(&f);
        const bool plain = survives(&f, false);
        if (plain)
            fail_msg("forgery %zu goes unnoticed", k);
        survives(&f, true);
        f.frame[i].h = was;
    }
    forgery_free(&f);
}

static void test_forged_frame_headers_with_right_checksums_are_noticed(void **state)
{
    (void)state;
    forge_headers(&brief);
    forge_headers(&quiet);
}

static void index_offset(frame_ref *ref) { ref->offset++; }
static void index_bytes(frame_ref *ref) { ref->bytes = UINT32_MAX; }
static void index_instructions(frame_ref *ref) { ref->d.frame_instructions++; }
static void index_ctas(frame_ref *ref) { ref->d.frame_ctas++; }
static void index_cycles(frame_ref *ref) { ref->d.cycles++; }
static void index_sm(frame_ref *ref) { ref->d.sm = FIXTURE_SMS; }

static void test_an_index_that_contradicts_its_frames_is_noticed(void **state)
{
    (void)state;
    static forge_ref_fn *const forge[] = {index_offset, index_bytes,  index_instructions,
                                          index_ctas,   index_cycles, index_sm};
    forgery f;
    victim_make(&f.v, &quiet);
    take_apart(&f);
    for (size_t k = 0; k < sizeof forge / sizeof forge[0]; k++) {
        put_together_with(&f, forge[k]);
        if (survives(&f, false))
            fail_msg("forgery %zu goes unnoticed", k);
    }
    forgery_free(&f);
}

static void test_arbitrary_bytes_behind_a_good_header_are_survived(void **state)
{
    (void)state;
    forgery f;
    uint32_t rnd = 99;
    victim_make(&f.v, &brief);
    f.count = 0;
    const size_t header = get_u32(f.v.file + 12);
    for (unsigned n = 0; n < 500; n++) {
        for (size_t at = header; at < f.v.n; at++)
            f.v.file[at] = (uint8_t)fixture_random(&rnd, 256);
        if (n % 2)
            put_at(f.v.file + header, FRAME_MAGIC, 4);
        if (n % 4 == 3)
            put_at(f.v.file + header + 4, f.v.n - header - 1, 4);
        fixture_spew(f.v.path, f.v.file, f.v.n);
        assert_false(survives(&f, false));
        assert_false(survives(&f, true));
    }
    forgery_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_truncation_is_refused_and_names_an_offset),
        cmocka_unit_test(test_a_flipped_bit_in_any_byte_is_noticed),
        cmocka_unit_test(test_salvage_of_any_truncation_replays_exactly_the_intact_frames),
        cmocka_unit_test(test_salvage_of_any_flipped_byte_replays_exactly_the_frames_before),
        cmocka_unit_test(test_salvage_of_an_intact_file_reads_all_and_reports_nothing),
        cmocka_unit_test(test_bytes_after_the_end_are_noticed),
        cmocka_unit_test(test_a_missing_frame_is_noticed),
        cmocka_unit_test(test_empty_foreign_and_text_mode_files_are_told_apart),
        cmocka_unit_test(test_another_version_is_named),
        cmocka_unit_test(test_oversized_claims_are_refused_without_allocating_for_them),
        cmocka_unit_test(test_reassembled_frames_are_the_recording),
        cmocka_unit_test(test_forged_streams_with_right_checksums_are_survived),
        cmocka_unit_test(test_forged_stream_lengths_with_right_checksums_are_noticed),
        cmocka_unit_test(test_forged_frame_headers_with_right_checksums_are_noticed),
        cmocka_unit_test(test_an_index_that_contradicts_its_frames_is_noticed),
        cmocka_unit_test(test_arbitrary_bytes_behind_a_good_header_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
