/* SPDX-License-Identifier: Apache-2.0
 *
 * Import of raw recordings of version 2: 64 warps, 32 CTA slots, 256 SMs, kernels side by side.
 */
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/raw_fixture.h"
#include "recording/trace_fixture.h"

/* Of the test that runs. */
static world w;
static raw_import_options opt;
static trace_err err;
static trace_reader *r; /* of what was imported */

static int set_up(void **state)
{
    (void)state;
    world_make_2(&w, &opt);
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

static void expect_refused(const char *file, const char *why)
{
    world_write(&w);
    world_expect_refused(&w, &opt, file, why);
}

static size_t records(void) { return w.cyc.n / RECORD_2; }

IMPORT_TEST(imported_trace_equals_the_records_of_version_2)
{
    import();
    world_expect(&w, r);
    assert_int_equal(trace_get_meta(r)->geometry.sms, 256);
}

/* Without any one of the records the import fails. */
IMPORT_TEST(a_lost_record_is_noticed_wherever_it_was)
{
    uint8_t lost[RECORD_2];

    for (size_t i = records() - 1; i < records(); i -= 13) { /* the last one, and down to the first */
        uint8_t *at = w.cyc.p + i * RECORD_2;
        const size_t behind = w.cyc.n - (i + 1) * RECORD_2;

        if (get_u32(at + 8) == 0)
            continue; /* an exit that leaves the SM empty needs no record */
        memcpy(lost, at, RECORD_2);
        memmove(at, at + RECORD_2, behind);
        w.cyc.n -= RECORD_2;
        expect_refused("cyc.bin", "");
        memmove(at + RECORD_2, at, behind);
        memcpy(at, lost, RECORD_2);
        w.cyc.n += RECORD_2;
    }
}

IMPORT_TEST(records_of_another_sm_are_noticed)
{
    for (size_t i = 0; i < records(); i++)
        w.cyc.p[i * RECORD_2 + 4] ^= 0xff; /* 0 is 255, and 255 is 0 */
    expect_refused("cyc.bin", "SM 0, cycle 5: a warp is in use that belongs to no CTA");
}

IMPORT_TEST(a_record_of_another_version_is_named)
{
    opt.format = 1;
    opt.geometry = (trace_geometry){.warps = 48, .slots = 8, .sms = 256, .issue_width = 4};
    world_expect_refused(&w, &opt, "cta.csv", "column slot is \"30\"");
    tear_down(NULL);
    world_make(&w, &opt);
    opt.format = 2;
    world_expect_refused(&w, &opt, "cyc.bin", "are these records of version 1");
}

/* Byte `at` of record `record` becomes `value`. */
IMPORT_TEST(bad_records_of_version_2_are_named_by_file_and_offset)
{
    static const struct {
        size_t record, at;
        uint8_t value;
        const char *why;
    } rows[] = {
        {20, 0, 1, "not after the record before it"}, {20, 16, 0x01, "belongs to no CTA"}, {20, 47, 0xbf, "unknown state code"},
        {20, 5, 0x80, "bits that have to be 0"}, {20, 5, 0x01, "bits that have to be 0"}, {20, 6, 1, "bits that have to be 0"},
        {20, 7, 1, "bits that have to be 0"}, {20, 8, 1, "resident CTAs"}, {20, 12, 1, "finished CTAs"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t *byte = &w.cyc.p[RECORD_2 * rows[i].record + rows[i].at];
        const uint8_t was = *byte;
        char offset[60];

        *byte = rows[i].value;
        expect_refused("cyc.bin", rows[i].why);
        snprintf(offset, sizeof offset, "(byte offset %zu)", RECORD_2 * rows[i].record);
        world_expect_refused(&w, &opt, "cyc.bin", offset);
        *byte = was;
    }
}

IMPORT_TEST(an_sm_beyond_the_chip_is_named)
{
    opt.geometry.sms = 255;
    world_expect_refused(&w, &opt, "cta.csv", "column sm is \"255\"");
}

/* A bit of each byte of the first record and of the last one: one line, or a recording that can be read. */
IMPORT_TEST(flipped_bits_are_survived)
{
    unsigned taken = 0;

    for (size_t at = 0; at < w.cyc.n; at = at == RECORD_2 - 1 ? w.cyc.n - RECORD_2 : at + 1)
        for (unsigned bit = at % 8; bit < 8; bit += 8) {
            w.cyc.p[at] ^= (uint8_t)(1u << bit);
            world_write(&w);
            if (raw_import(&opt, &err)) {
                taken++;
                r = fixture_open_trace(w.out);
                assert_true(trace_select_sm(r, 0, &err));
                while (trace_next(r, &err)) {
                }
                assert_string_equal(err.text, "");
                trace_close(r);
                r = NULL;
                remove(w.out);
            } else {
                assert_true(err.text[0] && !strchr(err.text, '\n'));
                assert_false(world_has_output(&w));
            }
            w.cyc.p[at] ^= (uint8_t)(1u << bit);
        }
    assert_in_range(taken, 1, 2 * RECORD_2 * 8); /* classes, and some states, may be others */
}

IMPORT_TEST(files_that_end_early_are_refused)
{
    const size_t whole = w.cyc.n;

    for (w.cyc.n = whole - 1; w.cyc.n > whole - (size_t)3 * RECORD_2; w.cyc.n--)
        if (w.cyc.n % RECORD_2)
            expect_refused("cyc.bin", "inside a 48-byte record; copy it again");
    w.cyc.n = whole / 2 / RECORD_2 * RECORD_2;
    expect_refused("cyc.bin", "");
    w.cyc.n = whole;
}

/* ---- kernels ---------------------------------------------------------------------- */

static void put_kernels(const char *head, const char *first, const char *second)
{
    w.ker.n = 0;
    world_line(&w.ker, "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle,%s\n", head);
    world_line(&w.ker, "1,a,40,64,2,22,6144,3,%d,%s\n2,b,40,128,4,22,6144,3,%d,%s\n", FIRST, first, SECOND, second);
}

IMPORT_TEST(dimensions_multiply_to_the_grid_and_the_block)
{
    static const struct {
        const char *second, *why;
    } bad[] = {
        {"10,4,2,32,2,2", "line 3: 10 x 4 x 2 are not the 40 CTAs of the grid"},
        {"10,4,1,32,2,1", "line 3: 32 x 2 x 1 are not the 128 threads of a CTA"},
        {"10,4,0,32,2,2", "line 3: 10 x 4 x 0 are not"},
        {"4294967295,4294967295,4294967295,32,2,2", "are not the 40 CTAs"},
        {"10,4,x,32,2,2", "line 3: column grid_z is \"x\""},
        {"10,4,1,32,2,-2", "line 3: column block_z is \"-2\""},
    };

    put_kernels("grid_x,grid_y,grid_z,block_x,block_y,block_z", "40,1,1,64,1,1", "10,4,1,32,2,2");
    world_write(&w);
    import();
    assert_int_equal(trace_get_meta(r)->launches[0].desc.is_2d, 0);
    assert_int_equal(trace_get_meta(r)->launches[1].desc.is_2d, 1);
    assert_int_equal(trace_get_meta(r)->launches[1].desc.grid_x, 10);
    remove(w.out);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        put_kernels("grid_x,grid_y,grid_z,block_x,block_y,block_z", "40,1,1,64,1,1", bad[i].second);
        expect_refused("ker.csv", bad[i].why);
    }
}

static unsigned warned;

static void count_warning(void *context, const char *line)
{
    (void)context;
    assert_non_null(strstr(line, "the recorder says so, so Nmax is 5; by the SM's resources it would be 8"));
    warned++;
}

IMPORT_TEST(nmax_is_what_the_recorder_says)
{
    put_kernels("nmax", "8", "5");
    opt.warn = count_warning;
    warned = 0;
    world_write(&w);
    import();
    assert_int_equal(warned, 1);
    assert_int_equal(trace_get_meta(r)->launches[0].desc.nmax, 8);
    assert_int_equal(trace_get_meta(r)->launches[1].desc.nmax, 5);
    remove(w.out);
    put_kernels("nmax", "8", "2");
    expect_refused("ker.csv", "line 3: nmax is 2, but cta_per_sm 3");
    put_kernels("nmax", "8", "9");
    expect_refused("ker.csv", "line 3: column nmax is \"9\"");
}

/* ---- kernels side by side --------------------------------------------------------- */

/* SM 0: a CTA of kernel 1 in slot 3 from cycle 5 to 11, one of kernel 2, which starts in cycle 7, in slot 0 from 8 to 10, then one more
 * of kernel 1 in slot 4 in cycles 9 and 10. `first`: warps of the second and of the third one. */
static void make_pair(unsigned second, unsigned third)
{
    static const uint32_t resident[] = {8, 8, 8, 9, 25, 8, 0}, done[] = {0, 0, 0, 0, 0, 17, 8};

    w.cyc.n = w.ker.n = w.cta.n = 0;
    world_line(&w.ker, "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n"
                       "7,a,40,64,2,22,0,3,5\n8,b,40,128,4,22,0,3,7\n");
    world_line(&w.cta, "cycle,sm,slot,event,kernel,warps_per_cta,first_warp\n");
    world_line(&w.cta, "5,0,3,launch,7,2,6\n8,0,0,launch,8,4,%u\n9,0,4,launch,7,2,%u\n10,0,0,done,8,4,%u\n10,0,4,done,7,2,%u\n11,0,3,done,7,2,6\n",
               second, third, second, third);
    for (unsigned i = 0; i < 7; i++) {
        put_u32(&w.cyc, 5 + i);
        put_u32(&w.cyc, 0x1000); /* SM 0, class 1 */
        put_u32(&w.cyc, resident[i]);
        put_u32(&w.cyc, done[i]);
        for (unsigned byte = 0; byte < 32; byte++)
            put_u8(&w.cyc, byte == 3 && i ? 0x43 : 0); /* warps 6 and 7 */
    }
    world_write(&w);
}

IMPORT_TEST(kernels_run_side_by_side)
{
    const sm_obs *o;

    make_pair(60, 4);
    import();
    assert_true(trace_select_sm(r, 0, &err));
    for (unsigned cycle = 5; cycle <= 11; cycle++) {
        o = trace_next(r, &err);
        assert_non_null(o);
        assert_int_equal(o->kernel_start, cycle == 5 || cycle == 7);
        assert_int_equal(o->cta_start, cycle == 5 ? 8 : cycle == 8 ? 1 : cycle == 9 ? 16 : 0);
        assert_int_equal(o->cta_done, cycle == 10 ? 17 : cycle == 11 ? 8 : 0);
        assert_int_equal(o->setup->kernel.warps_per_cta, cycle < 7 ? 2 : 4);
        assert_int_equal(o->setup->warp_slot[6], 3);
    }
    assert_null(trace_next(r, &err));
    assert_int_equal(o->setup->warp_slot[60], 0);
    assert_int_equal(o->setup->warp_slot[63], 0);
    assert_int_equal(o->setup->warp_slot[4], 4);
}

IMPORT_TEST(kernels_that_share_warps_or_come_too_early_are_refused)
{
    make_pair(4, 30); /* warps 4..7, of which slot 3 has two */
    expect_refused("cta.csv", "line 3: SM 0, slot 0, cycle 8: launch, but a CTA in another slot has some of its warps");
    make_pair(61, 4);
    expect_refused("cta.csv", "line 3: slot 0 needs warps beyond the geometry's 64");
    make_pair(60, 64);
    expect_refused("cta.csv", "line 4: column first_warp is \"64\"");
    make_pair(60, 4);
    w.cta.p[(uint8_t *)memmem(w.cta.p, w.cta.n, "8,0,0,", 6) - w.cta.p] = '6';
    expect_refused("cta.csv", "line 3: SM 0, slot 0, cycle 6: launch of a kernel that does not run yet");
    make_pair(60, 4);
    memcpy(memmem(w.cta.p, w.cta.n, "0,4,done,7", 10), "0,0,done,7", 10); /* slot 0 is kernel 8's */
    memcpy(memmem(w.cta.p, w.cta.n, "0,0,done,8,4", 12), "0,4,done,7,2", 12);
    expect_refused("cta.csv", "line 6: SM 0, slot 0, cycle 10: done, but the slot holds a CTA of another kernel");
}
