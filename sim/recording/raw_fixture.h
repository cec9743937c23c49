/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the import: a small raw recording in memory and what it means.
 */
#ifndef BALLAST_RAW_FIXTURE_H
#define BALLAST_RAW_FIXTURE_H

#include "recording/bytes.h"
#include "recording/raw_import.h"
#include "recording/trace.h"

enum { SMS = 2, CYCLES = 400, FIRST = 5, SECOND = 200, GAP = 170, LIMIT = 3, RECORD = 32, RECORD_2 = 48 };

/* What one cycle of an SM has to look like in the trace. */
typedef struct expected {
    sm_kept bus;
    uint8_t cls;
} expected;

/* A raw recording in memory and what it means. Two kernels; between cycles GAP and SECOND
 * the SMs are empty and have no records. In version 2 the CTAs are in the highest slots of 64 warps, the second SM is the
 * last of 256, and its classes are not all noted. */
typedef struct world {
    unsigned version, number[SMS]; /* of the records; of the SMs */
    bytes cyc, ker, cta;
    expected sm[SMS][CYCLES];
    char dir[400], out[500];
} world;

/* Makes one, a temporary folder for it and its files there. `import` becomes how to import it. */
void world_make(world *w, raw_import_options *import);
void world_make_2(world *w, raw_import_options *import); /* the same in version 2 */
void world_free(world *w);
/* Its three files as they are now, unpacked. */
void world_write(const world *w);
/* A file of its folder; the text holds until the next call. */
const char *world_path(const world *w, const char *name);
void world_line(bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void world_spew(const world *w, const char *name, const void *p, size_t n);
bool world_has_output(const world *w); /* or a part of it */
/* Imports the files on disk; *r, of an earlier import or NULL, is closed and becomes the trace that comes of it. */
void world_import(const raw_import_options *import, trace_reader **r);
/* How to import what a trace was exported to, so that the same trace comes of it. */
void world_like(raw_import_options *import, const char *trace);
/* The trace is what the world means. */
void world_expect(const world *w, trace_reader *r);
/* The files on disk are refused with one line that holds `file` and `why`, and nothing is left. */
void world_expect_refused(const world *w, const raw_import_options *import, const char *file, const char *why);

#endif
