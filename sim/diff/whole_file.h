/* SPDX-License-Identifier: Apache-2.0
 *
 * A text file of a run, read as a whole.
 */
#ifndef BALLAST_DIFF_WHOLE_FILE_H
#define BALLAST_DIFF_WHOLE_FILE_H

#include "recording/trace.h"

enum { DIFF_PATH = 4400 };

/* One line in err: what is wrong with a line (0: with the file), and which command writes the file anew. False. */
bool diff_fail(trace_err *err, const char *path, unsigned line, const char *what, const char *remedy);
/* The text, to be freed. NULL with one line if it is no file, cannot be read, or is not text that ends with a line. */
char *diff_read(const char *path, const char *remedy, trace_err *err);
/* Whether there is something of this name: also what cannot be read counts. */
bool diff_there(const char *path);

#endif
