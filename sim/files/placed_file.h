/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that appears in its place as a whole: it is written beside, as PATH.tmp, and renamed. Each writer has a temporary file of its
 * own: who finds PATH.tmp taken writes PATH.1.tmp, and so on. It is taken as long as its writer holds a lock on it, so the next writer
 * removes what a killed one has left. Of two writers at once the last one to end counts.
 */
#ifndef BALLAST_PLACED_FILE_H
#define BALLAST_PLACED_FILE_H

#include <stdbool.h>
#include <stdio.h>

enum { PLACED_PATH = 4400, PLACED_END = 16 };

typedef struct placed_file {
    FILE *file; /* NULL: it could not be opened, or is closed */
    int lock;   /* the temporary file once more: as long as it is open, the file is taken */
    int old;    /* of a change: the file that is to be replaced; -1: none */
    char path[PLACED_PATH], temporary[PLACED_PATH + PLACED_END]; /* temporary: empty if there is none */
} placed_file;

/* False with errno. What is there and is no file (a directory, a device, a FIFO) is not replaced. */
bool placed_open(placed_file *p, const char *path);
/* The same without `file`: another program, or a library, writes to p->temporary. */
bool placed_reserve(placed_file *p, const char *path);
/* The same for one writer at a time; errno is EBUSY for the others. */
bool placed_reserve_alone(placed_file *p, const char *path);
/* To write a file anew that is there, from what is in it, which is read after this: one writer at a time, or one change would be lost.
 * The file keeps its permissions, and a link to it stays one. False with errno, EBUSY for the others. */
bool placed_change(placed_file *p, const char *path);

/* All of it is in the temporary file; that of a change is on the disk, too: what it replaces is nowhere else. False with errno. */
bool placed_finish(placed_file *p);
/* `keep`: it is complete. False with errno if it is not in its place after that; no part of it stays then. Also after
 * one of the above that failed. */
bool placed_close(placed_file *p, bool keep);
/* Two changes that belong together, both finished: one rename follows the other at once. False with errno if not both are in their
 * places. */
bool placed_close_both(placed_file *first, placed_file *second);
/* False with errno: it could not be replaced by a file. */
bool placed_possible(const char *path);

#endif
