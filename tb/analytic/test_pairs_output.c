/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of pairs and the readings as a user sees them: text, CSV, errors.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analytic/pairs.h"
#include "analytic/readings.h"

static char *printed(bool rodinia, bool csv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    analytic_err err = {""};

    assert_non_null(out);
    assert_true((rodinia ? pairs_table_6_5 : pairs_table_6_3)(out, csv, NULL, NULL, &err));
    fclose(out);
    return text;
}

static unsigned lines(const char *text)
{
    unsigned n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void assert_has(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("no \"%s\" in:\n%s", what, text);
}

static void prints_text(void **state)
{
    char *text = printed(false, false);

    (void)state;
    assert_int_equal(lines(text), 2 + 50 + 2);
    assert_has(text, "Table 6.3: ");
    assert_has(text, "\nS1-S2        A   8   8      4    10    45.00   11.250   11.250   yes    11.310");
    assert_has(text, "-0.53%    yes\n");
    assert_has(text, "printed estimates given: 41 of 50; measured slowdowns within 3 %: 46 of 50\n");
    assert_has(text, "mean 2.42 %, median 0.60 %, worst 36.53 % (S53-S54); the thesis' mean 3.49 %\n");
    free(text);
    text = printed(true, false);
    assert_int_equal(lines(text), 2 + 7 + 2);
    assert_has(text, "Table 6.5: ");
    assert_has(text, "\nPFL-kNN ");
    free(text);
}

static void prints_csv(void **state)
{
    char *text = printed(true, true);
    char *line = text;

    (void)state;
    assert_int_equal(lines(text), 1 + 7 + 2);
    assert_memory_equal(text, "pair,case,", 10);
    assert_has(text, "\nPFL-PF,A,16,8,4,90,6.000,1.250,1.500000,no,1.252,0.17,19.8083,no\n");
    assert_has(text, "\n# printed estimates given: 1 of 7;");
    for (unsigned i = 0; i < 8; i++) { /* as many commas in each row as in the head */
        unsigned commas = 0;
        for (; *line != '\n'; line++)
            commas += *line == ',';
        assert_int_equal(commas, 13);
        line++;
    }
    free(text);
}

static void refuses_rows_and_options_that_there_are_not(void **state)
{
    slowdown_options o = slowdown_options_default();
    pairs_summary s = {.pairs = 99};
    pairs_row row;
    analytic_err err = {""};

    (void)state;
    assert_false(pairs_row_6_3(50, NULL, &row, &err));
    assert_string_equal(err.text, "row is 50; give 0 to 49");
    assert_false(pairs_row_6_5(7, NULL, &row, &err));
    assert_string_equal(err.text, "row is 7; give 0 to 6");
    o.launch_overhead = -1;
    assert_false(pairs_table_6_3(NULL, false, &o, &s, &err));
    assert_string_equal(err.text, "S1-S2: launch_overhead is -1; give 0 or more");
    assert_false(pairs_table_6_5(NULL, false, &o, &s, &err));
    assert_has(err.text, "PFL-kNN: launch_overhead");
    assert_int_equal(s.pairs, 99);
}

/* ---- readings ------------------------------------------------------------------------------------ */

static void readings_have_the_values_of_the_page(void **state)
{
    static const struct {
        const char *option;
        unsigned num;
        double value[3];
    } want[] = {{"COND2", 2, {0, 1}},          {"FULL_WAVE", 2, {2, 1}},      {"OCCUPIED", 2, {11.25, 14.25}},
                {"REMAINDER", 2, {9.0 / 7, 1}}, {"UNITS", 2, {6, 7}},          {"FILL", 3, {41, 40, 22}},
                {"FILL", 3, {2.42, 4.05, 10.0}}, {"FILL", 3, {1, 6, 6}}};
    reading r[READINGS_MAX];

    (void)state;
    assert_int_equal(readings_slowdown(r), sizeof want / sizeof want[0]);
    for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_string_equal(r[i].option, want[i].option);
        assert_int_equal(r[i].num, want[i].num);
        for (unsigned v = 0; v < r[i].num; v++) {
            assert_true(fabs(r[i].variant[v].value - want[i].value[v]) < 0.005);
            assert_int_equal(r[i].variant[v].is_default, v == 0);
            assert_true(r[i].variant[v].name[0]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_text),
        cmocka_unit_test(prints_csv),
        cmocka_unit_test(readings_have_the_values_of_the_page),
        cmocka_unit_test(refuses_rows_and_options_that_there_are_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
