/* SPDX-License-Identifier: Apache-2.0
 *
 * What counts as the best limit (PS-E4), on made-up rates and on recordings.
 */

#include <string.h>

#include "engine/test.h"
#include "replay/sweep.h"

enum { MOST = 6 };

static unsigned optimum_of(unsigned nmax, const double *rates)
{
    sweep s = {.nmax = nmax};

    memcpy(&s.ipc[1], rates, nmax * sizeof *rates);
    return sweep_optimum(&s);
}

static void less_than_two_percent_is_no_improvement(void **state)
{
    static const struct {
        unsigned nmax, optimum;
        double rates[MOST];
    } cases[] = {
        {1, 1, {1}},
        {4, 4, {1, 2, 3, 4}},                /* C-strong                              */
        {4, 3, {1, 2, 3, 3.05}},             /* C-weak: 1.7 % more at 4               */
        {4, 4, {1, 2, 3, 3.07}},             /* 2.3 % more at 4                       */
        {6, 3, {1, 2, 3, 2.5, 2, 1}},        /* MEM: worse from 4 on                  */
        {6, 6, {1, 2, 3, 2.5, 2, 3.5}},      /* a dip does not hide what comes after  */
        {6, 4, {1, 2, 3, 3.05, 3.1, 3.1}},   /* small steps add up: 3.3 % from 3 to 5 */
        {3, 1, {2, 2, 2}},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(optimum_of(cases[i].nmax, cases[i].rates), cases[i].optimum);
}

static void measure(sweep *s, const char *const *paths, unsigned num, unsigned sm, unsigned launch)
{
    trace_err err;

    if (!sweep_measure(s, paths, num, sm, launch, &err))
        fail_msg("%s", err.text);
}

/* The rate of a recording with one launch, from its totals and not cycle by cycle. */
static double rate_from_totals(const char *path)
{
    trace_err err;
    trace_reader *r = trace_open(path, NULL, &err);
    double rate;

    assert_non_null(r);
    rate = (double)trace_get_sm(r, 0)->instructions / (double)trace_get_sm(r, 0)->cycles;
    trace_close(r);
    return rate;
}

static void recordings_are_measured(void **state)
{
    static const char *const hotspot[] = {"vectors/hotspot.n1.blt", "vectors/hotspot.n2.blt",
                                          "vectors/hotspot.n8.blt"};
    sweep s;

    (void)state;
    measure(&s, hotspot, 3, 0, 0);
    assert_int_equal(s.nmax, 3); /* n8 is "as many as fit" */
    assert_int_equal(s.optimum, 3);
    for (unsigned limit = 1; limit <= 3; limit++)
        assert_float_equal(s.ipc[limit], rate_from_totals(hotspot[limit - 1]), 1e-3);
}

static void a_missing_recording_is_named(void **state)
{
    static const char *const none[] = {"vectors/none.blt"};
    trace_err err;
    sweep s;

    (void)state;
    assert_false(sweep_measure(&s, none, 1, 0, 0, &err));
    assert_non_null(strstr(err.text, "vectors/none.blt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"PS-E4: less than 2 % is no improvement", less_than_two_percent_is_no_improvement, NULL, NULL, NULL},
        {"PS-E4: recordings are measured", recordings_are_measured, NULL, NULL, NULL},
        cmocka_unit_test(a_missing_recording_is_named),
    };

    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
