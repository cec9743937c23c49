/* SPDX-License-Identifier: Apache-2.0
 *
 * What all analytic models refuse with: which numbers will do, and what the line says.
 */
#include "analytic/analytic_fixture.h"

TEST(a_failure_is_false_and_has_a_text)
{
    assert_false(analytic_fail(&err, "%s is %u; give %.1f", "n", 5u, 2.5));
    assert_string_equal(err.text, "n is 5; give 2.5");
    assert_false(analytic_fail(&err, "%s", ""));
    assert_string_equal(err.text, "");
}

TEST(a_long_text_is_cut)
{
    struct {
        analytic_err cut;
        char behind[8];
    } s = {.behind = "behind"};
    char text[2 * ANALYTIC_ERR_TEXT];

    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_false(analytic_fail(&s.cut, "%s", text));
    assert_int_equal(strlen(s.cut.text), ANALYTIC_ERR_TEXT - 1);
    assert_string_equal(s.behind, "behind");
}

typedef bool (*check)(double value, const char *name, analytic_err *why);

/* Good ones leave the text alone, bad ones begin it with the name. */
static void assert_check(check is, const double *good, size_t num_good, const double *bad, size_t num_bad)
{
    analytic_err why = {"untouched"};

    for (size_t i = 0; i < num_good; i++)
        assert_true(is(good[i], "x", &why));
    assert_string_equal(why.text, "untouched");
    for (size_t i = 0; i < num_bad; i++) {
        why.text[0] = '\0';
        assert_false(is(bad[i], "x", &why));
        assert_ptr_equal(strstr(why.text, "x "), why.text);
    }
}

TEST(positive)
{
    static const double good[] = {1, DBL_TRUE_MIN, DBL_MIN, DBL_MAX};
    static const double bad[] = {0, -0.0, -DBL_TRUE_MIN, -1, NAN, INFINITY, -INFINITY};

    assert_check(analytic_positive, good, LENGTH(good), bad, LENGTH(bad));
    assert_false(analytic_positive(-2.5, "mem_ld", &err));
    assert_string_equal(err.text, "mem_ld is -2.5; give a number greater than 0");
}

TEST(not_below_0)
{
    static const double good[] = {0, -0.0, DBL_TRUE_MIN, 1, DBL_MAX};
    static const double bad[] = {-DBL_TRUE_MIN, -1, NAN, INFINITY, -INFINITY};

    assert_check(analytic_not_negative, good, LENGTH(good), bad, LENGTH(bad));
    assert_false(analytic_not_negative(-3, "synch_insts", &err));
    assert_string_equal(err.text, "synch_insts is -3; give 0 or more");
}

TEST(finite_results)
{
    static const double good[] = {0, -DBL_MAX, DBL_MAX};
    static const double bad[] = {NAN, INFINITY, -INFINITY};

    assert_check(analytic_finite, good, LENGTH(good), bad, LENGTH(bad));
    assert_false(analytic_finite(INFINITY, "cpi", &err));
    assert_string_equal(err.text, "cpi has no finite value; some input is too large or too small");
}

static bool within_1_to_10(double value, const char *name, analytic_err *why)
{
    return analytic_within(value, 1, 10, name, why);
}

TEST(within)
{
    const double good[] = {1, 5, 10};
    const double bad[] = {nextafter(1, 0), nextafter(10, 11), NAN, 11};

    assert_check(within_1_to_10, good, LENGTH(good), bad, LENGTH(bad));
    assert_true(analytic_within(5, 5, 5, "beta", &err));
    assert_false(analytic_within(INFINITY, 1, INFINITY, "beta", &err));
    assert_false(analytic_within(-INFINITY, -INFINITY, 1, "beta", &err));
    assert_false(analytic_within(11, 1, 10, "beta", &err));
    assert_string_equal(err.text, "beta is 11; give 1 to 10");
}
