/* SPDX-License-Identifier: Apache-2.0
 *
 * What the published types ask of a curve, how far one is off, and a search on a small scale.
 */
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "studies/calibrate.h"
#include "replay/interrupt.h"

/* A curve with this speed at 1, 2, ... CTAs. */
static calibration curve(const double *ipc, size_t num)
{
    calibration c = {0};

    c.sweep.nmax = (unsigned)num;
    for (unsigned n = 1; n <= num; n++)
        c.sweep.ipc[n] = ipc[n - 1];
    c.sweep.optimum = sweep_optimum(&c.sweep);
    c.shape = calibrate_shape(&c.sweep);
    return c;
}

#define CURVE(...) curve((const double[]){__VA_ARGS__}, sizeof(const double[]){__VA_ARGS__} / sizeof(double))

static double off(enum published_type type, unsigned max, unsigned opt, calibration c)
{
    const published p = {type, max, opt};
    const wanted want = calibrate_wanted(&p, c.sweep.nmax);

    return calibrate_off(&want, &c);
}

static bool agrees(enum published_type type, unsigned max, unsigned opt, calibration c)
{
    const published p = {type, max, opt};
    const wanted want = calibrate_wanted(&p, c.sweep.nmax);

    return calibrate_agrees(&want, &c);
}

static void near(double value, double wanted_value)
{
    if (value < wanted_value - 1e-6 || value > wanted_value + 1e-6)
        fail_msg("%g, not %g", value, wanted_value);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

TEST(the_four_shapes)
{
    assert_int_equal(CURVE(50, 80, 100).shape, SHAPE_RISES);
    assert_int_equal(CURVE(50, 99, 100).shape, SHAPE_SATURATES);
    assert_int_equal(CURVE(50, 100, 90).shape, SHAPE_RISES_FALLS);
    assert_int_equal(CURVE(100, 90, 80).shape, SHAPE_FALLS);
    assert_int_equal(CURVE(100).shape, SHAPE_RISES);
    /* 2 % are a fall, less is none. */
    assert_int_equal(CURVE(50, 100, 98).shape, SHAPE_RISES_FALLS);
    assert_int_equal(CURVE(50, 100, 98.1).shape, SHAPE_SATURATES);
    assert_int_equal(CURVE(100, 98.1).shape, SHAPE_SATURATES);
    assert_string_equal(calibrate_shape_name(SHAPE_RISES), "rises");
    assert_string_equal(calibrate_shape_name(SHAPE_SATURATES), "saturates");
    assert_string_equal(calibrate_shape_name(SHAPE_RISES_FALLS), "rises-falls");
    assert_string_equal(calibrate_shape_name(SHAPE_FALLS), "falls");
    assert_string_equal(calibrate_shape_name(SHAPES), "");
}

/* ---- what the types want --------------------------------------------------------------------- */

static void check_wanted(enum published_type type, unsigned max, unsigned opt, unsigned nmax, unsigned least, unsigned most,
                         char end)
{
    const published p = {type, max, opt};
    const wanted w = calibrate_wanted(&p, nmax);

    if (w.least != least || w.most != most || w.falls != (end == 'f') || w.keeps != (end == 'k'))
        fail_msg("%s %u/%u of %u: %u to %u, %d %d", published_type_name(type), opt, max, nmax, w.least, w.most, w.falls, w.keeps);
    assert_int_equal(w.gains, type >= TYPE_COMPUTE);
}

TEST(what_each_type_wants)
{
    check_wanted(TYPE_UNKNOWN, 6, 4, 6, 4, 4, '-');
    check_wanted(TYPE_C_STRONG, 6, 6, 6, 6, 6, 'k');
    check_wanted(TYPE_C_STRONG, 0, 0, 6, 6, 6, 'k');
    check_wanted(TYPE_C_WEAK, 6, 5, 6, 5, 5, 'k');
    check_wanted(TYPE_C_WEAK, 0, 0, 6, 1, 5, 'k');
    check_wanted(TYPE_MEM, 8, 5, 8, 5, 5, 'f');
    check_wanted(TYPE_MEM, 3, 3, 3, 3, 3, 'k');
    check_wanted(TYPE_I, 0, 0, 8, 8, 8, 'k');
    check_wanted(TYPE_I, 4, 3, 4, 3, 3, 'k');
    check_wanted(TYPE_II, 0, 0, 8, 2, 7, 'k');
    check_wanted(TYPE_II, 0, 0, 2, 1, 1, 'k');
    check_wanted(TYPE_II, 0, 3, 8, 3, 3, 'k');
    check_wanted(TYPE_III, 0, 0, 6, 1, 1, 'f');
    check_wanted(TYPE_III, 4, 2, 4, 2, 2, 'f');
    check_wanted(TYPE_IV, 0, 0, 8, 2, 7, 'f');
    check_wanted(TYPE_COMPUTE, 8, 0, 8, 1, 8, 'k');
    check_wanted(TYPE_MEMORY, 8, 0, 8, 1, 8, 'k');
    check_wanted(TYPE_CACHE, 3, 0, 3, 1, 2, 'f');
    check_wanted(TYPE_UNSATURATED, 8, 0, 8, 1, 8, 'k');
    check_wanted(TYPE_CACHE, 1, 0, 1, 1, 1, 'k');
}

/* A maximum that the simulator does not have: "all of them" stays that. */
TEST(another_maximum)
{
    check_wanted(TYPE_C_STRONG, 6, 6, 7, 7, 7, 'k');
    check_wanted(TYPE_C_STRONG, 6, 6, 5, 5, 5, 'k');
    check_wanted(TYPE_C_WEAK, 6, 5, 4, 4, 4, 'k');
    check_wanted(TYPE_C_WEAK, 6, 5, 7, 5, 5, 'k');
}

/* ---- how far off ----------------------------------------------------------------------------- */

TEST(curves_that_agree)
{
    near(off(TYPE_C_STRONG, 3, 3, CURVE(50, 80, 100)), 0);
    near(off(TYPE_C_WEAK, 4, 2, CURVE(50, 100, 100, 100)), 0);
    near(off(TYPE_MEM, 4, 2, CURVE(50, 100, 95, 90)), 0);
    near(off(TYPE_III, 0, 0, CURVE(100, 90, 80)), 0);
    near(off(TYPE_IV, 0, 0, CURVE(50, 100, 80)), 0);
    near(off(TYPE_II, 0, 0, CURVE(50, 80, 100, 100)), 0);
    near(off(TYPE_UNKNOWN, 3, 2, CURVE(50, 100, 50)), 0);
    near(off(TYPE_I, 0, 0, CURVE(100)), 0);
}

/* Fewer CTAs have to be 3 % worse, more may be 1 % better. */
TEST(margins_of_the_optimum)
{
    near(off(TYPE_UNKNOWN, 3, 2, CURVE(100, 103, 103)), 0);
    near(off(TYPE_UNKNOWN, 3, 2, CURVE(100, 102, 102)), 1);
    near(off(TYPE_UNKNOWN, 3, 2, CURVE(50, 100, 101)), 0);
    near(off(TYPE_UNKNOWN, 3, 2, CURVE(50, 100, 106)), 5);
    near(off(TYPE_UNKNOWN, 4, 3, CURVE(100, 100, 100, 100)), 6);
    near(off(TYPE_UNKNOWN, 4, 1, CURVE(50, 100, 100, 100)), 99);
    /* A fall before the optimum does not hide what comes after. */
    near(off(TYPE_UNKNOWN, 3, 3, CURVE(100, 90, 103)), 0);
}

TEST(margins_of_the_end)
{
    near(off(TYPE_C_WEAK, 3, 2, CURVE(50, 100, 99)), 0);
    near(off(TYPE_C_WEAK, 3, 2, CURVE(50, 100, 97)), 2);
    near(off(TYPE_MEM, 3, 2, CURVE(50, 100, 97)), 2);
    near(off(TYPE_MEM, 3, 2, CURVE(50, 100, 80)), 1);
    near(off(TYPE_IV, 3, 2, CURVE(50, 100, 91)), 1);
    near(off(TYPE_IV, 3, 2, CURVE(50, 100, 59)), 0.2);
    near(off(TYPE_III, 3, 1, CURVE(100, 91, 91)), 1);
}

static calibration gaining(calibration c, double sm, double mem)
{
    c.boosted = true;
    c.sm_gain = sm;
    c.memory_gain = mem;
    return c;
}

TEST(gains_of_equalizers_types)
{
    const calibration flat = CURVE(50, 100, 100), thrashing = CURVE(50, 100, 80);

    near(off(TYPE_COMPUTE, 3, 0, gaining(flat, 15, 0)), 0);
    near(off(TYPE_COMPUTE, 3, 0, gaining(flat, 8, 3)), 3);
    near(off(TYPE_MEMORY, 3, 0, gaining(flat, 0, 15)), 0);
    near(off(TYPE_MEMORY, 3, 0, gaining(flat, 5, 7)), 3);
    near(off(TYPE_CACHE, 3, 0, gaining(thrashing, 0, 15)), 0);
    near(off(TYPE_CACHE, 3, 0, gaining(thrashing, 9, 7)), 2);
    near(off(TYPE_CACHE, 3, 0, gaining(flat, 0, 15)), 15);
    near(off(TYPE_CACHE, 3, 0, gaining(CURVE(50, 100, 39), 0, 15)), 0.2);
    near(off(TYPE_UNSATURATED, 3, 0, gaining(flat, 6, 6)), 0);
    near(off(TYPE_UNSATURATED, 3, 0, gaining(flat, 12, 1)), 2);
    near(off(TYPE_UNSATURATED, 3, 0, gaining(flat, 1, 10)), 2);
    /* Other papers' types do not speak of clocks. */
    near(off(TYPE_II, 3, 2, gaining(flat, 15, 15)), 0);
}

TEST(to_agree_is_without_margins)
{
    assert_true(agrees(TYPE_C_WEAK, 3, 2, CURVE(100, 102.1, 102)));
    assert_false(agrees(TYPE_C_WEAK, 3, 2, CURVE(100, 101.9, 101.9)));
    assert_false(agrees(TYPE_C_WEAK, 3, 2, CURVE(50, 80, 100)));
    assert_false(agrees(TYPE_C_WEAK, 3, 2, CURVE(50, 100, 98)));
    assert_true(agrees(TYPE_MEM, 3, 2, CURVE(50, 100, 98)));
    assert_false(agrees(TYPE_MEM, 3, 2, CURVE(50, 100, 98.1)));
    assert_true(agrees(TYPE_III, 0, 0, CURVE(100, 90)));
    assert_true(agrees(TYPE_IV, 0, 0, CURVE(50, 100, 10)));
    assert_true(agrees(TYPE_COMPUTE, 3, 0, gaining(CURVE(50, 100, 100), 10, 2)));
    assert_false(agrees(TYPE_COMPUTE, 3, 0, gaining(CURVE(50, 100, 100), 9.9, 2)));
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
    assert_true(calibrate_measure(&how, &w, &t, all, err));
    assert_true(all[0].sm_gain > 14 && all[0].sm_gain < 16);
    near(all[0].memory_gain, 0);
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
