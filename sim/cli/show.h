/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'make run' leaves to look at: for every block a waveform of a run in which it has
 * something to do, and a GTKWave view that opens on it.
 */
#ifndef BALLAST_SHOW_H
#define BALLAST_SHOW_H

#include "cli/manifest.h"
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

/* A family replay with a waveform (of Perf-Sat) is over: its views OUT/<family>.<block>.gtkw. */
void show_family(show *s, const replay_options *replay, const char *name, const char *const *paths,
                 unsigned num_paths, unsigned launch, const session_result *result);
/* Equalizer has changed the limit so many times on this family. */
void show_equalizer(show *s, const char *const *paths, unsigned num_paths, unsigned launch, unsigned changes);
/* OUT/<block>.gtkw for every block, on a waveform of the family that has most to show; of blocks that
 * no waveform has been written for, one is made. */
void show_blocks(const show *s, const replay_options *replay, int *status);

#endif
