/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the dispatcher of several kernels: kernels, quotas, SMs that ask, CTAs that finish.
 */
#ifndef BALLAST_MCKE_BENCH_H
#define BALLAST_MCKE_BENCH_H

#include "chip/mcke.h"

#define BENCH_BLOCK mcke
#define BENCH_PREPARE
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

static const char *const variants[] = {"mcke", "mcke_three", "mcke_four", "mcke_sms1", "mcke_two", NULL};

static inline unsigned sms(const bench *b)
{
    return config(b)->num_sms;
}

static inline unsigned kernels(const bench *b)
{
    return config(b)->sm.num_kernels;
}

static inline void ask(bench *b, unsigned asks)
{
    for (unsigned i = 0; i < sms(b); i++)
        b->in.sm[i].req = (uint8_t)asks;
}

static inline void limit(bench *b, unsigned ctas)
{
    for (unsigned i = 0; i < sms(b); i++)
        b->in.sm[i].limit = (uint8_t)ctas;
}

static inline void quota_on(bench *b, unsigned sm, unsigned k, unsigned ctas)
{
    b->in.sm[sm].quota = (uint32_t)ballast_cke_with_field(b->in.sm[sm].quota, k, config(b)->sm.num_slots, ctas);
}

/* Of kernel k, on every SM. */
static inline void quota(bench *b, unsigned k, unsigned ctas)
{
    for (unsigned i = 0; i < sms(b); i++)
        quota_on(b, i, k, ctas);
}

/* All SMs ask, and neither limit nor quota holds anything back. */
static inline void prepare(bench *b)
{
    ask(b, 1);
    limit(b, config(b)->sm.num_slots);
    for (unsigned k = 0; k < kernels(b); k++)
        quota(b, k, config(b)->sm.num_slots);
}

static inline void needs(bench *b, unsigned warps, unsigned regs, unsigned smem)
{
    b->in.warps = (uint8_t)warps;
    b->in.regs = (uint16_t)regs;
    b->in.smem = (uint16_t)smem;
}

/* Kernel k, of CTAs that need what needs() said. */
static inline void start(bench *b, unsigned k, unsigned grid)
{
    b->in.start = 1;
    b->in.kernel = (uint8_t)k;
    b->in.grid = grid;
    cycle(b);
    b->in.start = b->in.kernel = 0;
    b->in.grid = 0;
}

static inline void finish(bench *b, unsigned sm, uint32_t slots)
{
    b->in.sm[sm].cta_done = slots;
    cycle(b);
    b->in.sm[sm].cta_done = 0;
}

/* CTAs of kernel k on an SM, as the block says. */
static inline unsigned resident(const bench *b, unsigned sm, unsigned k)
{
    return ballast_cke_field(b->out.sm[sm].ctas, k, config(b)->sm.num_slots);
}

/* The lowest slot of kernel k on an SM. */
static inline unsigned ctas_slot(const bench *b, unsigned sm, unsigned k)
{
    unsigned slot = 0;

    while (!(b->out.sm[sm].cta_active >> slot & 1) || ballast_cke_field(b->out.sm[sm].cta_kernel, slot, config(b)->sm.num_kernels - 1) != k)
        slot++;
    return slot;
}

/* The launch of the cycle that was. */
#define expect_launch(b, k, cta, sm_, slot)                                                                          \
    expect(b, "start_valid_o=1 start_kernel_o=%u start_cta_o=%u start_sm_o=%u start_slot_o=%u", (unsigned)(k), (unsigned)(cta), \
           (unsigned)(sm_), (unsigned)(slot))

/* The launches that follow, one per cycle: "0:1 1:1" is kernel 0 to SM 1, then kernel 1 to SM 1. */
static inline void expect_order(bench *b, const char *order)
{
    for (char *end; *order; order = end) {
        const unsigned long k = strtoul(order, &end, 10), sm = strtoul(end + 1, &end, 10);

        cycle(b);
        expect(b, "start_valid_o=1 start_kernel_o=%lu start_sm_o=%lu", k, sm);
        while (*end == ' ')
            end++;
    }
}

static inline void expect_no_launch(bench *b, unsigned n)
{
    while (n--) {
        cycle(b);
        expect(b, "start_valid_o=0");
    }
}

#endif
