/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs side by side over the cores of this computer, each in a process of its own.
 */
#ifndef BALLAST_PARALLEL_H
#define BALLAST_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* Does job `index` in a new process; what it has to say goes to memory of parallel_shared. False: it
 * failed. */
typedef bool (*parallel_job)(void *user, unsigned index);
/* One of them has ended, in any order. */
typedef struct parallel_end {
    unsigned index;
    int status;          /* as waitpid gives it; 0: the job was done */
    unsigned ended, num; /* so far, of so many                       */
} parallel_end;

/* False: no more are to begin. */
typedef bool (*parallel_ended)(void *user, const parallel_end *end);

/* Zeroed memory that the processes share; NULL without it. */
void *parallel_shared(size_t size);
void parallel_unshare(void *memory, size_t size);

/* As many at a time as `jobs` (0: one per core). False if `ended` was, if a process could not be
 * started, or after Ctrl-C, which goes on to those that run; all have ended then. Without `ended`, a
 * failure is the end. */
bool parallel(unsigned num, unsigned jobs, parallel_job job, parallel_ended ended, void *user);

#endif
