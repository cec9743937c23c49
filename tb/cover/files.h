/* SPDX-License-Identifier: Apache-2.0
 *
 * What coverage comes out as.
 */
#ifndef BALLAST_COVER_FILES_H
#define BALLAST_COVER_FILES_H

#include <stdio.h>

#include "cover/points.h"

/* For the terminal: the table; holes of one kind, one per line, with their place. Returns how many. */
void cover_table(FILE *f, const cover_data *d);
unsigned cover_holes(FILE *f, const cover_data *d, cover_kind kind);
/* "rtl/sm/lcs.sv:12: else: if (x)" */
void cover_hole_words(const cover_block *b, const cover_point *p, char *text, size_t size);

/* For cover_write. */
bool cover_put_csv(void *to, const cover_data *d);
bool cover_put_holes(void *to, const cover_data *d);
bool cover_put_status(void *to, const cover_data *d);
bool cover_put_page(void *to, const cover_data *d);

/* One after the other the signals with bits that have not toggled: "31:9 0". The next point after the signal's; NULL ends. */
const cover_point *cover_next_signal(const cover_block *b, const cover_point *from, cover_suite suite, char *bits, size_t size);

#endif
