/* SPDX-License-Identifier: Apache-2.0
 *
 * What limit_table's rules remember of a run, from its inputs alone (rules/rules.h): the kernels that are known, the oldest first,
 * as a list without places.
 */
#ifndef BALLAST_LIMIT_TABLE_HISTORY_H
#define BALLAST_LIMIT_TABLE_HISTORY_H

typedef struct limit_table_known {
    uint16_t id;
    uint8_t nmax, limit;
} limit_table_known;

typedef struct limit_table_history {
    limit_table_known known[LIMIT_TABLE_MAX_ENTRIES]; /* the oldest first; behind the last one all 0 */
    uint16_t id;      /* of the kernel that runs; 0: none                                            */
    uint8_t nmax;     /* its Nmax                                                                    */
    uint8_t num;      /* kernels that are known                                                      */
    uint8_t was_done; /* the search of this kernel was over in its last cycle                        */
    uint8_t spare;    /* no padding: rules/rules.h                                                   */
} limit_table_history;

static inline void limit_table_history_reset(limit_table_history *h, const limit_table_cfg *cfg)
{
    (void)cfg;
    *h = (limit_table_history){0};
}

/* LTB-3: the limit that is known of a kernel; 0: none. */
static inline unsigned limit_table_known_limit(const limit_table_history *h, const limit_table_cfg *cfg, unsigned id, unsigned nmax)
{
    unsigned limit = 0;

    for (unsigned i = 0; i < cfg->entries; i++)
        if (i < h->num && h->known[i].id == id && h->known[i].nmax == nmax)
            limit = h->known[i].limit;
    return limit;
}

/* LTB-4: the youngest one; a full list loses its oldest. */
static inline void limit_table_append(limit_table_history *h, const limit_table_cfg *cfg, limit_table_known kernel)
{
    const bool full = h->num == cfg->entries;

    for (unsigned i = 0; i < cfg->entries; i++) {
        if (full && i + 1 < cfg->entries)
            h->known[i] = h->known[i + 1];
        if (full ? i + 1 == cfg->entries : i == h->num)
            h->known[i] = kernel;
    }
    h->num += !full;
}

static inline void limit_table_learn(limit_table_history *h, const limit_table_cfg *cfg, unsigned limit)
{
    const bool is_known = limit_table_known_limit(h, cfg, h->id, h->nmax) != 0;

    for (unsigned i = 0; i < cfg->entries; i++)
        if (h->known[i].id == h->id && h->known[i].nmax == h->nmax)
            h->known[i].limit = (uint8_t)limit;
    if (!is_known)
        limit_table_append(h, cfg, (limit_table_known){h->id, h->nmax, (uint8_t)limit});
}

static inline void limit_table_remember(limit_table_history *h, const limit_table_cfg *cfg, const limit_table_in *in,
                                        const limit_table_out *out)
{
    (void)out;
    if (!in->enable)
        return;
    if (in->kernel_start) {
        h->id = in->kernel_id;
        h->nmax = in->nmax;
        h->was_done = 0;
        return;
    }
    if (h->id && in->done && !h->was_done && in->limit >= 1 && in->limit <= h->nmax)
        limit_table_learn(h, cfg, in->limit);
    h->was_done = in->done;
}

/* ---- the registers that go with it ---------------------------------------------------------- */

static inline bool limit_table_is_full(const limit_table_state *s, const limit_table_cfg *cfg)
{
    return s->entry_id[cfg->entries - 1] != 0;
}

/* The entry of the i-th oldest kernel: the oldest one is in the next entry, once the table is full. */
static inline unsigned limit_table_place(const limit_table_state *s, const limit_table_cfg *cfg, unsigned i)
{
    const unsigned place = limit_table_is_full(s, cfg) ? s->next + i : i;

    return place < cfg->entries ? place : place - cfg->entries;
}

#define BLOCK_RECALLS
static inline void limit_table_recall(limit_table_history *h, const limit_table_state *s, const limit_table_cfg *cfg)
{
    *h = (limit_table_history){.id = s->id, .nmax = s->nmax, .was_done = s->done_was};
    h->num = limit_table_is_full(s, cfg) ? (uint8_t)cfg->entries : s->next;
    for (unsigned i = 0; i < cfg->entries; i++)
        for (unsigned e = 0; e < cfg->entries; e++)
            if (e == limit_table_place(s, cfg, i))
                h->known[i] = (limit_table_known){s->entry_id[e], s->entry_nmax[e], s->entry_limit[e]};
}

static inline bool limit_table_coupled(const limit_table_history *h, const limit_table_state *s, const limit_table_cfg *cfg)
{
    (void)s;
    return h->num <= cfg->entries;
}

/* ---- the rules ------------------------------------------------------------------------------ */

#define LIMIT_TABLE_STARTS (in->enable && in->kernel_start)

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "LTB-1", "a kernel that is known starts with the limit that was found for it last, any other with none",      \
      !(LIMIT_TABLE_STARTS && in->kernel_id) || out->hint == limit_table_known_limit(was, cfg, in->kernel_id, in->nmax)) \
    H(RUN, "LTB-1", "a hint is a limit that the kernel can have", out->hint == 0 || out->hint <= in->nmax)               \
    H(RUN, "LTB-1", "there is a hint where a kernel starts, and nowhere else", LIMIT_TABLE_STARTS || out->hint == 0)     \
    H(RUN, "LTB-5", "a kernel without an id has no hint", in->kernel_id || out->hint == 0)

#endif
