/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of cta_throttle: one side of it, and the CTA slots that it sees.
 */
#ifndef BALLAST_CTA_THROTTLE_BENCH_H
#define BALLAST_CTA_THROTTLE_BENCH_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/dut.h"
#include "engine/sides.h"
#include "sm/cta_throttle.h"

typedef struct bench {
    dut dut;
    cta_throttle_in in;   /* levels stay, pulses last one cycle */
    cta_throttle_out out; /* of the last cycle                  */
    uint32_t held;        /* slots that hold a CTA              */
} bench;

static inline const cta_throttle_state *state(const bench *b)
{
    return (const cta_throttle_state *)(const void *)&b->dut.state;
}

static inline const cta_throttle_cfg *config(const bench *b)
{
    return (const cta_throttle_cfg *)(const void *)&b->dut.cfg;
}

static inline void assert_same_state(const cta_throttle_state *a, const cta_throttle_state *b)
{
    assert_int_equal(a->num_blocks, b->num_blocks);
    assert_int_equal(a->nmax, b->nmax);
    assert_int_equal(a->run, b->run);
    assert_int_equal(a->run_up, b->run_up);
    assert_int_equal(a->request, b->request);
    assert_int_equal(a->paused, b->paused);
    assert_memory_equal(a->older, b->older, sizeof a->older);
}

static inline void open_bench(bench *b, const char *name, void **test)
{
    memset(b, 0, sizeof *b);
    assert_true(dut_open(&b->dut, name, side_of(test)));
    b->in.enable = 1;
    b->in.pause_en = 1;
}

static inline void close_bench(bench *b)
{
    if (b->dut.rtl)
        assert_null(b->dut.block->rtl->assertion(b->dut.rtl));
    dut_close(&b->dut);
}

/* One cycle; slots that start or finish in it are in use in it. */
static inline void cycle(bench *b)
{
    cta_throttle_in *in = &b->in;

    in->cta_active = b->held | in->cta_start;
    dut_cycle(&b->dut, in, &b->out);
    b->held = (in->cta_active & ~in->cta_done) | in->cta_start;
    in->cta_start = in->cta_done = 0;
    in->kernel_start = in->tick = in->inc = in->dec = in->denied = 0;
}

static inline void cycles(bench *b, unsigned n)
{
    while (n--)
        cycle(b);
}

static inline void start_kernel(bench *b, unsigned nmax)
{
    b->in.kernel_start = 1;
    b->in.nmax = (uint8_t)nmax;
    cycle(b);
}

static inline void launch(bench *b, uint32_t slots)
{
    b->in.cta_start = slots;
    cycle(b);
}

static inline void finish(bench *b, uint32_t slots)
{
    b->in.cta_done = slots;
    cycle(b);
}

/* The direction that an epoch decides: '+', '-', '0', or '*' for both directions at once. */
static inline void set_vote(bench *b, char direction)
{
    b->in.tick = 1;
    b->in.inc = direction == '+' || direction == '*';
    b->in.dec = direction == '-' || direction == '*';
}

static inline void vote(bench *b, char direction)
{
    set_vote(b, direction);
    cycle(b);
}

/* Epochs with a few cycles between them. */
static inline void votes(bench *b, const char *directions)
{
    for (; *directions; directions++) {
        vote(b, *directions);
        cycles(b, 3);
    }
}

/* All but the last vote of `directions`, and the last one prepared for the next cycle. */
static inline void votes_up_to_last(bench *b, const char *directions)
{
    for (; directions[1]; directions++)
        vote(b, *directions);
    set_vote(b, *directions);
}

/* A kernel with `order` (slot numbers as digits) launched one by one. */
static inline void run_kernel(bench *b, unsigned nmax, const char *order)
{
    start_kernel(b, nmax);
    for (; *order; order++)
        launch(b, UINT32_C(1) << (*order - '0'));
}

#endif
