/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of all blocks as text, one "block.register = value" a line, so that a run can
 * start in the middle of another one. # starts a comment.
 */
#ifndef BALLAST_STATE_FILE_H
#define BALLAST_STATE_FILE_H

#include "engine/lockstep.h"

/* states[i] belongs to ls->instances[i]. */
bool state_file_save(const char *path, const lockstep *ls, const void *const *states);
/* Loads both sides of every block that the file names; all of its registers must be there. */
bool state_file_load(const char *path, lockstep *ls, char *err, size_t err_size);

#endif
