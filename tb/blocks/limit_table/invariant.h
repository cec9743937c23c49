/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of limit_table's registers in every run: the proof that model and RTL agree (doc/verification/proofs.md) starts from
 * here and shows that it stays so.
 */
#ifndef BALLAST_LIMIT_TABLE_INVARIANT_H
#define BALLAST_LIMIT_TABLE_INVARIANT_H

#include <stdbool.h>

#include "chip/limit_table.h"

/* LTB-2: an entry holds a limit that its kernel can have, or nothing at all. */
static inline bool limit_table_entry_holds(const limit_table_state *s, unsigned e)
{
    if (s->entry_id[e] == 0)
        return s->entry_nmax[e] == 0 && s->entry_limit[e] == 0;
    return s->entry_limit[e] >= 1 && s->entry_limit[e] <= s->entry_nmax[e];
}

/* LTB-3: no two entries are of one kernel. */
static inline bool limit_table_alone(const limit_table_state *s, const limit_table_cfg *cfg, unsigned e)
{
    bool alone = true;

    for (unsigned other = e + 1; other < cfg->entries; other++)
        alone &= s->entry_id[e] == 0 || s->entry_id[e] != s->entry_id[other] || s->entry_nmax[e] != s->entry_nmax[other];
    return alone;
}

/* LTB-3: the running kernel's bit is where it is remembered. */
static inline bool limit_table_own_holds(const limit_table_state *s, unsigned e)
{
    const bool is_own = s->id != 0 && s->entry_id[e] == s->id && s->entry_nmax[e] == s->nmax;

    return (s->own >> e & 1) == is_own;
}

/* LTB-4: as long as an entry is empty, the next one and all behind it are. */
static inline bool limit_table_fills_in_order(const limit_table_state *s, const limit_table_cfg *cfg, unsigned e)
{
    const bool some_empty = s->entry_id[cfg->entries - 1] == 0;

    return (s->entry_id[e] == 0) == (some_empty && e >= s->next);
}

static inline uint64_t limit_table_violated(const limit_table_state *s, const limit_table_cfg *cfg)
{
    bool hold = s->next < cfg->entries && s->own >> cfg->entries == 0;

    for (unsigned e = 0; e < cfg->entries; e++)
        hold &= limit_table_entry_holds(s, e) && limit_table_alone(s, cfg, e) && limit_table_own_holds(s, e) &&
                limit_table_fills_in_order(s, cfg, e);
    return hold ? 0 : 1;
}

#endif
