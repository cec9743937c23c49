/* SPDX-License-Identifier: Apache-2.0
 *
 * The four ways in which speed goes with the number of CTAs (LCS, Fig. 4), each from a workload that
 * says nothing about it, and each gone when the mechanism behind it is switched off.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/run.h"
#include "replay/sweep.h"

/* One SM of the Fermi machine with a fifteenth of its memory: 6 channels with 4 cycles per line are one
 * with 10. Places for misses are many, so that they are no mechanism of their own here. */
static machine one_of_fermi(void)
{
    machine m = *machine_find("fermi");

    m.sms = m.l2_banks = m.dram_channels = 1;
    m.dram_interval = 10;
    m.l2_interval = 3;
    m.mshrs = 128;
    m.ibuffer = m.collectors = 0; /* how instructions get to the ALUs has a part in none of the shapes */
    return m;
}

static workload plain(uint32_t ctas, uint32_t threads, uint32_t insts)
{
    return (workload){.name = "shape", .ctas = ctas, .threads_per_cta = threads, .regs_per_thread = 16, .launches = 1,
                      .insts = insts, .spread = 0.1, .alu_distance = 2, .load_distance = 3, .lines = 1};
}

/* Speed at every limit, in percent of the fastest. */
typedef struct curve {
    unsigned nmax;
    double at[BALLAST_MAX_SLOTS + 1];
    double ipc; /* the fastest one's */
} curve;

static curve curve_of(const machine *m, const workload *w)
{
    static run_request requests[BALLAST_MAX_SLOTS];
    static run_result results[BALLAST_MAX_SLOTS];
    sweep s = {.nmax = workload_nmax(w, m)};
    curve c = {.nmax = s.nmax};

    for (unsigned i = 0; i < s.nmax; i++) {
        requests[i] = run_default(m, w);
        requests[i].static_limit = (uint8_t)(i + 1);
        requests[i].max_cycles = 10000000;
    }
    assert_true(run_many(requests, results, s.nmax, 0, NULL, NULL));
    for (unsigned i = 0; i < s.nmax; i++) {
        assert_true(results[i].ok && results[i].finished);
        s.ipc[i + 1] = results[i].ipc;
        c.ipc = results[i].ipc > c.ipc ? results[i].ipc : c.ipc;
    }
    for (unsigned i = 1; i <= s.nmax; i++)
        c.at[i] = sweep_speed(&s, i);
    return c;
}

static void rises_from(const curve *c, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        if (c->at[i + 1] < c->at[i] * 1.05)
            fail_msg("%.1f %% with %u CTAs, %.1f %% with %u", c->at[i], i, c->at[i + 1], i + 1);
}

static void flat_from(const curve *c, unsigned from, double percent)
{
    for (unsigned i = from; i <= c->nmax; i++)
        if (c->at[i] < 100 - percent)
            fail_msg("%.1f %% with %u CTAs", c->at[i], i);
}

/* ALU latency: a warp issues once in ten cycles, more warps fill the gaps. */
TEST(type_i_rises_by_alu_latency)
{
    machine m = one_of_fermi();
    workload w = plain(80, 64, 128);
    curve c;

    w.alu_distance = 1;
    c = curve_of(&m, &w);
    assert_int_equal(c.nmax, 8);
    rises_from(&c, 1, 8);
    assert_true(c.at[1] < 15);
    m.alu_latency = 1;
    c = curve_of(&m, &w);
    flat_from(&c, 1, 6);
}

/* Bandwidth: from some number on DRAM is busy all the time. */
TEST(type_ii_saturates_by_bandwidth)
{
    machine m = one_of_fermi();
    workload w = plain(40, 64, 128);
    curve c, without;

    w.loads = 0.1;
    w.lines = 6;
    w.load_distance = 6;
    c = curve_of(&m, &w);
    rises_from(&c, 1, 4);
    flat_from(&c, 5, 5);
    m.dram_interval = m.l2_interval = m.network_interval = 0;
    without = curve_of(&m, &w);
    rises_from(&without, 1, 8);
    assert_true(without.ipc > 1.5 * c.ipc);
}

/* Cache: one CTA's data fit L1, those of two do not. */
TEST(type_iii_falls_by_cache_thrashing)
{
    machine m = one_of_fermi();
    workload w = plain(12, 384, 512);
    curve c, without;

    w.loads = 0.25;
    w.load_distance = 2;
    w.lines = 2;
    w.warp_reuse = 1;
    w.warp_set = 20;
    c = curve_of(&m, &w);
    assert_int_equal(c.nmax, 4);
    assert_true(c.at[1] > 99.9);
    assert_true(c.at[2] < 90 && c.at[3] < 75 && c.at[4] < 75);
    m.l1_infinite = true;
    without = curve_of(&m, &w);
    assert_true(without.at[4] > 99.9 && without.at[1] < 60); /* it rises instead */
    assert_true(without.ipc > 1.5 * c.ipc);
}

/* Both: more CTAs hide latency until their data no longer fit. */
TEST(type_iv_rises_then_falls_by_both)
{
    machine m = one_of_fermi();
    workload w = plain(24, 192, 512);
    curve c;

    w.loads = 0.2;
    w.warp_reuse = 1;
    w.warp_set = 11;
    c = curve_of(&m, &w);
    assert_int_equal(c.nmax, 8);
    rises_from(&c, 1, 4);
    assert_true(c.at[4] > 97);
    assert_true(c.at[6] < 90 && c.at[8] < 80);
    m.l1_infinite = true;
    c = curve_of(&m, &w);
    flat_from(&c, 5, 15);
    assert_true(c.at[8] > 98); /* no fall, and the rise is there still */
    assert_true(c.at[1] < 40);
}

/* Not the cache's doing alone: without reuse there is nothing to lose. */
TEST(without_reuse_nothing_falls)
{
    const machine m = one_of_fermi();
    workload w = plain(24, 384, 256);
    curve c;

    w.loads = 0.02;
    w.load_distance = 12;
    c = curve_of(&m, &w);
    assert_true(c.at[c.nmax] > 98);
}
