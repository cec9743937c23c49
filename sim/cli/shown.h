/* SPDX-License-Identifier: Apache-2.0
 *
 * A block to be shown: what its view wants replayed, and the view of the waveform which that left, opened where
 * something was decided.
 */
#ifndef BALLAST_SHOWN_H
#define BALLAST_SHOWN_H

#include "cli/replay.h"
#include "cli/views.h"

typedef struct shown {
    char block_name[VIEW_NAME], source[4096];
    view_run run; /* the replay's settings point in here: it stays where it is */
    replay_options replay;
} shown;

/* The replay of `block_name`'s view: `base` with other blocks and settings. False with one line. */
bool shown_prepare(shown *s, const char *views, const char *block_name, const replay_options *base, char err[VIEW_ERR]);
/* Whether the replay is one of a chip. */
bool shown_is_chip(const shown *s);
/* That replay: a family's limit picks the recording, and all of a chip's SMs play. Exit status; result as in cli/replay.h. */
int shown_play(const shown *s, const char *const *paths, unsigned num_paths, unsigned launch, const char *name, table *t,
               session_result *result);
/* The view, of a replay with `blocks` that gave `result`. Opens on `range` or, without one, on decisions. */
bool shown_save(const shown *s, const char *target, const char *fst, const session_result *result,
                const wave_range *range, char err[VIEW_ERR]);

#endif
