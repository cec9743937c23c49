/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_scout, twin against twin: in runs with random kernels and levels, and in single steps from drawn states.
 */
#include "blocks/vf_scout/invariant.h"
#include "engine/random.h"
#include "engine/step_fixture.h"
#include "engine/suite_fixture.h"

static const char *const all[] = {"vf_scout", "vf_scout_short", "vf_scout_plain", "vf_scout_large", "vf_scout_wide", NULL};

/* Domains that are where they are wanted, mostly. */
static void draw_inputs(void *inputs, const void *parameters, uint64_t *seed, unsigned n)
{
    const vf_scout_cfg *cfg = parameters;
    vf_scout_in *in = inputs;
    uint64_t lanes;

    if (n == 0)
        *in = vf_scout_in_default();
    in->enable = !random_one_in(seed, 50);
    in->kernel_start = random_one_in(seed, 3000);
    in->cta_done = random_one_in(seed, 20);
    lanes = random_next(seed);
    in->issue_valid = (uint8_t)(lanes & lanes >> 8 & ((1U << cfg->issue_width) - 1)); /* a quarter of them */
    in->look = random_one_in(seed, 300);
    in->sm_busy = random_one_in(seed, 300);
    in->mem_busy = random_one_in(seed, 300);
    if (random_one_in(seed, 200))
        in->ready = !in->ready;
    if (random_one_in(seed, 1500))
        in->mode = !in->mode;
    if (random_one_in(seed, 40))
        in->sm_level = (uint8_t)(random_one_in(seed, 30) ? 3 : random_below(seed, 3));
    if (random_one_in(seed, 40))
        in->mem_level = (uint8_t)(random_one_in(seed, 30) ? 3 : random_below(seed, 3));
}

static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const vf_scout_cfg *cfg = step_config(f);
    vf_scout_state *s = registers;
    vf_scout_in *in = inputs;
    uint32_t window;

    step_draw(f, PORT_IN, in);
    in->enable = step_random(f, 16) != 0;
    in->kernel_start = step_random(f, 16) == 0;
    in->look = step_random(f, 8) == 0;
    in->sm_busy = step_random(f, 8) == 0;
    in->mem_busy = step_random(f, 8) == 0;
    s->state = (uint8_t)(1 + step_random(f, 5));
    s->first = step_random(f, 2);
    s->ready = step_random(f, 2);
    if (s->state == VF_SCOUT_ST_WAIT) {
        s->timer = (uint16_t)(step_random(f, 2) ? cfg->warmup : step_value(f, cfg->warmup));
        return !vf_scout_violated(s, cfg);
    }
    s->mode = step_random(f, 2);
    s->domain = s->state == VF_SCOUT_ST_REST || step_random(f, 2);
    s->sm_moved = s->domain ? step_random(f, 2) : s->state == VF_SCOUT_ST_LOOK;
    s->mem_moved = s->state == VF_SCOUT_ST_REST ? step_random(f, 2) : s->domain && s->state == VF_SCOUT_ST_LOOK;
    s->stage = s->state != VF_SCOUT_ST_REST && step_random(f, 2);
    s->better = step_random(f, 2);
    s->known = step_random(f, 2);
    s->odd = s->known && step_random(f, 2);
    s->step = (uint8_t)step_random(f, 4);
    window = vf_scout_window_cycles(s, cfg);
    if (s->step == VF_SCOUT_SETTLE)
        s->timer = (uint16_t)(step_random(f, 2) ? cfg->settle - 1 : step_value(f, cfg->settle - 1));
    else if (s->step == VF_SCOUT_COUNT)
        s->timer = (uint16_t)(step_random(f, 2) ? window - 1 : step_value(f, window - 1));
    s->base = (uint32_t)step_value(f, UINT64_C(4) * cfg->window * cfg->issue_width);
    s->acc = s->step == VF_SCOUT_SETTLE ? 0
             : step_random(f, 3)        ? (uint32_t)step_value(f, (uint64_t)(s->step == VF_SCOUT_COUNT ? s->timer : window) * cfg->issue_width)
                                        : s->base + (uint32_t)step_random(f, 3) - 1;
    if (step_random(f, 4)) {
        in->mode = s->mode;
        in->sm_level = (uint8_t)(!s->sm_moved ? BALLAST_VF_NORMAL : s->mode ? BALLAST_VF_HIGH : BALLAST_VF_LOW);
        in->mem_level = (uint8_t)(!s->mem_moved ? BALLAST_VF_NORMAL : s->mode ? BALLAST_VF_HIGH : BALLAST_VF_LOW);
    }
    return !vf_scout_violated(s, cfg);
}

SUITE_TESTS(twin_tests, TWIN_CYCLES("twins: random cycles, every output and register", all, 0x7f5c, 300000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 20 000 states per variant", all, 0x7f5d, 20000, draw_step))
