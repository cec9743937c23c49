/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs for a caller whose process must outlive them: each writes an answer to a file, in this process or in one of its own.
 */
#ifndef BALLAST_KIT_RUNS_H
#define BALLAST_KIT_RUNS_H

#include "policy/own_policy.h"
#include "python/kit.h"

/* False with a line in err (KIT_ERR bytes); "": it was interrupted. */
typedef bool kit_job(const void *request, FILE *out, char *err);
int kit_run(kit_job *job, const void *request, int fd, bool apart);

/* What a run is governed by: a policy that is built in, a shared object, or the caller's functions. */
typedef struct kit_governor {
    uint8_t policy; /* enum ballast_policy, when own is NULL */
    const own_policy *own;
    own_policy loaded;
    ballast_policy_functions functions; /* that call the caller's */
    kit_calls calls;
    const struct kit_governor *around; /* of the run from which this one is started */
} kit_governor;

/* `policy`: a name, a file, or, with functions, what these are called. False with one line in err. */
bool kit_governor_open(kit_governor *g, const char *policy, const kit_calls *calls, char *err);
void kit_governor_close(kit_governor *g);
/* The index of a word in a short list that a NULL ends. False: it is none of them, and the line in err says what there is. */
bool kit_choose(const char *const *words, const char *word, const char *what, unsigned *index, char *err);

#endif
