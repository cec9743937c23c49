/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of an HTML page. Whatever comes from a file goes through html_text or a function that does.
 */
#ifndef BALLAST_HTML_H
#define BALLAST_HTML_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* As text or as a quoted attribute's value: markup and control characters are taken out of force. */
void html_text(FILE *f, const char *text);
/* The same of what the format gives. */
void html_print(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* 1234567 with narrow spaces between groups of three. */
void html_count(FILE *f, uint64_t number);

/* <td>: text, a number to be aligned right, a share in percent. */
void html_cell(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void html_cell_count(FILE *f, uint64_t number);
void html_cell_right(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* <th scope="row"> */
void html_row_head(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* <thead> with one row; a name that begins with > is of a column of numbers. NULL ends them. */
void html_table_head(FILE *f, const char *const *names);
/* A box that scrolls by itself, in it the table with its caption (markup, ours) and the id. */
void html_table_open(FILE *f, const char *id, const char *caption);
void html_table_close(FILE *f);

/* The picture in the SVG file at `path`, which gnuplot has made, as part of the page: ids begin with `prefix`, colours of
 * text and axes are left to the page's style. title: what it shows, for who cannot see it. False: there is no such file. */
bool html_svg(FILE *f, const char *path, const char *prefix, const char *title);

#endif
