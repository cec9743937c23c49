/* SPDX-License-Identifier: Apache-2.0 */
#include "chip/vf_scout.h"

vf_scout_cfg vf_scout_cfg_default(void)
{
    return (vf_scout_cfg){.issue_width = 2, .window = 2048, .settle = 1024, .warmup = 12288, .sm_up = 4, .mem_up = 4, .sm_down = 3, .mem_down = 5};
}

vf_scout_in vf_scout_in_default(void)
{
    return (vf_scout_in){.enable = 1, .mode = BALLAST_VF_PERFORMANCE, .sm_level = BALLAST_VF_NORMAL, .mem_level = BALLAST_VF_NORMAL};
}

void vf_scout_reset(vf_scout_state *state, const vf_scout_cfg *cfg)
{
    (void)cfg;
    *state = (vf_scout_state){.state = VF_SCOUT_ST_IDLE};
}

/* ---- levels ------------------------------------------------------------------------------ */

static uint8_t target_of(const vf_scout_state *s, bool moved)
{
    if (!moved)
        return BALLAST_VF_NORMAL;
    return s->mode == BALLAST_VF_PERFORMANCE ? BALLAST_VF_HIGH : BALLAST_VF_LOW;
}

static bool searches(const vf_scout_state *s)
{
    return s->state == VF_SCOUT_ST_BASE || s->state == VF_SCOUT_ST_LOOK || s->state == VF_SCOUT_ST_BACK;
}

/* Both domains are where they are wanted, and stay there. */
static bool arrived(const vf_scout_state *s, const vf_scout_in *in)
{
    return in->sm_level == target_of(s, s->sm_moved) && in->mem_level == target_of(s, s->mem_moved) && !in->sm_busy && !in->mem_busy;
}

static void ask(uint8_t level, uint8_t busy, uint8_t target, uint8_t *up, uint8_t *down)
{
    *up = !busy && level < target;
    *down = !busy && level > target;
}

static void show(const vf_scout_state *s, const vf_scout_in *in, vf_scout_out *out)
{
    *out = (vf_scout_out){.hold = 0};
    if (!in->enable)
        return;
    ask(in->sm_level, in->sm_busy, target_of(s, s->sm_moved), &out->sm_up, &out->sm_down);
    ask(in->mem_level, in->mem_busy, target_of(s, s->mem_moved), &out->mem_up, &out->mem_down);
    out->hold = searches(s) && !in->look; /* a look that began in the same cycle goes on to its end */
}

static void move(vf_scout_state *s, bool moved)
{
    if (s->domain)
        s->mem_moved = moved;
    else
        s->sm_moved = moved;
}

/* ---- the search -------------------------------------------------------------------------- */

static void settle(vf_scout_state *s)
{
    s->step = VF_SCOUT_SETTLE;
    s->timer = 0;
    s->acc = 0;
}

static void go_to(vf_scout_state *s, uint8_t state)
{
    s->state = state;
    settle(s);
}

static void search(vf_scout_state *s, uint8_t mode)
{
    s->mode = mode;
    s->domain = s->stage = s->sm_moved = s->mem_moved = 0;
    go_to(s, VF_SCOUT_ST_BASE);
}

/* VFS-3, VFS-4: the count of a look as it has to be at least that of the windows around it, for the change to pay. */
static uint32_t worth(const vf_scout_state *s, const vf_scout_cfg *cfg)
{
    const uint32_t n = s->acc;

    if (s->mode == BALLAST_VF_PERFORMANCE)
        return s->domain ? n - (n >> cfg->mem_up) : n + (n >> cfg->sm_up);
    return s->domain ? n + (n >> cfg->mem_down) : n - (n >> cfg->sm_down);
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static void weigh(vf_scout_state *s, const vf_scout_cfg *cfg)
{
    if (s->state == VF_SCOUT_ST_LOOK)
        s->acc = worth(s, cfg);
    else if (s->state == VF_SCOUT_ST_REST && s->known)
        s->acc = distance(s->acc, s->base);
    s->step = VF_SCOUT_JUDGE;
}

static void next_domain(vf_scout_state *s)
{
    s->stage = 0;
    s->known = s->odd = 0;
    if (s->domain) {
        go_to(s, VF_SCOUT_ST_REST);
        return;
    }
    s->domain = 1;
    go_to(s, VF_SCOUT_ST_BASE);
}

/* VFS-2: there and back. */
static void judge_back(vf_scout_state *s)
{
    const bool better = s->base >= s->acc;

    if (better != s->better && !s->stage) {
        s->stage = 1;
        go_to(s, VF_SCOUT_ST_BASE);
        return;
    }
    move(s, better && s->better);
    next_domain(s);
}

/* VFS-7 */
static void judge_rest(vf_scout_state *s)
{
    const bool apart = s->known && s->acc > s->base >> 2;

    if (apart && s->odd) {
        search(s, s->mode);
        return;
    }
    if (!s->known)
        s->base = s->acc;
    s->odd = apart;
    s->known = 1;
    s->step = VF_SCOUT_COUNT;
    s->acc = 0;
}

static void judge(vf_scout_state *s)
{
    switch (s->state) {
    case VF_SCOUT_ST_BASE:
        s->base = s->acc;
        move(s, true);
        go_to(s, VF_SCOUT_ST_LOOK);
        break;
    case VF_SCOUT_ST_LOOK:
        s->better = s->acc >= s->base;
        s->base = s->acc;
        move(s, false);
        go_to(s, VF_SCOUT_ST_BACK);
        break;
    case VF_SCOUT_ST_BACK: judge_back(s); break;
    default: judge_rest(s);
    }
}

/* ---- cycles ------------------------------------------------------------------------------ */

static void start_kernel(vf_scout_state *s)
{
    *s = (vf_scout_state){.state = VF_SCOUT_ST_WAIT, .first = 1};
}

/* VFS-1 */
static void wait(vf_scout_state *s, const vf_scout_cfg *cfg, const vf_scout_in *in)
{
    if (in->look)
        s->timer = 0;
    else if (s->timer < cfg->warmup)
        s->timer++;
    else if (!s->first || s->ready)
        search(s, in->mode);
}

static bool waited(vf_scout_state *s, uint32_t cycles)
{
    s->timer++;
    if (s->timer != (uint16_t)cycles)
        return false;
    s->timer = 0;
    return true;
}

static void measure(vf_scout_state *s, const vf_scout_cfg *cfg, const vf_scout_in *in)
{
    const uint32_t window = s->stage || s->state == VF_SCOUT_ST_REST ? 4 * cfg->window : cfg->window;

    switch (s->step) {
    case VF_SCOUT_SETTLE:
        if (waited(s, cfg->settle))
            s->step = VF_SCOUT_COUNT;
        break;
    case VF_SCOUT_COUNT:
        s->acc += (uint32_t)__builtin_popcount(in->issue_valid);
        if (waited(s, window))
            s->step = VF_SCOUT_WEIGH;
        break;
    case VF_SCOUT_WEIGH: weigh(s, cfg); break;
    default: judge(s);
    }
}

static void run(vf_scout_state *s, const vf_scout_cfg *cfg, const vf_scout_in *in)
{
    const bool rests = s->state == VF_SCOUT_ST_REST;

    if (in->mode != s->mode || (rests && in->ready && !s->ready))
        search(s, in->mode);
    else if (!arrived(s, in) || in->look || (rests && !in->ready))
        settle(s);
    else
        measure(s, cfg, in);
}

void vf_scout_step(vf_scout_state *state, const vf_scout_cfg *cfg, const vf_scout_in *in, vf_scout_out *out)
{
    show(state, in, out);
    if (!in->enable)
        return;
    if (in->kernel_start) {
        start_kernel(state);
        return;
    }
    if (state->state == VF_SCOUT_ST_IDLE)
        return;
    if (state->state == VF_SCOUT_ST_WAIT)
        wait(state, cfg, in);
    else
        run(state, cfg, in);
    if (in->cta_done)
        state->first = 0;
    state->ready = in->ready;
}
