/* SPDX-License-Identifier: Apache-2.0
 *
 * Another program, run to its end.
 */
#ifndef BALLAST_RUN_QUIETLY_H
#define BALLAST_RUN_QUIETLY_H

#include <stdio.h>

enum { NOT_STARTED = -1, NOT_ENDED = -2 };

/* words[0] is looked for in PATH; NULL ends the words. It reads `input` from its beginning, or what this program would read (NULL). What it
 * has to complain goes nowhere: the caller says in one line what that means. Its exit status; NOT_STARTED: it is not there; NOT_ENDED: a
 * signal has ended it. */
int run_quietly(char *const words[], FILE *input);

#endif
