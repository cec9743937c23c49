/* SPDX-License-Identifier: Apache-2.0
 *
 * The search is symmetric: walking the limit up and walking it down follow one set of
 * rules with the sign of the walk exchanged, and that is how it is written here. `walk` is
 * +1 while the machine considers more CTAs and -1 while it considers fewer.
 */
#include "sm/perfsat.h"

#include <stdbool.h>

#include "common/popcount.h"

perfsat_cfg perfsat_cfg_default(void)
{
    return (perfsat_cfg){
        .num_slots = 8,
        .count_w = 32,
        .tie = 2,
        .wd_confirm = 1,
        .toggle_limit = 3,
    };
}

perfsat_in perfsat_in_default(void)
{
    return (perfsat_in){.enable = 1};
}

void perfsat_reset(perfsat_state *state, const perfsat_cfg *cfg)
{
    (void)cfg;
    *state = (perfsat_state){.state = PERFSAT_WAIT};
}

static uint8_t initial_limit(unsigned nmax) /* PS-5 */
{
    return (uint8_t)((nmax + 1) / 2);
}

static int walk_of(const perfsat_state *s)
{
    return s->state == PERFSAT_WEAK_INC || s->state == PERFSAT_STRONG_INC ? +1 : -1;
}

static bool is_weak(const perfsat_state *s)
{
    return s->state == PERFSAT_WEAK_INC || s->state == PERFSAT_WEAK_DEC;
}

static uint8_t weak(int walk)
{
    return walk > 0 ? PERFSAT_WEAK_INC : PERFSAT_WEAK_DEC;
}

static uint8_t strong(int walk)
{
    return walk > 0 ? PERFSAT_STRONG_INC : PERFSAT_STRONG_DEC;
}

static void converge(perfsat_state *s, int limit)
{
    s->state = PERFSAT_DONE;
    s->limit = (uint8_t)limit;
}

/* PS-4, with the paper's open question of equal counts (PS-A2). */
static bool is_better(const perfsat_cfg *cfg, const perfsat_state *s, uint32_t cur, int walk)
{
    if (cur != s->prev)
        return cur < s->prev;
    return cfg->tie == 1 || (cfg->tie == 0 && walk < 0);
}

/* A change of mind. Too many of them end the search with `verdict` (PS-12, PS-16). `back`:
 * this turn undoes an earlier one, so it completes a pair (PS-A7). */
static bool turn_ends_search(const perfsat_cfg *cfg, perfsat_state *s, bool back, int verdict)
{
    if (cfg->toggle_pairs && !back)
        return false;
    if (s->toggles == cfg->toggle_limit) {
        converge(s, verdict);
        return true;
    }
    s->toggles++;
    return false;
}

/* PS-13, PS-17: one more step in a decided direction, up to the bound. */
static void advance(perfsat_state *s, int walk, uint32_t cur)
{
    const int bound = walk > 0 ? s->nmax : 1;

    s->prev = cur;
    s->history = 0;
    if (s->limit == bound) {
        converge(s, bound);
        return;
    }
    s->state = strong(walk);
    s->limit = (uint8_t)(s->limit + walk);
}

/* PS-9..PS-12: which way to go? Two coherent decisions in a row settle it. */
static void decide_direction(const perfsat_cfg *cfg, perfsat_state *s, int walk, bool better,
                             uint32_t cur)
{
    if (better) {
        /* On the way down, the worse sample that turned the walk was the first vote. */
        const unsigned needed = walk > 0 ? 2 : cfg->wd_confirm;

        if (s->history + 1u < needed) {
            s->history = 1;
            return;
        }
        s->direction = 1;
        s->toggles = 0;
        advance(s, walk, cur);
    } else if (s->history && !cfg->weak_revert) {
        s->history = 0;
    } else if (!turn_ends_search(cfg, s, walk < 0, initial_limit(s->nmax) + 1)) {
        s->prev = cur;
        s->limit = (uint8_t)(s->limit - walk);
        s->state = weak(-walk);
        s->history = walk < 0 ? (uint8_t)cfg->toggle_hist : 0;
    }
}

/* PS-13..PS-16: walk until it no longer pays, look twice before stopping. */
static void follow_direction(const perfsat_cfg *cfg, perfsat_state *s, int walk, bool better,
                             uint32_t cur)
{
    const int before = s->limit - walk; /* the last limit that was an improvement */

    if (!is_weak(s)) {
        if (better)
            advance(s, walk, cur);
        else if (!turn_ends_search(cfg, s, false, before))
            s->state = weak(walk); /* the sample is discarded: prev stays (PS-14) */
    } else if (!better) {
        converge(s, before);
    } else if (!turn_ends_search(cfg, s, true, before)) {
        if (cfg->recover_n)
            advance(s, walk, cur);
        else
            s->state = strong(walk);
    }
}

static void decide(const perfsat_cfg *cfg, perfsat_state *s, uint32_t cur)
{
    if (s->state == PERFSAT_FIRST) { /* PS-8 */
        s->prev = cur;
        s->limit++;
        s->state = PERFSAT_WEAK_INC;
        return;
    }
    const int walk = walk_of(s);
    const bool better = is_better(cfg, s, cur, walk);

    if (s->direction)
        follow_direction(cfg, s, walk, better, cur);
    else
        decide_direction(cfg, s, walk, better, cur);
}

static void start_sample(perfsat_state *s)
{
    s->timer = s->period;
    s->stalled = 0;
    s->settled = 0;
}

/* PS-6: adding Nmax in each of the One_TB cycles gives One_TB x Nmax. */
static void measure(const perfsat_cfg *cfg, perfsat_state *s, bool cta_done)
{
    const uint64_t most = (UINT64_C(1) << cfg->count_w) - 1;
    const uint64_t sum = (uint64_t)s->period + s->nmax;

    s->period = (uint32_t)(sum < most ? sum : most);
    if (cta_done) {
        s->state = PERFSAT_FIRST;
        start_sample(s);
    }
}

static bool sample_runs(const perfsat_cfg *cfg, const perfsat_state *s, uint32_t cta_active)
{
    if (!cfg->settle || s->settled)
        return true;
    const unsigned active = ballast_popcount64(cta_active);

    return cfg->settle == 1 ? active <= s->limit : active == s->limit;
}

static void sample(const perfsat_cfg *cfg, perfsat_state *s, const perfsat_in *in, perfsat_out *out)
{
    if (!sample_runs(cfg, s, in->cta_active))
        return;
    const bool stalled = in->ps_class == BALLAST_PS_SCOREBOARD || in->ps_class == BALLAST_PS_PIPELINE; /* PS-3 */

    s->stalled += stalled;
    if (s->timer == 1) {
        const uint32_t cur = s->stalled;

        out->sample_end = 1;
        start_sample(s);
        decide(cfg, s, cur);
        return;
    }
    s->timer--;
    s->settled = cfg->settle != 0;
}

static void start_kernel(perfsat_state *s, const perfsat_in *in)
{
    s->nmax = in->nmax;
    s->limit = initial_limit(in->nmax);
    s->period = 0;
    s->toggles = 0;
    s->history = 0;
    s->direction = 0;
    s->settled = 0;
    s->state = PERFSAT_WAIT;
    if (in->nmax == 1)
        s->state = PERFSAT_DONE; /* PS-17: nothing to search */
    else if (in->nmax != 0 && in->cta_start)
        s->state = PERFSAT_MEASURE;
}

void perfsat_step(perfsat_state *state, const perfsat_cfg *cfg, const perfsat_in *in,
                  perfsat_out *out)
{
    *out = (perfsat_out){.limit = state->limit, .done = state->state == PERFSAT_DONE};
    if (!in->enable)
        return;
    if (in->kernel_start) {
        start_kernel(state, in);
        return;
    }
    switch (state->state) {
    case PERFSAT_WAIT:
        if (in->cta_start && state->nmax)
            state->state = PERFSAT_MEASURE;
        break;
    case PERFSAT_MEASURE:
        measure(cfg, state, in->cta_done != 0);
        break;
    case PERFSAT_DONE:
        break;
    default:
        sample(cfg, state, in, out);
        break;
    }
}
