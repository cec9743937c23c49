/* SPDX-License-Identifier: Apache-2.0
 *
 * What a fuzzing input has found, in words, and as a recording that `ballast` replays to the same difference.
 */
#ifndef BALLAST_FUZZ_FINDING_H
#define BALLAST_FUZZ_FINDING_H

#include <stdio.h>

#include "fuzz/block_run.h"

/* Runs the input again, closely. `prefix`: where PREFIX.blt and PREFIX.state go; NULL: no recording. `program`: for the line
 * that replays it. */
void fuzz_explain(fuzz_block *f, const uint8_t *data, size_t size, const char *prefix, const char *program, FILE *out);

#endif
