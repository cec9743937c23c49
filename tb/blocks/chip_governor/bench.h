/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the chip: kernels on all SMs, what the SMs' warps do, and epochs.
 */
#ifndef BALLAST_CHIP_GOVERNOR_BENCH_H
#define BALLAST_CHIP_GOVERNOR_BENCH_H

#include <stdio.h>

#include "blocks/sm_governor/works.h"
#include "chip/chip_governor.h"

#define BENCH_BLOCK chip_governor
#define BENCH_MORE                                            \
    uint32_t held[BALLAST_MAX_SMS]; /* slots that hold a CTA */ \
    uint64_t index;                 /* cycles since reset    */
#define BENCH_PREPARE
#define BENCH_CYCLE
#include "engine/bench.h"

/* `chip_governor` is put together from the RTL of its blocks, the others are rtl/chip/chip_governor.sv. */
static const char *const chips[] = {"chip_governor", "chip_governor_top", "chip_governor_bcast", NULL};

static inline unsigned sms(const bench *c)
{
    return config(c)->num_sms;
}

static inline void prepare(bench *c)
{
    for (unsigned i = 0; i < sms(c); i++)
        c->in.sm[i].wcta = WCTA;
}

/* Levels stay, pulses last one cycle. */
static inline void cycle(bench *c)
{
    for (unsigned i = 0; i < sms(c); i++)
        c->in.sm[i].cta_active = c->held[i] | c->in.sm[i].cta_start;
    take_cycle(c);
    c->index++;
    for (unsigned i = 0; i < sms(c); i++) {
        sm_governor_in *in = &c->in.sm[i];

        c->held[i] = (in->cta_active & ~in->cta_done) | in->cta_start;
        in->cta_start = in->cta_done = 0;
        in->kernel_start = in->cta_denied = in->issue_valid = 0;
    }
}

static inline void prepare_start(bench *c, unsigned sm, unsigned nmax)
{
    c->in.sm[sm].kernel_start = 1;
    c->in.sm[sm].nmax = (uint8_t)nmax;
}

static inline void prepare_on_all(bench *c, unsigned policy, unsigned nmax)
{
    c->in.policy = (uint8_t)policy;
    for (unsigned i = 0; i < sms(c); i++)
        prepare_start(c, i, nmax);
}

static inline void start_on_all(bench *c, unsigned policy, unsigned nmax)
{
    prepare_on_all(c, policy, nmax);
    cycle(c);
}

/* SM i does what letter i says: C compute, M memory, - neither, . nothing at all, and by the lines of Algorithm 1 D one CTA
 * less, W and V one more. The last letter holds for all further SMs. */
static inline void show_all(bench *c, const char *works)
{
    static const char letters[] = "-DCMWV."; /* in the order of enum work */

    for (unsigned i = 0; i < sms(c); i++) {
        show(&c->in.sm[i], (enum work)(strchr(letters, *works) - letters));
        works += works[1] != '\0';
    }
}

/* Up to the cycle that ends the epoch, this one included (EQ-A20: no register says when). */
static inline void chip_epoch(bench *c)
{
    const unsigned length = config(c)->sm.counters.epoch;

    do
        cycle(c);
    while (c->index % length != 0);
}

static inline void chip_epochs(bench *c, unsigned n)
{
    while (n--)
        chip_epoch(c);
}

/* Of the policy that policy_i says. */
static inline void start_kernels(bench *c, unsigned nmax)
{
    start_on_all(c, c->in.policy, nmax);
}

/* Instructions of slots 0 and 1 on one SM. */
static inline void issue_on(bench *c, unsigned sm, unsigned slot0, unsigned slot1)
{
    for (unsigned i = 0; i < slot0 || i < slot1; i++) {
        c->in.sm[sm].issue_valid = (uint8_t)((i < slot0) | (i < slot1) << 1);
        c->in.sm[sm].issue_slot = 1u << 3;
        cycle(c);
    }
}

/* "1,10,9": instructions of slots 0 and 1 on one SM. */
static inline void issue_on_sm(bench *c, const char *text)
{
    unsigned sm, slot0, slot1;

    assert_int_equal(sscanf(text, "%u,%u,%u", &sm, &slot0, &slot1), 3);
    issue_on(c, sm, slot0, slot1);
}

#endif
