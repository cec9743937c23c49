/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict table: one line per replay, on the terminal and, if wanted, in a file and as CSV.
 */
#ifndef BALLAST_TABLE_H
#define BALLAST_TABLE_H

#include <stdio.h>

#include "replay/session.h"

typedef struct table {
    FILE *copy; /* NULL: terminal only */
    FILE *csv;  /* the rows as data, or NULL; stdout: in place of the lines */
    bool silent; /* counts only        */
    bool headed; /* the line of names is there */
    bool unwritten; /* files of a replay could not be written */
    unsigned rows, passed;
    uint64_t cycles, comparisons;
} table;

void table_begin(table *t, FILE *copy, FILE *rows);
void table_row(table *t, const char *recording, const char *mode, const session_options *options,
               const session_result *result);
/* The line of names, if it is not there; the first row brings it by itself. */
void table_head(table *t);
/* Adds the counts of rows that are written. */
void table_count(table *t, const table *rows);
/* Of what could not be played at all: a row that did not pass. */
void table_unplayed(table *t, const char *recording, const char *mode, const session_options *options, const char *why);
/* One line that sums the rows up. */
void table_end(const table *t);

#endif
