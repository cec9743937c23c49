/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays side by side over the cores of this computer, each in a process of its own. What they print and the rows of their
 * tables come out in their order, each as soon as those before it are over.
 */
#ifndef BALLAST_SIDE_BY_SIDE_H
#define BALLAST_SIDE_BY_SIDE_H

#include "cli/table.h"

typedef struct side_answer side_answer;

typedef struct side_by_side {
    unsigned num, jobs;  /* so many replays, so many at once (0: one per core) */
    const char *scratch; /* directory for what they say until it is their turn */
    side_answer *answers;
} side_by_side;

/* Replay `index`, in its process: rows go to `t`. What is to outlive the process lies in memory of parallel_shared, and
 * a result's tracks in `answer` (side_keep). The exit status. */
typedef int (*side_replay)(void *user, unsigned index, table *t, side_answer *answer);

/* False without memory, with a line on stderr. Close it also then. */
bool side_open(side_by_side *s, unsigned num, unsigned jobs, const char *scratch);
/* All of them; the worst exit status. After Ctrl-C those that had begun have rows, too. */
int side_play(side_by_side *s, side_replay replay, void *user, table *t);
void side_close(side_by_side *s);

/* Moves the result's tracks to where they stay until side_close, and frees the rest: there is nothing to be freed then. One
 * result for each replay. */
void side_keep(side_answer *answer, session_result *result);

#endif
