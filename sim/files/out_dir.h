/* SPDX-License-Identifier: Apache-2.0
 *
 * The directory that a command writes its results to: one command at a time, and of a whole run either the old result or the new one.
 *
 * A whole run writes to OUT/unfinished. When all of it is there, the list of its files is written, which is the moment from which the
 * new result counts; then the files are moved up. A run that is killed before leaves OUT as it was, and what it had done in
 * OUT/unfinished; one that is killed after it is completed by the next command that takes OUT.
 */
#ifndef BALLAST_OUT_DIR_H
#define BALLAST_OUT_DIR_H

#include <stdbool.h>
#include <stddef.h>

enum { OUT_DIR_ERR = 4096 + 256 };

/* mkdir -p. False with errno. */
bool out_dir_make(const char *path);
/* Makes it if need be, and has it alone until the end of this process. False with one line if that fails, or if another process
 * has it. Completes what a killed run has left. */
bool out_dir_take(const char *path, char err[OUT_DIR_ERR]);

/* Has a directory that is there alone in the same way, to change files in it. False with one line. */
bool out_dir_lock(const char *path, char err[OUT_DIR_ERR]);

/* Of a directory that this process has taken. `inside` gets the path to write to, empty at first. */
bool out_dir_begin(const char *path, char *inside, size_t size, char err[OUT_DIR_ERR]);
/* All is there: it becomes the result, and files of the last result that are not in this one go. */
bool out_dir_commit(const char *path, char err[OUT_DIR_ERR]);

#endif
