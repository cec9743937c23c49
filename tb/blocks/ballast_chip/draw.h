/* SPDX-License-Identifier: Apache-2.0
 *
 * A master of the bus for random runs: that of ballast_regs, and in between one that describes kernels which end, and starts them.
 */
#ifndef BALLAST_BALLAST_CHIP_DRAW_H
#define BALLAST_BALLAST_CHIP_DRAW_H

#include "blocks/ballast_regs/draw.h"
#include "chip/ballast_chip.h"

typedef struct ballast_chip_word {
    uint16_t address;
    uint32_t value;
} ballast_chip_word;

/* A word of a kernel, or what decides how it runs. */
static inline ballast_chip_word ballast_chip_draw_word(const ballast_chip_cfg *cfg, uint64_t *seed)
{
    const ballast_regs_cfg *regs = &cfg->regs;
    const unsigned part = 1 + random_below(seed, 6); /* so many CTAs fit */

    switch (random_below(seed, 16)) {
    case 0: return (ballast_chip_word){0x0a0, random_below(seed, 60)};
    case 1: return (ballast_chip_word){0x0a4, random_below(seed, 9)};
    case 2: return (ballast_chip_word){0x0a8, random_below(seed, 2)};
    case 3: return (ballast_chip_word){0x0ac, regs->num_warps / part};
    case 4: return (ballast_chip_word){0x0b0, regs->reg_units / part};
    case 5: return (ballast_chip_word){0x0b4, regs->smem_units / part};
    case 6: return (ballast_chip_word){0x0b8, 1 + random_below(seed, regs->num_slots)};
    case 7: return (ballast_chip_word){0x040, random_below(seed, 5)};
    case 8: return (ballast_chip_word){0x058, random_below(seed, 2)};
    case 9: return (ballast_chip_word){0x05c, random_below(seed, 4)};
    case 10: return (ballast_chip_word){(uint16_t)(0x060 + 4 * random_below(seed, regs->num_kernels)), random_below(seed, regs->num_slots + 1)};
    default: return (ballast_chip_word){0x0bc, random_below(seed, regs->num_kernels)};
    }
}

static inline void ballast_chip_draw_general(ballast_chip_in *in, const ballast_chip_cfg *cfg, uint64_t *seed)
{
    ballast_regs_in bus = {.psel = in->psel, .penable = in->penable, .pwrite = in->pwrite, .pprot = in->pprot, .pstrb = in->pstrb,
                           .paddr = in->paddr, .pwdata = in->pwdata};

    ballast_regs_draw_bus(&bus, &cfg->regs, seed);
    in->psel = bus.psel;
    in->penable = bus.penable;
    in->pwrite = bus.pwrite;
    in->pprot = bus.pprot;
    in->pstrb = bus.pstrb;
    in->paddr = bus.paddr;
    in->pwdata = bus.pwdata;
}

static inline void ballast_chip_draw(ballast_chip_in *in, const ballast_chip_cfg *cfg, uint64_t *seed)
{
    const bool setup = in->psel && !in->penable;

    if (setup || random_one_in(seed, 3)) {
        ballast_chip_draw_general(in, cfg, seed);
    } else if (random_one_in(seed, 4)) {
        const ballast_chip_word word = ballast_chip_draw_word(cfg, seed);

        in->psel = in->pwrite = 1;
        in->penable = 0;
        in->pstrb = 15;
        in->paddr = word.address;
        in->pwdata = word.value;
    } else {
        in->psel = in->penable = 0;
    }
}

#endif
