/* SPDX-License-Identifier: Apache-2.0
 *
 * OUT/report.html: one page that needs nothing else, from the files that 'ballast run' has left in OUT, and those of area,
 * gates and proofs if they are there. doc/use/report.md
 */
#ifndef BALLAST_REPORT_H
#define BALLAST_REPORT_H

#include <stdbool.h>

enum { REPORT_ERR = 512 };

typedef struct report_options {
    const char *out;   /* where the run left its files, and the page goes */
    const char *build; /* DIR/area, DIR/gates, DIR/formal                 */
} report_options;

/* The page is complete or the old one stays; then err (REPORT_ERR bytes) is one line. */
bool report_write(const report_options *options, char *err);
/* Whether it could be written at all, before a long run: false with one line in err. */
bool report_possible(const char *out, char *err);

#endif
