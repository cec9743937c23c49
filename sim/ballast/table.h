/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict table: one line per replay, on the terminal and, if wanted, in a file.
 */
#ifndef BALLAST_TABLE_H
#define BALLAST_TABLE_H

#include <stdio.h>

#include "session/session.h"

typedef struct table {
    FILE *copy; /* NULL: terminal only */
    bool silent; /* counts only        */
    unsigned rows, passed;
    uint64_t cycles, comparisons;
} table;

void table_begin(table *t, FILE *copy);
void table_row(table *t, const char *recording, const char *mode, const session_options *options,
               const session_result *result);
/* One line that sums the rows up. */
void table_end(const table *t);
const char *verdict_name(enum session_verdict verdict);

#endif
