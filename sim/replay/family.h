/* SPDX-License-Identifier: Apache-2.0
 *
 * Family replay: one kernel recorded at CTA limits from 1 to Nmax. The controller's limit picks
 * the recording; when it changes, the player moves to the recording of the new limit at the
 * same progress. doc/use/replay.md says what this can and cannot show.
 */
#ifndef BALLAST_FAMILY_H
#define BALLAST_FAMILY_H

#include "engine/stimulus.h"
#include "recording/trace.h"
#include "replay/pace.h"

enum family_progress { FAMILY_INSTRUCTIONS, FAMILY_CTAS };

/* What to do when the kernel ends before the controller has converged. */
enum family_restart {
    FAMILY_CONTINUE,  /* the same kernel goes on: no kernel start, empty cycles are left out */
    FAMILY_NEW_LAUNCH /* a new launch: kernel start, with its ramp-up and tail               */
};

enum { MAX_LAPS = 1000000 };

typedef struct family_options {
    unsigned sm;
    unsigned launch; /* index into the recordings' launch table             */
    enum family_progress progress;
    enum family_restart restart;
    unsigned max_laps; /* give up after so many passes over the kernel, >= 1 */
    pace *pace;        /* how fast it goes is written there; NULL: nobody wants to know */
} family_options;

typedef struct family family;

/* Opens the recordings and checks that they are one family: same kernel, launch and geometry,
 * a member for limit 1 and for Nmax. Between, a limit without a member plays that of the next lower one. NULL and a one-line text if not. */
family *family_open(const char *const *paths, unsigned num_paths, const family_options *options,
                    trace_err *err);
void family_close(family *f);
stimulus family_stimulus(family *f);

/* What it was opened with, for another player: a limit has its own recording, or plays that of the next lower one. */
const family_options *family_how(const family *f);
trace_reader *family_member(const family *f, unsigned limit); /* NULL: there is none of it */
unsigned family_plays(const family *f, unsigned limit);       /* up to Nmax */

const trace_launch *family_launch(const family *f); /* of the unthrottled member */
const trace_meta *family_meta(const family *f);
unsigned family_laps(const family *f);  /* passes started so far      */
uint64_t family_moves(const family *f); /* changes of recording so far */

/* The launch of `kernel_name` (NULL: of any) in which the SM has most cycles. */
unsigned family_longest_launch(const trace_reader *r, const char *kernel_name);

#endif
