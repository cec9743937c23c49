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
/* The same of what the format gives, between two pieces of markup. */
void html_in(FILE *f, const char *open, const char *close, const char *format, ...) __attribute__((format(printf, 4, 5)));
#define html_print(f, ...) html_in(f, "", "", __VA_ARGS__)
/* 1234567 with narrow spaces between groups of three. */
void html_count(FILE *f, uint64_t number);

/* <th> of a row; <td>: text, a number to be aligned right, a count. */
#define html_row_head(f, ...) html_in(f, "<th scope=\"row\">", "</th>", __VA_ARGS__)
#define html_cell(f, ...) html_in(f, "<td>", "</td>", __VA_ARGS__)
#define html_cell_right(f, ...) html_in(f, "<td class=\"n\">", "</td>", __VA_ARGS__)
void html_cell_count(FILE *f, uint64_t number);
/* A box that scrolls by itself, in it the table with its caption (markup, ours), the id that the format gives, and a row of
 * names: one that begins with > is of a column of numbers. NULL ends them. */
void html_table_open(FILE *f, const char *const *head, const char *caption, const char *id, ...)
    __attribute__((format(printf, 4, 5)));
void html_table_close(FILE *f);

/* The picture in the SVG file at `path`, which gnuplot has made, as part of the page: ids begin with `prefix`, colours of
 * text and axes are left to the page's style. title: what it shows, for who cannot see it. False: there is no such file. */
bool html_svg(FILE *f, const char *path, const char *prefix, const char *title);

#endif
