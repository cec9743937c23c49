/* SPDX-License-Identifier: Apache-2.0
 *
 * How many CTAs fit (GWDE-2), and what is refused.
 */
#include <math.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

/* The fixture's SM: 8 warps, 4 CTA slots, 4096 registers, 1024 bytes. */
static uint32_t nmax(uint32_t threads, uint32_t regs, uint32_t shared)
{
    const machine m = fixture_machine();
    workload w = fixture_workload();

    w.threads_per_cta = threads;
    w.regs_per_thread = regs;
    w.shared_per_cta = shared;
    return workload_nmax(&w, &m);
}

TEST(gwde_2_each_resource_limits)
{
    assert_int_equal(nmax(32, 0, 0), 4);    /* CTA slots               */
    assert_int_equal(nmax(96, 0, 0), 2);    /* 3 of 8 warps            */
    assert_int_equal(nmax(65, 0, 0), 2);    /* a part of a warp is one */
    assert_int_equal(nmax(64, 0, 0), 4);
    assert_int_equal(nmax(32, 64, 0), 2);   /* 2048 of 4096 registers  */
    assert_int_equal(nmax(32, 43, 0), 2);
    assert_int_equal(nmax(32, 42, 0), 3);
    assert_int_equal(nmax(32, 32, 0), 4);
    assert_int_equal(nmax(1, 64, 0), 2);    /* registers of whole warps */
    assert_int_equal(nmax(32, 0, 341), 3);  /* shared memory           */
    assert_int_equal(nmax(32, 0, 342), 2);
    assert_int_equal(nmax(32, 0, 1024), 1);
    assert_int_equal(nmax(256, 0, 0), 1);
}

TEST(gwde_2_an_entire_cta_has_to_fit)
{
    assert_int_equal(nmax(257, 0, 0), 0);
    assert_int_equal(nmax(32, 129, 0), 0);
    assert_int_equal(nmax(32, 0, 1025), 0);
}

TEST(no_more_than_the_bus_can_show)
{
    machine m = *machine_find("hopper");
    workload w = fixture_workload();

    m.slots = 100;
    assert_int_equal(workload_nmax(&w, &m), BALLAST_MAX_SLOTS);
}

/* Registers in bytes per CTA and the number of CTAs as Perf-Sat's Table II prints them. */
TEST(table_ii_of_perf_sat)
{
    static const struct {
        uint32_t bytes, threads, fermi, kepler;
    } rows[] = {
        {12288, 256, 6, 8}, {24576, 256, 5, 8}, {20480, 256, 6, 8}, {39936, 192, 3, 6}, {16384, 256, 6, 8},
        {36864, 256, 3, 7}, /* printed 6 on Kepler, which allocates registers in larger parts */
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        workload w = fixture_workload();

        w.threads_per_cta = rows[i].threads;
        w.regs_per_thread = rows[i].bytes / 4 / rows[i].threads;
        assert_int_equal(workload_nmax(&w, machine_find("fermi")), rows[i].fermi);
        assert_int_equal(workload_nmax(&w, machine_find("kepler")), rows[i].kepler);
    }
}

TEST(the_descriptor_says_the_same)
{
    const machine m = fixture_machine();
    workload w = fixture_workload();
    kernel_desc d;

    w.ctas = 77;
    w.threads_per_cta = 65;
    w.regs_per_thread = 20;
    w.shared_per_cta = 300;
    w.is_2d = true;
    workload_describe(&w, &m, &d);
    assert_int_equal(d.grid_ctas, 77);
    assert_int_equal(d.threads_per_cta, 65);
    assert_int_equal(d.regs_per_thread, 20);
    assert_int_equal(d.smem_per_cta, 300);
    assert_int_equal(d.warps_per_cta, 3);
    assert_int_equal(d.nmax, 2);
    assert_int_equal(d.is_2d, 1);
}

/* ---- what is refused -------------------------------------------------------------- */

static void refused(const workload *w, const char *words)
{
    const machine m = fixture_machine();
    char err[256] = "";

    assert_false(workload_check(w, &m, err, sizeof err));
    if (!strstr(err, words) || strchr(err, '\n'))
        fail_msg("%s: %s", words, err);
    assert_null(sim_open(&m, w, 1, err, sizeof err));
}

static void accepted(const workload *w)
{
    machine m = *machine_find("hopper");
    char err[256] = "";

    m.sms = 1;
    if (!workload_check(w, &m, err, sizeof err))
        fail_msg("%s", err);
}

#define WITH(field, value, check)                                                                                          \
    do {                                                                                                                   \
        workload w = fixture_workload();                                                                                   \
        w.field = (value);                                                                                                 \
        check;                                                                                                             \
    } while (0)
#define REFUSE(field, value) WITH(field, value, refused(&w, #field " is "))
#define ACCEPT(field, value) WITH(field, value, accepted(&w))

TEST(counts_that_cannot_be_are_refused)
{
    WITH(ctas, 0, refused(&w, "blocks is "));
    WITH(ctas, (1u << 24) + 1, refused(&w, "blocks is "));
    ACCEPT(ctas, 1u << 24);
    WITH(threads_per_cta, 0, refused(&w, "threads_per_block is "));
    WITH(threads_per_cta, 2049, refused(&w, "threads_per_block is "));
    ACCEPT(threads_per_cta, 2048);
    REFUSE(regs_per_thread, 256);
    ACCEPT(regs_per_thread, 255);
    REFUSE(launches, 0);
    REFUSE(launches, 4097);
    REFUSE(insts, 0);
    REFUSE(insts, (1u << 24) + 1);
    REFUSE(lines, 0);
    REFUSE(lines, 33);
    ACCEPT(lines, 32);
    REFUSE(store_lines, 33);
    ACCEPT(store_lines, 32);
    REFUSE(barrier_every, PROGRAM_BODY + 1);
    ACCEPT(barrier_every, PROGRAM_BODY);
    REFUSE(warp_set, (1u << 24) + 1);
    REFUSE(cta_set, (1u << 24) + 1);
    REFUSE(neighbour_set, (1u << 24) + 1);
    REFUSE(footprint, 0); /* random goes there */
}

TEST(a_set_that_is_used_has_lines)
{
    workload w = fixture_workload();

    w.random = 0;
    w.warp_set = w.cta_set = w.neighbour_set = w.footprint = 0;
    accepted(&w);
    w.warp_reuse = 0.1;
    refused(&w, "warp_set is 0");
    w.warp_reuse = 0;
    w.cta_reuse = 0.1;
    refused(&w, "cta_set is 0");
    w.cta_reuse = 0;
    w.neighbour_reuse = 0.1;
    refused(&w, "neighbour_set is 0");
}

#define REFUSE_SHARE(field)                                                                                                \
    do {                                                                                                                   \
        REFUSE(field, -0.01);                                                                                              \
        REFUSE(field, 1.01);                                                                                               \
        REFUSE(field, NAN);                                                                                                \
        REFUSE(field, INFINITY);                                                                                           \
    } while (0)

TEST(shares_that_cannot_be_are_refused)
{
    REFUSE_SHARE(loads);
    REFUSE_SHARE(stores);
    REFUSE_SHARE(shared);
    REFUSE_SHARE(sfu);
    REFUSE_SHARE(branches);
    REFUSE_SHARE(warp_reuse);
    REFUSE_SHARE(cta_reuse);
    REFUSE_SHARE(neighbour_reuse);
    REFUSE_SHARE(random);
    REFUSE_SHARE(spread);
}

TEST(shares_sum_up_to_all_at_most)
{
    workload w = fixture_workload();

    w.loads = w.stores = w.shared = w.sfu = w.branches = 0.2;
    accepted(&w);
    w.branches = 0.21;
    refused(&w, "more than all instructions");
    w = fixture_workload();
    w.warp_reuse = w.cta_reuse = w.neighbour_reuse = w.random = 0.25;
    accepted(&w);
    w.random = 0.26;
    refused(&w, "more than all accesses");
}

TEST(distances_that_cannot_be_are_refused)
{
    REFUSE(alu_distance, 0.99);
    REFUSE(alu_distance, PROGRAM_WINDOW);
    REFUSE(alu_distance, NAN);
    REFUSE(load_distance, 0);
    REFUSE(load_distance, 1e9);
    REFUSE(load_distance, -INFINITY);
    ACCEPT(alu_distance, PROGRAM_WINDOW - 1);
    ACCEPT(load_distance, PROGRAM_WINDOW - 1);
}

TEST(a_cta_larger_than_the_sm_is_refused_by_name)
{
    WITH(threads_per_cta, 257, refused(&w, "needs 9 warp slots, an SM of fixture has 8"));
    WITH(regs_per_thread, 129, refused(&w, "needs 4128 registers, an SM of fixture has 4096"));
    WITH(shared_per_cta, 1025, refused(&w, "needs 1025 bytes of shared memory, an SM of fixture has 1024"));
}
