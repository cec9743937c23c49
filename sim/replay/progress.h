/* SPDX-License-Identifier: Apache-2.0
 *
 * How far long work is: one line on the terminal that is written over and over. When stderr is no
 * terminal, a line for the log every half a minute.
 */
#ifndef BALLAST_PROGRESS_H
#define BALLAST_PROGRESS_H

enum { PROGRESS_SECONDS = 30 };

void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Many runs of one kind; the line goes with the last of them. A run_progress. */
void progress_of_runs(void *user, unsigned ended, unsigned num);
/* Before anything else is written. */
void progress_clear(void);

#endif
