/* SPDX-License-Identifier: Apache-2.0
 *
 * How many CTAs fit (GWDE-2), and what is refused.
 */
#include <math.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

static workload launched(uint32_t threads, uint32_t regs, uint32_t shared)
{
    const fixture_set launch[] = {{W(threads_per_cta), threads}, {W(regs_per_thread), regs}, {W(shared_per_cta), shared}, {0}};
    workload w = fixture_workload();

    fixture_change(&w, launch);
    return w;
}

/* The fixture's SM: 8 warps, 4 CTA slots, 4096 registers, 1024 bytes. */
TEST(gwde_2_each_resource_limits)
{
    static const struct {
        uint32_t threads, regs, shared, nmax;
    } rows[] = {
        {32, 0, 0, 4}, {64, 0, 0, 4},                     /* CTA slots                                  */
        {96, 0, 0, 2}, {65, 0, 0, 2}, {256, 0, 0, 1},     /* 3 of 8 warps; a part of a warp is one      */
        {32, 64, 0, 2}, {32, 43, 0, 2}, {32, 42, 0, 3}, {32, 32, 0, 4}, /* 64: 2048 of 4096 registers   */
        {1, 64, 0, 2},                                    /* registers of whole warps                   */
        {32, 0, 256, 4}, {32, 0, 257, 2}, {32, 0, 385, 2}, {32, 0, 513, 1}, /* shared memory, in units of 128 bytes */
        {257, 0, 0, 0}, {32, 129, 0, 0}, {32, 0, 1025, 0}, /* an entire CTA has to fit                  */
    };
    const machine m = fixture_machine();

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const workload w = launched(rows[i].threads, rows[i].regs, rows[i].shared);

        if (workload_nmax(&w, &m) != rows[i].nmax)
            fail_msg("row %u: %u CTAs", i, (unsigned)workload_nmax(&w, &m));
    }
}

/* Of 4096 registers of 4 bytes and 1024 bytes of shared memory. */
TEST(storage_of_a_cta)
{
    static const struct {
        uint32_t threads, regs, shared, bytes;
    } rows[] = {{32, 0, 0, 0}, {32, 64, 0, 8192}, {1, 64, 0, 8192}, {33, 10, 0, 2560}, {32, 0, 1024, 1024}, {32, 16, 129, 2304}};
    const machine m = fixture_machine();

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const workload w = launched(rows[i].threads, rows[i].regs, rows[i].shared);

        assert_float_equal(workload_storage(&w, &m), rows[i].bytes / (4.0 * 4096 + 1024), 1e-12);
    }
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
    ballast_kernel_desc d;

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

static bool accepts(const fixture_set *change, char *err, unsigned size)
{
    workload w = fixture_workload();

    fixture_change(&w, change);
    return workload_check(&w, machine_find("hopper"), err, size);
}

TEST(counts_that_cannot_be_are_refused)
{
    static const fixture_limit all[] = {
        {"blocks", W(ctas), 1, 1 << 24}, {"threads_per_block", W(threads_per_cta), 1, 2048},
        {"regs_per_thread", W(regs_per_thread), 0, 255}, {"launches", W(launches), 1, 4096},
        {"insts", W(insts), 1, 1 << 24}, {"lines", W(lines), 1, 32}, {"store_lines", W(store_lines), 0, 32},
        {"barrier_every", W(barrier_every), 0, PROGRAM_BODY}, {"warp_set", W(warp_set), 0, 1 << 24},
        {"cta_set", W(cta_set), 0, 1 << 24}, {"neighbour_set", W(neighbour_set), 0, 1 << 24},
        {"footprint", W(footprint), 1, UINT32_MAX}, /* random goes there */
    };

    fixture_limits(all, sizeof all / sizeof all[0], accepts);
}

static bool accepts_2d(const fixture_set *change, char *err, unsigned size)
{
    workload w = fixture_workload();

    w.is_2d = true;
    fixture_change(&w, change);
    return workload_check(&w, machine_find("hopper"), err, size);
}

TEST(rows_are_of_2d_kernels)
{
    static const fixture_limit all[] = {{"grid_x", W(grid_x), 0, 1 << 24}, {"cta_x", W(cta_x), 0, 32}}; /* of 32 threads */
    workload w = fixture_workload();
    ballast_kernel_desc desc;

    fixture_limits(all, sizeof all / sizeof all[0], accepts_2d);
    w.grid_x = 5;
    refused(&w, "grid_x is for a 2-D kernel");
    w.grid_x = 0;
    w.cta_x = 16;
    refused(&w, "cta_x is for a 2-D kernel");
    w.is_2d = true;
    w.grid_x = 7;
    accepted(&w);
    workload_describe(&w, machine_find("fermi"), &desc);
    assert_int_equal(desc.is_2d, 1);
    assert_int_equal(desc.grid_x, 7);
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

TEST(shares_and_distances_that_cannot_be_are_refused)
{
    static const double no_share[] = {-0.01, 1.01, (double)NAN, (double)INFINITY};
    static const double no_distance[] = {0, 0.99, PROGRAM_WINDOW, 1e9, (double)NAN, -(double)INFINITY};
    static const struct {
        const char *name;
        size_t member;
        double most;
    } all[] = {
        {"loads is ", W(loads), 1}, {"stores is ", W(stores), 1}, {"shared is ", W(shared), 1}, {"sfu is ", W(sfu), 1},
        {"branches is ", W(branches), 1}, {"warp_reuse is ", W(warp_reuse), 0}, {"cta_reuse is ", W(cta_reuse), 0},
        {"neighbour_reuse is ", W(neighbour_reuse), 0}, {"random is ", W(random), 1}, {"spread is ", W(spread), 1},
        {"alu_distance is ", W(alu_distance), PROGRAM_WINDOW - 1}, {"load_distance is ", W(load_distance), PROGRAM_WINDOW - 1},
    };

    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        const bool distance = all[i].most > 1;
        const double *bad = distance ? no_distance : no_share;
        const unsigned num = distance ? sizeof no_distance / sizeof bad[0] : sizeof no_share / sizeof bad[0];
        workload w = fixture_workload();
        double *value = (double *)(void *)((char *)&w + all[i].member);

        *value = all[i].most; /* of the reuses there is none left beside random */
        accepted(&w);
        for (unsigned b = 0; b < num; b++) {
            *value = bad[b];
            refused(&w, all[i].name);
        }
    }
}

TEST(an_instruction_reads_one_to_three_registers)
{
    static const double good[] = {0, 1, 1.5, PROGRAM_OPERANDS}, bad[] = {-1, 0.5, 3.01, (double)NAN, (double)INFINITY};
    workload w = fixture_workload();

    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        w.operands = good[i];
        accepted(&w);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        w.operands = bad[i];
        refused(&w, "operands is ");
    }
}

TEST(a_cta_larger_than_the_sm_is_refused_by_name)
{
    static const struct {
        fixture_set too_much[2];
        const char *says;
    } rows[] = {
        {{{W(threads_per_cta), 257}}, "needs 9 warp slots, an SM of fixture has 8"},
        {{{W(regs_per_thread), 129}}, "needs 4128 registers, an SM of fixture has 4096"},
        {{{W(shared_per_cta), 1025}}, "needs 1152 bytes of shared memory, an SM of fixture has 1024"},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        workload w = fixture_workload();

        fixture_change(&w, rows[i].too_much);
        refused(&w, rows[i].says);
    }
}
