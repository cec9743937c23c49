/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions on a real recording: what a clean run leaves, what is said of bad files and options, and that
 * nothing half-made stays behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random_sms.h"
#include "replay/interrupt.h"
#include "replay/session_fixture.h"

/* ---- a clean run ----------------------------------------------------------------------- */

SESSION_TEST(a_clean_run_passes)
{
    static const char log[] = "cycle 1 SM0 kernel start: Nmax 3, limit 2, StMeasure\n"
                              "cycle 6271 SM0 first CTA done: One_TB 6270, sample period 18810 cycles, StFirst\n";
    static const char data[] =
        "{\"cycle\":1,\"where\":\"SM0\",\"sm\":0,\"instance\":\"perfsat\",\"block\":\"perfsat\",\"rule\":\"PS-5\",\"event\":\"kernel_start\","
        "\"inputs\":{\"nmax\":3},\"before\":{\"limit\":0,\"state\":\"StWait\"},\"after\":{\"limit\":2,\"state\":\"StMeasure\"},"
        "\"words\":\"kernel start: Nmax 3, limit 2, StMeasure\"}\n"
        "{\"cycle\":6271,\"where\":\"SM0\",\"sm\":0,\"instance\":\"perfsat\",\"block\":\"perfsat\",\"rule\":\"PS-6\",\"event\":\"first_cta\","
        "\"inputs\":{\"one_tb\":6270,\"nmax\":3},\"before\":{\"limit\":2,\"state\":\"StMeasure\"},"
        "\"after\":{\"limit\":2,\"state\":\"StFirst\",\"period\":18810},"
        "\"words\":\"first CTA done: One_TB 6270, sample period 18810 cycles, StFirst\"}\n";

    session.options.max_cycles = CYCLES;
    run();
    expect_pass(CYCLES);
    assert_false(session.result.converged);
    assert_int_equal(session.result.limit, 2);
    assert_int_equal(session.result.decisions, 2);
    assert_string_equal(session.result.log, log);
    expect_text("run.model.log", log);
    expect_text("run.rtl.log", log);
    expect_text("run.model.jsonl", data);
    expect_text("run.rtl.jsonl", data);
    assert_int_equal(files_with(""), 4);
}

/* What the words do not say is compared, too: the limit when the first CTA is done. */
SESSION_TEST(a_difference_in_the_data_alone_is_seen)
{
    char *model;

    inject("rtl:perfsat.limit_q[0]@6270");
    expect_mismatch();
    assert_false(session.result.logs_equal);
    model = scratch_slurp(path_in("run.model.log"));
    expect_text("run.rtl.log", model);
    free(model);
    expect_part("run.model.jsonl", "\"after\":{\"limit\":2,\"state\":\"StFirst\"");
    expect_part("run.rtl.jsonl", "\"after\":{\"limit\":3,\"state\":\"StFirst\"");
}

SESSION_TEST(a_run_without_limit_ends_with_the_recording)
{
    /* The sample ends in cycle 25081; the limit shows in the cycle after it. */
    static const session_point points[] = {{2, 2}, {25082, 3}};

    run();
    expect_pass(trace_get_sm(session.reader, 0)->cycles);
    assert_int_equal(session.result.decisions, 3);
    assert_int_equal(session.result.tracks[0].num_points, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(session.result.tracks[0].points[i].cycle, points[i].cycle);
        assert_int_equal(session.result.tracks[0].points[i].value, points[i].value);
    }
}

SESSION_TEST(a_random_bus_needs_no_recording)
{
    random_sms bus;
    stimulus s;

    session.options.meta = NULL;
    random_sms_start(&bus, 0x5e55, 1, 48, 8, CYCLES);
    s = random_sms_stimulus(&bus);
    run_stimulus(&s);
    expect_pass(CYCLES);
    assert_true(session.result.decisions > 5);
    session.options.max_cycles = CYCLES + 5; /* more than there are */
    run_stimulus(&s);
    expect_pass(CYCLES);
}

/* ---- bad input --------------------------------------------------------------------------- */

SESSION_TEST(a_missing_folder_is_named)
{
    char log[PATH], wave[PATH];

    session.options.max_cycles = 100;
    copy_path(wave, "missing/run.fst");
    session.options.wave_path = wave;
    expect_bad_input(wave);
    session.options.wave_path = NULL;
    copy_path(log, "missing/run");
    session.options.log_prefix = log;
    expect_bad_input(log);
    assert_int_equal(files_with(""), 0);
}

/* The difference is still the verdict. */
SESSION_TEST(an_explanation_that_cannot_be_written_is_said)
{
    copy_path(session.explain, "missing/why");
    inject("rtl:perfsat.limit_q[1]@100");
    expect_mismatch();
    find(session.result.text, path_in("missing/why.txt"));
}

SESSION_TEST(a_larger_sm_than_the_build_is_refused)
{
    trace_meta meta = *session.options.meta;

    session.options.meta = &meta;
    session.options.wave_path = session.wave;
    meta.geometry.warps = BALLAST_MAX_WARPS + 1;
    expect_bad_input("65 warps");
    meta.geometry.warps = trace_get_meta(session.reader)->geometry.warps;
    meta.geometry.slots = BALLAST_MAX_SLOTS + 1;
    expect_bad_input("33 CTA slots");
    assert_int_equal(files_with(""), 0);
}

SESSION_TEST(wrong_faults_and_blocks_are_refused)
{
    inject("rtl:perfsat.limits_q[0]@5");
    expect_bad_input("limits_q");
    session.options.num_faults = 0;
    inject("rtl:perfsat.limit_q[20]@5");
    expect_bad_input("limit_q[20]");
    session.options.num_faults = 0;
    session.blocks[0] = block_find("perfsat");
    session.blocks[1] = NULL;
    expect_bad_input("stall_classifier");
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

SESSION_TEST(a_bad_state_file_is_refused)
{
    char path[PATH], what[PATH + 64];

    copy_path(path, "registers");
    session.options.initial_state = path;
    session.options.max_cycles = 10;
    expect_bad_input(path); /* not there */
    for (size_t i = 0; i < sizeof bad_states / sizeof bad_states[0]; i++) {
        scratch_spew(path, bad_states[i].text);
        snprintf(what, sizeof what, "%s%s", path, bad_states[i].what);
        print_message("state file %zu: ", i);
        expect_bad_input(what);
        print_message("%s\n", session.result.text + strlen(session.dir));
    }
    session.options.initial_state = session.dir;
    expect_bad_input(session.dir);
}

SESSION_TEST(a_run_starts_from_the_state_file)
{
    char path[PATH];
    char *report;

    copy_path(path, "registers");
    scratch_spew(path, STATE);
    session.options.initial_state = path;
    session.options.max_cycles = 10;
    run();
    expect_pass(10);
    /* The kernel start in the first cycle leaves prev_q alone, so the file's value is in the report. */
    inject("rtl:perfsat.prev_q[0]@5");
    run();
    report = scratch_slurp(path_in("why.txt"));
    assert_int_equal(number_of(line_after(report, "  expected (model) ")), 76);
    assert_int_equal(number_of(line_after(report, "  actual   (RTL)   ")), 77);
    free(report);
}

/* ---- a stimulus that fails, a user who stops it ----------------------------------------------- */

/* A random bus with something wrong. */
typedef struct bad_stimulus {
    random_sms bus; /* first: its cycle is ours */
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

/* A session on it, without a recording. */
static stimulus bad_start(bad_stimulus *b)
{
    session.options.meta = NULL;
    *b = (bad_stimulus){.error = ""};
    random_sms_start(&b->bus, 0xbad, 1, 48, 8, CYCLES);
    return (stimulus){b, bad_next, random_sms_stimulus(&b->bus).cycle, bad_rewind, bad_error};
}

static void expect_end(enum session_verdict verdict, uint64_t cycles)
{
    assert_int_equal(session.result.verdict, verdict);
    assert_int_equal(session.result.cycles, cycles);
    expect_one_line(session.result.text);
}

SESSION_TEST(a_failing_stimulus_ends_the_run)
{
    bad_stimulus b;
    const stimulus s = bad_start(&b);

    session.options.wave_path = session.wave;
    b.fail_at = 1500;
    run_stimulus(&s);
    expect_end(SESSION_BAD_INPUT, 1499);
    assert_string_equal(session.result.text, b.error);
    assert_int_equal(files_with(""), 0);
}

SESSION_TEST(a_stimulus_that_cannot_be_rewound_is_said)
{
    bad_stimulus b;
    stimulus s = bad_start(&b);

    b.good_rewinds = 1; /* enough for the run, not for the explanation */
    inject("rtl:perfsat.limit_q[1]@100");
    run_stimulus(&s);
    expect_end(SESSION_MISMATCH, 101);
    expect_part("why.txt", b.error);
    s = bad_start(&b);
    b.good_rewinds = b.rewinds = 1;
    run_stimulus(&s);
    expect_end(SESSION_BAD_INPUT, 0);
    assert_string_equal(session.result.text, b.error);
}

SESSION_TEST(a_difference_that_does_not_come_back_is_said)
{
    bad_stimulus b;
    const stimulus s = bad_start(&b);

    b.second_length = 90;
    inject("rtl:perfsat.limit_q[1]@100");
    run_stimulus(&s);
    expect_end(SESSION_MISMATCH, 101);
    expect_part("why.txt", "cycle 100 did not come back in a rerun");
}

SESSION_TEST(an_interrupt_stops_the_run)
{
    bad_stimulus b;
    const stimulus s = bad_start(&b);

    session.options.wave_path = session.wave;
    b.interrupt_at = 3000;
    run_stimulus(&s);
    expect_end(SESSION_STOPPED, 3000);
    run_stimulus(&s); /* at once, where it comes before the run */
    expect_end(SESSION_STOPPED, 1);
    assert_int_equal(files_with(""), 0);
}
