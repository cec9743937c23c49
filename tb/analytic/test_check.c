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

static bool within_1_to_10(double value, const char *name, analytic_err *why)
{
    return analytic_within(value, 1, 10, name, why);
}

/* Good numbers leave the text alone, bad ones begin it with the name. */
TEST(checks)
{
    enum { NUMBERS = 7 };
    const struct {
        bool (*is)(double value, const char *name, analytic_err *why);
        unsigned num_good, num_bad;
        double good[NUMBERS], bad[NUMBERS], one_bad;
        const char *says;
    } rows[] = {
        {analytic_positive, 4, 7, {1, DBL_TRUE_MIN, DBL_MIN, DBL_MAX},
         {0, -0.0, -DBL_TRUE_MIN, -1, NAN, INFINITY, -INFINITY}, -2.5, "x is -2.5; give a number greater than 0"},
        {analytic_not_negative, 5, 5, {0, -0.0, DBL_TRUE_MIN, 1, DBL_MAX}, {-DBL_TRUE_MIN, -1, NAN, INFINITY, -INFINITY},
         -3, "x is -3; give 0 or more"},
        {analytic_at_least_1, 2, 4, {1, DBL_MAX}, {0, nextafter(1, 0), NAN, INFINITY}, 0.5, "x is 0.5; give 1 or more"},
        {analytic_finite, 3, 3, {0, -DBL_MAX, DBL_MAX}, {NAN, INFINITY, -INFINITY},
         INFINITY, "x has no finite value; some input is too large or too small"},
        {within_1_to_10, 3, 4, {1, 5, 10}, {nextafter(1, 0), nextafter(10, 11), NAN, 11}, 11, "x is 11; give 1 to 10"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        analytic_err why = {"untouched"};

        for (unsigned k = 0; k < rows[i].num_good; k++)
            assert_true(rows[i].is(rows[i].good[k], "x", &why));
        assert_string_equal(why.text, "untouched");
        for (unsigned k = 0; k < rows[i].num_bad; k++)
            assert_refused(rows[i].is(rows[i].bad[k], "x", &err), "x ");
        assert_refused(rows[i].is(rows[i].one_bad, "x", &err), rows[i].says);
        assert_string_equal(err.text, rows[i].says);
    }
    assert_true(analytic_within(5, 5, 5, "beta", &err));
    assert_false(analytic_within(INFINITY, 1, INFINITY, "beta", &err));
    assert_false(analytic_within(-INFINITY, -INFINITY, 1, "beta", &err));
}
