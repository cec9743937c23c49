/* SPDX-License-Identifier: Apache-2.0
 *
 * What each part of the chip gets in every cycle, and what becomes of what it says (passed.h, doc/blocks/ballast_chip.md). The parts
 * themselves are taken as they are: their reference models say what they make of these inputs. On the model and on the RTL.
 */
#include "blocks/ballast_chip/bench.h"
#include "blocks/ballast_chip/draw_sms.h"
#include "blocks/ballast_chip/draw_state.h"
#include "blocks/ballast_chip/invariant.h"
#include "blocks/ballast_chip/passed.h"

enum { CYCLES = 4000 };

/* Of the last cycle. */
static void expect_parts(const bench *b)
{
    const ballast_chip_cycle c = {&b->before, state(b), &b->seen, &b->out, config(b)};

    if (!ballast_chip_governors_are(&c))
        fail_msg("CHIP-2: a governor gets something else than settings, starts, its SM's bus, and the denials of the cycle before");
    if (!ballast_chip_dispatcher_is(&c))
        fail_msg("CHIP-3: the dispatcher gets something else than starts, and limits and requests of the cycle");
    if (!ballast_chip_registers_are(&c))
        fail_msg("CHIP-4: the registers see something else than dispatcher, governors and SMs show");
}

/* ---- what goes on -------------------------------------------------------------------------------- */

/* A description with any bits, and a kernel with any number of CTAs that have come and are left. */
static void jump_in_grid(const bench *b, ballast_chip_state *s, uint64_t *seed)
{
    const unsigned k = random_below(seed, kernels(b));

    s->regs.grid = (uint32_t)random_next(seed);
    s->regs.width = (uint32_t)random_next(seed);
    s->regs.two_d = random_one_in(seed, 2);
    s->mcke.cta[k] = (uint32_t)random_next(seed);
    s->mcke.left[k] = (uint32_t)random_next(seed);
    s->gwde.cta = (uint32_t)random_next(seed);
}

static void jump(bench *b, uint64_t *seed)
{
    static ballast_chip_state s;

    memcpy(&s, state(b), b->dut.sizes.state);
    switch (random_below(seed, 4)) {
    case 0: ballast_chip_draw_end_of_period(&s, config(b), seed); break;
    case 1: ballast_chip_draw_known_kernel(&s, config(b), seed); break;
    case 2: jump_in_grid(b, &s, seed); break;
    default: return;
    }
    assert_int_equal(ballast_chip_violated(&s, config(b)), 0);
    load(b, &s);
}

RULE_EACH(parts, "CHIP-2, CHIP-3, CHIP-4: in every cycle each part gets what the page says, and the chip shows what it says", chips)
{
    uint64_t seed = 0xc41b;

    for (unsigned n = 0; n < CYCLES; n++) {
        ballast_chip_draw_all(&b->in, &b->dut.cfg, &seed, n);
        keep_ranges(b);
        if (n > CYCLES / 4)
            jump(b, &seed);
        take_cycle(b);
        expect_parts(b);
    }
}
