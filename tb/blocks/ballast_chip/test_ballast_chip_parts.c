/* SPDX-License-Identifier: Apache-2.0
 *
 * What each part of the chip gets in every cycle, and what becomes of what it says (passed.h, doc/blocks/ballast_chip.md). The parts
 * themselves are taken as they are: their reference models say what they make of these inputs. On the model and on the RTL.
 */
#include "blocks/ballast_chip/bench.h"
#include "blocks/ballast_chip/draw_sms.h"
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

static uint32_t near(uint64_t *seed, uint32_t value, uint32_t most)
{
    const uint32_t near = value + random_below(seed, 3) - (value != 0);

    return near < most ? near : most;
}

/* The end of DYNCTA's period, with counts beside the thresholds: each bit of them decides. */
static void jump_to_end_of_period(const bench *b, ballast_chip_state *s, uint64_t *seed)
{
    const uint32_t period = config(b)->governor.sm.dyncta.period;
    ballast_regs_state *r = &s->regs;

    r->t_idle = random_below(seed, period + 1);
    r->t_mem_l = random_below(seed, period + 1);
    r->t_mem_h = r->t_mem_l + random_below(seed, period + 1 - r->t_mem_l);
    for (unsigned i = 0; i < sms(b); i++) {
        dyncta_state *d = &s->governor.sm[i].dyncta;

        s->governor.sm[i].policy = BALLAST_POLICY_DYNCTA;
        d->nmax = (uint8_t)config(b)->gwde.sm.num_slots;
        d->limit = (uint8_t)(1 + random_below(seed, d->nmax));
        d->timer = period - 1;
        d->idle = near(seed, r->t_idle, d->timer);
        d->mem = near(seed, random_one_in(seed, 2) ? r->t_mem_l : r->t_mem_h, d->timer - d->idle);
    }
    s->governor.search = 0;
}

/* A kernel starts under `scout`, whose limit may be remembered: its number is one bit, and so is that of the only entry. */
static void jump_to_known_kernel(const bench *b, ballast_chip_state *s, uint64_t *seed)
{
    const uint8_t number = (uint8_t)(1u << random_below(seed, 8));

    if (s->regs.nmax == 0)
        return;
    s->regs.start = 1;
    s->regs.setup = 0;
    s->regs.policy = BALLAST_POLICY_SCOUT;
    s->regs.kernel_id = number;
    s->governor.table = (limit_table_state){.next = config(b)->governor.table.entries > 1};
    s->governor.table.entry_id[0] = (uint16_t)(random_one_in(seed, 2) ? number : 1u << random_below(seed, 8));
    s->governor.table.entry_nmax[0] = s->regs.nmax;
    s->governor.table.entry_limit[0] = (uint8_t)(1 + random_below(seed, s->regs.nmax));
}

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
    case 0: jump_to_end_of_period(b, &s, seed); break;
    case 1: jump_to_known_kernel(b, &s, seed); break;
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
