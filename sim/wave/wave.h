/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes what a lockstep run sees as an FST waveform: per block the inputs, and outputs and
 * registers of both sides, with the names of states and classes. Made from the port lists.
 *
 * One time unit is one cycle; values at time t hold during cycle t. Scopes:
 * SM<n>.<block>.{in,rtl,model} (chip.<block>... for a chip), and SM<n>.cycle for the recording's own cycle number.
 */
#ifndef BALLAST_WAVE_H
#define BALLAST_WAVE_H

#include <stdio.h>

#include "engine/lockstep.h"

typedef struct wave wave;

/* ls must be open; NULL and a one-line text when the file cannot be written. */
wave *wave_open(const char *path, const lockstep *ls, char *err, size_t err_size);
/* After a careful cycle. */
void wave_cycle(wave *w, const lockstep *ls, uint64_t cycle);
/* Adds the registers as the last cycle's edge left them, and closes; false, with errno set and no
 * file left, when that fails. */
bool wave_close(wave *w, const lockstep *ls);
/* Closes and removes the file. */
void wave_abort(wave *w);

/* A port's name in the waveform, below its side's scope: limit_q, inst_q_3, sm_3.perfsat.state_q.
 * Brackets would read as a range of bits. */
void wave_port_name(const block_port *port, char *text, size_t size);

/* What a GTKWave window shows at first, in cycles of the run. */
typedef struct wave_range {
    uint64_t first, last, marker;
} wave_range;

/* The head of a GTKWave save file: which waveform, which range, a window without the signal tree. */
void wave_save_header(FILE *f, const char *fst_path, const char *title, const wave_range *range);
/* A save file that shows ls->mismatch: the port that differs on top, both sides next to each other. */
bool wave_save_mismatch(const char *path, const char *fst_path, const lockstep *ls, const wave_range *range);

#endif
