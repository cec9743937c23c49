/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver of ballast_chip that knows the registers from the generated header, with the reference model in place of the hardware: two kernels
 * that share each SM by quotas, as in example_tb.sv. In a real driver, reg_write and reg_read access the bus. Prints what software
 * reads at the end.
 *
 *   cc example.c $(pkg-config --cflags --libs ballast)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <ballast.h>

#include "../../../rtl/registers/ballast_regs_map.h"

enum { SMS = 2, SLOTS = 4, CTA_CYCLES = 100, ENOUGH = 100000 };

/* ---- the chip and its SMs --------------------------------------------------------------------- */

static ballast_chip_cfg cfg;
static ballast_chip_state chip;
static ballast_chip_in in = {.pstrb = 15};
static ballast_chip_out out;
static unsigned left[SMS][SLOTS]; /* cycles that the CTA of a slot still runs */

static void clock_cycle(void)
{
    ballast_chip_step(&chip, &cfg, &in, &out);
    for (unsigned i = 0; i < SMS; i++) {
        in.sm[i].cta_done = 0;
        for (unsigned s = 0; s < SLOTS; s++) {
            if (out.sm[i].cta_start >> s & 1)
                left[i][s] = CTA_CYCLES;
            if (left[i][s] && --left[i][s] == 0)
                in.sm[i].cta_done |= 1u << s;
        }
    }
}

static void build_chip(void)
{
    cfg = ballast_chip_cfg_default();
    cfg.governor.num_sms = SMS;
    cfg.governor.sm.num_slots = SLOTS;
    ballast_chip_cfg_derive(&cfg);
    ballast_chip_reset(&chip, &cfg);
}

/* ---- the bus ------------------------------------------------------------------------------------ */

static uint32_t transfer(uint32_t address, int write, uint32_t value)
{
    in.psel = 1;
    in.pwrite = (uint8_t)write;
    in.paddr = (uint16_t)address;
    in.pwdata = value;
    clock_cycle(); /* SETUP */
    in.penable = 1;
    clock_cycle(); /* ACCESS */
    in.psel = in.penable = 0;
    if (out.pslverr) {
        fprintf(stderr, "driver: 0x%03" PRIx32 " refuses %" PRIu32 "\n", address, value);
        exit(1);
    }
    return out.prdata;
}

static void reg_write(uint32_t address, uint32_t value)
{
    transfer(address, 1, value);
}

static uint32_t reg_read(uint32_t address)
{
    return transfer(address, 0, 0);
}

/* ---- the driver --------------------------------------------------------------------------------- */

static void launch(unsigned kernel, uint32_t grid, uint32_t warps, uint32_t regs, uint32_t smem, uint32_t quota)
{
    reg_write(BALLAST_REGS_QUOTA(kernel), quota);
    reg_write(BALLAST_REGS_GRID, grid);
    reg_write(BALLAST_REGS_WARPS, warps);
    reg_write(BALLAST_REGS_REGS, regs);
    reg_write(BALLAST_REGS_SMEM, smem);
    reg_write(BALLAST_REGS_START, kernel);
}

int main(void)
{
    const uint32_t both = 3u << BALLAST_REGS_PENDING_KERNEL_END_SHIFT;
    unsigned cycles = 0;

    build_chip();
    if (reg_read(BALLAST_REGS_ID) != BALLAST_REGS_ID_RESET)
        return 1;
    launch(0, 12, 4, 16, 8, 1);
    launch(1, 20, 2, 8, 4, 2);
    while ((reg_read(BALLAST_REGS_PENDING) & both) != both && cycles++ < ENOUGH)
        ;
    reg_write(BALLAST_REGS_PENDING, both);
    printf("kernel 0: %" PRIu32 " CTAs, kernel 1: %" PRIu32 " CTAs, kernels started: %" PRIu32 ", pending: %" PRIu32 "\n",
           reg_read(BALLAST_REGS_LAUNCHES(0)), reg_read(BALLAST_REGS_LAUNCHES(1)), reg_read(BALLAST_REGS_KERNELS),
           reg_read(BALLAST_REGS_PENDING));
    return 0;
}
