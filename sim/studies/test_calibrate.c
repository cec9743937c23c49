/* SPDX-License-Identifier: Apache-2.0
 *
 * What the published types ask of a curve, how far one is off, and a search on a small scale.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "studies/calibrate.h"
#include "replay/interrupt.h"

enum { MOST = 4 };

/* A curve with this speed at 1, 2, ... CTAs, and what faster clocks bring. */
static calibration curve(const double ipc[MOST], double sm_gain, double memory_gain)
{
    calibration c = {.boosted = true, .sm_gain = sm_gain, .memory_gain = memory_gain};

    while (c.sweep.nmax < MOST && ipc[c.sweep.nmax] > 0) {
        c.sweep.ipc[c.sweep.nmax + 1] = ipc[c.sweep.nmax];
        c.sweep.nmax++;
    }
    c.sweep.optimum = sweep_optimum(&c.sweep);
    c.shape = calibrate_shape(&c.sweep);
    return c;
}

static void near(double value, double wanted_value)
{
    if (value < wanted_value - 1e-6 || value > wanted_value + 1e-6)
        fail_msg("%g, not %g", value, wanted_value);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

TEST(the_four_shapes)
{
    static const char *const names[] = {
        [SHAPE_RISES] = "rises", [SHAPE_SATURATES] = "saturates", [SHAPE_RISES_FALLS] = "rises-falls", [SHAPE_FALLS] = "falls",
        [SHAPES] = ""};
    static const struct {
        enum curve_shape shape;
        double ipc[MOST];
    } rows[] = {
        {SHAPE_RISES, {50, 80, 100}},
        {SHAPE_SATURATES, {50, 99, 100}},
        {SHAPE_RISES_FALLS, {50, 100, 90}},
        {SHAPE_FALLS, {100, 90, 80}},
        {SHAPE_RISES, {100}},
        {SHAPE_RISES_FALLS, {50, 100, 98}}, /* 2 % are a fall, less is none */
        {SHAPE_SATURATES, {50, 100, 98.1}},
        {SHAPE_SATURATES, {100, 98.1}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (curve(rows[i].ipc, 0, 0).shape != rows[i].shape)
            fail_msg("row %zu", i);
    for (unsigned shape = 0; shape <= SHAPES; shape++)
        assert_string_equal(calibrate_shape_name(shape), names[shape]);
}

/* ---- what the types want --------------------------------------------------------------------- */

TEST(what_each_type_wants)
{
    static const struct {
        enum published_type type;
        unsigned max, opt, nmax, least, most;
        char end; /* k: keeps, f: falls */
    } rows[] = {
        {TYPE_UNKNOWN, 6, 4, 6, 4, 4, '-'},
        {TYPE_C_STRONG, 6, 6, 6, 6, 6, 'k'},
        {TYPE_C_STRONG, 0, 0, 6, 6, 6, 'k'},
        {TYPE_C_WEAK, 6, 5, 6, 5, 5, 'k'},
        {TYPE_C_WEAK, 0, 0, 6, 1, 5, 'k'},
        {TYPE_MEM, 8, 5, 8, 5, 5, 'f'},
        {TYPE_MEM, 3, 3, 3, 3, 3, 'k'},
        {TYPE_I, 0, 0, 8, 8, 8, 'k'},
        {TYPE_I, 4, 3, 4, 3, 3, 'k'},
        {TYPE_II, 0, 0, 8, 2, 7, 'k'},
        {TYPE_II, 0, 0, 2, 1, 1, 'k'},
        {TYPE_II, 0, 3, 8, 3, 3, 'k'},
        {TYPE_III, 0, 0, 6, 1, 1, 'f'},
        {TYPE_III, 4, 2, 4, 2, 2, 'f'},
        {TYPE_IV, 0, 0, 8, 2, 7, 'f'},
        {TYPE_COMPUTE, 8, 0, 8, 1, 8, 'k'},
        {TYPE_MEMORY, 8, 0, 8, 1, 8, 'k'},
        {TYPE_CACHE, 3, 0, 3, 1, 2, 'f'},
        {TYPE_UNSATURATED, 8, 0, 8, 1, 8, 'k'},
        {TYPE_CACHE, 1, 0, 1, 1, 1, 'k'},
        /* A maximum that the simulator does not have: "all of them" stays that. */
        {TYPE_C_STRONG, 6, 6, 7, 7, 7, 'k'},
        {TYPE_C_STRONG, 6, 6, 5, 5, 5, 'k'},
        {TYPE_C_WEAK, 6, 5, 4, 4, 4, 'k'},
        {TYPE_C_WEAK, 6, 5, 7, 5, 5, 'k'},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const published p = {rows[i].type, rows[i].max, rows[i].opt};
        const wanted w = calibrate_wanted(&p, rows[i].nmax);

        if (w.least != rows[i].least || w.most != rows[i].most || w.falls != (rows[i].end == 'f') ||
            w.keeps != (rows[i].end == 'k') || w.gains != (p.type >= TYPE_COMPUTE))
            fail_msg("row %zu: %s: %u to %u, %d %d", i, published_type_name(p.type), w.least, w.most, w.falls, w.keeps);
    }
}

/* ---- how far off ----------------------------------------------------------------------------- */

#define FLAT {50, 100, 100}
#define THRASHING {50, 100, 80}

TEST(how_far_off_curves_are)
{
    static const struct {
        published p;
        double ipc[MOST], off, sm_gain, memory_gain;
    } rows[] = {
        /* curves that agree */
        {{TYPE_C_STRONG, 3, 3}, {50, 80, 100}, 0, 0, 0},
        {{TYPE_C_WEAK, 4, 2}, {50, 100, 100, 100}, 0, 0, 0},
        {{TYPE_MEM, 4, 2}, {50, 100, 95, 90}, 0, 0, 0},
        {{TYPE_III, 0, 0}, {100, 90, 80}, 0, 0, 0},
        {{TYPE_IV, 0, 0}, {50, 100, 80}, 0, 0, 0},
        {{TYPE_II, 0, 0}, {50, 80, 100, 100}, 0, 0, 0},
        {{TYPE_UNKNOWN, 3, 2}, {50, 100, 50}, 0, 0, 0},
        {{TYPE_I, 0, 0}, {100}, 0, 0, 0},
        /* the optimum: fewer CTAs have to be 3 % worse, more may be 1 % better */
        {{TYPE_UNKNOWN, 3, 2}, {100, 103, 103}, 0, 0, 0},
        {{TYPE_UNKNOWN, 3, 2}, {100, 102, 102}, 1, 0, 0},
        {{TYPE_UNKNOWN, 3, 2}, {50, 100, 101}, 0, 0, 0},
        {{TYPE_UNKNOWN, 3, 2}, {50, 100, 106}, 5, 0, 0},
        {{TYPE_UNKNOWN, 4, 3}, {100, 100, 100, 100}, 6, 0, 0},
        {{TYPE_UNKNOWN, 4, 1}, {50, 100, 100, 100}, 99, 0, 0},
        {{TYPE_UNKNOWN, 3, 3}, {100, 90, 103}, 0, 0, 0}, /* a fall before the optimum does not hide what comes after */
        /* the end */
        {{TYPE_C_WEAK, 3, 2}, {50, 100, 99}, 0, 0, 0},
        {{TYPE_C_WEAK, 3, 2}, {50, 100, 97}, 2, 0, 0},
        {{TYPE_MEM, 3, 2}, {50, 100, 97}, 2, 0, 0},
        {{TYPE_MEM, 3, 2}, THRASHING, 1, 0, 0},
        {{TYPE_IV, 3, 2}, {50, 100, 91}, 1, 0, 0},
        {{TYPE_IV, 3, 2}, {50, 100, 59}, 0.2, 0, 0},
        {{TYPE_III, 3, 1}, {100, 91, 91}, 1, 0, 0},
        /* gains of faster clocks */
        {{TYPE_COMPUTE, 3, 0}, FLAT, 0, 15, 0},
        {{TYPE_COMPUTE, 3, 0}, FLAT, 3, 8, 3},
        {{TYPE_MEMORY, 3, 0}, FLAT, 0, 0, 15},
        {{TYPE_MEMORY, 3, 0}, FLAT, 3, 5, 7},
        {{TYPE_CACHE, 3, 0}, THRASHING, 0, 0, 15},
        {{TYPE_CACHE, 3, 0}, THRASHING, 2, 9, 7},
        {{TYPE_CACHE, 3, 0}, FLAT, 15, 0, 15},
        {{TYPE_CACHE, 3, 0}, {50, 100, 39}, 0.2, 0, 15},
        {{TYPE_UNSATURATED, 3, 0}, FLAT, 0, 6, 6},
        {{TYPE_UNSATURATED, 3, 0}, FLAT, 2, 12, 1},
        {{TYPE_UNSATURATED, 3, 0}, FLAT, 2, 1, 10},
        {{TYPE_II, 3, 2}, FLAT, 0, 15, 15}, /* other papers' types do not speak of clocks */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const calibration c = curve(rows[i].ipc, rows[i].sm_gain, rows[i].memory_gain);
        const wanted want = calibrate_wanted(&rows[i].p, c.sweep.nmax);

        print_message("row %zu\n", i);
        near(calibrate_off(&want, &c), rows[i].off);
    }
}

TEST(to_agree_is_without_margins)
{
    static const struct {
        published p;
        bool agrees;
        double ipc[MOST], sm_gain, memory_gain;
    } rows[] = {
        {{TYPE_C_WEAK, 3, 2}, true, {100, 102.1, 102}, 0, 0},
        {{TYPE_C_WEAK, 3, 2}, false, {100, 101.9, 101.9}, 0, 0},
        {{TYPE_C_WEAK, 3, 2}, false, {50, 80, 100}, 0, 0},
        {{TYPE_C_WEAK, 3, 2}, false, {50, 100, 98}, 0, 0},
        {{TYPE_MEM, 3, 2}, true, {50, 100, 98}, 0, 0},
        {{TYPE_MEM, 3, 2}, false, {50, 100, 98.1}, 0, 0},
        {{TYPE_III, 0, 0}, true, {100, 90}, 0, 0},
        {{TYPE_IV, 0, 0}, true, {50, 100, 10}, 0, 0},
        {{TYPE_COMPUTE, 3, 0}, true, FLAT, 10, 2},
        {{TYPE_COMPUTE, 3, 0}, false, FLAT, 9.9, 2},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const calibration c = curve(rows[i].ipc, rows[i].sm_gain, rows[i].memory_gain);
        const wanted want = calibrate_wanted(&rows[i].p, c.sweep.nmax);

        if (calibrate_agrees(&want, &c) != rows[i].agrees)
            fail_msg("row %zu", i);
    }
}

/* ---- measuring ------------------------------------------------------------------------------- */

static const workload mine = {.name = "mine", .ctas = 100, .threads_per_cta = 512, .regs_per_thread = 16, .launches = 1,
                              .insts = 200, .loads = 0.1, .stores = 0.02, .branches = 0.05, .alu_distance = 2,
                              .load_distance = 2, .lines = 1};

/* What a test measures or fits, and what comes of it. */
static workload w;
static calibration all[TARGET_MACHINES];
static char err[RUN_ERR];

static workload_target target_of(enum published_type type, unsigned max, unsigned opt)
{
    workload_target t = {.paper = "P"};

    t.on[0] = (published){type, max, opt};
    return t;
}

/* Options; and all begins anew. */
static calibrate_options quick(void)
{
    calibrate_options how = calibrate_default();

    w = mine;
    memset(all, 0, sizeof all);
    snprintf(err, sizeof err, "x");
    how.cycles = 8000;
    how.jobs = 2;
    how.tries = 12;
    return how;
}

TEST(machines_that_are_taken)
{
    calibrate_options how = calibrate_default();
    workload_target t = {0};

    assert_false(calibrate_takes(&how, &t, 0));
    t.on[0].type = TYPE_MEM;
    t.on[1].opt = 1;
    t.on[2].max = 1;
    assert_true(calibrate_takes(&how, &t, 0));
    assert_true(calibrate_takes(&how, &t, 1));
    assert_false(calibrate_takes(&how, &t, 2));
    how.on[0] = false;
    assert_false(calibrate_takes(&how, &t, 0));
}

TEST(a_sweep)
{
    const calibrate_options how = quick();
    const workload_target t = target_of(TYPE_COMPUTE, 3, 0);
    calibration again[TARGET_MACHINES] = {0};

    assert_true(calibrate_measure(&how, &w, &t, all, err));
    assert_int_equal(all[0].sweep.nmax, 3);
    assert_true(all[0].sweep.ipc[1] > 0.05 && all[0].sweep.ipc[1] < all[0].sweep.ipc[2]);
    assert_true(all[0].sweep.ipc[3] > 0);
    assert_int_equal(all[0].sweep.optimum, sweep_optimum(&all[0].sweep));
    assert_int_equal(all[0].shape, calibrate_shape(&all[0].sweep));
    assert_true(all[0].boosted && all[0].sm_gain < 25 && all[0].memory_gain < 25);
    assert_true(all[0].sm_gain + all[0].memory_gain > 5);
    assert_int_equal(all[1].sweep.nmax, 0);
    assert_true(calibrate_measure(&how, &w, &t, again, err));
    assert_memory_equal(all, again, sizeof all);
}

TEST(each_clock_by_itself)
{
    const calibrate_options how = quick();
    const workload_target t = target_of(TYPE_COMPUTE, 3, 0);

    w.loads = w.stores = 0;
    w.code = 1;
    assert_true(calibrate_measure(&how, &w, &t, all, err));
    assert_true(all[0].sm_gain > 14 && all[0].sm_gain < 16);
    assert_true(fabs(all[0].memory_gain) < 0.5); /* its code comes from memory once */
    w.loads = 0.3;
    w.lines = 4;
    assert_true(calibrate_measure(&how, &w, &t, all, err));
    assert_true(all[0].sm_gain < 5 && all[0].memory_gain > 8);
}

/* On whole machines a kernel runs to its end, on a slice it has none. */
TEST(whole_machines)
{
    const workload_target t = target_of(TYPE_I, 3, 0);
    calibrate_options how = quick();
    calibration part[TARGET_MACHINES] = {0};

    w.ctas = 15;
    how.whole = true;
    assert_true(calibrate_measure(&how, &w, &t, all, err));
    assert_false(all[0].boosted);
    /* 15 CTAs on 15 SMs: a limit above 1 changes nothing. */
    near(all[0].sweep.ipc[3], all[0].sweep.ipc[1]);
    how.whole = false;
    w.ctas = 5;
    assert_true(calibrate_measure(&how, &w, &t, part, err));
    assert_true(part[0].sweep.ipc[3] > 1.3 * part[0].sweep.ipc[1]);
}

TEST(a_workload_that_cannot_run)
{
    const calibrate_options how = quick();
    const workload_target t = target_of(TYPE_I, 3, 0);

    w.shared_per_cta = 1 << 20;
    assert_false(calibrate_measure(&how, &w, &t, all, err));
    assert_non_null(strstr(err, "the kernel cannot be launched"));
    assert_false(calibrate_search(&how, &w, &t, all, err));
    assert_non_null(strstr(err, "the kernel cannot be launched"));
}

/* ---- the search ------------------------------------------------------------------------------ */

static unsigned calls;
static double last_off;

static void note(void *user, unsigned tried, double how_far)
{
    assert_ptr_equal(user, &calls);
    assert_int_equal(tried, ++calls);
    assert_true(calls == 1 || how_far <= last_off);
    last_off = how_far;
}

TEST(a_search_comes_nearer)
{
    const workload_target t = target_of(TYPE_C_WEAK, 3, 1);
    calibrate_options how = quick();
    calibration before[TARGET_MACHINES] = {0}, after[TARGET_MACHINES] = {0}, again[TARGET_MACHINES] = {0};
    workload kept = mine;

    how.progress = note;
    how.user = &calls;
    calls = 0;
    assert_true(calibrate_measure(&how, &w, &t, before, err));
    assert_true(before[0].off > 0);
    assert_true(calibrate_search(&how, &w, &t, after, err));
    assert_int_equal(calls, how.tries);
    assert_true(after[0].off < before[0].off);
    near(last_off, after[0].off);
    /* The measured values are those of the workload that is returned. */
    assert_true(calibrate_measure(&how, &w, &t, again, err));
    assert_memory_equal(after, again, sizeof after);
    /* Nothing but the knobs moved, and what was zero is zero. */
    kept.loads = w.loads;
    kept.alu_distance = w.alu_distance;
    kept.load_distance = w.load_distance;
    kept.lines = w.lines;
    assert_memory_equal(&kept, &w, sizeof w);
}

TEST(a_search_ends_when_all_is_well)
{
    const workload_target t = target_of(TYPE_I, 3, 0);
    calibrate_options how = quick();

    w.loads = 0.02;
    w.load_distance = w.alu_distance = 1;
    w.shared = 0.3;
    w.threads_per_cta = 128;
    w.regs_per_thread = 60; /* 4 CTAs of 4 warps */
    how.progress = note;
    how.user = &calls;
    calls = 0;
    assert_true(calibrate_search(&how, &w, &t, all, err));
    assert_int_equal(calls, 1);
    assert_int_equal(all[0].shape, SHAPE_RISES);
}

TEST(an_interrupted_search)
{
    const calibrate_options how = quick();
    const workload_target t = target_of(TYPE_C_WEAK, 3, 1);

    interrupted = 1;
    assert_false(calibrate_search(&how, &w, &t, all, err));
    interrupted = 0;
    assert_string_equal(err, "");
    assert_memory_equal(&w, &mine, sizeof w);
}

TEST(changes_as_text)
{
    workload_setting settings[32];

    w = mine;
    assert_int_equal(calibrate_changes(&mine, &w, settings, 32), 0);
    w.loads = 0.125;
    w.lines = 16;
    w.footprint = 123456;
    w.ctas = 7; /* is no knob */
    assert_int_equal(calibrate_changes(&mine, &w, settings, 32), 3);
    assert_string_equal(settings[0].key, "loads");
    assert_string_equal(settings[0].value, "0.125");
    assert_string_equal(settings[1].key, "lines");
    assert_string_equal(settings[1].value, "16");
    assert_string_equal(settings[2].key, "footprint");
    assert_string_equal(settings[2].value, "123456");
    assert_int_equal(calibrate_changes(&mine, &w, settings, 2), 2);
}
