/* SPDX-License-Identifier: Apache-2.0
 *
 * What commands say: why they cannot go on, how a replay failed, what the things are called that they write.
 */
#ifndef BALLAST_SAY_H
#define BALLAST_SAY_H

#include <stdio.h>

#include "cli/options.h"
#include "replay/session.h"

/* "ballast: ..." on standard error, a line, the same line only once; EXIT_BAD_INPUT. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From here on complain writes its bare lines to `f`, for another process to say. */
void complain_into(FILE *f);
/* The same when runs side by side gave nothing, be it by Ctrl-C. */
int complain_runs(void);
/* The exit status of two pieces of work. */
int worse(int status, int other);
/* The same of all files, one by one, until the user interrupts it. */
int each_file(const arguments *files, int (*one)(void *command, const char *path), void *command);

/* vectors/pathfinder.n3.blt -> pathfinder.n3, of a family pathfinder */
void recording_name(char *text, size_t size, const char *path);
/* paths[index]'s name among those before it: a/x.blt b/x.blt -> x, x~2, so that none writes over what the other has left. */
void own_name(char *text, size_t size, const char *const *paths, unsigned index);
void family_name(char *text, size_t size, const char *path);
/* Nothing for a pass; the whole report for a mismatch; one line on stderr otherwise. */
void print_failure(const session_options *session, const session_result *result);
/* One line on stderr if the waveform has ended before the run. */
void print_wave_end(const session_options *session, const session_result *result);

#endif
