/* SPDX-License-Identifier: Apache-2.0
 *
 * The families of a manifest: the recordings of one program at all CTA limits, once for each of
 * the program's kernels, in the longest of its launches.
 */
#ifndef BALLAST_FAMILIES_H
#define BALLAST_FAMILIES_H

#include "cli/manifest.h"
#include "recording/trace.h"

typedef struct family {
    const char *program;       /* the manifest's kernel: "srad"                                   */
    const char *words;         /* what the manifest says of it; may be empty                      */
    char name[MANIFEST_TEXT + 16]; /* the same, or "srad.launch2" of a program with several kernels */
    const char *const *paths;  /* recordings                                                      */
    unsigned num_paths;
    unsigned launch;           /* an index                                                        */
} family;

/* False ends the walk. */
typedef bool (*family_visit)(void *user, const family *f);

/* In the manifest's order. False with err if a recording cannot be read; that program is left out
 * and the walk goes on. */
bool families_each(const manifest *m, family_visit visit, void *user, trace_err *err);

#endif
