/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of readings: what it prints, and that its defaults are the models' defaults.
 */
#include "analytic/ipp_tests.h"

#include "analytic/readings.h"

static const reading *row_of(const reading *rows, unsigned num, const char *option)
{
    for (unsigned i = 0; i < num; i++) {
        if (strcmp(rows[i].option, option) == 0)
            return &rows[i];
    }
    fail_msg("no row for %s", option);
    return NULL;
}

static void rows_are_complete(void **t)
{
    reading rows[READINGS_MAX];
    const unsigned num = readings_ipp(rows);

    (void)t;
    assert_int_equal(num, 10);
    for (unsigned i = 0; i < num; i++) {
        unsigned defaults = 0;
        assert_true(rows[i].rule && rows[i].option && rows[i].example && rows[i].paper);
        assert_in_range(rows[i].num, 2, READING_VARIANTS);
        for (unsigned v = 0; v < rows[i].num; v++) {
            assert_non_null(rows[i].variant[v].name);
            assert_true(isfinite(rows[i].variant[v].value));
            defaults += rows[i].variant[v].is_default;
        }
        assert_int_equal(defaults, 1);
        assert_true(rows[i].variant[0].is_default);
    }
}

static void rows_have_the_values(void **t)
{
    static const struct { const char *option; double value[3], tolerance; } expected[] = {
        {"WHOLE_WARPS", {4, 3.125}, 1e-12},
        {"REG_ALL", {0, 1}, 1e-12},
        {"EFFECTIVE_MAX_ONE", {5.0665, 5.063}, 5e-5},
        {"ZERO_SMS_LOG", {0, 0.0414}, 5e-5},
        {"CORES_FORM", {113.1, 76.0}, 0.06},
        {"MEMORY_POWER", {77.5, 104.1}, 0.06},
        {"MAXTEMP_IS_DELTA", {69.2, 12.2}, 0.06},
        {"ROUNDING", {20, 20, 21}, 1e-12},
        {"CASE1_AND", {30, 20}, 1e-12},
        {"EQUAL_IS_UNLIMITED", {20, 30}, 1e-12},
    };
    reading rows[READINGS_MAX];
    const unsigned num = readings_ipp(rows);

    (void)t;
    assert_int_equal(num, LENGTH(expected));
    for (unsigned i = 0; i < LENGTH(expected); i++) {
        const reading *row = row_of(rows, num, expected[i].option);
        for (unsigned v = 0; v < row->num; v++)
            assert_near(row->variant[v].value, expected[i].value[v], expected[i].tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(rows_have_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
