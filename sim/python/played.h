/* SPDX-License-Identifier: Apache-2.0
 *
 * What a replay of the package plays: an SM of one recording as recorded, an SM of a family, or all SMs of a chip from either.
 */
#ifndef BALLAST_KIT_PLAYED_H
#define BALLAST_KIT_PLAYED_H

#include "python/kit.h"
#include "replay/chip.h"
#include "replay/family.h"
#include "replay/open_loop.h"

enum { PLAYED_PATHS = 64 };

typedef struct played {
    char *text;                      /* what `paths` points into      */
    const char *paths[PLAYED_PATHS];
    unsigned num_paths;
    trace_geometry geometry;
    unsigned sms;                    /* that are played: 1, or a chip */
    trace_reader *reader;
    open_loop open;
    family *family;
    chip_player *chip;
    family_options how;
    stimulus stimulus;
} played;

/* False with one line in err (KIT_ERR bytes); close it all the same. */
bool played_open(played *p, const kit_replay *request, char *err);
void played_close(played *p);

#endif
