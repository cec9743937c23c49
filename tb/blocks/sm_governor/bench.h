/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of sm_governor: one side of it, and the CTA slots that it sees.
 */
#ifndef BALLAST_SM_GOVERNOR_BENCH_H
#define BALLAST_SM_GOVERNOR_BENCH_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/dut.h"
#include "engine/sides.h"
#include "blocks/sm_governor/works.h"

static const char *const variants[] = {"sm_governor", "sm_governor_fast", "sm_governor_other"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

typedef struct bench {
    dut dut;
    sm_governor_in in;        /* levels stay, pulses last one cycle */
    sm_governor_out out;      /* of the last cycle                  */
    sm_governor_state before; /* registers during the last cycle    */
    uint32_t held;            /* slots that hold a CTA              */
    uint64_t index;           /* cycles since reset                 */
} bench;

static inline const sm_governor_state *state(const bench *b)
{
    return (const sm_governor_state *)(const void *)&b->dut.state;
}

static inline const sm_governor_cfg *config(const bench *b)
{
    return (const sm_governor_cfg *)(const void *)&b->dut.cfg;
}

static inline void open_bench(bench *b, const char *name, void **test)
{
    memset(b, 0, sizeof *b);
    assert_true(dut_open(&b->dut, name, side_of(test)));
    b->in.wcta = WCTA;
    b->in.t_idle = 16;
    b->in.t_mem_l = 128;
    b->in.t_mem_h = 384;
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
    sm_governor_in *in = &b->in;

    in->cta_active = b->held | in->cta_start;
    b->before = *state(b);
    dut_cycle(&b->dut, in, &b->out);
    b->held = (in->cta_active & ~in->cta_done) | in->cta_start;
    in->cta_start = in->cta_done = 0;
    in->kernel_start = in->cta_denied = in->lcs_bcast_valid = in->issue_valid = 0;
    b->index++;
}

static inline void cycles(bench *b, unsigned n)
{
    while (n--)
        cycle(b);
}

static inline void prepare_kernel(bench *b, unsigned policy, unsigned nmax)
{
    b->in.policy = (uint8_t)policy;
    b->in.kernel_start = 1;
    b->in.nmax = (uint8_t)nmax;
}

static inline void start_kernel(bench *b, unsigned policy, unsigned nmax)
{
    prepare_kernel(b, policy, nmax);
    cycle(b);
}

static inline void launch(bench *b, unsigned slot)
{
    b->in.cta_start = UINT32_C(1) << slot;
    cycle(b);
}

static inline void finish(bench *b, unsigned slot)
{
    b->in.cta_done = UINT32_C(1) << slot;
    cycle(b);
}

/* The slots (digits) get their CTAs one by one. */
static inline void launch_all(bench *b, const char *order)
{
    for (; *order; order++)
        launch(b, (unsigned)(*order - '0'));
}

/* ---- epochs ------------------------------------------------------------------------- */

/* The next cycle ends an epoch. */
static inline void go_to_epoch_end(bench *b)
{
    unsigned waited = 0;

    while (state(b)->counters.cycle != 0) {
        cycle(b);
        assert_int_equal(b->out.epoch, 0);
        assert_true(++waited <= config(b)->counters.epoch);
    }
}

/* The rest of this epoch, and the cycle with its decision. */
static inline void epoch(bench *b)
{
    go_to_epoch_end(b);
    cycle(b);
    assert_int_equal(b->out.epoch, 1);
}

static inline void epochs(bench *b, unsigned n)
{
    while (n--)
        epoch(b);
}

/* From the end of an epoch: `n` of them in which the warps do this from first to last sample. */
static inline void epochs_of(bench *b, unsigned n, enum work work)
{
    show(&b->in, work);
    epochs(b, n);
}

/* Aligned with the end of an epoch. */
static inline void align(bench *b)
{
    const uint8_t policy = b->in.policy;

    b->in.policy = POLICY_EQUALIZER;
    epoch(b);
    b->in.policy = policy;
}

#endif
