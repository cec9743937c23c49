/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/session_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/interrupt.h"

/* ---- files ------------------------------------------------------------------------- */

const char *path_in(const world *w, const char *name)
{
    static char path[PATH];

    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    return path;
}

/* The same to keep: path_in's text holds until its next call. */
void copy_path(char to[PATH], const world *w, const char *name)
{
    snprintf(to, PATH, "%s", path_in(w, name));
}

bool is_there(const world *w, const char *name)
{
    return access(path_in(w, name), F_OK) == 0;
}

/* Where `part` begins in `text`; the test fails without it. */
const char *find(const char *text, const char *part)
{
    const char *at = strstr(text, part);

    if (!at) {
        fail_msg("no '%s' in:\n%s", part, text);
        abort(); /* for tools that do not know that fail_msg does not return */
    }
    return at;
}

/* What follows the line that begins at or behind `text`. */
const char *next_line(const char *text)
{
    return find(text, "\n") + 1;
}

/* The text of a file, to be freed; the test fails without it. */
char *slurp(const char *path)
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

void spew(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Files of the folder whose names hold `part`; removes them if told to. */
unsigned files_with(const world *w, const char *part, bool remove_them)
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

static void choose_blocks(world *w)
{
    w->blocks[0] = block_find("stall_classifier");
    w->blocks[1] = block_find("perfsat");
    w->blocks[2] = NULL;
}

void open_recording(world *w, const char *path)
{
    trace_err err;

    trace_close(w->reader);
    w->reader = trace_open(path, NULL, &err);
    if (!w->reader || !open_loop_start(&w->player, w->reader, 0))
        fail_msg("%s", w->reader ? w->player.err.text : err.text);
    w->options.meta = trace_get_meta(w->reader);
}

int set_up(void **state)
{
    static world w;
    const char *tmp = getenv("TMPDIR");

    w = (world){.parameter = *state};
    snprintf(w.dir, sizeof w.dir, "%s/ballast_session_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(w.dir));
    copy_path(w.log, &w, "run");
    copy_path(w.wave, &w, "run.fst");
    copy_path(w.explain, &w, "why");
    choose_blocks(&w);
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

int tear_down(void **state)
{
    world *w = *state;

    interrupted = 0;
    session_result_free(&w->result);
    trace_close(w->reader);
    files_with(w, "", true);
    return rmdir(w->dir);
}

void inject(world *w, const char *text)
{
    assert_true(fault_parse(&w->faults[w->options.num_faults++], text));
}

void run_stimulus(world *w, const stimulus *s)
{
    session_result_free(&w->result);
    session_run(&w->options, s, &w->result);
}

void run(world *w)
{
    const stimulus s = open_loop_stimulus(&w->player);

    run_stimulus(w, &s);
}

void expect_one_line(const char *text)
{
    assert_string_not_equal(text, "");
    if (strpbrk(text, "\n\r"))
        fail_msg("more than a line: %s", text);
}

void expect_bad_input(world *w, const char *what)
{
    run(w);
    assert_int_equal(w->result.verdict, SESSION_BAD_INPUT);
    expect_one_line(w->result.text);
    if (!strstr(w->result.text, what))
        fail_msg("'%s' is not in: %s", what, w->result.text);
}

static unsigned compared_ports(const world *w)
{
    unsigned n = 0;

    for (const block *const *b = w->blocks; *b; b++) {
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

unsigned count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

void expect_pass(world *w, uint64_t cycles)
{
    assert_string_equal(w->result.text, "");
    assert_int_equal(w->result.verdict, SESSION_PASS);
    assert_int_equal(w->result.cycles, cycles);
    assert_int_equal(w->result.comparisons, cycles * compared_ports(w));
    assert_true(w->result.logs_equal);
}

/* The line that starts with `start`, without it and without the newline. */
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

/* "3" or "StFirst (2)" */
uint64_t number_of(const char *text)
{
    const char *bracket = strchr(text, '(');

    return strtoull(bracket ? bracket + 1 : text, NULL, 10);
}
