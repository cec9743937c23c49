/* SPDX-License-Identifier: Apache-2.0
 *
 * The two tables of a raw recording in memory: its kernels (ker.csv) and the CTA launches
 * and exits of every SM (cta.csv); private to sim/recording.
 */
#ifndef BALLAST_RAW_TABLES_H
#define BALLAST_RAW_TABLES_H

#include "recording/raw_import.h"
#include "recording/raw_record.h"

typedef struct raw_kernel {
    uint64_t uid;
    trace_launch launch;
} raw_kernel;

typedef struct raw_event {
    uint64_t cycle;
    uint16_t sm;
    uint8_t slot;
    bool done;          /* else: launched        */
    unsigned kernel;    /* index into kernels    */
    uint8_t first_warp; /* of the CTA                 */
    uint32_t cta;       /* of the grid; UINT32_MAX: not noted */
    unsigned long line; /* of cta.csv or the waveform; 0: it has no lines */
} raw_event;

typedef struct raw_tables {
    raw_kernel *kernels;
    unsigned num_kernels;
    bool no_cycles;    /* ker.csv does not say when they start */
    raw_event *events; /* sorted by SM, then as in the file */
    size_t num_events;
    char *cta_path;    /* the file that was read */
} raw_tables;

/* False, with the line of an import that the user stopped. */
bool raw_interrupted(const raw_import_options *opt, trace_err *err);
/* The explicit path, else dir/name; to be freed. */
char *raw_file(const char *path, const char *dir, const char *name);
bool raw_tables_load(raw_tables *t, const raw_import_options *opt, const char *ker_path,
                     const char *cta_path, trace_err *err);
/* The kernels alone. may_lack_cycles: the column cycle may be missing, as raw_tables_starts says when they start. */
bool raw_tables_kernels(raw_tables *t, const raw_import_options *opt, const char *ker_path, bool may_lack_cycles, trace_err *err);
/* The kernels start in these cycles; where ker.csv has cycles, it has to say the same. */
bool raw_tables_starts(raw_tables *t, const char *ker_path, const uint64_t *start, unsigned num, trace_err *err);
void raw_tables_free(raw_tables *t);
/* Events of one SM are events[*from] .. events[*to - 1]. */
void raw_tables_range(const raw_tables *t, unsigned sm, size_t *from, size_t *to);

#endif
