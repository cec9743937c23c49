/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run is measured by, on buses and outputs made by hand.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/run_watch.h"

enum { SMS = 5, CYCLES = 4, LAST_WARP = 47 };

static machine small_machine(void)
{
    machine m;
    char err[256];

    assert_true(machine_slice(machine_find("fermi"), SMS, &m, err, sizeof err));
    assert_int_equal(m.warps, LAST_WARP + 1);
    return m;
}

static chip_sim *some_sim(const machine *m, uint8_t level)
{
    const workload w = {.name = "w", .ctas = 100, .threads_per_cta = 128, .regs_per_thread = 20, .launches = 1, .insts = 100,
                        .alu_distance = 3, .load_distance = 3, .lines = 1};
    static sim_control control;
    char err[256];
    chip_sim *sim = sim_open(m, &w, 1, err, sizeof err);

    assert_non_null(sim);
    control.sm_level = level;
    control.mem_level = BALLAST_VF_NORMAL;
    for (unsigned i = 0; i < CYCLES; i++)
        assert_non_null(sim_step(sim, &control));
    return sim;
}

/* SM 1 to 4 are in a class of their own in every cycle, with their last warp; SM 0 is in all of them in
 * turn. SM i has i CTAs and the limit 2 i; SM 4 pauses two of its CTAs and has decided. */
static void watch_made_up(run_watch *w)
{
    static const enum ballast_warp_state states[] = {BALLAST_WARP_EMPTY, BALLAST_WARP_WAIT_ALU, BALLAST_WARP_ALU_BLOCKED, BALLAST_WARP_ISSUED_MEM};
    sm_obs obs[SMS];
    const sm_obs *buses[SMS];
    chip_governor_out out;

    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        memset(obs, 0, sizeof obs);
        memset(&out, 0, sizeof out);
        for (unsigned i = 0; i < SMS; i++) {
            sm_obs_set_warp_state(&obs[i], LAST_WARP, states[(i ? i - 1 : cycle) % 4]);
            obs[i].cta_active = (1u << i) - 1;
            out.sm[i].limit = (uint8_t)(2 * i);
            buses[i] = &obs[i];
        }
        out.sm[4].cta_paused = 0x81 | 2; /* slot 7 is empty */
        out.sm[4].done = 1;
        run_watch_cycle(w, buses, &out);
    }
}

TEST(shares_means_and_last_values)
{
    const machine m = small_machine();
    chip_sim *sim = some_sim(&m, BALLAST_VF_NORMAL);
    run_result r = {.ok = false};
    run_watch w;

    run_watch_begin(&w, &m);
    watch_made_up(&w);
    run_watch_conclude(&w, sim, &r);
    assert_true(r.ok);
    for (unsigned c = 0; c < 4; c++)
        assert_float_equal(r.classes[c], 0.25, 1e-12);
    assert_float_equal(r.mean_limit, (0 + 2 + 4 + 6 + 8) / 5.0, 1e-12);
    assert_float_equal(r.mean_resident, (0 + 1 + 2 + 3 + 2) / 5.0, 1e-12);
    assert_int_equal(r.limit, 0);
    assert_int_equal(r.limits[3], 6);
    assert_int_equal(r.limits[5], 0);
    assert_true(r.decided[4]);
    assert_false(r.decided[3] || r.done);
    assert_int_equal(r.nmax, 8);
    assert_int_equal(r.counts.cycles, CYCLES);
    sim_close(sim);
}

TEST(time_is_that_of_the_level)
{
    static const double frequency[] = {[BALLAST_VF_LOW] = 0.85, [BALLAST_VF_NORMAL] = 1, [BALLAST_VF_HIGH] = 1.15};
    const machine m = small_machine();

    for (unsigned level = BALLAST_VF_LOW; level <= BALLAST_VF_HIGH; level++) {
        chip_sim *sim = some_sim(&m, (uint8_t)level);
        run_result r;
        run_watch w;

        run_watch_begin(&w, &m);
        run_watch_conclude(&w, sim, &r);
        assert_float_equal(r.seconds, CYCLES / (frequency[level] * m.sm_mhz * 1e6), 1e-15);
        sim_close(sim);
    }
}

TEST(a_run_without_cycles_has_no_shares)
{
    const machine m = small_machine();
    const workload w = {.name = "w", .ctas = 1, .threads_per_cta = 32, .launches = 1, .insts = 1, .alu_distance = 1,
                        .load_distance = 1, .lines = 1};
    chip_sim *sim;
    run_result r;
    run_watch watch;
    char err[256];

    sim = sim_open(&m, &w, 1, err, sizeof err);
    assert_non_null(sim);
    run_watch_begin(&watch, &m);
    run_watch_conclude(&watch, sim, &r);
    assert_float_equal(r.ipc + r.mean_limit + r.seconds + r.classes[0], 0, 0);
    sim_close(sim);
}
