/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of GTKWave's FST writer (fstapi.c), which maps its temporary files into memory and looks at no result of a write: a full
 * disk would end the program with SIGBUS, or leave a waveform that looks complete. fstapi.c is compiled with -include of this file:
 * its temporary files are in memory, and the first error of all its files is kept.
 */
#ifndef BALLAST_FST_FILES_H
#define BALLAST_FST_FILES_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of this thread's files, since fst_files_begin: the first error (an errno), or 0. */
void fst_files_begin(void);
int fst_files_error(void);

FILE *fst_open(const char *path, const char *mode);
FILE *fst_temporary(void);
int fst_flush(FILE *f);
int fst_close(FILE *f);
void *fst_map(size_t length, int protection, int flags, int fd);

#ifdef FST_CONFIG_INCLUDE /* this is fstapi.c */
#define fopen(path, mode) fst_open(path, mode)
#define tmpfile() fst_temporary()
#define fflush(file) fst_flush(file)
#define fclose(file) fst_close(file)
#define mmap(address, length, protection, flags, fd, offset) fst_map(length, protection, flags, fd)
#endif

#endif
