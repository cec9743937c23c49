/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of mwp_cwp's readings: each row's numbers, and that the ones that should agree with the
 * thesis do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/mwp_cwp_fixture.h"
#include "analytic/readings.h"

static const struct {
    const char *option;
    double value[3];
} WANT[] = {
    {"EQ1", {13, 14}}, {"EQ1", {13, 14}},
    {"CASE2_COMP_OR", {7.5, 8.5}}, {"CASE2_COMP_OR", {7795 / 7236.0, 4877 / 1206.0, 4}},
    {"REP_CEIL", {500 / 48.0, 11}},
    {"COAL_DEPARTURE", {106 / 9.0, 105 / 9.0}},
    {"MEM_LD", {141.7 * 454 / (1.3 * 128 * 30), 141.7 * 430 / (1.3 * 128 * 30)}},
    {"UNCOAL_PER_MW", {73 / 32.0, 5}},
    {"NPW_LITERAL", {4, 2}}, {"NPW_LITERAL", {8, 4}}, {"NPW_LITERAL", {4, 0}},
    {"NPW_CASE_LITERAL", {23, 17}},
    {"M_SOURCE", {4.3, 35}}, {"M_SOURCE", {35, 4.3}},
};

static void readings_of_mwp_cwp(void **test)
{
    enum { ROWS = sizeof WANT / sizeof WANT[0] };
    reading row[READINGS_MAX];

    (void)test;
    assert_int_equal(readings_mwp_cwp(row), ROWS);
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned defaults = 0;

        assert_string_equal(row[i].option, WANT[i].option);
        assert_true(row[i].rule && row[i].example && row[i].paper);
        assert_int_equal(row[i].num, WANT[i].value[2] != 0 ? 3 : 2);
        for (unsigned j = 0; j < row[i].num; j++) {
            assert_near(row[i].variant[j].value, WANT[i].value[j], 1e-13);
            assert_non_null(row[i].variant[j].name);
            defaults += row[i].variant[j].is_default;
        }
        assert_int_equal(defaults, 1);
        assert_true(row[i].variant[0].is_default);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readings_of_mwp_cwp)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
