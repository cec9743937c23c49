/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of ballast_chip's registers in every run (doc/verification/proofs.md): what holds of its governors', and that NMAX is one that
 * they take.
 */
#ifndef BALLAST_BALLAST_CHIP_INVARIANT_H
#define BALLAST_BALLAST_CHIP_INVARIANT_H

#include "blocks/chip_governor/invariant.h"
#include "chip/ballast_chip.h"

/* chip_governor has the others. */
enum { CHIP_NMAX_ABOVE = 63 };

static inline uint64_t ballast_chip_violated(const ballast_chip_state *s, const ballast_chip_cfg *cfg)
{
    return chip_governor_violated(&s->governor, &cfg->governor) | (uint64_t)(s->regs.nmax > cfg->regs.num_slots) << CHIP_NMAX_ABOVE;
}

#endif
