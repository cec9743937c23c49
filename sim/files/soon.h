/* SPDX-License-Identifier: Apache-2.0
 *
 * How long to wait for a lock before somebody else is said to have it: a second. A command that was killed holds its locks until the
 * last of its processes is gone, and that one ends a moment after the command.
 */
#ifndef BALLAST_SOON_H
#define BALLAST_SOON_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { SOON_TRIES = 100, SOON_PAUSE_NS = 10000000 };

/* Waits a little. False if the time is over. */
static inline bool again_soon(unsigned *tries)
{
    if (*tries == SOON_TRIES)
        return false;
    ++*tries;
    nanosleep(&(struct timespec){.tv_nsec = SOON_PAUSE_NS}, NULL);
    return true;
}

#endif
