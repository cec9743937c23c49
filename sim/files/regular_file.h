/* SPDX-License-Identifier: Apache-2.0
 *
 * Files to read that are files: opening a FIFO waits for somebody who writes, and nobody can go back to its beginning.
 */
#ifndef BALLAST_REGULAR_FILE_H
#define BALLAST_REGULAR_FILE_H

#include <stdio.h>

/* NULL with errno, EISDIR or ESPIPE for what is no file. */
FILE *regular_open(const char *path);
/* All of it, with a 0 behind it, to be freed; NULL with errno. */
char *regular_read(const char *path, size_t *length);

#endif
