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
static void take_two(decisions *to)
{
    decision *d;

    decisions_clear(to);
    d = decision_new(to, "lcs", "LCS-4", "throttled");
    decision_input(d, "active", 3);
    decision_change(d, "limit", 4, 3);
    decision_words(d, "one");
    d = decision_new(to, "lcs", "LCS-5", "kernel_start");
    decision_change_state(d, "state", "StIdle", "StMonitor");
    decision_words(d, "two");
}

static decisions list;
static decision_log written;

static int set_up(void **state)
{
    memset(&list, 0, sizeof list);
    take_two(&list);
    assert_true(decision_log_open(&written, 1, 0));
    return session_set_up(state);
}

static int tear_down(void **state)
{
    decision_log_close(&written);
    decisions_free(&list);
    return session_tear_down(state);
}

/* Two decisions and an empty log of SM 0; they are there when the test begins. */
#define LOG_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void open_log(unsigned num_sms, unsigned sm)
{
    decision_log_close(&written);
    assert_true(decision_log_open(&written, num_sms, sm));
}

static void expect_words(const char *words)
{
    char *text = decision_log_take(&written);

    assert_string_equal(text, words);
    free(text);
}

/* ---- what is written --------------------------------------------------------------- */

LOG_TEST(words_and_data_of_both_sides)
{
    static const char data[] =
        "{\"cycle\":7,\"where\":\"SM2\",\"sm\":2,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-4\",\"event\":\"throttled\",\"inputs\":{\"active\":3},"
        "\"before\":{\"limit\":4},\"after\":{\"limit\":3},\"words\":\"one\"}\n"
        "{\"cycle\":7,\"where\":\"SM2\",\"sm\":2,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-5\",\"event\":\"kernel_start\",\"inputs\":{},"
        "\"before\":{\"state\":\"StIdle\"},\"after\":{\"state\":\"StMonitor\"},\"words\":\"two\"}\n";

    open_log(1, 2);
    decision_log_add(&written, SIDE_MODEL, "lcs_pause", 7, &list);
    decision_log_add(&written, SIDE_RTL, "lcs_pause", 7, &list);
    assert_int_equal(written.lines, 1);
    assert_true(decision_log_equal(&written));
    assert_true(decision_log_save(&written, path_in("x")));
    expect_text("x.model.log", "cycle 7 SM2 one; two\n");
    expect_text("x.rtl.log", "cycle 7 SM2 one; two\n");
    expect_text("x.model.jsonl", data);
    expect_text("x.rtl.jsonl", data);
    assert_int_equal(files_with(""), 4);
    expect_words("cycle 7 SM2 one; two\n");
}

LOG_TEST(one_side_alone)
{
    open_log(15, 0);
    list.taken[1].sm = 4;
    decision_log_add(&written, SIDE_MODEL, "lcs_pause", 9, &list);
    assert_true(decision_log_save_side(&written, SIDE_MODEL, path_in("y")));
    expect_text("y.model.log", "cycle 9 chip one; two\n");
    expect_text("y.model.jsonl",
                "{\"cycle\":9,\"where\":\"chip\",\"sm\":null,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-4\",\"event\":\"throttled\","
                "\"inputs\":{\"active\":3},\"before\":{\"limit\":4},\"after\":{\"limit\":3},\"words\":\"one\"}\n"
                "{\"cycle\":9,\"where\":\"chip\",\"sm\":4,\"instance\":\"lcs_pause\",\"block\":\"lcs\",\"rule\":\"LCS-5\",\"event\":\"kernel_start\",\"inputs\":{},"
                "\"before\":{\"state\":\"StIdle\"},\"after\":{\"state\":\"StMonitor\"},\"words\":\"two\"}\n");
    assert_int_equal(files_with(""), 2);
}

LOG_TEST(nothing_decided_is_an_empty_log)
{
    decisions_clear(&list);
    decision_log_add(&written, SIDE_MODEL, "lcs_pause", 1, &list);
    assert_int_equal(written.lines, 0);
    assert_true(decision_log_equal(&written));
    assert_true(decision_log_save(&written, path_in("z")));
    expect_text("z.model.log", "");
    expect_text("z.rtl.jsonl", "");
    expect_words("");
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

LOG_TEST(every_field_is_compared)
{
    static void (*const changes[])(decision *) = {
        nothing_else, other_rule,   other_block, other_event,          other_sm,   other_input,
        more_inputs,  other_before, other_after, a_state_for_a_number, other_words};

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        open_log(1, 0);
        take_two(&list);
        decision_log_add(&written, SIDE_MODEL, "lcs_pause", 7, &list);
        changes[i](&list.taken[0]);
        decision_log_add(&written, SIDE_RTL, "lcs_pause", 7, &list);
        if (decision_log_equal(&written) != (i == 0))
            fail_msg("change %zu", i);
    }
}

LOG_TEST(cycle_number_and_instance_are_compared)
{
    static const struct {
        const char *instance;
        uint64_t cycle;
        bool equal; /* to lcs_pause in cycle 7 */
    } cases[] = {{"lcs_pause", 7, true}, {"lcs", 7, false}, {"lcs_pause", 8, false}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_log(1, 0);
        decision_log_add(&written, SIDE_MODEL, "lcs_pause", 7, &list);
        assert_false(decision_log_equal(&written));
        decision_log_add(&written, SIDE_RTL, cases[i].instance, cases[i].cycle, &list);
        if (decision_log_equal(&written) != cases[i].equal)
            fail_msg("case %zu", i);
    }
}

/* What was lost for want of memory cannot be equal, and is not written. */
LOG_TEST(a_list_that_lost_something_spoils_the_log)
{
    list.failed = true;
    decision_log_add(&written, SIDE_MODEL, "lcs_pause", 7, &list);
    decision_log_add(&written, SIDE_RTL, "lcs_pause", 7, &list);
    assert_true(written.failed);
    assert_false(decision_log_equal(&written));
    assert_false(decision_log_save(&written, path_in("lost")));
    assert_int_equal(files_with(""), 0);
}

/* ---- all files or none ----------------------------------------------------------------- */

LOG_TEST(a_file_that_cannot_be_written_leaves_none)
{
    static const char *const taken[] = {"x.model.log", "x.model.jsonl", "x.rtl.log", "x.rtl.jsonl", "x.rtl.jsonl.tmp"};

    decision_log_add(&written, SIDE_MODEL, "lcs_pause", 7, &list);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        char path[PATH];

        print_message("%s is a folder\n", taken[i]);
        copy_path(path, taken[i]);
        assert_int_equal(mkdir(path, 0777), 0);
        assert_false(decision_log_save(&written, path_in("x")));
        assert_int_equal(files_with(""), 1);
        assert_int_equal(rmdir(path), 0);
    }
    assert_false(decision_log_save(&written, path_in("missing/x")));
    assert_int_equal(files_with(""), 0);
}
