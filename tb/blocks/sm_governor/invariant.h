/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of sm_governor's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so. Its blocks' own invariants, and that the policy is one.
 */
#ifndef BALLAST_SM_GOVERNOR_INVARIANT_H
#define BALLAST_SM_GOVERNOR_INVARIANT_H

#include "blocks/cta_throttle/invariant.h"
#include "blocks/dyncta/invariant.h"
#include "blocks/lcs/invariant.h"
#include "blocks/perfsat/invariant.h"
#include "sm/sm_governor.h"

/* lcs has bits 0 to 32 and 63, cta_throttle 0 to 31, 41 and 44 to 46. */
static inline uint64_t sm_governor_violated(const sm_governor_state *s, const sm_governor_cfg *cfg)
{
    return lcs_violated(&s->lcs, &cfg->lcs) | perfsat_violated(&s->perfsat, &cfg->perfsat) << 40 |
           cta_throttle_violated(&s->throttle, &cfg->throttle) | dyncta_violated(&s->dyncta, &cfg->dyncta) << 42 |
           (uint64_t)(s->policy >= BALLAST_POLICIES) << 43;
}

#endif
