/* SPDX-License-Identifier: Apache-2.0
 *
 * The SMs of a chip, fed from recordings of fewer SMs.
 *
 * A recording holds a few SMs cycle by cycle (the shipped ones SM 0 and SM 1). Of the R recorded
 * streams, SM i of the chip plays number i mod R, `skew` cycles later than the SM that plays it
 * before: SM 0 to R - 1 the recorded ones at once, and no two SMs do the same in the same cycle.
 * Before its stream begins and after it has ended an SM is empty.
 */
#ifndef BALLAST_CHIP_PLAYER_H
#define BALLAST_CHIP_PLAYER_H

#include "engine/stimulus.h"
#include "replay/family.h"
#include "recording/trace.h"

/* A family needs all its files open, so there is a bound on how many play at once. */
enum { CHIP_MAX_SMS = TRACE_MAX_SMS, CHIP_FAMILIES = 16, CHIP_MAX_SKEW = 100000 };

typedef struct chip_player chip_player;

/* Open loop: one recording as it is. NULL and a one-line text if that cannot be played. */
chip_player *chip_open(const char *path, unsigned num_sms, unsigned skew, trace_err *err);
/* A family of recordings: every SM moves among them by its own limit, up to CHIP_FAMILIES of them;
 * SM i beyond plays what SM i mod CHIP_FAMILIES has played, later. options->sm is not used. */
chip_player *chip_open_family(const char *const *paths, unsigned num_paths, const family_options *options,
                              unsigned num_sms, unsigned skew, trace_err *err);
/* Open loop: the recorded streams begin together, whatever their cycle numbers say. */
void chip_begin_together(chip_player *player);
void chip_close(chip_player *player);
stimulus chip_stimulus(chip_player *player);
const trace_meta *chip_meta(const chip_player *player);

#endif
