/* SPDX-License-Identifier: Apache-2.0
 *
 * A block to be shown: what its view wants replayed, and the view of the waveform which that left, opened where something was
 * decided. And what 'make run' leaves to look at: for every block a waveform of a run in which it has something to do.
 */
#ifndef BALLAST_SHOW_H
#define BALLAST_SHOW_H

#include "cli/families.h"
#include "cli/replay.h"
#include "cli/views.h"

/* ---- a block ------------------------------------------------------------------------- */

typedef struct shown {
    char block_name[VIEW_NAME], source[4096];
    view_run run; /* the replay's settings point in here: it stays where it is */
    replay_options replay;
} shown;

/* The replay of `block_name`'s view: `base` with other blocks and settings. False with one line. */
bool shown_prepare(shown *s, const char *views, const char *block_name, const replay_options *base, char err[VIEW_ERR]);
/* Whether the replay is one of a chip. */
bool shown_is_chip(const shown *s);
/* That replay: a family's limit picks the recording, and all of a chip's SMs play; without recordings random stimulus. Exit status; result
 * as in cli/replay.h. */
int shown_play(const shown *s, const char *const *paths, unsigned num_paths, unsigned launch, const char *name, table *t,
               session_result *result);
/* The view, of a replay with `blocks` that gave `result`. Opens on `range` or, without one, on decisions. */
bool shown_save(const shown *s, const char *target, const char *fst, const session_result *result,
                const wave_range *range, char err[VIEW_ERR]);

/* ---- all blocks ---------------------------------------------------------------------- */

/* A family in which a limit changes often. */
typedef struct shown_family {
    const char *paths[MANIFEST_MAX];
    unsigned num_paths, launch;
    char name[MANIFEST_TEXT + 16];
    unsigned changes;
} shown_family;

typedef struct show {
    const char *views; /* directory of the GTKWave views */
    shown_family perfsat; /* where Perf-Sat's limit changes most often: OUT/perfsat.gtkw opens that waveform */
    shown_family others;  /* where Equalizer's limit does: for all other blocks */
} show;

/* A limit has changed so many times on this family; true if that is more than on the one before. */
bool show_remember(shown_family *best, const kernel_family *f, unsigned changes);
/* A family replay with a waveform (of Perf-Sat) is over: its views OUT/<family>.<block>.gtkw. False with a line on
 * stderr. */
bool show_family(const char *views, const replay_options *replay, const kernel_family *f, const session_result *result);
/* OUT/<block>.gtkw of base block `index`, below show_num_blocks, on a waveform of the family that has most to show; of a block that
 * no waveform has been written for, one is made. The exit status. */
int show_block(const show *s, const replay_options *replay, unsigned index, table *t);
unsigned show_num_blocks(void);

#endif
