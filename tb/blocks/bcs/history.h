/* SPDX-License-Identifier: Apache-2.0
 *
 * What bcs' rules remember of a run, from its inputs alone (rules/rules.h): how many CTAs came before the next one, in its row or in
 * the grid, and whether the last one opened a pair.
 */
#ifndef BALLAST_BCS_HISTORY_H
#define BALLAST_BCS_HISTORY_H

typedef struct bcs_history {
    uint32_t place;  /* CTAs before the next one              */
    uint32_t width;  /* of a row; BCS-A1: without rows 0      */
    uint8_t pairs;   /* the kernel's CTAs go in pairs         */
    uint8_t opened;  /* the last CTA was the first of a pair  */
    uint8_t pad[2];
} bcs_history;

static inline void bcs_history_reset(bcs_history *h, const bcs_cfg *cfg)
{
    (void)cfg;
    *h = (bcs_history){.pairs = 0};
}

/* ---- this cycle ------------------------------------------------------------------------ */

/* BCS-A1. A place that is as far as 32 bits reach has no end. */
static inline bool bcs_ends_row(const bcs_history *h, const bcs_cfg *cfg)
{
    return cfg->pair_row_wrap == BCS_PER_ROW && h->place + 1 == h->width;
}

/* BCS-1, BCS-A1, BCS-A4: its neighbour is there, and is not in a pair already. */
static inline bool bcs_may_open(const bcs_history *h, const bcs_cfg *cfg, const bcs_in *in)
{
    return h->pairs && h->place % 2 == 0 && !in->last && !bcs_ends_row(h, cfg);
}

/* ---- what is remembered ------------------------------------------------------------------ */

static inline void bcs_remember(bcs_history *h, const bcs_cfg *cfg, const bcs_in *in, const bcs_out *out)
{
    const bool ends = bcs_ends_row(h, cfg);

    (void)out;
    if (in->start) {
        *h = (bcs_history){.width = cfg->pair_row_wrap == BCS_PER_ROW ? in->width : 0, .pairs = in->pairs};
    } else if (in->take && h->pairs) {
        h->opened = bcs_may_open(h, cfg, in) && !in->alone;
        h->place = ends ? 0 : h->place + 1;
    }
}

static inline bool bcs_coupled(const bcs_history *h, const bcs_state *s, const bcs_cfg *cfg)
{
    const bool rows = cfg->pair_row_wrap == BCS_PER_ROW;

    return s->on == h->pairs && s->odd == h->place % 2 && (s->odd ? s->split == !h->opened : !h->opened) && s->width == h->width &&
           s->row == (rows ? h->width - h->place : 0) && h->pad[0] == 0 && h->pad[1] == 0;
}

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "BCS-2", "CTAs go in pairs if that was asked for when their kernel started", out->on == was->pairs)           \
    H(RUN, "BCS-2", "a kernel without pairs hears of none", was->pairs || !(out->first || out->second || out->alone))    \
    H(RUN, "BCS-1", "a CTA may open a pair at an even place, if its neighbour is there",                                 \
      out->first == bcs_may_open(was, cfg, in))                                                                          \
    H(RUN, "BCS-1", "the CTA after the first one of a pair is the second one, and no other is",                          \
      out->second == (was->pairs && was->opened))                                                                        \
    H(RUN, "BCS-A4", "the last CTA of the grid goes alone, if it is no second one",                                      \
      !was->pairs || !in->last || out->alone == !was->opened)                                                            \
    H(RUN, "BCS-A1", "with pairs in each row, the last CTA of a row of odd width goes alone",                            \
      !was->pairs || cfg->pair_row_wrap != BCS_PER_ROW || was->place % 2 || was->place + 1 != was->width || out->alone)  \
    H(RUN, "BCS-A2", "the neighbour of a CTA that went alone goes alone",                                                \
      !was->pairs || was->place % 2 == 0 || was->opened || out->alone)

#endif
