/* SPDX-License-Identifier: Apache-2.0
 *
 * A CSV file as a table of the page.
 */
#ifndef BALLAST_CSV_TABLE_H
#define BALLAST_CSV_TABLE_H

#include "recording/csv.h"

enum csv_shown {
    CSV_HEAD,    /* the row's head                            */
    CSV_TEXT,
    CSV_RIGHT,   /* text to the right                         */
    CSV_COUNT,   /* a number in groups of three, – without one */
    CSV_VERDICT  /* whether it is as it should be: `good`      */
};

typedef struct csv_column {
    const char *name, *heading; /* in the file; of the page, as html_table_open has it */
    enum csv_shown shown;
    const char *good;
} csv_column;

enum { CSV_TABLE_COLUMNS = 16 };

/* Columns end with name NULL. False with one line in err if the file is damaged. */
bool csv_table(FILE *f, const char *path, const csv_column *columns, const char *id, const char *caption, trace_err *err);

#endif
