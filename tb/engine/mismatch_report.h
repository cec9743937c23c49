/* SPDX-License-Identifier: Apache-2.0
 *
 * A mismatch in words: what differs, what came in, both sides' values next to each other.
 */
#ifndef BALLAST_MISMATCH_REPORT_H
#define BALLAST_MISMATCH_REPORT_H

#include <stdio.h>

#include "engine/recorder.h"

/* After the careful cycle that differs. `history`: cycles of inputs to show. */
void mismatch_report(FILE *out, const lockstep *ls, const recorder *r, unsigned history);
/* A mismatch right after reset, in one line. */
void mismatch_after_reset(const lockstep *ls, uint32_t seed, char *text, size_t size);

#endif
