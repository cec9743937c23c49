/* SPDX-License-Identifier: Apache-2.0
 *
 * vectors/MANIFEST.csv: the recordings that the project ships. Columns are found by their
 * names in the first line; fields may be quoted.
 */
#ifndef BALLAST_MANIFEST_H
#define BALLAST_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "files/placed_file.h"

enum { MANIFEST_MAX = 512, MANIFEST_TEXT = 256 };

typedef struct manifest_entry {
    char path[4096];            /* the manifest's directory + file */
    char kernel[MANIFEST_TEXT]; /* recordings of one kernel are a family */
    char program[MANIFEST_TEXT]; /* what it is, in words; may be empty */
} manifest_entry;

typedef struct manifest {
    manifest_entry *entries;
    unsigned num;
} manifest;

bool manifest_read(manifest *m, const char *path, char *err, size_t err_size);
/* All recordings can be opened for reading. */
bool manifest_check(const manifest *m, const char *path, char *err, size_t err_size);
void manifest_free(manifest *m);
/* Writes the manifest anew, up to the last step: in `to`, complete but not in its place, the row that lists `recording` ends with the
 * digest of the file `next`, which is about to take the recording's place. False with a line, also if no row lists it; nothing of it is
 * there then. */
bool manifest_renew(const char *path, const char *recording, const char *next, placed_file *to, char *err, size_t err_size);

#endif
