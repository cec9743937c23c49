/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a run a waveform holds.
 */
#ifndef BALLAST_EXTENT_H
#define BALLAST_EXTENT_H

#include <stdint.h>

enum { WAVE_LEAST_LIMIT_MB = 1, WAVE_DEFAULT_LIMIT_MB = 200 };

typedef struct wave_extent {
    uint64_t first, last; /* cycles of the run */
    uint64_t limit;       /* bytes of the file, 0: as many as it takes */
} wave_extent;

#endif
