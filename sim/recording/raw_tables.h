/* SPDX-License-Identifier: Apache-2.0
 *
 * The two tables of a raw recording in memory: its kernels (ker.csv) and the CTA launches
 * and exits of every SM (cta.csv); private to sim/recording.
 */
#ifndef BALLAST_RAW_TABLES_H
#define BALLAST_RAW_TABLES_H

#include "recording/raw_import.h"

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
    unsigned long line; /* of cta.csv            */
} raw_event;

typedef struct raw_tables {
    raw_kernel *kernels;
    unsigned num_kernels;
    raw_event *events; /* sorted by SM, then as in the file */
    size_t num_events;
    char *cta_path;    /* the file that was read */
} raw_tables;

/* The explicit path, else dir/name; to be freed. */
char *raw_file(const char *path, const char *dir, const char *name);
bool raw_tables_load(raw_tables *t, const raw_import_options *opt, const char *ker_path,
                     const char *cta_path, trace_err *err);
void raw_tables_free(raw_tables *t);
/* Events of one SM are events[*from] .. events[*to - 1]. */
void raw_tables_range(const raw_tables *t, unsigned sm, size_t *from, size_t *to);

#endif
