/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/session_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/interrupt.h"

struct test_session session;

/* ---- files ------------------------------------------------------------------------- */

const char *path_in(const char *name)
{
    return scratch_path(session.dir, name);
}

void copy_path(char to[PATH], const char *name)
{
    snprintf(to, PATH, "%s", path_in(name));
}

unsigned files_with(const char *part)
{
    return scratch_count(session.dir, part);
}

void expect_text(const char *name, const char *text)
{
    char *is = scratch_slurp(path_in(name));

    assert_string_equal(is, text);
    free(is);
}

const char *find(const char *text, const char *part)
{
    const char *at = strstr(text, part);

    if (!at) {
        fail_msg("no '%s' in:\n%s", part, text);
        abort(); /* for tools that do not know that fail_msg does not return */
    }
    return at;
}

void expect_part(const char *name, const char *part)
{
    char *text = scratch_slurp(path_in(name));

    find(text, part);
    free(text);
}

const char *line_after(const char *text, const char *start)
{
    static char line[1024];
    char key[256];
    const char *rest;

    snprintf(key, sizeof key, "\n%s", start);
    rest = (strncmp(text, start, strlen(start)) != 0 ? find(text, key) + 1 : text) + strlen(start);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(rest, "\n"), rest);
    return line;
}

uint64_t number_of(const char *text)
{
    const char *bracket = strchr(text, '(');

    return strtoull(bracket ? bracket + 1 : text, NULL, 10);
}

/* ---- a session ----------------------------------------------------------------------- */

void open_recording(const char *path)
{
    trace_err err;

    trace_close(session.reader);
    session.reader = trace_open(path, NULL, &err);
    if (!session.reader || !open_loop_start(&session.player, session.reader, 0))
        fail_msg("%s", session.reader ? session.player.err.text : err.text);
    session.options.meta = trace_get_meta(session.reader);
}

int session_set_up(void **state)
{
    (void)state;
    memset(&session, 0, sizeof session);
    scratch_make(session.dir, sizeof session.dir);
    copy_path(session.log, "run");
    copy_path(session.wave, "run.fst");
    copy_path(session.explain, "why");
    session.blocks[0] = block_find("stall_classifier");
    session.blocks[1] = block_find("perfsat");
    session.options = (session_options){.blocks = session.blocks,
                                        .seed = 3,
                                        .faults = session.faults,
                                        .log_prefix = session.log,
                                        .explain_prefix = session.explain,
                                        .history = HISTORY,
                                        .program = "ballast"};
    open_recording(RECORDING);
    return 0;
}

int session_tear_down(void **state)
{
    (void)state;
    interrupted = 0;
    session_result_free(&session.result);
    trace_close(session.reader);
    return scratch_remove(session.dir);
}

void inject(const char *text)
{
    assert_true(fault_parse(&session.faults[session.options.num_faults++], text));
}

void run_stimulus(const stimulus *s)
{
    session_result_free(&session.result);
    session_run(&session.options, s, &session.result);
}

void run(void)
{
    const stimulus s = open_loop_stimulus(&session.player);

    run_stimulus(&s);
}

void expect_one_line(const char *text)
{
    assert_string_not_equal(text, "");
    if (strpbrk(text, "\n\r"))
        fail_msg("more than a line: %s", text);
}

void expect_bad_input(const char *what)
{
    run();
    assert_int_equal(session.result.verdict, SESSION_BAD_INPUT);
    expect_one_line(session.result.text);
    find(session.result.text, what);
}

void expect_mismatch(void)
{
    run();
    assert_int_equal(session.result.verdict, SESSION_MISMATCH);
    expect_one_line(session.result.text);
}

static unsigned compared_ports(void)
{
    unsigned n = 0;

    for (const block *const *b = session.blocks; *b; b++) {
        port_list ports = {.num = 0};
        lockstep_values cfg;
        char bad[64];

        (*b)->model->configure(&cfg, (*b)->params, bad, sizeof bad);
        (*b)->model->list_ports(&cfg, &ports);
        for (unsigned p = 0; p < ports.num; p++)
            n += ports.ports[p].kind != PORT_IN;
        port_list_free(&ports);
    }
    return n;
}

void expect_pass(uint64_t cycles)
{
    assert_string_equal(session.result.text, "");
    assert_int_equal(session.result.verdict, SESSION_PASS);
    assert_int_equal(session.result.cycles, cycles);
    assert_int_equal(session.result.comparisons, cycles * compared_ports());
    assert_true(session.result.logs_equal);
}
