/* SPDX-License-Identifier: Apache-2.0
 *
 * What all analytic models refuse with: which numbers will do, and what the line says.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/check.h"

static void a_failure_is_false_and_has_a_text(void **state)
{
    analytic_err err = {"before"};

    (void)state;
    assert_false(analytic_fail(&err, "%s is %u; give %.1f", "n", 5u, 2.5));
    assert_string_equal(err.text, "n is 5; give 2.5");
    assert_false(analytic_fail(&err, "%s", ""));
    assert_string_equal(err.text, "");
}

static void a_long_text_is_cut(void **state)
{
    struct {
        analytic_err err;
        char behind[8];
    } s = {.behind = "behind"};
    char text[2 * ANALYTIC_ERR_TEXT];

    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_false(analytic_fail(&s.err, "%s", text));
    assert_int_equal(strlen(s.err.text), ANALYTIC_ERR_TEXT - 1);
    assert_string_equal(s.behind, "behind");
}

static void positive(void **state)
{
    const double good[] = {1, DBL_TRUE_MIN, DBL_MIN, DBL_MAX};
    const double bad[] = {0, -0.0, -DBL_TRUE_MIN, -1, NAN, INFINITY, -INFINITY};
    analytic_err err = {"untouched"};

    (void)state;
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(analytic_positive(good[i], "x", &err));
    assert_string_equal(err.text, "untouched");
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err.text[0] = '\0';
        assert_false(analytic_positive(bad[i], "x", &err));
        assert_int_equal(strncmp(err.text, "x is ", 5), 0);
    }
    assert_false(analytic_positive(-2.5, "mem_ld", &err));
    assert_string_equal(err.text, "mem_ld is -2.5; give a number greater than 0");
}

static void not_negative(void **state)
{
    const double good[] = {0, -0.0, DBL_TRUE_MIN, 1, DBL_MAX};
    const double bad[] = {-DBL_TRUE_MIN, -1, NAN, INFINITY, -INFINITY};
    analytic_err err = {"untouched"};

    (void)state;
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(analytic_not_negative(good[i], "x", &err));
    assert_string_equal(err.text, "untouched");
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(analytic_not_negative(bad[i], "x", &err));
    assert_false(analytic_not_negative(-3, "synch_insts", &err));
    assert_string_equal(err.text, "synch_insts is -3; give 0 or more");
}

static void within(void **state)
{
    analytic_err err = {"untouched"};

    (void)state;
    assert_true(analytic_within(1, 1, 10, "beta", &err));
    assert_true(analytic_within(10, 1, 10, "beta", &err));
    assert_true(analytic_within(5, 5, 5, "beta", &err));
    assert_string_equal(err.text, "untouched");
    assert_false(analytic_within(nextafter(1, 0), 1, 10, "beta", &err));
    assert_false(analytic_within(nextafter(10, 11), 1, 10, "beta", &err));
    assert_false(analytic_within(NAN, 1, 10, "beta", &err));
    assert_false(analytic_within(INFINITY, 1, INFINITY, "beta", &err));
    assert_false(analytic_within(-INFINITY, -INFINITY, 1, "beta", &err));
    assert_false(analytic_within(11, 1, 10, "beta", &err));
    assert_string_equal(err.text, "beta is 11; give 1 to 10");
}

static void finite_results(void **state)
{
    analytic_err err = {"untouched"};

    (void)state;
    assert_true(analytic_finite(0, "cpi", &err));
    assert_true(analytic_finite(-DBL_MAX, "cpi", &err));
    assert_true(analytic_finite(DBL_MAX, "cpi", &err));
    assert_string_equal(err.text, "untouched");
    assert_false(analytic_finite(NAN, "cpi", &err));
    assert_false(analytic_finite(-INFINITY, "cpi", &err));
    assert_false(analytic_finite(INFINITY, "cpi", &err));
    assert_string_equal(err.text, "cpi has no finite value; some input is too large or too small");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_false_and_has_a_text),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(positive),
        cmocka_unit_test(not_negative),
        cmocka_unit_test(within),
        cmocka_unit_test(finite_results),
    };

    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
