/* SPDX-License-Identifier: Apache-2.0
 *
 * Round trips: raw records to a trace, to raw records or text, to a trace again. And what cannot be exported.
 */
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/raw_export.h"
#include "recording/raw_fixture.h"
#include "recording/trace_fixture.h"

/* Of the test that runs. */
static world w;
static raw_import_options opt;
static trace_err err;
static trace_reader *r;

static int set_up_1(void **state)
{
    (void)state;
    world_make(&w, &opt);
    return 0;
}

static int set_up_2(void **state)
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
    remove(world_path(&w, "warps.csv"));
    remove(world_path(&w, "again.blt"));
    world_free(&w);
    return 0;
}

static FILE *create(const char *name)
{
    FILE *f = fopen(world_path(&w, name), "wb");

    assert_non_null(f);
    return f;
}

/* The trace at `path` to the three files of the world's folder, as records or as text. */
static bool export_from(const char *path, bool text)
{
    static const trace_walk_options options = {.progress = NULL};
    raw_export_files to = {.ker = create("ker.csv"), .cta = create("cta.csv")};
    bool ok;

    remove(world_path(&w, text ? "cyc.bin" : "warps.csv"));
    *(text ? &to.warps : &to.cyc) = create(text ? "warps.csv" : "cyc.bin");
    ok = raw_export(path, &to, &options, &err);
    fclose(to.ker);
    fclose(to.cta);
    fclose(text ? to.warps : to.cyc);
    return ok;
}

static void import(void)
{
    world_import(&opt, &r);
}

static void expect_same(const char *one, const char *other)
{
    size_t n, m;
    uint8_t *a = fixture_slurp(one, &n), *b = fixture_slurp(other, &m);

    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
}

static void expect_round_trip(const char *path)
{
    static char again[500];

    snprintf(again, sizeof again, "%s", world_path(&w, "again.blt"));
    opt.out_path = again;
    opt.format = 2;
    for (unsigned text = 0; text < 2; text++) {
        if (!export_from(path, text))
            fail_msg("%s", err.text);
        import();
        expect_same(path, again);
    }
}

TEST_BETWEEN(raw_records_come_back_byte_by_byte, set_up_2, tear_down)
{
    size_t n;
    uint8_t *cyc;

    import();
    assert_true(export_from(w.out, false));
    cyc = fixture_slurp(world_path(&w, "cyc.bin"), &n);
    assert_int_equal(n, w.cyc.n);
    assert_memory_equal(cyc, w.cyc.p, n);
    free(cyc);
}

TEST_BETWEEN(records_of_version_2_come_back_through_text, set_up_2, tear_down)
{
    import();
    expect_round_trip(w.out);
    world_expect(&w, r);
}

TEST_BETWEEN(records_of_version_1_come_back_in_version_2_and_through_text, set_up_1, tear_down)
{
    import();
    expect_round_trip(w.out);
    world_expect(&w, r);
}

/* A shipped recording, which the import gets the texts and the geometry of. */
static void expect_shipped(const char *path)
{
    world_like(&opt, path);
    expect_round_trip(path);
}

TEST_BETWEEN(shipped_recordings_come_back, set_up_2, tear_down)
{
    expect_shipped("vectors/volta/fma.n16.blt");
    expect_shipped("vectors/volta/srad.n8.blt"); /* two kernels */
    expect_shipped("vectors/hotspot.n2.blt"); /* one limit below Nmax, a 2-D grid */
}

/* ---- what cannot be exported ------------------------------------------------------------ */

enum { CYCLE_0 = 5, FEW = 12 };

/* One SM, a CTA of two warps in slot 0 from the second cycle on; edit changes a cycle. */
typedef void edit_fn(sm_obs *obs, sm_setup *setup, unsigned cycle);

static void write_edited(edit_fn *edit, unsigned first, bool cut)
{
    trace_launch launch = {.name = "k", .desc = {.grid_ctas = 1, .threads_per_cta = 64, .warps_per_cta = 2, .nmax = 4}, .limit = 4,
                           .start_cycle = CYCLE_0};
    const trace_meta meta = {.geometry = {.warps = 48, .slots = 8, .sms = 1, .issue_width = 2}, .num_launches = 1, .launches = &launch};
    trace_writer *writer = trace_writer_open(w.out, &meta, &err);

    assert_non_null(writer);
    for (unsigned i = first; i < FEW; i++) {
        sm_setup setup = {.kernel = launch.desc};
        sm_obs obs = {.kernel_start = i == 0, .cta_start = i == 1, .cta_active = i >= 1, .cta_done = i == FEW - 1, .setup = &setup};

        for (unsigned warp = 0; warp < 48; warp++)
            setup.warp_slot[warp] = (uint8_t)(warp / 6);
        sm_obs_set_warp_state(&obs, 1, i > 1 ? BALLAST_WARP_WAIT_MEM : BALLAST_WARP_EMPTY);
        edit(&obs, &setup, i);
        if (cut && i == FEW / 2)
            assert_true(trace_writer_cut(writer, 0, &err));
        if (!trace_writer_cycle(writer, 0, CYCLE_0 + i, &obs, TRACE_NO_CLASS, &err))
            fail_msg("%s", err.text);
    }
    assert_true(trace_writer_close(writer, &err));
}

static void as_it_is(sm_obs *obs, sm_setup *setup, unsigned cycle)
{
    (void)obs;
    (void)setup;
    (void)cycle;
}

static void paused(sm_obs *obs, sm_setup *setup, unsigned cycle)
{
    (void)setup;
    obs->paused = cycle == 4;
}

static void elsewhere(sm_obs *obs, sm_setup *setup, unsigned cycle)
{
    (void)obs;
    (void)cycle;
    setup->warp_slot[1] = 1;
}

static void early(sm_obs *obs, sm_setup *setup, unsigned cycle)
{
    (void)setup;
    if (cycle == 0)
        sm_obs_set_warp_state(obs, 40, BALLAST_WARP_BARRIER);
}

static void other_slot(sm_obs *obs, sm_setup *setup, unsigned cycle)
{
    (void)setup;
    if (cycle >= FEW / 2) {
        obs->cta_active <<= 1;
        obs->cta_done <<= 1;
    }
}

static void expect_refused(edit_fn *edit, unsigned first, bool cut, const char *why)
{
    write_edited(edit, first, cut);
    for (unsigned text = 0; text < 2; text++) {
        assert_false(export_from(w.out, text));
        assert_null(strchr(err.text, '\n'));
        if (!strstr(err.text, why) || !strstr(err.text, w.out))
            fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    }
}

TEST_BETWEEN(what_the_files_cannot_say_is_refused, set_up_1, tear_down)
{
    write_edited(as_it_is, 0, false);
    assert_true(export_from(w.out, false));
    expect_refused(paused, 0, false, "SM 0, cycle 9: warps are paused");
    expect_refused(elsewhere, 0, false, "SM 0, cycle 6: a CTA has not the warps");
    expect_refused(early, 0, false, "SM 0, cycle 5: warps have states and the SM holds no CTA");
    expect_refused(as_it_is, 3, false, "SM 0, cycle 8: the CTAs are not those of the cycle before");
    expect_refused(other_slot, 0, true, "SM 0, cycle 11: the CTAs are not those of the cycle before");
}
