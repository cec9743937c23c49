/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces that are written and read as they should be, and the writer's contract.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/trace_fixture.h"

/* Of the test that runs: a recording, its file, and who reads or writes it. */
static recording *rec;
static const char *path;
static trace_reader *r;
static trace_writer *w;
static trace_err err;
static uint32_t rnd;

static int begin(recording *with)
{
    rec = with;
    path = fixture_path("trace");
    rnd = 77;
    return 0;
}

static int begin_small(void **state)
{
    (void)state;
    return begin(fixture_make(&fixture_small, 6));
}

static int end(void **state)
{
    (void)state;
    trace_close(r);
    r = NULL;
    remove(path);
    fixture_free(rec);
    return 0;
}

static void write_and_open(void)
{
    fixture_write(rec, path);
    r = trace_open(path, NULL, &err);
    assert_non_null(r);
    assert_string_equal(err.text, "");
}

static void open_writer(void)
{
    w = trace_writer_open(path, &rec->meta, &err);
    assert_non_null(w);
}

static bool write_sample(const sample *s)
{
    return trace_writer_cycle(w, 0, s->cycle, &s->obs, s->cls, &err);
}

/* ---- what is written is read ---------------------------------------------------- */

/* Frees rec. */
static void expect_reads_back(recording *with)
{
    begin(with);
    fixture_write(rec, path);
    fixture_expect(path, rec);
    end(NULL);
}

TEST(random_traces_read_back_equal)
{
    static const struct {
        const char *name;
        fixture_shape shape;
        uint32_t seed, num;
    } rows[] = {
        {"48 warps", {.warps = 48, .slots = 8, .cycles = 3000, .launches = 3, .classes = true, .busy = 500}, 1, 5},
        {"64 warps and 32 slots", {.warps = 64, .slots = 32, .cycles = 3000, .launches = 4, .classes = true, .busy = 800}, 11, 1},
        {"an odd geometry", {.warps = 9, .slots = 3, .cycles = 500, .launches = 1, .busy = 900}, 3, 1},
        {"several busy frames", {.warps = 48, .slots = 8, .cycles = 40000, .launches = 2, .classes = true, .busy = 950}, 4, 1},
        {"several quiet frames", {.warps = 48, .slots = 8, .cycles = 40000, .launches = 1, .classes = true, .busy = 4}, 5, 1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t n = 0; n < rows[i].num; n++) {
            print_message("%s, seed %u\n", rows[i].name, rows[i].seed + n);
            expect_reads_back(fixture_make(&rows[i].shape, rows[i].seed + n));
        }
}

TEST_BETWEEN(header_reads_back_equal, begin_small, end)
{
    write_and_open();
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
}

TEST_BETWEEN(totals_of_each_sm_are_what_its_cycles_add_up_to, begin_small, end)
{
    write_and_open();
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
}

TEST(classes_may_be_absent_and_are_then_never_found)
{
    uint8_t cls = 0;
    fixture_shape shape = fixture_small;
    shape.classes = false;
    begin(fixture_make(&shape, 2));
    write_and_open();
    assert_false(trace_has_class(r));
    assert_non_null(trace_next(r, &err));
    assert_true(trace_recorded_class(r, &cls, &err));
    assert_int_equal(cls, TRACE_NO_CLASS);
    end(NULL);
}

/* ---- seeking -------------------------------------------------------------------- */

enum { LAUNCHES = 3, FRAME = 16384 }; /* a launch has more than one frame */

/* 60000 cycles of three launches; SM 0 jumps in the first and the third. */
static recording *make_jumping(void)
{
    static const fixture_piece pieces[] = {{0, 3000},      {9000, 9400},   {500, 501},
                                           {2000, 18599},  {20000, 40000}, {40000, 41000},
                                           {55000, 55001}, {41000, 59999}};
    recording *made = fixture_make(&(fixture_shape){.warps = 48, .slots = 8, .cycles = 60000,
                                                    .launches = LAUNCHES, .classes = true, .busy = 200}, 9);
    fixture_rearrange(made, pieces, sizeof pieces / sizeof pieces[0]);
    return made;
}

static int begin_jumping(void **state)
{
    (void)state;
    begin(make_jumping());
    write_and_open();
    return 0;
}

/* What follows a seek is what linear reading finds from sample `i` on. */
static void expect_from(unsigned sm, size_t i)
{
    const sm_recording *of = &rec->sm[sm];
    for (size_t last = i + 3; i < last && i < of->count; i++)
        fixture_same(r, trace_next(r, &err), &of->sample[i], 48);
}

static unsigned choose_sm(void)
{
    const unsigned sm = fixture_random(&rnd, FIXTURE_SMS);
    assert_true(trace_select_sm(r, sm, &err));
    return sm;
}

/* A sample just before, at or just after the beginning of a frame: the first cut after a random
 * sample of from..to-1; where there is none, the second frame of the launch (or of the stream)
 * that begins with sample `from`. */
static size_t near_frame_edge(const sm_recording *sm, size_t from, size_t to)
{
    size_t edge = from + 1 + fixture_random(&rnd, (uint32_t)(to - from - 1));
    while (edge < to && !sm->sample[edge].cut)
        edge++;
    if (edge == to)
        edge = from + FRAME;
    return edge - 2 + fixture_random(&rnd, 4);
}

TEST_BETWEEN(seek_to_a_cycle_equals_linear_reading, begin_jumping, end)
{
    for (unsigned n = 0; n < 60; n++) {
        const unsigned sm = choose_sm();
        for (unsigned k = 0; k < 4; k++) { /* also within a loaded frame, back and forth */
            const sm_recording *of = &rec->sm[sm];
            const size_t i = k % 2 ? fixture_random(&rnd, (uint32_t)of->count)
                                   : near_frame_edge(of, sm == 2 ? 5 : 0, of->count);
            assert_true(trace_seek_cycle(r, of->sample[i].cycle, &err));
            expect_from(sm, i);
        }
    }
}

/* The range of samples that belong to a launch. */
static void range_of(const sm_recording *sm, unsigned launch, size_t *from, size_t *to)
{
    for (*from = 0; *from < sm->count && sm->sample[*from].launch != launch;)
        ++*from;
    for (*to = *from; *to < sm->count && sm->sample[*to].launch == launch;)
        ++*to;
}

TEST_BETWEEN(seek_to_a_launch_equals_linear_reading, begin_jumping, end)
{
    for (unsigned n = 0; n < 60; n++) {
        size_t from, to;
        const unsigned sm = choose_sm(), launch = fixture_random(&rnd, LAUNCHES);
        range_of(&rec->sm[sm], launch, &from, &to);
        assert_true(trace_seek_launch(r, launch, &err));
        expect_from(sm, from);
    }
}

typedef bool seek_progress_fn(trace_reader *r, unsigned launch, uint64_t target, trace_err *err);
typedef uint64_t progress_fn(const sample *s);

static uint64_t instructions_of(const sample *s) { return s->instructions; }
static uint64_t ctas_of(const sample *s) { return s->ctas; }

static void seek_to_progress(seek_progress_fn *seek, progress_fn *progress)
{
    for (unsigned n = 0; n < 120; n++) {
        size_t from, to;
        const unsigned sm = choose_sm(), launch = fixture_random(&rnd, LAUNCHES);
        const sm_recording *of = &rec->sm[sm];
        range_of(of, launch, &from, &to);
        const uint64_t all = progress(&of->sample[to - 1]);
        const uint64_t target = n % 2 ? fixture_random(&rnd, (uint32_t)all + 5)
                                      : progress(&of->sample[near_frame_edge(of, from, to)]);
        assert_true(seek(r, launch, target, &err));
        while (from < to - 1 && progress(&of->sample[from]) < target)
            from++;
        expect_from(sm, from);
    }
}

TEST_BETWEEN(seek_to_instructions_equals_linear_reading, begin_jumping, end)
{
    seek_to_progress(trace_seek_instructions, instructions_of);
}

TEST_BETWEEN(seek_to_ctas_equals_linear_reading, begin_jumping, end)
{
    seek_to_progress(trace_seek_ctas, ctas_of);
}

TEST_BETWEEN(seek_outside_the_recording_is_refused_and_moves_nothing, begin_jumping, end)
{
    assert_true(trace_select_sm(r, 0, &err));
    for (size_t i = 0; i < 10; i++)
        fixture_same(r, trace_next(r, &err), &rec->sm[0].sample[i], 48);
    assert_false(trace_seek_cycle(r, 999, &err));
    assert_false(trace_seek_cycle(r, 1000 + rec->sm[0].count, &err));
    assert_false(trace_seek_cycle(r, UINT64_MAX, &err));
    assert_non_null(strstr(err.text, "SM 0 has no cycle"));
    assert_false(trace_seek_launch(r, 4, &err));
    assert_false(trace_seek_ctas(r, UINT32_MAX, 0, &err));
    assert_non_null(strstr(err.text, "launch"));
    assert_false(trace_select_sm(r, FIXTURE_SMS, &err));
    fixture_same(r, trace_next(r, &err), &rec->sm[0].sample[10], 48);
}

TEST_BETWEEN(selecting_an_sm_rewinds_it, begin_jumping, end)
{
    for (unsigned n = 0; n < 3; n++) {
        const unsigned sm = n % 2;
        assert_true(trace_select_sm(r, sm, &err));
        expect_from(sm, 0);
        assert_true(trace_seek_cycle(r, rec->sm[sm].sample[40000].cycle, &err));
    }
}

/* ---- cuts ----------------------------------------------------------------------- */

/* A recording whose SM 0 jumps. */
static recording *jumping(const fixture_piece *pieces, size_t num)
{
    recording *made = fixture_make(&fixture_small, 8);
    fixture_rearrange(made, pieces, num);
    return made;
}

TEST(a_stream_with_cuts_reads_back_equal_and_its_progress_goes_on)
{
    expect_reads_back(make_jumping());
}

TEST(a_cut_at_a_kernel_start_reads_back_equal)
{
    static const fixture_piece pieces[] = {{0, 600}, {100, 500}, {1000, 3000}};
    recording *made = jumping(pieces, 3);
    assert_true(made->sm[0].sample[1000].cut && made->sm[0].sample[1000].obs.kernel_start);
    expect_reads_back(made);
}

/* Also: what the writer says to follow it takes, and without the cut it refuses the rest. */
TEST(exactly_the_cycles_after_a_jump_do_not_follow)
{
    static const fixture_piece pieces[] = {{0, 300}, {600, 900}, {200, 600}};
    begin(jumping(pieces, 3));
    for (unsigned skip = 0; skip <= 2; skip++) { /* the first, the second, no cut */
        unsigned cuts = 0;
        open_writer();
        for (size_t i = 0; i < rec->sm[0].count; i++) {
            const sample *s = &rec->sm[0].sample[i];
            assert_int_equal(trace_writer_follows(w, 0, &s->obs), !s->cut);
            if (s->cut && cuts++ == skip) {
                assert_false(write_sample(s));
                break;
            }
            assert_true(!s->cut || trace_writer_cut(w, 0, &err));
            assert_true(trace_writer_follows(w, 0, &s->obs));
            assert_true(write_sample(s));
        }
        assert_int_equal(cuts, skip < 2 ? skip + 1 : 2);
        trace_writer_abort(w);
    }
    end(NULL);
}

/* Before the first cycle, after the last one, and twice in a row. */
TEST(needless_cuts_change_nothing)
{
    static const fixture_piece pieces[] = {{0, 300}, {600, 900}};
    size_t n = 0;
    uint8_t *plain = NULL;
    begin(jumping(pieces, 2));
    for (unsigned needless = 0; needless < 2; needless++) {
        open_writer();
        assert_true(!needless || trace_writer_cut(w, 0, &err));
        for (size_t i = 0; i < rec->sm[0].count; i++) {
            const sample *s = &rec->sm[0].sample[i];
            for (unsigned cuts = s->cut ? 1 + needless : 0; cuts > 0; cuts--)
                assert_true(trace_writer_cut(w, 0, &err));
            assert_true(write_sample(s));
        }
        assert_true(!needless || trace_writer_cut(w, 0, &err));
        assert_true(trace_writer_close(w, &err));
        if (!needless)
            plain = fixture_slurp(path, &n);
    }
    fixture_expect_bytes(path, plain, n);
    free(plain);
    end(NULL);
}

/* ---- the writer's contract ------------------------------------------------------ */

static void expect_no_file(void)
{
    assert_false(fixture_exists(path) || fixture_exists_unfinished(path));
}

typedef struct spoiled {
    sm_obs obs;
    sm_setup setup;
    unsigned sm;
    uint64_t cycle;
    uint8_t cls;
} spoiled;

static void skip_a_cycle(spoiled *s) { s->cycle++; }
static void repeat_a_cycle(spoiled *s) { s->cycle--; }
static void unknown_sm(spoiled *s) { s->sm = FIXTURE_SMS; }
static void reserved_state(spoiled *s) { sm_obs_set_warp_state(&s->obs, 3, 11); }
static void warp_48(spoiled *s) { s->obs.ws[0] |= UINT64_C(1) << 48; }
static void pause_warp_63(spoiled *s) { s->obs.paused |= UINT64_C(1) << 63; }
static void too_many_issue(spoiled *s)
{
    for (unsigned warp = 0; warp < 3; warp++)
        sm_obs_set_warp_state(&s->obs, warp, BALLAST_WARP_ISSUED_ALU);
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

typedef struct spoiling {
    void (*spoil)(spoiled *);
    const char *why;
} spoiling;

/* Ten good cycles and then a spoiled one: refused, and no file is left. */
TEST_BETWEEN(writer_refuses_cycles_that_cannot_be, begin_small, end)
{
    static const spoiling rows[] = {
        {skip_a_cycle, "not the cycle after"}, {repeat_a_cycle, "not the cycle after"},
        /* What the geometry does not have. */
        {unknown_sm, "no such SM"}, {warp_48, "warp slot beyond"}, {pause_warp_63, "warp slot beyond"},
        {slot_8, "CTA slot beyond"}, {warp_in_slot_8, "CTA slot beyond"}, {too_many_issue, "issue width"},
        {reserved_state, "reserved"}, {class_4, "class"},
        /* What the reader would derive differently. */
        {active_without_start, "cta_active"}, {done_in_empty_slot, "finishes in an empty one"},
        {start_in_occupied_slot, "starts in an occupied slot"}, {warp_moves, "without that slot's cta_start"},
        {early_start, "no launch of the header starts"}, {other_kernel, "descriptor"},
    };
    const sample *s = &rec->sm[0].sample[10];

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        spoiled bad = {.obs = s->obs, .setup = s->setup, .cycle = s->cycle, .cls = s->cls};

        bad.obs.setup = &bad.setup;
        open_writer();
        for (size_t i = 0; i < 10; i++)
            assert_true(write_sample(&rec->sm[0].sample[i]));
        rows[row].spoil(&bad);
        assert_false(trace_writer_cycle(w, bad.sm, bad.cycle, &bad.obs, bad.cls, &err));
        fixture_says(&err, rows[row].why);
        assert_false(write_sample(s)); /* no way back */
        assert_false(trace_writer_close(w, &err));
        expect_no_file();
    }
}

TEST_BETWEEN(a_cut_excuses_no_cycle_that_contradicts_itself, begin_small, end)
{
    const sample *s = rec->sm[0].sample;
    spoiled bad = {.obs = s[1].obs};
    open_writer();
    assert_true(write_sample(&s[0]));
    assert_true(trace_writer_cut(w, 0, &err));
    done_in_empty_slot(&bad);
    assert_false(trace_writer_cycle(w, 0, s[1].cycle, &bad.obs, s[1].cls, &err));
    fixture_says(&err, "finishes in an empty one");
    assert_false(trace_writer_cut(w, 0, &err));
    trace_writer_abort(w);
    open_writer();
    assert_false(trace_writer_cut(w, FIXTURE_SMS, &err));
    fixture_says(&err, "no such SM");
    trace_writer_abort(w);
}

TEST_BETWEEN(writer_refuses_a_missing_kernel_start, begin_small, end)
{
    sample s = rec->sm[0].sample[0];
    s.obs.kernel_start = 0;
    open_writer();
    assert_false(write_sample(&s));
    fixture_says(&err, "kernel_start is 0");
    trace_writer_abort(w);
}

TEST_BETWEEN(writer_refuses_impossible_headers, begin_small, end)
{
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
        if (trace_writer_open(path, &bad[i], &err))
            fail_msg("header %u is taken", i);
    rec->launches[1].start_cycle = rec->launches[0].start_cycle;
    assert_null(trace_writer_open(path, &rec->meta, &err));
    fixture_says(&err, "do not increase");
    rec->launches[1].start_cycle++;
    static const struct {
        uint32_t ctas, grid_x;
        uint8_t is_2d;
        bool taken;
    } grids[] = {{120, 15, 1, true}, {120, 15, 0, false}, {120, 14, 1, false}, {120, 120, 1, true}, {120, 121, 1, false},
                 {120, 240, 1, false}, {0, 1, 1, false}, {0, 0, 1, true}, {120, 1, 1, true}, {7, UINT32_MAX, 1, false}};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        ballast_kernel_desc *d = &rec->launches[0].desc;
        d->grid_ctas = grids[i].ctas;
        d->grid_x = grids[i].grid_x;
        d->is_2d = grids[i].is_2d;
        trace_writer *one = trace_writer_open(path, &rec->meta, &err);
        if ((one != NULL) != grids[i].taken)
            fail_msg("grid %zu", i);
        if (one)
            trace_writer_abort(one);
        else
            fixture_says(&err, "not whole rows of a 2-D grid");
    }
    assert_false(fixture_exists(path));
}

TEST_BETWEEN(a_file_appears_only_when_it_is_complete, begin_small, end)
{
    for (unsigned complete = 0; complete < 2; complete++) {
        open_writer();
        assert_true(write_sample(&rec->sm[0].sample[0]));
        assert_true(fixture_exists_unfinished(path) && !fixture_exists(path));
        if (complete)
            assert_true(trace_writer_close(w, &err));
        else
            trace_writer_abort(w);
        assert_int_equal(fixture_exists(path), complete);
        assert_false(fixture_exists_unfinished(path));
    }
}

TEST_BETWEEN(a_file_without_cycles_is_none, begin_small, end)
{
    open_writer();
    assert_false(trace_writer_close(w, &err));
    fixture_says(&err, "no cycle");
    expect_no_file();
}

TEST_BETWEEN(paths_that_cannot_be_opened_are_named, begin_small, end)
{
    assert_null(trace_writer_open("/nonexistent/x.blt", &rec->meta, &err));
    fixture_says(&err, "/nonexistent/x.blt");
    assert_null(trace_open("/nonexistent/x.blt", NULL, &err));
    fixture_says(&err, "cannot open");
    assert_null(trace_open("/tmp", NULL, &err));
    fixture_says(&err, "not a regular file");
}
