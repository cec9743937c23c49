/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left out where nothing happens, against the same with nothing left out: governors that only count, and SMs of which all warps wait. Buses and
 * outputs in every cycle, all registers now and then and at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lockstep.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/governed.h"

enum { CYCLES = 9000, LOOK = 977 };

static machine of_sms(unsigned sms, uint8_t scheduler)
{
    machine m = sms == 2 ? *machine_find("fermi") : fixture_machine(); /* one with operand collectors, and banks of registers */

    m.sms = (uint16_t)sms;
    m.schedulers = m.alu_width = 2;
    if (sms == 2)
        return m;
    m.scheduler = scheduler;
    m.ibuffer = sms == 3 ? 2 : 0;
    return m;
}

/* One that fills the memory's queues, one that waits for its loads, one that calculates, with barriers. */
static workload workload_of(unsigned which)
{
    workload w = {.name = "fixture", .ctas = 60, .threads_per_cta = 64, .launches = 3, .insts = 120, .alu_distance = 1,
                  .load_distance = 20, .lines = 8, .warp_set = 1, .cta_set = 1, .neighbour_set = 1, .footprint = 1000, .loads = 0.5, .stores = 0.2};

    if (which == 1)
        w = (workload){.name = "fixture", .ctas = 60, .threads_per_cta = 64, .launches = 3, .insts = 90, .alu_distance = 1, .load_distance = 1,
                       .lines = 1, .warp_set = 6, .cta_set = 1, .neighbour_set = 1, .random = 0.1, .footprint = 1000, .spread = 0.3,
                       .loads = 0.3, .warp_reuse = 0.5};
    if (which == 2)
        w = (workload){.name = "fixture", .ctas = 200, .threads_per_cta = 64, .launches = 2, .insts = 200, .alu_distance = 2, .load_distance = 3,
                       .lines = 1, .warp_set = 6, .cta_set = 1, .neighbour_set = 1, .footprint = 1000, .loads = 0.02, .sfu = 0.05,
                       .branches = 0.1, .barrier_every = 32};
    return w;
}
enum { WORKLOADS = 3 };

typedef struct plan {
    unsigned sms;
    uint8_t policy, mode, stall, scope;
    unsigned workload;
    uint8_t scheduler;
} plan;

/* Short samples and epochs, so that there are many. */
static governed *begin(const plan *p, bool each)
{
    const machine m = of_sms(p->sms, p->scheduler);
    const workload w = workload_of(p->workload);
    governed *g = malloc(sizeof *g);

    assert_non_null(g);
    governed_open(g, fixture_open(&m, &w, 1));
    g->in.policy = p->policy;
    g->in.mode = p->mode;
    g->in.static_limit = 3;
    g->in.t_idle = 4;
    g->in.t_mem_l = 10;
    g->in.t_mem_h = 40;
    g->cfg.sm_domain.vrm_stall = p->stall;
    g->cfg.sm_domain.transition = 40;
    g->cfg.lcs_scope = p->scope;
    g->cfg.sm.counters.epoch = 512;
    g->cfg.sm.counters.sample_interval = 32;
    g->cfg.sm.counters.sample_phase = 31;
    g->cfg.sm.counters.sample_cycles = 4;
    g->cfg.sm.dyncta.period = 200;
    chip_governor_cfg_derive(&g->cfg);
    chip_governor_reset(&g->state, &g->cfg);
    g->each = each;
    if (each)
        sim_do_each(g->sim);
    return g;
}

static void finish(governed *g)
{
    sim_close(g->sim);
    free(g);
}

static void assert_same_registers(governed *is, const governed *should, const port_list *ports)
{
    governed_settle(is);
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];

        if (port->kind == PORT_REG && block_port_get(port, &is->state) != block_port_get(port, &should->state))
            fail_msg("%s is %llu, not %llu", port->name, (unsigned long long)block_port_get(port, &is->state),
                     (unsigned long long)block_port_get(port, &should->state));
    }
}

static void assert_same_cycle(const governed *is, const governed *should, const sm_obs *const *obs, const sm_obs *const *wanted)
{
    for (unsigned i = 0; i < should->cfg.num_sms; i++) {
        assert_true(sm_obs_equal(obs[i], wanted[i]));
        assert_memory_equal(&is->out.sm[i], &should->out.sm[i], sizeof is->out.sm[i]);
    }
    assert_memory_equal(&is->control, &should->control, sizeof is->control);
}

static uint64_t left_out(const governed *g)
{
    uint64_t cycles = 0;

    for (unsigned i = 0; i < g->cfg.num_sms; i++)
        cycles += g->spans[i].sums.cycles;
    return cycles;
}

/* So many SM cycles were left out at the looks. */
static uint64_t run(const plan *p)
{
    governed *is = begin(p, false), *should = begin(p, true);
    const block_model *model = block_find("chip_governor")->model;
    port_list ports = {.num = 0};
    sim_counts counts[2];
    uint64_t left = 0;

    model->list_ports(&should->cfg, &ports);
    for (unsigned c = 0; c < CYCLES; c++) {
        const sm_obs *const *wanted = governed_step(should), *const *obs = governed_step(is);

        assert_int_equal(obs == NULL, wanted == NULL);
        if (!obs || !wanted)
            break;
        assert_same_cycle(is, should, obs, wanted);
        left += left_out(is);
        if (c % LOOK == LOOK - 1)
            assert_same_registers(is, should, &ports);
    }
    assert_same_registers(is, should, &ports);
    sim_get_counts(is->sim, &counts[0]);
    sim_get_counts(should->sim, &counts[1]);
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
    port_list_free(&ports);
    finish(is);
    finish(should);
    return left;
}

TEST(what_is_left_out_changes_nothing)
{
    static const unsigned sizes[] = {1, 3};

    for (unsigned policy = 0; policy < BALLAST_POLICIES; policy++)
        for (unsigned w = 0; w < WORKLOADS; w++) {
            const plan p = {.sms = sizes[(policy + w) % 2], .policy = (uint8_t)policy, .mode = policy % 2, .workload = w};
            const uint64_t left = run(&p);

            print_message("policy %u workload %u: %llu\n", policy, w, (unsigned long long)left);
            assert_true(policy == BALLAST_POLICY_SCOUT ? left == 0 : left > CYCLES / 4);
        }
}

TEST(nor_where_levels_change_or_an_sm_tells_the_others)
{
    for (unsigned w = 0; w < WORKLOADS; w++) {
        run(&(plan){.sms = 3, .policy = BALLAST_POLICY_EQUALIZER, .mode = BALLAST_VF_ENERGY, .workload = w});
        run(&(plan){.sms = 3, .policy = BALLAST_POLICY_EQUALIZER, .mode = BALLAST_VF_PERFORMANCE, .stall = 1, .workload = w});
        assert_true(run(&(plan){.sms = 3, .policy = BALLAST_POLICY_LCS, .scope = 1, .workload = w}) == 0);
    }
}

TEST(nor_with_another_scheduler)
{
    static const uint8_t others[] = {SCHEDULE_LRR, SCHEDULE_TWO_LEVEL, SCHEDULE_CCWS};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (unsigned w = 0; w < WORKLOADS; w++)
            run(&(plan){.sms = 1 + 2 * (w == 1), .policy = BALLAST_POLICY_DYNCTA, .workload = w, .scheduler = others[i]});
}

TEST(nor_with_operand_collectors)
{
    for (unsigned w = 0; w < WORKLOADS; w++)
        run(&(plan){.sms = 2, .policy = BALLAST_POLICY_PERFSAT, .workload = w});
}

/* Equalizer's SMs wait for one more CTA, whenever, and a grid has none left. */
TEST(nor_where_an_sm_waits_for_a_cta_in_vain)
{
    const plan p = {.sms = 3, .policy = BALLAST_POLICY_EQUALIZER};
    governed *is = begin(&p, false), *should = begin(&p, true), *const both[] = {is, should};
    unsigned denied = 0, waits = 0;

    for (unsigned c = 0; c < CYCLES; c++) {
        const sm_obs *const *wanted, *const *obs;

        for (unsigned g = 0; g < 2 && c % 101 == 0; g++) {
            governed_settle(both[g]);
            for (unsigned i = 0; i < p.sms; i++) {
                both[g]->state.sm[i].throttle.request = 1;
                both[g]->state.sm[i].throttle.num_blocks = 3;
            }
        }
        wanted = governed_step(should);
        obs = governed_step(is);
        assert_int_equal(obs == NULL, wanted == NULL);
        if (!obs || !wanted)
            break;
        assert_same_cycle(is, should, obs, wanted);
        denied += obs[0]->cta_denied;
        waits += should->state.sm[0].throttle.request;
    }
    assert_true(denied > 10 && waits > 10);
    finish(is);
    finish(should);
}

/* What the memory takes when hangs on its level. */
TEST(nor_where_the_memory_changes_its_level_at_any_time)
{
    const machine m = of_sms(2, SCHEDULE_GTO);
    const workload w = workload_of(0);
    chip_sim *is = fixture_open(&m, &w, 1), *should = fixture_open(&m, &w, 1);
    sim_control control = {.sm_level = BALLAST_VF_NORMAL};
    uint64_t seed = 77, issued = 0;

    sim_do_each(should);
    for (unsigned i = 0; i < 2; i++)
        control.sm[i].req = true;
    for (unsigned c = 0; c < CYCLES; c++) {
        const sm_obs *const *obs, *const *wanted;

        if (random_one_in(&seed, 7))
            control.mem_level = (uint8_t)random_below(&seed, 3);
        control.mem_stall = random_one_in(&seed, 50);
        obs = sim_step(is, &control);
        wanted = sim_step(should, &control);
        assert_int_equal(obs == NULL, wanted == NULL);
        for (unsigned i = 0; obs && wanted && i < 2; i++) {
            assert_true(sm_obs_equal(obs[i], wanted[i]));
            issued += sm_obs_issued(obs[i]) != 0;
        }
        if (!obs || !wanted)
            break;
    }
    assert_true(issued > CYCLES / 20);
    sim_close(is);
    sim_close(should);
}
