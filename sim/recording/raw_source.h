/* SPDX-License-Identifier: Apache-2.0
 *
 * What gives an import its kernels, events and records, whatever form they have.
 */
#ifndef BALLAST_RAW_SOURCE_H
#define BALLAST_RAW_SOURCE_H

#include "recording/raw_record.h"
#include "recording/raw_tables.h"

/* The files of an import. */
typedef struct raw_files {
    char *records, *ker, *cta;
} raw_files;

typedef struct raw_source {
    /* Kernels and events, in memory of their own. */
    bool (*tables)(const raw_import_options *opt, const raw_files *files, raw_tables *t, trace_err *err);
    /* The records, from the beginning; NULL with one line. All that is given outlives them. */
    void *(*open)(const raw_tables *t, const raw_import_options *opt, const raw_files *files, trace_err *err);
    void (*close)(void *records);
    /* The next record of any SM, each SM's in the order of its cycles; its states hold until the next call. *end: there is none. */
    bool (*next)(void *records, raw_record *record, bool *end, trace_err *err);
    const char *(*path)(const void *records);  /* of the file that was read */
    uint64_t (*consumed)(const void *records); /* of size */
    uint64_t (*size)(const void *records);     /* 0: not known */
} raw_source;

/* cyc.bin and warps.csv, beside cta.csv; a waveform is dump/raw_dump.h. */
extern const raw_source raw_cyc_source, raw_text_source;

/* ker.csv and cta.csv. */
bool raw_source_tables(const raw_import_options *opt, const raw_files *files, raw_tables *t, trace_err *err);
/* "path: SM, cycle: what" */
bool raw_bad_record(const char *path, const raw_record *r, const char *what, trace_err *err);

#endif
