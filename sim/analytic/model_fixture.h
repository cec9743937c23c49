/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a folder with files of text, and printed text in memory.
 */
#ifndef BALLAST_MODEL_FIXTURE_H
#define BALLAST_MODEL_FIXTURE_H

#include <stdbool.h>
#include <stdio.h>

enum { MODEL_PATH = 256, MODEL_ERR = 512 };

/* A group's set-up and tear-down: makes a folder, removes it with its files. */
int model_folder_make(void **state);
int model_folder_remove(void **state);
const char *model_folder(void);

/* Writes a file to it; the path holds until the next call. */
const char *model_file(const char *name, const char *text);

/* `text` with the first `what` replaced, which has to be there; holds until the next call. */
const char *model_replaced(const char *text, const char *what, const char *by);

/* A profile for the analytic models that is complete, one key per line. */
extern const char model_profile[];

/* A reader of files into `size` bytes, which a refusal leaves as they were. */
typedef struct model_reader {
    bool (*read)(void *into, const char *path, char *err); /* err: MODEL_ERR bytes */
    size_t size;
} model_reader;

/* `base` with `what` replaced by `by` is refused; what NULL: `by` alone. `says` follows "PATH:LINE: ", or "PATH: " for line 0. */
typedef struct model_refusal {
    const char *base, *what, *by;
    unsigned line;
    const char *says;
} model_refusal;

void model_refuse(const model_reader *reader, const model_refusal *cases, unsigned num);
/* The file of this path is refused with one line that begins with `says`. */
void model_refuse_path(const model_reader *reader, const char *path, const char *says);
#define MODEL_REFUSE(reader, cases) model_refuse(reader, cases, sizeof(cases) / sizeof(cases)[0])

/* What `print` writes; holds until the next call. */
const char *model_printed(void (*print)(FILE *f, const void *user), const void *user);

/* The same with one blank between words, none at the end of a line: whatever the widths of columns. */
const char *model_printed_words(void (*print)(FILE *f, const void *user), const void *user);

/* Asserts that all lines of `text`, more than one, have as many comma-separated fields as the first. */
void model_assert_table(const char *text);
/* Field `column` (from 0) of line `line` (from 0); holds until the next call. */
const char *model_cell(const char *text, unsigned line, unsigned column);

/* Asserts that `text` holds `what`. */
void model_assert_says(const char *text, const char *what);

#endif
