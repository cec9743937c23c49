/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the whole chip: a master of the bus, and SMs whose CTAs run as long as a test says.
 */
#ifndef BALLAST_BALLAST_CHIP_BENCH_H
#define BALLAST_BALLAST_CHIP_BENCH_H

#include "chip/ballast_chip.h"
#include "../../../rtl/registers/ballast_regs_map.h"

typedef struct slot {
    unsigned left;          /* cycles that its CTA still runs; 0: none does */
    unsigned kernel, cta;
} slot;

enum { MOST_SMS = 4, MOST_SLOTS = 32, MOST_KERNELS = 4, FOREVER = 1000000 };

#define BENCH_BLOCK ballast_chip
#define BENCH_MORE                                                        \
    slot slots[MOST_SMS][MOST_SLOTS];                                     \
    unsigned lasts[MOST_KERNELS];   /* how long a CTA of each kernel runs */ \
    unsigned launched[MOST_KERNELS]; /* so far                             */
#define BENCH_PREPARE
#define BENCH_CYCLE
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

static const char *const chips[] = {"ballast_chip", "ballast_chip_gwde", "ballast_chip_four", NULL};
static const char *const shared[] = {"ballast_chip", "ballast_chip_four", NULL};

static inline unsigned sms(const bench *b)
{
    return config(b)->governor.num_sms;
}

static inline unsigned kernels(const bench *b)
{
    return config(b)->num_kernels;
}

static inline void prepare(bench *b)
{
    for (unsigned k = 0; k < MOST_KERNELS; k++)
        b->lasts[k] = FOREVER;
}

/* A CTA that was launched in this cycle. */
static inline void take_launch(bench *b, unsigned i, unsigned n)
{
    const unsigned k = b->out.start_kernel;

    assert_int_equal(b->slots[i][n].left, 0);
    assert_int_equal(b->out.start_cta, b->launched[k]);
    b->slots[i][n] = (slot){b->lasts[k], k, b->out.start_cta};
    b->launched[k]++;
}

/* SMs see launches and count down; a CTA whose time is over finishes in the next cycle. */
static inline void cycle(bench *b)
{
    take_cycle(b);
    for (unsigned i = 0; i < sms(b); i++) {
        b->in.sm[i].cta_done = 0;
        for (unsigned n = 0; n < config(b)->gwde.sm.num_slots; n++) {
            if (b->out.sm[i].cta_start >> n & 1)
                take_launch(b, i, n);
            if (b->slots[i][n].left && --b->slots[i][n].left == 0)
                b->in.sm[i].cta_done |= UINT32_C(1) << n;
        }
    }
}

/* CTAs of kernel k that run on an SM. */
static inline unsigned running(const bench *b, unsigned i, unsigned k)
{
    unsigned found = 0;

    for (unsigned n = 0; n < MOST_SLOTS; n++)
        found += b->slots[i][n].left && b->slots[i][n].kernel == k;
    return found;
}

/* ---- the bus ------------------------------------------------------------------------------ */

static inline uint32_t transfer(bench *b, uint32_t address, bool write, uint32_t value)
{
    uint32_t data;

    b->in.psel = 1;
    b->in.penable = 0;
    b->in.pwrite = write;
    b->in.paddr = (uint16_t)address;
    b->in.pwdata = value;
    cycle(b);
    b->in.penable = 1;
    cycle(b);
    data = b->out.prdata;
    b->in.psel = b->in.penable = b->in.pwrite = 0;
    return data;
}

static inline void write_register(bench *b, uint32_t address, uint32_t value)
{
    transfer(b, address, true, value);
    expect(b, "pslverr_o=0");
}

static inline uint32_t read_register(bench *b, uint32_t address)
{
    const uint32_t data = transfer(b, address, false, 0);

    expect(b, "pslverr_o=0");
    return data;
}

#define expect_register(b, address, value) assert_int_equal(read_register(b, address), (uint32_t)(value))

static inline void describe(bench *b, uint32_t grid, uint32_t warps, uint32_t regs, uint32_t smem)
{
    write_register(b, BALLAST_REGS_GRID, grid);
    write_register(b, BALLAST_REGS_WARPS, warps);
    write_register(b, BALLAST_REGS_REGS, regs);
    write_register(b, BALLAST_REGS_SMEM, smem);
}

/* As described last. */
static inline void start(bench *b, unsigned k)
{
    b->launched[k] = 0;
    write_register(b, BALLAST_REGS_START, k);
}

/* Up to the end of kernel k, or a failure. */
static inline void run_to_end(bench *b, unsigned k)
{
    for (unsigned n = 0; n < 20000; n++)
        if (read_register(b, BALLAST_REGS_KERNEL(k)) & BALLAST_REGS_KERNEL_IDLE)
            return;
    fail_msg("kernel %u does not end", k);
}

#endif
