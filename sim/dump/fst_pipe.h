/* SPDX-License-Identifier: Apache-2.0
 *
 * An FST as VCD text; private to sim/dump. GTKWave's reader trusts its file, so it works in a process of its own: what a damaged
 * file does to it ends that process and no other.
 */
#ifndef BALLAST_FST_PIPE_H
#define BALLAST_FST_PIPE_H

#include <stdio.h>

#include "recording/trace.h"

/* By its first bytes. */
bool fst_is_one(const char *path);
/* The VCD as it is made, to be closed; NULL with one line. The file has to be whole. */
FILE *fst_pipe_open(const char *path, int *child, trace_err *err);
/* Waits for it; whether it has written all of the file. */
bool fst_pipe_finished(int child);
/* Ends it, if it has not ended. */
void fst_pipe_stop(int child);

#endif
