/* SPDX-License-Identifier: Apache-2.0
 *
 * A recording as the files that raw_import reads: ker.csv, cta.csv, and cyc.bin (version 2) or warps.csv. What is imported from them
 * is the same recording again. doc/use/export.md says what does not fit into them.
 */
#ifndef BALLAST_RAW_EXPORT_H
#define BALLAST_RAW_EXPORT_H

#include <stdio.h>

#include "recording/walk.h"

typedef struct raw_export_files {
    FILE *ker, *cta;
    FILE *cyc;   /* NULL: not wanted */
    FILE *warps; /* the same as text; NULL: not wanted */
} raw_export_files;

/* False with one line: the recording is damaged, or holds what these files cannot say. Whether all was written is for the caller to
 * ask the files. */
bool raw_export(const char *path, const raw_export_files *to, const trace_walk_options *options, trace_err *err);
/* ker.csv alone. */
void raw_export_kernels(const trace_meta *meta, FILE *f);

#endif
