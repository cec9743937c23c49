/* SPDX-License-Identifier: Apache-2.0
 *
 * What counts as the best limit (PS-E4), on made-up rates and on recordings.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "replay/sweep.h"

enum { MOST = 6 };

/* PS-E4 */
TEST(less_than_two_percent_is_no_improvement)
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

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sweep s = {.nmax = cases[i].nmax};

        print_message("case %u\n", i);
        memcpy(&s.ipc[1], cases[i].rates, sizeof cases[i].rates);
        assert_int_equal(sweep_optimum(&s), cases[i].optimum);
    }
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

TEST(recordings_are_measured)
{
    static const char *const hotspot[] = {"vectors/hotspot.n1.blt", "vectors/hotspot.n2.blt",
                                          "vectors/hotspot.n8.blt"};
    trace_err err;
    sweep s;

    if (!sweep_measure(&s, hotspot, 3, 0, 0, &err))
        fail_msg("%s", err.text);
    assert_int_equal(s.nmax, 3); /* n8 is "as many as fit" */
    assert_int_equal(s.optimum, 3);
    for (unsigned limit = 1; limit <= 3; limit++)
        assert_float_equal(s.ipc[limit], rate_from_totals(hotspot[limit - 1]), 1e-3);
}

TEST(a_missing_recording_is_named)
{
    static const char *const none[] = {"vectors/none.blt"};
    trace_err err;
    sweep s;

    assert_false(sweep_measure(&s, none, 1, 0, 0, &err));
    assert_non_null(strstr(err.text, "vectors/none.blt"));
}
