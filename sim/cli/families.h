/* SPDX-License-Identifier: Apache-2.0
 *
 * The families of a manifest: the recordings of one program at all CTA limits, once for each of
 * the program's kernels, in the longest of its launches.
 */
#ifndef BALLAST_FAMILIES_H
#define BALLAST_FAMILIES_H

#include "cli/manifest.h"
#include "recording/trace.h"

typedef struct kernel_family {
    const char *program;       /* the manifest's kernel: "srad"                                   */
    const char *words;         /* what the manifest says of it; may be empty                      */
    char name[MANIFEST_TEXT + 16]; /* the same, or "srad.launch2" of a program with several kernels */
    const char *const *paths;  /* recordings                                                      */
    unsigned num_paths;
    unsigned launch;           /* an index                                                        */
    unsigned warps;            /* of the recorded SM                                              */
} kernel_family;

/* False ends the walk. */
typedef bool (*family_visit)(void *user, const kernel_family *f);

/* In the manifest's order. The exit status; a program whose recording cannot be read is left out, with a line on stderr. */
int families_each(const manifest *m, family_visit visit, void *user);
/* The same of a manifest's file, with a line on stderr if it cannot be read. */
int families_of(const char *path, family_visit visit, void *user);

#endif
