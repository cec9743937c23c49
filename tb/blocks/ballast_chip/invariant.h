/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of ballast_chip's registers in every run: what holds of its governors' (doc/verification/proofs.md).
 */
#ifndef BALLAST_BALLAST_CHIP_INVARIANT_H
#define BALLAST_BALLAST_CHIP_INVARIANT_H

#include "blocks/chip_governor/invariant.h"
#include "chip/ballast_chip.h"

static inline uint64_t ballast_chip_violated(const ballast_chip_state *s, const ballast_chip_cfg *cfg)
{
    return chip_governor_violated(&s->governor, &cfg->governor);
}

#endif
