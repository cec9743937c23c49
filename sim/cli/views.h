/* SPDX-License-Identifier: Apache-2.0
 *
 * Views for waveform viewers. tb/blocks/<block>/view says what of a run is worth seeing, in a readable order; this makes a file for each
 * viewer (wave/viewer.h) from it that opens a given waveform on a given range of cycles. A line of a view is
 *
 *   # ...                          nothing
 *   picture [RECORDINGS [CYCLES]] what the picture of the block's page shows (sim/wave/pictures.sh); without RECORDINGS random stimulus
 *   random CYCLES                  a recording has nothing for this block to do: random stimulus instead, for so long
 *   run BLOCK...                   what to replay for this view, with all that they need
 *   set BLOCK.INPUT=VALUE          what software sets in that replay
 *   marks BLOCK [sms]              whose decisions the markers stand at, of a chip also those for single SMs
 *   decisions N                    it opens on so many of them
 *   around N                       it opens on this many cycles on both sides of the first move
 *   open FIRST LAST                it opens on these cycles of the run
 *   heading TEXT
 *   why BLOCK                      its decisions in words, on several lines in turn
 *   decision BLOCK                 all of a cycle's decisions on one line; of a chip with those that concern single SMs
 *   differs BLOCK                  1 where an output or register of its two sides differs, in red
 *   value [BLOCK.]SIDE PORT TEXT   as a name, a number or a bit, whatever it is; SIDE: in, rtl, model or both
 *   mask  ...                      in hexadecimal
 *   step  ..., tall ...            an analog plot in steps, low or high
 *   count ...                      the same of how many bits are set
 *   groups BLOCK                   all its signals in groups to open: RTL, C model, inputs; of a chip up to 16 SMs
 *
 * BLOCK is a block's name; without one it is the view's own. SIDE both is the RTL, and below it the model in orange. A port of a
 * higher index than the geometry has (sm[14].limit_o, inst_q[7]) is left out; any other that is not there is an error.
 */
#ifndef BALLAST_VIEWS_H
#define BALLAST_VIEWS_H

#include "cli/replay_options.h"
#include "engine/block.h"
#include "wave/wave.h"

enum { VIEW_ERR = 512, VIEW_NAME = 32 };

typedef struct view {
    const char *source;         /* tb/blocks/BLOCK/view */
    const char *block_name;
    const block *const *blocks; /* of the run, NULL-terminated */
    unsigned num_sms, sm;       /* of the run: SM<n> or chip is on top of the waveform */
    const char *fst_path;
} view;

/* What is to be replayed for a view. */
typedef struct view_run {
    char blocks[LOCKSTEP_MAX_BLOCKS][VIEW_NAME];
    unsigned num_blocks;
    char settings[REPLAY_MAX_SETTINGS][80];
    unsigned num_settings;
    char marks[VIEW_NAME]; /* the view's own block, if it says nothing */
    bool marks_sms;
    unsigned decisions; /* 0: some */
    unsigned around; /* 0: on several decisions */
    uint64_t first, last; /* to open on; last 0: as above */
    uint64_t random; /* cycles of random stimulus; 0: recordings */
} view_run;

/* Both: false with one line. */
bool view_read_run(const char *source, const char *block_name, view_run *run, char err[VIEW_ERR]);
/* target: the path of GTKWave's save file; those of other viewers are beside it. Each appears when it is complete. marks may be NULL. */
bool view_make(const view *v, const char *target, const wave_range *range, const wave_marks *marks, char err[VIEW_ERR]);

#endif
