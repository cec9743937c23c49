/* SPDX-License-Identifier: Apache-2.0
 *
 * A start looks a kernel up, and the end of a search writes down what it found: over the kernel's own line, or over the oldest one.
 */
#include "chip/limit_table.h"

#include <stdbool.h>

limit_table_cfg limit_table_cfg_default(void)
{
    return (limit_table_cfg){.num_slots = 8, .entries = 4, .id_w = 8};
}

limit_table_in limit_table_in_default(void)
{
    return (limit_table_in){.enable = 1};
}

void limit_table_reset(limit_table_state *state, const limit_table_cfg *cfg)
{
    (void)cfg;
    *state = (limit_table_state){0};
}

/* LTB-3, LTB-5: a bit per entry. */
static uint16_t match(const limit_table_state *s, const limit_table_cfg *cfg, const limit_table_in *in)
{
    uint16_t entries = 0;

    if (in->kernel_id == 0)
        return 0;
    for (unsigned e = 0; e < cfg->entries; e++)
        if (s->entry_id[e] == in->kernel_id && s->entry_nmax[e] == in->nmax)
            entries |= (uint16_t)(1u << e);
    return entries;
}

/* LTB-2: what a cycle without a start has to remember. */
static bool is_worth_it(const limit_table_state *s, const limit_table_in *in)
{
    const bool decision = in->done && !s->done_was;

    return decision && s->id != 0 && in->limit >= 1 && in->limit <= s->nmax;
}

/* LTB-4. */
static void take_next_entry(limit_table_state *s, const limit_table_cfg *cfg)
{
    for (unsigned e = 0; e < cfg->entries; e++)
        if (e == s->next) {
            s->entry_id[e] = s->id;
            s->entry_nmax[e] = s->nmax;
        }
    s->own = (uint16_t)(1u << s->next);
    s->next = s->next + 1u == cfg->entries ? 0 : (uint8_t)(s->next + 1u);
}

static void write_down(limit_table_state *s, const limit_table_cfg *cfg, uint8_t limit)
{
    if (!s->own)
        take_next_entry(s, cfg);
    for (unsigned e = 0; e < cfg->entries; e++)
        if (s->own >> e & 1)
            s->entry_limit[e] = limit;
}

void limit_table_look(const limit_table_state *state, const limit_table_cfg *cfg, const limit_table_in *in, limit_table_out *out)
{
    const uint16_t known = in->enable && in->kernel_start ? match(state, cfg, in) : 0;

    *out = (limit_table_out){0};
    for (unsigned e = 0; e < cfg->entries; e++)
        if (known >> e & 1)
            out->hint = state->entry_limit[e];
}

void limit_table_step(limit_table_state *state, const limit_table_cfg *cfg, const limit_table_in *in, limit_table_out *out)
{
    limit_table_state *s = state;

    limit_table_look(s, cfg, in, out);
    if (!in->enable)
        return;
    if (in->kernel_start) {
        s->own = match(s, cfg, in);
        s->id = in->kernel_id;
        s->nmax = in->nmax;
        s->done_was = 0;
        return;
    }
    if (is_worth_it(s, in))
        write_down(s, cfg, in->limit);
    s->done_was = in->done;
}
