/* SPDX-License-Identifier: Apache-2.0
 *
 * Import of raw recordings: what a good one becomes, and what is said about bad ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lzma.h>

#include "recording/raw_fixture.h"
#include "recording/raw_import.h"

static raw_import_options options_for(const world *w)
{
    raw_import_options opt;
    raw_import_defaults(&opt);
    opt.dir = w->dir;
    opt.out_path = w->out;
    opt.kernel = "two";
    opt.config_limit = LIMIT;
    return opt;
}

static bool import(const world *w, trace_err *err)
{
    const raw_import_options opt = options_for(w);
    return raw_import(&opt, err);
}

/* ---- good ones ------------------------------------------------------------------ */

static void expect_cycle(trace_reader *r, const sm_obs *got, const expected *want, unsigned cycle)
{
    uint8_t cls;
    trace_err err;
    assert_int_equal(trace_cycle(r), cycle);
    assert_memory_equal(got->ws, want->bus.obs.ws, sizeof got->ws);
    assert_int_equal(got->cta_active, want->bus.obs.cta_active);
    assert_int_equal(got->cta_start, want->bus.obs.cta_start);
    assert_int_equal(got->cta_done, want->bus.obs.cta_done);
    assert_int_equal(got->kernel_start, want->bus.obs.kernel_start);
    assert_int_equal(got->setup->kernel.threads_per_cta, want->bus.setup.kernel.threads_per_cta);
    assert_int_equal(got->setup->kernel.nmax, want->bus.setup.kernel.nmax);
    assert_memory_equal(got->setup->warp_slot, want->bus.setup.warp_slot, 48);
    assert_true(trace_recorded_class(r, &cls, &err));
    assert_int_equal(cls, want->cls);
}

static void expect_world(const world *w)
{
    trace_err err;
    trace_reader *r = trace_open(w->out, NULL, &err);
    if (!r)
        fail_msg("%s", err.text);
    assert_int_equal(trace_num_sms(r), SMS);
    for (unsigned sm = 0; sm < SMS; sm++) {
        const sm_obs *o;
        unsigned cycle = FIRST;
        assert_true(trace_select_sm(r, sm, &err));
        for (; (o = trace_next(r, &err)); cycle++)
            expect_cycle(r, o, &w->sm[sm][cycle], cycle);
        assert_string_equal(err.text, "");
        assert_int_equal(cycle, CYCLES);
    }
    trace_close(r);
}

static void test_imported_trace_equals_the_records(void **state)
{
    world *w = *state;
    trace_err err;
    world_write(w);
    if (!import(w, &err))
        fail_msg("%s", err.text);
    expect_world(w);
}

static void test_header_holds_launches_with_nmax_and_limit(void **state)
{
    world *w = *state;
    trace_err err;
    world_write(w);
    assert_true(import(w, &err));
    trace_reader *r = trace_open(w->out, NULL, &err);
    assert_non_null(r);
    const trace_meta *m = trace_get_meta(r);
    assert_int_equal(m->num_launches, 2);
    assert_string_equal(m->launches[0].name, "first");
    assert_string_equal(m->launches[1].name, "second, \"quoted\"");
    assert_int_equal(m->launches[1].start_cycle, SECOND);
    assert_int_equal(m->launches[1].desc.nmax, 8); /* 49152 / 6144 bytes shared */
    assert_int_equal(m->launches[1].limit, LIMIT);
    assert_int_equal(m->config_limit, LIMIT);
    trace_close(r);
}

static void test_nmax_is_the_tightest_resource(void **state)
{
    static const struct {
        raw_resources have;
        unsigned nmax;
    } cases[] = {
        {{.threads = 600, .registers = 32768, .shared_bytes = 49152, .slots = 8}, 4},
        {{.threads = 1536, .registers = 15000, .shared_bytes = 49152, .slots = 8}, 5},
        {{.threads = 1536, .registers = 32768, .shared_bytes = 37000, .slots = 8}, 6},
        {{.threads = 1536, .registers = 32768, .shared_bytes = 49152, .slots = 3}, 3},
    };
    world *w = *state;
    trace_err err;
    world_write(w);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        raw_import_options opt = options_for(w);
        opt.resources = cases[i].have;
        if (!raw_import(&opt, &err))
            fail_msg("%s", err.text);
        trace_reader *r = trace_open(w->out, NULL, &err);
        assert_non_null(r);
        assert_int_equal(trace_get_meta(r)->launches[1].desc.nmax, cases[i].nmax);
        trace_close(r);
    }
}

static void spew_xz(const world *w, const char *name, const bytes *raw)
{
    uint8_t packed[1 << 16];
    size_t n = 0;
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, raw->p, raw->n, packed, &n,
                                             sizeof packed), LZMA_OK);
    world_spew(w, name, packed, n);
}

static void test_xz_is_detected_by_content_with_or_without_the_name(void **state)
{
    world *w = *state;
    trace_err err;
    spew_xz(w, "cyc.bin", &w->cyc);
    spew_xz(w, "ker.csv.xz", &w->ker);
    world_spew(w, "cta.csv.xz", w->cta.p, w->cta.n);
    if (!import(w, &err))
        fail_msg("%s", err.text);
    expect_world(w);
}

static void test_one_sm_can_be_chosen(void **state)
{
    world *w = *state;
    trace_err err;
    const uint8_t one = 1;
    world_write(w);
    raw_import_options opt = options_for(w);
    opt.sms = &one;
    opt.num_sms = 1;
    assert_true(raw_import(&opt, &err));
    trace_reader *r = trace_open(w->out, NULL, &err);
    assert_non_null(r);
    assert_int_equal(trace_num_sms(r), 1);
    assert_int_equal(trace_get_sm(r, 0)->sm, 1);
    trace_close(r);
}

static void test_is_2d_column_is_accepted(void **state)
{
    world *w = *state;
    trace_err err;
    w->ker.n = 0;
    world_line(&w->ker, "is_2d,kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n"
                     "0,1,a,40,64,2,22,6144,3,%d\n1,2,b,40,128,4,22,6144,3,%d\n", FIRST, SECOND);
    world_write(w);
    assert_true(import(w, &err));
    trace_reader *r = trace_open(w->out, NULL, &err);
    assert_non_null(r);
    assert_int_equal(trace_get_meta(r)->launches[0].desc.is_2d, 0);
    assert_int_equal(trace_get_meta(r)->launches[1].desc.is_2d, 1);
    trace_close(r);
}

/* ---- bad ones ------------------------------------------------------------------- */

/* The files as they are now are refused with one line that holds `file` and `why`. */
static void expect_refused(const world *w, const char *file, const char *why)
{
    trace_err err;
    assert_false(import(w, &err));
    if (!strstr(err.text, file) || !strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\" of %s", err.text, why, file);
    assert_null(strchr(err.text, '\n'));
    assert_false(world_has_output(w));
}

/* Byte `at` of record `record` becomes `value`. */
static void expect_bad_record(size_t record, size_t at, uint8_t value, const char *why)
{
    world w;
    char offset[60];
    world_make(&w);
    w.cyc.p[RECORD * record + at] = value;
    world_write(&w);
    expect_refused(&w, "cyc.bin", why);
    snprintf(offset, sizeof offset, "(byte offset %zu)", RECORD * record);
    expect_refused(&w, "cyc.bin", offset);
    world_free(&w);
}

static void test_bad_records_are_named_by_file_and_offset(void **state)
{
    (void)state;
    expect_bad_record(20, 0, 1, "not after the record before it");
    expect_bad_record(0, 0, FIRST - 1, "before the first kernel");
    expect_bad_record(7, 4, 15, "no such SM");
    expect_bad_record(20, 8, 0xbf, "unknown state code");
    expect_bad_record(20, 10, 0x9a, "issue width");
    expect_bad_record(20, 6, 0xf0, "resident CTAs");
    expect_bad_record(20, 7, 0xf0, "finished CTAs");
}

static void test_a_record_that_is_cut_off_is_named(void **state)
{
    world *w = *state;
    w->cyc.n = (size_t)10 * RECORD + 31;
    world_write(w);
    expect_refused(w, "cyc.bin", "inside a 32-byte record; copy it again (byte offset 320)");
}

/* Found by fuzzing: one flipped bit in a cycle number became a billion empty cycles, written one by one. */
static void test_a_cycle_number_from_far_away_is_refused(void **state)
{
    world *w = *state;

    w->cyc.p[w->cyc.n - 32 + 3] ^= 0x40;
    world_write(w);
    expect_refused(w, "cyc.bin", "if it was really idle so long, allow it with --max-gap");
}

static void test_missing_records_are_noticed(void **state)
{
    world *w = *state;
    w->cyc.n = (size_t)200 * RECORD; /* the CTAs of cta.csv go on */
    world_write(w);
    expect_refused(w, "cyc.bin", "has no record of it");
    w->cyc.n = 0;
    world_write(w);
    expect_refused(w, "cyc.bin", "no record of a wanted SM");
}

/* The first occurrence of `from` in a file becomes `to`. */
static void replace(bytes *b, const char *from, const char *to)
{
    bytes out = {0};
    put_u8(b, 0);
    const char *at = strstr((const char *)b->p, from);
    assert_non_null(at);
    const size_t before = (size_t)(at - (const char *)b->p);
    put_raw(&out, b->p, before);
    put_raw(&out, to, strlen(to));
    put_raw(&out, b->p + before + strlen(from), b->n - 1 - before - strlen(from));
    bytes_free(b);
    *b = out;
}

/* With that change to its text, ker.csv or cta.csv is refused. */
static void expect_bad_table(const char *file, const char *from, const char *to, const char *why)
{
    world w;
    world_make(&w);
    replace(strcmp(file, "ker.csv") == 0 ? &w.ker : &w.cta, from, to);
    world_write(&w);
    expect_refused(&w, file, why);
    world_free(&w);
}

static void expect_bad_kernels(const char *from, const char *to, const char *why)
{
    expect_bad_table("ker.csv", from, to, why);
}

static void expect_bad_ctas(const char *from, const char *to, const char *why)
{
    expect_bad_table("cta.csv", from, to, why);
}

static void test_bad_kernels_are_named_by_file_and_line(void **state)
{
    (void)state;
    expect_bad_kernels("grid_ctas", "grid", "line 1: no column \"grid_ctas\"");
    expect_bad_kernels("40,64,", "40,6x4,", "line 2: column threads_per_cta is \"6x4\"");
    expect_bad_kernels("40,64,", "40,70000,", "not a number in 0..65535");
    expect_bad_kernels("40,64,", "40,-1,", "not a number");
    expect_bad_kernels("40,64,", "40,0,", "cannot be 0");
    expect_bad_kernels("40,64,", "99999999999999999999,64,", "not a number");
    expect_bad_kernels("\"\"\",", "\"\",", "line 3: a quoted field");
    expect_bad_kernels("6144,3,200", "6144,3,5", "line 3: starts no later");
    expect_bad_kernels("2,\"second", "1,\"second", "line 3: kernel 1 is there twice");
    expect_bad_kernels("22,6144,3,200", "90,6144,3,200", "cta_per_sm is 3, but");
}

static void test_bad_cta_events_are_named_by_file_and_line(void **state)
{
    (void)state;
    expect_bad_ctas("launch", "lunch", "line 2: event is \"lunch\"");
    expect_bad_ctas(",launch,1,2", ",launch,9,2", "line 2: kernel 9 is not in ker.csv");
    expect_bad_ctas(",launch,1,2", ",launch,1,3", "line 2: 3 warps per CTA");
    expect_bad_ctas(",launch,1,2", ",launch,2,4", "line 2: SM ");
    expect_bad_ctas(",launch,1,2", ",done,1,2", "holds no CTA");
    expect_bad_ctas(",done,1,2", ",launch,1,2", "holds a CTA");
    expect_bad_ctas("\n", "\n4,0,0,launch,1,2\n", "line 2: SM 0, slot 0, cycle 4: before the first");
    expect_bad_ctas("\n", "\n400,0,0,launch,1,2\n", "line 3: cycle");
    expect_bad_ctas("\n", "\n5,0,8,launch,1,2\n", "column slot is \"8\"");
}

/* The first exit from slot 0 of SM 0, as a line of cta.csv. */
static void first_exit(world *w, char line[40])
{
    put_u8(&w->cta, 0);
    w->cta.n--;
    const char *at = strstr((const char *)w->cta.p, ",0,0,done,");
    assert_non_null(at);
    while (at[-1] != '\n')
        at--;
    snprintf(line, 40, "%.*s", (int)(strchr(at, '\n') + 1 - at), at);
}

static void test_tables_and_records_that_disagree_are_noticed(void **state)
{
    (void)state;
    world w;
    char line[40], other[80];
    world_make(&w);
    first_exit(&w, line);
    replace(&w.cta, line, "");
    world_write(&w);
    expect_refused(&w, "cyc.bin", "finished CTAs is not what cta.csv says");
    world_free(&w);

    world_make(&w);
    first_exit(&w, line);
    snprintf(other, sizeof other, "%s%s", line, line);
    replace(&w.cta, line, other);
    world_write(&w);
    expect_refused(&w, "cta.csv", "done, but the slot holds no CTA");
    world_free(&w);
}

static void test_missing_empty_and_binary_files_are_named(void **state)
{
    static const char *const names[] = {"cyc.bin", "ker.csv", "cta.csv"};
    world *w = *state;
    for (unsigned i = 0; i < 3; i++) {
        world_write(w);
        remove(world_path(w, names[i]));
        expect_refused(w, names[i], "cannot open");
    }
    world_write(w);
    world_spew(w, "ker.csv", "", 0);
    expect_refused(w, "ker.csv", "empty");
    world_write(w);
    world_spew(w, "cta.csv", w->cyc.p, w->cyc.n);
    expect_refused(w, "cta.csv", "line 1");
}

static void test_damaged_xz_is_named(void **state)
{
    world *w = *state;
    uint8_t packed[1 << 16];
    size_t n = 0;
    world_write(w);
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, w->cyc.p, w->cyc.n, packed, &n,
                                             sizeof packed), LZMA_OK);
    world_spew(w, "cyc.bin", packed, n - 50);
    expect_refused(w, "cyc.bin", "truncated");
    packed[n / 2] ^= 0x55;
    world_spew(w, "cyc.bin", packed, n);
    expect_refused(w, "cyc.bin", "xz file is damaged");
}

static bool stop(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(unsigned *)context;
    return false;
}

static void test_an_interrupted_import_leaves_nothing(void **state)
{
    world *w = *state;
    trace_err err;
    unsigned calls = 0;
    world_write(w);
    raw_import_options opt = options_for(w);
    opt.progress = stop;
    opt.context = &calls;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "interrupted"));
    assert_int_equal(calls, 1);
    assert_false(world_has_output(w));
}

static void test_options_that_do_not_fit_are_refused(void **state)
{
    world *w = *state;
    trace_err err;
    const uint8_t seven = 7;
    world_write(w);
    raw_import_options opt = options_for(w);
    opt.geometry.warps = 64;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "at most 48 warps"));
    opt = options_for(w);
    opt.sms = &seven;
    opt.num_sms = 1;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "no record of a wanted SM"));
    opt = options_for(w);
    opt.dir = NULL;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "give a directory"));
    assert_false(world_has_output(w));
}

static int set_up(void **state)
{
    world *w = malloc(sizeof *w);

    assert_non_null(w);
    world_make(w);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world_free(*state);
    free(*state);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_imported_trace_equals_the_records),
        TEST(test_header_holds_launches_with_nmax_and_limit),
        {"PS-1: Nmax is the tightest of four resources", test_nmax_is_the_tightest_resource, set_up, tear_down, NULL},
        TEST(test_xz_is_detected_by_content_with_or_without_the_name),
        TEST(test_one_sm_can_be_chosen),
        TEST(test_is_2d_column_is_accepted),
        cmocka_unit_test(test_bad_records_are_named_by_file_and_offset),
        TEST(test_a_record_that_is_cut_off_is_named),
        TEST(test_a_cycle_number_from_far_away_is_refused),
        TEST(test_missing_records_are_noticed),
        cmocka_unit_test(test_bad_kernels_are_named_by_file_and_line),
        cmocka_unit_test(test_bad_cta_events_are_named_by_file_and_line),
        cmocka_unit_test(test_tables_and_records_that_disagree_are_noticed),
        TEST(test_missing_empty_and_binary_files_are_named),
        TEST(test_damaged_xz_is_named),
        TEST(test_an_interrupted_import_leaves_nothing),
        TEST(test_options_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
