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

static victim v; /* of the test that runs */
static trace_err err;

static void find_frames(void)
{
    size_t at = get_u32(v.file + 12);
    uint64_t cycles = 0;
    for (v.frames = 0; get_u32(v.file + at) == FRAME_MAGIC; v.frames++) {
        frame_header h;
        format_get_frame_header(v.file + at, &h, v.rec->meta.geometry.warps);
        at += h.bytes;
        cycles += h.d.cycles;
        v.end[v.frames] = (frame_end){at, cycles};
    }
}

static int victim_make(void **state)
{
    static const fixture_piece pieces[] = {{0, 20}, {40, 50}, {20, 50}, {60, 80}, {90, 100}, {70, 100}};
    v.rec = fixture_make(&(fixture_shape){.warps = 10, .slots = 3, .cycles = 120, .launches = 2,
                                           .classes = true, .busy = 400}, 21);
    fixture_rearrange(v.rec, pieces, sizeof pieces / sizeof pieces[0]);
    snprintf(v.path, sizeof v.path, "%s", fixture_path("damage"));
    fixture_write(v.rec, v.path);
    v.file = fixture_slurp(v.path, &v.n);
    find_frames();
    (void)state;
    return 0;
}

static int victim_free(void **state)
{
    remove(v.path);
    fixture_free(v.rec);
    free(v.file);
    (void)state;
    return 0;
}

/* A damaged copy: the file as it is in memory, or its beginning. */
static void spew(size_t n)
{
    fixture_spew(v.path, v.file, n);
}

static void expect_one_line(void)
{
    assert_int_equal(strncmp(err.text, v.path, strlen(v.path)), 0);
    assert_null(strchr(err.text, '\n'));
    assert_non_null(strchr(err.text, ';')); /* what to do */
}

/* Reads everything. Returns whether it came to the end without an error (the first one is in
 * err); asserts that all that it did deliver is as recorded, and adds the number of cycles to
 * *cycles. */
static bool read_all(trace_reader *r, uint64_t *cycles)
{
    trace_err first = {.text = ""};
    for (unsigned k = 0; k < trace_num_sms(r); k++) {
        const unsigned sm = trace_get_sm(r, k)->sm;
        const sm_obs *obs;
        size_t i = 0;
        assert_true(trace_select_sm(r, sm, &err));
        for (; (obs = trace_next(r, &err)); i++) {
            assert_true(i < v.rec->sm[sm].count);
            uint8_t cls;
            if (!trace_recorded_class(r, &cls, &err))
                break;
            fixture_same(r, obs, &v.rec->sm[sm].sample[i], v.rec->meta.geometry.warps);
        }
        *cycles += i;
        if (err.text[0])
            expect_one_line();
        if (!first.text[0])
            first = err;
    }
    err = first;
    return !first.text[0];
}

static uint64_t all_cycles(void)
{
    uint64_t n = 0;
    for (unsigned sm = 0; sm < FIXTURE_SMS; sm++)
        n += v.rec->sm[sm].count;
    return n;
}

/* The damage is noticed, at the latest when all has been read, and named. */
static void expect_noticed(size_t at)
{
    uint64_t cycles = 0;
    trace_reader *r = trace_open(v.path, NULL, &err);
    if (!r) {
        expect_one_line();
        if (err.offset == UINT64_MAX || err.offset > at)
            fail_msg("damage at byte %zu is reported as \"%s\"", at, err.text);
        return;
    }
    const bool ok = read_all(r, &cycles);
    trace_close(r);
    if (ok)
        fail_msg("damage at byte %zu goes unnoticed", at);
}

/* Salvaging gives exactly the frames before byte `at`. */
static void expect_salvaged(size_t at)
{
    uint64_t want = 0, got = 0;
    for (size_t i = 0; i < v.frames && v.end[i].offset <= at; i++)
        want = v.end[i].cycles;
    trace_reader *r = trace_open(v.path, &(trace_open_options){.salvage = true}, &err);
    if (!r) {
        expect_one_line();
        assert_int_equal(want, 0);
        return;
    }
    expect_one_line();
    assert_true(err.offset <= at);
    assert_true(read_all(r, &got));
    if (got != want)
        fail_msg("damage at byte %zu: %llu cycles salvaged, not %llu", at,
                 (unsigned long long)got, (unsigned long long)want);
    trace_close(r);
}

/* ---- accidents ------------------------------------------------------------------ */

TEST_BETWEEN(every_truncation_is_noticed_and_salvaged, victim_make, victim_free)
{
    for (size_t n = 0; n < v.n; n++) {
        spew(n);
        assert_null(trace_open(v.path, NULL, &err));
        expect_one_line();
        assert_true(err.offset <= n);
        expect_salvaged(n);
    }
}

TEST_BETWEEN(every_flipped_bit_or_byte_is_noticed_and_salvaged, victim_make, victim_free)
{
    const size_t header = get_u32(v.file + 12);
    for (size_t at = 0; at < v.n; at++)
        for (unsigned byte = 0; byte < 2; byte++) {
            const uint8_t flipped = byte ? 0xff : (uint8_t)(1u << at % 8);
            v.file[at] ^= flipped;
            spew(v.n);
            expect_noticed(at);
            expect_salvaged(at < header ? 0 : at);
            v.file[at] ^= flipped;
        }
}

TEST_BETWEEN(salvage_of_an_intact_file_reads_all_and_reports_nothing, victim_make, victim_free)
{
    uint64_t cycles = 0;
    trace_reader *r = trace_open(v.path, &(trace_open_options){.salvage = true}, &err);
    assert_non_null(r);
    assert_string_equal(err.text, "");
    assert_true(read_all(r, &cycles));
    assert_int_equal(cycles, all_cycles());
    trace_close(r);
}

TEST_BETWEEN(bytes_after_the_end_are_noticed, victim_make, victim_free)
{
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
}

TEST_BETWEEN(a_missing_frame_is_noticed, victim_make, victim_free)
{
    for (size_t i = 0; i + 1 < v.frames; i++) { /* frame i + 1 is cut out */
        const size_t from = v.end[i].offset, to = v.end[i + 1].offset, gone = to - from;
        uint8_t *shorter = malloc(v.n);
        assert_non_null(shorter);
        memcpy(shorter, v.file, from);
        memcpy(shorter + from, v.file + to, v.n - to);
        fixture_spew(v.path, shorter, v.n - gone);
        expect_noticed(v.n);
        free(shorter);
    }
}

/* ---- not what it claims to be --------------------------------------------------- */

static void expect_open_error(const char *why, uint64_t offset)
{
    assert_null(trace_open(v.path, NULL, &err));
    expect_one_line();
    fixture_says(&err, why);
    assert_int_equal(err.offset, offset);
}

TEST_BETWEEN(empty_foreign_and_text_mode_files_are_told_apart, victim_make, victim_free)
{
    uint8_t zeros[100] = {0};
    spew(0);
    expect_open_error("empty", 0);
    spew(20);
    expect_open_error("too short", 20);
    fixture_spew(v.path, zeros, sizeof zeros);
    expect_open_error("not a Ballast trace", 0);
    v.file[4] = '\n'; /* CR LF after a transfer in text mode */
    spew(v.n);
    expect_open_error("text mode", 0);
}

TEST_BETWEEN(another_version_is_named, victim_make, victim_free)
{
    v.file[8] = 7;
    spew(v.n);
    expect_open_error("version 7, this reader knows versions 1 to 2", 8);
    v.file[8] = 0;
    spew(v.n);
    expect_open_error("version 0, this reader knows versions 1 to 2", 8);
}

static void put_at(uint8_t *p, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

TEST_BETWEEN(oversized_claims_are_refused_without_allocating_for_them, victim_make, victim_free)
{
    const size_t header = get_u32(v.file + 12);
    uint8_t *const footer = v.file + v.n - FOOTER_BYTES;
    put_at(v.file + 12, UINT32_MAX, 4); /* header length */
    spew(v.n);
    expect_open_error("header claims a length", 12);
    put_at(v.file + 12, header, 4);

    const uint64_t index_bytes = get_u64(footer + 16);
    put_at(footer + 16, UINT64_MAX - 7, 8);
    bytes sealed = {0};
    put_raw(&sealed, v.file, v.n - CHECKSUM_BYTES);
    format_put_checksum(&sealed, v.n - FOOTER_BYTES);
    fixture_spew(v.path, sealed.p, sealed.n);
    expect_open_error("footer is damaged", v.n - 16);
    bytes_free(&sealed);
    put_at(footer + 16, index_bytes, 8);

    put_at(v.file + header + 4, UINT32_MAX, 4); /* bytes of the first frame */
    spew(v.n);
    uint64_t cycles = 0;
    trace_reader *r = trace_open(v.path, NULL, &err);
    assert_true(!r || !read_all(r, &cycles));
    assert_int_equal(err.offset, header);
    trace_close(r);
}
