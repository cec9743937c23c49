/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the parts of a session.
 */
#ifndef BALLAST_SESSION_PRIVATE_H
#define BALLAST_SESSION_PRIVATE_H

#include <stdio.h>

#include "engine/recorder.h"
#include "replay/session.h"

/* Opens the blocks, adds the faults, resets and compares, loads the initial state. Anything but
 * SESSION_PASS comes with a one-line text and leaves nothing open. */
enum session_verdict session_open(lockstep *ls, const session_options *options, char *err, size_t err_size);

enum { EXPLAIN_PATH = 4096 };

/* A file of the explanation. */
static inline const char *explain_file(char path[EXPLAIN_PATH], const session_options *options, const char *suffix)
{
    snprintf(path, EXPLAIN_PATH, "%s.%s", options->explain_prefix, suffix);
    return path;
}

/* The same for a reader, after the run. */
static inline const char *explain_told(const session_options *options)
{
    return options->explain_told ? options->explain_told : options->explain_prefix;
}

/* For a command line that a user pastes into a shell: a space, then a word and its suffix as one word, in quotes only if the
 * shell needs them. */
void paste_word(FILE *out, const char *word, const char *suffix);

/* Reruns to the difference at cycle `index` and explains it: writes the report to `out` and
 * the files of options->explain_prefix. */
void explain(const session_options *options, const stimulus *s, uint64_t index, FILE *out);

/* Cuts the run down to the shortest window that still fails in the same place, starting from
 * the registers recorded before it; writes PREFIX.blt and PREFIX.state and prints how to rerun
 * it. */
void reproduce(const session_options *options, const lockstep *ls, const recorder *r, FILE *out);

#endif
