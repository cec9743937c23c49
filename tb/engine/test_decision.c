/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of decisions: how it grows, how its words are joined, how a record reads as JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/decision.h"
#include "engine/suite_fixture.h"

enum { MANY = 300 };

static char printed[65536];
static decisions list; /* of the test that runs */

static void start(void)
{
    decisions_free(&list);
}

/* The only decision of a list. */
static decision *one(const char *block, const char *rule, const char *event)
{
    start();
    return decision_new(&list, block, rule, event);
}

static FILE *to_printed(void)
{
    FILE *out = fmemopen(printed, sizeof printed, "w");

    assert_non_null(out);
    printed[0] = '\0';
    return out;
}

static const char *json(const decision *d, uint64_t cycle, const char *where, int sm)
{
    const decision_place at = {cycle, where, sm, "v\"1"};
    FILE *out = to_printed();

    decision_print_json(d, &at, out);
    fclose(out);
    return printed;
}

static const char *words(void)
{
    FILE *out = to_printed();

    decisions_print_words(&list, out);
    fclose(out);
    return printed;
}

/* ---- JSON ------------------------------------------------------------------------ */

TEST(a_record_has_all_fields)
{
    decision *d = one("perfsat", "PS-7", "sample");

    decision_input(d, "stalled", 812);
    decision_input_state(d, "row", "8");
    decision_change(d, "limit", 4, 5);
    decision_change_state(d, "state", "StWeakInc", "StStrongInc");
    decision_words(d, "sample %u", 3);
    decision_words(d, ": %s", "more");
    assert_string_equal(json(d, 1234, "SM7", 7),
                        "{\"cycle\":1234,\"where\":\"SM7\",\"sm\":7,\"instance\":\"v\\\"1\",\"block\":\"perfsat\",\"rule\":\"PS-7\",\"event\":\"sample\","
                        "\"inputs\":{\"stalled\":812,\"row\":\"8\"},\"before\":{\"limit\":4,\"state\":\"StWeakInc\"},"
                        "\"after\":{\"limit\":5,\"state\":\"StStrongInc\"},\"words\":\"sample 3: more\"}");
}

TEST(an_empty_record_is_valid)
{
    decision *d = one("b", "r", "e");

    assert_string_equal(json(d, UINT64_MAX, "chip", DECISION_NO_SM),
                        "{\"cycle\":18446744073709551615,\"where\":\"chip\",\"sm\":null,\"instance\":\"v\\\"1\",\"block\":\"b\",\"rule\":\"r\",\"event\":\"e\","
                        "\"inputs\":{},\"before\":{},\"after\":{},\"words\":\"\"}");
    d->sm = 0;
    assert_non_null(strstr(json(d, 0, "chip", DECISION_NO_SM), "\"sm\":0,"));
    assert_non_null(strstr(json(d, 0, "SM3", 3), "\"sm\":0,")); /* its own SM comes first */
}

TEST(strings_are_escaped)
{
    decision *d = one("a\"b", "c\\d", "e\nf");

    decision_input_state(d, "g\th", "\x01\x1f \x7f");
    decision_words(d, "%s", "100 % \"\\\" \r \xc3\xa4 \\u0041");
    assert_string_equal(json(d, 1, "w\"", 0),
                        "{\"cycle\":1,\"where\":\"w\\\"\",\"sm\":0,\"instance\":\"v\\\"1\",\"block\":\"a\\\"b\",\"rule\":\"c\\\\d\",\"event\":\"e\\u000af\","
                        "\"inputs\":{\"g\\u0009h\":\"\\u0001\\u001f \x7f\"},\"before\":{},\"after\":{},"
                        "\"words\":\"100 % \\\"\\\\\\\" \\u000d \xc3\xa4 \\\\u0041\"}");
}

TEST(a_value_is_named_once)
{
    decision *d = one("b", "r", "e");

    decision_input(d, "x", 1);
    decision_input(d, "y", 2);
    decision_input_state(d, "x", "high");
    decision_before(d, "x", 3);
    assert_non_null(strstr(json(d, 0, "", 0), "\"inputs\":{\"x\":\"high\",\"y\":2},\"before\":{\"x\":3},\"after\":{}"));
}

TEST(words_that_are_too_long_are_cut)
{
    decision *d = one("b", "r", "e");

    for (unsigned i = 0; i < DECISION_WORDS; i++)
        decision_words(d, "%s", "ab");
    assert_int_equal(strlen(d->words), DECISION_WORDS - 1);
}

/* ---- a list ---------------------------------------------------------------------- */

static void add(unsigned i)
{
    decision *d = decision_new(&list, "b", "r", "e");

    decision_input(d, "i", i);
    decision_words(d, "word %u", i);
}

TEST(a_list_grows_and_keeps_what_it_has)
{
    start();

    for (unsigned i = 0; i < MANY; i++)
        add(i);
    assert_int_equal(list.num, MANY);
    assert_false(list.failed);
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(list.taken[i].inputs.num, 1);
        assert_int_equal(list.taken[i].inputs.value[0].number, i);
    }
    decisions_free(&list);
    assert_null(list.taken);
}

TEST(a_list_allocates_nothing_once_it_has_grown)
{
    const decision *memory;
    unsigned max;

    start();
    for (unsigned i = 0; i < MANY; i++)
        add(i);
    memory = list.taken;
    max = list.max;
    for (unsigned round = 0; round < 3; round++) {
        decisions_clear(&list);
        assert_int_equal(list.num, 0);
        for (unsigned i = 0; i < MANY; i++)
            add(round + i);
        assert_ptr_equal(list.taken, memory);
        assert_int_equal(list.max, max);
        assert_int_equal(list.taken[0].inputs.value[0].number, round); /* nothing of the round before */
        assert_int_equal(list.taken[0].inputs.num, 1);
    }
}

/* ---- words ----------------------------------------------------------------------- */

TEST(words_are_joined)
{
    start();

    assert_string_equal(words(), "");
    add(1);
    assert_string_equal(words(), "word 1");
    add(2);
    add(3);
    assert_string_equal(words(), "word 1; word 2; word 3");
}

TEST(four_sms_are_named_the_others_counted)
{
    static const char *const expected[] = {"word 9", "word 9; word 0", "word 9; word 0; word 1",
                                           "word 9; word 0; word 1; word 2", "word 9; word 0; word 1; word 2; word 3",
                                           "word 9; word 0; word 1; word 2; word 3; 1 more SMs",
                                           "word 9; word 0; word 1; word 2; word 3; 2 more SMs"};

    start();
    add(9);
    for (unsigned sm = 0; sm < sizeof expected / sizeof expected[0]; sm++) {
        assert_string_equal(words(), expected[sm]);
        add(sm);
        list.taken[list.num - 1].sm = (int)sm;
    }
}
