/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of traces: random recordings in memory, to be written, read back and
 * compared.
 */
#ifndef BALLAST_TRACE_FIXTURE_H
#define BALLAST_TRACE_FIXTURE_H

#include "recording/trace.h"

/* One cycle of one SM and what a reader has to say about it. */
typedef struct sample {
    sm_obs obs;
    sm_setup setup;
    uint64_t cycle;
    uint64_t instructions, ctas;
    unsigned launch;
    uint8_t cls;
    bool cut; /* it does not continue the one before */
} sample;

typedef struct sm_recording {
    sample *sample;
    size_t count;
} sm_recording;

enum { FIXTURE_SMS = 3, FIXTURE_LAUNCHES = 4 };

/* SM 0 starts with the first launch, SM 1 in the middle of it (like the cut-out of a longer
 * recording), SM 2 before it. */
typedef struct recording {
    trace_meta meta;
    trace_launch launches[FIXTURE_LAUNCHES];
    sm_recording sm[FIXTURE_SMS];
} recording;

typedef struct fixture_shape {
    uint16_t warps, slots;
    size_t cycles;     /* of SM 0; the others differ by a few */
    unsigned launches; /* 1..FIXTURE_LAUNCHES                 */
    bool classes;
    unsigned busy;     /* per mille of cycles in which something happens */
} fixture_shape;

/* 48 warps, three launches, 3000 cycles. */
extern const fixture_shape fixture_small;

uint32_t fixture_random(uint32_t *state, uint32_t below);

recording *fixture_make(const fixture_shape *shape, uint32_t seed);
void fixture_free(recording *rec);

/* Samples from..to-1 */
typedef struct fixture_piece {
    size_t from, to;
} fixture_piece;

/* Makes SM 0 a replay that jumps: its samples become those of the pieces, one piece after the
 * other, with a cut between them. Samples with a kernel start have to keep their place. */
void fixture_rearrange(recording *rec, const fixture_piece *pieces, size_t count);
/* Writes all SMs, interleaved; asserts that it works. */
void fixture_write(const recording *rec, const char *path);

/* Asserts that the file can be opened. */
trace_reader *fixture_open_trace(const char *path);
/* Asserts that the reader's current cycle is `want`, in everything that it can say. */
void fixture_same(trace_reader *r, const sm_obs *obs, const sample *want, unsigned warps);
bool fixture_is_same(trace_reader *r, const sm_obs *obs, const sample *want, unsigned warps);
/* Asserts that the file holds exactly the recording. */
void fixture_expect(const char *path, const recording *rec);

/* A path for a test's file; the file is not there. */
const char *fixture_path(const char *name);
uint8_t *fixture_slurp(const char *path, size_t *n); /* to be freed */
void fixture_spew(const char *path, const uint8_t *p, size_t n);
/* Asserts that the file holds exactly these bytes. */
void fixture_expect_bytes(const char *path, const uint8_t *p, size_t n);
bool fixture_exists(const char *path);
/* Is there a part of the file, under the name that it has while it is written? */
bool fixture_exists_unfinished(const char *path);

/* Asserts that the error is one line and says `why`. */
void fixture_says(const trace_err *err, const char *why);

#endif
