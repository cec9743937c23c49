/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a CSV file whose columns are found by their names in its first line, for the importer and
 * the report; and the writing of a field.
 */
#ifndef BALLAST_IMPORT_CSV_H
#define BALLAST_IMPORT_CSV_H

#include <stdio.h>

#include "recording/input.h"

#define CSV_MAX_COLUMNS 48

typedef struct csv {
    input *in;
    unsigned fields;                      /* in this row */
    char *field[CSV_MAX_COLUMNS];
    const char *const *columns;           /* the wanted ones ...               */
    int position[CSV_MAX_COLUMNS];        /* ... and where they are, -1: absent */
} csv;

/* The first `required` of the `count` column names have to be there. */
bool csv_open(csv *c, const char *path, const char *const *columns, unsigned required,
              unsigned count, trace_err *err);
void csv_close(csv *c);
/* False at the end (err->text "") or on an error. Empty lines are skipped. */
bool csv_row(csv *c, trace_err *err);
/* Column `column` (an index into columns) of the row; "" for an absent optional one. */
const char *csv_text(const csv *c, unsigned column);
bool csv_number(const csv *c, unsigned column, uint64_t max, uint64_t *value, trace_err *err);
/* A field, in quotes if it needs them. */
void csv_put(FILE *f, const char *text);
/* An error about this row. */
bool csv_fail(const csv *c, trace_err *err, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

#endif
