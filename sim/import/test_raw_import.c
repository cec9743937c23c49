/* SPDX-License-Identifier: Apache-2.0
 *
 * Import of raw recordings: what a good one becomes, and what is said about bad ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <lzma.h>

#include "import/raw_import.h"
#include "trace/bytes.h"

enum { SMS = 2, CYCLES = 400, FIRST = 5, SECOND = 200, GAP = 170, LIMIT = 3, RECORD = 32 };

/* What one cycle of an SM has to look like in the trace. */
typedef struct expected {
    sm_obs obs;
    uint8_t cls;
} expected;

/* A raw recording in memory and what it means. Two kernels; between cycles GAP and SECOND
 * the SMs are empty and have no records. */
typedef struct world {
    bytes cyc, ker, cta;
    expected sm[SMS][CYCLES];
    char dir[64], out[100];
} world;

static uint32_t random_below(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 4) * below >> 28);
}

static void put_line(bytes *b, const char *format, ...)
{
    char line[200];
    va_list ap;
    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    put_raw(b, line, strlen(line));
}

/* ---- making one ----------------------------------------------------------------- */

static void put_event(world *w, unsigned cycle, unsigned sm, unsigned slot, bool done, unsigned kernel)
{
    put_line(&w->cta, "%u,%u,%u,%s,%u,%u\n", cycle, sm, slot, done ? "done" : "launch", kernel,
             2 * kernel);
}

static void put_record(world *w, unsigned cycle, unsigned sm, const expected *e)
{
    put_u32(&w->cyc, cycle);
    put_u8(&w->cyc, sm);
    put_u8(&w->cyc, (unsigned)e->cls << 4);
    put_u8(&w->cyc, e->obs.cta_active & ~e->obs.cta_done);
    put_u8(&w->cyc, e->obs.cta_done);
    for (unsigned i = 0; i < 24; i++)
        put_u8(&w->cyc, sm_obs_warp_state(&e->obs, 2 * i) |
                            sm_obs_warp_state(&e->obs, 2 * i + 1) << 4);
}

static kernel_desc describe(unsigned kernel)
{
    return (kernel_desc){.grid_ctas = 40, .smem_per_cta = 6144, .threads_per_cta = (uint16_t)(64 * kernel),
                         .regs_per_thread = 22, .warps_per_cta = (uint8_t)(2 * kernel),
                         .nmax = 8, .is_2d = 0};
}

static void move_ctas(world *w, unsigned cycle, unsigned sm, sm_obs *o, uint32_t active, unsigned kernel,
                      uint32_t *rnd)
{
    const bool closing = cycle >= GAP - 10 && cycle < SECOND;
    const bool last = cycle == CYCLES - 1 || cycle == GAP - 1;
    for (unsigned slot = 0; slot < LIMIT; slot++) {
        const uint32_t bit = 1u << slot;
        if ((active & bit) && (last || random_below(rnd, 20) == 0)) {
            o->cta_done |= bit;
            put_event(w, cycle, sm, slot, true, kernel);
        } else if (!(active & bit) && !closing && cycle < CYCLES - 10 && random_below(rnd, 5) == 0) {
            o->cta_start |= bit;
            put_event(w, cycle, sm, slot, false, kernel);
            for (unsigned i = slot * 2 * kernel; i < (slot + 1) * 2 * kernel; i++)
                o->warp_slot[i] = (uint8_t)slot;
        }
    }
    o->cta_active = active | o->cta_start;
}

static void move_warps(sm_obs *o, unsigned kernel, uint32_t *rnd)
{
    memset(o->ws, 0, sizeof o->ws);
    for (unsigned i = 0; i < LIMIT * 2 * kernel; i++)
        if (o->cta_active >> o->warp_slot[i] & 1)
            sm_obs_set_warp_state(o, i, random_below(rnd, WARP_ISSUED_ALU));
    if (o->cta_active & 1)
        sm_obs_set_warp_state(o, 1, WARP_ISSUED_MEM);
}

/* SM 1 does not record the cycle in which its last CTA leaves. */
static bool is_recorded(unsigned sm, const sm_obs *o)
{
    return o->cta_active && (sm == 0 || (o->cta_active & ~o->cta_done));
}

static void make_cycle(world *w, unsigned cycle, unsigned sm, sm_obs *o, uint32_t *rnd)
{
    const unsigned kernel = cycle < SECOND ? 1 : 2;
    const uint32_t active = o->cta_active & ~o->cta_done;
    o->kernel_start = cycle == FIRST || cycle == SECOND;
    o->kernel = describe(kernel);
    o->cta_start = o->cta_done = 0;
    o->cta_active = active;
    if (cycle < GAP || cycle >= SECOND)
        move_ctas(w, cycle, sm, o, active, kernel, rnd);
    move_warps(o, kernel, rnd);
    expected *e = &w->sm[sm][cycle];
    if (!is_recorded(sm, o))
        memset(o->ws, 0, sizeof o->ws);
    e->obs = *o;
    e->cls = is_recorded(sm, o) ? (uint8_t)random_below(rnd, 4) : TRACE_NO_CLASS;
    if (is_recorded(sm, o))
        put_record(w, cycle, sm, e);
}

static void make_world(world *w)
{
    uint32_t rnd = 4;
    sm_obs o[SMS] = {0};
    *w = (world){0};
    strcpy(w->dir, "/tmp/ballast_raw_XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    snprintf(w->out, sizeof w->out, "%s/out.blt", w->dir);
    put_line(&w->ker, "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n"
                      "1,first,40,64,2,22,6144,3,%d\r\n2,\"second, \"\"quoted\"\"\",40,128,4,22,6144,3,%d\n",
             FIRST, SECOND);
    put_line(&w->cta, "cycle,sm,slot,event,kernel,warps_per_cta\n");
    for (unsigned sm = 0; sm < SMS; sm++)
        for (unsigned i = 0; i < 48; i++)
            o[sm].warp_slot[i] = (uint8_t)(i / 2 < 8 ? i / 2 : 0);
    for (unsigned cycle = FIRST; cycle < CYCLES; cycle++)
        for (unsigned sm = 0; sm < SMS; sm++)
            make_cycle(w, cycle, sm, &o[sm], &rnd);
    assert_false(w->cyc.failed || w->ker.failed || w->cta.failed);
}

/* ---- files ---------------------------------------------------------------------- */

static const char *in_dir(const world *w, const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    return path;
}

static void spew(const char *path, const void *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void write_files(const world *w)
{
    spew(in_dir(w, "cyc.bin"), w->cyc.p, w->cyc.n);
    spew(in_dir(w, "ker.csv"), w->ker.p, w->ker.n);
    spew(in_dir(w, "cta.csv"), w->cta.p, w->cta.n);
}

static bool there_is(const char *path) { return access(path, F_OK) == 0; }

static void free_world(world *w)
{
    static const char *const names[] = {"cyc.bin", "ker.csv", "cta.csv", "cyc.bin.xz", "ker.csv.xz",
                                        "cta.csv.xz", "out.blt", "out.blt.tmp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(in_dir(w, names[i]));
    rmdir(w->dir);
    bytes_free(&w->cyc);
    bytes_free(&w->ker);
    bytes_free(&w->cta);
}

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
    assert_memory_equal(got->ws, want->obs.ws, sizeof got->ws);
    assert_int_equal(got->cta_active, want->obs.cta_active);
    assert_int_equal(got->cta_start, want->obs.cta_start);
    assert_int_equal(got->cta_done, want->obs.cta_done);
    assert_int_equal(got->kernel_start, want->obs.kernel_start);
    assert_int_equal(got->kernel.threads_per_cta, want->obs.kernel.threads_per_cta);
    assert_int_equal(got->kernel.nmax, want->obs.kernel.nmax);
    assert_memory_equal(got->warp_slot, want->obs.warp_slot, 48);
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
    (void)state;
    world w;
    trace_err err;
    make_world(&w);
    write_files(&w);
    if (!import(&w, &err))
        fail_msg("%s", err.text);
    expect_world(&w);
    free_world(&w);
}

static void test_header_holds_launches_with_nmax_and_limit(void **state)
{
    (void)state;
    world w;
    trace_err err;
    make_world(&w);
    write_files(&w);
    assert_true(import(&w, &err));
    trace_reader *r = trace_open(w.out, NULL, &err);
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
    free_world(&w);
}

static void test_nmax_is_the_tightest_resource(void **state)
{
    (void)state;
    static const struct {
        raw_resources have;
        unsigned nmax;
    } cases[] = {
        {{.threads = 600, .registers = 32768, .shared_bytes = 49152, .slots = 8}, 4},
        {{.threads = 1536, .registers = 15000, .shared_bytes = 49152, .slots = 8}, 5},
        {{.threads = 1536, .registers = 32768, .shared_bytes = 37000, .slots = 8}, 6},
        {{.threads = 1536, .registers = 32768, .shared_bytes = 49152, .slots = 3}, 3},
    };
    world w;
    trace_err err;
    make_world(&w);
    write_files(&w);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        raw_import_options opt = options_for(&w);
        opt.resources = cases[i].have;
        if (!raw_import(&opt, &err))
            fail_msg("%s", err.text);
        trace_reader *r = trace_open(w.out, NULL, &err);
        assert_non_null(r);
        assert_int_equal(trace_get_meta(r)->launches[1].desc.nmax, cases[i].nmax);
        trace_close(r);
    }
    free_world(&w);
}

static void spew_xz(const world *w, const char *name, const bytes *raw)
{
    uint8_t packed[1 << 16];
    size_t n = 0;
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, raw->p, raw->n, packed, &n,
                                             sizeof packed), LZMA_OK);
    spew(in_dir(w, name), packed, n);
}

static void test_xz_is_detected_by_content_with_or_without_the_name(void **state)
{
    (void)state;
    world w;
    trace_err err;
    make_world(&w);
    spew_xz(&w, "cyc.bin", &w.cyc);
    spew_xz(&w, "ker.csv.xz", &w.ker);
    spew(in_dir(&w, "cta.csv.xz"), w.cta.p, w.cta.n);
    if (!import(&w, &err))
        fail_msg("%s", err.text);
    expect_world(&w);
    free_world(&w);
}

static void test_one_sm_can_be_chosen(void **state)
{
    (void)state;
    world w;
    trace_err err;
    const uint8_t one = 1;
    make_world(&w);
    write_files(&w);
    raw_import_options opt = options_for(&w);
    opt.sms = &one;
    opt.num_sms = 1;
    assert_true(raw_import(&opt, &err));
    trace_reader *r = trace_open(w.out, NULL, &err);
    assert_non_null(r);
    assert_int_equal(trace_num_sms(r), 1);
    assert_int_equal(trace_get_sm(r, 0)->sm, 1);
    trace_close(r);
    free_world(&w);
}

static void test_is_2d_column_is_accepted(void **state)
{
    (void)state;
    world w;
    trace_err err;
    make_world(&w);
    w.ker.n = 0;
    put_line(&w.ker, "is_2d,kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n"
                     "0,1,a,40,64,2,22,6144,3,%d\n1,2,b,40,128,4,22,6144,3,%d\n", FIRST, SECOND);
    write_files(&w);
    assert_true(import(&w, &err));
    trace_reader *r = trace_open(w.out, NULL, &err);
    assert_non_null(r);
    assert_int_equal(trace_get_meta(r)->launches[0].desc.is_2d, 0);
    assert_int_equal(trace_get_meta(r)->launches[1].desc.is_2d, 1);
    trace_close(r);
    free_world(&w);
}

/* ---- bad ones ------------------------------------------------------------------- */

/* The files as they are now are refused with one line that holds `file` and `why`. */
static void expect_refused(const world *w, const char *file, const char *why)
{
    trace_err err;
    char tmp[120];
    snprintf(tmp, sizeof tmp, "%s.tmp", w->out);
    assert_false(import(w, &err));
    if (!strstr(err.text, file) || !strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\" of %s", err.text, why, file);
    assert_null(strchr(err.text, '\n'));
    assert_false(there_is(w->out) || there_is(tmp));
}

/* Byte `at` of record `record` becomes `value`. */
static void expect_bad_record(size_t record, size_t at, uint8_t value, const char *why)
{
    world w;
    char offset[60];
    make_world(&w);
    w.cyc.p[RECORD * record + at] = value;
    write_files(&w);
    expect_refused(&w, "cyc.bin", why);
    snprintf(offset, sizeof offset, "(byte offset %zu)", RECORD * record);
    expect_refused(&w, "cyc.bin", offset);
    free_world(&w);
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
    (void)state;
    world w;
    make_world(&w);
    w.cyc.n = 10 * RECORD + 31;
    write_files(&w);
    expect_refused(&w, "cyc.bin", "inside a 32-byte record; copy it again (byte offset 320)");
    free_world(&w);
}

static void test_missing_records_are_noticed(void **state)
{
    (void)state;
    world w;
    make_world(&w);
    w.cyc.n = 200 * RECORD; /* the CTAs of cta.csv go on */
    write_files(&w);
    expect_refused(&w, "cyc.bin", "has no record of it");
    w.cyc.n = 0;
    write_files(&w);
    expect_refused(&w, "cyc.bin", "no record of a wanted SM");
    free_world(&w);
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

static void expect_bad_kernels(const char *from, const char *to, const char *why)
{
    world w;
    make_world(&w);
    replace(&w.ker, from, to);
    write_files(&w);
    expect_refused(&w, "ker.csv", why);
    free_world(&w);
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

static void expect_bad_ctas(const char *from, const char *to, const char *why)
{
    world w;
    make_world(&w);
    replace(&w.cta, from, to);
    write_files(&w);
    expect_refused(&w, "cta.csv", why);
    free_world(&w);
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
    make_world(&w);
    first_exit(&w, line);
    replace(&w.cta, line, "");
    write_files(&w);
    expect_refused(&w, "cyc.bin", "finished CTAs is not what cta.csv says");
    free_world(&w);

    make_world(&w);
    first_exit(&w, line);
    snprintf(other, sizeof other, "%s%s", line, line);
    replace(&w.cta, line, other);
    write_files(&w);
    expect_refused(&w, "cta.csv", "done, but the slot holds no CTA");
    free_world(&w);
}

static void test_missing_empty_and_binary_files_are_named(void **state)
{
    (void)state;
    static const char *const names[] = {"cyc.bin", "ker.csv", "cta.csv"};
    world w;
    make_world(&w);
    for (unsigned i = 0; i < 3; i++) {
        write_files(&w);
        remove(in_dir(&w, names[i]));
        expect_refused(&w, names[i], "cannot open");
    }
    write_files(&w);
    spew(in_dir(&w, "ker.csv"), "", 0);
    expect_refused(&w, "ker.csv", "empty");
    write_files(&w);
    spew(in_dir(&w, "cta.csv"), w.cyc.p, w.cyc.n);
    expect_refused(&w, "cta.csv", "line 1");
    free_world(&w);
}

static void test_damaged_xz_is_named(void **state)
{
    (void)state;
    world w;
    uint8_t packed[1 << 16];
    size_t n = 0;
    make_world(&w);
    write_files(&w);
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, w.cyc.p, w.cyc.n, packed, &n,
                                             sizeof packed), LZMA_OK);
    spew(in_dir(&w, "cyc.bin"), packed, n - 50);
    expect_refused(&w, "cyc.bin", "truncated");
    packed[n / 2] ^= 0x55;
    spew(in_dir(&w, "cyc.bin"), packed, n);
    expect_refused(&w, "cyc.bin", "xz file is damaged");
    free_world(&w);
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
    (void)state;
    world w;
    trace_err err;
    unsigned calls = 0;
    char tmp[120];
    make_world(&w);
    write_files(&w);
    raw_import_options opt = options_for(&w);
    opt.progress = stop;
    opt.context = &calls;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "interrupted"));
    assert_int_equal(calls, 1);
    snprintf(tmp, sizeof tmp, "%s.tmp", w.out);
    assert_false(there_is(w.out) || there_is(tmp));
    free_world(&w);
}

static void test_options_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    world w;
    trace_err err;
    const uint8_t seven = 7;
    make_world(&w);
    write_files(&w);
    raw_import_options opt = options_for(&w);
    opt.geometry.warps = 64;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "at most 48 warps"));
    opt = options_for(&w);
    opt.sms = &seven;
    opt.num_sms = 1;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "no record of a wanted SM"));
    opt = options_for(&w);
    opt.dir = NULL;
    assert_false(raw_import(&opt, &err));
    assert_non_null(strstr(err.text, "give a directory"));
    assert_false(there_is(w.out));
    free_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_imported_trace_equals_the_records),
        cmocka_unit_test(test_header_holds_launches_with_nmax_and_limit),
        cmocka_unit_test(test_nmax_is_the_tightest_resource),
        cmocka_unit_test(test_xz_is_detected_by_content_with_or_without_the_name),
        cmocka_unit_test(test_one_sm_can_be_chosen),
        cmocka_unit_test(test_is_2d_column_is_accepted),
        cmocka_unit_test(test_bad_records_are_named_by_file_and_offset),
        cmocka_unit_test(test_a_record_that_is_cut_off_is_named),
        cmocka_unit_test(test_missing_records_are_noticed),
        cmocka_unit_test(test_bad_kernels_are_named_by_file_and_line),
        cmocka_unit_test(test_bad_cta_events_are_named_by_file_and_line),
        cmocka_unit_test(test_tables_and_records_that_disagree_are_noticed),
        cmocka_unit_test(test_missing_empty_and_binary_files_are_named),
        cmocka_unit_test(test_damaged_xz_is_named),
        cmocka_unit_test(test_an_interrupted_import_leaves_nothing),
        cmocka_unit_test(test_options_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
