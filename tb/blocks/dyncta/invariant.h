/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of dyncta's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_DYNCTA_INVARIANT_H
#define BALLAST_DYNCTA_INVARIANT_H

#include <stdbool.h>

#include "sm/dyncta.h"

static inline uint64_t dyncta_violated(const dyncta_state *s, const dyncta_cfg *cfg)
{
    const bool in_range = s->nmax ? s->limit >= 1 && s->limit <= s->nmax : s->limit == 0;

    return !(in_range && s->timer < cfg->period && s->idle <= s->timer && s->mem <= s->timer - s->idle);
}

#endif
