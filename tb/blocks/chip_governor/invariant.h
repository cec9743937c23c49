/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of chip_governor's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so. The own invariants of its governors and its search, that all SMs are in the same
 * cycle of an epoch (EQ-A20), and that the search runs with the kernels that are its (SCT-9). A proof around the governors (STEP_PART) does not know what is in them, and does without.
 */
#ifndef BALLAST_CHIP_GOVERNOR_INVARIANT_H
#define BALLAST_CHIP_GOVERNOR_INVARIANT_H

#include "chip/chip_governor.h"
#include "blocks/limit_table/invariant.h"
#include "blocks/scout/invariant.h"
#include "blocks/sm_governor/invariant.h"
#include "blocks/vf_scout/invariant.h"

/* sm_governor has bits up to 43. */
enum { BALLAST_EPOCHS_DIFFER = 44, BALLAST_SEARCH_DIFFERS = 45, BALLAST_SCOUT = 46, BALLAST_TABLE = 57, BALLAST_LEVELS = 58 };

static inline uint64_t chip_governor_violated(const chip_governor_state *s, const chip_governor_cfg *cfg)
{
    uint64_t violated = scout_violated(&s->scout, &cfg->scout) << BALLAST_SCOUT |
                        (uint64_t)(limit_table_violated(&s->table, &cfg->table) != 0) << BALLAST_TABLE |
                        (uint64_t)(vf_scout_violated(&s->levels, &cfg->levels) != 0) << BALLAST_LEVELS;

#ifndef STEP_PART
    violated |= (uint64_t)(s->search != (s->sm[0].policy == BALLAST_POLICY_SCOUT)) << BALLAST_SEARCH_DIFFERS;
#endif
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        violated |= sm_governor_violated(&s->sm[i], &cfg->sm);
#ifndef STEP_PART
        violated |= (uint64_t)(s->sm[i].counters.cycle != s->sm[0].counters.cycle) << BALLAST_EPOCHS_DIFFER;
#endif
    }
    return violated;
}

#endif
