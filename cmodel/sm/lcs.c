/* SPDX-License-Identifier: Apache-2.0
 *
 * Eq. 1 without a divider: the T_max counts are added up one per cycle, then the maximum is
 * taken off the sum once per cycle. What is counted off is the quotient, what is left decides
 * how to round. What a cycle issues and whether a CTA finishes in it acts in the next one.
 */
#include "sm/lcs.h"

#include <stdbool.h>
#include <string.h>

#include "common/popcount.h"

lcs_cfg lcs_cfg_default(void)
{
    return (lcs_cfg){
        .num_slots = 8,
        .issue_width = 2,
        .count_w = 20,
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

/* What was active in this cycle stays known: the kernel before and this one share the slots. */
static void start_kernel(lcs_state *s, unsigned nmax)
{
    lcs_state started = {.nmax = (uint8_t)nmax, .limit = (uint8_t)nmax};

    memcpy(started.active, s->active, sizeof started.active);
    *s = started;
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

/* One count is half full. All slots stop together, so that their ratio stays; what is under way has room above the half. */
static bool frozen(const lcs_cfg *cfg, const lcs_state *s)
{
    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        if (s->inst[slot] >> (cfg->count_w - 1))
            return true;
    return false;
}

static void count_steps(const lcs_cfg *cfg, lcs_state *s)
{
    for (unsigned slot = 0; slot < cfg->num_slots; slot++) {
        s->inst[slot] += s->step[slot];
        s->step[slot] = 0;
    }
}

static void hear_issues(const lcs_cfg *cfg, lcs_state *s, const lcs_in *in)
{
    const unsigned width = slot_width(cfg);

    for (unsigned lane = 0; lane < cfg->issue_width; lane++) {
        const unsigned slot = (unsigned)(in->issue_slot >> lane * width) & ((1U << width) - 1);

        if ((in->issue_valid >> lane & 1) && slot < cfg->num_slots)
            s->step[slot]++;
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

static void monitor(const lcs_cfg *cfg, lcs_state *s, const lcs_in *in)
{
    const bool takes_no_more = frozen(cfg, s);

    count_steps(cfg, s);
    if (s->finish) { /* its cycle was the last to count */
        s->finish = 0;
        s->state = LCS_ST_GATHER;
    } else if (in->listen) {
        listen(s, in);
    } else {
        if (in->issue_valid && !takes_no_more)
            hear_issues(cfg, s, in);
        s->finish = in->cta_done != 0;
    }
}

/* The count picked in the cycle before is added, the next one is picked. */
static void gather(const lcs_cfg *cfg, lcs_state *s)
{
    s->sum += s->picked;
    if (s->picked > s->max)
        s->max = s->picked;
    if (s->index == s->nmax) { /* all are in: from now on the maximum is taken off */
        s->state = LCS_ST_DIVIDE;
        s->picked = ~s->max & (uint32_t)((UINT64_C(1) << cfg->count_w) - 1);
        s->index = 0;
        return;
    }
    s->picked = s->index < cfg->num_slots ? s->inst[s->index] : 0;
    s->index++;
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

static void divide(const lcs_cfg *cfg, lcs_state *s)
{
    if (!divided(s)) {
        s->sum -= s->max;
        s->index++;
        return;
    }
    s->limit = quotient(cfg, s);
    s->decided = 1;
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

/* T_new for the other SMs (LCS-6), once. */
static void say_t_new(lcs_state *s, lcs_out *out)
{
    out->t_new_valid = s->decided;
    out->t_new = s->decided ? s->limit : 0;
    s->decided = 0;
}

static void hear_active(const lcs_cfg *cfg, lcs_state *s, uint32_t active)
{
    const unsigned size = ballast_part_slots(cfg->num_slots);

    for (unsigned p = 0; p < BALLAST_MAX_SLOT_PARTS; p++) /* none is active in a part that there is not */
        s->active[p] = (uint8_t)ballast_popcount64(active >> p * size & ((1U << size) - 1));
}

unsigned lcs_active(const lcs_state *state, const lcs_cfg *cfg)
{
    unsigned active = 0;

    for (unsigned p = 0; p < ballast_slot_parts(cfg->num_slots); p++)
        active += state->active[p];
    return active;
}

void lcs_step(lcs_state *state, const lcs_cfg *cfg, const lcs_in *in, lcs_out *out)
{
    const bool few = lcs_active(state, cfg) <= state->limit;

    *out = levels(cfg, state);
    if (!in->enable)
        return;
    say_t_new(state, out);
    hear_active(cfg, state, in->cta_active);
    if (in->kernel_start) {
        start_kernel(state, in->nmax);
        return;
    }
    switch (state->state) {
    case LCS_ST_MONITOR:
        monitor(cfg, state, in);
        break;
    case LCS_ST_GATHER:
        gather(cfg, state);
        break;
    case LCS_ST_DIVIDE:
        divide(cfg, state);
        break;
    case LCS_ST_THROTTLE:
        if (few)
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
