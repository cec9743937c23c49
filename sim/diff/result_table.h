/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of a run's results, such as verdicts.csv: rows with names, and what has changed from one table to another. All columns are
 * compared, as text, but for those of which the form says not to.
 */
#ifndef BALLAST_DIFF_RESULT_TABLE_H
#define BALLAST_DIFF_RESULT_TABLE_H

#include "diff/changes.h"
#include "recording/csv.h"

enum { RESULT_KEYS = 4, RESULT_LEFT_OUT = 6 };

/* What a table has, and how its rows are called. */
typedef struct result_form {
    diff_kind kind;
    const char *file; /* how it is called in a change: its path within the run or build */
    struct {
        const char *column, *title; /* title: what stands before its value, such as "SM " */
    } key[RESULT_KEYS];
    const char *shown;                     /* the column that says most about a row, where only one table has it */
    const char *left_out[RESULT_LEFT_OUT]; /* columns that are not compared                                      */
    const char *remedy;                    /* what to do when it is damaged                                      */
} result_form;

typedef struct result_row {
    char *name, *field[CSV_MAX_COLUMNS];
    unsigned number;
    bool seen; /* the other table has it, too */
} result_row;

typedef struct result_table {
    const result_form *form;
    bool there;
    unsigned columns, num;
    char *column[CSV_MAX_COLUMNS];
    result_row *row;
} result_table;

/* All zero at first; free it also after a failure, which is false with one line in err. */
bool result_read(result_table *t, const result_form *form, const char *path, trace_err *err);
void result_free(result_table *t);

/* Of tables that come from elsewhere. The index of a column, which is added if it is new (-1: there are too many); a row without
 * fields, NULL if there is no memory. */
int result_column(result_table *t, const char *name);
result_row *result_add(result_table *t);
/* When its key's fields are there. False if there is no memory. */
bool result_name(const result_table *t, result_row *row);

/* A table that only one has is one change. Rows of the same name are compared in the order in which they stand. */
void result_compare(result_table *before, result_table *after, changes *c);

#endif
