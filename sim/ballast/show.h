/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'make run' leaves to look at: for every block a waveform of a run in which it has
 * something to do, and a GTKWave view that opens on it.
 */
#ifndef BALLAST_SHOW_H
#define BALLAST_SHOW_H

#include "ballast/manifest.h"
#include "ballast/replay.h"

/* The family that the plain views show: the one whose limit changes most often. */
typedef struct show {
    const char *views; /* directory of the GTKWave views */
    char name[128];
    const char *paths[MANIFEST_MAX];
    unsigned num_paths, launch;
    char fst[4096]; /* its waveform */
    uint64_t cycles, first_change;
    unsigned changes;
} show;

/* A family replay with a waveform (of Perf-Sat) is over: its views OUT/<family>.<block>.gtkw. */
void show_family(show *s, const replay_options *replay, const char *name, const char *const *paths,
                 unsigned num_paths, unsigned launch, const session_result *result);
/* OUT/<block>.gtkw for every block, on a waveform of the family noted last; of blocks that no
 * waveform has been written for, one is made. */
void show_blocks(const show *s, const replay_options *replay, int *status);

#endif
