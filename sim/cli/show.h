/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'make run' leaves to look at: for every block a waveform of a run in which it has
 * something to do, and a GTKWave view that opens on it.
 */
#ifndef BALLAST_SHOW_H
#define BALLAST_SHOW_H

#include "cli/families.h"
#include "cli/replay.h"

/* A family in which a limit changes often. */
typedef struct shown_family {
    const char *paths[MANIFEST_MAX];
    unsigned num_paths, launch;
    unsigned changes;
} shown_family;

typedef struct show {
    const char *views; /* directory of the GTKWave views */
    shown_family perfsat; /* where Perf-Sat's limit changes most often: OUT/perfsat.gtkw opens that waveform */
    shown_family others;  /* where Equalizer's limit does: for all other blocks */
} show;

/* A limit has changed so many times on this family; true if that is more than on the one before. */
bool show_remember(shown_family *best, const kernel_family *f, unsigned changes);
/* A family replay with a waveform (of Perf-Sat) is over: its views OUT/<family>.<block>.gtkw. */
void show_family(show *s, const replay_options *replay, const kernel_family *f, const session_result *result);
/* OUT/<block>.gtkw for every block, on a waveform of the family that has most to show; of blocks that
 * no waveform has been written for, one is made. */
void show_blocks(const show *s, const replay_options *replay, int *status);

#endif
