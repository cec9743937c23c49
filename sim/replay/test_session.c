/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions on a real recording: what a clean run leaves, what is said of bad files and options, and that
 * nothing half-made stays behind.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/random_sms.h"
#include "replay/interrupt.h"
#include "replay/session_fixture.h"

/* ---- a clean run ----------------------------------------------------------------------- */

static void a_clean_run_passes(void **state)
{
    world *w = *state;
    char *model, *rtl, *data, *other;

    w->options.max_cycles = CYCLES;
    run(w);
    expect_pass(w, CYCLES);
    assert_false(w->result.converged);
    assert_int_equal(w->result.limit, 2);
    model = slurp(path_in(w, "run.model.log"));
    rtl = slurp(path_in(w, "run.rtl.log"));
    assert_string_equal(model, rtl);
    assert_string_equal(model, w->result.log);
    assert_string_equal(model, "cycle 1 SM0 kernel start: Nmax 3, limit 2, StMeasure\n"
                               "cycle 6271 SM0 first CTA done: One_TB 6270, sample period 18810 cycles, StFirst\n");
    assert_int_equal(w->result.decisions, count_lines(model));
    data = slurp(path_in(w, "run.model.jsonl"));
    other = slurp(path_in(w, "run.rtl.jsonl"));
    assert_string_equal(data, other);
    assert_string_equal(
        data, "{\"cycle\":1,\"where\":\"SM0\",\"sm\":0,\"instance\":\"perfsat\",\"block\":\"perfsat\",\"rule\":\"PS-5\",\"event\":\"kernel_start\","
              "\"inputs\":{\"nmax\":3},\"before\":{\"limit\":0,\"state\":\"StWait\"},\"after\":{\"limit\":2,\"state\":\"StMeasure\"},"
              "\"words\":\"kernel start: Nmax 3, limit 2, StMeasure\"}\n"
              "{\"cycle\":6271,\"where\":\"SM0\",\"sm\":0,\"instance\":\"perfsat\",\"block\":\"perfsat\",\"rule\":\"PS-6\",\"event\":\"first_cta\","
              "\"inputs\":{\"one_tb\":6270,\"nmax\":3},\"before\":{\"limit\":2,\"state\":\"StMeasure\"},"
              "\"after\":{\"limit\":2,\"state\":\"StFirst\",\"period\":18810},"
              "\"words\":\"first CTA done: One_TB 6270, sample period 18810 cycles, StFirst\"}\n");
    assert_int_equal(files_with(w, "", false), 4);
    free(model);
    free(rtl);
    free(data);
    free(other);
}

/* What the words do not say is compared, too: the limit when the first CTA is done. */
static void a_difference_in_the_data_alone_is_seen(void **state)
{
    world *w = *state;
    char *model, *rtl;

    inject(w, "rtl:perfsat.limit_q[0]@6270");
    run(w);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    assert_false(w->result.logs_equal);
    model = slurp(path_in(w, "run.model.log"));
    rtl = slurp(path_in(w, "run.rtl.log"));
    assert_string_equal(model, rtl);
    free(model);
    free(rtl);
    model = slurp(path_in(w, "run.model.jsonl"));
    rtl = slurp(path_in(w, "run.rtl.jsonl"));
    assert_non_null(strstr(model, "\"after\":{\"limit\":2,\"state\":\"StFirst\""));
    assert_non_null(strstr(rtl, "\"after\":{\"limit\":3,\"state\":\"StFirst\""));
    free(model);
    free(rtl);
}

static void a_run_without_limit_ends_with_the_recording(void **state)
{
    world *w = *state;

    run(w);
    expect_pass(w, trace_get_sm(w->reader, 0)->cycles);
    assert_int_equal(w->result.decisions, 3);
    assert_int_equal(w->result.tracks[0].num_points, 2);
    assert_int_equal(w->result.tracks[0].points[0].value, 2);
    assert_int_equal(w->result.tracks[0].points[1].value, 3);
    /* The sample ends in cycle 25081; the limit shows in the cycle after it. */
    assert_int_equal(w->result.tracks[0].points[0].cycle, 2);
    assert_int_equal(w->result.tracks[0].points[1].cycle, 25082);
}

static void a_random_bus_needs_no_recording(void **state)
{
    world *w = *state;
    random_sms bus;
    stimulus s;

    w->options.meta = NULL;
    random_sms_start(&bus, 0x5e55, 1, 48, 8, CYCLES);
    s = random_sms_stimulus(&bus);
    run_stimulus(w, &s);
    expect_pass(w, CYCLES);
    assert_true(w->result.decisions > 5);
    w->options.max_cycles = CYCLES + 5; /* more than there are */
    run_stimulus(w, &s);
    expect_pass(w, CYCLES);
}

/* ---- bad input --------------------------------------------------------------------------- */

static void a_missing_folder_is_named(void **state)
{
    world *w = *state;
    char log[PATH], wave[PATH];

    w->options.max_cycles = 100;
    copy_path(wave, w, "missing/run.fst");
    w->options.wave_path = wave;
    expect_bad_input(w, wave);
    w->options.wave_path = NULL;
    copy_path(log, w, "missing/run");
    w->options.log_prefix = log;
    expect_bad_input(w, log);
    assert_int_equal(files_with(w, "", false), 0);
}

/* The difference is still the verdict. */
static void an_explanation_that_cannot_be_written_is_said(void **state)
{
    world *w = *state;

    copy_path(w->explain, w, "missing/why");
    inject(w, "rtl:perfsat.limit_q[1]@100");
    run(w);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    expect_one_line(w->result.text);
    assert_non_null(strstr(w->result.text, path_in(w, "missing/why.txt")));
}

static void a_larger_sm_than_the_build_is_refused(void **state)
{
    world *w = *state;
    trace_meta meta = *w->options.meta;

    w->options.meta = &meta;
    w->options.wave_path = w->wave;
    meta.geometry.warps = BALLAST_MAX_WARPS + 1;
    expect_bad_input(w, "65 warps");
    meta.geometry.warps = trace_get_meta(w->reader)->geometry.warps;
    meta.geometry.slots = BALLAST_MAX_SLOTS + 1;
    expect_bad_input(w, "33 CTA slots");
    assert_int_equal(files_with(w, "", false), 0);
}

static void wrong_faults_and_blocks_are_refused(void **state)
{
    world *w = *state;

    inject(w, "rtl:perfsat.limits_q[0]@5");
    expect_bad_input(w, "limits_q");
    w->options.num_faults = 0;
    inject(w, "rtl:perfsat.limit_q[20]@5");
    expect_bad_input(w, "limit_q[20]");
    w->options.num_faults = 0;
    w->blocks[0] = block_find("perfsat");
    w->blocks[1] = NULL;
    expect_bad_input(w, "stall_classifier");
}

/* ---- a state file ------------------------------------------------------------------------- */

#define STATE_HEAD                                                                                     \
    "# a comment\n\nperfsat.state_q = 1\nperfsat.limit_q = 2\nperfsat.nmax_q = 3\nperfsat.history_q = 0\n" \
    "perfsat.direction_q = 0\nperfsat.toggles_q = 0\nperfsat.period_q = 15\nperfsat.timer_q = 0\n"       \
    "perfsat.stalled_q = 0\nperfsat.prev_q = 76\n"
#define STATE STATE_HEAD "perfsat.settled_q = 0\n"

static const struct {
    const char *text, *what; /* what has to follow the file's name */
} bad_states[] = {
    {STATE_HEAD "perfsat.settle_q = 0\n", ":13: "},
    {STATE_HEAD "perfsat.settled_o = 0\n", ":13: "},
    {STATE_HEAD "perfsat.limit_i = 0\n", ":13: "},
    {STATE_HEAD "nothing.settled_q = 0\n", ":13: "},
    {STATE_HEAD "perfsat.settled_q = 2\n", ":13: "},
    {STATE_HEAD "perfsat.settled_q = -1\n", ":13: "},
    {STATE_HEAD "perfsat.settled_q = 99999999999999999999999999\n", ":13: "},
    {STATE_HEAD "perfsat.settled_q = 0x\n", ":13: "},
    {STATE_HEAD "perfsat.settled_q = \n", ":13: "},
    {STATE_HEAD "perfsat.settled_q 0\n", ":13: "},
    {"perfsat.limit_q = 16777216\n" STATE, ":1: "},
    {"\x7f" "ELF\x02\x01\x01\r\xff\n", ":1: "},
    {STATE "perfsat.limit_q = 2\n", ":14: this register was named before"},
    {STATE_HEAD "perfsat.limit_q = 2\n", ":13: this register was named before"},
    {STATE_HEAD, ": 1 of 11 registers of perfsat are missing"},
    {"perfsat.limit_q = 2\n", ": 10 of 11 registers of perfsat are missing"},
    {"", ": names no register"},
    {"# nothing but a comment\n", ": names no register"},
};

static void a_bad_state_file_is_refused(void **state)
{
    world *w = *state;
    char path[PATH], what[PATH + 64];

    copy_path(path, w, "registers");
    w->options.initial_state = path;
    w->options.max_cycles = 10;
    expect_bad_input(w, path); /* not there */
    for (size_t i = 0; i < sizeof bad_states / sizeof bad_states[0]; i++) {
        spew(path, bad_states[i].text);
        snprintf(what, sizeof what, "%s%s", path, bad_states[i].what);
        print_message("state file %zu: ", i);
        expect_bad_input(w, what);
        print_message("%s\n", w->result.text + strlen(w->dir));
    }
    w->options.initial_state = w->dir;
    expect_bad_input(w, w->dir);
}

static void a_run_starts_from_the_state_file(void **state)
{
    world *w = *state;
    char path[PATH];
    char *report;

    copy_path(path, w, "registers");
    spew(path, STATE);
    w->options.initial_state = path;
    w->options.max_cycles = 10;
    run(w);
    expect_pass(w, 10);
    /* The kernel start in the first cycle leaves prev_q alone, so the file's value is in the report. */
    inject(w, "rtl:perfsat.prev_q[0]@5");
    run(w);
    report = slurp(path_in(w, "why.txt"));
    assert_int_equal(number_of(line_after(report, "  expected (model) ")), 76);
    assert_int_equal(number_of(line_after(report, "  actual   (RTL)   ")), 77);
    free(report);
    w->options.num_faults = 0;
    w->blocks[1] = NULL; /* a block without registers has an empty state file */
    spew(path, "# nothing\n");
    run(w);
    expect_pass(w, 10);
}

/* ---- a stimulus that fails, a user who stops it ----------------------------------------------- */

/* A random bus with something wrong. */
typedef struct bad_stimulus {
    random_sms bus;
    uint64_t fail_at, interrupt_at; /* cycle; 0: never */
    unsigned rewinds, good_rewinds; /* 0: all          */
    uint64_t second_length;         /* of the second pass, 0: as the first */
    const char *error;
} bad_stimulus;

static const sm_obs *const *bad_next(void *self, const feedback *last)
{
    bad_stimulus *b = self;

    (void)last;
    if (b->interrupt_at && b->bus.index + 1 == b->interrupt_at)
        interrupted = 1;
    if (b->fail_at && b->bus.index + 1 == b->fail_at) {
        b->error = "recording: damaged at byte 7";
        return NULL;
    }
    return random_sms_next(&b->bus);
}

static uint64_t bad_cycle(void *self)
{
    return ((bad_stimulus *)self)->bus.index;
}

static int bad_rewind(void *self)
{
    bad_stimulus *b = self;

    if (++b->rewinds == 2 && b->second_length)
        b->bus.cycles = b->second_length;
    if (b->good_rewinds && b->rewinds > b->good_rewinds) {
        b->error = "recording: cannot be rewound";
        return 0;
    }
    random_sms_rewind(&b->bus);
    return 1;
}

static const char *bad_error(void *self)
{
    return ((bad_stimulus *)self)->error;
}

static stimulus bad_start(bad_stimulus *b)
{
    *b = (bad_stimulus){.error = ""};
    random_sms_start(&b->bus, 0xbad, 1, 48, 8, CYCLES);
    return (stimulus){b, bad_next, bad_cycle, bad_rewind, bad_error};
}

static void a_failing_stimulus_ends_the_run(void **state)
{
    world *w = *state;
    bad_stimulus b;
    stimulus s = bad_start(&b);

    w->options.meta = NULL;
    w->options.wave_path = w->wave;
    b.fail_at = 1500;
    run_stimulus(w, &s);
    assert_int_equal(w->result.verdict, SESSION_BAD_INPUT);
    assert_string_equal(w->result.text, b.error);
    assert_int_equal(w->result.cycles, 1499);
    assert_int_equal(files_with(w, "", false), 0);
}

static void a_stimulus_that_cannot_be_rewound_is_said(void **state)
{
    world *w = *state;
    bad_stimulus b;
    stimulus s = bad_start(&b);
    char *report;

    w->options.meta = NULL;
    b.good_rewinds = 1; /* enough for the run, not for the explanation */
    inject(w, "rtl:perfsat.limit_q[1]@100");
    run_stimulus(w, &s);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    report = slurp(path_in(w, "why.txt"));
    assert_non_null(strstr(report, b.error));
    free(report);
    s = bad_start(&b);
    b.good_rewinds = b.rewinds = 1;
    run_stimulus(w, &s);
    assert_int_equal(w->result.verdict, SESSION_BAD_INPUT);
    assert_string_equal(w->result.text, b.error);
    assert_int_equal(w->result.cycles, 0);
}

static void a_difference_that_does_not_come_back_is_said(void **state)
{
    world *w = *state;
    bad_stimulus b;
    const stimulus s = bad_start(&b);
    char *report;

    w->options.meta = NULL;
    b.second_length = 90;
    inject(w, "rtl:perfsat.limit_q[1]@100");
    run_stimulus(w, &s);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    report = slurp(path_in(w, "why.txt"));
    assert_non_null(strstr(report, "cycle 100 did not come back in a rerun"));
    free(report);
}

static void an_interrupt_stops_the_run(void **state)
{
    world *w = *state;
    bad_stimulus b;
    const stimulus s = bad_start(&b);

    w->options.meta = NULL;
    w->options.wave_path = w->wave;
    b.interrupt_at = 3000;
    run_stimulus(w, &s);
    assert_int_equal(w->result.verdict, SESSION_STOPPED);
    assert_int_equal(w->result.cycles, 3000);
    expect_one_line(w->result.text);
    assert_int_equal(files_with(w, "", false), 0);
}

static void an_interrupt_before_the_run_stops_it_at_once(void **state)
{
    world *w = *state;

    w->options.wave_path = w->wave;
    interrupted = 1;
    run(w);
    assert_int_equal(w->result.verdict, SESSION_STOPPED);
    assert_int_equal(w->result.cycles, 1);
    assert_int_equal(files_with(w, "", false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_clean_run_passes),
        TEST(a_difference_in_the_data_alone_is_seen),
        TEST(a_run_without_limit_ends_with_the_recording),
        TEST(a_random_bus_needs_no_recording),
        TEST(a_missing_folder_is_named),
        TEST(an_explanation_that_cannot_be_written_is_said),
        TEST(a_larger_sm_than_the_build_is_refused),
        TEST(wrong_faults_and_blocks_are_refused),
        TEST(a_bad_state_file_is_refused),
        TEST(a_run_starts_from_the_state_file),
        TEST(a_failing_stimulus_ends_the_run),
        TEST(a_stimulus_that_cannot_be_rewound_is_said),
        TEST(a_difference_that_does_not_come_back_is_said),
        TEST(an_interrupt_stops_the_run),
        TEST(an_interrupt_before_the_run_stops_it_at_once),
    };

    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
