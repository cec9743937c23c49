/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of functions that somebody else wrote, so that what they do wrong has a name: a fault, an abort, an exit, no end.
 *
 * The call is left by a jump. That is sound for the caller: the fault is raised by the call itself, and everything that the caller did before
 * is done. What the callee wrote where it must not stays written, so a run ends at its first failed call.
 */
#ifndef BALLAST_GUARD_H
#define BALLAST_GUARD_H

enum { GUARD_SECONDS = 10 }; /* that a call may take at most */

/* Before the first call, in each process. */
void guard_begin(void);
/* NULL: it has returned. Else why it has not, in words: "died (Segmentation fault)". */
const char *guard_call(void (*call)(void *user), void *user);

#endif
