/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a folder of their own, and files in it.
 */
#ifndef BALLAST_SCRATCH_FIXTURE_H
#define BALLAST_SCRATCH_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Below TMPDIR (/tmp without it); its path to `dir`. */
void scratch_make(char *dir, size_t size);
/* With all the files in it; 0 if that went well. */
int scratch_remove(const char *dir);
/* A file in it; the text holds until the next call. */
const char *scratch_path(const char *dir, const char *name);
/* How many files (or folders) it has whose names hold `part`. */
unsigned scratch_count(const char *dir, const char *part);

/* The text of a file, to be freed; the test fails without it. */
char *scratch_slurp(const char *path);
void scratch_spew(const char *path, const char *text);
/* Overwrites a few bytes, so many before the end. */
void scratch_damage(const char *path, long before_end);

/* A stream into memory; closes it: what went into it, which stands until the next one begins. */
FILE *scratch_stream(void);
const char *scratch_text(FILE *stream);

#endif
