/* SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave views: sim/views/<block>.gtkw lists a block's signals in a readable order, without a
 * file or a time range. This makes a copy that opens a given waveform on a given range of cycles.
 */
#ifndef BALLAST_VIEWS_H
#define BALLAST_VIEWS_H

#include "engine/block.h"
#include "wave/wave.h"

/* Bit ranges are those of the variant `b`, whatever the view was made for. */
bool view_make(const char *source, const char *target, const block *b, const char *fst_path,
               const wave_range *range);

#endif
