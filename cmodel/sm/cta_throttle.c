/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle is looked at first (who runs, who was counted, which slot is tested and what becomes of it: `view`). Then every part of the
 * state takes its next value from that view and the registers as they were.
 */
#include "sm/cta_throttle.h"

#include <stdbool.h>

#include "common/popcount.h"

enum direction { DOWN = -1, STAY = 0, UP = +1 };

/* What the cycle looks like before its edge. */
typedef struct view {
    uint32_t kept;    /* paused before and still there                                     */
    uint32_t running; /* hold a CTA after the edge, not one of `kept`                      */
    unsigned n;       /* how many ran in the cycle before                                  */
    unsigned goal;
    unsigned limit;
    bool requested;   /* an increase waits for its CTA                                     */
    bool still;       /* nobody comes or goes                                              */
    bool fits;        /* the slot of the search is one that could be taken                 */
    int change;       /* how many more are paused after the edge: -1, 0 or 1               */
    uint32_t taken;   /* who is paused or resumed                                          */
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
    *state = (cta_throttle_state){.num_blocks = 0};
    for (unsigned i = 0; i < cfg->num_slots; i++)
        state->order[i] = (uint8_t)i;
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

/* `slot` comes to the front. Those that stood before it, and no others, go one place back. */
static void move_to_front(cta_throttle_state *s, const cta_throttle_cfg *cfg, uint8_t slot)
{
    uint8_t hand = slot;

    for (unsigned i = 0; i < cfg->num_slots; i++) {
        const uint8_t stood_here = s->order[i];

        s->order[i] = hand;
        if (stood_here == slot)
            break;
        hand = stood_here;
    }
}

/* ---- the cycle -------------------------------------------------------------------- */

static uint32_t only(unsigned slot)
{
    return UINT32_C(1) << slot;
}

static bool may_pause(const cta_throttle_state *s, const cta_throttle_in *in)
{
    return in->pause_en && s->nmax && !in->kernel_start;
}

static unsigned counted(const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    unsigned n = 0;

    for (unsigned part = 0; part < ballast_slot_parts(cfg->num_slots); part++)
        n += s->count[part];
    return as_limit(cfg, n);
}

/* A CTA to resume is a paused one, a CTA to pause one that is not. */
static bool could_be_taken(const cta_throttle_state *s, const cta_throttle_in *in)
{
    const uint32_t wanted = s->up ? s->paused : ~s->paused;

    return in->cta_active & wanted & only(s->slot);
}

/* At most one CTA is paused or resumed per cycle (PAUSE-1, PAUSE-3), none while an epoch ends. An increase that waits is granted or
 * withdrawn before anybody is paused. */
static int change_of(const cta_throttle_state *s, const cta_throttle_in *in, const view *v)
{
    if (!may_pause(s, in) || !s->judged || !v->still || in->tick || !s->tests || !v->fits)
        return 0;
    if (s->up)
        return s->few ? -1 : 0;
    return s->many && !s->request ? +1 : 0;
}

static view look(const cta_throttle_state *s, const cta_throttle_cfg *cfg,
                 const cta_throttle_in *in)
{
    const uint32_t stays = in->cta_active & ~in->cta_done;
    view v = {.goal = in->follow ? in->target : s->num_blocks};

    v.kept = in->pause_en && !in->kernel_start ? s->paused & stays & ~in->cta_start : 0;
    v.running = (stays | in->cta_start) & ~v.kept;
    v.n = counted(s, cfg);
    v.limit = in->follow ? v.goal : as_limit(cfg, v.goal + s->request);
    v.requested = s->request;
    v.still = !in->cta_start && !in->cta_done;
    v.fits = could_be_taken(s, in);
    v.change = change_of(s, in, &v);
    v.taken = v.change ? only(s->slot) : 0;
    return v;
}

/* PAUSE-3: a paused CTA fills a free place, nobody is asked. EQ-11: an increase asks. */
static bool asks(const cta_throttle_state *s, const cta_throttle_in *in, const view *v)
{
    const bool place_free = v->n < v->goal && !s->paused;
    const bool increase = s->request && !in->follow && v->n <= s->num_blocks;

    return s->nmax && s->known && !in->cta_start && (place_free || increase);
}

/* ---- pausing --------------------------------------------------------------------- */

static void count_running(cta_throttle_state *s, const cta_throttle_cfg *cfg, const view *v)
{
    const unsigned slots = ballast_part_slots(cfg->num_slots);

    for (unsigned part = 0; part < ballast_slot_parts(cfg->num_slots); part++) {
        const uint32_t of_part = (uint32_t)((UINT64_C(1) << slots) - 1) << (part * slots);

        s->count[part] = (uint8_t)ballast_popcount64(v->running & of_part);
    }
}

/* Who has come for a request is one too many only until the next cycle grants it. */
static void judge(cta_throttle_state *s, const cta_throttle_in *in, const view *v)
{
    s->judged = s->known && v->still && !in->kernel_start && !v->change;
    s->known = !v->change;
    s->many = v->n > v->goal && v->n > 1 && !v->requested; /* PAUSE-5: never the last active one */
    s->few = v->n < v->goal || !v->n;
}

static uint32_t next_paused(const view *v)
{
    return v->change > 0 ? v->kept | v->taken : v->kept & ~v->taken;
}

/* ---- the search ------------------------------------------------------------------ */

/* Where nobody is paused, or too many run, the next one to be paused is looked for. */
static bool wants_up(const cta_throttle_state *s)
{
    return s->judged ? s->paused && !s->many : s->up;
}

static uint8_t lowest_fresh(const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        if (s->fresh & only(slot))
            return (uint8_t)slot;
    return 0;
}

/* From the youngest on for a pause, from the oldest on for a resume. */
static void test_next(cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    s->slot = s->order[s->up ? cfg->num_slots - 1 - s->next : s->next];
    s->tests = 1;
    s->next = s->next + 1u < cfg->num_slots ? (uint8_t)(s->next + 1) : 0;
}

/* The search and the launches share `slot`; launches go first. */
static void search(cta_throttle_state *s, const cta_throttle_cfg *cfg, const cta_throttle_in *in, const view *v)
{
    const bool up = wants_up(s), moves = s->moves, arrivals = s->fresh != 0;
    const uint8_t arriving = lowest_fresh(s, cfg), moving = s->slot;

    if (arrivals || moves || up != s->up || !in->pause_en || in->kernel_start) {
        s->slot = arriving;
        s->tests = 0;
        s->next = 0;
        s->up = up;
    } else if (!s->tests || !v->fits) {
        test_next(s, cfg);
    }
    if (moves)
        move_to_front(s, cfg, moving);
    s->moves = arrivals;
    if (arrivals)
        s->fresh &= ~only(arriving);
    s->fresh |= in->cta_start;
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
    const bool granted = s->known && v->n > s->num_blocks && action != DOWN; /* EQ-A12: the CTA has come */
    const bool denied = in->denied && !in->cta_start;                        /* who comes is not denied  */

    if (granted)
        s->num_blocks++;
    if (granted || action == DOWN || denied)
        s->request = 0;
}

static void act(cta_throttle_state *s, const cta_throttle_cfg *cfg, const view *v, int action)
{
    if (action == DOWN && s->num_blocks > 1) {
        s->num_blocks--;
    } else if (action == UP && s->num_blocks < s->nmax) {
        const bool resume = cfg->inc_unpause_first && v->kept; /* PAUSE-A3 */

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
}

void cta_throttle_step(cta_throttle_state *state, const cta_throttle_cfg *cfg,
                       const cta_throttle_in *in, cta_throttle_out *out)
{
    const view v = look(state, cfg, in);

    *out = (cta_throttle_out){.limit = (uint8_t)v.limit, .paused = state->paused};
    if (!in->enable)
        return;
    search(state, cfg, in, &v);
    if (in->kernel_start) {
        start_kernel(state, in);
    } else {
        out->req = asks(state, in, &v);
        out->acted = control(state, cfg, in, &v);
    }
    state->paused = next_paused(&v);
    count_running(state, cfg, &v);
    judge(state, in, &v);
}
