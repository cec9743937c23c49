/* SPDX-License-Identifier: Apache-2.0
 *
 * What has been counted, block by block: every line and branch of the RTL, every bit of its signals, every point of the
 * block's cover file, each with what the recordings alone and what the whole suite gave.
 */
#ifndef BALLAST_COVER_POINTS_H
#define BALLAST_COVER_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COVER_TEXT = 256, COVER_ERR = 512 };

typedef enum cover_kind { COVER_LINE, COVER_TOGGLE, COVER_FUNCTIONAL, COVER_KINDS } cover_kind;
typedef enum cover_suite { SUITE_RECORDINGS, SUITE_WHOLE, COVER_SUITES } cover_suite;
extern const char *const cover_kind_names[COVER_KINDS];

typedef struct cover_exclusion {
    char rule[COVER_TEXT], reason[COVER_TEXT]; /* as they stand in the file */
    unsigned line;                             /* of the file */
    unsigned points;                           /* that it excludes */
} cover_exclusion;

/* A line or branch: name "if", "else", "block" ..., and its source. A bit: name is the signal, `bit` which one of it; it is
 * hit when it has risen and fallen. A functional point: name and file are the cover file's. */
typedef struct cover_point {
    cover_kind kind;
    char name[COVER_TEXT];
    unsigned line, column, bit; /* column of a bit: how wide its signal is */
    char lines[COVER_TEXT]; /* further lines that are executed with it: "12-14,16" */
    uint64_t hits[COVER_SUITES];
    bool risen[COVER_SUITES], fallen[COVER_SUITES];
    bool base; /* a bit that the block has as the configuration sets it, not only in a variant */
    const cover_exclusion *excluded; /* NULL: it counts */
} cover_point;

typedef struct cover_source {
    char path[COVER_TEXT];
    char **text; /* text[0] is line 1 */
    unsigned num;
    bool *checks; /* the line is for assertions only, no hardware */
} cover_source;

typedef struct cover_block {
    char block_name[COVER_TEXT];
    cover_source rtl, points_file;
    cover_point *points; /* by kind, line, name */
    size_t num, room;
    cover_exclusion *exclusions;
    unsigned num_exclusions;
    char exclude_path[COVER_TEXT];
} cover_block;

typedef struct cover_data {
    cover_block *blocks;
    unsigned num;
} cover_data;

typedef struct cover_figure {
    unsigned hit, total, excluded; /* total without the excluded ones */
} cover_figure;

/* Reads all *.dat and *.toggles of a directory; what they count goes to the suite, and to the whole one. */
bool cover_read(cover_data *d, const char *directory, cover_suite suite, char *err);
/* Of these blocks only, NULL-terminated; of all if there are none. */
bool cover_choose(cover_data *d, char *const *stems, char *err);
/* After all is read: sources, what is no hardware, the order. */
bool cover_finish(cover_data *d, char *err);
/* The blocks' exclusion files. One that excludes nothing, or something that is hit, is an error. */
bool cover_exclude(cover_data *d, char *err);
void cover_free(cover_data *d);

cover_figure cover_count(const cover_block *b, cover_kind kind, cover_suite suite);
/* In percent, rounded down to a tenth, so that 100.0 is all. -1: there is nothing to count. */
double cover_percent(cover_figure figure);
bool cover_is_hole(const cover_point *p, cover_suite suite);
/* What a functional point means, from the comment behind it or above it. */
const char *cover_meaning(const cover_block *b, const cover_point *p, char *text, size_t size);
/* "if (x) ..." of the line, without indentation and comment. */
const char *cover_line_text(const cover_source *s, unsigned line, char *text, size_t size);
/* The file that a point stands in. */
const char *cover_file(const cover_block *b, const cover_point *p);

cover_block *cover_block_of(cover_data *d, const char *block_name);
cover_point *cover_point_of(cover_block *b, cover_kind kind, const char *name, unsigned line, unsigned column, unsigned bit);
bool cover_source_read(cover_source *s, const char *path);
void cover_source_free(cover_source *s);
unsigned cover_declared(const cover_source *s, const char *signal); /* 0: in no line of the hardware */
/* Writes beside the place and renames. */
bool cover_write(const char *path, bool (*put)(void *to, const cover_data *d), const cover_data *d, char *err);

#endif
