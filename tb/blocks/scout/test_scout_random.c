/* SPDX-License-Identifier: Apache-2.0
 *
 * scout, twin against twin: in runs with random kernels, and in single steps from drawn states, with counts beside what decides.
 */
#include "blocks/scout/invariant.h"
#include "engine/random.h"
#include "engine/step_fixture.h"
#include "engine/suite_fixture.h"

/* A speed for so many slices, now and then noise. */
static void draw_inputs(void *inputs, const void *configuration, uint64_t *seed, unsigned n)
{
    const scout_cfg *cfg = configuration;
    scout_in *in = inputs;
    static const uint8_t levels[] = {0, 60, 64, 100, 120, 126, 128, 128};
    static unsigned speed, noise, sum;

    if (n == 0)
        speed = 100, noise = sum = 0;
    if (random_next(seed) % (UINT64_C(25) * cfg->slice) == 0) {
        speed = levels[random_next(seed) % 8];
        noise = random_next(seed) % 4 == 0;
    }
    in->issue_valid = 0;
    for (unsigned lane = 0; lane < cfg->issue_width; lane++) {
        sum += noise ? (unsigned)(random_next(seed) % (2 * speed + 1)) : speed;
        in->issue_valid |= (uint8_t)((sum >= 128) << lane);
        sum -= sum >= 128 ? 128 : 0;
    }
    in->kernel_start = n == 3 || random_next(seed) % (UINT64_C(6000) * cfg->slice) == 0;
    in->nmax = (uint8_t)(random_next(seed) % 4 ? cfg->num_slots : random_next(seed));
    in->hint = (uint8_t)(random_next(seed) % 4 ? 0 : random_next(seed));
    in->cta_done = (uint32_t)(random_next(seed) % (UINT64_C(300) * cfg->slice) == 0 ? random_next(seed) : 0);
    in->enable = random_next(seed) % 50 != 0;
}

static void draw_search(step_fixture *f, scout_state *s)
{
    s->best = (uint8_t)(1 + step_random(f, s->nmax));
    s->top = (uint8_t)(s->best + step_random(f, s->nmax - s->best + 1u));
    s->low = (uint8_t)step_random(f, s->best);
    if (s->state == SCOUT_ST_DONE) {
        s->top = s->best;
        s->low = s->best - 1;
        s->refine = s->stage = 1;
        s->cand = (uint8_t)(1 + step_random(f, s->nmax));
        s->known = step_random(f, 4) != 0;
        s->odd = s->known && step_random(f, 2);
        return;
    }
    switch (step_random(f, 4)) {
    case 0:
        s->stage = 1;
        s->cand = s->top;
        break;
    case 1: s->cand = (uint8_t)(s->best > 1 ? 1 + step_random(f, s->best - 1u) : 0); break;
    default:
        s->refine = 1;
        s->stage = (uint8_t)step_random(f, 4);
        s->cand = (uint8_t)(s->low + 1 + step_random(f, s->top - s->low));
    }
}

static void adds(scout_state *s, uint32_t x, bool one)
{
    s->arg = x;
    s->one = one;
}

static void takes(const scout_cfg *cfg, scout_state *s, uint32_t x, bool one)
{
    s->arg = scout_inverted(x, cfg);
    s->one = one;
}

/* What StepOff and the steps after it find in arg_q and one_q, but in StBase (the page's table). */
static void draw_other_arg(const scout_cfg *cfg, scout_state *s)
{
    const uint32_t slices = scout_window_slices(s, cfg), margin = scout_margin_then(s, cfg);
    const bool fewer = s->cand < s->best, look = s->state == SCOUT_ST_LOOK;

    switch (s->step) {
    case SCOUT_OFF: takes(cfg, s, look ? s->base / slices : s->base, true); break;
    case SCOUT_REST: takes(cfg, s, s->settle || s->index + 1u != slices ? 0 : s->base % slices, true); break;
    case SCOUT_ROWS:
    case SCOUT_PAUSE: adds(s, s->base >> (3 + 2 * s->stage), false); break;
    case SCOUT_MARGIN: s->state == SCOUT_ST_BACK || (look && !fewer) ? takes(cfg, s, margin, false) : adds(s, margin, false); break;
    case SCOUT_BELOW: adds(s, scout_doubt_then(s, cfg), false); break;
    case SCOUT_ABOVE: takes(cfg, s, scout_doubt_then(s, cfg), s->state != SCOUT_ST_DONE); break;
    case SCOUT_RESTORE: fewer ? takes(cfg, s, margin, true) : adds(s, margin, true); break;
    case SCOUT_MIX: adds(s, s->base, false); break;
    case SCOUT_BRACKET: takes(cfg, s, s->base, true); break;
    case SCOUT_ACT: adds(s, 0, false); break;
    default: adds(s, s->credit, false); /* StepSpent, StepRoom */
    }
}

/* Where halves are compared: by how much they differ, beside the part that is asked for. */
static int32_t draw_halves(step_fixture *f, const scout_cfg *cfg, scout_state *s, bool whole, int32_t acc)
{
    const uint32_t part = s->base >> (s->step - SCOUT_SPENT + 1);
    const int32_t beside = (int32_t)step_random(f, 3) - 1;

    if (whole)
        acc = ((int32_t)part + beside) * (step_random(f, 2) ? 1 : -1);
    if (whole ? acc >= 0 : step_random(f, 2))
        takes(cfg, s, part, false);
    else
        adds(s, part, false);
    return acc;
}

/* The same in StBase, and the sum that goes with it where a window ends. */
static int32_t draw_base_arg(step_fixture *f, const scout_cfg *cfg, scout_state *s, int32_t acc)
{
    const int32_t beside = (int32_t)step_random(f, 3) - 1, slice = (int32_t)(s->base / scout_window_slices(s, cfg));
    const bool whole = s->settle == 0 && s->index + 1u == scout_window_slices(s, cfg);
    const int32_t earned = (int32_t)(s->base >> (step_random(f, 2) ? 3 : 7));

    switch (s->step) {
    case SCOUT_OFF: takes(cfg, s, 2 * s->base & ((UINT32_C(1) << scout_count_width(cfg)) - 1), true); return acc;
    case SCOUT_REST: takes(cfg, s, 0, true); return whole ? (int32_t)step_value(f, s->base) * (step_random(f, 2) ? 1 : -1) : acc;
    case SCOUT_RESTORE: adds(s, s->credit, false); return whole ? 0 : acc;
    case SCOUT_MIX: adds(s, (uint32_t)earned, false); return whole ? s->credit : acc;
    case SCOUT_BRACKET: takes(cfg, s, 2 * (uint32_t)slice, true); return whole ? s->credit + earned : acc;
    case SCOUT_ROOM: takes(cfg, s, (uint32_t)slice, true); return whole ? s->credit - 2 * slice : acc;
    case SCOUT_ACT:
        adds(s, 0, false);
        if (whole && step_random(f, 2) && 3 * slice + beside >= 0 && 3 * slice + beside < SCOUT_CREDIT_MAX)
            s->credit = (uint16_t)(3 * slice + beside);
        return whole ? s->credit - 3 * slice : acc;
    default: return draw_halves(f, cfg, s, whole, acc);
    }
}

/* What was found out in a step before this one. */
static void draw_found(step_fixture *f, const scout_cfg *cfg, scout_state *s)
{
    const bool base = s->state == SCOUT_ST_BASE;
    const uint8_t best = s->verdict == SCOUT_TAKE && s->state != SCOUT_ST_DONE ? s->cand : s->best;

    for (s->shift = 0; s->shift < 7 && !scout_shift_holds(s, cfg); s->shift++)
        ;
    if (base && s->step == SCOUT_RESTORE)
        s->shift = step_random(f, 2) ? 3 : 7;
    s->minus = step_random(f, 2);
    if (!scout_minus_holds(s, cfg))
        s->minus = !s->minus;
    s->fewer = s->step > SCOUT_LAST ? s->cand < s->best : step_random(f, 2);
    s->above = s->step == SCOUT_ACT ? s->top != best : step_random(f, 2);
    s->below = s->step == SCOUT_ACT ? s->nmax && s->low + 1u != best : step_random(f, 2);
}

/* A count beside what decides: the credit, an eighth, the doubt. */
static int32_t draw_count(step_fixture *f, const scout_state *s, const scout_cfg *cfg)
{
    const int32_t beside = (int32_t)step_random(f, 3) - 1;

    if (s->state == SCOUT_ST_LOOK ? s->step <= SCOUT_LAST || step_random(f, 4) == 0 : s->step <= SCOUT_OFF)
        return (int32_t)step_value(f, (uint64_t)scout_window_most(s, cfg)) * (s->state == SCOUT_ST_LOOK && step_random(f, 2) ? -1 : 1);
    switch (s->step) {
    case SCOUT_SPENT:
    case SCOUT_ROWS:
    case SCOUT_PAUSE:
    case SCOUT_BELOW: return -(int32_t)s->arg + beside;
    case SCOUT_ABOVE:
    case SCOUT_RESTORE: return ((int32_t)scout_doubt_then(s, cfg) + beside) * (step_random(f, 3) ? 1 : -1);
    case SCOUT_ROOM: return -(int32_t)s->credit + beside;
    case SCOUT_ACT: return scout_pays(s) ? beside : -(int32_t)s->credit + beside;
    case SCOUT_BRACKET: return (int32_t)step_value(f, (uint64_t)s->base * 2);
    default: return (int32_t)step_value(f, (uint64_t)s->base) * (step_random(f, 2) ? 1 : -1);
    }
}

static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const scout_cfg *cfg = step_config(f);
    scout_state *s = registers;
    scout_in *in = inputs;
    int32_t acc;

    step_draw(f, PORT_IN, in);
    in->enable = step_random(f, 16) != 0;
    in->kernel_start = step_random(f, 16) == 0;
    s->state = (uint8_t)(1 + step_random(f, 4));
    s->nmax = (uint8_t)(step_random(f, 8) ? cfg->num_slots - step_random(f, cfg->num_slots - 1) : step_random(f, 2));
    if (s->nmax > 1)
        draw_search(f, s);
    else
        s->best = s->top = s->nmax, s->stage = 1, s->refine = step_random(f, 2), s->known = step_random(f, 2);
    s->first = step_random(f, 2);
    s->step = (uint8_t)step_random(f, SCOUT_ACT + 1);
    s->timer = (uint16_t)(s->step == SCOUT_COUNT ? step_value(f, cfg->slice - 1) : 0);
    s->settle = (uint8_t)(step_random(f, 3) ? 0 : step_random(f, cfg->settle + 1));
    s->index = (uint16_t)(s->settle ? 0 : step_random(f, 2) ? step_value(f, scout_window_slices(s, cfg) - 1)
                                                              : scout_window_slices(s, cfg) / (1 + step_random(f, 2)) - 1);
    s->quiet = (uint8_t)step_random(f, SCOUT_QUIET_MAX + 1);
    s->half = (uint8_t)(step_random(f, 2) ? SCOUT_UNCLEAR : step_random(f, 3));
    s->credit = (uint16_t)step_value(f, SCOUT_CREDIT_MAX);
    s->base = (uint32_t)step_value(f, (uint64_t)scout_window_most(s, cfg));
    s->verdict = (uint8_t)(s->step > SCOUT_ROWS ? step_random(f, 7) : 0);
    s->arg = step_random(f, cfg->issue_width + 1);
    s->one = 0;
    if (s->step > SCOUT_LAST && s->state != SCOUT_ST_BASE)
        draw_other_arg(cfg, s);
    acc = draw_count(f, s, cfg);
    if (s->step > SCOUT_LAST && s->state == SCOUT_ST_BASE)
        acc = draw_base_arg(f, cfg, s, acc);
    s->acc = (uint32_t)acc & ((UINT32_C(2) << scout_count_width(cfg)) - 1);
    draw_found(f, cfg, s);
    return !scout_violated(s, cfg);
}

static const char *const twins[] = {"scout", "scout_short", "scout_plain", "scout_large", "scout_wide", NULL};

SUITE_TESTS(twin_tests, TWIN_CYCLES("twins: 100 000 random cycles per variant, every output and register", twins, 0x5c00, 100000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 20 000 states per variant, counts beside what decides", twins, 0x5c1, 20000,
                            draw_step))
