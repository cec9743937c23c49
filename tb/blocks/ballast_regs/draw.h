/* SPDX-License-Identifier: Apache-2.0
 *
 * A master of the bus for random runs. Values drawn one by one would hardly ever be an access: this one goes from phase to phase as
 * APB wants, mostly, to addresses that are there, mostly, with values around the ends of ranges.
 */
#ifndef BALLAST_BALLAST_REGS_DRAW_H
#define BALLAST_BALLAST_REGS_DRAW_H

#include "chip/ballast_regs.h"
#include "engine/random.h"

static inline uint16_t ballast_regs_draw_address(const ballast_regs_cfg *cfg, uint64_t *seed)
{
    switch (random_below(seed, 16)) {
    case 0: return (uint16_t)(random_next(seed) & 0xfff);
    case 1: return (uint16_t)(0x200 + 4 * random_below(seed, 9));
    case 2: return (uint16_t)(0x400 + 4 * random_below(seed, cfg->num_sms + 2));
    case 3: return (uint16_t)(4 * random_below(seed, 8));
    case 4: return (uint16_t)(0x100 + 4 * random_below(seed, 14));
    case 5: return (uint16_t)(0x080 + 4 * random_below(seed, 9));
    case 6:
    case 7: return (uint16_t)(0x0c0 + 4 * random_below(seed, 4));
    case 8: return 0x0bc;
    case 9:
    case 10:
    case 11: return (uint16_t)(0x0a0 + 4 * random_below(seed, 8));
    default: return (uint16_t)(0x040 + 4 * random_below(seed, 14));
    }
}

static inline uint32_t ballast_regs_draw_value(const ballast_regs_cfg *cfg, uint64_t *seed)
{
    const uint32_t ends[] = {0, 1, 4, 5, 255, 511, cfg->num_slots, cfg->dyn_period, cfg->dyn_period / 2, UINT32_MAX,
                             cfg->num_warps, cfg->reg_units, cfg->smem_units, cfg->num_kernels};
    const unsigned num = sizeof ends / sizeof *ends;

    switch (random_below(seed, 8)) {
    case 0: return (uint32_t)random_next(seed);
    case 1: return UINT32_C(1) << random_below(seed, 32);
    case 2: return random_below(seed, cfg->dyn_period + 1);
    case 3: return random_below(seed, 70);
    case 4:
    case 5: return ends[random_below(seed, num)] + 1;
    default: return ends[random_below(seed, num)];
    }
}

static inline void ballast_regs_draw_setup(ballast_regs_in *in, const ballast_regs_cfg *cfg, uint64_t *seed)
{
    in->psel = !random_one_in(seed, 4);
    in->penable = random_one_in(seed, 16);
    in->pwrite = random_one_in(seed, 2);
    in->pprot = (uint8_t)random_below(seed, 8);
    in->pstrb = random_one_in(seed, 12) ? (uint8_t)random_below(seed, 16) : 15;
    in->paddr = ballast_regs_draw_address(cfg, seed);
    in->pwdata = ballast_regs_draw_value(cfg, seed);
}

/* A master keeps what it said in the SETUP phase; one that does not is none of this block's business. */
static inline void ballast_regs_draw_bus(ballast_regs_in *in, const ballast_regs_cfg *cfg, uint64_t *seed)
{
    const bool setup = in->psel && !in->penable;

    if (!setup || random_one_in(seed, 24)) {
        ballast_regs_draw_setup(in, cfg, seed);
    } else if (!random_one_in(seed, 24)) {
        in->penable = 1;
        in->paddr ^= random_one_in(seed, 32);
    }
}

static inline uint8_t ballast_regs_flipped(uint64_t *seed, unsigned value, unsigned seldom)
{
    return (uint8_t)(value ^ random_one_in(seed, seldom));
}

static inline void ballast_regs_draw(ballast_regs_in *in, const ballast_regs_cfg *cfg, uint64_t *seed)
{
    const unsigned sm = random_below(seed, cfg->num_sms);

    ballast_regs_draw_bus(in, cfg, seed);
    in->sm_level = random_one_in(seed, 20) ? (uint8_t)random_below(seed, 4) : in->sm_level;
    in->mem_level = random_one_in(seed, 20) ? (uint8_t)random_below(seed, 4) : in->mem_level;
    in->sm_busy = ballast_regs_flipped(seed, in->sm_busy, 12);
    in->mem_busy = ballast_regs_flipped(seed, in->mem_busy, 12);
    in->sm_stall = ballast_regs_flipped(seed, in->sm_stall, 30);
    in->mem_stall = ballast_regs_flipped(seed, in->mem_stall, 30);
    in->too_big ^= random_one_in(seed, 4) << random_below(seed, cfg->num_kernels);
    in->sm[sm].done = ballast_regs_flipped(seed, in->sm[sm].done, 2);
}

#endif
