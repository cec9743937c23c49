/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readings of Chapter V give next to what Hong's thesis prints (TP-A1, TP-A3, TP-A7, TP-A9, TP-E4).
 */
#include "analytic/throughput_check.h"

#include "analytic/readings.h"

typedef struct expectation {
    const char *rule, *option, *paper;
    unsigned num, which; /* which is the default */
    double values[READING_VARIANTS];
} expectation;

static const expectation expected[] = {
    {"TP-A1", "INFIN_PLUS1", "3", 3, 1, {2, 3, 3}},
    {"TP-A3", "-", "0", 1, 0, {200}},
    {"TP-A7", "SIMILAR", "-", 2, 0, {9, 8}},
    {"TP-13", "N_NEW", "-", 2, 0, {15, 10}},
    {"TP-6", "PERIOD", "-", 2, 0, {37.5, 75}},
    {"TP-A9", "TABLE_14", "1600", 2, 1, {153.6, 1581.056}},
    {"TP-A9", "TABLE_14", "-", 2, 1, {148.224, 230.4}},
    {"TP-E4", "LOAD_PAIR", "13", 3, 0, {7, 14, 13}},
    {"TP-E4", "LOAD_PAIR", "10", 3, 0, {5, 10, 10}},
    {"TP-E4", "LOAD_PAIR", "18", 3, 0, {10, 21, 20}},
};

static void readings_of_chapter_v(void **test)
{
    reading rows[READINGS_MAX];
    const unsigned num = readings_throughput(rows);

    (void)test;
    assert_int_equal(num, sizeof expected / sizeof *expected);
    for (unsigned i = 0; i < num; i++) {
        assert_string_equal(rows[i].rule, expected[i].rule);
        assert_string_equal(rows[i].option, expected[i].option);
        assert_string_equal(rows[i].paper, expected[i].paper);
        assert_int_equal(rows[i].num, expected[i].num);
        for (unsigned k = 0; k < rows[i].num; k++) {
            assert_same(rows[i].variant[k].value, expected[i].values[k]);
            assert_int_equal(rows[i].variant[k].is_default, k == expected[i].which);
            assert_true(strlen(rows[i].variant[k].name) > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readings_of_chapter_v)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
