/* SPDX-License-Identifier: Apache-2.0
 *
 * The ages move first. Then a cycle is looked at (who is resident, who runs, who is paused or resumed: `view`), and
 * every other part of the state takes its next value from that view and the registers as they were.
 */
#include "sm/cta_throttle.h"

#include <stdbool.h>

#include "common/popcount.h"

enum direction { DOWN = -1, STAY = 0, UP = +1 };

/* What the cycle looks like before its edge. */
typedef struct view {
    uint32_t kept;    /* paused before and still there                           */
    uint32_t running; /* will hold a CTA after the edge, not one of `kept`       */
    uint32_t paused;  /* next value of the mask                                  */
    unsigned n;       /* number of running CTAs                                  */
    unsigned goal;
    unsigned limit;
    int change;       /* how many more are paused after the edge: -1, 0 or 1     */
} view;

cta_throttle_cfg cta_throttle_cfg_default(void)
{
    return (cta_throttle_cfg){
        .num_slots = 8,
        .hyst_epochs = 3,
        .hyst_same_dir = 1,
        .inc_unpause_first = 1,
        .grant_feedback = 1,
    };
}

cta_throttle_in cta_throttle_in_default(void)
{
    return (cta_throttle_in){.enable = 1, .pause_en = 1};
}

void cta_throttle_reset(cta_throttle_state *state, const cta_throttle_cfg *cfg)
{
    (void)cfg;
    *state = (cta_throttle_state){.num_blocks = 0};
}

static uint32_t all_slots(const cta_throttle_cfg *cfg)
{
    return (uint32_t)((UINT64_C(1) << cfg->num_slots) - 1);
}

/* Values of limits wrap as a register of width $clog2(NumSlots + 1) does. */
static unsigned as_limit(const cta_throttle_cfg *cfg, unsigned value)
{
    unsigned mask = 1;

    while (mask < cfg->num_slots)
        mask = mask << 1 | 1;
    return value & mask;
}

/* ---- ages ------------------------------------------------------------------------ */

/* What they are after the edge. A launch makes its slot younger than all others; of two launches at once, the higher slot is
 * the younger: whatever the lower slot does, a launch in the higher one sets the bit. */
static void update_ages(cta_throttle_state *s, const cta_throttle_cfg *cfg, uint32_t start)
{
    const uint32_t all = all_slots(cfg);

    for (unsigned i = 0; i < cfg->num_slots; i++) {
        const uint32_t above = all & ~(uint32_t)((UINT64_C(2) << i) - 1);
        const uint32_t held = start >> i & 1 ? 0 : s->older[i];

        s->older[i] = (held | start) & above;
    }
}

static bool is_older(const cta_throttle_state *s, unsigned a, unsigned b)
{
    return a < b ? s->older[a] >> b & 1 : !(s->older[b] >> a & 1);
}

/* Slots of `set` with no slot of `set` beyond them: one slot, as ages are an order. */
static uint32_t extreme(const cta_throttle_state *s, const cta_throttle_cfg *cfg, uint32_t set,
                        bool youngest)
{
    uint32_t found = 0;

    for (unsigned i = 0; i < cfg->num_slots; i++) {
        bool last = set >> i & 1;

        for (unsigned j = 0; j < cfg->num_slots; j++) {
            if (j != i && set >> j & 1)
                last = last && is_older(s, i, j) != youngest;
        }
        found |= (uint32_t)last << i;
    }
    return found;
}

/* ---- pausing --------------------------------------------------------------------- */

static bool may_pause(const cta_throttle_state *s, const cta_throttle_in *in)
{
    return in->pause_en && s->nmax;
}

/* At most one CTA is paused or resumed per cycle (PAUSE-1, PAUSE-3). */
static int change_of(const view *v)
{
    if (v->n > v->limit && v->n > 1) /* PAUSE-5: never the last active one */
        return +1;
    return v->kept && (v->n < v->goal || v->n == 0) ? -1 : 0;
}

static uint32_t next_paused(const cta_throttle_state *s, const cta_throttle_cfg *cfg, const view *v)
{
    if (v->change > 0)
        return v->kept | extreme(s, cfg, v->running, true);
    if (v->change < 0)
        return v->kept & ~extreme(s, cfg, v->kept, false);
    return v->kept;
}

static bool some_stay_paused(const view *v)
{
    return (int)ballast_popcount64(v->kept) + v->change > 0;
}

static view look(const cta_throttle_state *s, const cta_throttle_cfg *cfg,
                 const cta_throttle_in *in)
{
    const uint32_t stays = in->cta_active & ~in->cta_done;
    view v = {.goal = in->follow ? in->target : s->num_blocks};

    v.kept = may_pause(s, in) ? s->paused & stays & ~in->cta_start : 0;
    v.running = (stays | in->cta_start) & ~v.kept;
    v.n = ballast_popcount64(v.running);
    v.limit = in->follow ? v.goal : as_limit(cfg, v.goal + s->request);
    v.change = may_pause(s, in) ? change_of(&v) : 0;
    v.paused = next_paused(s, cfg, &v);
    return v;
}

/* PAUSE-3: a paused CTA fills a free place, nobody is asked. EQ-11: an increase asks. */
static bool asks(const cta_throttle_state *s, const cta_throttle_in *in, const view *v)
{
    const bool place_free = v->n < v->goal && !v->kept;
    const bool increase = s->request && !in->follow && v->n <= s->num_blocks;

    return s->nmax && (place_free || increase);
}

/* ---- numBlocks ------------------------------------------------------------------- */

static int direction_of(const cta_throttle_in *in)
{
    if (!in->inc == !in->dec)
        return STAY;
    return in->inc ? UP : DOWN;
}

/* EQ-10, EQ-A13: one decision more. Returns the action that fires, or STAY. */
static int filter(cta_throttle_state *s, const cta_throttle_cfg *cfg, int direction)
{
    const bool up = direction == UP;
    unsigned run = 1;

    if (direction == STAY) {
        s->run = 0;
        return STAY;
    }
    if (!cfg->hyst_same_dir || up == s->run_up)
        run = s->run + 1u;
    s->run_up = up;
    if (run >= cfg->hyst_epochs) {
        s->run = 0;
        return direction;
    }
    s->run = (uint8_t)run;
    return STAY;
}

/* An increase waits for its CTA. Another increase meanwhile adds nothing; a decrease withdraws
 * it, even in the cycle the CTA comes. */
static void settle_request(cta_throttle_state *s, const cta_throttle_in *in, const view *v,
                           int action)
{
    const bool granted = v->n > s->num_blocks && action != DOWN; /* EQ-A12: the CTA has come */

    if (granted)
        s->num_blocks++;
    if (granted || action == DOWN || in->denied)
        s->request = 0;
}

static void act(cta_throttle_state *s, const cta_throttle_cfg *cfg, const view *v, int action)
{
    if (action == DOWN && s->num_blocks > 1) {
        s->num_blocks--;
    } else if (action == UP && s->num_blocks < s->nmax) {
        const bool resume = cfg->inc_unpause_first && some_stay_paused(v); /* PAUSE-A3 */

        if (resume || !cfg->grant_feedback)
            s->num_blocks++;
        else
            s->request = 1;
    }
}

/* One epoch and one pending increase. Returns whether the hysteresis fired. */
static bool control(cta_throttle_state *s, const cta_throttle_cfg *cfg, const cta_throttle_in *in,
                    const view *v)
{
    int action = STAY;

    if (in->follow) {
        s->run = 0;
        s->request = 0;
        return false;
    }
    if (!s->nmax)
        return false;
    if (in->tick)
        action = filter(s, cfg, direction_of(in));
    if (s->request)
        settle_request(s, in, v, action);
    else
        act(s, cfg, v, action);
    return action != STAY;
}

static void start_kernel(cta_throttle_state *s, const cta_throttle_in *in)
{
    s->nmax = in->nmax;
    s->num_blocks = in->nmax; /* EQ-A11 */
    s->run = 0;               /* EQ-A14 */
    s->run_up = 0;
    s->request = 0;
    s->paused = 0;
}

void cta_throttle_step(cta_throttle_state *state, const cta_throttle_cfg *cfg,
                       const cta_throttle_in *in, cta_throttle_out *out)
{
    view v;

    if (in->enable && in->cta_start) /* first, so that a CTA launched in this cycle is the youngest for the rest of it */
        update_ages(state, cfg, in->cta_start);
    v = look(state, cfg, in);
    *out = (cta_throttle_out){.limit = (uint8_t)v.limit, .paused = state->paused};
    if (!in->enable)
        return;
    if (in->kernel_start) {
        start_kernel(state, in);
    } else {
        out->req = asks(state, in, &v);
        out->acted = control(state, cfg, in, &v);
        state->paused = v.paused;
    }
}
