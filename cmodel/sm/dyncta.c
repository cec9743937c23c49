/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/dyncta.h"

dyncta_cfg dyncta_cfg_default(void)
{
    return (dyncta_cfg){.num_slots = 8, .period = 2048};
}

dyncta_in dyncta_in_default(void)
{
    return (dyncta_in){
        .enable = 1,
        .t_idle = DYNCTA_T_IDLE,
        .t_mem_l = DYNCTA_T_MEM_L,
        .t_mem_h = DYNCTA_T_MEM_H,
    };
}

void dyncta_reset(dyncta_state *state, const dyncta_cfg *cfg)
{
    (void)cfg;
    *state = (dyncta_state){0};
}

static void start_sample(dyncta_state *s)
{
    s->timer = 0;
    s->idle = 0;
    s->mem = 0;
}

static void start_kernel(dyncta_state *s, unsigned nmax)
{
    s->nmax = (uint8_t)nmax;
    s->limit = (uint8_t)(nmax > 1 ? nmax / 2 : nmax); /* DYN-1 */
    start_sample(s);
}

/* DYN-2: CTAs more (+1), less (-1) or as many (0). */
static int wanted_step(const dyncta_state *s, const dyncta_in *in)
{
    if (s->idle > in->t_idle)
        return +1;
    if (s->mem < in->t_mem_l)
        return +1;
    return s->mem > in->t_mem_h ? -1 : 0;
}

static void decide(dyncta_state *s, const dyncta_in *in)
{
    const int limit = s->limit + wanted_step(s, in);

    if (limit >= 1 && limit <= s->nmax)
        s->limit = (uint8_t)limit;
}

void dyncta_step(dyncta_state *state, const dyncta_cfg *cfg, const dyncta_in *in, dyncta_out *out)
{
    *out = (dyncta_out){.limit = state->limit};
    if (!in->enable)
        return;
    if (in->kernel_start) {
        start_kernel(state, in->nmax);
        return;
    }
    if (!state->nmax)
        return;
    state->idle += in->lcs_class == BALLAST_LCS_IDLE;
    state->mem += in->lcs_class == BALLAST_LCS_MEM_STALL;
    state->timer++;
    if (state->timer == cfg->period) {
        out->sample_end = 1;
        decide(state, in);
        start_sample(state);
    }
}
