/* SPDX-License-Identifier: Apache-2.0
 *
 * Feedback beyond the coverage of code: which values the registers have taken. Verilated RTL computes most of a block in
 * straight lines, so that a counter that is full or two counts that are equal run through no line of their own.
 */
#ifndef BALLAST_FUZZ_MARKS_H
#define BALLAST_FUZZ_MARKS_H

#include "engine/lockstep.h"

void fuzz_marks_watch(const lockstep_instance *inst);

#endif
