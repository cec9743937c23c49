/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of sessions share: a recording, a directory for what a run writes, and words for
 * what is expected of it. Test only.
 */
#ifndef BALLAST_SESSION_FIXTURE_H
#define BALLAST_SESSION_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "replay/open_loop.h"
#include "replay/session.h"

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

/* A file of the test's directory; the text holds until the next call. */
const char *path_in(const world *w, const char *name);
/* The same to keep. */
void copy_path(char to[PATH], const world *w, const char *name);
bool is_there(const world *w, const char *name);
const char *find(const char *text, const char *part);
const char *next_line(const char *text);
char *slurp(const char *path);
void spew(const char *path, const char *text);
unsigned files_with(const world *w, const char *part, bool remove_them);
void open_recording(world *w, const char *path);
void inject(world *w, const char *text);
void run_stimulus(world *w, const stimulus *s);
void run(world *w);
void expect_one_line(const char *text);
void expect_bad_input(world *w, const char *what);
unsigned count_lines(const char *text);
void expect_pass(world *w, uint64_t cycles);
const char *line_after(const char *text, const char *start);
uint64_t number_of(const char *text);

/* A new directory, the recording, a session over its first CYCLES cycles; and all of it gone. */
int set_up(void **state);
int tear_down(void **state);

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
