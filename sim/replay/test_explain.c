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

static const char *const differences[] = {
    "rtl:perfsat.limit_q[1]@9000",
    "model:perfsat.limit_q[1]@9000",
    "rtl:perfsat.state_q[2]@70",
    "model:perfsat.timer_q[31]@30000",
    "rtl:stall_classifier.ps_class_o[0]@12345",
    "model:stall_classifier.lcs_class_o[1]@12345",
    "model:perfsat.sample_end_o[0]@25080",
    "rtl:perfsat.limit_q[0]@0",
    "model:perfsat.done_o[0]@0",
    "rtl:perfsat.period_q[0]@3",
    "rtl:perfsat.prev_q[5]@31346", /* the last cycle */
};

static bool is_output(const fault *d)
{
    return fault_kind(d) == PORT_OUT;
}

/* What follows the line that begins at or behind `text`. */
static const char *next_line(const char *text)
{
    return find(text, "\n") + 1;
}

/* The port's value in a run without faults, from the models alone. */
static uint64_t clean_value(const fault *d, uint64_t *cycle)
{
    static lockstep ls;
    char err[BLOCK_TEXT];
    uint64_t value = 0;
    trace_err why;

    assert_true(lockstep_open(&ls, session.blocks, 0, 1, err, sizeof err));
    assert_true(lockstep_reset(&ls));
    assert_true(trace_select_sm(session.reader, 0, &why));
    for (uint64_t i = 0; i <= d->index; i++) {
        const sm_obs *obs = trace_next(session.reader, &why);

        lockstep_models(&ls, &obs);
    }
    *cycle = trace_cycle(session.reader);
    for (unsigned i = 0; i < ls.num_instances; i++)
        if (!strcmp(ls.instances[i].block->name, d->block))
            value = block_port_get(port_find(&ls.instances[i].ports, d->port),
                                   is_output(d) ? ls.instances[i].out : ls.instances[i].state);
    lockstep_close(&ls);
    return value;
}

static void expect_headline(const char *report, const fault *d, uint64_t clean, uint64_t cycle)
{
    const uint64_t flipped = clean ^ UINT64_C(1) << d->bit;
    char want[256];

    snprintf(want, sizeof want, "MISMATCH in %s on SM0, cycle %" PRIu64 " (cycle %" PRIu64 " of the run)\n  %s %s %s\n",
             d->block, cycle, d->index, is_output(d) ? "output" : "register", d->port,
             is_output(d) ? "in this cycle" : "after this cycle's rising edge");
    if (strncmp(report, want, strlen(want)) != 0)
        fail_msg("wanted:\n%sgot:\n%.300s", want, report);
    assert_int_equal(number_of(line_after(report, "  expected (model) ")), d->in_rtl ? clean : flipped);
    assert_int_equal(number_of(line_after(report, "  actual   (RTL)   ")), d->in_rtl ? flipped : clean);
}

/* Every output and register of the block, and an arrow only where the fault is. */
static void expect_both_sides(const char *report, const fault *d)
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
    assert_int_equal(rows, strcmp(d->block, "perfsat") ? 15 : 14);
}

/* The last cycles, one row each, up to the one that differs. */
static void expect_inputs(const char *report, const fault *d, uint64_t cycle, unsigned history)
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

static void expect_files(void)
{
    static const char *const names[] = {"why.txt", "why.fst", "why.gtkw", "why.sucl", "why.blt", "why.state"};
    char *save;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!files_with(names[i]))
            fail_msg("%s was not written", names[i]);
    assert_int_equal(files_with("why."), sizeof names / sizeof names[0]);
    assert_int_equal(files_with(".tmp"), 0);
    save = scratch_slurp(path_in("why.gtkw"));
    find(line_after(save, "[dumpfile] "), "\"why.fst\"");
    free(save);
    save = scratch_slurp(path_in("why.sucl"));
    find(save, "divider_add differs first\n");
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
static void take_faults(const char *line)
{
    static const char option[] = " --inject '";

    session.options.num_faults = 0;
    while ((line = strstr(line, option))) {
        char text[BLOCK_TEXT];

        line += strlen(option);
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "'"), line);
        inject(text);
    }
}

/* The fault it reproduces is lost. */
static void expect_reproducer(const char *report, unsigned cycles)
{
    char heading[64], state[PATH];
    const char *line;
    char *again;

    snprintf(heading, sizeof heading, "\nReproducer: %u cycle%s from ", cycles, cycles == 1 ? "" : "s");
    line = find(report, heading);
    copy_path(state, "why.state");
    find(line, state);
    open_recording(path_in("why.blt"));
    assert_int_equal(trace_get_sm(session.reader, 0)->cycles, cycles);
    take_faults(line);
    session.options.initial_state = state;
    copy_path(session.explain, "again");
    expect_mismatch();
    assert_int_equal(session.result.cycles, cycles);
    again = scratch_slurp(path_in("again.txt"));
    expect_same_difference(report, again);
    free(again);
    /* Without its fault the window is no reproducer. */
    session.options.num_faults = 0;
    run();
    assert_int_equal(session.result.verdict, SESSION_PASS);
}

static void expect_explanation(const char *text)
{
    const fault *d = &session.faults[0];
    uint64_t clean, cycle;
    char *report;

    inject(text);
    clean = clean_value(d, &cycle);
    expect_mismatch();
    assert_int_equal(session.result.cycles, d->index + 1);
    find(session.result.text, path_in("why.txt"));
    expect_files();
    report = scratch_slurp(path_in("why.txt"));
    expect_headline(report, d, clean, cycle);
    expect_both_sides(report, d);
    expect_inputs(report, d, cycle, HISTORY);
    expect_reproducer(report, 1);
    free(report);
}

TEST(differences_are_explained_and_reproduced)
{
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        print_message("%s\n", differences[i]);
        session_set_up(NULL);
        expect_explanation(differences[i]);
        session_tear_down(NULL);
    }
}

SESSION_TEST(history_is_as_long_as_asked)
{
    static const unsigned lengths[] = {1, 2, 40, 64};

    inject(differences[0]);
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *report;

        session.options.history = lengths[i];
        run();
        report = scratch_slurp(path_in("why.txt"));
        expect_inputs(report, &session.faults[0], 9001, lengths[i]);
        free(report);
    }
}

/* Both sides take the same wrong step: they agree, but the RTL knows that it is impossible. It
 * compares two cycles, so it takes both of them to see it again. */
static void expect_assertion(const char *register_bit)
{
    char text[BLOCK_TEXT];
    char *report;

    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        snprintf(text, sizeof text, "%s:perfsat.%s@5000", lockstep_side_names[side], register_bit);
        inject(text);
    }
    expect_mismatch();
    report = scratch_slurp(path_in("why.txt"));
    find(line_after(report, "  an assertion of the RTL failed: "), "perfsat.sv:");
    expect_reproducer(report, 2);
    free(report);
}

SESSION_TEST(a_failed_assertion_is_explained_and_reproduced)
{
    expect_assertion("limit_q[0]");
}

/* Nmax 3 becomes 1, below the limit of 2: that takes the registers before it, too. */
SESSION_TEST(a_failed_assertion_depends_on_the_registers)
{
    expect_assertion("nmax_q[1]");
}

SESSION_TEST(a_difference_needs_no_recording)
{
    static random_sms bus;
    stimulus s;

    session.options.meta = NULL;
    random_sms_start(&bus, 0x5e55, 1, 48, 8, 500);
    s = random_sms_stimulus(&bus);
    inject("rtl:perfsat.nmax_q[0]@77");
    run_stimulus(&s);
    assert_int_equal(session.result.verdict, SESSION_MISMATCH);
    assert_int_equal(files_with("why.txt"), 1);
    assert_int_equal(files_with("why.blt"), 0);
    session.options.explain_prefix = NULL;
    run_stimulus(&s);
    assert_int_equal(session.result.verdict, SESSION_MISMATCH);
    find(session.result.text, "cycle 77 ");
}

SESSION_TEST(a_passing_run_removes_the_old_explanation)
{
    session.options.max_cycles = 200;
    inject("rtl:perfsat.limit_q[1]@100");
    run();
    expect_files();
    session.options.num_faults = 0;
    run();
    expect_pass(200);
    assert_int_equal(files_with("why"), 0);
}
