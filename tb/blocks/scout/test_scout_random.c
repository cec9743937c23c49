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

/* What StepOff and the steps after it find in arg_q and less_q, but in StBase (the page's table). */
static void draw_other_arg(const scout_cfg *cfg, scout_state *s)
{
    const uint32_t slices = scout_window_slices(s, cfg);
    const bool fewer = s->cand < s->best;
    const uint32_t arg[] = {
        [SCOUT_OFF] = s->state == SCOUT_ST_LOOK ? s->base / slices : s->base, [SCOUT_REST] = s->settle || s->index + 1u != slices ? 0 : s->base % slices,
        [SCOUT_SPENT] = s->credit, [SCOUT_ROWS] = s->base >> (3 + 2 * s->stage), [SCOUT_PAUSE] = s->base >> (3 + 2 * s->stage),
        [SCOUT_MARGIN] = scout_margin_then(s, cfg), [SCOUT_BELOW] = scout_doubt_then(s, cfg),
        [SCOUT_ABOVE] = scout_doubt_then(s, cfg), [SCOUT_RESTORE] = scout_margin_then(s, cfg), [SCOUT_MIX] = s->base,
        [SCOUT_WAIT] = s->credit, [SCOUT_BRACKET] = s->credit, [SCOUT_ACT] = s->credit};
    const bool less[SCOUT_ACT + 1] = {
        [SCOUT_OFF] = true, [SCOUT_REST] = true, [SCOUT_ABOVE] = true, [SCOUT_RESTORE] = fewer,
        [SCOUT_MARGIN] = s->state == SCOUT_ST_BACK || (s->state == SCOUT_ST_LOOK && !fewer)};

    s->arg = arg[s->step];
    s->less = less[s->step];
}

/* The same in StBase, and the sum that goes with it where a window ends. */
static int32_t draw_base_arg(step_fixture *f, const scout_cfg *cfg, scout_state *s, int32_t acc)
{
    const int32_t beside = (int32_t)step_random(f, 3) - 1, slice = (int32_t)(s->base / scout_window_slices(s, cfg));
    const bool whole = s->settle == 0 && s->index + 1u == scout_window_slices(s, cfg);

    switch (s->step) {
    case SCOUT_OFF: s->arg = s->base; break;
    case SCOUT_REST: s->arg = s->base / (1 + step_random(f, 3)); break;
    case SCOUT_RESTORE: s->arg = s->credit; break;
    case SCOUT_MIX: s->arg = s->base >> (step_random(f, 2) ? 3 : 7); break;
    case SCOUT_WAIT:
    case SCOUT_BRACKET:
    case SCOUT_ACT: s->arg = (uint32_t)slice; break;
    default: s->arg = s->base >> (s->step - SCOUT_SPENT + 1);
    }
    s->less = s->step == SCOUT_OFF || s->step == SCOUT_REST || s->step >= SCOUT_WAIT;
    if (s->step == SCOUT_OFF || !whole)
        return acc;
    switch (s->step) {
    case SCOUT_REST: return (int32_t)s->base - (int32_t)s->arg;
    case SCOUT_RESTORE: return 0;
    case SCOUT_MIX:
    case SCOUT_WAIT: return s->credit;
    case SCOUT_BRACKET: return s->credit - slice;
    case SCOUT_ACT:
        if (step_random(f, 2) && 3 * slice + beside >= 0 && 3 * slice + beside < SCOUT_CREDIT_MAX)
            s->credit = (uint16_t)(3 * slice + beside);
        return s->credit - 2 * slice;
    default:
        acc = ((int32_t)s->arg + beside) * (step_random(f, 2) ? 1 : -1);
        s->less = acc >= 0;
        return acc;
    }
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
    case SCOUT_BELOW: return -(int32_t)s->arg + beside;
    case SCOUT_ABOVE: return ((int32_t)s->arg + beside) * (step_random(f, 3) ? 1 : -1);
    case SCOUT_WAIT:
    case SCOUT_BRACKET:
    case SCOUT_ACT: return -(int32_t)s->credit + beside;
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
    s->verdict = (uint8_t)(s->step >= SCOUT_ROWS ? step_random(f, 7) : 0);
    s->arg = step_random(f, cfg->issue_width + 1);
    s->less = 0;
    if (s->step > SCOUT_LAST && s->state != SCOUT_ST_BASE)
        draw_other_arg(cfg, s);
    acc = draw_count(f, s, cfg);
    if (s->step > SCOUT_LAST && s->state == SCOUT_ST_BASE)
        acc = draw_base_arg(f, cfg, s, acc);
    s->acc = (uint32_t)acc & ((UINT32_C(2) << scout_count_width(cfg)) - 1);
    return !scout_violated(s, cfg);
}

static const char *const twins[] = {"scout", "scout_short", "scout_plain", "scout_large", "scout_wide", NULL};

SUITE_TESTS(twin_tests, TWIN_CYCLES("twins: 100 000 random cycles per variant, every output and register", twins, 0x5c00, 100000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 20 000 states per variant, counts beside what decides", twins, 0x5c1, 20000,
                            draw_step))
