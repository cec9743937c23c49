/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that may be packed with xz, read as a stream of bytes or lines; private to
 * sim/recording. What it is packed with is seen from its first bytes, not from its name.
 */
#ifndef BALLAST_IMPORT_INPUT_H
#define BALLAST_IMPORT_INPUT_H

#include <stdarg.h>
#include <stdio.h>

#include "recording/trace.h"

typedef struct input input;

/* Opens `path`, or, when there is no such file, path.xz. */
input *input_open(const char *path, trace_err *err);
/* A stream, which is closed with it, under the name `path`: neither packed nor of a known size. */
input *input_of_stream(FILE *f, const char *path, trace_err *err);
void input_close(input *in);
const char *input_path(const input *in); /* the file that was opened */

/* Reads up to n bytes; less only at the end. False on an error. */
bool input_read(input *in, void *dst, size_t n, size_t *got, trace_err *err);
/* The next line without its line end, NULL at the end (err->text "") or on an error. */
char *input_line(input *in, trace_err *err);
unsigned long input_line_number(const input *in); /* of that line, from 1 */
uint64_t input_consumed(const input *in);         /* bytes of the file itself */
uint64_t input_size(const input *in);

/* "path: what; what to do", for errors without a byte offset or with one. */
bool import_fail(trace_err *err, const char *path, uint64_t offset, const char *what, ...)
    __attribute__((format(printf, 4, 5)));
/* "path: line N: what"; line 0: none. */
bool import_fail_in(trace_err *err, const char *path, unsigned long line, const char *what, va_list args)
    __attribute__((format(printf, 4, 0)));

#endif
