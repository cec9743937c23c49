/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of sessions share: a recording, a directory for what a run writes, and words for
 * what is expected of it. Test only.
 */
#ifndef BALLAST_SESSION_FIXTURE_H
#define BALLAST_SESSION_FIXTURE_H

#include "engine/suite_fixture.h"
#include "replay/open_loop.h"
#include "replay/scratch_fixture.h"
#include "replay/session.h"

#define RECORDING "vectors/hotspot.n2.blt"

enum { CYCLES = 20000, HISTORY = 16, PATH = 600 };

/* The session of the test that runs: perfsat with what it needs, on SM 0 of the recording. */
extern struct test_session {
    char dir[400], log[PATH], wave[PATH], explain[PATH];
    const block *blocks[LOCKSTEP_MAX_BLOCKS + 1];
    trace_reader *reader;
    open_loop player;
    fault faults[LOCKSTEP_MAX_FAULTS];
    session_options options;
    session_result result;
} session;

/* A new directory, the recording, a session; and all of it gone. */
int session_set_up(void **state);
int session_tear_down(void **state);

#define SESSION_TEST(name) TEST_BETWEEN(name, session_set_up, session_tear_down)

/* A file of the test's directory; the text holds until the next call. */
const char *path_in(const char *name);
/* The same to keep. */
void copy_path(char to[PATH], const char *name);
unsigned files_with(const char *part);
void expect_text(const char *name, const char *text);
/* What stands in `text`, in a file: from `part` on. The test fails without it. */
const char *find(const char *text, const char *part);
void expect_part(const char *name, const char *part);
/* The line that starts with `start`, without it and without the newline. */
const char *line_after(const char *text, const char *start);
/* "3" or "StFirst (2)" */
uint64_t number_of(const char *text);

void open_recording(const char *path);
void inject(const char *text);
void run_stimulus(const stimulus *s);
void run(void);
void expect_one_line(const char *text);
void expect_bad_input(const char *what);
void expect_mismatch(void);
void expect_pass(uint64_t cycles);

#endif
