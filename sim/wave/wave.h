/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes what a lockstep run sees as an FST waveform: per block the inputs, outputs and registers of both sides, with
 * the names of states and classes, where the sides differ, and what was decided, in words. Made from the port lists.
 *
 * One time unit is one cycle; values at time t hold during cycle t. Scopes, with SM<n> or, for a chip, `chip` on top:
 *   SM0.cycle                      the recording's own number of the cycle
 *   SM0.<block>.differs            an output or register differs between the sides
 *   SM0.<block>.{in,rtl,model}.*   signals
 *   SM0.<block>.{rtl,model}.decision  the last decisions of one cycle: "PS-8: sample 1: ...", from that cycle on
 *   SM0.<block>.why.line_<n>       the RTL's one by one, on several lines in turn, so that there is room to read each;
 *                                  of a chip only the first SM whose limit moves, and how many more
 */
#ifndef BALLAST_WAVE_H
#define BALLAST_WAVE_H

#include <stdio.h>

#include "engine/lockstep.h"
#include "wave/extent.h"
#include "wave/marks.h"
#include "wave/viewer.h"

enum { WAVE_LINES = 6 };

typedef struct wave wave;

extern const wave_extent wave_everything;

/* ls must be open; NULL and a one-line text when the file cannot be written. */
wave *wave_open(const char *path, const lockstep *ls, const wave_extent *extent, char *err, size_t err_size);
/* Whether cycle `index` of the run will be written: else it need not be a careful one. */
bool wave_wants(const wave *w, uint64_t index);
/* What a block has decided in cycle ls->index, as one side sees it. Of those before the first cycle that is written the
 * last ones stand at its beginning. */
void wave_decided(wave *w, const lockstep *ls, enum lockstep_side side, const block *blk, const struct decisions *list);
/* After a careful cycle. */
void wave_cycle(wave *w, const lockstep *ls, uint64_t cycle);
/* Whether the size limit has ended it; *last is the last cycle written. */
bool wave_is_full(const wave *w, uint64_t *last);
/* Takes the marks of the model's decisions in cycles that were written over; the caller frees them. */
wave_marks wave_take_marks(wave *w);
/* Adds the registers as the last cycle's edge left them, and closes; false, with errno set and no
 * file left, when that fails. */
bool wave_close(wave *w, const lockstep *ls);
/* Closes and removes the file. */
void wave_abort(wave *w);

/* A port's name in the waveform, below its side's scope: limit_q, inst_q_3, sm_3.perfsat.state_q.
 * Brackets would read as a range of bits. */
void wave_port_name(const block_port *port, char *text, size_t size);

/* Files for the viewers that show ls->mismatch. `path`: that of GTKWave's; the others are beside it. */
bool wave_save_mismatch(const char *path, const char *fst_path, const lockstep *ls, const wave_range *range);

#endif
