/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the dispatcher: kernels, SMs that ask, CTAs that finish.
 */
#ifndef BALLAST_GWDE_BENCH_H
#define BALLAST_GWDE_BENCH_H

#include "chip/gwde.h"

#define BENCH_BLOCK gwde
#define BENCH_PREPARE
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

static const char *const variants[] = {"gwde", "gwde_df", "gwde_every", "gwde_sms1", "gwde_sms14", "gwde_two", NULL};

static inline unsigned sms(const bench *b)
{
    return config(b)->num_sms;
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

/* All SMs ask, and no limit holds them back. */
static inline void prepare(bench *b)
{
    ask(b, 1);
    limit(b, config(b)->sm.num_slots);
}

static inline void needs(bench *b, unsigned warps, unsigned regs, unsigned smem)
{
    b->in.warps = (uint8_t)warps;
    b->in.regs = (uint16_t)regs;
    b->in.smem = (uint16_t)smem;
}

/* A kernel of CTAs that need what needs() said. */
static inline void start(bench *b, unsigned grid)
{
    b->in.start = 1;
    b->in.grid = grid;
    cycle(b);
    b->in.start = 0;
    b->in.grid = 0;
}

/* A 2-D kernel, in pairs if the bench says so. */
static inline void start_2d(bench *b, unsigned grid, unsigned width)
{
    b->in.bcs = b->in.two_d = 1;
    b->in.width = width;
    start(b, grid);
    b->in.bcs = b->in.two_d = 0;
    b->in.width = 0;
}

static inline void finish(bench *b, unsigned sm, uint32_t slots)
{
    b->in.sm[sm].cta_done = slots;
    cycle(b);
    b->in.sm[sm].cta_done = 0;
}

/* With pairs: so many CTAs may be on an SM with this limit. */
static inline unsigned places_of(unsigned odd_limit, unsigned limit)
{
    static const unsigned places[3][9] = {{0, 2, 2, 2, 4, 4, 6, 6, 8}, {0, 2, 2, 4, 4, 6, 6, 8, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 8}};

    return places[odd_limit][limit];
}

/* The launch of the cycle that was: CTA, SM and slot. */
#define expect_launch(b, cta, sm_, slot) \
    expect(b, "start_valid_o=1 start_cta_o=%u start_sm_o=%u start_slot_o=%u", (unsigned)(cta), (unsigned)(sm_), (unsigned)(slot))

/* Goes on to the next launch. */
static inline void await(bench *b)
{
    unsigned n = 0;

    do
        cycle(b);
    while (!b->out.start_valid && ++n < 8);
}

#define await_launch(b, cta, sm_, slot) (await(b), expect_launch(b, cta, sm_, slot))

/* The SMs of the launches that follow: "0 1 2". */
static inline void expect_sms(bench *b, const char *order)
{
    for (char *end; *order; order = end) {
        const unsigned long sm = strtoul(order, &end, 10);

        await(b);
        expect(b, "start_valid_o=1 start_sm_o=%lu", sm);
    }
}

#endif
