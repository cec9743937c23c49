/* SPDX-License-Identifier: Apache-2.0
 *
 * A difference is explained: report, files, and a reproducer that fails in the same place.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random_sms.h"
#include "replay/session_fixture.h"

/* ---- a difference ------------------------------------------------------------------------ */

/* What the report has to say of a fault. */
typedef struct difference {
    const char *fault;
    const char *block, *port; /* with its suffix */
    uint64_t index;
    unsigned bit;
    bool in_rtl, output;
} difference;

static const difference differences[] = {
    {"rtl:perfsat.limit_q[1]@9000", "perfsat", "limit_q", 9000, 1, true, false},
    {"model:perfsat.limit_q[1]@9000", "perfsat", "limit_q", 9000, 1, false, false},
    {"rtl:perfsat.state_q[2]@70", "perfsat", "state_q", 70, 2, true, false},
    {"model:perfsat.timer_q[31]@30000", "perfsat", "timer_q", 30000, 31, false, false},
    {"rtl:stall_classifier.ps_class_o[0]@12345", "stall_classifier", "ps_class_o", 12345, 0, true, true},
    {"model:stall_classifier.lcs_class_o[1]@12345", "stall_classifier", "lcs_class_o", 12345, 1, false, true},
    {"model:perfsat.sample_end_o[0]@25080", "perfsat", "sample_end_o", 25080, 0, false, true},
    {"rtl:perfsat.limit_q[0]@0", "perfsat", "limit_q", 0, 0, true, false},
    {"model:perfsat.done_o[0]@0", "perfsat", "done_o", 0, 0, false, true},
    {"rtl:perfsat.period_q[0]@3", "perfsat", "period_q", 3, 0, true, false},
    {"rtl:perfsat.prev_q[5]@31346", "perfsat", "prev_q", 31346, 5, true, false}, /* the last cycle */
};

static const block_port *port_of(const lockstep_instance *inst, const difference *d)
{
    const block_port *port = port_find(&inst->ports, d->port);

    if (!port)
        fail_msg("no port %s", d->port);
    return port;
}

/* The port's value in a run without faults, from the models alone. */
static uint64_t clean_value(world *w, const difference *d, uint64_t *cycle)
{
    static lockstep ls;
    char err[BLOCK_TEXT];
    uint64_t value = 0;
    trace_err why;

    assert_true(lockstep_open(&ls, w->blocks, 0, 1, err, sizeof err));
    assert_true(lockstep_reset(&ls));
    assert_true(trace_select_sm(w->reader, 0, &why));
    for (uint64_t i = 0; i <= d->index; i++) {
        const sm_obs *obs = trace_next(w->reader, &why);

        lockstep_models(&ls, &obs);
    }
    *cycle = trace_cycle(w->reader);
    for (unsigned i = 0; i < ls.num_instances; i++)
        if (!strcmp(ls.instances[i].block->name, d->block))
            value = block_port_get(port_of(&ls.instances[i], d),
                                   d->output ? ls.instances[i].out : ls.instances[i].state);
    lockstep_close(&ls);
    return value;
}

static void expect_headline(const char *report, const difference *d, uint64_t clean, uint64_t cycle)
{
    const uint64_t flipped = clean ^ UINT64_C(1) << d->bit;
    char want[256];

    snprintf(want, sizeof want, "MISMATCH in %s on SM0, cycle %" PRIu64 " (cycle %" PRIu64 " of the run)\n  %s %s %s\n",
             d->block, cycle, d->index, d->output ? "output" : "register", d->port,
             d->output ? "in this cycle" : "after this cycle's rising edge");
    if (strncmp(report, want, strlen(want)) != 0)
        fail_msg("wanted:\n%sgot:\n%.300s", want, report);
    assert_int_equal(number_of(line_after(report, "  expected (model) ")), d->in_rtl ? clean : flipped);
    assert_int_equal(number_of(line_after(report, "  actual   (RTL)   ")), d->in_rtl ? flipped : clean);
}

/* Every output and register of the block, and an arrow only where the fault is. */
static void expect_both_sides(const char *report, const difference *d)
{
    char heading[128];
    const char *table, *end;
    unsigned rows = 0;

    snprintf(heading, sizeof heading, "\n%s in this cycle:\n", d->block);
    table = next_line(find(report, heading) + strlen(heading)); /* past the names of the columns */
    end = find(table, "\n\n");
    for (const char *row = table; row < end; row = next_line(row), rows++) {
        const bool differs = memmem(row, strcspn(row, "\n"), "<--", 3) != NULL;
        const bool is_it = !strncmp(row + 2, d->port, strlen(d->port)) && row[2 + strlen(d->port)] == ' ';

        if (differs != is_it)
            fail_msg("arrow in the wrong place: %.*s", (int)strcspn(row, "\n"), row);
    }
    assert_int_equal(rows, !strcmp(d->block, "perfsat") ? 14 : 3);
}

/* The last cycles, one row each, up to the one that differs. */
static void expect_inputs(const char *report, const difference *d, uint64_t cycle, unsigned history)
{
    const unsigned want = d->index + 1 < history ? (unsigned)d->index + 1 : history;
    char heading[128];
    const char *row;

    snprintf(heading, sizeof heading, "\nInputs of %s in the last %u cycles:\n", d->block, want);
    row = next_line(find(report, heading) + strlen(heading));
    for (unsigned n = want; n-- > 0; row = next_line(row)) {
        assert_int_equal(strtoull(row, NULL, 10), cycle - n);
        assert_int_equal(memmem(row, strcspn(row, "\n"), "<- here", 7) != NULL, n == 0);
    }
    assert_int_equal(*row, '\n');
}

static void expect_files(const world *w)
{
    static const char *const names[] = {"why.txt", "why.fst", "why.gtkw", "why.blt", "why.state"};
    char *save;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!is_there(w, names[i]))
            fail_msg("%s was not written", names[i]);
    assert_int_equal(files_with(w, "why.", false), sizeof names / sizeof names[0]);
    assert_int_equal(files_with(w, ".tmp", false), 0);
    save = slurp(path_in(w, "why.gtkw"));
    assert_non_null(strstr(line_after(save, "[dumpfile] "), "/why.fst\""));
    free(save);
}

/* The first lines of a report: what differs and how. Cycle numbers are others in a reproducer. */
static void expect_same_difference(const char *report, const char *again)
{
    const size_t where = strcspn(report, ","), from = strcspn(report, "\n");
    const char *end = find(report, "\n\n");

    assert_memory_equal(report, again, where);
    assert_memory_equal(report + from, again + strcspn(again, "\n"), (size_t)(end - report) - from);
}

/* Takes the faults from the line that the report tells the user to paste. */
static void take_faults(world *w, const char *line)
{
    static const char option[] = " --inject '";

    w->options.num_faults = 0;
    while ((line = strstr(line, option))) {
        char text[BLOCK_TEXT];

        line += strlen(option);
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "'"), line);
        inject(w, text);
    }
}

static void expect_reproducer(world *w, const char *report, unsigned cycles)
{
    char heading[64], state[PATH];
    const char *line;
    char *again;

    snprintf(heading, sizeof heading, "\nReproducer: %u cycle%s from ", cycles, cycles == 1 ? "" : "s");
    line = find(report, heading);
    copy_path(state, w, "why.state");
    assert_non_null(strstr(line, state));
    open_recording(w, path_in(w, "why.blt"));
    assert_int_equal(trace_get_sm(w->reader, 0)->cycles, cycles);
    take_faults(w, line);
    w->options.initial_state = state;
    copy_path(w->explain, w, "again");
    run(w);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    assert_int_equal(w->result.cycles, cycles);
    again = slurp(path_in(w, "again.txt"));
    expect_same_difference(report, again);
    free(again);
    /* Without its fault the window is no reproducer. */
    w->options.num_faults = 0;
    run(w);
    assert_int_equal(w->result.verdict, SESSION_PASS);
}

static void a_difference_is_explained_and_reproduced(void **state)
{
    world *w = *state;
    const difference *d = w->parameter;
    uint64_t cycle;
    const uint64_t clean = clean_value(w, d, &cycle);
    char *report;

    inject(w, d->fault);
    run(w);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    assert_int_equal(w->result.cycles, d->index + 1);
    expect_one_line(w->result.text);
    assert_non_null(strstr(w->result.text, path_in(w, "why.txt")));
    expect_files(w);
    report = slurp(path_in(w, "why.txt"));
    expect_headline(report, d, clean, cycle);
    expect_both_sides(report, d);
    expect_inputs(report, d, cycle, HISTORY);
    expect_reproducer(w, report, 1);
    free(report);
}

static void history_is_as_long_as_asked(void **state)
{
    static const unsigned lengths[] = {1, 2, 40, 64};
    world *w = *state;

    inject(w, differences[0].fault);
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *report;

        w->options.history = lengths[i];
        run(w);
        report = slurp(path_in(w, "why.txt"));
        expect_inputs(report, &differences[0], 9001, lengths[i]);
        free(report);
    }
}

static void expect_assertion(world *w, const char *register_bit, unsigned cycles)
{
    char text[BLOCK_TEXT];
    char *report;

    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        snprintf(text, sizeof text, "%s:perfsat.%s@5000", lockstep_side_names[side], register_bit);
        inject(w, text);
    }
    run(w);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    report = slurp(path_in(w, "why.txt"));
    assert_non_null(strstr(line_after(report, "  an assertion of the RTL failed: "), "perfsat.sv:"));
    expect_reproducer(w, report, cycles);
    free(report);
}

/* Both sides take the same wrong step: they agree, but the RTL knows that it is impossible. It
 * compares two cycles, so it takes both of them to see it again. */
static void a_failed_assertion_is_explained_and_reproduced(void **state)
{
    expect_assertion(*state, "limit_q[0]", 2);
}

/* Nmax 3 becomes 1, below the limit of 2: that takes the registers before it, too. */
static void a_failed_assertion_depends_on_the_registers(void **state)
{
    expect_assertion(*state, "nmax_q[1]", 2);
}

static void a_difference_needs_no_recording(void **state)
{
    world *w = *state;
    static random_sms bus;
    stimulus s;

    w->options.meta = NULL;
    random_sms_start(&bus, 0x5e55, 1, 48, 8, 500);
    s = random_sms_stimulus(&bus);
    inject(w, "rtl:perfsat.nmax_q[0]@77");
    run_stimulus(w, &s);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    assert_true(is_there(w, "why.txt"));
    assert_false(is_there(w, "why.blt"));
    w->options.explain_prefix = NULL;
    run_stimulus(w, &s);
    assert_int_equal(w->result.verdict, SESSION_MISMATCH);
    assert_non_null(strstr(w->result.text, "cycle 77 "));
}

static void a_passing_run_removes_the_old_explanation(void **state)
{
    world *w = *state;

    w->options.max_cycles = 200;
    inject(w, "rtl:perfsat.limit_q[1]@100");
    run(w);
    expect_files(w);
    w->options.num_faults = 0;
    run(w);
    expect_pass(w, 200);
    assert_int_equal(files_with(w, "why", false), 0);
}

#define DIFFERENCE(i)                                                                              \
    {"a_difference_is_explained_and_reproduced " #i, a_difference_is_explained_and_reproduced, set_up, \
     tear_down, (void *)(uintptr_t)&differences[i]}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DIFFERENCE(0), DIFFERENCE(1), DIFFERENCE(2), DIFFERENCE(3), DIFFERENCE(4), DIFFERENCE(5),
        DIFFERENCE(6), DIFFERENCE(7), DIFFERENCE(8), DIFFERENCE(9), DIFFERENCE(10),
        TEST(history_is_as_long_as_asked),
        TEST(a_failed_assertion_is_explained_and_reproduced),
        TEST(a_failed_assertion_depends_on_the_registers),
        TEST(a_difference_needs_no_recording),
        TEST(a_passing_run_removes_the_old_explanation),
    };

    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
