/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that appears in its place as a whole: it is written beside, as PATH.tmp, and renamed.
 */
#ifndef BALLAST_PLACED_FILE_H
#define BALLAST_PLACED_FILE_H

#include <stdbool.h>
#include <stdio.h>

enum { PLACED_PATH = 4400 };

typedef struct placed_file {
    FILE *file; /* NULL: it could not be opened */
    char path[PLACED_PATH], temporary[PLACED_PATH + 8];
} placed_file;

/* False with errno. What is there and is no file (a directory, a device, a FIFO) is not replaced. */
bool placed_open(placed_file *p, const char *path);
/* `keep`: it is complete. False with errno if it is not in its place after that; no part of it stays then. Also after
 * a placed_open that failed. */
bool placed_close(placed_file *p, bool keep);
/* False with errno: it could not be replaced by a file. */
bool placed_possible(const char *path);

#endif
