/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator with the C models in its loop: what governors decide happens, and the bus keeps its
 * rules meanwhile.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/governed.h"

static machine two_sms(void)
{
    machine m = fixture_machine();

    m.sms = 2;
    m.schedulers = m.alu_width = 2;
    return m;
}

/* Every load pushes back. */
static workload streaming(void)
{
    return (workload){
        .name = "fixture", .ctas = 60, .threads_per_cta = 64, .launches = 1, .insts = 300, .alu_distance = 1,
        .load_distance = 20, .lines = 8, .warp_set = 1, .cta_set = 1, .neighbour_set = 1, .random = 0,
        .footprint = 1000, .loads = 0.5,
    };
}

/* Long enough for several epochs, with memory trouble. */
static workload thrashing(void)
{
    return (workload){
        .name = "fixture", .ctas = 60, .threads_per_cta = 64, .launches = 2, .insts = 600, .alu_distance = 1,
        .load_distance = 2, .lines = 1, .warp_set = 6, .cta_set = 1, .neighbour_set = 1, .random = 0.1,
        .footprint = 1000, .spread = 0.3, .loads = 0.3, .warp_reuse = 0.9, .barrier_every = 128,
    };
}

static governed *begin(const machine *m, const workload *w, uint8_t policy)
{
    governed *g = malloc(sizeof *g);

    assert_non_null(g);
    governed_open(g, fixture_open(m, w, 1));
    g->in.policy = policy;
    return g;
}

static void finish(governed *g)
{
    sim_close(g->sim);
    free(g);
}

typedef struct seen {
    uint64_t cycles, held, paused, levels[3];
    unsigned most; /* CTAs on an SM */
} seen;

static seen run(governed *g)
{
    const unsigned sms = sim_machine(g->sim)->sms;
    bus_rules rules[2] = {{.schedulers = sim_machine(g->sim)->schedulers}, {.schedulers = sim_machine(g->sim)->schedulers}};
    seen s = {0};

    for (;; s.cycles++) {
        const sim_control before = g->control;
        const sm_obs *const *obs = governed_step(g);

        if (!obs)
            break;
        if (s.cycles == 2000000)
            fail_msg("policy %u is still busy", g->in.policy);
        for (unsigned i = 0; i < sms && !before.sm_stall; i++) {
            const unsigned held = (unsigned)__builtin_popcount(obs[i]->cta_active);

            bus_check(&rules[i], obs[i], &before.sm[i]);
            s.most = held > s.most ? held : s.most;
            s.paused += obs[i]->paused != 0;
        }
        s.levels[before.sm_level]++;
        s.held += before.sm_stall;
    }
    assert_int_equal(rules[0].ctas + rules[1].ctas, sim_workload(g->sim)->ctas * sim_workload(g->sim)->launches);
    return s;
}

TEST(the_governors_have_the_machines_geometry_and_defaults)
{
    governed *g = malloc(sizeof *g);
    machine m = *machine_find("hopper");
    const workload w = fixture_workload();

    assert_non_null(g);
    m.schedulers = 3;
    governed_open(g, fixture_open(&m, &w, 1));
    assert_int_equal(g->cfg.num_sms, 132);
    assert_int_equal(g->cfg.sm.num_warps, 64);
    assert_int_equal(g->cfg.sm.num_slots, 32);
    assert_int_equal(g->cfg.sm.issue_width, 3);
    assert_int_equal(g->cfg.sm.perfsat.num_slots, 32);
    assert_int_equal(g->in.policy, BALLAST_POLICY_STATIC); /* settings as after reset, but nobody throttles */
    assert_int_equal(g->in.static_limit, 0);
    assert_int_equal(g->in.mode, BALLAST_VF_PERFORMANCE);
    assert_int_equal(g->in.t_idle, 16);
    assert_int_equal(g->in.t_mem_l, 128);
    assert_int_equal(g->in.t_mem_h, 384);
    finish(g);
}

TEST(every_policy_runs_to_the_end)
{
    const machine m = two_sms();
    const workload w = thrashing();

    for (unsigned policy = 0; policy < BALLAST_POLICIES; policy++)
        for (unsigned mode = 0; mode < (policy == BALLAST_POLICY_EQUALIZER ? 2 : 1); mode++) {
            governed *g = begin(&m, &w, (uint8_t)policy);

            g->in.mode = (uint8_t)mode;
            run(g);
            finish(g);
        }
}

TEST(a_static_limit_is_the_most_that_are_there)
{
    const machine m = two_sms();
    const workload w = thrashing();

    for (uint8_t limit = 1; limit <= 4; limit++) {
        governed *g = begin(&m, &w, BALLAST_POLICY_STATIC);
        seen s;

        g->in.static_limit = limit;
        s = run(g);
        assert_int_equal(s.most, limit);
        assert_int_equal(s.paused, 0);
        finish(g);
    }
}

TEST(levels_that_are_voted_come_and_a_stall_holds)
{
    const machine m = two_sms();
    const workload w = streaming();
    seen with, without;
    governed *g;

    g = begin(&m, &w, BALLAST_POLICY_EQUALIZER);
    g->in.mode = BALLAST_VF_ENERGY;
    without = run(g);
    assert_true(without.levels[BALLAST_VF_LOW] > 0); /* memory bound, to save energy: slower SMs */
    finish(g);
    g = begin(&m, &w, BALLAST_POLICY_EQUALIZER);
    g->in.mode = BALLAST_VF_ENERGY;
    g->cfg.sm_domain.vrm_stall = 1;
    with = run(g);
    assert_true(with.levels[BALLAST_VF_LOW] > 0);
    assert_true(with.held > 0);
    assert_int_equal(without.held, 0);
    finish(g);
}

TEST(decisions_reach_the_simulator_in_the_next_cycle)
{
    chip_governor_out out;
    sim_control control;

    memset(&out, 0, sizeof out);
    memset(&control, 0xff, sizeof control);
    out.sm_level = BALLAST_VF_HIGH;
    out.mem_level = BALLAST_VF_LOW;
    out.sm_stall = 1;
    out.sm[1] = (chip_governor_sm_out){.cta_paused = 5, .limit = 3, .pause_soft = 1, .req = 1};
    governed_control(&control, &out, 2);
    assert_int_equal(control.sm_level, BALLAST_VF_HIGH);
    assert_int_equal(control.mem_level, BALLAST_VF_LOW);
    assert_int_equal(control.sm_stall, 1);
    assert_int_equal(control.sm[0].req | control.sm[0].paused | control.sm[0].soft, 0);
    assert_int_equal(control.sm[1].req, 1);
    assert_int_equal(control.sm[1].paused, 5);
    assert_int_equal(control.sm[1].soft, 1);
    assert_int_equal(control.sm[2].paused, 0xffffffff); /* there is no third SM */
}
