/* SPDX-License-Identifier: Apache-2.0
 *
 * The decision log of both sides: what it writes, that it sees every difference, that it leaves all of
 * its files or none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/decision.h"
#include "replay/decision_log.h"
#include "replay/session_fixture.h"

/* Two decisions of one cycle. */
static void take_two(decisions *list)
{
    decision *d;

    decisions_clear(list);
    d = decision_new(list, "lcs", "LCS-4", "throttled");
    decision_input(d, "active", 3);
    decision_change(d, "limit", 4, 3);
    decision_words(d, "one");
    d = decision_new(list, "lcs", "LCS-5", "kernel_start");
    decision_change_state(d, "state", "StIdle", "StMonitor");
    decision_words(d, "two");
}

static decision_log *open_log(unsigned num_sms, unsigned sm)
{
    decision_log *log = test_malloc(sizeof *log);

    assert_true(decision_log_open(log, num_sms, sm));
    return log;
}

static void close_log(decision_log *log, decisions *list)
{
    decision_log_close(log);
    test_free(log);
    decisions_free(list);
}

static void expect_file(const world *w, const char *name, const char *text)
{
    char *is = slurp(path_in(w, name));

    assert_string_equal(is, text);
    free(is);
}

/* ---- what is written --------------------------------------------------------------- */

static void words_and_data_of_both_sides(void **state)
{
    static const char data[] =
        "{\"cycle\":7,\"where\":\"SM2\",\"sm\":2,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-4\",\"event\":\"throttled\",\"inputs\":{\"active\":3},"
        "\"before\":{\"limit\":4},\"after\":{\"limit\":3},\"words\":\"one\"}\n"
        "{\"cycle\":7,\"where\":\"SM2\",\"sm\":2,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-5\",\"event\":\"kernel_start\",\"inputs\":{},"
        "\"before\":{\"state\":\"StIdle\"},\"after\":{\"state\":\"StMonitor\"},\"words\":\"two\"}\n";
    world *w = *state;
    decisions list = {.num = 0};
    decision_log *log = open_log(1, 2);
    char *text;

    take_two(&list);
    decision_log_add(log, SIDE_MODEL, "lcs_pause", 7, &list);
    decision_log_add(log, SIDE_RTL, "lcs_pause", 7, &list);
    assert_int_equal(log->lines, 1);
    assert_true(decision_log_equal(log));
    assert_true(decision_log_save(log, path_in(w, "x")));
    expect_file(w, "x.model.log", "cycle 7 SM2 one; two\n");
    expect_file(w, "x.rtl.log", "cycle 7 SM2 one; two\n");
    expect_file(w, "x.model.jsonl", data);
    expect_file(w, "x.rtl.jsonl", data);
    assert_int_equal(files_with(w, "", false), 4);
    text = decision_log_take(log);
    assert_string_equal(text, "cycle 7 SM2 one; two\n");
    free(text);
    close_log(log, &list);
}

static void one_side_alone(void **state)
{
    world *w = *state;
    decisions list = {.num = 0};
    decision_log *log = open_log(15, 0);

    take_two(&list);
    list.taken[1].sm = 4;
    decision_log_add(log, SIDE_MODEL, "lcs_pause", 9, &list);
    assert_true(decision_log_save_side(log, SIDE_MODEL, path_in(w, "y")));
    expect_file(w, "y.model.log", "cycle 9 chip one; two\n");
    expect_file(w, "y.model.jsonl",
                "{\"cycle\":9,\"where\":\"chip\",\"sm\":null,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-4\",\"event\":\"throttled\","
                "\"inputs\":{\"active\":3},\"before\":{\"limit\":4},\"after\":{\"limit\":3},\"words\":\"one\"}\n"
                "{\"cycle\":9,\"where\":\"chip\",\"sm\":4,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-5\",\"event\":\"kernel_start\",\"inputs\":{},"
                "\"before\":{\"state\":\"StIdle\"},\"after\":{\"state\":\"StMonitor\"},\"words\":\"two\"}\n");
    assert_int_equal(files_with(w, "", false), 2);
    close_log(log, &list);
}

static void nothing_decided_is_an_empty_log(void **state)
{
    world *w = *state;
    decisions list = {.num = 0};
    decision_log *log = open_log(1, 0);
    char *text;

    decision_log_add(log, SIDE_MODEL, "lcs_pause", 1, &list);
    assert_int_equal(log->lines, 0);
    assert_true(decision_log_equal(log));
    assert_true(decision_log_save(log, path_in(w, "z")));
    expect_file(w, "z.model.log", "");
    expect_file(w, "z.rtl.jsonl", "");
    text = decision_log_take(log);
    assert_string_equal(text, "");
    free(text);
    close_log(log, &list);
}

/* ---- the comparison ------------------------------------------------------------------ */

static void other_rule(decision *d) { d->rule = "LCS-3"; }
static void other_block(decision *d) { d->block = "perfsat"; }
static void other_event(decision *d) { d->event = "t_new"; }
static void other_sm(decision *d) { d->sm = 1; }
static void other_input(decision *d) { decision_input(d, "active", 2); }
static void more_inputs(decision *d) { decision_input(d, "sum", 0); }
static void other_before(decision *d) { decision_before(d, "limit", 5); }
static void other_after(decision *d) { decision_after(d, "limit", 2); }
static void a_state_for_a_number(decision *d) { decision_after_state(d, "limit", "3"); }
static void other_words(decision *d) { decision_words(d, " "); }
static void nothing_else(decision *d) { (void)d; }

static void every_field_is_compared(void **state)
{
    static void (*const changes[])(decision *) = {
        nothing_else, other_rule,   other_block, other_event,          other_sm,   other_input,
        more_inputs,  other_before, other_after, a_state_for_a_number, other_words};

    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        decisions list = {.num = 0};
        decision_log *log = open_log(1, 0);

        take_two(&list);
        decision_log_add(log, SIDE_MODEL, "lcs_pause", 7, &list);
        changes[i](&list.taken[0]);
        decision_log_add(log, SIDE_RTL, "lcs_pause", 7, &list);
        if (decision_log_equal(log) != (i == 0))
            fail_msg("change %zu", i);
        close_log(log, &list);
    }
}

static void cycle_number_and_instance_are_compared(void **state)
{
    decisions list = {.num = 0};
    decision_log *log = open_log(1, 0);

    (void)state;
    take_two(&list);
    decision_log_add(log, SIDE_MODEL, "lcs_pause", 7, &list);
    assert_false(decision_log_equal(log));
    decision_log_add(log, SIDE_RTL, "lcs_pause", 7, &list);
    assert_true(decision_log_equal(log));
    decision_log_add(log, SIDE_MODEL, "lcs_pause", 8, &list);
    decision_log_add(log, SIDE_RTL, "lcs", 8, &list);
    assert_false(decision_log_equal(log));
    close_log(log, &list);
    log = open_log(1, 0);
    take_two(&list);
    decision_log_add(log, SIDE_MODEL, "lcs_pause", 8, &list);
    decision_log_add(log, SIDE_RTL, "lcs_pause", 9, &list);
    assert_false(decision_log_equal(log));
    close_log(log, &list);
}

/* What was lost for want of memory cannot be equal, and is not written. */
static void a_list_that_lost_something_spoils_the_log(void **state)
{
    world *w = *state;
    decisions list = {.num = 0};
    decision_log *log = open_log(1, 0);

    take_two(&list);
    list.failed = true;
    decision_log_add(log, SIDE_MODEL, "lcs_pause", 7, &list);
    decision_log_add(log, SIDE_RTL, "lcs_pause", 7, &list);
    assert_true(log->failed);
    assert_false(decision_log_equal(log));
    assert_false(decision_log_save(log, path_in(w, "lost")));
    assert_int_equal(files_with(w, "", false), 0);
    close_log(log, &list);
}

/* ---- all files or none ----------------------------------------------------------------- */

static void a_file_that_cannot_be_written_leaves_none(void **state)
{
    static const char *const taken[] = {"x.model.log", "x.model.jsonl", "x.rtl.log", "x.rtl.jsonl", "x.rtl.jsonl.tmp"};
    world *w = *state;
    decisions list = {.num = 0};
    decision_log *log = open_log(1, 0);

    take_two(&list);
    decision_log_add(log, SIDE_MODEL, "lcs_pause", 7, &list);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        char path[PATH];

        copy_path(path, w, taken[i]);
        assert_int_equal(mkdir(path, 0777), 0);
        assert_false(decision_log_save(log, path_in(w, "x")));
        assert_int_equal(files_with(w, "", false), 1);
        assert_int_equal(rmdir(path), 0);
    }
    assert_false(decision_log_save(log, path_in(w, "missing/x")));
    assert_int_equal(files_with(w, "", false), 0);
    close_log(log, &list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(words_and_data_of_both_sides),
        TEST(one_side_alone),
        TEST(nothing_decided_is_an_empty_log),
        TEST(every_field_is_compared),
        TEST(cycle_number_and_instance_are_compared),
        TEST(a_list_that_lost_something_spoils_the_log),
        TEST(a_file_that_cannot_be_written_leaves_none),
    };

    return cmocka_run_group_tests_name("decision_log", tests, NULL, NULL);
}
