/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged files: always a clear error, never a crash, never other data than
 * what was recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/format.h"
#include "recording/trace_fixture.h"

enum { MAX_FRAMES = 64 };

/* Byte offset at which a frame ends, and the cycles in the file up to there. */
typedef struct frame_end {
    size_t offset;
    uint64_t cycles;
} frame_end;

/* A recording of a few frames and cuts in a few KiB, its file, and a path for damaged copies. */
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

static void victim_make(victim *v)
{
    static const fixture_piece pieces[] = {{0, 20}, {40, 50}, {20, 50}, {60, 80}, {90, 100}, {70, 100}};
    v->rec = fixture_make(&(fixture_shape){.warps = 10, .slots = 3, .cycles = 120, .launches = 2,
                                           .classes = true, .busy = 400}, 21);
    fixture_rearrange(v->rec, pieces, sizeof pieces / sizeof pieces[0]);
    snprintf(v->path, sizeof v->path, "%s", fixture_path("damage"));
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

/* Reads everything. Returns whether it came to the end without an error (the first one is in
 * *err); asserts that all that it did deliver is as recorded, and adds the number of cycles to
 * *cycles. */
static bool read_all(const victim *v, trace_reader *r, uint64_t *cycles, trace_err *err)
{
    trace_err first = {.text = ""};
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
        if (err->text[0])
            expect_one_line(err, v->path);
        if (!first.text[0])
            first = *err;
    }
    *err = first;
    return !first.text[0];
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

TEST(every_truncation_is_refused_and_names_an_offset)
{
    victim v;
    victim_make(&v);
    for (size_t n = 0; n < v.n; n++) {
        fixture_spew(v.path, v.file, n);
        trace_err err;
        assert_null(trace_open(v.path, NULL, &err));
        expect_one_line(&err, v.path);
        assert_true(err.offset <= n);
    }
    victim_free(&v);
}

TEST(a_flipped_bit_in_any_byte_is_noticed)
{
    victim v;
    victim_make(&v);
    for (size_t at = 0; at < v.n; at++) {
        v.file[at] ^= (uint8_t)(1u << at % 8);
        fixture_spew(v.path, v.file, v.n);
        expect_noticed(&v, at);
        v.file[at] ^= (uint8_t)(1u << at % 8);
    }
    victim_free(&v);
}

TEST(salvage_of_any_truncation_replays_exactly_the_intact_frames)
{
    victim v;
    victim_make(&v);
    for (size_t n = 0; n < v.n; n++) {
        fixture_spew(v.path, v.file, n);
        expect_salvaged(&v, n);
    }
    victim_free(&v);
}

TEST(salvage_of_any_flipped_byte_replays_exactly_the_frames_before)
{
    victim v;
    victim_make(&v);
    const size_t header = get_u32(v.file + 12);
    for (size_t at = 0; at < v.n; at++) {
        v.file[at] ^= 0xff;
        fixture_spew(v.path, v.file, v.n);
        expect_salvaged(&v, at < header ? 0 : at);
        v.file[at] ^= 0xff;
    }
    victim_free(&v);
}

TEST(salvage_of_an_intact_file_reads_all_and_reports_nothing)
{
    victim v;
    trace_err err;
    uint64_t cycles = 0;
    victim_make(&v);
    trace_reader *r = trace_open(v.path, &(trace_open_options){.salvage = true}, &err);
    assert_non_null(r);
    assert_string_equal(err.text, "");
    assert_true(read_all(&v, r, &cycles, &err));
    assert_int_equal(cycles, all_cycles(&v));
    trace_close(r);
    victim_free(&v);
}

TEST(bytes_after_the_end_are_noticed)
{
    victim v;
    trace_err err;
    victim_make(&v);
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

TEST(a_missing_frame_is_noticed)
{
    victim v;
    victim_make(&v);
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

TEST(empty_foreign_and_text_mode_files_are_told_apart)
{
    victim v;
    uint8_t zeros[100] = {0};
    victim_make(&v);
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

TEST(another_version_is_named)
{
    victim v;
    victim_make(&v);
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

TEST(oversized_claims_are_refused_without_allocating_for_them)
{
    victim v;
    victim_make(&v);
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
