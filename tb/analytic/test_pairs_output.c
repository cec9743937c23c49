/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of pairs and the readings as a user sees them: text, CSV, errors.
 */
#include <stdlib.h>

#include "analytic/analytic_fixture.h"
#include "analytic/pairs.h"

static char *printed(bool rodinia, bool csv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

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

TEST(prints_text)
{
    char *text = printed(false, false);

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

TEST(prints_csv)
{
    char *text = printed(true, true);
    char *line = text;

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

TEST(refuses_rows_and_options_that_there_are_not)
{
    slowdown_options o = slowdown_options_default();
    pairs_summary s = {.pairs = 99};
    pairs_row row;

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

TEST_MAIN("pairs_output")
