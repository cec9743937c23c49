/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces that are written and read as they should be, and the writer's contract.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "recording/trace_fixture.h"

static const fixture_shape small = {
    .warps = 48, .slots = 8, .cycles = 3000, .launches = 3, .classes = true, .busy = 500};

/* ---- what is written is read ---------------------------------------------------- */

/* Frees rec. */
static void expect_reads_back(recording *rec)
{
    const char *path = fixture_path("round_trip");
    fixture_write(rec, path);
    fixture_expect(path, rec);
    remove(path);
    fixture_free(rec);
}

static void round_trip(const fixture_shape *shape, uint32_t seed)
{
    expect_reads_back(fixture_make(shape, seed));
}

static void test_random_trace_of_48_warps_reads_back_equal(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 5; seed++)
        round_trip(&small, seed);
}

static void test_random_trace_of_64_warps_and_32_slots_reads_back_equal(void **state)
{
    (void)state;
    round_trip(&(fixture_shape){.warps = 64, .slots = 32, .cycles = 3000, .launches = 4,
                                .classes = true, .busy = 800}, 11);
}

static void test_odd_geometry_reads_back_equal(void **state)
{
    (void)state;
    round_trip(&(fixture_shape){.warps = 9, .slots = 3, .cycles = 500, .launches = 1, .busy = 900}, 3);
}

static void test_several_frames_of_busy_and_of_quiet_cycles_read_back_equal(void **state)
{
    (void)state;
    round_trip(&(fixture_shape){.warps = 48, .slots = 8, .cycles = 40000, .launches = 2,
                                .classes = true, .busy = 950}, 4);
    round_trip(&(fixture_shape){.warps = 48, .slots = 8, .cycles = 40000, .launches = 1,
                                .classes = true, .busy = 4}, 5);
}

static trace_reader *write_and_open(const recording *rec, const char *path)
{
    trace_err err;
    fixture_write(rec, path);
    trace_reader *r = trace_open(path, NULL, &err);
    assert_non_null(r);
    assert_string_equal(err.text, "");
    return r;
}

static void test_header_reads_back_equal(void **state)
{
    (void)state;
    recording *rec = fixture_make(&small, 1);
    const char *path = fixture_path("header");
    trace_reader *r = write_and_open(rec, path);
    const trace_meta *m = trace_get_meta(r);
    assert_memory_equal(&m->geometry, &rec->meta.geometry, sizeof m->geometry);
    assert_string_equal(m->kernel, rec->meta.kernel);
    assert_string_equal(m->config, rec->meta.config);
    assert_string_equal(m->recorder, rec->meta.recorder);
    assert_int_equal(m->config_limit, 3);
    assert_int_equal(m->num_launches, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(m->launches[i].name, rec->launches[i].name);
        assert_int_equal(m->launches[i].start_cycle, rec->launches[i].start_cycle);
        assert_int_equal(m->launches[i].limit, rec->launches[i].limit);
        assert_int_equal(m->launches[i].desc.warps_per_cta, rec->launches[i].desc.warps_per_cta);
    }
    assert_true(trace_has_class(r));
    trace_close(r);
    remove(path);
    fixture_free(rec);
}

static void test_totals_of_each_sm_are_what_its_cycles_add_up_to(void **state)
{
    (void)state;
    recording *rec = fixture_make(&small, 2);
    const char *path = fixture_path("totals");
    trace_reader *r = write_and_open(rec, path);
    for (unsigned i = 0; i < trace_num_sms(r); i++) {
        const trace_sm_info *info = trace_get_sm(r, i);
        assert_int_equal(info->sm, i);
        const sm_recording *sm = &rec->sm[info->sm];
        uint64_t instructions = 0, ctas = 0;
        for (size_t k = 0; k < sm->count; k++)
            if (k + 1 == sm->count || sm->sample[k + 1].obs.kernel_start) {
                instructions += sm->sample[k].instructions;
                ctas += sm->sample[k].ctas;
            }
        assert_int_equal(info->cycles, sm->count);
        assert_int_equal(info->first_cycle, sm->sample[0].cycle);
        assert_int_equal(info->instructions, instructions);
        assert_int_equal(info->ctas_done, ctas);
    }
    trace_close(r);
    remove(path);
    fixture_free(rec);
}

static void test_classes_may_be_absent_and_are_then_never_found(void **state)
{
    (void)state;
    trace_err err;
    uint8_t cls = 0;
    fixture_shape shape = small;
    shape.classes = false;
    recording *rec = fixture_make(&shape, 2);
    const char *path = fixture_path("no_class");
    trace_reader *r = write_and_open(rec, path);
    assert_false(trace_has_class(r));
    assert_non_null(trace_next(r, &err));
    assert_true(trace_recorded_class(r, &cls, &err));
    assert_int_equal(cls, TRACE_NO_CLASS);
    trace_close(r);
    remove(path);
    fixture_free(rec);
}

/* ---- seeking -------------------------------------------------------------------- */

enum { LAUNCHES = 3, FRAME = 16384 }; /* a launch has more than one frame */

/* 60000 cycles of three launches; SM 0 jumps in the first and the third. */
static recording *make_jumping(void)
{
    static const fixture_piece pieces[] = {{0, 3000},      {9000, 9400},   {500, 501},
                                           {2000, 18599},  {20000, 40000}, {40000, 41000},
                                           {55000, 55001}, {41000, 59999}};
    recording *rec = fixture_make(&(fixture_shape){.warps = 48, .slots = 8, .cycles = 60000,
                                                   .launches = LAUNCHES, .classes = true, .busy = 200}, 9);
    fixture_rearrange(rec, pieces, sizeof pieces / sizeof pieces[0]);
    return rec;
}

typedef struct seeker {
    recording *rec;
    trace_reader *r;
    const char *path;
    uint32_t rnd;
} seeker;

static void seeker_open(seeker *s)
{
    s->rec = make_jumping();
    s->path = fixture_path("seek");
    s->rnd = 77;
    s->r = write_and_open(s->rec, s->path);
}

static void seeker_close(seeker *s)
{
    trace_close(s->r);
    remove(s->path);
    fixture_free(s->rec);
}

/* What follows a seek is what linear reading finds from sample `i` on. */
static void expect_from(seeker *s, unsigned sm, size_t i)
{
    trace_err err;
    const sm_recording *rec = &s->rec->sm[sm];
    for (size_t end = i + 3; i < end && i < rec->count; i++)
        fixture_same(s->r, trace_next(s->r, &err), &rec->sample[i], 48);
}

static unsigned choose_sm(seeker *s)
{
    trace_err err;
    const unsigned sm = fixture_random(&s->rnd, FIXTURE_SMS);
    assert_true(trace_select_sm(s->r, sm, &err));
    return sm;
}

/* A sample just before, at or just after the beginning of a frame: the first cut after a random
 * sample of from..to-1; where there is none, the second frame of the launch (or of the stream)
 * that begins with sample `from`. */
static size_t near_frame_edge(seeker *s, const sm_recording *sm, size_t from, size_t to)
{
    size_t edge = from + 1 + fixture_random(&s->rnd, (uint32_t)(to - from - 1));
    while (edge < to && !sm->sample[edge].cut)
        edge++;
    if (edge == to)
        edge = from + FRAME;
    return edge - 2 + fixture_random(&s->rnd, 4);
}

static void test_seek_to_a_cycle_equals_linear_reading(void **state)
{
    (void)state;
    seeker s;
    trace_err err;
    seeker_open(&s);
    for (unsigned n = 0; n < 60; n++) {
        const unsigned sm = choose_sm(&s);
        for (unsigned k = 0; k < 4; k++) { /* also within a loaded frame, back and forth */
            const sm_recording *rec = &s.rec->sm[sm];
            const size_t i = k % 2 ? fixture_random(&s.rnd, (uint32_t)rec->count)
                                   : near_frame_edge(&s, rec, sm == 2 ? 5 : 0, rec->count);
            assert_true(trace_seek_cycle(s.r, rec->sample[i].cycle, &err));
            expect_from(&s, sm, i);
        }
    }
    seeker_close(&s);
}

/* The range of samples that belong to a launch. */
static void range_of(const sm_recording *sm, unsigned launch, size_t *from, size_t *to)
{
    for (*from = 0; *from < sm->count && sm->sample[*from].launch != launch;)
        ++*from;
    for (*to = *from; *to < sm->count && sm->sample[*to].launch == launch;)
        ++*to;
}

static void test_seek_to_a_launch_equals_linear_reading(void **state)
{
    (void)state;
    seeker s;
    trace_err err;
    seeker_open(&s);
    for (unsigned n = 0; n < 60; n++) {
        size_t from, to;
        const unsigned sm = choose_sm(&s), launch = fixture_random(&s.rnd, LAUNCHES);
        range_of(&s.rec->sm[sm], launch, &from, &to);
        assert_true(trace_seek_launch(s.r, launch, &err));
        expect_from(&s, sm, from);
    }
    seeker_close(&s);
}

typedef bool seek_progress_fn(trace_reader *r, unsigned launch, uint64_t target, trace_err *err);
typedef uint64_t progress_fn(const sample *s);

static uint64_t instructions_of(const sample *s) { return s->instructions; }
static uint64_t ctas_of(const sample *s) { return s->ctas; }

static void seek_to_progress(seek_progress_fn *seek, progress_fn *progress)
{
    seeker s;
    trace_err err;
    seeker_open(&s);
    for (unsigned n = 0; n < 120; n++) {
        size_t from, to;
        const unsigned sm = choose_sm(&s), launch = fixture_random(&s.rnd, LAUNCHES);
        const sm_recording *rec = &s.rec->sm[sm];
        range_of(rec, launch, &from, &to);
        const uint64_t all = progress(&rec->sample[to - 1]);
        const uint64_t target = n % 2 ? fixture_random(&s.rnd, (uint32_t)all + 5)
                                      : progress(&rec->sample[near_frame_edge(&s, rec, from, to)]);
        assert_true(seek(s.r, launch, target, &err));
        while (from < to - 1 && progress(&rec->sample[from]) < target)
            from++;
        expect_from(&s, sm, from);
    }
    seeker_close(&s);
}

static void test_seek_to_instructions_equals_linear_reading(void **state)
{
    (void)state;
    seek_to_progress(trace_seek_instructions, instructions_of);
}

static void test_seek_to_ctas_equals_linear_reading(void **state)
{
    (void)state;
    seek_to_progress(trace_seek_ctas, ctas_of);
}

static void test_seek_outside_the_recording_is_refused_and_moves_nothing(void **state)
{
    (void)state;
    seeker s;
    trace_err err;
    seeker_open(&s);
    assert_true(trace_select_sm(s.r, 0, &err));
    for (size_t i = 0; i < 10; i++)
        fixture_same(s.r, trace_next(s.r, &err), &s.rec->sm[0].sample[i], 48);
    assert_false(trace_seek_cycle(s.r, 999, &err));
    assert_false(trace_seek_cycle(s.r, 1000 + s.rec->sm[0].count, &err));
    assert_false(trace_seek_cycle(s.r, UINT64_MAX, &err));
    assert_non_null(strstr(err.text, "SM 0 has no cycle"));
    assert_false(trace_seek_launch(s.r, 4, &err));
    assert_false(trace_seek_ctas(s.r, UINT32_MAX, 0, &err));
    assert_non_null(strstr(err.text, "launch"));
    assert_false(trace_select_sm(s.r, FIXTURE_SMS, &err));
    fixture_same(s.r, trace_next(s.r, &err), &s.rec->sm[0].sample[10], 48);
    seeker_close(&s);
}

static void test_selecting_an_sm_rewinds_it(void **state)
{
    (void)state;
    seeker s;
    trace_err err;
    seeker_open(&s);
    for (unsigned n = 0; n < 3; n++) {
        const unsigned sm = n % 2;
        assert_true(trace_select_sm(s.r, sm, &err));
        expect_from(&s, sm, 0);
        assert_true(trace_seek_cycle(s.r, s.rec->sm[sm].sample[40000].cycle, &err));
    }
    seeker_close(&s);
}

/* ---- cuts ----------------------------------------------------------------------- */

static void test_a_stream_with_cuts_reads_back_equal_and_its_progress_goes_on(void **state)
{
    (void)state;
    expect_reads_back(make_jumping());
}

static void test_a_cut_at_a_kernel_start_reads_back_equal(void **state)
{
    (void)state;
    static const fixture_piece pieces[] = {{0, 600}, {100, 500}, {1000, 3000}};
    recording *rec = fixture_make(&small, 8);
    fixture_rearrange(rec, pieces, 3);
    assert_true(rec->sm[0].sample[1000].cut && rec->sm[0].sample[1000].obs.kernel_start);
    expect_reads_back(rec);
}

/* Also: what the writer says to follow it takes, and without the cut it refuses the rest. */
static void test_exactly_the_cycles_after_a_jump_do_not_follow(void **state)
{
    (void)state;
    static const fixture_piece pieces[] = {{0, 300}, {600, 900}, {200, 600}};
    trace_err err;
    recording *rec = fixture_make(&small, 8);
    fixture_rearrange(rec, pieces, 3);
    for (unsigned skip = 0; skip <= 2; skip++) { /* the first, the second, no cut */
        unsigned cuts = 0;
        trace_writer *w = trace_writer_open(fixture_path("follows"), &rec->meta, &err);
        assert_non_null(w);
        for (size_t i = 0; i < rec->sm[0].count; i++) {
            const sample *s = &rec->sm[0].sample[i];
            assert_int_equal(trace_writer_follows(w, 0, &s->obs), !s->cut);
            if (s->cut && cuts++ == skip) {
                assert_false(trace_writer_cycle(w, 0, s->cycle, &s->obs, s->cls, &err));
                break;
            }
            assert_true(!s->cut || trace_writer_cut(w, 0, &err));
            assert_true(trace_writer_follows(w, 0, &s->obs));
            assert_true(trace_writer_cycle(w, 0, s->cycle, &s->obs, s->cls, &err));
        }
        assert_int_equal(cuts, skip < 2 ? skip + 1 : 2);
        trace_writer_abort(w);
    }
    fixture_free(rec);
}

/* Before the first cycle, after the last one, and twice in a row. */
static void test_needless_cuts_change_nothing(void **state)
{
    (void)state;
    static const fixture_piece pieces[] = {{0, 300}, {600, 900}};
    trace_err err;
    size_t n[2];
    uint8_t *file[2];
    recording *rec = fixture_make(&small, 8);
    fixture_rearrange(rec, pieces, 2);
    for (unsigned needless = 0; needless < 2; needless++) {
        const char *path = fixture_path("needless");
        trace_writer *w = trace_writer_open(path, &rec->meta, &err);
        assert_non_null(w);
        assert_true(!needless || trace_writer_cut(w, 0, &err));
        for (size_t i = 0; i < rec->sm[0].count; i++) {
            const sample *s = &rec->sm[0].sample[i];
            for (unsigned cuts = s->cut ? 1 + needless : 0; cuts > 0; cuts--)
                assert_true(trace_writer_cut(w, 0, &err));
            assert_true(trace_writer_cycle(w, 0, s->cycle, &s->obs, s->cls, &err));
        }
        assert_true(!needless || trace_writer_cut(w, 0, &err));
        assert_true(trace_writer_close(w, &err));
        file[needless] = fixture_slurp(path, &n[needless]);
        remove(path);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(file[0], file[1], n[0]);
    free(file[0]);
    free(file[1]);
    fixture_free(rec);
}

/* ---- the writer's contract ------------------------------------------------------ */

/* Ten good cycles and then one that `spoil` has changed: refused, and no file is left. */
typedef struct spoiled {
    sm_obs obs;
    sm_setup setup;
    unsigned sm;
    uint64_t cycle;
    uint8_t cls;
} spoiled;

static void expect_refused(void (*spoil)(spoiled *), const char *why)
{
    trace_err err;
    recording *rec = fixture_make(&small, 6);
    const char *path = fixture_path("contract");
    char tmp[600];
    snprintf(tmp, sizeof tmp, "%s.tmp", path);
    trace_writer *w = trace_writer_open(path, &rec->meta, &err);
    assert_non_null(w);
    for (size_t i = 0; i < 10; i++) {
        const sample *s = &rec->sm[0].sample[i];
        assert_true(trace_writer_cycle(w, 0, s->cycle, &s->obs, s->cls, &err));
    }
    const sample *s = &rec->sm[0].sample[10];
    spoiled bad = {.obs = s->obs, .setup = s->setup, .cycle = s->cycle, .cls = s->cls};
    bad.obs.setup = &bad.setup;
    spoil(&bad);
    assert_false(trace_writer_cycle(w, bad.sm, bad.cycle, &bad.obs, bad.cls, &err));
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    assert_null(strchr(err.text, '\n'));
    assert_false(trace_writer_cycle(w, 0, s->cycle, &s->obs, s->cls, &err)); /* no way back */
    assert_false(trace_writer_close(w, &err));
    assert_false(fixture_exists(path));
    assert_false(fixture_exists(tmp));
    fixture_free(rec);
}

static void skip_a_cycle(spoiled *s) { s->cycle++; }
static void repeat_a_cycle(spoiled *s) { s->cycle--; }
static void unknown_sm(spoiled *s) { s->sm = FIXTURE_SMS; }
static void reserved_state(spoiled *s) { sm_obs_set_warp_state(&s->obs, 3, 11); }
static void warp_48(spoiled *s) { s->obs.ws[0] |= UINT64_C(1) << 48; }
static void pause_warp_63(spoiled *s) { s->obs.paused |= UINT64_C(1) << 63; }
static void too_many_issue(spoiled *s)
{
    for (unsigned w = 0; w < 3; w++)
        sm_obs_set_warp_state(&s->obs, w, WARP_ISSUED_ALU);
}
static void slot_8(spoiled *s) { s->obs.cta_start |= 1u << 8; }
static void active_without_start(spoiled *s) { s->obs.cta_active ^= 0x80; }
static void start_in_occupied_slot(spoiled *s)
{
    const uint32_t occupied = s->obs.cta_active & ~s->obs.cta_start & ~s->obs.cta_done;
    assert_true(occupied);
    s->obs.cta_start |= occupied;
}
static void done_in_empty_slot(spoiled *s) { s->obs.cta_done |= 0xff & ~s->obs.cta_active; }
static void warp_moves(spoiled *s) { s->setup.warp_slot[7] = (uint8_t)((s->setup.warp_slot[7] + 1) % 8); }
static void warp_in_slot_8(spoiled *s) { s->setup.warp_slot[7] = 8; }
static void early_start(spoiled *s) { s->obs.kernel_start = 1; }
static void other_kernel(spoiled *s) { s->setup.kernel.nmax--; }
static void class_4(spoiled *s) { s->cls = 4; }

static void test_writer_refuses_gaps_and_repeated_cycles(void **state)
{
    (void)state;
    expect_refused(skip_a_cycle, "not the cycle after");
    expect_refused(repeat_a_cycle, "not the cycle after");
}

static void test_writer_refuses_what_the_geometry_does_not_have(void **state)
{
    (void)state;
    expect_refused(unknown_sm, "no such SM");
    expect_refused(warp_48, "warp slot beyond");
    expect_refused(pause_warp_63, "warp slot beyond");
    expect_refused(slot_8, "CTA slot beyond");
    expect_refused(warp_in_slot_8, "CTA slot beyond");
    expect_refused(too_many_issue, "issue width");
}

static void test_writer_refuses_reserved_states_and_classes(void **state)
{
    (void)state;
    expect_refused(reserved_state, "reserved");
    expect_refused(class_4, "class");
}

static void test_writer_refuses_what_the_reader_would_derive_differently(void **state)
{
    (void)state;
    expect_refused(active_without_start, "cta_active");
    expect_refused(done_in_empty_slot, "finishes in an empty one");
    expect_refused(start_in_occupied_slot, "starts in an occupied slot");
    expect_refused(warp_moves, "without that slot's cta_start");
    expect_refused(early_start, "no launch of the header starts");
    expect_refused(other_kernel, "descriptor");
}

static void test_a_cut_excuses_no_cycle_that_contradicts_itself(void **state)
{
    (void)state;
    trace_err err;
    recording *rec = fixture_make(&small, 6);
    trace_writer *w = trace_writer_open(fixture_path("cut_contract"), &rec->meta, &err);
    const sample *s = rec->sm[0].sample;
    assert_non_null(w);
    assert_true(trace_writer_cycle(w, 0, s[0].cycle, &s[0].obs, s[0].cls, &err));
    assert_true(trace_writer_cut(w, 0, &err));
    spoiled bad = {.obs = s[1].obs};
    done_in_empty_slot(&bad);
    assert_false(trace_writer_cycle(w, 0, s[1].cycle, &bad.obs, s[1].cls, &err));
    assert_non_null(strstr(err.text, "finishes in an empty one"));
    assert_false(trace_writer_cut(w, 0, &err));
    trace_writer_abort(w);
    w = trace_writer_open(fixture_path("cut_contract"), &rec->meta, &err);
    assert_non_null(w);
    assert_false(trace_writer_cut(w, FIXTURE_SMS, &err));
    assert_non_null(strstr(err.text, "no such SM"));
    trace_writer_abort(w);
    fixture_free(rec);
}

static void test_writer_refuses_a_missing_kernel_start(void **state)
{
    (void)state;
    trace_err err;
    recording *rec = fixture_make(&small, 6);
    trace_writer *w = trace_writer_open(fixture_path("no_start"), &rec->meta, &err);
    assert_non_null(w);
    sm_obs obs = rec->sm[0].sample[0].obs;
    obs.kernel_start = 0;
    assert_false(trace_writer_cycle(w, 0, rec->launches[0].start_cycle, &obs, 0, &err));
    assert_non_null(strstr(err.text, "kernel_start is 0"));
    trace_writer_abort(w);
    fixture_free(rec);
}

static void test_writer_refuses_impossible_headers(void **state)
{
    (void)state;
    trace_err err;
    recording *rec = fixture_make(&small, 1);
    const char *path = fixture_path("bad_header");
    trace_meta bad[7];
    for (unsigned i = 0; i < 7; i++)
        bad[i] = rec->meta;
    bad[0].geometry.warps = BALLAST_MAX_WARPS + 1;
    bad[1].geometry.slots = 0;
    bad[2].geometry.sms = TRACE_MAX_SMS + 1;
    bad[3].geometry.issue_width = 0;
    bad[4].num_launches = TRACE_MAX_LAUNCHES + 1;
    memset(bad[5].kernel, 'x', TRACE_TEXT);
    strcpy(bad[6].config, "two\nlines");
    for (unsigned i = 0; i < 7; i++)
        assert_null(trace_writer_open(path, &bad[i], &err));
    rec->launches[1].start_cycle = rec->launches[0].start_cycle;
    assert_null(trace_writer_open(path, &rec->meta, &err));
    assert_non_null(strstr(err.text, "do not increase"));
    assert_false(fixture_exists(path));
    fixture_free(rec);
}

static void test_abort_and_close_without_cycles_leave_no_file(void **state)
{
    (void)state;
    trace_err err;
    recording *rec = fixture_make(&small, 1);
    const char *path = fixture_path("abort");
    char tmp[600];
    snprintf(tmp, sizeof tmp, "%s.tmp", path);
    trace_writer *w = trace_writer_open(path, &rec->meta, &err);
    assert_non_null(w);
    assert_true(fixture_exists(tmp));
    assert_true(trace_writer_cycle(w, 0, 1000, &rec->sm[0].sample[0].obs, 0, &err));
    trace_writer_abort(w);
    assert_false(fixture_exists(path) || fixture_exists(tmp));
    w = trace_writer_open(path, &rec->meta, &err);
    assert_false(trace_writer_close(w, &err));
    assert_non_null(strstr(err.text, "no cycle"));
    assert_false(fixture_exists(path) || fixture_exists(tmp));
    fixture_free(rec);
}

static void test_a_file_appears_only_when_it_is_complete(void **state)
{
    (void)state;
    trace_err err;
    recording *rec = fixture_make(&small, 1);
    const char *path = fixture_path("appears");
    trace_writer *w = trace_writer_open(path, &rec->meta, &err);
    assert_non_null(w);
    assert_true(trace_writer_cycle(w, 0, 1000, &rec->sm[0].sample[0].obs, 0, &err));
    assert_false(fixture_exists(path));
    assert_true(trace_writer_close(w, &err));
    assert_true(fixture_exists(path));
    remove(path);
    fixture_free(rec);
}

static void test_paths_that_cannot_be_opened_are_named(void **state)
{
    (void)state;
    trace_err err;
    recording *rec = fixture_make(&small, 1);
    assert_null(trace_writer_open("/nonexistent/x.blt", &rec->meta, &err));
    assert_non_null(strstr(err.text, "/nonexistent/x.blt"));
    assert_null(trace_open("/nonexistent/x.blt", NULL, &err));
    assert_non_null(strstr(err.text, "cannot open"));
    assert_null(trace_open("/tmp", NULL, &err));
    assert_non_null(strstr(err.text, "not a regular file"));
    fixture_free(rec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trace_of_48_warps_reads_back_equal),
        cmocka_unit_test(test_random_trace_of_64_warps_and_32_slots_reads_back_equal),
        cmocka_unit_test(test_odd_geometry_reads_back_equal),
        cmocka_unit_test(test_several_frames_of_busy_and_of_quiet_cycles_read_back_equal),
        cmocka_unit_test(test_header_reads_back_equal),
        cmocka_unit_test(test_totals_of_each_sm_are_what_its_cycles_add_up_to),
        cmocka_unit_test(test_classes_may_be_absent_and_are_then_never_found),
        cmocka_unit_test(test_seek_to_a_cycle_equals_linear_reading),
        cmocka_unit_test(test_seek_to_a_launch_equals_linear_reading),
        cmocka_unit_test(test_seek_to_instructions_equals_linear_reading),
        cmocka_unit_test(test_seek_to_ctas_equals_linear_reading),
        cmocka_unit_test(test_seek_outside_the_recording_is_refused_and_moves_nothing),
        cmocka_unit_test(test_selecting_an_sm_rewinds_it),
        cmocka_unit_test(test_a_stream_with_cuts_reads_back_equal_and_its_progress_goes_on),
        cmocka_unit_test(test_a_cut_at_a_kernel_start_reads_back_equal),
        cmocka_unit_test(test_exactly_the_cycles_after_a_jump_do_not_follow),
        cmocka_unit_test(test_needless_cuts_change_nothing),
        cmocka_unit_test(test_writer_refuses_gaps_and_repeated_cycles),
        cmocka_unit_test(test_writer_refuses_what_the_geometry_does_not_have),
        cmocka_unit_test(test_writer_refuses_reserved_states_and_classes),
        cmocka_unit_test(test_writer_refuses_what_the_reader_would_derive_differently),
        cmocka_unit_test(test_a_cut_excuses_no_cycle_that_contradicts_itself),
        cmocka_unit_test(test_writer_refuses_a_missing_kernel_start),
        cmocka_unit_test(test_writer_refuses_impossible_headers),
        cmocka_unit_test(test_abort_and_close_without_cycles_leave_no_file),
        cmocka_unit_test(test_a_file_appears_only_when_it_is_complete),
        cmocka_unit_test(test_paths_that_cannot_be_opened_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
