/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of limit_table's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
static inline bool limit_table_same_kernel(const limit_table_state *a, const limit_table_state *b, unsigned i, unsigned j)
{
    return a->entry_id[i] == b->entry_id[j] && a->entry_nmax[i] == b->entry_nmax[j];
}

static inline unsigned limit_table_changed(const limit_table_state *a, const limit_table_state *b, const limit_table_cfg *cfg)
{
    unsigned changed = 0;

    for (unsigned e = 0; e < cfg->entries; e++)
        changed += !limit_table_same_kernel(a, b, e, e) || a->entry_limit[e] != b->entry_limit[e];
    return changed;
}

static inline bool limit_table_no_kernel_twice(const limit_table_state *s, const limit_table_cfg *cfg)
{
    bool once = true;

    for (unsigned a = 0; a < cfg->entries; a++)
        for (unsigned b = a + 1; b < cfg->entries; b++)
            once &= s->entry_id[a] == 0 || !limit_table_same_kernel(s, s, a, b);
    return once;
}

static inline bool limit_table_limits_hold(const limit_table_state *s, const limit_table_cfg *cfg)
{
    bool hold = true;

    for (unsigned e = 0; e < cfg->entries; e++)
        hold &= s->entry_id[e] ? s->entry_limit[e] >= 1 && s->entry_limit[e] <= s->entry_nmax[e] : s->entry_limit[e] == 0;
    return hold;
}

static inline bool limit_table_finds_own(const limit_table_state *s, const limit_table_cfg *cfg)
{
    bool found = true;

    for (unsigned e = 0; e < cfg->entries; e++)
        found &= (s->own >> e & 1) == (s->id && s->id == s->entry_id[e] && s->nmax == s->entry_nmax[e]);
    return found;
}

/* Of a table with an empty entry: every kernel that it knows stays known. */
static inline bool limit_table_keeps_all(const limit_table_state *before, const limit_table_state *after, const limit_table_cfg *cfg)
{
    bool full = true, kept = true;

    for (unsigned e = 0; e < cfg->entries; e++) {
        full &= before->entry_id[e] != 0;
        kept &= before->entry_id[e] == 0 || limit_table_same_kernel(before, after, e, e);
    }
    return full || kept;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "LTB-3", "no kernel has two entries", limit_table_no_kernel_twice(after, cfg))                              \
    P(STATE, "LTB-2", "an entry has a limit of 1..Nmax, or is empty", limit_table_limits_hold(after, cfg))               \
    P(STATE, "LTB-3", "the entry of the kernel that runs is the one with its id and Nmax", limit_table_finds_own(after, cfg)) \
    P(STEP, "LTB-4", "no kernel is forgotten while an entry is empty", limit_table_keeps_all(before, after, cfg))        \
    P(EVERY, "LTB-5", "a kernel start changes no entry, nor which one is next",                                          \
      !in->kernel_start || (limit_table_changed(before, after, cfg) == 0 && after->next == before->next))                \
    P(STEP, "LTB-2", "a cycle changes one entry at most, and one without done none",                                     \
      limit_table_changed(before, after, cfg) <= (in->done != 0))                                                        \
    P(EVERY, "contract", "without enable every register holds",                                                          \
      in->enable || (limit_table_changed(before, after, cfg) == 0 && after->next == before->next &&                      \
          after->own == before->own && after->id == before->id && after->nmax == before->nmax &&                         \
          after->done_was == before->done_was))
