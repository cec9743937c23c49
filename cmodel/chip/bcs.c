/* SPDX-License-Identifier: Apache-2.0
 *
 * The next CTA is one of four things. What it is decides what the one after it is.
 */
#include "chip/bcs.h"

/* NO_PAIRS: the kernel's CTAs do not go in pairs. */
enum kind { NO_PAIRS, FIRST, SECOND, ALONE };

bcs_cfg bcs_cfg_default(void)
{
    return (bcs_cfg){.pair_row_wrap = BCS_LINEAR};
}

void bcs_reset(bcs_state *state, const bcs_cfg *cfg)
{
    (void)cfg;
    *state = (bcs_state){.on = 0};
}

static bool ends_row(const bcs_state *s, const bcs_cfg *cfg)
{
    return cfg->pair_row_wrap == BCS_PER_ROW && s->row == 1;
}

static enum kind kind_of(const bcs_state *s, const bcs_cfg *cfg, const bcs_in *in)
{
    if (!s->on)
        return NO_PAIRS;
    if (s->odd)
        return s->split ? ALONE : SECOND;
    return in->last || ends_row(s, cfg) ? ALONE : FIRST;
}

void bcs_look(const bcs_state *state, const bcs_cfg *cfg, const bcs_in *in, bcs_out *out)
{
    const enum kind next = kind_of(state, cfg, in);

    *out = (bcs_out){.on = state->on, .first = next == FIRST, .second = next == SECOND, .alone = next == ALONE};
}

static void start_kernel(bcs_state *s, const bcs_in *in)
{
    *s = (bcs_state){.row = in->width, .width = in->width, .on = in->pairs};
}

/* One CTA further in the grid: its neighbour is next, or a new row. */
static void go_on(bcs_state *s, const bcs_cfg *cfg, bool alone)
{
    const bool opens_row = ends_row(s, cfg);

    s->split = !s->odd && alone;
    s->odd = opens_row ? 0 : !s->odd;
    s->row = opens_row ? s->width : s->row - 1;
}

void bcs_step(bcs_state *state, const bcs_cfg *cfg, const bcs_in *in, bcs_out *out)
{
    bcs_look(state, cfg, in, out);
    if (in->start)
        start_kernel(state, in);
    else if (in->take && out->on)
        go_on(state, cfg, in->alone || !out->first);
    if (cfg->pair_row_wrap != BCS_PER_ROW)
        state->row = state->width = 0; /* without rows */
}
