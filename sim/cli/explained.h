/* SPDX-License-Identifier: Apache-2.0
 *
 * How commands name what they write, and how a failed replay is shown on the terminal.
 */
#ifndef BALLAST_EXPLAINED_H
#define BALLAST_EXPLAINED_H

#include "replay/session.h"

/* vectors/pathfinder.n3.blt -> pathfinder.n3 */
void recording_name(char *text, size_t size, const char *path);
/* Nothing for a pass; the whole report for a mismatch; one line on stderr otherwise. */
void print_failure(const session_options *session, const session_result *result);
/* One line on stderr if the waveform has ended before the run. */
void print_wave_end(const session_options *session, const session_result *result);

#endif
