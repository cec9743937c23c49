/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of readings: each row's numbers, and that the models' defaults are marked as such.
 */
#include "analytic/analytic_fixture.h"
#include "analytic/readings.h"

typedef struct expectation {
    const char *rule, *option, *paper; /* rule and paper: NULL if they are only looked at to be there */
    unsigned num, which;               /* which is the default */
    double values[READING_VARIANTS];
    double within; /* absolute */
} expectation;

#define assert_readings(table, want) readings_are(&(table), want, LENGTH(want))
static void readings_are(const reading_table *table, const expectation *want, unsigned num)
{
    assert_int_equal(table->num, num);
    for (unsigned i = 0; i < num; i++) {
        const reading *r = &table->row[i];
        unsigned v = 0;

        assert_true(r->rule && r->option && r->example && r->paper);
        assert_string_equal(r->option, want[i].option);
        assert_string_equal(r->rule, want[i].rule ? want[i].rule : r->rule);
        assert_string_equal(r->paper, want[i].paper ? want[i].paper : r->paper);
        for (; v < READING_VARIANTS && r->variant[v].name; v++) {
            assert_int_equal(reading_is_default(r, &r->variant[v]), v == want[i].which);
            assert_within(reading_value(r, &r->variant[v]), want[i].values[v], want[i].within);
        }
        assert_int_equal(v, want[i].num);
    }
}

TEST(of_slowdown_as_on_the_page)
{
    static const expectation want[] = {
        {NULL, "COND2", NULL, 2, 0, {0, 1}, 0.005},
        {NULL, "FULL_WAVE", NULL, 2, 0, {2, 1}, 0.005},
        {NULL, "OCCUPIED", NULL, 2, 0, {11.25, 14.25}, 0.005},
        {NULL, "REMAINDER", NULL, 2, 0, {9.0 / 7, 1}, 0.005},
        {NULL, "UNITS", NULL, 2, 0, {6, 7}, 0.005},
        {NULL, "FILL", NULL, 3, 0, {41, 40, 22}, 0.005},
        {NULL, "FILL", NULL, 3, 0, {2.42, 4.05, 10.0}, 0.005},
        {NULL, "FILL", NULL, 3, 0, {1, 6, 6}, 0.005},
    };

    assert_readings(readings_slowdown, want);
}

TEST(of_mwp_cwp)
{
    static const expectation want[] = {
        {NULL, "EQ1", NULL, 2, 0, {13, 14}, 1e-12},
        {NULL, "EQ1", NULL, 2, 0, {13, 14}, 1e-12},
        {NULL, "CASE2_COMP_OR", NULL, 2, 1, {7.5, 8.5}, 1e-13},
        {NULL, "CASE2_COMP_OR", NULL, 3, 1, {7795 / 7236.0, 4877 / 1206.0, 4}, 1e-13},
        {NULL, "REP_CEIL", NULL, 2, 0, {500 / 48.0, 11}, 1e-12},
        {NULL, "COAL_DEPARTURE", NULL, 2, 0, {106 / 9.0, 105 / 9.0}, 1e-12},
        {NULL, "MEM_LD", NULL, 2, 0, {141.7 * 454 / (1.3 * 128 * 30), 141.7 * 430 / (1.3 * 128 * 30)}, 1e-12},
        {NULL, "UNCOAL_PER_MW", NULL, 2, 0, {73 / 32.0, 5}, 1e-13},
        {NULL, "NPW_LITERAL", NULL, 2, 0, {4, 2}, 1e-13},
        {NULL, "NPW_LITERAL", NULL, 2, 0, {8, 4}, 1e-13},
        {NULL, "NPW_LITERAL", NULL, 2, 0, {4, 0}, 1e-13},
        {NULL, "NPW_CASE_LITERAL", NULL, 2, 0, {23, 17}, 1e-12},
        {NULL, "M_SOURCE", NULL, 2, 0, {4.3, 35}, 1e-13},
        {NULL, "M_SOURCE", NULL, 2, 0, {35, 4.3}, 1e-13},
    };

    assert_readings(readings_mwp_cwp, want);
}

TEST(of_ipp)
{
    static const expectation want[] = {
        {NULL, "WHOLE_WARPS", NULL, 2, 0, {4, 3.125}, 1e-12},
        {NULL, "REG_ALL", NULL, 2, 0, {0, 1}, 1e-12},
        {NULL, "EFFECTIVE_MAX_ONE", NULL, 2, 0, {5.0665, 5.063}, 5e-5},
        {NULL, "ZERO_SMS_LOG", NULL, 2, 0, {0, 0.0414}, 5e-5},
        {NULL, "CORES_FORM", NULL, 2, 0, {113.1, 76.0}, 0.06},
        {NULL, "MEMORY_POWER", NULL, 2, 0, {77.5, 104.1}, 0.06},
        {NULL, "MAXTEMP_IS_DELTA", NULL, 2, 0, {69.2, 12.2}, 0.06},
        {NULL, "ROUNDING", NULL, 3, 0, {20, 20, 21}, 1e-12},
        {NULL, "CASE1_AND", NULL, 2, 1, {30, 20}, 1e-12},
        {NULL, "EQUAL_IS_UNLIMITED", NULL, 2, 0, {20, 30}, 1e-12},
    };

    assert_readings(readings_ipp, want);
}

TEST(of_throughput)
{
    static const expectation want[] = {
        {"TP-A1", "INFIN_PLUS1", "3", 3, 1, {2, 3, 3}, 1e-12},
        {"TP-A3", "-", "0", 1, 0, {200}, 1e-10},
        {"TP-A7", "SIMILAR", "-", 2, 0, {9, 8}, 0},
        {"TP-13", "N_NEW", "-", 2, 0, {15, 10}, 0},
        {"TP-6", "PERIOD", "-", 2, 0, {37.5, 75}, 1e-11},
        {"TP-A9", "TABLE_14", "1600", 2, 1, {153.6, 1581.056}, 1e-10},
        {"TP-A9", "TABLE_14", "-", 2, 1, {148.224, 230.4}, 1e-10},
        {"TP-E4", "LOAD_PAIR", "13", 3, 0, {7, 14, 13}, 0},
        {"TP-E4", "LOAD_PAIR", "10", 3, 0, {5, 10, 10}, 0},
        {"TP-E4", "LOAD_PAIR", "18", 3, 0, {10, 21, 20}, 0},
    };

    assert_readings(readings_throughput, want);
}
