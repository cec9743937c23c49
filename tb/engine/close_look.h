/* SPDX-License-Identifier: Apache-2.0
 *
 * A run is deterministic, so the first, fast pass only has to find the cycle of a mismatch. A close look plays the run
 * again, carefully in the window before that cycle, and keeps what it sees there.
 */
#ifndef BALLAST_CLOSE_LOOK_H
#define BALLAST_CLOSE_LOOK_H

#include "engine/recorder.h"

typedef struct close_look {
    recorder recorder;     /* which the caller opens and closes */
    lockstep_observer also; /* who else watches, from the beginning: a waveform; its `self` and functions may be NULL */
    bool recording;
} close_look;

/* The window's first cycle, for a mismatch in cycle `index`. */
uint64_t close_look_first(uint64_t index);
/* After a reset, with the stimulus at its start: plays up to the mismatch. False when it does not come back. */
bool close_look_play(close_look *look, lockstep *ls, const stimulus *s, uint64_t index);
/* More cycles, which show where the mismatch leads. They leave the recorder alone. */
void close_look_go_on(lockstep *ls, const stimulus *s, unsigned cycles);

#endif
