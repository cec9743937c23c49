/* SPDX-License-Identifier: Apache-2.0
 *
 * Import of raw recordings: what a good one becomes, and what is said about bad ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lzma.h>

#include "engine/suite_fixture.h"
#include "recording/raw_fixture.h"
#include "recording/raw_import.h"
#include "recording/trace_fixture.h"

/* Of the test that runs. */
static world w;
static raw_import_options opt;
static trace_err err;
static trace_reader *r; /* of what was imported */

static int set_up(void **state)
{
    (void)state;
    world_make(&w, &opt);
    opt.kernel = "two";
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trace_close(r);
    r = NULL;
    world_free(&w);
    return 0;
}

#define IMPORT_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void import(void)
{
    world_import(&opt, &r);
}

/* ---- good ones ------------------------------------------------------------------ */

static void expect_world(void)
{
    import();
    world_expect(&w, r);
}

IMPORT_TEST(imported_trace_equals_the_records)
{
    expect_world();
}

IMPORT_TEST(header_holds_launches_with_nmax_and_limit)
{
    import();
    const trace_meta *m = trace_get_meta(r);
    assert_int_equal(m->num_launches, 2);
    assert_string_equal(m->launches[0].name, "first");
    assert_string_equal(m->launches[1].name, "second, \"quoted\"");
    assert_int_equal(m->launches[1].start_cycle, SECOND);
    assert_int_equal(m->launches[1].desc.nmax, 8); /* 49152 / 6144 bytes shared */
    assert_int_equal(m->launches[1].limit, LIMIT);
    assert_int_equal(m->config_limit, LIMIT);
}

SUITE_TEST(nmax_is_the_tightest_resource,
           {"PS-1: Nmax is the tightest of four resources", nmax_is_the_tightest_resource, set_up, tear_down, NULL})
static void nmax_is_the_tightest_resource(void **state)
{
    static const struct {
        raw_resources have;
        unsigned nmax;
    } cases[] = {
        {{600, 32768, 49152, 8, 4, 1, 1}, 4},
        {{1536, 15000, 49152, 8, 1, 1, 1}, 5}, /* 22 x 128 */
        {{1536, 15000, 49152, 8, 4, 1, 1}, 4}, /* 24 x 128 */
        {{1536, 10000, 49152, 8, 1, 1, 1}, 3}, /* 14 warps */
        {{1536, 10000, 49152, 8, 1, 1, 8}, 0}, /* 8 warps: 2, and 3 run */
        {{1536, 32768, 37000, 8, 4, 1, 1}, 6},
        {{1536, 32768, 37000, 8, 4, 4096, 1}, 4}, /* 8192 each */
        {{1536, 32768, 49152, 3, 4, 1, 1}, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opt.resources = cases[i].have;
        if (!cases[i].nmax) {
            assert_false(raw_import(&opt, &err));
            continue;
        }
        import();
        if (trace_get_meta(r)->launches[1].desc.nmax != cases[i].nmax)
            fail_msg("case %zu: Nmax %u", i, trace_get_meta(r)->launches[1].desc.nmax);
    }
}

/* The first `kept` packed bytes; all of them if there are fewer. One byte of them with other bits than it should have. */
static void spew_xz(const char *name, const bytes *raw, size_t kept, uint8_t flipped)
{
    uint8_t packed[1 << 16];
    size_t n = 0;
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, raw->p, raw->n, packed, &n,
                                             sizeof packed), LZMA_OK);
    packed[n / 2] ^= flipped;
    world_spew(&w, name, packed, n < kept ? n : kept);
}

IMPORT_TEST(xz_is_detected_by_content_with_or_without_the_name)
{
    remove(world_path(&w, "ker.csv"));
    remove(world_path(&w, "cta.csv"));
    spew_xz("cyc.bin", &w.cyc, SIZE_MAX, 0);
    spew_xz("ker.csv.xz", &w.ker, SIZE_MAX, 0);
    world_spew(&w, "cta.csv.xz", w.cta.p, w.cta.n);
    expect_world();
}

IMPORT_TEST(one_sm_can_be_chosen)
{
    const uint8_t one = 1;
    opt.sms = &one;
    opt.num_sms = 1;
    import();
    assert_int_equal(trace_num_sms(r), 1);
    assert_int_equal(trace_get_sm(r, 0)->sm, 1);
}

IMPORT_TEST(is_2d_column_is_accepted)
{
    w.ker.n = 0;
    world_line(&w.ker, "is_2d,kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n"
                       "0,1,a,40,64,2,22,6144,3,%d\n1,2,b,40,128,4,22,6144,3,%d\n", FIRST, SECOND);
    world_write(&w);
    import();
    assert_int_equal(trace_get_meta(r)->launches[0].desc.is_2d, 0);
    assert_int_equal(trace_get_meta(r)->launches[1].desc.is_2d, 1);
}

static void put_kernels(const char *head, const char *first, const char *second)
{
    w.ker.n = 0;
    world_line(&w.ker, "%s,kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n"
                       "%s,1,a,40,64,2,22,6144,3,%d\n%s,2,b,40,128,4,22,6144,3,%d\n", head, first, FIRST, second, SECOND);
    world_write(&w);
}

static void expect_grid(unsigned launch, bool is_2d, uint32_t grid_x)
{
    assert_int_equal(trace_get_meta(r)->launches[launch].desc.is_2d, is_2d);
    assert_int_equal(trace_get_meta(r)->launches[launch].desc.grid_x, grid_x);
}

IMPORT_TEST(grids_have_rows_by_column_or_by_option)
{
    put_kernels("grid_x", "0", "8");
    import();
    expect_grid(0, false, 0);
    expect_grid(1, true, 8);
    put_kernels("is_2d,grid_x", "1,0", "1,40");
    import();
    expect_grid(0, true, 0);
    expect_grid(1, true, 40);
    put_kernels("grid_x", "40", "1"); /* one row: 1-D; a column: 2-D */
    import();
    expect_grid(0, false, 0);
    expect_grid(1, true, 1);
    put_kernels("is_2d,grid_x", "0,40", "1,40");
    import();
    expect_grid(0, false, 0);
    expect_grid(1, true, 40);
    opt.grid_x = 5; /* wins over both */
    put_kernels("is_2d,grid_x", "0,0", "1,8");
    import();
    expect_grid(0, true, 5);
    expect_grid(1, true, 5);
}

/* ---- bad ones ------------------------------------------------------------------- */

static void expect_refused(const char *file, const char *why) { world_expect_refused(&w, &opt, file, why); }

/* The same for the files as they are in memory. */
static void expect_world_refused(const char *file, const char *why)
{
    world_write(&w);
    expect_refused(file, why);
}

/* Byte `at` of record `record` becomes `value`. */
IMPORT_TEST(bad_records_are_named_by_file_and_offset)
{
    static const struct {
        size_t record, at;
        uint8_t value;
        const char *why;
    } rows[] = {
        {20, 0, 1, "not after the record before it"}, {0, 0, FIRST - 1, "before the first kernel"},
        {7, 4, 15, "no such SM"}, {20, 8, 0xbf, "unknown state code"}, {20, 10, 0x9a, "issue width"},
        {20, 6, 0xf0, "resident CTAs"}, {20, 7, 0xf0, "finished CTAs"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t *byte = &w.cyc.p[RECORD * rows[i].record + rows[i].at];
        const uint8_t was = *byte;
        char offset[60];

        *byte = rows[i].value;
        expect_world_refused("cyc.bin", rows[i].why);
        snprintf(offset, sizeof offset, "(byte offset %zu)", RECORD * rows[i].record);
        expect_refused("cyc.bin", offset);
        *byte = was;
    }
}

IMPORT_TEST(records_that_are_cut_off_or_missing_are_named)
{
    w.cyc.n = (size_t)200 * RECORD; /* the CTAs of cta.csv go on */
    expect_world_refused("cyc.bin", "has no record of it");
    w.cyc.n = (size_t)10 * RECORD + 31;
    expect_world_refused("cyc.bin", "inside a 32-byte record; copy it again (byte offset 320)");
    w.cyc.n = 0;
    expect_world_refused("cyc.bin", "no record of a wanted SM");
}

/* Recorders of version 1 may show warps in slots of no CTA; those of version 2 may not. */
IMPORT_TEST(a_warp_of_no_cta_is_taken_as_it_is)
{
    const sm_obs *obs = NULL;

    for (unsigned record = 20; record < 22; record++) /* of both SMs */
        w.cyc.p[RECORD * record + 8 + 47 / 2] |= BALLAST_WARP_BARRIER << 4;
    world_write(&w);
    import();
    while ((obs = trace_next(r, &err)) && sm_obs_warp_state(obs, 47) != BALLAST_WARP_BARRIER)
        ;
    assert_non_null(obs);
}

/* Found by fuzzing: one flipped bit in a cycle number became a billion empty cycles, written one by one. */
IMPORT_TEST(a_cycle_number_from_far_away_is_refused)
{
    w.cyc.p[w.cyc.n - 32 + 3] ^= 0x40;
    expect_world_refused("cyc.bin", "if it was really idle so long, allow it with --max-gap");
}

/* With the first `from` in its text replaced, the table is refused; `file`, if it is another one, has to be named. */
static void expect_bad_table(const char *table, const char *from, const char *to, const char *file, const char *why)
{
    bytes *b = strcmp(table, "ker.csv") == 0 ? &w.ker : &w.cta, good = *b, bad = {0};
    put_u8(&good, 0);
    const char *text = (const char *)good.p, *at = strstr(text, from);
    assert_non_null(at);
    put_raw(&bad, text, (size_t)(at - text));
    put_raw(&bad, to, strlen(to));
    put_raw(&bad, at + strlen(from), strlen(at + strlen(from)));
    good.n--;
    *b = bad;
    expect_world_refused(file, why);
    *b = good;
    bytes_free(&bad);
}

IMPORT_TEST(bad_tables_are_named_by_file_and_line)
{
    static const struct {
        const char *file, *from, *to, *why;
    } rows[] = {
        {"ker.csv", "grid_ctas", "grid", "line 1: no column \"grid_ctas\""},
        {"ker.csv", "40,64,", "40,6x4,", "line 2: column threads_per_cta is \"6x4\""},
        {"ker.csv", "40,64,", "40,70000,", "not a number in 0..65535"},
        {"ker.csv", "40,64,", "40,-1,", "not a number"},
        {"ker.csv", "40,64,", "40,0,", "cannot be 0"},
        {"ker.csv", "40,64,", "99999999999999999999,64,", "not a number"},
        {"ker.csv", "\"\"\",", "\"\",", "line 3: a quoted field"},
        {"ker.csv", "6144,3,200", "6144,3,5", "line 3: starts no later"},
        {"ker.csv", "2,\"second", "1,\"second", "line 3: kernel 1 is there twice"},
        {"ker.csv", "22,6144,3,200", "90,6144,3,200", "cta_per_sm is 3, but"},
        {"ker.csv", "cta_per_sm,cycle\n1,first,40,64,2,22,6144,3,5\r\n", "cta_per_sm,cycle,grid_x\n1,first,40,64,2,22,6144,3,5,7\n",
         "line 2: 40 CTAs are not whole rows of a 2-D grid with grid_x = 7"},
        {"ker.csv", "cta_per_sm,cycle\n1,first,40,64,2,22,6144,3,5\r\n", "cta_per_sm,cycle,grid_x\n1,first,40,64,2,22,6144,3,5,4294967296\n",
         "line 2: column grid_x is \"4294967296\""},
        {"cta.csv", "launch", "lunch", "line 2: event is \"lunch\""},
        {"cta.csv", ",launch,1,2", ",launch,9,2", "line 2: kernel 9 is not in ker.csv"},
        {"cta.csv", ",launch,1,2", ",launch,1,3", "line 2: 3 warps per CTA"},
        {"cta.csv", ",launch,1,2", ",launch,2,4", "line 2: SM "},
        {"cta.csv", ",launch,1,2", ",done,1,2", "holds no CTA"},
        {"cta.csv", ",done,1,2", ",launch,1,2", "holds a CTA"},
        {"cta.csv", "\n", "\n4,0,0,launch,1,2\n", "line 2: SM 0, slot 0, cycle 4: before the first"},
        {"cta.csv", "\n", "\n400,0,0,launch,1,2\n", "line 3: cycle"},
        {"cta.csv", "\n", "\n5,0,8,launch,1,2\n", "column slot is \"8\""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_bad_table(rows[i].file, rows[i].from, rows[i].to, rows[i].file, rows[i].why);
}

IMPORT_TEST(tables_and_records_that_disagree_are_noticed)
{
    char exit[40], twice[80]; /* the first exit from slot 0 of SM 0, as a line of cta.csv */
    put_u8(&w.cta, 0);
    w.cta.n--;
    const char *at = strstr((const char *)w.cta.p, ",0,0,done,");
    assert_non_null(at);
    while (at[-1] != '\n')
        at--;
    snprintf(exit, sizeof exit, "%.*s", (int)(strchr(at, '\n') + 1 - at), at);
    snprintf(twice, sizeof twice, "%s%s", exit, exit);
    expect_bad_table("cta.csv", exit, "", "cyc.bin", "finished CTAs is not what cta.csv says");
    expect_bad_table("cta.csv", exit, twice, "cta.csv", "done, but the slot holds no CTA");
}

IMPORT_TEST(missing_empty_and_binary_files_are_named)
{
    static const char *const names[] = {"cyc.bin", "ker.csv", "cta.csv"};
    for (unsigned i = 0; i < 3; i++) {
        world_write(&w);
        remove(world_path(&w, names[i]));
        expect_refused(names[i], "cannot open");
    }
    world_write(&w);
    world_spew(&w, "ker.csv", "", 0);
    expect_refused("ker.csv", "empty");
    world_write(&w);
    world_spew(&w, "cta.csv", w.cyc.p, w.cyc.n);
    expect_refused("cta.csv", "line 1");
}

IMPORT_TEST(damaged_xz_is_named)
{
    spew_xz("cyc.bin", &w.cyc, 1000, 0);
    expect_refused("cyc.bin", "truncated");
    spew_xz("cyc.bin", &w.cyc, SIZE_MAX, 0x55);
    expect_refused("cyc.bin", "xz file is damaged");
}

static bool stop(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(unsigned *)context;
    return false;
}

IMPORT_TEST(an_interrupted_import_leaves_nothing)
{
    unsigned calls = 0;
    opt.progress = stop;
    opt.context = &calls;
    expect_refused("", "interrupted");
    assert_int_equal(calls, 1);
}

IMPORT_TEST(options_that_do_not_fit_are_refused)
{
    const uint8_t seven = 7;
    opt.geometry.warps = 65;
    expect_refused("", "version 2 hold 1 to 64 warps");
    opt.geometry.warps = 64;
    opt.format = 1;
    expect_refused("", "version 1 hold 1 to 48 warps");
    opt.format = 3;
    expect_refused("", "no version 3");
    opt.format = 0;
    opt.geometry.warps = 48;
    opt.resources.shared_unit = 0;
    expect_refused("", "at least one by one");
    opt.resources.shared_unit = 1;
    opt.sms = &seven;
    opt.num_sms = 1;
    expect_refused("", "no record of a wanted SM");
    opt.dir = NULL;
    expect_refused("", "give a directory");
}
