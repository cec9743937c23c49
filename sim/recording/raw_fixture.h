/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the import: a small raw recording in memory and what it means.
 */
#ifndef BALLAST_RAW_FIXTURE_H
#define BALLAST_RAW_FIXTURE_H

#include "recording/bytes.h"
#include "recording/raw_import.h"
#include "recording/trace.h"

enum { SMS = 2, CYCLES = 400, FIRST = 5, SECOND = 200, GAP = 170, LIMIT = 3, RECORD = 32 };

/* What one cycle of an SM has to look like in the trace. */
typedef struct expected {
    sm_kept bus;
    uint8_t cls;
} expected;

/* A raw recording in memory and what it means. Two kernels; between cycles GAP and SECOND
 * the SMs are empty and have no records. */
typedef struct world {
    bytes cyc, ker, cta;
    expected sm[SMS][CYCLES];
    char dir[400], out[500];
} world;

/* Makes one, a temporary folder for it and its files there. `import` becomes how to import it. */
void world_make(world *w, raw_import_options *import);
void world_free(world *w);
/* Its three files as they are now, unpacked. */
void world_write(const world *w);
/* A file of its folder; the text holds until the next call. */
const char *world_path(const world *w, const char *name);
void world_line(bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void world_spew(const world *w, const char *name, const void *p, size_t n);
bool world_has_output(const world *w); /* or a part of it */

#endif
