/* SPDX-License-Identifier: Apache-2.0
 *
 * A chip of a few small SMs for each test of it: closed and as new between two of them.
 */
#ifndef BALLAST_CHIP_FIXTURE_H
#define BALLAST_CHIP_FIXTURE_H

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

static inline machine several(unsigned sms)
{
    machine m = fixture_machine();

    m.sms = sms;
    m.schedulers = m.alu_width = 2;
    return m;
}

/* Something of everything. */
static inline workload lively(void)
{
    return (workload){
        .name = "fixture", .ctas = 40, .threads_per_cta = 64, .launches = 1, .insts = 300, .alu_distance = 3,
        .load_distance = 6, .lines = 3, .warp_set = 6, .cta_set = 20, .neighbour_set = 20, .random = 0.15,
        .footprint = 1000, .spread = 0.4, .loads = 0.15, .stores = 0.05, .shared = 0.1, .sfu = 0.05,
        .branches = 0.05, .barrier_every = 64, .warp_reuse = 0.3, .cta_reuse = 0.15, .neighbour_reuse = 0.15,
    };
}

/* Of the test that runs. */
static machine m;
static workload w;
static sim_control control;
static chip_sim *sim;
static const sm_obs *const *obs; /* of the last cycle */
static sim_counts counts;        /* up to the last look */

static inline int set_up(void **state)
{
    (void)state;
    m = several(2);
    w = fixture_workload();
    control = fixture_control();
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    sim_close(sim);
    sim = NULL;
    return 0;
}

#define CHIP_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static inline void open_sim(uint64_t seed)
{
    sim_close(sim);
    sim = fixture_open(&m, &w, seed);
}

static inline bool step(void)
{
    obs = sim_step(sim, &control);
    return obs != NULL;
}

static inline void look(void)
{
    sim_get_counts(sim, &counts);
}

#endif
