/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions on a real recording: what a clean run leaves, how a difference is explained and
 * reproduced, what is said of bad files, and that nothing half-made stays behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/random_bus.h"
#include "fstapi.h"
#include "player/open_loop.h"
#include "session/interrupt.h"
#include "session/session.h"

#define RECORDING "vectors/hotspot.n2.blt"

enum { CYCLES = 20000, HISTORY = 16, PATH = 600, STATE_NAMES = 8 };

typedef struct world {
    const void *parameter; /* of a test that runs for several cases */
    char dir[400], log[PATH], wave[PATH], explain[PATH];
    const block *blocks[LOCKSTEP_MAX_BLOCKS + 1];
    trace_reader *reader;
    open_loop player;
    fault faults[LOCKSTEP_MAX_FAULTS];
    session_options options;
    session_result result;
} world;

/* ---- files ------------------------------------------------------------------------- */

static const char *path_in(const world *w, const char *name)
{
    static char path[PATH];

    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    return path;
}

/* The same to keep: path_in's text holds until its next call. */
static void copy_path(char to[PATH], const world *w, const char *name)
{
    snprintf(to, PATH, "%s", path_in(w, name));
}

static bool is_there(const world *w, const char *name)
{
    return access(path_in(w, name), F_OK) == 0;
}

/* Where `part` begins in `text`; the test fails without it. */
static const char *find(const char *text, const char *part)
{
    const char *at = strstr(text, part);

    if (!at) {
        fail_msg("no '%s' in:\n%s", part, text);
        abort(); /* for tools that do not know that fail_msg does not return */
    }
    return at;
}

/* What follows the line that begins at or behind `text`. */
static const char *next_line(const char *text)
{
    return find(text, "\n") + 1;
}

/* The text of a file, to be freed; the test fails without it. */
static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t n = 0;

    if (!f) {
        fail_msg("%s is not there", path);
        abort();
    }
    if (getdelim(&text, &n, '\0', f) < 0 && text)
        text[0] = '\0';
    fclose(f);
    assert_non_null(text);
    return text;
}

static void spew(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Files of the folder whose names hold `part`; removes them if told to. */
static unsigned files_with(const world *w, const char *part, bool remove_them)
{
    DIR *dir = opendir(w->dir);
    const struct dirent *entry;
    unsigned n = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !strstr(entry->d_name, part))
            continue;
        n++;
        if (remove_them)
            remove(path_in(w, entry->d_name));
    }
    closedir(dir);
    return n;
}

/* ---- a session ----------------------------------------------------------------------- */

static void choose_base_blocks(world *w)
{
    unsigned n = 0;

    for (const block *const *b = block_registry; *b; b++)
        if (!strcmp((*b)->name, (*b)->model->stem))
            w->blocks[n++] = *b;
    w->blocks[n] = NULL;
}

static void open_recording(world *w, const char *path)
{
    trace_err err;

    trace_close(w->reader);
    w->reader = trace_open(path, NULL, &err);
    if (!w->reader || !open_loop_start(&w->player, w->reader, 0))
        fail_msg("%s", w->reader ? w->player.err.text : err.text);
    w->options.meta = trace_get_meta(w->reader);
}

static int set_up(void **state)
{
    static world w;
    const char *tmp = getenv("TMPDIR");

    w = (world){.parameter = *state};
    snprintf(w.dir, sizeof w.dir, "%s/ballast_session_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(w.dir));
    copy_path(w.log, &w, "run");
    copy_path(w.wave, &w, "run.fst");
    copy_path(w.explain, &w, "why");
    choose_base_blocks(&w);
    w.options = (session_options){.blocks = w.blocks,
                                  .seed = 3,
                                  .faults = w.faults,
                                  .log_prefix = w.log,
                                  .explain_prefix = w.explain,
                                  .history = HISTORY,
                                  .program = "ballast"};
    open_recording(&w, RECORDING);
    *state = &w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;

    interrupted = 0;
    session_result_free(&w->result);
    trace_close(w->reader);
    files_with(w, "", true);
    return rmdir(w->dir);
}

static void inject(world *w, const char *text)
{
    assert_true(fault_parse(&w->faults[w->options.num_faults++], text));
}

static void run_stimulus(world *w, const stimulus *s)
{
    session_result_free(&w->result);
    session_run(&w->options, s, &w->result);
}

static void run(world *w)
{
    const stimulus s = open_loop_stimulus(&w->player);

    run_stimulus(w, &s);
}

static void expect_one_line(const char *text)
{
    assert_string_not_equal(text, "");
    if (strpbrk(text, "\n\r"))
        fail_msg("more than a line: %s", text);
}

static void expect_bad_input(world *w, const char *what)
{
    run(w);
    assert_int_equal(w->result.verdict, SESSION_BAD_INPUT);
    expect_one_line(w->result.text);
    if (!strstr(w->result.text, what))
        fail_msg("'%s' is not in: %s", what, w->result.text);
}

/* ---- a clean run ----------------------------------------------------------------------- */

static unsigned compared_ports(const world *w)
{
    unsigned n = 0;

    for (const block *const *b = w->blocks; *b; b++) {
        block_port ports[LOCKSTEP_MAX_PORTS];
        lockstep_values cfg;
        char bad[64];

        (*b)->model->configure(&cfg, (*b)->params, bad, sizeof bad);
        for (unsigned p = 0, ports_of = (*b)->model->list_ports(&cfg, ports, LOCKSTEP_MAX_PORTS); p < ports_of; p++)
            n += ports[p].kind != PORT_IN;
    }
    return n;
}

static unsigned count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void expect_pass(world *w, uint64_t cycles)
{
    assert_string_equal(w->result.text, "");
    assert_int_equal(w->result.verdict, SESSION_PASS);
    assert_int_equal(w->result.cycles, cycles);
    assert_int_equal(w->result.comparisons, cycles * compared_ports(w));
    assert_true(w->result.logs_equal);
}

static void a_clean_run_passes(void **state)
{
    world *w = *state;
    char *model, *rtl;

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
    assert_int_equal(files_with(w, "", false), 2);
    free(model);
    free(rtl);
}

static void a_run_without_limit_ends_with_the_recording(void **state)
{
    world *w = *state;

    run(w);
    expect_pass(w, trace_get_sm(w->reader, 0)->cycles);
    assert_int_equal(w->result.decisions, 3);
    assert_int_equal(w->result.num_limits, 2);
    assert_int_equal(w->result.limits[0].limit, 2);
    assert_int_equal(w->result.limits[1].limit, 3);
    /* The sample ends in cycle 25081; the limit shows in the cycle after it. */
    assert_int_equal(w->result.limits[0].cycle, 2);
    assert_int_equal(w->result.limits[1].cycle, 25082);
}

static void a_random_bus_needs_no_recording(void **state)
{
    world *w = *state;
    random_bus bus;
    stimulus s;

    w->options.meta = NULL;
    random_bus_start(&bus, 0x5e55, 48, 8, CYCLES);
    s = random_bus_stimulus(&bus);
    run_stimulus(w, &s);
    expect_pass(w, CYCLES);
    assert_true(w->result.decisions > 5);
    w->options.max_cycles = CYCLES + 5; /* more than there are */
    run_stimulus(w, &s);
    expect_pass(w, CYCLES);
}

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
    const enum port_kind kind = d->output ? PORT_OUT : PORT_REG;

    for (unsigned p = 0; p < inst->num_ports; p++)
        if (inst->ports[p].kind == kind && !strncmp(inst->ports[p].name, d->port, strlen(d->port) - 2) &&
            strlen(inst->ports[p].name) == strlen(d->port) - 2)
            return &inst->ports[p];
    fail_msg("no port %s", d->port);
    return NULL;
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
    for (uint64_t i = 0; i <= d->index; i++)
        lockstep_models(&ls, trace_next(w->reader, &why));
    *cycle = trace_cycle(w->reader);
    for (unsigned i = 0; i < ls.num_instances; i++)
        if (!strcmp(ls.instances[i].block->name, d->block))
            value = block_port_get(port_of(&ls.instances[i], d),
                                   d->output ? (const void *)&ls.instances[i].out : (const void *)ls.instances[i].state);
    lockstep_close(&ls);
    return value;
}

/* The line that starts with `start`, without it and without the newline. */
static const char *line_after(const char *text, const char *start)
{
    static char line[1024];
    char key[256];
    const char *rest;

    snprintf(key, sizeof key, "\n%s", start);
    rest = (strncmp(text, start, strlen(start)) != 0 ? find(text, key) + 1 : text) + strlen(start);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(rest, "\n"), rest);
    return line;
}

/* "3" or "StFirst (2)" */
static uint64_t number_of(const char *text)
{
    const char *bracket = strchr(text, '(');

    return strtoull(bracket ? bracket + 1 : text, NULL, 10);
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
    random_bus bus;
    stimulus s;

    w->options.meta = NULL;
    random_bus_start(&bus, 0x5e55, 48, 8, 500);
    s = random_bus_stimulus(&bus);
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

/* ---- waveforms ------------------------------------------------------------------------- */

enum { MAX_STEPS = 64 };

typedef struct wave_content {
    void *fst;
    fstHandle limit_rtl, limit_model, state_rtl;
    unsigned state_names; /* of perfsat's states, found in a table of names */
    struct {
        uint64_t time;
        uint64_t value;
    } step[2][MAX_STEPS]; /* of limit_q, model and RTL */
    unsigned steps[2];
} wave_content;

static void note_variable(wave_content *c, const char *scope, const struct fstHierVar *var)
{
    char name[512];

    snprintf(name, sizeof name, "%s.%s", scope, var->name);
    if (!strcmp(name, "SM0.perfsat.rtl.limit_q"))
        c->limit_rtl = var->handle;
    else if (!strcmp(name, "SM0.perfsat.model.limit_q"))
        c->limit_model = var->handle;
    else if (!strcmp(name, "SM0.perfsat.rtl.state_q"))
        c->state_rtl = var->handle;
}

/* A table of names reads "<name> <count> <names> <values>". */
static void note_names(wave_content *c, const char *table)
{
    static const char *const states[STATE_NAMES] = {"StWait",      "StMeasure", "StFirst",     "StWeakInc",
                                                    "StStrongInc", "StWeakDec", "StStrongDec", "StDone"};
    struct fstETab *names = fstUtilityExtractEnumTableFromString(table);

    assert_non_null(names);
    if (!strcmp(names->name, "state_names")) {
        assert_int_equal(names->elem_count, STATE_NAMES);
        for (unsigned i = 0; i < STATE_NAMES; i++) {
            assert_string_equal(names->literal_arr[i], states[i]);
            assert_int_equal(strtoul(names->val_arr[i], NULL, 2), i);
        }
        c->state_names = names->elem_count;
    }
    fstUtilityFreeEnumTable(names);
}

static void read_hierarchy(wave_content *c)
{
    const char *scope = "";
    struct fstHier *h;

    while ((h = fstReaderIterateHier(c->fst))) {
        if (h->htyp == FST_HT_SCOPE)
            scope = fstReaderPushScope(c->fst, h->u.scope.name, NULL);
        else if (h->htyp == FST_HT_UPSCOPE)
            scope = fstReaderPopScope(c->fst);
        else if (h->htyp == FST_HT_VAR)
            note_variable(c, scope, &h->u.var);
        else if (h->htyp == FST_HT_ATTRBEGIN && h->u.attr.subtype == FST_MT_ENUMTABLE && h->u.attr.name_length)
            note_names(c, h->u.attr.name);
    }
}

static void on_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    wave_content *c = user;
    const int side = handle == c->limit_rtl;

    if (handle != c->limit_rtl && handle != c->limit_model)
        return;
    assert_true(c->steps[side] < MAX_STEPS);
    c->step[side][c->steps[side]].time = time;
    c->step[side][c->steps[side]++].value = strtoul((const char *)value, NULL, 2);
}

static void read_wave(wave_content *c, const char *path)
{
    *c = (wave_content){.fst = fstReaderOpen(path)};
    if (!c->fst)
        fail_msg("%s cannot be read back", path);
    read_hierarchy(c);
    assert_true(c->limit_rtl && c->limit_model && c->state_rtl);
    fstReaderSetFacProcessMaskAll(c->fst);
    assert_int_equal(fstReaderIterBlocks(c->fst, on_change, c, NULL), 1);
}

/* limit_q of both sides is what the log says: unset until the first decision, then its steps. */
static void expect_limits(const wave_content *c, const world *w)
{
    for (int side = 0; side < 2; side++) {
        assert_int_equal(c->steps[side], 1 + w->result.num_limits);
        assert_int_equal(c->step[side][0].time, 0);
        assert_int_equal(c->step[side][0].value, 0);
        for (unsigned i = 0; i < w->result.num_limits; i++) {
            /* Cycles of the run count from 1, times from 0. */
            assert_int_equal(c->step[side][i + 1].time, w->result.limits[i].cycle - 1);
            assert_int_equal(c->step[side][i + 1].value, w->result.limits[i].limit);
        }
    }
}

static void a_waveform_can_be_read_back(void **state)
{
    world *w = *state;
    wave_content c;

    w->options.wave_path = w->wave;
    run(w);
    expect_pass(w, trace_get_sm(w->reader, 0)->cycles);
    assert_int_equal(files_with(w, ".tmp", false), 0);
    read_wave(&c, w->wave);
    expect_limits(&c, w);
    assert_int_equal(c.state_names, STATE_NAMES);
    assert_int_equal(fstReaderGetEndTime(c.fst), w->result.cycles);
    fstReaderClose(c.fst);
}

static void the_waveform_of_a_difference_shows_it(void **state)
{
    world *w = *state;
    wave_content c;
    char rtl[16], model[16];

    inject(w, "rtl:perfsat.limit_q[1]@9000");
    run(w);
    read_wave(&c, path_in(w, "why.fst"));
    assert_int_equal(fstReaderGetStartTime(c.fst), 9000 - 63);
    /* The edge of cycle 9000 writes it, cycle 9001 shows it. */
    assert_string_equal(fstReaderGetValueFromHandleAtTime(c.fst, 9000, c.limit_rtl, rtl),
                        fstReaderGetValueFromHandleAtTime(c.fst, 9000, c.limit_model, model));
    assert_string_not_equal(fstReaderGetValueFromHandleAtTime(c.fst, 9001, c.limit_rtl, rtl),
                            fstReaderGetValueFromHandleAtTime(c.fst, 9001, c.limit_model, model));
    fstReaderClose(c.fst);
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
    random_bus bus;
    uint64_t fail_at, interrupt_at; /* cycle; 0: never */
    unsigned rewinds, good_rewinds; /* 0: all          */
    uint64_t second_length;         /* of the second pass, 0: as the first */
    const char *error;
} bad_stimulus;

static const sm_obs *bad_next(void *self, unsigned limit, int converged)
{
    bad_stimulus *b = self;
    const stimulus s = random_bus_stimulus(&b->bus);

    if (b->interrupt_at && b->bus.index + 1 == b->interrupt_at)
        interrupted = 1;
    if (b->fail_at && b->bus.index + 1 == b->fail_at) {
        b->error = "recording: damaged at byte 7";
        return NULL;
    }
    return s.next(s.self, limit, converged);
}

static uint64_t bad_cycle(void *self)
{
    return ((bad_stimulus *)self)->bus.index;
}

static int bad_rewind(void *self)
{
    bad_stimulus *b = self;
    const stimulus s = random_bus_stimulus(&b->bus);

    if (++b->rewinds == 2 && b->second_length)
        b->bus.cycles = b->second_length;
    if (b->good_rewinds && b->rewinds > b->good_rewinds) {
        b->error = "recording: cannot be rewound";
        return 0;
    }
    return s.rewind(s.self);
}

static const char *bad_error(void *self)
{
    return ((bad_stimulus *)self)->error;
}

static stimulus bad_start(bad_stimulus *b)
{
    *b = (bad_stimulus){.error = ""};
    random_bus_start(&b->bus, 0xbad, 48, 8, CYCLES);
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

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
#define DIFFERENCE(i)                                                                              \
    {"a_difference_is_explained_and_reproduced " #i, a_difference_is_explained_and_reproduced, set_up, \
     tear_down, (void *)(uintptr_t)&differences[i]}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_clean_run_passes),
        TEST(a_run_without_limit_ends_with_the_recording),
        TEST(a_random_bus_needs_no_recording),
        DIFFERENCE(0), DIFFERENCE(1), DIFFERENCE(2), DIFFERENCE(3), DIFFERENCE(4), DIFFERENCE(5),
        DIFFERENCE(6), DIFFERENCE(7), DIFFERENCE(8), DIFFERENCE(9), DIFFERENCE(10),
        TEST(history_is_as_long_as_asked),
        TEST(a_failed_assertion_is_explained_and_reproduced),
        TEST(a_failed_assertion_depends_on_the_registers),
        TEST(a_difference_needs_no_recording),
        TEST(a_passing_run_removes_the_old_explanation),
        TEST(a_waveform_can_be_read_back),
        TEST(the_waveform_of_a_difference_shows_it),
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
