/* SPDX-License-Identifier: Apache-2.0
 *
 * The decisions that a waveform shows, for markers in its views: when, whose, in short words.
 */
#ifndef BALLAST_MARKS_H
#define BALLAST_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/block.h"
#include "engine/decision.h"

enum { MARK_TEXT = 48 };

typedef struct wave_mark {
    uint64_t time;     /* cycle of the run, as in the waveform */
    const block *block;
    bool moved;        /* it changed something                 */
    bool of_sm;        /* of single SMs of a chip              */
    int rank;          /* what it changed: 0 the limit, 1 a VF level, ... */
    char text[MARK_TEXT]; /* "PS-8 limit 3->4"                 */
} wave_mark;

typedef struct wave_marks {
    wave_mark *mark;
    unsigned num, max;
    bool failed; /* out of memory: some are lost */
} wave_marks;

/* Start from {0}. One mark for what a block decided in one cycle; none where kernels start on single SMs of a chip. */
void wave_marks_add(wave_marks *marks, uint64_t time, const block *blk, const decisions *list);
void wave_marks_free(wave_marks *marks);
/* Of marks in order of time that a picture shows from cycle `first` to `last`: takes the texts away of those that have no
 * room beside ones of more rank. GTKWave shows their letters. */
void wave_marks_make_room(wave_marks *marks, uint64_t first, uint64_t last);

#endif
