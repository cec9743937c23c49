/* SPDX-License-Identifier: Apache-2.0
 *
 * Eq. 1 without a divider: the T_max counts are added up one per cycle, then the maximum is
 * taken off the sum once per cycle. What is counted off is the quotient, what is left decides
 * how to round.
 */
#include "sm/lcs.h"

#include <stdbool.h>

#include "common/popcount.h"

lcs_cfg lcs_cfg_default(void)
{
    return (lcs_cfg){
        .num_slots = 8,
        .issue_width = 2,
        .count_w = 32,
        .round_mode = LCS_ROUND_FLOOR,
        .throttle = LCS_THROTTLE_DRAIN,
    };
}

lcs_in lcs_in_default(void)
{
    return (lcs_in){.enable = 1};
}

void lcs_reset(lcs_state *state, const lcs_cfg *cfg)
{
    (void)cfg;
    *state = (lcs_state){.state = LCS_ST_IDLE};
}

static void start_kernel(lcs_state *s, unsigned nmax)
{
    *s = (lcs_state){.nmax = (uint8_t)nmax, .limit = (uint8_t)nmax};
    if (nmax == 0)
        s->state = LCS_ST_IDLE;
    else if (nmax == 1)
        s->state = LCS_ST_LAZY; /* nothing to decide (LCS-7) */
    else
        s->state = LCS_ST_MONITOR;
}

static unsigned slot_width(const lcs_cfg *cfg)
{
    unsigned width = 1;

    while ((cfg->num_slots - 1) >> width)
        width++;
    return width;
}

/* One more cycle could make a count wrap. All slots stop together, so that their ratio stays. */
static bool frozen(const lcs_cfg *cfg, const lcs_state *s)
{
    const uint64_t brim = (UINT64_C(1) << cfg->count_w) - 1 - cfg->issue_width;

    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        if (s->inst[slot] > brim)
            return true;
    return false;
}

static void count_issues(const lcs_cfg *cfg, lcs_state *s, const lcs_in *in)
{
    if (!in->issue_valid || frozen(cfg, s))
        return;
    const unsigned width = slot_width(cfg);

    for (unsigned lane = 0; lane < cfg->issue_width; lane++) {
        const unsigned slot = (unsigned)(in->issue_slot >> lane * width) & ((1U << width) - 1);

        if ((in->issue_valid >> lane & 1) && slot < cfg->num_slots)
            s->inst[slot]++;
    }
}

static void monitor(const lcs_cfg *cfg, lcs_state *s, const lcs_in *in)
{
    count_issues(cfg, s, in);
    if (in->cta_done) {
        s->state = LCS_ST_GATHER;
        s->index = 0;
    }
}

static void listen(lcs_state *s, const lcs_in *in)
{
    if (!in->bcast_valid)
        return;
    s->limit = in->bcast_limit;
    if (s->limit < 1)
        s->limit = 1;
    if (s->limit > s->nmax)
        s->limit = s->nmax;
    s->state = LCS_ST_THROTTLE;
}

static void gather(lcs_state *s)
{
    const uint32_t count = s->inst[s->index % BALLAST_MAX_SLOTS];

    s->sum += count;
    if (count > s->max)
        s->max = count;
    s->index++;
    if (s->index == s->nmax) {
        s->state = LCS_ST_DIVIDE;
        s->index = 0;
    }
}

static bool rounds_up(const lcs_cfg *cfg, const lcs_state *s)
{
    switch (cfg->round_mode) {
    case LCS_ROUND_CEIL: return s->sum > 0;
    case LCS_ROUND_NEAREST: return 2 * s->sum >= s->max;
    default: return false;
    }
}

static bool divided(const lcs_state *s)
{
    return s->max == 0 || s->sum < s->max;
}

/* All ones in as many bits as a limit has. */
static unsigned limit_mask(const lcs_cfg *cfg)
{
    unsigned mask = 1;

    while (mask < cfg->num_slots)
        mask = mask << 1 | 1;
    return mask;
}

static uint8_t quotient(const lcs_cfg *cfg, const lcs_state *s)
{
    if (s->max == 0) /* no CTA has issued anything: nothing speaks for fewer of them */
        return s->nmax;
    return (uint8_t)((s->index + rounds_up(cfg, s)) & limit_mask(cfg)); /* wraps before the reset only, in a state of no run */
}

static void divide(const lcs_cfg *cfg, lcs_state *s, lcs_out *out)
{
    if (!divided(s)) {
        s->sum -= s->max;
        s->index++;
        return;
    }
    out->t_new_valid = 1;
    out->t_new = quotient(cfg, s);
    s->limit = out->t_new;
    s->state = LCS_ST_THROTTLE;
}

static lcs_out levels(const lcs_cfg *cfg, const lcs_state *s)
{
    const bool known = s->state == LCS_ST_THROTTLE || s->state == LCS_ST_LAZY;

    return (lcs_out){
        .limit = s->limit,
        .done = known,
        .pause = known && cfg->throttle == LCS_THROTTLE_PAUSE,
    };
}

void lcs_step(lcs_state *state, const lcs_cfg *cfg, const lcs_in *in, lcs_out *out)
{
    *out = levels(cfg, state);
    if (!in->enable)
        return;
    if (in->kernel_start) {
        start_kernel(state, in->nmax);
        return;
    }
    switch (state->state) {
    case LCS_ST_MONITOR:
        if (in->listen)
            listen(state, in);
        else
            monitor(cfg, state, in);
        break;
    case LCS_ST_GATHER:
        gather(state);
        break;
    case LCS_ST_DIVIDE:
        divide(cfg, state, out);
        break;
    case LCS_ST_THROTTLE:
        if (ballast_popcount64(in->cta_active) <= state->limit)
            state->state = LCS_ST_LAZY;
        break;
    case LCS_ST_IDLE:
    case LCS_ST_LAZY:
        break;
    default: /* no state: left at once */
        state->state = LCS_ST_LAZY;
        break;
    }
}
